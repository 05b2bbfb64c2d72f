//! Ids. Each kind of entity has its own newtype over `u32`; `Display` gives the short form that
//! errors and listings use (`b4`, `%12`).

use std::marker::PhantomData;

use cranelift_entity::entity_impl;

macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);
        entity_impl!($name, $prefix);
    };
}

entity!(
    /// A type in the module's type table.
    TypeId, "ty"
);
entity!(
    /// A value: module-wide below `module.values.len()`, function-local from there on.
    ValueId, "%"
);
entity!(
    /// An instruction of one function.
    InstId, "inst"
);
entity!(
    /// A basic block of one function.
    BlockId, "b"
);
entity!(
    /// A function of the module, declarations included, in the order of the module block.
    FuncId, "@f"
);
entity!(
    /// A global variable of the module.
    GlobalId, "@g"
);
entity!(
    /// A metadata node, string or value.
    MdId, "!"
);

/// A range of a function's (or module's) operand pool; `T` is what the pool holds there.
pub struct List<T> {
    /// Index of the first element.
    pub start: u32,
    /// Number of elements.
    pub len: u32,
    marker: PhantomData<fn() -> T>,
}

impl<T> List<T> {
    /// Returns the list `start..start + len`.
    pub const fn new(start: u32, len: u32) -> Self {
        List {
            start,
            len,
            marker: PhantomData,
        }
    }

    /// Returns the list of a range of the pool. A place beyond all ids gives one that no pool has.
    pub fn from_range(range: std::ops::Range<usize>) -> Self {
        let word = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        List::new(word(range.start), word(range.len()))
    }

    /// The empty list.
    pub const EMPTY: Self = List::new(0, 0);

    /// Returns the index range into the pool.
    pub fn range(self) -> std::ops::Range<usize> {
        let start = self.start as usize;
        start..start.saturating_add(self.len as usize)
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for List<T> {}
impl<T> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.start, self.len) == (other.start, other.len)
    }
}
impl<T> Eq for List<T> {}
impl<T> std::fmt::Debug for List<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}; {}]", self.start, self.len)
    }
}
