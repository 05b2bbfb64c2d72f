//! Corrections to naga's IR; `corrections` lists them with their reasons.

use naga::diagnostic_filter::{
    DiagnosticFilter, DiagnosticFilterNode, FilterableTriggeringRule, Severity,
    StandardFilterableTriggeringRule,
};
use naga::valid::{Capabilities, FunctionInfo, ModuleInfo, ValidationFlags, Validator};
use naga::{
    Barrier, Expression, Function, ImageQuery, Literal, Module, Scalar, ScalarKind, Span,
    Statement, TypeInner,
};

use super::blocks::{for_each_block, functions_mut};

/// A module for the writers of some languages, and the validator's facts about it.
pub(super) type Changed = (Module, ModuleInfo);

/// Replaces casts between signed and unsigned 64-bit integers by conversions, which are equivalent:
/// the HLSL writer has casts of 32-bit integers only.
pub(super) fn convert_wide_integers(module: &mut Module, info: &ModuleInfo) {
    let types = &module.types;
    let convert = |function: &mut Function, info: &FunctionInfo| {
        for (_, expression) in function.expressions.iter_mut() {
            if let Expression::As {
                expr,
                kind: ScalarKind::Sint | ScalarKind::Uint,
                convert: convert @ None,
            } = expression
                && let Some(Scalar {
                    kind: ScalarKind::Sint | ScalarKind::Uint,
                    width: 8,
                }) = info[*expr].ty.inner_with(types).scalar()
            {
                *convert = Some(8);
            }
        }
    };
    for (handle, function) in module.functions.iter_mut() {
        convert(function, &info[handle]);
    }
    for (index, point) in module.entry_points.iter_mut().enumerate() {
        convert(&mut point.function, info.get_entry_point(index));
    }
}

/// Clears the fall-through flag of cases whose end no path reaches. The front end checks the last
/// statement only, and the WGSL writer refuses cases that fall through (patch 0005).
pub(super) fn clear_fall_through(module: &mut Module) -> Result<(), &'static str> {
    for function in functions_mut(module) {
        for_each_block(&mut function.body, &mut |block| {
            for statement in block.iter_mut() {
                let Statement::Switch { cases, .. } = statement else {
                    continue;
                };
                for case in cases {
                    case.fall_through &= !never_completes(&case.body);
                }
            }
        });
    }
    Ok(())
}

/// Adds the predicate `true` to ballots without one: WGSL requires it (patch 0006).
pub(super) fn add_ballot_predicates(module: &mut Module) -> Result<(), &'static str> {
    for function in functions_mut(module) {
        let Function {
            body, expressions, ..
        } = function;
        for_each_block(body, &mut |block| {
            for statement in block.iter_mut() {
                if let Statement::SubgroupBallot { predicate, .. } = statement
                    && predicate.is_none()
                {
                    let all = Expression::Literal(Literal::Bool(true));
                    *predicate = Some(expressions.append(all, Span::UNDEFINED));
                }
            }
        });
    }
    Ok(())
}

/// Returns whether no path reaches the end of a block.
fn never_completes(block: &naga::Block) -> bool {
    match block.last() {
        Some(Statement::Block(inner)) => never_completes(inner),
        Some(Statement::If { accept, reject, .. }) => {
            never_completes(accept) && never_completes(reject)
        }
        Some(last) => last.is_terminator(),
        None => false,
    }
}

/// Replaces the last component of the size of an arrayed image by a query of its layers. In SPIR-V
/// it is a component of the result of `OpImageQuerySize` (SPIR-V specification, 3.3.10 "Image
/// Instructions"); naga has a query for it, and the front end leaves an index that is out of range.
pub(super) fn query_layers(module: &mut Module) -> Result<(), &'static str> {
    let Module {
        types,
        global_variables,
        functions,
        entry_points,
        ..
    } = module;
    let functions = functions.iter_mut().map(|(_, function)| function);
    let points = entry_points.iter_mut();
    for function in functions.chain(points.map(|point| &mut point.function)) {
        let handles: Vec<_> = function
            .expressions
            .iter()
            .map(|(handle, _)| handle)
            .collect();
        for handle in handles {
            let Expression::AccessIndex { base, index } = function.expressions[handle] else {
                continue;
            };
            let Expression::ImageQuery {
                image,
                query: query @ ImageQuery::Size { .. },
            } = function.expressions[base]
            else {
                continue;
            };
            let Expression::GlobalVariable(variable) = function.expressions[image] else {
                continue;
            };
            let TypeInner::Image {
                dim, arrayed: true, ..
            } = types[global_variables[variable].ty].inner
            else {
                continue;
            };
            let sizes = match dim {
                naga::ImageDimension::D1 => 1,
                naga::ImageDimension::D2 | naga::ImageDimension::Cube => 2,
                naga::ImageDimension::D3 => continue,
            };
            let query = match index {
                index if index == sizes => ImageQuery::NumLayers,
                // The only size is not a vector.
                0 if sizes == 1 => query,
                _ => continue,
            };
            function.expressions[handle] = Expression::ImageQuery { image, query };
        }
    }
    Ok(())
}

/// Returns the module with control barriers in place of memory barriers, for languages that have no
/// memory barriers; `None` if it has no barrier.
///
/// # Errors
///
/// The reason for a refusal: not all threads of the group reach a barrier, or a barrier orders
/// memory that other groups share. Barriers of those languages order accesses of the group.
pub(super) fn with_waiting_barriers(
    module: &Module,
    _info: &ModuleInfo,
) -> Result<Option<Changed>, &'static str> {
    const REASON: &str = "a memory barrier without group synchronisation";
    let mut module = module.clone();
    let mut scope = BarrierScope::None;
    for function in functions_mut(&mut module) {
        for_each_block(&mut function.body, &mut |block| {
            for statement in block.iter_mut() {
                if let Statement::MemoryBarrier(barrier) = *statement {
                    scope = scope.max(BarrierScope::of(barrier));
                    *statement = Statement::ControlBarrier(barrier);
                }
            }
        });
    }
    match scope {
        BarrierScope::None => return Ok(None),
        BarrierScope::Device => return Err(REASON),
        BarrierScope::Group => {}
    }
    // The validator rejects control barriers in non-uniform control flow.
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    let info = validator.validate(&module).map_err(|_| REASON)?;
    Ok(Some((module, info)))
}

/// The largest scope of the memory that memory barriers order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum BarrierScope {
    /// There are no memory barriers.
    None,
    /// Groupshared memory.
    Group,
    /// Buffers and textures as well.
    Device,
}

impl BarrierScope {
    fn of(barrier: Barrier) -> Self {
        match barrier - Barrier::SUB_GROUP {
            Barrier::WORK_GROUP => BarrierScope::Group,
            _ => BarrierScope::Device,
        }
    }
}

/// Lets derivatives stand where lanes may have parted. The validator takes each argument of a
/// function for one that differs between lanes, and D3D12 leaves derivatives undefined there
/// without refusing them.
pub(super) fn allow_derivatives(module: &mut Module) -> Result<(), &'static str> {
    let rule = StandardFilterableTriggeringRule::DerivativeUniformity;
    let filter = DiagnosticFilterNode {
        inner: DiagnosticFilter {
            new_severity: Severity::Off,
            triggering_rule: FilterableTriggeringRule::Standard(rule),
        },
        parent: None,
    };
    let filter = module.diagnostic_filters.append(filter, Span::default());
    module.diagnostic_filter_leaf = Some(filter);
    for function in functions_mut(module) {
        function.diagnostic_filter_leaf = Some(filter);
    }
    Ok(())
}
