// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Race checks: buffer accesses that need a barrier between them, found with a Bloom filter over
//! the addresses that were accessed since the layer last cleared it. vkd3d-proton describes it
//! (docs/syncval.md); the functions of its filter are kept, since the shaders of other translators
//! write to the same table.
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
//! An access is marked in 16 entries that its address picks; what was marked in all of them before
//! is a hazard, unless the invocation finds that it has been first there itself.

use dxil_frontend::dxil::ResourceKind;
use dxil_frontend::dxil::ops::{Memory, Op as DxOp, OpFlags, Role, op_arguments};
use dxil_frontend::ir::{Type, ValueId};

use crate::interface::Representation;
use crate::lower::buffers::words;
use crate::lower::context::Context;
use crate::lower::instrument::{report_buffers, reports};
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::resources::state::Leaf;
use crate::lower::resources::{handle_values, heap_tables, pointers, root_arguments};
use crate::lower::values::Call;
use crate::lower::{blocks, types};
use crate::spirv::{Builder, Capability, GLOp, Id, Op, StorageClass};
use crate::{InstructionCheck, Location, Result};

/// Size of a row of a constant buffer in bytes.
const CONSTANT_ROW_BYTES: u32 = 16;
/// Maximum size of a constant buffer in bytes.
const CONSTANT_BYTES: u32 = 64 * 1024;
/// Factors that make sixteen numbers from one address.
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
/// Entries of the filter that holds which invocation was first.
const LOCKS: usize = 8;
/// Rounds of the hash of an address.
const ROUNDS: usize = 6;
/// Distance between the numbers of invocations.
const INVOCATION_STEP: u32 = 1_103_633_207;

/// The kind of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AccessKind {
    Load,
    Store,
    Atomic,
}

impl AccessKind {
    /// Returns the accesses that an access of this kind forbids from now on, in the words of an
    /// entry: bytes to read and to write, then words for atomics and indirect commands.
    fn forbids(self) -> [u32; 2] {
        match self {
            AccessKind::Load => [0xffff_0000, 0x0f],
            AccessKind::Store => [0xffff_ffff, 0xff],
            AccessKind::Atomic => [0xffff_ffff, 0xf0],
        }
    }
}

/// The position of an access in its buffer.
struct BufferAccess {
    buffer: ValueId,
    kind: AccessKind,
    /// Element, row, texel or byte.
    index: ValueId,
    /// Distance from one index of a constant buffer to the next in bytes.
    index_bytes: u32,
    element_offset: Option<ValueId>,
    /// Size in bytes; that of a texel is the view's.
    bytes: u32,
}

/// Reports an access that races with one before.
#[inline]
pub(in crate::lower) fn watch_access(cx: &mut Context<'_>, call: &Call, op: &DxOp) -> Result<()> {
    if !report_buffers::watches(&cx.input, InstructionCheck::Synchronization) {
        return Ok(());
    }
    report_access(cx, call, op)
}

#[inline(never)]
fn report_access(cx: &mut Context<'_>, call: &Call, op: &DxOp) -> Result<()> {
    let Some(access) = access_of(cx, call, op)? else {
        return Ok(());
    };
    let handle = handle_values::handle_of(cx, access.buffer)?;
    let Some(base) = address_of(cx, &handle)? else {
        return Ok(());
    };
    let Some((offset, bytes, inside)) = extent(cx, &handle, &access, base)? else {
        return Ok(());
    };
    // One function per kind of access: the kind decides about the bits that it tests.
    let slot = access.kind as usize;
    let function = match cx.module.instruments.synchronization.validate[slot] {
        Some(id) => id,
        None => cx.b.fresh(),
    };
    cx.module.instruments.synchronization.validate[slot] = Some(function);
    let bool_ty = cx.b.bool();
    let operands = [function, base, offset, bytes, inside];
    let races = cx.b.emit(Op::FunctionCall, bool_ty, &operands);
    // The dispatch's number is the report's business.
    let nothing = cx.b.const_u32(0);
    reports::report_if(cx, races, nothing);
    Ok(())
}

