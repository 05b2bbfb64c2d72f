//! The hit objects of a function: where they are made and used.

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{Role, decode_opcode, op_arguments};
use dxil_frontend::ir::{BlockId, FuncView, Inst, Type, TypeId, ValueId};
use rustc_hash::FxHashMap;

use crate::{Error, Result};

/// Name of the type of hit objects.
const TYPE: &str = "dx.types.HitObject";

/// Returns whether values of the type are hit objects.
fn is_hit_object(view: FuncView<'_>, ty: TypeId) -> bool {
    matches!(view.module.types.get(ty), Type::Struct { name: Some(name), .. } if &**name == TYPE)
}

/// The point where a value is defined: a phi's is the beginning of its block, before instruction 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProgramPoint {
    pub(super) block: BlockId,
    /// Number of the instruction in its block, from 1.
    pub(super) at: usize,
}

/// A hit object.
pub(super) struct Object {
    pub(super) value: ValueId,
    pub(super) made: ProgramPoint,
    /// Values that it is or was.
    pub(super) from: Vec<ValueId>,
    pub(super) from_query: bool,
    pub(super) used: Vec<ProgramPoint>,
    /// Blocks at whose end a phi takes it.
    pub(super) taken: Vec<BlockId>,
}

/// Returns all hit objects of the function, with their uses.
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
