//! Shader flags: what the code uses, against what the module declares.
//!
//! Validator versions count some features in their own way (DXC's `DxilShaderFlags.cpp`); a module
//! is checked by the rules of the version that it declares.

use cranelift_entity::SecondaryMap;

use super::context::ValidationContext;
use super::handle_facts::HandleFacts;
use super::handles::{declared, handle_of, is_loaded_from_an_array};
use super::operands::{DOUBLE, Found, LONG, SMALL};
use super::rules::Rule;
use crate::dxil::ops::{
    BarrierOp, BarrierSemantics, BufferOp, DerivativeOp, FeedbackOp, FloatOp, HandleOp, IntegerOp,
    Op, OpFlags, PreviewOp, RayQueryOp, RayTracingOp, ResourceAtomicOp, SamplingOp, SignatureOp,
    SystemValueOp, TextureOp, is_experimental,
};
use crate::dxil::{EntryPoint, ResourceClass, ResourceKind, SemanticKind, ShaderFlags, ShaderKind};
use crate::ir::{BinaryOp, CastOp, Constant, FuncId, FuncView, Inst, InstData, ValueDef, ValueId};

/// Flags that tell what the code uses; the others are modes.
pub(super) const COLLECTED: ShaderFlags = ShaderFlags::ENABLE_DOUBLE_PRECISION
    .union(ShaderFlags::INT64_OPS)
    .union(ShaderFlags::LOW_PRECISION_PRESENT)
    .union(ShaderFlags::ENABLE_DOUBLE_EXTENSIONS)
    .union(ShaderFlags::WAVE_OPS)
    .union(ShaderFlags::TILED_RESOURCES)
    .union(ShaderFlags::ENABLE_MSAD)
    .union(ShaderFlags::UAV_LOAD_ADDITIONAL_FORMATS)
    .union(ShaderFlags::STENCIL_REF)
    .union(ShaderFlags::INNER_COVERAGE)
    .union(ShaderFlags::VIEWPORT_AND_RT_ARRAY_INDEX)
    .union(ShaderFlags::UAV_COUNT_OVER_64)
    .union(ShaderFlags::UAVS_AT_EVERY_STAGE)
    .union(ShaderFlags::ENABLE_RAW_AND_STRUCTURED_BUFFERS)
    .union(ShaderFlags::CS_4X_RAW_STRUCTURED)
    .union(ShaderFlags::VIEW_ID)
    .union(ShaderFlags::BARYCENTRICS)
    .union(ShaderFlags::SHADING_RATE)
    .union(ShaderFlags::RAYTRACING_TIER_1_1)
    .union(ShaderFlags::SAMPLER_FEEDBACK)
    .union(ShaderFlags::ATOMIC_INT64_ON_TYPED_RESOURCE)
    .union(ShaderFlags::ATOMIC_INT64_ON_GROUP_SHARED)
    .union(ShaderFlags::DERIVATIVES_IN_MESH_AND_AMPLIFICATION)
    .union(ShaderFlags::RESOURCE_DESCRIPTOR_HEAP_INDEXING)
    .union(ShaderFlags::SAMPLER_DESCRIPTOR_HEAP_INDEXING)
    .union(ShaderFlags::ATOMIC_INT64_ON_HEAP_RESOURCE)
    .union(ShaderFlags::RES_MAY_NOT_ALIAS)
    .union(ShaderFlags::ADVANCED_TEXTURE_OPS)
    .union(ShaderFlags::WRITEABLE_MSAA_TEXTURES)
    .union(ShaderFlags::SAMPLE_CMP_GRADIENT_OR_BIAS)
    .union(ShaderFlags::EXTENDED_COMMAND_INFO);

/// Checks the declared flags.
pub(super) fn check(cx: &ValidationContext<'_>, uses: &FunctionUses) {
    let mut used = used_flags(cx, uses);
    let all = cx.flags();
    let declared = all & COLLECTED;
    // From shader model 6.7 on the flag says that UAVs do not alias, which is the compiler's
    // choice; without UAVs it has no meaning.
    if used.contains(ShaderFlags::RES_MAY_NOT_ALIAS) {
        used.set(
            ShaderFlags::RES_MAY_NOT_ALIAS,
            declared.contains(ShaderFlags::RES_MAY_NOT_ALIAS),
        );
    }
    used |= flag_of_subobjects(cx);
    let (missing, surplus) = (used - declared, declared - used);
    if !missing.is_empty() || !surplus.is_empty() {
        let names = |flags: ShaderFlags| {
            let names: Vec<&str> = flags.iter_names().map(|(name, _)| name).collect();
            names.join(" ")
        };
        let detail = format_args!(
            "used and not declared: [{}]; declared and not used: [{}]",
            names(missing),
            names(surplus)
        );
        cx.report(Rule::MetaFlagsUsage, detail);
    }
}

