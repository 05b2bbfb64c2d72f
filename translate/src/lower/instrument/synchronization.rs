// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Accesses to buffers that do not go together without a barrier, found by a Bloom filter over the addresses that
//! were accessed since the layer last cleared it. vkd3d-proton describes it (docs/syncval.md); the functions of
//! its filter are kept, since the shaders of other translators write to the same table.
//!
//! An entry of the table stands for 16 bytes:
//!
//! | bits | what |
//! |---|---|
//! | 0 to 15 | bytes that may not be read any more |
//! | 16 to 31 | ... written |
//! | 32 to 35 | words that atomics may not touch any more |
//! | 36 to 39 | ... indirect commands |
//! | 40 to 63 | which invocations were first: a filter of its own |
//!
//! An access is marked in 16 entries that its address picks; what was marked in all of them before is a hazard, unless
//! the invocation finds that it has been first there itself.

use dxil_frontend::dxil::ResourceKind;
use dxil_frontend::dxil::ops::Op as DxOp;
use dxil_frontend::ir::ValueId;

use crate::interface::Shape;
use crate::lower::Lowering;
use crate::lower::context::Call;
use crate::lower::resources::variables::{Handle, Leaf};
use crate::spirv::{Capability, GLOp, Id, Op, StorageClass};
use crate::{InstructionCheck, Location, Result};

/// Bytes that a constant buffer can have.
const CONSTANT_BYTES: u32 = 64 * 1024;
/// What one address becomes sixteen numbers with.
const PRIMES: [u32; 16] = [
    1_103_515_245,
    1_103_518_333,
    1_103_539_331,
    1_103_633_207,
    10_006_121,
    4_004_951,
    5_005_159,
    6_004_811,
    383,
    821,
    661,
    1_091,
    1_117,
    3_947,
    4_253,
    7_691,
];
/// Entries that say which invocation was first.
const LOCKS: usize = 8;
/// Times that an address is stirred.
const ROUNDS: usize = 6;
/// Numbers of invocations lie so far from each other.
const INVOCATION_STEP: u32 = 1_103_633_207;

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Load,
    Store,
    Atomic,
}

impl Kind {
    /// What may not be done any more, in the words of an entry: bytes to read and write, then words for atomics and
    /// indirect commands.
    fn forbids(self) -> [u32; 2] {
        match self {
            Kind::Load => [0xffff_0000, 0x0f],
            Kind::Store => [0xffff_ffff, 0xff],
            Kind::Atomic => [0xffff_ffff, 0xf0],
        }
    }
}

/// The functions, once they are called.
#[derive(Debug, Default)]
pub(super) struct Functions {
    /// By kind of access.
    validate: [Option<Id>; 3],
}

/// Where an access lies in its buffer.
struct Access {
    buffer: ValueId,
    kind: Kind,
    index: ValueId,
    element_offset: Option<ValueId>,
    /// Bytes; `None` is a texel.
    bytes: Option<u32>,
}

impl<'a> Lowering<'a> {
    /// Reports an access that races with one before.
    pub(in crate::lower) fn watch_access(&mut self, call: &Call, op: &DxOp) -> Result<()> {
        if !self.watches(InstructionCheck::Synchronization) {
            return Ok(());
        }
        let Some(access) = self.access_of(call, op)? else {
            return Ok(());
        };
        let handle = self.handle(access.buffer)?;
        let Some(base) = self.address_of(&handle)? else {
            return Ok(());
        };
        let Some((offset, bytes, inside)) = self.extent(&handle, &access, base)? else {
            return Ok(());
        };
        let slot = access.kind as usize;
        let function = match self.instruments.synchronization.validate[slot] {
            Some(id) => id,
            None => self.b.fresh(),
        };
        self.instruments.synchronization.validate[slot] = Some(function);
        let bool_ty = self.b.bool();
        let operands = [function, base, offset, bytes, inside];
        let races = self.b.emit(Op::FunctionCall, bool_ty, &operands);
        // The dispatch's number is the report's business.
        let nothing = self.b.const_u32(0);
        self.report_if(races, nothing);
        Ok(())
    }

