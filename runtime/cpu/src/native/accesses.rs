//! Which accesses of memory become code, and which of them may be in one run.

use crate::decode::code::{Complex, ComplexOp, FunctionCode, Inst, RegisterSlot, Space};
use crate::decode::lane_ops::RegisterKind;

/// An access of private or groupshared memory that becomes code.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access {
    pub(super) space: Space,
    pub(super) is_store: bool,
}

/// Returns the access of an instruction; none if it is another one, or not of words.
pub(super) fn access_of(complex: &Complex) -> Option<Access> {
    let are_words =
        |slots: &[RegisterSlot]| slots.iter().all(|slot| slot.kind() == RegisterKind::W);
    let (space, is_store) = match complex.op {
        ComplexOp::Load(space) if complex.src.len() == 1 && are_words(&complex.dst) => {
            (space, false)
        }
        ComplexOp::Store(space) if complex.src.len() >= 2 && are_words(&complex.src) => {
            (space, true)
        }
        _ => return None,
    };
    (space != Space::Record).then_some(Access { space, is_store })
}

/// The accesses of groupshared memory of a run. Chunks of lanes run one after the other, so that no
/// lane may read what another one writes in the same run, and no two writes may meet.
#[derive(Default)]
pub(super) struct Groupshared {
    has_load: bool,
    has_store: bool,
}

impl Groupshared {
    /// Includes an instruction; returns false if it has to be in another run.
    pub(super) fn include(&mut self, code: &FunctionCode, inst: &Inst) -> bool {
        let Inst::Complex(index) = inst else {
            return true;
        };
        match access_of(&code.complex[*index as usize]) {
            Some(Access {
                space: Space::Shared,
                is_store,
            }) => {
                if self.has_store || is_store && self.has_load {
                    return false;
                }
                self.has_load |= !is_store;
                self.has_store |= is_store;
                true
            }
            _ => true,
        }
    }
}