/// Returns tier 1.1 if a library declares it: its subobjects may ask for it, and before version 1.8
/// the flag is all of the module that says so.
pub(super) fn flag_of_subobjects(cx: &ValidationContext<'_>) -> ShaderFlags {
    if cx.is_library() && (5..8).contains(&cx.minor()) {
        cx.flags() & ShaderFlags::RAYTRACING_TIER_1_1
    } else {
        ShaderFlags::empty()
    }
}

/// Returns the flags of what the code and the declarations use.
pub(super) fn used_flags(cx: &ValidationContext<'_>, uses: &FunctionUses) -> ShaderFlags {
    let mut flags = ShaderFlags::empty();
    let mut derives = false;
    for own in uses.values().map(|uses| uses.flags) {
        derives |= own.contains(ShaderFlags::USES_DERIVATIVES);
        flags |= own;
    }
    // A hull shader that passes control points through has no body, but signatures.
    for entry in &cx.shader.entry_points {
        flags |= of_signatures(cx, entry);
    }
    let kind = cx.shader.shader_model.kind;
    if derives && matches!(kind, ShaderKind::Mesh | ShaderKind::Amplification) {
        flags |= ShaderFlags::DERIVATIVES_IN_MESH_AND_AMPLIFICATION;
    }
    flags -= ShaderFlags::USES_DERIVATIVES | ShaderFlags::REQUIRES_GROUP;
    let resources = &cx.shader.resources;
    let uavs = &resources.uavs;
    let count = if cx.minor() < 6 {
        uavs.len() as u64
    } else {
        uavs.iter().fold(0u64, |sum, uav| {
            sum + u64::from(uav.count.unwrap_or(u32::MAX)).min(9)
        })
    };
    flags.set(ShaderFlags::UAV_COUNT_OVER_64, count > 8);
    let is_graphics = if cx.minor() < 8 {
        !matches!(kind, ShaderKind::Compute | ShaderKind::Pixel)
    } else {
        matches!(
            kind,
            ShaderKind::Vertex | ShaderKind::Hull | ShaderKind::Domain | ShaderKind::Geometry
        )
    };
    flags.set(
        ShaderFlags::UAVS_AT_EVERY_STAGE,
        !uavs.is_empty() && is_graphics,
    );
    let has_raw = uavs.iter().chain(&resources.srvs).any(|resource| {
        matches!(
            resource.kind,
            ResourceKind::RawBuffer | ResourceKind::StructuredBuffer
        )
    });
    flags.set(ShaderFlags::ENABLE_RAW_AND_STRUCTURED_BUFFERS, has_raw);
    flags & COLLECTED
}

/// The uses of each function.
pub(super) type FunctionUses = SecondaryMap<FuncId, Uses>;

/// The features that a function uses, and the ones that the device must have for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Uses {
    /// Features, derivatives and thread groups among them.
    pub(super) flags: ShaderFlags,
    /// The stages that have all its operations, a bit per [`ShaderKind`].
    pub(super) stages: u16,
    /// The shader model that has all its operations.
    pub(super) shader_model: (u8, u8),
    /// Whether it calls operations that only experimental shader models have.
    pub(super) is_experimental: bool,
}

impl Uses {
    /// Adds the uses of a function that this one calls. Returns whether anything is new.
    pub(super) fn merge(&mut self, called: Uses) -> bool {
        let before = *self;
        self.flags |= called.flags;
        self.stages &= called.stages;
        self.shader_model = self.shader_model.max(called.shader_model);
        self.is_experimental |= called.is_experimental;
        *self != before
    }
}

impl Default for Uses {
    fn default() -> Self {
        Uses {
            flags: ShaderFlags::empty(),
            stages: u16::MAX,
            shader_model: (6, 0),
            is_experimental: false,
        }
    }
}

