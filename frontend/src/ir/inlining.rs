//! Inlines calls: the bodies of callees become part of their callers.

use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::PackedOption;

use super::draft::{DraftFunction, DraftInst};
use super::{
    BlockId, Constant, ConstantExpr, FuncId, FuncView, Inst, InstData, List, Module, Type, TypeId,
    ValueDef, ValueId,
};
use crate::tables::{HashMap, HashSet};

/// The reason why calls were not inlined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InlineError {
    /// The code would grow beyond the limits.
    TooComplex(&'static str),
    /// A call does not fit its function.
    Malformed(&'static str),
}

type Result<T> = std::result::Result<T, InlineError>;

/// Maximum number of times that an instruction is moved or looked at: some thousand calls from a
/// block of that many instructions.
const MAX_MOVES: usize = 1 << 25;

/// The cost of inlining, in all functions of a shader together.
#[derive(Debug)]
pub struct InlineGrowth {
    /// The number of instructions that may still be copied.
    left: usize,
    /// Instructions that were moved or looked at.
    moved: usize,
}

impl InlineGrowth {
    /// Maximum number of instructions that inlining may add to a module, beside two for each that
    /// it has. Each takes some 300 bytes of memory while functions are put together.
    pub const MAX_ADDED: usize = 1 << 16;

    /// Returns what a module may grow by.
    pub fn of(module: &Module) -> Self {
        let bodies = module.bodies.iter();
        let own: usize = bodies.map(|body| body.insts.len()).sum();
        InlineGrowth {
            left: Self::MAX_ADDED.saturating_add(own.saturating_mul(2)),
            moved: 0,
        }
    }
}

/// Returns a function with its callees inlined, and theirs in them: those that `called` names for a
/// function. Callees come first, so each function is rewritten once; `done` keeps them for the next
/// root, which must not be among them.
///
/// # Errors
///
/// If the calls grow beyond the limits or do not fit their functions, and if a function calls
/// itself, directly or through others.
pub fn inline_with_callees(
    module: &Module,
    root: FuncId,
    called: impl Fn(FuncView<'_>) -> Vec<FuncId>,
    done: &mut HashMap<FuncId, DraftFunction>,
    growth: &mut InlineGrowth,
) -> Result<DraftFunction> {
    let mut stack = vec![root];
    let mut open: HashSet<FuncId> = HashSet::default();
    while let Some(&id) = stack.last() {
        // A function may be there several times, once for each caller that waits for it.
        if done.contains_key(&id) {
            stack.pop();
            continue;
        }
        let function = module.body(id);
        let function = function.ok_or(InlineError::Malformed("a function without a body"))?;
        let mut missing = called(FuncView { module, function });
        missing.retain(|callee| !done.contains_key(callee));
        if missing.is_empty() {
            let mut draft = DraftFunction::of(function);
            inline_calls(module, &mut draft, done, growth)?;
            stack.pop();
            if stack.is_empty() {
                return Ok(draft);
            }
            done.insert(id, draft);
            open.remove(&id);
            continue;
        }
        if !open.insert(id) {
            return Err(InlineError::Malformed("a function that calls itself"));
        }
        stack.extend(missing);
    }
    Err(lost())
}

/// Inlines every call of the given callees.
fn inline_calls(
    module: &Module,
    draft: &mut DraftFunction,
    callees: &HashMap<FuncId, DraftFunction>,
    growth: &mut InlineGrowth,
) -> Result<()> {
    let mut block = 0;
    let mut variables = Vec::new();
    // New blocks are appended, and the code after a call is visited there.
    while block < draft.blocks.len() {
        let found = draft.blocks.get(block).and_then(|lines| {
            lines.iter().enumerate().find_map(|(at, line)| {
                let Inst::Call { callee, .. } = line.data.inst else {
                    return None;
                };
                let value = module.values.get(callee.index())?;
                match value.def {
                    ValueDef::Function(function) => Some((at, callees.get(&function)?)),
                    _ => None,
                }
            })
        });
        match found {
            Some((at, callee)) => {
                // Values and operands are copied with the instructions, and may outnumber them.
                let Some(left) = growth.left.checked_sub(callee.size()) else {
                    return Err(InlineError::TooComplex(
                        "inlining: more than 65,536 new instructions beside two for each of the \
                         module",
                    ));
                };
                growth.left = left;
                let mut following = draft.blocks.get(block).map_or(0, Vec::len) - at;
                for successor in draft.successors(block) {
                    following += draft.blocks.get(successor.index()).map_or(0, Vec::len);
                }
                // A call moves what follows it in its block, and looks for the phis of the next
                // blocks.
                growth.moved = growth.moved.saturating_add(following);
                if growth.moved > MAX_MOVES {
                    return Err(InlineError::TooComplex(
                        "inlining: many calls from long blocks",
                    ));
                }
                variables.extend(inline_call(module, draft, block, at, callee)?);
            }
            None => block += 1,
        }
    }
    // Variables are moved to the start of the function. A variable in a loop is uninitialized in
    // each iteration, so it need not be cleared.
    if let Some(entry) = draft.blocks.first_mut() {
        entry.splice(0..0, variables);
    }
    draft.apply_replacements();
    Ok(())
}

/// Inlines the call at index `at` of a block. Returns the callee's variables.
fn inline_call(
    module: &Module,
    draft: &mut DraftFunction,
    block: usize,
    at: usize,
    callee: &DraftFunction,
) -> Result<Vec<DraftInst>> {
    let continuation = draft.blocks.len();
    let first_block = continuation + 1;
    // The code after the call becomes a new block, the predecessor of the old successors.
    let successors = draft.successors(block);
    let lines = draft.blocks.get_mut(block).ok_or_else(lost)?;
    let mut rest = lines.split_off(at);
    let call = if rest.is_empty() {
        return Err(lost());
    } else {
        rest.remove(0)
    };
    draft.blocks.push(rest);
    // Control comes to them from the new block now, so that their phis have to name it.
    for successor in successors {
        let mut lists: Vec<List<(ValueId, BlockId)>> = Vec::new();
        for line in draft.blocks.get(successor.index()).into_iter().flatten() {
            if let Inst::Phi { incoming } = line.data.inst {
                lists.push(incoming);
            }
        }
        for list in lists {
            let edges = draft.function.edge_pool.get_mut(list.range());
            for (_, from) in edges.into_iter().flatten() {
                if from.index() == block {
                    *from = BlockId::new(continuation);
                }
            }
        }
    }
    let Inst::Call { args, .. } = call.data.inst else {
        return Err(lost());
    };
    let args: Vec<ValueId> = draft.function.values_of(args).to_vec();
    let body = &callee.function;
    if args.len() != body.arg_count as usize {
        return Err(InlineError::Malformed(
            "a call with other arguments than its function has",
        ));
    }
    // The callee's values are appended to the caller's.
    let first = body.first_value as usize;
    let shift = draft.function.values.len();
    // Values below the function's first one are the module's and keep their numbers.
    let value_of = |value: ValueId| match value.index().checked_sub(first) {
        None => value,
        Some(local) => match args.get(local) {
            Some(&arg) => arg,
            None => ValueId::new(first + shift + local),
        },
    };
    let pools = (
        pool_end(draft.function.value_pool.len()),
        pool_end(draft.function.edge_pool.len()),
        pool_end(draft.function.number_pool.len()),
    );
    let block_of = |block: BlockId| BlockId::new(first_block + block.index());
    for data in &body.values {
        let mut data = *data;
        if let ValueDef::Constant(constant) = &mut data.def {
            *constant = moved(*constant, pools, value_of);
        }
        draft.function.values.push(data);
    }
    let values = body.value_pool.iter().map(|&value| value_of(value));
    draft.function.value_pool.extend(values);
    let edges = body.edge_pool.iter();
    let edges = edges.map(|&(value, block)| (value_of(value), block_of(block)));
    draft.function.edge_pool.extend(edges);
    draft
        .function
        .number_pool
        .extend_from_slice(&body.number_pool);
    let mut variables = Vec::new();
    let mut results: Vec<(ValueId, BlockId)> = Vec::new();
    for (index, lines) in callee.blocks.iter().enumerate() {
        let mut written = Vec::with_capacity(lines.len());
        for line in lines {
            let mut line = line.clone();
            let data = &mut line.data;
            data.result = data
                .result
                .expand()
                .map_or(PackedOption::default(), |value| value_of(value).into());
            data.inst
                .for_each_own_operand(|value| *value = value_of(*value));
            lists(&mut data.inst, pools, block_of);
            match data.inst {
                Inst::Alloca { .. } => {
                    variables.push(line);
                    continue;
                }
                Inst::Ret { value } => {
                    if let Some(value) = value.expand() {
                        results.push((value, BlockId::new(first_block + index)));
                    }
                    data.inst = Inst::Br {
                        target: BlockId::new(continuation),
                    };
                }
                _ => {}
            }
            written.push(line);
        }
        draft.blocks.push(written);
    }
    let enter = InstData {
        inst: Inst::Br {
            target: BlockId::new(first_block),
        },
        ty: void(module)?,
        result: PackedOption::default(),
    };
    let lines = draft.blocks.get_mut(block).ok_or_else(lost)?;
    lines.push(DraftInst::new(enter));
    let Some(result) = call.data.result.expand() else {
        return Ok(variables);
    };
    // A function that never returns has no result, and what follows the call is not reached.
    match results.as_slice() {
        [(value, _)] => {
            let value = draft.resolved(*value);
            draft.replace(result, value);
        }
        [] => {
            let undefined = draft.value(call.data.ty, ValueDef::Constant(Constant::Undef));
            draft.replace(result, undefined);
        }
        several => {
            let incoming = draft.edges(several);
            let phi = InstData {
                inst: Inst::Phi { incoming },
                ty: call.data.ty,
                result: result.into(),
            };
            let lines = draft.blocks.get_mut(continuation).ok_or_else(lost)?;
            lines.insert(0, DraftInst::new(phi));
        }
    }
    Ok(variables)
}

fn pool_end(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// Adjusts the lists and blocks of an instruction to their positions in the caller.
fn lists(inst: &mut Inst, pools: (u32, u32, u32), block_of: impl Fn(BlockId) -> BlockId) {
    match inst {
        Inst::Call { args, .. } => args.start += pools.0,
        Inst::Gep { operands, .. } => operands.start += pools.0,
        Inst::Phi { incoming } => incoming.start += pools.1,
        Inst::ExtractValue { indices, .. } | Inst::InsertValue { indices, .. } => {
            indices.start += pools.2;
        }
        Inst::Br { target } => *target = block_of(*target),
        Inst::CondBr {
            if_true, if_false, ..
        } => {
            *if_true = block_of(*if_true);
            *if_false = block_of(*if_false);
        }
        Inst::Switch { default, cases, .. } => {
            *default = block_of(*default);
            cases.start += pools.1;
        }
        _ => {}
    }
}

fn moved(
    constant: Constant,
    pools: (u32, u32, u32),
    value_of: impl Fn(ValueId) -> ValueId,
) -> Constant {
    match constant {
        Constant::Aggregate(mut list) => {
            list.start += pools.0;
            Constant::Aggregate(list)
        }
        Constant::Data(mut list) => {
            list.start += pools.2;
            Constant::Data(list)
        }
        Constant::Expr(mut expression) => {
            if let ConstantExpr::Gep { operands, .. } = &mut expression {
                operands.start += pools.0;
            }
            expression.for_each_own_operand(|value| *value = value_of(*value));
            Constant::Expr(expression)
        }
        Constant::Null | Constant::Undef | Constant::Int(_) | Constant::Float(_) => constant,
    }
}

/// Returns the type of instructions without a result.
fn void(module: &Module) -> Result<TypeId> {
    let mut types = module.types.types.iter();
    let found = types.find(|(_, ty)| matches!(ty, Type::Void));
    found.map(|(id, _)| id).ok_or_else(lost)
}

fn lost() -> InlineError {
    InlineError::Malformed("a call that is put together is lost")
}
