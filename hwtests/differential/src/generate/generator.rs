//! The state of a shader under construction.

use super::features::Features;
use super::place_expression::PlaceExpression;
use super::types::{Struct, Type, Vector};
use crate::random::Random;

/// Words of `Out` that a thread owns.
pub(super) const OUT_WORDS: u32 = 32;

/// How control got to where a statement stands.
#[derive(Debug, Clone)]
pub(super) struct Flow {
    /// All threads of the group are here.
    pub(super) uniform: bool,
    /// A thread may leave by `break`.
    pub(super) in_loop: bool,
    pub(super) in_switch: bool,
    /// How often the statement runs, at most.
    pub(super) times: u64,
    /// Depth of nested blocks.
    pub(super) depth: u32,
    /// What the function returns: `None` in `main` and in functions of type void.
    pub(super) returns: Option<Type>,
    /// Only parameters and locals may be written, and no other lane is looked at.
    pub(super) pure: bool,
    /// Whether a return may stand here.
    pub(super) may_return: bool,
}

/// A function that later code may call.
#[derive(Debug, Clone)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) returns: Option<Type>,
    pub(super) parameters: Vec<(Direction, Type)>,
    pub(super) pure: bool,
    pub(super) cost: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
    InOut,
}

/// A shader under construction.
pub(super) struct Generator {
    pub(super) random: Random,
    pub(super) features: Features,
    /// Threads per group in each dimension, and groups.
    pub(super) threads: [u32; 3],
    pub(super) groups: [u32; 3],
    pub(super) structs: Vec<Struct>,
    pub(super) functions: Vec<Function>,
    pub(super) text: String,
    pub(super) indent: usize,
    /// What can be read or written here; the innermost scope is at the end.
    pub(super) places: Vec<PlaceExpression>,
    pub(super) flow: Flow,
    pub(super) next_name: u32,
    pub(super) next_out: u32,
    /// Cost of the function that is being written.
    pub(super) cost: u64,
    pub(super) statements_left: u32,
    pub(super) in_function: bool,
    /// What is declared for all threads.
    pub(super) shared: Shared,
    pub(super) memory: Memory,
}

/// What statements may read and write beyond places.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) srvs: u32,
    pub(super) uavs: u32,
    /// `ByteAddressBuffer`s.
    pub(super) bytes: Vec<String>,
    /// `RWByteAddressBuffer`s, of which each thread owns 256 bytes.
    pub(super) own_bytes: Vec<String>,
    /// Buffers and `RWBuffer`s of texels.
    pub(super) typed: Vec<(String, Vector)>,
    pub(super) own_typed: Vec<(String, Vector)>,
    pub(super) textures: Vec<(String, Vector)>,
    pub(super) own_textures: Vec<(String, Vector)>,
}

/// What all threads see.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// Arrays with an element per thread, for exchanges.
    pub(super) exchanges: Vec<(String, Vector)>,
    /// Arrays of which a thread uses its own element.
    pub(super) own: Vec<String>,
    /// Shared words for atomics.
    pub(super) words: Option<String>,
    /// A buffer of words for atomics: word n is for operation n.
    pub(super) atomics: Option<String>,
}
