//! Records of work graph nodes in memory. A pointer to one (address space 6 of the IR) is a device address, a
//! 64-bit integer: address arithmetic is that of integers, and phis and selects need nothing more. Loads and
//! stores go scalar by scalar, laid out as the module's data layout says, which is what DXC measures records by.

use dxil_frontend::ir::{Type, TypeId, ValueId};

use crate::lower::Lowering;
use crate::lower::memory::variables::Pointer;
use crate::lower::types::Scalar;
use crate::options::Features;
use crate::spirv::{Capability, Decoration, Id, MemoryAccess, Op, StorageClass};
use crate::{Error, Result};

/// Address space of node records (DXIL.rst, "Address spaces").
pub(in crate::lower) const NODE_RECORD: u32 = 6;

impl Lowering<'_> {
    /// Whether a type is a pointer to a record or into one.
    pub(in crate::lower) fn is_record_type(&self, ty: TypeId) -> bool {
        matches!(
            *self.view.module.types.get(ty),
            Type::Pointer {
                address_space: NODE_RECORD,
                ..
            }
        )
    }

    /// Whether a value is a pointer to a record or into one.
    pub(in crate::lower) fn is_record_pointer(&self, value: ValueId) -> bool {
        self.view
            .type_of(value)
            .is_some_and(|ty| self.is_record_type(ty))
    }

    /// An address in a record as a pointer.
    pub(in crate::lower) fn record_pointer(&self, address: Id, ty: TypeId) -> Result<Pointer> {
        let pointee = self.view.module.types.pointee(ty);
        let pointee = pointee.ok_or_else(|| Error::malformed("a record that is no pointer"))?;
        Ok(Pointer::Address { address, pointee })
    }

    /// Address and type after `getelementptr`.
    pub(in crate::lower) fn address_gep(
        &mut self,
        mut address: Id,
        mut pointee: TypeId,
        indices: &[ValueId],
    ) -> Result<(Id, TypeId)> {
        let mut offset: u64 = 0;
        for (position, &index) in indices.iter().enumerate() {
            if position > 0 {
                let types = &self.view.module.types;
                pointee = match types.get(pointee) {
                    Type::Struct { fields, .. } => {
                        let member = self.constant_int(index).unwrap_or(u64::MAX) as usize;
                        let Some(&field) = fields.get(member) else {
                            return Err(Error::malformed(
                                "getelementptr to a field that is not there",
                            ));
                        };
                        let bytes = self.memory.layout.field_offset(types, pointee, member);
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
            let size = self.memory.layout.size(&self.view.module.types, pointee);
            if let Some(literal) = self.constant_int(index) {
                // Indices are signed.
                let literal = i64::from(literal as u32 as i32) as u64;
                offset = offset.wrapping_add(literal.wrapping_mul(size));
                continue;
            }
            let at = self.to_u32(index)?;
            let wide = self.b.uint(64);
            let at = self.b.emit(Op::SConvert, wide, &[at]);
            let size = self.b.const_uint(64, size);
            let step = self.b.emit(Op::IMul, wide, &[at, size]);
            address = self.b.emit(Op::IAdd, wide, &[address, step]);
        }
        Ok((self.behind(address, offset), pointee))
    }

    /// The address so many bytes further.
    pub(in crate::lower) fn behind(&mut self, address: Id, bytes: u64) -> Id {
        if bytes == 0 {
            return address;
        }
        let wide = self.b.uint(64);
        let bytes = self.b.const_uint(64, bytes);
        self.b.emit(Op::IAdd, wide, &[address, bytes])
    }

    /// A pointer to a scalar of that SPIR-V type at an address.
    pub(in crate::lower) fn scalar_at(&mut self, address: Id, ty: Id) -> Id {
        let block = self.record_block(ty);
        let class = StorageClass::PhysicalStorageBuffer;
        let block_ty = self.b.pointer(class, block);
        let base = self.b.emit(Op::ConvertUToPtr, block_ty, &[address]);
        let pointer_ty = self.b.pointer(class, ty);
        let zero = self.b.const_u32(0);
        self.b.access_chain(pointer_ty, base, &[zero])
    }

    /// A block of one scalar. It is coherent where barriers hand records from thread to thread.
    fn record_block(&mut self, ty: Id) -> Id {
        if let Some(&block) = self.nodes.blocks.get(&ty) {
            return block;
        }
        let block = self.b.unique_struct(&[ty]);
        self.b.decorate(block, Decoration::Block, &[]);
        self.b.member_decorate(block, 0, Decoration::Offset, &[0]);
        if self.nodes.coherent {
            self.b.member_decorate(block, 0, Decoration::Coherent, &[]);
        }
        self.nodes.blocks.insert(ty, block);
        block
    }

    /// Loads a 32-bit word at an address.
    pub(in crate::lower) fn load_word_at(&mut self, address: Id) -> Id {
        let word = self.b.u32();
        self.load_scalar_at(address, word, 4)
    }

    /// Loads a scalar of a SPIR-V type at an address.
    pub(in crate::lower) fn load_scalar_at(&mut self, address: Id, ty: Id, bytes: u32) -> Id {
        let pointer = self.scalar_at(address, ty);
        let access = MemoryAccess::ALIGNED.bits();
        self.b.emit(Op::Load, ty, &[pointer.0, access, bytes])
    }

    /// Stores a scalar of a SPIR-V type at an address.
    pub(in crate::lower) fn store_scalar_at(&mut self, address: Id, ty: Id, bytes: u32, value: Id) {
        let pointer = self.scalar_at(address, ty);
        let access = MemoryAccess::ALIGNED.bits();
        self.b
            .emit_void(Op::Store, &[pointer.0, value.0, access, bytes]);
    }

    /// Loads a value of an IR type at an address.
    pub(in crate::lower) fn load_record(&mut self, address: Id, ty: TypeId) -> Result<Id> {
        if let Some(members) = self.members(ty)? {
            let mut ids = Vec::with_capacity(members.len());
            for (offset, member) in members {
                let at = self.behind(address, offset);
                ids.push(self.load_record(at, member)?);
            }
            let ty = self.ty(ty)?;
            return Ok(self.b.construct(ty, &ids));
        }
        let (scalar, memory_ty, bits) = self.record_scalar(ty)?;
        let loaded = self.load_scalar_at(address, memory_ty, bits / 8);
        match scalar {
            Scalar::Float { width, .. } if width == bits => Ok(loaded),
            _ => self.from_bits(scalar, loaded, bits),
        }
    }

    /// Stores a value of an IR type at an address.
    pub(in crate::lower) fn store_record(
        &mut self,
        address: Id,
        ty: TypeId,
        value: Id,
    ) -> Result<()> {
        if let Some(members) = self.members(ty)? {
            for (position, (offset, member)) in members.into_iter().enumerate() {
                let at = self.behind(address, offset);
                let member_ty = self.ty(member)?;
                let part = self.b.extract(member_ty, value, position as u32);
                self.store_record(at, member, part)?;
            }
            return Ok(());
        }
        let (scalar, memory_ty, bits) = self.record_scalar(ty)?;
        let value = match scalar {
            Scalar::Float { width, .. } if width == bits => value,
            _ => self.to_bits(scalar, value, bits)?,
        };
        self.store_scalar_at(address, memory_ty, bits / 8, value);
        Ok(())
    }

    /// A scalar, the SPIR-V type it has in memory, and its bits there.
    fn record_scalar(&mut self, ty: TypeId) -> Result<(Scalar, Id, u32)> {
        let scalar = self.scalar(ty)?;
        let bits = (self.memory.layout.size(&self.view.module.types, ty) * 8) as u32;
        if bits == 16 {
            self.need_feature(Features::STORAGE_16BIT, "storageBuffer16BitAccess", || {
                "16-bit members of a node's record".to_owned()
            })?;
            self.b.capability(Capability::StorageBuffer16BitAccess);
            self.b
                .extension_before(0x0001_0300, "SPV_KHR_16bit_storage");
        }
        let memory_ty = match scalar {
            Scalar::Float { width, .. } if width == bits => self.scalar_ty(scalar)?,
            _ => {
                let (feature, name) = match bits {
                    16 => (Features::INT16, "shaderInt16"),
                    32 | 64 => return Ok((scalar, self.b.uint(bits), bits)),
                    _ => {
                        return Err(Error::unsupported(format!(
                            "a member of {bits} bits in a node's record"
                        )));
                    }
                };
                self.need_feature(feature, name, || {
                    "16-bit members of a node's record".to_owned()
                })?;
                self.b.uint(bits)
            }
        };
        Ok((scalar, memory_ty, bits))
    }
}
