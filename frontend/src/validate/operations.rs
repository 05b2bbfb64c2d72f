//! Calls of DXIL operations: opcode, function, overload, stage, shader model and operands.

use cranelift_entity::SecondaryMap;

use super::context::{InstLocation, PREVIEW_SHADER_MODEL, ValidationContext};
use super::operands::{EMPTY_STRUCTURE, Found};
use super::rules::Rule;
use crate::container::rdat::NodeLaunch;
use crate::dxil::ops::{
    BarrierMode, BarrierOp, BarrierSemantics, Callee, DerivativeOp, FloatOp, HitObjectOp,
    MemoryTypes, NodeOp, Op, Opcode, Overload, Overloads, RESERVED, RayQueryOp, Role, Shown,
    ThreadIdOp, is_experimental,
};
use crate::dxil::{ShaderKind, Stage};
use crate::ir::{Constant, FuncId, FuncView, Inst, InstData, Type, ValueId};
use crate::{Error, ErrorKind};

/// Per function the operation that its name and overload were last found to be right for.
pub(super) type Names = SecondaryMap<FuncId, Option<Opcode>>;

/// Checks the call itself, before its operands. Returns the opcode where it is known. `kind` is the
/// stage of the function with the call.
pub(super) fn check_call(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    data: &InstData,
    kind: ShaderKind,
    names: &mut Names,
) -> Option<Opcode> {
    let Inst::Call { callee, args, .. } = data.inst else {
        return None;
    };
    let callee = view.as_function(callee)?;
    let args = view.function.values_of(args);
    let number = args.first().and_then(|first| view.constant_int(*first));
    let Some(number) = number else {
        cx.report_at(Rule::InstrOpConst, location, "the opcode is not a constant");
        return None;
    };
    let opcode = match Opcode::from_number(number) {
        Ok(opcode) => opcode,
        Err(error) => {
            let is_reserved = RESERVED.iter().any(|(no, _)| u64::from(*no) == number);
            let rule = if is_reserved {
                Rule::InstrOpCodeReserved
            } else if is_experimental(number) {
                Rule::InstrExpDXILOpCodeRequiresExpSM
            } else {
                Rule::InstrIllegalDXILOpCode
            };
            cx.report_at(rule, location, error.kind());
            return None;
        }
    };
    if opcode.is_preview() && !cx.is_sm(PREVIEW_SHADER_MODEL) {
        let rule = Rule::InstrExpDXILOpCodeRequiresExpSM;
        cx.report_at(rule, location, opcode.name());
        return None;
    }
    if names.get(callee).copied().flatten() != Some(opcode) {
        let row = opcode.properties();
        let name = cx.name_of(callee);
        if !opcode.is_called_by(&cx.module().functions.get(callee)?.name) {
            let detail = format_args!("{name} is not a function of {}", row.name);
            cx.report_at(Rule::InstrIllegalDXILOpFunction, location, detail);
            return None;
        }
        if let Some(&Callee::DxOp(overload)) = cx.shader.callees.get(callee)
            && !allows(row.overloads, overload, name)
        {
            let detail = format_args!("{} has no overload of {name}", row.name);
            cx.report_at(Rule::InstrOload, location, detail);
        } else {
            #[allow(clippy::indexing_slicing, reason = "a secondary map grows on demand")]
            {
                names[callee] = Some(opcode);
            }
        }
    }
    check_profile(cx, location, opcode, kind);
    Some(opcode)
}

/// Returns whether an operation takes the overload that the name of its function ends with.
fn allows(overloads: Overloads, overload: Overload, name: &str) -> bool {
    // Functions on matrices have several types in their name, which their declaration must match.
    let has_several = overloads.contains(Overloads::OBJECT);
    let scalar = if overload == Overload::Other && !has_several {
        vector_scalar(name)
    } else {
        None
    };
    scalar.map_or(overloads.allows(overload), |scalar| {
        overloads.allows_vectors_of(scalar)
    })
}

