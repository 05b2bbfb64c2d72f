//! Nodes of a work graph: what `dx.entryPoints` says of them (tags 13 to 22 of an entry point's
//! properties; D3D12 Work Graphs specification, "DXIL Shader function attributes"; numbers as in
//! DXC's `DxilMetadataHelper.h`).

use super::metadata::{Meta, operand};
use super::{ComponentType, MeshOutputs};
use crate::container::rdat::{NodeIoFlags, NodeLaunch};
use crate::error::Result;
use crate::ir::MdId;

/// Tags of an entry point's properties.
pub(super) mod tag {
    pub(crate) const FIRST: u64 = LAUNCH_TYPE;
    pub(crate) const LAST: u64 = MAX_DISPATCH_GRID;
    pub(super) const LAUNCH_TYPE: u64 = 13;
    pub(super) const IS_PROGRAM_ENTRY: u64 = 14;
    pub(super) const ID: u64 = 15;
    pub(super) const LOCAL_ROOT_ARGUMENTS_TABLE_INDEX: u64 = 16;
    pub(super) const SHARE_INPUT_OF: u64 = 17;
    pub(super) const DISPATCH_GRID: u64 = 18;
    pub(super) const MAX_RECURSION_DEPTH: u64 = 19;
    pub(super) const INPUTS: u64 = 20;
    pub(super) const OUTPUTS: u64 = 21;
    pub(super) const MAX_DISPATCH_GRID: u64 = 22;
}

/// Tags of an input's or output's properties.
mod io_tag {
    pub(super) const OUTPUT_ID: u64 = 0;
    pub(super) const FLAGS: u64 = 1;
    pub(super) const RECORD_TYPE: u64 = 2;
    pub(super) const MAX_RECORDS: u64 = 3;
    pub(super) const MAX_RECORDS_SHARED_WITH: u64 = 4;
    pub(super) const OUTPUT_ARRAY_SIZE: u64 = 5;
    pub(super) const ALLOW_SPARSE_NODES: u64 = 6;
}

/// Tags of a record type's properties.
mod record_tag {
    pub(super) const SIZE: u64 = 0;
    pub(super) const DISPATCH_GRID: u64 = 1;
    pub(super) const ALIGNMENT: u64 = 2;
}

/// Names a node: `[NodeID(name, index)]`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NodeId {
    /// The name; without the attribute that of the function or, for an output, of the parameter.
    pub name: Box<str>,
    /// Place in an array of nodes.
    pub index: u32,
}

/// `SV_DispatchGrid` in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecordGrid {
    /// Bytes from the beginning of the record.
    pub offset: u32,
    /// `U16` or `U32`.
    pub component: ComponentType,
    /// Components, 1 to 3; the others are 1.
    pub components: u32,
}

/// An input or output of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeIo {
    /// Kind and flags.
    pub flags: NodeIoFlags,
    /// Bytes per record as the shader declares it; 0 for empty records.
    pub record_size: u32,
    /// Alignment of a record in bytes, if stated.
    pub record_alignment: Option<u32>,
    /// The field of the record that holds the number of launched groups.
    pub grid: Option<RecordGrid>,
    /// `[MaxRecords]`; default: 0.
    pub max_records: u32,
    /// `[MaxRecordsSharedWith]`: index of the output whose limit counts for this one too.
    pub shares_max_records_with: Option<u32>,
    /// The node that an output leads to.
    pub target: Option<NodeId>,
    /// Nodes in an array of outputs, `u32::MAX` for an unbounded one; 0 is not an array.
    pub array_size: u32,
    /// Not all nodes of the array need to be there.
    pub allows_sparse: bool,
}

impl NodeIo {
    /// Returns the number of bytes from record to record: with tracked sharing a counter stands
    /// after each.
    pub fn stride(&self) -> u32 {
        if self.flags.contains(NodeIoFlags::EMPTY_RECORD) {
            return 0;
        }
        record_stride(
            self.record_size,
            self.flags.contains(NodeIoFlags::TRACK_RW_INPUT_SHARING),
        )
    }
}

