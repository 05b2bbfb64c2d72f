//! Corrections to the IR that naga's SPIR-V front end makes, where it means something else. The
//! patches that end them are in `docs/upstream/`.

use naga::valid::{Capabilities, FunctionInfo, ModuleInfo, ValidationFlags, Validator};
use naga::{
    Arena, Barrier, Binding, Expression, Function, ImageQuery, Literal, Module, Scalar, ScalarKind,
    Statement, TypeInner,
};

/// Corrects a module that the front end made.
pub(super) fn legalize(module: &mut Module) {
    for function in functions_mut(module) {
        end_cases(&mut function.body);
        say_who_votes(&mut function.body, &mut function.expressions);
    }
    count_layers(module);
}

/// Makes casts between signed and unsigned 64-bit integers conversions, which mean the same: the
/// HLSL writer has casts for 32 bits alone.
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

/// Clears the fall-through mark of cases that no path reaches the end of. The front end looks at
/// the last statement alone, and the WGSL writer refuses cases that fall through (patch 0005).
fn end_cases(block: &mut naga::Block) {
    for statement in block.iter_mut() {
        match statement {
            Statement::Switch { cases, .. } => {
                for case in cases {
                    end_cases(&mut case.body);
                    case.fall_through &= !ends(&case.body);
                }
            }
            Statement::Block(inner) => end_cases(inner),
            Statement::If { accept, reject, .. } => {
                end_cases(accept);
                end_cases(reject);
            }
            Statement::Loop {
                body, continuing, ..
            } => {
                end_cases(body);
                end_cases(continuing);
            }
            _ => {}
        }
    }
}

/// Gives ballots without a condition the condition `true`: WGSL has no others (patch 0006).
fn say_who_votes(block: &mut naga::Block, expressions: &mut Arena<Expression>) {
    for statement in block.iter_mut() {
        match statement {
            Statement::SubgroupBallot { predicate, .. } if predicate.is_none() => {
                let all = Expression::Literal(Literal::Bool(true));
                *predicate = Some(expressions.append(all, naga::Span::UNDEFINED));
            }
            Statement::Block(inner) => say_who_votes(inner, expressions),
            Statement::If { accept, reject, .. } => {
                say_who_votes(accept, expressions);
                say_who_votes(reject, expressions);
            }
            Statement::Switch { cases, .. } => {
                for case in cases {
                    say_who_votes(&mut case.body, expressions);
                }
            }
            Statement::Loop {
                body, continuing, ..
            } => {
                say_who_votes(body, expressions);
                say_who_votes(continuing, expressions);
            }
            _ => {}
        }
    }
}

/// Whether no path reaches the end of a block.
fn ends(block: &naga::Block) -> bool {
    match block.last() {
        Some(Statement::Block(inner)) => ends(inner),
        Some(Statement::If { accept, reject, .. }) => ends(accept) && ends(reject),
        Some(last) => last.is_terminator(),
        None => false,
    }
}

/// Replaces the last component of the size of an arrayed image by a query of its layers. SPIR-V has
/// them as a component (3.49.10); naga has a query, and the front end leaves an index that is out
/// of range.
fn count_layers(module: &mut Module) {
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

/// A module whose memory barriers all threads of the group wait at as well, for languages that have
/// no others. `None` if threads may come by that others do not come by, or if a barrier is about
/// memory that other groups see: what those languages wait for is the group's own accesses.
pub(super) fn with_waiting_barriers(module: &Module) -> Option<Module> {
    let mut module = module.clone();
    let mut found = Found::Nothing;
    for function in functions_mut(&mut module) {
        wait(&mut function.body, &mut found);
    }
    match found {
        Found::Nothing => return Some(module),
        Found::SharedWithOthers => return None,
        Found::OfGroup => {}
    }
    // This is what the validator's analysis of uniform control flow is for.
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    validator.validate(&module).is_ok().then_some(module)
}

/// Makes the outputs of a vertex shader and the inputs of a pixel shader meet: in D3D12 and SPIR-V
/// the inputs alone say how they are interpolated, in WGSL both do; and locations are numbered
/// without gaps, since their numbers have a low limit.
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

/// Changes the bindings of what entry points give.
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

/// The groups and bindings of textures that are compared with: naga's class of depths.
pub(crate) fn depth_textures(module: &Module) -> Vec<(u32, u32)> {
    textures(module, |class| {
        matches!(class, naga::ImageClass::Depth { .. })
    })
}

/// The groups and bindings of textures that atomics act on.
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

/// What memory barriers without waiting are about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Found {
    /// There are none.
    Nothing,
    /// Groupshared memory alone.
    OfGroup,
    /// Buffers and textures too.
    SharedWithOthers,
}

fn wait(block: &mut naga::Block, found: &mut Found) {
    for statement in block.iter_mut() {
        match statement {
            Statement::MemoryBarrier(barrier) => {
                *found = (*found).max(match *barrier - Barrier::SUB_GROUP {
                    Barrier::WORK_GROUP => Found::OfGroup,
                    _ => Found::SharedWithOthers,
                });
                *statement = Statement::ControlBarrier(*barrier);
            }
            Statement::Block(inner) => wait(inner, found),
            Statement::If { accept, reject, .. } => {
                wait(accept, found);
                wait(reject, found);
            }
            Statement::Switch { cases, .. } => {
                for case in cases {
                    wait(&mut case.body, found);
                }
            }
            Statement::Loop {
                body, continuing, ..
            } => {
                wait(body, found);
                wait(continuing, found);
            }
            _ => {}
        }
    }
}
