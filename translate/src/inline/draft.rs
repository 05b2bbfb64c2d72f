//! A function that is being rewritten: blocks are lists of instructions, which are concatenated at
//! the end.

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use dxil_frontend::ir::{
    Block, BlockId, DebugLoc, Function, Inst, InstData, List, MdId, TypeId, ValueDef, ValueId,
};
use dxil_frontend::tables::HashMap;
use smallvec::SmallVec;

/// An instruction, and what is attached to it.
#[derive(Debug, Clone)]
pub(crate) struct DraftInst {
    pub(crate) data: InstData,
    debug_loc: Option<DebugLoc>,
    attached: SmallVec<[(u32, MdId); 1]>,
}

impl DraftInst {
    pub(crate) fn new(data: InstData) -> Self {
        DraftInst {
            data,
            debug_loc: None,
            attached: SmallVec::new(),
        }
    }
}

/// A function under construction.
#[derive(Debug, Clone)]
pub(crate) struct DraftFunction {
    /// Everything but instructions and blocks.
    pub(crate) function: Function,
    pub(crate) blocks: Vec<Vec<DraftInst>>,
    /// Replaced values, with their replacements.
    replaced: HashMap<ValueId, ValueId>,
}

impl DraftFunction {
    pub(crate) fn of(function: &Function) -> Self {
        let mut rest = function.clone();
        let insts = std::mem::take(&mut rest.insts);
        let blocks = std::mem::take(&mut rest.blocks);
        let debug_locs = std::mem::replace(&mut rest.debug_locs, SecondaryMap::new());
        let attachments = std::mem::take(&mut rest.attachments);
        let mut attachments = attachments.into_iter().peekable();
        let mut lines: Vec<Option<DraftInst>> = Vec::with_capacity(insts.len());
        for (inst, data) in insts {
            let mut attached = SmallVec::new();
            while let Some((_, kind, node)) = attachments.next_if(|(at, ..)| *at == inst) {
                attached.push((kind, node));
            }
            lines.push(Some(DraftInst {
                data,
                debug_loc: debug_locs.get(inst).copied().flatten(),
                attached,
            }));
        }
        let blocks = blocks.values().map(|block| {
            let insts = block.insts();
            insts
                .filter_map(|inst| lines.get_mut(inst.index())?.take())
                .collect()
        });
        DraftFunction {
            blocks: blocks.collect(),
            function: rest,
            replaced: HashMap::default(),
        }
    }

    /// Returns the number of instructions.
    pub(super) fn instructions(&self) -> usize {
        self.blocks.iter().map(Vec::len).sum()
    }

    /// Returns the cost of a copy: the number of instructions, or of values or operands if there
    /// are far more of them than instructions need.
    pub(super) fn size(&self) -> usize {
        let function = &self.function;
        let values = function.values.len() + function.value_pool.len() + function.edge_pool.len();
        self.instructions().max(values / 8)
    }

    /// Adds a value to the function; its definition is set at the end.
    pub(crate) fn value(&mut self, ty: TypeId, def: ValueDef) -> ValueId {
        self.function.push_value(ty, def)
    }

    /// Adds a list of operands, and returns it.
    pub(crate) fn list(&mut self, values: &[ValueId]) -> List<ValueId> {
        self.function.push_list(values)
    }

    /// Adds a list of a phi's operands, and returns it.
    pub(crate) fn edges(&mut self, edges: &[(ValueId, BlockId)]) -> List<(ValueId, BlockId)> {
        let start = self.function.edge_pool.len();
        self.function.edge_pool.extend_from_slice(edges);
        List::new(start as u32, edges.len() as u32)
    }

    /// Replaces a value by another one.
    pub(crate) fn replace(&mut self, value: ValueId, by: ValueId) {
        self.replaced.insert(value, by);
    }

    /// Returns the value that replaces a value, after all replacements.
    pub(crate) fn resolved(&self, value: ValueId) -> ValueId {
        let mut value = value;
        // A chain has at most as many links as there are replacements.
        for _ in 0..=self.replaced.len() {
            match self.replaced.get(&value) {
                Some(&by) => value = by,
                None => break,
            }
        }
        value
    }

    /// Applies the replacements to all uses.
    pub(super) fn apply_replacements(&mut self) {
        if self.replaced.is_empty() {
            return;
        }
        // Chains are followed once per replaced value instead of once per use.
        #[expect(clippy::disallowed_methods, reason = "collected into a map")]
        let resolved: HashMap<ValueId, ValueId> = self
            .replaced
            .keys()
            .map(|&value| (value, self.resolved(value)))
            .collect();
        let put = |value: &mut ValueId| {
            if let Some(&by) = resolved.get(value) {
                *value = by;
            }
        };
        self.function.value_pool.iter_mut().for_each(put);
        self.function
            .edge_pool
            .iter_mut()
            .for_each(|(value, _)| put(value));
        for line in self.blocks.iter_mut().flatten() {
            line.data.inst.for_each_own_operand(put);
        }
        self.replaced.clear();
    }

    /// Returns the successors of a block, once per edge.
    pub(super) fn successors(&self, block: usize) -> SmallVec<[BlockId; 2]> {
        let mut found = SmallVec::new();
        let last = self.blocks.get(block).and_then(|lines| lines.last());
        match last.map(|line| line.data.inst) {
            Some(Inst::Br { target }) => found.push(target),
            Some(Inst::CondBr {
                if_true, if_false, ..
            }) => found.extend([if_true, if_false]),
            Some(Inst::Switch { default, cases, .. }) => {
                found.push(default);
                let cases = self.function.edges_of(cases).iter();
                found.extend(cases.map(|(_, target)| *target));
            }
            _ => {}
        }
        found
    }

    /// Returns the finished function.
    pub(crate) fn finish(mut self) -> Function {
        self.apply_replacements();
        let mut function = self.function;
        function.insts = PrimaryMap::new();
        function.blocks = PrimaryMap::with_capacity(self.blocks.len());
        for lines in self.blocks {
            let first = function.insts.next_key();
            for line in lines {
                let inst = function.insts.push(line.data);
                if let Some(result) = line.data.result.expand()
                    && let Some(at) = result.index().checked_sub(function.first_value as usize)
                    && let Some(value) = function.values.get_mut(at)
                {
                    value.def = ValueDef::Inst(inst);
                }
                if line.debug_loc.is_some() {
                    function.debug_locs[inst] = line.debug_loc;
                }
                let attached = line.attached.into_iter();
                let attached = attached.map(|(kind, node)| (inst, kind, node));
                function.attachments.extend(attached);
            }
            function.blocks.push(Block {
                first,
                end: function.insts.next_key(),
            });
        }
        function
    }
}
