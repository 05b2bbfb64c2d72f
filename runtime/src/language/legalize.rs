//! Corrections to the IR that naga's SPIR-V front end produces. The module documentation of
//! `language` lists them with their reasons.

use naga::valid::{Capabilities, FunctionInfo, ModuleInfo, ValidationFlags, Validator};
use naga::{
    Arena, Barrier, Binding, Expression, Function, ImageQuery, Literal, Module, Scalar, ScalarKind,
    Statement, TypeInner,
};

/// Corrects a module that the front end produced.
pub(super) fn legalize(module: &mut Module) {
    for function in functions_mut(module) {
        clear_fall_through(&mut function.body);
        add_ballot_predicates(&mut function.body, &mut function.expressions);
    }
    query_layers(module);
}

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

fn functions_mut(module: &mut Module) -> impl Iterator<Item = &mut Function> {
    let functions = module.functions.iter_mut().map(|(_, function)| function);
    let points = module.entry_points.iter_mut();
    functions.chain(points.map(|point| &mut point.function))
}

/// Clears the fall-through flag of cases whose end no path reaches. The front end checks the last
/// statement only, and the WGSL writer refuses cases that fall through (patch 0005).
fn clear_fall_through(block: &mut naga::Block) {
    for statement in block.iter_mut() {
        match statement {
            Statement::Switch { cases, .. } => {
                for case in cases {
                    clear_fall_through(&mut case.body);
                    case.fall_through &= !never_completes(&case.body);
                }
            }
            Statement::Block(inner) => clear_fall_through(inner),
            Statement::If { accept, reject, .. } => {
                clear_fall_through(accept);
                clear_fall_through(reject);
            }
            Statement::Loop {
                body, continuing, ..
            } => {
                clear_fall_through(body);
                clear_fall_through(continuing);
            }
            _ => {}
        }
    }
}

/// Adds the predicate `true` to ballots without one: WGSL requires it (patch 0006).
fn add_ballot_predicates(block: &mut naga::Block, expressions: &mut Arena<Expression>) {
    for statement in block.iter_mut() {
        match statement {
            Statement::SubgroupBallot { predicate, .. } if predicate.is_none() => {
                let all = Expression::Literal(Literal::Bool(true));
                *predicate = Some(expressions.append(all, naga::Span::UNDEFINED));
            }
            Statement::Block(inner) => add_ballot_predicates(inner, expressions),
            Statement::If { accept, reject, .. } => {
                add_ballot_predicates(accept, expressions);
                add_ballot_predicates(reject, expressions);
            }
            Statement::Switch { cases, .. } => {
                for case in cases {
                    add_ballot_predicates(&mut case.body, expressions);
                }
            }
            Statement::Loop {
                body, continuing, ..
            } => {
                add_ballot_predicates(body, expressions);
                add_ballot_predicates(continuing, expressions);
            }
            _ => {}
        }
    }
}

/// Whether no path reaches the end of a block.
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
fn query_layers(module: &mut Module) {
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
                // The only size is no vector.
                0 if sizes == 1 => query,
                _ => continue,
            };
            function.expressions[handle] = Expression::ImageQuery { image, query };
        }
    }
}

/// Returns the module with control barriers in place of memory barriers, for languages that have no
/// memory barriers. Returns `None` if not all threads of the group reach a barrier, or if a barrier
/// orders memory that other groups share: barriers of those languages order accesses of the group.
pub(super) fn with_waiting_barriers(module: &Module) -> Option<Module> {
    let mut module = module.clone();
    let mut scope = BarrierScope::None;
    for function in functions_mut(&mut module) {
        make_barriers_wait(&mut function.body, &mut scope);
    }
    match scope {
        BarrierScope::None => return Some(module),
        BarrierScope::Device => return None,
        BarrierScope::Group => {}
    }
    // The validator rejects control barriers in non-uniform control flow.
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    validator.validate(&module).is_ok().then_some(module)
}

