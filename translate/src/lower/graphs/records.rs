//! Records of work graph nodes in memory. A pointer to one (address space 6 of the IR) is a device
//! address, a 64-bit integer: address arithmetic is that of integers, and phis and selects need
//! nothing more. Loads and stores go scalar by scalar. The layout is that of the module's data
//! layout string, from which DXC computes the size of records.

use dxil_frontend::ir::{Type, TypeId, ValueId};

use crate::lower::context::{Context, Input};
use crate::lower::memory::cells;
use crate::lower::memory::state::Pointer;
use crate::lower::numbers::integers;
use crate::lower::type_map::Scalar;
use crate::lower::types;
use crate::options::Features;
use crate::spirv::{Builder, Capability, Decoration, Id, MemoryAccess, Op, StorageClass};
use crate::{Error, Result};

/// Returns an address in a record as a pointer.
pub(in crate::lower) fn record_pointer(
    input: &Input<'_>,
    address: Id,
    ty: TypeId,
) -> Result<Pointer> {
    let pointee = input.types().pointee(ty);
    let pointee = pointee.ok_or_else(|| Error::malformed("a record that is no pointer"))?;
    Ok(Pointer::Address { address, pointee })
}

/// Returns the address and type after `getelementptr`.
pub(in crate::lower) fn address_gep(
    cx: &mut Context<'_>,
    mut address: Id,
    mut pointee: TypeId,
    indices: &[ValueId],
) -> Result<(Id, TypeId)> {
    let mut offset: u64 = 0;
    for (position, &index) in indices.iter().enumerate() {
        if position > 0 {
            let types = cx.input.types();
            pointee = match types.get(pointee) {
                Type::Struct { fields, .. } => {
                    let member = cx.function.constant_int(index).unwrap_or(u64::MAX) as usize;
                    let Some(&field) = fields.get(member) else {
                        return Err(Error::malformed(
                            "getelementptr to a field that does not exist",
                        ));
                    };
                    let bytes = cx
                        .input
                        .analyses
                        .layout
                        .field_offset(types, pointee, member);
                    offset = offset.wrapping_add(bytes);
                    pointee = field;
                    continue;
                }
                Type::Array { element, .. } | Type::Vector { element, .. } => *element,
                other => {
                    return Err(Error::malformed(format!("getelementptr into {other:?}")));
                }
            };
        }
        let size = cx.input.analyses.layout.size(cx.input.types(), pointee);
        if let Some(literal) = cx.function.constant_int(index) {
            // LLVM's indices are signed, and records may be addressed backward; the constant is
            // stored zero-extended.
            let literal = i64::from(literal as u32 as i32) as u64;
            offset = offset.wrapping_add(literal.wrapping_mul(size));
            continue;
        }
        let at = integers::to_u32(cx, index)?;
        let wide = cx.b.uint(64);
        let at = cx.b.emit(Op::SConvert, wide, &[at]);
        let size = cx.b.const_uint(64, size);
        let step = cx.b.emit(Op::IMul, wide, &[at, size]);
        address = cx.b.emit(Op::IAdd, wide, &[address, step]);
    }
    Ok((behind(&mut cx.b, address, offset), pointee))
}

/// Returns an address plus a number of bytes.
pub(super) fn behind(b: &mut Builder, address: Id, bytes: u64) -> Id {
    if bytes == 0 {
        return address;
    }
    let wide = b.uint(64);
    let bytes = b.const_uint(64, bytes);
    b.emit(Op::IAdd, wide, &[address, bytes])
}

/// Returns a pointer to a scalar of that SPIR-V type at an address.
pub(in crate::lower) fn scalar_at(cx: &mut Context<'_>, address: Id, ty: Id) -> Id {
    let block = record_block(cx, ty);
    let class = StorageClass::PhysicalStorageBuffer;
    // Offset and coherence are decorations of a block's member, so the scalar is wrapped in a
    // block.
    let block_ty = cx.b.pointer(class, block);
    let base = cx.b.emit(Op::ConvertUToPtr, block_ty, &[address]);
    let pointer_ty = cx.b.pointer(class, ty);
    let zero = cx.b.const_u32(0);
    cx.b.access_chain(pointer_ty, base, &[zero])
}

/// Returns a block of one scalar. It is coherent where barriers hand records from thread to thread.
fn record_block(cx: &mut Context<'_>, ty: Id) -> Id {
    if let Some(&block) = cx.module.nodes.blocks.get(&ty) {
        return block;
    }
    let block = cx.b.unique_struct(&[ty]);
    cx.b.decorate(block, Decoration::Block, &[]);
    cx.b.member_decorate(block, 0, Decoration::Offset, &[0]);
    if cx.input.analyses.node_records.coherent {
        cx.b.member_decorate(block, 0, Decoration::Coherent, &[]);
    }
    cx.module.nodes.blocks.insert(ty, block);
    block
}