/// Returns the access of an operation to a buffer, which follows from the operation's row in the op
/// table; `None` for operations that access none.
fn access_of(cx: &Context<'_>, call: &Call, op: &DxOp) -> Result<Option<BufferAccess>> {
    let view = cx.function.view;
    let row = op.opcode().properties();
    let is_atomic = row.flags.contains(OpFlags::ATOMIC);
    let is_access = is_atomic || row.takes(Role::Buffer) || row.takes(Role::ConstantBuffer);
    if !is_access || row.flags.intersects(OpFlags::COUNTER | OpFlags::QUERY) {
        return Ok(None);
    }
    let operands = op.resource_operands();
    let inst = view.function.insts.get(call.inst).map(|data| data.inst);
    let args = inst.and_then(|inst| op_arguments(view, &cx.input.shader.callees, &inst));
    let (Some(buffer), Some(args)) = (operands.resource, args) else {
        return Ok(None);
    };
    // The first operand of this role is the index or the first coordinate: coordinates follow the
    // handle in every operation of the op table.
    let mut coordinate = None;
    let mut mask = 1;
    let mut row_bytes = None;
    let mut next = 1;
    for operand in row.operands {
        let values = args.get(next..next + operand.count()).unwrap_or_default();
        next += operand.count();
        match (operand.role, values.split_first()) {
            // A constant buffer's operand is a row, others count in elements or bytes.
            (Role::Value | Role::Values, Some(first)) if coordinate.is_none() => {
                coordinate = Some(first);
                row_bytes = (operand.name == "register").then_some(CONSTANT_ROW_BYTES);
            }
            (Role::Const, Some((&value, _))) if operand.name == "mask" => {
                mask = view.constant_int(value).unwrap_or(0) as u8;
            }
            _ => {}
        }
    }
    let Some((&index, other_coordinates)) = coordinate else {
        return Ok(None);
    };
    let bytes_of = |ty| types::scalar(cx, ty).map(|scalar| scalar.bits() / 8);
    let (kind, bytes) = if is_atomic {
        (AccessKind::Atomic, stored_bytes(cx, operands.data, 1)?)
    } else if row.memory == Memory::ReadOnly {
        let bytes = match (row_bytes, cx.input.types().get(call.ty)) {
            (Some(bytes), _) => bytes,
            (None, Type::Struct { fields, .. }) => {
                let used = call
                    .result
                    .map_or(0, |result| cx.function.used_members(result));
                match fields.first() {
                    Some(&first) => components(used & 0xf) * bytes_of(first)?,
                    None => 0,
                }
            }
            (None, _) => bytes_of(call.ty)?,
        };
        (AccessKind::Load, bytes)
    } else {
        (AccessKind::Store, stored_bytes(cx, operands.data, mask)?)
    };
    let element_offset = if is_atomic {
        other_coordinates.first().copied()
    } else {
        operands.element_offset
    };
    Ok(Some(BufferAccess {
        buffer,
        kind,
        index,
        index_bytes: row_bytes.unwrap_or(1),
        element_offset,
        bytes,
    }))
}

/// Returns the number of bytes that a store with that mask of components writes.
fn stored_bytes(cx: &Context<'_>, data: &[ValueId], mask: u8) -> Result<u32> {
    let Some(&first) = data.first() else {
        return Ok(0);
    };
    let ty = cx.function.type_of(first)?;
    Ok(components(mask) * types::scalar(cx, ty)?.bits() / 8)
}

/// Returns a buffer's address; above 48 bits there are the bytes of a texel. Only what has an
/// address is watched.
fn address_of<'a>(cx: &mut Context<'a>, handle: &ResourceHandle<'a>) -> Result<Option<Id>> {
    Ok(match handle.view.location {
        Location::DeviceAddress { first_word } => {
            Some(root_arguments::root_address(cx, handle, first_word)?)
        }
        Location::Heap { .. } => cx.input.options.bindings.heap_addresses.map(|table| {
            heap_tables::load_pair(cx, table.slot, handle.index, table.stride, table.offset)
        }),
        _ => None,
    })
}

