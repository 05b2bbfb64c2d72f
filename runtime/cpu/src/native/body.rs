//! The body of a WebAssembly function while it is written: locals, and values of four lanes.

use wasm_encoder::{InstructionSink, MemArg, ValType};

/// A value of four lanes in the code of one chunk: what is known of it, and where it is.
///
/// A boolean is made as a mask, all ones for true, and becomes 0 or 1 only where something asks for
/// that.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Value {
    /// The bits that all lanes have.
    pub(super) constant: Option<u64>,
    /// Local of the bits; of lanes 0 and 1, where there are 64 of them.
    pub(super) bits: Option<u32>,
    /// Local of lanes 2 and 3 of 64 bits.
    pub(super) high: Option<u32>,
    /// Local of all ones where the value is not 0.
    pub(super) mask: Option<u32>,
}

/// A body.
pub(super) struct Body {
    pub(super) bytes: Vec<u8>,
    /// Number of locals before those of vectors: parameters and 32-bit integers.
    first_vector: u32,
    /// Vectors in use, and the most that were at a time.
    vectors: u32,
    most_vectors: u32,
}

impl Body {
    pub(super) fn new(first_vector: u32) -> Body {
        Body {
            bytes: Vec::new(),
            first_vector,
            vectors: 0,
            most_vectors: 0,
        }
    }

    pub(super) fn sink(&mut self) -> InstructionSink<'_> {
        InstructionSink::new(&mut self.bytes)
    }

    /// Begins code that uses no vectors of the code before.
    pub(super) fn forget_vectors(&mut self) {
        self.vectors = 0;
    }

    /// Returns a local for a vector.
    pub(super) fn vector(&mut self) -> u32 {
        let local = self.first_vector + self.vectors;
        self.vectors += 1;
        self.most_vectors = self.most_vectors.max(self.vectors);
        local
    }

    /// Takes what is on the stack into a local.
    pub(super) fn keep(&mut self) -> u32 {
        let local = self.vector();
        self.sink().local_set(local);
        local
    }

    /// Returns the number of locals of each type after the parameters, of which there are as many
    /// integers.
    pub(super) fn locals(&self, integers: u32) -> Vec<(u32, ValType)> {
        vec![(integers, ValType::I32), (self.most_vectors, ValType::V128)]
    }

    pub(super) fn get(&mut self, local: u32) {
        self.sink().local_get(local);
    }

    /// Puts a vector of four times the same word on the stack.
    pub(super) fn splat(&mut self, word: u32) {
        self.sink().v128_const(vector_of(word));
    }

    /// Puts a vector of two times the same 64 bits on the stack.
    pub(super) fn splat_wide(&mut self, bits: u64) {
        let all = u128::from(bits) | u128::from(bits) << 64;
        self.sink().v128_const(all as i128);
    }

    /// Puts the 32-bit lanes of a value on the stack.
    pub(super) fn word(&mut self, value: &mut Value) {
        if let Some(bits) = value.constant {
            self.splat(bits as u32);
            return;
        }
        if value.bits.is_none()
            && let Some(mask) = value.mask
        {
            self.get(mask);
            self.sink().i32_const(31).i32x4_shr_u();
            value.bits = Some(self.keep());
        }
        match value.bits {
            Some(local) => self.get(local),
            None => self.splat(0),
        }
    }

    /// Puts two lanes of a value of 64 bits on the stack.
    pub(super) fn wide(&mut self, value: &Value, half: usize) {
        if let Some(bits) = value.constant {
            self.splat_wide(bits);
            return;
        }
        match [value.bits, value.high][half] {
            Some(local) => self.get(local),
            None => self.splat(0),
        }
    }

    /// Puts all ones for each lane on the stack in which a word is not 0.
    pub(super) fn mask(&mut self, value: &mut Value) {
        if let Some(bits) = value.constant {
            self.splat(if bits == 0 { 0 } else { u32::MAX });
            return;
        }
        if value.mask.is_none() {
            self.word(value);
            self.splat(0);
            self.sink().i32x4_ne();
            value.mask = Some(self.keep());
        }
        if let Some(local) = value.mask {
            self.get(local);
        }
    }

    /// Puts the mask of lanes 0 and 1, or 2 and 3, on the stack, as 64 bits each.
    pub(super) fn wide_mask(&mut self, value: &mut Value, half: usize) {
        self.mask(value);
        self.extend_mask(half);
    }

    /// Makes 64 bits each of two lanes of the mask on the stack.
    pub(super) fn extend_mask(&mut self, half: usize) {
        if half == 0 {
            self.sink().i64x2_extend_low_i32x4_s();
        } else {
            self.sink().i64x2_extend_high_i32x4_s();
        }
    }
}

/// Returns a vector constant of four times the same word.
pub(super) fn vector_of(word: u32) -> i128 {
    let pair = u128::from(word) | u128::from(word) << 32;
    (pair | pair << 64) as i128
}

/// Returns the operands of an access of memory, of a multiple of that power of two.
pub(super) fn at(offset: u32, align: u32) -> MemArg {
    MemArg {
        offset: u64::from(offset),
        align,
        memory_index: 0,
    }
}
