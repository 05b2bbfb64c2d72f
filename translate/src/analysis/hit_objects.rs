//! The assignment of hit objects to variables.
//!
//! DXIL's hit objects are values; SPIR-V's are variables that can neither be loaded nor stored. So
//! all values that flow into each other (phis, and a new index in a shader table) share one
//! variable, which each operation that makes such a value writes:
//!
//! ```text
//! h1 = TraceRay        h2 = MakeMiss          v := trace            v := miss
//!        \               /                        \                 /
//!         h3 = phi h1, h2                                (v)
//!         h4 = SetShaderTableIndex h3, i              v.index := i
//! ```
//!
//! That is right as long as no value is needed after another one of its variable was made; liveness
//! tells. Where it is not right, the values of the class live in slots of an array
//! ([`crate::hit_objects`]).

use dxil_frontend::dxil::Shader;
use dxil_frontend::ir::{FuncView, Inst, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};
use petgraph::unionfind::UnionFind;

pub(crate) use super::hit_object_lives::{Lives, alive_behind};
pub(crate) use super::hit_object_uses::{Object, Origin};
use super::{hit_object_lives, hit_object_uses};
use crate::Result;

/// The use of a variable.
#[derive(Debug, Clone, Default)]
pub(crate) struct HitObjectVariable {
    /// Some value comes from a ray query, and has no record in a shader table at first.
    pub(crate) from_query: bool,
}

/// The variables of a function's hit objects.
#[derive(Debug, Default)]
pub(crate) struct Assignment {
    /// Variable of each value.
    pub(crate) of: HashMap<ValueId, usize>,
    /// The variables.
    pub(crate) variables: Vec<HitObjectVariable>,
}

/// The hit objects of a function, in classes of values that flow into each other.
pub(crate) struct Classes {
    pub(crate) objects: Vec<Object>,
    /// The class of each object.
    pub(crate) class: Vec<usize>,
}

/// Returns whether the module has operations on hit objects.
pub(crate) fn has_operations(shader: &Shader) -> bool {
    let makes = |name: &str| name.starts_with("dx.op.hitObject_");
    let mut functions = shader.module.functions.values();
    functions.any(|function| makes(&function.name))
}

/// Returns the hit objects of a function by class.
///
/// # Errors
///
/// `Unsupported` for hit objects in memory and in calls.
pub(crate) fn classes(shader: &Shader, view: FuncView<'_>) -> Result<Classes> {
    let objects = hit_object_uses::hit_objects(shader, view)?;
    let index: HashMap<ValueId, usize> = objects
        .iter()
        .enumerate()
        .map(|(index, object)| (object.value, index))
        .collect();
    // Values that flow into each other get one class.
    let mut sets = UnionFind::new(objects.len());
    for (own, object) in objects.iter().enumerate() {
        for from in &object.from {
            if let Some(&from) = index.get(from) {
                sets.union(own, from);
            }
        }
    }
    let class: Vec<usize> = sets.into_labeling();
    Ok(Classes { objects, class })
}

impl Classes {
    /// Returns the classes whose values cannot share a variable: two are needed at once, or a
    /// selection chooses between them.
    ///
    /// # Errors
    ///
    /// `TooComplex` where too many are alive over too many blocks.
    pub(crate) fn without_variable(&self, view: FuncView<'_>) -> Result<HashSet<usize>> {
        let mut found = hit_object_lives::conflicts(view, &self.objects, &self.class)?;
        let selected: HashSet<ValueId> = (view.function.insts.values())
            .filter(|data| matches!(data.inst, Inst::Select { .. }))
            .filter_map(|data| data.result.expand())
            .collect();
        for (object, &class) in self.objects.iter().zip(&self.class) {
            if selected.contains(&object.value) {
                found.insert(class);
            }
        }
        Ok(found)
    }
}

/// Assigns variables to the hit objects of a function, except those in slots.
///
/// # Errors
///
/// `Unsupported` for hit objects in memory and in calls.
pub(crate) fn assign(shader: &Shader, view: FuncView<'_>) -> Result<Assignment> {
    if !has_operations(shader) {
        return Ok(Assignment::default());
    }
    let Classes { objects, class } = classes(shader, view)?;
    let mut assignment = Assignment::default();
    let mut numbers: HashMap<usize, usize> = HashMap::default();
    for (object, &class) in objects.iter().zip(&class) {
        let variables = &mut assignment.variables;
        let number = *numbers.entry(class).or_insert_with(|| {
            variables.push(HitObjectVariable::default());
            variables.len() - 1
        });
        assignment.of.insert(object.value, number);
        variables[number].from_query |= object.from_query;
    }
    Ok(assignment)
}
