//! Variables whose memory is read or written as another type than theirs: atomics on a float,
//! 16-bit views, unions that the optimizer made.
//!
//! SPIR-V's logical addressing has no pointer casts (SPIR-V specification, "Universal Validation
//! Rules"), so such a variable becomes an array of integer cells as wide as the smallest access.

use dxil_frontend::ir::{FuncView, Inst};
use dxil_frontend::tables::HashMap;

use crate::analysis::addresses::{self, RootKey};
use crate::analysis::layout::TypeLayouts;

/// The variables that are read or written as another type than theirs.
#[derive(Debug, Default)]
pub(crate) struct ReinterpretedMemory {
    /// Width of each variable's cells in bits.
    widths: HashMap<RootKey, u32>,
}

impl ReinterpretedMemory {
    /// Returns the width of a variable's cells in bits, if it is one of these.
    pub(crate) fn cell_width(&self, variable: RootKey) -> Option<u32> {
        self.widths.get(&variable).copied()
    }

    /// Adds the variables that a function reads or writes as another type.
    pub(super) fn add(&mut self, view: FuncView<'_>, layout: &TypeLayouts) {
        let types = &view.module.types;
        for data in view.function.insts.values() {
            let (Inst::Load { pointer, .. }
            | Inst::Store { pointer, .. }
            | Inst::AtomicRmw { pointer, .. }
            | Inst::CmpXchg { pointer, .. }) = data.inst
            else {
                continue;
            };
            if addresses::is_record_pointer(view, pointer) {
                continue;
            }
            // A plain variable or one step into it is the common case.
            let Some((root, true)) = addresses::trace(view, pointer) else {
                continue;
            };
            let Some(accessed) = view.type_of(pointer).and_then(|ty| types.pointee(ty)) else {
                continue;
            };
            // The smaller of both: other accesses use the variable's own type.
            let mut width = layout.smallest_scalar(types, accessed);
            if let Some(whole) = addresses::root_type(view, root) {
                width = width.min(layout.smallest_scalar(types, whole));
            }
            let key = addresses::root_key(view, root);
            let known = self.widths.entry(key).or_insert(width);
            *known = (*known).min(width);
        }
    }
}
