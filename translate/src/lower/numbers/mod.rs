//! Numbers: floats, integers, bits and conversions.

pub(super) mod arithmetic;
pub(super) mod bits;
pub(super) mod convert;
pub(super) mod float_modes;
pub(super) mod half;
pub(super) mod integers;
pub(super) mod overflow;
pub(super) mod results;
pub(super) mod word_pairs;
