//! Types that the builder remembers.

use crate::spirv::Id;

/// The types that nearly every instruction names.
#[derive(Debug, Default)]
pub(super) struct CommonTypes {
    pub(super) void: Id,
    pub(super) bool_: Id,
    pub(super) u32_: Id,
    pub(super) f32_: Id,
    /// Vectors of 2 to 4 booleans, integers and floats.
    vectors: [[Id; 3]; 3],
}

impl CommonTypes {
    /// Returns the place of a vector; `None` for one that is not remembered.
    pub(super) fn vector(&mut self, scalar: Id, count: u32) -> Option<&mut Id> {
        let scalars = [self.f32_, self.u32_, self.bool_];
        let row = scalars.iter().position(|&known| known == scalar)?;
        self.vectors[row].get_mut((count as usize).wrapping_sub(2))
    }
}
