//! The compact form of a function: what decoding makes and execution runs.

use std::ops::Range;

use dxil_frontend::dxil::ops::{
    AtomicOp, MatrixComponent, MatrixLayout, PackMode, QuadDirection, QuadVoteKind, UnpackMode,
    WaveMultiPrefixOp,
};
use dxil_frontend::dxil::{MatrixType, ResourceClass, ResourceKind, SamplerFeedbackKind};
use dxil_frontend::ir::{FuncId, InstId, MdId, ValueId};
use dxil_frontend::tables::HashMap;

use super::lane_ops::{LaneOp, RegisterKind};
use super::raster_code::RasterOp;
use super::record_layout::RecordScalar;
use super::scalar_type::ScalarType;
use crate::schedule::Reach;

/// A register of all lanes, with its kind.
///
/// While a function is being decoded, registers are numbered without end; allocation then gives
/// them their places. A register is local if nothing outside of its block reads it: lanes that are
/// switched off may then be overwritten.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RegisterSlot(u32);

impl RegisterSlot {
    const WIDE: u32 = 1 << 31;
    const LOCAL: u32 = 1 << 30;
    /// No register: an operand that is left out.
    pub(crate) const NONE: RegisterSlot = RegisterSlot(Self::LOCAL - 1);
    /// Maximum number of registers of a kind.
    pub(crate) const MAX: u32 = Self::LOCAL - 2;

    pub(crate) fn new(kind: RegisterKind, index: u32) -> RegisterSlot {
        let wide = if kind == RegisterKind::D {
            Self::WIDE
        } else {
            0
        };
        RegisterSlot(index & (Self::LOCAL - 1) | wide)
    }

    pub(crate) fn local(self) -> RegisterSlot {
        RegisterSlot(self.0 | Self::LOCAL)
    }

    /// Returns the slot of a result that nobody reads: no register, with a kind.
    pub(crate) fn unread(kind: RegisterKind) -> RegisterSlot {
        RegisterSlot::new(kind, Self::LOCAL - 1)
    }

    pub(crate) fn is_none(self) -> bool {
        self.0 & (Self::LOCAL - 1) == Self::LOCAL - 1
    }

    pub(crate) fn is_local(self) -> bool {
        self.0 & Self::LOCAL != 0
    }

    pub(crate) fn kind(self) -> RegisterKind {
        if self.0 & Self::WIDE != 0 {
            RegisterKind::D
        } else {
            RegisterKind::W
        }
    }

    pub(crate) fn index(self) -> usize {
        (self.0 & (Self::LOCAL - 1)) as usize
    }
}

impl std::fmt::Debug for RegisterSlot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_none() {
            return f.write_str("-");
        }
        write!(f, "{:?}{}", self.kind(), self.index())
    }
}

/// An instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Inst {
    /// Works on each lane by itself. Operands beyond the operation's own are
    /// [`RegisterSlot::NONE`].
    Lane {
        op: LaneOp,
        dst: RegisterSlot,
        args: [RegisterSlot; 3],
    },
    /// Anything else: an index into [`FunctionCode::complex`].
    Complex(u32),
}

/// An instruction that does more than compute.
#[derive(Debug, Clone)]
pub(crate) struct Complex {
    pub(crate) op: ComplexOp,
    pub(crate) dst: Box<[RegisterSlot]>,
    pub(crate) src: Box<[RegisterSlot]>,
}

impl Complex {
    /// Returns the register of an operand; none if it is left out.
    pub(crate) fn source(&self, index: usize) -> RegisterSlot {
        slot(&self.src, index)
    }

    /// Returns the register of a result; none if there are fewer.
    pub(crate) fn result(&self, index: usize) -> RegisterSlot {
        slot(&self.dst, index)
    }
}

/// Returns a register of a list; none if the list is shorter.
pub(crate) fn slot(slots: &[RegisterSlot], index: usize) -> RegisterSlot {
    slots.get(index).copied().unwrap_or(RegisterSlot::NONE)
}

/// The memory that a pointer refers to, as far as its type says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    /// Memory of a lane, or constants.
    Private,
    /// Memory of the group.
    Shared,
    /// Records of a work graph node; addresses count bytes.
    Record,
}