/// Returns the number of bytes from record to record for records of that size: tracked ones are
/// followed by a word.
pub fn record_stride(size: u32, is_tracked: bool) -> u32 {
    if is_tracked {
        (size.saturating_add(3) & !3).saturating_add(4)
    } else {
        size
    }
}

/// Properties of work graph nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The launch mode.
    pub launch: NodeLaunch,
    /// `[NodeIsProgramEntry]`: may be launched from the command list.
    pub is_program_entry: bool,
    /// Its name in the graph.
    pub id: NodeId,
    /// `[NodeLocalRootArgumentsTableIndex]`.
    pub local_root_arguments_table_index: Option<u32>,
    /// `[NodeShareInputOf]`.
    pub shares_input_of: Option<NodeId>,
    /// `[NodeDispatchGrid]`: groups per record.
    pub dispatch_grid: Option<[u32; 3]>,
    /// `[NodeMaxDispatchGrid]`: maximum number of groups per record; the record states the actual
    /// number.
    pub max_dispatch_grid: Option<[u32; 3]>,
    /// `[NodeMaxRecursionDepth]`; default: 0.
    pub max_recursion_depth: u32,
    /// The input; the language allows one.
    pub inputs: Vec<NodeIo>,
    /// Outputs, in the order that `createNodeOutputHandle` counts.
    pub outputs: Vec<NodeIo>,
    /// What a mesh node emits.
    pub mesh: Option<MeshOutputs>,
}

impl Node {
    pub(super) fn new() -> Self {
        Node {
            launch: NodeLaunch::Invalid,
            is_program_entry: false,
            id: NodeId {
                name: Box::default(),
                index: 0,
            },
            local_root_arguments_table_index: None,
            shares_input_of: None,
            dispatch_grid: None,
            max_dispatch_grid: None,
            max_recursion_depth: 0,
            inputs: Vec::new(),
            outputs: Vec::new(),
            mesh: None,
        }
    }

    /// Returns the input whose records the node is launched for, if it has one.
    pub fn input(&self) -> Option<&NodeIo> {
        self.inputs.first()
    }

    /// Returns the number of bytes from record to record of the input; 0 where there is nothing to
    /// read.
    pub fn input_stride(&self) -> u32 {
        self.input().map_or(0, NodeIo::stride)
    }

    /// Reads one property.
    pub(super) fn decode_property(
        &mut self,
        meta: &Meta<'_>,
        tag: u64,
        value: Option<MdId>,
    ) -> Result<()> {
        match tag {
            tag::LAUNCH_TYPE => {
                self.launch = NodeLaunch::from_number(meta.u32(value, "node launch type")?);
            }
            tag::IS_PROGRAM_ENTRY => {
                self.is_program_entry = meta.bool(value, "flag of a program entry")?;
            }
            tag::ID => self.id = decode_id(meta, value)?,
            tag::LOCAL_ROOT_ARGUMENTS_TABLE_INDEX => {
                // All bits set is "none"; the number is signed.
                let index = meta.int(value, "index of local root arguments")?;
                self.local_root_arguments_table_index =
                    u32::try_from(index).ok().filter(|&index| index != u32::MAX);
            }
            tag::SHARE_INPUT_OF => self.shares_input_of = Some(decode_id(meta, value)?),
            tag::DISPATCH_GRID => self.dispatch_grid = Some(decode_grid(meta, value)?),
            tag::MAX_DISPATCH_GRID => self.max_dispatch_grid = Some(decode_grid(meta, value)?),
            tag::MAX_RECURSION_DEPTH => {
                self.max_recursion_depth = meta.u32(value, "depth of recursion")?;
            }
            tag::INPUTS => self.inputs = decode_list(meta, value, "inputs of a node")?,
            tag::OUTPUTS => self.outputs = decode_list(meta, value, "outputs of a node")?,
            _ => {}
        }
        Ok(())
    }
}

