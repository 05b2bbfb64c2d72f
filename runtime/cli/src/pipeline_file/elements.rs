//! Element formats of a pipeline file: text to bytes and back.

use std::fmt;

use half::f16;
use serde::Deserialize;

/// Format of the elements of a buffer, by its name in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, schemars::JsonSchema)]
#[allow(missing_docs, reason = "the format's own names")]
pub enum ElementFormat {
    Hex8,
    Hex16,
    Hex32,
    Hex64,
    UInt16,
    UInt32,
    UInt64,
    Int16,
    Int32,
    Int64,
    /// Written as 16-bit patterns, like `Hex16`.
    Float16,
    Float32,
    Float64,
    Depth32,
    /// 32 bits, as HLSL stores a bool.
    Bool,
}

/// The kind of number of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    Hex,
    Unsigned,
    Signed,
    Float,
}

impl ElementFormat {
    /// Returns the size of an element in bytes.
    pub fn bytes(self) -> usize {
        match self {
            ElementFormat::Hex8 => 1,
            ElementFormat::Hex16
            | ElementFormat::UInt16
            | ElementFormat::Int16
            | ElementFormat::Float16 => 2,
            ElementFormat::Hex32
            | ElementFormat::UInt32
            | ElementFormat::Int32
            | ElementFormat::Float32
            | ElementFormat::Depth32
            | ElementFormat::Bool => 4,
            ElementFormat::Hex64
            | ElementFormat::UInt64
            | ElementFormat::Int64
            | ElementFormat::Float64 => 8,
        }
    }

    /// Returns whether tolerances apply to it.
    pub fn is_float(self) -> bool {
        matches!(
            self,
            ElementFormat::Float16 | ElementFormat::Float32 | ElementFormat::Float64
        )
    }

    fn number(self) -> Number {
        match self {
            ElementFormat::Hex8
            | ElementFormat::Hex16
            | ElementFormat::Hex32
            | ElementFormat::Hex64
            | ElementFormat::Float16 => Number::Hex,
            ElementFormat::UInt16
            | ElementFormat::UInt32
            | ElementFormat::UInt64
            | ElementFormat::Bool => Number::Unsigned,
            ElementFormat::Int16 | ElementFormat::Int32 | ElementFormat::Int64 => Number::Signed,
            ElementFormat::Float32 | ElementFormat::Float64 | ElementFormat::Depth32 => {
                Number::Float
            }
        }
    }

    /// Appends the bytes of the element in `text`.
    ///
    /// # Errors
    ///
    /// [`BadElement`] if the text is not a value of the format.
    pub fn encode(self, text: &str, out: &mut Vec<u8>) -> Result<(), BadElement> {
        let bad = || BadElement {
            text: text.to_owned(),
            format: self,
        };
        let bits = match self.number() {
            Number::Float if self.bytes() == 8 => parse_f64(text).ok_or_else(bad)?.to_bits(),
            Number::Float => u64::from(parse_f32(text).ok_or_else(bad)?.to_bits()),
            Number::Hex | Number::Unsigned if self == ElementFormat::Bool && text == "true" => 1,
            Number::Hex | Number::Unsigned if self == ElementFormat::Bool && text == "false" => 0,
            Number::Hex | Number::Unsigned | Number::Signed => {
                let value = parse_integer(text).ok_or_else(bad)?;
                let width = 8 * self.bytes() as u32;
                let (minimum, maximum) = match self.number() {
                    // i128 holds the bounds of both 64-bit types.
                    Number::Signed => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
                    _ => (0, (1i128 << width) - 1),
                };
                if !(minimum..=maximum).contains(&value) {
                    return Err(bad());
                }
                value as u64
            }
        };
        out.extend_from_slice(&bits.to_le_bytes()[..self.bytes()]);
        Ok(())
    }

    /// Returns the bits of the single element in `bytes`.
    pub fn bits(self, bytes: &[u8]) -> u64 {
        bytes
            .iter()
            .take(8)
            .enumerate()
            .fold(0, |bits, (i, byte)| bits | u64::from(*byte) << (8 * i))
    }

    /// Returns the element in the notation of the file.
    pub fn print(self, bits: u64) -> Printed {
        Printed { format: self, bits }
    }
}

