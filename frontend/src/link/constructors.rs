//! Initializers of `static` variables that are no constants.
//!
//! DXC collects them in functions that `llvm.global_ctors` lists, and calls those of a library at
//! the start of the library's own entry points. Imported functions have theirs called by the entry
//! points that they come to.

use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::PackedOption;

use super::search::{Search, operands};
use crate::error::Result;
use crate::ir::{
    Block, BlockId, Constant, FastMath, FuncId, Function, Inst, InstData, InstId, List, Module,
    TypeId, ValueDef, ValueId,
};

/// Adds the initializers of the variables that imported functions use.
pub(super) fn find(search: &mut Search<'_>) -> Result<()> {
    let parts = search.parts;
    // An initializer may call functions, which use variables of further libraries.
    loop {
        let before = search.needed.constructors.len();
        // DXC calls the first shader's initializers from its entry points already.
        for (part, shader) in parts.iter().enumerate().skip(1) {
            for function in listed(&shader.module) {
                let place = (part, function);
                let used = search.needed.used.get(part);
                if !search.needed.constructors.contains(&place)
                    && used.is_some_and(|used| shares_variable(&shader.module, function, used))
                {
                    search.needed.constructors.push(place);
                    search.body(place);
                    search.run()?;
                }
            }
        }
        // Ends, because each round but the last adds one of finitely many functions.
        if search.needed.constructors.len() == before {
            return Ok(());
        }
    }
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

/// Returns whether a function names a variable that is used already.
fn shares_variable(module: &Module, function: FuncId, used: &[bool]) -> bool {
    let Some(body) = module.body(function) else {
        return false;
    };
    let mut pending: Vec<ValueId> = Vec::new();
    for data in body.insts.values() {
        body.for_each_operand(&data.inst, |value| pending.push(value));
    }
    // Constants make no cycles, and each is looked at once.
    let mut seen = vec![false; module.values.len()];
    while let Some(value) = pending.pop() {
        let Some(seen) = seen.get_mut(value.index()) else {
            continue;
        };
        if std::mem::replace(seen, true) {
            continue;
        }
        match module.values.get(value.index()).map(|data| data.def) {
            Some(ValueDef::Global(global)) => {
                let is_variable = module
                    .globals
                    .get(global)
                    .is_some_and(|global| !global.is_constant && global.initializer.is_some());
                if is_variable && used.get(value.index()) == Some(&true) {
                    return true;
                }
            }
            Some(ValueDef::Constant(constant)) => {
                operands(&constant, &module.value_pool, |value| pending.push(value));
            }
            _ => {}
        }
    }
    false
}

/// Writes calls of functions without parameters behind the variables at the start of a function.
pub(super) fn call_first(function: &mut Function, callees: &[ValueId], void: TypeId) {
    let Some(entry) = function.blocks.get(BlockId::new(0)).copied() else {
        return;
    };
    let at = entry
        .insts()
        .take_while(|&inst| {
            let data = function.insts.get(inst);
            // Calls go behind the variables: DXC, like LLVM, keeps them together at the start of
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
    // Instructions of a block are contiguous, so everything behind the calls moves up.
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
    let places = std::mem::take(&mut function.debug_locs);
    let places = places.iter().filter(|(_, place)| place.is_some());
    function.debug_locs = places.map(|(inst, &place)| (moved(inst), place)).collect();
}
