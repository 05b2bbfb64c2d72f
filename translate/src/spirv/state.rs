//! Types that the builder remembers.

use crate::spirv::Id;

/// The types that nearly every instruction names.
#[derive(Debug, Default)]
pub(super) struct CommonTypes {
    pub(super) void: Id,
    pub(super) bool_: Id,
    pub(super) u32_: Id,
    pub(super) f32_: Id,
}
