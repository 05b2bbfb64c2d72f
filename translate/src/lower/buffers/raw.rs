//! Raw and structured buffers (and tbuffers): words of storage buffers.
//!
//! 32-bit values are words, 64-bit values two of them, so no access needs more than word alignment.
//! 16-bit values go through a variable of 16-bit words where the target has that, and are cut
//! out of words otherwise. Out-of-bounds reads give zero and such writes are dropped: by the
//! device's robustness, or by code where the options ask for it.

use dxil_frontend::dxil::ResourceKind;
use dxil_frontend::dxil::ops::calls;
use dxil_frontend::ir::{TypeId, ValueId};
use smallvec::SmallVec;

use crate::lower::Lowering;
use crate::lower::context::{Call, Part, Value};
use crate::lower::resources::variables::{Handle, Leaf};
use crate::lower::types::Scalar;
use crate::options::{Features, Style};
use crate::spirv::{Id, MemoryAccess, Op, Scope};
use crate::{Assumption, Error, Location, Result};

/// A byte address in a buffer, kept in its parts so that division by the unit stays exact and
/// constants fold.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Address {
    /// Element of a structured buffer and bytes per element.
    pub(in crate::lower) element: Option<(Id, u32)>,
    /// Byte offset in the element or the buffer.
    pub(in crate::lower) offset: Id,
    /// Bytes behind that place of a raw buffer, for the later parts of a long vector.
    pub(in crate::lower) ahead: u32,
}

impl<'a> Lowering<'a> {
    /// Where an access lies.
    pub(in crate::lower) fn buffer_address(
        &mut self,
        handle: &Handle<'a>,
        index: ValueId,
        element_offset: Option<ValueId>,
    ) -> Result<Address> {
        let offset = index;
        let index = self.id(index)?;
        let stride = match handle.view.kind {
            ResourceKind::StructuredBuffer => {
                let stride = handle.view.stride.max(1);
                self.assume_at_most(index, u32::MAX / stride, Assumption::StructuredOffset);
                stride
            }
            ResourceKind::TBuffer => 16,
            _ => {
                self.assume_raw_offset(offset)?;
                let ahead = element_offset.and_then(|offset| self.constant_int(offset));
                return Ok(Address {
                    element: None,
                    offset: index,
                    ahead: ahead.unwrap_or(0) as u32,
                });
            }
        };
        let offset = match element_offset {
            Some(offset) => self.id(offset)?,
            None => self.b.const_u32(0),
        };
        Ok(Address {
            element: Some((index, stride)),
            offset,
            ahead: 0,
        })
    }

    /// The address in units of `1 << log2` bytes, rounded down.
    pub(in crate::lower) fn address_in_units(&mut self, address: Address, log2: u32) -> Id {
        let Address {
            element,
            offset,
            ahead,
        } = address;
        match element {
            None => {
                let unit = self.b.u32_shr(offset, log2);
                let ahead = self.b.const_u32(ahead >> log2);
                self.b.u32_add(unit, ahead)
            }
            Some((index, stride)) if stride.is_multiple_of(1 << log2) => {
                let base = self.b.u32_mul(index, stride >> log2);
                let offset = self.b.u32_shr(offset, log2);
                self.b.u32_add(base, offset)
            }
            Some((index, stride)) => {
                let base = self.b.u32_mul(index, stride);
                let bytes = self.b.u32_add(base, offset);
                self.b.u32_shr(bytes, log2)
            }
        }
    }

    /// `rawBufferLoad`.
    pub(in crate::lower) fn raw_buffer_load(
        &mut self,
        call: &Call,
        op: &calls::RawBufferLoad,
    ) -> Result<Value> {
        let handle = self.handle(op.buffer)?;
        let address = self.buffer_address(&handle, op.index, op.element_offset.expand())?;
        self.load_struct(call, &handle, address)
    }

