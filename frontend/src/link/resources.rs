//! Resources of linked libraries: one list, and registers for those that have none.

use cranelift_entity::EntityRef;

use super::free_registers::FreeRegisters;
use super::ids::{Ids, number};
use crate::dxil::{Resource, ResourceClass, Resources, Shader};
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{Constant, ConstantExpr, Module, TypeId, ValueDef, ValueId};
use crate::tables::{HashMap, HashSet};

/// Register and space of a resource whose binding the source leaves open.
const OPEN: u32 = u32::MAX;

/// A resource's variable in the linked module.
struct ResourceVariable {
    resource: Resource,
    value: ValueId,
}

/// The resources that have variables, as far as they are known.
#[derive(Default)]
pub(super) struct DeclaredResources {
    variables: Vec<ResourceVariable>,
    names: HashMap<Box<str>, usize>,
}

/// Returns the resources of a library by their variables.
pub(super) fn by_variable(shader: &Shader) -> HashMap<ValueId, &Resource> {
    let resources = shader.resources.iter();
    let named = resources.filter_map(|resource| {
        let variable = behind_casts(&shader.module, resource.variable?)?;
        Some((variable, resource))
    });
    named.collect()
}

/// Returns the variable that a declaration names, perhaps as a pointer to another type.
fn behind_casts(module: &Module, mut value: ValueId) -> Option<ValueId> {
    // Casts of constants nest; DXC writes one.
    for _ in 0..4 {
        match module.values.get(value.index())?.def {
            ValueDef::Global(_) => return Some(value),
            ValueDef::Constant(Constant::Expr(ConstantExpr::Cast { value: inner, .. })) => {
                value = inner;
            }
            _ => return None,
        }
    }
    None
}

impl DeclaredResources {
    /// Returns the variable of that resource, if another library has declared it; it has to be the
    /// same resource.
    pub(super) fn find(
        &mut self,
        name: &str,
        resource: &Resource,
        ty: Option<TypeId>,
    ) -> Result<Option<ValueId>> {
        // By name, because that is all that two libraries have in common: range ids are per module.
        let known = self.names.get(name).copied();
        let Some(known) = known.and_then(|index| self.variables.get_mut(index)) else {
            return Ok(None);
        };
        let other = &mut known.resource;
        let problem = if other.class != resource.class || other.kind != resource.kind {
            Some("libraries declare it as resources of different kinds")
        } else if other.ty != ty || other.detail != resource.detail {
            Some("libraries declare it as resources of different types")
        } else if other.count != resource.count {
            Some("libraries declare it as arrays of different lengths")
        // One library may leave the register open that another one states.
        } else if is_open(other) {
            other.space = resource.space;
            other.lower_bound = resource.lower_bound;
            None
        } else if !is_open(resource)
            && (other.space, other.lower_bound) != (resource.space, resource.lower_bound)
        {
            Some("libraries bind it to different registers")
        } else {
            None
        };
        match problem {
            None => Ok(Some(known.value)),
            Some(problem) => Err(Error::new(ErrorKind::Conflict {
                name: super::search::shown(name),
                problem,
            })),
        }
    }

    /// Adds a resource that is declared for the first time.
    pub(super) fn add(
        &mut self,
        name: &str,
        resource: &Resource,
        ty: Option<TypeId>,
        value: ValueId,
    ) -> Result<()> {
        self.names.insert(name.into(), self.variables.len());
        self.variables.push(ResourceVariable {
            resource: Resource {
                ty,
                ..resource.clone()
            },
            value,
        });
        Ok(())
    }

    /// Returns all resources: the first shader's under their numbers, then those of other
    /// libraries.
    pub(super) fn finish(&self, first: &Shader, ids: &Ids) -> Result<Resources> {
        let mut all = Resources::default();
        let known: HashMap<ValueId, &ResourceVariable> = self
            .variables
            .iter()
            .map(|known| (known.value, known))
            .collect();
        // Another library may say the register of a resource of the first shader.
        let named: HashMap<(ResourceClass, u32), &ResourceVariable> = by_variable(first)
            .into_iter()
            .filter_map(|(value, resource)| {
                let value = ids.value(value).ok()?;
                Some(((resource.class, resource.id), *known.get(&value)?))
            })
            .collect();
        let mut taken: HashSet<ValueId> = HashSet::default();
        for resource in first.resources.iter() {
            let mut resource = resource.clone();
            let variable = resource.variable.and_then(|value| ids.value(value).ok());
            if let Some(known) = named.get(&(resource.class, resource.id)) {
                taken.insert(known.value);
                resource.space = known.resource.space;
                resource.lower_bound = known.resource.lower_bound;
            }
            resource.ty = resource.ty.map(|ty| ids.ty(ty)).transpose()?;
            resource.variable = variable;
            list(&mut all, resource.class).push(resource);
        }
        // After the first shader's ids, which its code already names.
        let mut next_id: HashMap<ResourceClass, usize> = HashMap::default();
        for resource in all.iter() {
            let next = next_id.entry(resource.class).or_default();
            *next = (*next).max(resource.id as usize + 1);
        }
        for variable in &self.variables {
            if taken.contains(&variable.value) {
                continue;
            }
            let mut resource = variable.resource.clone();
            let next = next_id.entry(resource.class).or_default();
            resource.id = number(*next)?;
            *next += 1;
            resource.variable = Some(variable.value);
            list(&mut all, resource.class).push(resource);
        }
        for class in [
            ResourceClass::Srv,
            ResourceClass::Uav,
            ResourceClass::Cbv,
            ResourceClass::Sampler,
        ] {
            give_registers(list(&mut all, class));
        }
        Ok(all)
    }
}

fn list(resources: &mut Resources, class: ResourceClass) -> &mut Vec<Resource> {
    match class {
        ResourceClass::Srv => &mut resources.srvs,
        ResourceClass::Uav => &mut resources.uavs,
        ResourceClass::Cbv => &mut resources.cbvs,
        ResourceClass::Sampler => &mut resources.samplers,
    }
}

/// Returns whether the source leaves open where a resource is bound.
fn is_open(resource: &Resource) -> bool {
    resource.space == OPEN && resource.lower_bound == OPEN
}

/// Gives registers of space 0 to the resources of one class that have none: each the first ones
/// that are free.
fn give_registers(resources: &mut [Resource]) {
    const SPACE: u32 = 0;
    let span = |resource: &Resource| {
        let first = u64::from(resource.lower_bound);
        let end = resource.count.map(|count| first + u64::from(count));
        (first, end.unwrap_or(u64::from(u32::MAX) + 1))
    };
    let bound = resources.iter();
    let bound = bound.filter(|resource| !is_open(resource) && resource.space == SPACE);
    // 64 bits, since the end of an unbounded range lies beyond the last register.
    let mut free = FreeRegisters::between(bound.map(span).collect());
    for resource in resources.iter_mut().filter(|resource| is_open(resource)) {
        if let Some(register) = free.take(resource.count) {
            resource.space = SPACE;
            resource.lower_bound = register;
        }
    }
}
