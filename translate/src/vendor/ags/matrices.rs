//! Wave matrices.
//!
//! ```text
//! load       a = phase 0(offset, stride)   h = buffer[a]   phase 1, type (h, 0)   phase 2 results
//! store      a = phase 0(offset, stride)   h = buffer[a]   phase 1 words   phase 2, type (h, 0)
//!            of groupshared memory: h is the result of an atomic addition of 0 to array[a]
//!            at a device address: its words are the operands where h and 0 are
//! multiply   phase 0 words of A, B and C   phase 1, opcode   phase 2 results
//! convert    phase 0 words   phase 1, type (new type, saturate)   phase 2 results
//! extract    phase 0 words   phase 1, type (element, 0) gives it
//! insert     phase 0 words   phase 1, type (element, value)   phase 2 results
//! arithmetic phase 0 words of A and B   phase 1, type (operation, 0)   phase 2 results
//! fill       phase 0, type (value, 0)   phase 1 results
//! length     phase 0, type gives the number of elements that a lane has
//! ```
//!
//! Words go in two per instruction and come out one per instruction; the immediate says which: bits
//! 0 to 3 the channel (two pairs, or four words), 4 to 7 the register, 8 to 15 whose they are. The
//! load from the buffer, or the atomic, only tells which memory it is.

use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::ir::{BinaryOp, CmpPredicate, FuncView, Inst, InstData, TypeId, ValueId};

use crate::pseudo::PseudoCall;
use crate::pseudo::matrix::{
    ElementwiseOp, Format, HALVES_TO_FLOATS, MatrixType, Role, formats_of,
};
use crate::vendor::ags::state::{AgsRewrite, InstructionWord, Made, PendingMatrix};
use crate::vendor::writer::FunctionWriter;
use crate::{Features, Result};

const MULTIPLY: u32 = 0x28;
const BUFFER_LOAD: u32 = 0x29;
const BUFFER_STORE: u32 = 0x2a;
const GLOBAL_LOAD: u32 = 0x2b;
const GLOBAL_STORE: u32 = 0x2c;
const SHARED_LOAD: u32 = 0x2d;
const SHARED_STORE: u32 = 0x2e;
const INSERT: u32 = 0x2f;
const EXTRACT: u32 = 0x30;
const LENGTH: u32 = 0x31;
const CONVERT: u32 = 0x32;
const FILL: u32 = 0x33;
const ELEMENTWISE: u32 = 0x35;

/// Maximum number of words of a matrix that a lane can have: all 256 elements of 32 bits in waves
/// of 4 lanes.
const MAX_WORDS: usize = 64;

/// Returns whether an instruction's result is a word of a matrix, and which.
pub(super) fn result_word(word: InstructionWord) -> Option<usize> {
    let phase = match word.opcode {
        MULTIPLY | ELEMENTWISE | BUFFER_LOAD | GLOBAL_LOAD | SHARED_LOAD | CONVERT | INSERT => 2,
        FILL => 1,
        _ => return None,
    };
    let (channel, register) = (word.immediate & 0xf, word.immediate >> 4 & 0xf);
    (word.phase == phase).then_some((register * 4 + channel) as usize)
}

/// Returns whether results of the same matrix may follow an instruction.
pub(super) fn makes_matrix(word: InstructionWord) -> bool {
    match word.opcode {
        MULTIPLY | ELEMENTWISE | BUFFER_LOAD | GLOBAL_LOAD | SHARED_LOAD | CONVERT | INSERT => {
            word.phase == 1
        }
        FILL => word.phase == 0,
        _ => false,
    }
}

impl PendingMatrix {
    /// Takes the load that names the buffer, and returns whether it is that load.
    pub(super) fn takes_load(&mut self, buffer: ValueId, at: ValueId) -> bool {
        let is_it = self.place.is_some_and(|(_, given)| given == Some(at));
        if is_it {
            self.buffer = Some(buffer);
        }
        is_it
    }

