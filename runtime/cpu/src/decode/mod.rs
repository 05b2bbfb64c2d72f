//! From a shader to what execution runs: once, before anything is executed.
//!
//! | file | what it does |
//! |---|---|
//! | `function` | walks a function's blocks, turns phis into moves on edges |
//! | `llvm` | LLVM instructions; also `arithmetic`, `conversions`, `aggregates`, `memory` |
//! | `operations` | DXIL operations; also `arithmetic_operations`, `resource_operations`, `wave_operations` |
//! | `constants` | constants, globals and their memory |
//! | `handles` | what is known of the resource behind a handle |
//! | `registers` | gives registers their places |

mod aggregates;
mod arithmetic;
mod arithmetic_operations;
mod barriers;
pub(crate) mod code;
mod constants;
mod conversions;
mod function;
mod handles;
pub(crate) mod lane_ops;
mod layout;
mod llvm;
mod memory;
mod operations;
mod ray_operations;
mod registers;
mod resource_operations;
mod tables;
mod wave_operations;

use dxil_frontend::SourcePosition;
use dxil_frontend::dxil::debug::DebugInfo;
use dxil_frontend::dxil::{EntryPoint, Resource, ResourceIndex, Shader, ShaderKind};
use dxil_frontend::ir::{Constant, ConstantExpr, FuncId, ValueDef, ValueId};
use rustc_hash::FxHashMap;

use crate::error::{CodeLocation, Error, Result};
use crate::resources::Register;
use code::{Complex, ComplexOp, FunctionCode, Inst, ResourceShape, ThreadInput};
use constants::Globals;
pub(crate) use tables::DeclaredRange;
use tables::ModuleTables;

/// How to decode a shader.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// Entry point; default: the only one.
    pub entry: Option<String>,
    /// Lanes of a wave: 4, 8, 16, 32, 64 or 128. Default: what the shader says, or else 32.
    pub wave_size: Option<u32>,
}

/// A range of registers that a kernel looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsedRange {
    /// Its first register.
    pub first: Register,
    /// Number of registers; `None` is unbounded.
    pub count: Option<u32>,
}

/// A compute shader, ready to be executed any number of times.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// The entry point comes first.
    pub(crate) functions: Vec<FunctionCode>,
    pub(crate) ranges: Vec<DeclaredRange>,
    /// Words of constant globals.
    pub(crate) constants: Vec<u32>,
    /// First words of every lane's private memory: globals that are not constant.
    pub(crate) statics: Vec<u32>,
    /// Words of groupshared memory.
    pub(crate) shared_words: u32,
    /// Ray queries of a lane.
    pub(crate) ray_queries: u32,
    /// Whether the counters of UAVs in the heap are used.
    pub(crate) uses_counters: bool,
    num_threads: [u32; 3],
    wave_size: u32,
    square_quads: bool,
    /// Whether the CBV/SRV/UAV heap and the sampler heap are indexed.
    heaps: (bool, bool),
    /// Last position of each block of each function, where debug information has it.
    positions: Vec<Vec<Option<SourcePosition>>>,
    /// The same of each instruction that does more than compute.
    sites: Vec<Vec<Option<SourcePosition>>>,
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
        let function = entry
            .function
            .ok_or_else(|| Error::BadInput("the entry point has no function".into()))?;
        if entry.kind != ShaderKind::Compute {
            return Err(Error::Unsupported {
                what: format!("a {} shader", entry.kind.prefix()),
                place: Box::new(CodeLocation {
                    function: entry.plain_name().into(),
                    ..CodeLocation::default()
                }),
            });
        }
        let num_threads = entry.num_threads.unwrap_or([1; 3]);
        // Checked: the product of three hostile counts overflows 32 bits.
        let threads = num_threads
            .iter()
            .try_fold(1_u64, |all, &n| all.checked_mul(u64::from(n)));
        if threads.is_none_or(|threads| threads == 0 || threads > MAX_THREADS) {
            return Err(Error::BadInput(format!(
                "a thread group of {num_threads:?} threads"
            )));
        }
        let wave_size = wave_size(entry, options)?;
        let (ranges, variables) = ranges(shader);
        let denormals = shader
            .module
            .function_attribute(function, "fp32-denorm-mode");
        let mut module = ModuleTables {
            shader,
            resources: ResourceIndex::new(&shader.resources),
            ranges,
            variables,
            globals: Globals::new(shader)?,
            queue: vec![function],
            flush_denormals: denormals == Some("ftz"),
            temporary_registers: FxHashMap::default(),
            ray_queries: 0,
            uses_counters: false,
            uses_quads: false,
            uses_resource_heap: false,
            uses_sampler_heap: false,
        };
        let mut functions = Vec::new();
        let mut positions = Vec::new();
        let mut sites = Vec::new();
        let debug = DebugInfo::of(&shader.module);
        // The queue grows while functions are decoded: each call adds its callee once, so recursion
        // ends here too. The depth of calls is bounded when they are executed.
        while let Some(&next) = module.queue.get(functions.len()) {
            if functions.len() >= MAX_FUNCTIONS {
                return Err(Error::BadInput("the shader has too many functions".into()));
            }
            let code = function::decode(&mut module, next, debug)?;
            positions.push(block_positions(&module, next, debug));
            sites.push(site_positions(&module, next, debug, &code));
            functions.push(code);
        }
        Ok(Kernel {
            functions,
            ranges: module.ranges,
            constants: module.globals.constants,
            statics: module.globals.statics,
            shared_words: module.globals.shared_words,
            ray_queries: module.ray_queries,
            uses_counters: module.uses_counters,
            num_threads,
            wave_size,
            square_quads: module.uses_quads && has_square_quads(shader, num_threads),
            heaps: (module.uses_resource_heap, module.uses_sampler_heap),
            positions,
            sites,
        })
    }

    /// Whether what the code does follows from the order in which groups run, or from time: it
    /// counts with counters, reads results of atomic operations on UAVs, or reads a clock.
    pub(crate) fn depends_on_order(&self) -> bool {
        let is_read = |complex: &Complex| complex.dst.iter().any(|dst| !dst.is_none());
        let mut all = self.functions.iter().flat_map(|code| &code.complex);
        all.any(|complex| match complex.op {
            ComplexOp::UpdateCounter(_) | ComplexOp::ThreadInput(ThreadInput::Cycles) => true,
            // An atomic operation whose result nobody reads gives the same memory in any order.
            ComplexOp::ResourceAtomic { .. } | ComplexOp::ResourceCompareExchange { .. } => {
                is_read(complex)
            }
            _ => false,
        })
    }

    /// Threads of a group in each direction.
    pub fn num_threads(&self) -> [u32; 3] {
        self.num_threads
    }

    /// Lanes of a wave.
    pub fn wave_size(&self) -> u32 {
        self.wave_size
    }

    /// The registers that the code looks at.
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

    /// Whether the code indexes the CBV/SRV/UAV heap.
    pub fn uses_resource_heap(&self) -> bool {
        self.heaps.0
    }

    /// Whether the code indexes the sampler heap.
    pub fn uses_sampler_heap(&self) -> bool {
        self.heaps.1
    }

    /// Whether every thread is in a quad; nothing changes between the lanes of others.
    pub(crate) fn has_whole_quads(&self) -> bool {
        self.num_threads.iter().product::<u32>().is_multiple_of(4)
    }

    /// Place of a thread in its group, by its number.
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

    /// Where an instruction stands that does more than compute.
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

