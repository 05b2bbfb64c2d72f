//! Indices past the end of arrays: local variables, group-shared memory and constants. Such
//! accesses are undefined in D3D12; on request they read 0 and drop writes, or are reported.

use dxil_frontend::ir::{ValueDef, ValueId};

use crate::analysis::addresses::root_of;
use crate::lower::blocks::{self, If};
use crate::lower::context::Context;
use crate::lower::instrument::assumptions;
use crate::lower::memory::state::PointerId;
use crate::spirv::{GLOp, Id, Op, StorageClass};
use crate::{Assumption, Quirks};

/// Bounds checks of an address that is being computed.
pub(super) struct Bounds {
    /// Whether indices are clamped to their arrays.
    is_robust: bool,
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
    let robust =
        Quirks::ROBUST_GROUP_ARRAYS | Quirks::ROBUST_CONSTANT_ARRAYS | Quirks::ROBUST_LOCAL_ARRAYS;
    let watches = assumptions::watches(&cx.input);
    // Without checks no test of the root is needed, which would follow every chain of addresses.
    if !watches && !cx.input.options.workarounds.quirks.intersects(robust) {
        return Bounds {
            is_robust: false,
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
        StorageClass::Workgroup => Some((Quirks::ROBUST_GROUP_ARRAYS, Assumption::InGroupShared)),
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
        what: kind.filter(|_| watches).map(|(_, what)| what),
        inside: cx.module.memory.guard_of(pointer),
    }
}

/// Returns an index into an array of `count` elements, clamped to its last one.
pub(super) fn bounded(cx: &mut Context<'_>, index: Id, count: u64, bounds: &mut Bounds) -> Id {
    // LLVM's counts have 64 bits; no index reaches the end of such an array.
    let Ok(count) = u32::try_from(count) else {
        return index;
    };
    let is_known = cx.b.literal(index).is_some_and(|index| index < count);
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
    // Every index on the way has to be inside, so the conditions join.
    bounds.inside = Some(match bounds.inside {
        None => inside,
        Some(others) => cx.b.emit(Op::LogicalAnd, bool_ty, &[others, inside]),
    });
    // The clamp keeps the address valid, because the condition is only tested at the access.
    let last = cx.b.const_u32(count - 1);
    cx.b.glsl(GLOp::UMin, word, &[index, last])
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