    /// Takes an instruction on groupshared memory that says which array it is: the address of the
    /// element at the index that phase 0 gave, and the atomic on it; whether it is one of these.
    pub(super) fn takes_shared(&mut self, view: FuncView<'_>, data: &InstData) -> bool {
        let Some((_, Some(index))) = self.place else {
            return false;
        };
        match data.inst {
            Inst::Gep { operands, .. } => {
                let operands = view.function.values_of(operands);
                let is_it = self.shared.is_none() && operands.last() == Some(&index);
                if is_it && let Some(&array) = operands.first() {
                    self.shared = Some((array, data.result.expand()));
                }
                is_it
            }
            Inst::AtomicRmw { pointer, .. } => {
                let shared = self.shared;
                shared.is_some_and(|(_, element)| element == Some(pointer))
            }
            _ => false,
        }
    }

    /// Returns the words of an owner up to the last that was given; those between that were not are
    /// zero.
    fn words_of(&self, w: &mut FunctionWriter<'_, '_, '_>, owner: u32) -> Vec<ValueId> {
        #[expect(clippy::disallowed_methods, reason = "a maximum")]
        let numbers = self.words.keys().filter(|key| key.0 == owner);
        let count = numbers.map(|key| key.1 + 1).max().unwrap_or(0);
        (0..count.min(MAX_WORDS))
            .map(|number| {
                let word = self.words.get(&(owner, number)).copied();
                word.unwrap_or_else(|| w.word(0))
            })
            .collect()
    }
}

impl AgsRewrite<'_, '_, '_, '_> {
    /// Writes a phase; returns `None` if it is not available.
    pub(super) fn matrix_phase(
        &mut self,
        view: FuncView<'_>,
        word: InstructionWord,
        operands: [ValueId; 2],
        result: Option<ValueId>,
    ) -> Result<Option<ValueId>> {
        let zero = self.writer.word(0);
        if let Some(number) = result_word(word) {
            let made = self.matrix.as_ref().filter(|it| it.opcode == word.opcode);
            return match made.and_then(|made| made.result.as_ref()) {
                Some(&Made::Structure(made, count)) if number < count => {
                    self.writer.member(made, number as u32).map(Some)
                }
                // More words than a matrix can have.
                Some(Made::Structure(..)) => Ok(None),
                Some(Made::Words(words)) => Ok(Some(words.get(number).copied().unwrap_or(zero))),
                None => Ok(None),
            };
        }
        if self.matrix.as_ref().is_none_or(|it| {
            // A result ends an operation; so does the beginning of another.
            it.opcode != word.opcode || it.result.is_some()
        }) {
            self.matrix = Some(PendingMatrix {
                opcode: word.opcode,
                ..PendingMatrix::default()
            });
        }
        let Some(mut pending) = self.matrix.take() else {
            return Ok(None);
        };
        let given = match (word.opcode, word.phase) {
            (
                BUFFER_LOAD | BUFFER_STORE | GLOBAL_LOAD | GLOBAL_STORE | SHARED_LOAD
                | SHARED_STORE,
                0,
            ) => {
                pending.place = Some((operands, result));
                Some(zero)
            }
            (MULTIPLY | ELEMENTWISE | CONVERT | EXTRACT | INSERT, 0)
            | (BUFFER_STORE | GLOBAL_STORE | SHARED_STORE, 1) => {
                let (channel, register) = (word.immediate & 0xf, word.immediate >> 4 & 0xf);
                let owner = word.immediate >> 8;
                let pair = (register * 2 + channel) as usize;
                for (part, operand) in operands.into_iter().enumerate() {
                    pending.words.insert((owner, 2 * pair + part), operand);
                }
                Some(zero)
            }
            _ => {
                let made = self.matrix_operation(view, word, operands, &mut pending)?;
                // A store ends here.
                if matches!(word.opcode, BUFFER_STORE | GLOBAL_STORE | SHARED_STORE) {
                    return Ok(made);
                }
                made
            }
        };
        self.matrix = Some(pending);
        Ok(given)
    }

