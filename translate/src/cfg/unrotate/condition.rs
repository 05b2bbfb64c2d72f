//! Proves that a loop's condition, evaluated for the first iteration, equals its guard.
//!
//! The latch's condition is a function of the values that go into the next round and of values from
//! outside of the loop. Put the first round's values in, and it has to be the guard's condition:
//! the same computation, up to what LLVM simplified in the guard (folded constants, `0 < x` as `x
//! != 0`, swapped or negated comparisons).

use dxil_frontend::dxil::ops::{Memory, OpFlags, Opcode, Role};
use dxil_frontend::ir::{BinaryOp, CmpPredicate, Constant, FuncView, Inst, InstId, Type, ValueId};

use super::super::pinned_blocks::operation;
use super::super::{Cfg, CfgNodeId};
use super::rotated::{LoopValue, MAX_INSTRUCTIONS, Rotated, Test};
use super::{counted, rounds};
use crate::cfg::{Operand, PhiResult};

/// Operations that are looked through for a proof, one inside of the other.
const MAX_DEPTH: u32 = 8;

/// A value in a context: with the first round's values put in for the next round's, or as it is.
#[derive(Debug, Clone, Copy)]
struct Term {
    value: ValueId,
    first_round: bool,
}

/// A comparison of two terms.
struct Comparison {
    predicate: CmpPredicate,
    lhs: Term,
    rhs: Term,
}

struct Prover<'a> {
    cfg: &'a Cfg,
    view: FuncView<'a>,
    rotated: &'a Rotated,
    carried: Vec<LoopValue>,
}

/// Returns the test for the head of a loop, if it may stand there.
pub(super) fn plan(cfg: &Cfg, view: FuncView<'_>, rotated: &Rotated) -> Option<Test> {
    let mut carried = Vec::new();
    for phi in &cfg.node(rotated.first).phis {
        let from = |node: CfgNodeId| {
            let edge = phi.incoming.iter().find(|(from, _)| *from == node);
            edge.and_then(|&(_, operand)| match operand {
                Operand::Value(value) => Some(value),
                _ => None,
            })
        };
        if let (PhiResult::Value(result), Some(first), Some(next)) =
            (phi.result, from(rotated.before), from(rotated.latch))
        {
            carried.push(LoopValue {
                phi: result,
                first,
                next,
            });
        }
    }
    if rounds::are_few(view, &carried, rotated.again) {
        return None;
    }
    let prover = Prover {
        cfg,
        view,
        rotated,
        carried,
    };
    let mut test = Test {
        condition: rotated.again.0,
        again: rotated.again.1,
        insts: Vec::new(),
        renames: Vec::new(),
        outer: Vec::new(),
    };
    prover.collect(rotated.again.0, &mut test, 0)?;
    // A condition that does not change, or that is itself handed on, is not worth it.
    if test.insts.is_empty() {
        return None;
    }
    let again = Term {
        value: rotated.again.0,
        first_round: true,
    };
    let enters = Term {
        value: rotated.enters.0,
        first_round: false,
    };
    // The condition with the first round's values has to be the guard's, each with the outcome that
    // enters the loop.
    let is_same = prover.means(again, rotated.again.1, enters, rotated.enters.1, 0);
    if is_same {
        return Some(test);
    }
    counted::plan(cfg, view, rotated, &prover.carried)
}

impl<'a> Prover<'a> {
    /// Returns whether a value is computed in the loop.
    fn is_inside(&self, value: ValueId) -> bool {
        let home = self.cfg.definition(value);
        home.is_some_and(|home| self.rotated.inside.contains(&home))
    }

    /// Returns the phi that a value of the next round becomes.
    fn carried(&self, value: ValueId) -> Option<&LoopValue> {
        self.is_inside(value)
            .then(|| self.carried.iter().find(|carried| carried.next == value))?
    }

    fn inst(&self, value: ValueId) -> Option<(InstId, &'a Inst)> {
        let inst = self.view.inst_of(value)?;
        Some((inst, &self.view.function.insts.get(inst)?.inst))
    }

