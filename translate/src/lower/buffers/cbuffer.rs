//! Constant buffers: rows of 16 bytes in a uniform buffer, root constants, or memory behind a root
//! descriptor's address. Reads beyond the end give zero.

use dxil_frontend::dxil::ops::calls;

use crate::interface::Shape;
use crate::lower::Lowering;
use crate::lower::context::{Call, Part, Value};
use crate::lower::resources::variables::{Handle, Leaf};
use crate::lower::types::Scalar;
use crate::spirv::{Id, Op};
use crate::{Assumption, Error, Location, Quirks, Result};

/// Rows that D3D12 lets a constant buffer have.
const MOST_ROWS: u32 = 4096;

/// A row of a constant buffer, loaded as a whole or word by word.
#[derive(Clone, Copy)]
struct Row {
    register: Id,
    /// The four words as one vector, where more than one is wanted.
    vector: Option<Id>,
    words: [Id; 4],
}

impl<'a> Lowering<'a> {
    /// `cbufferLoadLegacy`: a row as 4 32-bit, 2 64-bit or 8 16-bit values.
    pub(in crate::lower) fn cbuffer_load_legacy(
        &mut self,
        call: &Call,
        op: &calls::CBufferLoadLegacy,
    ) -> Result<Value> {
        let Some(result) = call.result else {
            return Ok(Value::Unset);
        };
        let handle = self.handle(op.buffer)?;
        let register = self.id(op.register)?;
        let fields = self.fields(call.ty)?;
        let Some(&first) = fields.first() else {
            return Err(Error::malformed("a constant buffer load gives nothing"));
        };
        let scalar = self.scalar(first)?;
        let used = u32::from(self.resources.used_members(result));
        // 16-bit values come eight to a row if they are the program's own; min-precision values
        // stand in 32-bit places, four to a row.
        let packed = scalar.bits() == 16 && fields.len() > 4;
        let mut words = 0;
        for i in (0..fields.len().min(8) as u32).filter(|i| used >> i & 1 != 0) {
            words |= match (scalar.bits(), packed) {
                (64, _) => 3 << (2 * i),
                (_, true) => 1 << (i / 2),
                (_, false) => 1 << i,
            };
        }
        let row = self.load_row(&handle, register, words & 0xf)?;
        let mut parts = [Part::Id(Id::NONE); 8];
        for (i, part) in (0..fields.len() as u32).zip(parts.iter_mut()) {
            if used >> i & 1 == 0 {
                continue;
            }
            let word = |n: u32| row.words.get(n as usize).copied().unwrap_or(Id::NONE);
            let id = match (scalar.bits(), packed) {
                (64, _) => self.join_words(word(2 * i), word(2 * i + 1), scalar)?,
                (16, true) => {
                    let half = self.b.u32_shr(word(i / 2), 16 * (i % 2));
                    self.from_half_word(half, scalar)?
                }
                (16, false) => self.narrow_word(word(i), scalar)?,
                _ => self.from_word(word(i), scalar)?,
            };
            *part = Part::Id(id);
        }
        self.fill_unused(&mut parts, &fields)?;
        Ok(self.values.parts(parts.into_iter().take(fields.len())))
    }

    /// A 32-bit place that holds a min-precision value.
    fn narrow_word(&mut self, word: Id, scalar: Scalar) -> Result<Id> {
        Ok(match scalar {
            Scalar::Float { width, .. } => {
                let f32_ty = self.b.f32();
                let wide = self.b.bitcast(f32_ty, word);
                if width == 16 {
                    let ty = self.b.float(16);
                    self.b.emit(Op::FConvert, ty, &[wide])
                } else {
                    wide
                }
            }
            Scalar::Int { width: 16, .. } => {
                let ty = self.b.uint(16);
                self.b.emit(Op::UConvert, ty, &[word])
            }
            _ => self.from_word(word, scalar)?,
        })
    }

    /// `cbufferLoad`: one value at a byte offset.
    pub(in crate::lower) fn cbuffer_load(
        &mut self,
        call: &Call,
        op: &calls::CBufferLoad,
    ) -> Result<Value> {
        let handle = self.handle(op.buffer)?;
        let offset = self.id(op.byte_offset)?;
        let scalar = self.scalar(call.ty)?;
        let index = self.b.u32_shr(offset, 2);
        let low = self.load_constant_word(&handle, index)?;
        let id = match scalar.bits() {
            64 => {
                let one = self.b.const_u32(1);
                let next = self.b.u32_add(index, one);
                let high = self.load_constant_word(&handle, next)?;
                self.join_words(low, high, scalar)?
            }
            16 => {
                let byte = self.b.u32_and(offset, 2);
                let amount = self.b.u32_shl(byte, 3);
                let half = if self.b.literal(amount) == Some(0) {
                    low
                } else {
                    let ty = self.b.u32();
                    self.b.emit(Op::ShiftRightLogical, ty, &[low, amount])
                };
                self.from_half_word(half, scalar)?
            }
            _ => self.from_word(low, scalar)?,
        };
        Ok(Value::Id(id))
    }

