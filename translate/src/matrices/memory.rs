//! Matrices and vectors in buffers and in groupshared arrays.

use std::collections::BTreeMap;

use dxil_frontend::dxil::ops::{AtomicOp, MatrixComponent as C, MatrixLayout, Opcode};
use dxil_frontend::dxil::{MatrixScope, MatrixType};
use dxil_frontend::ir::{BinaryOp, CmpPredicate, TypeId, ValueId};

use super::MatrixScalarizer;
use super::numbers::{Number, per_scalar};
use crate::pseudo::{FloatAtomic, PseudoCall};
use crate::{Error, Result};

/// A byte address beyond all buffers, and an index beyond all groupshared arrays: stores there are
/// dropped (DXIL document, "Out-of-bounds behavior").
const NO_BYTE: u32 = 0xffff_fffc;
const NO_INDEX: u32 = 1 << 30;

/// Memory that a matrix lies in.
#[derive(Clone, Copy)]
pub(super) enum Memory {
    /// A raw buffer; offset and stride are in bytes.
    Buffer {
        handle: ValueId,
        /// What the offset is a multiple of, in bytes.
        align: u32,
    },
    /// A groupshared array, by a pointer to an element; offset and stride are in elements.
    Array(ValueId),
}

/// Where a matrix lies.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) memory: Memory,
    pub(super) offset: ValueId,
    /// From line to line.
    pub(super) stride: ValueId,
    pub(super) layout: MatrixLayout,
}

/// An element's line, and its number there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    line: u32,
    at: u32,
}

impl Place {
    /// Returns where the elements of a matrix are, row by row. What a device may choose lies row by
    /// row without gaps, its transposed form column by column.
    fn spots(&self, matrix: &MatrixType) -> Vec<Spot> {
        let (rows, columns) = (matrix.rows, matrix.columns);
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let spot = |(row, column)| {
            let (line, at) = match self.layout {
                MatrixLayout::RowMajor => (row, column),
                MatrixLayout::ColumnMajor => (column, row),
                MatrixLayout::MulOptimal | MatrixLayout::OuterProductOptimal => {
                    (0, row * columns + column)
                }
                MatrixLayout::MulOptimalTranspose | MatrixLayout::OuterProductOptimalTranspose => {
                    (0, column * rows + row)
                }
            };
            Spot { line, at }
        };
        all.map(spot).collect()
    }
}

/// The elements of an array in memory.
#[derive(Clone, Copy)]
struct ArrayOf {
    ty: TypeId,
    component: C,
}

