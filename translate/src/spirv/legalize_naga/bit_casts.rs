//! Casts of bits that naga lacks.
//!
//! `OpBitcast` casts a vector of two words to a value of 64 bits and back, the low word first
//! (SPIR-V specification, 3.3.11 "Conversion Instructions"); naga 30 casts only between types with
//! as many components. Words are therefore shifted into 64 bits and out of them.
//!
//! Some of naga's writers have no casts between a float of 64 or 16 bits and its bits. With
//! [`Rules::casts_in_functions`](super::Rules) each of these is the body of a function of its own,
//! which the reader of the module finds by its types and replaces by the language's cast.

use super::state::{Legalizer, NumericType};
use crate::spirv::{Id, Op};

/// The casts that have functions: their place in the list.
#[derive(Clone, Copy)]
enum Cast {
    DoubleOfWords,
    WordsOfDouble,
    HalfOfBits,
    BitsOfHalf,
}

impl Cast {
    /// All casts, with a name for readers of the module.
    const ALL: [(Cast, &str); 4] = [
        (Cast::DoubleOfWords, "double_of_words"),
        (Cast::WordsOfDouble, "words_of_double"),
        (Cast::HalfOfBits, "half_of_bits"),
        (Cast::BitsOfHalf, "bits_of_half"),
    ];
}