    /// The four members and the status of a buffer load, as far as they are used.
    pub(in crate::lower) fn load_struct(
        &mut self,
        call: &Call,
        handle: &Handle<'a>,
        address: Address,
    ) -> Result<Value> {
        let Some(result) = call.result else {
            return Ok(Value::Unset);
        };
        let fields = self.fields(call.ty)?;
        let (status, members) = fields
            .split_last()
            .ok_or_else(|| Error::malformed("a buffer load gives an empty struct"))?;
        if self.scalar(*status)? != Scalar::U32 {
            return Err(Error::malformed("a buffer load gives no status"));
        }
        let used = self.resources.used_members(result);
        let mut parts = [Part::Id(Id::NONE); 8];
        let scalar = self.scalar(*members.first().unwrap_or(status))?;
        let mask = u32::from(used) & !(u32::MAX << members.len().min(7));
        let ids = self.load_values(handle, address, scalar, mask)?;
        for (part, id) in parts.iter_mut().zip(ids) {
            *part = Part::Id(id);
        }
        let count = members.len().min(7);
        if let Some(part) = parts.get_mut(count) {
            *part = Part::Id(self.b.const_u32(1));
        }
        self.fill_unused(&mut parts, &fields)?;
        Ok(self.values.parts(parts.iter().copied().take(fields.len())))
    }

    /// Members that nobody takes still need an id if somebody takes the whole.
    pub(in crate::lower) fn fill_unused(
        &mut self,
        parts: &mut [Part],
        fields: &[TypeId],
    ) -> Result<()> {
        for (part, &field) in parts.iter_mut().zip(fields) {
            if matches!(part, Part::Id(id) if id.is_none()) {
                let ty = self.ty(field)?;
                *part = Part::Id(self.b.undef(ty));
            }
        }
        Ok(())
    }

    /// Values at consecutive places from `address` on; the ones outside of `mask` stay
    /// [`Id::NONE`].
    pub(in crate::lower) fn load_values(
        &mut self,
        handle: &Handle<'a>,
        address: Address,
        scalar: Scalar,
        mask: u32,
    ) -> Result<[Id; 8]> {
        let mut ids = [Id::NONE; 8];
        if mask == 0 {
            return Ok(ids);
        }
        if let Some(place) = self.row_place(handle, address) {
            return self.load_from_rows(handle, place, scalar, mask);
        }
        match scalar.bits() {
            32 | 1 => {
                let base = self.address_in_units(address, 2);
                for (i, id) in selected(&mut ids, mask) {
                    let word = self.load_word(handle, Leaf::U32, base, i)?;
                    *id = self.from_word(word, scalar)?;
                }
            }
            64 => {
                let base = self.address_in_units(address, 2);
                for (i, id) in selected(&mut ids, mask) {
                    let low = self.load_word(handle, Leaf::U32, base, 2 * i)?;
                    let high = self.load_word(handle, Leaf::U32, base, 2 * i + 1)?;
                    *id = self.join_words(low, high, scalar)?;
                }
            }
            16 if self.has_16bit_storage(handle) => {
                let base = self.address_in_units(address, 1);
                for (i, id) in selected(&mut ids, mask) {
                    let half = self.load_word(handle, Leaf::U16, base, i)?;
                    *id = self.from_short(half, scalar)?;
                }
            }
            16 => {
                let base = self.address_in_units(address, 1);
                for (i, id) in selected(&mut ids, mask) {
                    let i = self.b.const_u32(i);
                    let half = self.b.u32_add(base, i);
                    let index = self.b.u32_shr(half, 1);
                    let word = self.load_word(handle, Leaf::U32, index, 0)?;
                    let bits = self.shift_to_low_half(word, half, Op::ShiftRightLogical);
                    *id = self.from_half_word(bits, scalar)?;
                }
            }
            bits => {
                return Err(Error::unsupported(format!(
                    "{bits}-bit accesses to a buffer"
                )));
            }
        }
        Ok(ids)
    }

    /// Whether 16-bit accesses go through a variable of 16-bit words.
    pub(in crate::lower) fn has_16bit_storage(&self, handle: &Handle<'a>) -> bool {
        let constants = handle.view.shape == crate::interface::Shape::Constants;
        !constants
            && self.options.target.style == Style::Native
            && self.has(Features::STORAGE_16BIT | Features::INT16)
    }

    /// Shifts the addressed half of a word to or from the low half.
    fn shift_to_low_half(&mut self, word: Id, half: Id, shift: Op) -> Id {
        let odd = self.b.u32_and(half, 1);
        let amount = self.b.u32_shl(odd, 4);
        if self.b.literal(amount) == Some(0) {
            return word;
        }
        let ty = self.b.u32();
        self.b.emit(shift, ty, &[word, amount])
    }

