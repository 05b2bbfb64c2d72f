//! Atomics of NVAPI on raw buffers and textures. Operand 0 is the address,
//! operand 1 the value (of a compare-exchange the compare value, then the new one), operand 2 the
//! operation.

use dxil_frontend::dxil::ops::{AtomicOp, Opcode};
use dxil_frontend::ir::{TypeId, ValueId};

use super::state::{NUMBER, NvapiRewrite, OPERAND_0, OPERAND_1, OPERAND_2, Old};
use super::table::{self, Numbers, NvapiMeaning};
use crate::pseudo::{FloatAtomic, PseudoCall};
use crate::vendor::operation::{Vendor, VendorOperation};
use crate::vendor::writer::FunctionWriter;
use crate::{Features, Result};

/// Operations (`NV_EXTN_ATOM_*`).
const AND: u64 = 0;
const OR: u64 = 1;
const XOR: u64 = 2;
const ADD: u64 = 3;
const MAX: u64 = 6;
const MIN: u64 = 7;
const SWAP: u64 = 8;
const COMPARE_AND_SWAP: u64 = 9;

impl Old {
    /// Returns the result in the form of a load's, a structure of words.
    pub(super) fn as_loaded(
        self,
        w: &mut FunctionWriter<'_, '_, '_>,
        ty: TypeId,
    ) -> Result<ValueId> {
        let mut loaded = w.zero(ty);
        let words = match &self {
            Old::Missing => &[],
            Old::Word(word) => std::slice::from_ref(word),
            Old::Words(words) => &words[..],
        };
        for (at, &word) in (0..).zip(words) {
            loaded = w.with_member(loaded, ty, at, word)?;
        }
        Ok(loaded)
    }
}

impl NvapiRewrite<'_, '_, '_, '_> {
    /// Writes the atomic if its last operand has been stored. It does not wait for the load of the
    /// result, since a shader may not load it.
    pub(super) fn atomic(&mut self) -> Result<()> {
        let Some(element) = self.element.as_mut().filter(|one| one.old.is_none()) else {
            return Ok(());
        };
        let words = &element.words;
        let operand = |offset: u32| words.get(&offset).copied();
        let constant = |offset| self.view.constant_int(operand(offset)?);
        let Some(number) = constant(NUMBER) else {
            return Ok(());
        };
        let Some(row) = table::operation(number as u32) else {
            return Ok(());
        };
        let NvapiMeaning::Atomic(numbers) = row.meaning else {
            return Ok(());
        };
        let value = [0, 4, 8, 12].map(|at| operand(OPERAND_1 + at));
        let ([Some(first), ..], Some(operation)) = (value, constant(OPERAND_2)) else {
            return Ok(());
        };
        let dimensions = self.marked.map_or(1, |marked| marked.dimensions.min(3));
        let mut coords = [self.writer.undef_word(); 3];
        for (coord, offset) in coords.iter_mut().zip([0, 4, 8]).take(dimensions) {
            let Some(given) = operand(OPERAND_0 + offset) else {
                return Ok(());
            };
            *coord = given;
        }
        let mut needs = row.needs;
        if numbers == Numbers::Wide {
            needs |= match self.marked {
                Some(marked) if !marked.is_buffer => Features::IMAGE_INT64_ATOMICS,
                _ => Features::BUFFER_INT64_ATOMICS,
            };
        }
        let has = self.missing.has(needs);
        let w = &mut self.writer;
        let old = match self.marked.filter(|_| has) {
            Some(marked) if numbers == Numbers::Wide => {
                wide(w, marked.resource, coords, value, operation)?
            }
            Some(marked) if marked.is_buffer || fits(marked.components, numbers) => {
                float(w, numbers, marked.resource, coords, first, operation)?
            }
            _ => None,
        };
        let old = match old {
            Some(old) => old,
            None => {
                let vendor = Vendor::Nvapi;
                let number = number as u32;
                self.missing
                    .zero(VendorOperation { vendor, number }, !has)?;
                Old::Missing
            }
        };
        element.old = Some(old);
        // The next counter begins another operation.
        element.results = Some(0);
        Ok(())
    }
}

/// Returns whether a texel has the components of an atomic, so that it is one word.
fn fits(components: Option<u32>, numbers: Numbers) -> bool {
    match numbers {
        Numbers::Floats => components == Some(1),
        Numbers::Halves => components == Some(2),
        Numbers::Wide => false,
    }
}

/// Writes an atomic on a float or two halves; returns `None` if there is no such operation.
fn float(
    w: &mut FunctionWriter<'_, '_, '_>,
    numbers: Numbers,
    resource: ValueId,
    coords: [ValueId; 3],
    value: ValueId,
    operation: u64,
) -> Result<Option<Old>> {
    let op = match (numbers, operation) {
        (Numbers::Floats, ADD) => FloatAtomic::Add,
        (Numbers::Halves, ADD) => FloatAtomic::AddHalves,
        (Numbers::Halves, MIN) => FloatAtomic::MinHalves,
        (Numbers::Halves, MAX) => FloatAtomic::MaxHalves,
        _ => return Ok(None),
    };
    let ty = w.int_ty(32);
    let call = PseudoCall::FloatAtomic {
        resource,
        coords,
        value,
        op,
    };
    let old = w.pseudo(&call, ty)?;
    Ok(Some(Old::Word(old)))
}

/// Writes an atomic on 64 bits; returns `None` if there is no such operation.
fn wide(
    w: &mut FunctionWriter<'_, '_, '_>,
    resource: ValueId,
    [x, y, z]: [ValueId; 3],
    words: [Option<ValueId>; 4],
    operation: u64,
) -> Result<Option<Old>> {
    let [Some(low), Some(high), third, fourth] = words else {
        return Ok(None);
    };
    let ty = w.int_ty(64);
    let first = w.joined(low, high)?;
    let old = if operation == COMPARE_AND_SWAP {
        let (Some(low), Some(high)) = (third, fourth) else {
            return Ok(None);
        };
        let new = w.joined(low, high)?;
        let args = [resource, x, y, z, first, new];
        w.operation(Opcode::AtomicCompareExchange, Some(ty), ty, &args)?
    } else {
        let kind = match operation {
            ADD => AtomicOp::Add,
            AND => AtomicOp::And,
            OR => AtomicOp::Or,
            XOR => AtomicOp::Xor,
            MIN => AtomicOp::UMin,
            MAX => AtomicOp::UMax,
            SWAP => AtomicOp::Exchange,
            _ => return Ok(None),
        };
        let kind = w.word(kind as u32);
        let args = [resource, kind, x, y, z, first];
        w.operation(Opcode::AtomicBinOp, Some(ty), ty, &args)?
    };
    Ok(Some(Old::Words(w.halves_of(old)?)))
}
