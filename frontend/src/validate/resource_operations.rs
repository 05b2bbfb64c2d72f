//! Operations on resources: class and kind of the handle, coordinates, offsets, masks.

use std::collections::BTreeMap;

use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashMap;

use super::context::{InstLocation, ValidationContext};
use super::handle_facts::HandleFacts;
use super::handles::{declared, handle_of};
use super::rules::Rule;
use crate::dxil::ops::{
    BufferOp, FeedbackOp, HandleOp, HitObjectOp, Op, RayQueryOp, RayTracingOp, ResourceAtomicOp,
    Role, SamplingOp, Shown, TextureOp, VectorOp,
};
use crate::dxil::{ComponentType, ResourceClass, ResourceKind, SamplerKind};
use crate::ir::{Constant, FuncView, Inst, InstData, Type, ValueDef, ValueId};

/// Which counters are incremented (`true`) and which decremented, by UAV.
#[derive(Default)]
pub(super) struct Counters(BTreeMap<u32, bool>);

/// The call that is being checked.
struct Call<'a, 'c> {
    cx: &'c ValidationContext<'a>,
    view: FuncView<'c>,
    location: InstLocation,
}

impl Call<'_, '_> {
    fn report(&self, rule: Rule, detail: impl std::fmt::Display) {
        self.cx.report_at(rule, self.location, detail);
    }

    /// Returns the handle's resource; reports a value that is no handle.
    fn handle(&self, value: ValueId) -> Option<HandleFacts> {
        let handle = handle_of(self.cx, self.view, value);
        if handle.is_none() && !is_undef(self.view, value) {
            let detail = format_args!("{value} does not come from an operation that creates one");
            self.report(Rule::InstrHandleNotFromCreateHandle, detail);
        }
        if handle.is_some_and(|handle| handle.is_reorder_coherent) && !self.cx.is_sm(9) {
            let detail = "the handle is reordercoherent";
            self.report(Rule::InstrReorderCoherentRequiresSM69, detail);
        }
        handle
    }

    fn is_undef(&self, value: ValueId) -> bool {
        is_undef(self.view, value)
    }
}

fn is_undef(view: FuncView<'_>, value: ValueId) -> bool {
    matches!(view.constant(value), Some(Constant::Undef))
}

