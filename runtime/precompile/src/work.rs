//! What is done for one pipeline: read, validate, translate, create, record.

use std::sync::Arc;

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::{EntryPoint, Shader, ShaderKind, plain_name, read_shader};
use dxil_frontend::validate::{Options as RuleOptions, Severity, validate};
use dxil_jit::exit::Exit;
use dxil_runtime::cache::{Cache, Cached, SourceHash};
use dxil_runtime::device::{Device, Profile};
use dxil_runtime::isa;
use dxil_runtime::program::CompileOptions;
use dxil_runtime::ray_program::{LibraryState, NamedHitGroup, RayStage, hit_groups, ray_shaders};
use dxil_runtime::ray_tracing::{HitGroupKind, RayTracingState, paired_hit_groups};
use dxil_runtime::work_graph::{NodeLibrary, WorkGraph};
use dxil_runtime::{Error, Program};
use dxil_translate::RasterSamples;

use crate::draw_state::DrawState;
use crate::error::Problem;
use crate::library::{Blob, ObjectKind, Pipeline, Shape, StateObject};
use crate::spirv_val::SpirvVal;

/// Deepest recursion of ray tracing pipelines that do not say one.
const RECURSION: u32 = 8;

/// The device and the services that pipelines are made with; threads share it.
pub struct Workshop {
    /// What modules may use.
    pub profile: Profile,
    /// The cache that receives translations.
    pub cache: Arc<Cache>,
    /// The device on which pipelines are created, if that is asked for.
    pub device: Option<Arc<dyn Device>>,
    /// Whether pipelines are made of the programs, on the device or in an archive.
    pub makes_pipelines: bool,
    /// Whether lone stages of draws become pipelines, with other stages made for them.
    pub completes: bool,
    /// Whether shaders are checked by the rules of DXIL's validator.
    pub validates_dxil: bool,
    /// The validator of modules, if they are checked.
    pub spirv_val: Option<SpirvVal>,
}

/// What became of a pipeline.
#[derive(Debug, Default)]
pub struct Done {
    /// Kinds of its shaders, as far as they could be read.
    pub kinds: Vec<ShaderKind>,
    /// Programs: one, or one for each node of a work graph.
    pub programs: Vec<Program>,
    /// Problems; there may be programs all the same.
    pub problems: Vec<Problem>,
    /// Pipelines that were created.
    pub created: u64,
}

impl Workshop {
    /// Returns a workshop that translates for that profile, and does nothing else.
    pub fn new(profile: Profile, cache: Arc<Cache>) -> Self {
        Workshop {
            profile,
            cache,
            device: None,
            makes_pipelines: false,
            completes: false,
            validates_dxil: false,
            spirv_val: None,
        }
    }

    /// Does all that is asked for with a pipeline.
    pub fn run(&self, pipeline: &Pipeline) -> Done {
        let mut done = Done::default();
        let translated = match &pipeline.shape {
            Shape::Stages { shaders, draw } => {
                self.stages(pipeline.root.as_ref(), shaders, draw.as_deref(), &mut done)
            }
            Shape::Object(object) => self.object(pipeline.root.as_ref(), object, &mut done),
        };
        if let Err(problem) = translated {
            done.problems.push(problem);
        }
        if self.completes {
            Self::complete(&mut done);
        }
        if let Some(validator) = &self.spirv_val {
            for program in &done.programs {
                done.problems
                    .extend(validator.check(program, self.profile.target.vulkan));
            }
        }
        if let Some(device) = &self.device {
            for program in done.programs.iter().filter(|program| is_complete(program)) {
                match device.prepare(program) {
                    Ok(_) => done.created += 1,
                    Err(error) => done.problems.push(Problem::from(error).at("creating")),
                }
            }
        }
        done
    }

    /// Adds the stages that lone stages of draws lack, and a state.
    fn complete(done: &mut Done) {
        for program in &mut done.programs {
            if let Err(error) = isa::complete(program) {
                done.problems.push(Problem::from(error).at("completing"));
            }
        }
    }

