//! `[unroll]` and `[loop]`: hints on the branches that close loops (LLVM language reference,
//! "llvm.loop").

use cranelift_entity::EntityRef;

use crate::dxil::{Hints, Shader};
use crate::error::{Error, Result};
use crate::ir::dominance::Predecessors;
use crate::ir::{BlockId, Function, InstId, MdId, MdNode, Metadata, MetadataKind};

/// Gives all loops that have no hint one: to be unrolled, or to stay loops.
///
/// # Errors
///
/// If there are more metadata nodes than ids.
pub(super) fn run(shader: &mut Shader, unroll: bool) -> Result<()> {
    let mut places: Vec<(usize, InstId)> = Vec::new();
    for (index, body) in shader.module.bodies.iter().enumerate() {
        for inst in back_branches(body) {
            let known = shader.hints.loop_hint(&shader.module, body, inst);
            if known.is_none() {
                places.push((index, inst));
            }
        }
    }
    if places.is_empty() {
        return Ok(());
    }
    let kind = kind(&mut shader.module.metadata)?;
    for (index, inst) in places {
        let node = node(&mut shader.module.metadata, unroll)?;
        if let Some(body) = shader.module.bodies.get_mut(index) {
            let at = body.attachments.partition_point(|(at, ..)| *at <= inst);
            body.attachments.insert(at, (inst, kind, node));
        }
    }
    shader.hints = Hints::new(&shader.module);
    Ok(())
}

/// Returns the branches that close loops: to a block that dominates their own.
fn back_branches(body: &Function) -> Vec<InstId> {
    let predecessors = Predecessors::new(body);
    let dominators = predecessors.dominators();
    let mut found = Vec::new();
    for block in body.blocks.keys() {
        let mut closes = false;
        body.for_each_successor(block, |to: BlockId| {
            let is_reached =
                dominators.is_reachable(block.as_u32()) && dominators.is_reachable(to.as_u32());
            closes |= is_reached && dominators.dominates(to.as_u32(), block.as_u32());
        });
        if closes {
            found.extend(body.block_insts(block).next_back());
        }
    }
    found
}

/// Returns the number of `llvm.loop`.
fn kind(metadata: &mut Metadata) -> Result<u32> {
    /// The highest of the numbers that LLVM 3.7 gives its own kinds (`LLVMContext.cpp`).
    const LAST_FIXED: u32 = 13;
    if let Some(known) = metadata.kind("llvm.loop") {
        return Ok(known);
    }
    let last = metadata.kinds.iter().map(|kind| kind.id).max();
    let id = last.unwrap_or(0).max(LAST_FIXED) + 1;
    let (start, len) = text(metadata, "llvm.loop")?;
    metadata.kinds.push(MetadataKind { id, start, len });
    Ok(id)
}

fn place(len: usize) -> Result<u32> {
    u32::try_from(len).map_err(|_| Error::malformed("metadata of over 32 bits"))
}

fn text(metadata: &mut Metadata, text: &str) -> Result<(u32, u32)> {
    let start = place(metadata.strings.len())?;
    metadata.strings.extend_from_slice(text.as_bytes());
    Ok((start, place(text.len())?))
}

/// Adds the node of a loop, which names itself first so that no two loops share one.
fn node(metadata: &mut Metadata, unroll: bool) -> Result<MdId> {
    let name = if unroll {
        "llvm.loop.unroll.full"
    } else {
        "llvm.loop.unroll.disable"
    };
    let (start, len) = text(metadata, name)?;
    let name = metadata.nodes.push(MdNode::String { start, len });
    let start = place(metadata.operands.len())?;
    metadata.operands.push(Some(name));
    let property = metadata.nodes.push(MdNode::Tuple {
        distinct: false,
        start,
        len: 1,
    });
    let itself = MdId::new(metadata.nodes.len());
    let start = place(metadata.operands.len())?;
    metadata.operands.extend([Some(itself), Some(property)]);
    Ok(metadata.nodes.push(MdNode::Tuple {
        distinct: true,
        start,
        len: 2,
    }))
}