/// Checks an operation.
pub(super) fn check(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    data: &InstData,
    op: &Op,
    counters: &mut Counters,
) {
    let call = Call { cx, view, location };
    match op {
        Op::Handle(handle) => check_creation(&call, handle),
        Op::Sampling(op) => check_sampling(&call, op),
        Op::Texture(TextureOp::TextureGather(op)) => {
            let sampler = (op.sampler, false);
            check_gather(&call, op.texture, sampler, &op.coords, &op.offsets);
        }
        Op::Texture(TextureOp::TextureGatherCmp(op)) => {
            let sampler = (op.sampler, true);
            check_gather(&call, op.texture, sampler, &op.coords, &op.offsets);
        }
        Op::Texture(TextureOp::TextureGatherRaw(op)) => {
            let sampler = (op.sampler, false);
            check_gather(&call, op.texture, sampler, &op.coords, &op.offsets);
        }
        Op::Texture(TextureOp::CalculateLOD(op)) => {
            check_lod(&call, op.resource, op.sampler, &op.coords)
        }
        Op::Feedback(feedback) => {
            let texture = match feedback {
                FeedbackOp::WriteSamplerFeedback(op) => op.texture,
                FeedbackOp::WriteSamplerFeedbackBias(op) => op.texture,
                FeedbackOp::WriteSamplerFeedbackLevel(op) => op.texture,
                FeedbackOp::WriteSamplerFeedbackGrad(op) => op.texture,
            };
            check_handles(&call, op);
            check_sampled(&call, texture);
        }
        Op::Texture(TextureOp::GetDimensions(op)) => check_dimensions(&call, op.resource, op.mip),
        Op::Texture(TextureOp::TextureLoad(op)) => {
            check_texture_load(&call, op.texture, op.mip_or_sample, &op.offsets);
        }
        Op::Texture(TextureOp::TextureStore(op)) => {
            check_texture_store(&call, op.texture, &op.values, op.mask)
        }
        Op::Texture(TextureOp::TextureStoreSample(op)) => {
            check_texture_store(&call, op.texture, &op.values, op.mask);
            check_multisampled(&call, op.texture, Rule::InstrResourceKindForTextureStore);
        }
        Op::Buffer(BufferOp::BufferLoad(op)) => {
            check_buffer_load(&call, op.buffer, op.element_offset, true)
        }
        Op::Buffer(BufferOp::BufferStore(op)) => {
            if let Some(handle) = check_store_class(&call, op.buffer) {
                check_mask(&call, &op.values, op.mask, handle.is_typed());
                check_coordinates(&call, handle, op.element_offset, true);
            }
        }
        Op::Buffer(BufferOp::RawBufferLoad(op)) => {
            check_wide(&call, data);
            check_buffer_load(&call, op.buffer, op.element_offset, false);
        }
        Op::Buffer(BufferOp::RawBufferStore(op)) => {
            check_wide(&call, data);
            check_mask(&call, &op.values, op.mask, false);
            if let Some(handle) = check_store_class(&call, op.buffer) {
                check_coordinates(&call, handle, op.element_offset, false);
            }
        }
        Op::Vector(VectorOp::RawBufferVectorLoad(op)) => {
            check_buffer_load(&call, op.buffer, op.element_offset, false);
        }
        Op::Vector(VectorOp::RawBufferVectorStore(op)) => {
            if call.is_undef(op.value) {
                call.report(Rule::InstrUndefinedValueForUAVStore, "the value is undef");
            }
            if let Some(handle) = check_store_class(&call, op.buffer) {
                check_coordinates(&call, handle, op.element_offset, false);
            }
        }
        Op::Buffer(BufferOp::CBufferLoad(op)) => check_cbuffer(&call, op.buffer, op.byte_offset, 1),
        Op::Buffer(BufferOp::CBufferLoadLegacy(op)) => {
            check_cbuffer(&call, op.buffer, op.register, 16)
        }
        Op::ResourceAtomic(ResourceAtomicOp::BufferUpdateCounter(op)) => {
            check_counter(&call, op.buffer, op.increment, counters);
        }
        Op::ResourceAtomic(ResourceAtomicOp::AtomicBinOp(op)) => {
            check_atomic(&call, data, op.resource)
        }
        Op::ResourceAtomic(ResourceAtomicOp::AtomicCompareExchange(op)) => {
            check_atomic(&call, data, op.resource)
        }
        Op::Texture(TextureOp::CheckAccessFullyMapped(op)) => check_status(&call, op.status),
        Op::RayTracing(RayTracingOp::TraceRay(op)) => {
            check_acceleration_structure(&call, op.acceleration_structure)
        }
        Op::HitObject(HitObjectOp::HitObjectTraceRay(op)) => {
            check_acceleration_structure(&call, op.acceleration_structure);
        }
        Op::RayQuery(RayQueryOp::RayQueryTraceRayInline(op)) => {
            check_acceleration_structure(&call, op.acceleration_structure);
        }
        Op::Texture(TextureOp::Texture2DMSGetSamplePosition(op)) => {
            check_multisampled(&call, op.texture, Rule::InstrResourceKindForGetDim);
        }
        _ => check_handles(&call, op),
    }
}

