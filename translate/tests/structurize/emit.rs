//! Writes structured graphs as SPIR-V, many functions to a module, for the validator.
//!
//! Every value is a `uint`; a block's code is an addition for each value that it looks at, so that
//! the validator sees every use.

use dxil_frontend::ir::ValueId;
use dxil_frontend::tables::{HashMap, HashSet};
use dxil_translate::cfg::CfgNodeId;
use dxil_translate::structurize::{
    Merge, Operand, PhiResult, StructuredBlock, StructuredCfg, Terminator,
};

use dxil_translate::oracle::graphs::{CONSTANTS, Graph, computed};

const VOID: u32 = 1;
const UINT: u32 = 2;
const BOOL: u32 = 3;
const MAIN_TYPE: u32 = 4;
const FUNCTION_TYPE: u32 = 5;
const MAIN: u32 = 6;
const ZERO: u32 = 7;
const UNDEF: u32 = 8;
const POINTER: u32 = 9;

/// A module in the making.
pub(crate) struct Module {
    next: u32,
    selectors: HashMap<u32, u32>,
    constants: Vec<u32>,
    functions: Vec<u32>,
}

fn push(words: &mut Vec<u32>, opcode: u32, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | opcode);
    words.extend_from_slice(operands);
}

impl Module {
    pub(crate) fn new() -> Module {
        Module {
            next: POINTER + 1,
            selectors: HashMap::default(),
            constants: Vec::new(),
            functions: Vec::new(),
        }
    }

    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn constant(&mut self, word: u32) -> u32 {
        if let Some(&id) = self.selectors.get(&word) {
            return id;
        }
        let id = self.fresh();
        self.selectors.insert(word, id);
        push(&mut self.constants, 43, &[UINT, id, word]);
        id
    }

    /// Returns the module, for SPIR-V 1.`minor`.
    pub(crate) fn words(&self, minor: u32) -> Vec<u32> {
        let mut words = vec![0x0723_0203, 1 << 16 | minor << 8, 0, self.next, 0];
        push(&mut words, 17, &[1]); // OpCapability Shader
        push(&mut words, 14, &[0, 1]); // OpMemoryModel Logical GLSL450
        push(&mut words, 15, &[5, MAIN, u32::from_le_bytes(*b"main"), 0]);
        push(&mut words, 16, &[MAIN, 17, 1, 1, 1]); // LocalSize
        push(&mut words, 19, &[VOID]);
        push(&mut words, 21, &[UINT, 32, 0]);
        push(&mut words, 20, &[BOOL]);
        push(&mut words, 33, &[MAIN_TYPE, VOID]);
        push(&mut words, 33, &[FUNCTION_TYPE, UINT]);
        push(&mut words, 43, &[UINT, ZERO, 0]);
        push(&mut words, 1, &[UINT, UNDEF]);
        push(&mut words, 32, &[POINTER, 7, UINT]); // OpTypePointer Function
        words.extend_from_slice(&self.constants);
        words.extend_from_slice(&self.functions);
        push(&mut words, 54, &[VOID, MAIN, 0, MAIN_TYPE]);
        push(&mut words, 248, &[self.next - 1]);
        push(&mut words, 253, &[]);
        push(&mut words, 56, &[]);
        words
    }

    /// Adds a function.
    pub(crate) fn add(&mut self, graph: &Graph, form: &StructuredCfg) {
        let labels: Vec<u32> = form.blocks.iter().map(|_| self.fresh()).collect();
        let slots: Vec<u32> = form.slots.iter().map(|_| self.fresh()).collect();
        let mut writer = Writer {
            graph,
            labels,
            slots: slots.clone(),
            values: HashMap::default(),
            synthetics: HashMap::default(),
            defined: HashSet::default(),
            module: self,
        };
        let id = writer.module.fresh();
        let mut words = Vec::new();
        push(&mut words, 54, &[UINT, id, 0, FUNCTION_TYPE]);
        for (block, &label) in form.blocks.iter().zip(&writer.labels.clone()) {
            push(&mut words, 248, &[label]);
            if label == writer.labels[0] {
                for &slot in &slots {
                    push(&mut words, 59, &[POINTER, slot, 7]); // OpVariable
                }
            }
            writer.block(block, &mut words);
        }
        push(&mut words, 56, &[]);
        self.functions.extend_from_slice(&words);
        // The label of `main` is the last id.
        self.next += 1;
    }
}

struct Writer<'a> {
    graph: &'a Graph,
    labels: Vec<u32>,
    slots: Vec<u32>,
    values: HashMap<ValueId, u32>,
    synthetics: HashMap<u32, u32>,
    /// Values that a block has computed.
    defined: HashSet<ValueId>,
    module: &'a mut Module,
}

