//! The frame of a call.

use super::table_call::RayRole;
use crate::schedule::stack::Stack;

/// A call that has not returned.
#[derive(Debug, Clone, Default)]
pub(super) struct CallFrame {
    pub(super) function: u32,
    /// First chunk of its registers.
    pub(super) narrow: usize,
    pub(super) wide: usize,
    /// First word of its private memory.
    pub(super) private: u32,
    /// First word of the variables outside of functions that its invocation has.
    pub(super) statics: u32,
    pub(super) stack: Stack,
    /// Next instruction of the block that its lanes are in; none at the block's start.
    pub(super) next: Option<u32>,
    /// The instruction of the caller.
    pub(super) call: u32,
    /// Local root arguments of its shader.
    pub(super) locals: u32,
    /// The reason of a call of a ray tracing shader.
    pub(super) role: RayRole,
    /// Number of the ray that it is called for.
    pub(super) ray: usize,
    /// Number of the call by way of shader tables that this is; functions are none.
    pub(super) table_call: Option<usize>,
}
