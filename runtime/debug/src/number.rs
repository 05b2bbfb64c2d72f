//! Scalars as HLSL has them, and arithmetic on them.

use std::cmp::Ordering;
use std::fmt;

use half::f16;

/// What the bits of a scalar mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Encoding {
    /// Zero or not.
    Bool,
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A float.
    Float,
}

/// The type of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScalarKind {
    /// What its bits mean.
    pub encoding: Encoding,
    /// Number of bits: 8, 16, 32 or 64.
    pub bits: u32,
}

impl ScalarKind {
    /// `bool`.
    pub const BOOL: ScalarKind = ScalarKind::new(Encoding::Bool, 32);
    /// `int`.
    pub const INT: ScalarKind = ScalarKind::new(Encoding::Signed, 32);
    /// `uint`.
    pub const UINT: ScalarKind = ScalarKind::new(Encoding::Unsigned, 32);
    /// `float`.
    pub const FLOAT: ScalarKind = ScalarKind::new(Encoding::Float, 32);

    /// Returns a kind.
    pub const fn new(encoding: Encoding, bits: u32) -> ScalarKind {
        ScalarKind { encoding, bits }
    }

    /// Returns the name of the type in HLSL.
    pub fn name(self) -> &'static str {
        use Encoding as E;
        match (self.encoding, self.bits) {
            (E::Bool, _) => "bool",
            (E::Signed, 8) => "int8_t",
            (E::Signed, 16) => "int16_t",
            (E::Signed, 64) => "int64_t",
            (E::Signed, _) => "int",
            (E::Unsigned, 8) => "uint8_t",
            (E::Unsigned, 16) => "uint16_t",
            (E::Unsigned, 64) => "uint64_t",
            (E::Unsigned, _) => "uint",
            (E::Float, 16) => "float16_t",
            (E::Float, 64) => "double",
            (E::Float, _) => "float",
        }
    }

    /// Returns the kind of that name in HLSL, or of that name in debug information.
    pub fn named(name: &str) -> Option<ScalarKind> {
        use Encoding as E;
        let (encoding, bits) = match name {
            "bool" => (E::Bool, 32),
            "int" | "int32_t" | "dword" => (E::Signed, 32),
            "uint" | "uint32_t" | "unsigned int" => (E::Unsigned, 32),
            "int16_t" | "short" | "min16int" => (E::Signed, 16),
            "uint16_t" | "unsigned short" | "min16uint" => (E::Unsigned, 16),
            "int64_t" | "long long" => (E::Signed, 64),
            "uint64_t" | "unsigned long long" => (E::Unsigned, 64),
            "half" | "float16_t" | "min16float" | "min10float" => (E::Float, 16),
            "float" | "float32_t" => (E::Float, 32),
            "double" | "float64_t" => (E::Float, 64),
            _ => return None,
        };
        Some(ScalarKind::new(encoding, bits))
    }

    fn mask(self) -> u64 {
        if self.bits >= 64 {
            u64::MAX
        } else {
            (1 << self.bits) - 1
        }
    }
}

/// A scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    /// Its type.
    pub kind: ScalarKind,
    /// Its bits; of a `bool` 0 or 1.
    pub bits: u64,
}

/// An operator of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    LogicalAnd,
    LogicalOr,
}

impl Number {
    /// Returns a number of those bits.
    pub fn new(kind: ScalarKind, bits: u64) -> Number {
        let bits = match kind.encoding {
            Encoding::Bool => u64::from(bits != 0),
            _ => bits & kind.mask(),
        };
        Number { kind, bits }
    }

    /// Returns a `bool`.
    pub fn bool(value: bool) -> Number {
        Number::new(ScalarKind::BOOL, u64::from(value))
    }

    /// Returns an `int`.
    pub fn int(value: i32) -> Number {
        Number::new(ScalarKind::INT, u64::from(value.cast_unsigned()))
    }

    /// Returns a `uint`.
    pub fn uint(value: u32) -> Number {
        Number::new(ScalarKind::UINT, u64::from(value))
    }

    /// Returns a `float`.
    pub fn float(value: f32) -> Number {
        Number::new(ScalarKind::FLOAT, u64::from(value.to_bits()))
    }

    /// Returns the value as a float.
    pub fn as_f64(self) -> f64 {
        match (self.kind.encoding, self.kind.bits) {
            (Encoding::Float, 16) => f16::from_bits(self.bits as u16).to_f64(),
            (Encoding::Float, 64) => f64::from_bits(self.bits),
            (Encoding::Float, _) => f64::from(f32::from_bits(self.bits as u32)),
            _ => self.as_i128() as f64,
        }
    }