    fn options(&self, shaders: &[Blob]) -> CompileOptions {
        let mut options = CompileOptions::default();
        options.cache = Some(Cached {
            cache: Arc::clone(&self.cache),
            sources: shaders.iter().map(|bytes| SourceHash::of(bytes)).collect(),
        });
        options
    }

    /// Reads shaders, and checks the rules of DXIL's validator if that is asked for.
    fn read(&self, shaders: &[Blob], done: &mut Done) -> Result<Vec<Shader>, Problem> {
        let mut read = Vec::with_capacity(shaders.len());
        for bytes in shaders {
            // The validator says more of a malformed container than the parser's error.
            if self.validates_dxil {
                let report = validate(bytes, &RuleOptions::default());
                let errors = report.violations.iter();
                let errors = errors.filter(|violation| violation.severity == Severity::Error);
                for violation in errors {
                    let message = format!("validation: {violation}");
                    done.problems.push(Problem::new(Exit::Mismatch, message));
                }
            }
            let shader = read_shader(bytes)?;
            done.kinds.push(shader.shader_model.kind);
            read.push(shader);
        }
        Ok(read)
    }

    fn stages(
        &self,
        root: Option<&Blob>,
        blobs: &[Blob],
        draw: Option<&DrawState>,
        done: &mut Done,
    ) -> Result<(), Problem> {
        let shaders = self.read(blobs, done)?;
        let root = root_of(root, blobs)?;
        // Each stage is translated for those before it.
        let mut order: Vec<usize> = (0..shaders.len()).collect();
        order.sort_by_key(|index| rank(shaders[*index].shader_model.kind));
        let stages: Vec<&Shader> = order.iter().map(|index| &shaders[*index]).collect();
        let ordered: Vec<Blob> = order
            .iter()
            .map(|index| Arc::clone(&blobs[*index]))
            .collect();
        let mut options = self.options(&ordered);
        let state = match draw {
            Some(draw) => Some(draw.resolve(&stages)?),
            None => None,
        };
        let samples = state.as_ref().map_or(1, |state| state.samples.max(1));
        options.signature.raster_samples = RasterSamples::Constant(samples);
        if let Some(draw) = draw {
            options.signature.stream_output = draw.stream_output.clone();
        }
        let root = root.as_ref();
        let program = Program::compile_stages(&stages, root, &self.profile, &|_| None, &options);
        let mut program = program.map_err(|error| in_stage(error, &stages))?;
        program.graphics = state;
        done.programs.push(program);
        if let Some(what) = draw.and_then(|draw| draw.left_out.first())
            && self.makes_pipelines
        {
            // Translated all the same; only the pipeline would be another one.
            if let Some(program) = done.programs.last_mut() {
                program.graphics = None;
            }
            let message = format!("the pipeline has {what}, which this program cannot make");
            return Err(Problem::unsupported(message));
        }
        Ok(())
    }

