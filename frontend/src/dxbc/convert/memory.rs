//! Memory that is not a resource: indexable registers and group-shared memory.

use super::arrays::{GroupArray, LocalArray};
use super::constants::{clamped, word};
use super::context::FunctionConverter;
use super::index_value::IndexValue;
use super::ssa::Def;
use crate::dxbc::tokens::{File, Operand};
use crate::error::{Error, Result};
use crate::ir::{AtomicOrdering, AtomicRmwOp, BinaryOp, CmpPredicate, Inst, TypeId, ValueId};

/// Address space of group-shared memory.
const GROUP_SHARED: u32 = 3;

/// Returns the registers of a local array, which is made on first use.
fn local_array(c: &mut FunctionConverter<'_, '_>, key: (u32, u32)) -> LocalArray {
    if let Some(&known) = c.arrays.get(&key) {
        return known;
    }
    let (count, components) = if key.0 == u32::from(File::IndexableTemp as u8) {
        let count = c.declarations.indexable.get(&key.1).copied();
        let components = c.shared.arrays.get(&key.1).copied();
        (count.unwrap_or(0), components.unwrap_or(0xf))
    } else {
        (c.declarations.end_of_indexed_outputs(), 0xf)
    };
    // Drivers keep small arrays in registers, and what is never read in them too.
    let words = (count + 1) * components.count_ones().max(1);
    let int = c.i32();
    let ty: TypeId = c.shared.module.array(int, words);
    let pointer_ty = c.shared.module.pointer(ty, 0);
    let one = c.int(1);
    let inst = Inst::Alloca {
        allocated: ty,
        count: one,
        align: 4,
    };
    let pointer = c
        .body
        .emit(FunctionConverter::START, inst, pointer_ty, true);
    let array = LocalArray {
        pointer,
        count,
        components,
    };
    c.arrays.insert(key, array);
    array
}

/// Returns the address of a register's component.
fn register_word(
    c: &mut FunctionConverter<'_, '_>,
    array: LocalArray,
    row: IndexValue,
    component: u8,
) -> Result<ValueId> {
    let (stride, place) = (array.stride(), array.place(component));
    let at = match row {
        IndexValue::Known(row) => c.int(row * stride + place),
        IndexValue::Value(row) => {
            let ty = c.i32();
            let mut at = row;
            if stride != 1 {
                let stride = c.int(stride);
                at = c.binary(BinaryOp::Mul, ty, at, stride);
            }
            if place != 0 {
                let place = c.int(place);
                at = c.binary(BinaryOp::Add, ty, at, place);
            }
            at
        }
    };
    word(c, array.pointer, 0, at)
}

fn register_index(c: &mut FunctionConverter<'_, '_>, operand: &Operand) -> Result<IndexValue> {
    let position = usize::from(operand.file == File::IndexableTemp);
    let index = operand.indices.get(position).copied().unwrap_or_default();
    c.index(index)
}

/// Reads a register of a local array; beyond its end it is 0.
pub(super) fn load_local(
    c: &mut FunctionConverter<'_, '_>,
    key: (u32, u32),
    operand: &Operand,
    component: u8,
) -> Result<Def> {
    let array = local_array(c, key);
    let ty = c.i32();
    let load = |c: &mut FunctionConverter<'_, '_>, row: IndexValue| -> Result<ValueId> {
        let pointer = register_word(c, array, row, component)?;
        let inst = Inst::Load {
            pointer,
            align: 4,
            volatile: false,
        };
        Ok(c.emit(inst, ty))
    };
    match register_index(c, operand)? {
        // D3D11.3 functional specification, 7.3, leaves accesses beyond an array undefined as long
        // as no foreign data becomes visible: 0 here, and stores go to the row after the last.
        IndexValue::Known(known) if known >= array.count => Ok(Def::Bits(0)),
        known @ IndexValue::Known(_) => Ok(Def::Int(load(c, known)?)),
        IndexValue::Value(index) => {
            let row = clamped(c, index, array.count)?;
            let value = load(c, IndexValue::Value(row))?;
            let limit = c.int(array.count);
            let zero = c.int(0);
            // The row after the last may hold what a store beyond the end has written, so it does
            // not count.
            let inside = c.compare(CmpPredicate::IUlt, index, limit);
            Ok(Def::Int(c.select(inside, value, zero, ty)))
        }
    }
}

/// Writes a register of a local array; beyond its end nothing happens.
pub(super) fn store_local(
    c: &mut FunctionConverter<'_, '_>,
    key: (u32, u32),
    operand: &Operand,
    component: u8,
    def: Def,
) -> Result<()> {
    let array = local_array(c, key);
    let row = match register_index(c, operand)? {
        IndexValue::Known(known) if known >= array.count => return Ok(()),
        known @ IndexValue::Known(_) => known,
        IndexValue::Value(index) => IndexValue::Value(clamped(c, index, array.count)?),
    };
    let pointer = register_word(c, array, row, component)?;
    let value = c.as_int(def);
    c.run(Inst::Store {
        pointer,
        value,
        align: 4,
        volatile: false,
    });
    Ok(())
}

