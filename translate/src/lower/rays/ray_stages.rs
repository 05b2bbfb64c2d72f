//! The ray tracing stages (DirectX Raytracing, "Shaders"; `SPV_KHR_ray_tracing`).
//!
//! D3D12 passes payload, hit attributes and callable data to a shader as parameters, and takes a
//! pointer to the payload that a shader sends with a ray. SPIR-V has variables of their own storage
//! classes for both:
//!
//! ```text
//! any hit (payload, attributes) -> IncomingRayPayloadKHR, HitAttributeKHR
//! TraceRay(..., payload)        -> copy payload to a RayPayloadKHR; OpTraceRayKHR; copy it back
//! ```
//!
//! Such variables always have the type of the source, because the stages of a pipeline have to
//! agree on its layout. A parameter that is accessed as another type is copied to a variable of
//! cells (see [`crate::lower::memory::variables`]) and back.
//!
//! Ray flags, masks, hit kinds and the indices of shader tables are the same numbers in D3D and in
//! SPIR-V.

use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::dxil::ops::calls;
use dxil_frontend::ir::{FuncId, Inst, TypeId, TypeList, ValueId};

use crate::analysis::addresses::{root_key, root_of};
use crate::lower::context::{Context, Input};
use crate::lower::memory::state::{Pointer, PointerId};
use crate::lower::memory::{accesses, addresses, variables};
use crate::lower::rays::state::RayTracing;
use crate::lower::rays::{acceleration_structures, micromaps};
use crate::lower::signatures::{inputs, thread_ids};
use crate::lower::values::LoweredValue;
use crate::lower::{blocks, types};
use crate::options::Features;
use crate::spirv::{Builder, BuiltIn, Capability, Id, Op, StorageClass};
use crate::{Error, Result};

/// `RAY_FLAG_SKIP_TRIANGLES` and `RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES`.
const SKIP_FLAGS: u32 = 0x300;
/// `RAY_FLAG_FORCE_OMM_2_STATE`.
const FORCE_2_STATE: u32 = 0x400;

impl RayTracing {
    /// Returns the state of an entry point with that function.
    pub(in crate::lower) fn of(main: FuncId) -> Self {
        RayTracing {
            main: Some(main),
            ..RayTracing::default()
        }
    }
}

/// Declares the capability and the extension of the ray tracing stages.
pub(in crate::lower) fn declare_modes(b: &mut Builder, input: &Input<'_>) -> Result<()> {
    if !input.is_ray_stage() {
        return Ok(());
    }
    let user = || format!("a {} shader", input.entry.kind.prefix());
    input.need_feature(Features::RAY_TRACING, "rayTracingPipeline", user)?;
    b.capability(Capability::RayTracingKHR);
    b.extension("SPV_KHR_ray_tracing");
    Ok(())
}

/// Returns whether other shaders run in the middle of this one: the device decides which lanes
/// continue together after that (VUID-StandaloneSpirv-MaximallyReconvergesKHR-09565).
pub(in crate::lower) fn invokes_shaders(cx: &Context<'_>) -> bool {
    !cx.module.rays.stages.sent.is_empty()
        || cx.module.rays.stages.reported.is_some()
        || cx.module.rays.hit_objects.reorders
}

/// Returns whether the function's parameters are variables of the entry point.
pub(in crate::lower) fn has_stage_parameters(cx: &Context<'_>, func: FuncId) -> bool {
    cx.input.is_ray_stage() && cx.module.rays.stages.main == Some(func)
}