fn check_creation(call: &Call<'_, '_>, op: &HandleOp) {
    let (class, id) = match op {
        HandleOp::CreateHandle(create) => {
            if call.cx.is_library() {
                let detail = "CreateHandle in a library";
                call.report(Rule::SmOpcodeInInvalidFunction, detail);
            } else if call.cx.is_sm(6) {
                let detail = "CreateHandle from shader model 6.6 on";
                call.report(Rule::SmOpcodeInInvalidFunction, detail);
            }
            (create.class, create.range_id)
        }
        HandleOp::CreateHandleForLib(_) => {
            if !call.cx.is_library() {
                let detail = "CreateHandleForLib outside of a library";
                call.report(Rule::SmOpcodeInInvalidFunction, detail);
            }
            return;
        }
        HandleOp::CreateHandleFromBinding(create) => {
            let binding = create.binding;
            if let Some(index) = call.view.constant_int(create.index)
                && !(u64::from(binding.lower_bound)..=u64::from(binding.upper_bound))
                    .contains(&index)
            {
                let (lower, upper) = (binding.lower_bound, binding.upper_bound);
                let detail = format_args!("register {index} of {lower} to {upper}");
                call.report(Rule::InstrOpConstRange, detail);
            }
            let resources = &call.cx.resources;
            let found = resources.at_register(binding.class, binding.space, binding.lower_bound);
            if found.is_none() && !call.cx.is_library() {
                let letter = binding.class.letter();
                let detail = format_args!(
                    "no resource is declared for {letter}{}, space{}",
                    binding.lower_bound, binding.space
                );
                call.report(Rule::InstrCreateHandleImmRangeID, detail);
            }
            return;
        }
        HandleOp::AnnotateHandle(annotate) => {
            // DXC believes the annotation, and the translator the binding.
            if let Some(bound) = declared(call.cx, call.view, annotate.handle)
                && let Some(kind) = annotate.properties.kind()
                && kind != bound.kind
            {
                let detail = format_args!("a {:?} is annotated as a {kind:?}", bound.kind);
                call.report(Rule::InstrOpConstRange, detail);
            }
            return;
        }
        HandleOp::CreateHandleFromHeap(_) => return,
    };
    if call.cx.shader.resources.find(class, id).is_none() {
        let detail = format_args!("class {class:?} has no resource {id}");
        call.report(Rule::InstrCreateHandleImmRangeID, detail);
    }
}

/// Returns the coordinates that a texture or buffer is addressed with (DXIL document, "Shader
/// Resources").
fn coordinate_count(kind: ResourceKind) -> usize {
    use ResourceKind::*;
    match kind {
        Texture1D | TypedBuffer | RawBuffer | TBuffer => 1,
        Texture2D | Texture2DMS | Texture1DArray | StructuredBuffer => 2,
        Texture3D | TextureCube | Texture2DArray | Texture2DMSArray => 3,
        TextureCubeArray => 4,
        _ => 0,
    }
}

/// Returns how many texel offsets a texture may be accessed with.
fn offset_count(kind: ResourceKind) -> usize {
    use ResourceKind::*;
    match kind {
        Texture1D | Texture1DArray => 1,
        Texture2D | Texture2DArray | Texture2DMS | Texture2DMSArray => 2,
        Texture3D => 3,
        _ => 0,
    }
}

fn check_coords(call: &Call<'_, '_>, kind: ResourceKind, count: usize, coords: &[ValueId]) {
    for (index, &coord) in coords.iter().enumerate() {
        let is_undef = call.is_undef(coord);
        if index < count && is_undef {
            let detail = format_args!("coordinate {index} of a {kind:?} is undef");
            call.report(Rule::InstrResourceCoordinateMiss, detail);
        } else if index >= count && !is_undef {
            let detail = format_args!("a {kind:?} has no coordinate {index}");
            call.report(Rule::InstrResourceCoordinateTooMany, detail);
        }
    }
}

fn check_offsets(call: &Call<'_, '_>, kind: ResourceKind, offsets: &[PackedOption<ValueId>]) {
    let count = offset_count(kind);
    let has_first = offsets.first().is_some_and(PackedOption::is_some);
    for (index, offset) in offsets.iter().enumerate() {
        match offset.expand() {
            Some(_) if index >= count => {
                let detail = format_args!("a {kind:?} has no offset {index}");
                call.report(Rule::InstrResourceOffsetTooMany, detail);
            }
            Some(offset) if !call.cx.is_sm(7) => check_offset_range(call, offset),
            None if index > 0 && index < count && has_first => {
                let detail = format_args!("offset {index} of a {kind:?} is undef");
                call.report(Rule::InstrResourceOffsetMiss, detail);
            }
            _ => {}
        }
    }
}

fn check_offset_range(call: &Call<'_, '_>, offset: ValueId) {
    let value = call.view.constant_int(offset);
    // Constants are kept zero-extended; offsets are i32.
    let value = value.and_then(|value| u32::try_from(value).ok());
    match value.map(u32::cast_signed) {
        Some(-8..=7) => {}
        Some(other) => {
            let detail = format_args!("the offset is {other}");
            call.report(Rule::InstrTextureOffset, detail);
        }
        None => call.report(Rule::InstrTextureOffset, "the offset is not a constant"),
    }
}

