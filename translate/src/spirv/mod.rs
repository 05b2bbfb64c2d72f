//! SPIR-V assembly: words appended to typed sections.
//!
//! An instruction is written once, as words, into the section it belongs to; nothing is kept as a
//! data structure and nothing is allocated per instruction. Types, constants, capabilities and
//! extensions are interned. rspirv supplies the numbers (opcodes, enums); its own builder is not
//! used, since it looks up a grammar table per instruction.

mod builder;
mod constants;
mod state;

mod instructions;
mod interner;
pub(crate) mod legalize_naga;
pub(crate) mod memory_model;
mod reader;
mod reuse;
mod rewriting;
mod types;
mod word_table;

pub(crate) use builder::Builder;
pub(crate) use constants::half_value;
pub(crate) use rspirv::spirv::{
    BuiltIn, Capability, Decoration, Dim, ExecutionMode, ExecutionModel, FPFastMathMode,
    GroupOperation, ImageFormat, ImageOperands, LoopControl, MemoryAccess, MemorySemantics, Op,
    Scope, StorageClass,
};
pub(crate) use types::ImageType;

/// Encodings of floats that are not IEEE 754's (`FPEncoding`).
pub(crate) const BFLOAT16: u32 = 0;
pub(crate) const FLOAT8_E4M3: u32 = 4214;
pub(crate) const FLOAT8_E5M2: u32 = 4215;

/// Instructions of `GLSL.std.450`.
pub(crate) use rspirv::spirv::GlslStd450Op as GLOp;

/// Result id of an instruction. 0 never occurs in a module (SPIR-V specification, 2.3);
/// [`Id::NONE`] marks an id that is not made yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(crate) struct Id(pub(crate) u32);

impl Id {
    /// No id.
    pub(crate) const NONE: Id = Id(0);

    /// Returns whether this is [`Id::NONE`].
    pub(crate) fn is_none(self) -> bool {
        self.0 == 0
    }
}

impl std::fmt::Debug for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// An operand word: an id or a literal.
pub(crate) trait Word: Copy {
    /// Returns the word.
    fn word(self) -> u32;
}

impl Word for Id {
    fn word(self) -> u32 {
        self.0
    }
}

impl Word for u32 {
    fn word(self) -> u32 {
        self
    }
}

/// Appends a literal string: UTF-8, zero-terminated, padded to a word.
pub(crate) fn push_string(words: &mut Vec<u32>, text: &str) {
    let bytes = text.as_bytes();
    for chunk in bytes.chunks(4) {
        let mut word = [0; 4];
        for (to, &from) in word.iter_mut().zip(chunk) {
            // A zero byte would end the string early.
            *to = if from == 0 { b'?' } else { from };
        }
        words.push(u32::from_le_bytes(word));
    }
    if bytes.len().is_multiple_of(4) {
        words.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::push_string;

    #[test]
    fn strings_end_with_a_zero_byte() {
        let mut words = Vec::new();
        push_string(&mut words, "main");
        assert_eq!(words, [u32::from_le_bytes(*b"main"), 0]);
        words.clear();
        push_string(&mut words, "abc");
        assert_eq!(words, [u32::from_le_bytes(*b"abc\0")]);
    }
}
