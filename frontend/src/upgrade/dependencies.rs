//! `dx.viewIdState`: which components of the outputs depend on which of the inputs.
//!
//! A driver that draws several views at once shares what does not depend on the view's number, also
//! across stages, so a dependency that is missing would be wrong, and one too many costs time. Each
//! value has the set of inputs that it depends on, through operands, through the variables that it
//! is loaded from, and through the conditions under which its block runs.

use crate::dxil::ops::{Op, SignatureOp, decode, op_arguments};
use crate::dxil::{EntryPoint, Shader, ShaderKind, SignatureElement};
use crate::ir::dominance::{Predecessors, immediate_post_dominators};
use crate::ir::{BlockId, FuncView, Function, Inst, ValueDef, ValueId};
use crate::tables::HashMap;

/// Components of a signature: 32 registers.
const SCALARS: usize = 128;

/// Rounds of the analysis of a function. Code of compilers takes a few; what takes more than this
/// counts as depending on everything.
const MAX_ROUNDS: usize = 32;

/// Inputs that something depends on, a bit for each component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Sources {
    inputs: u128,
    patch_constants: u128,
}

impl Sources {
    const ALL: Sources = Sources {
        inputs: u128::MAX,
        patch_constants: u128::MAX,
    };

    fn merge(&mut self, other: Sources) {
        self.inputs |= other.inputs;
        self.patch_constants |= other.patch_constants;
    }

    fn with(mut self, other: Sources) -> Sources {
        self.merge(other);
        self
    }
}

/// What the components of each stream's outputs, and of the patch constants, depend on.
struct Dependencies {
    outputs: [[Sources; SCALARS]; 4],
    patch_constants: [Sources; SCALARS],
}

/// Returns the list of `dx.viewIdState`; none for a stage without signatures.
pub(super) fn list(shader: &Shader) -> Vec<u32> {
    let kind = shader.shader_model.kind;
    let Some(entry) = shader.entry_points.first() else {
        return Vec::new();
    };
    if matches!(kind, ShaderKind::Compute | ShaderKind::Library) {
        return Vec::new();
    }
    let found = of_entry(shader, entry);
    let mut list = Vec::new();
    let inputs = scalars(&entry.inputs, 0);
    list.push(count(inputs));
    let streams = if kind == ShaderKind::Geometry { 4 } else { 1 };
    for (stream, table) in (0..).zip(&found.outputs).take(streams) {
        let outputs = scalars(&entry.outputs, stream);
        list.push(count(outputs));
        put_table(&mut list, inputs, outputs, table, |sources| sources.inputs);
    }
    let patch_constants = scalars(&entry.patch_constants, 0);
    match kind {
        ShaderKind::Hull => {
            list.push(count(patch_constants));
            let table = &found.patch_constants;
            put_table(&mut list, inputs, patch_constants, table, |it| it.inputs);
        }
        ShaderKind::Domain => {
            list.push(count(patch_constants));
            let [table, ..] = &found.outputs;
            let outputs = scalars(&entry.outputs, 0);
            put_table(&mut list, patch_constants, outputs, table, |it| {
                it.patch_constants
            });
        }
        _ => {}
    }
    list
}

fn count(scalars: usize) -> u32 {
    u32::try_from(scalars).unwrap_or(0)
}

/// Returns the components up to the last one that the elements of a stream have.
fn scalars(elements: &[SignatureElement], stream: u32) -> usize {
    let own = elements.iter().filter(|it| it.stream == stream);
    own.filter_map(|it| {
        let last = it.start_row? as usize + (it.rows as usize).max(1) - 1;
        Some(last * 4 + (it.start_column + it.columns) as usize)
    })
    .max()
    .map_or(0, |count| count.min(SCALARS))
}

/// Appends the masks of outputs, one for each input.
fn put_table(
    list: &mut Vec<u32>,
    inputs: usize,
    outputs: usize,
    table: &[Sources; SCALARS],
    of: impl Fn(&Sources) -> u128,
) {
    for input in 0..inputs {
        for word in 0..outputs.div_ceil(32) {
            let own = table.iter().enumerate().skip(word * 32).take(32);
            let mask = own
                .filter(|(output, sources)| *output < outputs && of(sources) >> input & 1 != 0)
                .fold(0u32, |mask, (output, _)| mask | 1 << (output % 32));
            list.push(mask);
        }
    }
}

fn of_entry(shader: &Shader, entry: &EntryPoint) -> Dependencies {
    let mut found = Dependencies {
        outputs: [[Sources::default(); SCALARS]; 4],
        patch_constants: [Sources::default(); SCALARS],
    };
    let view = |id| shader.view(id);
    match entry.function.and_then(view) {
        Some(view) => Analysis::new(shader, entry, view, &mut found).run(),
        // A hull shader without code for control points passes them through.
        None => {
            let [outputs, ..] = &mut found.outputs;
            for (scalar, sources) in outputs.iter_mut().enumerate() {
                sources.inputs = 1 << scalar;
            }
        }
    }
    if let crate::dxil::Stage::Hull {
        patch_constant_function: Some(id),
        ..
    } = entry.stage
        && let Some(view) = view(id)
    {
        Analysis::new(shader, entry, view, &mut found).run();
    }
    found
}

