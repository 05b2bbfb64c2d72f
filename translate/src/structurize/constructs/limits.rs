//! Limits of constructs.

/// Deepest nesting of constructs that is placed. Deeper graphs are flattened. SPIR-V would allow
/// 1023 (universal limits, 2.17), but placing recurses per level and must do with the stack of a
/// small thread; source nests a dozen deep.
pub(in crate::structurize) const MAX_DEPTH: usize = 256;

/// Most blocks of an arm that never comes back which stand inside of a construct, where the other
/// arm, which does not either, has fewer.
pub(super) const MAX_NESTED_ARM: u32 = 32;

/// Most switches of a loop that a `continue` leaves at once. SPIR-V has no limit. Mesa (25.0 and
/// 26.1, `vtn_structured_cfg.c`) makes a loop of each case that is left early, and after the inner
/// one of two it does not ask whether to continue: the code between the two merge blocks runs, for
/// lanes that left.
pub(in crate::structurize) const MAX_SWITCHES_CONTINUED: u32 = 1;
