//! Elements of vectors: what each vector of the function has become.

use cranelift_entity::packed_option::ReservedValue;
use dxil_frontend::ir::{Constant, Inst, InstId, TypeId, ValueId};

use crate::vectors::rewrite::state::{Elements, VectorRewrite};
use crate::vectors::rules::{MAX_IN_VECTORS, too_much, vector_of};
use crate::{Error, Result};

impl VectorRewrite<'_, '_, '_> {
    /// Takes the elements out of the array or vector that holds them under a vector's own name.
    pub(in crate::vectors) fn open(&mut self, vector: ValueId, origin: InstId) -> Result<()> {
        let Some((element, count)) = self.vector(vector) else {
            return Ok(());
        };
        if self.is_kept(vector) {
            self.wholes.insert(vector, vector);
            return Ok(());
        }
        let found = self.members(vector, element, count, origin)?;
        self.define(vector, &found, origin)
    }

    /// Returns the elements of a value that holds a vector: an array, or a vector that SPIR-V has.
    pub(in crate::vectors) fn members(
        &mut self,
        whole: ValueId,
        element: TypeId,
        count: u32,
        origin: InstId,
    ) -> Result<Vec<ValueId>> {
        let mut found = Vec::with_capacity(count as usize);
        for index in 0..count {
            let inst = if self.whole.are_in_memory(count) {
                Inst::ExtractElement {
                    vector: whole,
                    index: self.int(index),
                }
            } else {
                Inst::ExtractValue {
                    aggregate: whole,
                    indices: self.indices([u64::from(index)]),
                }
            };
            found.push(self.emit(origin, inst, element)?);
        }
        Ok(found)
    }

    /// Returns the array or vector that holds a vector's elements, put together.
    pub(in crate::vectors) fn close(&mut self, vector: ValueId, origin: InstId) -> Result<ValueId> {
        let Some(ty) = self.old.type_of(vector) else {
            return Ok(vector);
        };
        if self.is_kept(vector) || self.wholes.contains_key(&vector) {
            return self.whole_of(vector, origin);
        }
        let elements = self.elements_of(vector, origin)?;
        if self.whole.are_in_memory(elements.len) {
            return self.whole_of(vector, origin);
        }
        let mut whole = self.constant(ty, Constant::Undef);
        for index in 0..elements.len {
            let value = self.element(elements, index);
            if self.is_undef(value) {
                continue;
            }
            let inst = Inst::InsertValue {
                aggregate: whole,
                value,
                indices: self.indices([u64::from(index)]),
            };
            whole = self.emit(origin, inst, ty)?;
        }
        Ok(whole)
    }

    /// Returns the type and number of a vector's elements.
    pub(in crate::vectors) fn vector(&self, value: ValueId) -> Option<(TypeId, u32)> {
        vector_of(&self.old.module.types, self.old.type_of(value)?)
    }

    /// Returns the type and number of a vector type's elements.
    pub(in crate::vectors) fn vector_type(&self, ty: TypeId) -> Option<(TypeId, u32)> {
        vector_of(&self.old.module.types, ty)
    }

    /// Returns the replacement of a scalar, an address or an aggregate.
    pub(in crate::vectors) fn now(&self, value: ValueId) -> ValueId {
        self.replaced.get(&value).copied().unwrap_or(value)
    }

    /// Records that a scalar is replaced by another one.
    pub(in crate::vectors) fn replace(&mut self, value: Option<ValueId>, by: ValueId) {
        if let Some(value) = value {
            self.replaced.insert(value, by);
        }
    }

    /// Returns one element.
    pub(in crate::vectors) fn element(&self, elements: Elements, index: u32) -> ValueId {
        let at = elements.start + index.min(elements.len.saturating_sub(1));
        let found = self.pool.get(at as usize).copied();
        found.unwrap_or(ValueId::reserved_value())
    }

    /// Returns the elements of a vector that is defined already, or of a constant. A vector that
    /// only exists as a whole is taken apart here.
    pub(in crate::vectors) fn elements_of(
        &mut self,
        vector: ValueId,
        origin: InstId,
    ) -> Result<Elements> {
        if !self.elements.contains_key(&vector)
            && let Some(&whole) = self.wholes.get(&vector)
            && let Some((element, count)) = self.vector(vector)
        {
            let found = self.members(whole, element, count, origin)?;
            self.apart_here.push(vector);
            return self.add_elements(vector, &found);
        }
        self.known_elements(vector)
    }

    /// Returns the elements of a vector that exists as such everywhere, or of a constant.
    pub(in crate::vectors) fn known_elements(&mut self, vector: ValueId) -> Result<Elements> {
        if let Some(&elements) = self.elements.get(&vector) {
            return Ok(elements);
        }
        let Some((element, count)) = self.vector(vector) else {
            return Err(Error::malformed(format!("{vector} is not a vector")));
        };
        let constant = self.old.constant(vector);
        let found: Vec<ValueId> = match constant {
            Some(Constant::Data(list)) => {
                let data = self.old.constant_data(vector, list);
                let make = |&bits: &u64| self.scalar_constant(element, bits);
                data.iter().map(make).collect()
            }
            Some(Constant::Aggregate(list)) => self.old.constant_elements(vector, list).to_vec(),
            Some(Constant::Null) => {
                vec![self.scalar_constant(element, 0); count as usize]
            }
            Some(Constant::Expr(_)) => {
                return Err(Error::unsupported("a constant expression of vectors"));
            }
            // Only code that nothing leads to uses what is not defined.
            _ => vec![self.constant(element, Constant::Undef); count as usize],
        };
        if found.len() != count as usize {
            return Err(Error::malformed(format!(
                "a constant vector of {} elements instead of {count}",
                found.len()
            )));
        }
        self.add_elements(vector, &found)
    }

    /// Records the elements of a vector.
    pub(in crate::vectors) fn define(
        &mut self,
        vector: ValueId,
        elements: &[ValueId],
        origin: InstId,
    ) -> Result<()> {
        let added = self.add_elements(vector, elements)?;
        self.put_together_if_used(vector, elements, origin)?;
        self.write_if_picked(vector, added, origin)
    }

    /// Records that a vector is another one with one element replaced. The other one has no further
    /// use, so that both share their elements.
    pub(in crate::vectors) fn define_in_place(
        &mut self,
        vector: ValueId,
        elements: Elements,
        index: u32,
        value: ValueId,
        origin: InstId,
    ) -> Result<()> {
        if let Some(slot) = self.pool.get_mut((elements.start + index) as usize) {
            *slot = value;
        }
        self.elements.insert(vector, elements);
        if self.whole_uses.contains(&vector) {
            let all = self.all(elements);
            self.put_together_if_used(vector, &all, origin)?;
        }
        self.write_if_picked(vector, elements, origin)
    }

    /// Records the elements of a vector load's result: a structure, whose first member is the
    /// vector.
    pub(in crate::vectors) fn define_loaded(
        &mut self,
        load: ValueId,
        elements: &[ValueId],
    ) -> Result<()> {
        self.add_elements(load, elements).map(drop)
    }

    /// Returns the elements of a vector load's result.
    pub(in crate::vectors) fn loaded(&self, load: ValueId) -> Result<Elements> {
        let elements = self.elements.get(&load).copied();
        elements.ok_or_else(|| Error::internal("a vector load without elements"))
    }

    fn write_if_picked(
        &mut self,
        vector: ValueId,
        elements: Elements,
        origin: InstId,
    ) -> Result<()> {
        if self.picked.contains(&vector) {
            self.write_to_variable(vector, elements, origin)?;
        }
        Ok(())
    }

    /// Returns whether a computed index picks elements of the vector through a variable.
    pub(in crate::vectors) fn is_picked(&self, vector: ValueId) -> bool {
        self.picked.contains(&vector)
    }

    pub(in crate::vectors) fn add_elements(
        &mut self,
        vector: ValueId,
        elements: &[ValueId],
    ) -> Result<Elements> {
        if self.pool.len() + elements.len() > MAX_IN_VECTORS {
            return Err(too_much());
        }
        let added = Elements {
            start: self.pool.len() as u32,
            len: elements.len() as u32,
        };
        self.pool.extend_from_slice(elements);
        self.elements.insert(vector, added);
        Ok(added)
    }

    /// Returns the elements of a vector that must have `count` of them.
    pub(in crate::vectors) fn elements_of_size(
        &mut self,
        vector: ValueId,
        count: u32,
        origin: InstId,
    ) -> Result<Elements> {
        let elements = self.elements_of(vector, origin)?;
        if elements.len != count {
            return Err(Error::malformed(format!(
                "vectors of {count} and of {} elements meet",
                elements.len
            )));
        }
        Ok(elements)
    }
}
