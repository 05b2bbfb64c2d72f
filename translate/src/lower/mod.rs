//! From IR to SPIR-V: every instruction of every function, in the order that the structurizer gave.
//!
//! One file per family of operations; this one holds the order of the module, `operations.rs` the one match over all
//! DXIL operations. An operation that is not lowered is a typed error.

#![allow(
    clippy::wrong_self_convention,
    reason = "conversions are of the argument; `self` is where their code goes"
)]

mod blocks;
mod buffers;
mod constants;
mod context;
mod control_flow;
mod graphs;
mod images;
mod instruction;
mod instrument;
mod llvm;
mod memory;
mod numbers;
mod operations;
mod rays;
mod resources;
mod signatures;
mod source;
mod stages;
mod types;
mod vector_phis;
mod waves;

use dxil_frontend::dxil::{EntryPoint, SemanticKind, Shader, ShaderFlags, ShaderKind, Stage};
use dxil_frontend::ir::{FuncId, FuncView};
use rustc_hash::FxHashMap;

use crate::debug_info::SourceWriter;
use crate::interface::Plan;
use crate::spirv::{Builder, BuiltIn, Capability, ExecutionMode, ExecutionModel, Id};
use crate::structurize::StructuredCfg;
use crate::{Error, Options, Result, SourceDebugInfo, Style, Warning};

pub(crate) use context::Lowering;
pub(crate) use memory::merged_pointers::behind_constants;
use resources::layer_words::LayerBinding;

/// What lowering gives.
pub(crate) struct Lowered {
    /// The module.
    pub(crate) words: Vec<u32>,
    /// Location of row 0 of the patch constants.
    pub(crate) patch_location_offset: u32,
    /// Built-ins in use.
    pub(crate) built_ins: Vec<BuiltIn>,
    /// Capabilities declared.
    pub(crate) capabilities: Vec<Capability>,
    /// Extensions declared.
    pub(crate) extensions: Vec<&'static str>,
    /// What got lost.
    pub(crate) warnings: Vec<Warning>,
    /// Buffers that serve no declared resource.
    pub(crate) layer_bindings: Vec<LayerBinding>,
}

/// Lowers an entry point and the functions it calls; the entry point's function comes first. `has_values` says
/// whether values have the numbers that metadata names.
pub(crate) fn run(
    shader: &Shader,
    entry: &EntryPoint,
    functions: &[(FuncId, StructuredCfg)],
    plan: &Plan,
    options: &Options,
    has_values: bool,
) -> Result<Lowered> {
    let module = &shader.module;
    // A hull shader that passes its control points through has only the patch-constant function.
    let Some(&(main, _)) = functions.first() else {
        return Err(Error::malformed("the entry point has no function"));
    };
    let Some(body) = module.body(main) else {
        return Err(Error::malformed("the entry point's function has no body"));
    };
    let view = FuncView {
        module,
        function: body,
    };
    let mut l = Lowering {
        shader,
        entry,
        options,
        view,
        lifted: Default::default(),
        b: Builder::new(options.target.vulkan.spirv_version()),
        types: types::TypeMap::new(shader.flags_of(entry), options, module.types.len()),
        values: context::Values::default(),
        memory: memory::variables::Memory::of(module),
        inputs: signatures::inputs::Inputs::default(),
        payload: stages::amplification::Payload::default(),
        ray_tracing: rays::stages::RayTracing::of(main),
        hit_objects: rays::hit_objects::HitObjects::default(),
        resources: resources::variables::ResourceState::new(plan),
        ray_queries: rays::query::RayQueries::default(),
        place: blocks::Place::default(),
        nodes: graphs::nodes::Nodes::default(),
        registers: memory::registers::Registers::default(),
        instruments: instrument::Instruments::default(),
        functions: FxHashMap::default(),
        source: None,
        precise_lost: 0,
        levels_lost: 0,
        levels_estimated: 0,
    };
    let mut constants = module.values.iter();
    l.values.module_has_expressions =
        constants.any(|value| constants::is_computed(&module.types, value));
    if l.is_portable() {
        l.b.stay_portable();
        let features = l.options.target.features;
        if !features.contains(crate::Features::INT64) {
            l.b.pair_wide_integers();
        }
        if features.contains(crate::Features::MARKED_CASTS) {
            l.b.mark_casts();
        }
    }
    l.begin_instruments()?;
    l.b.capability(Capability::Shader);
    l.source = source_writer(shader, options, has_values, &mut l.b);
    l.inputs.branches = functions.iter().any(|(_, cfg)| cfg.blocks.len() > 1);
    l.begin_shared_rows();
    let mut bodies = Vec::with_capacity(functions.len());
    for (id, cfg) in functions {
        let Some(body) = module.body(*id) else {
            return Err(Error::internal("a function without body was structured"));
        };
        bodies.push((*id, body, cfg));
        let spirv_id = l.b.fresh();
        l.functions.insert(*id, spirv_id);
        l.view.function = body;
        l.b.reserve(body.insts.len());
        l.find_reinterpreted_memory();
        l.find_shared_rows();
        l.find_merged_pointers();
        l.find_per_vertex_inputs();
        l.find_payload();
        l.find_shared_records()?;
    }
    l.find_ray_queries(bodies.iter().map(|&(_, body, _)| body))?;
    l.plan_stream_output()?;
    for (id, body, cfg) in bodies {
        l.view.function = body;
        l.function(id, cfg)?;
    }
    l.finish(main)
}

