//! Indices into arrays that lie beyond their end: of local variables, group-shared memory and constants. D3D12 leaves
//! open what is there; on request it reads as 0 and drops what is written, or is reported.

use dxil_frontend::ir::{ValueDef, ValueId};

use super::variables::{PointerId, root_of};
use crate::lower::Lowering;
use crate::lower::blocks::If;
use crate::spirv::{GLOp, Id, Op, StorageClass};
use crate::{Assumption, Quirks, Result};

/// What is known of an address under construction.
pub(in crate::lower) struct Bounds {
    /// Indices are kept inside of their arrays.
    is_robust: bool,
    /// What an index beyond the end is reported as.
    what: Option<Assumption>,
    /// Whether all indices so far were inside.
    pub(in crate::lower) inside: Option<Id>,
}

impl Lowering<'_> {
    /// What holds for addresses from a pointer on.
    pub(in crate::lower) fn bounds_of(
        &mut self,
        value: ValueId,
        pointer: PointerId,
        class: StorageClass,
    ) -> Bounds {
        let robust = Quirks::ROBUST_GROUP_ARRAYS
            | Quirks::ROBUST_CONSTANT_ARRAYS
            | Quirks::ROBUST_LOCAL_ARRAYS;
        let watches = self.watches_assumptions();
        if !watches && !self.options.workarounds.quirks.intersects(robust) {
            return Bounds {
                is_robust: false,
                what: None,
                inside: None,
            };
        }
        let is_constant = root_of(self.view, value).is_some_and(|root| {
            let Some(ValueDef::Global(global)) = self.view.value(root).map(|data| data.def) else {
                return false;
            };
            let data = self.view.module.globals.get(global);
            data.is_some_and(|data| data.is_constant)
        });
        let kind = match class {
            StorageClass::Workgroup => {
                Some((Quirks::ROBUST_GROUP_ARRAYS, Assumption::InGroupShared))
            }
            StorageClass::Private if is_constant => {
                Some((Quirks::ROBUST_CONSTANT_ARRAYS, Assumption::InConstantArray))
            }
            StorageClass::Private | StorageClass::Function => {
                Some((Quirks::ROBUST_LOCAL_ARRAYS, Assumption::InLocalArray))
            }
            _ => None,
        };
        Bounds {
            is_robust: kind.is_some_and(|(quirk, _)| self.has_quirk(quirk)),
            what: kind.filter(|_| watches).map(|(_, what)| what),
            inside: self.memory.guard_of(pointer),
        }
    }

    /// An index into an array of so many elements, or of its last one if it lies beyond.
    pub(in crate::lower) fn bounded(&mut self, index: Id, count: u64, bounds: &mut Bounds) -> Id {
        let Ok(count) = u32::try_from(count) else {
            return index;
        };
        let is_known = self.b.literal(index).is_some_and(|index| index < count);
        if is_known || count == 0 || !bounds.is_robust && bounds.what.is_none() {
            return index;
        }
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let end = self.b.const_u32(count);
        let inside = self.b.emit(Op::ULessThan, bool_ty, &[index, end]);
        if let Some(what) = bounds.what {
            self.assume(inside, what);
        }
        if !bounds.is_robust {
            return index;
        }
        bounds.inside = Some(match bounds.inside {
            None => inside,
            Some(others) => self.b.emit(Op::LogicalAnd, bool_ty, &[others, inside]),
        });
        let last = self.b.const_u32(count - 1);
        self.b.glsl(GLOp::UMin, word, &[index, last])
    }

    /// Whether a pointer leads where it says, if that is asked.
    pub(in crate::lower) fn guard_of_value(&mut self, value: ValueId) -> Result<Option<Id>> {
        let pointer = self.pointer(value)?;
        Ok(self.memory.guard_of(pointer))
    }

    /// Ends what was guarded, if it was: its result is 0 where it did not run.
    pub(in crate::lower) fn end_guarded(&mut self, part: Option<If>, ty: Id, value: Id) -> Id {
        match part {
            Some(part) => {
                let zero = self.b.const_null(ty);
                self.end_if_with(part, ty, value, zero)
            }
            None => value,
        }
    }
}
