//! Inlines functions that take or return objects, before any other pass. Functions that access a
//! parameter's memory as another type are inlined too.
//!
//! Objects are handles of resources and hit objects. In libraries for linking (`lib_6_x`) they are
//! ordinary parameters, results and variables; all later passes, like SPIR-V, require that a
//! function creates them itself. DXC's linker inlines all functions into their entry points; this
//! pass inlines only functions whose parameters or results are objects or point to objects. Then
//! variables of objects become values ([`objects`]), as they do when DXC compiles a whole shader.
//!
//! HLSL has no recursion, so inlining ends; [`InlineGrowth`] bounds the growth.

mod handles;
mod objects;
mod pointee;
mod ssa_construction;
mod state;
mod unused_names;

use dxil_frontend::dxil::ops::Callee;
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_frontend::ir::{
    FuncId, FuncView, InlineError, InlineGrowth, Inst, Type, ValueId, inline_with_callees,
};
use dxil_frontend::tables::{HashMap, HashSet};

pub(crate) use dxil_frontend::ir::{DraftFunction, DraftInst};
use objects::{Objects, behind};

use crate::{Error, ErrorKind, Result};

/// Returns the shader with these functions inlined, if it has any.
pub(crate) fn inline_object_calls(
    shader: &Shader,
    functions: &[FuncId],
) -> Result<Option<Box<Shader>>> {
    // Nearly every shader has one function, and objects in variables are in libraries only.
    if functions.len() < 2 && shader.shader_model.kind != ShaderKind::Library {
        return Ok(None);
    }
    let objects = Objects::of(shader);
    let takes: HashSet<FuncId> = functions
        .iter()
        .copied()
        .filter(|&id| takes_objects(shader, &objects, id) || reinterprets_parameter(shader, id))
        .collect();
    inline(shader, functions, &objects, &takes)
}

/// Returns the shader with the calls of some of its functions inlined, if there are any. Callers of
/// these functions that are among them themselves stay as they are.
pub(crate) fn inline_calls_of(
    shader: &Shader,
    functions: &[FuncId],
    inlined: &HashSet<FuncId>,
) -> Result<Option<Box<Shader>>> {
    inline(shader, functions, &Objects::of(shader), inlined)
}

fn inline(
    shader: &Shader,
    functions: &[FuncId],
    objects: &Objects,
    takes: &HashSet<FuncId>,
) -> Result<Option<Box<Shader>>> {
    let needed = |id: FuncId| {
        !takes.contains(&id)
            && shader
                .view(id)
                .is_some_and(|view| calls_any(view, takes) || objects.are_in_memory(view))
    };
    let needed: Vec<FuncId> = functions.iter().copied().filter(|&id| needed(id)).collect();
    if needed.is_empty() {
        return Ok(None);
    }
    let mut flat = Box::new(shader.clone());
    // An object at a computed index is selected by comparisons, whose type the module may lack.
    let types = &mut flat.module.types.types;
    if !types.values().any(|ty| matches!(ty, Type::Int(1))) {
        types.push(Type::Int(1));
    }
    let mut done: HashMap<FuncId, DraftFunction> = HashMap::default();
    let mut growth = InlineGrowth::of(&shader.module);
    let mut bodies = Vec::with_capacity(needed.len());
    for id in needed {
        let callees = |view: FuncView<'_>| called(&flat, view, takes);
        let draft = inline_with_callees(&flat.module, id, callees, &mut done, &mut growth);
        let mut draft = draft.map_err(|error| match error {
            InlineError::TooComplex(what) => Error::new(ErrorKind::TooComplex(what)),
            InlineError::Malformed(what) => Error::malformed(what),
        })?;
        objects.make_values(&flat, &mut draft)?;
        bodies.push((id, draft.finish()));
    }
    for (id, body) in bodies {
        let slot = flat.module.functions.get(id).and_then(|decl| decl.body);
        if let Some(slot) = slot.and_then(|index| flat.module.bodies.get_mut(index as usize)) {
            *slot = body;
        }
    }
    Ok(Some(flat))
}

/// Returns whether a parameter or the result is or points to an object.
fn takes_objects(shader: &Shader, objects: &Objects, id: FuncId) -> bool {
    let decl = shader.module.functions.get(id);
    let Some(Type::Function { ret, params, .. }) =
        decl.map(|decl| shader.module.types.get(decl.ty))
    else {
        return false;
    };
    let mut types = std::iter::once(ret).chain(params);
    types.any(|&ty| objects.holds(&shader.module.types, behind(&shader.module.types, ty)))
}

/// Returns whether memory behind a parameter is read or written as another type: the columns of a
/// matrix as one vector. Later passes decide the layout of a variable's memory, and only where they
/// know the variable.
fn reinterprets_parameter(shader: &Shader, id: FuncId) -> bool {
    let Some(view) = shader.view(id) else {
        return false;
    };
    let types = &view.module.types;
    let first = view.function.first_value;
    let is_pointer = |ty| types.pointee(ty).is_some();
    let arguments = (first..first + view.function.arg_count).map(ValueId::from_u32);
    let mut addresses: HashSet<ValueId> = arguments
        .filter(|&value| view.type_of(value).is_some_and(is_pointer))
        .collect();
    if addresses.is_empty() {
        return false;
    }
    // Definitions come before uses in what compilers write; what does not stays a function.
    for data in view.function.insts.values() {
        let base = match data.inst {
            Inst::Gep { operands, .. } => view.function.values_of(operands).first().copied(),
            Inst::Cast { value, .. } => Some(value),
            _ => None,
        };
        if !base.is_some_and(|base| addresses.contains(&base)) {
            continue;
        }
        // Lifetime markers take a pointer to bytes.
        let is_other = matches!(data.inst, Inst::Cast { .. })
            && types
                .pointee(data.ty)
                .is_some_and(|ty| !matches!(types.get(ty), Type::Int(8)));
        if is_other {
            return true;
        }
        addresses.extend(data.result.expand());
    }
    false
}

/// Returns whether a function calls one of these.
pub(crate) fn calls_any(view: FuncView<'_>, callees: &HashSet<FuncId>) -> bool {
    let mut instructions = view.function.insts.values();
    instructions.any(|data| match data.inst {
        Inst::Call { callee, .. } => view
            .as_function(callee)
            .is_some_and(|callee| callees.contains(&callee)),
        _ => false,
    })
}

/// Returns those of the functions that a function calls.
fn called(shader: &Shader, view: FuncView<'_>, takes: &HashSet<FuncId>) -> Vec<FuncId> {
    let mut found = Vec::new();
    let mut seen = HashSet::default();
    for data in view.function.insts.values() {
        if let Inst::Call { callee, .. } = data.inst
            && let Some(callee) = view.as_function(callee)
            && shader.callees[callee] == Callee::Function
            && takes.contains(&callee)
            && seen.insert(callee)
        {
            found.push(callee);
        }
    }
    found
}
