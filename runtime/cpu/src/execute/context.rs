//! The context of an instruction that lanes of a wave execute.

use std::cell::{Cell, RefCell};

use super::lanes::{Registers, WIDTH};
use super::ray_query::Query;
use super::shared::{GroupMemory, Shared};
use super::table_call::{RayRole, TableCall};
use crate::check::Site;
use crate::schedule::stack::Mask;

/// The lanes that execute an instruction, and what they look at.
#[derive(Clone)]
pub(crate) struct Context<'a> {
    pub(crate) registers: Registers<'a>,
    pub(crate) mask: Mask,
    pub(crate) lanes: usize,
    /// All ones for each lane of the mask, by chunk.
    pub(super) on_words: &'a [[u32; WIDTH]],
    /// Whether all lanes of the wave run.
    pub(super) is_full: bool,
    /// Places of the lanes' threads in their group, by chunk.
    pub(super) threads: &'a [[[u32; WIDTH]; 3]],
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) group: &'a GroupMemory,
    pub(crate) private: &'a [Cell<u32>],
    pub(crate) groupshared: &'a [Cell<u32>],
    pub(crate) queries: &'a RefCell<Vec<Query>>,
    pub(crate) first_thread: u32,
    /// The instruction that is executed, where it does more than compute.
    pub(crate) site: Cell<Site>,
    /// Local root arguments of the shader.
    pub(super) locals: u32,
    /// The ray that the shader is called for.
    pub(super) role: RayRole,
    pub(super) ray: usize,
    pub(super) table_calls: &'a RefCell<Vec<TableCall>>,
    /// The lanes that began the group.
    pub(super) started: Mask,
    /// Shadows of private memory; empty unless checks follow values.
    pub(super) private_shadow: &'a [Cell<u32>],
    pub(super) frame_private: u32,
    pub(super) steps: u64,
    /// Steps for work within instructions, which the wave has not been charged with yet.
    pub(super) work: &'a Cell<u64>,
    /// Whether the access of the current lane is to memory that a reserved resource lacks.
    pub(super) is_unmapped: Cell<bool>,
    /// Lanes whose read finds nothing, until the shadow of the result is made.
    pub(super) missing: Cell<Mask>,
}

/// Returns the lanes of a mask, by rising number.
pub(crate) fn lanes_of(mask: Mask) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        Some(lane)
    })
}
