//! Libraries: ray tracing pipelines of their shaders, from a pipeline file or with the defaults of
//! `--rays`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::{Shader, ShaderKind, plain_name};
use dxil_frontend::reflection::Reflection;
use dxil_jit::pipeline_file::{Pipeline, PlannedJob};
use dxil_runtime::cache::SourceHash;
use dxil_runtime::job::Work;
use dxil_runtime::program::Program;
use dxil_runtime::ray_program::{LibraryState, NamedHitGroup, RayStage, hit_groups, ray_shaders};
use dxil_runtime::ray_tracing::{
    HitGroup, HitGroupKind, RayCount, RayDispatch, RayTracingState, Record, ShaderGroup,
    ShaderTable, paired_hit_groups,
};
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Job, Profile};

use crate::args::Args;
use crate::compile_options::compile_options;
use crate::failure::{Context, Failure, Result};
use crate::planned::{DefaultScene, Planned};
use crate::progress::Progress;
use crate::run::Ran;
use crate::source::ShaderFile;
use crate::{cache, draw, job, linking, names, run, source};

/// The libraries of the command line.
pub(crate) struct Libraries {
    pub(crate) shaders: Vec<Shader>,
    /// Names and layouts of their resources.
    pub(crate) reflections: Vec<Reflection>,
    pub(crate) sources: Vec<SourceHash>,
    pub(crate) states: Vec<LibraryState>,
    /// The command line's global root signature, or else the first that a library has.
    pub(crate) root: Option<RootSignature>,
}

impl Libraries {
    pub(crate) fn read(args: &Args) -> Result<Self> {
        let mut libraries = Libraries {
            shaders: Vec::new(),
            reflections: Vec::new(),
            sources: Vec::new(),
            states: Vec::new(),
            root: None,
        };
        for (index, path) in args.shaders.iter().enumerate() {
            let bytes = source::file(args, index, path)?;
            let file = ShaderFile::open(args, path, &bytes)?;
            let shader = file.shader(args).context(path)?;
            file.check_debug_info(args, path, &shader);
            libraries.reflections.push(file.reflection(&shader));
            libraries.shaders.push(shader);
            libraries.sources.push(SourceHash::of(&bytes));
            let state = file.library_state().context(path)?;
            if libraries.root.is_none() {
                let given = crate::root_signature::root_signature(args, path, &file)?;
                libraries.root = given.or_else(|| state.global_root.clone());
            }
            libraries.states.push(state);
        }
        let changed = linking::among(&mut libraries.shaders)?;
        let all = SourceHash::of_sources(&libraries.sources);
        let files = libraries.reflections.iter_mut().zip(&mut libraries.sources);
        let files = files.zip(&libraries.shaders).zip(changed);
        for (((reflection, source), shader), _) in files.filter(|(_, changed)| *changed) {
            // Numbers of resources change by linking.
            *reflection = Reflection::of(shader, None);
            // The code depends on the other libraries too now, and so must its key in the cache.
            *source = SourceHash::of_sources(&[*source, all]);
        }
        Ok(libraries)
    }

    /// Returns the ray tracing shaders of all libraries, in order.
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

    /// Returns the shader of that name.
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
            Failure::usage(format!(
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
        let mut options = compile_options(args, profile);
        options.cache = cache::cached(cache, &self.sources);
        let (root, formats) = (self.root.as_ref(), formats_of(job));
        let program = Program::compile_rays(stages, state, root, profile, &formats, &options);
        let file_of = |stage: &RayStage<'_>| {
            let mut files = self.shaders.iter().zip(&args.shaders);
            // By address: two files may hold equal shaders.
            let found = files.find(|(shader, _)| std::ptr::eq(*shader, stage.shader));
            found.map_or_else(PathBuf::new, |(_, file)| file.clone())
        };
        let files: Vec<PathBuf> = stages.iter().map(file_of).collect();
        program.map_err(|error| Failure::from(error).in_stage_of(&files))
    }
}

