//! Names of resources, and what else RDEF says of them: DXBC has them in RDEF, DXIL in its
//! metadata.

use super::layouts;
use crate::FourCc;
use crate::container::{Container, ResourceDefinitions};
use crate::dxil::{ResourceClass, Shader};
use crate::error::Result;
use crate::tables::HashMap;

/// Names the resources, and gives buffers the types that RDEF has. Other types are left to the
/// writer of metadata.
///
/// # Errors
///
/// If RDEF is malformed.
pub(super) fn set(shader: &mut Shader, container: &Container<'_>) -> Result<()> {
    let definitions = container.part(FourCc::RDEF);
    let definitions = definitions.map(ResourceDefinitions::parse).transpose()?;
    let mut names: HashMap<(char, u32, u32), &str> = HashMap::default();
    for binding in definitions.iter().flat_map(|all| &all.bindings) {
        let place = (binding.letter(), binding.space, binding.register);
        // Two bindings of one register are the same resource.
        names.entry(place).or_insert(binding.name);
    }
    for resource in shader.resources.iter_mut() {
        let place = (
            resource.class.letter(),
            resource.space,
            resource.lower_bound,
        );
        let class = match resource.class {
            ResourceClass::Srv => "T",
            ResourceClass::Uav => "U",
            ResourceClass::Cbv => "CB",
            ResourceClass::Sampler => "S",
        };
        resource.name = match names.get(&place) {
            Some(name) => (*name).into(),
            None => format!("{class}{}", resource.id).into(),
        };
        // Conversion has no types for resources.
        (resource.variable, resource.ty) = (None, None);
    }
    if let Some(definitions) = &definitions {
        layouts::set(shader, definitions);
    }
    Ok(())
}
