//! New expressions in front of those of a function in naga's IR.
//!
//! An expression may only refer to expressions before it in its arena, so whatever replaces an
//! operand has to be inserted, and all references to expressions change.

use naga::{
    Arena, AtomicFunction, Block, CooperativeData, Expression, Function, GatherMode, Handle,
    ImageQuery, Range, RayPipelineFunction, RayQueryFunction, SampleLevel, Span, Statement,
};

/// Inserts expressions in front of all others of a function, and returns their handles. They must
/// be of the kinds that need no [`Statement::Emit`], such as variables and literals.
pub(super) fn prepend(function: &mut Function, new: Vec<Expression>) -> Vec<Handle<Expression>> {
    let mut arena = Arena::new();
    let added = new.into_iter();
    let added = added.map(|expression| arena.append(expression, Span::UNDEFINED));
    let added = added.collect();
    rebase(function, arena, |_| None);
    added
}

/// Appends a function's expressions to an arena, which becomes the function's. `replace` names the
/// expression of the arena that stands for one of the function's; that one must be of a kind that
/// needs no [`Statement::Emit`], and disappears.
pub(super) fn rebase(
    function: &mut Function,
    mut arena: Arena<Expression>,
    replace: impl Fn(Handle<Expression>) -> Option<Handle<Expression>>,
) {
    let mut moved: Vec<Handle<Expression>> = Vec::with_capacity(function.expressions.len());
    for (old, mut expression, span) in function.expressions.drain() {
        if let Some(new) = replace(old) {
            moved.push(new);
            continue;
        }
        for_each_operand(&mut expression, &mut |handle| {
            *handle = moved[handle.index()]
        });
        moved.push(arena.append(expression, span));
    }
    function.expressions = arena;
    let change = &mut |handle: &mut Handle<Expression>| *handle = moved[handle.index()];
    for (_, variable) in function.local_variables.iter_mut() {
        variable.init.as_mut().map(&mut *change);
    }
    let named = std::mem::take(&mut function.named_expressions);
    function.named_expressions = named
        .into_iter()
        .map(|(handle, name)| (moved[handle.index()], name))
        .collect();
    in_block(&mut function.body, change);
}

/// What is done with the handle of an expression.
pub(super) type Visit<'a> = &'a mut dyn FnMut(&mut Handle<Expression>);

/// Calls `visit` for each operand of an expression.
pub(super) fn for_each_operand(expression: &mut Expression, visit: Visit<'_>) {
    use Expression as E;
    match expression {
        E::Literal(_)
        | E::Constant(_)
        | E::Override(_)
        | E::ZeroValue(_)
        | E::FunctionArgument(_)
        | E::GlobalVariable(_)
        | E::LocalVariable(_)
        | E::CallResult(_)
        | E::AtomicResult { .. }
        | E::WorkGroupUniformLoadResult { .. }
        | E::RayQueryProceedResult
        | E::SubgroupBallotResult
        | E::SubgroupOperationResult { .. } => {}
        E::Compose { components, .. } => components.iter_mut().for_each(visit),
        E::Access { base, index } => [base, index].into_iter().for_each(visit),
        E::AccessIndex { base, .. } => visit(base),
        E::Splat { value, .. } => visit(value),
        E::Swizzle { vector, .. } => visit(vector),
        E::Load { pointer } => visit(pointer),
        E::ImageSample {
            image,
            sampler,
            gather: _,
            coordinate,
            array_index,
            offset,
            level,
            depth_ref,
            clamp_to_edge: _,
        } => {
            [image, sampler, coordinate]
                .into_iter()
                .chain(array_index)
                .chain(offset)
                .chain(depth_ref)
                .for_each(&mut *visit);
            match level {
                SampleLevel::Auto | SampleLevel::Zero => {}
                SampleLevel::Exact(level) | SampleLevel::Bias(level) => visit(level),
                SampleLevel::Gradient { x, y } => [x, y].into_iter().for_each(visit),
            }
        }
        E::ImageLoad {
            image,
            coordinate,
            array_index,
            sample,
            level,
        } => [image, coordinate]
            .into_iter()
            .chain(array_index)
            .chain(sample)
            .chain(level)
            .for_each(visit),
        E::ImageQuery { image, query } => {
            visit(image);
            match query {
                ImageQuery::Size { level } => level.iter_mut().for_each(visit),
                ImageQuery::NumLevels | ImageQuery::NumLayers | ImageQuery::NumSamples => {}
            }
        }
        E::Unary { expr, .. } | E::Derivative { expr, .. } | E::As { expr, .. } => visit(expr),
        E::Binary { left, right, .. } => [left, right].into_iter().for_each(visit),
        E::Select {
            condition,
            accept,
            reject,
        } => [condition, accept, reject].into_iter().for_each(visit),
        E::Relational { argument, .. } => visit(argument),
        E::Math {
            fun: _,
            arg,
            arg1,
            arg2,
            arg3,
        } => [arg]
            .into_iter()
            .chain(arg1)
            .chain(arg2)
            .chain(arg3)
            .for_each(visit),
        E::ArrayLength(array) => visit(array),
        E::RayQueryVertexPositions { query, .. } | E::RayQueryGetIntersection { query, .. } => {
            visit(query);
        }
        E::CooperativeLoad { data, .. } => in_matrix(data, visit),
        E::CooperativeMultiplyAdd { a, b, c } => [a, b, c].into_iter().for_each(visit),
    }
}

