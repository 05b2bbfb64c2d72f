//! Loops with few rounds whose number is not known, as those in which the threads of a group fill
//! its memory: `for (i = thread; i < 100; i += 64)`.
//!
//! Drivers unroll them by the greatest number of rounds. With the test at the end that is exact: a
//! copy of the body per round. With the test at the start they cannot tell whether the first test
//! holds, and add a copy that never runs.

use dxil_frontend::ir::{BinaryOp, CmpPredicate, Constant, FuncView, Inst, ValueId};

use super::rotated::LoopValue;

/// Maximum number of rounds of a loop that drivers unroll (Mesa's `max_unroll_iterations`).
const MAX_UNROLLED: u64 = 32;

/// Returns whether a loop is one of them. `again` is the condition of another round, and its value
/// if there is one.
pub(super) fn are_few(view: FuncView<'_>, carried: &[LoopValue], again: (ValueId, bool)) -> bool {
    let bounded = || -> Option<bool> {
        let (condition, is) = again;
        let Inst::Cmp {
            predicate,
            lhs,
            rhs,
            ..
        } = view.inst_data(condition)?.inst
        else {
            return None;
        };
        let mut predicate = if is { predicate } else { predicate.negated() };
        let (next, limit) = match number(view, rhs) {
            Some(limit) => (lhs, limit),
            None => {
                predicate = predicate.swapped();
                (rhs, number(view, lhs)?)
            }
        };
        use CmpPredicate::{ISle, ISlt, IUle, IUlt};
        if !matches!(predicate, ISle | ISlt | IUle | IUlt) {
            return None;
        }
        let carried = carried.iter().find(|value| value.next == next)?;
        let Inst::Binary {
            op: BinaryOp::Add,
            lhs,
            rhs,
            ..
        } = view.inst_data(next)?.inst
        else {
            return None;
        };
        let step = match (lhs == carried.phi, rhs == carried.phi) {
            (true, false) => number(view, rhs)?,
            (false, true) => number(view, lhs)?,
            _ => return None,
        };
        // With a constant start the number of rounds is known, and both forms unroll to it.
        let is_known = number(view, carried.first).is_some();
        Some(!is_known && limit.div_ceil(step.max(1)) <= MAX_UNROLLED)
    };
    bounded().unwrap_or(false)
}

/// Returns an integer constant.
fn number(view: FuncView<'_>, value: ValueId) -> Option<u64> {
    match view.constant(value)? {
        Constant::Int(bits) => Some(bits),
        Constant::Null => Some(0),
        _ => None,
    }
}
