//! Initializers of `static` variables that are not constants.
//!
//! DXC collects them in functions that `llvm.global_ctors` lists, and calls those of a library at
//! the start of the library's own entry points. Imported functions have theirs called by the entry
//! points that they come to.

use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::PackedOption;

use super::search::Search;
use crate::error::Result;
use crate::ir::{
    Block, BlockId, Constant, FastMath, FuncId, Function, Inst, InstData, InstId, List, Module,
    TypeId, ValueDef, ValueId,
};

/// Adds the initializers of the variables that imported functions use.
pub(super) fn find(search: &mut Search<'_>) -> Result<()> {
    let parts = search.parts;
    // DXC calls the first shader's initializers from its entry points already.
    let mut users: Vec<Option<Users>> = parts
        .iter()
        .enumerate()
        .map(|(part, shader)| (part != 0).then(|| Users::of(&shader.module)).flatten())
        .collect();
    let mut found: Vec<(usize, usize, FuncId)> = Vec::new();
    // An initializer may call functions, which use variables of further libraries. Each variable
    // and each initializer is taken up once.
    while let Some((part, variable)) = search.variables.pop() {
        let (Some(Some(users)), Some(shader)) = (users.get_mut(part), parts.get(part)) else {
            continue;
        };
        if !is_variable(&shader.module, variable) {
            continue;
        }
        for (number, function) in users.take(variable) {
            found.push((part, number, function));
            search.body((part, function));
        }
        search.run()?;
    }
    // In the order of the libraries, and of their lists.
    found.sort_unstable();
    let functions = found.into_iter();
    search.needed.constructors = functions
        .map(|(part, _, function)| (part, function))
        .collect();
    Ok(())
}

/// Returns the functions of `llvm.global_ctors`, each of which is the second member of a structure.
fn listed(module: &Module) -> Vec<FuncId> {
    let mut globals = module.globals.values();
    let list = globals
        .find(|global| &*global.name == "llvm.global_ctors")
        .and_then(|global| global.initializer);
    let members = |value: Option<ValueId>| {
        let data = value.and_then(|value| module.values.get(value.index()));
        match data.map(|data| data.def) {
            Some(ValueDef::Constant(Constant::Aggregate(list))) => {
                module.value_pool.get(list.range()).unwrap_or_default()
            }
            _ => &[],
        }
    };
    let structures = members(list).iter();
    let functions = structures.filter_map(|&structure| {
        let function = members(Some(structure)).get(1)?;
        match module.values.get(function.index())?.def {
            ValueDef::Function(function) => Some(function),
            _ => None,
        }
    });
    functions.collect()
}

/// Returns whether a value is a variable with an initial value.
fn is_variable(module: &Module, value: ValueId) -> bool {
    match module.values.get(value.index()).map(|data| data.def) {
        Some(ValueDef::Global(global)) => {
            let global = module.globals.get(global);
            global.is_some_and(|global| !global.is_constant && global.initializer.is_some())
        }
        _ => false,
    }
}

/// The name of a value of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum User {
    /// A constant.
    Constant(ValueId),
    /// An initializer, by its number in the list.
    Initializer(usize),
}

/// The initializers of a library that name a value, directly or as part of constants. Each constant
/// is visited once, whatever the number of initializers that name it.
struct Users {
    initializers: Vec<FuncId>,
    /// Pairs of a value and what names it, sorted.
    edges: Vec<(ValueId, User)>,
    seen_constants: Vec<bool>,
    seen_initializers: Vec<bool>,
}