    fn access_of(&self, call: &Call, op: &DxOp) -> Result<Option<Access>> {
        let loaded = |l: &Self| -> Result<u32> {
            let used = call
                .result
                .map_or(0, |result| l.resources.used_members(result));
            let fields = l.fields(call.ty)?;
            let Some(&first) = fields.first() else {
                return Ok(0);
            };
            Ok(components(used & 0xf) * l.scalar(first)?.bits() / 8)
        };
        let stored = |l: &Self, value: ValueId, mask: u8| -> Result<u32> {
            let ty = l.type_of(value)?;
            Ok(components(mask) * l.scalar(ty)?.bits() / 8)
        };
        Ok(Some(match op {
            DxOp::RawBufferLoad(op) => Access {
                buffer: op.buffer,
                kind: Kind::Load,
                index: op.index,
                element_offset: op.element_offset.expand(),
                bytes: Some(loaded(self)?),
            },
            DxOp::BufferLoad(op) => Access {
                buffer: op.buffer,
                kind: Kind::Load,
                index: op.index,
                element_offset: op.element_offset.expand(),
                bytes: Some(loaded(self)?),
            },
            DxOp::CBufferLoadLegacy(op) => Access {
                buffer: op.buffer,
                kind: Kind::Load,
                index: op.register,
                element_offset: None,
                bytes: Some(16),
            },
            DxOp::RawBufferStore(op) => Access {
                buffer: op.buffer,
                kind: Kind::Store,
                index: op.index,
                element_offset: op.element_offset.expand(),
                bytes: Some(stored(self, op.values[0], op.mask)?),
            },
            DxOp::BufferStore(op) => Access {
                buffer: op.buffer,
                kind: Kind::Store,
                index: op.index,
                element_offset: op.element_offset.expand(),
                bytes: Some(stored(self, op.values[0], op.mask)?),
            },
            DxOp::AtomicBinOp(op) => Access {
                buffer: op.resource,
                kind: Kind::Atomic,
                index: op.coords[0],
                element_offset: Some(op.coords[1]),
                bytes: Some(stored(self, op.value, 1)?),
            },
            DxOp::AtomicCompareExchange(op) => Access {
                buffer: op.resource,
                kind: Kind::Atomic,
                index: op.coords[0],
                element_offset: Some(op.coords[1]),
                bytes: Some(stored(self, op.value, 1)?),
            },
            _ => return Ok(None),
        }))
    }

    /// A buffer's address; above 48 bits there are the bytes of a texel. Only what has an address is watched.
    fn address_of(&mut self, handle: &Handle<'a>) -> Result<Option<Id>> {
        Ok(match handle.view.location {
            Location::DeviceAddress { first_word } => Some(self.root_address(handle, first_word)?),
            Location::Heap { .. } => {
                self.options.bindings.heap_addresses.map(|table| {
                    self.load_pair(table.slot, handle.index, table.stride, table.offset)
                })
            }
            _ => None,
        })
    }

    /// Byte offset and bytes of an access, and whether it lies in the buffer.
    fn extent(
        &mut self,
        handle: &Handle<'a>,
        access: &Access,
        base: Id,
    ) -> Result<Option<(Id, Id, Id)>> {
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let index = self.id(access.index)?;
        let mut bytes = self.b.const_u32(access.bytes.unwrap_or(0));
        let mut offset = index;
        let mut place = None;
        match handle.view.kind {
            ResourceKind::RawBuffer => {}
            ResourceKind::StructuredBuffer => {
                offset = self.b.u32_mul(index, handle.view.stride.max(1));
                if let Some(within) = access.element_offset.filter(|&id| !self.is_undef(id)) {
                    let within = self.id(within)?;
                    offset = self.b.u32_add(offset, within);
                }
            }
            ResourceKind::CBuffer => offset = self.b.u32_mul(index, 16),
            ResourceKind::TypedBuffer => {
                let high = self.b.extract(word, base, 1);
                bytes = self.b.u32_shr(high, 16);
                offset = self.b.emit(Op::IMul, word, &[index, bytes]);
                place = Some(index);
            }
            _ => return Ok(None),
        }
        let inside = match self.size_to_watch(handle)? {
            Some(size) => {
                let place = place.unwrap_or(offset);
                self.b.emit(Op::ULessThan, bool_ty, &[place, size])
            }
            None => self.b.const_bool(true),
        };
        Ok(Some((offset, bytes, inside)))
    }

