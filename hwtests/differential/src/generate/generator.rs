//! The state of a shader under construction.

use super::features::Features;
use super::place_expression::PlaceExpression;
use super::types::{Struct, Type, Vector};
use crate::random::Random;

/// Number of words of `Out` for each thread.
pub(super) const OUT_WORDS: u32 = 32;

/// The control flow around a statement.
#[derive(Debug, Clone)]
pub(super) struct Flow {
    /// Whether all threads of the group are active.
    pub(super) uniform: bool,
    /// Whether a `break` is allowed.
    pub(super) in_loop: bool,
    pub(super) in_switch: bool,
    /// Maximum number of times that the statement runs.
    pub(super) times: u64,
    /// Depth of nested blocks.
    pub(super) depth: u32,
    /// Type that the function returns: `None` in `main` and in functions of type void.
    pub(super) returns: Option<Type>,
    /// Whether only parameters and locals may be written, and other lanes not be read.
    pub(super) pure: bool,
    /// Whether a `return` is allowed.
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
    /// Places that can be read or written here; the innermost scope is last.
    pub(super) places: Vec<PlaceExpression>,
    pub(super) flow: Flow,
    pub(super) next_name: u32,
    pub(super) next_out: u32,
    /// Cost of the function that is being written.
    pub(super) cost: u64,
    pub(super) statements_left: u32,
    pub(super) in_function: bool,
    /// Declarations for all threads.
    pub(super) shared: Shared,
    pub(super) memory: Memory,
}

/// Resources that statements may access.
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

/// Memory of all threads.
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