    /// A word as a 32-bit value.
    pub(in crate::lower) fn from_word(&mut self, word: Id, scalar: Scalar) -> Result<Id> {
        Ok(match scalar {
            Scalar::Float { .. } => {
                let ty = self.b.f32();
                self.b.bitcast(ty, word)
            }
            Scalar::Bool => {
                let zero = self.b.const_u32(0);
                let ty = self.b.bool();
                self.b.emit(Op::INotEqual, ty, &[word, zero])
            }
            Scalar::Int { .. } => word,
        })
    }

    /// Two words as a 64-bit value.
    pub(in crate::lower) fn join_words(&mut self, low: Id, high: Id, scalar: Scalar) -> Result<Id> {
        let ty = self.scalar_ty(scalar)?;
        if self.options.target.style == Style::Portable {
            // naga casts no vectors to wider scalars.
            let wide = self.b.uint(64);
            let low = self.b.emit(Op::UConvert, wide, &[low]);
            let high = self.b.emit(Op::UConvert, wide, &[high]);
            let shift = self.b.const_u32(32);
            let high = self.b.emit(Op::ShiftLeftLogical, wide, &[high, shift]);
            let bits = self.b.emit(Op::BitwiseOr, wide, &[low, high]);
            return Ok(match scalar {
                Scalar::Float { .. } => self.b.bitcast(ty, bits),
                _ => bits,
            });
        }
        let word = self.b.u32();
        let pair_ty = self.b.vector(word, 2);
        let pair = self.b.construct(pair_ty, &[low, high]);
        Ok(self.b.bitcast(ty, pair))
    }

    /// A 64-bit value as two words, the low one first.
    pub(in crate::lower) fn split_words(&mut self, value: Id, scalar: Scalar) -> [Id; 2] {
        let word = self.b.u32();
        if self.options.target.style == Style::Portable {
            let wide = self.b.uint(64);
            let bits = match scalar {
                Scalar::Float { .. } => self.b.bitcast(wide, value),
                _ => value,
            };
            let shift = self.b.const_u32(32);
            let high = self.b.emit(Op::ShiftRightLogical, wide, &[bits, shift]);
            return [bits, high].map(|half| self.b.emit(Op::UConvert, word, &[half]));
        }
        let pair_ty = self.b.vector(word, 2);
        let pair = self.b.bitcast(pair_ty, value);
        [0, 1].map(|part| self.b.extract(word, pair, part))
    }

    /// A 16-bit word as a 16-bit value in its representation.
    fn from_short(&mut self, short: Id, scalar: Scalar) -> Result<Id> {
        Ok(match scalar {
            Scalar::Float { width: 16, .. } => {
                let ty = self.b.float(16);
                self.b.bitcast(ty, short)
            }
            Scalar::Float { .. } | Scalar::Int { width: 32, .. } => {
                let ty = self.b.u32();
                let word = self.b.emit(Op::UConvert, ty, &[short]);
                self.from_half_word(word, scalar)?
            }
            _ => short,
        })
    }

    /// The low half of a word as a 16-bit value in its representation; the upper half may be
    /// anything.
    pub(in crate::lower) fn from_half_word(&mut self, word: Id, scalar: Scalar) -> Result<Id> {
        Ok(match scalar {
            Scalar::Float { width: 16, .. } => {
                let short_ty = self.b.uint(16);
                let short = self.b.emit(Op::UConvert, short_ty, &[word]);
                let ty = self.b.float(16);
                self.b.bitcast(ty, short)
            }
            Scalar::Float { .. } => self.unpack_half(word),
            Scalar::Int { width: 16, .. } => {
                let ty = self.b.uint(16);
                self.b.emit(Op::UConvert, ty, &[word])
            }
            _ => word,
        })
    }

    /// The low half of a word, a half-precision float, as 32-bit float.
    pub(in crate::lower) fn unpack_half(&mut self, word: Id) -> Id {
        let f32_ty = self.b.f32();
        let pair_ty = self.b.vector(f32_ty, 2);
        let pair = self
            .b
            .glsl(crate::spirv::GLOp::UnpackHalf2x16, pair_ty, &[word]);
        self.b.extract(f32_ty, pair, 0)
    }

