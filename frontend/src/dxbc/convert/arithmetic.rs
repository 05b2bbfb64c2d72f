//! Arithmetic: float, integer, bits, conversions, comparisons, moves.

use super::context::FunctionConverter;
use super::doubles;
use super::operands::InstructionOperands;
use super::ssa::Def;
use crate::dxbc::opcode::Opcode as O;
use crate::dxbc::tokens::{File, Operand};
use crate::dxil::ops::Opcode as Op;
use crate::error::Result;
use crate::ir::{BinaryOp, CastOp, CmpPredicate, ValueId};

/// Converts an arithmetic instruction; `false` if it is none.
pub(super) fn convert(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
) -> Result<bool> {
    use BinaryOp as B;
    use CmpPredicate as P;
    match o.instruction.opcode {
        O::Add => each(c, o, |c, component| {
            let (a, b) = (o.at(1)?, o.at(2)?);
            let sum = if adds_nothing(c, b, component) {
                c.real_source(a, component)?
            } else if adds_nothing(c, a, component) {
                c.real_source(b, component)?
            } else {
                let a = c.signed_source(a, component)?;
                let b = c.signed_source(b, component)?;
                c.signed_sum(a, b)
            };
            Ok(c.float_result(sum))
        })?,
        O::Mul => each(c, o, |c, component| {
            let (product, negate) = product(c, o, component)?;
            let product = if negate { c.negated(product) } else { product };
            Ok(c.float_result(product))
        })?,
        O::Div => floats(c, o, B::FDiv)?,
        O::Mad => each(c, o, |c, component| {
            let factors = factors(c, o, component)?;
            let addend = c.signed_source(o.at(3)?, component)?;
            let sum = multiply_add(c, factors, addend)?;
            Ok(c.float_result(sum))
        })?,
        // D3D11.3 functional specification, 22.10.10 and 22.10.11: of a number and a NaN, the
        // number. DXIL's operations behave alike; a comparison and a select would not.
        O::Min => float_operation(c, o, Op::FMin, 2)?,
        O::Max => float_operation(c, o, Op::FMax, 2)?,
        O::Exp => float_operation(c, o, Op::Exp, 1)?,
        O::Log => float_operation(c, o, Op::Log, 1)?,
        O::Frc => float_operation(c, o, Op::Frc, 1)?,
        O::Sqrt => float_operation(c, o, Op::Sqrt, 1)?,
        O::Rsq => float_operation(c, o, Op::Rsqrt, 1)?,
        O::RoundNe => float_operation(c, o, Op::RoundNe, 1)?,
        O::RoundNi => float_operation(c, o, Op::RoundNi, 1)?,
        O::RoundPi => float_operation(c, o, Op::RoundPi, 1)?,
        O::RoundZ => float_operation(c, o, Op::RoundZ, 1)?,
        O::DerivRtx | O::DerivRtxCoarse => float_operation(c, o, Op::DerivCoarseX, 1)?,
        O::DerivRty | O::DerivRtyCoarse => float_operation(c, o, Op::DerivCoarseY, 1)?,
        O::DerivRtxFine => float_operation(c, o, Op::DerivFineX, 1)?,
        O::DerivRtyFine => float_operation(c, o, Op::DerivFineY, 1)?,
        // D3D11.3 functional specification, 22.10.18, allows a larger error than the division has.
        O::Rcp => each(c, o, |c, component| {
            let value = c.real_source(o.at(1)?, component)?;
            let one = c.float(1.0);
            let one = c.narrowed(one);
            let ty = c.real();
            let quotient = c.binary(B::FDiv, ty, one, value);
            Ok(c.float_result(quotient))
        })?,
        O::Dp2 => dot(c, o, Op::Dot2, 2)?,
        O::Dp3 => dot(c, o, Op::Dot3, 3)?,
        O::Dp4 => dot(c, o, Op::Dot4, 4)?,
        O::Sincos => {
            // Both are computed before either is written: the source may be a destination.
            two_results(c, o, |c, component, result| {
                c.set_precision(o.instruction, 1 << component);
                let value = c.real_source(o.at(2)?, component)?;
                let ty = c.real();
                let op = if result == 0 { Op::Sin } else { Op::Cos };
                let value = c.call(op, Some(ty), ty, &[value])?;
                Ok(c.float_result(value))
            })?;
        }
        O::Eq => compare_floats(c, o, P::FOeq)?,
        // D3D11.3 functional specification, 22.6.8: only `ne` holds for NaN, so only it is
        // unordered.
        O::Ne => compare_floats(c, o, P::FUne)?,
        O::Lt => compare_floats(c, o, P::FOlt)?,
        O::Ge => compare_floats(c, o, P::FOge)?,
        O::Ieq => compare_ints(c, o, P::IEq)?,
        O::Ine => compare_ints(c, o, P::INe)?,
        O::Ilt => compare_ints(c, o, P::ISlt)?,
        O::Ige => compare_ints(c, o, P::ISge)?,
        O::Ult => compare_ints(c, o, P::IUlt)?,
        O::Uge => compare_ints(c, o, P::IUge)?,
        O::Iadd => ints(c, o, B::Add)?,
        O::And => each(c, o, |c, component| and(c, o, component))?,
        O::Or => ints(c, o, B::Or)?,
        O::Xor => ints(c, o, B::Xor)?,
        O::Ishl => shifts(c, o, B::Shl)?,
        O::Ishr => shifts(c, o, B::AShr)?,
        O::Ushr => shifts(c, o, B::LShr)?,
        O::Not => each(c, o, |c, component| not(c, o, component))?,
        O::Ineg => each(c, o, |c, component| {
            let def = c.int_def(o.at(1)?, component)?;
            let zero = Def::Bits(0);
            Ok(int_binary(c, B::Sub, zero, def))
        })?,
        O::Imad | O::Umad => each(c, o, |c, component| {
            let a = c.int_def(o.at(1)?, component)?;
            let b = c.int_def(o.at(2)?, component)?;
            let sum = c.int_def(o.at(3)?, component)?;
            let product = int_binary(c, B::Mul, a, b);
            Ok(int_binary(c, B::Add, product, sum))
        })?,
        O::Imax => int_operation(c, o, Op::IMax, 2)?,
        O::Imin => int_operation(c, o, Op::IMin, 2)?,
        O::Umax => int_operation(c, o, Op::UMax, 2)?,
        O::Umin => int_operation(c, o, Op::UMin, 2)?,
        O::Countbits => int_operation(c, o, Op::Countbits, 1)?,
        O::FirstbitHi => int_operation(c, o, Op::FirstbitHi, 1)?,
        O::FirstbitLo => int_operation(c, o, Op::FirstbitLo, 1)?,
        O::FirstbitShi => int_operation(c, o, Op::FirstbitSHi, 1)?,
        O::Bfrev => int_operation(c, o, Op::Bfrev, 1)?,
        O::Ubfe => int_operation(c, o, Op::Ubfe, 3)?,
        O::Ibfe => int_operation(c, o, Op::Ibfe, 3)?,
        O::Bfi => int_operation(c, o, Op::Bfi, 4)?,
        O::Msad => int_operation(c, o, Op::Msad, 3)?,
        O::Imul => products(c, o, Op::IMul)?,
        O::Umul => products(c, o, Op::UMul)?,
        // D3D11.3 functional specification, 22.12.9: a division by zero gives all ones. LLVM leaves
        // `udiv` undefined then; DXIL's operation does not.
        O::Udiv => pairs(c, o, Op::UDiv, "dx.types.twoi32")?,
        O::Uaddc => carries(c, o, Op::UAddc)?,
        O::Usubb => carries(c, o, Op::USubb)?,
        O::Ftoi => each(c, o, |c, component| {
            let value = c.float_source(o.at(1)?, component)?;
            let ty = c.i32();
            Ok(Def::Int(c.cast(CastOp::FpToSi, value, ty)))
        })?,
        O::Ftou => each(c, o, |c, component| {
            let value = c.float_source(o.at(1)?, component)?;
            let ty = c.i32();
            Ok(Def::Int(c.cast(CastOp::FpToUi, value, ty)))
        })?,
        O::Itof => each(c, o, |c, component| {
            let value = c.int_source(o.at(1)?, component)?;
            let ty = c.real();
            let value = c.cast(CastOp::SiToFp, value, ty);
            Ok(c.float_result(value))
        })?,
        O::Utof => each(c, o, |c, component| {
            let value = c.int_source(o.at(1)?, component)?;
            let ty = c.real();
            let value = c.cast(CastOp::UiToFp, value, ty);
            Ok(c.float_result(value))
        })?,
        O::F32tof16 => each(c, o, |c, component| {
            let value = c.float_source(o.at(1)?, component)?;
            let ty = c.i32();
            Ok(Def::Int(c.call(Op::LegacyF32ToF16, None, ty, &[value])?))
        })?,
        O::F16tof32 => each(c, o, |c, component| {
            let value = c.int_source(o.at(1)?, component)?;
            let ty = c.f32();
            Ok(Def::Float(c.call(
                Op::LegacyF16ToF32,
                None,
                ty,
                &[value],
            )?))
        })?,
        O::Mov => {
            let prefers = c.prefers_float(o.at(0)?);
            each(c, o, |c, component| c.any_def(o.at(1)?, component, prefers))?;
        }
        O::Movc => {
            let prefers = c.prefers_float(o.at(0)?);
            each(c, o, |c, component| {
                // D3D11.3 functional specification, 22.9.2: a condition holds if any bit is set.
                let condition = c.bits(o.at(1)?, component, false)?;
                let if_true = c.any_def(o.at(2)?, component, prefers)?;
                let if_false = c.any_def(o.at(3)?, component, prefers)?;
                Ok(choose(c, condition, if_true, if_false))
            })?;
        }
        O::Swapc => swap(c, o)?,
        _ => return doubles::convert(c, o),
    }
    Ok(true)
}

