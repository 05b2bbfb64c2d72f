//! Loops that count one by one to a limit: `for (i = begin; i < end; ++i)`.
//!
//! LLVM's guard says `begin < end`, and its test at the end `i + 1 != end`, which is the same
//! there: in the loop `i < end`, so that `i + 1` is at most `end` and does not wrap around. At the
//! head only the guard's comparison is right, with the counter in place of its first value.

use dxil_frontend::ir::{BinaryOp, CmpPredicate, Constant, FuncView, Inst, Type, ValueId};

use super::rotated::{LoopValue, Rotated, Test};
use crate::cfg::{Cfg, Operand};

/// Returns the test for the head of a loop, if it is one that counts.
pub(super) fn plan(
    cfg: &Cfg,
    view: FuncView<'_>,
    rotated: &Rotated,
    carried: &[LoopValue],
) -> Option<Test> {
    let (again, is) = rotated.again;
    let (predicate, next, end) = comparison(view, again, is)?;
    let (next, end) = match predicate {
        CmpPredicate::INe if carried.iter().any(|value| value.next == next) => (next, end),
        CmpPredicate::INe => (end, next),
        _ => return None,
    };
    let counter = carried.iter().find(|value| value.next == next)?;
    let step = step_of(view, counter)?;
    // A constant limit bounds the number of rounds, and drivers would unroll a loop that has its
    // test at the head once more than needed.
    let is_outside = |value: ValueId| {
        let home = cfg.definition(value);
        home.is_none_or(|home| !rotated.inside.contains(&home))
    };
    if view.constant(end).is_some() || !is_outside(end) || view.constant(counter.first).is_some() {
        return None;
    }

    let (enters, is) = rotated.enters;
    let (predicate, lhs, rhs) = comparison(view, enters, is)?;
    let predicate = match (
        lhs == counter.first && rhs == end,
        lhs == end && rhs == counter.first,
    ) {
        (true, false) => predicate,
        (false, true) => predicate.swapped(),
        _ => return None,
    };
    let is_counted = match step {
        Step::Up => matches!(predicate, CmpPredicate::IUlt | CmpPredicate::ISlt),
        Step::Down => matches!(predicate, CmpPredicate::IUgt | CmpPredicate::ISgt),
    };
    if !is_counted {
        return None;
    }
    let outer = [end]
        .into_iter()
        .filter(|&value| cfg.definition(value).is_some());
    Some(Test {
        condition: enters,
        again: is,
        insts: vec![view.inst_of(enters)?],
        renames: vec![(counter.first, Operand::Value(counter.phi))],
        outer: outer.collect(),
    })
}

/// Direction of a counter.
enum Step {
    Up,
    Down,
}

/// Returns the direction of a value that changes by one in each round.
fn step_of(view: FuncView<'_>, counter: &LoopValue) -> Option<Step> {
    let Inst::Binary { op, lhs, rhs, .. } = view.inst_data(counter.next)?.inst else {
        return None;
    };
    let Type::Int(width) = *view.module.types.get(view.type_of(counter.next)?) else {
        return None;
    };
    let minus_one = u64::MAX >> (64 - u32::from(width).clamp(1, 64));
    let number = |value| match view.constant(value) {
        Some(Constant::Int(bits)) => Some(bits & minus_one),
        _ => None,
    };
    let by = match (lhs == counter.phi, rhs == counter.phi) {
        (true, false) => number(rhs)?,
        (false, true) if op == BinaryOp::Add => number(lhs)?,
        _ => return None,
    };
    match op {
        // A counter of one bit would go both ways.
        _ if width < 2 => None,
        BinaryOp::Add if by == 1 => Some(Step::Up),
        BinaryOp::Add if by == minus_one => Some(Step::Down),
        BinaryOp::Sub if by == 1 => Some(Step::Down),
        _ => None,
    }
}

/// Returns the comparison that a condition is where it has a value.
fn comparison(
    view: FuncView<'_>,
    condition: ValueId,
    is: bool,
) -> Option<(CmpPredicate, ValueId, ValueId)> {
    match view.inst_data(condition)?.inst {
        Inst::Cmp {
            predicate,
            lhs,
            rhs,
            ..
        } => Some((if is { predicate } else { predicate.negated() }, lhs, rhs)),
        _ => None,
    }
}