/// Marks an address of constants. An address counts words.
pub(crate) const CONSTANT_BIT: u32 = 1 << 31;

/// Maximum number of words of attributes in the memory of a lane:
/// D3D12_RAYTRACING_MAX_ATTRIBUTE_SIZE_IN_BYTES is 32, and components of 16 bits take a word each.
pub(crate) const MAX_ATTRIBUTE_WORDS: u32 = 16;
/// Bits of an output's number, plus one, in the handle of a node; an index is above them.
pub(crate) const OUTPUT_BITS: u32 = 6;
/// Handle of the input records; 0 is the null handle, and those of outputs come after.
pub(crate) const INPUT_RECORDS: u32 = 1;

/// Scalar of a memory access or of a texel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemoryScalar {
    F16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    /// Min-precision values, which are 32-bit values in the memory of buffers.
    MinFloat,
    MinInt,
    MinUint,
}

impl MemoryScalar {
    pub(crate) fn bytes(self) -> u32 {
        match self {
            MemoryScalar::I8 => 1,
            MemoryScalar::F16 | MemoryScalar::I16 => 2,
            MemoryScalar::F32 | MemoryScalar::I32 => 4,
            MemoryScalar::MinFloat | MemoryScalar::MinInt | MemoryScalar::MinUint => 4,
            MemoryScalar::F64 | MemoryScalar::I64 => 8,
        }
    }

    /// Returns whether it has min precision.
    pub(crate) fn is_min_precision(self) -> bool {
        matches!(
            self,
            MemoryScalar::MinFloat | MemoryScalar::MinInt | MemoryScalar::MinUint
        )
    }
}

/// The declaration of the resource of a handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ResourceShape {
    pub(crate) class: ResourceClass,
    pub(crate) kind: ResourceKind,
    /// Bytes of an element of a structured buffer.
    pub(crate) stride: u32,
    /// The kind of records of a feedback map.
    pub(crate) feedback: Option<SamplerFeedbackKind>,
}

/// A value that a thread has from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ThreadInput {
    ThreadId(u32),
    GroupId(u32),
    ThreadIdInGroup(u32),
    FlattenedThreadIdInGroup,
    LaneIndex,
    LaneCount,
    /// Number of the wave in its group.
    WaveIndex,
    WaveCount,
    IsFirstLane,
    /// A clock: two words.
    Cycles,
}

/// Type of the values of a wave operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberType {
    Half,
    Float,
    Double,
    /// Bits, and whether they are signed.
    Int(u32, bool),
}

/// A reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaveReduction {
    Sum,
    Product,
    Min,
    Max,
    And,
    Or,
    Xor,
}

impl From<WaveMultiPrefixOp> for WaveReduction {
    fn from(op: WaveMultiPrefixOp) -> Self {
        match op {
            WaveMultiPrefixOp::Sum => WaveReduction::Sum,
            WaveMultiPrefixOp::And => WaveReduction::And,
            WaveMultiPrefixOp::Or => WaveReduction::Or,
            WaveMultiPrefixOp::Xor => WaveReduction::Xor,
            WaveMultiPrefixOp::Product => WaveReduction::Product,
        }
    }
}

/// Derivative of a quad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Derivative {
    pub(crate) vertical: bool,
    pub(crate) fine: bool,
    pub(crate) number: NumberType,
}

/// The level of detail of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// By the derivatives of the coordinates in the quad.
    Implicit,
    /// The same with a bias.
    Bias,
    /// Said.
    Explicit,
    /// By derivatives that are said.
    Gradient,
    /// The first.
    Zero,
}

/// Operands of a sample. Sources: texture, sampler, 4 coordinates, 3 offsets, then by
/// [`SampleOp::level`] bias, level or 6 derivatives, then the clamp, then the reference.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SampleOp {
    pub(crate) texture: Option<ResourceShape>,
    pub(crate) level: Level,
    pub(crate) compare: bool,
    pub(crate) scalar: MemoryScalar,
}