/// Writes where the code comes from, if the caller wants that and the shader knows.
fn source_writer<'a>(
    shader: &'a Shader,
    options: &Options,
    has_values: bool,
    b: &mut Builder,
) -> Option<Box<SourceWriter<'a>>> {
    let full = match options.source {
        SourceDebugInfo::None => return None,
        SourceDebugInfo::Lines => false,
        // Other front ends than drivers' know no instruction sets but GLSL's.
        SourceDebugInfo::Full => options.target.style == Style::Native,
    };
    SourceWriter::new(shader, full, has_values, b).map(Box::new)
}

impl Lowering<'_> {
    /// Entry point, execution modes, and the words.
    fn finish(mut self, main: FuncId) -> Result<Lowered> {
        self.check_stage()?;
        let function = match self.entry.kind {
            ShaderKind::Hull => self.hull_entry(self.entry.function)?,
            ShaderKind::Amplification => self.amplification_entry(main)?,
            ShaderKind::Node => self.node_entry(main)?,
            _ if !self.inputs.rows.is_empty() => self.entry_with_rows(main)?,
            _ => self.functions.get(&main).copied().unwrap_or_default(),
        };
        let function = self.masked_entry(function)?;
        self.end_instruments()?;
        let model = match self.entry.kind {
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
            ShaderKind::Library => return Err(self.stage_unsupported("the entry point")),
        };
        if self.is_portable() && self.entry.kind == ShaderKind::Vertex {
            // WGSL's vertex shaders all have one; D3D12's need none where nothing is drawn.
            let float = self.b.f32();
            let ty = self.b.vector(float, 4);
            self.built_in_output(BuiltIn::Position, ty);
        }
        let name = self.options.entry_name.as_deref();
        self.b
            .entry_point(model, function, name.unwrap_or(self.entry.plain_name()));
        if self.has_groups() {
            let threads = self.entry.num_threads.unwrap_or([1; 3]);
            if threads.contains(&0) {
                return Err(Error::malformed("a thread group without threads"));
            }
            let sides = self.group_sides();
            self.b
                .execution_mode(function, ExecutionMode::LocalSize, &sides);
        }
        self.pixel_modes(function);
        self.geometry_modes(function)?;
        self.hull_modes(function)?;
        self.mesh_modes(function)?;
        self.ray_tracing_modes()?;
        self.domain_modes(function)?;
        self.stream_output_mode(function);
        self.ordered_mode(function);
        self.float_modes(main, function);
        if let Some((capability, mode)) = self.derivative_group() {
            self.b.capability(capability);
            self.b.extension("SPV_KHR_compute_shader_derivatives");
            self.b.execution_mode(function, mode, &[]);
        }
        self.reconvergence_modes(function);
        self.micromap_mode(function)?;
        self.write_notes();
        self.finish_source(main);
        self.signal_quirks();
        if self.is_portable() && self.inputs.derivatives && self.levels_lost > 0 {
            let what =
                "an implicit level of detail in a thread group with derivatives in portable SPIR-V";
            return Err(Error::unsupported(what));
        }
        self.b.finish_marked_casts();
        self.b.finish_pairs();
        if let Some(op) = self.b.refused_wide_instruction() {
            let what = format!("Op{op:?} of 64 bits, of which integers are made of words");
            return Err(Error::unsupported(what));
        }
        let patch_location_offset = self.patch_base();
        let built_ins = self.inputs.built_ins().collect();
        let capabilities = self.b.capabilities().to_vec();
        let extensions = self.b.extensions().to_vec();
        let words = self
            .b
            .assemble()
            .map_err(|op| Error::unsupported(format!("an Op{op:?} of more than 65,535 words")))?;
        let mut warnings = Vec::new();
        if self.precise_lost > 0 {
            warnings.push(Warning::PreciseLost {
                operations: self.precise_lost,
            });
        }
        if self.resources.plan.table.endless > 0 {
            warnings.push(Warning::EndlessArrays {
                elements: self.options.bindings.endless_elements,
            });
        }
        if self.levels_lost > 0 {
            warnings.push(Warning::LevelsLost {
                operations: self.levels_lost,
            });
        }
        if self.levels_estimated > 0 {
            warnings.push(Warning::LevelsEstimated {
                operations: self.levels_estimated,
            });
        }
        Ok(Lowered {
            words,
            patch_location_offset,
            built_ins,
            capabilities,
            extensions,
            warnings,
            layer_bindings: self.resources.layer_words.bound,
        })
    }
}