/// Reads a register of the outputs that are memory, by number.
pub(super) fn load_output(
    c: &mut FunctionConverter<'_, '_>,
    register: u32,
    component: u8,
) -> Result<Def> {
    let array = local_array(c, (u32::from(File::Output as u8), 0));
    if register >= array.count {
        return Ok(Def::Bits(0));
    }
    let pointer = register_word(c, array, IndexValue::Known(register), component)?;
    let ty = c.i32();
    let inst = Inst::Load {
        pointer,
        align: 4,
        volatile: false,
    };
    Ok(Def::Int(c.emit(inst, ty)))
}

/// Returns the variable of group-shared memory that an operand names.
pub(super) fn group_array(
    c: &mut FunctionConverter<'_, '_>,
    operand: &Operand,
) -> Result<GroupArray> {
    let id = operand.first_index();
    if let Some(&known) = c.shared.group_arrays.get(&id) {
        return Ok(known);
    }
    let Some(declared) = c.declarations.group_shared.get(&id) else {
        return Err(Error::malformed("group-shared memory that is not declared"));
    };
    let int = c.i32();
    let ty = c
        .shared
        .module
        .array(int, declared.bytes.div_ceil(4).max(1));
    let undef = c.shared.module.undef(ty);
    let module = &mut c.shared.module;
    let pointer = module.global(format!("g{id}"), ty, GROUP_SHARED, Some(undef));
    let array = GroupArray {
        pointer,
        stride: declared.stride,
    };
    c.shared.group_arrays.insert(id, array);
    Ok(array)
}

/// Returns the index of a word from an index of an element and a byte offset.
pub(super) fn group_word(
    c: &mut FunctionConverter<'_, '_>,
    array: GroupArray,
    index: Def,
    offset: Option<Def>,
) -> ValueId {
    let ty = c.i32();
    let two = c.int(2);
    let words = |c: &mut FunctionConverter<'_, '_>, bytes: Def| match bytes {
        // D3D11.3 functional specification, 7.13: addresses are aligned to 32 bits, so the low two
        // bits do not count.
        Def::Bits(bits) => c.int(bits / 4),
        _ => {
            let bytes = c.as_int(bytes);
            c.binary(BinaryOp::LShr, ty, bytes, two)
        }
    };
    let Some(stride) = array.stride else {
        return words(c, index);
    };
    let index = c.as_int(index);
    let stride = c.int(stride / 4);
    let first = c.binary(BinaryOp::Mul, ty, index, stride);
    match offset {
        None | Some(Def::Bits(0)) => first,
        Some(offset) => {
            let offset = words(c, offset);
            c.binary(BinaryOp::Add, ty, first, offset)
        }
    }
}

/// Returns the address of a word some words after another.
pub(super) fn group_address(
    c: &mut FunctionConverter<'_, '_>,
    array: GroupArray,
    first: ValueId,
    words: u32,
) -> Result<ValueId> {
    let ty = c.i32();
    let mut at = first;
    if words != 0 {
        let words = c.int(words);
        at = c.binary(BinaryOp::Add, ty, first, words);
    }
    word(c, array.pointer, GROUP_SHARED, at)
}

/// Reads a word.
pub(super) fn load_group(c: &mut FunctionConverter<'_, '_>, pointer: ValueId) -> Def {
    let ty = c.i32();
    let inst = Inst::Load {
        pointer,
        align: 4,
        volatile: false,
    };
    Def::Int(c.emit(inst, ty))
}

/// Writes a word.
pub(super) fn store_group(c: &mut FunctionConverter<'_, '_>, pointer: ValueId, def: Def) {
    let value = c.as_int(def);
    c.run(Inst::Store {
        pointer,
        value,
        align: 4,
        volatile: false,
    });
}

/// Changes a word as one step; gives the old value.
pub(super) fn atomic_group(
    c: &mut FunctionConverter<'_, '_>,
    op: AtomicRmwOp,
    pointer: ValueId,
    value: ValueId,
) -> ValueId {
    let ty = c.i32();
    c.emit(
        Inst::AtomicRmw {
            op,
            pointer,
            value,
            // D3D11.3 functional specification, 7.14.2: atomic operations imply no fence.
            ordering: AtomicOrdering::Monotonic,
            volatile: false,
        },
        ty,
    )
}

/// Exchanges a word if it has a value; gives the old value.
pub(super) fn compare_exchange_group(
    c: &mut FunctionConverter<'_, '_>,
    pointer: ValueId,
    compare: ValueId,
    value: ValueId,
) -> Result<ValueId> {
    let (int, bool) = (c.i32(), c.i1());
    let pair = c.shared.module.ty(crate::ir::Type::Struct {
        name: None,
        fields: smallvec::smallvec![int, bool],
        packed: false,
        opaque: false,
    });
    let result = c.emit(
        Inst::CmpXchg {
            pointer,
            compare,
            value,
            // D3D11.3 functional specification, 7.14.2: atomic operations imply no fence.
            ordering: AtomicOrdering::Monotonic,
            volatile: false,
        },
        pair,
    );
    c.member(result, 0, int)
}
