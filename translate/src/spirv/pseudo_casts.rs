//! The bits of doubles and halves, for naga's writers that cannot say them.
//!
//! naga's HLSL and GLSL writers have no cast between a double and 64 bits: HLSL's becomes a
//! conversion of the value, and GLSL has no such integers. The same goes for halves and 16 bits in
//! HLSL. Where the reader of the SPIR-V says that it knows the marks, the casts are calls of
//! functions with certain names; the reader gives them their bodies.

use super::{Builder, Id, Op};
use crate::pseudo_casts::{DOUBLE_OF_WORDS, HALF_OF_WORD, WORD_OF_HALF, WORDS_OF_DOUBLE};
use crate::spirv::state::PseudoCasts;

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

impl Builder {
    /// Marks casts between floats and their bits from here on; to be called before anything is
    /// built.
    pub(crate) fn use_pseudo_casts(&mut self) {
        if let Some(numbers) = &mut self.numbers {
            numbers.pseudo_casts = Some(PseudoCasts::default());
        }
    }

    /// The cast as a call, if it is one between a double or a half and its bits.
    pub(super) fn pseudo_cast(&mut self, ty: Id, value: u32) -> Option<Id> {
        let numbers = self.numbers.as_ref()?;
        let from = *numbers.types.get(&Id(value))?;
        let is = |ty: Id, bits| {
            let kind = numbers.kinds.get(&ty);
            kind.is_some_and(|kind| kind.is(true, bits))
        };
        let doubles = [is(from, 64), is(ty, 64)];
        let halves = [is(from, 16), is(ty, 16)];
        let paired = numbers.pairs.is_some();
        if numbers.pseudo_casts.is_none() {
            // 64 bits that are two words have no cast of their own.
            let refused = paired && doubles[0] != doubles[1];
            return refused.then(|| self.refuse(Op::Bitcast, ty));
        }
        match (doubles, halves) {
            ([false, true], _) => Some(self.double_of_words(ty, value, paired)),
            ([true, false], _) => Some(self.words_of_double(value, paired)),
            (_, [false, true]) => {
                let word = self.u32();
                let bits = self.emit(Op::UConvert, word, &[value]);
                Some(self.call_cast(Cast::HalfOfWord, ty, bits.0))
            }
            (_, [true, false]) => {
                let word = self.u32();
                let bits = self.call_cast(Cast::WordOfHalf, word, value);
                Some(self.emit(Op::UConvert, ty, &[bits]))
            }
            _ => None,
        }
    }

    fn double_of_words(&mut self, ty: Id, value: u32, paired: bool) -> Id {
        let (wide, word, shift) = (self.uint(64), self.u32(), self.const_u32(32));
        let parts = match paired {
            true => self.halves(Id(value)),
            false => {
                let high = self.emit(Op::ShiftRightLogical, wide, &[Id(value), shift]);
                [Id(value), high].map(|half| self.emit(Op::UConvert, word, &[half]))
            }
        };
        let words = self.vector(word, 2);
        let both = self.construct(words, &parts);
        self.call_cast(Cast::DoubleOfWords, ty, both.0)
    }

    fn words_of_double(&mut self, value: u32, paired: bool) -> Id {
        let (wide, word, shift) = (self.uint(64), self.u32(), self.const_u32(32));
        let words = self.vector(word, 2);
        let both = self.call_cast(Cast::WordsOfDouble, words, value);
        let parts = [0, 1].map(|half| self.extract(word, both, half));
        if paired {
            return self.join(wide, parts);
        }
        let [low, high] = parts.map(|part| self.emit(Op::UConvert, wide, &[part]));
        let high = self.emit(Op::ShiftLeftLogical, wide, &[high, shift]);
        self.emit(Op::BitwiseOr, wide, &[low, high])
    }

    fn call_cast(&mut self, cast: Cast, ty: Id, value: u32) -> Id {
        let fresh = self.fresh();
        let marked = self.numbers.as_mut().and_then(|n| n.pseudo_casts.as_mut());
        let function = marked.and_then(|marked| marked.functions.get_mut(cast as usize));
        let function = function.map_or(fresh, |function| *function.get_or_insert(fresh));
        self.append(Op::FunctionCall, ty, &[function.0, value])
    }

    /// Writes the functions that were called; to be called behind the last function. Their bodies
    /// only have to be valid and to look at what they get.
    pub(crate) fn finish_pseudo_casts(&mut self) {
        let Some(marked) = self.numbers.as_mut().and_then(|n| n.pseudo_casts.take()) else {
            return;
        };
        let word = self.u32();
        for (cast, name) in Cast::ALL {
            let Some(&Some(id)) = marked.functions.get(cast as usize) else {
                continue;
            };
            let bits = match cast {
                Cast::DoubleOfWords | Cast::WordsOfDouble => 64,
                Cast::HalfOfWord | Cast::WordOfHalf => 16,
            };
            let float = self.float(bits);
            let words = match bits {
                64 => self.vector(word, 2),
                _ => word,
            };
            let to_float = matches!(cast, Cast::DoubleOfWords | Cast::HalfOfWord);
            let (parameter, result) = if to_float {
                (words, float)
            } else {
                (float, words)
            };
            let ty = self.function_type(result, &[parameter]);
            self.name(id, name);
            let function = self.begin_function(id, result, ty);
            let value = self.parameter(parameter);
            let label = self.fresh();
            self.entry_label(label);
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
            self.emit_void(Op::ReturnValue, &[value]);
            self.end_function(function);
        }
    }
}
