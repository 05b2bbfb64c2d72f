//! From a shader to what execution runs: once, before anything is executed.
//!
//! | file | what it does |
//! |---|---|
//! | `function` | walks a function's blocks, turns phis into moves on edges |
//! | `llvm` | LLVM instructions; also `arithmetic`, `conversions`, `aggregates`, `memory` |
//! | `operations` | DXIL operations; also `arithmetic_operations`, `resource_operations`, `wave_operations` |
//! | `constants` | constants, globals and their memory |
//! | `denormals` | where denormals are flushed |
//! | `handles` | what is known of the resource behind a handle |
//! | `loops` | spares moves of loops |
//! | `registers` | gives registers their places |
//! | `shadow`, `probes` | what checks add to the code |
//! | `watched` | what a debugger needs to know of the code |

mod aggregates;
mod arithmetic;
mod arithmetic_operations;
mod barriers;
pub(crate) mod code;
mod constants;
mod conversions;
mod denormals;
mod flush;
mod function;
mod handles;
pub(crate) mod hit_object_words;
mod hit_objects;
pub(crate) mod lane_ops;
#[cfg(feature = "native")]
mod later;
pub(crate) mod layout;
mod llvm;
mod loops;
mod matrix_operations;
mod memory;
mod node_operations;
mod operations;
pub(crate) mod origins;
mod preview_operations;
mod probes;
pub(crate) mod raster_code;
mod raster_operations;
mod ray_operations;
mod ray_pipeline;
pub(crate) mod record_layout;
mod registers;
mod resource_operations;
mod scalar_type;
mod shadow;
mod signature_memory;
mod signatures;
pub(crate) mod system_values;
mod tables;
mod variable_registers;
mod watched;
mod wave_operations;

use dxil_frontend::SourcePosition;
use dxil_frontend::container::rdat::NodeLaunch;
use dxil_frontend::dxil::debug::DebugInfo;
use dxil_frontend::dxil::{
    EntryPoint, Resource, ResourceIndex, Shader, ShaderKind, Stage, matrix_types, plain_name,
};
use dxil_frontend::ir::{CallGraph, Constant, ConstantExpr, FuncId, InstId, ValueDef, ValueId};
use dxil_frontend::tables::HashMap;

use crate::check::{Checks, FindingKind, Site};
use crate::error::{CodeLocation, Error, Result};
use crate::resources::Register;
pub use code::VariablePart;
use code::{Complex, ComplexOp, FunctionCode, Inst, ResourceShape, ThreadInput};
use constants::{Globals, SharedContents};
use layout::Matrices;
use origins::Origin;
use record_layout::RecordLayout;
pub use scalar_type::ScalarType;
use signature_memory::SignatureMemory;
pub use signature_memory::{ElementPlace, PixelBlock};
pub use system_values::SystemValues;
pub(crate) use tables::DeclaredRange;
use tables::ModuleTables;

/// Options for decoding a shader.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// Entry point; default: the only one.
    pub entry: Option<String>,
    /// Lanes of a wave: 4, 8, 16, 32, 64 or 128. Default: what the shader says, or else 32.
    pub wave_size: Option<u32>,
    /// Whether single-precision denormals keep their value where the shader leaves that open:
    /// compiled with `-denorm any`, or before shader model 6.2 (DXIL document, "Denormal mode").
    /// Otherwise they count as zero there, as on D3D12 devices.
    pub keep_denormals: bool,
    /// The checks to make while it runs. Code without checks is faster.
    pub checks: Checks,
    /// Whether the code can be watched ([`Dispatch::run_watched`](crate::Dispatch::run_watched)):
    /// each value then keeps a register of its own, and variables of the source are followed. Code
    /// that is not watched is faster and takes less memory.
    pub watched: bool,
    /// Whether operations of the preview shader model 6.10 are executed, which still change.
    /// Without leave they are a typed error.
    pub preview: bool,
}

/// A range of registers that a kernel looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsedRange {
    /// Its first register.
    pub first: Register,
    /// Number of registers; `None` is unbounded.
    pub count: Option<u32>,
}

/// A shader of a ray tracing pipeline.
#[derive(Debug, Clone, Copy)]
pub struct RayShader<'a> {
    /// The library that it is in.
    pub shader: &'a Shader,
    /// Its name there.
    pub entry: &'a str,
}

