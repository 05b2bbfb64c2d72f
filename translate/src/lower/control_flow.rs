//! Functions: blocks in the structurizer's order, phis, merges and terminators.

use dxil_frontend::dxil::plain_name;
use dxil_frontend::ir::{BlockId, FuncId, Inst, InstData, InstId, Type, ValueId};
use dxil_frontend::tables::HashMap;
use smallvec::SmallVec;

use super::types;
use super::vector_phis::{self, VectorPhis};
use crate::lower::buffers::early_rows;
use crate::lower::context::{Context, Input};
use crate::lower::memory::{array_rows, merged_pointers, parameters};
use crate::lower::numbers::integers;
use crate::lower::rays::ray_stages;
use crate::lower::signatures::{output_rows, views};
use crate::lower::slots::{self, SlotVariable};
use crate::lower::stages::ordered;
use crate::lower::type_map::Scalar;
use crate::lower::values::LoweredValue;
use crate::lower::{blocks, constants, flow_values, instruction, source};
use crate::spirv::{Id, Op};
use crate::structurize::{
    LoopHint, Merge, Operand, PhiResult, Select, SelectionHint, StructuredBlock, StructuredBlockId,
    StructuredCfg, StructuredPhi, Terminator,
};
use crate::{Error, Quirks, Result};

/// An operand of a phi that is known only when its block has been written: the word to fill in, and
/// what goes there.
enum PhiFixup {
    /// A value.
    Value(Operand),
    /// The label that a block ends with (one operation may take several SPIR-V blocks).
    Exit(StructuredBlockId),
    /// The label of the back edge of a block that is a whole loop.
    Back(StructuredBlockId),
}

/// Labels of the blocks of a function.
struct Labels {
    /// The label at the beginning of each block.
    entries: Vec<Id>,
    /// The label at the end of each block; none until it is written.
    exits: Vec<Id>,
    /// Continue targets of blocks that are a whole loop and were split.
    backs: HashMap<StructuredBlockId, Id>,
    /// Phi words to fill in at the end.
    phi_fixups: Vec<(usize, PhiFixup)>,
    /// Variables that carry values from block to block.
    slots: Vec<SlotVariable>,
    /// Phis that are one phi of a vector.
    vectors: VectorPhis,
}

