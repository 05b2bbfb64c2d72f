//! Functions: blocks in the structurizer's order, phis, merges and terminators.

use dxil_frontend::ir::{BlockId, FuncId, Inst, InstData, InstId, Type, TypeId, TypeList, ValueId};

use super::Lowering;
use super::context::Value;
use super::types::Scalar;
use super::vector_phis::VectorPhis;
use crate::spirv::{Id, Op};
use crate::structurize::{
    LoopHint, Merge, Operand, PhiResult, Select, SelectionHint, StructuredBlock, StructuredBlockId,
    StructuredCfg, StructuredPhi, SyntheticId, Terminator,
};
use crate::{Error, Quirks, Result};

/// What a phi names that comes later: the word to fill in, and what goes there.
enum Later {
    /// A value.
    Value(Operand),
    /// The label that a block ends with (one operation may take several SPIR-V blocks).
    Exit(StructuredBlockId),
    /// The label that a block which is a whole loop goes round from.
    Back(StructuredBlockId),
}

/// Labels of the blocks of a function.
struct Labels {
    /// Where each block begins.
    entries: Vec<Id>,
    /// Where each block ends; none until it is written.
    exits: Vec<Id>,
    /// Continue targets of blocks that are a whole loop and were split.
    backs: Vec<(StructuredBlockId, Id)>,
    /// Phi words to fill in at the end.
    later: Vec<(usize, Later)>,
    /// Values that go round a loop and pass a phi of its empty continue block (portable style).
    rounds: Vec<Round>,
    /// Phis that are one phi of a vector.
    vectors: VectorPhis,
}

/// A value that goes round a loop by way of a phi in the continue block.
struct Round {
    /// The continue block.
    by: StructuredBlockId,
    /// Result of the phi there, and its type.
    id: Id,
    ty: Id,
    operand: Operand,
}

/// Width of a switch's literals where they are the numbers of the cases.
const BY_NUMBER: u32 = 0;

