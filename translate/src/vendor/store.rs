//! Stores to other UAVs that only tell which resource a vendor's operation works on.

use std::slice;

use dxil_frontend::dxil::ops::{BufferOp, Op, TextureOp};
use dxil_frontend::ir::{Constant, FuncView, ValueId};

/// A store to a resource.
pub(super) struct Store<'a> {
    pub(super) resource: ValueId,
    pub(super) is_buffer: bool,
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
        Some(Store {
            resource,
            is_buffer: matches!(op, Op::Buffer(_)),
            coords,
        })
    }

    /// Returns the address, or first coordinate.
    pub(super) fn at(&self) -> ValueId {
        self.coords[0]
    }

    /// Returns the number of coordinates.
    pub(super) fn dimensions(&self, view: FuncView<'_>) -> usize {
        let is_undef = |value| matches!(view.constant(value), Some(Constant::Undef));
        let given = self.coords.iter().filter(|&&coord| !is_undef(coord));
        given.count()
    }
}