    /// Bytes of a buffer, texels of a typed one; nobody knows them behind an address.
    fn size_to_watch(&mut self, handle: &Handle<'a>) -> Result<Option<Id>> {
        if matches!(handle.view.location, Location::DeviceAddress { .. }) {
            return Ok(None);
        }
        if let Some(length) = self.range_length(handle) {
            return Ok(Some(length));
        }
        Ok(match handle.view.shape {
            Shape::Constants => Some(self.b.const_u32(CONSTANT_BYTES)),
            Shape::TexelBuffer => {
                self.b.capability(Capability::ImageQuery);
                let (image, _) = self.object(handle)?;
                let word = self.b.u32();
                Some(self.b.emit(Op::ImageQuerySize, word, &[image]))
            }
            _ => {
                let length = self.array_length(handle, Leaf::U32)?;
                Some(self.b.u32_shl(length, 2))
            }
        })
    }

    /// The functions that take address, offset, bytes and whether the access is inside, and say whether it races.
    pub(super) fn write_synchronization(&mut self) -> Result<()> {
        let functions = self.instruments.synchronization.validate;
        let wanted = match self.options.instrumentation.instructions {
            Some(wanted) if functions.iter().any(Option::is_some) => wanted,
            _ => return Ok(()),
        };
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let pair = self.b.vector(word, 2);
        let table = self.instrument_buffer(wanted.control, Leaf::U32, true, "access_table");
        let word_ty = self.b.pointer(StorageClass::Private, word);
        let flag_ty = self.b.pointer(StorageClass::Private, bool_ty);
        let no = self.b.const_bool(false);
        let invocation = self.b.global_variable(StorageClass::Private, word_ty, None);
        let is_numbered = self
            .b
            .global_variable(StorageClass::Private, flag_ty, Some(no));
        let hash = self.b.fresh();
        self.write_address_hash(hash)?;
        for (kind, id) in [Kind::Load, Kind::Store, Kind::Atomic]
            .into_iter()
            .zip(functions)
        {
            let Some(id) = id else {
                continue;
            };
            let parameters = [pair, word, word, bool_ty];
            self.write_function(
                id,
                bool_ty,
                parameters,
                "races",
                |l, [base, offset, bytes, inside]| {
                    let numbered = l.b.load(bool_ty, is_numbered);
                    let unnumbered = l.b.emit(Op::LogicalNot, bool_ty, &[numbered]);
                    let part = l.begin_if(unnumbered);
                    l.number_invocation(table, invocation);
                    let yes = l.b.const_bool(true);
                    l.b.store(is_numbered, yes);
                    l.end_if(part);
                    let number = l.b.load(word, invocation);
                    let part = l.begin_if(inside);
                    let races = l.races(kind, table, hash, number, [base, offset, bytes])?;
                    let no = l.b.const_bool(false);
                    Ok(Some(l.end_if_with(part, bool_ty, races, no)))
                },
            )?;
        }
        Ok(())
    }

    /// Gives the invocation a number that no other has.
    fn number_invocation(&mut self, table: Id, invocation: Id) {
        let word = self.b.u32();
        let length = self.instrument_length(table);
        let one = self.b.const_u32(1);
        let last = self.b.emit(Op::ISub, word, &[length, one]);
        let counter = self.instrument_element(table, word, last);
        let step = self.b.const_u32(INVOCATION_STEP);
        let number = self.instrument_atomic(Op::AtomicIAdd, counter, step);
        self.b.store(invocation, number);
    }