/// Computes each component of the first destination and writes them together.
pub(super) fn each<'a, 's>(
    c: &mut FunctionConverter<'a, 's>,
    o: &InstructionOperands<'_>,
    mut compute: impl FnMut(&mut FunctionConverter<'a, 's>, u8) -> Result<Def>,
) -> Result<()> {
    each_of(c, o, 0, &mut compute)
}

/// Computes each component of a destination and writes them together.
pub(super) fn each_of<'a, 's>(
    c: &mut FunctionConverter<'a, 's>,
    o: &InstructionOperands<'_>,
    destination: usize,
    compute: &mut impl FnMut(&mut FunctionConverter<'a, 's>, u8) -> Result<Def>,
) -> Result<()> {
    let operand = o.at(destination)?;
    let mut values = [None; 4];
    for (component, value) in (0..).zip(&mut values) {
        if operand.components.mask() >> component & 1 != 0 {
            c.set_precision(o.instruction, 1 << component);
            *value = Some(compute(c, component)?);
        }
    }
    c.write(o.instruction, operand, &values)
}

/// The first two sources without their signs, and whether their product is to be negated.
struct Factors {
    a: ValueId,
    b: ValueId,
    negate: bool,
}

fn factors(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    component: u8,
) -> Result<Factors> {
    let (a, negate_a) = c.signed_source(o.at(1)?, component)?;
    let (b, negate_b) = c.signed_source(o.at(2)?, component)?;
    Ok(Factors {
        a,
        b,
        negate: negate_a != negate_b,
    })
}

