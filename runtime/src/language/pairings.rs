//! One texture variable per sampler: GLSL combines textures and samplers.
//!
//! A texture keeps its binding for its first sampler. For each other sampler it gets a variable
//! with a binding after all others, so that the order of the module's own bindings stays; comments
//! at the end of the text describe the new bindings.

use std::fmt::Write as _;

use naga::{Expression, Function, GlobalVariable, Handle, Module, ResourceBinding};

use super::blocks::{functions, functions_mut};
use super::handles;

/// A module whose textures each have one sampler.
#[derive(Debug)]
pub(super) struct Paired {
    /// The module.
    pub module: Module,
    /// Comments about its new variables.
    pub notes: String,
}

/// A texture and the sampler that it is read with.
type Pair = (Handle<GlobalVariable>, Handle<GlobalVariable>);

/// Returns a module in which each texture has one sampler; `None` if that is so already.
pub(super) fn one_sampler_each(module: &Module) -> Option<Paired> {
    let mut pairs: Vec<Pair> = Vec::new();
    for function in functions(module) {
        let all = function.expressions.iter();
        for pair in all.filter_map(|(_, expression)| pair_of(function, expression)) {
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    let is_extra = |index: usize, pair: &Pair| pairs[..index].iter().any(|(of, _)| *of == pair.0);
    let extra = pairs.iter().enumerate();
    let extra = extra.filter(|(index, pair)| is_extra(*index, pair));
    let extra: Vec<Pair> = extra.map(|(_, &pair)| pair).collect();
    if extra.is_empty() {
        return None;
    }
    let mut module = module.clone();
    let mut notes = String::new();
    let variables = module.global_variables.iter();
    let last = variables.filter_map(|(_, variable)| variable.binding).max();
    let ResourceBinding { group, binding } = last?;
    let mut made: Vec<(Pair, Handle<GlobalVariable>)> = Vec::with_capacity(extra.len());
    for (binding, pair) in (binding.saturating_add(1)..).zip(extra) {
        let variables = [pair.0, pair.1].map(|variable| &module.global_variables[variable]);
        let [Some(texture), Some(sampler)] = variables.map(|variable| variable.binding) else {
            continue;
        };
        let _ = writeln!(
            notes,
            "// group {group}, binding {binding}: the texture of group {}, binding {}, with the \
             sampler of group {}, binding {}",
            texture.group, texture.binding, sampler.group, sampler.binding
        );
        let variable = GlobalVariable {
            binding: Some(ResourceBinding { group, binding }),
            ..module.global_variables[pair.0].clone()
        };
        let span = module.global_variables.get_span(pair.0);
        made.push((pair, module.global_variables.append(variable, span)));
    }
    for function in functions_mut(&mut module) {
        use_variables(function, &made);
    }
    Some(Paired { module, notes })
}

/// Returns the variables that an expression samples.
fn pair_of(function: &Function, expression: &Expression) -> Option<Pair> {
    let Expression::ImageSample { image, sampler, .. } = *expression else {
        return None;
    };
    match (&function.expressions[image], &function.expressions[sampler]) {
        (&Expression::GlobalVariable(image), &Expression::GlobalVariable(sampler)) => {
            Some((image, sampler))
        }
        _ => None,
    }
}

/// Samples the new variables in place of the textures that they replace.
fn use_variables(function: &mut Function, made: &[(Pair, Handle<GlobalVariable>)]) {
    let used = function.expressions.iter();
    let used: Vec<Pair> = used
        .filter_map(|(_, expression)| pair_of(function, expression))
        .collect();
    let made: Vec<_> = made
        .iter()
        .filter(|(pair, _)| used.contains(pair))
        .collect();
    if made.is_empty() {
        return;
    }
    let new = made.iter();
    let new = new.map(|&&(_, variable)| Expression::GlobalVariable(variable));
    let images = handles::prepend(function, new.collect());
    let samples: Vec<_> = function
        .expressions
        .iter()
        .filter_map(|(handle, expression)| Some((handle, pair_of(function, expression)?)))
        .collect();
    for (handle, pair) in samples {
        let index = made.iter().position(|(known, _)| *known == pair);
        if let (Some(index), Expression::ImageSample { image, .. }) =
            (index, &mut function.expressions[handle])
        {
            *image = images[index];
        }
    }
}

#[cfg(test)]
mod tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use super::*;

    /// Samples the texture of binding 4 with both samplers, in a loop and in a called function.
    const WGSL: &str = "@group(1) @binding(4) var image: texture_2d<f32>;
        @group(1) @binding(5) var first: sampler;
        @group(0) @binding(6) var second: sampler;
        fn far(at: vec2<f32>) -> vec4<f32> {
            return textureSampleLevel(image, second, at, 1.0);
        }
        @fragment fn main(@location(0) at: vec2<f32>) -> @location(0) vec4<f32> {
            var sum = textureSample(image, first, at);
            for (var i = 0u; i < 2u; i += 1u) {
                sum += textureSampleLevel(image, second, at, f32(i));
            }
            return sum + far(at);
        }";

    #[test]
    fn the_second_sampler_gets_a_texture_of_its_own() {
        let module = naga::front::wgsl::parse_str(WGSL).unwrap();
        let paired = one_sampler_each(&module).unwrap();
        assert_eq!(
            paired.notes,
            "// group 1, binding 6: the texture of group 1, binding 4, with the sampler of group 1, \
             binding 5\n"
        );
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
        validator.validate(&paired.module).unwrap();
        let slot = |variable: Handle<GlobalVariable>| {
            let slot = paired.module.global_variables[variable].binding.unwrap();
            (slot.group, slot.binding)
        };
        let pairs = functions(&paired.module).flat_map(|function| {
            let all = function.expressions.iter();
            all.filter_map(|(_, expression)| pair_of(function, expression))
        });
        let pairs: Vec<_> = pairs.map(|pair| (slot(pair.0), slot(pair.1))).collect();
        // The function that is called comes first, so its sampler keeps the binding.
        assert_eq!(
            pairs,
            [((1, 4), (0, 6)), ((1, 6), (1, 5)), ((1, 4), (0, 6)),]
        );
        assert!(one_sampler_each(&paired.module).is_none());
    }
}
