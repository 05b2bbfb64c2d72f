//! An operation while its instructions are written: its operands and results.

use super::body::{Body, Value};

/// An operation that is being written.
pub(super) struct Lane<'a> {
    pub(super) body: &'a mut Body,
    pub(super) args: &'a mut [Value; 3],
}

impl Lane<'_> {
    /// Puts an operand on the stack.
    pub(super) fn w(&mut self, index: usize) {
        self.body.word(&mut self.args[index]);
    }

    /// Puts the mask of an operand on the stack.
    pub(super) fn m(&mut self, index: usize) {
        self.body.mask(&mut self.args[index]);
    }

    pub(super) fn wide(&mut self, index: usize, half: usize) {
        self.body.wide(&self.args[index], half);
    }

    /// Takes the bits on the stack as the result.
    pub(super) fn bits(&mut self) -> Value {
        Value {
            bits: Some(self.body.keep()),
            ..Value::default()
        }
    }

    /// Takes the mask on the stack as the result.
    pub(super) fn truth(&mut self) -> Value {
        Value {
            mask: Some(self.body.keep()),
            ..Value::default()
        }
    }

    /// Makes both halves of a result of 64 bits.
    pub(super) fn halves(&mut self, mut each: impl FnMut(&mut Self, usize)) -> Value {
        each(self, 0);
        let bits = self.body.keep();
        each(self, 1);
        let high = self.body.keep();
        Value {
            bits: Some(bits),
            high: Some(high),
            ..Value::default()
        }
    }

    /// Returns whether an operand is 0 or 1.
    pub(super) fn is_boolean(&self, index: usize) -> bool {
        let value = &self.args[index];
        value.mask.is_some() && value.bits.is_none() || matches!(value.constant, Some(0 | 1))
    }
}