impl Lowering<'_> {
    /// Whether the entry point has the properties of its stage, and of no other.
    fn check_stage(&self) -> Result<()> {
        let owner = match self.entry.stage {
            Stage::Geometry { .. } => Some(ShaderKind::Geometry),
            Stage::Hull { .. } => Some(ShaderKind::Hull),
            Stage::Domain { .. } => Some(ShaderKind::Domain),
            Stage::Mesh { .. } => Some(ShaderKind::Mesh),
            Stage::Amplification { .. } => Some(ShaderKind::Amplification),
            Stage::Node(_) => Some(ShaderKind::Node),
            Stage::Other => None,
        };
        let kind = self.entry.kind;
        let needed = matches!(
            kind,
            ShaderKind::Geometry
                | ShaderKind::Hull
                | ShaderKind::Domain
                | ShaderKind::Mesh
                | ShaderKind::Amplification
                | ShaderKind::Node
        );
        if owner == needed.then_some(kind) {
            return Ok(());
        }
        Err(Error::malformed(match owner {
            None => format!("a {kind:?} shader without the properties of its stage"),
            Some(owner) => format!("a {kind:?} shader with the properties of a {owner:?} shader"),
        }))
    }

    /// Execution modes of pixel shaders.
    fn pixel_modes(&mut self, function: Id) {
        if !self.is_pixel() {
            return;
        }
        let mut modes = vec![ExecutionMode::OriginUpperLeft];
        if self
            .entry
            .flags
            .contains(ShaderFlags::FORCE_EARLY_DEPTH_STENCIL)
        {
            modes.push(ExecutionMode::EarlyFragmentTests);
        }
        match self.inputs.depth_output {
            Some(SemanticKind::DepthLessEqual) => {
                modes.extend([ExecutionMode::DepthReplacing, ExecutionMode::DepthLess]);
            }
            Some(SemanticKind::DepthGreaterEqual) => {
                modes.extend([ExecutionMode::DepthReplacing, ExecutionMode::DepthGreater]);
            }
            Some(_) => modes.push(ExecutionMode::DepthReplacing),
            None => {}
        }
        if self.inputs.stencil_output {
            modes.push(ExecutionMode::StencilRefReplacingEXT);
        }
        for mode in modes {
            self.b.execution_mode(function, mode, &[]);
        }
    }
}