/// A text that is not an element of its format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a {format:?} value")]
pub struct BadElement {
    /// The text.
    pub text: String,
    /// The format.
    pub format: ElementFormat,
}

/// An element for display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Printed {
    format: ElementFormat,
    bits: u64,
}

impl Printed {
    /// Writes value and bit pattern of floats, and the value of other elements.
    pub fn detailed(self) -> String {
        let bits = self.bits;
        match self.format {
            ElementFormat::Float16 => {
                let value = f16::from_bits(bits as u16).to_f32();
                format!("{value} ({bits:#06x})")
            }
            ElementFormat::Float32 | ElementFormat::Depth32 => {
                format!("{} ({bits:#010x})", f32::from_bits(bits as u32))
            }
            ElementFormat::Float64 => format!("{} ({bits:#018x})", f64::from_bits(bits)),
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.bits;
        match self.format.number() {
            Number::Hex => write!(f, "0x{bits:X}"),
            Number::Unsigned => write!(f, "{bits}"),
            Number::Signed => {
                // Extends the sign from the width of the format.
                let shift = 64 - 8 * self.format.bytes() as u32;
                write!(f, "{}", (bits << shift) as i64 >> shift)
            }
            Number::Float if self.format.bytes() == 8 => {
                f.write_str(&general(f64::from_bits(bits)))
            }
            Number::Float => f.write_str(&general(f64::from(f32::from_bits(bits as u32)))),
        }
    }
}

/// Returns six significant digits without trailing zeros, as `%g` of C does.
fn general(value: f64) -> String {
    if value.is_nan() {
        let sign = if value.is_sign_negative() { "-" } else { "" };
        return format!("{sign}nan");
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = format!("{value:.5e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    if (-4..6).contains(&exponent) {
        let digits = usize::try_from(5 - exponent).unwrap_or(0);
        return trim(&format!("{value:.digits$}"));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trim(mantissa), exponent.abs())
}

/// Parses an integer: decimal, `0x`, `0o`, `0b`, or octal with a leading zero; signs are allowed.
fn parse_integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    // `get` returns `None` for a text of one byte, and inside of a multi-byte character.
    let (radix, digits) = match (lower.get(..2), lower.as_str()) {
        (Some("0x"), _) => (16, &lower[2..]),
        (Some("0o"), _) => (8, &lower[2..]),
        (Some("0b"), _) => (2, &lower[2..]),
        (Some(_), text) if text.starts_with('0') => (8, &lower[1..]),
        _ => (10, lower.as_str()),
    };
    // `from_str_radix` would accept a second sign.
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let value = i128::from_str_radix(digits, radix).ok()?;
    Some(if negative { -value } else { value })
}

/// Splits off the sign, and handles special values. Returns the sign and the rest.
fn special(text: &str) -> Result<f64, (bool, &str)> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    // YAML writes these with a point: `.nan`, `-.inf`.
    let value = match rest.trim_start_matches('.').to_ascii_lowercase().as_str() {
        "nan" => f64::NAN,
        "inf" | "infinity" => f64::INFINITY,
        _ => return Err((negative, rest)),
    };
    Ok(if negative { -value } else { value })
}