/// Returns the scalar of the overload in a function's name if that is a vector: `f32` of
/// `dx.op.unary.v4f32` (DXIL document, "Operations").
fn vector_scalar(name: &str) -> Option<Overload> {
    let (_, overload) = name.rsplit_once('.')?;
    let scalar = overload
        .strip_prefix('v')?
        .trim_start_matches(|c: char| c.is_ascii_digit());
    Overload::of_scalar(scalar)
}

/// Checks that the stage and the shader model have the operation.
fn check_profile(
    cx: &ValidationContext<'_>,
    location: InstLocation,
    opcode: Opcode,
    kind: ShaderKind,
) {
    let row = opcode.properties();
    let model = cx.shader.shader_model;
    // A library that is linked may use what the linker translates to older shader models.
    let minimum = if cx.is_library() {
        row.shader_model
    } else {
        row.translated_shader_model
    };
    if (model.major, model.minor) < minimum {
        let detail = format_args!(
            "{} needs shader model {}.{}, this is {}.{}",
            row.name, minimum.0, minimum.1, model.major, model.minor
        );
        cx.report_at(Rule::SmOpcode, location, detail);
    } else if !row.stages.allows(kind) {
        let detail = format_args!("a {} shader may not call {}", kind.prefix(), row.name);
        cx.report_at(Rule::SmOpcode, location, detail);
    }
}

/// Reports a call whose operands cannot be decoded.
pub(super) fn report_undecoded(
    cx: &ValidationContext<'_>,
    location: InstLocation,
    opcode: Opcode,
    error: &Error,
) {
    let rule = match (opcode, error.kind()) {
        (_, ErrorKind::OperandCount { .. }) => Rule::InstrCallOload,
        (
            Opcode::BarrierByMemoryType
            | Opcode::BarrierByMemoryHandle
            | Opcode::BarrierByNodeRecordHandle,
            _,
        ) => Rule::InstrBarrierNonConstantFlagArgument,
        (Opcode::AllocateRayQuery, _) => Rule::DeclAllocateRayQueryFlagsAreConst,
        (Opcode::AllocateRayQuery2, _) => Rule::DeclAllocateRayQuery2FlagsAreConst,
        (
            Opcode::LinAlgMatVecMul | Opcode::LinAlgMatVecMulAdd,
            ErrorKind::Operand {
                operand: "interpretation",
                problem: "has an unknown number",
                ..
            },
        ) => Rule::InstrLinAlgIllegalComponentType,
        (Opcode::CreateHandleFromBinding, ErrorKind::Operand { operand, .. })
            if *operand == "binding" =>
        {
            Rule::InstrOpConstRange
        }
        (_, ErrorKind::Operand { operand, .. }) if *operand == "align" => {
            Rule::InstrConstAlignForRawBuf
        }
        (_, ErrorKind::Operand { problem, .. }) if problem.contains("unknown number") => {
            Rule::InstrOpConstRange
        }
        _ => Rule::InstrOpConst,
    };
    cx.report_at(rule, location, error.kind());
}

/// Checks the operands of a call that have nothing to do with resources or signatures.
pub(super) fn check(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    op: &Op,
    found: Found,
) {
    if found.operands & EMPTY_STRUCTURE != 0 || op.opcode().is_preview() {
        check_undefined_handles(cx, view, location, op);
    }
    check_infinity(cx, view, location, op);
    match op {
        Op::Barrier(barrier) => check_barrier(cx, location, barrier),
        // Ray flag "force two-state micromaps", query flag "allow micromaps".
        Op::RayQuery(RayQueryOp::AllocateRayQuery2(call))
            if call.ray_flags & 0x400 != 0 && call.query_flags & 1 == 0 =>
        {
            cx.report_at(
                Rule::DeclAllowOpacityMicromapsExpectedGivenForceOMM2State,
                location,
                "micromaps are forced to two states, but not allowed",
            );
        }
        Op::Float(
            FloatOp::IsNaN(_) | FloatOp::IsInf(_) | FloatOp::IsFinite(_) | FloatOp::IsNormal(_),
        ) => {
            let data = view.function.insts.get(location.inst);
            let overload = data.and_then(|data| overload_of(cx, view, &data.inst));
            if overload == Some(Overload::F16) && !cx.is_sm(9) {
                cx.report_at(Rule::SmIsSpecialFloat, location, "the operand is a half");
            }
        }
        _ => {}
    }
    check_launch_mode(cx, location, op);
    check_node_metadata(cx, location, op);
    check_hit_objects(cx, view, location, op);
    check_ray_queries(cx, location, op);
}