impl Legalizer<'_> {
    /// Rewrites a cast of bits that naga lacks.
    pub(super) fn bit_cast(&mut self, ty: Id, value: Id) -> Option<Id> {
        let (from, to) = (self.numeric_of(value)?, self.numeric(ty)?);
        let is_pair = |numeric: NumericType| (numeric.bits, numeric.count) == (32, 2);
        let is_scalar = |numeric: NumericType, bits| (numeric.bits, numeric.count) == (bits, 1);
        if is_pair(from) && is_scalar(to, 64) {
            let words = self.as_words(value, from);
            return Some(if to.is_float {
                self.double_of_words(ty, words)
            } else {
                self.join_words(ty, words)
            });
        }
        if is_scalar(from, 64) && is_pair(to) {
            let words = if from.is_float {
                self.words_of_double(value)
            } else {
                self.split_words(value)
            };
            return Some(if to.is_float || to.is_signed {
                self.append(Op::Bitcast, ty, &[words.0])
            } else {
                words
            });
        }
        if from.is_float == to.is_float {
            return None;
        }
        if is_scalar(from, 64) && (self.casts.is_some() || self.int64.is_some()) {
            return Some(if to.is_float {
                let words = self.split_words(value);
                self.double_of_words(ty, words)
            } else {
                let words = self.words_of_double(value);
                self.join_words(ty, words)
            });
        }
        if is_scalar(from, 16) && self.casts.is_some() {
            let bits = self.b.uint(16);
            return Some(if to.is_float {
                let value = self.convert_sign(bits, value, from);
                self.call_cast(Cast::HalfOfBits, ty, value)
            } else {
                let value = self.call_cast(Cast::BitsOfHalf, bits, value);
                self.convert_sign_back(ty, value, to)
            });
        }
        None
    }

    /// Returns a vector of two 32-bit values as words without a sign.
    fn as_words(&mut self, value: Id, from: NumericType) -> Id {
        let word = self.b.u32();
        let words = self.b.vector(word, 2);
        self.convert_sign(words, value, from)
    }

    /// Returns the value as `ty`, which is unsigned.
    fn convert_sign(&mut self, ty: Id, value: Id, from: NumericType) -> Id {
        if from.is_float || from.is_signed {
            self.append(Op::Bitcast, ty, &[value.0])
        } else {
            value
        }
    }

    /// Returns an unsigned value as `ty`.
    fn convert_sign_back(&mut self, ty: Id, value: Id, to: NumericType) -> Id {
        if to.is_signed {
            self.append(Op::Bitcast, ty, &[value.0])
        } else {
            value
        }
    }

    /// Returns two words as an integer of 64 bits.
    fn join_words(&mut self, ty: Id, words: Id) -> Id {
        if self.is_int64(ty) {
            return words;
        }
        let (word, shift) = (self.b.u32(), self.b.const_u32(32));
        let parts = match self.parts.get(&words) {
            Some(&parts) => parts,
            None => [0, 1].map(|half| self.extract(word, words, half)),
        };
        let [low, high] = parts.map(|part| self.append(Op::UConvert, ty, &[part.0]));
        let high = self.append(Op::ShiftLeftLogical, ty, &[high.0, shift.0]);
        self.append(Op::BitwiseOr, ty, &[low.0, high.0])
    }

    /// Returns an integer of 64 bits as two words.
    fn split_words(&mut self, value: Id) -> Id {
        let word = self.b.u32();
        let words = self.b.vector(word, 2);
        let Some(ty) = self.type_of(value).filter(|&ty| !self.is_int64(ty)) else {
            return value;
        };
        let shift = self.b.const_u32(32);
        let high = self.append(Op::ShiftRightLogical, ty, &[value.0, shift.0]);
        let parts = [value, high].map(|half| self.append(Op::UConvert, word, &[half.0]));
        let whole = self.construct(words, &parts);
        self.parts.insert(whole, parts);
        whole
    }

    fn double_of_words(&mut self, ty: Id, words: Id) -> Id {
        if self.casts.is_some() {
            return self.call_cast(Cast::DoubleOfWords, ty, words);
        }
        if self.int64.is_some() {
            return self.refuse(Op::Bitcast, ty);
        }
        let wide = self.b.uint(64);
        let bits = self.join_words(wide, words);
        self.append(Op::Bitcast, ty, &[bits.0])
    }

    fn words_of_double(&mut self, value: Id) -> Id {
        let word = self.b.u32();
        let words = self.b.vector(word, 2);
        if self.casts.is_some() {
            return self.call_cast(Cast::WordsOfDouble, words, value);
        }
        if self.int64.is_some() {
            return self.refuse(Op::Bitcast, words);
        }
        let wide = self.b.uint(64);
        let bits = self.append(Op::Bitcast, wide, &[value.0]);
        self.split_words(bits)
    }

    fn call_cast(&mut self, cast: Cast, ty: Id, value: Id) -> Id {
        let fresh = self.b.fresh();
        let functions = self.casts.as_mut().map(|casts| &mut casts.functions);
        let function = functions.and_then(|functions| functions.get_mut(cast as usize));
        let function = function.map_or(fresh, |function| *function.get_or_insert(fresh));
        self.append(Op::FunctionCall, ty, &[function.0, value.0])
    }

    /// Writes the functions that were called, behind the last function.
    pub(super) fn write_casts(&mut self) {
        let Some(casts) = self.casts.take() else {
            return;
        };
        for (cast, name) in Cast::ALL {
            let Some(&Some(id)) = casts.functions.get(cast as usize) else {
                continue;
            };
            let (float, bits) = match cast {
                Cast::DoubleOfWords | Cast::WordsOfDouble => {
                    let word = self.b.u32();
                    (self.b.float(64), self.b.vector(word, 2))
                }
                Cast::HalfOfBits | Cast::BitsOfHalf => (self.b.float(16), self.b.uint(16)),
            };
            let (from, to) = match cast {
                Cast::DoubleOfWords | Cast::HalfOfBits => (bits, float),
                Cast::WordsOfDouble | Cast::BitsOfHalf => (float, bits),
            };
            let ty = self.b.function_type(to, &[from]);
            self.b.name(id, name);
            let function = self.b.begin_function(id, to, ty);
            let value = self.append(Op::FunctionParameter, from, &[]);
            let label = self.b.fresh();
            self.b.entry_label(label);
            let value = self.append(Op::Bitcast, to, &[value.0]);
            self.b.emit_void(Op::ReturnValue, &[value]);
            self.b.end_function(function);
        }
    }
}