/// Operands of a gather. Sources: texture, sampler, 4 coordinates, 2 offsets, the reference.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GatherOp {
    pub(crate) texture: Option<ResourceShape>,
    pub(crate) channel: u32,
    pub(crate) compare: bool,
    pub(crate) scalar: MemoryScalar,
}

/// Operands of a write of sampler feedback. Sources: map, texture, sampler, 4 coordinates, then by
/// [`FeedbackWrite::level`] bias, level or 6 derivatives, then the clamp.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FeedbackWrite {
    pub(crate) map: Option<ResourceShape>,
    pub(crate) texture: Option<ResourceShape>,
    pub(crate) level: Level,
}

/// Memory whose accesses a barrier orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Fence {
    pub(crate) groupshared: bool,
    pub(crate) uavs: bool,
}

/// The operation of a [`Complex`]. Comments name sources and results.
#[derive(Debug, Clone)]
pub(crate) enum ComplexOp {
    /// -> the value.
    ThreadInput(ThreadInput),
    /// -> address of private memory at this offset in the frame.
    Alloca(u32),
    /// address -> scalars in the order of memory.
    Load(Space),
    /// address, scalars.
    Store(Space),
    /// address, value -> old value.
    Atomic(Space, AtomicOp),
    /// address, compare, value -> old value.
    CompareExchange(Space),
    /// Waits for the group's other waves; orders accesses to this memory.
    GroupSync(Fence),
    /// register index -> handle; the number is that of the range in [`super::Kernel::ranges`].
    Handle(u32),
    /// slot -> handle.
    HeapHandle { samplers: bool },
    /// buffer, row -> scalars.
    ConstantRow {
        scalar: MemoryScalar,
        min_precision: bool,
    },
    /// buffer, byte offset -> scalar.
    ConstantValue(MemoryScalar),
    /// buffer, index, offset -> scalars, status.
    BufferLoad {
        shape: Option<ResourceShape>,
        scalar: MemoryScalar,
    },
    /// buffer, index, offset, values.
    BufferStore {
        shape: Option<ResourceShape>,
        scalar: MemoryScalar,
        mask: u32,
    },
    /// texture, mip or sample, 3 coordinates, 3 offsets -> 4 components, status.
    TextureLoad {
        shape: Option<ResourceShape>,
        scalar: MemoryScalar,
    },
    /// texture, 3 coordinates, 4 values, sample.
    TextureStore {
        shape: Option<ResourceShape>,
        scalar: MemoryScalar,
        mask: u32,
    },
    /// See [`SampleOp`] -> 4 components (or one), status.
    Sample(SampleOp),
    /// See [`GatherOp`] -> 4 components, status.
    Gather(GatherOp),
    /// See [`FeedbackWrite`].
    WriteFeedback(FeedbackWrite),
    /// texture, sampler, 3 coordinates -> level.
    LevelOfDetail {
        shape: Option<ResourceShape>,
        clamped: bool,
    },
    /// resource, 3 coordinates, value -> old value.
    ResourceAtomic {
        shape: Option<ResourceShape>,
        op: AtomicOp,
    },
    /// resource, 3 coordinates, compare, value -> old value.
    ResourceCompareExchange { shape: Option<ResourceShape> },
    /// buffer -> value before (or after, when counted down).
    UpdateCounter(i8),
    /// resource, mip -> 4 numbers.
    Dimensions { shape: Option<ResourceShape> },
    /// texture, sample -> x, y.
    SamplePosition,
    /// condition -> whether it holds for any lane (or all).
    Vote { all: bool },
    /// values -> whether all lanes hold the same.
    AllEqual(NumberType),
    /// condition -> 4 words.
    Ballot,
    /// condition -> number of lanes before this one (or of all) where it holds.
    BitCount { prefix: bool },
    /// lane, values -> values.
    ReadLaneAt,
    /// values -> values.
    ReadFirstLane,
    /// values -> values.
    Reduce(WaveReduction, NumberType),
    /// values -> values: of the lanes before this one.
    Scan(WaveReduction, NumberType),
    /// values -> 4 words: the lanes that hold the same.
    Match,
    /// 4 words, values -> values: of the lanes of the mask before this one.
    MultiScan(WaveReduction, NumberType),
    /// 4 words, condition -> number of lanes.
    MultiBitCount,
    /// lane in the quad, values -> values.
    QuadReadLaneAt,
    /// values -> values.
    QuadSwap(QuadDirection),
    /// condition -> vote.
    QuadVote(QuadVoteKind),
    /// values -> values.
    Derivative(Derivative),
    /// packed -> 4 integers.
    Unpack(UnpackMode, u32),
    /// 4 integers -> packed.
    Pack(PackMode, u32),
    /// See [`QueryOp`].
    RayQuery(QueryOp),
    /// See [`MatrixOp`].
    Matrix(Box<MatrixOp>),
    /// See [`RayCall`].
    RayCall(RayCall),
    /// See [`HitObjectOp`].
    HitObject(HitObjectOp),
    /// See [`NodeCall`].
    Node(NodeCall),
    /// address -> scalars.
    RecordLoad(Box<[RecordScalar]>),
    /// address, scalars.
    RecordStore(Box<[RecordScalar]>),
    /// See [`RasterOp`].
    Raster(RasterOp),
    /// Ends an any-hit shader, and says whether the search ends.
    EndHit { accepts: bool },
    /// -> a value of a ray tracing shader.
    RayValue(RayValue),
    /// arguments -> results; the number of a function.
    Call(u32),
    /// Looks for a defect. Only code that is decoded with checks has it.
    Probe(Probe),
    /// Follows undefined values. Only code that is decoded with checks has it.
    Shadow(Shadow),
}