fn has_mips(kind: ResourceKind) -> bool {
    use ResourceKind::*;
    matches!(
        kind,
        Texture1D
            | Texture1DArray
            | Texture2D
            | Texture2DArray
            | Texture3D
            | TextureCube
            | TextureCubeArray
    )
}

fn check_sampler(call: &Call<'_, '_>, sampler: ValueId, compares: bool) {
    let Some(handle) = call.handle(sampler) else {
        return;
    };
    let (rule, wanted) = if compares {
        (Rule::InstrSamplerModeForSampleC, SamplerKind::Comparison)
    } else {
        (Rule::InstrSamplerModeForSample, SamplerKind::Default)
    };
    if handle.class != ResourceClass::Sampler {
        call.report(rule, "the operand is no sampler");
    } else if handle.sampler != Some(wanted) {
        let found = handle.sampler.unwrap_or(SamplerKind::Invalid);
        call.report(rule, format_args!("the sampler's mode is {found:?}"));
    }
}

fn check_sampling(call: &Call<'_, '_>, op: &SamplingOp) {
    let (texture, sampler, coords, offsets, compares, bias) = match op {
        SamplingOp::Sample(op) => (op.texture, op.sampler, op.coords, op.offsets, false, None),
        SamplingOp::SampleBias(op) => {
            let bias = Some(op.bias);
            (op.texture, op.sampler, op.coords, op.offsets, false, bias)
        }
        SamplingOp::SampleLevel(op) => (op.texture, op.sampler, op.coords, op.offsets, false, None),
        SamplingOp::SampleGrad(op) => (op.texture, op.sampler, op.coords, op.offsets, false, None),
        SamplingOp::SampleCmp(op) => (op.texture, op.sampler, op.coords, op.offsets, true, None),
        SamplingOp::SampleCmpLevelZero(op) => {
            (op.texture, op.sampler, op.coords, op.offsets, true, None)
        }
        SamplingOp::SampleCmpLevel(op) => {
            (op.texture, op.sampler, op.coords, op.offsets, true, None)
        }
        SamplingOp::SampleCmpGrad(op) => {
            (op.texture, op.sampler, op.coords, op.offsets, true, None)
        }
        SamplingOp::SampleCmpBias(op) => {
            let bias = Some(op.bias);
            (op.texture, op.sampler, op.coords, op.offsets, true, bias)
        }
    };
    if let Some(Constant::Float(bits)) = bias.and_then(|bias| call.view.constant(bias)) {
        let bias = f32::from_bits(u32::try_from(bits).unwrap_or(0));
        if !(-16.0..=15.99).contains(&bias) {
            let detail = format_args!("the bias is {bias}");
            call.report(Rule::InstrImmBiasForSampleB, detail);
        }
    }
    check_sampler(call, sampler, compares);
    let Some(handle) = call.handle(texture) else {
        return;
    };
    let kind = handle.kind;
    if handle.class != ResourceClass::Srv {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrResourceClassForSamplerGather, detail);
    }
    if !can_filter(call, handle.component, compares) {
        let detail = format_args!("the components are {:?}", handle.component);
        call.report(Rule::InstrSampleCompType, detail);
    }
    if !has_mips(kind) || (compares && kind == ResourceKind::Texture3D) {
        let rule = if compares {
            Rule::InstrResourceKindForSampleC
        } else {
            Rule::InstrResourceKindForSample
        };
        call.report(rule, format_args!("the resource is a {kind:?}"));
        return;
    }
    check_coords(call, kind, coordinate_count(kind), &coords);
    check_offsets(call, kind, &offsets);
}

fn can_filter(call: &Call<'_, '_>, component: Option<ComponentType>, compares: bool) -> bool {
    use ComponentType::*;
    match component {
        Some(F32 | SNormF32 | UNormF32 | F16 | SNormF16 | UNormF16) => true,
        // Integer textures can be sampled with point filters from shader model 6.7 on.
        Some(I16 | U16 | I32 | U32) => call.cx.is_sm(7) && !compares,
        _ => false,
    }
}

