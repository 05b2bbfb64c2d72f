//! Lowers IR to SPIR-V: every instruction of every function, in the structurizer's order.
//!
//! This file holds the order of the module, `operations.rs` the match over all DXIL operations, and
//! each folder a family of operations. An operation that is not supported is a typed error.

mod block_state;
mod blocks;
mod buffers;
mod constants;
mod context;
mod control_flow;
mod flow_values;
mod graphs;
mod images;
mod instruction;
mod instrument;
mod llvm;
mod memory;
mod numbers;
mod operands;
mod operations;
mod preview;
mod pseudo_operations;
mod rays;
mod resources;
mod signatures;
mod slots;
mod source;
mod stages;
mod type_map;
mod types;
mod values;
mod vector_phis;
mod version;
mod waves;

use cranelift_entity::{EntitySet, SecondaryMap};
use dxil_frontend::dxil::{SemanticKind, Shader, ShaderFlags, ShaderKind};
use dxil_frontend::ir::{FuncId, FuncView, Function, Module};

use crate::debug_info::SourceWriter;
use crate::lower::buffers::state::EarlyRows;
use crate::lower::graphs::launch;
use crate::lower::numbers::float_modes;
use crate::lower::rays::{micromaps, ray_stages};
use crate::lower::resources::state::LayerBinding;
use crate::lower::resources::{large_buffers, leaves, signature_notes};
use crate::lower::signatures::{elements, inputs, stream_output, system_inputs, thread_ids, views};
use crate::lower::stages::ordered;
use crate::lower::waves::quad;
use crate::spirv::{
    Builder, BuiltIn, Capability, ExecutionMode, ExecutionModel, Id, legalize_naga, memory_model,
};
use crate::structurize::StructuredCfg;
use crate::{Error, ErrorKind, Features, Options, PortableForm, Result, SourceDebugInfo, Warning};

use block_state::BlockState;
pub(crate) use context::Input;
use context::{Context, FunctionState, Losses, ModuleState};
use graphs::state::Nodes;
use instrument::state::Instruments;
use memory::state::{Memory, Registers};
use rays::state::{RayTracing, Rays};
use resources::state::ResourceState;
use signatures::state::StageIo;
use stages::state::Payload;
use type_map::TypeMap;
use values::Values;
use waves::state::{KnownMatrices, LaneFlow, WholeMatrices};

/// Result of the lowering.
pub(crate) struct Lowered {
    /// The module.
    module: Builder,
    /// Location of row 0 of the patch constants.
    pub(crate) patch_location_offset: u32,
    /// Built-ins in use.
    pub(crate) built_ins: Vec<BuiltIn>,
    /// Warnings about what the target cannot do and was left out.
    pub(crate) warnings: Vec<Warning>,
    /// Buffers that serve no declared resource.
    pub(crate) layer_bindings: Vec<LayerBinding>,
    /// Maximum length of the code of all functions in words.
    max_words: usize,
}

impl Lowered {
    /// Returns the words of the module.
    pub(crate) fn assemble(&self) -> Result<Vec<u32>> {
        let words = self.module.assemble().map_err(|op| match op {
            crate::spirv::Op::Phi => Error::new(ErrorKind::TooComplex(
                "a block with more than 32,766 predecessors, whose OpPhi is too long",
            )),
            op => Error::unsupported(format!("an Op{op:?} of more than 65,535 words")),
        })?;
        // The memory model changes the operands of accesses all over the module, so it is applied
        // to the finished words.
        if self.capabilities().contains(&Capability::VulkanMemoryModel) {
            memory_model::apply(&words).map_err(Error::unsupported)
        } else {
            Ok(words)
        }
    }

    /// Rewrites instructions that naga does not accept, if naga is the consumer.
    pub(crate) fn legalize(&mut self, options: &Options) -> Result<()> {
        if options.consumer().all_of_spirv {
            return Ok(());
        }
        let target = &options.target;
        let rules = legalize_naga::Rules {
            emulate_int64: !target.features.contains(Features::INT64),
            casts_in_functions: target.features.contains(Features::CASTS_IN_FUNCTIONS),
            image_atomics: target.features.contains(Features::PSEUDO_IMAGE_ATOMICS),
        };
        legalize_naga::run(&mut self.module, rules, self.max_words)
            .map_err(|refusal| Error::portable(refusal.form(), refusal.to_string()))?;
        // Rewriting stops there, too.
        if self.module.position() > self.max_words {
            return Err(context::too_many_words(false));
        }
        Ok(())
    }