/// Returns the features that system values require.
fn of_signatures(cx: &ValidationContext<'_>, entry: &EntryPoint) -> ShaderFlags {
    let mut flags = ShaderFlags::empty();
    let is = |kinds: &[ShaderKind]| kinds.contains(&entry.kind);
    let layered = |kind| {
        matches!(
            kind,
            SemanticKind::ViewPortArrayIndex | SemanticKind::RenderTargetArrayIndex
        )
    };
    let tessellates = is(&[ShaderKind::Domain, ShaderKind::Hull]);
    for element in &entry.inputs {
        let reads = is(&[ShaderKind::Geometry]) || (cx.minor() >= 4 && tessellates);
        if layered(element.semantic) && reads {
            flags |= ShaderFlags::VIEWPORT_AND_RT_ARRAY_INDEX;
        }
        match element.semantic {
            SemanticKind::ShadingRate => flags |= ShaderFlags::SHADING_RATE,
            SemanticKind::Barycentrics if cx.minor() >= 6 => flags |= ShaderFlags::BARYCENTRICS,
            _ => {}
        }
    }
    for element in &entry.outputs {
        let writes = tessellates || is(&[ShaderKind::Vertex]);
        if layered(element.semantic) && writes {
            flags |= ShaderFlags::VIEWPORT_AND_RT_ARRAY_INDEX;
        }
        match element.semantic {
            SemanticKind::StencilRef if is(&[ShaderKind::Pixel]) => {
                flags |= ShaderFlags::STENCIL_REF;
            }
            SemanticKind::ShadingRate => flags |= ShaderFlags::SHADING_RATE,
            _ => {}
        }
    }
    flags
}

/// Collects what a function uses, instruction by instruction.
pub(super) struct UsesBuilder<'a, 'c> {
    cx: &'c ValidationContext<'a>,
    view: FuncView<'c>,
    uses: Uses,
    clamps_lod: bool,
    uses_uavs: bool,
    uses_multisampled: bool,
}

impl<'a, 'c> UsesBuilder<'a, 'c> {
    pub(super) fn new(cx: &'c ValidationContext<'a>, view: FuncView<'c>) -> Self {
        UsesBuilder {
            cx,
            view,
            uses: Uses::default(),
            clamps_lod: false,
            uses_uavs: cx.minor() < 8 && !cx.shader.resources.uavs.is_empty(),
            uses_multisampled: false,
        }
    }

    /// Notes the call of an operation; `op` is what it decodes to, if it does.
    pub(super) fn call(
        &mut self,
        data: &InstData,
        args: &[ValueId],
        op: Option<&Op>,
        found: Found,
    ) {
        let wide = self.types(&data.inst, found);
        let opcode = args
            .first()
            .and_then(|opcode| self.view.constant_int(*opcode));
        self.uses.is_experimental |= opcode.is_some_and(is_experimental);
        if let Some(op) = op {
            let row = op.opcode().properties();
            let mut shader_model = row.translated_shader_model;
            if is_reorder_barrier(op) {
                shader_model = shader_model.max((6, 9));
            }
            self.uses.stages &= row.stages.bits();
            self.uses.shader_model = self.uses.shader_model.max(shader_model);
            self.operation(op, wide);
        }
    }

    /// Notes an instruction that is not a call.
    pub(super) fn instruction(&mut self, data: &InstData, found: Found) {
        self.types(&data.inst, found);
    }

    /// Notes that groupshared memory is pointed to.
    pub(super) fn require_group(&mut self) {
        self.uses.flags |= ShaderFlags::REQUIRES_GROUP;
    }

