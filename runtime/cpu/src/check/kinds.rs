//! The kinds of checks, and the defects that each of them finds.

/// Makes [`Check`] from rows of variant, name, whether it is on by default, and what it looks for.
macro_rules! checks {
    ($($variant:ident $name:literal $default:literal $what:literal)*) => {
        /// A check of a dispatch.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Check {
            $(#[doc = concat!("`", $name, "`: ", $what, ".")] $variant,)*
        }

        impl Check {
            /// All checks.
            pub const ALL: &[Check] = &[$(Check::$variant),*];

            /// Returns the name that selects it.
            pub fn name(self) -> &'static str {
                match self { $(Check::$variant => $name),* }
            }

            /// Returns whether [`Checks::standard`] has it.
            pub fn is_default(self) -> bool {
                match self { $(Check::$variant => $default),* }
            }

            /// Returns a phrase for the defect that it finds.
            pub fn description(self) -> &'static str {
                match self { $(Check::$variant => $what),* }
            }
        }
    };
}

checks! {
    Races "races" true "data races in groupshared memory and UAVs"
    Bounds "bounds" true "accesses out of bounds of buffers, textures, structures, groupshared and local arrays, and descriptors"
    Null "null" true "accesses through null descriptors"
    Alignment "alignment" true "misaligned addresses"
    Types "types" true "views whose type is not the one that the shader declares"
    Uninitialized "uninitialized" true "groupshared memory and local variables that are read before they are written"
    Barriers "barriers" true "barriers that not all threads of a group reach"
    Lanes "lanes" true "values of lanes that are inactive or missing, and quads that are not complete"
    Uniformity "uniformity" true "resource indices that differ within a wave, without NonUniformResourceIndex"
    Division "division" true "integer divisions by zero whose results are used"
    Loops "loops" true "runs that come near the limit of steps"
    SameValue "same-value" false "unordered writes of the same value to one place of groupshared memory or a UAV"
    Unwritten "unwritten" false "reads of UAVs that the dispatch has not written before"
    Divergence "divergence" false "wave operations in divergent control flow"
    Nan "nan" false "operations that make NaN or infinity from finite numbers"
    Shift "shift" false "shifts by the width of the type or more"
    Conversion "conversion" false "conversions of floats that no integer of the type can hold"
}

/// A set of checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Checks(u32);

impl Checks {
    /// No checks.
    pub const NONE: Checks = Checks(0);
    /// All checks.
    pub const ALL: Checks = Checks((1 << Check::ALL.len()) - 1);

    /// Returns the checks that find what is a defect in every shader.
    pub fn standard() -> Checks {
        let all = Check::ALL.iter().copied();
        all.filter(|check| check.is_default()).collect()
    }

    /// Returns the same, and races whose result does not depend on the order of the threads.
    pub fn strict() -> Checks {
        Checks::standard().with(Check::SameValue)
    }

    /// Returns whether the set has a check.
    pub fn contains(self, check: Check) -> bool {
        self.0 & 1 << check as u32 != 0
    }

    /// Returns whether the set has no check.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the set with a check more.
    #[must_use]
    pub fn with(self, check: Check) -> Checks {
        Checks(self.0 | 1 << check as u32)
    }

    /// Returns the checks of either set.
    #[must_use]
    pub fn union(self, other: Checks) -> Checks {
        Checks(self.0 | other.0)
    }

    /// Returns the set without a check.
    #[must_use]
    pub fn without(self, check: Check) -> Checks {
        Checks(self.0 & !(1 << check as u32))
    }

    /// Returns whether values have to be followed from where they become undefined to where they
    /// are used.
    pub(crate) fn follow_values(self) -> bool {
        self.without_values() != self || self.look_at_reads()
    }

    /// Returns whether accesses of different threads to one place are compared.
    pub(crate) fn look_at_races(self) -> bool {
        self.contains(Check::Races) || self.contains(Check::SameValue)
    }

    /// Returns whether a read may be of a location that does not exist.
    pub(crate) fn look_at_reads(self) -> bool {
        [Check::Bounds, Check::Null, Check::Uninitialized]
            .into_iter()
            .any(|check| self.contains(check))
    }

    /// Returns the checks that can do without following values.
    pub(crate) fn without_values(self) -> Checks {
        const OF_VALUES: [Check; 5] = [
            Check::Uninitialized,
            Check::Lanes,
            Check::Division,
            Check::Shift,
            Check::Conversion,
        ];
        OF_VALUES.into_iter().fold(self, Checks::without)
    }
}

impl FromIterator<Check> for Checks {
    fn from_iter<I: IntoIterator<Item = Check>>(checks: I) -> Self {
        checks.into_iter().fold(Checks::NONE, Checks::with)
    }
}

