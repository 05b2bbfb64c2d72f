//! Infinities and NaN as constants, in naga's IR.
//!
//! naga's validator refuses them, and WGSL has no constant expression of such a value (WGSL, 15.7
//! "Floating Point Evaluation"). Each becomes the bits of a float that a function reads from a
//! private variable, and is computed where the function begins. Composites that contain one are
//! composed there, and variables that begin with one get it there.

use std::collections::{BTreeMap, BTreeSet};

use naga::{
    AddressSpace, Arena, Block, Constant, Expression, Function, GlobalVariable, Handle, Literal,
    MemoryDecorations, Module, Range, Scalar, ScalarKind, Span, Statement, Type, TypeInner,
};

use super::handles::rebase;

/// Replaces infinities and NaN by values that are computed from their bits.
pub(super) fn from_bits(module: &mut Module) -> Result<(), &'static str> {
    let mut bits = BTreeSet::new();
    let mut note = |expression: &Expression| {
        if let Expression::Literal(literal) = expression
            && let Some(number) = non_finite(*literal)
        {
            bits.insert(number);
        }
    };
    module.global_expressions.iter().for_each(|(_, e)| note(e));
    for function in super::blocks::functions(module) {
        function.expressions.iter().for_each(|(_, e)| note(e));
    }
    if bits.is_empty() {
        return Ok(());
    }
    let variables = bits.into_iter();
    let variables = variables.map(|number| (number, variable(module, number)));
    let variables = variables.collect();
    let globals = Globals {
        expressions: module.global_expressions.clone(),
        constants: module.constants.clone(),
        variables,
    };
    for (_, function) in module.functions.iter_mut() {
        globals.rewrite(function, &[]);
    }
    let begun: Vec<_> = module
        .global_variables
        .iter()
        .filter_map(|(handle, variable)| Some((handle, variable.init?)))
        .filter(|&(_, init)| globals.has_non_finite(init))
        .collect();
    for point in &mut module.entry_points {
        globals.rewrite(&mut point.function, &begun);
    }
    // What is left of the constants is unused, or the beginning of a variable, which entry points
    // complete.
    for (_, expression) in module.global_expressions.iter_mut() {
        if let Expression::Literal(literal) = expression
            && non_finite(*literal).is_some()
        {
            *literal = match literal {
                Literal::F64(_) => Literal::F64(0.0),
                Literal::F16(_) => Literal::F16(half::f16::ZERO),
                _ => Literal::F32(0.0),
            };
        }
    }
    Ok(())
}

/// Returns the bits, as a float of 32 bits, of an infinity or NaN.
fn non_finite(literal: Literal) -> Option<u32> {
    let single = match literal {
        Literal::F16(value) => value.to_f32(),
        Literal::F32(value) => value,
        // A finite double may be beyond the floats of 32 bits.
        Literal::F64(value) if !value.is_finite() => value as f32,
        _ => return None,
    };
    (!single.is_finite()).then(|| single.to_bits())
}

fn scalar_type(module: &mut Module, scalar: Scalar) -> Handle<Type> {
    let ty = Type {
        name: None,
        inner: TypeInner::Scalar(scalar),
    };
    module.types.insert(ty, Span::UNDEFINED)
}

/// Declares a private variable that holds a word.
fn variable(module: &mut Module, word: u32) -> Handle<GlobalVariable> {
    let ty = scalar_type(module, Scalar::U32);
    let value = Expression::Literal(Literal::U32(word));
    let init = module.global_expressions.append(value, Span::UNDEFINED);
    let name = match f32::from_bits(word) {
        value if value.is_nan() => "nan_bits",
        value if value > 0.0 => "infinity_bits",
        _ => "minus_infinity_bits",
    };
    let variable = GlobalVariable {
        name: Some(name.to_owned()),
        space: AddressSpace::Private,
        binding: None,
        ty,
        init: Some(init),
        memory_decorations: MemoryDecorations::empty(),
    };
    module.global_variables.append(variable, Span::UNDEFINED)
}