impl Users {
    /// Returns the users of a library's values; `None` for a library without initializers.
    fn of(module: &Module) -> Option<Users> {
        let initializers = listed(module);
        if initializers.is_empty() {
            return None;
        }
        let mut edges = Vec::new();
        for (index, data) in module.values.iter().enumerate() {
            if let ValueDef::Constant(constant) = data.def {
                let user = User::Constant(ValueId::new(index));
                constant.for_each_operand(&module.value_pool, |value| edges.push((value, user)));
            }
        }
        for (number, &function) in initializers.iter().enumerate() {
            let Some(body) = module.body(function) else {
                continue;
            };
            let mut push = |value: ValueId| {
                // Values of the function itself come after those of the module.
                if value.index() < module.values.len() {
                    edges.push((value, User::Initializer(number)));
                }
            };
            for data in body.insts.values() {
                body.for_each_operand(&data.inst, &mut push);
            }
            for value in &body.values {
                if let ValueDef::Constant(constant) = value.def {
                    constant.for_each_operand(&body.value_pool, &mut push);
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        Some(Users {
            seen_constants: vec![false; module.values.len()],
            seen_initializers: vec![false; initializers.len()],
            initializers,
            edges,
        })
    }

    /// Returns the initializers that name a value and were not returned before, with their numbers
    /// in the list.
    fn take(&mut self, value: ValueId) -> Vec<(usize, FuncId)> {
        let mut found = Vec::new();
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            let first = self.edges.partition_point(|&(of, _)| of < value);
            let edges = self.edges.get(first..).unwrap_or_default();
            for &(_, user) in edges.iter().take_while(|&&(of, _)| of == value) {
                match user {
                    User::Constant(constant) => {
                        let seen = self.seen_constants.get_mut(constant.index());
                        if seen.is_some_and(|seen| !std::mem::replace(seen, true)) {
                            pending.push(constant);
                        }
                    }
                    User::Initializer(number) => {
                        let seen = self.seen_initializers.get_mut(number);
                        if seen.is_some_and(|seen| !std::mem::replace(seen, true)) {
                            let function = self.initializers.get(number);
                            found.extend(function.map(|&function| (number, function)));
                        }
                    }
                }
            }
        }
        found
    }
}

/// Writes calls of functions without parameters after the variables at the start of a function.
pub(super) fn call_first(function: &mut Function, callees: &[ValueId], void: TypeId) {
    let Some(entry) = function.blocks.get(BlockId::new(0)).copied() else {
        return;
    };
    let at = entry
        .insts()
        .take_while(|&inst| {
            let data = function.insts.get(inst);
            // Calls go after the variables: DXC, like LLVM, keeps them together at the start of
            // the entry.
            data.is_some_and(|data| matches!(data.inst, Inst::Alloca { .. }))
        })
        .count()
        + entry.first.index();
    let moved = |inst: InstId| {
        if inst.index() < at {
            inst
        } else {
            InstId::new(inst.index() + callees.len())
        }
    };
    let old = std::mem::take(&mut function.insts);
    let (head, tail): (Vec<_>, Vec<_>) = old.into_iter().partition(|(inst, _)| inst.index() < at);
    let calls = callees.iter().map(|&callee| InstData {
        inst: Inst::Call {
            callee,
            args: List::EMPTY,
            fast_math: FastMath::default(),
        },
        ty: void,
        result: PackedOption::default(),
    });
    let head = head.into_iter().map(|(_, data)| data);
    let tail = tail.into_iter().map(|(_, data)| data);
    // Instructions of a block are contiguous, so everything after the calls moves up.
    function.insts = head.chain(calls).chain(tail).collect();
    for value in &mut function.values {
        if let ValueDef::Inst(inst) = &mut value.def {
            *inst = moved(*inst);
        }
    }
    for (id, block) in function.blocks.iter_mut() {
        let first = match id.index() {
            0 => block.first,
            _ => moved(block.first),
        };
        // The end is one past the last instruction.
        let end = InstId::new(
            block.end.index()
                + if block.end.index() > at {
                    callees.len()
                } else {
                    0
                },
        );
        *block = Block { first, end };
    }
    for (inst, ..) in &mut function.attachments {
        *inst = moved(*inst);
    }
    for (inst, _) in &mut function.call_sites {
        *inst = moved(*inst);
    }
    let places = std::mem::take(&mut function.debug_locs);
    let places = places.iter().filter(|(_, place)| place.is_some());
    function.debug_locs = places.map(|(inst, &place)| (moved(inst), place)).collect();
}
