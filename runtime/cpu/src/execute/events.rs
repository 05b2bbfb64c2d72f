//! Events that runs count even without checks.

/// The events that every run counts, since counting costs nothing unless one occurs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Events {
    /// Accesses outside of views of buffers and textures, and of descriptor ranges.
    pub out_of_bounds: u64,
    /// Accesses through null descriptors.
    pub null_descriptors: u64,
    /// Barriers that not all threads of a group reach.
    pub divergent_barriers: u64,
}

impl Events {
    /// Returns the sums of both.
    pub fn plus(self, other: Events) -> Events {
        Events {
            out_of_bounds: self.out_of_bounds + other.out_of_bounds,
            null_descriptors: self.null_descriptors + other.null_descriptors,
            divergent_barriers: self.divergent_barriers + other.divergent_barriers,
        }
    }

    /// Returns whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        *self == Events::default()
    }
}
