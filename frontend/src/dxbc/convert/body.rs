//! A function body under construction.
//!
//! Blocks grow independently of each other, and casts are put after the values that they cast, so
//! that one cast serves all uses. [`BodyBuilder::finish`] lays the blocks out as the IR wants them:
//! instructions of a block side by side, phis first.
//!
//! Values of the body are numbered from [`LOCAL`] on while the module still grows; they get their
//! final numbers at the end.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};

use super::module::pool_index;
use crate::error::Result;
use crate::ir::{
    BinaryOp, Block, BlockId, CastOp, Constant, FuncId, Function, Inst, InstData, InstId, List,
    TypeId, ValueData, ValueDef, ValueId,
};
use crate::tables::{HashMap, HashSet};

/// First number of a body's own values while it is under construction.
const LOCAL: u32 = 1 << 30;

/// A block under construction.
#[derive(Debug, Default)]
struct OpenBlock {
    /// Instructions, as places in [`BodyBuilder::insts`].
    insts: Vec<u32>,
    /// Phis: value and type; their operands come last.
    phis: Vec<ValueId>,
    terminator: Option<Inst>,
}

/// The position where new instructions are inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InsertPoint {
    /// The start of the function.
    Start,
    /// The end of a block as it stands so far.
    Block(u32),
    /// Right after the instruction that defines a value.
    Behind(ValueId),
}

/// A function body.
#[derive(Debug, Default)]
pub(super) struct BodyBuilder {
    values: Vec<ValueData>,
    /// Instructions in the order in which they were made.
    insts: Vec<InstData>,
    /// Local stack memory, then what else belongs at the start.
    allocas: Vec<u32>,
    start: Vec<u32>,
    blocks: Vec<OpenBlock>,
    behind: HashMap<ValueId, Vec<u32>>,
    constants: HashMap<(TypeId, Option<u64>), ValueId>,
    value_pool: Vec<ValueId>,
    edge_pool: Vec<(ValueId, BlockId)>,
    number_pool: Vec<u64>,
    /// Operands of phis.
    incoming: HashMap<ValueId, Vec<(ValueId, u32)>>,
    /// The value of a phi whose operands are all that value.
    replaced: HashMap<ValueId, ValueId>,
    /// Phis that became casts of another form, which is the phi now.
    exchanged: HashMap<ValueId, ValueId>,
    /// The type of instructions without result.
    void: Option<TypeId>,
}

impl BodyBuilder {
    pub(super) fn new(blocks: usize, void: TypeId) -> Self {
        let mut body = BodyBuilder {
            void: Some(void),
            ..BodyBuilder::default()
        };
        body.blocks.resize_with(blocks, OpenBlock::default);
        body
    }

    fn value(&mut self, ty: TypeId, def: ValueDef) -> ValueId {
        let index = u32::try_from(self.values.len()).unwrap_or(u32::MAX - LOCAL);
        self.values.push(ValueData { ty, def });
        ValueId::from_u32(LOCAL + index)
    }

    /// Returns a constant: an integer, or the bits of a float; `None` is `undef`.
    pub(super) fn constant(&mut self, ty: TypeId, is_float: bool, bits: Option<u64>) -> ValueId {
        if let Some(&known) = self.constants.get(&(ty, bits)) {
            return known;
        }
        let constant = match bits {
            None => Constant::Undef,
            Some(bits) if is_float => Constant::Float(bits),
            Some(bits) => Constant::Int(bits),
        };
        let id = self.value(ty, ValueDef::Constant(constant));
        self.constants.insert((ty, bits), id);
        id
    }

    /// Returns the type of a value of this body.
    pub(super) fn type_of(&self, value: ValueId) -> Option<TypeId> {
        let index = value.as_u32().checked_sub(LOCAL)?;
        self.values.get(index as usize).map(|data| data.ty)
    }

    /// Returns whether a value of this body is a constant.
    pub(super) fn is_constant(&self, value: ValueId) -> bool {
        let index = value.as_u32().checked_sub(LOCAL);
        let data = index.and_then(|index| self.values.get(index as usize));
        data.is_some_and(|data| matches!(data.def, ValueDef::Constant(_)))
    }

