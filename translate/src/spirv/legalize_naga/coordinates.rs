//! Types of the coordinates of images with layers.
//!
//! naga 30's front end splits integer coordinates of an arrayed image into a vector and the layer.
//! It panics if the module does not declare the type of that vector (patch 0018 in
//! `docs/upstream/`).

use super::state::Legalizer;
use crate::spirv::reader::instructions;
use crate::spirv::{Dim, Op};

impl Legalizer<'_> {
    /// Declares the vector if an image needs it.
    pub(super) fn declare_coordinates(&mut self) {
        const IS_2D: u32 = Dim::Dim2D as u32;
        let is_arrayed = |(op, words): (Op, &[u32])| {
            // The id, the texel's type, the dimension, whether it is a depth image, its layers.
            op == Op::TypeImage && matches!(*words, [_, _, _, IS_2D, _, 1, ..])
        };
        if instructions(&self.b.globals).any(is_arrayed) {
            let word = self.b.u32();
            self.b.vector(word, 2);
        }
    }
}
