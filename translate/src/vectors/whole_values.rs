//! Vectors that stay whole: those that SPIR-V has, where that takes fewer words
//! ([`super::webs`]).
//!
//! A vector is known as a whole, as its elements, or as both. Arithmetic, phis, variables and
//! functions take it as a whole, and a computed index picks an element of it. What has no form for
//! vectors takes it apart: cross-lane operations, bit casts that change the number of elements.
//! Elements are extracted again in each block that needs them, because the definition of a vector
//! dominates its uses and one use does not dominate another. A vector that is built from elements
//! is put together once, where its last element is known, by a pseudo-operation.

use dxil_frontend::dxil::ops::{Callee, Group, Opcode, decode_opcode};
use dxil_frontend::ir::{Constant, FastMath, Inst, InstData, InstId, Type, TypeId, ValueId};

use crate::pseudo::PseudoOp;
use crate::vectors::rewrite::state::VectorRewrite;
use crate::vectors::rules::scalar_overload;
use crate::{Error, Result};

impl VectorRewrite<'_, '_, '_> {
    /// Returns whether a value is a vector that stays whole, or a constant that may.
    pub(super) fn is_kept(&self, value: ValueId) -> bool {
        self.kept.contains(&value)
            || self.old.constant(value).is_some()
                && self
                    .vector(value)
                    .is_some_and(|(_, count)| self.whole.keep(count))
    }

    /// Returns whether the elements of a vector are known wherever the vector is.
    pub(super) fn is_apart(&self, vector: ValueId) -> bool {
        self.old.constant(vector).is_some()
            || self.elements.contains_key(&vector) && !self.apart_here.contains(&vector)
    }

    /// Forgets the elements that were extracted in the block that ends.
    pub(super) fn leave_block(&mut self) {
        for vector in std::mem::take(&mut self.apart_here) {
            self.elements.remove(&vector);
        }
    }

    /// Notes the vectors that an instruction takes as wholes.
    pub(super) fn note_whole_uses(&mut self, data: &InstData) {
        let function = self.old.function;
        let takes_wholes = match data.inst {
            Inst::ExtractElement { index, .. } | Inst::InsertElement { index, .. } => {
                self.old.constant_int(index).is_none()
            }
            // It takes elements where these are known.
            Inst::ShuffleVector { .. } => false,
            Inst::Cast { value, .. } => {
                let count = |vector: Option<(TypeId, u32)>| vector.map(|(_, count)| count);
                count(self.vector(value)) == count(self.vector_type(data.ty))
            }
            Inst::Call { callee, args, .. } => {
                let args = function.values_of(args);
                match self
                    .old
                    .as_function(callee)
                    .map(|it| self.shader.callees[it])
                {
                    Some(Callee::DxOp(_)) => decode_opcode(self.old, args)
                        .is_ok_and(|opcode| self.takes_whole(opcode, data, args)),
                    _ => true,
                }
            }
            _ => true,
        };
        if takes_wholes {
            function.for_each_operand(&data.inst, |value| {
                if self.is_kept(value) {
                    self.whole_uses.insert(value);
                }
            });
        }
    }

    /// Returns whether an operation takes its vectors as wholes.
    pub(super) fn takes_whole(&self, opcode: Opcode, data: &InstData, args: &[ValueId]) -> bool {
        let vectors = data.result.expand().into_iter();
        let mut vectors = vectors.chain(args.iter().copied());
        vectors.any(|value| self.kept.contains(&value)) && self.has_whole_form(opcode, data, args)
    }

    /// Returns whether an operation can take its vectors as wholes. One that breaks DXIL's rules
    /// cannot.
    pub(super) fn has_whole_form(&self, opcode: Opcode, data: &InstData, args: &[ValueId]) -> bool {
        let mut vectors = args.iter().filter_map(|&arg| self.vector(arg));
        let Some((element, count)) = vectors.next() else {
            return false;
        };
        if !self.whole.keep(count) || !vectors.all(|vector| vector == (element, count)) {
            return false;
        }
        let types = &self.old.module.types;
        let scalar = types.get(element);
        let row = opcode.properties();
        let Some((_, overload)) = scalar_overload(scalar) else {
            return false;
        };
        if !row.overloads.allows_vectors_of(overload) {
            return false;
        }
        let given = match row.group {
            Group::Float | Group::Integer | Group::Bits | Group::Derivative => {
                match self.vector_type(data.ty) {
                    Some((given, length)) if length == count => types.get(given),
                    _ => return false,
                }
            }
            Group::Vector => types.get(data.ty),
            _ => return false,
        };
        match opcode.class() {
            "isSpecialFloat" => *given == Type::Int(1),
            "unaryBits" => *given == Type::Int(32),
            // Reductions of integers are chains.
            "vectorReduce" => given == scalar && *scalar == Type::Int(1),
            "rawBufferVectorStore" => *given == Type::Void,
            "unary" | "binary" | "tertiary" | "dot" => given == scalar,
            _ => false,
        }
    }

    /// Notes the loads from buffers whose vectors are used as wholes.
    pub(super) fn note_whole_loads(&mut self) {
        for data in self.old.function.insts.values() {
            if let Inst::ExtractValue { aggregate, indices } = data.inst
                && *self.old.function.indices_of(indices) == [0]
                && let Some(result) = data.result.expand()
                && self.whole_uses.contains(&result)
                && let Some(Type::Struct { fields, .. }) = self
                    .old
                    .type_of(aggregate)
                    .map(|ty| self.old.module.types.get(ty))
                && let [vector, status] = **fields
                && *self.old.module.types.get(status) == Type::Int(32)
                && let Some((element, _)) = self.vector_type(vector)
                && let Some((_, overload)) = scalar_overload(self.old.module.types.get(element))
                && Opcode::RawBufferVectorLoad
                    .properties()
                    .overloads
                    .allows_vectors_of(overload)
            {
                self.whole_loads.insert(aggregate);
            }
        }
    }

    /// Writes a load or store of a whole vector in a buffer, which moves element by element.
    pub(super) fn whole_access(&mut self, inst: InstId, data: &InstData) -> Result<()> {
        let mut elements = 0;
        self.old.function.for_each_operand(&data.inst, |value| {
            elements += self.vector(value).map_or(0, |(_, count)| count);
        });
        if let Type::Struct { fields, .. } = self.old.module.types.get(data.ty) {
            let vectors = fields.iter().filter_map(|&field| self.vector_type(field));
            elements += vectors.map(|(_, count)| count).sum::<u32>();
        }
        self.tables.spend(elements as usize)?;
        self.whole_call(inst, data)
    }

    /// Writes a call of an operation that takes its vectors as wholes.
    pub(super) fn whole_call(&mut self, inst: InstId, data: &InstData) -> Result<()> {
        let Inst::Call {
            callee,
            args,
            fast_math,
        } = data.inst
        else {
            return Err(Error::internal("a call that is none"));
        };
        let mut now = Vec::with_capacity(args.len as usize);
        for &arg in self.old.function.values_of(args) {
            now.push(match self.vector(arg) {
                Some(_) => self.whole_of(arg, inst)?,
                None => self.now(arg),
            });
        }
        let call = Inst::Call {
            callee,
            args: self.list(&now),
            fast_math,
        };
        let result = data.result.expand();
        self.emit_as(inst, call, data.ty, result)?;
        if let Some(result) = result
            && self.is_kept(result)
        {
            self.wholes.insert(result, result);
        }
        Ok(())
    }

    /// Writes an instruction whose result is a whole vector.
    pub(super) fn emit_whole(
        &mut self,
        origin: InstId,
        inst: Inst,
        ty: TypeId,
        result: ValueId,
    ) -> Result<()> {
        self.emit_as(origin, inst, ty, Some(result))?;
        self.wholes.insert(result, result);
        Ok(())
    }

    /// Returns operands of which the vectors must have `count` elements.
    pub(super) fn whole_operands<const N: usize>(
        &mut self,
        mut operands: [ValueId; N],
        count: u32,
        origin: InstId,
    ) -> Result<[ValueId; N]> {
        for operand in &mut operands {
            *operand = match self.vector(*operand) {
                Some((_, length)) if length == count => self.whole_of(*operand, origin)?,
                Some((_, length)) => {
                    return Err(Error::malformed(format!(
                        "vectors of {count} and of {length} elements meet"
                    )));
                }
                None => self.now(*operand),
            };
        }
        Ok(operands)
    }

    /// Returns a vector as a whole. One that only exists as its elements is put together here.
    pub(super) fn whole_of(&mut self, vector: ValueId, origin: InstId) -> Result<ValueId> {
        if self.wholes.contains_key(&vector) || self.old.constant(vector).is_some() {
            return self.known_whole(vector);
        }
        match (self.elements.get(&vector), self.old.type_of(vector)) {
            (Some(&elements), Some(ty)) => {
                let elements = self.all(elements);
                self.put_together(ty, &elements, origin)
            }
            _ => self.known_whole(vector),
        }
    }

    /// Returns a vector that exists as a whole everywhere, or a constant.
    pub(super) fn known_whole(&mut self, vector: ValueId) -> Result<ValueId> {
        if let Some(&whole) = self.wholes.get(&vector) {
            return Ok(whole);
        }
        match (self.old.constant(vector), self.old.type_of(vector)) {
            (Some(Constant::Expr(_)), _) => {
                Err(Error::unsupported("a constant expression of vectors"))
            }
            (Some(_), _) | (None, None) => Ok(vector),
            // Only code that nothing leads to uses what is not defined.
            (None, Some(ty)) => Ok(self.constant(ty, Constant::Undef)),
        }
    }

    /// Puts a vector together that was defined by its elements, if it is used as a whole.
    pub(super) fn put_together_if_used(
        &mut self,
        vector: ValueId,
        elements: &[ValueId],
        origin: InstId,
    ) -> Result<()> {
        if self.whole_uses.contains(&vector)
            && let Some(ty) = self.old.type_of(vector)
        {
            let whole = self.put_together(ty, elements, origin)?;
            self.wholes.insert(vector, whole);
        }
        Ok(())
    }

    fn put_together(
        &mut self,
        ty: TypeId,
        elements: &[ValueId],
        origin: InstId,
    ) -> Result<ValueId> {
        let Some((element, _)) = self.vector_type(ty) else {
            return Err(Error::internal("a vector of no vector type"));
        };
        // Every sixteen operands take the memory of an instruction.
        self.tables.spend(elements.len() / 16)?;
        let params = vec![element; elements.len()];
        let like = self.old.function.id;
        // The only operand is the elements, which a call has as they are.
        let function = self.tables.pseudo(PseudoOp::Vector, ty, &params, like);
        let call = Inst::Call {
            callee: self.function_value(function),
            args: self.list(elements),
            fast_math: FastMath::default(),
        };
        self.emit(origin, call, ty)
    }

    /// Rewrites `extractelement` of a vector that is known as a whole.
    pub(super) fn extract_from_whole(
        &mut self,
        inst: InstId,
        data: &InstData,
        vector: ValueId,
        index: ValueId,
    ) -> Result<()> {
        let result = data.result.expand();
        if self.is_outside(vector, index) {
            // LLVM: an index past the end gives an undefined value.
            let undef = self.constant(data.ty, Constant::Undef);
            self.replace(result, undef);
            return Ok(());
        }
        let extract = Inst::ExtractElement {
            vector: self.whole_of(vector, inst)?,
            index: self.now(index),
        };
        self.emit_as(inst, extract, data.ty, result)
    }

    /// Rewrites `insertelement` into a vector that is known as a whole: vector, value, index.
    pub(super) fn insert_into_whole(
        &mut self,
        inst: InstId,
        data: &InstData,
        [vector, value, index]: [ValueId; 3],
    ) -> Result<()> {
        let Some(result) = data.result.expand() else {
            return Ok(());
        };
        let whole = self.whole_of(vector, inst)?;
        if self.is_outside(vector, index) {
            self.wholes.insert(result, whole);
            return Ok(());
        }
        let insert = Inst::InsertElement {
            vector: whole,
            value: self.now(value),
            index: self.now(index),
        };
        self.emit_whole(inst, insert, data.ty, result)
    }

    fn is_outside(&self, vector: ValueId, index: ValueId) -> bool {
        match (self.vector(vector), self.old.constant_int(index)) {
            (Some((_, count)), Some(index)) => index >= u64::from(count),
            _ => false,
        }
    }
}
