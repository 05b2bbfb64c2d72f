//! Arrays of descriptors with an index from run time.

use std::collections::BTreeMap;

use dxil_frontend::tables::HashMap;
use dxil_translate::pseudo_arrays::MARKER;
use naga::compact::{KeepUnused, compact};
use naga::{
    AddressSpace, Arena, ArraySize, Block, Expression, Function, GlobalVariable, Handle, Literal,
    Module, Span, Statement, Type, TypeInner,
};

use super::blocks::functions_mut;
use super::handles::{for_each_operand, in_statement_alone};

/// Makes arrays of bindings of the arrays of buffers, which Vulkan has as arrays of structs
/// (VUID-StandaloneSpirv-Uniform-06807), and of the pseudo-arrays of textures and samplers.
///
/// # Errors
///
/// A pseudo-array of another form.
pub(super) fn restore(module: &mut Module) -> Result<(), &'static str> {
    let mut has_arrays = of_buffers(module);
    if let Some(marker) = marker_of(module) {
        of_textures(module, marker)?;
        has_arrays = true;
    }
    if has_arrays {
        // Types of arrays of structs, and pointers to these, are invalid beside the others.
        compact(module, KeepUnused::No);
    }
    Ok(())
}

fn of_buffers(module: &mut Module) -> bool {
    let types = &mut module.types;
    let mut found = false;
    for (_, variable) in module.global_variables.iter_mut() {
        let is_buffer = matches!(
            variable.space,
            AddressSpace::Storage { .. } | AddressSpace::Uniform
        );
        if let TypeInner::Array { base, size, .. } = types[variable.ty].inner
            && is_buffer
        {
            let inner = TypeInner::BindingArray { base, size };
            variable.ty = types.insert(Type { name: None, inner }, Span::UNDEFINED);
            found = true;
        }
    }
    found
}

/// Returns the variable to which indices are stored: it is private and begins with the marker.
fn marker_of(module: &Module) -> Option<Handle<GlobalVariable>> {
    let mut variables = module.global_variables.iter();
    let is_marker = |variable: &GlobalVariable| {
        let Expression::Compose { components, .. } =
            &module.global_expressions[constant(module, variable.init?)]
        else {
            return None;
        };
        let words = components.iter().map(|&word| {
            match module.global_expressions[constant(module, word)] {
                Expression::Literal(Literal::U32(word)) => Some(word),
                _ => None,
            }
        });
        Some(words.eq(MARKER.map(Some)))
    };
    let (handle, _) = variables.find(|(_, variable)| {
        variable.space == AddressSpace::Private && is_marker(variable) == Some(true)
    })?;
    Some(handle)
}

/// Returns the value of a constant expression that may be the name of a constant.
fn constant(module: &Module, expression: Handle<Expression>) -> Handle<Expression> {
    match module.global_expressions[expression] {
        Expression::Constant(constant) => module.constants[constant].init,
        _ => expression,
    }
}

/// Makes elements of arrays of what accesses their variables.
fn of_textures(module: &mut Module, marker: Handle<GlobalVariable>) -> Result<(), &'static str> {
    let mut arrays = Arrays {
        marker,
        variables: BTreeMap::new(),
        sizes: BTreeMap::new(),
        numbers: HashMap::default(),
    };
    for (handle, variable) in module.global_variables.iter() {
        if let (AddressSpace::Handle, Some(at)) = (variable.space, variable.binding) {
            arrays.variables.insert((at.group, at.binding), handle);
        }
    }
    for (handle, constant) in module.constants.iter() {
        if let Expression::Literal(Literal::U32(word)) = module.global_expressions[constant.init] {
            arrays.numbers.insert(handle, word);
        }
    }
    for function in functions_mut(module) {
        arrays.of_function(function)?;
    }
    for (at, count) in arrays.sizes {
        let variable = arrays.variables.get(&at).copied();
        let variable = variable.ok_or("an array of textures without a variable")?;
        let base = module.global_variables[variable].ty;
        let size = std::num::NonZeroU32::new(count);
        let size = size.map_or(ArraySize::Dynamic, ArraySize::Constant);
        let inner = TypeInner::BindingArray { base, size };
        let ty = Type { name: None, inner };
        module.global_variables[variable].ty = module.types.insert(ty, Span::UNDEFINED);
    }
    Ok(())
}

/// The pseudo-arrays of a module.
struct Arrays {
    marker: Handle<GlobalVariable>,
    /// Textures and samplers by group and binding.
    variables: BTreeMap<(u32, u32), Handle<GlobalVariable>>,
    /// Numbers of elements of the arrays, 0 without an end.
    sizes: BTreeMap<(u32, u32), u32>,
    /// Constants that are words.
    numbers: HashMap<Handle<naga::Constant>, u32>,
}

