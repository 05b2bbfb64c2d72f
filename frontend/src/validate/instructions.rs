//! LLVM instructions other than calls of operations.

use super::context::{InstLocation, ValidationContext};
use super::operands::{EXPRESSION, Found, OTHER_WIDTH, POINTER_TO_CHECK, UNDEF};
use super::rules::Rule;
use super::types;
use crate::dxil::ShaderKind;
use crate::dxil::ops::{Callee, Memory, Overload, decode_opcode, op_arguments};
use crate::ir::address_space::{GROUP_SHARED, NODE_RECORD};
use crate::ir::{
    BinaryOp, CastOp, Constant, ConstantExpr, FuncView, Inst, InstData, Type, TypeId, ValueDef,
    ValueId,
};

/// Address space of generic pointers (DXIL document, "Load/Store/Atomics via pointer in future
/// SM").
const GENERIC: u32 = 4;

/// Checks an instruction.
pub(super) fn check(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    data: &InstData,
    found: Found,
) {
    if !is_allowed(cx, view, location, &data.inst) {
        cx.report_at(
            Rule::InstrAllowed,
            location,
            "DXIL has no such instruction here",
        );
        return;
    }
    if found.operands & (UNDEF | EXPRESSION | OTHER_WIDTH) != 0 {
        check_operands(cx, view, location, &data.inst);
    }
    if found.result & (OTHER_WIDTH | POINTER_TO_CHECK) != 0 {
        check_result(cx, view, location, data);
    }
    match data.inst {
        Inst::Alloca { allocated, .. } => types::report_at(cx, location, allocated),
        Inst::Load { .. } => types::report_at(cx, location, data.ty),
        Inst::Store { value, .. } => {
            if let Some(ty) = view.type_of(value) {
                types::report_at(cx, location, ty);
            }
        }
        Inst::Gep { operands, .. } => check_gep(cx, view, location, data, operands),
        Inst::Binary { op, rhs, .. } => check_division(cx, view, location, op, rhs),
        Inst::Cast { op, value } => check_cast(cx, view, location, data, op, value),
        Inst::ExtractValue { aggregate, .. } => check_extract(cx, view, location, aggregate),
        Inst::AtomicRmw { pointer, .. } | Inst::CmpXchg { pointer, .. } => {
            check_atomic(cx, view, location, pointer);
        }
        _ => {}
    }
}

/// Returns whether DXIL has the instruction (DXIL document, "Operations via instructions").
fn is_allowed(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    inst: &Inst,
) -> bool {
    let kind = cx.shader.shader_model.kind;
    let is_lax = matches!(
        kind,
        ShaderKind::Library | ShaderKind::Mesh | ShaderKind::Amplification
    );
    match inst {
        Inst::Fence { .. } => false,
        Inst::Cast { op, .. } => !matches!(op, CastOp::PtrToInt | CastOp::IntToPtr),
        Inst::ExtractElement { .. } | Inst::InsertElement { .. } | Inst::ShuffleVector { .. } => {
            is_lax || cx.is_sm(9)
        }
        Inst::Unreachable => is_lax && follows_end(cx, view, location),
        Inst::InsertValue { .. } => true,
        _ => true,
    }
}

/// Returns whether the instruction before does not return.
fn follows_end(cx: &ValidationContext<'_>, view: FuncView<'_>, location: InstLocation) -> bool {
    let before = view
        .function
        .block_insts(location.block)
        .rev()
        .find(|inst| *inst < location.inst);
    let args = before
        .and_then(|inst| view.function.insts.get(inst))
        .and_then(|data| op_arguments(view, &cx.shader.callees, &data.inst));
    let opcode = args.and_then(|args| decode_opcode(view, args).ok());
    opcode.is_some_and(|opcode| opcode.properties().memory == Memory::NoReturn)
}

fn is_undef(view: FuncView<'_>, value: ValueId) -> bool {
    matches!(view.constant(value), Some(Constant::Undef))
}

fn check_operands(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    inst: &Inst,
) {
    // A call of a function of the module passes what it likes.
    if matches!(inst, Inst::Call { .. }) {
        return;
    }
    let may_be_undef = |value: ValueId| match *inst {
        Inst::Phi { .. } => true,
        Inst::InsertElement { vector, .. } => value == vector,
        Inst::ShuffleVector { b, mask, .. } => value == b || value == mask,
        Inst::Store { value: stored, .. } => value == stored,
        Inst::InsertValue { aggregate, .. } => value == aggregate,
        _ => false,
    };
    view.function.for_each_operand(inst, |value| {
        let reads_undef = match view.constant(value) {
            Some(Constant::Undef) => !may_be_undef(value),
            Some(Constant::Expr(expr)) => expression_reads_undef(view, value, expr),
            _ => false,
        };
        if reads_undef {
            let detail = format_args!("{value} is undef");
            cx.report_at(Rule::InstrNoReadingUninitialized, location, detail);
        }
        if let Some(ty) = view.type_of(value)
            && let Type::Int(bits) = *cx.types().get(ty)
        {
            check_width(cx, location, bits);
        }
    });
}