    /// Collects the instructions that compute a value of the loop. Returns `None` if the head
    /// cannot compute it. `depth` is the number of instructions that use each other's results up to
    /// the condition.
    fn collect(&self, value: ValueId, test: &mut Test, depth: usize) -> Option<()> {
        if let Some(carried) = self.carried(value) {
            let rename = (value, Operand::Value(carried.phi));
            if !test.renames.contains(&rename) {
                test.renames.push(rename);
            }
            return Some(());
        }
        if !self.is_inside(value) {
            if self.cfg.definition(value).is_some() && !test.outer.contains(&value) {
                test.outer.push(value);
            }
            return Some(());
        }
        let (id, inst) = self.inst(value)?;
        if test.insts.contains(&id) {
            return Some(());
        }
        // Instructions are counted once their operands are collected, so that the depth bounds the
        // recursion: those of a chain are all still to be counted.
        if test.insts.len().max(depth) >= MAX_INSTRUCTIONS || !self.is_pure(inst) {
            return None;
        }
        let mut result = Some(());
        self.view.function.for_each_operand(inst, |operand| {
            if result.is_some() {
                result = self.collect(operand, test, depth + 1);
            }
        });
        result?;
        test.insts.push(id);
        // The operands' instructions may have used up the rest.
        (test.insts.len() <= MAX_INSTRUCTIONS).then_some(())
    }

    /// Returns whether equal operands give equal results, wherever the instruction stands and
    /// regardless of which other threads execute it.
    fn is_pure(&self, inst: &Inst) -> bool {
        match *inst {
            Inst::Binary { .. }
            | Inst::Cast { .. }
            | Inst::Cmp { .. }
            | Inst::Select { .. }
            | Inst::ExtractValue { .. } => true,
            Inst::Call { callee, args, .. } => match operation(self.view, callee, args) {
                Some(opcode) => {
                    let row = opcode.properties();
                    // Constant buffers do not change while a shader runs.
                    row.takes(Role::ConstantBuffer)
                        || row.memory == Memory::ReadNone
                            && !row.flags.intersects(OpFlags::CONVERGENT)
                            && is_arithmetic(opcode)
                }
                None => false,
            },
            _ => false,
        }
    }

    /// Returns a term with the first round's value put in.
    fn resolve(&self, term: Term) -> Term {
        let Term { value, first_round } = term;
        if !first_round {
            return term;
        }
        match self.carried(value) {
            Some(carried) => Term {
                value: carried.first,
                first_round: false,
            },
            None => Term {
                value,
                first_round: self.is_inside(value),
            },
        }
    }

