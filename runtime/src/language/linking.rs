//! Properties that wgpu requires of naga's modules beyond their validity: interpolation on both
//! sides of an interface, and the uses of textures.

use naga::{Binding, Expression, Module, TypeInner};

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
