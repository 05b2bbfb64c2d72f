//! Work graph nodes (validator 1.8).

use bitflags::bitflags;

use super::{IndexArrayRef, RdatRecord, RecordArrayRef, RecordReader, RecordRef, StringRef};
use crate::container::signature::numbered_enum;
use crate::dxil::ComponentType;
use crate::error::Result;

numbered_enum! {
    /// The launch mode of a node.
    #[allow(missing_docs, reason = "the work graph specification's own names")]
    NodeLaunch: u32 {
        Invalid = 0,
        Broadcasting = 1,
        Coalescing = 2,
        Thread = 3,
        Mesh = 4,
    }
}

/// Properties of a function that is a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeShader {
    /// Launch mode.
    pub launch: NodeLaunch,
    /// Bytes of groupshared memory.
    pub group_shared_bytes: u32,
    /// Its attributes in the source: id, thread group, grid, recursion depth.
    pub attributes: RecordArrayRef<NodeFunctionAttribute>,
    /// Its outputs, in the order of the parameters.
    pub outputs: RecordArrayRef<IoNode>,
    /// Its inputs; at most one.
    pub inputs: RecordArrayRef<IoNode>,
}

impl RdatRecord for NodeShader {
    const TABLE: u32 = 11;
    const NAME: &'static str = "node shader record";
    const MIN_BYTES: usize = 20;

    fn read(r: &mut RecordReader<'_>) -> Result<Self> {
        Ok(NodeShader {
            launch: NodeLaunch::from_number(r.u32()?),
            group_shared_bytes: r.u32()?,
            attributes: r.records()?,
            outputs: r.records()?,
            inputs: r.records()?,
        })
    }
}

/// Name and array index of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeIdRecord {
    /// Name.
    pub name: StringRef,
    /// Array index.
    pub index: u32,
}

impl RdatRecord for NodeIdRecord {
    const TABLE: u32 = 7;
    const NAME: &'static str = "node id record";
    const MIN_BYTES: usize = 8;

    fn read(r: &mut RecordReader<'_>) -> Result<Self> {
        Ok(NodeIdRecord {
            name: r.string()?,
            index: r.u32()?,
        })
    }
}

/// An attribute of a node function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeFunctionAttribute {
    /// Its id.
    Id(RecordRef<NodeIdRecord>),
    /// `[NumThreads]`: x, y, z; missing ones are 1.
    NumThreads(IndexArrayRef),
    /// `[NodeShareInputOf]`.
    ShareInputOf(RecordRef<NodeIdRecord>),
    /// `[NodeDispatchGrid]`: x, y, z.
    DispatchGrid(IndexArrayRef),
    /// `[NodeMaxRecursionDepth]`.
    MaxRecursionDepth(u32),
    /// `[NodeLocalRootArgumentsTableIndex]`.
    LocalRootArgumentsTableIndex(u32),
    /// `[NodeMaxDispatchGrid]`: x, y, z.
    MaxDispatchGrid(IndexArrayRef),
    /// A kind that is not known here.
    Other {
        /// Kind.
        kind: u32,
        /// Its value.
        value: u32,
    },
}

impl RdatRecord for NodeFunctionAttribute {
    const TABLE: u32 = 9;
    const NAME: &'static str = "node function attribute record";
    const MIN_BYTES: usize = 8;

    fn read(r: &mut RecordReader<'_>) -> Result<Self> {
        Ok(match r.u32()? {
            1 => NodeFunctionAttribute::Id(r.record()?),
            2 => NodeFunctionAttribute::NumThreads(r.indices()?),
            3 => NodeFunctionAttribute::ShareInputOf(r.record()?),
            4 => NodeFunctionAttribute::DispatchGrid(r.indices()?),
            5 => NodeFunctionAttribute::MaxRecursionDepth(r.u32()?),
            6 => NodeFunctionAttribute::LocalRootArgumentsTableIndex(r.u32()?),
            7 => NodeFunctionAttribute::MaxDispatchGrid(r.indices()?),
            kind => NodeFunctionAttribute::Other {
                kind,
                value: r.u32()?,
            },
        })
    }
}