    pub(super) fn finish(self, id: FuncId) -> Uses {
        let UsesBuilder {
            cx,
            mut uses,
            clamps_lod,
            uses_uavs,
            uses_multisampled,
            ..
        } = self;
        let flags = &mut uses.flags;
        if clamps_lod && cx.minor() >= 8 {
            *flags |= ShaderFlags::TILED_RESOURCES;
        }
        if uses_uavs && cx.shader.dxil_version >= (1, 7) {
            *flags |= ShaderFlags::RES_MAY_NOT_ALIAS;
        }
        let old = cx.shader.resources.uavs.iter().any(|uav| {
            matches!(
                uav.kind,
                ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray
            )
        });
        if uses_multisampled || (cx.minor() < 8 && old) {
            *flags |= ShaderFlags::WRITEABLE_MSAA_TEXTURES;
        }
        if let Some(entry) = cx.entry(id) {
            *flags |= of_signatures(cx, entry);
            let derives = flags.contains(ShaderFlags::USES_DERIVATIVES);
            if derives && matches!(entry.kind, ShaderKind::Mesh | ShaderKind::Amplification) {
                *flags |= ShaderFlags::DERIVATIVES_IN_MESH_AND_AMPLIFICATION;
            }
        }
        // Feedback has had its own flag since 1.9, derivatives and groups since 1.8.
        if cx.minor() < 9 {
            *flags -= ShaderFlags::SAMPLER_FEEDBACK;
        }
        if cx.minor() < 6 {
            *flags -= ShaderFlags::BARYCENTRICS;
        }
        if cx.minor() < 8 && cx.is_library() {
            *flags -= ShaderFlags::DERIVATIVES_IN_MESH_AND_AMPLIFICATION;
        }
        uses
    }

    /// Notes the types of an instruction. Returns whether a double and whether an `i64` is there.
    #[inline]
    fn types(&mut self, inst: &Inst, found: Found) -> (bool, bool) {
        if !found.has(DOUBLE | LONG | SMALL) {
            return (false, false);
        }
        self.wide_and_small(inst, found)
    }

    fn wide_and_small(&mut self, inst: &Inst, found: Found) -> (bool, bool) {
        let is_element = matches!(
            inst,
            Inst::ExtractElement { .. } | Inst::InsertElement { .. }
        );
        if is_element {
            return (false, false);
        }
        let (double, long) = (found.has(DOUBLE), found.has(LONG));
        if found.has(SMALL) {
            self.uses.flags |= ShaderFlags::LOW_PRECISION_PRESENT;
        }
        if double {
            self.uses.flags |= ShaderFlags::ENABLE_DOUBLE_PRECISION;
            let extends = match inst {
                Inst::Binary { op, .. } => *op == BinaryOp::FDiv,
                Inst::Cast { op, .. } => matches!(
                    op,
                    CastOp::UiToFp | CastOp::SiToFp | CastOp::FpToUi | CastOp::FpToSi
                ),
                _ => false,
            };
            if extends {
                self.uses.flags |= ShaderFlags::ENABLE_DOUBLE_EXTENSIONS;
            }
        }
        if long {
            self.uses.flags |= ShaderFlags::INT64_OPS;
            if matches!(inst, Inst::AtomicRmw { .. } | Inst::CmpXchg { .. }) {
                self.uses.flags |= ShaderFlags::ATOMIC_INT64_ON_GROUP_SHARED;
            }
        }
        (double, long)
    }

    fn handle(&self, value: ValueId) -> Option<HandleFacts> {
        handle_of(self.cx, self.view, value)
    }

    fn is_constant(&self, value: ValueId) -> bool {
        matches!(
            self.view.value(value).map(|value| value.def),
            Some(ValueDef::Constant(_))
        )
    }

    fn note_uav(&mut self, handle: Option<HandleFacts>) {
        let Some(handle) = handle.filter(HandleFacts::is_uav) else {
            return;
        };
        self.uses_uavs = true;
        self.uses_multisampled |= matches!(
            handle.kind,
            ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray
        );
    }

