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
//! tells.

use dxil_frontend::dxil::Shader;
use dxil_frontend::ir::{FuncView, ValueId};
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;

use super::hit_object_lives;
use super::hit_object_uses::hit_objects;
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
    pub(crate) of: FxHashMap<ValueId, usize>,
    /// The variables.
    pub(crate) variables: Vec<HitObjectVariable>,
}

/// Assigns variables to the hit objects of a function.
///
/// # Errors
///
/// `Unsupported` for hit objects in memory, and where two that are needed at once would share a
/// variable.
pub(crate) fn assign(shader: &Shader, view: FuncView<'_>) -> Result<Assignment> {
    let makes = |name: &str| name.starts_with("dx.op.hitObject_");
    if !view.module.functions.values().any(|f| makes(&f.name)) {
        return Ok(Assignment::default());
    }
    let objects = hit_objects(shader, view)?;
    let mut assignment = Assignment::default();
    let index: FxHashMap<ValueId, usize> = objects
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
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    for (object, &class) in objects.iter().zip(&class) {
        let variables = &mut assignment.variables;
        let number = *numbers.entry(class).or_insert_with(|| {
            variables.push(HitObjectVariable::default());
            variables.len() - 1
        });
        assignment.of.insert(object.value, number);
        variables[number].from_query |= object.from_query;
    }
    hit_object_lives::check(view, &objects, &class)?;
    Ok(assignment)
}