    /// Returns the value as an integer; floats are cut off toward zero.
    pub fn as_i128(self) -> i128 {
        match self.kind.encoding {
            Encoding::Float => self.as_f64() as i128,
            Encoding::Signed => {
                let shift = 64 - self.kind.bits.min(64);
                i128::from((self.bits << shift).cast_signed() >> shift)
            }
            Encoding::Bool | Encoding::Unsigned => i128::from(self.bits),
        }
    }

    /// Returns whether it is not zero.
    pub fn is_true(self) -> bool {
        match self.kind.encoding {
            Encoding::Float => self.as_f64() != 0.0,
            _ => self.bits != 0,
        }
    }

    /// Returns the same value as another type.
    #[must_use]
    pub fn converted(self, kind: ScalarKind) -> Number {
        if self.kind == kind {
            return self;
        }
        match (kind.encoding, kind.bits) {
            (Encoding::Bool, _) => Number::new(kind, u64::from(self.is_true())),
            (Encoding::Float, _) => Number::of_float(kind, self.as_f64()),
            // Conversions of floats saturate, as in DXIL as drivers run it.
            _ if self.kind.encoding == Encoding::Float => {
                let (low, high) = match kind.encoding {
                    Encoding::Signed => (-(1_i128 << (kind.bits - 1)), (1 << (kind.bits - 1)) - 1),
                    _ => (0, i128::from(kind.mask())),
                };
                Number::new(kind, self.as_i128().clamp(low, high) as u64)
            }
            _ => Number::new(kind, self.as_i128() as u64),
        }
    }

    /// Returns the nearest float of a kind.
    fn of_float(kind: ScalarKind, value: f64) -> Number {
        let bits = match kind.bits {
            16 => u64::from(f16::from_f64(value).to_bits()),
            64 => value.to_bits(),
            _ => u64::from((value as f32).to_bits()),
        };
        Number::new(kind, bits)
    }

    /// Returns the type in which HLSL computes with both.
    fn common(a: ScalarKind, b: ScalarKind) -> ScalarKind {
        let rank = |kind: ScalarKind| (kind.encoding == Encoding::Float, kind.bits, kind.encoding);
        let wider = if rank(a) >= rank(b) { a } else { b };
        match wider.encoding {
            Encoding::Bool => ScalarKind::INT,
            _ => wider,
        }
    }

    /// Returns the result of an operator; none for a division of integers by zero.
    pub fn binary(op: BinaryOp, a: Number, b: Number) -> Option<Number> {
        use BinaryOp as O;
        match op {
            O::LogicalAnd => return Some(Number::bool(a.is_true() && b.is_true())),
            O::LogicalOr => return Some(Number::bool(a.is_true() || b.is_true())),
            O::Shl | O::Shr => return Some(a.shifted(op == O::Shl, b)),
            _ => {}
        }
        let kind = Number::common(a.kind, b.kind);
        let (a, b) = (a.converted(kind), b.converted(kind));
        let order = if kind.encoding == Encoding::Float {
            a.as_f64().partial_cmp(&b.as_f64())
        } else {
            Some(a.as_i128().cmp(&b.as_i128()))
        };
        let is = |wanted: &[Ordering]| order.is_some_and(|order| wanted.contains(&order));
        use Ordering::{Equal, Greater, Less};
        match op {
            O::Equal => return Some(Number::bool(is(&[Equal]))),
            O::NotEqual => return Some(Number::bool(!is(&[Equal]))),
            O::Less => return Some(Number::bool(is(&[Less]))),
            O::LessEqual => return Some(Number::bool(is(&[Less, Equal]))),
            O::Greater => return Some(Number::bool(is(&[Greater]))),
            O::GreaterEqual => return Some(Number::bool(is(&[Greater, Equal]))),
            _ => {}
        }
        if kind.encoding == Encoding::Float {
            let (a, b) = (a.as_f64(), b.as_f64());
            // Rounding the exact double once is what single precision gives for these.
            return Some(Number::of_float(
                kind,
                match op {
                    O::Add => a + b,
                    O::Sub => a - b,
                    O::Mul => a * b,
                    O::Div => a / b,
                    O::Rem => a % b,
                    _ => return None,
                },
            ));
        }
        let (a, b) = (a.as_i128(), b.as_i128());
        let value = match op {
            O::Add => a + b,
            O::Sub => a - b,
            O::Mul => a.wrapping_mul(b),
            O::Div => a.checked_div(b)?,
            O::Rem => a.checked_rem(b)?,
            O::And => a & b,
            O::Or => a | b,
            O::Xor => a ^ b,
            _ => return None,
        };
        Some(Number::new(kind, value as u64))
    }

