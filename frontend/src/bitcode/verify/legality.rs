//! The types that arithmetic, comparisons and conversions accept (LLVM language reference, "Binary
//! Operations", "Conversion Operations", `icmp`, `fcmp`), in instructions and in constant
//! expressions.

use crate::bitcode::types::TypeDecoder;
use crate::ir::{BinaryOp, CastOp, CmpPredicate, Type, TypeId};

/// Returns whether the operation works on values of that type.
pub(super) fn binary_is_legal(types: &TypeDecoder, op: BinaryOp, ty: TypeId) -> bool {
    let scalar = types.table.scalar_of(ty);
    match op {
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            types.table.is_float(scalar)
        }
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::UDiv
        | BinaryOp::SDiv
        | BinaryOp::URem
        | BinaryOp::SRem
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => matches!(types.get(scalar), Type::Int(_)),
    }
}

/// Returns whether the comparison works on values of type `ty` and gives `result`.
pub(super) fn compare_is_legal(
    types: &TypeDecoder,
    predicate: CmpPredicate,
    ty: TypeId,
    result: TypeId,
) -> bool {
    let operand = types.get(types.table.scalar_of(ty));
    let kind_fits = if predicate.is_float() {
        matches!(operand, Type::Half | Type::Float | Type::Double)
    } else {
        matches!(operand, Type::Int(_) | Type::Pointer { .. })
    };
    let result_fits = match (types.get(ty), types.get(result)) {
        (Type::Vector { count: a, .. }, Type::Vector { count: b, element }) => {
            a == b && matches!(types.get(*element), Type::Int(1))
        }
        // A comparison of vectors gives one `i1` per element.
        (Type::Vector { .. }, _) => false,
        (_, result) => matches!(result, Type::Int(1)),
    };
    kind_fits && result_fits
}

/// Returns whether the conversion leads from the one type to the other.
pub(super) fn cast_is_legal(types: &TypeDecoder, op: CastOp, from: TypeId, to: TypeId) -> bool {
    let table = &types.table;
    let lanes = |ty: TypeId| match *table.get(ty) {
        Type::Vector { count, .. } => count,
        _ => 0,
    };
    let (from_scalar, to_scalar) = (table.scalar_of(from), table.scalar_of(to));
    let bits = |ty: TypeId| table.scalar_bits(ty).unwrap_or(0);
    let is_int = |ty: TypeId| matches!(table.get(ty), Type::Int(_));
    let is_pointer = |ty: TypeId| matches!(table.get(ty), Type::Pointer { .. });
    let (narrower, wider) = (
        bits(to_scalar) < bits(from_scalar),
        bits(to_scalar) > bits(from_scalar),
    );
    let ints = is_int(from_scalar) && is_int(to_scalar);
    let floats = table.is_float(from_scalar) && table.is_float(to_scalar);
    let same_lanes = lanes(from) == lanes(to);
    match op {
        CastOp::Trunc => same_lanes && ints && narrower,
        CastOp::ZExt | CastOp::SExt => same_lanes && ints && wider,
        CastOp::FpToUi | CastOp::FpToSi => {
            same_lanes && table.is_float(from_scalar) && is_int(to_scalar)
        }
        CastOp::UiToFp | CastOp::SiToFp => {
            same_lanes && is_int(from_scalar) && table.is_float(to_scalar)
        }
        CastOp::FpTrunc => same_lanes && floats && narrower,
        CastOp::FpExt => same_lanes && floats && wider,
        CastOp::PtrToInt => is_pointer(from) && is_int(to),
        CastOp::IntToPtr => is_int(from) && is_pointer(to),
        CastOp::AddrSpaceCast => is_pointer(from) && is_pointer(to),
        CastOp::Bitcast => {
            // LLVM language reference, "'bitcast .. to' Instruction": pointers convert to pointers
            // of the same address space only; `addrspacecast` changes the space. Constants:
            // `constant_cast_is_legal`.
            if is_pointer(from) || is_pointer(to) {
                matches!(
                    (table.get(from), table.get(to)),
                    (Type::Pointer { address_space: a, .. }, Type::Pointer { address_space: b, .. })
                        if a == b
                )
            } else {
                let size = |ty: TypeId, scalar: TypeId| {
                    u64::from(bits(scalar)) * u64::from(lanes(ty).max(1))
                };
                // Zero stands for aggregates, which `bitcast` does not take.
                size(from, from_scalar) != 0 && size(from, from_scalar) == size(to, to_scalar)
            }
        }
    }
}

/// Returns whether a constant expression may be that conversion.
///
/// LLVM reads a `bitcast` between address spaces as `ptrtoint` and `inttoptr` (`UpgradeBitCastExpr`
/// of `AutoUpgrade.cpp`). DXC writes one where a groupshared array is cast to an array of another
/// type, and its validator takes it. As an instruction it would be operations that DXIL lacks.
pub(super) fn constant_cast_is_legal(
    types: &TypeDecoder,
    op: CastOp,
    from: TypeId,
    to: TypeId,
) -> bool {
    let is_pointer = |ty: TypeId| matches!(types.get(ty), Type::Pointer { .. });
    cast_is_legal(types, op, from, to)
        || (op == CastOp::Bitcast && is_pointer(from) && is_pointer(to))
}
