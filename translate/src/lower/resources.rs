//! Resource variables and handles.

/// Resource variables and handles of the module under construction.
#[derive(Debug, Default)]
pub(super) struct ResourceState {}
