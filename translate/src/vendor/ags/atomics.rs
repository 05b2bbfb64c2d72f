//! 64-bit atomics.
//!
//! ```text
//! a = phase 0(x, y)             coordinates of the texel, or byte address and zero
//! b = phase 1(z, value.low)
//! uav[a] = b                    a store that says which resource it is
//! c = phase 2(value.high, b)    or, of a compare-exchange, (value.high, compare.low)
//! d = phase 3(compare.high, c)  of a compare-exchange only
//! ```
//!
//! The old value is `a` and the result of the last phase. The store is not done.

use std::slice;

use dxil_frontend::dxil::ops::{BufferOp, Op, Opcode, TextureOp};
use dxil_frontend::ir::{BinaryOp, CastOp, Constant, FuncView, ValueId};

use crate::vendor::ags::state::{InstructionWord, Pending, Rewrite};
use crate::vendor::writer::Writer;
use crate::{Error, Result};

/// Number of the compare-exchange, which has four phases.
const COMPARE_EXCHANGE: u32 = 8;

/// A store to a resource.
pub(super) struct Store<'a> {
    resource: ValueId,
    coords: &'a [ValueId],
}

impl<'a> Store<'a> {
    /// Returns the operation, if it is one.
    pub(super) fn of(op: &'a Op) -> Option<Self> {
        let (resource, coords) = match op {
            Op::Buffer(BufferOp::BufferStore(op)) => (op.buffer, slice::from_ref(&op.index)),
            Op::Buffer(BufferOp::RawBufferStore(op)) => (op.buffer, slice::from_ref(&op.index)),
            Op::Texture(TextureOp::TextureStore(op)) => (op.texture, &op.coords[..]),
            _ => return None,
        };
        Some(Store { resource, coords })
    }

    /// Returns the address, or first coordinate.
    pub(super) fn at(&self) -> ValueId {
        self.coords[0]
    }
}

impl Pending {
    /// Takes the store that says which resource it is; whether it is that.
    pub(super) fn takes_store(&mut self, view: FuncView<'_>, store: &Store<'_>) -> bool {
        let [Some(first), Some(_)] = self.results[..] else {
            return false;
        };
        if store.at() != first {
            return false;
        }
        let given = store.coords.iter().filter(|&&coord| !is_undef(view, coord));
        self.place = Some((store.resource, given.count()));
        true
    }
}

fn is_undef(view: FuncView<'_>, value: ValueId) -> bool {
    matches!(view.constant(value), Some(Constant::Undef))
}

impl Rewrite<'_, '_, '_, '_> {
    /// Takes a phase, and writes the atomic with the last one.
    pub(super) fn atomic_phase(
        &mut self,
        word: InstructionWord,
        operands: [ValueId; 2],
        result: Option<ValueId>,
    ) -> Result<Option<ValueId>> {
        let number = word.immediate;
        if word.phase == 0 {
            self.atomic = Some(Pending {
                number,
                results: vec![result],
                operands: vec![operands],
                place: None,
            });
            return Ok(None);
        }
        let out_of_order = || Error::unsupported("phases of a 64-bit atomic of AGS in that order");
        let mut pending = self.atomic.take().ok_or_else(out_of_order)?;
        if pending.number != number || pending.results.len() != word.phase as usize {
            return Err(out_of_order());
        }
        pending.results.push(result);
        pending.operands.push(operands);
        let last = if number == COMPARE_EXCHANGE { 3 } else { 2 };
        if word.phase != last {
            self.atomic = Some(pending);
            return Ok(None);
        }
        let Some((resource, dimensions)) = pending.place else {
            return Err(Error::unsupported(
                "a 64-bit atomic of AGS without the store to its resource",
            ));
        };
        let [x, y] = pending.operands[0];
        let [z, low] = pending.operands[1];
        let high = pending.operands[2][0];
        let w = &mut self.writer;
        let undef = w.undef_word();
        let mut coords = [x, y, z];
        coords[dimensions.min(3)..].fill(undef);
        let value = joined(w, low, high)?;
        let wide = w.int_ty(64);
        let old = if number == COMPARE_EXCHANGE {
            let compare = joined(w, pending.operands[2][1], pending.operands[3][0])?;
            let mut args = vec![resource];
            args.extend(coords);
            args.extend([compare, value]);
            w.operation(Opcode::AtomicCompareExchange, Some(wide), wide, &args)?
        } else {
            // Minimum, maximum, and, or, xor, add, exchange.
            let op = match number {
                1 => 6,
                2 => 7,
                3 => 1,
                4 => 2,
                5 => 3,
                6 => 0,
                7 => 8,
                _ => {
                    return Err(Error::unsupported(format!(
                        "operation {number} of AGS's 64-bit atomics"
                    )));
                }
            };
            let op = w.word(op);
            let mut args = vec![resource, op];
            args.extend(coords);
            args.push(value);
            w.operation(Opcode::AtomicBinOp, Some(wide), wide, &args)?
        };
        let word_ty = w.int_ty(32);
        let low = w.cast(CastOp::Trunc, old, word_ty)?;
        let thirty_two = w.int(64, 32);
        let high = w.binary(BinaryOp::LShr, 64, old, thirty_two)?;
        let high = w.cast(CastOp::Trunc, high, word_ty)?;
        if let Some(&Some(first)) = pending.results.first() {
            w.replace(first, low);
        }
        Ok(Some(high))
    }
}

/// Returns two words as one integer.
fn joined(w: &mut Writer<'_, '_, '_>, low: ValueId, high: ValueId) -> Result<ValueId> {
    let wide = w.int_ty(64);
    let low = w.cast(CastOp::ZExt, low, wide)?;
    let high = w.cast(CastOp::ZExt, high, wide)?;
    let thirty_two = w.int(64, 32);
    let high = w.binary(BinaryOp::Shl, 64, high, thirty_two)?;
    w.binary(BinaryOp::Or, 64, low, high)
}