/// Lowers the current function.
pub(super) fn lower_function(
    cx: &mut Context<'_>,
    func: FuncId,
    cfg: &StructuredCfg,
) -> Result<()> {
    let function = cx.function.view.function;
    cx.function
        .values
        .begin_function(function.first_value as usize, function.values.len());
    cx.function.plan = cx.input.plan.function(func);
    // Row accesses are planned per function, because they are about the order of instructions.
    cx.function.rows = cx.input.analyses.row_accesses.get(&func);
    // In a flattened function values of other blocks are in variables, but only those that the IR
    // names.
    let copies = cx.input.analyses.constant_copies.get(&func);
    cx.function.copies = copies.filter(|_| cfg.slots.is_empty());
    let sums = cx.input.analyses.sums.get(&func);
    // An instruction that stands in another block has only its own operands there.
    let mut lifted = cfg.blocks.iter().flat_map(|block| &block.lifted);
    cx.function.sums =
        sums.filter(|sums| cfg.slots.is_empty() && !lifted.any(|&(inst, _)| sums.has(inst)));
    array_rows::begin_function(cx);
    let whole = &mut cx.function.whole_matrices;
    whole.begin_function(!cfg.slots.is_empty());
    let id = cx.module.functions[func].ok_or_else(|| Error::internal("a function without id"))?;
    let (ret, params) = types::function_type(cx, func)?;
    let ret_ty = types::lower(cx, ret)?;
    let mut param_tys = Vec::with_capacity(params.len());
    let of_stage = ray_stages::has_stage_parameters(cx, func);
    // Parameters of a ray tracing stage's entry function are variables of the interface.
    for &param in params.iter().filter(|_| !of_stage) {
        param_tys.push(parameters::parameter_type(cx, param)?);
    }
    // Before the first instruction: later it is too late to construct a struct where it is defined.
    find_structs_of_phis(cx, cfg)?;
    cx.function.lifted.clear();
    for &(inst, stays) in cfg.blocks.iter().flat_map(|block| &block.lifted) {
        // A lifted instruction that stays in its own block as well is lowered twice.
        if !stays {
            cx.function.lifted.insert(inst);
        }
    }
    let function_ty = cx.b.function_type(ret_ty, &param_tys);
    let begun = cx.b.begin_function(id, ret_ty, function_ty);
    if let Some(source) = &mut cx.source {
        source.begin_function(cfg);
    }
    if cx.input.options.debug_info
        && let Some(decl) = cx.function.view.module.functions.get(func)
    {
        cx.b.name(id, plain_name(&decl.name));
    }
    for (index, &ty) in param_tys.iter().enumerate() {
        let param = cx.b.parameter(ty);
        let value = ValueId::from_u32(function.first_value + index as u32);
        let lowered = match params.get(index) {
            Some(&param_ty) => parameters::parameter_value(cx, param_ty, param)?,
            None => LoweredValue::Id(param),
        };
        cx.function.values.set(value, lowered);
    }
    // All labels exist before the first block, because branches and merges name blocks that follow.
    let entries: Vec<Id> = cfg.blocks.iter().map(|_| cx.b.fresh()).collect();
    let vectors = vector_phis::plan(cx, cfg)?;
    let mut labels = Labels {
        exits: vec![Id::NONE; entries.len()],
        entries,
        backs: HashMap::default(),
        phi_fixups: Vec::new(),
        slots: Vec::new(),
        vectors,
    };
    for (index, block) in cfg.blocks.iter().enumerate() {
        // Everything here has to dominate the whole function, and OpVariable has to be in the first
        // block, before other instructions.
        if index == 0 {
            cx.b.entry_label(labels.entries[0]);
            cx.block.label = labels.entries[0];
            labels.slots = slots::declare(cx, cfg)?;
            source::begin_function(cx, func, param_tys.len());
            ordered::begin(cx)?;
            views::begin(cx, func)?;
            if of_stage {
                ray_stages::stage_parameters(cx, &params)?;
            }
            constants::constant_expressions(cx)?;
            early_rows::begin_function(cx);
        } else {
            blocks::start_block(cx, labels.entries[index]);
            if let Some(source) = &mut cx.source {
                source.begin_block(index);
            }
        }
        lower_block(cx, index, cfg, &mut labels).map_err(|mut error| {
            let location = error.location_mut();
            location.function.get_or_insert(func);
            if let Some(source) = block.source {
                location.block.get_or_insert(source);
            }
            error
        })?;
    }
    // Phis name values of blocks that come later (back edges), so their words are filled in at the
    // end.
    for (word, later) in std::mem::take(&mut labels.phi_fixups) {
        let id = match later {
            PhiFixup::Value(operand) => flow_values::operand_id(cx, operand)?,
            // The back edge of a split loop comes from its own block, not from where the code
            // ended.
            PhiFixup::Back(block) if labels.backs.contains_key(&block) => labels.backs[&block],
            PhiFixup::Back(block) | PhiFixup::Exit(block) => {
                match labels.exits.get(block.0 as usize) {
                    Some(&id) => id,
                    None => return Err(Error::internal("a phi names a block that does not exist")),
                }
            }
        };
        cx.b.patch(word, id);
    }
    cx.b.end_function(begun);
    Ok(())
}