fn in_matrix(data: &mut CooperativeData, visit: Visit<'_>) {
    [&mut data.pointer, &mut data.stride]
        .into_iter()
        .for_each(visit);
}

fn in_block(block: &mut Block, visit: Visit<'_>) {
    for statement in block.iter_mut() {
        in_statement(statement, visit);
    }
}

/// Calls `visit` for the expressions of a statement that contains no others.
pub(super) fn in_statement_alone(statement: &mut Statement, visit: Visit<'_>) {
    use Statement as S;
    let has_blocks = matches!(
        statement,
        S::Emit(_) | S::Block(_) | S::If { .. } | S::Switch { .. } | S::Loop { .. }
    );
    if !has_blocks {
        in_statement(statement, visit);
    }
}

fn in_statement(statement: &mut Statement, visit: Visit<'_>) {
    use Statement as S;
    match statement {
        S::Emit(range) => {
            if let Some((mut first, mut last)) = range.first_and_last() {
                visit(&mut first);
                visit(&mut last);
                *range = Range::new_from_bounds(first, last);
            }
        }
        S::Block(block) => in_block(block, visit),
        S::If {
            condition,
            accept,
            reject,
        } => {
            visit(condition);
            in_block(accept, visit);
            in_block(reject, visit);
        }
        S::Switch { selector, cases } => {
            visit(selector);
            for case in cases {
                in_block(&mut case.body, visit);
            }
        }
        S::Loop {
            body,
            continuing,
            break_if,
        } => {
            in_block(body, visit);
            in_block(continuing, visit);
            break_if.iter_mut().for_each(visit);
        }
        S::Break | S::Continue | S::Kill | S::ControlBarrier(_) | S::MemoryBarrier(_) => {}
        S::Return { value } => value.iter_mut().for_each(visit),
        S::Store { pointer, value } => [pointer, value].into_iter().for_each(visit),
        S::ImageStore {
            image,
            coordinate,
            array_index,
            value,
        } => [image, coordinate, value]
            .into_iter()
            .chain(array_index)
            .for_each(visit),
        S::Atomic {
            pointer,
            fun,
            value,
            result,
        } => {
            in_atomic(fun, visit);
            [pointer, value].into_iter().chain(result).for_each(visit);
        }
        S::ImageAtomic {
            image,
            coordinate,
            array_index,
            fun,
            value,
        } => {
            in_atomic(fun, visit);
            [image, coordinate, value]
                .into_iter()
                .chain(array_index)
                .for_each(visit);
        }
        S::WorkGroupUniformLoad { pointer, result } => {
            [pointer, result].into_iter().for_each(visit);
        }
        S::Call {
            function: _,
            arguments,
            result,
        } => arguments.iter_mut().chain(result).for_each(visit),
        S::RayQuery { query, fun } => {
            visit(query);
            match fun {
                RayQueryFunction::Initialize {
                    acceleration_structure,
                    descriptor,
                } => [acceleration_structure, descriptor]
                    .into_iter()
                    .for_each(visit),
                RayQueryFunction::Proceed { result } => visit(result),
                RayQueryFunction::GenerateIntersection { hit_t } => visit(hit_t),
                RayQueryFunction::ConfirmIntersection | RayQueryFunction::Terminate => {}
            }
        }
        S::RayPipelineFunction(RayPipelineFunction::TraceRay {
            acceleration_structure,
            descriptor,
            payload,
        }) => [acceleration_structure, descriptor, payload]
            .into_iter()
            .for_each(visit),
        S::SubgroupBallot { result, predicate } => {
            [result].into_iter().chain(predicate).for_each(visit);
        }
        S::SubgroupGather {
            mode,
            argument,
            result,
        } => {
            match mode {
                GatherMode::BroadcastFirst | GatherMode::QuadSwap(_) => {}
                GatherMode::Broadcast(lane)
                | GatherMode::Shuffle(lane)
                | GatherMode::ShuffleDown(lane)
                | GatherMode::ShuffleUp(lane)
                | GatherMode::ShuffleXor(lane)
                | GatherMode::QuadBroadcast(lane) => visit(lane),
            }
            [argument, result].into_iter().for_each(visit);
        }
        S::SubgroupCollectiveOperation {
            argument, result, ..
        } => [argument, result].into_iter().for_each(visit),
        S::CooperativeStore { target, data } => {
            visit(target);
            in_matrix(data, visit);
        }
    }
}

fn in_atomic(function: &mut AtomicFunction, visit: Visit<'_>) {
    if let AtomicFunction::Exchange {
        compare: Some(compare),
    } = function
    {
        visit(compare);
    }
}
