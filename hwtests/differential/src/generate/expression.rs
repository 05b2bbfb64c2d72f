//! An expression in HLSL, with the range of its value.

use super::types::Scalar;

/// The text of an expression, and the range of a float.
#[derive(Debug, Clone)]
pub(super) struct Expression {
    pub(super) text: String,
    /// Maximum magnitude.
    pub(super) bound: f64,
    /// The value is a multiple of 2 to the power of minus this.
    pub(super) fraction: u32,
}

pub(super) fn plain(text: String) -> Expression {
    Expression {
        text,
        bound: 0.0,
        fraction: 0,
    }
}

pub(super) const COMPONENTS: [char; 4] = ['x', 'y', 'z', 'w'];

impl Expression {
    /// Returns the maximum number of multiples of its unit.
    pub(super) fn units(&self) -> f64 {
        self.bound * f64::from(self.fraction).exp2()
    }

    /// Returns the expression if it is exact, or else the first of its operands.
    pub(super) fn or_first(self, first: Expression, scalar: Scalar) -> Expression {
        match scalar.exact() {
            Some(exact) if self.units() > exact.capacity => first,
            _ => self,
        }
    }
}