    /// Writes the phase that has the operation itself.
    fn matrix_operation(
        &mut self,
        view: FuncView<'_>,
        word: InstructionWord,
        operands: [ValueId; 2],
        pending: &mut PendingMatrix,
    ) -> Result<Option<ValueId>> {
        let results = if makes_matrix(word) {
            self.result_counts.pop_front().unwrap_or(0).min(MAX_WORDS)
        } else {
            0
        };
        if word.opcode == MULTIPLY {
            return self.multiply(word.immediate & 0x7f, results, pending);
        }
        let Some(ty) = MatrixType::of(word.immediate) else {
            return Ok(None);
        };
        match word.opcode {
            CONVERT => return self.convert(view, ty, operands, results, pending),
            ELEMENTWISE => return self.elementwise(view, ty, operands, results, pending),
            _ => {}
        }
        if !self.has_matrices_of(&[ty.format]) {
            return Ok(None);
        }
        let format = ty.format;
        let w = &mut self.writer;
        let zero = w.word(0);
        let (void, ret) = (w.void_ty(), result_ty(w, results));
        let call = match word.opcode {
            BUFFER_LOAD | BUFFER_STORE => {
                let (Some(([offset, stride], _)), Some(buffer)) = (pending.place, pending.buffer)
                else {
                    return Ok(None);
                };
                // The plan of the interface knows DXIL's accesses only: one without a value records
                // that the buffer is read or written.
                w.raw_access(word.opcode == BUFFER_STORE, buffer, offset)?;
                if word.opcode == BUFFER_STORE {
                    let call = PseudoCall::MatrixStore {
                        buffer,
                        offset,
                        stride,
                        ty,
                        words: &pending.words_of(w, 0),
                    };
                    w.pseudo(&call, void)?;
                    return Ok(Some(zero));
                }
                PseudoCall::MatrixLoad {
                    buffer,
                    offset,
                    stride,
                    ty,
                }
            }
            GLOBAL_LOAD | GLOBAL_STORE => {
                let Some(([offset, stride], _)) = pending.place else {
                    return Ok(None);
                };
                let [low, high] = operands;
                if word.opcode == GLOBAL_STORE {
                    let call = PseudoCall::MatrixGlobalStore {
                        low,
                        high,
                        offset,
                        stride,
                        ty,
                        words: &pending.words_of(w, 0),
                    };
                    w.pseudo(&call, void)?;
                    return Ok(Some(zero));
                }
                PseudoCall::MatrixGlobalLoad {
                    low,
                    high,
                    offset,
                    stride,
                    ty,
                }
            }
            SHARED_LOAD | SHARED_STORE => {
                let (Some(([index, stride], _)), Some((array, _))) =
                    (pending.place, pending.shared)
                else {
                    return Ok(None);
                };
                if word.opcode == SHARED_STORE {
                    let call = PseudoCall::MatrixSharedStore {
                        array,
                        index,
                        stride,
                        ty,
                        words: &pending.words_of(w, 0),
                    };
                    w.pseudo(&call, void)?;
                    return Ok(Some(zero));
                }
                PseudoCall::MatrixSharedLoad {
                    array,
                    index,
                    stride,
                    ty,
                }
            }
            FILL => PseudoCall::MatrixFill {
                ty,
                value: operands[0],
            },
            LENGTH => {
                let word_ty = w.int_ty(32);
                let length = w.pseudo(&PseudoCall::MatrixLength { ty }, word_ty)?;
                return Ok(Some(length));
            }
            EXTRACT => {
                let words = pending.words_of(w, 0);
                return Ok(Some(extract(w, &words, operands[0], format)?));
            }
            INSERT => {
                let words = pending.words_of(w, 0);
                let words = insert(w, &words, operands[0], operands[1], format)?;
                pending.result = Some(Made::Words(words));
                return Ok(Some(zero));
            }
            _ => return Ok(None),
        };
        let made = w.pseudo(&call, ret)?;
        pending.result = Some(Made::Structure(made, results));
        Ok(Some(zero))
    }

    /// Returns whether the target has matrices of these formats; those of 8-bit floats may be
    /// bytes.
    fn has_matrices_of(&self, formats: &[Format]) -> bool {
        let as_bytes = self.float8_as_bytes();
        let mut formats = formats.iter();
        formats.all(|&format| self.missing.has(needs(format, as_bytes)))
    }

    fn float8_as_bytes(&self) -> bool {
        !self.missing.has(Features::MATRIX_FLOAT8)
    }