fn decode_id(meta: &Meta<'_>, value: Option<MdId>) -> Result<NodeId> {
    let list = meta.tuple(value, "node id")?;
    Ok(NodeId {
        name: meta.text(operand(list, 0), "name of a node")?,
        index: meta.u32(operand(list, 1), "index of a node")?,
    })
}

fn decode_grid(meta: &Meta<'_>, value: Option<MdId>) -> Result<[u32; 3]> {
    let list = meta.tuple(value, "dispatch grid")?;
    let size = |index| meta.u32(operand(list, index), "dispatch grid");
    Ok([size(0)?, size(1)?, size(2)?])
}

fn decode_list(meta: &Meta<'_>, value: Option<MdId>, what: &str) -> Result<Vec<NodeIo>> {
    let list = meta.tuple_or_null(value, what)?;
    list.iter().map(|&node| decode_io(meta, node)).collect()
}

fn decode_io(meta: &Meta<'_>, node: Option<MdId>) -> Result<NodeIo> {
    let mut io = NodeIo {
        flags: NodeIoFlags::empty(),
        record_size: 0,
        record_alignment: None,
        grid: None,
        max_records: 0,
        shares_max_records_with: None,
        target: None,
        array_size: 0,
        allows_sparse: false,
    };
    for (tag, value) in meta.pairs(node, "input or output of a node")? {
        match meta.int(tag, "tag of a node's input or output")? {
            io_tag::OUTPUT_ID => io.target = Some(decode_id(meta, value)?),
            io_tag::FLAGS => {
                let bits = meta.u32(value, "flags of a node's input or output")?;
                io.flags = NodeIoFlags::from_bits_retain(bits);
            }
            io_tag::RECORD_TYPE => decode_record(meta, value, &mut io)?,
            io_tag::MAX_RECORDS => io.max_records = meta.u32(value, "most records")?,
            io_tag::MAX_RECORDS_SHARED_WITH => {
                let output = meta.int(value, "output with the same limit")?;
                // The number is a signed index; -1 means none.
                io.shares_max_records_with = u32::try_from(output).ok().filter(|&o| o < 1 << 31);
            }
            io_tag::OUTPUT_ARRAY_SIZE => {
                io.array_size = meta.u32(value, "size of an array of nodes")?;
            }
            io_tag::ALLOW_SPARSE_NODES => {
                io.allows_sparse = meta.bool(value, "flag of sparse nodes")?;
            }
            // What later versions may say more.
            _ => {}
        }
    }
    Ok(io)
}

fn decode_record(meta: &Meta<'_>, value: Option<MdId>, io: &mut NodeIo) -> Result<()> {
    for (tag, value) in meta.pairs(value, "type of a record")? {
        match meta.int(tag, "tag of a record's type")? {
            record_tag::SIZE => io.record_size = meta.u32(value, "size of a record")?,
            record_tag::DISPATCH_GRID => {
                let list = meta.tuple(value, "dispatch grid of a record")?;
                let component = meta.enumerator(
                    operand(list, 1),
                    "component type of a dispatch grid",
                    |number| {
                        ComponentType::from_number(number)
                            .filter(|ty| matches!(ty, ComponentType::U16 | ComponentType::U32))
                    },
                )?;
                io.grid = Some(RecordGrid {
                    offset: meta.u32(operand(list, 0), "offset of a dispatch grid")?,
                    component,
                    components: meta.enumerator(
                        operand(list, 2),
                        "components of a dispatch grid",
                        |n| u32::try_from(n).ok().filter(|n| (1..=3).contains(n)),
                    )?,
                });
            }
            record_tag::ALIGNMENT => {
                io.record_alignment = Some(meta.u32(value, "alignment of a record")?);
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_stands_behind_a_tracked_record() {
        assert_eq!(record_stride(12, false), 12);
        assert_eq!(record_stride(12, true), 16);
        // In the next whole word.
        assert_eq!(record_stride(6, true), 12);
        assert_eq!(record_stride(u32::MAX, true), u32::MAX);
    }
}