fn overload_of(cx: &ValidationContext<'_>, view: FuncView<'_>, inst: &Inst) -> Option<Overload> {
    let Inst::Call { callee, .. } = *inst else {
        return None;
    };
    match cx.shader.callees.get(view.as_function(callee)?)? {
        Callee::DxOp(overload) => Some(*overload),
        Callee::Function | Callee::Ignored => None,
    }
}

fn is_undefined(view: FuncView<'_>, value: ValueId) -> bool {
    matches!(view.constant(value), Some(Constant::Undef))
}

fn check_undefined_handles(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    op: &Op,
) {
    let opcode = op.opcode();
    let annotates = matches!(
        opcode,
        Opcode::AnnotateHandle
            | Opcode::AnnotateNodeHandle
            | Opcode::AnnotateNodeRecordHandle
            | Opcode::CreateHandleForLib
    );
    if annotates {
        return;
    }
    op.show_operands(&mut |name, role, shown| {
        let is_handle = role.is_handle()
            || matches!(role, Role::NodeHandle | Role::NodeRecord)
            // DXC asks it of the operations that the preview added.
            || role == Role::RayQuery && opcode.is_preview();
        if let (true, Shown::Value(value)) = (is_handle, shown)
            && matches!(view.constant(value), Some(Constant::Undef | Constant::Null))
        {
            let detail = format_args!("the operand {name} of {opcode} is no handle");
            cx.report_at(Rule::InstrNoReadingUninitialized, location, detail);
        }
    });
}

/// Checks constants for which a function has no value (DXC's table, "no indefinite ...").
fn check_infinity(cx: &ValidationContext<'_>, view: FuncView<'_>, location: InstLocation, op: &Op) {
    let (rule, value) = match op {
        Op::Float(FloatOp::Log(call)) => (Rule::InstrNoIndefiniteLog, call.value),
        Op::Float(FloatOp::Asin(call)) => (Rule::InstrNoIndefiniteAsin, call.value),
        Op::Float(FloatOp::Acos(call)) => (Rule::InstrNoIndefiniteAcos, call.value),
        Op::Derivative(DerivativeOp::DerivCoarseX(call)) => {
            (Rule::InstrNoIndefiniteDsxy, call.value)
        }
        Op::Derivative(DerivativeOp::DerivCoarseY(call)) => {
            (Rule::InstrNoIndefiniteDsxy, call.value)
        }
        Op::Derivative(DerivativeOp::DerivFineX(call)) => (Rule::InstrNoIndefiniteDsxy, call.value),
        Op::Derivative(DerivativeOp::DerivFineY(call)) => (Rule::InstrNoIndefiniteDsxy, call.value),
        _ => return,
    };
    if is_infinite(cx, view, value) {
        let detail = format_args!("the operand of {} is infinite", op.opcode());
        cx.report_at(rule, location, detail);
    }
}

fn is_infinite(cx: &ValidationContext<'_>, view: FuncView<'_>, value: ValueId) -> bool {
    let (Some(Constant::Float(bits)), Some(ty)) = (view.constant(value), view.type_of(value))
    else {
        return false;
    };
    match cx.types().get(ty) {
        Type::Half => bits & 0x7fff == 0x7c00,
        Type::Float => bits & 0x7fff_ffff == 0x7f80_0000,
        Type::Double => bits & (u64::MAX >> 1) == 0x7ff0_0000_0000_0000,
        _ => false,
    }
}

