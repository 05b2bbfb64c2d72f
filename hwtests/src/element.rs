//! Numbers in buffers: conversion to and from bytes, and comparison with expectations.

use std::fmt::Debug;

pub use half::f16;

/// The permitted difference between a result and its expectation.
///
/// Any NaN equals any other NaN. Where a denormal is expected, zero is right too: D3D12 lets a
/// device flush 32-bit denormals (D3D11.3 functional specification, 3.1.3.1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tolerance {
    /// The same bits.
    Exact,
    /// Maximum distance in units in the last place of the type.
    Ulp(u32),
    /// Maximum absolute difference.
    Absolute(f64),
    /// Maximum difference as a fraction of the expected number.
    Relative(f64),
}

/// A number, or an array of numbers, as it lies in memory (little-endian).
pub trait Element: Copy + Debug + PartialEq + 'static {
    /// Bytes of one element.
    const BYTES: usize;
    /// Appends the bytes.
    fn write(self, out: &mut Vec<u8>);
    /// Reads what [`write`](Element::write) wrote; `bytes` has [`BYTES`](Element::BYTES) bytes.
    fn read(bytes: &[u8]) -> Self;
    /// Returns whether this result equals `expected`, up to the tolerance.
    fn matches(self, expected: Self, tolerance: Tolerance) -> bool;
}

macro_rules! integers {
    ($($type:ty)*) => { $(
        impl Element for $type {
            const BYTES: usize = size_of::<$type>();
            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn read(bytes: &[u8]) -> Self {
                let mut raw = [0; size_of::<$type>()];
                raw.copy_from_slice(bytes);
                <$type>::from_le_bytes(raw)
            }
            fn matches(self, expected: Self, tolerance: Tolerance) -> bool {
                match tolerance {
                    Tolerance::Exact => self == expected,
                    Tolerance::Ulp(units) => self.abs_diff(expected) as u128 <= u128::from(units),
                    Tolerance::Absolute(maximum) => self.abs_diff(expected) as f64 <= maximum,
                    Tolerance::Relative(part) => {
                        self.abs_diff(expected) as f64 <= (expected as f64).abs() * part
                    }
                }
            }
        }
    )* };
}
integers!(u8 i8 u16 i16 u32 i32 u64 i64);

macro_rules! floats {
    ($($type:ty, $bits:ty, $smallest:expr;)*) => { $(
        impl Element for $type {
            const BYTES: usize = size_of::<$type>();
            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn read(bytes: &[u8]) -> Self {
                let mut raw = [0; size_of::<$type>()];
                raw.copy_from_slice(bytes);
                <$type>::from_le_bytes(raw)
            }
            fn matches(self, expected: Self, tolerance: Tolerance) -> bool {
                if self.to_bits() == expected.to_bits() || (self.is_nan() && expected.is_nan()) {
                    return true;
                }
                let (got, want) = (f64::from(self), f64::from(expected));
                if got == 0.0 && want.abs() < f64::from($smallest) && want != 0.0 {
                    return true;
                }
                if !got.is_finite() || !want.is_finite() {
                    return false;
                }
                match tolerance {
                    Tolerance::Exact => false,
                    Tolerance::Ulp(units) => {
                        // Sign and magnitude to a line on which neighbours differ by one.
                        let line = |value: $type| {
                            let bits = value.to_bits();
                            let magnitude = (bits & (<$bits>::MAX >> 1)) as i128;
                            if bits >> (<$bits>::BITS - 1) == 0 { magnitude } else { -magnitude }
                        };
                        (line(self) - line(expected)).unsigned_abs() <= u128::from(units)
                    }
                    Tolerance::Absolute(maximum) => (got - want).abs() <= maximum,
                    Tolerance::Relative(part) => (got - want).abs() <= want.abs() * part,
                }
            }
        }
    )* };
}
floats! {
    f16, u16, f16::MIN_POSITIVE;
    f32, u32, f32::MIN_POSITIVE;
    f64, u64, f64::MIN_POSITIVE;
}