/// Matches the outputs of a vertex shader with the inputs of a pixel shader. In D3D12 and SPIR-V
/// only the inputs declare their interpolation, in WGSL the outputs as well. Locations are numbered
/// without gaps, since their number has a low limit.
pub(crate) fn link(vertex: &mut Module, pixel: &mut Module) {
    let mut locations = Vec::new();
    for_each_output(vertex, |binding| locations.extend(location_of(binding)));
    let inputs: Vec<Binding> = inputs(pixel)
        .filter_map(|binding| binding.clone())
        .collect();
    for input in &inputs {
        locations.extend(location_of(&Some(input.clone())));
    }
    locations.sort_unstable();
    locations.dedup();
    let rank = |location: u32| locations.binary_search(&location).unwrap_or(0) as u32;
    for_each_output(vertex, |binding| {
        let wanted = inputs
            .iter()
            .find(|input| location_of(binding) == location_of(&Some((*input).clone())));
        if let (
            Some(Binding::Location {
                interpolation,
                sampling,
                ..
            }),
            Some(Binding::Location {
                interpolation: wanted,
                sampling: at,
                ..
            }),
        ) = (&mut *binding, wanted)
        {
            (*interpolation, *sampling) = (*wanted, *at);
        }
        if let Some(Binding::Location { location, .. }) = binding {
            *location = rank(*location);
        }
    });
    for binding in inputs_mut(pixel) {
        if let Some(Binding::Location { location, .. }) = binding {
            *location = rank(*location);
        }
    }
}

fn location_of(binding: &Option<Binding>) -> Option<u32> {
    match binding {
        Some(Binding::Location { location, .. }) => Some(*location),
        _ => None,
    }
}

fn inputs(module: &Module) -> impl Iterator<Item = &Option<Binding>> {
    let points = module.entry_points.iter();
    points
        .flat_map(|point| &point.function.arguments)
        .map(|argument| &argument.binding)
}

fn inputs_mut(module: &mut Module) -> impl Iterator<Item = &mut Option<Binding>> {
    let points = module.entry_points.iter_mut();
    points
        .flat_map(|point| &mut point.function.arguments)
        .map(|argument| &mut argument.binding)
}

/// Calls `change` for the binding of each output of an entry point.
fn for_each_output(module: &mut Module, mut change: impl FnMut(&mut Option<Binding>)) {
    let Module {
        types,
        entry_points,
        ..
    } = module;
    for point in entry_points {
        let Some(result) = &mut point.function.result else {
            continue;
        };
        change(&mut result.binding);
        let old = result.ty;
        let mut ty = types[old].clone();
        let TypeInner::Struct { members, .. } = &mut ty.inner else {
            continue;
        };
        for member in members {
            change(&mut member.binding);
        }
        let new = types.insert(ty, naga::Span::UNDEFINED);
        result.ty = new;
        for (_, expression) in point.function.expressions.iter_mut() {
            match expression {
                Expression::Compose { ty, .. } if *ty == old => *ty = new,
                _ => {}
            }
        }
    }
}

/// Returns the groups and bindings of textures that are sampled with comparison (naga's depth
/// class).
pub(crate) fn depth_textures(module: &Module) -> Vec<(u32, u32)> {
    textures(module, |class| {
        matches!(class, naga::ImageClass::Depth { .. })
    })
}

/// Returns the groups and bindings of textures with atomics.
pub(crate) fn atomic_textures(module: &Module) -> Vec<(u32, u32)> {
    textures(module, |class| match class {
        naga::ImageClass::Storage { access, .. } => access.contains(naga::StorageAccess::ATOMIC),
        _ => false,
    })
}

fn textures(module: &Module, wanted: impl Fn(naga::ImageClass) -> bool) -> Vec<(u32, u32)> {
    let variables = module.global_variables.iter();
    variables
        .filter_map(|(_, variable)| match module.types[variable.ty].inner {
            TypeInner::Image { class, .. } if wanted(class) => {
                variable.binding.map(|at| (at.group, at.binding))
            }
            _ => None,
        })
        .collect()
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

/// Replaces memory barriers by control barriers, and adds their scope.
fn make_barriers_wait(block: &mut naga::Block, scope: &mut BarrierScope) {
    for statement in block.iter_mut() {
        match statement {
            Statement::MemoryBarrier(barrier) => {
                *scope = (*scope).max(match *barrier - Barrier::SUB_GROUP {
                    Barrier::WORK_GROUP => BarrierScope::Group,
                    _ => BarrierScope::Device,
                });
                *statement = Statement::ControlBarrier(*barrier);
            }
            Statement::Block(inner) => make_barriers_wait(inner, scope),
            Statement::If { accept, reject, .. } => {
                make_barriers_wait(accept, scope);
                make_barriers_wait(reject, scope);
            }
            Statement::Switch { cases, .. } => {
                for case in cases {
                    make_barriers_wait(&mut case.body, scope);
                }
            }
            Statement::Loop {
                body, continuing, ..
            } => {
                make_barriers_wait(body, scope);
                make_barriers_wait(continuing, scope);
            }
            _ => {}
        }
    }
}