    /// Returns whether "`a` is `is_a`" and "`b` is `is_b`" mean the same; both are of type `i1`.
    fn means(&self, a: Term, is_a: bool, b: Term, is_b: bool, depth: u32) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        let (a, is_a) = self.simplified(a, is_a);
        let (b, is_b) = self.simplified(b, is_b);
        if is_a == is_b && self.is_same(a, b, depth) {
            return true;
        }
        if let (Some(a), Some(b)) = (self.comparison(a, is_a), self.comparison(b, is_b)) {
            return self.same_comparison(&a, &b, depth);
        }
        // The parts of an `and` or `or`, and whether both are meant or one of them. By De Morgan's
        // laws `a & b` is false where `!a | !b` is true, so that the two change places if `is` is
        // false.
        let parts = |term: Term, is: bool| match self.inst(term.value)?.1 {
            &Inst::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                lhs,
                rhs,
                ..
            } => {
                let part = |value| Term { value, ..term };
                Some(((op == BinaryOp::And) == is, [part(lhs), part(rhs)]))
            }
            _ => None,
        };
        match (parts(a, is_a), parts(b, is_b)) {
            (Some((all, [a0, a1])), Some((both, [b0, b1]))) if all == both => {
                let means = |a, b| self.means(a, is_a, b, is_b, depth + 1);
                (means(a0, b0) && means(a1, b1)) || (means(a0, b1) && means(a1, b0))
            }
            _ => false,
        }
    }

    /// Takes negations and parts of `and` and `or` that decide nothing away.
    fn simplified(&self, term: Term, mut is: bool) -> (Term, bool) {
        let mut term = self.resolve(term);
        for _ in 0..MAX_DEPTH {
            let Some((
                _,
                &Inst::Binary {
                    op: op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor),
                    lhs,
                    rhs,
                    ..
                },
            )) = self.inst(term.value)
            else {
                break;
            };
            let [lhs, rhs] = [lhs, rhs].map(|value| self.resolve(Term { value, ..term }));
            let neutral = u64::from(op == BinaryOp::And);
            match (self.number(lhs, 0), self.number(rhs, 0)) {
                (_, Some(bit)) if op == BinaryOp::Xor => {
                    term = lhs;
                    is ^= bit & 1 == 1;
                }
                (Some(bit), _) if op != BinaryOp::Xor && bit & 1 == neutral => term = rhs,
                (_, Some(bit)) if op != BinaryOp::Xor && bit & 1 == neutral => term = lhs,
                _ => break,
            }
        }
        (term, is)
    }

    fn comparison(&self, term: Term, is: bool) -> Option<Comparison> {
        match *self.inst(term.value)?.1 {
            Inst::Cmp {
                predicate,
                lhs,
                rhs,
                ..
            } => {
                let side = |value| self.resolve(Term { value, ..term });
                let predicate = if is { predicate } else { predicate.negated() };
                Some(self.plain(predicate, side(lhs), side(rhs)))
            }
            _ => None,
        }
    }

    /// Returns a comparison in the form that all that mean the same with a constant have: constants
    /// on the right, no `<=` and `>=`.
    fn plain(&self, predicate: CmpPredicate, lhs: Term, rhs: Term) -> Comparison {
        let is_constant = |term| self.number(term, 0).is_some();
        if is_constant(lhs) && !is_constant(rhs) {
            Comparison {
                predicate: predicate.swapped(),
                lhs: rhs,
                rhs: lhs,
            }
        } else {
            Comparison {
                predicate,
                lhs,
                rhs,
            }
        }
    }

    fn same_comparison(&self, a: &Comparison, b: &Comparison, depth: u32) -> bool {
        let bits = |term: Term| match self.view.module.types.get(self.view.type_of(term.value)?) {
            Type::Int(bits) => Some(u32::from(*bits)),
            _ => None,
        };
        if let (Some(x), Some(y), Some(width)) = (
            self.number(a.rhs, 0),
            self.number(b.rhs, 0),
            bits(a.rhs).filter(|_| bits(a.rhs) == bits(b.rhs)),
        ) {
            return strict(a.predicate, x, width) == strict(b.predicate, y, width)
                && self.is_same(a.lhs, b.lhs, depth + 1);
        }
        let pairs = |x, y, z, w| self.is_same(x, y, depth + 1) && self.is_same(z, w, depth + 1);
        (a.predicate == b.predicate && pairs(a.lhs, b.lhs, a.rhs, b.rhs))
            || (a.predicate == b.predicate.swapped() && pairs(a.lhs, b.rhs, a.rhs, b.lhs))
    }

    /// Returns whether two terms have the same value.
    fn is_same(&self, a: Term, b: Term, depth: u32) -> bool {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if a.value == b.value && a.first_round == b.first_round {
            return true;
        }
        if depth > MAX_DEPTH || self.view.type_of(a.value) != self.view.type_of(b.value) {
            return false;
        }
        if let (Some(a), Some(b)) = (self.number(a, 0), self.number(b, 0)) {
            return a == b;
        }
        let (Some((_, x)), Some((_, y))) = (self.inst(a.value), self.inst(b.value)) else {
            return false;
        };
        if !self.is_pure(x) || !self.is_pure(y) {
            return false;
        }
        let same = |x: ValueId, y: ValueId| {
            let a = Term { value: x, ..a };
            let b = Term { value: y, ..b };
            self.is_same(a, b, depth + 1)
        };
        let function = self.view.function;
        // With other fast-math flags the device may round differently, and the two conditions may
        // disagree.
        match (x, y) {
            (
                Inst::Binary {
                    op,
                    fast_math,
                    lhs,
                    rhs,
                },
                Inst::Binary {
                    op: op_b,
                    fast_math: fast_b,
                    lhs: l,
                    rhs: r,
                },
            ) => op == op_b && fast_math == fast_b && same(*lhs, *l) && same(*rhs, *r),
            (
                Inst::Cmp {
                    predicate,
                    fast_math,
                    lhs,
                    rhs,
                },
                Inst::Cmp {
                    predicate: predicate_b,
                    fast_math: fast_b,
                    lhs: l,
                    rhs: r,
                },
            ) => {
                predicate == predicate_b && fast_math == fast_b && same(*lhs, *l) && same(*rhs, *r)
            }
            (Inst::Cast { op, value }, Inst::Cast { op: op_b, value: v }) => {
                op == op_b && same(*value, *v)
            }
            (
                Inst::Select {
                    condition,
                    if_true,
                    if_false,
                },
                Inst::Select {
                    condition: c,
                    if_true: t,
                    if_false: f,
                },
            ) => same(*condition, *c) && same(*if_true, *t) && same(*if_false, *f),
            (
                Inst::ExtractValue { aggregate, indices },
                Inst::ExtractValue {
                    aggregate: other,
                    indices: others,
                },
            ) => {
                function.indices_of(*indices) == function.indices_of(*others)
                    && same(*aggregate, *other)
            }
            (
                Inst::Call {
                    callee,
                    args,
                    fast_math,
                },
                Inst::Call {
                    callee: callee_b,
                    args: args_b,
                    fast_math: fast_b,
                },
            ) => {
                let (args, others) = (function.values_of(*args), function.values_of(*args_b));
                callee == callee_b
                    && fast_math == fast_b
                    && args.len() == others.len()
                    && args.iter().zip(others).all(|(&x, &y)| same(x, y))
            }
            _ => false,
        }
    }

    /// Returns the bits of a term that is constant. Floating-point results only where
    /// every device computes them exactly.
    fn number(&self, term: Term, depth: u32) -> Option<u64> {
        let term = self.resolve(term);
        let ty = self.view.module.types.get(self.view.type_of(term.value)?);
        let width = match ty {
            Type::Int(bits) if *bits <= 64 => u32::from(*bits),
            Type::Float => 32,
            _ => return None,
        };
        match self.view.constant(term.value) {
            Some(Constant::Int(bits) | Constant::Float(bits)) => return Some(bits),
            Some(Constant::Null) => return Some(0),
            Some(_) => return None,
            None => {}
        }
        if depth > MAX_DEPTH {
            return None;
        }
        let part = |value: ValueId| self.number(Term { value, ..term }, depth + 1);
        // Only results that no rounding mode and no flushing of denormals changes: devices may do
        // both.
        let float = |value: ValueId| small_float(f32::from_bits(part(value)? as u32));
        match *self.inst(term.value)?.1 {
            Inst::Binary { op, lhs, rhs, .. } if *ty == Type::Float => {
                exact(op, float(lhs)?, float(rhs)?).map(|x| u64::from((x as f32).to_bits()))
            }
            Inst::Binary { op, lhs, rhs, .. } => integer(op, part(lhs)?, part(rhs)?, width),
            Inst::Cmp {
                predicate,
                lhs,
                rhs,
                ..
            } => {
                let of = self.view.module.types.get(self.view.type_of(lhs)?);
                match *of {
                    Type::Float => ordered(predicate, float(lhs)?, float(rhs)?),
                    Type::Int(bits) => compared(predicate, part(lhs)?, part(rhs)?, u32::from(bits)),
                    _ => None,
                }
                .map(u64::from)
            }
            Inst::Call { callee, args, .. } => {
                let parts = match operation(self.view, callee, args)? {
                    Opcode::Dot2 => 2,
                    Opcode::Dot3 => 3,
                    Opcode::Dot4 => 4,
                    _ => return None,
                };
                let args = self.view.function.values_of(args).get(1..)?;
                let (a, b) = (args.get(..parts)?, args.get(parts..2 * parts)?);
                let mut sum = 0.0;
                for (&a, &b) in a.iter().zip(b) {
                    sum = exact(
                        BinaryOp::FAdd,
                        sum,
                        exact(BinaryOp::FMul, float(a)?, float(b)?)?,
                    )?;
                }
                Some(u64::from((sum as f32).to_bits()))
            }
            _ => None,
        }
    }
}