    fn multiply(
        &mut self,
        number: u32,
        results: usize,
        pending: &mut PendingMatrix,
    ) -> Result<Option<ValueId>> {
        let Some(types) = formats_of(number).filter(|types| self.has_matrices_of(types)) else {
            return Ok(None);
        };
        // Bytes have no products as floats: halves have them.
        let as_halves = self.float8_as_bytes()
            && types[0].bits() == 8
            && types.iter().all(|format| format.is_float());
        let formats = if as_halves { HALVES_TO_FLOATS } else { types };
        let w = &mut self.writer;
        let mut operands = [const { Vec::new() }; 3];
        let roles = [Role::A, Role::B, Role::Accumulator];
        let owners = (1..).zip(&mut operands);
        for ((owner, operand), (&format, role)) in owners.zip(types.iter().zip(roles)) {
            *operand = pending.words_of(w, owner);
            if as_halves && format.bits() == 8 {
                *operand = halves_of(w, operand, [format, Format::F16].map(|it| of(it, role)))?;
            }
        }
        let [a, b, c] = &operands;
        let ret = result_ty(w, results);
        let call = PseudoCall::MatrixMultiply { formats, a, b, c };
        let made = w.pseudo(&call, ret)?;
        pending.result = Some(Made::Structure(made, results));
        Ok(Some(w.word(0)))
    }

    fn convert(
        &mut self,
        view: FuncView<'_>,
        old: MatrixType,
        operands: [ValueId; 2],
        results: usize,
        pending: &mut PendingMatrix,
    ) -> Result<Option<ValueId>> {
        let [new, saturate] = operands.map(|value| view.constant_int(value));
        let new = new.and_then(|new| MatrixType::of(new as u32));
        // Whether the conversion saturates is written into the instruction.
        let (Some(new), Some(saturate)) = (new, saturate.map(|number| number != 0)) else {
            return Ok(None);
        };
        let formats = [old.format, new.format];
        // AGS does not specify rounding between integers, or between integers and floats.
        if old.format != new.format && !formats.iter().all(|format| format.is_float())
            || !self.has_matrices_of(&formats)
        {
            return Ok(None);
        }
        let w = &mut self.writer;
        let zero = w.word(0);
        let words = pending.words_of(w, 0);
        if old.role == new.role && old.format == new.format {
            pending.result = Some(Made::Words(words));
            return Ok(Some(zero));
        }
        let ret = result_ty(w, results);
        let call = PseudoCall::MatrixConvert {
            old,
            new,
            saturate,
            words: &words,
        };
        let made = self.writer.pseudo(&call, ret)?;
        pending.result = Some(Made::Structure(made, results));
        Ok(Some(zero))
    }

    fn elementwise(
        &mut self,
        view: FuncView<'_>,
        ty: MatrixType,
        operands: [ValueId; 2],
        results: usize,
        pending: &mut PendingMatrix,
    ) -> Result<Option<ValueId>> {
        let op = view.constant_int(operands[0]).map(|number| number as u32);
        let op = op.and_then(ElementwiseOp::of);
        let Some(op) = op.filter(|op| op.takes(ty.format) && self.has_matrices_of(&[ty.format]))
        else {
            return Ok(None);
        };
        let w = &mut self.writer;
        let [a, b] = [1, 2].map(|owner| pending.words_of(w, owner));
        let ret = result_ty(w, results);
        let call = PseudoCall::MatrixElementwise {
            op,
            ty,
            a: &a,
            b: &b,
        };
        let made = w.pseudo(&call, ret)?;
        pending.result = Some(Made::Structure(made, results));
        Ok(Some(w.word(0)))
    }
}

/// Returns the type of a matrix that is not in memory.
fn of(format: Format, role: Role) -> MatrixType {
    MatrixType {
        format,
        role,
        column_major: false,
    }
}

/// Returns the words of a matrix of 8-bit floats as those of a matrix of halves.
fn halves_of(
    w: &mut FunctionWriter<'_, '_, '_>,
    words: &[ValueId],
    [old, new]: [MatrixType; 2],
) -> Result<Vec<ValueId>> {
    let count = words.len() * 2;
    let ret = result_ty(w, count);
    let call = PseudoCall::MatrixConvert {
        old,
        new,
        saturate: false,
        words,
    };
    let made = w.pseudo(&call, ret)?;
    (0..count as u32).map(|at| w.member(made, at)).collect()
}

/// Returns the type of a matrix' words. A structure has at least one member, even if none is read.
fn result_ty(w: &mut FunctionWriter<'_, '_, '_>, results: usize) -> TypeId {
    w.words_ty(results.max(1))
}