/// Makes the variables for the entry point's parameters, at the beginning of its first block.
pub(in crate::lower) fn stage_parameters(cx: &mut Context<'_>, params: &TypeList) -> Result<()> {
    use StorageClass::{HitAttributeKHR, IncomingCallableDataKHR, IncomingRayPayloadKHR};
    let classes: &[StorageClass] = match cx.input.entry.kind {
        ShaderKind::AnyHit | ShaderKind::ClosestHit => &[IncomingRayPayloadKHR, HitAttributeKHR],
        ShaderKind::Miss => &[IncomingRayPayloadKHR],
        ShaderKind::Callable => &[IncomingCallableDataKHR],
        _ => &[],
    };
    // DXC's signatures are fixed per stage (DirectX Raytracing, "Shaders"): a different number of
    // parameters cannot come from HLSL.
    if params.len() != classes.len() {
        return Err(Error::malformed(format!(
            "a {} shader with {} parameters",
            cx.input.entry.kind.prefix(),
            params.len()
        )));
    }
    for (index, (&param, &class)) in (0..).zip(params.iter().zip(classes)) {
        let Some(pointee) = cx.input.types().pointee(param) else {
            return Err(Error::malformed(
                "a parameter of a ray tracing shader that is no address",
            ));
        };
        let value = ValueId::from_u32(cx.function.view.function.first_value + index);
        let ty = types::lower(cx, pointee)?;
        let pointer_ty = cx.b.pointer(class, ty);
        let outer = cx.b.global_variable(class, pointer_ty, None);
        // Payload and attributes have the layout of the source, which the other stages of the
        // pipeline share. Accesses as other types go to a copy of which this shader alone decides
        // the layout.
        let variable = root_key(cx.function.view, value);
        let in_cells = cx
            .input
            .analyses
            .reinterpreted
            .cell_width(variable)
            .is_some();
        // Attributes belong to the hit: a shader that changes them changes its own copy.
        let own = class == HitAttributeKHR && may_be_written(cx, value);
        let pointer = if in_cells || own {
            let inner = variables::variable_of(cx, value, pointee, StorageClass::Function, None)?;
            let whole = cx.b.load(ty, outer);
            accesses::store_whole(cx, inner, pointee, whole)?;
            // SPIR-V makes the attributes read-only here
            // (VUID-StandaloneSpirv-HitAttributeKHR-04703), and D3D12 does not hand changes on:
            // nothing to copy back.
            if class != HitAttributeKHR {
                cx.module.rays.stages.copies.push((inner, pointee, outer));
            }
            inner
        } else {
            cx.module.memory.add(Pointer::Typed {
                id: outer,
                pointee,
                array_element: None,
                class,
            })
        };
        cx.function
            .values
            .set(value, LoweredValue::Pointer(pointer));
    }
    Ok(())
}

/// Returns whether anything but loads accesses the memory that the parameter points to.
fn may_be_written(cx: &Context<'_>, parameter: ValueId) -> bool {
    let view = cx.function.view;
    let mut insts = view.function.insts.values();
    insts.any(|data| match data.inst {
        Inst::Store { pointer, .. }
        | Inst::AtomicRmw { pointer, .. }
        | Inst::CmpXchg { pointer, .. } => root_of(view, pointer) == Some(parameter),
        Inst::Call { args, .. } => view
            .function
            .values_of(args)
            .iter()
            .any(|&arg| is_address(cx, arg) && root_of(view, arg) == Some(parameter)),
        _ => false,
    })
}

fn is_address(cx: &Context<'_>, value: ValueId) -> bool {
    let ty = cx.function.view.type_of(value);
    ty.is_some_and(|ty| cx.input.types().pointee(ty).is_some())
}

/// Copies the parameters back that are copies, at the end of the invocation.
pub(in crate::lower) fn return_parameters(cx: &mut Context<'_>) -> Result<()> {
    if cx.module.rays.stages.main != Some(cx.function.view.function.id) {
        return Ok(());
    }
    // Copying back at the end is right because nobody else sees the payload while this shader runs.
    for (inner, pointee, outer) in cx.module.rays.stages.copies.clone() {
        let whole = accesses::load_whole(cx, inner, pointee)?;
        cx.b.store(outer, whole);
    }
    Ok(())
}

