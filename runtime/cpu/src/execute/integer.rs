//! Integer arithmetic with D3D12's rules where Rust's operators have others.

/// Returns `a / b` of signed numbers; all ones for a division by zero, and the one overflow wraps.
#[inline]
pub(crate) fn signed_div32(a: u32, b: u32) -> u32 {
    match b {
        0 => u32::MAX,
        _ => (a as i32).wrapping_div(b as i32) as u32,
    }
}

/// Returns `a % b` of signed numbers; all ones for a division by zero.
#[inline]
pub(crate) fn signed_rem32(a: u32, b: u32) -> u32 {
    match b {
        0 => u32::MAX,
        _ => (a as i32).wrapping_rem(b as i32) as u32,
    }
}

/// Returns [`signed_div32`] in 64 bits.
#[inline]
pub(crate) fn signed_div64(a: u64, b: u64) -> u64 {
    match b {
        0 => u64::MAX,
        _ => (a as i64).wrapping_div(b as i64) as u64,
    }
}

/// Returns [`signed_rem32`] in 64 bits.
#[inline]
pub(crate) fn signed_rem64(a: u64, b: u64) -> u64 {
    match b {
        0 => u64::MAX,
        _ => (a as i64).wrapping_rem(b as i64) as u64,
    }
}

/// Returns the place, from the top, of the highest bit that differs from the sign; all ones if
/// there is none.
#[inline]
pub(crate) fn first_signed_high32(a: u32) -> u32 {
    let flipped = if a as i32 >= 0 { a } else { !a };
    match flipped {
        0 => u32::MAX,
        _ => flipped.leading_zeros(),
    }
}

/// Returns [`first_signed_high32`] in 64 bits.
#[inline]
pub(crate) fn first_signed_high64(a: u64) -> u32 {
    let flipped = if a as i64 >= 0 { a } else { !a };
    match flipped {
        0 => u32::MAX,
        _ => flipped.leading_zeros(),
    }
}

/// Returns the masked sum of absolute differences of four bytes: bytes where `reference` is zero do
/// not count.
#[inline]
pub(crate) fn masked_sad(reference: u32, source: u32, sum: u32) -> u32 {
    let pairs = reference
        .to_le_bytes()
        .into_iter()
        .zip(source.to_le_bytes());
    pairs.filter(|(a, _)| *a != 0).fold(sum, |sum, (a, b)| {
        sum.wrapping_add(u32::from(a.abs_diff(b)))
    })
}

/// Returns the offset and width of a bit field: five bits each, cut off at the top (D3D11.3,
/// 22.11.11).
#[inline]
fn field(width: u32, offset: u32) -> (u32, u32) {
    let (width, offset) = (width & 31, offset & 31);
    (width.min(32 - offset), offset)
}

/// Returns the bits of a field.
#[inline]
pub(crate) fn field_mask(width: u32, offset: u32) -> u32 {
    let (width, offset) = field(width, offset);
    ((1_u32 << width).wrapping_sub(1)) << offset
}

/// Returns a bit field, zero-extended.
#[inline]
pub(crate) fn unsigned_field(width: u32, offset: u32, value: u32) -> u32 {
    (value & field_mask(width, offset)) >> (offset & 31)
}

/// Returns a bit field, sign-extended.
#[inline]
pub(crate) fn signed_field(width: u32, offset: u32, value: u32) -> u32 {
    let (width, offset) = field(width, offset);
    match width {
        0 => 0,
        _ => ((value << (32 - width - offset)) as i32 >> (32 - width)) as u32,
    }
}

/// Returns `acc` and the dot product of four signed bytes.
#[inline]
pub(crate) fn dot_signed(acc: u32, a: u32, b: u32) -> u32 {
    let pairs = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
    pairs.fold(acc, |sum, (a, b)| {
        sum.wrapping_add((i32::from(a as i8) * i32::from(b as i8)) as u32)
    })
}

/// Returns `acc` and the dot product of four unsigned bytes.
#[inline]
pub(crate) fn dot_unsigned(acc: u32, a: u32, b: u32) -> u32 {
    let pairs = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
    pairs.fold(acc, |sum, (a, b)| {
        sum.wrapping_add(u32::from(a) * u32::from(b))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_by_zero_gives_all_ones_and_the_overflow_wraps() {
        assert_eq!(signed_div32(7, 0), u32::MAX);
        assert_eq!(signed_rem32(7, 0), u32::MAX);
        assert_eq!(signed_div32(0x8000_0000, u32::MAX), 0x8000_0000);
        assert_eq!(signed_rem32(0x8000_0000, u32::MAX), 0);
        assert_eq!(signed_div64(1 << 63, u64::MAX), 1 << 63);
    }

    #[test]
    fn fields_are_cut_off_at_the_top() {
        assert_eq!(unsigned_field(8, 28, 0xf000_0000), 0xf);
        assert_eq!(signed_field(8, 28, 0xf000_0000), u32::MAX);
        assert_eq!(unsigned_field(0, 3, u32::MAX), 0);
        assert_eq!(signed_field(32, 0, 5), 0);
        assert_eq!(field_mask(31, 0), 0x7fff_ffff);
    }

    #[test]
    fn high_scans_count_from_the_top() {
        assert_eq!(first_signed_high32(0), u32::MAX);
        assert_eq!(first_signed_high32(u32::MAX), u32::MAX);
        assert_eq!(first_signed_high32(0x4000_0000), 1);
        assert_eq!(first_signed_high32(0x8000_0000), 1);
        assert_eq!(first_signed_high64(1), 63);
    }
}