/// Runs a pipeline file's ray tracing pipeline, whose shaders are in libraries.
pub(crate) fn run_file(args: &Args, file: &Path, document: &Pipeline) -> Result<()> {
    let libraries = Libraries::read(args)?;
    let (planned, stages) = libraries.plan_file(file, document)?;
    let progress = Progress::start("opening the device");
    let cache = cache::open(args)?;
    let device = crate::opening::open_device(args, cache.as_ref())?;
    planned.check(device.info().backend).context(file)?;
    progress.say("translating");
    let start = Instant::now();
    let profile = crate::opening::with_target(device.profile(), args);
    let state = planned.ray_tracing.clone().unwrap_or_default();
    let program =
        libraries.compile(args, &stages, state, &profile, &planned.job, cache.as_ref())?;
    log::debug!("translated in {:?}", start.elapsed());
    progress.say("running");
    let outcome = device.run(&program, &planned.job)?;
    progress.finish();
    crate::verdicts::show(args, file, document, &planned, &outcome)
}

impl Libraries {
    /// Plans the job of a pipeline file, and finds its shaders.
    pub(crate) fn plan_file(
        &self,
        file: &Path,
        document: &Pipeline,
    ) -> Result<(PlannedJob, Vec<RayStage<'_>>)> {
        let shaders: Vec<&Shader> = self.shaders.iter().collect();
        let planned = document.plan(self.root.as_ref(), &shaders);
        let names = document.document.shaders.iter().map(|shader| &shader.entry);
        let stages = names.map(|name| self.find(name));
        Ok((planned.context(file)?, stages.collect::<Result<Vec<_>>>()?))
    }
}

/// Deepest recursion that a pipeline gets whose libraries do not say one.
const RECURSION: u32 = 8;

/// A ray tracing pipeline of libraries, with the job that runs it.
pub(crate) struct PlannedRays<'a> {
    pub(crate) planned: Planned,
    pub(crate) stages: Vec<RayStage<'a>>,
    pub(crate) state: RayTracingState,
    /// Whether a library says how deep rays recurse.
    pub(crate) has_depth: bool,
}

/// Runs the libraries' shaders as one ray tracing pipeline.
pub(crate) fn run_rays(args: &Args, size: [u32; 3]) -> Result<Ran> {
    let libraries = Libraries::read(args)?;
    let args = &names::resolve(args, &libraries.reflections)?;
    let PlannedRays {
        planned,
        stages,
        mut state,
        has_depth,
    } = libraries.plan(args, size)?;
    run::perform(args, planned, |profile, job, cache| {
        // A default must not exceed what the device has
        // (VUID-VkRayTracingPipelineCreateInfoKHR-maxPipelineRayRecursionDepth-03589).
        if !has_depth {
            state.max_recursion = RECURSION.min(profile.limits.ray_recursion);
        }
        libraries.compile(args, &stages, state, profile, job, cache)
    })
}