/// Returns the number of a component in its signature; `None` without a register.
fn scalar(element: &SignatureElement, row: u32, column: u8) -> Option<usize> {
    let row = element.start_row?.checked_add(row)?;
    let column = element.start_column + u32::from(column);
    let scalar = row as usize * 4 + column as usize;
    (scalar < SCALARS).then_some(scalar)
}

/// The analysis of a function.
struct Analysis<'a> {
    shader: &'a Shader,
    entry: &'a EntryPoint,
    view: FuncView<'a>,
    found: &'a mut Dependencies,
    values: Vec<Sources>,
    /// Variables, by the value that is their address.
    variables: HashMap<ValueId, Sources>,
    /// The conditions under which each block runs.
    blocks: Vec<Sources>,
    has_changed: bool,
}

impl<'a> Analysis<'a> {
    fn new(
        shader: &'a Shader,
        entry: &'a EntryPoint,
        view: FuncView<'a>,
        found: &'a mut Dependencies,
    ) -> Self {
        Analysis {
            shader,
            entry,
            view,
            found,
            values: vec![Sources::default(); view.function.values.len()],
            variables: HashMap::default(),
            blocks: vec![Sources::default(); view.function.blocks.len()],
            has_changed: false,
        }
    }

    fn run(mut self) {
        let function = self.view.function;
        let predecessors = Predecessors::new(function);
        let same = runs_like(function, &predecessors);
        for _ in 0..MAX_ROUNDS {
            self.has_changed = false;
            for block in function.blocks.keys() {
                self.block(block, &predecessors, same.get(block.as_u32() as usize));
            }
            if !self.has_changed {
                return;
            }
        }
        let [a, b, c, d] = &mut self.found.outputs;
        for table in [a, b, c, d, &mut self.found.patch_constants] {
            table.fill(Sources::ALL);
        }
    }

    fn local(&self, value: ValueId) -> Option<usize> {
        (value.as_u32() as usize).checked_sub(self.view.function.first_value as usize)
    }

    fn of_value(&self, value: ValueId) -> Sources {
        let known = self.local(value).and_then(|index| self.values.get(index));
        known.copied().unwrap_or_default()
    }

    fn of_block(&self, block: u32) -> Sources {
        self.blocks.get(block as usize).copied().unwrap_or_default()
    }

    /// Returns what decides that control flow leaves a block to one of its successors.
    fn leaving(&self, block: u32) -> Sources {
        let condition = match *self.view.function.terminator(BlockId::from_u32(block)) {
            Inst::CondBr { condition, .. } => self.of_value(condition),
            Inst::Switch { value, .. } => self.of_value(value),
            _ => Sources::default(),
        };
        condition.with(self.of_block(block))
    }

    fn block(&mut self, block: BlockId, predecessors: &Predecessors, same: Option<&Option<u32>>) {
        let from = predecessors.of_node(block.as_u32());
        let mut choice = Sources::default();
        for pred in from {
            choice.merge(self.leaving(*pred));
        }
        let own = match same {
            Some(Some(other)) => self.of_block(*other),
            _ => choice,
        };
        if let Some(known) = self.blocks.get_mut(block.as_u32() as usize) {
            let merged = known.with(own);
            self.has_changed |= merged != *known;
            *known = merged;
        }
        for data in self.view.function.block_data(block) {
            let mut sources = self.instruction(&data.inst, block);
            if matches!(data.inst, Inst::Phi { .. }) {
                sources.merge(choice);
            }
            let index = data.result.expand().and_then(|value| self.local(value));
            if let Some(known) = index.and_then(|index| self.values.get_mut(index)) {
                let merged = known.with(sources);
                self.has_changed |= merged != *known;
                *known = merged;
            }
        }
    }

    /// Returns the variable that a pointer leads into.
    fn variable(&self, mut pointer: ValueId) -> ValueId {
        while let Some(ValueDef::Inst(inst)) = self.view.value(pointer).map(|it| it.def)
            && let Some(data) = self.view.function.insts.get(inst)
        {
            pointer = match data.inst {
                Inst::Gep { operands, .. } => {
                    match self.view.function.values_of(operands).first() {
                        Some(base) => *base,
                        None => break,
                    }
                }
                Inst::Cast { value, .. } => value,
                _ => break,
            };
        }
        pointer
    }

    fn write(&mut self, pointer: ValueId, sources: Sources) {
        let variable = self.variable(pointer);
        let known = self.variables.entry(variable).or_default();
        let merged = known.with(sources);
        self.has_changed |= merged != *known;
        *known = merged;
    }

