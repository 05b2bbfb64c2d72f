//! Arithmetic with doubles, which are pairs of components.

use super::context::FunctionConverter;
use super::operands::InstructionOperands;
use super::ssa::Def;
use crate::dxbc::opcode::Opcode as O;
use crate::dxil::ops::Opcode as Op;
use crate::error::Result;
use crate::ir::{BinaryOp, CastOp, CmpPredicate, ValueId};

/// Converts an instruction with doubles; `false` if it is none.
pub(super) fn convert(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
) -> Result<bool> {
    use BinaryOp as B;
    use CmpPredicate as P;
    match o.instruction.opcode {
        O::Dadd => binary(c, o, B::FAdd)?,
        O::Dmul => binary(c, o, B::FMul)?,
        O::Ddiv => binary(c, o, B::FDiv)?,
        O::Dmax => operation(c, o, Op::FMax, 2)?,
        O::Dmin => operation(c, o, Op::FMin, 2)?,
        O::Dfma => operation(c, o, Op::Fma, 3)?,
        O::Drcp => pairs(c, o, |c, pair| {
            let value = c.double_source(o.at(1)?, pair)?;
            // DXIL has no reciprocal of doubles.
            let one = c.double(1.0f64.to_bits());
            let ty = c.f64();
            Ok(c.binary(B::FDiv, ty, one, value))
        })?,
        O::Dmov => pairs(c, o, |c, pair| c.double_source(o.at(1)?, pair))?,
        O::Dmovc => pairs(c, o, |c, pair| {
            let condition = c.condition(o.at(1)?, pair)?;
            let a = c.double_source(o.at(2)?, pair)?;
            let b = c.double_source(o.at(3)?, pair)?;
            let ty = c.f64();
            Ok(c.select(condition, a, b, ty))
        })?,
        O::Deq => compare(c, o, P::FOeq)?,
        O::Dne => compare(c, o, P::FUne)?,
        O::Dlt => compare(c, o, P::FOlt)?,
        O::Dge => compare(c, o, P::FOge)?,
        O::Ftod => pairs(c, o, |c, pair| {
            let value = c.float_source(o.at(1)?, pair)?;
            let ty = c.f64();
            Ok(c.cast(CastOp::FpExt, value, ty))
        })?,
        O::Itod => pairs(c, o, |c, pair| {
            let value = c.int_source(o.at(1)?, pair)?;
            let ty = c.f64();
            Ok(c.cast(CastOp::SiToFp, value, ty))
        })?,
        O::Utod => pairs(c, o, |c, pair| {
            let value = c.int_source(o.at(1)?, pair)?;
            let ty = c.f64();
            Ok(c.cast(CastOp::UiToFp, value, ty))
        })?,
        O::Dtof => singles(c, o, |c, value| {
            let ty = c.f32();
            Ok(Def::Float(c.cast(CastOp::FpTrunc, value, ty)))
        })?,
        O::Dtoi => singles(c, o, |c, value| {
            let ty = c.i32();
            Ok(Def::Int(c.cast(CastOp::FpToSi, value, ty)))
        })?,
        O::Dtou => singles(c, o, |c, value| {
            let ty = c.i32();
            Ok(Def::Int(c.cast(CastOp::FpToUi, value, ty)))
        })?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Computes each double of the destination's mask: the pair x and y, the pair z and w.
fn pairs<'a, 's>(
    c: &mut FunctionConverter<'a, 's>,
    o: &InstructionOperands<'_>,
    mut compute: impl FnMut(&mut FunctionConverter<'a, 's>, u8) -> Result<ValueId>,
) -> Result<()> {
    let operand = o.at(0)?;
    let mask = operand.components.mask();
    let mut values = [None; 4];
    for (pair, words) in (0..).zip(values.chunks_exact_mut(2)) {
        if mask >> (pair * 2) & 3 == 0 {
            continue;
        }
        let mut value = compute(c, pair)?;
        if o.instruction.saturates() {
            let ty = c.f64();
            value = c.call(Op::Saturate, Some(ty), ty, &[value])?;
        }
        for (word, part) in words.iter_mut().zip(c.split_double(value)?) {
            *word = Some(part);
        }
    }
    c.write(o.instruction, operand, &values)
}

/// Computes a component of the destination from each double: the n-th component from the n-th
/// double.
fn singles<'a, 's>(
    c: &mut FunctionConverter<'a, 's>,
    o: &InstructionOperands<'_>,
    mut compute: impl FnMut(&mut FunctionConverter<'a, 's>, ValueId) -> Result<Def>,
) -> Result<()> {
    let operand = o.at(0)?;
    let mut values = [None; 4];
    let mut pair = 0;
    for (component, value) in (0..).zip(&mut values) {
        if operand.components.mask() >> component & 1 != 0 {
            let source = c.double_source(o.at(1)?, pair)?;
            *value = Some(compute(c, source)?);
            // There are two doubles to four components.
            pair = (pair + 1).min(1);
        }
    }
    c.write(o.instruction, operand, &values)
}

fn binary(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    op: BinaryOp,
) -> Result<()> {
    pairs(c, o, |c, pair| {
        let a = c.double_source(o.at(1)?, pair)?;
        let b = c.double_source(o.at(2)?, pair)?;
        let ty = c.f64();
        Ok(c.binary(op, ty, a, b))
    })
}

fn operation(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    op: Op,
    count: usize,
) -> Result<()> {
    pairs(c, o, |c, pair| {
        let mut args: smallvec::SmallVec<[ValueId; 3]> = smallvec::SmallVec::new();
        for source in 1..=count {
            args.push(c.double_source(o.at(source)?, pair)?);
        }
        let ty = c.f64();
        c.call(op, Some(ty), ty, &args)
    })
}

fn compare(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    predicate: CmpPredicate,
) -> Result<()> {
    let operand = o.at(0)?;
    let mut values = [None; 4];
    let mut pair = 0;
    for (component, value) in (0..).zip(&mut values) {
        if operand.components.mask() >> component & 1 != 0 {
            let a = c.double_source(o.at(1)?, pair)?;
            let b = c.double_source(o.at(2)?, pair)?;
            *value = Some(Def::Mask(c.compare(predicate, a, b)));
            pair = (pair + 1).min(1);
        }
    }
    c.write(o.instruction, operand, &values)
}