    /// A 32-bit value as a word.
    pub(in crate::lower) fn to_word(&mut self, value: Id, scalar: Scalar) -> Result<Id> {
        let word = self.b.u32();
        Ok(match scalar {
            Scalar::Float { .. } => self.b.bitcast(word, value),
            Scalar::Bool => {
                let one = self.b.const_u32(1);
                let zero = self.b.const_u32(0);
                self.b.select(word, value, one, zero)
            }
            Scalar::Int { .. } => value,
        })
    }

    /// A 16-bit value as the low half of a word whose upper half is zero.
    pub(in crate::lower) fn to_half_word(&mut self, value: Id, scalar: Scalar) -> Result<Id> {
        let word = self.b.u32();
        Ok(match scalar {
            Scalar::Float { width: 16, .. } => {
                let short_ty = self.b.uint(16);
                let short = self.b.bitcast(short_ty, value);
                self.b.emit(Op::UConvert, word, &[short])
            }
            Scalar::Float { .. } => {
                let f32_ty = self.b.f32();
                let pair_ty = self.b.vector(f32_ty, 2);
                let zero = self.b.const_f32(0.0);
                let pair = self.b.construct(pair_ty, &[value, zero]);
                self.b.glsl(crate::spirv::GLOp::PackHalf2x16, word, &[pair])
            }
            Scalar::Int { width: 16, .. } => self.b.emit(Op::UConvert, word, &[value]),
            _ => self.b.u32_and(value, 0xffff),
        })
    }

    /// Loads element `base + add`.
    pub(in crate::lower) fn load_word(
        &mut self,
        handle: &Handle<'a>,
        leaf: Leaf,
        base: Id,
        add: u32,
    ) -> Result<Id> {
        let add = self.b.const_u32(add);
        let mut index = self.b.u32_add(base, add);
        let guard = match self.in_bounds(handle, leaf, index)? {
            Some(ok) => {
                let word = self.b.u32();
                let zero = self.b.const_u32(0);
                index = self.b.select(word, ok, index, zero);
                Some(ok)
            }
            None => None,
        };
        let pointer = self.element_pointer(handle, leaf, index, None)?;
        let (ty, align) = match leaf {
            Leaf::U16 => (self.b.uint(16), 2),
            Leaf::U64 => (self.b.uint(64), 8),
            _ => (self.b.u32(), 4),
        };
        let loaded = self.load_aligned(handle, ty, pointer, align);
        Ok(match guard {
            Some(ok) => {
                let zero = self.b.const_null(ty);
                self.b.select(ty, ok, loaded, zero)
            }
            None => loaded,
        })
    }

    /// Loads; an address in physical memory needs its alignment said.
    pub(in crate::lower) fn load_aligned(
        &mut self,
        handle: &Handle<'a>,
        ty: Id,
        pointer: Id,
        align: u32,
    ) -> Id {
        let id = if matches!(handle.view.location, Location::DeviceAddress { .. }) {
            let access = MemoryAccess::ALIGNED.bits();
            self.b.emit(Op::Load, ty, &[pointer.0, access, align])
        } else if self.is_atomic_access(handle, align) {
            let scope = self.b.const_u32(Scope::Device as u32);
            let relaxed = self.b.const_u32(0);
            self.b.emit(Op::AtomicLoad, ty, &[pointer, scope, relaxed])
        } else {
            self.b.load(ty, pointer)
        };
        self.mark_non_uniform(handle, id);
        id
    }

    /// naga has no word for "globally coherent"; atomics see what other groups wrote.
    fn is_atomic_access(&self, handle: &Handle<'a>, align: u32) -> bool {
        self.is_portable() && handle.view.coherent && align == 4
    }

