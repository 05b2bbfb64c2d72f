//! One function without vectors.
//!
//! Blocks are visited so that definitions come before uses, and each instruction is written again: as it
//! was, or once per element. Operands of phis are filled in at the end, when every value has its elements.

use cranelift_entity::packed_option::ReservedValue;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use dxil_frontend::dxil::Shader;
use dxil_frontend::ir::{
    Block, BlockId, Constant, FuncId, FuncView, Function, Inst, InstData, InstId, List, Type,
    TypeId, ValueData, ValueDef, ValueId,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::tables::Tables;
use super::{MOST_IN_VECTORS, MOST_INSTRUCTIONS, in_spirv, vector_of};
use crate::{Error, Result};

/// An instruction to be, and the one that it stands for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written {
    pub(super) data: InstData,
    pub(super) origin: InstId,
}

/// A range of the pool of elements.
#[derive(Debug, Clone, Copy)]
pub(super) struct Elements {
    start: u32,
    len: u32,
}

impl Elements {
    pub(super) fn len(self) -> u32 {
        self.len
    }
}

/// The function being rewritten.
pub(super) struct Rewrite<'a, 't, 'm> {
    pub(super) shader: &'a Shader,
    /// The function as it was.
    pub(super) old: FuncView<'a>,
    pub(super) tables: &'t mut Tables<'m>,
    /// The function's values, and those that come to them.
    values: Vec<ValueData>,
    pub(super) value_pool: Vec<ValueId>,
    edge_pool: Vec<(ValueId, BlockId)>,
    number_pool: Vec<u64>,
    /// Elements of vectors.
    elements: FxHashMap<ValueId, Elements>,
    pool: Vec<ValueId>,
    /// Scalars that are elements of vectors.
    replaced: FxHashMap<ValueId, ValueId>,
    constants: FxHashMap<(TypeId, Plain), ValueId>,
    /// Operations as values.
    pub(super) functions: FxHashMap<FuncId, ValueId>,
    /// How often vectors are used.
    uses: FxHashMap<ValueId, u32>,
    /// Vectors of which a computed index picks an element, and the variables they are written to.
    picked: FxHashSet<ValueId>,
    pub(super) variables: FxHashMap<ValueId, ValueId>,
    /// Results of vector loads: the first of the loads that they became.
    pub(super) vector_loads: FxHashMap<ValueId, ValueId>,
    /// Variables, at the start of the function.
    allocas: Vec<Written>,
    /// Code at the start of the function.
    prologue: Vec<Written>,
    /// The block being written.
    code: Vec<Written>,
    /// Phis to be written to variables behind the last phi of the block.
    pending: Vec<ValueId>,
    /// Operands of phis to be filled in: block, place, element.
    phis: Vec<(BlockId, usize, u32)>,
}

/// A constant scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Plain {
    Undef,
    Int(u64),
    Float(u64),
}

/// Writes the function again.
pub(super) fn run(shader: &Shader, old: FuncView<'_>, tables: &mut Tables<'_>) -> Result<Function> {
    let function = old.function;
    let mut rewrite = Rewrite {
        shader,
        old,
        tables,
        values: function.values.clone(),
        value_pool: function.value_pool.clone(),
        edge_pool: function.edge_pool.clone(),
        number_pool: function.number_pool.clone(),
        elements: FxHashMap::default(),
        pool: Vec::new(),
        replaced: FxHashMap::default(),
        constants: FxHashMap::default(),
        functions: FxHashMap::default(),
        uses: FxHashMap::default(),
        picked: FxHashSet::default(),
        variables: FxHashMap::default(),
        vector_loads: FxHashMap::default(),
        allocas: Vec::new(),
        prologue: Vec::new(),
        code: Vec::new(),
        pending: Vec::new(),
        phis: Vec::new(),
    };
    rewrite.look_at_uses();
    rewrite.arguments()?;
    let mut blocks: Vec<Vec<Written>> = vec![Vec::new(); function.blocks.len()];
    for block in order(function) {
        for inst in function.block_insts(block) {
            if let Some(data) = function.insts.get(inst) {
                rewrite.instruction(block, inst, data)?;
            }
        }
        if let Some(slot) = blocks.get_mut(block.index()) {
            *slot = std::mem::take(&mut rewrite.code);
        }
    }
    rewrite.fill_phis(&mut blocks)?;
    if let Some(entry) = blocks.first_mut() {
        let rest = std::mem::take(entry);
        entry.append(&mut rewrite.allocas);
        entry.append(&mut rewrite.prologue);
        entry.extend(rest);
    }
    Ok(rewrite.assemble(blocks))
}