/// The memory that holds a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MatrixPlace {
    /// A buffer: offset and distance of rows count bytes.
    Buffer,
    /// An array in groupshared memory: they count its elements, each of so many scalars.
    Group { number: NumberType, scalars: u32 },
}

/// How a matrix lies in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MatrixMemory {
    pub(crate) layout: MatrixLayout,
    pub(crate) place: MatrixPlace,
}

/// An operation on matrices; each is the registers of its elements. Memory is three sources: handle
/// or address, offset, distance of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MatrixOp {
    /// value -> matrix.
    Fill { from: NumberType, to: MatrixType },
    /// matrix -> matrix.
    Convert {
        from: MatrixType,
        to: MatrixType,
        transpose: bool,
    },
    /// memory -> matrix.
    Load { from: MatrixMemory, to: MatrixType },
    /// memory, matrix.
    Store { from: MatrixType, to: MatrixMemory },
    /// memory, matrix.
    Accumulate {
        from: MatrixType,
        target: MatrixComponent,
        to: MatrixMemory,
    },
    /// -> number of elements.
    Length { of: MatrixType },
    /// index -> row, column.
    Coordinate { of: MatrixType },
    /// index, matrix -> value.
    Get { of: MatrixType, to: NumberType },
    /// index, value, matrix -> matrix.
    Set {
        from: NumberType,
        of: MatrixType,
        to: MatrixType,
    },
    /// matrix, matrix, matrix if there is a third one -> matrix.
    Multiply {
        a: MatrixType,
        b: MatrixType,
        c: Option<MatrixType>,
        to: MatrixType,
    },
    /// matrix, matrix -> matrix.
    Sum {
        a: MatrixType,
        b: MatrixType,
        to: MatrixType,
    },
    /// matrix, bias if there is one, vector -> vector.
    Product {
        matrix: MatrixType,
        vector: (MatrixComponent, NumberType),
        bias: Option<NumberType>,
        to: NumberType,
    },
    /// vector, vector -> matrix.
    Outer {
        numbers: (NumberType, NumberType),
        to: MatrixType,
    },
    /// vector -> vector.
    ConvertVector {
        from: (MatrixComponent, NumberType),
        to: (MatrixComponent, NumberType),
    },
    /// buffer, offset, vector.
    AccumulateVector { number: NumberType },
}

impl MatrixOp {
    /// Returns whether it adds to memory.
    pub(crate) fn accumulates(&self) -> bool {
        matches!(
            self,
            MatrixOp::Accumulate { .. } | MatrixOp::AccumulateVector { .. }
        )
    }
}

