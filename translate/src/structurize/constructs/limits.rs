//! Limits of constructs.

/// Maximum nesting depth of constructs. Deeper graphs are flattened. SPIR-V allows 1,023 (2.17
/// "Universal Limits"), but placing recurses per level and has to work with the stack of a small
/// thread; source code nests about a dozen deep.
pub(in crate::structurize) const MAX_DEPTH: usize = 256;

/// Maximum number of blocks of an arm that is nested in a construct, where neither arm returns to
/// the join and the other arm has fewer blocks.
pub(super) const MAX_NESTED_ARM: u32 = 32;

/// Maximum number of switches of a loop that a `continue` leaves at once. SPIR-V has no limit. Mesa
/// (25.0 and 26.1, `vtn_structured_cfg.c`) makes a loop of each case that is left early, and after
/// the inner one of two it does not test whether to continue: the code between the two merge blocks
/// runs for lanes that have left.
pub(in crate::structurize) const MAX_SWITCHES_CONTINUED: u32 = 1;
