//! Resources of an entry point, before it is translated: those that it indexes in descriptor heaps,
//! for callers that locate them by their properties, and those of a library that it uses.

use dxil_frontend::dxil::ops::{
    HandleOp, Op, Opcode, ResourceProperties, decode, decode_opcode, op_arguments,
};
use dxil_frontend::dxil::{Resource, Shader, ShaderKind};
use dxil_frontend::ir::{FuncView, Inst};
use dxil_frontend::tables::HashSet;

use crate::Result;
use crate::analysis::addresses::behind_constants;
use crate::entry::{choose_entry, reachable_functions};

/// Returns the properties of all resources that the entry point takes from `ResourceDescriptorHeap`
/// and `SamplerDescriptorHeap`, each once, in order of appearance. `entry` is as in
/// [`Options`](crate::Options).
///
/// # Errors
///
/// If the entry point is absent, or its code is malformed.
pub fn heap_uses(shader: &Shader, entry: Option<&str>) -> Result<Vec<ResourceProperties>> {
    let mut found = Vec::new();
    let mut seen = HashSet::default();
    let module = &shader.module;
    let takes = |name: &str| Opcode::CreateHandleFromHeap.is_called_by(name);
    // Most shaders use no heap directly, which the declarations show without a look at the code.
    if !module.functions.values().any(|f| takes(&f.name)) {
        return Ok(found);
    }
    for id in reachable_functions(shader, choose_entry(shader, entry)?) {
        let Some(function) = module.body(id) else {
            continue;
        };
        let view = FuncView { module, function };
        for data in function.insts.values() {
            let Some(args) = op_arguments(view, &shader.callees, &data.inst) else {
                continue;
            };
            if decode_opcode(view, args)? != Opcode::AnnotateHandle {
                continue;
            }
            let Op::Handle(HandleOp::AnnotateHandle(op)) = decode(view, args)? else {
                continue;
            };
            if is_from_heap(view, op.handle)? && seen.insert(op.properties) {
                found.push(op.properties);
            }
        }
    }
    Ok(found)
}

/// Returns the declared resources that an entry point may use. A shader declares what it uses; a
/// library declares what any of its functions uses, as variables: those count that the entry
/// point's functions name. `entry` is as in [`Options`](crate::Options).
///
/// # Errors
///
/// If the entry point is absent, or its code is malformed.
pub fn resource_uses<'a>(shader: &'a Shader, entry: Option<&str>) -> Result<Vec<&'a Resource>> {
    let all = shader.resources.iter();
    if shader.shader_model.kind != ShaderKind::Library {
        return Ok(all.collect());
    }
    let module = &shader.module;
    let mut named = HashSet::default();
    for id in reachable_functions(shader, choose_entry(shader, entry)?) {
        let Some(function) = module.body(id) else {
            continue;
        };
        let view = FuncView { module, function };
        for data in function.insts.values() {
            // The address of an element is a constant expression on the variable.
            function.for_each_operand(&data.inst, |value| {
                let value = behind_constants(view, value);
                // Variables are values of the module.
                if value.as_u32() < function.first_value {
                    named.insert(value);
                }
            });
        }
    }
    let Some(function) = module.bodies.first() else {
        return Ok(Vec::new());
    };
    let view = FuncView { module, function };
    let is_named = |resource: &&Resource| {
        let variable = resource.variable;
        variable.is_some_and(|variable| named.contains(&behind_constants(view, variable)))
    };
    Ok(all.filter(is_named).collect())
}

/// Returns whether the handle that is annotated may come from a heap: a phi or a select of handles
/// may.
fn is_from_heap(view: FuncView<'_>, handle: dxil_frontend::ir::ValueId) -> Result<bool> {
    use dxil_frontend::ir::ValueDef;
    let Some(ValueDef::Inst(inst)) = view.value(handle).map(|data| data.def) else {
        return Ok(false);
    };
    let Some(data) = view.function.insts.get(inst) else {
        return Ok(false);
    };
    Ok(match data.inst {
        Inst::Call { args, .. } => {
            let args = view.function.values_of(args);
            decode_opcode(view, args)? == Opcode::CreateHandleFromHeap
        }
        Inst::Phi { .. } | Inst::Select { .. } => true,
        _ => false,
    })
}
