//! METADATA and METADATA_ATTACHMENT blocks.

use super::numbers::{LocalNumbers, Numbers, dangling};
use crate::bitcode::abbrev::AbbrevOp::{self, Array, Literal, Scalar, Vbr6};
use crate::bitcode::abbrev::ScalarEncoding::{Fixed, Vbr};
use crate::bitcode::bit_writer::BitWriter;
use crate::bitcode::block_ids::{METADATA_ATTACHMENT_BLOCK, METADATA_BLOCK};
use crate::bitcode::metadata as code;
use crate::error::Result;
use crate::ir::{FuncView, Function, MdNode, Module, ValueDef};

const STRING_ABBREV: [AbbrevOp; 2] = [Literal(code::STRING), Array(Fixed(8))];
const NAME_ABBREV: [AbbrevOp; 2] = [Literal(code::NAME), Array(Fixed(8))];
const LOCATION_ABBREV: [AbbrevOp; 6] = [
    Literal(code::LOCATION),
    Scalar(Fixed(1)),
    Vbr6,
    Scalar(Vbr(8)),
    Vbr6,
    Vbr6,
];

/// Writes nodes and lists of the module, and the names of kinds.
pub(super) fn write_module(out: &mut BitWriter, module: &Module, numbers: &Numbers) -> Result<()> {
    let metadata = &module.metadata;
    if numbers.node_count > 0 || !metadata.named.is_empty() {
        out.enter(METADATA_BLOCK, 3);
        write_nodes(out, module, numbers)?;
        out.leave();
    }
    if !metadata.kinds.is_empty() {
        out.enter(METADATA_BLOCK, 3);
        for kind in &metadata.kinds {
            let mut record = vec![u64::from(kind.id)];
            record.extend(
                metadata
                    .bytes(kind.start, kind.len)
                    .unwrap_or_default()
                    .iter()
                    .copied()
                    .map(u64::from),
            );
            out.record(code::KIND, record);
        }
        out.leave();
    }
    Ok(())
}

fn write_nodes(out: &mut BitWriter, module: &Module, numbers: &Numbers) -> Result<()> {
    let metadata = &module.metadata;
    let has = |wanted: fn(&MdNode) -> bool| metadata.nodes.values().any(wanted);
    let is_location = |node: &MdNode| {
        matches!(
            node,
            MdNode::Debug {
                code: code::LOCATION,
                ..
            }
        )
    };
    // Abbreviations have the ids from 4 on, in the order of their definitions.
    let mut next = 4;
    let mut define = |ops: &[AbbrevOp], is_needed: bool| {
        if is_needed {
            out.define(ops);
            next += 1;
        }
        next - 1
    };
    let string = define(
        &STRING_ABBREV,
        has(|node| matches!(node, MdNode::String { .. })),
    );
    let location = define(&LOCATION_ABBREV, has(is_location));
    let name = define(&NAME_ABBREV, !metadata.named.is_empty());
    let mut record = Vec::new();
    for (id, node) in &metadata.nodes {
        record.clear();
        match node {
            // Nodes of functions come with these.
            _ if numbers.node(id).is_err() => {}
            MdNode::String { start, len } => {
                let bytes = metadata.bytes(*start, *len);
                record.extend(bytes.unwrap_or_default().iter().copied().map(u64::from));
                out.abbreviated(string, &STRING_ABBREV, code::STRING, &record);
            }
            MdNode::Value(value) => {
                let data = module.values.get(value.as_u32() as usize);
                let ty = data.ok_or_else(|| dangling("a value"))?.ty;
                let number = numbers.module_value(*value)?;
                out.record(code::VALUE, [u64::from(ty.as_u32()), u64::from(number)]);
            }
            MdNode::Tuple { distinct, .. } => {
                for operand in metadata.tuple(id).ok_or_else(|| dangling("operands"))? {
                    record.push(numbers.optional_node(*operand)?);
                }
                let code = if *distinct {
                    code::DISTINCT_NODE
                } else {
                    code::NODE
                };
                out.record(code, &record);
            }
            MdNode::Debug { code, record } if *code == code::LOCATION => {
                out.abbreviated(location, &LOCATION_ABBREV, *code, record);
            }
            MdNode::Debug { code, record } => out.record(*code, record),
        }
    }
    for named in &metadata.named {
        record.clear();
        let bytes = metadata.bytes(named.name_start, named.name_len);
        record.extend(bytes.unwrap_or_default().iter().copied().map(u64::from));
        out.abbreviated(name, &NAME_ABBREV, code::NAME, &record);
        record.clear();
        for node in metadata.nodes_of(named) {
            record.push(u64::from(numbers.node(node)?));
        }
        out.record(code::NAMED_NODE, &record);
    }
    Ok(())
}

/// Writes the nodes that stand for values of a function.
pub(super) fn write_function(
    out: &mut BitWriter,
    view: FuncView<'_>,
    numbers: &LocalNumbers<'_>,
) -> Result<()> {
    if numbers.nodes.is_empty() {
        return Ok(());
    }
    out.enter(METADATA_BLOCK, 3);
    for node in &numbers.nodes {
        let value = view.module.metadata.value(*node);
        let value = value.ok_or_else(|| dangling("a value"))?;
        let data = view.value(value).ok_or_else(|| dangling("a value"))?;
        let number = match data.def {
            ValueDef::Metadata(_) => return Err(dangling("a value")),
            _ => numbers.value(value)?,
        };
        out.record(
            code::VALUE,
            [u64::from(data.ty.as_u32()), u64::from(number)],
        );
    }
    out.leave();
    Ok(())
}

/// Writes what is attached to a function and its instructions.
pub(super) fn write_attachments(
    out: &mut BitWriter,
    function: &Function,
    numbers: &LocalNumbers<'_>,
) -> Result<()> {
    if function.attachments.is_empty() && function.function_attachments.is_empty() {
        return Ok(());
    }
    out.enter(METADATA_ATTACHMENT_BLOCK, 3);
    let mut record = Vec::new();
    for (kind, node) in &function.function_attachments {
        record.extend([u64::from(*kind), u64::from(numbers.node(*node)?)]);
    }
    if !record.is_empty() {
        out.record(code::ATTACHMENT, &record);
    }
    // Instructions count in the order in which they are written.
    let mut number = 0;
    for block in function.blocks.keys() {
        for inst in function.block_insts(block) {
            let first = function.attachments.partition_point(|(at, ..)| *at < inst);
            let attached = function.attachments.get(first..).unwrap_or_default();
            record.clear();
            record.push(number);
            number += 1;
            for (_, kind, node) in attached.iter().take_while(|(at, ..)| *at == inst) {
                record.extend([u64::from(*kind), u64::from(numbers.node(*node)?)]);
            }
            if record.len() > 1 {
                out.record(code::ATTACHMENT, &record);
            }
        }
    }
    out.leave();
    Ok(())
}