impl Libraries {
    /// Plans a dispatch of rays. Where no library says how deep rays recurse, `max_recursion` is
    /// the default.
    pub(crate) fn plan(&self, args: &Args, size: [u32; 3]) -> Result<PlannedRays<'_>> {
        let stages = self.chosen(args)?;
        let names: Vec<&str> = stages.iter().map(|(stage, _)| stage.entry).collect();
        let kinds: Vec<ShaderKind> = stages.iter().map(|(_, kind)| *kind).collect();
        let given = self.states.iter().flat_map(|state| &state.hit_groups);
        let given: Vec<NamedHitGroup> = given.cloned().collect();
        let mut state = RayTracingState {
            hit_groups: if given.is_empty() {
                paired_hit_groups(&kinds)
            } else {
                hit_groups(&given, &names)?
            },
            ..RayTracingState::default()
        };
        // The largest of several limits serves all self.
        for given in &self.states {
            if let Some((payload, attributes)) = given.shader_config {
                state.max_payload_bytes = state.max_payload_bytes.max(payload);
                state.max_attribute_bytes = state.max_attribute_bytes.max(attributes);
            }
            if let Some((depth, flags)) = given.pipeline_config {
                state.max_recursion = state.max_recursion.max(depth);
                // D3D12_RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES and _SKIP_PROCEDURAL_PRIMITIVES.
                state.skip_triangles |= flags & 0x100 != 0;
                state.skip_procedural |= flags & 0x200 != 0;
            }
        }
        let first = |kind| {
            let found = state.hit_groups.iter().position(|group| group.kind == kind);
            found.and_then(|index| u32::try_from(index).ok())
        };
        let generated = DefaultScene {
            square: first(HitGroupKind::Triangles),
            cube: first(HitGroupKind::Procedural),
        };
        let root = self.root.as_ref();
        let (shaders, reflections) = (&self.shaders, &self.reflections);
        let mut planned = job::plan_for(shaders, reflections, root, args, size, generated)?;
        let count = match draw::indirect(&mut planned, args)? {
            Some((arguments, _)) => RayCount::Indirect {
                arguments,
                offset: 0,
            },
            None => RayCount::Direct(size),
        };
        let stages: Vec<RayStage<'_>> = stages.into_iter().map(|(stage, _)| stage).collect();
        let table = table(&mut planned.job, &stages, &kinds, &state.hit_groups)?;
        planned.job.work = Work::DispatchRays(Box::new(RayDispatch { table, count }));
        let has_depth = self.states.iter().any(|s| s.pipeline_config.is_some());
        if !has_depth {
            state.max_recursion = RECURSION;
        }
        Ok(PlannedRays {
            planned,
            stages,
            state,
            has_depth,
        })
    }

    /// Returns the ray generation shader to run, and all other stages.
    fn chosen(&self, args: &Args) -> Result<Vec<(RayStage<'_>, ShaderKind)>> {
        let is_first = |kind: &ShaderKind| *kind == ShaderKind::RayGeneration;
        let generators: Vec<_> = self.all().filter(|(_, kind)| is_first(kind)).collect();
        let chosen = match (&args.entry, generators.as_slice()) {
            (Some(name), _) => self.find(name)?,
            (None, [(one, _)]) => *one,
            (None, several) => {
                let names: Vec<_> = several.iter().map(|(s, _)| plain_name(s.entry)).collect();
                return Err(Failure::usage(match names.as_slice() {
                    [] => "--rays needs a ray generation shader; the files have none".to_owned(),
                    _ => format!(
                        "there are several ray generation shaders; choose with --entry: {}",
                        names.join(" ")
                    ),
                }));
            }
        };
        let mut stages = vec![(chosen, ShaderKind::RayGeneration)];
        stages.extend(self.all().filter(|(_, kind)| !is_first(kind)));
        Ok(stages)
    }
}

/// Returns all shaders and hit groups in the order of the files, with what is bound to the
/// registers of their local root signatures.
fn table(
    job: &mut Job,
    stages: &[RayStage<'_>],
    kinds: &[ShaderKind],
    hit_groups: &[HitGroup],
) -> Result<ShaderTable> {
    let mut record = |group, shaders: &[Option<usize>]| -> Result<Record> {
        let mut shaders = shaders.iter().flatten();
        let local = shaders.find_map(|shader| stages.get(*shader)?.local_root);
        Ok(Record {
            group: Some(group),
            arguments: match local {
                Some(local) => job.local_arguments(local)?,
                None => Vec::new(),
            },
        })
    };
    let mut table = ShaderTable::default();
    for (index, kind) in kinds.iter().enumerate() {
        let group = ShaderGroup::Shader(index);
        match kind {
            ShaderKind::RayGeneration => table.ray_generation = record(group, &[Some(index)])?,
            ShaderKind::Miss => table.miss.push(record(group, &[Some(index)])?),
            ShaderKind::Callable => table.callable.push(record(group, &[Some(index)])?),
            _ => {}
        }
    }
    for (index, group) in hit_groups.iter().enumerate() {
        let shaders = [group.closest_hit, group.any_hit, group.intersection];
        table
            .hit_groups
            .push(record(ShaderGroup::Hit(index), &shaders)?);
    }
    Ok(table)
}
