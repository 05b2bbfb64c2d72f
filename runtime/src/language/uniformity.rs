//! Barriers of WGSL, which stand in flow that a compiler proves uniform (WGSL, 15.2 "Uniformity").
//!
//! D3D12 asks the same of the program: all threads of a group come to a barrier or none. It leaves
//! the proof to the author, so that conditions may come from memory: the number of lights of a
//! tile, a flag in groupshared memory. Here, a condition on which a barrier depends and that a
//! compiler of WGSL cannot prove uniform is taken from the group's first thread ([`Broadcast`]).
//! All threads stand there together, since the conditions around it are uniform too.
//!
//! A condition that is arithmetic on the thread's id differs between threads; a barrier under it
//! is refused.
//!
//! What counts as uniform is a part of what WGSL's analysis proves: local variables have one answer
//! each, wherever they are read.

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{
    AddressSpace, Binding, Block, BuiltIn, Expression, Function, FunctionArgument, GlobalVariable,
    Handle, LocalVariable, Module, Scalar, ShaderStage, Statement, StorageAccess, SwitchCase,
    SwitchValue,
};

use super::broadcast::{Broadcast, Condition};
use super::legalize::Changed;

/// The reason for a refusal.
const REASON: &str = "a barrier under a condition that depends on the thread, which WGSL refuses";

/// The reason for another one.
const TOO_DEEP: &str = "barriers under conditions that depend on each other too often, for WGSL";

/// Maximum number of times that an analysis goes through a function.
const MAX_ROUNDS: usize = 32;

/// Returns a module whose barriers are in uniform flow, or none if they are already.
///
/// # Errors
///
/// The reason for a refusal: a barrier depends on the thread's id.
pub(super) fn proven(module: &Module, _info: &ModuleInfo) -> Result<Option<Changed>, &'static str> {
    let Some(point) = module.entry_points.first() else {
        return Ok(None);
    };
    if point.stage != ShaderStage::Compute {
        return Ok(None);
    }
    let mut changed = None;
    let mut broadcast = Broadcast::default();
    // Functions come after those that they call.
    let mut waits = Vec::new();
    for (handle, function) in module.functions.iter() {
        let mut flow = Flow::of(module, function, &waits, &[]);
        let found = flow.unproven()?;
        waits.push(flow.has_barriers());
        if !found.is_empty() {
            let changed = changed.get_or_insert_with(|| module.clone());
            broadcast.add(changed, Some(handle), &found);
        }
    }
    let function = &point.function;
    let found = Flow::of(module, function, &waits, &function.arguments).unproven()?;
    if !found.is_empty() {
        let changed = changed.get_or_insert_with(|| module.clone());
        broadcast.add(changed, None, &found);
    }
    let Some(changed) = changed else {
        return Ok(None);
    };
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    let info = validator.validate(&changed).map_err(|_| REASON)?;
    Ok(Some((changed, info)))
}

/// What happens in a statement or in one of its blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Events {
    /// A barrier.
    waits: bool,
    /// A `break` of the loop or switch around it.
    breaks: bool,
    /// A `continue` of the loop around it.
    continues: bool,
    /// The end of the function.
    returns: bool,
}

impl Events {
    fn or(self, other: Events) -> Events {
        Events {
            waits: self.waits || other.waits,
            breaks: self.breaks || other.breaks,
            continues: self.continues || other.continues,
            returns: self.returns || other.returns,
        }
    }

    fn leaves(self) -> bool {
        self.breaks || self.continues || self.returns
    }
}

/// A statement that matters here.
struct Node {
    kind: Kind,
    blocks: Vec<Vec<Node>>,
    events: Events,
}

enum Kind {
    /// Its events, or those of its block.
    Plain,
    /// A store to a local variable.
    Store(
        Handle<LocalVariable>,
        Handle<Expression>,
        Handle<Expression>,
    ),
    /// A branch by a condition or selector.
    Test {
        tested: Handle<Expression>,
        /// Its type.
        by: Scalar,
    },
    Loop {
        break_if: Option<Handle<Expression>>,
        /// Whether threads may leave it at different times.
        parts: bool,
    },
}

/// Where a statement is.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The construct that a `break` leaves has a barrier.
    break_waits: bool,
    /// The innermost loop has a barrier.
    continue_waits: bool,
    /// A barrier may follow in this function.
    waits_later: bool,
}