/// A compute shader or the shaders of a ray tracing pipeline, ready to be executed any number of
/// times.
#[derive(Debug, Clone, Default)]
pub struct Kernel {
    /// The entry point of a compute shader comes first.
    pub(crate) functions: Vec<FunctionCode>,
    /// Stage of the entry point.
    stage: Option<ShaderKind>,
    /// Inputs and outputs of an invocation.
    pub(crate) signature: SignatureMemory,
    /// Whether the second function is the patch constant function of a hull shader.
    pub(crate) has_patch_constants: bool,
    /// Whether it is the first one, because control points are passed on.
    passes_control_points: bool,
    /// Whether wave operations of a pixel shader see helper lanes.
    pub(crate) waves_include_helpers: bool,
    /// The function of each shader of a ray tracing pipeline.
    pub(crate) entries: Vec<u32>,
    pub(crate) ranges: Vec<DeclaredRange>,
    /// Words of constant globals.
    pub(crate) constants: Vec<u32>,
    /// First words of every lane's private memory: globals that are not constant.
    pub(crate) statics: Vec<u32>,
    /// Words of groupshared memory.
    pub(crate) shared_words: u32,
    /// What some of them hold when a group begins.
    pub(crate) shared_contents: Vec<SharedContents>,
    /// Ray queries of a lane.
    pub(crate) ray_queries: u32,
    /// Whether the counters of UAVs in the heap are used.
    pub(crate) uses_counters: bool,
    /// The checks that it is decoded with.
    pub(crate) checks: Checks,
    /// [`Options::keep_denormals`].
    keep_denormals: bool,
    /// [`Options::preview`].
    preview: bool,
    /// Whether values have shadows.
    pub(crate) follows_values: bool,
    /// The instructions that make values undefined; shadows are numbers of them, from 1.
    origins: Vec<Origin>,
    /// First word and name of each groupshared variable, in rising order.
    shared_variables: Vec<(u32, Box<str>)>,
    num_threads: [u32; 3],
    wave_size: u32,
    square_quads: bool,
    /// Whether the CBV/SRV/UAV heap and the sampler heap are indexed.
    heaps: (bool, bool),
    /// Last position of each block of each function, where debug information has it.
    positions: Vec<Vec<Option<SourcePosition>>>,
    /// The same of each instruction that does more than compute.
    sites: Vec<Vec<Option<SourcePosition>>>,
    /// Addresses of variables outside of functions, by their values, of code that can be watched.
    pub(crate) globals: Option<HashMap<ValueId, u32>>,
    /// Its native code, once it is compiled.
    #[cfg(feature = "native")]
    pub(crate) native: later::Later,
}

/// Maximum number of functions of a shader.
const MAX_FUNCTIONS: usize = 1 << 14;
/// Maximum number of threads of a group (D3D11.3, 22.3.40).
const MAX_THREADS: u64 = 1024;