impl Writer<'_> {
    fn value(&mut self, value: ValueId) -> u32 {
        if value.as_u32() < CONSTANTS {
            return self.module.constant(value.as_u32());
        }
        if let Some(&id) = self.values.get(&value) {
            return id;
        }
        let id = self.module.fresh();
        self.values.insert(value, id);
        id
    }

    fn operand(&mut self, operand: Operand) -> u32 {
        match operand {
            Operand::Value(value) => self.value(value),
            Operand::Synthetic(synthetic) => match self.synthetics.get(&synthetic.0) {
                Some(&id) => id,
                None => {
                    let id = self.module.fresh();
                    self.synthetics.insert(synthetic.0, id);
                    id
                }
            },
            Operand::Selector(word) => self.module.constant(word),
            Operand::Bool(word) => self.module.constant(u32::from(word)),
            Operand::Undef => UNDEF,
        }
    }

    fn result(&mut self, result: PhiResult) -> u32 {
        match result {
            PhiResult::Value(value) => self.value(value),
            PhiResult::SyntheticLike(id, _)
            | PhiResult::SyntheticSelector(id)
            | PhiResult::SyntheticBool(id) => self.operand(Operand::Synthetic(id)),
        }
    }

    fn look(&mut self, block: &StructuredBlock, operand: Operand) -> u32 {
        let renamed = block
            .renames
            .iter()
            .find(|(value, _)| Operand::Value(*value) == operand);
        self.operand(renamed.map_or(operand, |&(_, to)| to))
    }

    fn block(&mut self, block: &StructuredBlock, words: &mut Vec<u32>) {
        for phi in &block.phis {
            let result = self.result(phi.result);
            let mut operands = vec![UINT, result];
            for &(operand, from) in &phi.incoming {
                operands.push(self.operand(operand));
                operands.push(self.labels[from.0 as usize]);
            }
            push(words, 245, &operands);
        }
        for &(result, slot) in block.memory.iter().flat_map(|memory| &memory.loads) {
            let id = self.result(result);
            push(words, 61, &[UINT, id, self.slots[slot.0 as usize]]); // OpLoad
        }
        let mut before = None;
        if let Some(source) = block.source {
            let node = CfgNodeId(source.as_u32());
            for &value in &self.graph.looks_at[node.index()] {
                let sum = self.module.fresh();
                let seen = self.look(block, Operand::Value(value));
                push(words, 128, &[UINT, sum, seen, ZERO]);
            }
            if self.graph.cfg.node(node).size > 0 {
                let value = computed(node);
                let result = match block.exports.iter().find(|(v, _)| *v == value) {
                    Some(&(_, name)) => {
                        let name = self.operand(Operand::Synthetic(name));
                        before = Some((value, self.values.insert(value, name)));
                        name
                    }
                    // Nothing but the block itself uses it.
                    None if !self.defined.insert(value) => {
                        let id = self.module.fresh();
                        before = Some((value, self.values.insert(value, id)));
                        id
                    }
                    None => self.value(value),
                };
                push(words, 128, &[UINT, result, ZERO, ZERO]);
            }
        }
        // The condition comes before the merge instruction.
        let condition = match &block.terminator {
            Terminator::CondBranch { condition, .. } => {
                let word = self.look(block, *condition);
                let id = self.module.fresh();
                push(words, 171, &[BOOL, id, word, ZERO]); // OpINotEqual
                id
            }
            Terminator::SelectorBranch {
                selector, value, ..
            } => {
                let word = self.look(block, *selector);
                let value = self.module.constant(*value);
                let id = self.module.fresh();
                push(words, 170, &[BOOL, id, word, value]); // OpIEqual
                id
            }
            _ => 0,
        };
        for select in &block.selects {
            let word = self.look(block, select.condition);
            let is_set = self.module.fresh();
            push(words, 171, &[BOOL, is_set, word, ZERO]); // OpINotEqual
            let result = self.operand(Operand::Synthetic(select.result));
            let [yes, no] = [select.if_true, select.if_false].map(|operand| self.operand(operand));
            push(words, 169, &[UINT, result, is_set, yes, no]); // OpSelect
        }
        for &(slot, operand) in block.memory.iter().flat_map(|memory| &memory.stores) {
            let value = self.operand(operand);
            push(words, 62, &[self.slots[slot.0 as usize], value]); // OpStore
        }
        match block.merge {
            Merge::None => {}
            Merge::Selection { merge, .. } => {
                push(words, 247, &[self.labels[merge.0 as usize], 0]);
            }
            Merge::Loop {
                merge,
                continue_target,
                ..
            } => push(
                words,
                246,
                &[
                    self.labels[merge.0 as usize],
                    self.labels[continue_target.0 as usize],
                    0,
                ],
            ),
        }
        match &block.terminator {
            Terminator::Branch(to) => push(words, 249, &[self.labels[to.0 as usize]]),
            Terminator::CondBranch {
                if_true: yes,
                if_false: no,
                ..
            }
            | Terminator::SelectorBranch {
                if_equal: yes,
                if_not: no,
                ..
            } => push(
                words,
                250,
                &[
                    condition,
                    self.labels[yes.0 as usize],
                    self.labels[no.0 as usize],
                ],
            ),
            Terminator::Switch {
                selector,
                default,
                cases,
            } => {
                let mut operands =
                    vec![self.look(block, *selector), self.labels[default.0 as usize]];
                for &(literal, to) in cases {
                    operands.push(literal as u32);
                    operands.push(self.labels[to.0 as usize]);
                }
                push(words, 251, &operands);
            }
            Terminator::Return(value) => {
                let id = match value {
                    Some(value) => self.look(block, Operand::Value(*value)),
                    None => ZERO,
                };
                push(words, 254, &[id]);
            }
            Terminator::Unreachable => push(words, 255, &[]),
        }
        match before {
            Some((value, Some(id))) => {
                self.values.insert(value, id);
            }
            Some((value, None)) => {
                self.values.remove(&value);
            }
            None => {}
        }
    }
}
