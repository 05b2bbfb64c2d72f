//! Turns variables that hold objects into values.
//!
//! A handle that is loaded from a resource's own variable only names the resource;
//! `createHandleForLib` creates a handle from it. This pass creates the handle where the name is
//! loaded, so variables, phis and selections already contain handles. A variable of several objects
//! becomes one slot per object; a computed index selects among them.

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{Callee, Opcode};
use dxil_frontend::ir::{FuncId, FuncView, Inst, Type, TypeId, TypeTable, ValueDef, ValueId};
use dxil_frontend::tables::HashMap;

/// Maximum nesting depth of arrays of objects, and of addresses in one.
pub(super) const MAX_DEPTH: u32 = 16;

/// Names of the types of objects that are values. Handles of nodes and records are addresses, which
/// functions may take.
const VALUE_TYPES: [&str; 2] = ["dx.types.Handle", "dx.types.HitObject"];

/// Types of objects, and the operations that create handles from names.
#[derive(Default)]
pub(super) struct Objects {
    /// The operation that creates a handle from a name of that type.
    pub(super) creators: HashMap<TypeId, Creator>,
    /// Types of objects that are values already: handles, unless they are names as well, and hit
    /// objects.
    pub(super) values: Vec<TypeId>,
}

#[derive(Clone, Copy)]
pub(super) struct Creator {
    pub(super) function: FuncId,
    pub(super) handle: TypeId,
}

impl Objects {
    pub(super) fn of(shader: &Shader) -> Self {
        let mut objects = Objects::default();
        let types = &shader.module.types;
        for (id, decl) in &shader.module.functions {
            if matches!(shader.callees[id], Callee::DxOp(_))
                && Opcode::CreateHandleForLib.is_called_by(&decl.name)
                && let Type::Function { ret, params, .. } = types.get(decl.ty)
                && let Some(&name) = params.get(1)
            {
                let creator = Creator {
                    function: id,
                    handle: *ret,
                };
                objects.creators.insert(name, creator);
            }
        }
        let is_value = |ty: &Type| match ty {
            Type::Struct {
                name: Some(name), ..
            } => VALUE_TYPES.contains(&&**name),
            _ => false,
        };
        let values = types.types.iter().filter(|(_, ty)| is_value(ty));
        let values = values.map(|(id, _)| id);
        objects.values = values
            .filter(|id| !objects.creators.contains_key(id))
            .collect();
        objects
    }

    pub(super) fn is_object(&self, ty: TypeId) -> bool {
        self.creators.contains_key(&ty) || self.values.contains(&ty)
    }

    /// Returns whether it is an object or an array of them.
    pub(super) fn holds(&self, types: &TypeTable, ty: TypeId) -> bool {
        self.count(types, ty).is_some()
    }

    /// Returns the number of objects in an object or array.
    pub(super) fn count(&self, types: &TypeTable, mut ty: TypeId) -> Option<u64> {
        let mut all = 1_u64;
        for _ in 0..MAX_DEPTH {
            if self.is_object(ty) {
                return Some(all);
            }
            let Type::Array { element, count } = *types.get(ty) else {
                return None;
            };
            all = all.checked_mul(count)?;
            ty = element;
        }
        None
    }

    /// Returns the type of such objects as handles.
    pub(super) fn value_type(&self, types: &TypeTable, mut ty: TypeId) -> TypeId {
        for _ in 0..MAX_DEPTH {
            match *types.get(ty) {
                Type::Array { element, .. } => ty = element,
                _ => break,
            }
        }
        self.creators.get(&ty).map_or(ty, |creator| creator.handle)
    }

    /// Returns whether a function has variables of objects, or handles that are not made of a
    /// resource's own variable.
    pub(super) fn are_in_memory(&self, view: FuncView<'_>) -> bool {
        let types = &view.module.types;
        view.function.insts.values().any(|data| match data.inst {
            Inst::Alloca { allocated, .. } => self.holds(types, allocated),
            // From shader model 6.6 on a name has the type of a handle.
            Inst::Call { callee, args, .. } => {
                let callee = view.as_function(callee);
                #[expect(clippy::disallowed_methods, reason = "whether there is one")]
                let mut creators = self.creators.values();
                creators.any(|creator| Some(creator.function) == callee)
                    && view
                        .function
                        .values_of(args)
                        .last()
                        .is_some_and(|&name| is_chosen(view, name))
            }
            Inst::Phi { .. } | Inst::Select { .. } => {
                self.creators
                    .get(&behind(types, data.ty))
                    .is_some_and(|creator| {
                        // A handle may be one of several; a name or its address is none.
                        data.ty != creator.handle
                    })
            }
            _ => false,
        })
    }
}

/// Returns whether a value is a phi or a selection.
fn is_chosen(view: FuncView<'_>, value: ValueId) -> bool {
    let Some(ValueDef::Inst(inst)) = view.value(value).map(|value| value.def) else {
        return false;
    };
    let inst = view.function.insts.get(inst).map(|data| data.inst);
    matches!(inst, Some(Inst::Phi { .. } | Inst::Select { .. }))
}

/// Returns the type that a pointer points to; other types unchanged.
pub(crate) fn behind(types: &TypeTable, ty: TypeId) -> TypeId {
    types.pointee(ty).unwrap_or(ty)
}