/// Returns whether a summand is 0, which may be left out of sums that are not precise. Compilers
/// that do not fold constants add a vector where only some of its components are needed.
fn adds_nothing(c: &FunctionConverter<'_, '_>, summand: &Operand, component: u8) -> bool {
    let place = usize::from(summand.components.source(component));
    let word = summand.words.get(place).copied();
    !c.is_precise() && summand.file == File::Immediate32 && word.map(f32::from_bits) == Some(0.0)
}

/// Returns the product of the first two sources, and whether it is to be negated.
fn product(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    component: u8,
) -> Result<(ValueId, bool)> {
    let Factors { a, b, negate } = factors(c, o, component)?;
    let ty = c.real();
    Ok((c.binary(BinaryOp::FMul, ty, a, b), negate))
}

/// Returns a product plus an addend that may be negated.
fn multiply_add(
    c: &mut FunctionConverter<'_, '_>,
    Factors { a, b, negate }: Factors,
    addend: (ValueId, bool),
) -> Result<ValueId> {
    let ty = c.real();
    // A difference takes the sign without an instruction, and drivers fuse it as they like. What is
    // precise stays one operation (D3D11.3 functional specification, 22.19.2).
    if (negate || addend.1) && !c.is_precise() {
        let product = c.binary(BinaryOp::FMul, ty, a, b);
        return Ok(c.signed_sum((product, negate), addend));
    }
    let a = if negate { c.negated(a) } else { a };
    let addend = match addend {
        (value, true) => c.negated(value),
        (value, false) => value,
    };
    c.call(Op::FMad, Some(ty), ty, &[a, b, addend])
}