/// Sizes that waves may have.
const WAVE_SIZES: std::ops::RangeInclusive<u32> = 4..=128;
const DEFAULT_WAVE_SIZE: u32 = 32;

fn wave_size(entry: &EntryPoint, options: &Options) -> Result<u32> {
    let bad = |size: u32| {
        Err(Error::BadInput(format!(
            "waves of {size} lanes; a wave has 4, 8, 16, 32, 64 or 128"
        )))
    };
    let is_size = |size: u32| size.is_power_of_two() && WAVE_SIZES.contains(&size);
    if let Some(size) = options.wave_size.filter(|&size| !is_size(size)) {
        return bad(size);
    }
    let Some(said) = entry.wave_size else {
        return Ok(options.wave_size.unwrap_or(DEFAULT_WAVE_SIZE));
    };
    let most = said.max.max(said.min);
    if !is_size(said.min) {
        return bad(said.min);
    }
    match options.wave_size {
        Some(size) if size < said.min || size > most => Err(Error::BadInput(format!(
            "waves of {size} lanes; the shader wants {} to {most}",
            said.min
        ))),
        Some(size) => Ok(size),
        // The shader's preferred size is a wish: one that does not fit its own range is ignored.
        None if is_size(said.preferred) && said.preferred >= said.min && said.preferred <= most => {
            Ok(said.preferred)
        }
        None => Ok(DEFAULT_WAVE_SIZE.clamp(said.min, most)),
    }
}

/// From shader model 6.6 on, groups with even sides have quads of two by two threads; other quads
/// are four threads in a row (HLSL specification of derivatives in compute shaders).
fn has_square_quads(shader: &Shader, [width, height, _]: [u32; 3]) -> bool {
    shader.shader_model.minor >= 6
        && height > 1
        && width.is_multiple_of(2)
        && height.is_multiple_of(2)
}

fn ranges(shader: &Shader) -> (Vec<DeclaredRange>, FxHashMap<ValueId, u32>) {
    let mut ranges = Vec::new();
    let mut variables = FxHashMap::default();
    for resource in shader.resources.iter() {
        if let Some(variable) = resource.variable {
            variables.insert(behind_casts(shader, variable), ranges.len() as u32);
        }
        ranges.push(range(resource));
    }
    (ranges, variables)
}

/// The global variable that a constant is a cast of. Libraries name the variable of a resource by
/// the type that it has in HLSL, which is not the type that the code loads.
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
        },
        has_counter: resource.detail.has_counter,
        name: resource.name.to_string().into(),
        is_coherent: resource.detail.globally_coherent,
        is_used: false,
    }
}

/// Where each block of a function ends in the source: at a loop, that is its condition. What comes
/// before may stand where variables are declared.
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

/// Where each instruction that does more than compute comes from in the source.
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
