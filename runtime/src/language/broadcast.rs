//! Conditions that all threads of a group take from its first thread, by `workgroupUniformLoad`
//! (WGSL, 17.11 "Synchronization Built-in Functions").

use naga::{
    AddressSpace, Arena, BinaryOperator, Binding, Block, BuiltIn, Expression, Function,
    FunctionArgument, GlobalVariable, Handle, Literal, Module, Range, Scalar, Span, Statement,
    Type, TypeInner,
};

/// What a function branches by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Condition {
    /// The condition or selector.
    pub(super) tested: Handle<Expression>,
    /// Its type.
    pub(super) by: Scalar,
}

/// The variables that carry conditions from the first thread to the others.
#[derive(Default)]
pub(super) struct Broadcast {
    /// The index of the thread in its group.
    rank: Option<Handle<GlobalVariable>>,
    /// The values, by type.
    values: Vec<(Handle<Type>, Handle<GlobalVariable>)>,
}

impl Broadcast {
    /// Takes conditions of a function (`None`: of the entry point) from the first thread.
    pub(super) fn add(
        &mut self,
        module: &mut Module,
        function: Option<Handle<Function>>,
        conditions: &[Condition],
    ) {
        if conditions.is_empty() {
            return;
        }
        let rank = self.rank(module);
        let types: Vec<_> = conditions
            .iter()
            .map(|condition| self.value(module, condition.by))
            .collect();
        let function = match function {
            Some(handle) => &mut module.functions[handle],
            None => &mut module.entry_points[0].function,
        };
        let mut body = std::mem::take(&mut function.body);
        let mut taken = Taken {
            expressions: &mut function.expressions,
            conditions,
            types: &types,
            rank,
        };
        taken.rewrite(&mut body);
        function.body = body;
    }

    /// Returns the variable that holds the index of the thread, which the entry point fills.
    fn rank(&mut self, module: &mut Module) -> Handle<GlobalVariable> {
        if let Some(rank) = self.rank {
            return rank;
        }
        let ty = scalar_type(module, Scalar::U32);
        let rank = variable(module, AddressSpace::Private, ty);
        let function = &mut module.entry_points[0].function;
        let wanted = Binding::BuiltIn(BuiltIn::LocalInvocationIndex);
        let mut arguments = function.arguments.iter();
        let number = arguments
            .position(|argument| argument.binding.as_ref() == Some(&wanted))
            .unwrap_or_else(|| {
                function.arguments.push(FunctionArgument {
                    name: None,
                    ty,
                    binding: Some(wanted),
                });
                function.arguments.len() - 1
            });
        let expressions = &mut function.expressions;
        let span = Span::UNDEFINED;
        let value = expressions.append(Expression::FunctionArgument(number as u32), span);
        let pointer = expressions.append(Expression::GlobalVariable(rank), span);
        let mut body = Block::from_vec(vec![Statement::Store { pointer, value }]);
        body.append(&mut function.body);
        function.body = body;
        self.rank = Some(rank);
        rank
    }

    /// Returns the type of a condition, and the variable for it.
    fn value(
        &mut self,
        module: &mut Module,
        scalar: Scalar,
    ) -> (Handle<Type>, Handle<GlobalVariable>) {
        let ty = scalar_type(module, scalar);
        if let Some(&there) = self.values.iter().find(|(of, _)| *of == ty) {
            return there;
        }
        let made = (ty, variable(module, AddressSpace::WorkGroup, ty));
        self.values.push(made);
        made
    }
}

fn scalar_type(module: &mut Module, scalar: Scalar) -> Handle<Type> {
    let inner = TypeInner::Scalar(scalar);
    let ty = Type { name: None, inner };
    module.types.insert(ty, Span::UNDEFINED)
}

fn variable(module: &mut Module, space: AddressSpace, ty: Handle<Type>) -> Handle<GlobalVariable> {
    let variable = GlobalVariable {
        name: None,
        space,
        binding: None,
        ty,
        init: None,
        memory_decorations: naga::MemoryDecorations::empty(),
    };
    module.global_variables.append(variable, Span::UNDEFINED)
}

/// The conditions of a function that are taken from the first thread.
struct Taken<'a> {
    expressions: &'a mut Arena<Expression>,
    conditions: &'a [Condition],
    types: &'a [(Handle<Type>, Handle<GlobalVariable>)],
    rank: Handle<GlobalVariable>,
}

impl Taken<'_> {
    /// Puts the exchange of a condition in front of each statement that tests it.
    fn rewrite(&mut self, block: &mut Block) {
        let mut made = Block::new();
        for (mut statement, span) in std::mem::take(block).span_into_iter() {
            match &mut statement {
                Statement::Block(inner) => self.rewrite(inner),
                Statement::If {
                    condition: tested,
                    accept,
                    reject,
                } => {
                    self.rewrite(accept);
                    self.rewrite(reject);
                    self.take(tested, &mut made);
                }
                Statement::Switch { selector, cases } => {
                    for case in cases {
                        self.rewrite(&mut case.body);
                    }
                    self.take(selector, &mut made);
                }
                Statement::Loop {
                    body,
                    continuing,
                    break_if,
                } => {
                    self.rewrite(body);
                    self.rewrite(continuing);
                    if let Some(tested) = break_if {
                        self.take(tested, continuing);
                    }
                }
                _ => {}
            }
            made.push(statement, span);
        }
        *block = made;
    }

    /// Adds statements that make the first thread's condition everybody's.
    fn take(&mut self, tested: &mut Handle<Expression>, block: &mut Block) {
        let Ok(at) = self
            .conditions
            .binary_search_by_key(tested, |condition| condition.tested)
        else {
            return;
        };
        let (ty, variable) = self.types[at];
        let mut add = |expression| self.expressions.append(expression, Span::UNDEFINED);
        let rank = add(Expression::GlobalVariable(self.rank));
        let zero = add(Expression::Literal(Literal::U32(0)));
        let pointer = add(Expression::GlobalVariable(variable));
        let result = add(Expression::WorkGroupUniformLoadResult { ty });
        let rank = add(Expression::Load { pointer: rank });
        let is_first = add(Expression::Binary {
            op: BinaryOperator::Equal,
            left: rank,
            right: zero,
        });
        let store = Statement::Store {
            pointer,
            value: *tested,
        };
        let emitted = Statement::Emit(Range::new_from_bounds(rank, is_first));
        let only_first = Statement::If {
            condition: is_first,
            accept: Block::from_vec(vec![store]),
            reject: Block::new(),
        };
        let load = Statement::WorkGroupUniformLoad { pointer, result };
        for statement in [emitted, only_first, load] {
            block.push(statement, Span::UNDEFINED);
        }
        *tested = result;
    }
}