fn floats(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    op: BinaryOp,
) -> Result<()> {
    each(c, o, |c, component| {
        let a = c.real_source(o.at(1)?, component)?;
        let b = c.real_source(o.at(2)?, component)?;
        let ty = c.real();
        let value = c.binary(op, ty, a, b);
        Ok(c.float_result(value))
    })
}

fn float_operation(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    op: Op,
    count: usize,
) -> Result<()> {
    each(c, o, |c, component| {
        let mut args: smallvec::SmallVec<[ValueId; 3]> = smallvec::SmallVec::new();
        for source in 1..=count {
            args.push(c.real_source(o.at(source)?, component)?);
        }
        let ty = c.real();
        let value = c.call(op, Some(ty), ty, &args)?;
        Ok(c.float_result(value))
    })
}

fn dot(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    op: Op,
    count: u8,
) -> Result<()> {
    c.set_precision(o.instruction, o.at(0)?.components.mask());
    // `OpDot` leaves the order of its sums open.
    if c.is_precise() {
        // Products are added from the first to the last, in all shaders the same. Each step may be
        // fused (D3D11.3 functional specification, 3.1.3).
        let (product, negate) = product(c, o, 0)?;
        let mut sum = if negate { c.negated(product) } else { product };
        for component in 1..count {
            let factors = factors(c, o, component)?;
            sum = multiply_add(c, factors, (sum, false))?;
        }
        return each(c, o, |c, _| Ok(c.float_result(sum)));
    }
    let mut args: smallvec::SmallVec<[ValueId; 8]> = smallvec::SmallVec::new();
    for source in [1, 2] {
        for component in 0..count {
            args.push(c.real_source(o.at(source)?, component)?);
        }
    }
    let ty = c.real();
    let value = c.call(op, Some(ty), ty, &args)?;
    each(c, o, |c, _| Ok(c.float_result(value)))
}

fn compare_floats(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    predicate: CmpPredicate,
) -> Result<()> {
    each(c, o, |c, component| {
        let a = c.float_source(o.at(1)?, component)?;
        let b = c.float_source(o.at(2)?, component)?;
        Ok(Def::Mask(c.compare(predicate, a, b)))
    })
}

fn compare_ints(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    predicate: CmpPredicate,
) -> Result<()> {
    each(c, o, |c, component| {
        let a = c.int_source(o.at(1)?, component)?;
        let b = c.int_source(o.at(2)?, component)?;
        Ok(Def::Mask(c.compare(predicate, a, b)))
    })
}

fn ints(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    op: BinaryOp,
) -> Result<()> {
    each(c, o, |c, component| {
        let a = c.int_def(o.at(1)?, component)?;
        let b = c.int_def(o.at(2)?, component)?;
        Ok(int_binary(c, op, a, b))
    })
}