/// Checks that the handles among the operands are handles.
fn check_handles(call: &Call<'_, '_>, op: &Op) {
    op.show_operands(&mut |_, role, shown| {
        if let (true, Shown::Value(value)) = (role.is_handle(), shown)
            && role != Role::AccelerationStructure
            && let Some(handle) = call.handle(value)
        {
            check_role(call, role, handle);
        }
    });
}

/// Checks what the operand's role alone asks for.
fn check_role(call: &Call<'_, '_>, role: Role, handle: HandleFacts) {
    use ResourceKind::{FeedbackTexture2D, FeedbackTexture2DArray};
    let (class, kind) = (handle.class, handle.kind);
    let rule = match role {
        Role::Sampler if class != ResourceClass::Sampler => Rule::InstrSamplerModeForSample,
        Role::FeedbackMap if !matches!(kind, FeedbackTexture2D | FeedbackTexture2DArray) => {
            Rule::InstrResourceKindForTextureStore
        }
        _ => return,
    };
    call.report(rule, format_args!("the resource is a {kind:?}"));
}

/// Checks that the resource whose samples are recorded as feedback is an SRV.
fn check_sampled(call: &Call<'_, '_>, texture: ValueId) {
    if let Some(handle) = handle_of(call.cx, call.view, texture)
        && handle.class != ResourceClass::Srv
    {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrResourceClassForSamplerGather, detail);
    }
}

fn check_gather(
    call: &Call<'_, '_>,
    texture: ValueId,
    (sampler, compares): (ValueId, bool),
    coords: &[ValueId],
    offsets: &[PackedOption<ValueId>],
) {
    check_sampler(call, sampler, compares);
    let Some(handle) = call.handle(texture) else {
        return;
    };
    if handle.class != ResourceClass::Srv {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrResourceClassForSamplerGather, detail);
        return;
    }
    let kind = handle.kind;
    check_coords(call, kind, coordinate_count(kind), coords);
    let given = |index: usize| offsets.get(index).is_some_and(PackedOption::is_some);
    match kind {
        ResourceKind::Texture2D | ResourceKind::Texture2DArray => {
            if given(0) && !given(1) {
                call.report(Rule::InstrResourceOffsetMiss, "offset 1 is undef");
            }
        }
        ResourceKind::TextureCube | ResourceKind::TextureCubeArray => {
            if given(0) || given(1) {
                call.report(Rule::InstrResourceOffsetTooMany, "a cube has no offsets");
            }
        }
        _ => {
            let detail = format_args!("the resource is a {kind:?}");
            call.report(Rule::InstrResourceKindForGather, detail);
        }
    }
}

fn check_lod(call: &Call<'_, '_>, resource: ValueId, sampler: ValueId, coords: &[ValueId]) {
    if let Some(handle) = call.handle(sampler) {
        let fits = match handle.sampler {
            Some(SamplerKind::Default) => true,
            Some(SamplerKind::Comparison) => call.cx.is_sm(8),
            _ => false,
        };
        if handle.class != ResourceClass::Sampler || !fits {
            let detail = "the sampler compares, or is none";
            call.report(Rule::InstrSamplerModeForLOD, detail);
        }
    }
    let Some(handle) = call.handle(resource) else {
        return;
    };
    let kind = handle.kind;
    if handle.class != ResourceClass::Srv {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrResourceClassForSamplerGather, detail);
        return;
    }
    // The layer of an array plays no part in the level.
    let is_array = matches!(
        kind,
        ResourceKind::Texture1DArray
            | ResourceKind::Texture2DArray
            | ResourceKind::TextureCubeArray
    );
    let count = coordinate_count(kind) - usize::from(is_array);
    check_coords(call, kind, count, coords);
    if !has_mips(kind) {
        let detail = format_args!("the resource is a {kind:?}");
        call.report(Rule::InstrResourceKindForCalcLOD, detail);
    }
}