/// The operands of a check. Comments name the sources.
#[derive(Debug, Clone)]
pub(crate) enum Probe {
    /// shadows: all values must be defined.
    Defined,
    /// index: less than the number of elements of a variable.
    Index {
        variable: Box<str>,
        count: u64,
        bytes: u32,
        is_read: bool,
    },
    /// index: the same in all lanes.
    Uniform { resource: Box<str> },
    /// handle, sampler or anything: the view must fit.
    View(ViewRequirements),
    /// Parts of an address: their sum must be a multiple.
    Aligned { bytes: u32 },
    /// handle, offset: the scalar must lie inside of the structure.
    Element {
        stride: u32,
        bytes: u32,
        is_read: bool,
    },
    /// All lanes that began the group must be here.
    Converged,
    /// A fence without group sync.
    Fence(Fence),
    /// result, operands: the result of finite operands must be finite.
    Finite { width: FloatWidth, from: FloatWidth },
}

/// The requirements of an instruction on a view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ViewRequirements {
    pub(crate) shape: Option<ResourceShape>,
    /// Whether the components of texels are floats; none for atomic operations.
    pub(crate) is_float: Option<bool>,
    /// Whether the sampler must compare; none if there is no sampler.
    pub(crate) compares: Option<bool>,
}

/// Width of a float.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FloatWidth {
    Half,
    Single,
    Double,
}

/// An operation on shadows. Comments name sources and results.
#[derive(Debug, Clone)]
pub(crate) enum Shadow {
    /// Nothing has written these words of the frame.
    Alloca { first: u32, words: u32 },
    /// address -> shadows; which scalars have 64 bits. `outside` is the origin of what is read from
    /// outside of the variable.
    Load {
        origin: u32,
        outside: u32,
        wide: Box<[bool]>,
    },
    /// -> shadow, of a read that may have no value.
    Read { origin: u32 },
    /// address, shadows; which scalars have 64 bits.
    Store { wide: Box<[bool]> },
    /// lane index, shadows -> shadow.
    Lanes { from: LaneSource, origin: u32 },
}

/// The lane whose value a lane takes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LaneSource {
    /// That of the index.
    Wave,
    /// That of the index in the quad.
    Quad,
    /// The neighbour in the quad.
    Across(QuadDirection),
    /// The first active one.
    First,
    /// All of the quad.
    WholeQuad,
}

/// Operations of work graph nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeCall {
    /// output, number -> records.
    Allocate { per_thread: bool },
    /// output, number.
    Increment { per_thread: bool },
    /// records, index -> address.
    Address,
    /// -> number of input records.
    InputCount,
    /// -> whether this is the last group that shares the input record.
    FinishedSharing,
    /// output -> whether the graph has the node.
    IsValid,
    /// -> number.
    RecursionLeft,
}

/// A call of shaders by way of shader tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RayCall {
    /// acceleration structure, flags, mask, ray contribution, geometry multiplier, miss index,
    /// origin, minimum t, direction, maximum t, payload.
    Trace,
    /// t, hit kind, attributes -> whether the hit is accepted. The number is that of the words of
    /// the attributes.
    Report(u32),
    /// shader index, parameter.
    Shader,
    /// Those of `Trace` -> the hit object. Calls no closest-hit or miss shader.
    TraceObject,
    /// hit object, payload. Calls that shader.
    Invoke,
}

/// An operation on hit objects, whose words are the first sources unless it says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HitObjectOp {
    /// query, hit kind, address of attributes -> hit object. Without words of attributes the last
    /// two are left out.
    FromQuery { attributes: u32 },
    /// hit object -> value.
    Value(HitValue),
    /// hit object, byte offset -> word of the local root arguments.
    LocalConstant,
}

/// A value that a ray tracing shader has from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RayValue {
    Index(u8),
    Dimensions(u8),
    Flags,
    Origin(u8),
    Direction(u8),
    TMin,
    TCurrent,
    HitKind,
    /// Of the hit that the shader is called for.
    Hit(HitValue),
}

/// An operation on a ray query. The first source of all but the first is the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueryOp {
    /// -> the query.
    Allocate {
        number: u32,
        flags: u32,
    },
    /// acceleration structure, flags, mask, origin, direction, minimum and maximum t.
    Trace,
    /// -> whether there is a candidate.
    Proceed,
    Abort,
    CommitTriangle,
    /// t.
    CommitProcedural,
    /// -> a value of the query.
    Value(QueryValue),
}