/// Returns the result of integer arithmetic. Constants are folded, since indices are often sums of
/// them.
pub(super) fn int_binary(c: &mut FunctionConverter<'_, '_>, op: BinaryOp, a: Def, b: Def) -> Def {
    if let (Def::Bits(a), Def::Bits(b)) = (a, b) {
        let known = match op {
            BinaryOp::Add => Some(a.wrapping_add(b)),
            BinaryOp::Sub => Some(a.wrapping_sub(b)),
            BinaryOp::Mul => Some(a.wrapping_mul(b)),
            BinaryOp::And => Some(a & b),
            BinaryOp::Or => Some(a | b),
            BinaryOp::Xor => Some(a ^ b),
            BinaryOp::Shl => Some(a.wrapping_shl(b)),
            BinaryOp::LShr => Some(a.wrapping_shr(b)),
            BinaryOp::AShr => Some(a.cast_signed().wrapping_shr(b).cast_unsigned()),
            _ => None,
        };
        if let Some(known) = known {
            return Def::Bits(known);
        }
    }
    // Masks stay masks: conditions then need no conversion to integers and back.
    if let (Def::Mask(a), Def::Mask(b)) = (a, b)
        && matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
    {
        let ty = c.i1();
        return Def::Mask(c.binary(op, ty, a, b));
    }
    let (a, b) = (c.as_int(a), c.as_int(b));
    let ty = c.i32();
    Def::Int(c.binary(op, ty, a, b))
}

/// Converts `and`, by which compilers choose between a value and 0.
fn and(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    component: u8,
) -> Result<Def> {
    let a = c.int_def(o.at(1)?, component)?;
    let b = c.int_def(o.at(2)?, component)?;
    match (a, b) {
        (Def::Mask(_), Def::Mask(_)) => {}
        // A mask is all ones or 0, so `and` with it is a select; that spares the conversion to an
        // integer.
        (Def::Mask(_), other) => return Ok(choose(c, a, other, Def::Bits(0))),
        (other, Def::Mask(_)) => return Ok(choose(c, b, other, Def::Bits(0))),
        _ => {}
    }
    Ok(int_binary(c, BinaryOp::And, a, b))
}

fn not(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    component: u8,
) -> Result<Def> {
    let def = c.int_def(o.at(1)?, component)?;
    if let Def::Mask(value) = def {
        let one = c.bool(true);
        let ty = c.i1();
        return Ok(Def::Mask(c.binary(BinaryOp::Xor, ty, value, one)));
    }
    Ok(int_binary(c, BinaryOp::Xor, def, Def::Bits(u32::MAX)))
}

/// Shifts look at the low five bits of the amount.
fn shifts(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    op: BinaryOp,
) -> Result<()> {
    each(c, o, |c, component| {
        let value = c.int_def(o.at(1)?, component)?;
        let amount = c.int_def(o.at(2)?, component)?;
        // D3D11.3 functional specification, 22.11.7: only the low five bits of the amount count.
        // LLVM leaves larger amounts undefined.
        let amount = int_binary(c, BinaryOp::And, amount, Def::Bits(31));
        Ok(int_binary(c, op, value, amount))
    })
}

fn int_operation(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    op: Op,
    count: usize,
) -> Result<()> {
    each(c, o, |c, component| {
        let mut args: smallvec::SmallVec<[ValueId; 4]> = smallvec::SmallVec::new();
        for source in 1..=count {
            args.push(c.int_source(o.at(source)?, component)?);
        }
        let ty = c.i32();
        Ok(Def::Int(c.call(op, Some(ty), ty, &args)?))
    })
}

/// Converts a multiplication to the high and low word of its product; the low one alone is an
/// ordinary product.
fn products(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>, op: Op) -> Result<()> {
    if o.is_null(0) {
        return each_of(c, o, 1, &mut |c, component| {
            let a = c.int_def(o.at(2)?, component)?;
            let b = c.int_def(o.at(3)?, component)?;
            Ok(int_binary(c, BinaryOp::Mul, a, b))
        });
    }
    pairs(c, o, op, "dx.types.twoi32")
}

/// Converts an operation with two results, one for each destination.
fn pairs(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    op: Op,
    name: &str,
) -> Result<()> {
    let int = c.i32();
    let ret = c.shared.module.structure(name, [int, int]);
    two_results(c, o, |c, component, result| {
        let a = c.int_source(o.at(2)?, component)?;
        let b = c.int_source(o.at(3)?, component)?;
        let pair = c.call(op, Some(int), ret, &[a, b])?;
        Ok(Def::Int(c.member(pair, result, int)?))
    })
}