/// Returns what GetDimensions gives: width, height, depth or layers, and levels or samples.
fn defined_dimensions(kind: ResourceKind) -> Option<&'static [u64]> {
    use ResourceKind::*;
    Some(match kind {
        Texture1D => &[0, 3],
        Texture1DArray | Texture2D | Texture2DMS | TextureCube => &[0, 1, 3],
        Texture2DArray | Texture2DMSArray | Texture3D | TextureCubeArray => &[0, 1, 2, 3],
        StructuredBuffer | RawBuffer | TypedBuffer | TBuffer => &[0],
        _ => return None,
    })
}

fn check_dimensions(call: &Call<'_, '_>, resource: ValueId, mip: PackedOption<ValueId>) {
    use ResourceKind::*;
    let Some(handle) = call.handle(resource) else {
        return;
    };
    match handle.kind {
        StructuredBuffer | RawBuffer | TypedBuffer | TBuffer if mip.is_some() => {
            let detail = "a buffer has no mip levels";
            call.report(Rule::InstrMipLevelForGetDimension, detail);
        }
        kind if defined_dimensions(kind).is_none() => {
            let detail = format_args!("the resource is a {kind:?}");
            call.report(Rule::InstrResourceKindForGetDim, detail);
        }
        _ => {}
    }
}

/// Results of GetDimensions, and the kinds of their resources.
#[derive(Default)]
pub(super) struct Dimensions(FxHashMap<ValueId, ResourceKind>);

impl Dimensions {
    /// Notes an operation.
    pub(super) fn note(
        &mut self,
        cx: &ValidationContext<'_>,
        view: FuncView<'_>,
        data: &InstData,
        op: &Op,
    ) {
        if let Op::Texture(TextureOp::GetDimensions(op)) = op
            && let Some(result) = data.result.expand()
            && let Some(handle) = handle_of(cx, view, op.resource)
        {
            self.0.insert(result, handle.kind);
        }
    }

    /// Checks that an instruction takes no dimension that the resource does not have.
    pub(super) fn check_use(
        &self,
        cx: &ValidationContext<'_>,
        view: FuncView<'_>,
        location: InstLocation,
        inst: &Inst,
    ) {
        if self.0.is_empty() {
            return;
        }
        if let Inst::ExtractValue { aggregate, indices } = inst
            && let Some(&kind) = self.0.get(aggregate)
            && let Some(defined) = defined_dimensions(kind)
            && let [index] = view.function.indices_of(*indices)
            && !defined.contains(index)
        {
            let detail = format_args!("a {kind:?} has no dimension {index}");
            cx.report_at(Rule::InstrUndefResultForGetDimension, location, detail);
        }
    }
}

fn check_texture_load(
    call: &Call<'_, '_>,
    texture: ValueId,
    mip: PackedOption<ValueId>,
    offsets: &[PackedOption<ValueId>],
) {
    use ResourceKind::*;
    let Some(handle) = call.handle(texture) else {
        return;
    };
    let is_multisampled = matches!(handle.kind, Texture2DMS | Texture2DMSArray);
    match handle.class {
        ResourceClass::Uav => {
            if offsets.iter().any(PackedOption::is_some) {
                call.report(Rule::InstrOffsetOnUAVLoad, "the load has offsets");
            }
            if mip.is_some() && !is_multisampled {
                call.report(Rule::InstrMipOnUAVLoad, "the load has a mip level");
            }
        }
        ResourceClass::Srv => {}
        class => {
            let detail = format_args!("the resource is a {class:?}");
            call.report(Rule::InstrResourceClassForLoad, detail);
        }
    }
    match handle.kind {
        Texture1D | Texture1DArray | Texture2D | Texture2DArray | Texture3D => {}
        Texture2DMS | Texture2DMSArray => {
            if mip.is_none() {
                call.report(Rule::InstrSampleIndexForLoad2DMS, "the sample is undef");
            }
        }
        kind => {
            let detail = format_args!("the resource is a {kind:?}");
            call.report(Rule::InstrResourceKindForTextureLoad, detail);
            return;
        }
    }
    check_offsets(call, handle.kind, offsets);
}

fn check_store_class(call: &Call<'_, '_>, resource: ValueId) -> Option<HandleFacts> {
    let handle = call.handle(resource)?;
    if !handle.is_uav() {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrResourceClassForUAVStore, detail);
    }
    Some(handle)
}