/// Returns the byte offset and bytes of an access, and whether it lies in the buffer.
fn extent<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    access: &BufferAccess,
    base: Id,
) -> Result<Option<(Id, Id, Id)>> {
    let (word, bool_ty) = (cx.b.u32(), cx.b.bool());
    let index = cx.id(access.index)?;
    let mut bytes = cx.b.const_u32(access.bytes);
    let mut offset = index;
    let mut bounded = None;
    match handle.view.declared_kind() {
        ResourceKind::RawBuffer => {}
        ResourceKind::StructuredBuffer => {
            offset = cx.b.u32_mul(index, handle.view.stride.max(1));
            if let Some(within) = access
                .element_offset
                .filter(|&id| !cx.function.is_undef(id))
            {
                let within = cx.id(within)?;
                offset = cx.b.u32_add(offset, within);
            }
        }
        ResourceKind::CBuffer => offset = cx.b.u32_mul(index, access.index_bytes),
        ResourceKind::TypedBuffer => {
            // The layer stores the size of a texel above the 48 bits of the address.
            let high = cx.b.extract(word, base, 1);
            bytes = cx.b.u32_shr(high, 16);
            offset = cx.b.emit(Op::IMul, word, &[index, bytes]);
            bounded = Some(index);
        }
        _ => return Ok(None),
    }
    // Accesses outside of the buffer have no effect in D3D12, and cannot race.
    let inside = match size_to_watch(cx, handle)? {
        Some(size) => {
            let bounded = bounded.unwrap_or(offset);
            cx.b.emit(Op::ULessThan, bool_ty, &[bounded, size])
        }
        None => cx.b.const_bool(true),
    };
    Ok(Some((offset, bytes, inside)))
}

/// Returns the bytes of a buffer, texels of a typed one; `None` at a device address, where the size
/// is not known.
fn size_to_watch<'a>(cx: &mut Context<'a>, handle: &ResourceHandle<'a>) -> Result<Option<Id>> {
    if matches!(handle.view.location, Location::DeviceAddress { .. }) {
        return Ok(None);
    }
    let is_words = handle.view.words_of.is_some();
    if let Some(length) = heap_tables::range_length(cx, handle) {
        return Ok(Some(if is_words {
            cx.b.u32_shl(length, 2)
        } else {
            length
        }));
    }
    Ok(match handle.view.representation {
        Representation::Constants => Some(cx.b.const_u32(CONSTANT_BYTES)),
        Representation::TexelBuffer => {
            cx.b.capability(Capability::ImageQuery);
            let (image, _) = pointers::load_object(cx, handle)?;
            let word = cx.b.u32();
            let texels = cx.b.emit(Op::ImageQuerySize, word, &[image]);
            Some(if is_words {
                cx.b.u32_shl(texels, 2)
            } else {
                texels
            })
        }
        _ => {
            let length = words::array_length(cx, handle, Leaf::U32)?;
            Some(cx.b.u32_shl(length, 2))
        }
    })
}