/// The control flow of a function: the conditions that have to be uniform, and those that are.
struct Flow<'a> {
    module: &'a Module,
    function: &'a Function,
    /// By function: whether calling it waits.
    waits: &'a [bool],
    /// The arguments, if the function is an entry point.
    inputs: &'a [FunctionArgument],
    nodes: Vec<Node>,
    /// By local variable: whether all values that it gets are uniform.
    uniform: Vec<bool>,
    /// By expression: whether it is uniform; of pointers, whether their indices are.
    values: Vec<bool>,
    /// By expression: whether it has to be uniform since a barrier depends on it.
    needed: Vec<bool>,
}

impl<'a> Flow<'a> {
    fn of(
        module: &'a Module,
        function: &'a Function,
        waits: &'a [bool],
        inputs: &'a [FunctionArgument],
    ) -> Self {
        let mut flow = Flow {
            module,
            function,
            waits,
            inputs,
            nodes: Vec::new(),
            uniform: vec![true; function.local_variables.len()],
            values: vec![false; function.expressions.len()],
            needed: vec![false; function.expressions.len()],
        };
        flow.nodes = flow.nodes_of(&function.body);
        flow
    }

    fn has_barriers(&self) -> bool {
        self.nodes.iter().any(|node| node.events.waits)
    }

