//! Casts between floats and their bits that naga's writers lack.
//!
//! naga 30 has no cast between a double and 64 bits in its HLSL and GLSL writers: HLSL's becomes a
//! conversion of the value, and GLSL has no such integers. The same goes for halves and 16 bits in
//! HLSL. Such a cast becomes a call of a function with a reserved name
//! ([`crate::pseudo_casts`]); the reader of the module gives it the language's body.

use super::state::Legalizer;
use crate::pseudo_casts::{DOUBLE_OF_WORDS, HALF_OF_WORD, WORD_OF_HALF, WORDS_OF_DOUBLE};
use crate::spirv::{Id, Op};

/// A cast's function: its place in the list.
#[derive(Clone, Copy)]
enum Cast {
    DoubleOfWords,
    WordsOfDouble,
    HalfOfWord,
    WordOfHalf,
}

impl Cast {
    const ALL: [(Cast, &str); 4] = [
        (Cast::DoubleOfWords, DOUBLE_OF_WORDS),
        (Cast::WordsOfDouble, WORDS_OF_DOUBLE),
        (Cast::HalfOfWord, HALF_OF_WORD),
        (Cast::WordOfHalf, WORD_OF_HALF),
    ];
}

impl Legalizer<'_> {
    /// Returns the cast as a call, if it is one between a double or a half and its bits.
    pub(super) fn pseudo_cast(&mut self, ty: Id, value: Id) -> Option<Id> {
        let (from, to) = (self.numeric_of(value)?, self.numeric(ty)?);
        let doubles = [from.is_float(64), to.is_float(64)];
        let halves = [from.is_float(16), to.is_float(16)];
        if self.pseudo_casts.is_none() {
            // 64 bits that are two words have no cast of their own.
            let is_refused = self.int64.is_some() && doubles[0] != doubles[1];
            return is_refused.then(|| self.refuse(Op::Bitcast, ty));
        }
        match (doubles, halves) {
            ([false, true], _) => Some(self.double_of_words(ty, value)),
            ([true, false], _) => Some(self.words_of_double(ty, value)),
            (_, [false, true]) => {
                let word = self.b.u32();
                let bits = self.emit(Op::UConvert, word, &[value.0]);
                Some(self.call_cast(Cast::HalfOfWord, ty, bits))
            }
            (_, [true, false]) => {
                let word = self.b.u32();
                let bits = self.call_cast(Cast::WordOfHalf, word, value);
                Some(self.emit(Op::UConvert, ty, &[bits.0]))
            }
            _ => None,
        }
    }

    fn double_of_words(&mut self, ty: Id, value: Id) -> Id {
        let word = self.b.u32();
        let words = self.b.vector(word, 2);
        let written = self.type_of(value).map(|ty| self.written(ty));
        let both = if written == Some(words) {
            value
        } else {
            let (wide, shift) = (self.b.uint(64), self.b.const_u32(32));
            let high = self.append(Op::ShiftRightLogical, wide, &[value.0, shift.0]);
            let parts = [value, high].map(|half| self.append(Op::UConvert, word, &[half.0]));
            self.construct(words, &parts)
        };
        self.call_cast(Cast::DoubleOfWords, ty, both)
    }

    fn words_of_double(&mut self, ty: Id, value: Id) -> Id {
        let word = self.b.u32();
        let words = self.b.vector(word, 2);
        let both = self.call_cast(Cast::WordsOfDouble, words, value);
        if self.written(ty) == words {
            return both;
        }
        let (wide, shift) = (self.b.uint(64), self.b.const_u32(32));
        let parts = [0, 1].map(|half| self.extract(word, both, half));
        let [low, high] = parts.map(|part| self.append(Op::UConvert, wide, &[part.0]));
        let high = self.append(Op::ShiftLeftLogical, wide, &[high.0, shift.0]);
        self.append(Op::BitwiseOr, wide, &[low.0, high.0])
    }

    fn call_cast(&mut self, cast: Cast, ty: Id, value: Id) -> Id {
        let fresh = self.b.fresh();
        let functions = self.pseudo_casts.as_mut().map(|casts| &mut casts.functions);
        let function = functions.and_then(|functions| functions.get_mut(cast as usize));
        let function = function.map_or(fresh, |function| *function.get_or_insert(fresh));
        self.append(Op::FunctionCall, ty, &[function.0, value.0])
    }

    /// Writes the functions that were called; behind the last function. Their bodies only have to
    /// be valid and to use the parameter.
    pub(super) fn write_pseudo_casts(&mut self) {
        let Some(casts) = self.pseudo_casts.take() else {
            return;
        };
        let word = self.b.u32();
        for (cast, name) in Cast::ALL {
            let Some(&Some(id)) = casts.functions.get(cast as usize) else {
                continue;
            };
            let bits = match cast {
                Cast::DoubleOfWords | Cast::WordsOfDouble => 64,
                Cast::HalfOfWord | Cast::WordOfHalf => 16,
            };
            let float = self.b.float(bits);
            let words = match bits {
                64 => self.b.vector(word, 2),
                _ => word,
            };
            let to_float = matches!(cast, Cast::DoubleOfWords | Cast::HalfOfWord);
            let (parameter, result) = if to_float {
                (words, float)
            } else {
                (float, words)
            };
            let ty = self.b.function_type(result, &[parameter]);
            self.b.name(id, name);
            let function = self.b.begin_function(id, result, ty);
            let value = self.append(Op::FunctionParameter, parameter, &[]);
            let label = self.b.fresh();
            self.b.entry_label(label);
            let value = match cast {
                Cast::DoubleOfWords => {
                    let low = self.extract(word, value, 0);
                    self.append(Op::ConvertUToF, float, &[low.0])
                }
                Cast::HalfOfWord => self.append(Op::ConvertUToF, float, &[value.0]),
                Cast::WordsOfDouble => {
                    let low = self.append(Op::ConvertFToU, word, &[value.0]);
                    self.construct(words, &[low, low])
                }
                Cast::WordOfHalf => self.append(Op::ConvertFToU, word, &[value.0]),
            };
            self.b.emit_void(Op::ReturnValue, &[value]);
            self.b.end_function(function);
        }
    }
}