    /// Returns what the result of an instruction depends on, and notes what it writes.
    fn instruction(&mut self, inst: &Inst, block: BlockId) -> Sources {
        let mut sources = Sources::default();
        self.view.function.for_each_operand(inst, |operand| {
            sources.merge(self.of_value(operand));
        });
        let condition = self.of_block(block.as_u32());
        match *inst {
            Inst::Load { pointer, .. } => {
                let variable = self.variable(pointer);
                let known = self.variables.get(&variable).copied();
                sources.merge(known.unwrap_or_default());
            }
            Inst::Store { pointer, .. }
            | Inst::AtomicRmw { pointer, .. }
            | Inst::CmpXchg { pointer, .. } => {
                self.write(pointer, sources.with(condition));
                let variable = self.variable(pointer);
                let known = self.variables.get(&variable).copied();
                sources.merge(known.unwrap_or_default());
            }
            Inst::Call { .. } => {
                let args = op_arguments(self.view, &self.shader.callees, inst);
                if let Some(Ok(Op::Signature(op))) = args.map(|args| decode(self.view, args)) {
                    self.signature(&op, &mut sources, condition);
                }
            }
            _ => {}
        }
        sources
    }

    /// Notes what an operation on signatures reads or writes.
    fn signature(&mut self, op: &SignatureOp, sources: &mut Sources, condition: Sources) {
        let entry = self.entry;
        match *op {
            SignatureOp::LoadInput(call) => {
                sources.merge(self.inputs(call.element, call.row, call.column));
            }
            SignatureOp::EvalSnapped(call) => {
                sources.merge(self.inputs(call.element, call.row, call.column));
            }
            SignatureOp::EvalSampleIndex(call) => {
                sources.merge(self.inputs(call.element, call.row, call.column));
            }
            SignatureOp::EvalCentroid(call) => {
                sources.merge(self.inputs(call.element, call.row, call.column));
            }
            SignatureOp::LoadPatchConstant(call) => {
                let element = entry.patch_constants.get(call.element as usize);
                for scalar in self.scalars(element, call.row, call.column) {
                    sources.patch_constants |= 1 << scalar;
                }
            }
            SignatureOp::LoadOutputControlPoint(call) => {
                let element = entry.outputs.get(call.element as usize);
                let [outputs, ..] = &self.found.outputs;
                for scalar in self.scalars(element, call.row, call.column) {
                    sources.merge(outputs.get(scalar).copied().unwrap_or_default());
                }
            }
            SignatureOp::StoreOutput(call) => {
                let element = entry.outputs.get(call.element as usize);
                let places = self.scalars(element, call.row, call.column);
                let stream = element.map_or(0, |it| it.stream) as usize;
                let Some(table) = self.found.outputs.get_mut(stream) else {
                    return;
                };
                let all = sources.with(condition);
                self.has_changed |= add(table, &places, all);
            }
            SignatureOp::StorePatchConstant(call) => {
                let element = entry.patch_constants.get(call.element as usize);
                let places = self.scalars(element, call.row, call.column);
                let all = sources.with(condition);
                self.has_changed |= add(&mut self.found.patch_constants, &places, all);
            }
            _ => {}
        }
    }

    /// Returns the inputs that an access reads.
    fn inputs(&self, element: u32, row: ValueId, column: u8) -> Sources {
        let element = self.entry.inputs.get(element as usize);
        let scalars = self.scalars(element, row, column);
        Sources {
            inputs: scalars.iter().fold(0, |mask, scalar| mask | 1 << scalar),
            patch_constants: 0,
        }
    }

    /// Returns the components that an access may mean: those of all rows if the row is computed.
    fn scalars(&self, element: Option<&SignatureElement>, row: ValueId, column: u8) -> Vec<usize> {
        let Some(element) = element else {
            return Vec::new();
        };
        let rows = match self.view.constant_int(row) {
            Some(row) => {
                let row = u32::try_from(row).unwrap_or(u32::MAX);
                row..row.saturating_add(1)
            }
            None => 0..element.rows,
        };
        rows.filter_map(|row| scalar(element, row, column))
            .collect()
    }
}

/// Adds dependencies of outputs. Returns whether any is new.
fn add(table: &mut [Sources; SCALARS], places: &[usize], sources: Sources) -> bool {
    let mut has_changed = false;
    for place in places {
        if let Some(known) = table.get_mut(*place) {
            let merged = known.with(sources);
            has_changed |= merged != *known;
            *known = merged;
        }
    }
    has_changed
}

/// Returns for each block another one that runs under the same conditions: where the ways from a
/// block meet again, and no other way leads.
fn runs_like(function: &Function, predecessors: &Predecessors) -> Vec<Option<u32>> {
    let dominators = predecessors.dominators();
    let meets = immediate_post_dominators(function);
    let mut same = vec![None; function.blocks.len()];
    for (from, meet) in (0u32..).zip(meets) {
        let Some(meet) = meet else {
            continue;
        };
        let (a, b) = (BlockId::from_u32(from), BlockId::from_u32(meet));
        let is_reached = dominators.is_reachable(a.as_u32()) && dominators.is_reachable(b.as_u32());
        if is_reached
            && dominators.dominates(a.as_u32(), b.as_u32())
            && let Some(slot) = same.get_mut(meet as usize)
        {
            *slot = Some(from);
        }
    }
    same
}
