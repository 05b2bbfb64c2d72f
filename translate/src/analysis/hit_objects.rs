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
use rustc_hash::{FxHashMap, FxHashSet};

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
struct ProgramPoint {
    block: BlockId,
    /// Number of the instruction in its block, from 1.
    at: usize,
}

/// A hit object.
struct Object {
    value: ValueId,
    made: ProgramPoint,
    /// Values that it is or was.
    from: Vec<ValueId>,
    from_query: bool,
    used: Vec<ProgramPoint>,
    /// Blocks at whose end a phi takes it.
    taken: Vec<BlockId>,
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
    let mut class: Vec<usize> = (0..objects.len()).collect();
    let index: FxHashMap<ValueId, usize> = objects
        .iter()
        .enumerate()
        .map(|(index, object)| (object.value, index))
        .collect();
    // Values that flow into each other get one class.
    for (own, object) in objects.iter().enumerate() {
        for from in &object.from {
            if let Some(&from) = index.get(from) {
                let (a, b) = (class[own], class[from]);
                for one in &mut class {
                    if *one == a {
                        *one = b;
                    }
                }
            }
        }
    }
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
    check_lives(view, &objects, &class)?;
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

/// Checks that no hit object is needed after another one of its variable was made.
fn check_lives(view: FuncView<'_>, objects: &[Object], class: &[usize]) -> Result<()> {
    let shares = |index: usize| class.iter().filter(|&&other| other == class[index]).count() > 1;
    if !(0..objects.len()).any(shares) {
        return Ok(());
    }
    // Only now: in most shaders every hit object has a variable of its own.
    let predecessors = predecessors(view);
    for (index, object) in objects.iter().enumerate() {
        if !shares(index) {
            continue;
        }
        let life = Life::of(object, &predecessors);
        for (other, made) in objects.iter().enumerate() {
            if other != index && class[other] == class[index] && life.goes_on_behind(made.made) {
                return Err(Error::unsupported(
                    "a hit object that is used after another one replaced it in its variable",
                ));
            }
        }
    }
    Ok(())
}

fn predecessors(view: FuncView<'_>) -> FxHashMap<BlockId, Vec<BlockId>> {
    let mut found: FxHashMap<BlockId, Vec<BlockId>> = FxHashMap::default();
    for block in view.function.blocks.keys() {
        let mut add = |to: BlockId| found.entry(to).or_default().push(block);
        match *view.function.terminator(block) {
            Inst::Br { target } => add(target),
            Inst::CondBr {
                if_true, if_false, ..
            } => {
                add(if_true);
                add(if_false);
            }
            Inst::Switch { default, cases, .. } => {
                add(default);
                for &(_, target) in view.function.edges_of(cases) {
                    add(target);
                }
            }
            _ => {}
        }
    }
    found
}

/// Where a hit object is alive.
struct Life<'a> {
    object: &'a Object,
    at_start: FxHashSet<BlockId>,
    at_end: FxHashSet<BlockId>,
}

impl<'a> Life<'a> {
    fn of(object: &'a Object, predecessors: &FxHashMap<BlockId, Vec<BlockId>>) -> Self {
        let mut life = Life {
            object,
            at_start: FxHashSet::default(),
            at_end: FxHashSet::default(),
        };
        let home = object.made.block;
        // Blocks at whose beginning it is alive, and whose predecessors are still to be visited.
        let mut pending: Vec<BlockId> = object
            .used
            .iter()
            .map(|used| used.block)
            .filter(|&block| block != home)
            .collect();
        for &block in &object.taken {
            life.at_end.insert(block);
            if block != home {
                pending.push(block);
            }
        }
        // Every block is taken up once.
        while let Some(block) = pending.pop() {
            if !life.at_start.insert(block) {
                continue;
            }
            for &from in predecessors.get(&block).into_iter().flatten() {
                life.at_end.insert(from);
                if from != home {
                    pending.push(from);
                }
            }
        }
        life
    }

    /// Returns whether it is alive right behind a place.
    fn goes_on_behind(&self, place: ProgramPoint) -> bool {
        let made = self.object.made;
        let was_there = if made.block == place.block {
            made.at < place.at
        } else {
            self.at_start.contains(&place.block)
        };
        let mut used = self.object.used.iter();
        let is_needed = self.at_end.contains(&place.block)
            || used.any(|used| used.block == place.block && used.at > place.at);
        was_there && is_needed
    }
}