/// Converts a sum or difference with its carry or borrow.
fn carries(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>, op: Op) -> Result<()> {
    let (int, bool) = (c.i32(), c.i1());
    let ret = c.shared.module.structure("dx.types.i32c", [int, bool]);
    two_results(c, o, |c, component, result| {
        let a = c.int_source(o.at(2)?, component)?;
        let b = c.int_source(o.at(3)?, component)?;
        let pair = c.call(op, Some(int), ret, &[a, b])?;
        if result == 0 {
            return Ok(Def::Int(c.member(pair, 0, int)?));
        }
        let carry = c.member(pair, 1, bool)?;
        // D3D11.3 functional specification, 22.12.8: a carry is 0 or 1, not a mask as comparisons
        // give.
        Ok(Def::Int(c.cast(CastOp::ZExt, carry, int)))
    })
}

/// Computes both destinations from sources as they were before either was written.
fn two_results<'a, 's>(
    c: &mut FunctionConverter<'a, 's>,
    o: &InstructionOperands<'_>,
    mut compute: impl FnMut(&mut FunctionConverter<'a, 's>, u8, u32) -> Result<Def>,
) -> Result<()> {
    let mut results = [[None; 4]; 2];
    for (result, values) in (0..).zip(&mut results) {
        let destination = o.at(result as usize)?;
        if o.is_null(result as usize) {
            continue;
        }
        for (component, value) in (0..).zip(values) {
            if destination.components.mask() >> component & 1 != 0 {
                *value = Some(compute(c, component, result)?);
            }
        }
    }
    for (destination, values) in results.iter().enumerate() {
        c.write(o.instruction, o.at(destination)?, values)?;
    }
    Ok(())
}

fn swap(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>) -> Result<()> {
    let prefers = c.prefers_float(o.at(0)?);
    two_results(c, o, |c, component, result| {
        let condition = c.bits(o.at(2)?, component, false)?;
        let a = c.any_def(o.at(3)?, component, prefers)?;
        let b = c.any_def(o.at(4)?, component, prefers)?;
        Ok(match result {
            // D3D11.3 functional specification, 22.9.3: a condition that holds swaps the sources.
            0 => choose(c, condition, b, a),
            _ => choose(c, condition, a, b),
        })
    })
}

/// Returns one value or the other, in the type that needs no cast.
pub(super) fn choose(
    c: &mut FunctionConverter<'_, '_>,
    condition: Def,
    if_true: Def,
    if_false: Def,
) -> Def {
    if let Def::Bits(bits) = condition {
        return if bits != 0 { if_true } else { if_false };
    }
    if if_true == if_false {
        return if_true;
    }
    let condition = c.as_bool(condition);
    match (if_true, if_false) {
        (Def::Bits(u32::MAX), Def::Bits(0)) => return Def::Mask(condition),
        (Def::Mask(a), Def::Mask(b)) => {
            let ty = c.i1();
            return Def::Mask(c.select(condition, a, b, ty));
        }
        _ => {}
    }
    let floats = match (if_true, if_false) {
        (Def::Float(_), _) => true,
        (_, Def::Float(_)) => !matches!(if_true, Def::Int(_) | Def::Mask(_)),
        // 1.0 and 0.0 are the commonest choice of constants.
        (Def::Bits(a), Def::Bits(b)) => looks_like_float(a) && looks_like_float(b),
        _ => false,
    };
    let (a, b) = (c.as_scalar(if_true, floats), c.as_scalar(if_false, floats));
    let ty = c.scalar(floats);
    let value = c.select(condition, a, b, ty);
    c.def(value, floats)
}

/// Returns whether bits are more likely a float than an integer.
fn looks_like_float(bits: u32) -> bool {
    let magnitude = f32::from_bits(bits).abs();
    bits == 0 || (1e-6..1e9).contains(&magnitude)
}