impl Kernel {
    /// Decodes a shader's entry point and the functions that it calls.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] names the first operation or type that is not executed.
    pub fn decode(shader: &Shader, options: &Options) -> Result<Kernel> {
        let entry = entry_of(shader, options)?;
        let constants = match entry.stage {
            Stage::Hull {
                patch_constant_function,
                ..
            } => patch_constant_function,
            _ => None,
        };
        // Without a function, a hull shader passes its control points on.
        let passes_control_points = entry.function.is_none() && constants.is_some();
        let function = entry
            .function
            .or(constants)
            .ok_or_else(|| Error::BadInput("the entry point has no function".into()))?;
        let is_executed = match entry.kind {
            ShaderKind::Compute | ShaderKind::Node => true,
            ShaderKind::Mesh if entry.is_node() => false,
            kind => is_stage_of_draw(kind),
        };
        if !is_executed {
            return Err(Error::Unsupported {
                what: if entry.is_node() {
                    "a mesh node".to_owned()
                } else {
                    format!("a {} shader", entry.kind.prefix())
                },
                place: Box::new(CodeLocation {
                    function: entry.plain_name().into(),
                    ..CodeLocation::default()
                }),
            });
        }
        let wave_size = wave_size(entry, options)?;
        let num_threads = match (&entry.stage, entry.kind) {
            // A thread for each record.
            (Stage::Node(node), _) if node.launch == NodeLaunch::Thread => [wave_size, 1, 1],
            (_, ShaderKind::Compute | ShaderKind::Node) => entry.num_threads.unwrap_or([1; 3]),
            (_, ShaderKind::Mesh | ShaderKind::Amplification) => {
                entry.num_threads.unwrap_or([1; 3])
            }
            // Invocations run a wave at a time.
            (_, kind) if is_stage_of_draw(kind) => [wave_size, 1, 1],
            _ => entry.num_threads.unwrap_or([1; 3]),
        };
        // Checked: the product of three hostile counts overflows 32 bits.
        let threads = num_threads
            .iter()
            .try_fold(1_u64, |all, &n| all.checked_mul(u64::from(n)));
        if threads.is_none_or(|threads| threads == 0 || threads > MAX_THREADS) {
            return Err(Error::BadInput(format!(
                "a thread group of {num_threads:?} threads"
            )));
        }
        // The executor writes the inputs of other stages itself, where no shadow follows them.
        let follows_values = entry.kind == ShaderKind::Compute && options.checks.follow_values();
        let checks = if follows_values {
            options.checks
        } else {
            options.checks.without_values()
        };
        let mut kernel = Kernel {
            num_threads,
            wave_size,
            stage: Some(entry.kind),
            follows_values,
            keep_denormals: options.keep_denormals,
            preview: options.preview,
            globals: options.watched.then(HashMap::default),
            ..Kernel::with_checks(checks)
        };
        let mut functions = vec![function];
        if !passes_control_points {
            functions.extend(constants);
        }
        kernel.passes_control_points = passes_control_points;
        kernel.has_patch_constants = constants.is_some();
        let attribute = "waveops-include-helper-lanes";
        let attribute = shader.module.function_attribute(function, attribute);
        kernel.waves_include_helpers = attribute.is_some();
        let uses_quads = kernel.add_module(shader, functions, Some(entry))?;
        kernel.square_quads = uses_quads && has_square_quads(shader, num_threads);
        Ok(kernel)
    }