/// Returns whether the result of an operation depends on its operands alone, not on which thread
/// executes it.
fn is_arithmetic(opcode: Opcode) -> bool {
    let class = opcode.class();
    ["unary", "binary", "tertiary", "dot", "isSpecialFloat"]
        .iter()
        .any(|start| class.starts_with(start))
}

/// Returns a number that f32 holds exactly, with room for sums and products that are exact as well.
fn small_float(value: f32) -> Option<f64> {
    let size = value.abs();
    let fits = value == 0.0 || (1.0 / 4096.0..4096.0).contains(&size);
    fits.then_some(f64::from(value))
}

/// Returns a result that no rounding touches.
fn exact(op: BinaryOp, a: f64, b: f64) -> Option<f64> {
    let result = match op {
        BinaryOp::FAdd => a + b,
        BinaryOp::FSub => a - b,
        BinaryOp::FMul => a * b,
        _ => return None,
    };
    let rounded = result as f32;
    (f64::from(rounded) == result)
        .then(|| small_float(rounded))
        .flatten()
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}

fn integer(op: BinaryOp, a: u64, b: u64, width: u32) -> Option<u64> {
    let (a, b) = (a & mask(width), b & mask(width));
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl if b < u64::from(width) => a << b,
        BinaryOp::LShr if b < u64::from(width) => a >> b,
        _ => return None,
    };
    Some(result & mask(width))
}

