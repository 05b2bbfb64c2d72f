//! Limits for the work that a translation takes.
//!
//! Most of a translation visits each part of its input a fixed number of times. Where work can
//! multiply (values that leave a construct by several exits, expressions that are used twice at
//! every level, functions that are inlined), the code counts its steps in a [`Budget`] that grows
//! with the input. Beyond it the translator falls back to a linear algorithm or refuses the input
//! with [`ErrorKind::TooComplex`]. The budget counts steps instead of time, so that the limit is
//! the same on every machine.

use crate::{Error, ErrorKind};

/// Number of steps that every input may take, however small it is.
pub(crate) const BASE_STEPS: u64 = 1 << 14;

/// The number of steps that a pass may take, and those that it has taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Budget {
    limit: u64,
    spent: u64,
}

/// A budget is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exhausted;

impl Budget {
    /// Returns a budget of `factor` steps for each of `size` parts of the input, and [`BASE_STEPS`]
    /// more.
    pub(crate) fn for_input(size: usize, factor: u64) -> Self {
        let steps = (size as u64).saturating_mul(factor);
        Budget::of(steps.saturating_add(BASE_STEPS))
    }

    /// Returns a budget of this many steps.
    pub(crate) fn of(limit: u64) -> Self {
        Budget { limit, spent: 0 }
    }

    /// Takes steps.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if there are not that many left; then there are none from now on.
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Exhausted> {
        let spent = self.spent.saturating_add(steps);
        // Refused steps are not taken and do not count; one step over the limit marks the budget as
        // exhausted.
        self.spent = spent.min(self.limit.saturating_add(1));
        if self.is_exhausted() {
            Err(Exhausted)
        } else {
            Ok(())
        }
    }

    /// Returns the number of steps taken so far.
    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    /// Returns whether more steps were taken than there are.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.spent > self.limit
    }
}

impl Exhausted {
    /// Returns the error for an input that has no other way; `limit` names what there is too much
    /// of.
    pub(crate) fn too_complex(self, limit: &'static str) -> Error {
        ErrorKind::TooComplex(limit).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_grows_with_its_input_and_ends() {
        let mut budget = Budget::for_input(10, 3);
        assert_eq!(budget.spend(BASE_STEPS + 29), Ok(()));
        assert_eq!(budget.spend(1), Ok(()));
        assert!(!budget.is_exhausted());
        let error = budget.spend(1).unwrap_err().too_complex("steps");
        assert_eq!(error.kind(), &ErrorKind::TooComplex("steps"));
        assert!(budget.is_exhausted());
        assert_eq!(budget.spend(u64::MAX), Err(Exhausted));
        assert_eq!(budget.spent(), BASE_STEPS + 31);
    }
}