impl<T: Element, const N: usize> Element for [T; N] {
    const BYTES: usize = T::BYTES * N;
    fn write(self, out: &mut Vec<u8>) {
        for value in self {
            value.write(out);
        }
    }
    fn read(bytes: &[u8]) -> Self {
        std::array::from_fn(|index| T::read(&bytes[index * T::BYTES..][..T::BYTES]))
    }
    fn matches(self, expected: Self, tolerance: Tolerance) -> bool {
        self.into_iter()
            .zip(expected)
            .all(|(got, want)| got.matches(want, tolerance))
    }
}

/// Returns the bytes of some elements.
pub fn to_bytes<T: Element>(values: &[T]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.len() * T::BYTES);
    for &value in values {
        value.write(&mut bytes);
    }
    bytes
}

/// Returns the elements in some bytes. Bytes after the last whole element are ignored.
pub fn from_bytes<T: Element>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(T::BYTES).map(T::read).collect()
}

/// Writes structs: members of different types, one after the other.
#[derive(Debug, Clone, Default)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    /// Returns a writer without bytes.
    pub fn new() -> Self {
        Bytes::default()
    }

    /// Appends an element.
    #[must_use]
    pub fn put<T: Element>(mut self, value: T) -> Self {
        value.write(&mut self.0);
        self
    }

    /// Appends zeros up to the next multiple of `alignment`.
    #[must_use]
    pub fn align(mut self, alignment: usize) -> Self {
        self.0.resize(self.0.len().next_multiple_of(alignment), 0);
        self
    }
}

/// A generator of test data that gives the same data on every machine.
#[derive(Debug, Clone)]
pub struct Random(fastrand::Rng);

impl Random {
    /// Returns the generator for a seed.
    pub fn new(seed: u64) -> Self {
        Random(fastrand::Rng::with_seed(seed))
    }

    /// Returns 64 random bits.
    pub fn bits64(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// Returns 32 random bits.
    pub fn bits(&mut self) -> u32 {
        self.0.u32(..)
    }

    /// Returns a number below `limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        self.0.u32(..limit)
    }

    /// Returns `count` numbers below `limit`.
    pub fn many(&mut self, count: usize, limit: u32) -> Vec<u32> {
        (0..count).map(|_| self.below(limit)).collect()
    }

    /// Returns a number in `low..high` with a short binary fraction.
    pub fn float(&mut self, low: f32, high: f32) -> f32 {
        let part = self.below(1 << 12) as f32 / (1 << 12) as f32;
        low + (high - low) * part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ulp_distance_crosses_zero() {
        let step = f32::from_bits(1);
        assert!((-0.0f32).matches(0.0, Tolerance::Ulp(0)));
        assert!((-step).matches(step, Tolerance::Ulp(2)));
        assert!(!(-step).matches(step, Tolerance::Ulp(1)));
    }

    #[test]
    fn exact_tells_zeros_apart_but_not_nans() {
        assert!(!(-0.0f32).matches(0.0, Tolerance::Exact));
        assert!(f32::from_bits(0x7fc0_0001).matches(f32::NAN, Tolerance::Exact));
    }

    #[test]
    fn flushed_denormals_pass_and_wrong_ones_do_not() {
        let denormal = f32::MIN_POSITIVE / 2.0;
        assert!(0.0f32.matches(denormal, Tolerance::Exact));
        assert!(!denormal.matches(0.0, Tolerance::Exact));
        assert!(!0.0f32.matches(f32::MIN_POSITIVE, Tolerance::Exact));
    }

    #[test]
    fn structs_round_trip_through_bytes() {
        let bytes = Bytes::new().put(1u16).align(4).put([2.5f32, -1.0]).0;
        assert_eq!(bytes.len(), 12);
        assert_eq!(from_bytes::<[f32; 2]>(&bytes[4..]), [[2.5, -1.0]]);
    }
}
