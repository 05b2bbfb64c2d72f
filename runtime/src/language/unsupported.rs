//! Properties of modules that a writer of naga does not support: it panics, or writes something
//! else. `corrections` refuses such modules for its language.

use naga::{
    Binding, BuiltIn, Expression, ImageClass, ImageDimension, Interpolation, Module, TypeInner,
};

use super::binding_arrays::variable_of;
use super::blocks::functions;

/// Maximum number of expressions of a function that naga's WGSL front end gets.
const MAX_EXPRESSIONS: usize = 1 << 16;

/// Returns whether reading a function from text would take too long.
pub(super) fn has_too_many_expressions(module: &Module) -> bool {
    let points = module.entry_points.iter().map(|point| &point.function);
    let functions = module.functions.iter().map(|(_, function)| function);
    let mut all = points.chain(functions);
    all.any(|function| function.expressions.len() > MAX_EXPRESSIONS)
}

/// Returns whether an entry point reads an input at each vertex of the primitive.
pub(super) fn has_inputs_per_vertex(module: &Module) -> bool {
    let points = module.entry_points.iter();
    let mut inputs = points.flat_map(|point| &point.function.arguments);
    inputs.any(|input| {
        matches!(
            input.binding,
            Some(Binding::Location {
                interpolation: Some(Interpolation::PerVertex),
                ..
            })
        )
    })
}

/// Returns whether an entry point reads or writes a sample mask (patch 0010).
pub(super) fn has_sample_mask(module: &Module) -> bool {
    has_built_in(module, |built_in| built_in == BuiltIn::SampleMask)
}

/// Returns whether there is an array of multisampled textures (patch 0002).
pub(super) fn has_multisampled_arrays(module: &Module) -> bool {
    let mut types = module.types.iter();
    types.any(|(_, ty)| match ty.inner {
        TypeInner::Image {
            dim: ImageDimension::D2,
            arrayed: true,
            class,
        } => is_sampled(class) && class.is_multisampled(),
        _ => false,
    })
}

fn is_sampled(class: ImageClass) -> bool {
    !matches!(class, ImageClass::Storage { .. })
}

/// Returns whether there is a 1D texture with layers.
pub(super) fn has_1d_arrays(module: &Module) -> bool {
    let mut types = module.types.iter();
    types.any(|(_, ty)| {
        matches!(
            ty.inner,
            TypeInner::Image {
                dim: ImageDimension::D1,
                arrayed: true,
                ..
            }
        )
    })
}

/// Returns whether a function queries an array of 1D textures (patch 0003).
pub(super) fn queries_1d_arrays(module: &Module) -> bool {
    functions(module).any(|function| {
        let mut all = function.expressions.iter();
        all.any(|(_, expression)| {
            let Expression::ImageQuery { image, .. } = *expression else {
                return false;
            };
            let Some(variable) = variable_of(&function.expressions, image) else {
                return false;
            };
            let ty = match module.types[module.global_variables[variable].ty].inner {
                TypeInner::BindingArray { base, .. } => base,
                _ => module.global_variables[variable].ty,
            };
            matches!(
                module.types[ty].inner,
                TypeInner::Image {
                    dim: ImageDimension::D1,
                    arrayed: true,
                    ..
                }
            )
        })
    })
}

/// Returns whether an entry point has an input or output of that kind.
pub(super) fn has_built_in(module: &Module, wanted: impl Fn(BuiltIn) -> bool) -> bool {
    let is_wanted = |binding: Option<&Binding>| matches!(binding, Some(&Binding::BuiltIn(built_in)) if wanted(built_in));
    let has = |ty, binding: Option<&Binding>| {
        let TypeInner::Struct { members, .. } = &module.types[ty].inner else {
            return is_wanted(binding);
        };
        let mut members = members.iter();
        members.any(|member| is_wanted(member.binding.as_ref()))
    };
    let functions = module.entry_points.iter().map(|point| &point.function);
    functions.into_iter().any(|function| {
        let mut inputs = function.arguments.iter();
        inputs.any(|input| has(input.ty, input.binding.as_ref()))
            || function
                .result
                .as_ref()
                .is_some_and(|result| has(result.ty, result.binding.as_ref()))
    })
}

#[cfg(test)]
mod tests {
    use naga::{Function, GlobalVariable, Handle, Literal, ScalarKind, Span};

    use super::*;

    #[test]
    fn a_function_has_too_many_expressions_beyond_the_limit() {
        let mut module = Module::default();
        let mut function = Function::default();
        for number in 0..MAX_EXPRESSIONS {
            let literal = Literal::U32(number as u32);
            let literal = Expression::Literal(literal);
            function.expressions.append(literal, Span::UNDEFINED);
        }
        let handle = module.functions.append(function, Span::UNDEFINED);
        assert!(!has_too_many_expressions(&module));
        let expressions = &mut module.functions[handle].expressions;
        expressions.append(Expression::Literal(Literal::Bool(true)), Span::UNDEFINED);
        assert!(has_too_many_expressions(&module));
    }

    /// Returns a module with a texture in a variable. WGSL has no such types; the SPIR-V front end
    /// makes them.
    fn with_texture(dim: ImageDimension, multi: bool) -> (Module, Handle<GlobalVariable>) {
        let mut module = Module::default();
        let kind = ScalarKind::Float;
        let inner = TypeInner::Image {
            dim,
            arrayed: true,
            class: ImageClass::Sampled { kind, multi },
        };
        let ty = naga::Type { name: None, inner };
        let ty = module.types.insert(ty, Span::UNDEFINED);
        let variable = GlobalVariable {
            name: None,
            space: naga::AddressSpace::Handle,
            binding: None,
            ty,
            init: None,
            memory_decorations: naga::MemoryDecorations::empty(),
        };
        let variable = module.global_variables.append(variable, Span::UNDEFINED);
        (module, variable)
    }

    #[test]
    fn arrays_of_multisampled_textures_are_found_by_their_type() {
        let (module, _) = with_texture(ImageDimension::D2, true);
        assert!(has_multisampled_arrays(&module));
        let (module, _) = with_texture(ImageDimension::D2, false);
        assert!(!has_multisampled_arrays(&module));
    }

    #[test]
    fn only_queries_of_1d_arrays_are_refused() {
        for (dim, is_refused) in [(ImageDimension::D1, true), (ImageDimension::D2, false)] {
            let (mut module, variable) = with_texture(dim, false);
            let mut function = Function::default();
            let image = Expression::GlobalVariable(variable);
            let image = function.expressions.append(image, Span::UNDEFINED);
            let handle = module.functions.append(function, Span::UNDEFINED);
            assert!(!queries_1d_arrays(&module), "an access is no query");
            let query = naga::ImageQuery::NumLayers;
            let query = Expression::ImageQuery { image, query };
            let expressions = &mut module.functions[handle].expressions;
            expressions.append(query, Span::UNDEFINED);
            assert_eq!(queries_1d_arrays(&module), is_refused);
        }
    }

    #[test]
    fn masks_of_inputs_and_of_outputs_are_found() {
        for (wgsl, has_mask) in [
            (
                "@fragment fn main(@builtin(sample_mask) mask: u32) { _ = mask; }",
                true,
            ),
            (
                "@fragment fn main() -> @builtin(sample_mask) u32 { return 1u; }",
                true,
            ),
            (
                "@fragment fn main(@builtin(sample_index) index: u32) { _ = index; }",
                false,
            ),
        ] {
            let module = naga::front::wgsl::parse_str(wgsl).unwrap();
            assert_eq!(has_sample_mask(&module), has_mask, "{wgsl}");
        }
    }
}