/// Flags of barriers before DXIL 1.9.
const LEGACY_SEMANTICS: BarrierSemantics = BarrierSemantics::GROUP_SYNC
    .union(BarrierSemantics::GROUP_SCOPE)
    .union(BarrierSemantics::DEVICE_SCOPE);
const ALL_MEMORY: MemoryTypes = MemoryTypes::UAV
    .union(MemoryTypes::GROUP_SHARED)
    .union(MemoryTypes::NODE_INPUT)
    .union(MemoryTypes::NODE_OUTPUT);

fn check_barrier(cx: &ValidationContext<'_>, location: InstLocation, barrier: &BarrierOp) {
    let kind = cx.kind_of(location.function);
    let has_groups = matches!(
        kind,
        ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification | ShaderKind::Node
    );
    let is_function = kind == ShaderKind::Library;
    if let BarrierOp::Barrier(call) = barrier {
        let mode = call.mode;
        let global = mode.contains(BarrierMode::UAV_FENCE_GLOBAL);
        let group = mode.contains(BarrierMode::UAV_FENCE_THREAD_GROUP);
        if !has_groups && !is_function {
            if mode != BarrierMode::UAV_FENCE_GLOBAL {
                let detail = format_args!("mode {:#x} without thread groups", mode.bits());
                cx.report_at(Rule::InstrBarrierModeForNonCS, location, detail);
            }
        } else if global && group {
            let detail = "UAVs of the group are among those of the device";
            cx.report_at(Rule::InstrBarrierModeUselessUGroup, location, detail);
        } else if !global && !group && !mode.contains(BarrierMode::TGSM_FENCE) {
            let detail = format_args!("mode {:#x} names no memory", mode.bits());
            cx.report_at(Rule::InstrBarrierModeNoMemory, location, detail);
        }
        return;
    }
    let (memory, semantics) = match barrier {
        BarrierOp::BarrierByMemoryType(call) => (Some(call.memory), call.semantics),
        BarrierOp::BarrierByMemoryHandle(call) => (None, call.semantics),
        BarrierOp::BarrierByNodeRecordHandle(call) => (None, call.semantics),
        BarrierOp::Barrier(_) => return,
    };
    let allowed = if cx.shader.dxil_version >= (1, 9) {
        LEGACY_SEMANTICS | BarrierSemantics::REORDER_SCOPE
    } else {
        LEGACY_SEMANTICS
    };
    // All bits of the memory types mean "all memory".
    if let Some(memory) = memory
        && !ALL_MEMORY.contains(memory)
        && memory.bits() != u32::MAX
    {
        let detail = format_args!("memory types {:#x}", memory.bits());
        cx.report_at(Rule::InstrBarrierFlagInvalid, location, detail);
    }
    if !allowed.contains(semantics) {
        let detail = format_args!("semantics {:#x}", semantics.bits());
        cx.report_at(Rule::InstrBarrierFlagInvalid, location, detail);
    }
    let is_record = matches!(barrier, BarrierOp::BarrierByNodeRecordHandle(_));
    if !is_function && kind != ShaderKind::Node && (is_record || names_only_nodes(memory)) {
        let detail = "the barrier is for node records";
        cx.report_at(Rule::InstrBarrierRequiresNode, location, detail);
    }
    if !has_groups && !is_function && barrier_requires_group(barrier) {
        let detail = "the barrier is for a thread group";
        cx.report_at(Rule::InstrBarrierModeForNonCS, location, detail);
    }
}

/// Returns whether memory types name node records other than as part of all memory.
fn names_only_nodes(memory: Option<MemoryTypes>) -> bool {
    let nodes = MemoryTypes::NODE_INPUT | MemoryTypes::NODE_OUTPUT;
    memory.is_some_and(|memory| memory.intersects(nodes) && !memory.contains(ALL_MEMORY))
}