    fn object(
        &self,
        root: Option<&Blob>,
        object: &StateObject,
        done: &mut Done,
    ) -> Result<(), Problem> {
        let blobs: Vec<Blob> = object
            .libraries
            .iter()
            .map(|l| Arc::clone(&l.bytes))
            .collect();
        let shaders = self.read(&blobs, done)?;
        let mut states = Vec::with_capacity(blobs.len());
        for bytes in &blobs {
            states.push(object.add_to(LibraryState::read(bytes)?)?);
        }
        let own = match root {
            Some(root) => Some(RootSignature::from_file(root)?),
            None => None,
        };
        let found = states.iter().find_map(|state| state.global_root.clone());
        let root = own.or(found);
        if object.generic_programs > 0 {
            let message = format!("{} generic programs", object.generic_programs);
            done.problems.push(Problem::unsupported(message));
        }
        let options = self.options(&blobs);
        let has_rays = shaders
            .iter()
            .any(|shader| ray_shaders(shader).next().is_some());
        let is_node = |entry: &EntryPoint| entry.is_node();
        let mut entries = shaders.iter().flat_map(|shader| &shader.entry_points);
        if has_rays {
            let (stages, state) = self.ray_stages(object, &shaders, &states, &options)?;
            let (root, profile) = (root.as_ref(), &self.profile);
            let names: Vec<&str> = stages.iter().map(|stage| stage.entry).collect();
            let program = Program::compile_rays(&stages, state, root, profile, &|_| None, &options);
            let mut program = program.map_err(|error| in_entry(error, &names))?;
            let mut kinds = program.stages.iter().map(|stage| stage.kind);
            if !kinds.any(|kind| kind == ShaderKind::RayGeneration) {
                // A collection: modules for other pipelines, and none by itself
                // (VUID-VkRayTracingPipelineCreateInfoKHR-stage-03425).
                program.ray_tracing = None;
            }
            done.programs.push(program);
        } else if entries.any(is_node) {
            let sources = sources(&options);
            let libraries = shaders.iter().zip(&states).zip(sources);
            let libraries: Vec<NodeLibrary<'_>> = libraries
                .map(|((shader, state), source)| NodeLibrary {
                    state: Some(state),
                    source: Some(*source),
                    ..NodeLibrary::new(shader)
                })
                .collect();
            let (root, profile) = (root.as_ref(), &self.profile);
            let graph = WorkGraph::compile(&libraries, root, profile, &|_| None, &options)?;
            let programs = graph.programs().map(|(_, program)| program.clone());
            done.programs.extend(programs);
        } else if object.kind != ObjectKind::Collection && object.generic_programs == 0 {
            return Err(Problem::unsupported(
                "a state object without shaders of ray tracing and without nodes",
            ));
        }
        Ok(())
    }

    /// Returns the shaders of a ray tracing pipeline and its state, as `dxil-run --rays` has them.
    fn ray_stages<'a>(
        &self,
        object: &StateObject,
        shaders: &'a [Shader],
        states: &'a [LibraryState],
        options: &CompileOptions,
    ) -> Result<(Vec<RayStage<'a>>, RayTracingState), Problem> {
        let mut stages: Vec<(RayStage<'a>, ShaderKind, String)> = Vec::new();
        let each = object.libraries.iter().zip(shaders).zip(states);
        for (((library, shader), state), source) in each.zip(sources(options)) {
            let all: Vec<(&str, ShaderKind)> = ray_shaders(shader).collect();
            let mut add = |entry: &'a str, kind, name: &str| {
                let stage = RayStage {
                    shader,
                    entry,
                    local_root: state.local_root(name),
                    source: Some(*source),
                };
                stages.push((stage, kind, name.to_owned()));
            };
            if library.exports.is_empty() {
                for (entry, kind) in all {
                    add(entry, kind, entry);
                }
                continue;
            }
            for (name, inner) in &library.exports {
                let is_it = |entry: &str| plain_name(entry) == plain_name(inner);
                // Exports may be functions and subobjects too.
                if let Some((entry, kind)) = all.iter().find(|(entry, _)| is_it(entry)) {
                    add(entry, *kind, name);
                }
            }
        }
        if object
            .libraries
            .iter()
            .all(|library| library.exports.is_empty())
        {
            // The ray generation shader first: so does `dxil-run`, and the order decides where
            // resources lie.
            stages.sort_by_key(|(_, kind, _)| *kind != ShaderKind::RayGeneration);
        }
        let names: Vec<&str> = stages.iter().map(|(.., name)| name.as_str()).collect();
        let kinds: Vec<ShaderKind> = stages.iter().map(|(_, kind, _)| *kind).collect();
        let mut state = RayTracingState::default();
        let mut groups: Vec<NamedHitGroup> = Vec::new();
        let mut has_depth = false;
        for given in states {
            for group in &given.hit_groups {
                if !groups.contains(group) {
                    groups.push(group.clone());
                }
            }
            if let Some((payload, attributes)) = given.shader_config {
                state.max_payload_bytes = state.max_payload_bytes.max(payload);
                state.max_attribute_bytes = state.max_attribute_bytes.max(attributes);
            }
            if let Some((depth, flags)) = given.pipeline_config {
                has_depth = true;
                state.max_recursion = state.max_recursion.max(depth);
                // D3D12_RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES and _SKIP_PROCEDURAL_PRIMITIVES.
                state.skip_triangles |= flags & 0x100 != 0;
                state.skip_procedural |= flags & 0x200 != 0;
            }
        }
        if !has_depth {
            state.max_recursion = RECURSION.min(self.profile.limits.ray_recursion);
        }
        state.hit_groups = match (groups.is_empty(), object.kind) {
            (false, _) => hit_groups(&groups, &names)?,
            (true, ObjectKind::RayTracing) => paired_hit_groups(&kinds),
            (true, _) => Vec::new(),
        };
        let stages = stages.into_iter().map(|(stage, ..)| stage).collect();
        Ok((stages, state))
    }
}

