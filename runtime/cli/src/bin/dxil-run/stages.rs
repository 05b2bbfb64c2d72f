//! The shaders of a draw or of a pipeline file.

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::Shader;
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
    /// Reads the files.
    pub(crate) fn read(args: &Args) -> Result<Stages> {
        let mut stages = Stages {
            shaders: Vec::with_capacity(args.shaders.len()),
            reflections: Vec::with_capacity(args.shaders.len()),
            sources: Vec::with_capacity(args.shaders.len()),
            root: None,
        };
        for (index, path) in args.shaders.iter().enumerate() {
            let bytes = source::file(args, index, path)?;
            let file = ShaderFile::open(args, path, &bytes)?;
            let shader = file.shader(args).context(path)?;
            file.check_debug_info(args, path, &shader);
            stages.reflections.push(file.reflection(&shader));
            stages.shaders.push(shader);
            stages.sources.push(file.hash(args).context(path)?);
            if stages.root.is_none() {
                stages.root = root_signature::root_signature(args, path, &file)?;
            }
        }
        Ok(stages)
    }
}