/// Returns whether a barrier is of use only where there is a thread group.
pub(super) fn barrier_requires_group(barrier: &BarrierOp) -> bool {
    let group = BarrierSemantics::GROUP_SYNC | BarrierSemantics::GROUP_SCOPE;
    match barrier {
        BarrierOp::Barrier(call) => call.mode != BarrierMode::UAV_FENCE_GLOBAL,
        BarrierOp::BarrierByMemoryType(call) => {
            let memory = call.memory;
            let names_group =
                memory.contains(MemoryTypes::GROUP_SHARED) && !memory.contains(ALL_MEMORY);
            names_group || call.semantics.intersects(group)
        }
        BarrierOp::BarrierByMemoryHandle(call) => call.semantics.intersects(group),
        BarrierOp::BarrierByNodeRecordHandle(call) => call.semantics.intersects(group),
    }
}

/// Checks the thread ids of nodes (D3D12 Work Graphs specification, "Node types").
fn check_launch_mode(cx: &ValidationContext<'_>, location: InstLocation, op: &Op) {
    let needs_grid = match op {
        Op::ThreadId(ThreadIdOp::ThreadId(_) | ThreadIdOp::GroupId(_)) => true,
        Op::ThreadId(ThreadIdOp::ThreadIdInGroup(_) | ThreadIdOp::FlattenedThreadIdInGroup(_)) => {
            false
        }
        _ => return,
    };
    let Some(entry) = cx.entry(location.function) else {
        return;
    };
    let Stage::Node(node) = &entry.stage else {
        return;
    };
    let fits = match node.launch {
        NodeLaunch::Broadcasting => true,
        NodeLaunch::Coalescing => !needs_grid,
        _ => false,
    };
    if !fits && entry.kind == ShaderKind::Node {
        let detail = format_args!("{} in a node launched as {:?}", op.opcode(), node.launch);
        cx.report_at(Rule::InstrSVConflictingLaunchMode, location, detail);
    }
}

/// Checks that the inputs and outputs of nodes that operations name are declared.
fn check_node_metadata(cx: &ValidationContext<'_>, location: InstLocation, op: &Op) {
    let Some(Stage::Node(node)) = cx.entry(location.function).map(|entry| &entry.stage) else {
        return;
    };
    let (what, index, count) = match op {
        Op::Node(NodeOp::CreateNodeInputRecordHandle(call)) => {
            ("input", call.metadata_index, node.inputs.len())
        }
        Op::Node(NodeOp::CreateNodeOutputHandle(call)) => {
            ("output", call.metadata_index, node.outputs.len())
        }
        _ => return,
    };
    if index as usize >= count {
        let detail = format_args!("{what} {index} of a node that has {count}");
        cx.report_at(Rule::InstrOpConstRange, location, detail);
    }
}

