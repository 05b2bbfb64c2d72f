//! SPIR-V values of IR values, and calls of operations.

use std::ops::Range;

use cranelift_entity::EntityRef;
use dxil_frontend::dxil::ops::Overload;
use dxil_frontend::ir::{InstId, TypeId, ValueId};
use dxil_frontend::tables::HashSet;

use crate::lower::memory::state::PointerId;
use crate::spirv::Id;

/// SPIR-V form of an IR value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum LoweredValue {
    /// Not lowered yet (or without result).
    #[default]
    Unset,
    /// One SPIR-V value.
    Id(Id),
    /// A struct whose members are known one by one; the composite is only built where the whole is
    /// used.
    Parts(Parts),
    /// An address.
    Pointer(PointerId),
}

/// The index of a struct in [`Values`]. One number, as longer ones make all forms longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts(u32);

/// One member of a struct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StructMember {
    /// This value.
    Id(Id),
    /// A member of a composite that is extracted where it is used.
    Member {
        /// The composite.
        composite: Id,
        /// Index of the member.
        index: u32,
    },
}

/// SPIR-V forms of the values of the module and of the current function.
#[derive(Debug, Default)]
pub(super) struct Values {
    pub(super) values: Vec<LoweredValue>,
    /// The members of all structs.
    members: Vec<StructMember>,
    /// The members of each struct.
    structs: Vec<Range<u32>>,
    /// Structs that flow into phis, which name values and not their members. Sorted.
    pub(super) whole: Vec<ValueId>,
    /// Constants that the current function's code computes.
    pub(super) computed: HashSet<ValueId>,
    /// Results of the structurizer's own phis.
    pub(super) synthetics: Vec<Id>,
}

impl Values {
    /// Forgets the last function's values; those of the module stay.
    pub(super) fn begin_function(&mut self, first_value: usize, count: usize) {
        // Constants that code computes are different values in each function.
        #[expect(clippy::iter_over_hash_type, reason = "each value by itself")]
        for value in std::mem::take(&mut self.computed) {
            self.set(value, LoweredValue::Unset);
        }
        self.values.truncate(first_value);
        self.values.resize(first_value + count, LoweredValue::Unset);
        self.synthetics.clear();
        // Room for the members that most functions have.
        self.members.reserve(count / 4);
        self.structs.reserve(count / 16);
    }

    /// Records the result of a constant that the current function's code computes.
    pub(super) fn set_computed(&mut self, id: ValueId, result: Id) {
        self.computed.insert(id);
        self.set(id, LoweredValue::Id(result));
    }

    /// Returns whether the value is a constant that the current function's code computes.
    pub(super) fn is_computed(&self, id: ValueId) -> bool {
        self.computed.contains(&id)
    }

    /// Sets which structs flow into phis of the current function.
    pub(super) fn set_whole(&mut self, mut values: Vec<ValueId>) {
        values.sort_unstable();
        self.whole = values;
    }

    /// Returns whether the value is a struct that flows into a phi.
    pub(super) fn is_whole(&self, value: ValueId) -> bool {
        self.whole.binary_search(&value).is_ok()
    }

    /// Returns the SPIR-V form of a value.
    pub(super) fn get(&self, id: ValueId) -> LoweredValue {
        self.values.get(id.index()).copied().unwrap_or_default()
    }

    /// Records the SPIR-V form of a value.
    pub(super) fn set(&mut self, id: ValueId, value: LoweredValue) {
        if let Some(slot) = self.values.get_mut(id.index()) {
            // An id past the end is in a damaged file, and reads as unset.
            *slot = value;
        }
    }

    /// Returns a struct of these members.
    pub(super) fn parts(&mut self, parts: impl IntoIterator<Item = StructMember>) -> LoweredValue {
        let start = self.members.len() as u32;
        self.members.extend(parts);
        let index = self.structs.len() as u32;
        self.structs.push(start..self.members.len() as u32);
        LoweredValue::Parts(Parts(index))
    }

    /// Returns one member.
    pub(super) fn part(&self, parts: Parts, index: u32) -> Option<StructMember> {
        let range = self.structs.get(parts.0 as usize)?;
        let members = self.members.get(range.start as usize..range.end as usize)?;
        members.get(index as usize).copied()
    }
}

/// A call of a DXIL operation, apart from its operands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    /// The call instruction.
    pub(super) inst: InstId,
    /// The value it defines.
    pub(super) result: Option<ValueId>,
    /// Type of the result.
    pub(super) ty: TypeId,
    /// Overload.
    pub(super) overload: Overload,
}
