//! One function without vectors.
//!
//! Blocks are visited so that definitions come before uses, and each instruction is written again:
//! as it was, or once per element. Operands of phis are filled in at the end, when every value has
//! its elements.

mod elements;
mod emit;
pub(in crate::vectors) mod state;

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use dxil_frontend::dxil::Shader;
use dxil_frontend::ir::{
    Block, BlockId, FuncView, Function, Inst, InstData, InstId, List, ValueDef, ValueId,
};
use dxil_frontend::tables::{HashMap, HashSet};
use state::VectorRewrite;

use super::tables::ModuleTables;
use crate::vectors::rules::Written;
use crate::vectors::whole_vectors::WholeVectors;
use crate::{Error, Result};

pub(in crate::vectors) use state::Elements;

/// Writes the function again.
pub(in crate::vectors) fn run(
    shader: &Shader,
    old: FuncView<'_>,
    whole: WholeVectors,
    tables: &mut ModuleTables<'_>,
) -> Result<Function> {
    let function = old.function;
    let mut rewrite = VectorRewrite {
        shader,
        old,
        tables,
        values: function.values.clone(),
        value_pool: function.value_pool.clone(),
        edge_pool: function.edge_pool.clone(),
        number_pool: function.number_pool.clone(),
        elements: HashMap::default(),
        pool: Vec::new(),
        replaced: HashMap::default(),
        constants: HashMap::default(),
        functions: HashMap::default(),
        uses: HashMap::default(),
        whole,
        kept: HashSet::default(),
        wholes: HashMap::default(),
        whole_uses: HashSet::default(),
        whole_loads: HashSet::default(),
        apart_here: Vec::new(),
        picked: HashSet::default(),
        variables: HashMap::default(),
        vector_loads: HashMap::default(),
        allocas: Vec::new(),
        prologue: Vec::new(),
        code: Vec::new(),
        pending: Vec::new(),
        phis: Vec::new(),
    };
    rewrite.kept = rewrite.choose_wholes();
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
        rewrite.leave_block();
    }
    // After all blocks: a loop's phi names values that are defined after it.
    rewrite.fill_phis(&mut blocks)?;
    if let Some(entry) = blocks.first_mut() {
        let rest = std::mem::take(entry);
        // Variables first, as SPIR-V has them at the start of the first block (2.4), then code that
        // all blocks may use.
        entry.append(&mut rewrite.allocas);
        entry.append(&mut rewrite.prologue);
        entry.extend(rest);
    }
    Ok(rewrite.assemble(blocks))
}

/// Returns the blocks, definitions before uses; those that nothing leads to come last.
fn order(function: &Function) -> Vec<BlockId> {
    let count = function.blocks.len();
    let mut seen = vec![false; count];
    let mut order = Vec::with_capacity(count);
    // An explicit stack: the depth of a recursion would be up to the input.
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

impl<'a> VectorRewrite<'a, '_, '_> {
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
                && self.vector(vector).is_some_and(|(_, count)| {
                    count > crate::vectors::rules::MAX_SELECTED && !self.is_kept(vector)
                })
            {
                self.picked.insert(vector);
            }
            self.note_whole_uses(data);
        }
        self.note_whole_loads();
    }

    /// Returns whether a vector has just that one use.
    pub(in crate::vectors) fn is_used_once(&self, vector: ValueId) -> bool {
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

    fn instruction(&mut self, block: BlockId, inst: InstId, data: &InstData) -> Result<()> {
        if let Inst::Phi { .. } = data.inst {
            return self.phi(block, inst, data);
        }
        // After the last phi: all phis stand at the head of their block.
        for vector in std::mem::take(&mut self.pending) {
            let elements = self.elements_of(vector, inst)?;
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

    /// Writes an operation once per element; operands that are not vectors are the same in all.
    pub(in crate::vectors) fn each<const N: usize>(
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
        if self.is_kept(result) {
            let operands = self.whole_operands(operands, count, origin)?;
            return self.emit_whole(origin, make(operands), data.ty, result);
        }
        let mut vectors = [None; N];
        for (vector, operand) in vectors.iter_mut().zip(operands) {
            if self.vector(operand).is_some() {
                *vector = Some(self.elements_of_size(operand, count, origin)?);
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

    fn phi(&mut self, block: BlockId, inst: InstId, data: &InstData) -> Result<()> {
        let Some((element, count)) = self.vector_type(data.ty) else {
            self.phis.push((block, self.code.len(), Some(0)));
            return self.emit_as(inst, data.inst, data.ty, data.result.expand());
        };
        if let Some(result) = data.result.expand()
            && self.is_kept(result)
        {
            self.phis.push((block, self.code.len(), None));
            return self.emit_whole(inst, data.inst, data.ty, result);
        }
        if let Inst::Phi { incoming } = data.inst {
            // Operands count as instructions: their number is elements times predecessors, which a
            // short input can make large.
            self.tables.spend(count as usize * incoming.len as usize)?;
        }
        let mut made = Vec::with_capacity(count as usize);
        for index in 0..count {
            self.phis.push((block, self.code.len(), Some(index)));
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
                let value = match (self.vector(value), index) {
                    (Some(_), None) => self.known_whole(value)?,
                    (Some(_), Some(index)) => {
                        let elements = self.known_elements(value)?;
                        self.element(elements, index)
                    }
                    (None, _) => self.now(value),
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
            // Vectors become scalars for a translation, which does not look at attributes of calls.
            call_sites: Vec::new(),
            attachments: Vec::new(),
            function_attachments: old.function_attachments.clone(),
            value_names: old.value_names.clone(),
            block_names: old.block_names.clone(),
        };
        // Before instructions get their final numbers.
        self.tables.eliminate_dead_code(&function, &mut blocks);
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
