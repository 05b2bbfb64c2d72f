//! State of the rewriting of NVAPI's operations in a function.

use dxil_frontend::ir::{FuncView, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};

use crate::vendor::missing::Missing;
use crate::vendor::writer::FunctionWriter;

/// Offsets of members that operations have in common.
pub(super) const NUMBER: u32 = 0;
pub(super) const OPERAND_0: u32 = 76;
pub(super) const OPERAND_1: u32 = 92;
pub(super) const OPERAND_2: u32 = 108;
pub(super) const RESULT: u32 = 124;
pub(super) const RESULT_COUNT: u32 = 144;

/// An element that is being filled, or whose results are read.
pub(super) struct Element {
    pub(super) index: Option<ValueId>,
    /// Stored values by offset.
    pub(super) words: HashMap<u32, ValueId>,
    /// Results that are still to come; `None` before the first.
    pub(super) results: Option<u64>,
    /// The old value in memory, once an atomic is written.
    pub(super) old: Option<Old>,
}

/// A function being written again.
pub(super) struct NvapiRewrite<'a, 't, 'm, 'o> {
    pub(super) writer: FunctionWriter<'a, 't, 'm>,
    pub(super) view: FuncView<'a>,
    pub(super) missing: &'o mut Missing<'a>,
    pub(super) element: Option<Element>,
    /// The resource that atomics work on.
    pub(super) marked: Option<Marked>,
    /// The value that a shuffle read: the operation's second result.
    pub(super) shuffled: Option<ValueId>,
    /// The high word of the timer whose low word was read last.
    pub(super) timer: Option<ValueId>,
    /// The words of the geometry that was hit, of which the first result was taken.
    pub(super) words: Option<ValueId>,
    pub(super) hit_objects: NvapiHitObjects,
}

/// The resource that atomics work on.
#[derive(Clone, Copy)]
pub(super) struct Marked {
    pub(super) resource: ValueId,
    pub(super) is_buffer: bool,
    /// Number of coordinates.
    pub(super) dimensions: usize,
    /// Number of a texel's components, where it is known.
    pub(super) components: Option<u32>,
}

/// The old value in memory.
#[derive(Clone, Copy)]
pub(super) enum Old {
    /// 0: the operation is not available.
    Missing,
    Word(ValueId),
    Words([ValueId; 2]),
}

/// The operands of a hit that a shader makes, without its attributes.
#[derive(Clone, Copy)]
pub(super) struct MadeHit {
    pub(super) instance: ValueId,
    pub(super) geometry: ValueId,
    pub(super) primitive: ValueId,
    pub(super) kind: ValueId,
    /// That of the record, or the first of two numbers that it follows from.
    pub(super) index: ValueId,
    pub(super) factor: ValueId,
    pub(super) is_record: bool,
}

/// An operation that an ordinary call finishes.
#[derive(Clone, Copy)]
pub(super) enum PendingCall {
    TraceRay {
        handle: ValueId,
        miss: ValueId,
    },
    MakeHit {
        handle: ValueId,
        hit: MadeHit,
        attributes: Option<ValueId>,
    },
    Invoke {
        hit: ValueId,
    },
    Attributes {
        hit: ValueId,
    },
    /// The operation is not available, nor its call.
    Missing,
}

/// The hit objects of a function.
#[derive(Default)]
pub(super) struct NvapiHitObjects {
    pub(super) made: Vec<ValueId>,
    /// The values of hit objects in operations.
    pub(super) used: Vec<ValueId>,
    /// Operations by the handle that their call has.
    pub(super) pending: HashMap<ValueId, PendingCall>,
    /// The handles whose operations have got all operands.
    pub(super) finished: HashSet<ValueId>,
    /// The handle of the object that a `TraceRay` makes.
    pub(super) handle: Option<ValueId>,
}