impl Lowering<'_> {
    /// Lowers the current function.
    pub(super) fn function(&mut self, func: FuncId, cfg: &StructuredCfg) -> Result<()> {
        let function = self.view.function;
        self.values
            .begin_function(function.first_value as usize, function.values.len());
        self.resources.begin_function(func);
        self.plan_shared_rows();
        let id = self
            .functions
            .get(&func)
            .copied()
            .ok_or_else(|| Error::internal("a function without id"))?;
        let (ret, params) = self.signature(func)?;
        let ret_ty = self.ty(ret)?;
        let mut param_tys = Vec::with_capacity(params.len());
        let of_stage = self.has_stage_parameters(func);
        for &param in params.iter().filter(|_| !of_stage) {
            param_tys.push(self.parameter_type(param)?);
        }
        self.find_structs_of_phis(cfg)?;
        let lifted = cfg.blocks.iter().flat_map(|block| &block.lifted);
        self.lifted = lifted
            .filter(|(_, stays)| !stays)
            .map(|&(inst, _)| inst)
            .collect();
        let function_ty = self.b.function_type(ret_ty, &param_tys);
        let begun = self.b.begin_function(id, ret_ty, function_ty);
        if let Some(source) = &mut self.source {
            source.begin_function(cfg);
        }
        if self.options.debug_info
            && let Some(decl) = self.view.module.functions.get(func)
        {
            self.b.name(id, &decl.name);
        }
        for (index, &ty) in param_tys.iter().enumerate() {
            let param = self.b.parameter(ty);
            let value = ValueId::from_u32(function.first_value + index as u32);
            let lowered = match params.get(index) {
                Some(&param_ty) => self.parameter_value(param_ty, param)?,
                None => Value::Id(param),
            };
            self.values.set(value, lowered);
        }
        let entries: Vec<Id> = cfg.blocks.iter().map(|_| self.b.fresh()).collect();
        let vectors = self.plan_vector_phis(cfg)?;
        let mut labels = Labels {
            exits: vec![Id::NONE; entries.len()],
            entries,
            backs: Vec::new(),
            later: Vec::new(),
            rounds: Vec::new(),
            vectors,
        };
        for (index, block) in cfg.blocks.iter().enumerate() {
            if index == 0 {
                self.b.entry_label(labels.entries[0]);
                self.place.label = labels.entries[0];
                self.begin_source(func, param_tys.len());
                self.begin_ordered()?;
                self.begin_views(func)?;
                if of_stage {
                    self.stage_parameters(&params)?;
                }
                self.constant_expressions()?;
            } else {
                self.start_block(labels.entries[index]);
                if let Some(source) = &mut self.source {
                    source.begin_block(index);
                }
            }
            self.round_phis(index, cfg, &mut labels)?;
            self.block(index, cfg, &mut labels).map_err(|mut error| {
                let location = error.location_mut();
                location.function.get_or_insert(func);
                if let Some(source) = block.source {
                    location.block.get_or_insert(source);
                }
                error
            })?;
        }
        for (word, later) in std::mem::take(&mut labels.later) {
            let id = match later {
                Later::Value(operand) => self.operand(operand)?,
                Later::Back(block) if labels.backs.iter().any(|&(b, _)| b == block) => labels
                    .backs
                    .iter()
                    .find(|&&(b, _)| b == block)
                    .map_or(Id::NONE, |&(_, target)| target),
                Later::Back(block) | Later::Exit(block) => match labels.exits.get(block.0 as usize)
                {
                    Some(&id) => id,
                    None => return Err(Error::internal("a phi names a block that is not there")),
                },
            };
            self.b.patch(word, id);
        }
        self.b.end_function(begun);
        Ok(())
    }

    /// Notes the structs that flow into phis: they are put together where they are made, since no code can
    /// be written where a phi names them.
    fn find_structs_of_phis(&mut self, cfg: &StructuredCfg) -> Result<()> {
        let mut found = Vec::new();
        for phi in cfg.blocks.iter().flat_map(|block| &block.phis) {
            let (PhiResult::Value(value) | PhiResult::SyntheticLike(_, value)) = phi.result else {
                continue;
            };
            let ty = self.type_of(value)?;
            if matches!(self.view.module.types.get(ty), Type::Struct { .. }) {
                found.extend(
                    phi.incoming
                        .iter()
                        .filter_map(|&(operand, _)| match operand {
                            Operand::Value(value) => Some(value),
                            _ => None,
                        }),
                );
            }
        }
        self.values.set_whole(found);
        Ok(())
    }

    /// Result and parameter types.
    pub(super) fn signature(&self, func: FuncId) -> Result<(TypeId, TypeList)> {
        let ty = self.view.module.functions.get(func).map(|decl| decl.ty);
        match ty.map(|ty| self.view.module.types.get(ty)) {
            Some(Type::Function { ret, params, .. }) => Ok((*ret, params.clone())),
            _ => Err(Error::malformed("a function without function type")),
        }
    }

    fn block(&mut self, index: usize, cfg: &StructuredCfg, labels: &mut Labels) -> Result<()> {
        let block = &cfg.blocks[index];
        self.place.group_access = self.place.group_access.in_next_block();
        let begins = matches!(block.merge, Merge::Loop { .. })
            && self.has_quirk(Quirks::LOOPS_BEGIN_WITH_ZERO);
        for (number, phi) in block.phis.iter().enumerate() {
            if !labels.vectors.hold(index, number) {
                self.phi(index, phi, labels, begins)?;
            }
        }
        self.vector_phis(index, block, labels);
        self.place.loop_merge = match block.merge {
            Merge::Loop {
                merge,
                continue_target,
                hint,
            } => {
                let control = match self.loop_hint(hint) {
                    LoopHint::None => 0,
                    LoopHint::Unroll => 1,
                    LoopHint::DontUnroll => 2,
                };
                Some([
                    labels.entry(merge).0,
                    labels.entry(continue_target).0,
                    control,
                ])
            }
            Merge::None | Merge::Selection { .. } => None,
        };
        let mut hidden = Vec::new();
        for &(value, operand) in &block.renames {
            let new = match operand {
                Operand::Value(other) => match self.values.get(other) {
                    Value::Unset => Value::Id(self.id(other)?),
                    known => known,
                },
                Operand::Undef => {
                    let ty = self.type_of(value)?;
                    let ty = self.ty(ty)?;
                    Value::Id(self.b.undef(ty))
                }
                _ => {
                    let id = self.operand(operand)?;
                    match self.is_pointer(value) {
                        true => Value::Pointer(self.merged_pointer(value, id)?),
                        false => Value::Id(id),
                    }
                }
            };
            hidden.push((value, self.values.get(value)));
            self.values.set(value, new);
        }
        // Elsewhere the names of a copy's results are those of the original's.
        for &(value, _) in &block.exports {
            hidden.push((value, self.values.get(value)));
        }
        for &(inst, stays) in &block.lifted {
            if let Some(data) = self.view.function.insts.get(inst) {
                // Where it stays its result is another one.
                if let Some(result) = data.result.expand().filter(|_| stays) {
                    hidden.push((result, self.values.get(result)));
                }
                self.located_instruction(inst, data)?;
            }
        }
        if let Some(source) = block.source {
            self.instructions(source)?;
            self.store_waiting()?;
        }
        if std::mem::take(&mut self.place.has_ended) {
            labels.exits[index] = self.place.label;
            for (value, old) in hidden {
                self.values.set(value, old);
            }
            return Ok(());
        }
        if matches!(block.terminator, Terminator::Return(_)) {
            self.return_parameters()?;
        }
        if self.source.is_some()
            && let Some(source) = block.source
            && let Some(last) = self.view.function.block_insts(source).next_back()
        {
            self.at_source(last);
        }
        // Whatever the terminator needs stands before the merge instruction.
        let decider = self.decider(&block.terminator)?;
        for select in &block.selects {
            self.select(select)?;
        }
        for &(value, name) in &block.exports {
            let id = self.id(value)?;
            self.set_synthetic(name, id);
        }
        self.make_vectors(cfg, &labels.vectors, index, &hidden)?;
        if let Some(operands) = self.place.loop_merge.take() {
            self.b.emit_void(Op::LoopMerge, &operands);
        }
        if let Merge::Selection { merge, hint } = block.merge {
            let control = match self.selection_hint(hint) {
                SelectionHint::None => 0,
                SelectionHint::Flatten => 1,
                SelectionHint::Branch => 2,
            };
            let merge = labels.entry(merge).0;
            self.b.emit_void(Op::SelectionMerge, &[merge, control]);
        }
        labels.exits[index] = self.place.label;
        let own = StructuredBlockId(index as u32);
        let again = self.place.own_continue.take();
        if let Some((_, target)) = again {
            labels.backs.push((own, target));
        }
        self.terminator(&block.terminator, decider, labels, again);
        if let Some((header, target)) = again {
            self.start_block(target);
            self.b.emit_void(Op::Branch, &[header]);
        }
        for (value, old) in hidden {
            self.values.set(value, old);
        }
        Ok(())
    }

    /// The shader's hint, or the caller's where it has none.
    fn loop_hint(&self, hint: LoopHint) -> LoopHint {
        let workarounds = &self.options.workarounds;
        match hint {
            LoopHint::Unroll | LoopHint::DontUnroll if workarounds.shader_hints => hint,
            _ => workarounds.loops,
        }
    }

    fn selection_hint(&self, hint: SelectionHint) -> SelectionHint {
        let workarounds = &self.options.workarounds;
        match hint {
            SelectionHint::Flatten | SelectionHint::Branch if workarounds.shader_hints => hint,
            _ => workarounds.selections,
        }
    }

    fn instructions(&mut self, source: BlockId) -> Result<()> {
        let function = self.view.function;
        for inst in function.block_insts(source) {
            let Some(data) = function.insts.get(inst) else {
                continue;
            };
            if data.inst.is_terminator() || matches!(data.inst, Inst::Phi { .. }) {
                continue;
            }
            if self.lifted.contains(&inst) {
                continue;
            }
            self.located_instruction(inst, data)?;
            if self.place.has_ended {
                break;
            }
        }
        Ok(())
    }

    fn located_instruction(&mut self, inst: InstId, data: &InstData) -> Result<()> {
        if self.source.is_some() {
            self.at_source(inst);
        }
        self.instruction(inst, data).map_err(|mut error| {
            error.location_mut().inst.get_or_insert(inst);
            error
        })?;
        if self.source.is_some()
            && let Some(result) = data.result.expand()
        {
            self.source_defines(result);
        }
        Ok(())
    }

    /// `zero`: what is undefined here is 0.
    fn phi(
        &mut self,
        index: usize,
        phi: &StructuredPhi,
        labels: &mut Labels,
        zero: bool,
    ) -> Result<()> {
        let ty = match phi.result {
            PhiResult::Value(value) | PhiResult::SyntheticLike(_, value) => {
                if self.is_pointer(value) {
                    self.pointer_word(value)
                } else {
                    let ty = self.type_of(value)?;
                    self.ty(ty)?
                }
            }
            PhiResult::SyntheticSelector(_) => self.b.u32(),
            PhiResult::SyntheticBool(_) => self.b.bool(),
        };
        let id = self.b.fresh();
        match phi.result {
            PhiResult::Value(value) if self.is_pointer(value) => {
                let pointer = self.merged_pointer(value, id)?;
                self.values.set(value, Value::Pointer(pointer));
            }
            PhiResult::Value(value) => {
                self.values.set(value, Value::Id(id));
                self.source_defines(value);
            }
            PhiResult::SyntheticLike(synthetic, _)
            | PhiResult::SyntheticSelector(synthetic)
            | PhiResult::SyntheticBool(synthetic) => self.set_synthetic(synthetic, id),
        }
        let mut words = Vec::with_capacity(phi.incoming.len() * 2);
        // Header, type and result stand before the operands.
        let first = self.b.position() + 3;
        for &(operand, from) in &phi.incoming {
            if self.goes_round(index, from, operand) {
                let round = self.b.fresh();
                labels.rounds.push(Round {
                    by: from,
                    id: round,
                    ty,
                    operand,
                });
                words.push(round);
                labels.later.push((first + words.len(), Later::Exit(from)));
                words.push(Id::NONE);
                continue;
            }
            let known = match operand {
                Operand::Undef if zero => Some(self.b.const_null(ty)),
                Operand::Value(value) if zero && self.is_undef(value) => {
                    Some(self.b.const_null(ty))
                }
                Operand::Undef => Some(self.b.undef(ty)),
                Operand::Value(value) => self.known_value(value)?,
                Operand::Synthetic(synthetic) => {
                    let id = self.synthetic(synthetic);
                    (!id.is_none()).then_some(id)
                }
                Operand::Selector(_) | Operand::Bool(_) => Some(self.operand(operand)?),
            };
            if known.is_none() {
                let word = first + words.len();
                labels.later.push((word, Later::Value(operand)));
            }
            words.push(known.unwrap_or_default());
            words.push(labels.comes_from(from, index, first + words.len()));
        }
        self.b.emit_as(Op::Phi, ty, id, &words);
        Ok(())
    }

    /// The vectors that go round the loop of this header, and their components.
    fn vector_phis(&mut self, index: usize, block: &StructuredBlock, labels: &mut Labels) {
        let own = labels.vectors.of_header(index);
        if own.is_empty() {
            return;
        }
        let vectors = std::mem::take(&mut labels.vectors);
        let mut ids = Vec::with_capacity(own.len());
        for vector in vectors.get(own.clone()) {
            let first = self.b.position() + 3;
            let mut words = Vec::with_capacity(vector.incoming.len() * 2);
            for &(id, from) in &vector.incoming {
                words.push(id);
                words.push(labels.comes_from(from, index, first + words.len()));
            }
            ids.push(self.b.emit(Op::Phi, vector.vector, &words));
        }
        for (vector, id) in vectors.get(own).iter().zip(ids) {
            self.take_apart(block, vector, id);
        }
        labels.vectors = vectors;
    }

    /// Whether a value of a loop's body comes back to its header: naga writes the stores that stand for the
    /// header's phis into the continue block, and some languages have that in front of the body.
    fn goes_round(&self, header: usize, from: StructuredBlockId, operand: Operand) -> bool {
        self.is_portable()
            && from.0 as usize > header
            && matches!(operand, Operand::Value(_) | Operand::Synthetic(_))
    }

    /// The phis of a continue block for what goes round: they have the values stored inside of the body.
    fn round_phis(&mut self, index: usize, cfg: &StructuredCfg, labels: &mut Labels) -> Result<()> {
        let own = StructuredBlockId(index as u32);
        let (here, rest) = std::mem::take(&mut labels.rounds)
            .into_iter()
            .partition(|round| round.by == own);
        labels.rounds = rest;
        for round in here {
            let own_phi = cfg.blocks[index].phis.iter().find(|phi| match phi.result {
                PhiResult::Value(value) => round.operand == Operand::Value(value),
                PhiResult::SyntheticLike(id, _)
                | PhiResult::SyntheticSelector(id)
                | PhiResult::SyntheticBool(id) => round.operand == Operand::Synthetic(id),
            });
            let mut words = Vec::new();
            for (from, block) in cfg.blocks.iter().enumerate() {
                let from = StructuredBlockId(from as u32);
                if !block.terminator.goes_to(own) {
                    continue;
                }
                // What is a phi here already is known by the values that meet in it.
                let met = own_phi.and_then(|phi| phi.incoming.iter().find(|way| way.1 == from));
                let id = match met.map_or(round.operand, |way| way.0) {
                    Operand::Undef => self.b.undef(round.ty),
                    operand => self.operand(operand)?,
                };
                words.push(id);
                words.push(labels.exits[from.0 as usize]);
            }
            self.b.emit_as(Op::Phi, round.ty, round.id, &words);
        }
        Ok(())
    }

    /// A value if a phi can name it now without writing code.
    fn known_value(&mut self, value: ValueId) -> Result<Option<Id>> {
        match self.values.get(value) {
            Value::Id(id) => Ok(Some(id)),
            Value::Unset | Value::Pointer(_) if self.is_pointer(value) => self.pointer_index(value),
            Value::Unset if self.view.constant(value).is_some() => Ok(Some(self.id(value)?)),
            Value::Unset => Ok(None),
            Value::Parts(_) => Err(Error::unsupported("a phi of structs")),
            Value::Pointer(_) => Err(Error::unsupported("a phi of pointers")),
        }
    }

    fn synthetic(&self, id: SyntheticId) -> Id {
        self.values
            .synthetics
            .get(id.0 as usize)
            .copied()
            .unwrap_or_default()
    }

    pub(super) fn set_synthetic(&mut self, synthetic: SyntheticId, id: Id) {
        let slots = &mut self.values.synthetics;
        let index = synthetic.0 as usize;
        if slots.len() <= index {
            slots.resize(index + 1, Id::NONE);
        }
        slots[index] = id;
    }

    /// The value of an operand, with everything lowered.
    pub(super) fn operand(&mut self, operand: Operand) -> Result<Id> {
        match operand {
            Operand::Value(value) => match self.values.get(value) {
                Value::Parts(_) => Err(Error::unsupported("a phi of structs")),
                Value::Pointer(_) => self
                    .pointer_index(value)?
                    .ok_or_else(|| Error::internal("a pointer without index")),
                _ => self.id(value),
            },
            Operand::Synthetic(synthetic) => match self.synthetic(synthetic) {
                Id::NONE => Err(Error::internal("a synthetic value that nothing defines")),
                id => Ok(id),
            },
            Operand::Selector(value) => Ok(self.b.const_u32(value)),
            Operand::Bool(value) => Ok(self.b.const_bool(value)),
            Operand::Undef => Err(Error::internal("an undefined operand without type")),
        }
    }

    /// What a terminator decides by or returns, with the width of a switch's literals in bits.
    fn decider(&mut self, terminator: &Terminator) -> Result<(Id, u32)> {
        Ok(match *terminator {
            Terminator::Branch(_) | Terminator::Return(None) | Terminator::Unreachable => {
                (Id::NONE, 0)
            }
            Terminator::CondBranch {
                condition: Operand::Undef,
                ..
            } => {
                let ty = self.b.bool();
                (self.b.undef(ty), 1)
            }
            Terminator::CondBranch { condition, .. } => (self.operand(condition)?, 1),
            Terminator::SelectorBranch {
                selector, value, ..
            } => {
                let bool_ty = self.b.bool();
                let selector = self.operand(selector)?;
                let value = self.b.const_u32(value);
                (self.b.emit(Op::IEqual, bool_ty, &[selector, value]), 1)
            }
            Terminator::Switch {
                selector: Operand::Value(value),
                ref cases,
                ..
            } => {
                let shape = self.shape_of(value)?;
                let id = self.id(value)?;
                match shape.scalar {
                    Scalar::Bool => (self.bool_to_u32(id), 32),
                    Scalar::Int { width: 64, .. } if self.is_portable() => {
                        let id = self.zero_extend(shape, id)?;
                        (self.number_of_case(id, cases), BY_NUMBER)
                    }
                    _ => (self.zero_extend(shape, id)?, shape.scalar.width()),
                }
            }
            Terminator::Switch {
                selector: Operand::Undef,
                ..
            } => {
                let ty = self.b.u32();
                (self.b.undef(ty), 32)
            }
            Terminator::Switch { selector, .. } => (self.operand(selector)?, 32),
            Terminator::Return(Some(value)) => (self.id(value)?, 0),
        })
    }

    /// Which case a 64-bit selector chooses, counted from 0; their number if none. naga has no switches on
    /// 64 bits.
    fn number_of_case(&mut self, selector: Id, cases: &[(u64, StructuredBlockId)]) -> Id {
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let mut number = self.b.const_u32(cases.len() as u32);
        for (index, &(literal, _)) in (0..).zip(cases) {
            let literal = self.b.const_uint(64, literal);
            let hit = self.b.emit(Op::IEqual, bool_ty, &[selector, literal]);
            let index = self.b.const_u32(index);
            number = self.b.select(word, hit, index, number);
        }
        number
    }

    /// A selector that a condition decides.
    fn select(&mut self, select: &Select) -> Result<()> {
        let bool_ty = self.b.bool();
        let condition = match select.condition {
            Operand::Undef => self.b.undef(bool_ty),
            condition => self.operand(condition)?,
        };
        let id = match (select.if_true, select.if_false) {
            (Operand::Bool(true), Operand::Bool(false)) => condition,
            (Operand::Bool(false), Operand::Bool(true)) => {
                self.b.emit(Op::LogicalNot, bool_ty, &[condition])
            }
            (if_true, if_false) => {
                let operands = [condition, self.operand(if_true)?, self.operand(if_false)?];
                let ty = self.b.u32();
                self.b.emit(Op::Select, ty, &operands)
            }
        };
        self.set_synthetic(select.result, id);
        Ok(())
    }

    fn terminator(
        &mut self,
        terminator: &Terminator,
        (decider, width): (Id, u32),
        labels: &Labels,
        again: Option<(Id, Id)>,
    ) {
        // A split loop goes round by a block of its own.
        let to = |block: StructuredBlockId| match again {
            Some((header, target)) if labels.entry(block) == header => target,
            _ => labels.entry(block),
        };
        match terminator {
            Terminator::Branch(target) => self.b.emit_void(Op::Branch, &[to(*target)]),
            Terminator::CondBranch {
                if_true: a,
                if_false: b,
                ..
            }
            | Terminator::SelectorBranch {
                if_equal: a,
                if_not: b,
                ..
            } => {
                let words = [decider, to(*a), to(*b)];
                self.b.emit_void(Op::BranchConditional, &words);
            }
            Terminator::Switch { default, cases, .. } => {
                let mut words = Vec::with_capacity(cases.len() * 3 + 2);
                words.extend([decider.0, to(*default).0]);
                for (number, &(literal, target)) in (0..).zip(cases) {
                    words.push(match width {
                        BY_NUMBER => number,
                        _ => literal as u32,
                    });
                    if width == 64 {
                        words.push((literal >> 32) as u32);
                    }
                    words.push(to(target).0);
                }
                self.b.emit_void(Op::Switch, &words);
            }
            Terminator::Return(Some(_)) => self.b.emit_void(Op::ReturnValue, &[decider]),
            Terminator::Return(None) => {
                self.end_ordered();
                self.b.emit_void::<u32>(Op::Return, &[]);
            }
            Terminator::Unreachable => self.b.emit_void::<u32>(Op::Unreachable, &[]),
        }
    }
}

impl Labels {
    /// The label that a phi of block `index` gets for what comes from a block; `word` is where it stands, to be
    /// filled in if the label is not known yet.
    fn comes_from(&mut self, from: StructuredBlockId, index: usize, word: usize) -> Id {
        let exit = self.exits.get(from.0 as usize).copied();
        if exit == Some(Id::NONE) {
            let label = match from.0 as usize == index {
                true => Later::Back(from),
                false => Later::Exit(from),
            };
            self.later.push((word, label));
        }
        exit.unwrap_or_default()
    }

    /// Where a block begins.
    fn entry(&self, block: StructuredBlockId) -> Id {
        self.entries
            .get(block.0 as usize)
            .copied()
            .unwrap_or_default()
    }
}
