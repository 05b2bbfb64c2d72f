//! Attributes of operations: what they do to memory. Without them a driver's optimizer takes each
//! call for one that may change everything.

use crate::dxil::Shader;
use crate::dxil::ops::{Callee, Memory, Opcode};
use crate::error::{Error, Result};
use crate::ir::{Attribute, AttributeGroup};
use crate::tables::HashMap;

/// Gives the declarations of operations the attributes that DXC gives them.
///
/// # Errors
///
/// If there are more attribute sets than ids.
pub(super) fn set(shader: &mut Shader) -> Result<()> {
    let mut sets: HashMap<Option<u64>, u32> = HashMap::default();
    let module = &mut shader.module;
    for (id, decl) in &mut module.functions {
        let Some(Callee::DxOp(_)) = shader.callees.get(id) else {
            continue;
        };
        // The operations of a class do the same to memory.
        let mut all = Opcode::ALL.iter();
        let opcode = all.find(|op| op.is_called_by(&decl.name));
        let memory = match opcode.map(|op| op.properties().memory) {
            Some(Memory::ReadNone) => Some(Attribute::READ_NONE),
            Some(Memory::ReadOnly) => Some(Attribute::READ_ONLY),
            Some(Memory::NoDuplicate) => Some(Attribute::NO_DUPLICATE),
            _ => None,
        };
        decl.attributes = match sets.get(&memory) {
            Some(set) => *set,
            None => {
                let numbers = [Some(Attribute::NO_UNWIND), memory];
                module.attribute_groups.push(AttributeGroup {
                    slot: AttributeGroup::FUNCTION,
                    attributes: numbers.into_iter().flatten().map(Attribute::Enum).collect(),
                });
                let group = u32::try_from(module.attribute_groups.len() - 1);
                let group = group.map_err(|_| Error::malformed("too many attributes"))?;
                module.attribute_sets.push(Box::new([group]));
                let set = u32::try_from(module.attribute_sets.len());
                let set = set.map_err(|_| Error::malformed("too many attributes"))?;
                sets.insert(memory, set);
                set
            }
        };
    }
    Ok(())
}