/// Makes [`FindingKind`] from rows of variant, code, the check that finds it, how a report begins,
/// and a sentence.
macro_rules! finding_kinds {
    ($($variant:ident $code:literal $check:ident $title:literal $what:literal)*) => {
        /// Kind of a finding.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum FindingKind {
            $(#[doc = $what] $variant,)*
        }

        impl FindingKind {
            /// All kinds.
            pub const ALL: &[FindingKind] = &[$(FindingKind::$variant),*];

            /// Returns a stable name, for scripts.
            pub fn code(self) -> &'static str {
                match self { $(FindingKind::$variant => $code),* }
            }

            /// Returns the check that finds it.
            pub fn check(self) -> Check {
                match self { $(FindingKind::$variant => Check::$check),* }
            }

            /// Returns a sentence that describes the defect.
            pub fn description(self) -> &'static str {
                match self { $(FindingKind::$variant => $what),* }
            }

            /// Returns the first words of a report.
            pub(crate) fn title(self) -> &'static str {
                match self { $(FindingKind::$variant => $title),* }
            }
        }
    };
}

finding_kinds! {
    GroupsharedRace "groupshared-race" Races "data race"
        "Two threads of a group access groupshared memory without a barrier between them."
    UavRace "uav-race" Races "data race"
        "Two threads of a group access a UAV without a barrier between them."
    CrossGroupRace "cross-group-race" Races "data race"
        "Threads of two groups access a UAV, and no barrier orders groups."
    SameValueRace "same-value-race" SameValue "race of equal values"
        "Two threads write the same value to one place, and nothing orders them."
    OutOfBounds "out-of-bounds" Bounds "out of bounds"
        "An access lies outside of a view, a structure or an array."
    DescriptorOutOfRange "descriptor-out-of-range" Bounds "descriptor index out of range"
        "An access uses a descriptor outside of the declared range or of the heap."
    NullDescriptor "null-descriptor" Null "null descriptor"
        "An access uses a null descriptor, or a register to which nothing is bound."
    Misaligned "misaligned-access" Alignment "misaligned address"
        "An address is not a multiple of the alignment that the access needs."
    TypeMismatch "type-mismatch" Types "type mismatch"
        "A view is not of the type that the shader declares."
    UninitializedRead "uninitialized-read" Uninitialized "uninitialized read"
        "Groupshared memory is read that no thread of the group has written."
    UndefinedValue "undefined-value" Uninitialized "use of an undefined value"
        "A result depends on a variable or a value that nothing has set."
    DivergentBarrier "divergent-barrier" Barriers "not all threads reach a barrier"
        "Not all threads of a group reach a barrier with group synchronization."
    InactiveLane "inactive-lane" Lanes "value of an inactive lane"
        "A value is used that was read from a lane that is inactive or missing."
    IncompleteQuad "incomplete-quad" Lanes "value of an incomplete quad"
        "A derivative or a quad operation is used whose quad has inactive or missing lanes."
    NonUniformIndex "non-uniform-index" Uniformity "non-uniform resource index"
        "The index of a resource differs within a wave, without NonUniformResourceIndex."
    DivisionByZero "division-by-zero" Division "integer division by zero"
        "The result of an integer division by zero is used."
    NearStepLimit "near-step-limit" Loops "near the limit of steps"
        "The dispatch has taken most of the steps that it may take."
    UnwrittenUav "unwritten-uav" Unwritten "read before any write"
        "A UAV is read where the dispatch has not written before."
    DivergentWaveOperation "divergent-wave-operation" Divergence "wave operation in divergent flow"
        "A wave operation is executed by a part of the wave."
    NonFinite "non-finite" Nan "NaN or infinity"
        "Finite numbers give NaN or infinity."
    ShiftWidth "shift-width" Shift "shift beyond the width"
        "The result of a shift by the width of the type or more is used."
    ConversionOverflow "conversion-overflow" Conversion "float out of the range of the integer"
        "A float is converted to an integer type that has no such number, and the result is used."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_finds_something_and_names_are_unique() {
        for check in Check::ALL {
            assert!(FindingKind::ALL.iter().any(|kind| kind.check() == *check));
        }
        let mut names: Vec<&str> = FindingKind::ALL.iter().map(|kind| kind.code()).collect();
        names.extend(Check::ALL.iter().map(|check| check.name()));
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn sets_add_and_remove() {
        let set = Checks::NONE.with(Check::Races).with(Check::Nan);
        assert!(set.contains(Check::Nan) && !set.contains(Check::Bounds));
        assert_eq!(set.without(Check::Nan).without(Check::Races), Checks::NONE);
        assert!(!Checks::standard().contains(Check::Nan));
        assert!(Check::ALL.iter().all(|check| Checks::ALL.contains(*check)));
    }
}
