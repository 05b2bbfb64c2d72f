//! The memory of a shader and its thread group: variables, pointers, and barriers.

pub(super) mod accesses;
pub(super) mod addresses;
pub(super) mod barrier;
pub(super) mod bounds;
pub(super) mod cells;
pub(super) mod group_order;
pub(super) mod merged_pointers;
pub(super) mod parameters;
pub(super) mod registers;
pub(super) mod shared_rows;
pub(super) mod state;
pub(super) mod variable_groups;
pub(super) mod variables;