    fn operation(&mut self, op: &Op, (double, long): (bool, bool)) {
        let row = op.opcode().properties();
        if row.flags.contains(OpFlags::WAVE) {
            self.uses.flags |= ShaderFlags::WAVE_OPS;
        }
        match op {
            Op::Feedback(
                FeedbackOp::WriteSamplerFeedback(_)
                | FeedbackOp::WriteSamplerFeedbackBias(_)
                | FeedbackOp::WriteSamplerFeedbackLevel(_)
                | FeedbackOp::WriteSamplerFeedbackGrad(_),
            ) => self.uses.flags |= ShaderFlags::SAMPLER_FEEDBACK,
            Op::Texture(TextureOp::CheckAccessFullyMapped(_)) => {
                self.uses.flags |= ShaderFlags::TILED_RESOURCES
            }
            Op::Integer(IntegerOp::Msad(_)) => self.uses.flags |= ShaderFlags::ENABLE_MSAD,
            Op::Texture(TextureOp::TextureLoad(call)) => {
                let offsets = call.offsets.iter().filter_map(|offset| offset.expand());
                if !offsets.into_iter().all(|offset| self.is_constant(offset)) {
                    self.uses.flags |= ShaderFlags::ADVANCED_TEXTURE_OPS;
                }
                self.note_typed_load(call.texture);
            }
            Op::Buffer(BufferOp::BufferLoad(call)) => self.note_typed_load(call.buffer),
            Op::Float(FloatOp::Fma(_)) if double => {
                self.uses.flags |= ShaderFlags::ENABLE_DOUBLE_EXTENSIONS
            }
            Op::SystemValue(SystemValueOp::InnerCoverage(_)) => {
                self.uses.flags |= ShaderFlags::INNER_COVERAGE
            }
            Op::SystemValue(SystemValueOp::ViewID(_)) => self.uses.flags |= ShaderFlags::VIEW_ID,
            Op::RayQuery(RayQueryOp::AllocateRayQuery(_) | RayQueryOp::AllocateRayQuery2(_))
            | Op::RayTracing(RayTracingOp::GeometryIndex(_)) => {
                self.uses.flags |= ShaderFlags::RAYTRACING_TIER_1_1
            }
            Op::Signature(SignatureOp::AttributeAtVertex(_)) => {
                self.uses.flags |= ShaderFlags::BARYCENTRICS
            }
            Op::ResourceAtomic(ResourceAtomicOp::AtomicBinOp(call)) if long => {
                self.note_atomic(call.resource)
            }
            Op::ResourceAtomic(ResourceAtomicOp::AtomicCompareExchange(call)) if long => {
                self.note_atomic(call.resource)
            }
            Op::Sampling(op) => self.sampling(op),
            Op::Derivative(
                DerivativeOp::DerivFineX(_)
                | DerivativeOp::DerivFineY(_)
                | DerivativeOp::DerivCoarseX(_)
                | DerivativeOp::DerivCoarseY(_),
            )
            | Op::Texture(TextureOp::CalculateLOD(_)) => {
                self.uses.flags |= ShaderFlags::USES_DERIVATIVES
            }
            Op::Handle(op) => self.creation(op),
            Op::Texture(TextureOp::TextureStoreSample(_)) => {
                self.uses_multisampled = true;
                self.uses.flags |=
                    ShaderFlags::WRITEABLE_MSAA_TEXTURES | ShaderFlags::ADVANCED_TEXTURE_OPS;
            }
            Op::Texture(TextureOp::TextureGatherRaw(_)) => {
                self.uses.flags |= ShaderFlags::ADVANCED_TEXTURE_OPS
            }
            Op::SystemValue(
                SystemValueOp::StartVertexLocation(_) | SystemValueOp::StartInstanceLocation(_),
            ) => {
                self.uses.flags |= ShaderFlags::EXTENDED_COMMAND_INFO;
            }
            Op::Barrier(op) if super::operations::barrier_requires_group(op) => {
                self.uses.flags |= ShaderFlags::REQUIRES_GROUP;
            }
            Op::Preview(PreviewOp::GetGroupWaveIndex(_) | PreviewOp::GetGroupWaveCount(_)) => {
                self.uses.flags |= ShaderFlags::REQUIRES_GROUP;
            }
            _ => {}
        }
    }

    fn note_typed_load(&mut self, resource: ValueId) {
        if is_loaded_from_an_array(self.cx, self.view, resource) {
            return;
        }
        let Some(handle) = self.handle(resource).filter(HandleFacts::is_uav) else {
            return;
        };
        if self.cx.minor() == 0 || (handle.is_typed() && handle.components > 1) {
            self.uses.flags |= ShaderFlags::UAV_LOAD_ADDITIONAL_FORMATS;
        }
    }

    fn note_atomic(&mut self, resource: ValueId) {
        if self
            .handle(resource)
            .is_some_and(|handle| handle.is_typed())
        {
            self.uses.flags |= ShaderFlags::ATOMIC_INT64_ON_TYPED_RESOURCE;
        }
        let annotated =
            match crate::dxil::ops::op_giving(self.view, &self.cx.shader.callees, resource) {
                Some(Op::Handle(HandleOp::AnnotateHandle(call))) => {
                    declared(self.cx, self.view, call.handle)
                }
                _ => None,
            };
        if annotated.is_none_or(|resource| resource.class != ResourceClass::Uav) {
            self.uses.flags |= ShaderFlags::ATOMIC_INT64_ON_HEAP_RESOURCE;
        }
    }