    /// Returns the capabilities declared.
    pub(crate) fn capabilities(&self) -> &[Capability] {
        self.module.capabilities()
    }

    /// Returns the extensions declared.
    pub(crate) fn extensions(&self) -> &[&'static str] {
        self.module.extensions()
    }
}

/// Lowers the functions of an entry point; its own function comes first. `has_values` says whether
/// values have the numbers that metadata names.
///
/// # Errors
///
/// `Malformed` for a shader that breaks DXIL's rules, `Unsupported` and `TargetLacks` for what
/// SPIR-V or the target cannot do, `TooComplex` for code that grows beyond the limit.
pub(crate) fn run(
    input: Input<'_>,
    functions: &[(FuncId, StructuredCfg)],
    has_values: bool,
) -> Result<Lowered> {
    // A hull shader that passes its control points through has only the patch-constant function.
    let Some(&(main, _)) = functions.first() else {
        return Err(Error::malformed("the entry point has no function"));
    };
    let Some(function) = input.shader.module.body(main) else {
        return Err(Error::malformed("the entry point's function has no body"));
    };
    let mut context = context_of(input, main, function);
    let cx = &mut context;
    begin(cx, functions, has_values)?;
    // Captured outputs claim their places before the code makes other variables.
    stream_output::plan(cx)?;
    for (id, cfg) in functions {
        cx.function.view.function = body_of(&cx.function, *id)?;
        // A node runs once per record, in a loop.
        cx.function.flow.begin(*id == main && !cx.input.is_node());
        control_flow::lower_function(cx, *id, cfg)?;
    }
    waves::matrices::float8::write_functions(cx);
    finish(cx, main)?;
    Ok(lowered(context))
}

/// Returns the state before the first instruction.
fn context_of<'a>(input: Input<'a>, main: FuncId, function: &'a Function) -> Context<'a> {
    let (shader, options) = (input.shader, input.options);
    let module = &shader.module;
    Context {
        input,
        b: Builder::new(options.target.vulkan.spirv_version()),
        module: ModuleState {
            types: TypeMap::new(
                shader.flags_of(input.entry),
                options,
                input.numerics(),
                &module.types,
            ),
            functions: by_function(module),
            memory: Memory::default(),
            registers: Registers::default(),
            resources: ResourceState::default(),
            stage_io: StageIo::default(),
            payload: Payload::default(),
            rays: Rays {
                stages: RayTracing::of(main),
                ..Rays::default()
            },
            nodes: Nodes::default(),
            matrices: KnownMatrices::default(),
            instruments: Instruments::default(),
            special_floats: false,
            checked_callees: by_function(module),
        },
        function: FunctionState {
            view: FuncView { module, function },
            plan: None,
            rows: None,
            copies: None,
            sums: None,
            whole_matrices: WholeMatrices::default(),
            early_rows: EarlyRows::default(),
            values: Values::default(),
            lifted: EntitySet::new(),
            flow: LaneFlow::default(),
        },
        block: BlockState::default(),
        source: None,
        losses: Losses::default(),
        max_words: input.max_words(),
    }
}

/// Returns a table of all functions of the module.
fn by_function<T: Clone + Default>(module: &Module) -> SecondaryMap<FuncId, T> {
    let mut table = SecondaryMap::new();
    table.resize(module.functions.len());
    table
}

/// Begins the module.
fn begin(
    cx: &mut Context<'_>,
    functions: &[(FuncId, StructuredCfg)],
    has_values: bool,
) -> Result<()> {
    let input = cx.input;
    let (shader, options) = (input.shader, input.options);
    cx.module.resources.float_buffers = leaves::has_float_buffers(&input.plan.views);
    cx.b.reserve(input.analyses.instructions);
    cx.module.resources.reserve(input.plan.views.len());
    // Instructions and capabilities depend on the version, so it is settled first.
    version::raise(&mut cx.b, &cx.input);
    instrument::begin(&cx.input)?;
    cx.b.capability(Capability::Shader);
    if cx.input.consumer().compact_code {
        cx.b.reuse_results();
    }
    cx.source = source_writer(shader, options, has_values, &mut cx.b);
    // Calls may name functions that are lowered later.
    for (id, _) in functions {
        let spirv_id = cx.b.fresh();
        cx.module.functions[*id] = Some(spirv_id);
    }
    Ok(())
}

