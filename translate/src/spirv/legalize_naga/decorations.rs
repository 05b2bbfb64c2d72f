//! Decorations that naga refuses.
//!
//! naga refuses storage that is only written, and knows no promise that memory has no other name.
//! Both decorations are hints, so they are removed.

use super::state::Legalizer;
use crate::spirv::{Decoration, Op};

impl Legalizer<'_> {
    /// Removes `NonReadable` and `Restrict`.
    pub(super) fn remove_hints(&mut self) {
        const NON_READABLE: u32 = Decoration::NonReadable as u32;
        const RESTRICT: u32 = Decoration::Restrict as u32;
        self.b.retain_annotations(|op, words| {
            !matches!(
                (op, words),
                (Op::Decorate, &[_, _, NON_READABLE | RESTRICT])
            )
        });
    }
}