fn expression_reads_undef(view: FuncView<'_>, owner: ValueId, expr: ConstantExpr) -> bool {
    match expr {
        ConstantExpr::Gep { operands, .. } => view
            .constant_elements(owner, operands)
            .iter()
            .any(|value| is_undef(view, *value)),
        ConstantExpr::Cast { value, .. } => is_undef(view, value),
        ConstantExpr::Binary { lhs, rhs, .. } | ConstantExpr::Cmp { lhs, rhs, .. } => {
            is_undef(view, lhs) || is_undef(view, rhs)
        }
        ConstantExpr::Select {
            condition,
            if_true,
            if_false,
        } => [condition, if_true, if_false]
            .into_iter()
            .any(|value| is_undef(view, value)),
    }
}

fn check_width(cx: &ValidationContext<'_>, location: InstLocation, bits: u16) {
    match bits {
        1 | 16 | 32 | 64 => {}
        8 => cx.report_at(Rule::TypesI8, location, "an operand or result is an i8"),
        _ => {
            let detail = format_args!("an operand or result is an i{bits}");
            cx.report_at(Rule::TypesIntWidth, location, detail);
        }
    }
}

fn check_result(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    data: &InstData,
) {
    let types = cx.types();
    let mut ty = data.ty;
    if let Type::Pointer {
        pointee,
        address_space,
    } = *types.get(ty)
    {
        ty = pointee;
        if address_space == GROUP_SHARED {
            check_groupshared_pointer(cx, view, location, data);
        }
    }
    while let Type::Array { element, .. } = *types.get(ty) {
        ty = element;
    }
    if let Type::Int(bits) = *types.get(ty) {
        // Markers of lifetimes take i8 pointers.
        let marks_lifetime = bits == 8
            && cx.is_sm(6)
            && matches!(
                data.inst,
                Inst::Cast {
                    op: CastOp::Bitcast,
                    ..
                }
            )
            && only_marks_lifetimes(cx, view, data);
        if !marks_lifetime {
            check_width(cx, location, bits);
        }
    }
}

/// Returns whether only calls of `llvm.lifetime.*` use the result.
fn only_marks_lifetimes(cx: &ValidationContext<'_>, view: FuncView<'_>, data: &InstData) -> bool {
    let Some(result) = data.result.expand() else {
        return false;
    };
    let mut used = cx.used_beyond_lifetimes.borrow_mut();
    if used.function != Some(view.function.id) {
        used.function = Some(view.function.id);
        used.values.clear();
        for user in view.function.insts.values() {
            let callee = match user.inst {
                Inst::Call { callee, .. } => view.as_function(callee),
                _ => None,
            };
            let callee = callee.and_then(|callee| cx.shader.callees.get(callee));
            if !matches!(callee, Some(Callee::Ignored)) {
                view.function.for_each_operand(&user.inst, |value| {
                    used.values.insert(value);
                });
            }
        }
    }
    !used.values.contains(&result)
}

fn check_groupshared_pointer(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    data: &InstData,
) {
    let base = match data.inst {
        Inst::Gep { operands, .. } => view.function.values_of(operands).first().copied(),
        Inst::Cast {
            op: CastOp::Bitcast,
            value,
        } => Some(value),
        _ => None,
    };
    if base.and_then(|base| view.global_of(base)).is_none() {
        let detail = "the pointer is not of one variable";
        cx.report_at(Rule::InstrFailToResloveTGSMPointer, location, detail);
    }
}

fn check_gep(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    data: &InstData,
    operands: crate::ir::List<ValueId>,
) {
    let types = cx.types();
    let Some(pointee) = types.pointee(data.ty) else {
        return;
    };
    types::report_at(cx, location, pointee);
    let [base, indices @ ..] = view.function.values_of(operands) else {
        return;
    };
    let Some(mut ty) = view.type_of(*base).and_then(|ty| types.pointee(ty)) else {
        return;
    };
    let size = cx.layout.bytes(ty);
    let mut offset = 0u64;
    for (position, index) in indices.iter().enumerate() {
        let Some(Constant::Int(_) | Constant::Null) = view.constant(*index) else {
            return;
        };
        let number = view.constant_int(*index).unwrap_or(0);
        let step = match *types.get(ty) {
            _ if position == 0 => cx.layout.bytes(ty).saturating_mul(number),
            Type::Array { element, .. } | Type::Vector { element, .. } => {
                ty = element;
                cx.layout.bytes(ty).saturating_mul(number)
            }
            Type::Struct { ref fields, .. } => {
                let Ok(field) = usize::try_from(number) else {
                    return;
                };
                let offset = cx.layout.field_offset(ty, field);
                let Some(&inner) = fields.get(field) else {
                    return;
                };
                ty = inner;
                offset.unwrap_or(0)
            }
            _ => return,
        };
        offset = offset.saturating_add(step);
    }
    let end = offset.saturating_add(cx.layout.bytes(ty));
    if end > size {
        let detail = format_args!("the access ends at byte {end} of a variable of {size} bytes");
        cx.report_at(Rule::InstrInBoundsAccess, location, detail);
    }
}