    /// Decodes the shaders of a ray tracing pipeline and the functions that they call.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] names the first operation or type that is not executed.
    pub fn decode_rays(shaders: &[RayShader<'_>], options: &Options) -> Result<Kernel> {
        let wave_size = options.wave_size.unwrap_or(DEFAULT_WAVE_SIZE);
        if !is_wave_size(wave_size) {
            return Err(bad_wave_size(wave_size));
        }
        let mut kernel = Kernel {
            num_threads: [wave_size, 1, 1],
            wave_size,
            entries: vec![u32::MAX; shaders.len()],
            globals: options.watched.then(HashMap::default),
            // The executor writes payloads and attributes itself, where no shadow follows them.
            keep_denormals: options.keep_denormals,
            preview: options.preview,
            ..Kernel::with_checks(options.checks.without_values())
        };
        for first in 0..shaders.len() {
            if kernel.entries[first] != u32::MAX {
                continue;
            }
            // Shaders of one library share its variables and resources.
            let shader = shaders[first].shader;
            let base = kernel.functions.len() as u32;
            let mut functions: Vec<FuncId> = Vec::new();
            for (entry, other) in kernel.entries.iter_mut().zip(shaders) {
                if !std::ptr::eq(other.shader, shader) {
                    continue;
                }
                let function = other.shader.entry_point(other.entry);
                let function = function.and_then(|entry| entry.function).ok_or_else(|| {
                    Error::BadInput(format!("there is no entry point {}", other.entry))
                })?;
                let known = functions.iter().position(|known| *known == function);
                let number = known.unwrap_or_else(|| {
                    functions.push(function);
                    functions.len() - 1
                });
                *entry = base + number as u32;
            }
            kernel.add_module(shader, functions, None)?;
        }
        Ok(kernel)
    }

    fn with_checks(checks: Checks) -> Kernel {
        Kernel {
            checks,
            origins: vec![Origin {
                kind: FindingKind::UndefinedValue,
                place: None,
            }],
            ..Kernel::default()
        }
    }

    /// Decodes functions of a module and all that they call; returns whether lanes of a quad look
    /// at each other. Without an entry point the functions are shaders of a ray tracing pipeline.
    fn add_module(
        &mut self,
        shader: &Shader,
        queue: Vec<FuncId>,
        entry: Option<&EntryPoint>,
    ) -> Result<bool> {
        let (ranges, variables) = ranges(shader);
        let denormals = queue.first().and_then(|&function| {
            shader
                .module
                .function_attribute(function, "fp32-denorm-mode")
        });
        let first_function = self.functions.len();
        let mut entries = shader.entry_points.iter();
        let packed_halves = match entry {
            Some(entry) => shader.flags_of(entry).has_packed_halves(),
            None => entries.any(|entry| entry.flags.has_packed_halves()),
        };
        let first_static = self.statics.len() as u32;
        let matrices = Matrices {
            types: matrix_types(&shader.module),
            lanes: self.matrix_lanes(),
        };
        let mut module = ModuleTables {
            shader,
            matrices: &matrices,
            packed_halves,
            resources: ResourceIndex::new(&shader.resources),
            ranges,
            variables,
            globals: Globals::behind(
                std::mem::take(&mut self.constants),
                std::mem::take(&mut self.statics),
                self.shared_words,
                shader,
                &matrices,
            )?,
            first_function: first_function as u32,
            first_range: self.ranges.len() as u32,
            first_static,
            preview: self.preview,
            is_ray_pipeline: entry.is_none(),
            is_node: entry.is_some_and(|entry| entry.kind == ShaderKind::Node),
            records: RecordLayout::new(&shader.module),
            stage: entry.map(|entry| entry.kind),
            signature: SignatureMemory::default(),
            signed_outputs: entry
                .map(|entry| signature_memory::signed_elements(&entry.outputs))
                .unwrap_or_default(),
            signed_patch_constants: entry
                .map(|entry| signature_memory::signed_elements(&entry.patch_constants))
                .unwrap_or_default(),
            queue,
            calls: CallGraph::default(),
            flush_denormals: match denormals {
                Some("ftz") => true,
                Some("preserve") => false,
                _ => !self.keep_denormals,
            },
            temporary_registers: HashMap::default(),
            ray_queries: self.ray_queries,
            uses_counters: self.uses_counters,
            checks: self.checks,
            follows_values: self.follows_values,
            is_watched: self.globals.is_some(),
            origins: std::mem::take(&mut self.origins),
            uses_quads: false,
            uses_resource_heap: self.heaps.0,
            uses_sampler_heap: self.heaps.1,
        };
        if let Some(entry) = entry.filter(|entry| is_stage_of_draw(entry.kind)) {
            module.signature = SignatureMemory::new(entry, &mut module.globals.statics)?;
        }
        let debug = DebugInfo::of(&shader.module);
        // The queue grows while functions are decoded: each call adds its callee once, so recursion
        // ends here too.
        while let Some(&next) = module.queue.get(self.functions.len() - first_function) {
            if self.functions.len() >= MAX_FUNCTIONS {
                return Err(Error::BadInput("the shader has too many functions".into()));
            }
            let code = function::decode(&mut module, next, debug)?;
            self.positions.push(block_positions(&module, next, debug));
            self.sites.push(site_positions(&module, next, debug, &code));
            self.functions.push(code);
        }
        if let Some((caller, callee)) = module.calls.first_recursion() {
            let name = |id| {
                shader
                    .module
                    .functions
                    .get(id)
                    .map_or("", |decl| &decl.name)
            };
            return Err(Error::Malformed {
                what: format!("recursion: the function calls {}", plain_name(name(callee))),
                place: Box::new(CodeLocation {
                    function: plain_name(name(caller)).into(),
                    ..CodeLocation::default()
                }),
            });
        }
        let functions = &mut self.functions[first_function..];
        if functions.iter().any(|code| !code.statics.is_empty()) {
            let end = module.globals.statics.len() as u32;
            for code in functions {
                code.first_statics = first_static..end;
            }
        }
        self.shared_variables
            .extend(shared_variables(shader, &module.globals));
        if let Some(known) = &mut self.globals {
            known.clone_from(&module.globals.addresses);
        }
        self.origins = module.origins;
        self.signature = module.signature;
        self.ranges.extend(module.ranges);
        self.constants = module.globals.constants;
        self.statics = module.globals.statics;
        self.shared_words = module.globals.shared_words;
        self.shared_contents.extend(module.globals.shared_contents);
        self.ray_queries = module.ray_queries;
        self.uses_counters = module.uses_counters;
        self.heaps = (module.uses_resource_heap, module.uses_sampler_heap);
        Ok(module.uses_quads)
    }

    /// Returns whether what the code does follows from the order in which groups run, or from time:
    /// it counts with counters, reads results of atomic operations on UAVs, or reads a clock.
    pub(crate) fn depends_on_order(&self) -> bool {
        let is_read = |complex: &Complex| complex.dst.iter().any(|dst| !dst.is_none());
        let mut all = self.functions.iter().flat_map(|code| &code.complex);
        all.any(|complex| match &complex.op {
            // Sums of floats depend on their order.
            ComplexOp::Matrix(op) => op.accumulates(),
            ComplexOp::UpdateCounter(_) | ComplexOp::ThreadInput(ThreadInput::Cycles) => true,
            // An atomic operation whose result nobody reads gives the same memory in any order.
            ComplexOp::ResourceAtomic { .. } | ComplexOp::ResourceCompareExchange { .. } => {
                is_read(complex)
            }
            _ => false,
        })
    }

    /// Returns the lanes that hold the elements of a wave's matrices: those that each wave of a
    /// group has.
    pub(crate) fn matrix_lanes(&self) -> u32 {
        let threads: u32 = self.num_threads.iter().product();
        match threads % self.wave_size.max(1) {
            0 => self.wave_size,
            rest => rest,
        }
    }

    /// Returns the stage of the entry point; `None` is a ray tracing pipeline.
    pub fn stage(&self) -> Option<ShaderKind> {
        self.stage
    }

    /// Returns the number of words of an invocation's inputs, and where each element lies.
    pub fn inputs(&self) -> (u32, &[ElementPlace]) {
        (self.signature.input_words, &self.signature.inputs)
    }

    /// Returns the number of words of an invocation's outputs, and where each element lies.
    pub fn outputs(&self) -> (u32, &[ElementPlace]) {
        (self.signature.output_words, &self.signature.outputs)
    }

    /// Returns the number of words of a patch's constants (of a mesh shader: of what it has per
    /// primitive), and where each element lies.
    pub fn patch_constants(&self) -> (u32, &[ElementPlace]) {
        let memory = &self.signature;
        (memory.patch_constant_words, &memory.patch_constants)
    }

    /// Returns the number of vertices whose inputs an invocation gets, side by side: those of a
    /// primitive or patch. A pixel shader has the blocks of [`PixelBlock`].
    pub fn input_vertices(&self) -> u32 {
        self.signature.input_vertices
    }

    /// Returns whether a pixel shader reads `SV_SampleIndex`, and so runs for each sample.
    pub fn reads_sample_index(&self) -> bool {
        self.signature.reads_sample_index
    }

    /// Returns whether a pixel shader reads other blocks of its inputs ([`PixelBlock`]) than the
    /// interpolated one.
    pub fn reads_pixel_blocks(&self) -> bool {
        self.signature.reads_blocks
    }

    /// Returns the functions of the module that it executes, in code that can be watched.
    pub fn watched_functions(&self) -> impl Iterator<Item = FuncId> {
        let watched = self
            .functions
            .iter()
            .filter_map(|code| code.watched.as_ref());
        watched.map(|watched| watched.function)
    }

    /// Returns whether it was decoded with checks.
    pub fn has_checks(&self) -> bool {
        !self.checks.is_empty()
    }

    /// Returns whether a pixel shader may discard pixels.
    pub fn discards(&self) -> bool {
        self.signature.discards
    }

    /// Returns whether the code may write to memory: it uses UAVs, or the heap, which may have
    /// some.
    pub fn may_write(&self) -> bool {
        let uav = dxil_frontend::dxil::ResourceClass::Uav;
        self.heaps.0 || self.used_ranges().any(|range| range.first.class == uav)
    }

    /// Returns the same stage of a draw for another view: `SV_ViewID`.
    #[must_use]
    pub fn with_view(&self, view: u32) -> Kernel {
        let mut kernel = self.clone();
        kernel.signature.view = view;
        // What no caller writes begins with these words: groups of mesh shaders. Stages without
        // such words (`inputs_at` is after them) have other statics there.
        let place = kernel.signature.system_at + system_values::SystemWord::View as u32;
        if kernel.signature.inputs_at != 0
            && let Some(word) = kernel.statics.get_mut(place as usize)
        {
            *word = view;
        }
        kernel
    }

    /// Returns the number of control points that a hull shader makes of a patch.
    pub fn output_control_points(&self) -> u32 {
        self.signature.output_control_points
    }

    /// Returns whether a hull shader has no function for its control points, and passes them on.
    pub fn passes_control_points(&self) -> bool {
        self.passes_control_points
    }

    /// Returns the number of threads of a group in each direction.
    pub fn num_threads(&self) -> [u32; 3] {
        self.num_threads
    }

    /// Returns the number of lanes of a wave.
    pub fn wave_size(&self) -> u32 {
        self.wave_size
    }

    /// Returns the registers that the code looks at.
    pub fn used_ranges(&self) -> impl Iterator<Item = UsedRange> {
        let used = self.ranges.iter().filter(|range| range.is_used);
        used.map(|range| UsedRange {
            first: Register {
                class: range.class,
                space: range.space,
                index: range.first,
            },
            count: range.count,
        })
    }

    /// Returns whether the code indexes the CBV/SRV/UAV heap.
    pub fn uses_resource_heap(&self) -> bool {
        self.heaps.0
    }

    /// Returns whether the code indexes the sampler heap.
    pub fn uses_sampler_heap(&self) -> bool {
        self.heaps.1
    }

    /// Returns whether every thread is in a quad; nothing changes between the lanes of others.
    pub(crate) fn has_whole_quads(&self) -> bool {
        self.num_threads.iter().product::<u32>().is_multiple_of(4)
    }

    /// Returns the place of a thread in its group, by its number.
    pub(crate) fn thread(&self, index: u32) -> [u32; 3] {
        let [width, height, _] = self.num_threads;
        if !self.square_quads {
            return [
                index % width,
                index / width % height,
                index / (width * height),
            ];
        }
        // Lanes of a quad are neighbours in x and y, so threads are numbered in squares of two by
        // two.
        let (quad, part) = (index / 4, index % 4);
        let (wide, high) = (width / 2, height / 2);
        [
            quad % wide * 2 + part % 2,
            quad / wide % high * 2 + part / 2,
            quad / (wide * high),
        ]
    }

    /// Returns the location where a value became undefined, by its shadow.
    pub(crate) fn origin(&self, shadow: u32) -> Option<CodeLocation> {
        let origin = self.origins.get(shadow.checked_sub(1)? as usize)?;
        origin.place.clone()
    }

    /// Returns the reason why a value is undefined, by its shadow.
    pub(crate) fn origin_kind(&self, shadow: u32) -> Option<FindingKind> {
        let origin = self.origins.get(shadow.checked_sub(1)? as usize)?;
        Some(origin.kind)
    }

    /// Returns the groupshared variable at a word, and the byte in it.
    pub(crate) fn groupshared_variable(&self, word: u32) -> (String, u64) {
        let after = self
            .shared_variables
            .partition_point(|(first, _)| *first <= word);
        let variable = after
            .checked_sub(1)
            .and_then(|at| self.shared_variables.get(at));
        match variable {
            Some((first, name)) => (name.to_string(), u64::from(word - first) * 4),
            None => ("groupshared".into(), u64::from(word) * 4),
        }
    }

    /// Returns whether checks follow what an instruction reads.
    pub(crate) fn is_followed_read(&self, site: Site) -> bool {
        let code = self.functions.get(site.function as usize);
        let complex = code.and_then(|code| code.complex.get(site.index as usize));
        self.follows_values && complex.is_some_and(|complex| complex.op.is_followed_read())
    }

    /// Returns the instruction of the module after a site, with its function.
    pub(crate) fn inst_of(&self, site: Site) -> Option<(u32, InstId)> {
        let code = self.functions.get(site.function as usize)?;
        let is_it = |inst: &Inst| matches!(inst, Inst::Complex(index) if *index == site.index);
        let at = code.insts.iter().position(is_it)?;
        Some((site.function, *code.origins.get(at)?))
    }

    /// Returns the location of an instruction that does more than compute.
    pub(crate) fn place_of(&self, function: u32, index: u32) -> Box<CodeLocation> {
        let code = self.functions.get(function as usize);
        let is_it = |inst: &Inst| matches!(inst, Inst::Complex(found) if *found == index);
        let at = code.and_then(|code| code.insts.iter().position(is_it));
        let block = code.zip(at).and_then(|(code, at)| {
            let mut blocks = code.blocks.iter();
            blocks.position(|block| (block.first as usize..block.end as usize).contains(&at))
        });
        let mut place = self.place(function, block.unwrap_or(0) as u32);
        let sites = self.sites.get(function as usize);
        if let Some(Some(position)) = sites.and_then(|sites| sites.get(index as usize)) {
            place.source = Some(Box::new(position.clone()));
        }
        place
    }

    /// Returns the words that an invocation has outside of functions when it begins.
    pub(crate) fn first_statics(&self, function: u32) -> &[u32] {
        if self.stage.is_some() {
            return &self.statics;
        }
        // Each shader of a ray tracing pipeline has those of its library.
        let code = self.functions.get(function as usize);
        code.and_then(|code| {
            let words = code.first_statics.clone();
            self.statics.get(words.start as usize..words.end as usize)
        })
        .unwrap_or_default()
    }

    pub(crate) fn place(&self, function: u32, block: u32) -> Box<CodeLocation> {
        let name = self.functions.get(function as usize).map(|code| &code.name);
        let position = self
            .positions
            .get(function as usize)
            .and_then(|blocks| blocks.get(block as usize)?.clone());
        Box::new(CodeLocation {
            function: name.cloned().unwrap_or_default(),
            block,
            source: position.map(Box::new),
        })
    }
}

fn shared_variables(shader: &Shader, globals: &Globals) -> Vec<(u32, Box<str>)> {
    let all = shader.module.globals.iter();
    let shared = all.filter(|(_, global)| global.address_space == 3);
    let mut variables: Vec<(u32, Box<str>)> = shared
        .filter_map(|(_, global)| {
            let address = globals.addresses.get(&global.value)?;
            Some((
                *address,
                dxil_frontend::dxil::plain_name(&global.name).into(),
            ))
        })
        .collect();
    variables.sort_by_key(|(first, _)| *first);
    variables
}

fn entry_of<'a>(shader: &'a Shader, options: &Options) -> Result<&'a EntryPoint> {
    let found = match &options.entry {
        Some(name) => shader.entry_point(name),
        None => {
            let mut entries = shader.entry_points.iter();
            // A library lists itself as an entry point as well.
            let first = entries.find(|entry| entry.kind != ShaderKind::Library);
            if entries.any(|entry| entry.kind != ShaderKind::Library) {
                return Err(Error::BadInput(
                    "the library has several entry points; say which one".into(),
                ));
            }
            first
        }
    };
    found.ok_or_else(|| match &options.entry {
        Some(name) => Error::BadInput(format!("there is no entry point {name}")),
        None => Error::BadInput("the library has no entry point".into()),
    })
}

