//! Source positions of instructions, functions and variables, recorded while they are lowered. Does
//! nothing unless the caller asked for them.

use dxil_frontend::ir::{Constant, FuncId, GlobalId, InstId, ValueDef, ValueId};

use dxil_frontend::tables::HashMap;

use crate::lower::context::Context;
use crate::lower::memory::state::Pointer;
use crate::lower::values::LoweredValue;
use crate::spirv::Id;

/// Sets the source position of the code that follows to that of an instruction.
pub(super) fn at(cx: &mut Context<'_>, inst: InstId) {
    if let Some(source) = &mut cx.source {
        let location = cx.function.view.function.debug_locs.get(inst);
        source.at(&mut cx.b, location.copied().flatten());
    }
}

/// Repeats the source position at the beginning of a block that continues an operation.
pub(super) fn resume(cx: &mut Context<'_>) {
    if let Some(source) = &mut cx.source {
        source.resume(&mut cx.b);
    }
}

/// Describes the function and its parameters at the beginning of the entry block.
pub(super) fn begin_function(cx: &mut Context<'_>, func: FuncId, parameters: usize) {
    if !describes_values(cx) {
        return;
    }
    for index in 0..parameters {
        let first = cx.function.view.function.first_value;
        define(cx, ValueId::from_u32(first + index as u32));
    }
    if let (Some(source), Some(id)) = (&mut cx.source, cx.module.functions[func]) {
        source.define_function(&mut cx.b, func, id);
    }
}

/// Makes a value available to descriptions of variables.
pub(super) fn define(cx: &mut Context<'_>, value: ValueId) {
    if describes_values(cx)
        && let LoweredValue::Id(id) = cx.function.values.get(value)
        && let Some(source) = &mut cx.source
    {
        source.define(id);
    }
}

/// Lowers a call that gives the value or memory of a source variable.
pub(super) fn declare_variable(cx: &mut Context<'_>, inst: InstId) {
    let source = cx.source.as_ref();
    let Some(used) = source.and_then(|source| source.variable_use(cx.function.view, inst)) else {
        return;
    };
    let id = if used.is_memory {
        memory_of_source(cx, used.value)
    } else {
        value_of_source(cx, used.value)
    };
    if let (Some(source), Some(id)) = (&mut cx.source, id) {
        source.variable_is(&mut cx.b, &used, id);
    }
}

/// Describes global variables and the entry point, after all code.
pub(super) fn finish(cx: &mut Context<'_>, main: FuncId) {
    let Some(mut source) = cx.source.take().filter(|source| source.is_full()) else {
        return;
    };
    let variables = cx.b.global_variables();
    let memory = &cx.module.memory;
    let variable_of = |global: GlobalId| match memory.of_global(global)? {
        // Debug information describes whole variables; parts and cells have no counterpart in the
        // source.
        Pointer::Typed { id, .. } => Some(id).filter(|id| variables.contains(id)),
        Pointer::Cells { .. } | Pointer::Address { .. } => None,
    };
    let resources = variables_by_name(cx);
    let resource_of = |name: &str| resources.get(name).copied();
    source.global_variables(&mut cx.b, variable_of, resource_of);
    source.entry_point(&mut cx.b, main);
}

/// Returns the SPIR-V variables of resources by their names in the source. A resource that has
/// several (of other element widths) is described by the first.
fn variables_by_name<'a>(cx: &Context<'a>) -> HashMap<&'a str, Id> {
    let mut found: HashMap<&str, Id> = HashMap::default();
    for (view, id) in cx.module.resources.described() {
        let name = cx.input.plan.view(view).map_or("", |view| &view.name);
        if !name.is_empty() {
            // The lowest id is the variable that was made first.
            let first = found.entry(name).or_insert(id);
            *first = id.min(*first);
        }
    }
    found
}

fn describes_values(cx: &Context<'_>) -> bool {
    cx.source.as_ref().is_some_and(|source| source.is_full())
}

/// Returns a variable of the function that keeps its type.
fn memory_of_source(cx: &Context<'_>, value: ValueId) -> Option<Id> {
    let LoweredValue::Pointer(pointer) = cx.function.values.get(value) else {
        return None;
    };
    match cx.module.memory.get(pointer)? {
        Pointer::Typed { id, .. } => Some(id).filter(|&id| cx.b.is_local_variable(id)),
        Pointer::Cells { .. } | Pointer::Address { .. } => None,
    }
}

/// Returns a value that may be named here.
fn value_of_source(cx: &mut Context<'_>, value: ValueId) -> Option<Id> {
    match cx.function.view.value(value)?.def {
        // A constant needs no definition that dominates this place.
        ValueDef::Constant(Constant::Int(_) | Constant::Float(_)) => cx.id(value).ok(),
        ValueDef::Inst(_) | ValueDef::Argument(_) => match cx.function.values.get(value) {
            LoweredValue::Id(id) => {
                let source = cx.source.as_ref()?;
                // A value that is not known here may be in a block that does not dominate this one.
                source.is_known_here(id).then_some(id)
            }
            _ => None,
        },
        _ => None,
    }
}
