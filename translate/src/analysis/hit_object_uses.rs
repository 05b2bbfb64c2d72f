//! The hit objects of a function: where they are made and used.

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{Role, decode_opcode, op_arguments};
use dxil_frontend::ir::{BlockId, FuncView, Inst, Type, TypeId, ValueId};
use dxil_frontend::tables::HashMap;

use crate::pseudo::PseudoOp;
use crate::{Error, Result};

/// Name of the type of hit objects.
const TYPE: &str = "dx.types.HitObject";

/// Returns whether values of the type are hit objects.
fn is_hit_object(view: FuncView<'_>, ty: TypeId) -> bool {
    matches!(view.module.types.get(ty), Type::Struct { name: Some(name), .. } if &**name == TYPE)
}

/// The point where a value is defined: a phi's is the beginning of its block, before instruction 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProgramPoint {
    pub(crate) block: BlockId,
    /// Number of the instruction in its block, from 1.
    pub(crate) at: usize,
}

/// The origin of a hit object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An operation makes it.
    Made,
    /// An operation makes it of another object, which it changes.
    Changed,
    /// A phi or a selection: it is one of several objects.
    Chosen,
}

/// A hit object.
pub(crate) struct Object {
    pub(crate) value: ValueId,
    pub(crate) origin: Origin,
    pub(crate) made: ProgramPoint,
    /// Values that it is or was.
    pub(crate) from: Vec<ValueId>,
    pub(crate) from_query: bool,
    pub(crate) used: Vec<ProgramPoint>,
    /// Blocks at whose end a phi takes it.
    pub(crate) taken: Vec<BlockId>,
}

/// Returns whether a call only names an object of an array.
fn is_slot(view: FuncView<'_>, callee: ValueId) -> bool {
    let function = view.as_function(callee);
    let decl = function.and_then(|function| view.module.functions.get(function));
    decl.is_some_and(|decl| PseudoOp::named(&decl.name) == Some(PseudoOp::HitObjectSlot))
}

/// Returns all hit objects of the function, with their uses. Those in arrays are not among them.
pub(super) fn hit_objects(shader: &Shader, view: FuncView<'_>) -> Result<Vec<Object>> {
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
            if let Inst::Call { callee, .. } = data.inst
                && is_slot(view, callee)
            {
                continue;
            }
            let mut object = Object {
                value,
                origin: Origin::Made,
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
                    object.origin = Origin::Chosen;
                    object.made.at = 0;
                    let edges = function.edges_of(incoming);
                    object.from = edges.iter().map(|&(value, _)| value).collect();
                }
                Inst::Select {
                    if_true, if_false, ..
                } => {
                    object.origin = Origin::Chosen;
                    object.from = vec![if_true, if_false];
                }
                _ => {
                    let Some(args) = op_arguments(view, &shader.callees, &data.inst) else {
                        return Err(Error::unsupported("hit objects in memory and as arguments"));
                    };
                    let row = decode_opcode(view, args)?.properties();
                    object.from_query = row.takes(Role::RayQuery);
                    // What changes a hit object takes it first.
                    if row.takes(Role::HitObject) {
                        object.origin = Origin::Changed;
                        object.from = args.get(1).copied().into_iter().collect();
                    }
                }
            }
            objects.push(object);
        }
    }
    let index: HashMap<ValueId, usize> = objects
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