fn check_texture_store(call: &Call<'_, '_>, texture: ValueId, values: &[ValueId], mask: u8) {
    use ResourceKind::*;
    let Some(handle) = check_store_class(call, texture) else {
        return;
    };
    check_mask(call, values, mask, true);
    if !matches!(
        handle.kind,
        Texture1D
            | Texture1DArray
            | Texture2D
            | Texture2DArray
            | Texture2DMS
            | Texture2DMSArray
            | Texture3D
    ) {
        let detail = format_args!("the resource is a {:?}", handle.kind);
        call.report(Rule::InstrResourceKindForTextureStore, detail);
    }
}

fn check_mask(call: &Call<'_, '_>, values: &[ValueId], mask: u8, is_typed: bool) {
    let defined = values
        .iter()
        .enumerate()
        .filter(|(_, value)| !call.is_undef(**value))
        .fold(0u8, |mask, (index, _)| mask | 1 << (index & 7));
    if is_typed && mask != 0xf {
        let detail = format_args!("the mask is {mask:#x}");
        call.report(Rule::InstrWriteMaskForTypedUAVStore, detail);
    }
    if !matches!(mask, 0x1 | 0x3 | 0x7 | 0xf) {
        let detail = format_args!("the mask is {mask:#x}");
        call.report(Rule::InstrWriteMaskGapForUAV, detail);
    }
    if mask & !defined != 0 {
        let detail = format_args!("the mask is {mask:#x}, {defined:#x} are defined");
        call.report(Rule::InstrUndefinedValueForUAVStore, detail);
    } else if mask != defined {
        let detail = format_args!("the mask is {mask:#x}, {defined:#x} are defined");
        call.report(Rule::InstrWriteMaskMatchValueForUAVStore, detail);
    }
}

fn check_buffer_load(
    call: &Call<'_, '_>,
    buffer: ValueId,
    offset: PackedOption<ValueId>,
    allows_typed: bool,
) {
    let Some(handle) = call.handle(buffer) else {
        return;
    };
    if !matches!(handle.class, ResourceClass::Srv | ResourceClass::Uav) {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrResourceClassForLoad, detail);
    }
    check_coordinates(call, handle, offset, allows_typed);
}

fn check_coordinates(
    call: &Call<'_, '_>,
    handle: HandleFacts,
    offset: PackedOption<ValueId>,
    allows_typed: bool,
) {
    match handle.kind {
        ResourceKind::StructuredBuffer => {
            if offset.is_none() {
                let detail = "the offset in the element is undef";
                call.report(Rule::InstrCoordinateCountForStructBuf, detail);
            }
        }
        ResourceKind::RawBuffer => check_single(call, offset),
        ResourceKind::TypedBuffer | ResourceKind::TBuffer if allows_typed => {
            check_single(call, offset);
        }
        kind => {
            let detail = format_args!("the resource is a {kind:?}");
            call.report(Rule::InstrResourceKindForBufferLoadStore, detail);
        }
    }
}

fn check_single(call: &Call<'_, '_>, offset: PackedOption<ValueId>) {
    if offset.is_some() {
        let detail = "the second coordinate is not undef";
        call.report(Rule::InstrCoordinateCountForRawTypedBuf, detail);
    }
}

/// Checks for 64-bit values of raw buffers before shader model 6.3.
fn check_wide(call: &Call<'_, '_>, data: &InstData) {
    if call.cx.is_sm(3) {
        return;
    }
    let Inst::Call { callee, .. } = data.inst else {
        return;
    };
    let callee = call.view.as_function(callee);
    let name = callee.map_or("", |callee| call.cx.name_of(callee));
    if name.ends_with(".i64") || name.ends_with(".f64") {
        call.report(Rule::Sm64bitRawBufferLoadStore, name);
    }
}

fn check_cbuffer(call: &Call<'_, '_>, buffer: ValueId, at: ValueId, unit: u64) {
    let Some(handle) = call.handle(buffer) else {
        return;
    };
    if handle.class != ResourceClass::Cbv {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrCBufferClassForCBufferHandle, detail);
        return;
    }
    let size = u64::from(handle.cbuffer_bytes);
    if let Some(at) = call.view.constant_int(at)
        && size > 0
        && at.saturating_mul(unit) >= size
    {
        let detail = format_args!("byte {} of {size}", at.saturating_mul(unit));
        call.report(Rule::InstrCBufferOutOfBound, detail);
    }
}