impl StateObject {
    /// Adds to what a library's own subobjects say.
    fn add_to(&self, mut state: LibraryState) -> Result<LibraryState, Problem> {
        for (root, exports) in &self.local_roots {
            let root = RootSignature::from_file(root)?;
            state.local_roots.push((root, exports.clone()));
        }
        for group in &self.hit_groups {
            state.hit_groups.push(NamedHitGroup {
                name: group.name.clone(),
                kind: if group.procedural {
                    HitGroupKind::Procedural
                } else {
                    HitGroupKind::Triangles
                },
                closest_hit: group.closest_hit.clone(),
                any_hit: group.any_hit.clone(),
                intersection: group.intersection.clone(),
            });
        }
        state.shader_config = self.shader_config.or(state.shader_config);
        state.pipeline_config = self.pipeline_config.or(state.pipeline_config);
        Ok(state)
    }
}

fn sources(options: &CompileOptions) -> &[SourceHash] {
    options.cache.as_ref().map_or(&[], |cached| &cached.sources)
}

/// Returns the root signature that was given, or else the first that a shader's container holds.
fn root_of(given: Option<&Blob>, shaders: &[Blob]) -> Result<Option<RootSignature>, Problem> {
    if let Some(root) = given {
        return Ok(Some(RootSignature::from_file(root)?));
    }
    let files = shaders.iter().map(|bytes| &bytes[..]);
    Ok(RootSignature::of_shaders(files)?)
}

/// Returns the place of a stage in its pipeline.
fn rank(kind: ShaderKind) -> usize {
    use ShaderKind as K;
    let order = [
        K::Amplification,
        K::Mesh,
        K::Vertex,
        K::Hull,
        K::Domain,
        K::Geometry,
        K::Pixel,
    ];
    let place = order.iter().position(|own| *own == kind);
    place.unwrap_or(order.len())
}

/// Returns whether a program can become a pipeline: a lone stage of a draw cannot.
fn is_complete(program: &Program) -> bool {
    match &program.stages[..] {
        [stage] if stage.kind == ShaderKind::Compute => true,
        _ => program.graphics.is_some() || program.ray_tracing.is_some(),
    }
}

/// Names the stage that an error is about.
fn in_stage(error: Error, stages: &[&Shader]) -> Problem {
    match error {
        Error::Stage { index, error } if index < stages.len() => {
            Problem::from(*error).at(stages[index].shader_model.kind.prefix())
        }
        other => Problem::from(other),
    }
}

/// Names the shader of a library that an error is about.
fn in_entry(error: Error, names: &[&str]) -> Problem {
    match error {
        Error::Stage { index, error } if index < names.len() => {
            Problem::from(*error).at(plain_name(names[index]))
        }
        other => Problem::from(other),
    }
}