    /// The words of a row that are in the mask.
    fn load_row(&mut self, handle: &Handle<'a>, register: Id, mask: u32) -> Result<Row> {
        let mut row = Row {
            register,
            vector: None,
            words: [Id::NONE; 4],
        };
        let wanted = mask.count_ones();
        let plain = !matches!(handle.view.location, Location::PushConstants { .. });
        if handle.view.shape != Shape::Constants {
            return Err(Error::malformed(format!(
                "{} is read as a constant buffer",
                handle.view.describe()
            )));
        }
        if plain && wanted > 1 {
            row.vector = Some(self.load_whole_row(handle, register)?);
        }
        let word_ty = self.b.u32();
        for i in (0..4).filter(|i| mask >> i & 1 != 0) {
            let id = match row.vector {
                Some(vector) => self.b.extract(word_ty, vector, i),
                None => {
                    let base = self.b.u32_shl(row.register, 2);
                    let i = self.b.const_u32(i);
                    let index = self.b.u32_add(base, i);
                    self.load_constant_word(handle, index)?
                }
            };
            if let Some(word) = row.words.get_mut(i as usize) {
                *word = id;
            }
        }
        Ok(row)
    }

    fn load_whole_row(&mut self, handle: &Handle<'a>, register: Id) -> Result<Id> {
        let word = self.b.u32();
        let row_ty = self.b.vector(word, 4);
        let (register, outside) = self.clamp_row(handle, register);
        if outside == Outside::Always {
            return Ok(self.b.const_null(row_ty));
        }
        let pointer = self.element_pointer(handle, Leaf::Row, register, None)?;
        let loaded = self.load_aligned(handle, row_ty, pointer, 16);
        Ok(match outside {
            Outside::Unless(inside) => {
                let zero = self.b.const_null(row_ty);
                self.select_vector(row_ty, inside, loaded, zero)
            }
            _ => loaded,
        })
    }

    /// A select of vectors by one condition: before SPIR-V 1.4 the condition is a vector too.
    fn select_vector(&mut self, ty: Id, condition: Id, if_true: Id, if_false: Id) -> Id {
        let bool_ty = self.b.bool();
        let vector_ty = self.b.vector(bool_ty, 4);
        let condition = self.b.construct(vector_ty, &[condition; 4]);
        self.b.select(ty, condition, if_true, if_false)
    }

    /// One word of a constant buffer.
    fn load_constant_word(&mut self, handle: &Handle<'a>, index: Id) -> Result<Id> {
        let word = self.b.u32();
        if let Location::PushConstants { first_word, words } = handle.view.location {
            return self.load_root_constant(handle, first_word, words, index);
        }
        let row = self.b.u32_shr(index, 2);
        let (row, outside) = self.clamp_row(handle, row);
        if outside == Outside::Always {
            return Ok(self.b.const_u32(0));
        }
        let component = self.b.u32_and(index, 3);
        let pointer = self.element_pointer(handle, Leaf::Row, row, Some(component))?;
        let loaded = self.load_aligned(handle, word, pointer, 4);
        Ok(match outside {
            Outside::Unless(inside) => {
                let zero = self.b.const_u32(0);
                self.b.select(word, inside, loaded, zero)
            }
            _ => loaded,
        })
    }

    fn load_root_constant(
        &mut self,
        handle: &Handle<'a>,
        first_word: u32,
        words: u32,
        index: Id,
    ) -> Result<Id> {
        let word = self.b.u32();
        let zero = self.b.const_u32(0);
        let first = self.b.const_u32(first_word);
        if let Some(value) = self.b.literal(index) {
            if value >= words {
                return Ok(zero);
            }
            let index = self.b.u32_add(index, first);
            return self.root_word(handle.view, index);
        }
        // Nothing guards push constants but us.
        let count = self.b.const_u32(words);
        let bool_ty = self.b.bool();
        let inside = self.b.emit(Op::ULessThan, bool_ty, &[index, count]);
        let safe = self.b.select(word, inside, index, zero);
        let safe = self.b.u32_add(safe, first);
        let loaded = self.root_word(handle.view, safe)?;
        Ok(self.b.select(word, inside, loaded, zero))
    }

    /// Keeps a row inside of the declared array. A literal row outside never reaches memory; a
    /// computed one is checked where the device does not do it.
    fn clamp_row(&mut self, handle: &Handle<'a>, row: Id) -> (Id, Outside) {
        let rows = handle.view.cbuffer_size.div_ceil(16).max(1);
        if matches!(handle.view.location, Location::DeviceAddress { .. }) {
            self.assume_at_most(row, MOST_ROWS - 1, Assumption::InRootConstants);
        }
        if let Some(value) = self.b.literal(row) {
            let outside = if value < rows {
                Outside::Never
            } else {
                Outside::Always
            };
            return (row, outside);
        }
        // No device knows where the memory behind an address ends.
        let address = matches!(handle.view.location, Location::DeviceAddress { .. })
            && self.has_quirk(Quirks::ROBUST_ADDRESSES);
        if !self.checks_bounds() && !address {
            return (row, Outside::Never);
        }
        let count = self.b.const_u32(rows);
        let bool_ty = self.b.bool();
        let inside = self.b.emit(Op::ULessThan, bool_ty, &[row, count]);
        let word = self.b.u32();
        let zero = self.b.const_u32(0);
        let safe = self.b.select(word, inside, row, zero);
        (safe, Outside::Unless(inside))
    }
}

/// Whether an access lies beyond the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outside {
    Never,
    Always,
    Unless(Id),
}