/// Returns whether a stage is one of draws, with inputs and outputs.
fn is_stage_of_draw(kind: ShaderKind) -> bool {
    matches!(
        kind,
        ShaderKind::Vertex
            | ShaderKind::Hull
            | ShaderKind::Domain
            | ShaderKind::Geometry
            | ShaderKind::Pixel
            | ShaderKind::Mesh
            | ShaderKind::Amplification
    )
}

/// Sizes that waves may have.
const WAVE_SIZES: std::ops::RangeInclusive<u32> = 4..=128;
const DEFAULT_WAVE_SIZE: u32 = 32;

fn is_wave_size(size: u32) -> bool {
    size.is_power_of_two() && WAVE_SIZES.contains(&size)
}

fn bad_wave_size(size: u32) -> Error {
    Error::BadInput(format!(
        "waves of {size} lanes; a wave has 4, 8, 16, 32, 64 or 128"
    ))
}

fn wave_size(entry: &EntryPoint, options: &Options) -> Result<u32> {
    let bad = |size: u32| Err(bad_wave_size(size));
    let is_size = is_wave_size;
    if let Some(size) = options.wave_size.filter(|&size| !is_size(size)) {
        return bad(size);
    }
    let Some(said) = entry.wave_size else {
        return Ok(options.wave_size.unwrap_or(DEFAULT_WAVE_SIZE));
    };
    let maximum = said.max.max(said.min);
    if !is_size(said.min) {
        return bad(said.min);
    }
    match options.wave_size {
        Some(size) if size < said.min || size > maximum => Err(Error::BadInput(format!(
            "waves of {size} lanes; the shader requires {} to {maximum}",
            said.min
        ))),
        Some(size) => Ok(size),
        // The shader's preferred size is a wish: one that does not fit its own range is ignored.
        None if is_size(said.preferred)
            && said.preferred >= said.min
            && said.preferred <= maximum =>
        {
            Ok(said.preferred)
        }
        None => Ok(DEFAULT_WAVE_SIZE.clamp(said.min, maximum)),
    }
}