/// Writes the functions that check accesses. They take address, offset, bytes and whether the
/// access is inside, and return whether it races.
pub(super) fn write_synchronization(cx: &mut Context<'_>) -> Result<()> {
    let functions = cx.module.instruments.synchronization.validate;
    let wanted = match cx.input.options.instrumentation.instructions {
        Some(wanted) if functions.iter().any(Option::is_some) => wanted,
        _ => return Ok(()),
    };
    let (word, bool_ty) = (cx.b.u32(), cx.b.bool());
    let pair = cx.b.vector(word, 2);
    let table = report_buffers::buffer_of(cx, wanted.control, Leaf::U32, true, "access_table");
    let word_ty = cx.b.pointer(StorageClass::Private, word);
    // The state is private, because it belongs to the invocation.
    let flag_ty = cx.b.pointer(StorageClass::Private, bool_ty);
    let no = cx.b.const_bool(false);
    let invocation = cx.b.global_variable(StorageClass::Private, word_ty, None);
    let is_numbered =
        cx.b.global_variable(StorageClass::Private, flag_ty, Some(no));
    let hash = cx.b.fresh();
    write_address_hash(cx, hash)?;
    for (kind, id) in [AccessKind::Load, AccessKind::Store, AccessKind::Atomic]
        .into_iter()
        .zip(functions)
    {
        let Some(id) = id else {
            continue;
        };
        let parameters = [pair, word, word, bool_ty];
        report_buffers::write_function(
            cx,
            id,
            bool_ty,
            parameters,
            "races",
            |cx, [base, offset, bytes, inside]| {
                // The number is fetched on the first access, so that invocations without accesses
                // need none.
                let numbered = cx.b.load(bool_ty, is_numbered);
                let unnumbered = cx.b.emit(Op::LogicalNot, bool_ty, &[numbered]);
                let part = blocks::begin_if(cx, unnumbered);
                number_invocation(&mut cx.b, table, invocation);
                let yes = cx.b.const_bool(true);
                cx.b.store(is_numbered, yes);
                blocks::end_if(cx, part);
                let number = cx.b.load(word, invocation);
                // The table must not be marked by an access that does not happen.
                let part = blocks::begin_if(cx, inside);
                let races = check_races(cx, kind, table, hash, number, [base, offset, bytes])?;
                let no = cx.b.const_bool(false);
                Ok(Some(blocks::end_if_with(cx, part, bool_ty, races, no)))
            },
        )?;
    }
    Ok(())
}

/// Gives the invocation a unique number.
fn number_invocation(b: &mut Builder, table: Id, invocation: Id) {
    let word = b.u32();
    let length = report_buffers::length_of(b, table);
    let one = b.const_u32(1);
    let last = b.emit(Op::ISub, word, &[length, one]);
    let counter = report_buffers::element_of(b, table, word, last);
    let step = b.const_u32(INVOCATION_STEP);
    let number = report_buffers::atomic(b, Op::AtomicIAdd, counter, step);
    b.store(invocation, number);
}

