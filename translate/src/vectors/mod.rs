//! Scalarizes native vectors (shader model 6.9) before the other passes.
//!
//! DXIL 1.9 has LLVM vectors of 1 to 1024 elements as ordinary values: arithmetic, DXIL operations,
//! loads and stores, phis. SPIR-V has vectors of two to four without extensions. This pass turns a
//! shader with vectors into the one that an older shader model would have, so no later stage has to
//! handle them:
//!
//! * A vector value becomes one scalar value per element. GPUs compute with scalars, and drivers
//!   scalarize vectors anyway, so nothing is lost.
//! * In memory, vectors of two to four elements stay, and are loaded and stored whole, because not
//!   every driver combines adjacent accesses. Other vector types become array types under the same
//!   id, so memory keeps its layout and addresses keep their indices. They are loaded and stored
//!   element by element.
//! * An operation on vectors becomes one call of the scalar overload per element. Raw-buffer
//!   accesses move up to four elements, and reductions become chains.
//! * An element at a computed index is loaded from a local variable, into which the vector is
//!   written where it is defined; an insertion at a computed index becomes a selection per element.
//!
//! Unused elements are not computed: a vector load with one used element becomes a load of that
//! element. The cost is linear in the elements, and [`rules::MAX_INSTRUCTIONS`] bounds it.
//!
//! Vectors that the target has stay whole where that takes fewer words: [`webs`] chooses them, and
//! [`whole`] rewrites what computes with them.
//!
//! Source: DXIL.rst, "Native Vector Operations"; HLSL proposals 0026 and 0030.

mod calls;
mod casts;
mod dead_code;
mod memory;
mod rewrite;
mod rules;
mod tables;
mod wave_match;
mod webs;
mod whole_values;
mod whole_vectors;

use dxil_frontend::dxil::ops::{Callee, op_arguments};
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_frontend::ir::{FuncId, FuncView, Inst, Type, TypeId, TypeTable};
use rules::{MAX_ELEMENTS, is_spirv_vector_size, vector_of};

use crate::{Error, Options, Result};
pub(crate) use tables::ModuleTables;
use whole_vectors::WholeVectors;
pub(crate) use whole_vectors::max_vector_size;

/// Returns the shader without vectors, if its functions compute with any. Those that the target has
/// stay whole.
pub(crate) fn scalarize(
    shader: &Shader,
    kind: ShaderKind,
    functions: impl Iterator<Item = FuncId> + Clone,
    options: &Options,
) -> Result<Option<Box<Shader>>> {
    if !is_needed(shader, functions.clone()) {
        return Ok(None);
    }
    let whole = WholeVectors::new(&shader.module.types, kind, options);
    let mut scalar = Box::new(shader.clone());
    for ty in scalar.module.types.types.values_mut() {
        if let Type::Vector { element, count } = *ty
            && !whole.are_in_memory(count)
        {
            if count > MAX_ELEMENTS {
                return Err(Error::unsupported(format!("a vector of {count} elements")));
            }
            *ty = Type::Array {
                element,
                count: u64::from(count),
            };
        }
    }
    // After the types are changed: the table of types finds a type by its contents.
    let mut tables = ModuleTables::new(&mut scalar.module, &mut scalar.callees);
    // Every function is read from the old shader, where vectors still have their types, and all are
    // replaced at the end.
    let mut bodies = Vec::new();
    for id in functions {
        if let Some(view) = shader.view(id) {
            bodies.push((id, rewrite::run(shader, view, whole, &mut tables)?));
        }
    }
    for (id, body) in bodies {
        let slot = scalar.module.functions.get(id).and_then(|decl| decl.body);
        if let Some(slot) = slot.and_then(|index| scalar.module.bodies.get_mut(index as usize)) {
            *slot = body;
        }
    }
    Ok(Some(scalar))
}

/// Returns whether the shader has vectors that SPIR-V does not support, that operations take, or
/// that a shader of model 6.9 computes with. Vectors of two to four elements in older shaders stay.
fn is_needed(shader: &Shader, functions: impl Iterator<Item = FuncId>) -> bool {
    let types = &shader.module.types;
    let mut vectors = types.types.values().filter_map(|ty| match ty {
        Type::Vector { count, .. } => Some(*count),
        _ => None,
    });
    let Some(first) = vectors.next() else {
        return false;
    };
    if !is_spirv_vector_size(first) || !vectors.all(is_spirv_vector_size) {
        return true;
    }
    let has_native = (shader.shader_model.major, shader.shader_model.minor) >= (6, 9);
    if !has_native && !declares_vector_operation(shader) {
        return false;
    }
    let mut views = functions.filter_map(|id| shader.view(id));
    views.any(|view| {
        let mut instructions = view.function.insts.values();
        instructions.any(|data| match data.inst {
            Inst::Call { args, .. } => {
                let is_operation = op_arguments(view, &shader.callees, &data.inst).is_some();
                let args = view.function.values_of(args);
                (is_operation || has_native)
                    && (holds_vector(types, data.ty)
                        || args.iter().any(|&arg| is_vector(view, arg)))
            }
            Inst::Store { value, .. } => has_native && is_vector(view, value),
            _ => has_native && vector_of(types, data.ty).is_some(),
        })
    })
}

/// Returns whether an operation is declared that takes or returns a vector. The operands of a call
/// have the types of the declaration.
fn declares_vector_operation(shader: &Shader) -> bool {
    let types = &shader.module.types;
    shader.module.functions.iter().any(|(id, decl)| {
        matches!(shader.callees[id], Callee::DxOp(_))
            && match types.get(decl.ty) {
                Type::Function {
                    ret,
                    params,
                    vararg,
                } => {
                    let is_vector = |&ty: &TypeId| vector_of(types, ty).is_some();
                    *vararg || holds_vector(types, *ret) || params.iter().any(is_vector)
                }
                _ => true,
            }
    })
}

fn is_vector(view: FuncView<'_>, value: dxil_frontend::ir::ValueId) -> bool {
    view.type_of(value)
        .is_some_and(|ty| vector_of(&view.module.types, ty).is_some())
}

/// Returns whether a type is a vector, or a structure with one.
fn holds_vector(types: &TypeTable, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Vector { .. } => true,
        Type::Struct { fields, .. } => fields.iter().any(|&ty| vector_of(types, ty).is_some()),
        _ => false,
    }
}