fn body_of<'a>(function: &FunctionState<'a>, id: FuncId) -> Result<&'a Function> {
    let body = function.view.module.body(id);
    body.ok_or_else(|| Error::internal("a function without body was structured"))
}

/// Returns the writer of source positions, if the caller asked for them and the shader has any.
fn source_writer<'a>(
    shader: &'a Shader,
    options: &Options,
    has_values: bool,
    b: &mut Builder,
) -> Option<Box<SourceWriter<'a>>> {
    let full = match options.source {
        SourceDebugInfo::None => return None,
        SourceDebugInfo::Lines => false,
        SourceDebugInfo::Full => options.consumer().debug_instructions,
    };
    SourceWriter::new(shader, full, has_values, b).map(Box::new)
}

/// Writes the entry point and its execution modes.
fn finish(cx: &mut Context<'_>, main: FuncId) -> Result<()> {
    check_stage(&cx.input)?;
    system_inputs::keep_sample_frequency(cx)?;
    let function = if cx.input.is_node() {
        launch::entry_point(cx, main)?
    } else {
        stages::entry_point(cx, main)?
    };
    let function = views::masked_entry(cx, function)?;
    // The functions of checks come after all code that calls them.
    instrument::finish(cx)?;
    let model = match cx.input.entry.kind {
        ShaderKind::Compute | ShaderKind::Node => ExecutionModel::GLCompute,
        ShaderKind::Vertex => ExecutionModel::Vertex,
        ShaderKind::Pixel => ExecutionModel::Fragment,
        ShaderKind::Geometry => ExecutionModel::Geometry,
        ShaderKind::Hull => ExecutionModel::TessellationControl,
        ShaderKind::Domain => ExecutionModel::TessellationEvaluation,
        ShaderKind::Mesh => ExecutionModel::MeshEXT,
        ShaderKind::Amplification => ExecutionModel::TaskEXT,
        ShaderKind::RayGeneration => ExecutionModel::RayGenerationKHR,
        ShaderKind::Intersection => ExecutionModel::IntersectionKHR,
        ShaderKind::AnyHit => ExecutionModel::AnyHitKHR,
        ShaderKind::ClosestHit => ExecutionModel::ClosestHitKHR,
        ShaderKind::Miss => ExecutionModel::MissKHR,
        ShaderKind::Callable => ExecutionModel::CallableKHR,
        ShaderKind::Library => return Err(inputs::stage_unsupported(&cx.input, "the entry point")),
    };
    if !cx.input.consumer().missing_position && cx.input.entry.kind == ShaderKind::Vertex {
        let float = cx.b.f32();
        let ty = cx.b.vector(float, 4);
        inputs::built_in_output(cx, BuiltIn::Position, ty);
    }
    // D3D's entry name is free; Vulkan compares it with what the application passes, so the caller
    // can choose.
    let name = cx.input.options.entry_name.as_deref();
    cx.b.entry_point(model, function, name.unwrap_or(cx.input.entry.plain_name()));
    if cx.input.has_groups() {
        let threads = cx.input.entry.num_threads.unwrap_or([1; 3]);
        check_threads(cx.input.entry.kind, threads)?;
        let sides = thread_ids::group_sides(&cx.input);
        cx.b.execution_mode(function, ExecutionMode::LocalSize, &sides);
    }
    pixel_modes(cx, function);
    stages::declare_modes(&mut cx.b, &cx.input, function)?;
    ray_stages::declare_modes(&mut cx.b, &cx.input)?;
    stream_output::declare_mode(&mut cx.b, &cx.input, function);
    ordered::declare_mode(&mut cx.b, function);
    float_modes::declare(cx, main, function);
    quad::declare_modes(cx, function);
    micromaps::declare_mode(&mut cx.b, &cx.input, function)?;
    large_buffers::declare_mode(&mut cx.b, &cx.input, function)?;
    signature_notes::write_notes(&mut cx.b, &cx.input);
    source::finish(cx, main);
    signature_notes::signal_quirks(&mut cx.b, &cx.input);
    let has_groups = cx.input.consumer().derivative_groups;
    if !has_groups && cx.module.stage_io.derivatives && cx.losses.levels > 0 {
        let what = "an implicit level of detail in a thread group with derivatives";
        return Err(Error::portable(PortableForm::GroupLevel, what));
    }
    Ok(())
}