/// Loads a 32-bit word at an address.
pub(in crate::lower) fn load_word_at(cx: &mut Context<'_>, address: Id) -> Id {
    let word = cx.b.u32();
    load_scalar_at(cx, address, word, 4)
}

/// Loads a scalar of a SPIR-V type at an address.
pub(super) fn load_scalar_at(cx: &mut Context<'_>, address: Id, ty: Id, bytes: u32) -> Id {
    let pointer = scalar_at(cx, address, ty);
    // VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708; the alignment is that of the scalar, as
    // in the data layout.
    let access = MemoryAccess::ALIGNED.bits();
    cx.b.emit(Op::Load, ty, &[pointer.0, access, bytes])
}

/// Stores a scalar of a SPIR-V type at an address.
pub(super) fn store_scalar_at(cx: &mut Context<'_>, address: Id, ty: Id, bytes: u32, value: Id) {
    let pointer = scalar_at(cx, address, ty);
    let access = MemoryAccess::ALIGNED.bits();
    cx.b.emit_void(Op::Store, &[pointer.0, value.0, access, bytes]);
}

/// Loads a value of an IR type at an address.
pub(in crate::lower) fn load_record(cx: &mut Context<'_>, address: Id, ty: TypeId) -> Result<Id> {
    // Records are accessed scalar by scalar: their layout need not be one that SPIR-V allows for
    // the aggregate.
    if let Some(members) = cells::members_of(cx, ty)? {
        let mut ids = Vec::with_capacity(members.len());
        for (offset, member) in members {
            let at = behind(&mut cx.b, address, offset);
            ids.push(load_record(cx, at, member)?);
        }
        let ty = types::lower(cx, ty)?;
        return Ok(cx.b.construct(ty, &ids));
    }
    let (scalar, memory_ty, bits) = record_scalar(cx, ty)?;
    let loaded = load_scalar_at(cx, address, memory_ty, bits / 8);
    match scalar {
        Scalar::Float { width, .. } if width == bits => Ok(loaded),
        _ => cells::from_bits(cx, scalar, loaded, bits),
    }
}

/// Stores a value of an IR type at an address.
pub(in crate::lower) fn store_record(
    cx: &mut Context<'_>,
    address: Id,
    ty: TypeId,
    value: Id,
) -> Result<()> {
    if let Some(members) = cells::members_of(cx, ty)? {
        for (position, (offset, member)) in members.into_iter().enumerate() {
            let at = behind(&mut cx.b, address, offset);
            let member_ty = types::lower(cx, member)?;
            let part = cx.b.extract(member_ty, value, position as u32);
            store_record(cx, at, member, part)?;
        }
        return Ok(());
    }
    let (scalar, memory_ty, bits) = record_scalar(cx, ty)?;
    let value = match scalar {
        Scalar::Float { width, .. } if width == bits => value,
        _ => cells::to_bits(&mut cx.b, scalar, value, bits)?,
    };
    store_scalar_at(cx, address, memory_ty, bits / 8, value);
    Ok(())
}

/// Returns a scalar, the SPIR-V type it has in memory, and its bits there.
fn record_scalar(cx: &mut Context<'_>, ty: TypeId) -> Result<(Scalar, Id, u32)> {
    let scalar = types::scalar(cx, ty)?;
    let bits = (cx.input.analyses.layout.size(cx.input.types(), ty) * 8) as u32;
    if bits == 16 {
        cx.input
            .need_feature(Features::STORAGE_16BIT, "storageBuffer16BitAccess", || {
                "16-bit members of a node's record".to_owned()
            })?;
        cx.b.capability(Capability::StorageBuffer16BitAccess);
        cx.b.extension_before(0x0001_0300, "SPV_KHR_16bit_storage");
    }
    let memory_ty = match scalar {
        Scalar::Float { width, .. } if width == bits => types::scalar_ty(cx, scalar)?,
        _ => {
            let (feature, name) = match bits {
                16 => (Features::INT16, "shaderInt16"),
                32 | 64 => return Ok((scalar, cx.b.uint(bits), bits)),
                _ => {
                    return Err(Error::unsupported(format!(
                        "a member of {bits} bits in a node's record"
                    )));
                }
            };
            cx.input.need_feature(feature, name, || {
                "16-bit members of a node's record".to_owned()
            })?;
            cx.b.uint(bits)
        }
    };
    Ok((scalar, memory_ty, bits))
}