bitflags! {
    /// Kind and flags of a node input or output. Unknown bits are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct NodeIoFlags: u32 {
        /// An input.
        const INPUT = 0x1;
        /// An output.
        const OUTPUT = 0x2;
        /// Records may be written.
        const READ_WRITE = 0x4;
        /// Records have no content.
        const EMPTY_RECORD = 0x8;
        /// An array of nodes.
        const NODE_ARRAY = 0x10;
        /// Records per thread.
        const THREAD_RECORD = 0x20;
        /// Records per group; with `THREAD_RECORD`: per dispatch.
        const GROUP_RECORD = 0x40;
        /// Sharing of inputs is tracked.
        const TRACK_RW_INPUT_SHARING = 0x100;
        /// `globallycoherent`.
        const GLOBALLY_COHERENT = 0x200;
    }
}

/// An input or output of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IoNode {
    /// Kind and flags.
    pub flags: NodeIoFlags,
    /// Its attributes in the source: target, maximum number of records, record size, array size.
    pub attributes: RecordArrayRef<NodeIoAttribute>,
}

impl RdatRecord for IoNode {
    const TABLE: u32 = 10;
    const NAME: &'static str = "node input/output record";
    const MIN_BYTES: usize = 8;

    fn read(r: &mut RecordReader<'_>) -> Result<Self> {
        Ok(IoNode {
            flags: NodeIoFlags::from_bits_retain(r.u32()?),
            attributes: r.records()?,
        })
    }
}

/// An attribute of a node input or output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeIoAttribute {
    /// Node that an output goes to.
    OutputId(RecordRef<NodeIdRecord>),
    /// `[MaxRecords]`.
    MaxRecords(u32),
    /// `[MaxRecordsSharedWith]`: index of the output it shares with.
    MaxRecordsSharedWith(u32),
    /// Bytes of a record.
    RecordBytes(u32),
    /// The position of `SV_DispatchGrid` in a record.
    RecordDispatchGrid {
        /// Byte offset in the record.
        offset: u16,
        /// Components, 1 to 3.
        components: u8,
        /// Their type.
        ty: ComponentType,
    },
    /// `[NodeArraySize]`.
    OutputArraySize(u32),
    /// `[AllowSparseNodes]`.
    AllowSparseNodes(bool),
    /// Alignment of a record in bytes.
    RecordAlignment(u32),
    /// A kind that is not known here.
    Other {
        /// Kind.
        kind: u32,
        /// Its value.
        value: u32,
    },
}

impl RdatRecord for NodeIoAttribute {
    const TABLE: u32 = 8;
    const NAME: &'static str = "node input/output attribute record";
    const MIN_BYTES: usize = 8;

    fn read(r: &mut RecordReader<'_>) -> Result<Self> {
        Ok(match r.u32()? {
            1 => NodeIoAttribute::OutputId(r.record()?),
            2 => NodeIoAttribute::MaxRecords(r.u32()?),
            3 => NodeIoAttribute::MaxRecordsSharedWith(r.u32()?),
            4 => NodeIoAttribute::RecordBytes(r.u32()?),
            5 => {
                let offset = r.u16()?;
                let packed = r.u16()?;
                let [low, ..] = packed.to_le_bytes();
                // Two bits of components, then the type.
                let ty = packed >> 2;
                NodeIoAttribute::RecordDispatchGrid {
                    offset,
                    components: low & 3,
                    ty: ComponentType::from_number(u64::from(ty))
                        .ok_or_else(|| r.bad("component type", u32::from(ty)))?,
                }
            }
            6 => NodeIoAttribute::OutputArraySize(r.u32()?),
            7 => NodeIoAttribute::AllowSparseNodes(r.u32()? != 0),
            8 => NodeIoAttribute::RecordAlignment(r.u32()?),
            kind => NodeIoAttribute::Other {
                kind,
                value: r.u32()?,
            },
        })
    }
}
