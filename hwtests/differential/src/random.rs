//! Random numbers that are the same on every machine for the same seed.

/// A generator.
#[derive(Debug, Clone)]
pub struct Random(fastrand::Rng);

impl Random {
    /// Returns a generator for a seed.
    pub fn new(seed: u64) -> Self {
        Random(fastrand::Rng::with_seed(seed))
    }

    /// Returns the next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// Returns a number below `end`, which is not 0.
    pub fn below(&mut self, end: u32) -> u32 {
        self.0.u32(..end)
    }

    /// Returns a number of `low..=high`.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        self.0.u32(low..=high)
    }

    /// Returns true in that many of 100 cases.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// Returns one of the elements of a slice.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.0.usize(..from.len())]
    }
}
