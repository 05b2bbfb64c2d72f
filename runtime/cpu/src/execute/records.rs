//! Operations on records of work graph nodes.

use super::context::{Context, lanes_of};
use crate::decode::code::{Complex, NodeCall, slot};
use crate::decode::record_layout::RecordScalar;

impl Context<'_> {
    /// Executes an operation that only nodes have.
    pub(super) fn node(&self, call: NodeCall, complex: &Complex) {
        let Some(node) = &self.group.node else {
            return;
        };
        let r = &self.registers;
        let word = |index: usize, lane: usize| r.word(slot(&complex.src, index), lane);
        let site = self.site.get();
        let Some(first) = lanes_of(self.mask).next() else {
            return;
        };
        // What the whole group does takes the operands of the first lane: they are uniform.
        let of_group = match call {
            NodeCall::Allocate { per_thread: false }
            | NodeCall::Increment { per_thread: false } => {
                let (output, count) = (word(0, first), word(1, first));
                Some(node.once(self.first_thread, site, || node.allocate(output, count)))
            }
            NodeCall::FinishedSharing => {
                Some(node.once(self.first_thread, site, || node.finish_sharing()))
            }
            NodeCall::InputCount if node.is_thread => Some(1),
            NodeCall::InputCount => Some(node.group.get().count),
            NodeCall::RecursionLeft => Some(node.recursion_left),
            _ => None,
        };
        for lane in self.on() {
            let value = match (of_group, call) {
                (Some(value), _) => value,
                (None, NodeCall::Address) => {
                    let thread = self.first_thread + lane as u32;
                    node.address(word(0, lane), word(1, lane), thread)
                }
                (None, NodeCall::IsValid) => u32::from(node.is_valid(word(0, lane))),
                (None, _) => node.allocate(word(0, lane), word(1, lane)),
            };
            r.set(slot(&complex.dst, 0), lane, u64::from(value));
        }
    }

    pub(super) fn record_load(&self, scalars: &[RecordScalar], complex: &Complex) {
        let Some(node) = &self.group.node else {
            return;
        };
        for lane in self.on() {
            let at = self.registers.word(slot(&complex.src, 0), lane);
            for (scalar, &dst) in scalars.iter().zip(&complex.dst) {
                let value = node.load(at.saturating_add(scalar.offset), scalar.bytes);
                self.registers.set(dst, lane, value);
            }
        }
    }

    pub(super) fn record_store(&self, scalars: &[RecordScalar], complex: &Complex) {
        let (Some(node), Some((&pointer, values))) = (&self.group.node, complex.src.split_first())
        else {
            return;
        };
        for lane in self.on() {
            let at = self.registers.word(pointer, lane);
            for (scalar, &value) in scalars.iter().zip(values) {
                let value = self.registers.get(value, lane);
                node.store(at.saturating_add(scalar.offset), scalar.bytes, value);
            }
        }
    }

    /// Reads a record's word or two for an atomic operation.
    pub(super) fn record_value(&self, at: u32, bytes: u32) -> u64 {
        self.group
            .node
            .as_ref()
            .map_or(0, |node| node.load(at, bytes))
    }

    pub(super) fn set_record_value(&self, at: u32, bytes: u32, value: u64) {
        if let Some(node) = &self.group.node {
            node.store(at, bytes, value);
        }
    }
}
