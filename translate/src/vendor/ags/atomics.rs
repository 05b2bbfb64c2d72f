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
//! The old value is `a` and the result of the last phase. The store is dropped.

use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::ir::{FuncView, ValueId};

use crate::vendor::ags::state::{AgsRewrite, InstructionWord, Pending};
use crate::vendor::store::Store;
use crate::{Error, Result};

/// Number of the compare-exchange, which has four phases.
const COMPARE_EXCHANGE: u32 = 8;

impl Pending {
    /// Takes the store that names the resource, and returns whether it is that store.
    pub(super) fn takes_store(&mut self, view: FuncView<'_>, store: &Store<'_>) -> bool {
        let [Some(first), Some(_)] = self.results[..] else {
            return false;
        };
        if store.at() != first {
            return false;
        }
        self.place = Some((store.resource, store.dimensions(view)));
        true
    }
}

impl AgsRewrite<'_, '_, '_, '_> {
    /// Checks that no operand is the old value of an atomic whose last phase is still to come.
    pub(super) fn check_operands(&self, operands: &[ValueId]) -> Result<()> {
        let pending = self.atomic.as_ref().and_then(|atomic| atomic.results[0]);
        match pending {
            Some(old) if operands.contains(&old) => Err(Error::unsupported(
                "the result of a 64-bit atomic of AGS before its last phase",
            )),
            _ => Ok(()),
        }
    }

    /// Takes a phase, and writes the atomic with the last one.
    pub(super) fn atomic_phase(
        &mut self,
        word: InstructionWord,
        operands: [ValueId; 2],
        result: Option<ValueId>,
    ) -> Result<Option<ValueId>> {
        let number = word.immediate;
        let out_of_order = || Error::unsupported("phases of a 64-bit atomic of AGS in that order");
        if word.phase == 0 {
            if self.atomic.is_some() {
                return Err(out_of_order());
            }
            self.atomic = Some(Pending {
                number,
                results: vec![result],
                operands: vec![operands],
                place: None,
            });
            return Ok(None);
        }
        let mut pending = self.atomic.take().ok_or_else(out_of_order)?;
        if pending.number != number || pending.results.len() != word.phase as usize {
            return Err(out_of_order());
        }
        pending.results.push(result);
        pending.operands.push(operands);
        let last = if number == COMPARE_EXCHANGE { 3 } else { 2 };
        if word.phase != last {
            self.atomic = Some(pending);
            // Phases and the store take it as an operand; nothing else has a use for it.
            return Ok(Some(self.writer.word(0)));
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
        // DXIL leaves coordinates that a resource does not have undefined, and the phases pass zero
        // there.
        coords[dimensions.min(3)..].fill(undef);
        let value = w.joined(low, high)?;
        let wide = w.int_ty(64);
        let old = if number == COMPARE_EXCHANGE {
            let compare = w.joined(pending.operands[2][1], pending.operands[3][0])?;
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
        let [low, high] = w.halves_of(old)?;
        if let Some(&Some(first)) = pending.results.first() {
            w.replace(first, low);
        }
        Ok(Some(high))
    }
}
