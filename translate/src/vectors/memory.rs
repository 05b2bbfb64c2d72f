//! Extraction and insertion of elements, vectors in memory and in aggregates, and instructions that
//! stay.

use dxil_frontend::ir::{
    CmpPredicate, Constant, FastMath, Inst, InstData, InstId, List, Type, TypeId, ValueId,
};

use super::rewrite::Elements;
use crate::vectors::rewrite::state::VectorRewrite;
use crate::vectors::rules::MAX_SELECTED;
use crate::{Error, Result};

impl VectorRewrite<'_, '_, '_> {
    /// Rewrites `extractelement`.
    pub(super) fn extract_element(
        &mut self,
        inst: InstId,
        data: &InstData,
        vector: ValueId,
        index: ValueId,
    ) -> Result<()> {
        if self.is_kept(vector)
            && !(self.is_apart(vector) && self.old.constant_int(index).is_some())
        {
            return self.extract_from_whole(inst, data, vector, index);
        }
        let elements = self.elements_of(vector, inst)?;
        let result = data.result.expand();
        if let Some(index) = self.old.constant_int(index) {
            let element = match u32::try_from(index) {
                Ok(index) if index < elements.len() => self.element(elements, index),
                // LLVM: an index past the end gives an undefined value.
                _ => self.constant(data.ty, Constant::Undef),
            };
            self.replace(result, element);
            return Ok(());
        }
        let index = self.now(index);
        // A chain of selections costs an instruction per element for each access; a variable costs
        // a store per element once.
        if elements.len() > MAX_SELECTED {
            let variable = self.variable_of(vector, elements, inst)?;
            let pointer = self.address(variable, index, data.ty, 0, inst)?;
            let load = Inst::Load {
                pointer,
                align: 0,
                volatile: false,
            };
            return self.emit_as(inst, load, data.ty, result);
        }
        let mut found = self.element(elements, 0);
        for at in 1..elements.len() {
            let is_it = self.is_index(index, at, inst)?;
            let select = Inst::Select {
                condition: is_it,
                if_true: self.element(elements, at),
                if_false: found,
            };
            found = self.emit(inst, select, data.ty)?;
        }
        self.replace(result, found);
        Ok(())
    }

    /// Returns the variable that holds a vector.
    fn variable_of(
        &mut self,
        vector: ValueId,
        elements: Elements,
        origin: InstId,
    ) -> Result<ValueId> {
        if !self.variables.contains_key(&vector) {
            // A constant has no defining instruction.
            self.in_prologue(|this| this.write_to_variable(vector, elements, origin))?;
        }
        let variable = self.variables.get(&vector).copied();
        variable.ok_or_else(|| Error::internal("a vector without its variable"))
    }

    /// Writes a vector to its variable.
    pub(super) fn write_to_variable(
        &mut self,
        vector: ValueId,
        elements: Elements,
        origin: InstId,
    ) -> Result<()> {
        let (Some(ty), Some((element, _))) = (self.old.type_of(vector), self.vector(vector)) else {
            return Ok(());
        };
        let variable = match self.variables.get(&vector) {
            Some(&known) => known,
            None => {
                let made = self.alloca(ty, origin)?;
                self.variables.insert(vector, made);
                made
            }
        };
        self.store_elements(origin, variable, 0, elements, element, 0, false)
    }

    /// Writes the comparison of a computed index with this one.
    fn is_index(&mut self, index: ValueId, at: u32, origin: InstId) -> Result<ValueId> {
        let ty = self
            .type_of(index)
            .ok_or_else(|| Error::malformed("an index that is not defined"))?;
        let at = self.scalar_constant(ty, u64::from(at));
        let compare = Inst::Cmp {
            predicate: CmpPredicate::IEq,
            fast_math: FastMath::default(),
            lhs: index,
            rhs: at,
        };
        let bool_ty = self.tables.int(1);
        self.emit(origin, compare, bool_ty)
    }

    /// Rewrites `insertelement`.
    pub(super) fn insert_element(
        &mut self,
        inst: InstId,
        data: &InstData,
        vector: ValueId,
        value: ValueId,
        index: ValueId,
    ) -> Result<()> {
        let Some(result) = data.result.expand() else {
            return Ok(());
        };
        if self.is_kept(result)
            && !(self.is_apart(vector) && self.old.constant_int(index).is_some())
        {
            return self.insert_into_whole(inst, data, [vector, value, index]);
        }
        let is_apart = self.is_apart(vector);
        let elements = self.elements_of(vector, inst)?;
        let value = self.now(value);
        if let Some(index) = self.old.constant_int(index) {
            let Some(index) = u32::try_from(index).ok().filter(|&i| i < elements.len()) else {
                return self.define_all(result, elements, inst);
            };
            // Vectors are built element by element, and only the last one is used. Sharing the
            // elements keeps the pool linear; a copy per insertion would make it quadratic.
            if is_apart && self.is_used_once(vector) && self.old.constant(vector).is_none() {
                return self.define_in_place(result, elements, index, value, inst);
            }
            let mut all = self.all(elements);
            if let Some(slot) = all.get_mut(index as usize) {
                *slot = value;
            }
            return self.define(result, &all, inst);
        }
        let index = self.now(index);
        let Some((element, _)) = self.vector(result) else {
            return Err(Error::malformed("insertelement gives no vector"));
        };
        let mut all = self.all(elements);
        for (at, slot) in (0..).zip(&mut all) {
            let condition = self.is_index(index, at, inst)?;
            let select = Inst::Select {
                condition,
                if_true: value,
                if_false: *slot,
            };
            *slot = self.emit(inst, select, element)?;
        }
        self.define(result, &all, inst)
    }

    /// Returns all elements.
    pub(super) fn all(&self, elements: Elements) -> Vec<ValueId> {
        (0..elements.len())
            .map(|index| self.element(elements, index))
            .collect()
    }

    /// Records that a vector has the elements of another one.
    pub(super) fn define_all(
        &mut self,
        vector: ValueId,
        elements: Elements,
        origin: InstId,
    ) -> Result<()> {
        let all = self.all(elements);
        self.define(vector, &all, origin)
    }

    /// Rewrites `shufflevector`.
    pub(super) fn shuffle(
        &mut self,
        inst: InstId,
        data: &InstData,
        a: ValueId,
        b: ValueId,
        mask: ValueId,
    ) -> Result<()> {
        let (Some((element, count)), Some(result)) =
            (self.vector_type(data.ty), data.result.expand())
        else {
            return Err(Error::malformed("a shuffle gives no vector"));
        };
        let picks: Vec<Option<u64>> = match self.old.constant(mask) {
            Some(Constant::Undef) => vec![None; count as usize],
            Some(Constant::Null) => vec![Some(0); count as usize],
            Some(Constant::Data(list)) => {
                let data = self.old.constant_data(mask, list);
                data.iter().copied().map(Some).collect()
            }
            Some(Constant::Aggregate(list)) => {
                let picks = self.old.constant_elements(mask, list);
                picks
                    .iter()
                    .map(|&pick| self.old.constant_int(pick))
                    .collect()
            }
            _ => return Err(Error::malformed("a shuffle whose mask is not a constant")),
        };
        if picks.len() != count as usize {
            return Err(Error::malformed(
                "a shuffle's mask is not as long as its result",
            ));
        }
        if self.is_kept(result) && !(self.is_apart(a) && self.is_apart(b)) {
            let [a, b] = [self.whole_of(a, inst)?, self.whole_of(b, inst)?];
            let shuffle = Inst::ShuffleVector { a, b, mask };
            return self.emit_whole(inst, shuffle, data.ty, result);
        }
        let [a, b] = [self.elements_of(a, inst)?, self.elements_of(b, inst)?];
        let undef = self.constant(element, Constant::Undef);
        let pick = |pick: &Option<u64>| match pick.and_then(|pick| u32::try_from(pick).ok()) {
            Some(pick) if pick < a.len() => self.element(a, pick),
            Some(pick) if pick - a.len() < b.len() => self.element(b, pick - a.len()),
            _ => undef,
        };
        let picked: Vec<ValueId> = picks.iter().map(pick).collect();
        self.define(result, &picked, inst)
    }

    /// Returns the address of an element of an array.
    fn address(
        &mut self,
        array: ValueId,
        index: ValueId,
        element: TypeId,
        address_space: u32,
        origin: InstId,
    ) -> Result<ValueId> {
        let zero = self.int(0);
        let operands = self.list(&[array, zero, index]);
        let ty = self.tables.ty(Type::Pointer {
            pointee: element,
            address_space,
        });
        let inst = Inst::Gep {
            inbounds: true,
            operands,
        };
        self.emit(origin, inst, ty)
    }

    fn address_space(&self, pointer: ValueId) -> u32 {
        let ty = self.type_of(pointer).map(|ty| self.tables.get(ty));
        match ty {
            Some(Type::Pointer { address_space, .. }) => *address_space,
            _ => 0,
        }
    }

    /// Rewrites a load of a vector or another value.
    pub(super) fn load(
        &mut self,
        inst: InstId,
        data: &InstData,
        pointer: ValueId,
        align: u32,
        volatile: bool,
    ) -> Result<()> {
        let (Some((element, count)), Some(result)) =
            (self.vector_type(data.ty), data.result.expand())
        else {
            return self.copy(inst, data);
        };
        let pointer = self.now(pointer);
        if self.whole.are_in_memory(count) {
            let load = Inst::Load {
                pointer,
                align,
                volatile,
            };
            self.emit_as(inst, load, data.ty, Some(result))?;
            return self.open(result, inst);
        }
        let space = self.address_space(pointer);
        let mut loaded = Vec::with_capacity(count as usize);
        for index in 0..count {
            let index = self.int(index);
            let pointer = self.address(pointer, index, element, space, inst)?;
            let load = Inst::Load {
                pointer,
                align: self.element_alignment(align, element)?,
                volatile,
            };
            loaded.push(self.emit(inst, load, element)?);
        }
        self.define(result, &loaded, inst)
    }

    /// Rewrites a store of a vector.
    pub(super) fn store(
        &mut self,
        inst: InstId,
        pointer: ValueId,
        value: ValueId,
        align: u32,
        volatile: bool,
    ) -> Result<()> {
        let Some((element, count)) = self.vector(value) else {
            return Err(Error::internal("a store of no vector"));
        };
        let pointer = self.now(pointer);
        if self.whole.are_in_memory(count) {
            let store = Inst::Store {
                pointer,
                value: self.close(value, inst)?,
                align,
                volatile,
            };
            return self.emit_void(inst, store);
        }
        let elements = self.elements_of(value, inst)?;
        let space = self.address_space(pointer);
        self.store_elements(inst, pointer, space, elements, element, align, volatile)
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "an address, a vector, and how to store it"
    )]
    fn store_elements(
        &mut self,
        origin: InstId,
        pointer: ValueId,
        space: u32,
        elements: Elements,
        element: TypeId,
        align: u32,
        volatile: bool,
    ) -> Result<()> {
        for index in 0..elements.len() {
            let value = self.element(elements, index);
            // What a variable holds without a store is undefined as well.
            if self.is_undef(value) {
                continue;
            }
            let index = self.int(index);
            let pointer = self.address(pointer, index, element, space, origin)?;
            let store = Inst::Store {
                pointer,
                value,
                align: self.element_alignment(align, element)?,
                volatile,
            };
            self.emit_void(origin, store)?;
        }
        Ok(())
    }

    fn element_alignment(&self, align: u32, element: TypeId) -> Result<u32> {
        Ok(align.min(u32::from(self.tables.bits(element)?).div_ceil(8)))
    }

    /// Rewrites `extractvalue` of a vector or another value.
    pub(super) fn extract_value(
        &mut self,
        inst: InstId,
        data: &InstData,
        aggregate: ValueId,
        indices: List<u32>,
    ) -> Result<()> {
        let path = self.old.function.indices_of(indices).to_vec();
        if let Some(&first) = self.vector_loads.get(&aggregate) {
            return match (&*path, data.result.expand()) {
                (&[0], Some(result)) => {
                    let elements = self.loaded(aggregate)?;
                    self.define_all(result, elements, inst)
                }
                (&[1], result) => {
                    // The status, after the four values of a load.
                    let indices = self.indices([4]);
                    let status = Inst::ExtractValue {
                        aggregate: first,
                        indices,
                    };
                    self.emit_as(inst, status, data.ty, result)
                }
                _ => Err(Error::malformed("a vector load has two members")),
            };
        }
        self.copy(inst, data)?;
        match data.result.expand() {
            Some(result) => self.open(result, inst),
            None => Ok(()),
        }
    }

    /// Rewrites `insertvalue` of a vector.
    pub(super) fn insert_value(
        &mut self,
        inst: InstId,
        data: &InstData,
        aggregate: ValueId,
        value: ValueId,
        indices: List<u32>,
    ) -> Result<()> {
        let insert = Inst::InsertValue {
            aggregate: self.now(aggregate),
            value: self.close(value, inst)?,
            indices,
        };
        self.emit_as(inst, insert, data.ty, data.result.expand())
    }

    /// Copies an instruction that stays; its operands may be elements of vectors.
    pub(super) fn copy(&mut self, origin: InstId, data: &InstData) -> Result<()> {
        let now = |this: &Self, value: ValueId| this.now(value);
        let inst = match data.inst {
            Inst::Binary {
                op,
                fast_math,
                lhs,
                rhs,
            } => Inst::Binary {
                op,
                fast_math,
                lhs: now(self, lhs),
                rhs: now(self, rhs),
            },
            Inst::Cast { op, value } => Inst::Cast {
                op,
                value: now(self, value),
            },
            Inst::Cmp {
                predicate,
                fast_math,
                lhs,
                rhs,
            } => Inst::Cmp {
                predicate,
                fast_math,
                lhs: now(self, lhs),
                rhs: now(self, rhs),
            },
            Inst::Select {
                condition,
                if_true,
                if_false,
            } => Inst::Select {
                condition: now(self, condition),
                if_true: now(self, if_true),
                if_false: now(self, if_false),
            },
            Inst::Call {
                callee,
                args,
                fast_math,
            } => Inst::Call {
                callee,
                args: self.operands(args),
                fast_math,
            },
            Inst::Load {
                pointer,
                align,
                volatile,
            } => Inst::Load {
                pointer: now(self, pointer),
                align,
                volatile,
            },
            Inst::Store {
                pointer,
                value,
                align,
                volatile,
            } => Inst::Store {
                pointer: now(self, pointer),
                value: now(self, value),
                align,
                volatile,
            },
            Inst::Gep { inbounds, operands } => Inst::Gep {
                inbounds,
                operands: self.operands(operands),
            },
            Inst::ExtractValue { aggregate, indices } => Inst::ExtractValue {
                aggregate: now(self, aggregate),
                indices,
            },
            Inst::InsertValue {
                aggregate,
                value,
                indices,
            } => Inst::InsertValue {
                aggregate: now(self, aggregate),
                value: now(self, value),
                indices,
            },
            Inst::AtomicRmw {
                op,
                pointer,
                value,
                ordering,
                volatile,
            } => Inst::AtomicRmw {
                op,
                pointer: now(self, pointer),
                value: now(self, value),
                ordering,
                volatile,
            },
            Inst::CmpXchg {
                pointer,
                compare,
                value,
                ordering,
                volatile,
            } => Inst::CmpXchg {
                pointer: now(self, pointer),
                compare: now(self, compare),
                value: now(self, value),
                ordering,
                volatile,
            },
            Inst::Ret { value } => Inst::Ret {
                value: value.map(|value| now(self, value)).into(),
            },
            Inst::CondBr {
                condition,
                if_true,
                if_false,
            } => Inst::CondBr {
                condition: now(self, condition),
                if_true,
                if_false,
            },
            Inst::Switch {
                value,
                default,
                cases,
            } => Inst::Switch {
                value: now(self, value),
                default,
                cases,
            },
            inst @ (Inst::Phi { .. }
            | Inst::Alloca { .. }
            | Inst::ExtractElement { .. }
            | Inst::InsertElement { .. }
            | Inst::ShuffleVector { .. }
            | Inst::Fence { .. }
            | Inst::Br { .. }
            | Inst::Unreachable) => inst,
        };
        self.emit_as(origin, inst, data.ty, data.result.expand())
    }

    /// Returns a list of operands after rewriting.
    pub(super) fn operands(&mut self, list: List<ValueId>) -> List<ValueId> {
        let old = self.old.function.values_of(list);
        let now: Vec<ValueId> = old.iter().map(|&value| self.now(value)).collect();
        if *now == *old { list } else { self.list(&now) }
    }
}
