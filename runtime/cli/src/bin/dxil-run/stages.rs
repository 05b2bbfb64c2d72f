//! The shaders of a draw or of a pipeline file.

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxbc::ClassBinding;
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_frontend::reflection::Reflection;
use dxil_runtime::cache::SourceHash;

use crate::args::Args;
use crate::failure::{Context, Result};
use crate::source::ShaderFile;
use crate::{root_signature, source};

/// The shaders of the command line.
pub(crate) struct Stages {
    pub(crate) shaders: Vec<Shader>,
    /// Names and layouts of their resources.
    pub(crate) reflections: Vec<Reflection>,
    /// Their keys in the cache.
    pub(crate) sources: Vec<SourceHash>,
    /// The command line's root signature, or else the first that a stage has.
    pub(crate) root: Option<RootSignature>,
}

impl Stages {
    /// Reads the files. `of_stage` has the class instances that a pipeline file names for a stage;
    /// those of the command line go before them.
    pub(crate) fn read<'a>(
        args: &'a Args,
        of_stage: &dyn Fn(ShaderKind) -> &'a [ClassBinding],
    ) -> Result<Stages> {
        let mut stages = Stages {
            shaders: Vec::with_capacity(args.shaders.len()),
            reflections: Vec::with_capacity(args.shaders.len()),
            sources: Vec::with_capacity(args.shaders.len()),
            root: None,
        };
        for (index, path) in args.shaders.iter().enumerate() {
            let bytes = source::file(args, index, path)?;
            let mut file = ShaderFile::open(args, path, &bytes)?;
            let mut shader = file.shader(args).context(path)?;
            let of_stage = of_stage(shader.shader_model.kind);
            if args.class_instance.is_empty() && !of_stage.is_empty() {
                file = file.with_class_instances(of_stage);
                shader = file.shader(args).context(path)?;
            }
            file.check_debug_info(args, path, &shader);
            stages.reflections.push(file.reflection(&shader));
            stages.shaders.push(shader);
            stages.sources.push(file.hash().context(path)?);
            if stages.root.is_none() {
                stages.root = root_signature::root_signature(args, path, &file)?;
            }
        }
        Ok(stages)
    }
}
