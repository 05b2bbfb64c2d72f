//! Which variable a hit object lives in.
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
use dxil_frontend::dxil::ops::{Role, decode_opcode, op_arguments};
use dxil_frontend::ir::{BlockId, FuncView, Inst, Type, TypeId, ValueId};
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;

use super::hit_object_lives;
use crate::{Error, Result};

/// What one variable is for.
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

/// Name of the type of hit objects.
const TYPE: &str = "dx.types.HitObject";

/// Returns whether values of the type are hit objects.
pub(crate) fn is_hit_object(view: FuncView<'_>, ty: TypeId) -> bool {
    matches!(view.module.types.get(ty), Type::Struct { name: Some(name), .. } if &**name == TYPE)
}

/// Where a value is made: a phi at the beginning of its block, which is before instruction 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProgramPoint {
    pub(super) block: BlockId,
    /// Number of the instruction in its block, from 1.
    pub(super) at: usize,
}

/// A hit object.
pub(super) struct Object {
    value: ValueId,
    pub(super) made: ProgramPoint,
    /// Values that it is or was.
    from: Vec<ValueId>,
    from_query: bool,
    pub(super) used: Vec<ProgramPoint>,
    /// Blocks at whose end a phi takes it.
    pub(super) taken: Vec<BlockId>,
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

/// Returns all hit objects of the function, with their uses.
fn hit_objects(shader: &Shader, view: FuncView<'_>) -> Result<Vec<Object>> {
    let function = view.function;
    let mut objects: Vec<Object> = Vec::new();
    for block in function.blocks.keys() {
        for (number, inst) in function.block_insts(block).enumerate() {
            let Some(data) = function.insts.get(inst) else {
                continue;
            };
            let Some(value) = data.result.expand() else {
                continue;
            };
            if !is_hit_object(view, data.ty) {
                continue;
            }
            let mut object = Object {
                value,
                made: ProgramPoint {
                    block,
                    at: number + 1,
                },
                from: Vec::new(),
                from_query: false,
                used: Vec::new(),
                taken: Vec::new(),
            };
            match data.inst {
                Inst::Phi { incoming } => {
                    object.made.at = 0;
                    let edges = function.edges_of(incoming);
                    object.from = edges.iter().map(|&(value, _)| value).collect();
                }
                _ => {
                    let Some(args) = op_arguments(view, &shader.callees, &data.inst) else {
                        return Err(Error::unsupported(
                            "hit objects in memory, in selections and as arguments",
                        ));
                    };
                    let row = decode_opcode(view, args)?.properties();
                    object.from_query = row.takes(Role::RayQuery);
                    // What changes a hit object takes it first.
                    if row.takes(Role::HitObject) {
                        object.from = args.get(1).copied().into_iter().collect();
                    }
                }
            }
            objects.push(object);
        }
    }
    let index: FxHashMap<ValueId, usize> = objects
        .iter()
        .enumerate()
        .map(|(index, object)| (object.value, index))
        .collect();
    for block in function.blocks.keys() {
        for (number, inst) in function.block_insts(block).enumerate() {
            let Some(data) = function.insts.get(inst) else {
                continue;
            };
            if let Inst::Phi { incoming } = data.inst {
                for &(value, from) in function.edges_of(incoming) {
                    if let Some(&object) = index.get(&value) {
                        objects[object].taken.push(from);
                    }
                }
                continue;
            }
            let place = ProgramPoint {
                block,
                at: number + 1,
            };
            function.for_each_operand(&data.inst, |value| {
                if let Some(&object) = index.get(&value) {
                    objects[object].used.push(place);
                }
            });
        }
    }
    Ok(objects)
}