/// Returns the features that matrices of that format need; those of 8-bit floats may be bytes.
fn needs(format: Format, as_bytes: bool) -> Features {
    match format {
        Format::Bf8 | Format::Fp8 if as_bytes => Features::INT8 | Features::FLOAT16,
        Format::F16 => Features::FLOAT16,
        Format::Bf16 => Features::MATRIX_BFLOAT16,
        Format::Bf8 | Format::Fp8 => Features::MATRIX_FLOAT8,
        Format::I8 | Format::U8 => Features::INT8,
        Format::F32 | Format::I32 | Format::U32 => Features::empty(),
    }
}

/// Returns the number of the word that an element lies in, and its shift. Elements of 8 bits are
/// extracted and inserted four at a time.
fn word_and_shift(
    w: &mut FunctionWriter<'_, '_, '_>,
    element: ValueId,
    format: Format,
) -> Result<(ValueId, Option<ValueId>)> {
    if format.bits() != 16 {
        return Ok((element, None));
    }
    let one = w.word(1);
    let number = w.binary(BinaryOp::LShr, 32, element, one)?;
    let odd = w.binary(BinaryOp::And, 32, element, one)?;
    let four = w.word(4);
    let shift = w.binary(BinaryOp::Shl, 32, odd, four)?;
    Ok((number, Some(shift)))
}

/// Returns an element; a missing one is zero.
fn extract(
    w: &mut FunctionWriter<'_, '_, '_>,
    words: &[ValueId],
    element: ValueId,
    format: Format,
) -> Result<ValueId> {
    let (number, shift) = word_and_shift(w, element, format)?;
    let mut chosen = w.word(0);
    for (at, &word) in (0..).zip(words) {
        let at = w.word(at);
        let is_it = w.compare(CmpPredicate::IEq, number, at)?;
        chosen = w.select(is_it, word, chosen)?;
    }
    let Some(shift) = shift else {
        return Ok(chosen);
    };
    let low = w.binary(BinaryOp::LShr, 32, chosen, shift)?;
    let mask = w.word(0xffff);
    w.binary(BinaryOp::And, 32, low, mask)
}

/// Returns the words with another element.
fn insert(
    w: &mut FunctionWriter<'_, '_, '_>,
    words: &[ValueId],
    element: ValueId,
    value: ValueId,
    format: Format,
) -> Result<Vec<ValueId>> {
    let (number, shift) = word_and_shift(w, element, format)?;
    let placed = match shift {
        None => None,
        Some(shift) => {
            let mask = w.word(0xffff);
            let value = w.binary(BinaryOp::And, 32, value, mask)?;
            let value = w.binary(BinaryOp::Shl, 32, value, shift)?;
            let hole = w.binary(BinaryOp::Shl, 32, mask, shift)?;
            let all = w.word(!0);
            Some((value, w.binary(BinaryOp::Xor, 32, hole, all)?))
        }
    };
    let mut changed = Vec::new();
    for (at, &word) in (0..).zip(words) {
        let at = w.word(at);
        let is_it = w.compare(CmpPredicate::IEq, number, at)?;
        let new = match placed {
            None => value,
            Some((value, kept)) => {
                let kept = w.binary(BinaryOp::And, 32, word, kept)?;
                w.binary(BinaryOp::Or, 32, kept, value)?
            }
        };
        changed.push(w.select(is_it, new, word)?);
    }
    Ok(changed)
}

impl FunctionWriter<'_, '_, '_> {
    /// Writes a load of a buffer whose value is not used, or a store of no component.
    fn raw_access(&mut self, is_store: bool, buffer: ValueId, offset: ValueId) -> Result<()> {
        let ty = self.int_ty(32);
        let undef = self.undef_word();
        let align = self.word(4);
        if is_store {
            let none = self.int(8, 0);
            let void = self.void_ty();
            let args = [
                buffer, offset, undef, undef, undef, undef, undef, none, align,
            ];
            self.operation(Opcode::RawBufferStore, Some(ty), void, &args)?;
        } else {
            let one = self.int(8, 1);
            let loaded = self.words_ty(5);
            let args = [buffer, offset, undef, one, align];
            self.operation(Opcode::RawBufferLoad, Some(ty), loaded, &args)?;
        }
        Ok(())
    }
}