/// Returns whether the group has quads of two by two threads: from shader model 6.6 on, those with
/// even sides. Other quads are four threads in a row (HLSL specification of derivatives in compute
/// shaders).
fn has_square_quads(shader: &Shader, [width, height, _]: [u32; 3]) -> bool {
    shader.shader_model.minor >= 6
        && height > 1
        && width.is_multiple_of(2)
        && height.is_multiple_of(2)
}

fn ranges(shader: &Shader) -> (Vec<DeclaredRange>, HashMap<ValueId, u32>) {
    let mut ranges = Vec::new();
    let mut variables = HashMap::default();
    for resource in shader.resources.iter() {
        if let Some(variable) = resource.variable {
            variables.insert(behind_casts(shader, variable), ranges.len() as u32);
        }
        ranges.push(range(resource));
    }
    (ranges, variables)
}

/// Returns the global variable that a constant is a cast of. Libraries name the variable of a
/// resource by the type that it has in HLSL, which is not the type that the code loads.
fn behind_casts(shader: &Shader, mut value: ValueId) -> ValueId {
    // Bounded, since a malformed module may have a cast of itself.
    for _ in 0..4 {
        match shader
            .module
            .values
            .get(value.as_u32() as usize)
            .map(|data| &data.def)
        {
            Some(ValueDef::Constant(Constant::Expr(ConstantExpr::Cast {
                value: inner, ..
            }))) => {
                value = *inner;
            }
            _ => break,
        }
    }
    value
}

