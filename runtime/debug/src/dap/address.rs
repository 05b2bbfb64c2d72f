//! Addresses of instructions: lines of the listing.

/// Returns the line of the listing that an address is.
pub(super) fn address(reference: &str) -> Option<i64> {
    i64::from_str_radix(reference.strip_prefix("0x")?, 16).ok()
}