/// Checks operands of hit objects and the operations that read them (SM 6.9).
fn check_hit_objects(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    op: &Op,
) {
    let row = op.opcode().properties();
    if row.shader_model < (6, 9) {
        return;
    }
    op.show_operands(&mut |name, role, shown| {
        if let (Role::HitObject, Shown::Value(value)) = (role, shown)
            && is_undefined(view, value)
        {
            let detail = format_args!("the operand {name} of {} is undef", row.name);
            cx.report_at(Rule::InstrUndefHitObject, location, detail);
        }
    });
    let Op::HitObject(hit) = op else {
        return;
    };
    let needs = |name: &str, value: ValueId| {
        if is_undefined(view, value) {
            let detail = format_args!("the operand {name} of {} is undef", row.name);
            cx.report_at(Rule::InstrNoReadingUninitialized, location, detail);
        }
    };
    match hit {
        HitObjectOp::MaybeReorderThread(call) => {
            let bits = view.constant_int(call.hint_bits);
            let lacks_hint =
                bits.is_some_and(|bits| bits != 0) && is_undefined(view, call.coherence_hint);
            if is_undefined(view, call.hint_bits) || lacks_hint {
                cx.report_at(
                    Rule::InstrMayReorderThreadUndefCoherenceHintParam,
                    location,
                    "the coherence hint is undef",
                );
            }
        }
        HitObjectOp::HitObjectMakeMiss(call) => {
            needs("ray_flags", call.ray_flags);
            needs("miss_index", call.miss_index);
        }
        HitObjectOp::HitObjectInvoke(call) => needs("payload", call.payload),
        HitObjectOp::HitObjectSetShaderTableIndex(call) => needs("index", call.index),
        HitObjectOp::HitObjectLoadLocalRootTableConstant(call) => {
            needs("offset", call.offset);
            if view.constant_int(call.offset).is_some_and(|at| at % 4 != 0) {
                let detail = "the offset is not a multiple of 4";
                cx.report_at(Rule::InstrParamMultiple, location, detail);
            }
        }
        HitObjectOp::HitObjectTraceRay(_)
        | HitObjectOp::HitObjectFromRayQuery(_)
        | HitObjectOp::HitObjectFromRayQueryWithAttrs(_) => {
            op.show_operands(&mut |name, role, shown| {
                // Handles have a check of their own.
                if let (Shown::Value(value), false) = (shown, role.is_handle()) {
                    needs(name, value);
                }
            });
        }
        HitObjectOp::HitObjectWorldRayOrigin(call) => in_range(cx, location, call.component, 2),
        HitObjectOp::HitObjectWorldRayDirection(call) => in_range(cx, location, call.component, 2),
        HitObjectOp::HitObjectObjectRayOrigin(call) => in_range(cx, location, call.component, 2),
        HitObjectOp::HitObjectObjectRayDirection(call) => in_range(cx, location, call.component, 2),
        HitObjectOp::HitObjectObjectToWorld3x4(call) => {
            in_range(cx, location, call.row, 2);
            in_range(cx, location, call.column, 3);
        }
        HitObjectOp::HitObjectWorldToObject3x4(call) => {
            in_range(cx, location, call.row, 2);
            in_range(cx, location, call.column, 3);
        }
        _ => {}
    }
}

/// Checks which part of a vector or matrix a ray query is asked for. DXC looks at those of hit
/// objects only.
fn check_ray_queries(cx: &ValidationContext<'_>, location: InstLocation, op: &Op) {
    use RayQueryOp::{
        RayQueryCandidateTriangleBarycentrics, RayQueryCommittedTriangleBarycentrics,
    };
    let Op::RayQuery(query) = op else {
        return;
    };
    let last_component = match query {
        RayQueryCandidateTriangleBarycentrics(_) | RayQueryCommittedTriangleBarycentrics(_) => 1,
        _ => 2,
    };
    op.show_operands(&mut |name, _, shown| {
        let maximum = match name {
            "component" => last_component,
            "row" => 2,
            "column" => 3,
            _ => return,
        };
        if let Shown::Int(index) = shown {
            in_range(
                cx,
                location,
                u32::try_from(index).unwrap_or(u32::MAX),
                maximum,
            );
        }
    });
}

/// Reports an index of a row, column or component that is above the maximum.
fn in_range(cx: &ValidationContext<'_>, location: InstLocation, index: u32, maximum: u32) {
    if index > maximum {
        let detail = format_args!("index {index}, {maximum} is the maximum");
        cx.report_at(Rule::InstrOperandRange, location, detail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_have_the_scalars_that_the_operation_lists() {
        let dot = Opcode::FDot.properties().overloads;
        assert_eq!(vector_scalar("dx.op.dot.v8f64"), Some(Overload::F64));
        assert!(dot.allows_vectors_of(Overload::F32) && !dot.allows_vectors_of(Overload::F64));
        assert_eq!(vector_scalar("dx.op.dot2.f32"), None);
        assert!(
            !Opcode::Dot2
                .properties()
                .overloads
                .allows_vectors_of(Overload::F32)
        );
    }
}
