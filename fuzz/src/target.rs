//! A fuzz target.

use crate::mutation::Mutation;

/// A fuzz target.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Name of its program and of its folder in `corpus`.
    pub name: &'static str,
    /// Runs it on an input; it panics where a rule is broken.
    pub run: fn(&[u8]),
    /// The kind of mutation of inputs.
    pub mutation: Mutation,
    /// Maximum number of bytes of memory of an input, besides those for each of its bytes.
    pub memory: usize,
}

/// Memory of an input, besides that for each of its bytes (SECURITY.md, "Guarantees").
const MEMORY: usize = 32 << 20;

impl Target {
    pub(crate) fn new(name: &'static str, mutation: Mutation, run: fn(&[u8])) -> Target {
        Target {
            name,
            run,
            mutation,
            memory: MEMORY,
        }
    }

    #[cfg(feature = "commands")]
    pub(crate) fn with_memory(self, memory: usize) -> Target {
        Target { memory, ..self }
    }
}