    /// Marks an access and says whether it races.
    fn races(
        &mut self,
        kind: Kind,
        table: Id,
        hash: Id,
        invocation: Id,
        [base, offset, bytes]: [Id; 3],
    ) -> Result<Id> {
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let zero = self.b.const_u32(0);
        let address = self.sum_of_address(base, offset);
        let low = self.b.extract(word, address, 0);
        let [byte_mask, word_mask] = self.touched(low, bytes);
        let (mask, first) = self.table_extent(table);
        let mut places = Vec::with_capacity(PRIMES.len());
        for prime in PRIMES {
            let prime = self.b.const_u32(prime);
            let place = self.b.emit(Op::FunctionCall, word, &[hash, address, prime]);
            let place = self.b.emit(Op::BitwiseAnd, word, &[place, mask]);
            let entry = self.b.u32_add(place, first);
            places.push(self.b.u32_shl(entry, 1));
        }
        let both = |l: &mut Self, id: Id, shift: u32| {
            let shifted = l.b.u32_shl(id, shift);
            l.b.emit(Op::BitwiseOr, word, &[id, shifted])
        };
        let forbidden = kind.forbids();
        let lower = both(self, byte_mask, 16);
        let lower = self.b.u32_and(lower, forbidden[0]);
        let upper = both(self, word_mask, 4);
        let upper = self.b.u32_and(upper, forbidden[1]);
        let one = self.b.const_u32(1);
        let mut before: Option<[Id; 2]> = None;
        for &place in &places {
            let upper_place = self.b.u32_add(place, one);
            let marked = [(place, lower), (upper_place, upper)].map(|(place, marks)| {
                let pointer = self.instrument_element(table, word, place);
                self.instrument_atomic(Op::AtomicOr, pointer, marks)
            });
            before = Some(match before {
                None => marked,
                Some(all) => {
                    let of = |l: &mut Self, i: usize| {
                        l.b.emit(Op::BitwiseAnd, word, &[all[i], marked[i]])
                    };
                    [of(self, 0), of(self, 1)]
                }
            });
        }
        let [lower, upper] = before.unwrap_or([zero; 2]);
        // Whoever accesses first forbids to write.
        let written = self.b.u32_shr(lower, 16);
        let taken = self.b.emit(Op::BitwiseAnd, word, &[written, byte_mask]);
        let is_first = self.b.emit(Op::IEqual, bool_ty, &[taken, zero]);
        let mut is_own = None;
        for (number, &place) in places.iter().take(LOCKS).enumerate() {
            let lock = self.lock_bits(number as u32, invocation);
            let set = self.b.select(word, is_first, lock, zero);
            let place = self.b.u32_add(place, one);
            let pointer = self.instrument_element(table, word, place);
            let locked = self.instrument_atomic(Op::AtomicOr, pointer, set);
            let locked = self.b.emit(Op::BitwiseAnd, word, &[locked, lock]);
            let own = self.b.emit(Op::IEqual, bool_ty, &[locked, lock]);
            is_own = Some(match is_own {
                None => own,
                Some(others) => self.b.emit(Op::LogicalAnd, bool_ty, &[others, own]),
            });
        }
        let (marks, mask) = match kind {
            Kind::Load => (lower, byte_mask),
            Kind::Store => (written, byte_mask),
            Kind::Atomic => (upper, word_mask),
        };
        let hazard = self.b.emit(Op::BitwiseAnd, word, &[marks, mask]);
        let hazard = self.b.emit(Op::INotEqual, bool_ty, &[hazard, zero]);
        let is_own = is_own.unwrap_or(is_first);
        let foreign = self.b.emit(Op::LogicalNot, bool_ty, &[is_own]);
        Ok(self.b.emit(Op::LogicalAnd, bool_ty, &[hazard, foreign]))
    }

    /// An address and a number of bytes behind it.
    fn sum_of_address(&mut self, base: Id, offset: Id) -> Id {
        let word = self.b.u32();
        let pair_ty = self.b.vector(word, 2);
        let [low, high] = [0, 1].map(|half| self.b.extract(word, base, half));
        let sums = self.b.struct_type(&[word, word]);
        let sum = self.b.emit(Op::IAddCarry, sums, &[low, offset]);
        let [low, carry] = [0, 1].map(|half| self.b.extract(word, sum, half));
        let high = self.b.emit(Op::IAdd, word, &[high, carry]);
        self.b.construct(pair_ty, &[low, high])
    }

