//! Matrices of 8-bit floats on targets without them.
//!
//! In memory they are matrices of bytes. Half floats can represent each of their numbers, so that
//! multiplications take matrices of halves. The words of a lane are converted element by element,
//! as operations on single floats are ([`super::float8`]).

use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::ir::{BinaryOp, CastOp, ValueId};

use super::float8::{self, Float8};
use crate::Result;
use crate::pseudo::matrix::{Format, MatrixType};
use crate::vendor::writer::FunctionWriter;

/// Returns the type of a matrix of bytes for one of 8-bit floats; others unchanged.
pub(super) fn as_bytes(ty: MatrixType) -> MatrixType {
    let format = match ty.format {
        Format::Bf8 | Format::Fp8 => Format::U8,
        format => format,
    };
    MatrixType { format, ..ty }
}

/// Returns a matrix' words in another format of floats. At least one of both has 8 bits.
pub(super) fn converted(
    w: &mut FunctionWriter<'_, '_, '_>,
    words: &[ValueId],
    [old, new]: [Format; 2],
    saturates: bool,
) -> Result<Vec<ValueId>> {
    let mut elements = Vec::new();
    for &word in words {
        for part in 0..32 / old.bits() {
            let bits = lowered(w, word, part * old.bits())?;
            elements.push(to_float(w, old, bits)?);
        }
    }
    let mut packed = Vec::new();
    for group in elements.chunks((32 / new.bits()) as usize) {
        let mut whole: Option<ValueId> = None;
        for (part, &element) in (0..).zip(group) {
            let bits = of_float(w, new, element, saturates)?;
            let place = w.word(part * new.bits());
            let placed = w.binary(BinaryOp::Shl, 32, bits, place)?;
            whole = Some(match whole {
                Some(whole) => w.binary(BinaryOp::Or, 32, whole, placed)?,
                None => bits,
            });
        }
        packed.extend(whole);
    }
    Ok(packed)
}

/// Returns a word moved down by that many bits.
fn lowered(w: &mut FunctionWriter<'_, '_, '_>, word: ValueId, bits: u32) -> Result<ValueId> {
    if bits == 0 {
        return Ok(word);
    }
    let bits = w.word(bits);
    w.binary(BinaryOp::LShr, 32, word, bits)
}

/// Returns an element in the lowest bits of a word as the bits of a float.
fn to_float(w: &mut FunctionWriter<'_, '_, '_>, format: Format, bits: ValueId) -> Result<ValueId> {
    match format {
        Format::Fp8 => float8::widen(w, Float8::E4M3, bits),
        Format::Bf8 => float8::widen(w, Float8::E5M2, bits),
        Format::F16 => {
            let (word, float) = (w.int_ty(32), w.float_ty());
            let mask = w.word(0xffff);
            let half = w.binary(BinaryOp::And, 32, bits, mask)?;
            let number = w.operation(Opcode::LegacyF16ToF32, None, float, &[half])?;
            w.cast(CastOp::Bitcast, number, word)
        }
        Format::Bf16 => {
            let sixteen = w.word(16);
            w.binary(BinaryOp::Shl, 32, bits, sixteen)
        }
        _ => Ok(bits),
    }
}

/// Returns the bits of a float as an element, with zeros above it.
fn of_float(
    w: &mut FunctionWriter<'_, '_, '_>,
    format: Format,
    bits: ValueId,
    saturates: bool,
) -> Result<ValueId> {
    match format {
        Format::Fp8 => float8::narrow(w, Float8::E4M3, bits, saturates),
        Format::Bf8 => float8::narrow(w, Float8::E5M2, bits, saturates),
        // Numbers of 8 bits are exact in both formats of 16.
        Format::F16 => {
            let (word, float) = (w.int_ty(32), w.float_ty());
            let number = w.cast(CastOp::Bitcast, bits, float)?;
            w.operation(Opcode::LegacyF32ToF16, None, word, &[number])
        }
        Format::Bf16 => lowered(w, bits, 16),
        _ => Ok(bits),
    }
}