/// Marks an access and says whether it races.
fn check_races(
    cx: &mut Context<'_>,
    kind: AccessKind,
    table: Id,
    hash: Id,
    invocation: Id,
    [base, offset, bytes]: [Id; 3],
) -> Result<Id> {
    let (word, bool_ty) = (cx.b.u32(), cx.b.bool());
    let zero = cx.b.const_u32(0);
    let address = sum_of_address(&mut cx.b, base, offset);
    let low = cx.b.extract(word, address, 0);
    let [byte_mask, word_mask] = touched(cx, low, bytes);
    let (mask, first) = table_extent(&mut cx.b, table);
    let mut entries = Vec::with_capacity(PRIMES.len());
    for prime in PRIMES {
        let prime = cx.b.const_u32(prime);
        let hashed = cx.b.emit(Op::FunctionCall, word, &[hash, address, prime]);
        let hashed = cx.b.emit(Op::BitwiseAnd, word, &[hashed, mask]);
        let entry = cx.b.u32_add(hashed, first);
        entries.push(cx.b.u32_shl(entry, 1));
    }
    let both = |cx: &mut Context<'_>, id: Id, shift: u32| {
        let shifted = cx.b.u32_shl(id, shift);
        cx.b.emit(Op::BitwiseOr, word, &[id, shifted])
    };
    let forbidden = kind.forbids();
    let lower = both(cx, byte_mask, 16);
    let lower = cx.b.u32_and(lower, forbidden[0]);
    let upper = both(cx, word_mask, 4);
    let upper = cx.b.u32_and(upper, forbidden[1]);
    let one = cx.b.const_u32(1);
    // The filter says "marked before" only if all sixteen entries do.
    let mut before: Option<[Id; 2]> = None;
    for &at in &entries {
        let upper_entry = cx.b.u32_add(at, one);
        let marked = [(at, lower), (upper_entry, upper)].map(|(at, marks)| {
            let pointer = report_buffers::element_of(&mut cx.b, table, word, at);
            // The atomic marks and reads in one step: of two racing accesses the second sees the
            // first.
            report_buffers::atomic(&mut cx.b, Op::AtomicOr, pointer, marks)
        });
        before = Some(match before {
            None => marked,
            Some(all) => {
                let of = |cx: &mut Context<'_>, i: usize| {
                    cx.b.emit(Op::BitwiseAnd, word, &[all[i], marked[i]])
                };
                [of(cx, 0), of(cx, 1)]
            }
        });
    }
    let [lower, upper] = before.unwrap_or([zero; 2]);
    // The first access of an invocation forbids others to write.
    let written = cx.b.u32_shr(lower, 16);
    let taken = cx.b.emit(Op::BitwiseAnd, word, &[written, byte_mask]);
    let is_first = cx.b.emit(Op::IEqual, bool_ty, &[taken, zero]);
    let mut is_own = None;
    // An invocation that was first may access the bytes again without a hazard. Eight entries hold
    // its number, again as a filter.
    for (number, &at) in entries.iter().take(LOCKS).enumerate() {
        let lock = lock_bits(&mut cx.b, number as u32, invocation);
        let set = cx.b.select(word, is_first, lock, zero);
        let at = cx.b.u32_add(at, one);
        let pointer = report_buffers::element_of(&mut cx.b, table, word, at);
        let locked = report_buffers::atomic(&mut cx.b, Op::AtomicOr, pointer, set);
        let locked = cx.b.emit(Op::BitwiseAnd, word, &[locked, lock]);
        let own = cx.b.emit(Op::IEqual, bool_ty, &[locked, lock]);
        is_own = Some(match is_own {
            None => own,
            Some(others) => cx.b.emit(Op::LogicalAnd, bool_ty, &[others, own]),
        });
    }
    let (marks, mask) = match kind {
        AccessKind::Load => (lower, byte_mask),
        AccessKind::Store => (written, byte_mask),
        AccessKind::Atomic => (upper, word_mask),
    };
    let hazard = cx.b.emit(Op::BitwiseAnd, word, &[marks, mask]);
    let hazard = cx.b.emit(Op::INotEqual, bool_ty, &[hazard, zero]);
    let is_own = is_own.unwrap_or(is_first);
    let foreign = cx.b.emit(Op::LogicalNot, bool_ty, &[is_own]);
    Ok(cx.b.emit(Op::LogicalAnd, bool_ty, &[hazard, foreign]))
}

/// Returns an address and a number of bytes after it.
fn sum_of_address(b: &mut Builder, base: Id, offset: Id) -> Id {
    let word = b.u32();
    let pair_ty = b.vector(word, 2);
    let [low, high] = [0, 1].map(|half| b.extract(word, base, half));
    let sums = b.struct_type(&[word, word]);
    // Addresses have 64 bits, and Int64 need not be there.
    let sum = b.emit(Op::IAddCarry, sums, &[low, offset]);
    let [low, carry] = [0, 1].map(|half| b.extract(word, sum, half));
    let high = b.emit(Op::IAdd, word, &[high, carry]);
    b.construct(pair_ty, &[low, high])
}