/// A value of a ray query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueryValue {
    CommittedStatus,
    CandidateType,
    RayFlags,
    WorldOrigin(u8),
    WorldDirection(u8),
    TMin,
    CommittedT,
    Candidate(HitValue),
    Committed(HitValue),
}

/// A value of a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HitValue {
    /// Element of the matrix, row by row.
    ObjectToWorld(u8),
    WorldToObject(u8),
    IsNonOpaque,
    FrontFace,
    Barycentric(u8),
    RayT,
    InstanceIndex,
    InstanceId,
    GeometryIndex,
    PrimitiveIndex,
    ObjectOrigin(u8),
    ObjectDirection(u8),
    HitGroupOffset,
    /// Scalar of the vertices of the triangle in object space, vertex by vertex.
    TriangleVertex(u8),
}

impl ComplexOp {
    /// Returns whether it reads, and checks follow values that it reads out of bounds.
    pub(crate) fn is_followed_read(&self) -> bool {
        matches!(
            self,
            ComplexOp::Load(Space::Private | Space::Shared)
                | ComplexOp::ConstantRow { .. }
                | ComplexOp::ConstantValue(_)
                | ComplexOp::BufferLoad { .. }
                | ComplexOp::TextureLoad { .. }
        )
    }

    /// Returns whether helper lanes of a pixel shader leave it out: they write nothing, and other
    /// lanes of the wave do not see them (D3D11.3, 16.8.2; HLSL Shader Model 6.0, "Wave
    /// Intrinsics").
    pub(crate) fn leaves_out_helpers(&self, waves_include_helpers: bool) -> bool {
        match self {
            ComplexOp::BufferStore { .. }
            | ComplexOp::TextureStore { .. }
            | ComplexOp::WriteFeedback(_)
            | ComplexOp::ResourceAtomic { .. }
            | ComplexOp::ResourceCompareExchange { .. }
            | ComplexOp::UpdateCounter(_) => true,
            ComplexOp::Matrix(op) => op.accumulates(),
            ComplexOp::ThreadInput(ThreadInput::IsFirstLane)
            | ComplexOp::Vote { .. }
            | ComplexOp::AllEqual(_)
            | ComplexOp::Ballot
            | ComplexOp::BitCount { .. }
            | ComplexOp::ReadFirstLane
            | ComplexOp::Reduce(..)
            | ComplexOp::Scan(..)
            | ComplexOp::Match
            | ComplexOp::MultiScan(..)
            | ComplexOp::MultiBitCount => !waves_include_helpers,
            _ => false,
        }
    }

    /// Returns whether lanes of a quad look at each other.
    pub(crate) fn looks_at_quad(&self) -> bool {
        match self {
            // Samples without a level take it from the coordinates of the quad.
            ComplexOp::Sample(op) => matches!(op.level, Level::Implicit | Level::Bias),
            ComplexOp::WriteFeedback(op) => matches!(op.level, Level::Implicit | Level::Bias),
            ComplexOp::LevelOfDetail { .. }
            | ComplexOp::QuadReadLaneAt
            | ComplexOp::QuadSwap(_)
            | ComplexOp::QuadVote(_)
            | ComplexOp::Derivative(_) => true,
            _ => false,
        }
    }
}

/// A block: instructions `first..end`, then the terminator.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub(crate) first: u32,
    pub(crate) end: u32,
    pub(crate) terminator: Terminator,
    /// The block where lanes that diverge here reconverge: the immediate post-dominator.
    pub(crate) meets: Option<u32>,
}

/// The terminator of a block. Edges are numbers of [`FunctionCode::edges`].
#[derive(Debug, Clone)]
pub(crate) enum Terminator {
    Return(Box<[RegisterSlot]>),
    Jump(u32),
    Branch {
        condition: RegisterSlot,
        if_true: u32,
        if_false: u32,
    },
    Switch {
        value: RegisterSlot,
        cases: Box<[(u64, u32)]>,
        default: u32,
    },
    Unreachable,
}