fn parse_f64(text: &str) -> Option<f64> {
    let (negative, rest) = match special(text) {
        Ok(value) => return Some(value),
        Err(parts) => parts,
    };
    let value = match rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
        Some(hex) => parse_hex_float(hex)?,
        None => parse_decimal(rest)?.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

fn parse_f32(text: &str) -> Option<f32> {
    let (negative, rest) = match special(text) {
        // A NaN keeps its sign through the conversion.
        Ok(value) => return Some(value as f32),
        Err(parts) => parts,
    };
    let value = match rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
        Some(hex) => parse_hex_float(hex)? as f32,
        // Directly as f32, since parsing as f64 first would round twice.
        None => parse_decimal(rest)?.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

/// Returns the text if it looks like a decimal number, since Rust's parser also accepts `infinity`
/// and similar words.
fn parse_decimal(text: &str) -> Option<&str> {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        .then_some(text)
}

/// Parses a hexadecimal float after `0x`: digits, a point, and `p` with a power of two. Up to 53
/// bits are exact.
fn parse_hex_float(text: &str) -> Option<f64> {
    let lower = text.to_ascii_lowercase();
    let (digits, exponent) = match lower.split_once('p') {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (lower.as_str(), 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    // More than sixteen digits do not fit into 64 bits.
    if all.is_empty() || all.len() > 16 || all.starts_with('+') {
        return None;
    }
    let mantissa = u64::from_str_radix(&all, 16).ok()?;
    let exponent = exponent.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
    // In two steps, since 2 to the lowest power would be zero.
    let half = exponent.clamp(-2200, 2200) / 2;
    let rest = exponent.clamp(-2200, 2200) - half;
    Some(mantissa as f64 * power_of_two(half) * power_of_two(rest))
}

/// Returns 2 to a power, limited to the normal range of f64.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(format: ElementFormat, text: &str) -> u64 {
        let mut out = Vec::new();
        format.encode(text, &mut out).unwrap();
        assert_eq!(out.len(), format.bytes());
        format.bits(&out)
    }

    #[test]
    fn floats_read_in_every_notation() {
        let f32_of = |text| f32::from_bits(bits(ElementFormat::Float32, text) as u32);
        assert_eq!(f32_of("2.5"), 2.5);
        assert_eq!(f32_of("-1e-3"), -1e-3);
        assert_eq!(f32_of("0x1.8p3"), 12.0);
        assert_eq!(f32_of("0x1.e7d42cp-127").to_bits(), 0x0079_f50b);
        assert_eq!(f32_of("-0").to_bits(), 0x8000_0000);
        assert!(f32_of("nan").is_nan() && f32_of(".nan").is_nan());
        assert!(f32_of("-nan").is_sign_negative());
        assert_eq!(f32_of("-inf"), f32::NEG_INFINITY);
        let tiny = bits(ElementFormat::Float64, "0x0.fffffffffffffp-1022");
        assert_eq!(tiny, 0x000f_ffff_ffff_ffff);
        assert_eq!(bits(ElementFormat::Float64, "0x1p-1074"), 1);
    }

    #[test]
    fn truth_values_belong_to_booleans_only() {
        assert_eq!(bits(ElementFormat::Bool, "true"), 1);
        assert_eq!(bits(ElementFormat::Bool, "false"), 0);
        for format in [
            ElementFormat::UInt32,
            ElementFormat::Hex8,
            ElementFormat::Int32,
            ElementFormat::Float32,
        ] {
            let error = format.encode("true", &mut Vec::new()).unwrap_err();
            assert_eq!(error.text, "true");
        }
    }

    #[test]
    fn integers_read_in_every_radix_and_stay_in_range() {
        assert_eq!(bits(ElementFormat::Int32, "-1"), 0xffff_ffff);
        assert_eq!(bits(ElementFormat::Hex16, "0xBEEF"), 0xbeef);
        assert_eq!(bits(ElementFormat::UInt32, "010"), 8);
        assert_eq!(
            bits(ElementFormat::UInt64, "18446744073709551615"),
            u64::MAX
        );
        let mut out = Vec::new();
        for (format, text) in [
            (ElementFormat::Int16, "40000"),
            (ElementFormat::UInt32, "-1"),
            (ElementFormat::Hex8, "0x100"),
            (ElementFormat::Int32, "1.5"),
            (ElementFormat::Float32, "one"),
            (ElementFormat::Int32, "--1"),
            (ElementFormat::Int32, ""),
        ] {
            assert!(format.encode(text, &mut out).is_err(), "{format:?} {text}");
        }
    }

    #[test]
    fn elements_print_as_the_suite_prints_them() {
        let show = |format: ElementFormat, text: &str| format.print(bits(format, text)).to_string();
        assert_eq!(show(ElementFormat::Float32, "64"), "64");
        assert_eq!(show(ElementFormat::Float32, "0.1"), "0.1");
        assert_eq!(show(ElementFormat::Float32, "1234567"), "1.23457e+06");
        assert_eq!(show(ElementFormat::Float32, "1e-10"), "1e-10");
        assert_eq!(show(ElementFormat::Float64, "-inf"), "-inf");
        assert_eq!(show(ElementFormat::Hex32, "255"), "0xFF");
        assert_eq!(show(ElementFormat::Int16, "-3"), "-3");
        assert_eq!(
            ElementFormat::Float16.print(0x3c00).detailed(),
            "1 (0x3c00)"
        );
    }
}