fn check_counter(call: &Call<'_, '_>, buffer: ValueId, increment: i8, counters: &mut Counters) {
    let Some(handle) = call.handle(buffer) else {
        return;
    };
    if !handle.is_uav() {
        let detail = format_args!("the resource is a {:?}", handle.class);
        call.report(Rule::InstrBufferUpdateCounterOnUAV, detail);
    }
    if handle.kind != ResourceKind::StructuredBuffer {
        let detail = format_args!("the resource is a {:?}", handle.kind);
        call.report(Rule::SmCounterOnlyOnStructBuf, detail);
    }
    if !handle.has_counter {
        let detail = "the resource has no counter";
        call.report(Rule::InstrBufferUpdateCounterOnResHasCounter, detail);
    }
    let is_up = increment == 1;
    if let (Some(id), false) = (handle.id, call.cx.is_library())
        && *counters.0.entry(id).or_insert(is_up) != is_up
    {
        let detail = format_args!("the counter of u-range {id} goes both ways");
        call.report(Rule::InstrOnlyOneAllocConsume, detail);
    }
}

fn check_atomic(call: &Call<'_, '_>, data: &InstData, resource: ValueId) {
    if *call.cx.types().get(data.ty) == Type::Int(64) && !call.cx.is_sm(6) {
        let detail = "a 64-bit atomic operation before shader model 6.6";
        call.report(Rule::SmOpcodeInInvalidFunction, detail);
    }
    match handle_of(call.cx, call.view, resource) {
        Some(handle) if handle.is_uav() => {}
        Some(handle) => {
            let detail = format_args!("the resource is a {:?}", handle.class);
            call.report(Rule::InstrAtomicIntrinNonUAV, detail);
        }
        None if declared(call.cx, call.view, resource).is_some() => {}
        None => {
            let detail =
                format_args!("{resource} does not come from an operation that creates one");
            call.report(Rule::InstrHandleNotFromCreateHandle, detail);
        }
    }
}

fn check_status(call: &Call<'_, '_>, status: ValueId) {
    let is_status = || {
        let ValueDef::Inst(inst) = call.view.value(status)?.def else {
            return None;
        };
        let Inst::ExtractValue { aggregate, indices } = call.view.function.insts.get(inst)?.inst
        else {
            return None;
        };
        let ty = call.view.type_of(aggregate)?;
        let Type::Struct {
            name: Some(name),
            fields,
            ..
        } = call.cx.types().get(ty)
        else {
            return None;
        };
        let last = fields.len().checked_sub(1)? as u64;
        let is_last = call.view.function.indices_of(indices) == [last];
        Some(name.starts_with("dx.types.ResRet.") && is_last)
    };
    if is_status() != Some(true) {
        let detail = format_args!("{status} is not the status of an access");
        call.report(Rule::InstrCheckAccessFullyMapped, detail);
    }
}

fn check_acceleration_structure(call: &Call<'_, '_>, value: ValueId) {
    let handle = handle_of(call.cx, call.view, value);
    let found = handle.map(|handle| (handle.class, handle.kind));
    if found != Some((ResourceClass::Srv, ResourceKind::RtAccelerationStructure)) {
        let kind = found.map(|(_, kind)| kind);
        let detail = format_args!("the resource is a {kind:?}");
        call.report(Rule::InstrResourceKindForTraceRay, detail);
    }
}

/// Checks that a resource whose samples are stored to or asked about has samples. DXC's validator
/// does not look at these.
fn check_multisampled(call: &Call<'_, '_>, texture: ValueId, rule: Rule) {
    use ResourceKind::{Texture2DMS, Texture2DMSArray};
    if let Some(handle) = call.handle(texture)
        && !matches!(handle.kind, Texture2DMS | Texture2DMSArray)
    {
        let detail = format_args!("samples of a {:?}", handle.kind);
        call.report(rule, detail);
    }
}
