//! Resources: the variables that serve them, handles, and operations that are alike for all kinds
//! of them.

pub(super) mod atomics;
pub(super) mod choices;
pub(super) mod counters;
pub(super) mod descriptor_arrays;
pub(super) mod handle_values;
pub(super) mod handles;
pub(super) mod heap_indices;
pub(super) mod heap_tables;
pub(super) mod layer_words;
pub(super) mod notes;
pub(super) mod pointers;
pub(super) mod resource_variables;
pub(super) mod root_arguments;
pub(super) mod state;