    fn sampling(&mut self, op: &SamplingOp) {
        use SamplingOp::*;
        let (offsets, clamp, derives) = match op {
            Sample(op) => (op.offsets, op.clamp.expand(), true),
            SampleBias(op) => (op.offsets, op.clamp.expand(), true),
            SampleCmp(op) => (op.offsets, op.clamp.expand(), true),
            SampleCmpBias(op) => (op.offsets, op.clamp.expand(), true),
            SampleGrad(op) => (op.offsets, op.clamp.expand(), false),
            SampleCmpGrad(op) => (op.offsets, op.clamp.expand(), false),
            SampleLevel(op) => (op.offsets, None, false),
            SampleCmpLevelZero(op) => (op.offsets, None, false),
            SampleCmpLevel(_) => {
                self.uses.flags |= ShaderFlags::ADVANCED_TEXTURE_OPS;
                return;
            }
        };
        let given = offsets.iter().filter_map(|offset| offset.expand());
        if !given.into_iter().all(|offset| self.is_constant(offset)) {
            self.uses.flags |= ShaderFlags::ADVANCED_TEXTURE_OPS;
        }
        if let Some(clamp) = clamp {
            let is_zero = matches!(
                self.view.constant(clamp),
                Some(Constant::Null | Constant::Float(0))
            );
            self.clamps_lod |= !is_zero;
        }
        if derives {
            self.uses.flags |= ShaderFlags::USES_DERIVATIVES;
        }
        // DXC keeps only what the last of these operations in a function says.
        match op {
            SampleCmpBias(_) | SampleCmpGrad(_) => {
                self.uses.flags |= ShaderFlags::SAMPLE_CMP_GRADIENT_OR_BIAS;
            }
            Sample(_) | SampleBias(_) | SampleCmp(_) | SampleGrad(_) => {
                self.uses.flags -= ShaderFlags::SAMPLE_CMP_GRADIENT_OR_BIAS;
            }
            SampleLevel(_) | SampleCmpLevelZero(_) | SampleCmpLevel(_) => {}
        }
    }

    fn creation(&mut self, op: &HandleOp) {
        match op {
            HandleOp::CreateHandleFromHeap(call) => {
                self.uses.flags |= if call.sampler_heap {
                    ShaderFlags::SAMPLER_DESCRIPTOR_HEAP_INDEXING
                } else {
                    ShaderFlags::RESOURCE_DESCRIPTOR_HEAP_INDEXING
                };
            }
            HandleOp::CreateHandle(call) => {
                let resource = self.cx.shader.resources.find(call.class, call.range_id);
                let is_uav = call.class == ResourceClass::Uav;
                if let (true, Some(resource)) = (is_uav, resource) {
                    self.uses_uavs = true;
                    self.uses_multisampled |= matches!(
                        resource.kind,
                        ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray
                    );
                }
            }
            HandleOp::AnnotateHandle(call) => {
                // Versions 1.6 and 1.7 took it for an operation of shader model 6.6 in libraries,
                // too.
                if self.cx.is_library() && (6..8).contains(&self.cx.minor()) {
                    self.uses.shader_model = self.uses.shader_model.max((6, 6));
                }
                let properties = call.properties;
                if properties.class() == Some(ResourceClass::Uav) {
                    self.uses_uavs = true;
                    self.uses_multisampled |= matches!(
                        properties.kind(),
                        Some(ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray)
                    );
                }
            }
            HandleOp::CreateHandleForLib(call) => {
                let handle = self.handle(call.resource);
                self.note_uav(handle);
            }
            HandleOp::CreateHandleFromBinding(_) => {}
        }
    }
}

/// Returns whether a barrier orders memory around a reordering of threads (SM 6.9).
fn is_reorder_barrier(op: &Op) -> bool {
    let semantics = match op {
        Op::Barrier(BarrierOp::BarrierByMemoryType(call)) => call.semantics,
        Op::Barrier(BarrierOp::BarrierByMemoryHandle(call)) => call.semantics,
        _ => return false,
    };
    semantics.contains(BarrierSemantics::REORDER_SCOPE)
}