fn check_division(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    op: BinaryOp,
    rhs: ValueId,
) {
    let rule = match op {
        BinaryOp::SDiv => Rule::InstrNoIDivByZero,
        BinaryOp::UDiv => Rule::InstrNoUDivByZero,
        _ => return,
    };
    if view.constant_int(rhs) == Some(0) {
        cx.report_at(rule, location, "the divisor is 0");
    }
}

fn check_cast(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    data: &InstData,
    op: CastOp,
    value: ValueId,
) {
    let types = cx.types();
    let Some(from) = view.type_of(value) else {
        return;
    };
    let space = |ty: TypeId| match *types.get(ty) {
        Type::Pointer { address_space, .. } => Some(address_space),
        _ => None,
    };
    if op == CastOp::AddrSpaceCast
        && space(from) != Some(GENERIC)
        && space(data.ty) != Some(GENERIC)
    {
        let detail = format_args!("from {:?} to {:?}", space(from), space(data.ty));
        cx.report_at(Rule::InstrNoGenericPtrAddrSpaceCast, location, detail);
    }
    if op != CastOp::Bitcast {
        return;
    }
    let (mut from, mut to) = (from, data.ty);
    if let (Some(a), Some(b)) = (types.pointee(from), types.pointee(to)) {
        if *types.get(b) == Type::Int(8) && cx.is_sm(6) {
            return;
        }
        let (old, new) = (cx.layout.bytes(a), cx.layout.bytes(b));
        if old != new {
            let detail = format_args!("from {old} to {new} bytes");
            cx.report_at(Rule::InstrPtrBitCast, location, detail);
            return;
        }
        (from, to) = (scalar_of_arrays(cx, a), scalar_of_arrays(cx, b));
    }
    let is_struct = |ty| matches!(types.get(ty), Type::Struct { .. });
    if (is_struct(from) || is_struct(to)) && !cx.is_library() {
        cx.report_at(
            Rule::InstrStructBitCast,
            location,
            "one side is a structure",
        );
        return;
    }
    let is_small = |ty: TypeId| {
        types
            .scalar_bits(types.scalar_of(ty))
            .is_some_and(|bits| bits < 32)
    };
    if cx.uses_min_precision() && (is_small(from) || is_small(to)) {
        let detail = "one side is a min-precision type";
        cx.report_at(Rule::InstrMinPrecisonBitCast, location, detail);
    }
}

fn scalar_of_arrays(cx: &ValidationContext<'_>, mut ty: TypeId) -> TypeId {
    while let Type::Array { element, .. } = *cx.types().get(ty) {
        ty = element;
    }
    ty
}

/// Returns whether a suffix names a scalar, or a vector of them: `f32`, `v4i16`.
fn is_overload(suffix: &str) -> bool {
    let scalar = match suffix.strip_prefix('v') {
        Some(vector) => vector.trim_start_matches(|letter: char| letter.is_ascii_digit()),
        None => suffix,
    };
    Overload::of_scalar(scalar).is_some()
}

fn check_extract(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    aggregate: ValueId,
) {
    let Some(data) = view.value(aggregate) else {
        return;
    };
    let from_exchange = matches!(data.def, ValueDef::Inst(inst)
    if matches!(
        view.function.insts.get(inst).map(|data| data.inst),
        Some(Inst::CmpXchg { .. })
    ));
    let is_builtin = match cx.types().get(data.ty) {
        Type::Struct {
            name: Some(name), ..
        } => match name.strip_prefix("dx.types.ResRet.") {
            Some(overload) => is_overload(overload),
            None => name.starts_with("dx.types."),
        },
        _ => false,
    };
    if !from_exchange && !is_builtin && !cx.is_library() {
        let detail = "the structure is not one that an operation gives";
        cx.report_at(Rule::InstrExtractValue, location, detail);
    }
}

fn check_atomic(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    pointer: ValueId,
) {
    let Some(ty) = view.type_of(pointer) else {
        return;
    };
    let Type::Pointer {
        pointee,
        address_space,
    } = *cx.types().get(ty)
    else {
        return;
    };
    if *cx.types().get(pointee) == Type::Int(64) && !cx.is_sm(6) {
        let detail = "a 64-bit atomic instruction before shader model 6.6";
        cx.report_at(Rule::SmOpcodeInInvalidFunction, location, detail);
    }
    if !matches!(address_space, GROUP_SHARED | NODE_RECORD) {
        let detail = format_args!("the address space is {address_space}");
        cx.report_at(Rule::InstrAtomicOpNonGroupsharedOrRecord, location, detail);
    }
    let global = view
        .global_of(pointer)
        .and_then(|id| cx.module().globals.get(id));
    if global.is_some_and(|global| global.is_constant) {
        cx.report_at(
            Rule::InstrAtomicConst,
            location,
            "the variable is a constant",
        );
    }
}
