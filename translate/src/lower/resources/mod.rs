//! Resources: their variables, handles, and the operations that all kinds of them share.

pub(super) mod atomics;
pub(super) mod choices;
pub(super) mod counters;
pub(super) mod descriptor_arrays;
pub(super) mod handle_values;
pub(super) mod handles;
pub(super) mod heap_indices;
pub(super) mod heap_tables;
pub(super) mod layer_words;
pub(super) mod leaves;
pub(super) mod notes;
pub(super) mod pointers;
pub(super) mod resource_variables;
pub(super) mod root_arguments;
pub(super) mod state;