fn signed(value: u64, width: u32) -> i64 {
    let shift = 64 - width.clamp(1, 64);
    (value << shift) as i64 >> shift
}

fn compared(predicate: CmpPredicate, a: u64, b: u64, width: u32) -> Option<bool> {
    let (a, b) = (a & mask(width), b & mask(width));
    let (x, y) = (signed(a, width), signed(b, width));
    Some(match predicate {
        CmpPredicate::IEq => a == b,
        CmpPredicate::INe => a != b,
        CmpPredicate::IUgt => a > b,
        CmpPredicate::IUge => a >= b,
        CmpPredicate::IUlt => a < b,
        CmpPredicate::IUle => a <= b,
        CmpPredicate::ISgt => x > y,
        CmpPredicate::ISge => x >= y,
        CmpPredicate::ISlt => x < y,
        CmpPredicate::ISle => x <= y,
        _ => return None,
    })
}

/// Returns a comparison of two numbers that are none of them NaN.
fn ordered(predicate: CmpPredicate, a: f64, b: f64) -> Option<bool> {
    Some(match predicate {
        CmpPredicate::FOeq | CmpPredicate::FUeq => a == b,
        CmpPredicate::FOne | CmpPredicate::FUne => a != b,
        CmpPredicate::FOgt | CmpPredicate::FUgt => a > b,
        CmpPredicate::FOge | CmpPredicate::FUge => a >= b,
        CmpPredicate::FOlt | CmpPredicate::FUlt => a < b,
        CmpPredicate::FOle | CmpPredicate::FUle => a <= b,
        _ => return None,
    })
}

/// Returns an integer comparison with a constant as the one form of all that mean the same.
fn strict(predicate: CmpPredicate, constant: u64, width: u32) -> (CmpPredicate, u64) {
    use CmpPredicate::*;
    let max_unsigned = mask(width);
    let constant = constant & max_unsigned;
    let (min_signed, max_signed) = (1 << (width.clamp(1, 64) - 1), max_unsigned >> 1);
    let plus = constant.wrapping_add(1) & max_unsigned;
    let minus = constant.wrapping_sub(1) & max_unsigned;
    let (predicate, constant) = match predicate {
        IUle if constant != max_unsigned => (IUlt, plus),
        IUge if constant != 0 => (IUgt, minus),
        ISle if constant != max_signed => (ISlt, plus),
        ISge if constant != min_signed => (ISgt, minus),
        _ => (predicate, constant),
    };
    match (predicate, constant) {
        (IUlt, 1) => (IEq, 0),
        (IUgt, 0) => (INe, 0),
        (IUlt, x) if x == max_unsigned => (INe, max_unsigned),
        (IUgt, x) if x == max_unsigned.wrapping_sub(1) => (IEq, max_unsigned),
        other => other,
    }
}