    /// Shifts by the low bits of the count, as HLSL does.
    fn shifted(self, left: bool, count: Number) -> Number {
        let kind = Number::common(self.kind, self.kind);
        let value = self.converted(kind).as_i128();
        let count = (count.as_i128() as u32) & (kind.bits - 1);
        let value = if left { value << count } else { value >> count };
        Number::new(kind, value as u64)
    }

    /// Returns the number with its sign changed.
    #[must_use]
    pub fn negated(self) -> Number {
        match self.kind.encoding {
            Encoding::Float => Number::of_float(self.kind, -self.as_f64()),
            _ => {
                let kind = Number::common(self.kind, self.kind);
                Number::new(kind, (-self.as_i128()) as u64)
            }
        }
    }

    /// Returns the number with all bits changed.
    #[must_use]
    pub fn inverted(self) -> Number {
        let kind = Number::common(self.kind, self.kind);
        Number::new(kind, !self.as_i128() as u64)
    }

    /// Returns the text of an integer in base 16, and of a float's bits.
    pub fn hex(self) -> String {
        match self.kind.encoding {
            Encoding::Bool => self.to_string(),
            _ => format!(
                "0x{:0width$x}",
                self.bits,
                width = (self.kind.bits / 4) as usize
            ),
        }
    }

    /// Reads a number of a type as its text is shown.
    pub fn parse(kind: ScalarKind, text: &str) -> Option<Number> {
        match (kind.encoding, text) {
            (Encoding::Bool, "true") => Some(Number::new(kind, 1)),
            (Encoding::Bool, "false") => Some(Number::new(kind, 0)),
            (Encoding::Float, _) => text.parse().ok().map(|value| Number::of_float(kind, value)),
            _ => text
                .parse::<i128>()
                .ok()
                .map(|value| Number::new(kind, value as u64)),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind.encoding, self.kind.bits) {
            (Encoding::Bool, _) => write!(f, "{}", self.is_true()),
            // With an exponent where the number is large or small.
            (Encoding::Float, bits) => {
                let text = match bits {
                    64 => format!("{:?}", self.as_f64()),
                    _ => format!("{:?}", self.as_f64() as f32),
                };
                f.write_str(text.strip_suffix(".0").unwrap_or(&text))
            }
            _ => write!(f, "{}", self.as_i128()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_and_floats_round_as_in_hlsl() {
        let binary = |op, a, b| Number::binary(op, a, b).map(|n| n.to_string());
        let max = Number::uint(u32::MAX);
        assert_eq!(
            binary(BinaryOp::Add, max, Number::int(1)).as_deref(),
            Some("0")
        );
        assert_eq!(
            binary(BinaryOp::Mul, Number::int(i32::MAX), Number::int(2)).as_deref(),
            Some("-2")
        );
        let third = f64::from(1.0_f32 / 3.0) as f32;
        assert_eq!(
            binary(BinaryOp::Div, Number::float(1.0), Number::int(3)),
            Some(third.to_string())
        );
        assert_eq!(binary(BinaryOp::Div, Number::int(1), Number::int(0)), None);
        assert_eq!(
            binary(BinaryOp::Shr, Number::int(-8), Number::int(33)).as_deref(),
            Some("-4")
        );
        assert_eq!(
            binary(BinaryOp::Less, Number::float(f32::NAN), Number::int(0)).as_deref(),
            Some("false")
        );
    }

    #[test]
    fn conversions_keep_values_and_saturate() {
        let of = |value: f32, kind| Number::float(value).converted(kind).to_string();
        assert_eq!(of(-1.5, ScalarKind::INT), "-1");
        assert_eq!(of(-1.5, ScalarKind::UINT), "0");
        assert_eq!(of(1e20, ScalarKind::INT), i32::MAX.to_string());
        assert_eq!(of(f32::NAN, ScalarKind::INT), "0");
        assert_eq!(of(0.5, ScalarKind::BOOL), "true");
        let half = ScalarKind::new(Encoding::Float, 16);
        assert_eq!(of(0.1, half), f16::from_f32(0.1).to_f32().to_string());
    }
}
