//! Instruction records: each becomes one instruction, with the type of its result.

use super::fields::Fields;
use super::{BodyDecoder, OldExchange, code};
use crate::bitcode::codes;
use crate::bitcode::constants::{list, predicate, value_id};
use crate::bitcode::stream::Record;
use crate::error::Result;
use crate::ir::{CallSite, FastMath, Inst, List, Type, TypeId, ValueId};

/// A value number that a metadata argument gets until the function's last number is known.
const METADATA_PLACEHOLDER: u32 = u32::MAX - 1;

impl BodyDecoder<'_> {
    pub(super) fn decode_binary(&mut self, fields: &mut Fields<'_, '_>) -> Result<()> {
        let record = fields.record;
        let (lhs, ty) = self.typed_value(fields)?;
        let rhs = self.value(fields)?;
        let is_float = self.types.table.is_float(self.types.table.scalar_of(ty));
        // `is_float` picks the operation: bitcode has one number for `add` and `fadd`.
        let op = codes::binary_op(fields.next()?, is_float)
            .ok_or_else(|| record.malformed("unknown arithmetic"))?;
        let flags = fields.optional().unwrap_or(0);
        fields.end()?;
        let fast_math = if is_float {
            fast_math(flags)
        } else {
            codes::integer_flags(op, flags)
        };
        self.push(
            Inst::Binary {
                op,
                fast_math,
                lhs,
                rhs,
            },
            ty,
            record,
        )
    }

    pub(super) fn decode_compare(&mut self, fields: &mut Fields<'_, '_>) -> Result<()> {
        let record = fields.record;
        let (lhs, ty) = self.typed_value(fields)?;
        let rhs = self.value(fields)?;
        let predicate = predicate(record, fields.at)?;
        // Predicates of integers begin at 32. They have no flags.
        let flags = match fields.next()? {
            0..32 => fields.optional().unwrap_or(0),
            _ => 0,
        };
        fields.end()?;
        let result = self.types.bool_like(ty);
        self.push(
            Inst::Cmp {
                predicate,
                fast_math: fast_math(flags),
                lhs,
                rhs,
            },
            result,
            record,
        )
    }

    pub(super) fn member_indices(
        &mut self,
        fields: &mut Fields<'_, '_>,
        mut ty: TypeId,
    ) -> Result<(List<u32>, TypeId)> {
        let record = fields.record;
        let start = self.function.number_pool.len();
        while let Some(index) = fields.optional() {
            // `extractvalue` and `insertvalue` index statically, so LLVM requires the index to lie
            // inside; `getelementptr` may go beyond an array.
            if matches!(*self.types.get(ty), Type::Array { count, .. } if index >= count) {
                return Err(record.malformed("a member index is beyond the array"));
            }
            ty = match self.types.get(ty) {
                // LLVM language reference, "'extractvalue' Instruction": the operand is a structure
                // or an array.
                Type::Vector { .. } => None,
                _ => self.types.member(ty, Some(index)),
            }
            .ok_or_else(|| record.malformed("a member index names no member"))?;
            self.function.number_pool.push(index);
        }
        let end = self.function.number_pool.len();
        if start == end {
            return Err(record.malformed("an access of a member has no index"));
        }
        Ok((list(start, end, record)?, ty))
    }

    pub(super) fn decode_gep(&mut self, code: u32, fields: &mut Fields<'_, '_>) -> Result<()> {
        let record = fields.record;
        let mut inbounds = code == code::INBOUNDS_GEP_OLD;
        let mut claimed = None;
        if code == code::GEP {
            // This record names the source type; the two older ones leave it to the pointer.
            inbounds = fields.next()? != 0;
            claimed = Some(self.types.by_number(fields.next()?, record)?);
        }
        let (base, base_ty) = self.typed_value(fields)?;
        let Type::Pointer {
            pointee,
            address_space,
        } = *self.types.get(base_ty)
        else {
            // `Unsupported`: LLVM also allows vectors of pointers here, which DXIL does not use.
            return Err(record.unsupported("address arithmetic on something other than a pointer"));
        };
        if claimed.is_some_and(|claimed| claimed != pointee) {
            return Err(record.malformed("address arithmetic names another type than its pointer"));
        }
        let start = self.function.value_pool.len();
        self.function.value_pool.push(base);
        let mut ty = pointee;
        let mut is_first = true;
        while !fields.is_empty() {
            let (index, _) = self.typed_value(fields)?;
            self.function.value_pool.push(index);
            // The first index steps over whole objects and does not select a member.
            if !is_first {
                ty = self
                    .types
                    .member(ty, self.constant_int(index))
                    .ok_or_else(|| {
                        record.malformed("an index of address arithmetic names no member")
                    })?;
            }
            is_first = false;
        }
        if is_first {
            return Err(record.malformed("address arithmetic has no index"));
        }
        let operands = list(start, self.function.value_pool.len(), record)?;
        let result = self.types.pointer_to(ty, address_space);
        self.push(Inst::Gep { inbounds, operands }, result, record)
    }

    pub(super) fn decode_load(&mut self, fields: &mut Fields<'_, '_>) -> Result<()> {
        let record = fields.record;
        let (pointer, pointer_ty) = self.typed_value(fields)?;
        let Some(pointee) = self.types.table.pointee(pointer_ty) else {
            return Err(record.malformed("a load from something other than a pointer"));
        };
        // The explicit type is optional; only the number of fields tells whether it is there.
        if fields.left() == 3 {
            let ty = self.types.by_number(fields.next()?, record)?;
            if ty != pointee {
                return Err(record.malformed("a load names another type than its pointer"));
            }
        }
        let align = fields.alignment()?;
        let volatile = fields.next()? != 0;
        fields.end()?;
        self.push(
            Inst::Load {
                pointer,
                align,
                volatile,
            },
            pointee,
            record,
        )
    }

    pub(super) fn decode_store(&mut self, code: u32, fields: &mut Fields<'_, '_>) -> Result<()> {
        let record = fields.record;
        let (pointer, _) = self.typed_value(fields)?;
        let value = if code == code::STORE {
            self.typed_value(fields)?.0
        } else {
            self.value(fields)?
        };
        let align = fields.alignment()?;
        let volatile = fields.next()? != 0;
        fields.end()?;
        self.push(
            Inst::Store {
                pointer,
                value,
                align,
                volatile,
            },
            self.void,
            record,
        )
    }

    pub(super) fn decode_alloca(&mut self, fields: &mut Fields<'_, '_>) -> Result<()> {
        // Bits of the last field beside the alignment: 5 inalloca, 6 the type is not a pointer.
        const EXPLICIT_TYPE: u64 = 1 << 6;
        const IN_ALLOCA: u64 = 1 << 5;
        let record = fields.record;
        let mut allocated = self.types.by_number(fields.next()?, record)?;
        self.types.by_number(fields.next()?, record)?;
        // An absolute number, unlike most operands.
        let count = value_id(fields.u32()?, record)?;
        self.note_use(count);
        let flags = fields.next()?;
        fields.end()?;
        let align = codes::alignment(flags & !(EXPLICIT_TYPE | IN_ALLOCA))
            .ok_or_else(|| record.malformed("an alignment is too large"))?;
        if flags & EXPLICIT_TYPE == 0 {
            allocated = self
                .types
                .table
                .pointee(allocated)
                .ok_or_else(|| record.malformed("an alloca's type is not a pointer"))?;
        }
        // In LLVM 3.7 the stack is always in address space 0.
        let ty = self.types.pointer_to(allocated, 0);
        self.push(
            Inst::Alloca {
                allocated,
                count,
                align,
            },
            ty,
            record,
        )
    }

    pub(super) fn decode_branch(&mut self, fields: &mut Fields<'_, '_>) -> Result<()> {
        let record = fields.record;
        let if_true = self.block(fields.next()?, record)?;
        // One field is an unconditional branch, three are a conditional one.
        let inst = if fields.is_empty() {
            Inst::Br { target: if_true }
        } else {
            let if_false = self.block(fields.next()?, record)?;
            let condition = self.value(fields)?;
            fields.end()?;
            Inst::CondBr {
                condition,
                if_true,
                if_false,
            }
        };
        self.push(inst, self.void, record)
    }

    pub(super) fn decode_switch(&mut self, fields: &mut Fields<'_, '_>) -> Result<()> {
        /// Marks a form with case ranges that LLVM wrote for a short while in 2012.
        const RANGES_MAGIC: u64 = 0x4b5;
        let record = fields.record;
        let ty = fields.next()?;
        // As LLVM's reader, looks for the mark in the high half of the first field, where a type id
        // of a normal switch has zeros.
        if ty >> 16 == RANGES_MAGIC {
            return Err(record.unsupported("switches with case ranges"));
        }
        self.types.by_number(ty, record)?;
        let value = self.value(fields)?;
        let default = self.block(fields.next()?, record)?;
        let start = self.function.edge_pool.len();
        while !fields.is_empty() {
            // Case values are absolute numbers, unlike most operands. `verify` takes only
            // constants.
            let case = value_id(fields.u32()?, record)?;
            let target = self.block(fields.next()?, record)?;
            self.function.edge_pool.push((case, target));
        }
        let cases = list(start, self.function.edge_pool.len(), record)?;
        self.push(
            Inst::Switch {
                value,
                default,
                cases,
            },
            self.void,
            record,
        )
    }

    pub(super) fn decode_phi(&mut self, fields: &mut Fields<'_, '_>) -> Result<()> {
        let record = fields.record;
        let ty = self.types.by_number(fields.next()?, record)?;
        let start = self.function.edge_pool.len();
        while !fields.is_empty() {
            // Signed, since a phi's values often lie ahead.
            let delta = codes::unrotate_sign(fields.next()?) as i64;
            let number = i64::from(self.next_value).wrapping_sub(delta);
            let number = u32::try_from(number)
                .map_err(|_| record.malformed("a value number is out of range"))?;
            let block = self.block(fields.next()?, record)?;
            self.function
                .edge_pool
                .push((value_id(number, record)?, block));
        }
        let incoming = list(start, self.function.edge_pool.len(), record)?;
        self.push(Inst::Phi { incoming }, ty, record)
    }

    pub(super) fn decode_call(&mut self, fields: &mut Fields<'_, '_>) -> Result<()> {
        const EXPLICIT_TYPE: u64 = 1 << 15;
        let record = fields.record;
        let attributes = fields.next()?;
        let convention = fields.next()?;
        let claimed = if convention & EXPLICIT_TYPE != 0 {
            Some(self.types.by_number(fields.next()?, record)?)
        } else {
            None
        };
        let (callee, callee_ty) = self.typed_value(fields)?;
        let function_ty = self
            .types
            .table
            .pointee(callee_ty)
            .ok_or_else(|| record.malformed("a call of something other than a function"))?;
        if claimed.is_some_and(|claimed| claimed != function_ty) {
            return Err(record.malformed("a call names another type than its function"));
        }
        let Type::Function {
            ret,
            params,
            vararg,
        } = self.types.get(function_ty)
        else {
            return Err(record.malformed("a call of something other than a function"));
        };
        let (ret, vararg) = (*ret, *vararg);
        let pool = &mut self.function.value_pool;
        let start = pool.len();
        for &param in params {
            let arg = match self.types.get(param) {
                Type::Metadata => {
                    // Relative like any operand, although the number counts metadata nodes.
                    let number = self.next_value.wrapping_sub(fields.u32()?);
                    let node = self.numbering.resolve(u64::from(number), record)?;
                    self.metadata_args.push((pool.len(), param, node));
                    ValueId::from_u32(METADATA_PLACEHOLDER)
                }
                // LLVM writes a block's number here instead of a value's.
                Type::Label => return Err(record.unsupported("a block as an argument")),
                _ => {
                    let arg = fields.value(self.next_value)?;
                    let insts = &self.function.insts;
                    self.uses.note(arg, self.next_value, || insts.next_key());
                    arg
                }
            };
            pool.push(arg);
        }
        // Arguments beyond the parameters carry their types, since no parameter gives them.
        if vararg {
            while !fields.is_empty() {
                let (arg, _) = self.typed_value(fields)?;
                self.function.value_pool.push(arg);
            }
        }
        fields.end()?;
        let args = list(start, self.function.value_pool.len(), record)?;
        self.note_call_site(attributes, convention);
        self.push(
            Inst::Call {
                callee,
                args,
                // LLVM language reference, "Fast-Math Flags": calls have none in LLVM 3.7.
                fast_math: FastMath::empty(),
            },
            ret,
            record,
        )
    }

    /// Keeps attributes and calling convention of the call that comes next, if it has any.
    fn note_call_site(&mut self, attributes: u64, convention: u64) {
        // Bits of the field beside the convention: 0 and 14 tail calls, 15 explicit type.
        let convention = codes::convention(convention >> 1 & 0x1fff);
        // As in LLVM's reader, a set that does not exist is empty.
        let attributes = u32::try_from(attributes)
            .ok()
            .filter(|set| *set as usize <= self.attribute_sets);
        let site = CallSite {
            attributes: attributes.unwrap_or(0),
            convention,
        };
        if site != CallSite::default() {
            let call = self.function.insts.next_key();
            self.function.call_sites.push((call, site));
        }
    }

    pub(super) fn decode_vector(&mut self, code: u32, fields: &mut Fields<'_, '_>) -> Result<()> {
        let record = fields.record;
        let (vector, ty) = self.typed_value(fields)?;
        let Type::Vector { element, .. } = *self.types.get(ty) else {
            return Err(record.malformed("a vector operation on something other than a vector"));
        };
        match code {
            code::EXTRACT_ELEMENT => {
                let (index, _) = self.typed_value(fields)?;
                fields.end()?;
                self.push(Inst::ExtractElement { vector, index }, element, record)
            }
            code::INSERT_ELEMENT => {
                let value = self.value(fields)?;
                let (index, _) = self.typed_value(fields)?;
                fields.end()?;
                self.push(
                    Inst::InsertElement {
                        vector,
                        value,
                        index,
                    },
                    ty,
                    record,
                )
            }
            _ => {
                let b = self.value(fields)?;
                let (mask, mask_ty) = self.typed_value(fields)?;
                fields.end()?;
                let Type::Vector { count, .. } = *self.types.get(mask_ty) else {
                    return Err(record.malformed("a shuffle's mask is not a vector"));
                };
                // The mask's length, not that of the operands, is the length of the result.
                let ty = self.types.vector_of(element, count);
                self.push(Inst::ShuffleVector { a: vector, b, mask }, ty, record)
            }
        }
    }

    pub(super) fn decode_atomic(&mut self, code: u32, fields: &mut Fields<'_, '_>) -> Result<()> {
        let record = fields.record;
        if code == code::FENCE {
            let ordering = fields.ordering()?;
            fields.next()?;
            fields.end()?;
            return self.push(Inst::Fence { ordering }, self.void, record);
        }
        let (pointer, pointer_ty) = self.typed_value(fields)?;
        if code == code::CMPXCHG {
            let (compare, ty) = self.typed_value(fields)?;
            return self.decode_exchange((pointer, compare, ty), fields);
        }
        if code == code::CMPXCHG_OLD {
            let ty = self.types.table.pointee(pointer_ty).ok_or_else(|| {
                record.malformed("an atomic operation on something other than a pointer")
            })?;
            let compare = self.value(fields)?;
            return self.decode_exchange((pointer, compare, ty), fields);
        }
        let Some(ty) = self.types.table.pointee(pointer_ty) else {
            return Err(record.malformed("an atomic operation on something other than a pointer"));
        };
        let value = self.value(fields)?;
        let op = codes::atomic_op(fields.next()?)
            .ok_or_else(|| record.malformed("unknown atomic operation"))?;
        let volatile = fields.next()? != 0;
        let ordering = fields.ordering()?;
        fields.next()?;
        fields.end()?;
        self.push(
            Inst::AtomicRmw {
                op,
                pointer,
                value,
                ordering,
                volatile,
            },
            ty,
            record,
        )
    }

    /// Decodes a compare-exchange after its pointer and comparand.
    fn decode_exchange(
        &mut self,
        (pointer, compare, ty): (ValueId, ValueId, TypeId),
        fields: &mut Fields<'_, '_>,
    ) -> Result<()> {
        let record = fields.record;
        let value = self.value(fields)?;
        let volatile = fields.next()? != 0;
        let ordering = fields.ordering()?;
        let exchange = Inst::CmpXchg {
            pointer,
            compare,
            value,
            ordering,
            volatile,
        };
        let i1 = self.types.i1();
        // LLVM language reference, "'cmpxchg' Instruction": the result is the old value and whether
        // the exchange took place.
        let pair = self.types.pair_of(ty, i1);
        // Scope, order on failure, and whether it may fail for no reason. Records without the last
        // one are older than the pair: their result is the old value.
        let rest = std::iter::from_fn(|| fields.optional()).count();
        if rest >= 3 {
            self.push(exchange, pair, record)
        } else {
            self.push_old_exchange(exchange, pair, ty, record)
        }
    }

    /// Adds a compare-exchange and the instruction that takes the old value out of its result,
    /// which has the number of the record's value.
    fn push_old_exchange(
        &mut self,
        exchange: Inst,
        pair: TypeId,
        ty: TypeId,
        record: &Record<'_>,
    ) -> Result<()> {
        // The pair gets its number when those of the file are known.
        let inst = self.function.insts.next_key();
        self.push(exchange, self.void, record)?;
        let counted_as_one = u32::try_from(self.old_exchanges.len()).unwrap_or(u32::MAX);
        self.old_exchanges.push(OldExchange {
            exchange: inst,
            number: inst.as_u32().saturating_sub(counted_as_one),
            pair,
        });
        let start = self.function.number_pool.len();
        self.function.number_pool.push(0);
        let extract = Inst::ExtractValue {
            // Replaced by the pair once that has a number.
            aggregate: ValueId::from_u32(self.function.first_value),
            indices: list(start, self.function.number_pool.len(), record)?,
        };
        self.push(extract, ty, record)
    }
}

fn fast_math(flags: u64) -> FastMath {
    // Flags of later LLVM versions only allow more optimization, so dropping unknown ones is safe.
    FastMath::from_bits_truncate((flags & 0xff) as u8)
}