/// The constants of a module, and the variables with the bits.
struct Globals {
    expressions: Arena<Expression>,
    constants: Arena<Constant>,
    variables: BTreeMap<u32, Handle<GlobalVariable>>,
}

/// The expressions in front of a function's own.
#[derive(Default)]
struct Front {
    arena: Arena<Expression>,
    /// Those that need no [`Statement::Emit`]: the variables with bits, and finite constants.
    bits: BTreeMap<u32, Handle<Expression>>,
    leaves: BTreeMap<Handle<Expression>, Handle<Expression>>,
    /// The values of bits and width.
    values: BTreeMap<(u32, u8), Handle<Expression>>,
}

impl Front {
    fn append(&mut self, expression: Expression) -> Handle<Expression> {
        self.arena.append(expression, Span::UNDEFINED)
    }
}

impl Globals {
    /// Returns whether a constant contains an infinity or NaN.
    fn has_non_finite(&self, constant: Handle<Expression>) -> bool {
        match &self.expressions[constant] {
            Expression::Literal(literal) => non_finite(*literal).is_some(),
            Expression::Constant(constant) => self.has_non_finite(self.constants[*constant].init),
            Expression::Compose { components, .. } => components
                .iter()
                .any(|component| self.has_non_finite(*component)),
            Expression::Splat { value, .. } => self.has_non_finite(*value),
            _ => false,
        }
    }

    /// Rewrites a function. It begins with the values of these variables.
    fn rewrite(
        &self,
        function: &mut Function,
        begun: &[(Handle<GlobalVariable>, Handle<Expression>)],
    ) {
        let roots: Vec<_> = function
            .expressions
            .iter()
            .filter(|(_, expression)| match expression {
                Expression::Literal(literal) => non_finite(*literal).is_some(),
                Expression::Constant(constant) => {
                    self.has_non_finite(self.constants[*constant].init)
                }
                _ => false,
            })
            .map(|(handle, expression)| (handle, expression.clone()))
            .collect();
        if roots.is_empty() && begun.is_empty() {
            return;
        }
        let mut front = Front::default();
        for (_, root) in &roots {
            match root {
                Expression::Literal(literal) => self.leaf_of_bits(&mut front, *literal),
                Expression::Constant(constant) => {
                    self.leaves(&mut front, self.constants[*constant].init);
                }
                _ => {}
            }
        }
        let mut pointers = Vec::new();
        for &(variable, init) in begun {
            self.leaves(&mut front, init);
            let pointer = front.append(Expression::GlobalVariable(variable));
            pointers.push((pointer, init));
        }
        let mut locals = Vec::new();
        for (handle, variable) in function.local_variables.iter_mut() {
            if let Some(init) = variable.init
                && roots.iter().any(|(root, _)| *root == init)
            {
                variable.init = None;
                let pointer = front.append(Expression::LocalVariable(handle));
                locals.push((pointer, init));
            }
        }
        let first = front.arena.len();
        let replaced: BTreeMap<_, _> = roots
            .into_iter()
            .map(|(handle, root)| (handle, self.build_root(&mut front, &root)))
            .collect();
        let mut stores: Vec<_> = locals
            .into_iter()
            .filter_map(|(pointer, init)| Some((pointer, *replaced.get(&init)?)))
            .collect();
        for (pointer, init) in pointers {
            self.stores(&mut front, pointer, init, &mut stores);
        }
        let mut begin = Block::new();
        let emitted: Vec<_> = front
            .arena
            .iter()
            .skip(first)
            .map(|(handle, _)| handle)
            .collect();
        if let (Some(&first), Some(&last)) = (emitted.first(), emitted.last()) {
            let range = Range::new_from_bounds(first, last);
            begin.push(Statement::Emit(range), Span::UNDEFINED);
        }
        for (pointer, value) in stores {
            begin.push(Statement::Store { pointer, value }, Span::UNDEFINED);
        }
        rebase(function, front.arena, |old| replaced.get(&old).copied());
        function.body.splice(0..0, begin);
    }