/// Returns the bytes and words that an access touches in the 16 bytes that it begins in.
fn touched(cx: &mut Context<'_>, low: Id, bytes: Id) -> [Id; 2] {
    let word = cx.b.u32();
    let all = cx.b.const_u32(u32::MAX);
    let zero = cx.b.const_u32(0);
    let first = |cx: &mut Context<'_>, count: Id| {
        cx.b.emit(Op::BitFieldUExtract, word, &[all, zero, count])
    };
    let ones = first(cx, bytes);
    let at = cx.b.u32_and(low, 15);
    let byte_mask = cx.b.emit(Op::ShiftLeftLogical, word, &[ones, at]);
    // An access that leaves the 16 bytes is cut off; accesses are aligned, so few do.
    let byte_mask = cx.b.u32_and(byte_mask, 0xffff);
    let within = cx.b.u32_and(low, 3);
    let end = cx.b.u32_add(within, bytes);
    let three = cx.b.const_u32(3);
    let end = cx.b.u32_add(end, three);
    let words = cx.b.u32_shr(end, 2);
    let ones = first(cx, words);
    let at = cx.b.u32_shr(at, 2);
    let word_mask = cx.b.emit(Op::ShiftLeftLogical, word, &[ones, at]);
    let word_mask = cx.b.u32_and(word_mask, 0xf);
    [byte_mask, word_mask]
}

/// Returns the number of entries of the table less one, and the first entry. The table is the
/// largest power of two of entries in front of the buffer's last two words.
fn table_extent(b: &mut Builder, table: Id) -> (Id, Id) {
    let word = b.u32();
    let length = report_buffers::length_of(b, table);
    let entries = b.u32_shr(length, 1);
    let highest = b.glsl(GLOp::FindUMsb, word, &[entries]);
    let one = b.const_u32(1);
    let count = b.emit(Op::ShiftLeftLogical, word, &[one, highest]);
    let mask = b.emit(Op::ISub, word, &[count, one]);
    let rest = b.emit(Op::BitwiseAnd, word, &[entries, mask]);
    let first = b.emit(Op::ISub, word, &[rest, one]);
    (mask, first)
}

/// Returns the bits of an invocation in the upper word of the entry with that number: one of eight
/// in each byte but the lowest.
fn lock_bits(b: &mut Builder, number: u32, invocation: Id) -> Id {
    let word = b.u32();
    let first_bit = match number {
        0..4 => (9 * number).min(23),
        _ => (8 * (number & 3) + 1).min(22),
    };
    let three = b.const_u32(3);
    let mut all = b.const_u32(0);
    for byte in 0..3 {
        let from = b.const_u32(first_bit + 3 * byte);
        let bit = b.emit(Op::BitFieldUExtract, word, &[invocation, from, three]);
        let lowest = b.const_u32(1 << (8 + 8 * byte));
        let bit = b.emit(Op::ShiftLeftLogical, word, &[lowest, bit]);
        all = b.emit(Op::BitwiseOr, word, &[all, bit]);
    }
    all
}

/// Writes the function that makes a number from the address of 16 bytes and a prime.
fn write_address_hash(cx: &mut Context<'_>, id: Id) -> Result<()> {
    let word = cx.b.u32();
    let pair = cx.b.vector(word, 2);
    report_buffers::write_function(
        cx,
        id,
        word,
        [pair, word],
        "hash_address",
        |cx, [address, prime]| {
            let [low, high] = [0, 1].map(|half| cx.b.extract(word, address, half));
            // 16 bytes share an entry, so the low bits of the address do not count.
            let low = cx.b.u32_shr(low, 4);
            let high = cx.b.u32_and(high, 0xffff);
            let mut stirred = cx.b.construct(pair, &[low, high]);
            let primes = cx.b.construct(pair, &[prime, prime]);
            let eight = cx.b.const_u32(8);
            let eights = cx.b.const_composite(pair, &[eight, eight]);
            for _ in 0..ROUNDS {
                let operands = [stirred.0, stirred.0, 1, 0];
                let swapped = cx.b.emit(Op::VectorShuffle, pair, &operands);
                let shifted = cx.b.emit(Op::ShiftRightLogical, pair, &[stirred, eights]);
                let mixed = cx.b.emit(Op::BitwiseXor, pair, &[shifted, swapped]);
                stirred = cx.b.emit(Op::IMul, pair, &[mixed, primes]);
            }
            Ok(Some(cx.b.extract(word, stirred, 0)))
        },
    )
}

/// Returns the last component of a mask, and all before it.
fn components(mask: u8) -> u32 {
    u8::BITS - mask.leading_zeros()
}