/// What is known at a place of a function.
struct Elements {
    /// The expression of each variable.
    expressions: HashMap<Handle<GlobalVariable>, Handle<Expression>>,
    /// The words that were stored last.
    words: Option<Handle<Expression>>,
    /// The element that stands for the expression of a variable.
    current: HashMap<Handle<Expression>, Handle<Expression>>,
}

impl Arrays {
    fn of_function(&mut self, function: &mut Function) -> Result<(), &'static str> {
        let all = function.expressions.iter();
        let expressions = all.filter_map(|(handle, expression)| match *expression {
            Expression::GlobalVariable(variable) => Some((variable, handle)),
            _ => None,
        });
        let mut elements = Elements {
            expressions: expressions.collect(),
            words: None,
            current: HashMap::default(),
        };
        let mut body = std::mem::take(&mut function.body);
        let result = self.of_block(&mut body, &mut function.expressions, &mut elements);
        function.body = body;
        result
    }

    fn of_block(
        &mut self,
        block: &mut Block,
        expressions: &mut Arena<Expression>,
        elements: &mut Elements,
    ) -> Result<(), &'static str> {
        for statement in block.iter_mut() {
            match statement {
                Statement::Store { pointer, value } if self.is_marker(expressions, *pointer) => {
                    elements.words = Some(*value);
                    *statement = Statement::Block(Block::new());
                    continue;
                }
                Statement::Emit(range) => {
                    for handle in range.clone() {
                        self.of_expression(handle, expressions, elements)?;
                    }
                    continue;
                }
                Statement::Block(inner) => self.of_block(inner, expressions, elements)?,
                Statement::If { accept, reject, .. } => {
                    self.of_block(accept, expressions, elements)?;
                    self.of_block(reject, expressions, elements)?;
                }
                Statement::Switch { cases, .. } => {
                    for case in cases {
                        self.of_block(&mut case.body, expressions, elements)?;
                    }
                }
                Statement::Loop {
                    body, continuing, ..
                } => {
                    self.of_block(body, expressions, elements)?;
                    self.of_block(continuing, expressions, elements)?;
                }
                _ => {}
            }
            in_statement_alone(statement, &mut |handle| {
                *handle = elements.current.get(handle).copied().unwrap_or(*handle);
            });
        }
        Ok(())
    }

    fn of_expression(
        &mut self,
        handle: Handle<Expression>,
        expressions: &mut Arena<Expression>,
        elements: &mut Elements,
    ) -> Result<(), &'static str> {
        let other = "words for an array of textures of another form";
        match expressions[handle] {
            Expression::Load { pointer } if self.is_marker(expressions, pointer) => {
                let words = elements.words.take().ok_or(other)?;
                let Expression::Compose { components, .. } = &expressions[words] else {
                    return Err(other);
                };
                let &[index, count, group, binding] = components.as_slice() else {
                    return Err(other);
                };
                let number = |word: Handle<Expression>| match expressions[word] {
                    Expression::Constant(constant) => self.numbers.get(&constant).copied(),
                    Expression::Literal(Literal::U32(word)) => Some(word),
                    _ => None,
                };
                let words = number(count).zip(number(group)).zip(number(binding));
                let ((count, group), binding) = words.ok_or(other)?;
                let at = (group, binding);
                let variable = self.variables.get(&at).ok_or(other)?;
                let base = *elements.expressions.get(variable).ok_or(other)?;
                let size = self.sizes.entry(at).or_insert(count);
                *size = if *size == 0 || count == 0 {
                    0
                } else {
                    count.max(*size)
                };
                expressions[handle] = Expression::Access { base, index };
                elements.current.insert(base, handle);
            }
            // An element is no operand of itself.
            Expression::Access { .. } => {}
            _ => for_each_operand(&mut expressions[handle], &mut |operand| {
                *operand = elements.current.get(operand).copied().unwrap_or(*operand);
            }),
        }
        Ok(())
    }

    fn is_marker(&self, expressions: &Arena<Expression>, pointer: Handle<Expression>) -> bool {
        matches!(expressions[pointer], Expression::GlobalVariable(variable) if variable == self.marker)
    }
}

/// Returns the variable that an expression is, or of whose elements it is one.
pub(super) fn variable_of(
    expressions: &Arena<Expression>,
    expression: Handle<Expression>,
) -> Option<Handle<GlobalVariable>> {
    match expressions[expression] {
        Expression::GlobalVariable(variable) => Some(variable),
        Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
            match expressions[base] {
                Expression::GlobalVariable(variable) => Some(variable),
                _ => None,
            }
        }
        _ => None,
    }
}