    /// Whether the element exists, where the code has to check: the device does not, or cannot.
    pub(in crate::lower) fn in_bounds(
        &mut self,
        handle: &Handle<'a>,
        leaf: Leaf,
        index: Id,
    ) -> Result<Option<Id>> {
        if !self.checks_bounds() || matches!(handle.view.location, Location::DeviceAddress { .. }) {
            return Ok(None);
        }
        // A range table's end is always checked.
        if self.range_length(handle).is_some() {
            return Ok(None);
        }
        let length = self.array_length(handle, leaf)?;
        let ty = self.b.bool();
        Ok(Some(self.b.emit(Op::ULessThan, ty, &[index, length])))
    }

    /// Number of elements that are bound.
    pub(in crate::lower) fn array_length(&mut self, handle: &Handle<'a>, leaf: Leaf) -> Result<Id> {
        let block = self.block_pointer(handle, leaf)?;
        let ty = self.b.u32();
        let id = self.b.emit(Op::ArrayLength, ty, &[block.0, 0]);
        self.mark_non_uniform(handle, id);
        Ok(id)
    }

    /// `rawBufferStore`.
    pub(in crate::lower) fn raw_buffer_store(
        &mut self,
        op: &calls::RawBufferStore,
    ) -> Result<Value> {
        let handle = self.handle(op.buffer)?;
        let address = self.buffer_address(&handle, op.index, op.element_offset.expand())?;
        self.store_masked(&handle, address, op.values, op.mask)?;
        Ok(Value::Unset)
    }

    /// Stores the values in the mask at consecutive places.
    pub(in crate::lower) fn store_masked(
        &mut self,
        handle: &Handle<'a>,
        address: Address,
        values: [ValueId; 4],
        mask: u8,
    ) -> Result<()> {
        let scalar = self.scalar(self.type_of(values[0])?)?;
        let place = self.row_place(handle, address);
        let mut words: SmallVec<[(u32, Id); 8]> = SmallVec::new();
        for (i, value) in (0..).zip(values) {
            if mask >> i & 1 == 0 || self.is_undef(value) {
                continue;
            }
            let id = self.id(value)?;
            match place {
                Some(_) => self.words_of(id, scalar, i, &mut words)?,
                None => self.store_value(handle, address, scalar, i, id)?,
            }
        }
        match place {
            Some(place) => self.store_row_words(handle, place, &words),
            None => Ok(()),
        }
    }

    /// Appends the words of the i-th of consecutive values with their numbers.
    fn words_of(
        &mut self,
        value: Id,
        scalar: Scalar,
        i: u32,
        words: &mut SmallVec<[(u32, Id); 8]>,
    ) -> Result<()> {
        if scalar.bits() == 64 {
            words.extend((2 * i..).zip(self.split_words(value, scalar)));
        } else {
            words.push((i, self.to_word(value, scalar)?));
        }
        Ok(())
    }

    /// Stores the i-th of consecutive values.
    pub(in crate::lower) fn store_value(
        &mut self,
        handle: &Handle<'a>,
        address: Address,
        scalar: Scalar,
        i: u32,
        value: Id,
    ) -> Result<()> {
        if let Some(place) = self.row_place(handle, address) {
            let mut words = SmallVec::new();
            self.words_of(value, scalar, i, &mut words)?;
            return self.store_row_words(handle, place, &words);
        }
        match scalar.bits() {
            32 | 1 => {
                let base = self.address_in_units(address, 2);
                let word = self.to_word(value, scalar)?;
                self.store_word(handle, Leaf::U32, base, i, word)
            }
            64 => {
                let base = self.address_in_units(address, 2);
                for (part, half) in (0..).zip(self.split_words(value, scalar)) {
                    self.store_word(handle, Leaf::U32, base, 2 * i + part, half)?;
                }
                Ok(())
            }
            16 if self.has_16bit_storage(handle) => {
                let base = self.address_in_units(address, 1);
                let short = match scalar {
                    Scalar::Float { width: 16, .. } => {
                        let ty = self.b.uint(16);
                        self.b.bitcast(ty, value)
                    }
                    Scalar::Int { width: 16, .. } => value,
                    _ => {
                        let word = self.to_half_word(value, scalar)?;
                        let ty = self.b.uint(16);
                        self.b.emit(Op::UConvert, ty, &[word])
                    }
                };
                self.store_word(handle, Leaf::U16, base, i, short)
            }
            16 => {
                let base = self.address_in_units(address, 1);
                let i = self.b.const_u32(i);
                let half = self.b.u32_add(base, i);
                let word = self.to_half_word(value, scalar)?;
                self.store_half_of_word(handle, half, word)
            }
            bits => Err(Error::unsupported(format!(
                "{bits}-bit accesses to a buffer"
            ))),
        }
    }

