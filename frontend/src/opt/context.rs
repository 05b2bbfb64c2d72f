//! What a pass over a body may ask of its module.

use crate::dxil::ops::CalleeTable;
use crate::ir::Module;

/// The module while one of its bodies is rewritten.
pub(super) struct Context<'a> {
    pub(super) module: &'a Module,
    pub(super) callees: &'a CalleeTable,
}
