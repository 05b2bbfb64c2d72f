//! Decorations that naga refuses.
//!
//! naga refuses buffers that are only written, and knows no promise that memory has no other name.
//! Both decorations are hints, so they are removed. Textures that are only written stay so: WebGPU
//! has most formats for write-only storage textures alone (WebGPU, 26.1.1 "Texture Format
//! Capabilities").

use dxil_frontend::tables::HashSet;

use super::state::Legalizer;
use crate::spirv::reader::instructions;
use crate::spirv::{Decoration, Op};

impl Legalizer<'_> {
    /// Removes `NonReadable` from all but images, and `Restrict`.
    pub(super) fn remove_hints(&mut self) {
        const NON_READABLE: u32 = Decoration::NonReadable as u32;
        const RESTRICT: u32 = Decoration::Restrict as u32;
        let images = self.image_variables();
        self.b.retain_annotations(|op, words| match (op, words) {
            (Op::Decorate, &[_, id, NON_READABLE]) => images.contains(&id),
            (Op::Decorate, &[_, _, RESTRICT]) => false,
            _ => true,
        });
    }

    /// Returns the variables that are images.
    fn image_variables(&self) -> HashSet<u32> {
        // Types of images, and of pointers to them, come before the variables.
        let mut known = HashSet::default();
        let mut variables = HashSet::default();
        for (op, words) in instructions(&self.b.globals) {
            match (op, words) {
                (Op::TypeImage, &[_, id, ..]) => {
                    known.insert(id);
                }
                (Op::TypePointer, &[_, id, _, pointee]) if known.contains(&pointee) => {
                    known.insert(id);
                }
                (Op::Variable, &[_, ty, id, ..]) if known.contains(&ty) => {
                    variables.insert(id);
                }
                _ => {}
            }
        }
        variables
    }
}