impl MatrixScalarizer<'_, '_, '_> {
    /// Loads the elements of a matrix, row by row.
    pub(super) fn load_matrix(
        &mut self,
        matrix: &MatrixType,
        component: C,
        place: Place,
    ) -> Result<Vec<Number>> {
        let mut found = Vec::new();
        for spot in place.spots(matrix) {
            found.push(match place.memory {
                Memory::Buffer { handle, align } => {
                    let aligned = self.are_words(&place, align);
                    self.load_byte_address(handle, &place, spot, component, aligned)?
                }
                Memory::Array(pointer) => {
                    let array = self.array(pointer)?;
                    let per = per_scalar(component, array.component);
                    let address = self.element_address(pointer, &place, spot, per, None)?;
                    let value = self.w.load(address, array.ty)?;
                    let scalar = self.number(value, array.ty, true)?;
                    self.part(scalar, spot.at % per, component, per)?
                }
            });
        }
        Ok(found)
    }

    /// Stores the elements of a matrix.
    pub(super) fn store_matrix(
        &mut self,
        matrix: &MatrixType,
        elements: &[Number],
        place: Place,
    ) -> Result<()> {
        let owner = self.owner(matrix)?;
        let spots = place.spots(matrix);
        let Some(component) = elements.first().map(|number| number.of) else {
            return Ok(());
        };
        let (per, aligned) = match place.memory {
            Memory::Buffer { align, .. } => (32 / component.bits(), self.are_words(&place, align)),
            Memory::Array(pointer) => {
                let array = self.array(pointer)?;
                (per_scalar(component, array.component), true)
            }
        };
        // The elements that share a word are stored together.
        let mut words: BTreeMap<(u32, u32), Vec<(u32, Number)>> = BTreeMap::new();
        for (spot, number) in spots.into_iter().zip(elements) {
            let (word, part) = if aligned {
                (spot.at / per, spot.at % per)
            } else {
                (spot.at, 0)
            };
            let parts = words.entry((spot.line, word)).or_default();
            parts.push((part, *number));
        }
        for ((line, word), parts) in words {
            let at = if aligned { word * per } else { word };
            let spot = Spot { line, at };
            match place.memory {
                Memory::Buffer { handle, .. } => {
                    let whole = aligned && parts.len() == per as usize;
                    if whole || per == 1 {
                        let value = self.packed(&parts)?;
                        let byte = self.byte_address(&place, spot, component)?;
                        let byte = self.or_other(owner, byte, NO_BYTE)?;
                        self.store_word(handle, byte, value)?;
                        continue;
                    }
                    for (part, number) in parts {
                        let at = spot.at + part;
                        let byte = self.byte_address(&place, Spot { line, at }, component)?;
                        self.store_part(handle, byte, owner, number)?;
                    }
                }
                Memory::Array(pointer) => {
                    let array = self.array(pointer)?;
                    let address = self.element_address(pointer, &place, spot, per, owner)?;
                    let value = if per == 1 {
                        let Some(&(_, number)) = parts.first() else {
                            continue;
                        };
                        self.scalar(number, array.ty, true)?
                    } else {
                        self.merged(address, array, &parts, per)?
                    };
                    self.w.store(address, value)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the elements of a matrix to those in memory. `target` is their component there.
    pub(super) fn accumulate_matrix(
        &mut self,
        matrix: &MatrixType,
        elements: &[Number],
        target: C,
        place: Place,
    ) -> Result<()> {
        let owner = self.owner(matrix)?;
        for (spot, number) in place.spots(matrix).into_iter().zip(elements) {
            let word = self.converted(*number, target)?;
            let number = Number { word, of: target };
            match place.memory {
                Memory::Buffer { handle, .. } => {
                    let byte = self.byte_address(&place, spot, target)?;
                    self.add_to_buffer(handle, byte, owner, number)?;
                }
                Memory::Array(pointer) => {
                    let array = self.array(pointer)?;
                    if per_scalar(target, array.component) != 1 {
                        return Err(Error::unsupported(
                            "accumulation in groupshared elements of several components",
                        ));
                    }
                    let address = self.element_address(pointer, &place, spot, 1, owner)?;
                    let is_word = array.component.bits() == 32 && !array.component.is_float();
                    if is_word && !target.is_float() && target.bits() == 32 {
                        self.w.atomic_add(address, word)?;
                        continue;
                    }
                    if owner.is_none() {
                        return Err(Error::unsupported(
                            "atomic accumulation of other components than integers of 32 bits in \
                             groupshared memory, of matrices of single threads",
                        ));
                    }
                    // One thread of the group adds, so nothing comes between.
                    let old = self.w.load(address, array.ty)?;
                    let old = self.number(old, array.ty, true)?;
                    let old = Number {
                        word: self.converted(old, target)?,
                        of: target,
                    };
                    let sum = self.plus(old, number)?;
                    let sum = Number {
                        word: self.converted(sum, target)?,
                        of: target,
                    };
                    let sum = self.scalar(sum, array.ty, true)?;
                    self.w.store(address, sum)?;
                }
            }
        }
        Ok(())
    }

    /// Adds a number to one in a buffer, atomically.
    pub(super) fn add_to_buffer(
        &mut self,
        handle: ValueId,
        byte: ValueId,
        owner: Option<ValueId>,
        number: Number,
    ) -> Result<()> {
        let undef = self.w.undef_word();
        let word_ty = self.w.int_ty(32);
        let is_half = number.of == C::F16;
        let supported = is_half || number.of.bits() == 32;
        if !supported {
            return Err(Error::unsupported(format!(
                "atomic accumulation of {} in a buffer",
                number.of.name()
            )));
        }
        if !number.of.is_float() {
            let value = self.or_other(owner, number.word, 0)?;
            let op = self.w.word(AtomicOp::Add as u32);
            let args = [handle, op, byte, undef, undef, value];
            self.w
                .operation(Opcode::AtomicBinOp, Some(word_ty), word_ty, &args)?;
            return Ok(());
        }
        // A sum with minus zero changes nothing.
        let (address, value, op) = if is_half {
            let bits = self.encoded(number)?;
            let bits = self.or_other(owner, bits, 0x8000)?;
            let [two, words, three, other] = [2, !3, 3, 0x8000].map(|number| self.w.word(number));
            let within = self.w.binary(BinaryOp::And, 32, byte, two)?;
            let shift = self.w.binary(BinaryOp::Shl, 32, within, three)?;
            let sixteen = self.w.word(16);
            let other_shift = self.w.binary(BinaryOp::Sub, 32, sixteen, shift)?;
            let own = self.w.binary(BinaryOp::Shl, 32, bits, shift)?;
            let other = self.w.binary(BinaryOp::Shl, 32, other, other_shift)?;
            let both = self.w.binary(BinaryOp::Or, 32, own, other)?;
            let address = self.w.binary(BinaryOp::And, 32, byte, words)?;
            (address, both, FloatAtomic::AddHalves)
        } else {
            let value = self.or_other(owner, number.word, 1 << 31)?;
            (byte, value, FloatAtomic::Add)
        };
        let call = PseudoCall::FloatAtomic {
            resource: handle,
            coords: [address, undef, undef],
            value,
            op,
        };
        self.w.pseudo(&call, word_ty)?;
        Ok(())
    }

    /// Returns the condition that the thread holds the matrix; `None` if each has its own one.
    fn owner(&mut self, matrix: &MatrixType) -> Result<Option<ValueId>> {
        if matrix.scope == MatrixScope::Thread {
            return Ok(None);
        }
        self.is_first_thread().map(Some)
    }

    /// Returns the condition that the thread is the first one of its group.
    pub(super) fn is_first_thread(&mut self) -> Result<ValueId> {
        let word = self.w.int_ty(32);
        let opcode = Opcode::FlattenedThreadIdInGroup;
        let index = self.w.operation(opcode, Some(word), word, &[])?;
        let zero = self.w.word(0);
        self.w.compare(CmpPredicate::IEq, index, zero)
    }

    /// Returns a value of the thread that holds the matrix; of the others a constant.
    fn or_other(&mut self, owner: Option<ValueId>, value: ValueId, other: u32) -> Result<ValueId> {
        let Some(owner) = owner else {
            return Ok(value);
        };
        let other = self.w.word(other);
        self.w.select(owner, value, other)
    }

    /// Returns whether lines begin at whole words.
    fn are_words(&self, place: &Place, align: u32) -> bool {
        let stride = self.view.constant_int(place.stride);
        let has_lines = matches!(
            place.layout,
            MatrixLayout::RowMajor | MatrixLayout::ColumnMajor
        );
        align.is_multiple_of(4)
            && align != 0
            && (!has_lines || stride.is_some_and(|stride| stride.is_multiple_of(4)))
    }

    /// Returns where a line begins.
    fn line(&mut self, place: &Place, line: u32) -> Result<ValueId> {
        if line == 0 {
            return Ok(place.offset);
        }
        let line = self.w.word(line);
        let lines = self.w.binary(BinaryOp::Mul, 32, place.stride, line)?;
        self.w.binary(BinaryOp::Add, 32, place.offset, lines)
    }

    /// Returns the place of an element some units into its line.
    fn after_line(&mut self, place: &Place, line: u32, units: u32) -> Result<ValueId> {
        let start = self.line(place, line)?;
        if units == 0 {
            return Ok(start);
        }
        let units = self.w.word(units);
        self.w.binary(BinaryOp::Add, 32, start, units)
    }

    fn byte_address(&mut self, place: &Place, spot: Spot, component: C) -> Result<ValueId> {
        self.after_line(place, spot.line, spot.at * component.bits() / 8)
    }

    /// Loads a component of a buffer. Those of words that lines consist of share the loads.
    fn load_byte_address(
        &mut self,
        handle: ValueId,
        place: &Place,
        spot: Spot,
        component: C,
        aligned: bool,
    ) -> Result<Number> {
        let byte = spot.at * component.bits() / 8;
        if component.bits() == 32 || aligned {
            let word = match self.loaded.get(&(spot.line, byte / 4)) {
                Some(&word) => word,
                None => {
                    let address = self.after_line(place, spot.line, byte / 4 * 4)?;
                    let word = self.load_word(handle, address)?;
                    self.loaded.insert((spot.line, byte / 4), word);
                    word
                }
            };
            let shift = self.w.word(byte % 4 * 8);
            let bits = match byte % 4 {
                0 => word,
                _ => self.w.binary(BinaryOp::LShr, 32, word, shift)?,
            };
            return self.decoded(bits, component);
        }
        let address = self.byte_address(place, spot, component)?;
        let [words, three] = [!3, 3].map(|number| self.w.word(number));
        let first = self.w.binary(BinaryOp::And, 32, address, words)?;
        let word = self.load_word(handle, first)?;
        let within = self.w.binary(BinaryOp::And, 32, address, three)?;
        let shift = self.w.binary(BinaryOp::Shl, 32, within, three)?;
        let bits = self.w.binary(BinaryOp::LShr, 32, word, shift)?;
        self.decoded(bits, component)
    }

    fn load_word(&mut self, handle: ValueId, address: ValueId) -> Result<ValueId> {
        let ty = self.w.int_ty(32);
        let loaded = self.w.words_ty(5);
        let [undef, align] = [self.w.undef_word(), self.w.word(4)];
        let one = self.w.int(8, 1);
        let args = [handle, address, undef, one, align];
        let loaded = self
            .w
            .operation(Opcode::RawBufferLoad, Some(ty), loaded, &args)?;
        self.w.member(loaded, 0)
    }

    fn store_word(&mut self, handle: ValueId, address: ValueId, value: ValueId) -> Result<()> {
        let (ty, void) = (self.w.int_ty(32), self.w.void_ty());
        let [undef, align] = [self.w.undef_word(), self.w.word(4)];
        let one = self.w.int(8, 1);
        let args = [
            handle, address, undef, value, undef, undef, undef, one, align,
        ];
        self.w
            .operation(Opcode::RawBufferStore, Some(ty), void, &args)?;
        Ok(())
    }

    /// Stores a component of less than a word. Other threads may store to the same word, so its
    /// bits are cleared and set by two atomics.
    fn store_part(
        &mut self,
        handle: ValueId,
        byte: ValueId,
        owner: Option<ValueId>,
        number: Number,
    ) -> Result<()> {
        let bits = self.encoded(number)?;
        let byte = self.or_other(owner, byte, NO_BYTE)?;
        let ty = self.w.int_ty(32);
        let [words, three, ones] = [!3, 3, !0].map(|number| self.w.word(number));
        let within = self.w.binary(BinaryOp::And, 32, byte, three)?;
        let shift = self.w.binary(BinaryOp::Shl, 32, within, three)?;
        let all = self.w.word((1 << number.of.bits()) - 1);
        let mask = self.w.binary(BinaryOp::Shl, 32, all, shift)?;
        let others = self.w.binary(BinaryOp::Xor, 32, mask, ones)?;
        let value = self.w.binary(BinaryOp::Shl, 32, bits, shift)?;
        let address = self.w.binary(BinaryOp::And, 32, byte, words)?;
        let undef = self.w.undef_word();
        for (op, operand) in [(AtomicOp::And, others), (AtomicOp::Or, value)] {
            let op = self.w.word(op as u32);
            let args = [handle, op, address, undef, undef, operand];
            self.w.operation(Opcode::AtomicBinOp, Some(ty), ty, &args)?;
        }
        Ok(())
    }

    /// Returns a word with these components, by their numbers in it.
    pub(super) fn packed(&mut self, parts: &[(u32, Number)]) -> Result<ValueId> {
        let mut whole: Option<ValueId> = None;
        for &(part, number) in parts {
            let bits = self.encoded(number)?;
            let shift = self.w.word(part * number.of.bits());
            let placed = match part {
                0 => bits,
                _ => self.w.binary(BinaryOp::Shl, 32, bits, shift)?,
            };
            whole = Some(match whole {
                Some(whole) => self.w.binary(BinaryOp::Or, 32, whole, placed)?,
                None => placed,
            });
        }
        Ok(whole.unwrap_or_else(|| self.w.word(0)))
    }

    /// Returns what an array of scalars has.
    fn array(&self, pointer: ValueId) -> Result<ArrayOf> {
        let types = &self.view.module.types;
        let ty = self.view.type_of(pointer).and_then(|ty| types.pointee(ty));
        let ty = ty.ok_or_else(|| Error::malformed("a matrix in memory without a type"))?;
        if self.vector_type(Some(ty)).is_ok() {
            return Err(Error::unsupported(
                "matrices in groupshared arrays of vectors",
            ));
        }
        let component = self.component_of(ty, true)?;
        Ok(ArrayOf { ty, component })
    }

    /// Returns the address of the scalar of an array that has an element.
    fn element_address(
        &mut self,
        pointer: ValueId,
        place: &Place,
        spot: Spot,
        per: u32,
        owner: Option<ValueId>,
    ) -> Result<ValueId> {
        let index = self.after_line(place, spot.line, spot.at / per)?;
        let index = self.or_other(owner, index, NO_INDEX)?;
        self.w.address_after(pointer, index)
    }

    /// Returns an element that a scalar has, alone or with others.
    fn part(&mut self, scalar: Number, part: u32, component: C, per: u32) -> Result<Number> {
        if per == 1 {
            let word = self.converted(scalar, component)?;
            return Ok(Number {
                word,
                of: component,
            });
        }
        let shift = self.w.word(part * component.bits());
        let bits = self.w.binary(BinaryOp::LShr, 32, scalar.word, shift)?;
        self.decoded(bits, component)
    }

    /// Returns an integer of an array with these components in it.
    fn merged(
        &mut self,
        address: ValueId,
        array: ArrayOf,
        parts: &[(u32, Number)],
        per: u32,
    ) -> Result<ValueId> {
        let mut word = self.packed(parts)?;
        if parts.len() < per as usize {
            let old = self.w.load(address, array.ty)?;
            let old = self.number(old, array.ty, false)?;
            let masks = parts.iter().map(|(part, number)| {
                let bits = number.of.bits();
                ((1_u32 << bits) - 1) << (part * bits)
            });
            let mask: u32 = masks.fold(0, |all, mask| all | mask);
            let others = self.w.word(!mask);
            let kept = self.w.binary(BinaryOp::And, 32, old.word, others)?;
            word = self.w.binary(BinaryOp::Or, 32, kept, word)?;
        }
        self.scalar(Number { word, of: C::U32 }, array.ty, false)
    }
}
