//! A function whose AGS instructions are being written as DXIL operations.

use std::collections::VecDeque;

use dxil_frontend::ir::ValueId;
use dxil_frontend::tables::{HashMap, HashSet};

use super::narrow_stores::PendingStore;
use crate::vendor::missing::Missing;
use crate::vendor::writer::FunctionWriter;

/// The value of the highest four bits of an instruction word.
pub(super) const MAGIC: u32 = 5;

/// An atomic whose phases have begun.
pub(super) struct Pending {
    /// Number of the operation.
    pub(super) number: u32,
    /// Results of the phases so far.
    pub(super) results: Vec<Option<ValueId>>,
    /// Operands of the phases so far.
    pub(super) operands: Vec<[ValueId; 2]>,
    /// The resource that the store named, and the number of its coordinates.
    pub(super) place: Option<(ValueId, usize)>,
}

/// An operation on matrices whose phases have begun.
#[derive(Default)]
pub(super) struct PendingMatrix {
    /// Number of the operation.
    pub(super) opcode: u32,
    /// Offset and stride in bytes, and the result of phase 0.
    pub(super) place: Option<([ValueId; 2], Option<ValueId>)>,
    /// The buffer that was loaded from at that address.
    pub(super) buffer: Option<ValueId>,
    /// The groupshared array whose element at that index was named, and the element's address.
    pub(super) shared: Option<(ValueId, Option<ValueId>)>,
    /// Words by owner and number.
    pub(super) words: HashMap<(u32, usize), ValueId>,
    /// The words of the result.
    pub(super) result: Option<Made>,
}

/// The words of a matrix that an operation made.
pub(super) enum Made {
    /// The members of a structure, and how many it has.
    Structure(ValueId, usize),
    Words(Vec<ValueId>),
}

/// An instruction word taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InstructionWord {
    pub(super) opcode: u32,
    pub(super) phase: u32,
    pub(super) immediate: u32,
}

impl InstructionWord {
    pub(super) fn of(word: u32) -> Option<InstructionWord> {
        (word >> 28 == MAGIC).then_some(InstructionWord {
            opcode: word & 0xff,
            phase: word >> 24 & 3,
            immediate: word >> 8 & 0xffff,
        })
    }
}

/// A function being written again.
pub(super) struct AgsRewrite<'a, 't, 'm, 'o> {
    pub(super) writer: FunctionWriter<'a, 't, 'm>,
    pub(super) missing: &'o mut Missing<'a>,
    /// A 64-bit atomic whose phases have begun.
    pub(super) atomic: Option<Pending>,
    /// Both operands of the first phase of a median, by its result.
    pub(super) medians: HashMap<ValueId, [ValueId; 2]>,
    /// First phases of 64-bit atomics that are not available: the store at that address is dropped.
    pub(super) dropped: HashSet<ValueId>,
    /// Both words of the device address that the next phase adds an offset to.
    pub(super) address: Option<[ValueId; 2]>,
    /// A store of less than a word whose phases have begun.
    pub(super) narrow_store: Option<PendingStore>,
    /// The high word of the clock whose low word was read last.
    pub(super) clock: Option<ValueId>,
    /// The operation on matrices whose phases have begun, or whose results are read.
    pub(super) matrix: Option<PendingMatrix>,
    /// Number of words that are read of each matrix that the block's operations make, in order.
    pub(super) result_counts: VecDeque<usize>,
}