    /// Bytes and words that an access touches in the 16 bytes that it begins in.
    fn touched(&mut self, low: Id, bytes: Id) -> [Id; 2] {
        let word = self.b.u32();
        let all = self.b.const_u32(u32::MAX);
        let zero = self.b.const_u32(0);
        let first =
            |l: &mut Self, count: Id| l.b.emit(Op::BitFieldUExtract, word, &[all, zero, count]);
        let ones = first(self, bytes);
        let at = self.b.u32_and(low, 15);
        let byte_mask = self.b.emit(Op::ShiftLeftLogical, word, &[ones, at]);
        let byte_mask = self.b.u32_and(byte_mask, 0xffff);
        let within = self.b.u32_and(low, 3);
        let end = self.b.u32_add(within, bytes);
        let three = self.b.const_u32(3);
        let end = self.b.u32_add(end, three);
        let words = self.b.u32_shr(end, 2);
        let ones = first(self, words);
        let at = self.b.u32_shr(at, 2);
        let word_mask = self.b.emit(Op::ShiftLeftLogical, word, &[ones, at]);
        let word_mask = self.b.u32_and(word_mask, 0xf);
        [byte_mask, word_mask]
    }

    /// Entries of the table, less one, and its first: the largest power of two in front of the buffer's last two words.
    fn table_extent(&mut self, table: Id) -> (Id, Id) {
        let word = self.b.u32();
        let length = self.instrument_length(table);
        let entries = self.b.u32_shr(length, 1);
        let highest = self.b.glsl(GLOp::FindUMsb, word, &[entries]);
        let one = self.b.const_u32(1);
        let count = self.b.emit(Op::ShiftLeftLogical, word, &[one, highest]);
        let mask = self.b.emit(Op::ISub, word, &[count, one]);
        let rest = self.b.emit(Op::BitwiseAnd, word, &[entries, mask]);
        let first = self.b.emit(Op::ISub, word, &[rest, one]);
        (mask, first)
    }

    /// The bits of an invocation in the upper word of the entry with that number: one of eight in each byte but the
    /// lowest.
    fn lock_bits(&mut self, number: u32, invocation: Id) -> Id {
        let word = self.b.u32();
        let first_bit = match number {
            0..4 => (9 * number).min(23),
            _ => (8 * (number & 3) + 1).min(22),
        };
        let three = self.b.const_u32(3);
        let mut all = self.b.const_u32(0);
        for byte in 0..3 {
            let from = self.b.const_u32(first_bit + 3 * byte);
            let bit = self
                .b
                .emit(Op::BitFieldUExtract, word, &[invocation, from, three]);
            let lowest = self.b.const_u32(1 << (8 + 8 * byte));
            let bit = self.b.emit(Op::ShiftLeftLogical, word, &[lowest, bit]);
            all = self.b.emit(Op::BitwiseOr, word, &[all, bit]);
        }
        all
    }

    /// The function that makes a number of the address of 16 bytes and a prime.
    fn write_address_hash(&mut self, id: Id) -> Result<()> {
        let word = self.b.u32();
        let pair = self.b.vector(word, 2);
        self.write_function(
            id,
            word,
            [pair, word],
            "hash_address",
            |l, [address, prime]| {
                let [low, high] = [0, 1].map(|half| l.b.extract(word, address, half));
                let low = l.b.u32_shr(low, 4);
                let high = l.b.u32_and(high, 0xffff);
                let mut stirred = l.b.construct(pair, &[low, high]);
                let primes = l.b.construct(pair, &[prime, prime]);
                let eight = l.b.const_u32(8);
                let eights = l.b.const_composite(pair, &[eight, eight]);
                for _ in 0..ROUNDS {
                    let operands = [stirred.0, stirred.0, 1, 0];
                    let swapped = l.b.emit(Op::VectorShuffle, pair, &operands);
                    let shifted = l.b.emit(Op::ShiftRightLogical, pair, &[stirred, eights]);
                    let mixed = l.b.emit(Op::BitwiseXor, pair, &[shifted, swapped]);
                    stirred = l.b.emit(Op::IMul, pair, &[mixed, primes]);
                }
                Ok(Some(l.b.extract(word, stirred, 0)))
            },
        )
    }
}

/// The last component of a mask, and all before it.
fn components(mask: u8) -> u32 {
    u8::BITS - mask.leading_zeros()
}
