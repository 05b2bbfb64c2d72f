//! Inputs and outputs of a stage: signature elements, system values, copies of outputs.

pub(super) mod access;
pub(super) mod components;
pub(super) mod elements;
pub(super) mod inputs;
pub(super) mod semantic_table;
pub(super) mod state;
pub(super) mod stream_output;
pub(super) mod streams;
pub(super) mod system_inputs;
pub(super) mod system_values;
pub(super) mod tessellation_factors;
pub(super) mod thread_ids;
pub(super) mod views;
