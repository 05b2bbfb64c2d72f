//! A function that is being rewritten: blocks are lists of instructions, which are concatenated at
//! the end.

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use smallvec::SmallVec;

use super::{
    Block, BlockId, CallSite, DebugLoc, Function, Inst, InstData, List, MdId, TypeId, ValueDef,
    ValueId,
};
use crate::tables::HashMap;

/// An instruction, and what is attached to it.
#[derive(Debug, Clone)]
pub struct DraftInst {
    /// The instruction itself.
    pub data: InstData,
    debug_loc: Option<DebugLoc>,
    attached: SmallVec<[(u32, MdId); 1]>,
    call_site: CallSite,
}

impl DraftInst {
    /// Returns an instruction with nothing attached.
    pub fn new(data: InstData) -> Self {
        DraftInst {
            data,
            debug_loc: None,
            attached: SmallVec::new(),
            call_site: CallSite::default(),
        }
    }
}

/// A function under construction.
#[derive(Debug, Clone)]
pub struct DraftFunction {
    /// Everything but instructions and blocks.
    pub function: Function,
    /// The instructions of each block, the terminator last.
    pub blocks: Vec<Vec<DraftInst>>,
    /// Replaced values, with their replacements.
    replaced: HashMap<ValueId, ValueId>,
}

impl DraftFunction {
    /// Returns a draft of a function.
    pub fn of(function: &Function) -> Self {
        let mut rest = function.clone();
        let insts = std::mem::take(&mut rest.insts);
        let blocks = std::mem::take(&mut rest.blocks);
        let debug_locs = std::mem::replace(&mut rest.debug_locs, SecondaryMap::new());
        let attachments = std::mem::take(&mut rest.attachments);
        let mut attachments = attachments.into_iter().peekable();
        let call_sites = std::mem::take(&mut rest.call_sites);
        let mut call_sites = call_sites.into_iter().peekable();
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
                call_site: call_sites
                    .next_if(|(at, _)| *at == inst)
                    .map_or(CallSite::default(), |(_, site)| site),
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
    pub fn instructions(&self) -> usize {
        self.blocks.iter().map(Vec::len).sum()
    }

    /// Returns the cost of a copy: the number of instructions, or of values or operands if there
    /// are far more of them than instructions need.
    pub fn size(&self) -> usize {
        let function = &self.function;
        let values = function.values.len() + function.value_pool.len() + function.edge_pool.len();
        self.instructions().max(values / 8)
    }

    /// Adds a value to the function; its definition is set at the end.
    pub fn value(&mut self, ty: TypeId, def: ValueDef) -> ValueId {
        self.function.push_value(ty, def)
    }

    /// Adds a list of operands, and returns it.
    pub fn list(&mut self, values: &[ValueId]) -> List<ValueId> {
        self.function.push_list(values)
    }

    /// Adds a list of a phi's operands, and returns it.
    pub fn edges(&mut self, edges: &[(ValueId, BlockId)]) -> List<(ValueId, BlockId)> {
        let start = self.function.edge_pool.len();
        self.function.edge_pool.extend_from_slice(edges);
        List::from_range(start..self.function.edge_pool.len())
    }

    /// Replaces a value by another one.
    pub fn replace(&mut self, value: ValueId, by: ValueId) {
        self.replaced.insert(value, by);
    }

    /// Returns the value that replaces a value, after all replacements.
    pub fn resolved(&self, value: ValueId) -> ValueId {
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
    pub fn apply_replacements(&mut self) {
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
    pub fn successors(&self, block: usize) -> SmallVec<[BlockId; 2]> {
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
    pub fn finish(mut self) -> Function {
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
                    #[allow(clippy::indexing_slicing, reason = "a secondary map grows on demand")]
                    {
                        function.debug_locs[inst] = line.debug_loc;
                    }
                }
                if line.call_site != CallSite::default() {
                    function.call_sites.push((inst, line.call_site));
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
