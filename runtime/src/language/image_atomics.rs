//! Replaces pseudo-operations by naga's atomics on images.

use dxil_translate::pseudo_atomics::{MARK, PseudoAtomic};
use naga::{
    Arena, AtomicFunction, Block, Constant, Expression, Function, GlobalVariable, Handle,
    ImageClass, Literal, Module, Statement, StorageAccess, TypeInner,
};

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
    for function in functions.chain(points.map(|point| &mut point.function)) {
        let Function {
            body, expressions, ..
        } = function;
        replace_in_block(body, expressions, constants, &mut images)?;
    }
    for image in images {
        let old = module.global_variables[image].ty;
        let mut ty = module.types[old].clone();
        let TypeInner::Image {
            class: ImageClass::Storage { access, .. },
            ..
        } = &mut ty.inner
        else {
            return Err("an atomic on what is no storage image");
        };
        *access |= StorageAccess::ATOMIC | StorageAccess::LOAD | StorageAccess::STORE;
        module.global_variables[image].ty = module.types.insert(ty, naga::Span::UNDEFINED);
    }
    Ok(())
}

/// Whether there is an atomic on an arrayed image.
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

fn replace_in_block(
    block: &mut Block,
    expressions: &Arena<Expression>,
    constants: Constants<'_>,
    images: &mut Vec<Handle<GlobalVariable>>,
) -> Result<(), &'static str> {
    for statement in block.iter_mut() {
        match statement {
            Statement::ImageStore {
                image,
                coordinate,
                array_index,
                value,
            } => {
                let Some((fun, value)) = pseudo_atomic(*value, expressions, constants) else {
                    continue;
                };
                let Expression::GlobalVariable(variable) = expressions[*image] else {
                    return Err("an atomic on one of several images");
                };
                images.push(variable);
                *statement = Statement::ImageAtomic {
                    image: *image,
                    coordinate: *coordinate,
                    array_index: *array_index,
                    fun,
                    value,
                };
            }
            Statement::Block(inner) => replace_in_block(inner, expressions, constants, images)?,
            Statement::If { accept, reject, .. } => {
                replace_in_block(accept, expressions, constants, images)?;
                replace_in_block(reject, expressions, constants, images)?;
            }
            Statement::Switch { cases, .. } => {
                for case in cases {
                    replace_in_block(&mut case.body, expressions, constants, images)?;
                }
            }
            Statement::Loop {
                body, continuing, ..
            } => {
                replace_in_block(body, expressions, constants, images)?;
                replace_in_block(continuing, expressions, constants, images)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the operation and its operand if a store is a pseudo-operation.
fn pseudo_atomic(
    texel: Handle<Expression>,
    expressions: &Arena<Expression>,
    constants: Constants<'_>,
) -> Option<(AtomicFunction, Handle<Expression>)> {
    let Expression::Compose { components, .. } = &expressions[texel] else {
        return None;
    };
    let &[value, first, second, number] = components.as_slice() else {
        return None;
    };
    let word = |expression| word(expression, expressions, constants);
    if [word(first)?, word(second)?] != MARK {
        return None;
    }
    let fun = match PseudoAtomic::from_number(word(number)?)? {
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