/// Finds the structs that flow into phis: they are constructed where they are defined, since a phi
/// can only name a value.
fn find_structs_of_phis(cx: &mut Context<'_>, cfg: &StructuredCfg) -> Result<()> {
    let mut found = slots::stored_structs(cx, cfg)?;
    for phi in cfg.blocks.iter().flat_map(|block| &block.phis) {
        // Selectors and booleans of the structurizer are never structs.
        let (PhiResult::Value(value) | PhiResult::SyntheticLike(_, value)) = phi.result else {
            continue;
        };
        let ty = cx.function.type_of(value)?;
        if matches!(cx.input.types().get(ty), Type::Struct { .. }) {
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
    cx.function.values.set_whole(found);
    Ok(())
}

fn lower_block(
    cx: &mut Context<'_>,
    index: usize,
    cfg: &StructuredCfg,
    labels: &mut Labels,
) -> Result<()> {
    let block = &cfg.blocks[index];
    cx.function.flow.enter(index, block);
    cx.block.group_access = cx.block.group_access.in_next_block();
    // The quirk replaces what is undefined in the first iteration of a loop; other phis keep
    // OpUndef.
    let begins = matches!(block.merge, Merge::Loop { .. })
        && cx.input.has_quirk(Quirks::LOOPS_BEGIN_WITH_ZERO);
    for (number, phi) in block.phis.iter().enumerate() {
        if !labels.vectors.hold(index, number) {
            lower_phi(cx, index, phi, labels, begins)?;
        }
    }
    lower_vector_phis(cx, index, block, labels);
    slots::load(cx, block, &labels.slots)?;
    cx.block.loop_merge = match block.merge {
        Merge::Loop {
            merge,
            continue_target,
            hint,
        } => {
            let control = match loop_hint(&cx.input, hint) {
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
    // A rename holds in this block only, so the values that it hides come back at its end.
    let mut hidden = Vec::new();
    for &(value, operand) in &block.renames {
        // Renames come from the structurizer, which copies blocks: the copy's values stand for the
        // original's.
        let new = match operand {
            Operand::Value(other) => match cx.function.values.get(other) {
                LoweredValue::Unset => LoweredValue::Id(cx.id(other)?),
                known => known,
            },
            Operand::Undef => {
                let ty = cx.function.type_of(value)?;
                let ty = types::lower(cx, ty)?;
                LoweredValue::Id(cx.b.undef(ty))
            }
            _ => {
                let id = flow_values::operand_id(cx, operand)?;
                if merged_pointers::is_pointer(cx, value) {
                    LoweredValue::Pointer(merged_pointers::merged_pointer(cx, value, id)?)
                } else {
                    LoweredValue::Id(id)
                }
            }
        };
        hidden.push((value, cx.function.values.get(value)));
        cx.function.values.set(value, new);
    }
    // In other blocks, results of a copied block have the original's ids.
    for &(value, _) in &block.exports {
        hidden.push((value, cx.function.values.get(value)));
    }
    for &(inst, stays) in &block.lifted {
        if let Some(data) = cx.function.view.function.insts.get(inst) {
            // Where the instruction also stays in its block, this copy has another result.
            if let Some(result) = data.result.expand().filter(|_| stays) {
                hidden.push((result, cx.function.values.get(result)));
            }
            located_instruction(cx, inst, data)?;
        }
    }
    if let Some(source) = block.source {
        lower_instructions(cx, source)?;
    }
    // Waiting outputs must not move into another block, which may not run.
    output_rows::end_block(cx)?;
    cx.function.flow.leave(block);
    if std::mem::take(&mut cx.block.has_ended) {
        labels.exits[index] = cx.block.label;
        for (value, old) in hidden {
            cx.function.values.set(value, old);
        }
        return Ok(());
    }
    // The payload goes back at every return; other exits end in instructions that do it themselves.
    if matches!(block.terminator, Terminator::Return(_)) {
        ray_stages::return_parameters(cx)?;
    }
    if cx.source.is_some()
        && let Some(source) = block.source
        && let Some(last) = cx.function.view.function.block_insts(source).next_back()
    {
        source::at(cx, last);
    }
    // Code for the terminator's operands goes before the merge instruction.
    let decider = decider_of(cx, &block.terminator)?;
    // Selects feed the terminators of later blocks, and may use this block's results.
    for select in &block.selects {
        lower_select(cx, select)?;
    }
    for &(value, name) in &block.exports {
        let id = cx.id(value)?;
        flow_values::set_synthetic(&mut cx.function, name, id);
    }
    // Stores for other blocks come after all code and before the merge instruction, which must be
    // the second last one.
    slots::store(cx, block, &labels.slots)?;
    vector_phis::make_vectors(cx, cfg, &labels.vectors, index, &hidden)?;
    // Code for the terminator may have split the block and written the merge already.
    if let Some(operands) = cx.block.loop_merge.take() {
        cx.b.emit_void(Op::LoopMerge, &operands);
    }
    if let Merge::Selection { merge, hint } = block.merge {
        let control = match selection_hint(&cx.input, hint) {
            SelectionHint::None => 0,
            SelectionHint::Flatten => 1,
            SelectionHint::Branch => 2,
        };
        let merge = labels.entry(merge).0;
        cx.b.emit_void(Op::SelectionMerge, &[merge, control]);
    }
    // A block may have become several: phis name the label that it ends with.
    labels.exits[index] = cx.block.label;
    let own = StructuredBlockId(index as u32);
    let again = cx.block.own_continue.take();
    if let Some((_, target)) = again {
        labels.backs.insert(own, target);
    }
    lower_terminator(cx, &block.terminator, decider, labels, again);
    if let Some((header, target)) = again {
        blocks::start_block(cx, target);
        cx.b.emit_void(Op::Branch, &[header]);
    }
    for (value, old) in hidden {
        cx.function.values.set(value, old);
    }
    Ok(())
}

/// Returns the shader's hint, or the caller's where it has none.
fn loop_hint(input: &Input<'_>, hint: LoopHint) -> LoopHint {
    // A shader's own hints win over the caller's, unless the caller does not trust them.
    let workarounds = &input.options.workarounds;
    match hint {
        LoopHint::Unroll | LoopHint::DontUnroll if workarounds.shader_hints => hint,
        _ => workarounds.loops,
    }
}

fn selection_hint(input: &Input<'_>, hint: SelectionHint) -> SelectionHint {
    let workarounds = &input.options.workarounds;
    match hint {
        SelectionHint::Flatten | SelectionHint::Branch if workarounds.shader_hints => hint,
        _ => workarounds.selections,
    }
}

fn lower_instructions(cx: &mut Context<'_>, source: BlockId) -> Result<()> {
    let function = cx.function.view.function;
    // Terminators come from the structured graph.
    let Some((_, insts)) = function.block_data(source).split_last() else {
        return Ok(());
    };
    for (inst, data) in function.block_insts(source).zip(insts) {
        // Phis were written at the block's beginning.
        if matches!(data.inst, Inst::Phi { .. }) || cx.function.lifted.contains(inst) {
            continue;
        }
        located_instruction(cx, inst, data)?;
        if cx.block.has_ended {
            break;
        }
    }
    Ok(())
}

#[inline]
fn located_instruction(cx: &mut Context<'_>, inst: InstId, data: &InstData) -> Result<()> {
    // The limit is for hostile inputs: a small file can name a large value many times.
    cx.check_growth()?;
    if cx.source.is_some() {
        source::at(cx, inst);
    }
    instruction::lower(cx, inst, data).map_err(|mut error| {
        error.location_mut().inst.get_or_insert(inst);
        error
    })?;
    if cx.source.is_some()
        && let Some(result) = data.result.expand()
    {
        source::define(cx, result);
    }
    Ok(())
}

/// Lowers a phi. `zero`: undefined incoming values become 0.
fn lower_phi(
    cx: &mut Context<'_>,
    index: usize,
    phi: &StructuredPhi,
    labels: &mut Labels,
    zero: bool,
) -> Result<()> {
    let ty = match phi.result {
        PhiResult::Value(value) | PhiResult::SyntheticLike(_, value) => {
            slots::type_between_blocks(cx, value)?
        }
        PhiResult::SyntheticSelector(_) => cx.b.u32(),
        PhiResult::SyntheticBool(_) => cx.b.bool(),
    };
    // The phi's id is known before its operands, because a loop may carry the phi itself.
    let id = cx.b.fresh();
    slots::define(cx, phi.result, id)?;
    let mut words: SmallVec<[Id; 8]> = SmallVec::with_capacity(phi.incoming.len() * 2);
    // Header, type and result stand before the operands.
    // Patching needs the position of each word, and emitting a constant in between would not move
    // it: constants are in another section.
    let first = cx.b.position() + 3;
    for &(operand, from) in &phi.incoming {
        let known = match operand {
            Operand::Undef if zero => Some(cx.b.const_null(ty)),
            Operand::Value(value) if zero && cx.function.is_undef(value) => {
                Some(cx.b.const_null(ty))
            }
            Operand::Undef => Some(cx.b.undef(ty)),
            Operand::Value(value) => known_value(cx, value)?,
            Operand::Synthetic(synthetic) => {
                let id = flow_values::synthetic_id(&cx.function, synthetic);
                (!id.is_none()).then_some(id)
            }
            Operand::Selector(_) | Operand::Bool(_) => Some(flow_values::operand_id(cx, operand)?),
        };
        if known.is_none() {
            let word = first + words.len();
            labels.phi_fixups.push((word, PhiFixup::Value(operand)));
        }
        words.push(known.unwrap_or_default());
        words.push(labels.comes_from(from, index, first + words.len()));
    }
    cx.b.emit_as(Op::Phi, ty, id, &words);
    Ok(())
}

/// Emits the vector phis of this header, and extracts their components.
fn lower_vector_phis(
    cx: &mut Context<'_>,
    index: usize,
    block: &StructuredBlock,
    labels: &mut Labels,
) {
    let own = labels.vectors.of_header(index);
    if own.is_empty() {
        return;
    }
    let vectors = std::mem::take(&mut labels.vectors);
    let mut ids = Vec::with_capacity(own.len());
    for vector in vectors.get(own.clone()) {
        let first = cx.b.position() + 3;
        let mut words = Vec::with_capacity(vector.incoming.len() * 2);
        for &(id, from) in &vector.incoming {
            words.push(id);
            words.push(labels.comes_from(from, index, first + words.len()));
        }
        ids.push(cx.b.emit(Op::Phi, vector.vector, &words));
    }
    for (vector, id) in vectors.get(own).iter().zip(ids) {
        vector_phis::scalarize(cx, block, vector, id);
    }
    labels.vectors = vectors;
}

/// Returns the id of a value if a phi can name it now, without code for it.
fn known_value(cx: &mut Context<'_>, value: ValueId) -> Result<Option<Id>> {
    match cx.function.values.get(value) {
        LoweredValue::Id(id) => Ok(Some(id)),
        // An address becomes an index, which may not exist yet.
        LoweredValue::Unset | LoweredValue::Pointer(_)
            if merged_pointers::is_pointer(cx, value) =>
        {
            merged_pointers::pointer_index(cx, value)
        }
        LoweredValue::Unset if cx.function.view.constant(value).is_some() => {
            Ok(Some(cx.id(value)?))
        }
        LoweredValue::Unset => Ok(None),
        LoweredValue::Parts(_) => Err(Error::unsupported("a phi of a struct")),
        LoweredValue::Pointer(_) => Err(Error::unsupported("a phi of pointers")),
    }
}

/// Returns the condition, selector or returned value of a terminator, with the width of a switch's
/// literals in bits.
fn decider_of(cx: &mut Context<'_>, terminator: &Terminator) -> Result<(Id, u32)> {
    Ok(match *terminator {
        Terminator::Branch(_) | Terminator::Return(None) | Terminator::Unreachable => (Id::NONE, 0),
        Terminator::CondBranch {
            condition: Operand::Undef,
            ..
        } => {
            // Any value will do for an undefined condition.
            let ty = cx.b.bool();
            (cx.b.undef(ty), 1)
        }
        Terminator::CondBranch { condition, .. } => (flow_values::operand_id(cx, condition)?, 1),
        Terminator::SelectorBranch {
            selector, value, ..
        } => {
            let bool_ty = cx.b.bool();
            let selector = flow_values::operand_id(cx, selector)?;
            let value = cx.b.const_u32(value);
            (cx.b.emit(Op::IEqual, bool_ty, &[selector, value]), 1)
        }
        Terminator::Switch {
            selector: Operand::Value(value),
            ..
        } => {
            let shape = types::shape_of(cx, value)?;
            let id = cx.id(value)?;
            match shape.scalar {
                // OpSwitch takes integers.
                Scalar::Bool => (integers::bool_to_u32(&mut cx.b, id), 32),
                // The literals are compared as a whole, so the upper bits have to be zero.
                _ => (integers::zero_extend(cx, shape, id)?, shape.scalar.width()),
            }
        }
        Terminator::Switch {
            selector: Operand::Undef,
            ..
        } => {
            let ty = cx.b.u32();
            (cx.b.undef(ty), 32)
        }
        Terminator::Switch { selector, .. } => (flow_values::operand_id(cx, selector)?, 32),
        Terminator::Return(Some(value)) => (cx.id(value)?, 0),
    })
}

/// Lowers a selector whose value a condition selects.
fn lower_select(cx: &mut Context<'_>, select: &Select) -> Result<()> {
    let bool_ty = cx.b.bool();
    let condition = match select.condition {
        Operand::Undef => cx.b.undef(bool_ty),
        condition => flow_values::operand_id(cx, condition)?,
    };
    let id = match (select.if_true, select.if_false) {
        // Selects of constants are the structurizer's; most are the condition or its inverse.
        (Operand::Bool(true), Operand::Bool(false)) => condition,
        (Operand::Bool(false), Operand::Bool(true)) => {
            cx.b.emit(Op::LogicalNot, bool_ty, &[condition])
        }
        (if_true, if_false) => {
            let operands = [
                condition,
                flow_values::operand_id(cx, if_true)?,
                flow_values::operand_id(cx, if_false)?,
            ];
            let ty = cx.b.u32();
            cx.b.emit(Op::Select, ty, &operands)
        }
    };
    flow_values::set_synthetic(&mut cx.function, select.result, id);
    Ok(())
}

fn lower_terminator(
    cx: &mut Context<'_>,
    terminator: &Terminator,
    (decider, width): (Id, u32),
    labels: &Labels,
    again: Option<(Id, Id)>,
) {
    // A split loop has a block for its back edge.
    let to = |block: StructuredBlockId| match again {
        Some((header, target)) if labels.entry(block) == header => target,
        _ => labels.entry(block),
    };
    match terminator {
        Terminator::Branch(target) => cx.b.emit_void(Op::Branch, &[to(*target)]),
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
            cx.b.emit_void(Op::BranchConditional, &words);
        }
        Terminator::Switch { default, cases, .. } => {
            let mut words = Vec::with_capacity(cases.len() * 3 + 2);
            words.extend([decider.0, to(*default).0]);
            for &(literal, target) in cases {
                words.push(literal as u32);
                if width == 64 {
                    words.push((literal >> 32) as u32);
                }
                words.push(to(target).0);
            }
            cx.b.emit_void(Op::Switch, &words);
        }
        Terminator::Return(Some(_)) => cx.b.emit_void(Op::ReturnValue, &[decider]),
        Terminator::Return(None) => {
            // The interlock ends on every path that returns.
            ordered::end(cx);
            cx.b.emit_void::<u32>(Op::Return, &[]);
        }
        Terminator::Unreachable => cx.b.emit_void::<u32>(Op::Unreachable, &[]),
    }
}

impl Labels {
    /// Returns the label of a predecessor for a phi of block `index`; `word` is the position of the
    /// operand, which is patched later if the label is not known yet.
    fn comes_from(&mut self, from: StructuredBlockId, index: usize, word: usize) -> Id {
        let exit = self.exits.get(from.0 as usize).copied();
        if exit == Some(Id::NONE) {
            let label = if from.0 as usize == index {
                PhiFixup::Back(from)
            } else {
                PhiFixup::Exit(from)
            };
            self.phi_fixups.push((word, label));
        }
        exit.unwrap_or_default()
    }

    /// Returns the label of a block.
    fn entry(&self, block: StructuredBlockId) -> Id {
        self.entries
            .get(block.0 as usize)
            .copied()
            .unwrap_or_default()
    }
}