    /// Stores element `base + add`.
    pub(in crate::lower) fn store_word(
        &mut self,
        handle: &Handle<'a>,
        leaf: Leaf,
        base: Id,
        add: u32,
        value: Id,
    ) -> Result<()> {
        let add = self.b.const_u32(add);
        let index = self.b.u32_add(base, add);
        let guard = self.in_bounds(handle, leaf, index)?;
        let merge = guard.map(|ok| self.begin_if(ok));
        let pointer = self.element_pointer(handle, leaf, index, None)?;
        self.store_aligned(
            handle,
            pointer,
            value,
            match leaf {
                Leaf::U16 => 2,
                Leaf::U64 => 8,
                _ => 4,
            },
        );
        if let Some(merge) = merge {
            self.end_if(merge);
        }
        Ok(())
    }

    fn store_aligned(&mut self, handle: &Handle<'a>, pointer: Id, value: Id, align: u32) {
        if matches!(handle.view.location, Location::DeviceAddress { .. }) {
            let access = MemoryAccess::ALIGNED.bits();
            self.b
                .emit_void(Op::Store, &[pointer.0, value.0, access, align]);
        } else if self.is_atomic_access(handle, align) {
            let scope = self.b.const_u32(Scope::Device as u32);
            let relaxed = self.b.const_u32(0);
            let words = [pointer, scope, relaxed, value];
            self.b.emit_void(Op::AtomicStore, &words);
        } else {
            self.b.store(pointer, value);
        }
    }

    /// Stores 16 bits into a word that other lanes may store the other half of: two atomics, each
    /// of which leaves the other half alone.
    pub(in crate::lower) fn store_half_of_word(
        &mut self,
        handle: &Handle<'a>,
        half: Id,
        bits: Id,
    ) -> Result<()> {
        let mask = self.b.const_u32(0xffff);
        let mask = self.shift_to_low_half(mask, half, Op::ShiftLeftLogical);
        let bits = self.shift_to_low_half(bits, half, Op::ShiftLeftLogical);
        let index = self.b.u32_shr(half, 1);
        self.store_bits(handle, index, mask, bits)
    }

    /// Replaces the bits in the mask of a word.
    pub(in crate::lower) fn store_bits(
        &mut self,
        handle: &Handle<'a>,
        index: Id,
        mask: Id,
        bits: Id,
    ) -> Result<()> {
        let guard = self.in_bounds(handle, Leaf::U32, index)?;
        let merge = guard.map(|ok| self.begin_if(ok));
        let pointer = self.element_pointer(handle, Leaf::U32, index, None)?;
        let word = self.b.u32();
        let keep = self.b.emit(Op::Not, word, &[mask]);
        let scope = self.b.const_u32(Scope::Device as u32);
        let relaxed = self.b.const_u32(0);
        self.b
            .emit(Op::AtomicAnd, word, &[pointer, scope, relaxed, keep]);
        self.b
            .emit(Op::AtomicOr, word, &[pointer, scope, relaxed, bits]);
        if let Some(merge) = merge {
            self.end_if(merge);
        }
        Ok(())
    }

    /// `checkAccessFullyMapped`: loads give their status as 0 or 1.
    pub(in crate::lower) fn check_access_fully_mapped(
        &mut self,
        op: &calls::CheckAccessFullyMapped,
    ) -> Result<Value> {
        let status = self.id(op.status)?;
        let id = match self.b.literal(status) {
            Some(value) => self.b.const_bool(value != 0),
            None => {
                let zero = self.b.const_u32(0);
                let ty = self.b.bool();
                self.b.emit(Op::INotEqual, ty, &[status, zero])
            }
        };
        Ok(Value::Id(id))
    }
}

/// The slots whose bit is in the mask, with their number.
fn selected(ids: &mut [Id; 8], mask: u32) -> impl Iterator<Item = (u32, &mut Id)> {
    (0..).zip(ids).filter(move |(i, _)| mask >> i & 1 != 0)
}
