//! Libraries: ray tracing pipelines of their shaders, from a pipeline file or made up for `--rays`.

use std::path::Path;
use std::time::Instant;

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::{Shader, ShaderKind, plain_name, read_shader};
use dxil_runtime::cache::SourceHash;
use dxil_runtime::pipeline_file::Pipeline;
use dxil_runtime::program::{CompileOptions, Program};
use dxil_runtime::ray_program::{LibraryState, RayStage, ray_shaders};
use dxil_runtime::ray_tracing::RayTracingState;
use dxil_runtime::root_signature::{RootDescriptors, formats_of};
use dxil_runtime::{Job, Profile, device};

use crate::args::Args;
use crate::failure::{Context, Failure, Result};
use crate::progress::Progress;
use crate::{cache, pipeline, reflection};

/// The libraries of the command line.
pub(crate) struct Libraries {
    pub(crate) shaders: Vec<Shader>,
    /// The modules with the names of the source, where the containers have them.
    pub(crate) named: Vec<Option<Shader>>,
    sources: Vec<SourceHash>,
    pub(crate) states: Vec<LibraryState>,
    /// The command line's global root signature, or else the first that a library has.
    pub(crate) root: Option<RootSignature>,
}

impl Libraries {
    pub(crate) fn read(args: &Args) -> Result<Self> {
        let mut libraries = Libraries {
            shaders: Vec::new(),
            named: Vec::new(),
            sources: Vec::new(),
            states: Vec::new(),
            root: None,
        };
        for path in &args.shaders {
            let bytes = std::fs::read(path)
                .map_err(|error| Failure::job(format!("{}: {error}", path.display())))?;
            libraries.shaders.push(read_shader(&bytes).context(path)?);
            libraries.named.push(reflection(&bytes));
            libraries.sources.push(SourceHash::of(&bytes));
            let state = LibraryState::read(&bytes).context(path)?;
            if libraries.root.is_none() {
                let said = crate::root_signature(args, path, &bytes)?;
                libraries.root = said.or_else(|| state.global_root.clone());
            }
            libraries.states.push(state);
        }
        Ok(libraries)
    }

    /// The ray tracing shaders of all libraries, in order.
    pub(crate) fn all(&self) -> impl Iterator<Item = (RayStage<'_>, ShaderKind)> {
        let each = self.shaders.iter().zip(&self.states).zip(&self.sources);
        each.flat_map(|((shader, state), source)| {
            ray_shaders(shader).map(move |(entry, kind)| {
                let stage = RayStage {
                    shader,
                    entry,
                    local_root: state.local_root(entry),
                    source: Some(*source),
                };
                (stage, kind)
            })
        })
    }

    /// The shader of that name.
    pub(crate) fn find(&self, name: &str) -> Result<RayStage<'_>> {
        let is_it = |stage: &RayStage<'_>| {
            stage.entry == name || plain_name(stage.entry) == plain_name(name)
        };
        let found = self.all().find(|(stage, _)| is_it(stage));
        found.map(|(stage, _)| stage).ok_or_else(|| {
            let names: Vec<&str> = self
                .all()
                .map(|(stage, _)| plain_name(stage.entry))
                .collect();
            Failure::malformed(format!(
                "there is no ray tracing shader {name}; there are: {}",
                names.join(" ")
            ))
        })
    }

    /// Translates those shaders.
    pub(crate) fn compile(
        &self,
        args: &Args,
        stages: &[RayStage<'_>],
        state: RayTracingState,
        profile: &Profile,
        job: &Job,
        cache: Option<&std::sync::Arc<dxil_runtime::Cache>>,
    ) -> Result<Program> {
        let options = CompileOptions {
            native_min_precision: args.native_min_precision,
            root_descriptors: if args.root_addresses {
                RootDescriptors::Addresses
            } else {
                RootDescriptors::Bindings
            },
            cache: cache::cached(cache, &self.sources),
            ..CompileOptions::default()
        };
        let (root, formats) = (self.root.as_ref(), formats_of(job));
        let program = Program::compile_rays(stages, state, root, profile, &formats, &options);
        let path = args.shaders.first().map_or(Path::new(""), |path| path);
        program.context(path)
    }
}

/// Runs a pipeline file's ray tracing pipeline, whose shaders are in libraries.
pub(crate) fn run_file(args: &Args, file: &Path, document: &Pipeline) -> Result<()> {
    let libraries = Libraries::read(args)?;
    let shaders: Vec<&Shader> = libraries.shaders.iter().collect();
    let planned = document
        .plan(libraries.root.as_ref(), &shaders)
        .context(file)?;
    let names = document.document.shaders.iter().map(|shader| &shader.entry);
    let stages = names.map(|name| libraries.find(name));
    let stages = stages.collect::<Result<Vec<_>>>()?;
    let progress = Progress::start("opening the device");
    let cache = cache::open(args)?;
    let device = device::open(&crate::open_options(args, cache.as_ref()))?;
    progress.say("translating");
    let start = Instant::now();
    let profile = crate::with_target(device.profile(), args);
    let state = planned.ray_tracing.clone().unwrap_or_default();
    let program =
        libraries.compile(args, &stages, state, &profile, &planned.job, cache.as_ref())?;
    log::debug!("translated in {:?}", start.elapsed());
    progress.say("running");
    let outcome = device.run(&program, &planned.job)?;
    progress.finish();
    pipeline::show(args, file, document, &planned, &outcome)
}