    /// Adds an instruction; gives its result, which means nothing where it has none.
    pub(super) fn emit(
        &mut self,
        place: InsertPoint,
        inst: Inst,
        ty: TypeId,
        has_result: bool,
    ) -> ValueId {
        let index = u32::try_from(self.insts.len()).unwrap_or(u32::MAX);
        let mut result = PackedOption::default();
        let mut id = ValueId::from_u32(u32::MAX - 1);
        if has_result {
            id = self.value(ty, ValueDef::Inst(InstId::from_u32(index)));
            result = PackedOption::from(id);
        }
        self.insts.push(InstData { inst, ty, result });
        match place {
            InsertPoint::Start if matches!(inst, Inst::Alloca { .. }) => self.allocas.push(index),
            InsertPoint::Start => self.start.push(index),
            InsertPoint::Block(block) => {
                if let Some(block) = self.blocks.get_mut(block as usize) {
                    block.insts.push(index);
                }
            }
            InsertPoint::Behind(value) => self.behind.entry(value).or_default().push(index),
        }
        id
    }

    /// Adds a list of values to the pool.
    pub(super) fn list(&mut self, values: &[ValueId]) -> Result<List<ValueId>> {
        let start = pool_index(self.value_pool.len())?;
        self.value_pool.extend_from_slice(values);
        Ok(List::new(start, pool_index(values.len())?))
    }

    /// Adds a list of indices to the pool.
    pub(super) fn index_list(&mut self, index: u32) -> Result<List<u32>> {
        let start = pool_index(self.number_pool.len())?;
        self.number_pool.push(u64::from(index));
        Ok(List::new(start, 1))
    }

    /// Adds pairs of values and blocks to the pool.
    pub(super) fn edges(&mut self, edges: &[(ValueId, u32)]) -> Result<List<(ValueId, BlockId)>> {
        let start = pool_index(self.edge_pool.len())?;
        let edges = edges
            .iter()
            .map(|&(value, block)| (value, BlockId::from_u32(block)));
        self.edge_pool.extend(edges);
        Ok(List::new(start, pool_index(self.edge_pool.len())? - start))
    }

    /// Ends a block.
    pub(super) fn terminate(&mut self, block: u32, inst: Inst) {
        if let Some(block) = self.blocks.get_mut(block as usize) {
            block.terminator = Some(inst);
        }
    }

    /// Adds a phi without operands.
    pub(super) fn phi(&mut self, block: u32, ty: TypeId) -> ValueId {
        let id = self.value(ty, ValueDef::Argument(u32::MAX));
        if let Some(block) = self.blocks.get_mut(block as usize) {
            block.phis.push(id);
        }
        id
    }

    /// Gives a phi its operands: values and the blocks that they come from.
    pub(super) fn set_incoming(&mut self, phi: ValueId, incoming: Vec<(ValueId, u32)>) {
        self.incoming.insert(phi, incoming);
    }

    /// Returns a value's index in this body; none for a global.
    pub(super) fn local(value: ValueId) -> Option<usize> {
        value
            .as_u32()
            .checked_sub(LOCAL)
            .map(|index| index as usize)
    }

    /// Returns the number of values so far.
    pub(super) fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Returns the bits of a constant, `Some(None)` for `undef`.
    pub(super) fn constant_bits(&self, value: ValueId) -> Option<Option<u64>> {
        match self.values.get(BodyBuilder::local(value)?)?.def {
            ValueDef::Constant(Constant::Int(bits) | Constant::Float(bits)) => Some(Some(bits)),
            ValueDef::Constant(Constant::Undef) => Some(None),
            _ => None,
        }
    }