fn range(resource: &Resource) -> DeclaredRange {
    DeclaredRange {
        class: resource.class,
        space: resource.space,
        first: resource.lower_bound,
        count: resource.count,
        shape: ResourceShape {
            class: resource.class,
            kind: resource.kind,
            stride: resource.detail.stride.unwrap_or(0),
            feedback: resource.detail.feedback,
        },
        has_counter: resource.detail.has_counter,
        name: resource.name.to_string().into(),
        is_coherent: resource.detail.globally_coherent,
        is_used: false,
    }
}

/// Returns the source position of the end of each block: in a loop, that is its condition. The
/// instructions before it may have the positions of variable declarations.
fn block_positions(
    module: &ModuleTables<'_>,
    function: FuncId,
    debug: Option<DebugInfo<'_>>,
) -> Vec<Option<SourcePosition>> {
    let (Some(debug), Some(body)) = (debug, module.shader.module.body(function)) else {
        return Vec::new();
    };
    let last = |block: &dxil_frontend::ir::Block| {
        block.insts().rev().find_map(|inst| {
            let place = body.debug_locs.get(inst).copied().flatten()?;
            let position = debug.position(&place)?;
            Some(SourcePosition::from(position))
        })
    };
    body.blocks.values().map(last).collect()
}

/// Returns the source position of each instruction that does more than compute.
fn site_positions(
    module: &ModuleTables<'_>,
    function: FuncId,
    debug: Option<DebugInfo<'_>>,
    code: &FunctionCode,
) -> Vec<Option<SourcePosition>> {
    let (Some(debug), Some(body)) = (debug, module.shader.module.body(function)) else {
        return Vec::new();
    };
    let mut positions = vec![None; code.complex.len()];
    for (inst, origin) in code.insts.iter().zip(&code.origins) {
        let Inst::Complex(index) = *inst else {
            continue;
        };
        let place = body.debug_locs.get(*origin).copied().flatten();
        let position = place.and_then(|place| debug.position(&place));
        if let Some(slot) = positions.get_mut(index as usize) {
            *slot = position.map(SourcePosition::from);
        }
    }
    positions
}
