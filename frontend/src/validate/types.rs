//! Types of variables and of what is loaded, stored and addressed.

use super::context::{InstLocation, ValidationContext};
use super::rules::Rule;
use crate::ir::{Type, TypeId};
use crate::limits::MAX_TYPE_DEPTH;

/// Types of DXIL that a variable may have although their names begin with `dx.`.
const OBJECTS: [&str; 5] = [
    "dx.types.Handle",
    "dx.types.HitObject",
    crate::dxil::MATRIX_PREFIX,
    "dx.types.NodeHandle",
    "dx.types.NodeRecordHandle",
];

/// Reports a type that an instruction may not be about.
pub(super) fn report_at(cx: &ValidationContext<'_>, location: InstLocation, ty: TypeId) {
    if let Some((rule, detail)) = problem(cx, ty) {
        cx.report_at(rule, location, detail);
    }
}

/// Reports the type of a variable.
pub(super) fn report(cx: &ValidationContext<'_>, ty: TypeId, name: &str) {
    if let Some((rule, detail)) = problem(cx, ty) {
        cx.report(rule, format_args!("{name}: {detail}"));
    }
}

/// Returns the problem of a type.
fn problem(cx: &ValidationContext<'_>, ty: TypeId) -> Option<(Rule, &'static str)> {
    let mut budget = 256;
    walk(cx, ty, 0, &mut budget)
}

fn walk(
    cx: &ValidationContext<'_>,
    ty: TypeId,
    depth: u32,
    budget: &mut u32,
) -> Option<(Rule, &'static str)> {
    // Structures share members, so that a small module can describe a huge type.
    *budget = budget.checked_sub(1)?;
    if depth > MAX_TYPE_DEPTH {
        return None;
    }
    let types = cx.types();
    let mut ty = ty;
    if let Type::Pointer { pointee, .. } = *types.get(ty) {
        if depth > 0 || matches!(types.get(pointee), Type::Pointer { .. }) {
            return Some((Rule::TypesNoPtrToPtr, "a pointer in memory"));
        }
        ty = pointee;
    }
    if let Type::Array { element, .. } = *types.get(ty) {
        if depth == 0 && matches!(types.get(element), Type::Array { .. }) {
            return Some((Rule::TypesNoMultiDim, "an array of arrays"));
        }
        ty = element;
        while let Type::Array { element, .. } = *types.get(ty) {
            ty = element;
        }
    }
    match types.get(ty) {
        Type::Struct { name, fields, .. } => {
            if let Some(name) = name
                && name.starts_with("dx.")
            {
                if OBJECTS.iter().any(|object| name.starts_with(object)) {
                    return None;
                }
                let is_result = [
                    "dx.types.ResRet.",
                    "dx.types.CBufRet.",
                    "dx.types.Dimensions",
                ]
                .iter()
                .any(|prefix| name.starts_with(prefix));
                return Some(if is_result {
                    (
                        Rule::InstrDxilStructUser,
                        "the result of an operation in memory",
                    )
                } else {
                    (Rule::DeclDxilNsReserved, "a structure with DXIL's prefix")
                });
            }
            fields
                .iter()
                .find_map(|field| walk(cx, *field, depth + 1, budget))
        }
        Type::Half | Type::Float | Type::Double | Type::Int(1 | 8 | 16 | 32 | 64) => None,
        Type::Int(_) => Some((Rule::TypesIntWidth, "an integer of another width")),
        _ if cx.is_library() => None,
        Type::Vector { count, .. } if cx.is_sm(9) && *count > 1 => None,
        Type::Vector { .. } => Some((Rule::TypesNoVector, "a vector")),
        _ => Some((Rule::TypesDefined, "a type that DXIL does not have")),
    }
}