    /// Returns the operand of a cast.
    pub(super) fn cast_operand(&self, value: ValueId) -> Option<ValueId> {
        let ValueDef::Inst(inst) = self.values.get(BodyBuilder::local(value)?)?.def else {
            return None;
        };
        match self.insts.get(inst.as_u32() as usize)?.inst {
            Inst::Cast { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Returns the phis that merge more than one value.
    pub(super) fn live_phis(&self) -> impl Iterator<Item = ValueId> {
        let all = self.blocks.iter().flat_map(|block| &block.phis).copied();
        all.filter(|phi| !self.replaced.contains_key(phi))
    }

    /// Returns the operands of a phi, seen through phis that turned out to be one value.
    pub(super) fn incoming_of(&self, phi: ValueId) -> impl Iterator<Item = ValueId> {
        let operands = self.incoming.get(&phi).map_or(&[] as &[_], |list| list);
        operands.iter().map(|&(value, _)| self.resolve(value))
    }

    /// Takes the operands of a phi, with the blocks that they come from.
    pub(super) fn take_incoming(&mut self, phi: ValueId) -> Vec<(ValueId, u32)> {
        let mut operands = self.incoming.remove(&phi).unwrap_or_default();
        for (value, _) in &mut operands {
            *value = self.resolve(*value);
        }
        operands
    }

    /// Shows each operand of an instruction or terminator with the instruction's result. Operands
    /// in lists come without it, and those of phis not at all.
    pub(super) fn for_each_use(&self, mut each: impl FnMut(Option<ValueId>, ValueId)) {
        let ends = self.blocks.iter().filter_map(|block| block.terminator);
        let insts = self.insts.iter();
        let all = insts.map(|data| (data.inst, data.result.expand()));
        for (mut inst, result) in all.chain(ends.map(|inst| (inst, None))) {
            inst.for_each_own_operand(|value| each(result, self.resolve(*value)));
        }
        for &value in &self.value_pool {
            each(None, self.resolve(value));
        }
    }

    /// Makes a phi of a value that is computed from a phi right after it, and the phi a cast of it;
    /// [`BodyBuilder::place_exchanged_phis`] has to follow.
    pub(super) fn exchange_phi(&mut self, phi: ValueId, form: ValueId, back: CastOp) {
        let definition = |body: &BodyBuilder, value| {
            let data = BodyBuilder::local(value).and_then(|index| body.values.get(index));
            data.copied()
        };
        let (Some(old), Some(new)) = (definition(self, phi), definition(self, form)) else {
            return;
        };
        let ValueDef::Inst(inst) = new.def else {
            return;
        };
        self.exchanged.insert(phi, form);
        if let Some(data) = self.insts.get_mut(inst.as_u32() as usize) {
            data.inst = Inst::Cast {
                op: back,
                value: form,
            };
            data.ty = old.ty;
            data.result = PackedOption::from(phi);
        }
        for (value, def) in [(phi, new.def), (form, old.def)] {
            let index = BodyBuilder::local(value);
            if let Some(data) = index.and_then(|index| self.values.get_mut(index)) {
                data.def = def;
            }
        }
        if let Some(behind) = self.behind.get_mut(&phi) {
            behind.retain(|&index| index != inst.as_u32());
        }
        self.behind
            .entry(form)
            .or_default()
            .insert(0, inst.as_u32());
    }

    /// Puts exchanged phis into their blocks.
    pub(super) fn place_exchanged_phis(&mut self) {
        let exchanged = std::mem::take(&mut self.exchanged);
        for phi in self.blocks.iter_mut().flat_map(|block| &mut block.phis) {
            while let Some(&form) = exchanged.get(phi) {
                *phi = form;
            }
        }
    }

    /// Removes instructions that only compute a value that nothing uses.
    pub(super) fn remove_dead_instructions(&mut self) {
        let mut uses = vec![0_u32; self.values.len()];
        let mut count = |value| {
            if let Some(uses) = BodyBuilder::local(value).and_then(|index| uses.get_mut(index)) {
                *uses += 1;
            }
        };
        self.for_each_use(|_, operand| count(operand));
        for phi in self.live_phis() {
            self.incoming_of(phi).for_each(&mut count);
        }
        let unused = |body: &BodyBuilder, uses: &[u32], inst: u32| {
            let data = body.insts.get(inst as usize)?;
            let result = BodyBuilder::local(data.result.expand()?)?;
            let is_pure = matches!(
                data.inst,
                Inst::Binary { .. }
                    | Inst::Cast { .. }
                    | Inst::Cmp { .. }
                    | Inst::Select { .. }
                    | Inst::ExtractValue { .. }
            );
            (is_pure && uses.get(result) == Some(&0)).then_some(data.inst)
        };
        // From the last one on, so that most users come before what they use.
        let mut pending: Vec<u32> = (0..u32::try_from(self.insts.len()).unwrap_or(0)).collect();
        let mut dead = HashSet::default();
        while let Some(number) = pending.pop() {
            let Some(mut inst) = unused(self, &uses, number).filter(|_| dead.insert(number)) else {
                continue;
            };
            inst.for_each_own_operand(|&mut value| {
                let value = self.resolve(value);
                let Some(index) = BodyBuilder::local(value) else {
                    return;
                };
                if let Some(uses) = uses.get_mut(index) {
                    *uses = uses.saturating_sub(1);
                }
                if let Some(ValueDef::Inst(inst)) = self.values.get(index).map(|data| data.def) {
                    pending.push(inst.as_u32());
                }
            });
        }
        if dead.is_empty() {
            return;
        }
        let blocks = self.blocks.iter_mut().map(|block| &mut block.insts);
        #[expect(clippy::disallowed_methods, reason = "each list by itself")]
        let lists = blocks
            .chain(self.behind.values_mut())
            .chain([&mut self.start]);
        for list in lists {
            list.retain(|inst| !dead.contains(inst));
        }
    }

    /// Returns the operand of a logical negation.
    pub(super) fn negated_operand(&self, value: ValueId) -> Option<ValueId> {
        let ValueDef::Inst(inst) = self.values.get(BodyBuilder::local(value)?)?.def else {
            return None;
        };
        match self.insts.get(inst.as_u32() as usize)? {
            InstData {
                inst:
                    Inst::Binary {
                        op: BinaryOp::Xor,
                        lhs,
                        rhs,
                        ..
                    },
                ty,
                ..
            } if Some(*ty) == self.type_of(*rhs) && self.constant_bits(*rhs) == Some(Some(1)) => {
                Some(*lhs)
            }
            _ => None,
        }
    }

    /// Returns the definition of a value, seen through phis that turned out to be one value.
    fn resolve(&self, mut value: ValueId) -> ValueId {
        while let Some(&next) = self.replaced.get(&value) {
            value = next;
        }
        value
    }

    /// Removes phis all of whose operands are one value.
    pub(super) fn remove_trivial_phis(&mut self) {
        /// Each round finds what the one before made trivial; few loops are nested deeper.
        const ROUNDS: u32 = 8;
        for _ in 0..ROUNDS {
            let mut changed = false;
            for index in 0..self.blocks.len() {
                let phis = self.blocks.get(index).map(|block| block.phis.clone());
                for phi in phis.unwrap_or_default() {
                    if self.replaced.contains_key(&phi) {
                        continue;
                    }
                    let mut only = None;
                    let operands = self.incoming.get(&phi).map_or(&[] as &[_], |list| list);
                    // An operand that is the phi itself brings no other value.
                    let is_one = operands.iter().all(|&(value, _)| {
                        let value = self.resolve(value);
                        value == phi || *only.get_or_insert(value) == value
                    });
                    if let Some(only) = only.filter(|_| is_one) {
                        self.replaced.insert(phi, only);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// Returns for each block whether it only continues the one in front of it, which goes nowhere
    /// else. Constructs open and close such blocks around straight code.
    fn continuations(&self) -> Vec<bool> {
        let mut preds = vec![0_u32; self.blocks.len()];
        let mut note = |target: BlockId| {
            if let Some(count) = preds.get_mut(target.as_u32() as usize) {
                *count += 1;
            }
        };
        for block in &self.blocks {
            match block.terminator {
                Some(Inst::Br { target }) => note(target),
                Some(Inst::CondBr {
                    if_true, if_false, ..
                }) => {
                    note(if_true);
                    note(if_false);
                }
                Some(Inst::Switch { default, cases, .. }) => {
                    note(default);
                    let cases = self.edge_pool.get(cases.range()).unwrap_or_default();
                    cases.iter().for_each(|&(_, target)| note(target));
                }
                _ => {}
            }
        }
        let mut continues = vec![false; self.blocks.len()];
        for (index, pair) in self.blocks.windows(2).enumerate() {
            let [front, block] = pair else { continue };
            let leads_here = matches!(
                front.terminator,
                Some(Inst::Br { target }) if target.as_u32() as usize == index + 1
            );
            let is_plain = leads_here
                && preds.get(index + 1) == Some(&1)
                && block.phis.iter().all(|phi| self.replaced.contains_key(phi));
            if let Some(place) = continues.get_mut(index + 1) {
                *place = is_plain;
            }
        }
        continues
    }

    /// Returns the function, as body of `id` in a module of `first_value` values.
    pub(super) fn finish(mut self, id: FuncId, first_value: u32) -> Result<Function> {
        let mut insts: PrimaryMap<InstId, InstData> = PrimaryMap::new();
        let mut blocks: PrimaryMap<BlockId, Block> = PrimaryMap::new();
        let mut homes: Vec<Option<InstId>> = vec![None; self.values.len()];
        let continues = self.continuations();
        let mut numbers: Vec<BlockId> = Vec::with_capacity(self.blocks.len());
        let order = std::mem::take(&mut self.blocks);
        let mut first = insts.next_key();
        for (index, block) in order.iter().enumerate() {
            numbers.push(blocks.next_key());
            // Casts of phis come after all phis. Those of phis that were replaced come last: they
            // may be casts of another phi's form.
            let mut casts: Vec<u32> = Vec::new();
            let mut last_casts: Vec<u32> = Vec::new();
            for &phi in &block.phis {
                let behind = self.behind.get(&phi).into_iter().flatten().copied();
                if self.replaced.contains_key(&phi) {
                    last_casts.extend(behind);
                    continue;
                }
                casts.extend(behind);
                let pairs = self.incoming.remove(&phi).unwrap_or_default();
                let pairs: Vec<(ValueId, u32)> = pairs
                    .into_iter()
                    .map(|(value, block)| (self.resolve(value), block))
                    .collect();
                let incoming = self.edges(&pairs)?;
                let ty = self.type_of(phi).unwrap_or(TypeId::from_u32(0));
                let inst = insts.push(InstData {
                    inst: Inst::Phi { incoming },
                    ty,
                    result: PackedOption::from(phi),
                });
                place(&mut homes, phi, inst);
            }
            let start = match index {
                0 => [&self.allocas[..], &self.start[..]].concat(),
                _ => Vec::new(),
            };
            let all = casts
                .into_iter()
                .chain(last_casts)
                .chain(start)
                .chain(block.insts.iter().copied());
            for inst in all {
                self.lay(inst, &mut insts, &mut homes);
            }
            if continues.get(index + 1) == Some(&true) {
                continue;
            }
            let terminator = block.terminator.unwrap_or(Inst::Unreachable);
            insts.push(InstData {
                inst: terminator,
                ty: self.void_type(),
                result: PackedOption::default(),
            });
            blocks.push(Block {
                first,
                end: insts.next_key(),
            });
            first = insts.next_key();
        }
        let number = |block: BlockId| {
            let found = numbers.get(block.as_u32() as usize);
            found.copied().unwrap_or(block)
        };
        let last = |value: ValueId| {
            let value = self.resolve(value);
            match value.as_u32().checked_sub(LOCAL) {
                Some(local) => ValueId::from_u32(first_value.saturating_add(local)),
                None => value,
            }
        };
        for data in insts.values_mut() {
            data.inst
                .for_each_own_operand(|value| *value = last(*value));
            match &mut data.inst {
                Inst::Br { target } => *target = number(*target),
                Inst::CondBr {
                    if_true, if_false, ..
                } => (*if_true, *if_false) = (number(*if_true), number(*if_false)),
                Inst::Switch { default, .. } => *default = number(*default),
                _ => {}
            }
            if let Some(result) = data.result.expand() {
                data.result = PackedOption::from(last(result));
            }
        }
        let value_pool = self.value_pool.iter().map(|&value| last(value)).collect();
        let edges = self.edge_pool.iter();
        let edge_pool = edges
            .map(|&(value, block)| (last(value), number(block)))
            .collect();
        let mut values = std::mem::take(&mut self.values);
        for (data, home) in values.iter_mut().zip(homes) {
            match (home, data.def) {
                (Some(inst), _) => data.def = ValueDef::Inst(inst),
                // Values that nothing defines any more: phis that were replaced, and what was never
                // placed.
                (None, ValueDef::Inst(_) | ValueDef::Argument(_)) => {
                    data.def = ValueDef::Constant(Constant::Undef);
                }
                _ => {}
            }
        }
        Ok(Function {
            id,
            first_value,
            values,
            arg_count: 0,
            insts,
            blocks,
            value_pool,
            edge_pool,
            number_pool: self.number_pool,
            debug_locs: SecondaryMap::default(),
            call_sites: Vec::new(),
            attachments: Vec::new(),
            function_attachments: Vec::new(),
            value_names: Vec::new(),
            block_names: Vec::new(),
        })
    }

    /// Returns the type of instructions without result: that of any terminator.
    fn void_type(&self) -> TypeId {
        self.void.unwrap_or(TypeId::from_u32(0))
    }

    /// Appends an instruction, and the casts that belong right after its result.
    fn lay(
        &self,
        first: u32,
        insts: &mut PrimaryMap<InstId, InstData>,
        homes: &mut [Option<InstId>],
    ) {
        // A stack instead of recursion: casts of casts form chains.
        let mut pending = vec![first];
        while let Some(index) = pending.pop() {
            let Some(data) = self.insts.get(index as usize) else {
                continue;
            };
            let inst = insts.push(*data);
            if let Some(result) = data.result.expand() {
                place(homes, result, inst);
                let behind = self.behind.get(&result).into_iter().flatten();
                pending.extend(behind.rev());
            }
        }
    }
}

fn place(homes: &mut [Option<InstId>], value: ValueId, inst: InstId) {
    let local = value.as_u32().checked_sub(LOCAL);
    if let Some(home) = local.and_then(|local| homes.get_mut(local as usize)) {
        *home = Some(inst);
    }
}
