//! Replaces pseudo-operations by naga's atomics on images.

use dxil_translate::pseudo_atomics::PseudoAtomic;
use naga::{
    Arena, AtomicFunction, Constant, Expression, Function, GlobalVariable, Handle, ImageClass,
    Literal, Module, Statement, StorageAccess, TypeInner, VectorSize,
};

use super::binding_arrays::variable_of;
use super::blocks::for_each_block;

/// The constants of a module.
#[derive(Clone, Copy)]
struct Constants<'a> {
    constants: &'a Arena<Constant>,
    values: &'a Arena<Expression>,
}

/// Replaces every pseudo-operation by an atomic.
///
/// # Errors
///
/// The reason why a pseudo-operation has no atomic.
pub(super) fn restore(module: &mut Module) -> Result<(), &'static str> {
    let mut images = Vec::new();
    let constants = Constants {
        constants: &module.constants,
        values: &module.global_expressions,
    };
    let functions = module.functions.iter_mut().map(|(_, function)| function);
    let points = module.entry_points.iter_mut();
    let mut result = Ok(());
    for function in functions.chain(points.map(|point| &mut point.function)) {
        let Function {
            body, expressions, ..
        } = function;
        for_each_block(body, &mut |block| {
            for statement in block.iter_mut() {
                match atomic_of(statement, expressions, constants) {
                    Ok(None) => {}
                    Ok(Some((variable, atomic))) => {
                        images.push(variable);
                        *statement = atomic;
                    }
                    Err(reason) => result = Err(reason),
                }
            }
        });
    }
    result?;
    for image in images {
        let old = module.global_variables[image].ty;
        let array = match module.types[old].inner {
            TypeInner::BindingArray { base, size } => Some((base, size)),
            _ => None,
        };
        let mut ty = module.types[array.map_or(old, |(base, _)| base)].clone();
        let TypeInner::Image {
            class: ImageClass::Storage { access, .. },
            ..
        } = &mut ty.inner
        else {
            return Err("an atomic on what is no storage image");
        };
        *access |= StorageAccess::ATOMIC | StorageAccess::LOAD | StorageAccess::STORE;
        let mut new = module.types.insert(ty, naga::Span::UNDEFINED);
        if let Some((_, size)) = array {
            let inner = TypeInner::BindingArray { base: new, size };
            let ty = naga::Type { name: None, inner };
            new = module.types.insert(ty, naga::Span::UNDEFINED);
        }
        module.global_variables[image].ty = new;
    }
    Ok(())
}

/// Returns whether there is an atomic on an arrayed image.
pub(super) fn has_layers(module: &Module) -> bool {
    let mut variables = module.global_variables.iter();
    variables.any(|(_, variable)| match module.types[variable.ty].inner {
        TypeInner::Image {
            arrayed: true,
            class: ImageClass::Storage { access, .. },
            ..
        } => access.contains(StorageAccess::ATOMIC),
        _ => false,
    })
}

/// Returns the atomic that a statement encodes, and the image's variable.
fn atomic_of(
    statement: &Statement,
    expressions: &Arena<Expression>,
    constants: Constants<'_>,
) -> Result<Option<(Handle<GlobalVariable>, Statement)>, &'static str> {
    let Statement::ImageStore {
        image,
        coordinate,
        array_index,
        value,
    } = *statement
    else {
        return Ok(None);
    };
    let Some((fun, value)) = pseudo_atomic(value, expressions, constants) else {
        return Ok(None);
    };
    let Some(variable) = variable_of(expressions, image) else {
        return Err("an atomic on one of several images");
    };
    let atomic = Statement::ImageAtomic {
        image,
        coordinate,
        array_index,
        fun,
        value,
    };
    Ok(Some((variable, atomic)))
}

/// Returns the operation and its operand if a store is a pseudo-operation: the front end extends a
/// texel of two components by copies of the second one.
fn pseudo_atomic(
    texel: Handle<Expression>,
    expressions: &Arena<Expression>,
    constants: Constants<'_>,
) -> Option<(AtomicFunction, Handle<Expression>)> {
    use naga::SwizzleComponent::{X, Y};
    let Expression::Swizzle {
        size: VectorSize::Quad,
        vector,
        pattern: [X, Y, Y, Y],
    } = expressions[texel]
    else {
        return None;
    };
    let Expression::Compose { components, .. } = &expressions[vector] else {
        return None;
    };
    let &[value, number] = components.as_slice() else {
        return None;
    };
    let number = word(number, expressions, constants)?;
    let fun = match PseudoAtomic::from_number(number)? {
        PseudoAtomic::Add => AtomicFunction::Add,
        PseudoAtomic::And => AtomicFunction::And,
        PseudoAtomic::Or => AtomicFunction::InclusiveOr,
        PseudoAtomic::Xor => AtomicFunction::ExclusiveOr,
        PseudoAtomic::Min => AtomicFunction::Min,
        PseudoAtomic::Max => AtomicFunction::Max,
    };
    Some((fun, value))
}

/// Returns the bits of a 32-bit constant.
fn word(
    expression: Handle<Expression>,
    expressions: &Arena<Expression>,
    constants: Constants<'_>,
) -> Option<u32> {
    let literal = match expressions[expression] {
        Expression::Literal(literal) => literal,
        Expression::Constant(constant) => {
            match constants.values[constants.constants[constant].init] {
                Expression::Literal(literal) => literal,
                _ => return None,
            }
        }
        _ => return None,
    };
    match literal {
        Literal::U32(word) => Some(word),
        Literal::I32(word) => Some(word.cast_unsigned()),
        _ => None,
    }
}
