//! Protocol between the nodes of a work graph and the layer or runtime that executes the graph.
//! Vulkan has no work graphs: a node becomes a compute shader (a mesh node a mesh shader), which
//! the layer dispatches for the records that were sent to it, level by level. The numbers are those
//! of the C interface for D3D12-on-Vulkan layers (`docs/capi.md`).
//!
//! # Inputs of a node
//!
//! 64 bytes of push constants. Eight-byte members are device addresses unless said otherwise:
//!
//! | member | byte | what |
//! |---:|---:|---|
//! | 0 | 0 | input records (program entries with indirect input: the address of that address) |
//! | 1 | 8 | a word: number of the first record of this dispatch |
//! | 2 | 16 | a word: number after the last record (coalescing and thread launch) |
//! | 3 | 24 | program entries: bytes from record to record, in the low word (indirect: address of that word); other nodes: a word per record, its byte offset |
//! | 4 | 32 | memory for output records |
//! | 5 | 40 | counters and commands, see below |
//! | 6 | 48 | arguments of the local root signature |
//! | 7 | 56 | word at which the commands begin, after the two counters |
//! | 8 | 60 | levels of recursion that are left |
//!
//! Specialization constants ([`spec_id`]) hold what is known when the graph is linked.
//!
//! # Records of a thread group
//!
//! Groups are numbered `y * 32768 + x`. A coalescing node takes up to `[MaxRecords]` records per
//! group, a thread node one per thread, a broadcasting node one per group: the groups along z, and
//! iterations of a loop in each, share the dispatch grid of the record. If the dispatch is the grid
//! of one record, there is no loop.
//!
//! A mesh node becomes a mesh shader, and a draw (`vkCmdDrawMeshTasksEXT`) is the dispatch grid of
//! one record. Where the target has shaderDrawParameters, draw number n of an indirect command
//! (`DrawIndex`) is that of record "first record" + n, so that one command draws all of them: its
//! arguments are the grids of the records, and where these begin with three words, the records
//! themselves. Otherwise each record takes a draw of its own. Thread groups have the declared size.
//! A mesh node sends no records.
//!
//! A tracked record (`[NodeTrackRWInputSharing]`) ends with a word in which the layer has written
//! how many groups share it ([`dxil_frontend::dxil::record_stride`]).
//!
//! # Outputs of a node
//!
//! Words at the address in member 5:
//!
//! - word 0: bytes of output records that are taken so far; word 1: commands that are written so
//!   far;
//! - word 2 + n: records for node number n so far;
//! - from word 2 + member 7 on, two words per command: `n << 8 | records - 1`, and the byte offset,
//!   in the memory for output records, of the first of these records, which lie one after the
//!   other. Empty records are only counted.

/// Push constants: input records.
pub const INPUT_BYTES: u32 = 0;
/// Push constants: where the number of the first record is.
pub const FIRST_RECORD: u32 = 1;
/// Push constants: where the number after the last record is.
pub const END_OF_RECORDS: u32 = 2;
/// Push constants: bytes from record to record, or their offsets.
pub const STRIDE_OR_OFFSETS: u32 = 3;
/// Push constants: memory for output records.
pub const OUTPUT_BYTES: u32 = 4;
/// Push constants: counters and commands.
pub const OUTPUT_COUNTERS: u32 = 5;
/// Push constants: arguments of the local root signature.
pub const LOCAL_ROOT: u32 = 6;
/// Push constants: word at which the commands begin.
pub const OUTPUT_OFFSET: u32 = 7;
/// Push constants: levels of recursion that are left.
pub const RECURSION_LEFT: u32 = 8;

/// Members of the push constants that have eight bytes; two words follow.
pub const ADDRESSES: u32 = 7;

/// Bytes of push constants.
pub const PUSH_BYTES: u32 = 64;

/// Groups along x of a dispatch that has several rows.
pub const GROUPS_PER_ROW: u32 = 32 * 1024;

/// The alignment of the records of a command, in bytes.
pub const ALLOCATION_ALIGNMENT: u32 = 16;

/// Ids of specialization constants. A module declares those that it uses.
pub mod spec_id {
    /// Threads per group: three ids. The layer chooses x for thread launch.
    pub const THREADS: u32 = 0;
    /// Boolean: the records come from the command list.
    pub const IS_PROGRAM_ENTRY: u32 = 3;
    /// Boolean: they and their stride are found behind an address.
    pub const IS_INDIRECT: u32 = 4;
    /// Boolean: the dispatch grid is in the record (broadcasting launch).
    pub const GRID_IS_IN_RECORD: u32 = 5;
    /// Boolean: the dispatch is the grid of one record (broadcasting launch).
    pub const DISPATCH_IS_GRID: u32 = 6;
    /// Groups per record: three ids (broadcasting launch).
    pub const GRID: u32 = 7;
    /// Number of the node that each output leads to, of the first one for an array; all bits set if
    /// it is missing.
    pub const FIRST_OUTPUT: u32 = 100;
    /// The specialization constants that say which nodes of a sparse output array are present, a
    /// bit per node in [`PRESENT_WORDS`] words; all bits are set by default. Nodes past these count
    /// as present. Layers that use the C interface do not set these constants.
    pub const FIRST_PRESENT: u32 = 0x1_0000;
    /// Words per output after [`FIRST_PRESENT`].
    pub const PRESENT_WORDS: u32 = 8;
}