/// Returns the memory that an operand points to, as a pointer and the type of the whole.
pub(super) fn sent_data(cx: &mut Context<'_>, value: ValueId) -> Result<(PointerId, TypeId)> {
    let ty = cx.function.type_of(value)?;
    let Some(pointee) = cx.input.types().pointee(ty) else {
        return Err(Error::malformed(
            "data for another shader without an address",
        ));
    };
    let pointer = addresses::lower_pointer(cx, value)?;
    // The instruction takes the whole of the variable: a pointer into the middle of an aggregate
    // must be to the type that the call names.
    if let Pointer::Typed { pointee: own, .. } = variables::pointer_data(cx, pointer)? {
        accesses::same_type(&cx.input, own, pointee)?;
    }
    Ok((pointer, pointee))
}

/// Passes data with an instruction, and copies it back afterwards.
pub(super) fn with_sent(
    cx: &mut Context<'_>,
    data: ValueId,
    class: StorageClass,
    instruction: impl FnOnce(&mut Context<'_>, Id) -> Result<()>,
) -> Result<()> {
    let (pointer, pointee) = sent_data(cx, data)?;
    let ty = types::lower(cx, pointee)?;
    // Sending copies the data in and out at once, so that one variable per type serves all calls.
    let known = cx.module.rays.stages.sent.iter();
    let known = known
        .filter(|&&(other, other_ty, _)| (other, other_ty) == (class, ty))
        .map(|&(.., id)| id)
        .next();
    let variable = known.unwrap_or_else(|| {
        let pointer_ty = cx.b.pointer(class, ty);
        let id = cx.b.global_variable(class, pointer_ty, None);
        cx.module.rays.stages.sent.push((class, ty, id));
        id
    });
    let before = accesses::load_whole(cx, pointer, pointee)?;
    cx.b.store(variable, before);
    instruction(cx, variable)?;
    let after = cx.b.load(ty, variable);
    // The other shader may have changed any member of it.
    accesses::store_whole(cx, pointer, pointee, after)
}

/// Lowers `traceRay`.
pub(super) fn trace_ray(cx: &mut Context<'_>, op: &calls::TraceRay) -> Result<LoweredValue> {
    use ShaderKind::{ClosestHit, Miss, RayGeneration};
    only_in(&cx.input, &[RayGeneration, ClosestHit, Miss], "TraceRay")?;
    let structure = acceleration_structures::acceleration_structure(cx, op.acceleration_structure)?;
    let mut operands = vec![structure];
    operands.extend(ray_words(
        cx,
        [
            op.ray_flags,
            op.instance_mask,
            op.ray_contribution,
            op.geometry_multiplier,
            op.miss_index,
        ],
    )?);
    operands.extend(ray_description(
        cx,
        op.origin,
        op.t_min,
        op.direction,
        op.t_max,
    )?);
    with_sent(
        cx,
        op.payload,
        StorageClass::RayPayloadKHR,
        |cx, payload| {
            operands.push(payload);
            cx.b.emit_void(Op::TraceRayKHR, &operands);
            Ok(())
        },
    )?;
    Ok(LoweredValue::Unset)
}

/// Returns the five words of a trace: ray flags, instance mask, and the three values that choose
/// records of shader tables. Constant flags that the target ignores are removed.
pub(super) fn ray_words(cx: &mut Context<'_>, words: [ValueId; 5]) -> Result<[Id; 5]> {
    let mut ids = cx.ids(words)?;
    match cx.b.literal(ids[0]) {
        Some(flags) => ids[0] = ray_flags(&mut cx.b, &cx.input, flags)?,
        // The flags are not known: allow everything that the device supports. Without the feature
        // the capability must not be declared, and the shader may never set the flags.
        None if cx.input.has(Features::RAY_PRIMITIVE_CULLING) => {
            cx.b.capability(Capability::RayTraversalPrimitiveCullingKHR);
        }
        None => {}
    }
    Ok(ids)
}

/// Returns constant flags without those that the target ignores.
fn ray_flags(b: &mut Builder, input: &Input<'_>, mut flags: u32) -> Result<Id> {
    if flags & SKIP_FLAGS != 0 {
        input.need_feature(
            Features::RAY_PRIMITIVE_CULLING,
            "rayTraversalPrimitiveCulling",
            || "a ray that skips a kind of primitive".to_owned(),
        )?;
        b.capability(Capability::RayTraversalPrimitiveCullingKHR);
    }
    if flags & FORCE_2_STATE != 0 && micromaps::available(input) {
        micromaps::declare(b, input);
    } else {
        // The flag has no effect without micromaps.
        flags &= !FORCE_2_STATE;
    }
    Ok(b.const_u32(flags))
}

/// Returns origin, minimum distance, direction and maximum distance of a ray, in the order of
/// SPIR-V's operands.
pub(super) fn ray_description(
    cx: &mut Context<'_>,
    origin: [ValueId; 3],
    t_min: ValueId,
    direction: [ValueId; 3],
    t_max: ValueId,
) -> Result<[Id; 4]> {
    Ok([
        float_vector(cx, origin)?,
        cx.id(t_min)?,
        float_vector(cx, direction)?,
        cx.id(t_max)?,
    ])
}

fn float_vector(cx: &mut Context<'_>, values: [ValueId; 3]) -> Result<Id> {
    let parts = cx.ids(values)?;
    let float = cx.b.f32();
    let vector = cx.b.vector(float, 3);
    Ok(cx.b.construct(vector, &parts))
}

/// Lowers `callShader`.
pub(super) fn call_shader(cx: &mut Context<'_>, op: &calls::CallShader) -> Result<LoweredValue> {
    use ShaderKind::{Callable, ClosestHit, Miss, RayGeneration};
    only_in(
        &cx.input,
        &[RayGeneration, ClosestHit, Miss, Callable],
        "CallShader",
    )?;
    let index = cx.id(op.shader_index)?;
    with_sent(
        cx,
        op.parameter,
        StorageClass::CallableDataKHR,
        |cx, data| {
            cx.b.emit_void(Op::ExecuteCallableKHR, &[index, data]);
            Ok(())
        },
    )?;
    Ok(LoweredValue::Unset)
}

/// Lowers `reportHit`: whether the hit was accepted.
pub(super) fn report_hit(cx: &mut Context<'_>, op: &calls::ReportHit) -> Result<LoweredValue> {
    only_in(&cx.input, &[ShaderKind::Intersection], "ReportHit")?;
    let [t_hit, hit_kind] = cx.ids([op.t_hit, op.hit_kind])?;
    let (pointer, pointee) = sent_data(cx, op.attributes)?;
    let ty = types::lower(cx, pointee)?;
    let variable = match cx.module.rays.stages.reported {
        Some((known, variable)) if known == ty => variable,
        // A stage has at most one such variable (Vulkan, "Ray Tracing Pipeline" interfaces).
        Some(_) => {
            return Err(Error::unsupported(
                "hit attributes of several types in one intersection shader",
            ));
        }
        None => {
            let pointer_ty = cx.b.pointer(StorageClass::HitAttributeKHR, ty);
            let class = StorageClass::HitAttributeKHR;
            let variable = cx.b.global_variable(class, pointer_ty, None);
            cx.module.rays.stages.reported = Some((ty, variable));
            variable
        }
    };
    // The report reads the attributes from the variable, so they have to be stored before it.
    let attributes = accesses::load_whole(cx, pointer, pointee)?;
    cx.b.store(variable, attributes);
    let bool_ty = cx.b.bool();
    let operands = [t_hit, hit_kind];
    Ok(LoweredValue::Id(cx.b.emit(
        Op::ReportIntersectionKHR,
        bool_ty,
        &operands,
    )))
}

/// Lowers `ignoreHit`, `acceptHitAndEndSearch`: the invocation ends here.
pub(super) fn end_hit(cx: &mut Context<'_>, instruction: Op) -> Result<LoweredValue> {
    only_in(&cx.input, &[ShaderKind::AnyHit], "the end of a hit")?;
    let func = cx.function.view.function.id;
    let (_, params) = types::function_type(cx, func)?;
    // A function that takes addresses may hold changes in copies that its caller writes back after
    // the call; ending the invocation here would lose them.
    let writes_back = |&ty: &TypeId| cx.input.types().pointee(ty).is_some();
    if cx.module.rays.stages.main != Some(func) && params.iter().any(writes_back) {
        return Err(Error::unsupported(
            "the end of a hit in a function that takes addresses",
        ));
    }
    // D3D12 keeps changes to the payload ("IgnoreHit"), so the copies go back before the invocation
    // ends.
    return_parameters(cx)?;
    // The instruction ends its block, which therefore cannot be a loop header: a header ends in a
    // branch after its OpLoopMerge.
    blocks::leave_loop_header(cx);
    cx.b.emit_void::<u32>(instruction, &[]);
    cx.block.has_ended = true;
    Ok(LoweredValue::Unset)
}

pub(super) fn only_in(input: &Input<'_>, kinds: &[ShaderKind], op: &str) -> Result<()> {
    if kinds.contains(&input.entry.kind) {
        Ok(())
    } else {
        Err(inputs::stage_unsupported(input, op))
    }
}

/// Returns a `uint` built-in of the ray tracing stages.
pub(super) fn ray_word(cx: &mut Context<'_>, built_in: BuiltIn) -> Result<LoweredValue> {
    only_ray_tracing(&cx.input, built_in)?;
    Ok(LoweredValue::Id(inputs::load_u32_built_in(cx, built_in)))
}

/// Returns a `float` built-in of the ray tracing stages.
pub(super) fn ray_float(cx: &mut Context<'_>, built_in: BuiltIn) -> Result<LoweredValue> {
    only_ray_tracing(&cx.input, built_in)?;
    let ty = cx.b.f32();
    let variable = inputs::built_in_input(cx, built_in, ty);
    Ok(LoweredValue::Id(cx.b.load(ty, variable)))
}

/// Returns a component of a `uint3` built-in.
pub(super) fn ray_uint3(
    cx: &mut Context<'_>,
    built_in: BuiltIn,
    component: u8,
) -> Result<LoweredValue> {
    only_ray_tracing(&cx.input, built_in)?;
    thread_ids::load_uvec3_component(cx, built_in, u32::from(component))
}

/// Returns a component of a `float3` built-in.
pub(super) fn ray_float3(
    cx: &mut Context<'_>,
    built_in: BuiltIn,
    component: u8,
) -> Result<LoweredValue> {
    only_ray_tracing(&cx.input, built_in)?;
    let float = cx.b.f32();
    let vector = cx.b.vector(float, 3);
    let variable = inputs::built_in_input(cx, built_in, vector);
    let pointer_ty = cx.b.pointer(StorageClass::Input, float);
    let component = cx.b.const_u32(u32::from(component).min(2));
    let address = cx.b.access_chain(pointer_ty, variable, &[component]);
    Ok(LoweredValue::Id(cx.b.load(float, address)))
}

/// Returns an element of a `float3x4` built-in, which SPIR-V has as four columns of three.
pub(super) fn ray_matrix(
    cx: &mut Context<'_>,
    built_in: BuiltIn,
    row: u32,
    column: u8,
) -> Result<LoweredValue> {
    only_ray_tracing(&cx.input, built_in)?;
    let float = cx.b.f32();
    let vector = cx.b.vector(float, 3);
    let matrix = cx.b.matrix(vector, 4);
    let variable = inputs::built_in_input(cx, built_in, matrix);
    let pointer_ty = cx.b.pointer(StorageClass::Input, float);
    let indices = [u32::from(column).min(3), row.min(2)];
    let indices = indices.map(|index| cx.b.const_u32(index));
    let address = cx.b.access_chain(pointer_ty, variable, &indices);
    Ok(LoweredValue::Id(cx.b.load(float, address)))
}

fn only_ray_tracing(input: &Input<'_>, built_in: BuiltIn) -> Result<()> {
    if input.is_ray_stage() {
        Ok(())
    } else {
        Err(inputs::stage_unsupported(input, &format!("{built_in:?}")))
    }
}