    fn leaf_of_bits(&self, front: &mut Front, literal: Literal) {
        if let Some(bits) = non_finite(literal)
            && let Some(&variable) = self.variables.get(&bits)
            && !front.bits.contains_key(&bits)
        {
            let pointer = front.append(Expression::GlobalVariable(variable));
            front.bits.insert(bits, pointer);
        }
    }

    /// Appends the scalars of a constant.
    fn leaves(&self, front: &mut Front, constant: Handle<Expression>) {
        match &self.expressions[constant] {
            Expression::Literal(literal) if non_finite(*literal).is_some() => {
                self.leaf_of_bits(front, *literal);
            }
            Expression::Constant(inner) => self.leaves(front, self.constants[*inner].init),
            Expression::Compose { components, .. } => {
                for component in components {
                    self.leaves(front, *component);
                }
            }
            Expression::Splat { value, .. } => self.leaves(front, *value),
            other => {
                if !front.leaves.contains_key(&constant) {
                    let leaf = front.append(other.clone());
                    front.leaves.insert(constant, leaf);
                }
            }
        }
    }

    fn build_root(&self, front: &mut Front, root: &Expression) -> Handle<Expression> {
        match root {
            Expression::Constant(constant) => self.build(front, self.constants[*constant].init),
            Expression::Literal(literal) => self.build_literal(front, *literal),
            other => front.append(other.clone()),
        }
    }

    /// Returns the value of an infinity or NaN.
    fn build_literal(&self, front: &mut Front, literal: Literal) -> Handle<Expression> {
        let width = literal.width();
        let pointer = non_finite(literal).and_then(|bits| Some((bits, *front.bits.get(&bits)?)));
        let Some((bits, pointer)) = pointer else {
            return front.append(Expression::Literal(literal));
        };
        if let Some(&value) = front.values.get(&(bits, width)) {
            return value;
        }
        let word = front.append(Expression::Load { pointer });
        let mut value = front.append(Expression::As {
            expr: word,
            kind: ScalarKind::Float,
            convert: None,
        });
        if width != 4 {
            value = front.append(Expression::As {
                expr: value,
                kind: ScalarKind::Float,
                convert: Some(width),
            });
        }
        front.values.insert((bits, width), value);
        value
    }

    /// Returns the value of a constant, whose scalars are there.
    fn build(&self, front: &mut Front, constant: Handle<Expression>) -> Handle<Expression> {
        if let Some(&leaf) = front.leaves.get(&constant) {
            return leaf;
        }
        match &self.expressions[constant] {
            Expression::Literal(literal) => self.build_literal(front, *literal),
            Expression::Constant(inner) => self.build(front, self.constants[*inner].init),
            Expression::Compose { ty, components } => {
                let components = components.iter();
                let components = components.map(|component| self.build(front, *component));
                let components = components.collect();
                front.append(Expression::Compose {
                    ty: *ty,
                    components,
                })
            }
            Expression::Splat { size, value } => {
                let value = self.build(front, *value);
                front.append(Expression::Splat { size: *size, value })
            }
            other => front.append(other.clone()),
        }
    }

    /// Stores the infinities and NaN of a constant, each through a pointer to its place.
    fn stores(
        &self,
        front: &mut Front,
        pointer: Handle<Expression>,
        constant: Handle<Expression>,
        stores: &mut Vec<(Handle<Expression>, Handle<Expression>)>,
    ) {
        match &self.expressions[constant] {
            Expression::Constant(inner) => {
                self.stores(front, pointer, self.constants[*inner].init, stores);
            }
            Expression::Compose { components, .. } => {
                for (index, component) in (0..).zip(components) {
                    if self.has_non_finite(*component) {
                        let base = pointer;
                        let part = front.append(Expression::AccessIndex { base, index });
                        self.stores(front, part, *component, stores);
                    }
                }
            }
            _ => {
                let value = self.build(front, constant);
                stores.push((pointer, value));
            }
        }
    }
}
