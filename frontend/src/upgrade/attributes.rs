//! Attributes of operations: what they do to memory. Without them a driver's optimizer takes each
//! call for one that may change everything.

use crate::dxil::Shader;
use crate::dxil::ops::{Callee, Opcode};
use crate::error::{Error, Result};
use crate::ir::Attribute;
use crate::tables::HashMap;

/// Gives the declarations of operations the attributes that DXC gives them.
///
/// # Errors
///
/// If there are more attribute sets than ids.
pub(super) fn set(shader: &mut Shader) -> Result<()> {
    let mut sets: HashMap<Option<u64>, u32> = HashMap::default();
    let module = &mut shader.module;
    for id in module.functions.keys() {
        let Some(Callee::DxOp(_)) = shader.callees.get(id) else {
            continue;
        };
        // The operations of a class do the same to memory.
        let mut all = Opcode::ALL.iter();
        let decl = module.functions.get(id);
        let opcode = decl.and_then(|decl| all.find(|op| op.is_called_by(&decl.name)));
        let memory = opcode.and_then(|op| op.properties().memory.attribute());
        let set = match sets.get(&memory) {
            Some(set) => *set,
            None => {
                let numbers: Vec<u64> = [Attribute::NO_UNWIND].into_iter().chain(memory).collect();
                let set = module.push_function_attributes(&numbers);
                let set = set.ok_or_else(|| Error::malformed("too many attributes"))?;
                sets.insert(memory, set);
                set
            }
        };
        if let Some(decl) = module.functions.get_mut(id) {
            decl.attributes = set;
        }
    }
    Ok(())
}
