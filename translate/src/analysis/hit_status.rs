//! The points where a shader knows that a ray query has a hit.
//!
//! The properties of the instance that was hit are undefined values in D3D12 as long as there is no
//! hit (DirectX Raytracing specification, "RayQuery intrinsics"), and shaders read them: HLSL
//! before 2021 evaluates both sides of `?:`. In SPIR-V the instruction itself has undefined
//! behaviour then (`SPV_KHR_ray_query`), and drivers read through a pointer that was never set. So
//! the code of an accessor that no branch on the committed status leads to checks the status
//! itself, and gives 0 without a hit.

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{OpFlags, Opcode, decode_opcode, op_arguments};
use dxil_frontend::ir::{BlockId, FuncView, Inst, InstId, ValueId};
use dxil_frontend::tables::HashSet;

use crate::Result;
use crate::cfg::{Cfg, CfgNodeId, Dominators, Exit, unrotate_loops};
use crate::structurize::Operand;

/// Passes over the instructions that look for values made of the status; one is enough without
/// loops.
const PASSES: u32 = 4;

/// Returns the accessors of a function that no branch on a committed status leads to, sorted.
pub(super) fn unasked(shader: &Shader, view: FuncView<'_>) -> Result<Vec<InstId>> {
    let function = view.function;
    let (mut accessors, mut statuses) = (Vec::new(), HashSet::default());
    for (inst, data) in function.insts.iter() {
        let Some(args) = op_arguments(view, &shader.callees, &data.inst) else {
            continue;
        };
        let opcode = decode_opcode(view, args)?;
        if opcode == Opcode::RayQueryCommittedStatus {
            statuses.extend(data.result.expand());
        } else if opcode.flags().contains(OpFlags::HIT_INSTANCE) {
            accessors.push(inst);
        }
    }
    if accessors.is_empty() || statuses.is_empty() {
        return Ok(accessors);
    }
    spread(view, &mut statuses);
    let mut graph = Cfg::build(view)?;
    unrotate_loops(&mut graph, view);
    for block in asked_blocks(&graph, &statuses) {
        if let Some(block) = function.blocks.get(block) {
            accessors.retain(|inst| !(block.first..block.end).contains(inst));
        }
    }
    Ok(accessors)
}

/// Adds what is computed from the values.
fn spread(view: FuncView<'_>, values: &mut HashSet<ValueId>) {
    for _ in 0..PASSES {
        let before = values.len();
        for data in view.function.insts.values() {
            let Some(result) = data.result.expand() else {
                continue;
            };
            let mut follows = false;
            match data.inst {
                Inst::Phi { incoming } => {
                    let mut edges = view.function.edges_of(incoming).iter();
                    follows = edges.any(|(value, _)| values.contains(value));
                }
                Inst::Binary { .. }
                | Inst::Cmp { .. }
                | Inst::Cast { .. }
                | Inst::Select { .. } => {
                    view.function
                        .for_each_operand(&data.inst, |value| follows |= values.contains(&value));
                }
                _ => {}
            }
            if follows {
                values.insert(result);
            }
        }
        if values.len() == before {
            return;
        }
    }
}

/// Returns the blocks that only one side of a branch on one of the values leads to.
fn asked_blocks(cfg: &Cfg, values: &HashSet<ValueId>) -> Vec<BlockId> {
    let dominators = Dominators::compute(cfg.nodes.len(), |node| {
        &*cfg.node(CfgNodeId(node)).predecessors
    });
    let decides = |node: CfgNodeId| {
        let condition = match cfg.node(node).exit {
            Exit::Branch { condition, .. } => condition,
            Exit::Switch { selector, .. } => selector,
            _ => return false,
        };
        matches!(condition, Operand::Value(value) if values.contains(&value))
    };
    // Reverse postorder: a node's dominator comes before it.
    let mut asked = vec![false; cfg.nodes.len()];
    let mut blocks = Vec::new();
    for id in cfg.ids() {
        let node = cfg.node(id);
        let own = match *node.predecessors {
            [only] => decides(only),
            _ => false,
        };
        let above = dominators.idom(id.0);
        let known = asked.get(above as usize).copied().unwrap_or(false);
        asked[id.index()] = own || known;
        if own || known {
            blocks.extend(node.source);
        }
    }
    blocks
}
