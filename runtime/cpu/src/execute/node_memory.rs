//! Records of a node of a work graph: those that it takes, and those that its groups send.

use std::cell::{Cell, RefCell};

use dxil_frontend::tables::HashMap;

use super::node_run::{NodeGroup, NodeOutput, SentRecords};
use crate::check::Site;
use crate::decode::code::{INPUT_RECORDS, OUTPUT_BITS};
use crate::schedule::stack::Mask;

/// Handle of the first output records.
const FIRST_OUTPUT_RECORDS: u32 = 2;
/// Maximum number of bytes of all records of a run.
pub(crate) const MAX_BYTES: usize = 1 << 28;
/// An address that no record has.
const NOWHERE: u32 = u32::MAX;
/// Output records begin at multiples of this.
const ALIGNMENT: usize = 16;

/// Records, as bytes: the input first, and after it what is sent.
pub(crate) struct NodeMemory {
    bytes: RefCell<Vec<u8>>,
    /// The records sent; the handle of the n-th is its number plus [`FIRST_OUTPUT_RECORDS`].
    sent: RefCell<Vec<SentRecords>>,
    outputs: Vec<NodeOutput>,
    stride: u32,
    pub(super) is_thread: bool,
    pub(super) recursion_left: u32,
    pub(super) group: Cell<NodeGroup>,
    /// Results of what a group does once, by instruction and by how often a wave has come there.
    once: RefCell<HashMap<(Site, u32), u32>>,
    /// The number of times that each wave of the group has reached an instruction.
    visits: RefCell<HashMap<(u32, Site), u32>>,
    /// Whether the records took more than [`MAX_BYTES`].
    overflows: Cell<bool>,
}

impl NodeMemory {
    pub(crate) fn new(
        records: Vec<u8>,
        outputs: Vec<NodeOutput>,
        (stride, is_thread, recursion_left): (u32, bool, u32),
    ) -> NodeMemory {
        NodeMemory {
            bytes: RefCell::new(records),
            sent: RefCell::default(),
            outputs,
            stride,
            is_thread,
            recursion_left,
            group: Cell::default(),
            once: RefCell::default(),
            visits: RefCell::default(),
            overflows: Cell::new(false),
        }
    }

    /// Begins a group.
    pub(crate) fn begin(&mut self, group: NodeGroup) {
        self.group.set(group);
        self.once.get_mut().clear();
        self.visits.get_mut().clear();
    }

    /// Returns the lanes of a wave that have work: of a thread node those with a record.
    pub(crate) fn lanes(&self) -> Mask {
        match self.group.get().count {
            count if self.is_thread && count < 128 => (1 << count) - 1,
            _ => Mask::MAX,
        }
    }

    pub(crate) fn overflows(&self) -> bool {
        self.overflows.get()
    }

    /// Returns the bytes of all records, and what was sent.
    pub(crate) fn take(&mut self) -> (Vec<u8>, Vec<SentRecords>) {
        (
            std::mem::take(self.bytes.get_mut()),
            std::mem::take(self.sent.get_mut()),
        )
    }

    /// Adds records for an output; returns their handle.
    pub(super) fn allocate(&self, node: u32, count: u32) -> u32 {
        let output = node & ((1 << OUTPUT_BITS) - 1);
        let Some(number) = output.checked_sub(1).filter(|_| count > 0) else {
            return 0;
        };
        let stride = self.outputs.get(number as usize).map_or(0, |o| o.stride);
        let mut bytes = self.bytes.borrow_mut();
        let first = bytes.len().next_multiple_of(ALIGNMENT);
        let end = first.saturating_add(stride as usize * count as usize);
        if end > MAX_BYTES {
            self.overflows.set(true);
            return 0;
        }
        bytes.resize(end, 0);
        let mut sent = self.sent.borrow_mut();
        sent.push(SentRecords {
            output: number,
            index: node >> OUTPUT_BITS,
            first: first as u32,
            count,
        });
        sent.len() as u32 - 1 + FIRST_OUTPUT_RECORDS
    }

    /// Returns the address of a record.
    pub(super) fn address(&self, records: u32, index: u32, thread: u32) -> u32 {
        let group = self.group.get();
        let (base, count, stride) = match records {
            INPUT_RECORDS if self.is_thread => {
                ((group.first + thread) * self.stride, 1, self.stride)
            }
            INPUT_RECORDS => (group.first * self.stride, group.count, self.stride),
            _ => {
                let number = records.wrapping_sub(FIRST_OUTPUT_RECORDS) as usize;
                match self.sent.borrow().get(number) {
                    Some(sent) => {
                        let output = self.outputs.get(sent.output as usize);
                        (sent.first, sent.count, output.map_or(0, |o| o.stride))
                    }
                    None => return NOWHERE,
                }
            }
        };
        if index < count {
            base + index * stride
        } else {
            NOWHERE
        }
    }

    pub(super) fn is_valid(&self, node: u32) -> bool {
        let output = (node & ((1 << OUTPUT_BITS) - 1)).checked_sub(1);
        let output = output.and_then(|number| self.outputs.get(number as usize));
        let index = node >> OUTPUT_BITS;
        output.is_some_and(|output| {
            // Nodes past these bits count as present.
            let bit = |words: [u32; 8]| {
                let word = words.get(index as usize / 32);
                word.is_none_or(|word| word >> (index % 32) & 1 != 0)
            };
            output.is_there && output.present.is_none_or(bit)
        })
    }

    /// Returns the result of an action that a group does once: in the first wave that reaches it.
    pub(super) fn once(&self, wave: u32, site: Site, act: impl FnOnce() -> u32) -> u32 {
        let mut visits = self.visits.borrow_mut();
        let visit = visits.entry((wave, site)).or_default();
        *visit += 1;
        let mut once = self.once.borrow_mut();
        *once.entry((site, *visit)).or_insert_with(act)
    }

    /// Removes one group from those that share the input record; returns 1 for the last one. The
    /// number of groups is in the last word of the record.
    pub(super) fn finish_sharing(&self) -> u32 {
        let group = self.group.get();
        let end = (group.first + 1) as usize * self.stride as usize;
        let mut bytes = self.bytes.borrow_mut();
        let word = end
            .checked_sub(4)
            .and_then(|start| bytes.get_mut(start..end));
        let Some(word) = word.and_then(|word| word.first_chunk_mut::<4>()) else {
            return 1;
        };
        let left = u32::from_le_bytes(*word).wrapping_sub(1);
        *word = left.to_le_bytes();
        u32::from(left == 0)
    }

    pub(super) fn load(&self, at: u32, bytes: u32) -> u64 {
        let memory = self.bytes.borrow();
        let start = at as usize;
        let part = memory.get(start..start.saturating_add(bytes as usize));
        let part = part.unwrap_or_default().iter().enumerate();
        part.fold(0, |value, (index, byte)| {
            value | u64::from(*byte) << (8 * index)
        })
    }

    pub(super) fn store(&self, at: u32, bytes: u32, value: u64) {
        let mut memory = self.bytes.borrow_mut();
        let (start, count) = (at as usize, bytes as usize);
        if let Some(part) = memory.get_mut(start..start.saturating_add(count)) {
            part.copy_from_slice(&value.to_le_bytes()[..count]);
        }
    }
}