/// Refuses thread groups without threads and those that D3D does not allow (D3D11.3 functional
/// specification, "Thread Group"): drivers trust the size that a module declares.
fn check_threads(kind: ShaderKind, threads: [u32; 3]) -> Result<()> {
    let Some((sides, total)) = kind.max_threads() else {
        return Ok(());
    };
    let fits = threads
        .iter()
        .zip(sides)
        .all(|(side, maximum)| (1..=maximum).contains(side));
    // The sides are bounded before, so the product cannot overflow.
    if fits && threads.iter().product::<u32>() <= total {
        return Ok(());
    }
    let [x, y, z] = threads;
    Err(Error::malformed(format!(
        "a thread group of {x} x {y} x {z} threads; it has 1 to {total}"
    )))
}

/// Returns the module with its reflection and warnings.
fn lowered(cx: Context<'_>) -> Lowered {
    let patch_location_offset = elements::patch_base(&cx.input);
    let heaps = cx.module.resources.heap_built_ins();
    let built_ins = cx.module.stage_io.built_ins().chain(heaps).collect();
    let mut warnings = Vec::new();
    if cx.losses.precise > 0 {
        warnings.push(Warning::PreciseLost {
            operations: cx.losses.precise,
        });
    }
    if let Some(mode) = cx.losses.denormals {
        warnings.push(Warning::DenormalModeIgnored { mode });
    }
    if cx.losses.levels > 0 {
        warnings.push(Warning::LevelsLost {
            operations: cx.losses.levels,
        });
    }
    if cx.losses.levels_estimated > 0 {
        warnings.push(Warning::LevelsEstimated {
            operations: cx.losses.levels_estimated,
        });
    }
    Lowered {
        module: cx.b,
        patch_location_offset,
        built_ins,
        warnings,
        layer_bindings: cx.module.resources.layer_words.bound,
        max_words: cx.max_words,
    }
}

/// Checks that the entry point has the properties of its stage, and of no other.
fn check_stage(input: &Input<'_>) -> Result<()> {
    let kind = input.entry.kind;
    // The frontend fills the properties from tags of the metadata, which a damaged file can mix up.
    if input.entry.has_own_state() {
        return Ok(());
    }
    Err(Error::malformed(match input.entry.stage.kind() {
        None => format!("a {kind:?} shader without the properties of its stage"),
        Some(owner) => format!("a {kind:?} shader with the properties of a {owner:?} shader"),
    }))
}

/// Declares execution modes of pixel shaders.
fn pixel_modes(cx: &mut Context<'_>, function: Id) {
    if !cx.input.is_pixel() {
        return;
    }
    // D3D's pixel coordinates begin in the upper left corner (D3D11.3 functional specification,
    // 3.3.1), and Vulkan takes no other (VUID-StandaloneSpirv-OriginLowerLeft-04653).
    let mut modes = vec![ExecutionMode::OriginUpperLeft];
    if cx
        .input
        .entry
        .flags
        .contains(ShaderFlags::FORCE_EARLY_DEPTH_STENCIL)
    {
        modes.push(ExecutionMode::EarlyFragmentTests);
    }
    match cx.module.stage_io.depth_output {
        Some(SemanticKind::DepthLessEqual) => {
            modes.extend([ExecutionMode::DepthReplacing, ExecutionMode::DepthLess]);
        }
        Some(SemanticKind::DepthGreaterEqual) => {
            modes.extend([ExecutionMode::DepthReplacing, ExecutionMode::DepthGreater]);
        }
        // Vulkan wants the mode whenever FragDepth is written.
        Some(_) => modes.push(ExecutionMode::DepthReplacing),
        None => {}
    }
    if cx.module.stage_io.stencil_output {
        modes.push(ExecutionMode::StencilRefReplacingEXT);
    }
    for mode in modes {
        cx.b.execution_mode(function, mode, &[]);
    }
}