    /// Returns the conditions that have to be uniform and are not proven so.
    ///
    /// # Errors
    ///
    /// The reason for a refusal: one of them is arithmetic on the thread's id.
    fn unproven(&mut self) -> Result<Vec<Condition>, &'static str> {
        if !self.has_barriers() {
            return Ok(Vec::new());
        }
        let mut nodes = std::mem::take(&mut self.nodes);
        // A condition that is taken from the first thread is a barrier too.
        let mut rounds = 0;
        while self.need(&mut nodes, Place::default()) {
            rounds += 1;
            if rounds > MAX_ROUNDS {
                return Err(TOO_DEEP);
            }
        }
        let mut is_proven = false;
        for _ in 0..MAX_ROUNDS {
            self.evaluate();
            let (found, _) = self.refute(&mut nodes, true);
            if !found {
                is_proven = true;
                break;
            }
        }
        if !is_proven {
            self.uniform.fill(false);
            self.evaluate();
        }
        let mut unproven = Vec::new();
        self.conditions(&nodes, &mut unproven);
        unproven.sort_unstable_by_key(|condition| condition.tested);
        unproven.dedup();
        let of_thread = self.values_of_thread(&nodes);
        self.nodes = nodes;
        let mut unproven_of_thread = unproven
            .iter()
            .filter(|condition| of_thread[condition.tested.index()]);
        if unproven_of_thread.next().is_some() {
            return Err(REASON);
        }
        Ok(unproven)
    }

    /// Lists the conditions that have to be uniform and are not.
    fn conditions(&self, nodes: &[Node], found: &mut Vec<Condition>) {
        for node in nodes {
            let condition = match node.kind {
                Kind::Test { tested, by } => Some(Condition { tested, by }),
                Kind::Loop { break_if, .. } => break_if.map(|tested| Condition {
                    tested,
                    by: Scalar::BOOL,
                }),
                Kind::Plain | Kind::Store(..) => None,
            };
            found.extend(condition.filter(|condition| {
                let at = condition.tested.index();
                self.needed[at] && !self.values[at]
            }));
            for block in &node.blocks {
                self.conditions(block, found);
            }
        }
    }

    /// Returns the statements of a block that matter, and refutes the variables that something
    /// else gets a pointer to.
    fn nodes_of(&mut self, block: &Block) -> Vec<Node> {
        let mut nodes = Vec::new();
        for statement in block.iter() {
            let mut events = Events::default();
            let mut kind = Kind::Plain;
            let mut blocks = Vec::new();
            match statement {
                Statement::Block(inner) => blocks.push(self.nodes_of(inner)),
                Statement::If {
                    condition: tested,
                    accept,
                    reject,
                } => {
                    kind = Kind::Test {
                        tested: *tested,
                        by: Scalar::BOOL,
                    };
                    blocks = vec![self.nodes_of(accept), self.nodes_of(reject)];
                }
                Statement::Switch { selector, cases } => {
                    kind = Kind::Test {
                        tested: *selector,
                        by: selector_type(cases),
                    };
                    blocks = cases.iter().map(|case| self.nodes_of(&case.body)).collect();
                }
                Statement::Loop {
                    body,
                    continuing,
                    break_if,
                } => {
                    kind = Kind::Loop {
                        break_if: *break_if,
                        parts: false,
                    };
                    blocks = vec![self.nodes_of(body), self.nodes_of(continuing)];
                }
                Statement::Break => events.breaks = true,
                Statement::Continue => events.continues = true,
                Statement::Return { .. } | Statement::Kill => events.returns = true,
                Statement::ControlBarrier(_) | Statement::WorkGroupUniformLoad { .. } => {
                    events.waits = true;
                }
                Statement::Call {
                    function,
                    arguments,
                    ..
                } => {
                    events.waits = self.waits.get(function.index()) == Some(&true);
                    for &argument in arguments {
                        self.refute_pointer(argument);
                    }
                }
                Statement::Store { pointer, value } => {
                    if let Some(variable) = self.local(*pointer) {
                        kind = Kind::Store(variable, *pointer, *value);
                    }
                }
                Statement::Atomic { pointer, .. } => self.refute_pointer(*pointer),
                Statement::RayQuery { query, .. } => self.refute_pointer(*query),
                _ => {}
            }
            let matters = !blocks.is_empty()
                || events != Events::default()
                || matches!(kind, Kind::Store(..));
            if matters {
                let mut node = Node {
                    kind,
                    blocks,
                    events,
                };
                node.gather();
                nodes.push(node);
            }
        }
        nodes
    }

    fn refute_pointer(&mut self, pointer: Handle<Expression>) {
        if let Some(variable) = self.local(pointer) {
            self.uniform[variable.index()] = false;
        }
    }

    /// Returns the local variable that a pointer is into.
    fn local(&self, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        match self.function.expressions[self.base(pointer)] {
            Expression::LocalVariable(variable) => Some(variable),
            _ => None,
        }
    }

    /// Returns what a pointer is into: an expression that is a variable.
    fn base(&self, pointer: Handle<Expression>) -> Handle<Expression> {
        let mut at = pointer;
        while let Expression::Access { base, .. } | Expression::AccessIndex { base, .. } =
            self.function.expressions[at]
        {
            at = base;
        }
        at
    }

    /// Finds the conditions that have to be uniform, from the end of a block to its start. Returns
    /// whether there is another one.
    fn need(&mut self, nodes: &mut [Node], place: Place) -> bool {
        let mut found = false;
        let mut place = place;
        for node in nodes.iter_mut().rev() {
            let events = node.events;
            let mut inner = place;
            match &node.kind {
                Kind::Test { tested, by } => {
                    if *by != Scalar::BOOL {
                        inner.break_waits = events.waits;
                    }
                    let any_loop_waits = place.continue_waits;
                    let is_needed = events.waits
                        || events.breaks && place.break_waits
                        || events.continues && place.continue_waits
                        || events.returns && (place.waits_later || any_loop_waits);
                    let needed = &mut self.needed[tested.index()];
                    found |= is_needed && !*needed;
                    *needed |= is_needed;
                    // The exchange of the condition waits.
                    node.events.waits |= is_needed;
                }
                Kind::Loop { break_if, .. } => {
                    if let Some(tested) = break_if.filter(|_| events.waits) {
                        let needed = &mut self.needed[tested.index()];
                        found |= !*needed;
                        *needed = true;
                    }
                    inner = Place {
                        break_waits: events.waits,
                        continue_waits: events.waits,
                        waits_later: place.waits_later || place.continue_waits,
                    };
                }
                Kind::Plain | Kind::Store(..) => {}
            }
            for block in &mut node.blocks {
                found |= self.need(block, inner);
            }
            node.gather();
            place.waits_later |= node.events.waits;
        }
        found
    }

    /// Evaluates which expressions are uniform. Operands come before what uses them.
    fn evaluate(&mut self) {
        for (handle, expression) in self.function.expressions.iter() {
            let is = |operand: Handle<Expression>| self.values[operand.index()];
            let value = match *expression {
                Expression::Literal(_)
                | Expression::Constant(_)
                | Expression::Override(_)
                | Expression::ZeroValue(_)
                | Expression::ArrayLength(_)
                | Expression::GlobalVariable(_)
                | Expression::LocalVariable(_)
                | Expression::WorkGroupUniformLoadResult { .. } => true,
                Expression::FunctionArgument(number) => matches!(
                    built_in(self.inputs, number),
                    Some(BuiltIn::WorkGroupId | BuiltIn::NumWorkGroups)
                ),
                Expression::Load { pointer } => is(pointer) && self.is_uniform_memory(pointer),
                ref other => {
                    let mut all = Some(true);
                    arithmetic(other, |operand| {
                        all = all.map(|all| all && is(operand));
                    })
                    .then_some(all)
                    .flatten()
                    .unwrap_or(false)
                }
            };
            self.values[handle.index()] = value;
        }
    }

    /// Returns whether all threads find the same in memory: nothing writes to it, or it is a local
    /// variable with uniform values.
    fn is_uniform_memory(&self, pointer: Handle<Expression>) -> bool {
        match self.function.expressions[self.base(pointer)] {
            Expression::LocalVariable(variable) => self.uniform[variable.index()],
            Expression::GlobalVariable(variable) => {
                match self.module.global_variables[variable].space {
                    AddressSpace::Uniform | AddressSpace::Immediate => true,
                    AddressSpace::Storage { access } => !access.contains(StorageAccess::STORE),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Refutes variables that get a value that is not uniform, or one in flow that is not. Returns
    /// whether it refuted something, and the ways by which a part of the threads may have left.
    fn refute(&mut self, nodes: &mut [Node], uniform: bool) -> (bool, Events) {
        let mut found = false;
        let mut gone = Events::default();
        for node in nodes {
            let uniform = uniform && !gone.leaves();
            let events = node.events;
            let mut left = Events::default();
            match &mut node.kind {
                Kind::Store(variable, pointer, value) => {
                    let is_uniform =
                        uniform && self.values[value.index()] && self.values[pointer.index()];
                    let variable = &mut self.uniform[variable.index()];
                    found |= *variable && !is_uniform;
                    *variable &= is_uniform;
                }
                Kind::Test { tested, by } => {
                    let is_even = self.needed[tested.index()] || self.values[tested.index()];
                    for block in &mut node.blocks {
                        let (new, out) = self.refute(block, uniform && is_even);
                        found |= new;
                        left = left.or(out);
                    }
                    if !is_even {
                        left = left.or(events);
                    }
                    // Threads meet after a switch.
                    left.breaks &= *by == Scalar::BOOL;
                }
                Kind::Loop { break_if, parts } => {
                    let mut out = Events::default();
                    for block in &mut node.blocks {
                        let (new, of_block) = self.refute(block, uniform && !*parts);
                        found |= new;
                        out = out.or(of_block);
                    }
                    let is_even = |tested: Handle<Expression>| {
                        self.needed[tested.index()] || self.values[tested.index()]
                    };
                    let is_parted = out.leaves() || !break_if.is_none_or(is_even);
                    found |= is_parted && !*parts;
                    *parts |= is_parted;
                    // Threads meet after a loop.
                    left.returns = out.returns;
                }
                Kind::Plain => {
                    for block in &mut node.blocks {
                        let (new, out) = self.refute(block, uniform);
                        found |= new;
                        left = left.or(out);
                    }
                }
            }
            gone = gone.or(left);
        }
        (found, gone)
    }

    /// Returns by expression whether it is arithmetic on the thread's id. What comes from memory is
    /// not, nor what other lanes computed, wherever the thread looks.
    fn values_of_thread(&self, nodes: &[Node]) -> Vec<bool> {
        let mut stores = Vec::new();
        stores_of(nodes, &mut stores);
        let mut held = vec![false; self.uniform.len()];
        let mut values = vec![false; self.values.len()];
        for _ in 0..MAX_ROUNDS {
            for (handle, expression) in self.function.expressions.iter() {
                values[handle.index()] = self.is_of_thread(expression, &values, &held);
            }
            let mut found = false;
            for &(variable, value) in &stores {
                let held = &mut held[variable.index()];
                found |= values[value.index()] && !*held;
                *held |= values[value.index()];
            }
            if !found {
                break;
            }
        }
        values
    }

    fn is_of_thread(&self, expression: &Expression, values: &[bool], held: &[bool]) -> bool {
        let is = |operand: Handle<Expression>| values[operand.index()];
        let is_loaded = |value: Handle<Expression>| {
            matches!(
                self.function.expressions[value],
                Expression::Load { .. } | Expression::ImageLoad { .. }
            )
        };
        match *expression {
            Expression::FunctionArgument(number) => {
                built_in(self.inputs, number).is_some_and(is_of_thread)
            }
            Expression::Load { pointer } => match self.function.expressions[self.base(pointer)] {
                Expression::LocalVariable(variable) => held[variable.index()],
                Expression::GlobalVariable(variable) => {
                    input_of(self.module, variable).is_some_and(is_of_thread)
                }
                _ => false,
            },
            // A checked access selects between what it found and zero, by the thread's index.
            Expression::Select {
                condition,
                accept,
                reject,
            } => {
                let is_access = is_loaded(accept) || is_loaded(reject);
                is(accept) || is(reject) || !is_access && is(condition)
            }
            ref other => {
                let mut any = false;
                arithmetic(other, |operand| any |= is(operand)) && any
            }
        }
    }
}

impl Node {
    /// Takes over the events of the blocks, as they are seen from outside.
    fn gather(&mut self) {
        let inner = self.blocks.iter().flatten();
        let inner = inner.fold(Events::default(), |all, node| all.or(node.events));
        let mut seen = self.events.or(inner);
        match self.kind {
            Kind::Test { by, .. } => seen.breaks &= by == Scalar::BOOL,
            Kind::Loop { .. } => {
                seen.breaks = false;
                seen.continues = false;
            }
            Kind::Plain | Kind::Store(..) => {}
        }
        self.events = seen;
    }
}

/// Returns the type of a selector.
fn selector_type(cases: &[SwitchCase]) -> Scalar {
    let mut cases = cases.iter();
    if cases.any(|case| matches!(case.value, SwitchValue::I32(_))) {
        Scalar::I32
    } else {
        Scalar::U32
    }
}

/// Lists the stores to local variables.
fn stores_of(nodes: &[Node], stores: &mut Vec<(Handle<LocalVariable>, Handle<Expression>)>) {
    for node in nodes {
        if let Kind::Store(variable, _, value) = node.kind {
            stores.push((variable, value));
        }
        for block in &node.blocks {
            stores_of(block, stores);
        }
    }
}

/// Calls `visit` for the operands of an expression that computes its value from them alone, and
/// returns whether it is such an expression.
fn arithmetic(expression: &Expression, mut visit: impl FnMut(Handle<Expression>)) -> bool {
    match *expression {
        Expression::Compose { ref components, .. } => {
            components.iter().copied().for_each(visit);
        }
        Expression::Access { base, index } => [base, index].into_iter().for_each(visit),
        Expression::AccessIndex { base, .. }
        | Expression::Splat { value: base, .. }
        | Expression::Swizzle { vector: base, .. }
        | Expression::Unary { expr: base, .. }
        | Expression::Relational { argument: base, .. }
        | Expression::As { expr: base, .. } => visit(base),
        Expression::Binary { left, right, .. } => [left, right].into_iter().for_each(visit),
        Expression::Select {
            condition,
            accept,
            reject,
        } => [condition, accept, reject].into_iter().for_each(visit),
        Expression::Math {
            arg,
            arg1,
            arg2,
            arg3,
            ..
        } => [Some(arg), arg1, arg2, arg3]
            .into_iter()
            .flatten()
            .for_each(visit),
        _ => return false,
    }
    true
}

/// Returns the built-in value of an entry point's argument.
fn built_in(inputs: &[FunctionArgument], number: u32) -> Option<BuiltIn> {
    match inputs.get(number as usize)?.binding {
        Some(Binding::BuiltIn(built_in)) => Some(built_in),
        _ => None,
    }
}

fn is_of_thread(built_in: BuiltIn) -> bool {
    matches!(
        built_in,
        BuiltIn::LocalInvocationId
            | BuiltIn::LocalInvocationIndex
            | BuiltIn::GlobalInvocationId
            | BuiltIn::SubgroupInvocationId
            | BuiltIn::SubgroupId
    )
}

/// Returns the built-in value that the entry point stores to a private variable: naga's SPIR-V
/// front end passes inputs so.
fn input_of(module: &Module, variable: Handle<GlobalVariable>) -> Option<BuiltIn> {
    let function = &module.entry_points.first()?.function;
    let mut stores = function.body.iter();
    stores.find_map(|statement| {
        let Statement::Store { pointer, value } = *statement else {
            return None;
        };
        let is_there = matches!(
            function.expressions[pointer],
            Expression::GlobalVariable(there) if there == variable
        );
        match function.expressions[value] {
            Expression::FunctionArgument(number) if is_there => {
                built_in(&function.arguments, number)
            }
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests;
