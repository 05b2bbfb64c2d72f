//! Indices past the end of arrays: local variables, group-shared memory and constants.
//!
//! Of group-shared memory such loads give 0, and stores and atomics are dropped (DXIL document,
//! "Out-of-bounds behavior"), unless the caller leaves the checks out; an index that
//! [`crate::analysis::group_indices`] proves needs none. Elsewhere such accesses are undefined in
//! D3D12; on request they read 0 and drop writes, or are reported.

use dxil_frontend::ir::{TypeId, ValueDef, ValueId};

use crate::analysis::addresses::root_of;
use crate::lower::blocks::{self, If};
use crate::lower::context::Context;
use crate::lower::instrument::assumptions;
use crate::lower::memory::state::{Cell, PointerId};
use crate::lower::numbers::integers;
use crate::spirv::{GLOp, Id, Op, StorageClass};
use crate::{Assumption, Quirks, Result};

/// Bounds checks of an address that is being computed.
pub(super) struct Bounds {
    /// Whether indices are clamped to their arrays.
    is_robust: bool,
    /// Whether the array is group-shared memory.
    is_group: bool,
    /// The assumption that an index beyond the end breaks, for the report.
    what: Option<Assumption>,
    /// Whether all indices so far were inside.
    pub(super) inside: Option<Id>,
}

/// Returns the checks of addresses that start from a pointer.
pub(super) fn bounds_of(
    cx: &mut Context<'_>,
    value: ValueId,
    pointer: PointerId,
    class: StorageClass,
) -> Bounds {
    let watches = assumptions::watches(&cx.input);
    if class == StorageClass::Workgroup {
        return Bounds {
            is_robust: cx.input.options.checks_group_memory(),
            is_group: true,
            what: watches.then_some(Assumption::InGroupShared),
            inside: cx.module.memory.guard_of(pointer),
        };
    }
    let robust = Quirks::ROBUST_CONSTANT_ARRAYS | Quirks::ROBUST_LOCAL_ARRAYS;
    // Without checks no test of the root is needed, which would follow every chain of addresses.
    if !watches && !cx.input.options.workarounds.quirks.intersects(robust) {
        return Bounds {
            is_robust: false,
            is_group: false,
            what: None,
            inside: None,
        };
    }
    // Constant arrays and other private variables are both Private here, and have quirks of their
    // own.
    let is_constant = root_of(cx.function.view, value).is_some_and(|root| {
        let Some(ValueDef::Global(global)) = cx.function.view.value(root).map(|data| data.def)
        else {
            return false;
        };
        let data = cx.function.view.module.globals.get(global);
        data.is_some_and(|data| data.is_constant)
    });
    let kind = match class {
        StorageClass::Private if is_constant => {
            Some((Quirks::ROBUST_CONSTANT_ARRAYS, Assumption::InConstantArray))
        }
        StorageClass::Private | StorageClass::Function => {
            Some((Quirks::ROBUST_LOCAL_ARRAYS, Assumption::InLocalArray))
        }
        _ => None,
    };
    Bounds {
        is_robust: kind.is_some_and(|(quirk, _)| cx.input.has_quirk(quirk)),
        is_group: false,
        what: kind.filter(|_| watches).map(|(_, what)| what),
        inside: cx.module.memory.guard_of(pointer),
    }
}

/// Returns an index into an array of `count` elements, clamped to its last one; `value` is what the
/// shader has for it.
pub(super) fn bounded(
    cx: &mut Context<'_>,
    index: Id,
    value: Option<ValueId>,
    count: u64,
    bounds: &mut Bounds,
) -> Id {
    // LLVM's counts have 64 bits; no index reaches the end of such an array.
    let Ok(count) = u32::try_from(count) else {
        return index;
    };
    let mut is_known = cx.b.literal(index).is_some_and(|index| index < count);
    if bounds.is_group
        && let Some(value) = value
    {
        let function = cx.function.view.function.id;
        let indices = &cx.input.analyses.group_indices;
        is_known |= indices.is_inside(function, value, u64::from(count));
    }
    if is_known || count == 0 || !bounds.is_robust && bounds.what.is_none() {
        return index;
    }
    let (word, bool_ty) = (cx.b.u32(), cx.b.bool());
    let end = cx.b.const_u32(count);
    let inside = cx.b.emit(Op::ULessThan, bool_ty, &[index, end]);
    if let Some(what) = bounds.what {
        assumptions::assume(cx, inside, what);
    }
    if !bounds.is_robust {
        return index;
    }
    join(cx, bounds, inside);
    // The clamp keeps the address valid, because the condition is only tested at the access.
    let last = cx.b.const_u32(count - 1);
    cx.b.glsl(GLOp::UMin, word, &[index, last])
}

/// Adds a condition: every index on the way has to be inside.
fn join(cx: &mut Context<'_>, bounds: &mut Bounds, inside: Id) {
    let bool_ty = cx.b.bool();
    bounds.inside = Some(match bounds.inside {
        None => inside,
        Some(others) => cx.b.emit(Op::LogicalAnd, bool_ty, &[others, inside]),
    });
}

/// Notes that an address leaves its variable unless an index is 0; returns whether that is checked.
pub(super) fn leave_variable(
    cx: &mut Context<'_>,
    index: ValueId,
    bounds: &mut Bounds,
) -> Result<bool> {
    if !bounds.is_robust || !bounds.is_group {
        return Ok(false);
    }
    let index = integers::index_of(cx, index)?;
    let (bool_ty, zero) = (cx.b.bool(), cx.b.const_u32(0));
    let stays = cx.b.emit(Op::IEqual, bool_ty, &[index, zero]);
    join(cx, bounds, stays);
    Ok(true)
}

/// Returns the cell where a value of type `ty` begins, moved to where the value ends inside of the
/// array: casts of pointers can lead anywhere in memory of the group.
pub(super) fn within(cx: &mut Context<'_>, cell: Cell, ty: TypeId, bounds: &mut Bounds) -> Cell {
    if !bounds.is_robust || !bounds.is_group {
        return cell;
    }
    let bytes = cx.input.analyses.layout.size(cx.input.types(), ty);
    let cells = bytes.div_ceil(u64::from(cell.array.width / 8)).max(1);
    let starts = (u64::from(cell.array.count) + 1).saturating_sub(cells);
    if starts == 0 {
        // The value is larger than the variable.
        let bool_ty = cx.b.bool();
        let outside = cx.b.const_null(bool_ty);
        join(cx, bounds, outside);
        return cell;
    }
    let index = bounded(cx, cell.index, None, starts, bounds);
    cell.array.at(index)
}

/// Ends a guarded part, if there is one: its result is 0 where it did not run.
pub(super) fn end_guarded(cx: &mut Context<'_>, part: Option<If>, ty: Id, value: Id) -> Id {
    match part {
        Some(part) => {
            let zero = cx.b.const_null(ty);
            blocks::end_if_with(cx, part, ty, value, zero)
        }
        None => value,
    }
}