/// The blocks, definitions before uses; those that nothing leads to come last.
fn order(function: &Function) -> Vec<BlockId> {
    let count = function.blocks.len();
    let mut seen = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let mut stack: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
    let enter = |block: BlockId, seen: &mut Vec<bool>, stack: &mut Vec<(BlockId, Vec<BlockId>)>| {
        if let Some(seen) = seen.get_mut(block.index())
            && !*seen
        {
            *seen = true;
            let mut next = Vec::new();
            function.for_each_successor(block, |block| next.push(block));
            stack.push((block, next));
        }
    };
    enter(BlockId::new(0), &mut seen, &mut stack);
    while let Some((block, next)) = stack.last_mut() {
        match next.pop() {
            Some(next) => enter(next, &mut seen, &mut stack),
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order.extend(function.blocks.keys().filter(|block| !seen[block.index()]));
    order
}

impl<'a> Rewrite<'a, '_, '_> {
    /// Counts how often vectors are used, and notes the ones that are indexed.
    fn look_at_uses(&mut self) {
        let function = self.old.function;
        for data in function.insts.values() {
            function.for_each_operand(&data.inst, |value| {
                if self.vector(value).is_some() {
                    *self.uses.entry(value).or_default() += 1;
                }
            });
            if let Inst::ExtractElement { vector, index } = data.inst
                && self.old.constant_int(index).is_none()
                && self
                    .vector(vector)
                    .is_some_and(|(_, count)| count > super::memory::MOST_SELECTED)
            {
                self.picked.insert(vector);
            }
        }
    }

    /// Whether a vector has just that one use.
    pub(super) fn is_used_once(&self, vector: ValueId) -> bool {
        self.uses.get(&vector) == Some(&1)
    }

    fn arguments(&mut self) -> Result<()> {
        let function = self.old.function;
        for index in 0..function.arg_count {
            let value = ValueId::from_u32(function.first_value + index);
            if self.vector(value).is_some() {
                self.open(value, InstId::new(0))?;
            }
        }
        let code = std::mem::take(&mut self.code);
        self.prologue.extend(code);
        Ok(())
    }

    /// Takes the elements out of the array or vector that holds them under a vector's own name.
    pub(super) fn open(&mut self, vector: ValueId, origin: InstId) -> Result<()> {
        let Some((element, count)) = self.vector(vector) else {
            return Ok(());
        };
        let found = self.members(vector, element, count, origin)?;
        self.define(vector, &found, origin)
    }

    /// The elements of a value that holds a vector: an array, or a vector that SPIR-V has.
    pub(super) fn members(
        &mut self,
        whole: ValueId,
        element: TypeId,
        count: u32,
        origin: InstId,
    ) -> Result<Vec<ValueId>> {
        let mut found = Vec::with_capacity(count as usize);
        for index in 0..count {
            let inst = match in_spirv(count) {
                true => Inst::ExtractElement {
                    vector: whole,
                    index: self.int(index),
                },
                false => Inst::ExtractValue {
                    aggregate: whole,
                    indices: self.indices([u64::from(index)]),
                },
            };
            found.push(self.emit(origin, inst, element)?);
        }
        Ok(found)
    }

    /// The array or vector that holds a vector's elements, put together.
    pub(super) fn close(&mut self, vector: ValueId, origin: InstId) -> Result<ValueId> {
        let Some(ty) = self.old.type_of(vector) else {
            return Ok(vector);
        };
        let elements = self.elements_of(vector)?;
        let mut whole = self.constant(ty, Constant::Undef);
        for index in 0..elements.len {
            let value = self.element(elements, index);
            if self.is_undef(value) {
                continue;
            }
            let inst = match in_spirv(elements.len) {
                true => Inst::InsertElement {
                    vector: whole,
                    value,
                    index: self.int(index),
                },
                false => Inst::InsertValue {
                    aggregate: whole,
                    value,
                    indices: self.indices([u64::from(index)]),
                },
            };
            whole = self.emit(origin, inst, ty)?;
        }
        Ok(whole)
    }

    /// Type and number of a vector's elements.
    pub(super) fn vector(&self, value: ValueId) -> Option<(TypeId, u32)> {
        vector_of(&self.old.module.types, self.old.type_of(value)?)
    }

    /// Type and number of a vector type's elements.
    pub(super) fn vector_type(&self, ty: TypeId) -> Option<(TypeId, u32)> {
        vector_of(&self.old.module.types, ty)
    }

    /// What stands for a scalar, an address or an aggregate now.
    pub(super) fn now(&self, value: ValueId) -> ValueId {
        self.replaced.get(&value).copied().unwrap_or(value)
    }

    /// Says that a scalar is another one.
    pub(super) fn replace(&mut self, value: Option<ValueId>, by: ValueId) {
        if let Some(value) = value {
            self.replaced.insert(value, by);
        }
    }

    /// One element.
    pub(super) fn element(&self, elements: Elements, index: u32) -> ValueId {
        let at = elements.start + index.min(elements.len.saturating_sub(1));
        let found = self.pool.get(at as usize).copied();
        found.unwrap_or(ValueId::reserved_value())
    }

    /// The elements of a vector that is defined already, or of a constant.
    pub(super) fn elements_of(&mut self, vector: ValueId) -> Result<Elements> {
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

    /// Says what the elements of a vector are.
    pub(super) fn define(
        &mut self,
        vector: ValueId,
        elements: &[ValueId],
        origin: InstId,
    ) -> Result<()> {
        let elements = self.add_elements(vector, elements)?;
        self.write_if_picked(vector, elements, origin)
    }

    /// Says that a vector is another of which an element is replaced, and which nobody else uses.
    pub(super) fn define_in_place(
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
        self.write_if_picked(vector, elements, origin)
    }

    /// The elements of a vector load's result, which are no vector before one member is taken.
    pub(super) fn define_loaded(&mut self, load: ValueId, elements: &[ValueId]) -> Result<()> {
        self.add_elements(load, elements).map(drop)
    }

    /// The elements of a vector load's result.
    pub(super) fn loaded(&self, load: ValueId) -> Result<Elements> {
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

    /// Whether a computed index picks elements of the vector through a variable.
    pub(super) fn is_picked(&self, vector: ValueId) -> bool {
        self.picked.contains(&vector)
    }

    fn add_elements(&mut self, vector: ValueId, elements: &[ValueId]) -> Result<Elements> {
        if self.pool.len() + elements.len() > MOST_IN_VECTORS {
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

    /// A list of indices of aggregates.
    pub(super) fn indices(&mut self, indices: impl IntoIterator<Item = u64>) -> List<u32> {
        let start = self.number_pool.len();
        self.number_pool.extend(indices);
        List::new(start as u32, (self.number_pool.len() - start) as u32)
    }

    /// A list of operands.
    pub(super) fn list(&mut self, values: &[ValueId]) -> List<ValueId> {
        let start = self.value_pool.len();
        self.value_pool.extend_from_slice(values);
        List::new(start as u32, values.len() as u32)
    }

    /// A new value of the function.
    pub(super) fn value(&mut self, data: ValueData) -> ValueId {
        self.values.push(data);
        ValueId::new(self.old.function.first_value as usize + self.values.len() - 1)
    }

    /// Type of a value, the new ones included.
    pub(super) fn type_of(&self, value: ValueId) -> Option<TypeId> {
        let first = self.old.function.first_value as usize;
        match value.index().checked_sub(first) {
            Some(index) => self.values.get(index).map(|data| data.ty),
            None => self.old.type_of(value),
        }
    }

    /// A constant of a scalar type.
    pub(super) fn scalar_constant(&mut self, ty: TypeId, bits: u64) -> ValueId {
        let constant = match self.tables.get(ty) {
            Type::Half | Type::Float | Type::Double => Constant::Float(bits),
            _ => Constant::Int(bits),
        };
        self.constant(ty, constant)
    }

    /// The `i32` constant.
    pub(super) fn int(&mut self, value: u32) -> ValueId {
        let ty = self.tables.int(32);
        self.constant(ty, Constant::Int(u64::from(value)))
    }

    /// An `undef`, integer or float.
    pub(super) fn constant(&mut self, ty: TypeId, constant: Constant) -> ValueId {
        let plain = match constant {
            Constant::Int(bits) => Plain::Int(bits),
            Constant::Float(bits) => Plain::Float(bits),
            _ => Plain::Undef,
        };
        if let Some(&known) = self.constants.get(&(ty, plain)) {
            return known;
        }
        let def = ValueDef::Constant(match plain {
            Plain::Undef => Constant::Undef,
            _ => constant,
        });
        let id = self.value(ValueData { ty, def });
        self.constants.insert((ty, plain), id);
        id
    }

    /// Whether it is `undef`.
    pub(super) fn is_undef(&self, value: ValueId) -> bool {
        let first = self.old.function.first_value as usize;
        let def = match value.index().checked_sub(first) {
            Some(index) => self.values.get(index).map(|data| data.def),
            None => self.old.value(value).map(|data| data.def),
        };
        def == Some(ValueDef::Constant(Constant::Undef))
    }

    /// Writes an instruction with a new result.
    pub(super) fn emit(&mut self, origin: InstId, inst: Inst, ty: TypeId) -> Result<ValueId> {
        let def = ValueDef::Inst(InstId::reserved_value());
        let result = self.value(ValueData { ty, def });
        self.emit_as(origin, inst, ty, Some(result))?;
        Ok(result)
    }

    /// Writes an instruction.
    pub(super) fn emit_as(
        &mut self,
        origin: InstId,
        inst: Inst,
        ty: TypeId,
        result: Option<ValueId>,
    ) -> Result<()> {
        self.tables.spend(1)?;
        self.code.push(Written {
            data: InstData {
                inst,
                ty,
                result: result.into(),
            },
            origin,
        });
        Ok(())
    }

    /// Writes an instruction without result.
    pub(super) fn emit_void(&mut self, origin: InstId, inst: Inst) -> Result<()> {
        let void = self.tables.void();
        self.emit_as(origin, inst, void, None)
    }

    /// A variable of the function.
    pub(super) fn alloca(&mut self, allocated: TypeId, origin: InstId) -> Result<ValueId> {
        let count = self.int(1);
        let ty = self.tables.ty(Type::Pointer {
            pointee: allocated,
            address_space: 0,
        });
        let inst = Inst::Alloca {
            allocated,
            count,
            align: 0,
        };
        let result = self.emit(origin, inst, ty)?;
        self.allocas.extend(self.code.pop());
        Ok(result)
    }

    /// Code that `write` gives goes to the start of the function.
    pub(super) fn in_prologue(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let code = std::mem::take(&mut self.code);
        write(self)?;
        let written = std::mem::replace(&mut self.code, code);
        self.prologue.extend(written);
        Ok(())
    }

    fn instruction(&mut self, block: BlockId, inst: InstId, data: &InstData) -> Result<()> {
        if let Inst::Phi { .. } = data.inst {
            return self.phi(block, inst, data);
        }
        for vector in std::mem::take(&mut self.pending) {
            let elements = self.elements_of(vector)?;
            self.write_to_variable(vector, elements, inst)?;
        }
        match data.inst {
            Inst::Binary {
                op,
                fast_math,
                lhs,
                rhs,
            } if self.vector(lhs).is_some() => {
                self.each(inst, data, [lhs, rhs], |[lhs, rhs]| Inst::Binary {
                    op,
                    fast_math,
                    lhs,
                    rhs,
                })
            }
            Inst::Cmp {
                predicate,
                fast_math,
                lhs,
                rhs,
            } if self.vector(lhs).is_some() => {
                self.each(inst, data, [lhs, rhs], |[lhs, rhs]| Inst::Cmp {
                    predicate,
                    fast_math,
                    lhs,
                    rhs,
                })
            }
            Inst::Select {
                condition,
                if_true,
                if_false,
            } if self.vector(if_true).is_some() => {
                let operands = [condition, if_true, if_false];
                self.each(inst, data, operands, |[condition, if_true, if_false]| {
                    Inst::Select {
                        condition,
                        if_true,
                        if_false,
                    }
                })
            }
            Inst::Cast { op, value } => self.cast(inst, data, op, value),
            Inst::ExtractElement { vector, index } => {
                self.extract_element(inst, data, vector, index)
            }
            Inst::InsertElement {
                vector,
                value,
                index,
            } => self.insert_element(inst, data, vector, value, index),
            Inst::ShuffleVector { a, b, mask } => self.shuffle(inst, data, a, b, mask),
            Inst::Load {
                pointer,
                align,
                volatile,
            } => self.load(inst, data, pointer, align, volatile),
            Inst::Store {
                pointer,
                value,
                align,
                volatile,
            } if self.vector(value).is_some() => self.store(inst, pointer, value, align, volatile),
            Inst::Call { callee, args, .. } => self.call(inst, data, callee, args),
            Inst::ExtractValue { aggregate, indices } => {
                self.extract_value(inst, data, aggregate, indices)
            }
            Inst::InsertValue {
                aggregate,
                value,
                indices,
            } if self.vector(value).is_some() => {
                self.insert_value(inst, data, aggregate, value, indices)
            }
            Inst::Ret { value } => match value.expand() {
                Some(vector) if self.vector(vector).is_some() => {
                    let whole = self.close(vector, inst)?;
                    self.emit_void(
                        inst,
                        Inst::Ret {
                            value: whole.into(),
                        },
                    )
                }
                _ => self.copy(inst, data),
            },
            _ => self.copy(inst, data),
        }
    }

    /// Writes an operation once per element; operands that are no vectors are the same in all.
    pub(super) fn each<const N: usize>(
        &mut self,
        origin: InstId,
        data: &InstData,
        operands: [ValueId; N],
        make: impl Fn([ValueId; N]) -> Inst,
    ) -> Result<()> {
        let (Some((element, count)), Some(result)) =
            (self.vector_type(data.ty), data.result.expand())
        else {
            return Err(Error::malformed("an operation on vectors gives no vector"));
        };
        let mut vectors = [None; N];
        for (vector, operand) in vectors.iter_mut().zip(operands) {
            if self.vector(operand).is_some() {
                *vector = Some(self.elements_of_size(operand, count)?);
            }
        }
        let mut made = Vec::with_capacity(count as usize);
        for index in 0..count {
            let mut each = operands;
            for (operand, vector) in each.iter_mut().zip(vectors) {
                *operand = match vector {
                    Some(elements) => self.element(elements, index),
                    None => self.now(*operand),
                };
            }
            made.push(self.emit(origin, make(each), element)?);
        }
        self.define(result, &made, origin)
    }

    /// The elements of a vector that must have so many.
    pub(super) fn elements_of_size(&mut self, vector: ValueId, count: u32) -> Result<Elements> {
        let elements = self.elements_of(vector)?;
        if elements.len != count {
            return Err(Error::malformed(format!(
                "vectors of {count} and of {} elements meet",
                elements.len
            )));
        }
        Ok(elements)
    }

    fn phi(&mut self, block: BlockId, inst: InstId, data: &InstData) -> Result<()> {
        let Some((element, count)) = self.vector_type(data.ty) else {
            self.phis.push((block, self.code.len(), 0));
            return self.emit_as(inst, data.inst, data.ty, data.result.expand());
        };
        if let Inst::Phi { incoming } = data.inst {
            self.tables.spend(count as usize * incoming.len as usize)?;
        }
        let mut made = Vec::with_capacity(count as usize);
        for index in 0..count {
            self.phis.push((block, self.code.len(), index));
            made.push(self.emit(inst, data.inst, element)?);
        }
        if let Some(result) = data.result.expand() {
            self.add_elements(result, &made)?;
            if self.is_picked(result) {
                self.pending.push(result);
            }
        }
        Ok(())
    }

    fn fill_phis(&mut self, blocks: &mut [Vec<Written>]) -> Result<()> {
        for (block, place, index) in std::mem::take(&mut self.phis) {
            let written = blocks
                .get(block.index())
                .and_then(|code| code.get(place))
                .map(|written| written.data.inst);
            let Some(Inst::Phi { incoming }) = written else {
                return Err(Error::internal("a phi is not where it was written"));
            };
            let start = self.edge_pool.len();
            for at in 0..incoming.len {
                let edges = self.old.function.edges_of(incoming);
                let Some(&(value, from)) = edges.get(at as usize) else {
                    continue;
                };
                let value = match self.vector(value) {
                    Some(_) => {
                        let elements = self.elements_of(value)?;
                        self.element(elements, index)
                    }
                    None => self.now(value),
                };
                self.edge_pool.push((value, from));
            }
            let incoming = List::new(start as u32, incoming.len);
            if let Some(written) = blocks
                .get_mut(block.index())
                .and_then(|code| code.get_mut(place))
            {
                written.data.inst = Inst::Phi { incoming };
            }
        }
        Ok(())
    }

    fn assemble(self, mut blocks: Vec<Vec<Written>>) -> Function {
        let old = self.old.function;
        let mut function = Function {
            id: old.id,
            first_value: old.first_value,
            values: self.values,
            arg_count: old.arg_count,
            insts: PrimaryMap::new(),
            blocks: PrimaryMap::with_capacity(blocks.len()),
            value_pool: self.value_pool,
            edge_pool: self.edge_pool,
            number_pool: self.number_pool,
            debug_locs: SecondaryMap::new(),
            attachments: Vec::new(),
            function_attachments: old.function_attachments.clone(),
            value_names: old.value_names.clone(),
            block_names: old.block_names.clone(),
        };
        self.tables.sweep(&function, &mut blocks);
        for code in blocks {
            let first = function.insts.next_key();
            for Written { data, origin } in code {
                let inst = function.insts.push(data);
                if let Some(result) = data.result.expand()
                    && let Some(at) = result.index().checked_sub(old.first_value as usize)
                    && let Some(value) = function.values.get_mut(at)
                {
                    value.def = ValueDef::Inst(inst);
                }
                if let Some(&Some(place)) = old.debug_locs.get(origin) {
                    function.debug_locs[inst] = Some(place);
                }
                let at = old.attachments.partition_point(|(at, ..)| *at < origin);
                let attached = old.attachments.iter().skip(at);
                for &(_, kind, node) in attached.take_while(|(at, ..)| *at == origin) {
                    function.attachments.push((inst, kind, node));
                }
            }
            function.blocks.push(Block {
                first,
                end: function.insts.next_key(),
            });
        }
        function
    }
}

pub(super) fn too_much() -> Error {
    Error::unsupported(format!(
        "vectors that become more than {MOST_INSTRUCTIONS} scalar instructions"
    ))
}