/// A way from block to block: the moves that its phis ask for, then the target.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) target: u32,
    pub(crate) first: u32,
    pub(crate) end: u32,
}

impl FunctionCode {
    /// Returns whether an instruction is the first one of those that an instruction of the module
    /// became, in code that can be watched.
    #[inline]
    pub(crate) fn starts(&self, at: u32) -> bool {
        let watched = self.watched.as_ref();
        watched.is_some_and(|watched| watched.starts.get(at as usize) == Some(&true))
    }
}

/// A function, decoded.
#[derive(Debug, Clone, Default)]
pub(crate) struct FunctionCode {
    pub(crate) name: Box<str>,
    pub(crate) insts: Vec<Inst>,
    /// The instruction of the IR that each instruction was decoded from.
    pub(crate) origins: Vec<InstId>,
    pub(crate) complex: Vec<Complex>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) reach: Reach,
    /// Registers of constants, which a call fills.
    pub(crate) constants: Vec<(RegisterSlot, u64)>,
    /// Registers of addresses of variables outside of functions, which a call fills: words from
    /// where those of the invocation begin.
    pub(crate) statics: Vec<(RegisterSlot, u32)>,
    /// The words of [`super::Kernel::statics`] that an invocation begins with, if it is one of a
    /// shader that is called by way of shader tables.
    pub(crate) first_statics: Range<u32>,
    pub(crate) parameters: Vec<RegisterSlot>,
    /// Registers of each kind that a call needs.
    pub(crate) narrow_slots: u32,
    pub(crate) wide_slots: u32,
    /// Words of private memory that a call needs.
    pub(crate) private_words: u32,
    /// What a debugger needs to know, of code that can be watched.
    pub(crate) watched: Option<Box<WatchedCode>>,
}

/// A part of a variable of the source that values are assigned to.
///
/// A function that was inlined at several places has its variables at each of them.
#[derive(Debug, Clone)]
pub struct VariablePart {
    /// The variable (DILocalVariable).
    pub variable: MdId,
    /// Where its function was inlined (DILocation).
    pub inlined_at: Option<MdId>,
    /// First bit and number of bits in the variable; none for all of it.
    pub piece: Option<(u32, u32)>,
    /// Whether it lies in memory, and not in registers.
    pub is_memory: bool,
    /// The types of its scalars, in order; empty for memory of too many.
    pub scalars: Box<[ScalarType]>,
    /// The registers of the scalars, or of the address.
    pub(crate) slots: Box<[RegisterSlot]>,
    /// A word: 0 before a value is assigned, and then one more than its index in `values`.
    pub(crate) assigned: RegisterSlot,
    /// The values that are assigned to it.
    pub(crate) values: Vec<ValueId>,
}

impl VariablePart {
    /// Returns whether a value for this part replaces all of another one.
    pub(super) fn covers(&self, other: &VariablePart) -> bool {
        (self.variable, self.inlined_at) == (other.variable, other.inlined_at)
            && match (self.piece, other.piece) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some((first, size)), Some((at, bits))) => {
                    first <= at
                        && u64::from(at) + u64::from(bits) <= u64::from(first) + u64::from(size)
                }
            }
    }
}

/// What a debugger needs to know of a function.
#[derive(Debug, Clone)]
pub(crate) struct WatchedCode {
    /// The function of the module.
    pub(crate) function: FuncId,
    /// Whether an instruction is the first one of those that an instruction of the module became.
    pub(crate) starts: Vec<bool>,
    /// The terminator of each block.
    pub(crate) terminators: Vec<InstId>,
    /// First and number of the registers of each value, in `pool`.
    pub(super) values: HashMap<ValueId, (u32, u32)>,
    pub(super) pool: Vec<RegisterSlot>,
    pub(crate) parts: Vec<VariablePart>,
}

impl WatchedCode {
    /// Returns the registers of a value; none where the code does not have it.
    pub(crate) fn registers(&self, value: ValueId) -> Option<&[RegisterSlot]> {
        let &(first, count) = self.values.get(&value)?;
        self.pool.get(first as usize..(first + count) as usize)
    }
}
