//! Bounds of floats that follow from how they are computed: clamped, rounded, converted from
//! integers. A float with bounds is not NaN.
//!
//! Shaders convert such numbers to integers (`uint(saturate(x) * 255 + 0.5)`), and nothing of the
//! conversion is left open for them.

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{FloatOp, Op, op_giving};
use dxil_frontend::ir::{BinaryOp, CastOp, Constant, FuncView, Inst, Type, ValueId};

/// Values that are looked at for one float.
const MAX_STEPS: u32 = 48;
/// Deepest nesting of operations that are looked at.
const MAX_DEPTH: u32 = 12;

/// What a float lies between; an end may be infinite. Ends of sums, products and quotients have
/// room for roundings, for another order of a sum and for the error that Vulkan allows a division.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FloatRange {
    /// The least number.
    pub(crate) low: f64,
    /// The greatest number.
    pub(crate) high: f64,
}

/// Returns the bounds of a scalar of 32 bits; `None` if it may be NaN.
pub(crate) fn of(shader: &Shader, view: FuncView<'_>, value: ValueId) -> Option<FloatRange> {
    let mut finder = Finder {
        shader,
        view,
        steps: MAX_STEPS,
    };
    finder.range(value, 0)
}

struct Finder<'a> {
    shader: &'a Shader,
    view: FuncView<'a>,
    steps: u32,
}

impl Finder<'_> {
    fn range(&mut self, value: ValueId, depth: u32) -> Option<FloatRange> {
        let ty = self.view.type_of(value)?;
        if !matches!(self.view.module.types.get(ty), Type::Float) {
            return None;
        }
        if let Some(constant) = self.view.constant(value) {
            return match constant {
                Constant::Null => FloatRange::new(0.0, 0.0),
                Constant::Float(bits) => {
                    let number = f64::from(f32::from_bits(bits as u32));
                    FloatRange::new(number, number)
                }
                _ => None,
            };
        }
        self.steps = self.steps.checked_sub(1)?;
        let depth = depth + 1;
        if depth > MAX_DEPTH {
            return None;
        }
        match self.view.inst_data(value)?.inst {
            Inst::Binary { op, lhs, rhs, .. } => {
                let a = self.range(lhs, depth)?;
                let b = self.range(rhs, depth)?;
                match op {
                    BinaryOp::FAdd => a.plus(b),
                    BinaryOp::FSub => a.plus(b.negated()),
                    BinaryOp::FMul => a.times(b),
                    BinaryOp::FDiv => a.divided_by(b),
                    _ => None,
                }
            }
            Inst::Cast { op, value: integer } => self.converted(op, integer),
            Inst::Select {
                if_true, if_false, ..
            } => {
                let a = self.range(if_true, depth)?;
                let b = self.range(if_false, depth)?;
                FloatRange::new(a.low.min(b.low), a.high.max(b.high))
            }
            Inst::Call { .. } => match op_giving(self.view, &self.shader.callees, value)? {
                Op::Float(op) => self.operation(&op, depth),
                _ => None,
            },
            _ => None,
        }
    }

    fn operation(&mut self, op: &FloatOp, depth: u32) -> Option<FloatRange> {
        match op {
            // NaN gives 0.
            FloatOp::Saturate(op) => Some(match self.range(op.value, depth) {
                Some(range) => range.clamped(),
                None => FloatRange {
                    low: 0.0,
                    high: 1.0,
                },
            }),
            // NaN gives the other one.
            FloatOp::FMax(op) => match (self.range(op.a, depth), self.range(op.b, depth)) {
                (Some(a), Some(b)) => FloatRange::new(a.low.max(b.low), a.high.max(b.high)),
                (Some(one), None) | (None, Some(one)) => FloatRange::new(one.low, f64::INFINITY),
                (None, None) => None,
            },
            FloatOp::FMin(op) => match (self.range(op.a, depth), self.range(op.b, depth)) {
                (Some(a), Some(b)) => FloatRange::new(a.low.min(b.low), a.high.min(b.high)),
                (Some(one), None) | (None, Some(one)) => {
                    FloatRange::new(f64::NEG_INFINITY, one.high)
                }
                (None, None) => None,
            },
            FloatOp::FMad(op) => {
                let product = self.range(op.a, depth)?.times(self.range(op.b, depth)?)?;
                product.plus(self.range(op.c, depth)?)
            }
            FloatOp::FAbs(op) => {
                let range = self.range(op.value, depth)?;
                let low = range.low.max(-range.high).max(0.0);
                FloatRange::new(low, range.high.max(-range.low))
            }
            FloatOp::RoundNe(op) => self.rounded(op.value, depth),
            FloatOp::RoundNi(op) => self.rounded(op.value, depth),
            FloatOp::RoundPi(op) => self.rounded(op.value, depth),
            FloatOp::RoundZ(op) => self.rounded(op.value, depth),
            // The fraction of an infinity is NaN.
            FloatOp::Frc(op) => {
                let range = self.range(op.value, depth)?;
                range.is_finite().then_some(FloatRange {
                    low: 0.0,
                    high: 1.0,
                })
            }
            // So are its sine and cosine. Devices leave -1 to 1 by their error.
            FloatOp::Sin(op) => self.wave(op.value, depth),
            FloatOp::Cos(op) => self.wave(op.value, depth),
            _ => None,
        }
    }

    fn rounded(&mut self, value: ValueId, depth: u32) -> Option<FloatRange> {
        let range = self.range(value, depth)?;
        FloatRange::new(range.low.floor(), range.high.ceil())
    }

    fn wave(&mut self, value: ValueId, depth: u32) -> Option<FloatRange> {
        let range = self.range(value, depth)?;
        range.is_finite().then_some(FloatRange {
            low: -1.5,
            high: 1.5,
        })
    }

    /// Returns the bounds of an integer that becomes a float.
    fn converted(&self, op: CastOp, integer: ValueId) -> Option<FloatRange> {
        let types = &self.view.module.types;
        let bits = match types.scalar_bits(self.view.type_of(integer)?)? {
            1 => 1,
            // Integers of 16 bits may have more, if they are min-precision ones.
            bits => bits.max(32),
        };
        match op {
            CastOp::UiToFp => {
                let greatest = f64::from(bits).exp2();
                let mask = self.mask_of(integer).map_or(greatest, |mask| mask as f64);
                FloatRange::new(0.0, greatest.min(mask))
            }
            CastOp::SiToFp => {
                let end = (f64::from(bits) - 1.0).exp2();
                FloatRange::new(-end, end)
            }
            _ => None,
        }
    }

    /// Returns the greatest number of an integer that a mask or a shift leaves.
    fn mask_of(&self, integer: ValueId) -> Option<u64> {
        let Inst::Binary { op, rhs, .. } = self.view.inst_data(integer)?.inst else {
            return None;
        };
        let number = self.view.constant_int(rhs)?;
        let bits = self
            .view
            .module
            .types
            .scalar_bits(self.view.type_of(integer)?)?;
        match op {
            BinaryOp::And if bits == 32 => Some(number),
            BinaryOp::LShr if bits == 32 && number < 32 => Some(u64::from(u32::MAX) >> number),
            _ => None,
        }
    }
}

impl FloatRange {
    /// Returns the range from `low` to `high`, with room for roundings; `None` for NaN.
    fn new(low: f64, high: f64) -> Option<FloatRange> {
        (low <= high).then_some(FloatRange { low, high })
    }

    /// Returns the range of a result with room for an error relative to a magnitude, and for what
    /// is beyond the greatest float or near 0, which becomes infinite or 0.
    fn of_result(low: f64, high: f64, magnitude: f64) -> Option<FloatRange> {
        const ERROR: f64 = 1.0 / (1 << 20) as f64;
        const GREATEST: f64 = 1e38;
        const LEAST: f64 = 1e-37;
        let room = magnitude * ERROR + LEAST;
        let low = match low - room {
            low if low < -GREATEST => f64::NEG_INFINITY,
            low => low.min(GREATEST),
        };
        let high = match high + room {
            high if high > GREATEST => f64::INFINITY,
            high => high.max(-GREATEST),
        };
        FloatRange::new(low, high)
    }

    /// Returns the part of the range on one side of 0, where an exact result is never on the other.
    fn on_side(self, is_positive: bool, is_negative: bool) -> FloatRange {
        FloatRange {
            low: if is_positive {
                self.low.max(0.0)
            } else {
                self.low
            },
            high: if is_negative {
                self.high.min(0.0)
            } else {
                self.high
            },
        }
    }

    /// Returns the greatest magnitude.
    fn magnitude(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    fn is_finite(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    fn negated(self) -> FloatRange {
        FloatRange {
            low: -self.high,
            high: -self.low,
        }
    }

    fn clamped(self) -> FloatRange {
        FloatRange {
            low: self.low.clamp(0.0, 1.0),
            high: self.high.clamp(0.0, 1.0),
        }
    }

    fn plus(self, other: FloatRange) -> Option<FloatRange> {
        // Opposite infinities have no sum.
        let opposite =
            |a: FloatRange, b: FloatRange| a.high == f64::INFINITY && b.low == f64::NEG_INFINITY;
        if opposite(self, other) || opposite(other, self) {
            return None;
        }
        let (low, high) = (self.low + other.low, self.high + other.high);
        let magnitude = self.magnitude() + other.magnitude();
        let sum = if magnitude.is_finite() {
            FloatRange::of_result(low, high, magnitude)?
        } else {
            // Only the finite end has an error, which is that of the finite parts.
            let finite = |end: f64| if end.is_finite() { end.abs() } else { 0.0 };
            let ends = [self.low, self.high, other.low, other.high];
            FloatRange::of_result(low, high, ends.into_iter().map(finite).sum())?
        };
        let (a, b) = (self, other);
        Some(sum.on_side(a.low >= 0.0 && b.low >= 0.0, a.high <= 0.0 && b.high <= 0.0))
    }

    fn times(self, other: FloatRange) -> Option<FloatRange> {
        // Zero times an infinity has no result.
        if !self.is_finite() || !other.is_finite() {
            return None;
        }
        let products = [
            self.low * other.low,
            self.low * other.high,
            self.high * other.low,
            self.high * other.high,
        ];
        let low = products.into_iter().fold(f64::INFINITY, f64::min);
        let high = products.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let product = FloatRange::of_result(low, high, low.abs().max(high.abs()))?;
        Some(product.on_side(low >= 0.0, high <= 0.0))
    }

    /// Divides by a range without small numbers, which devices may take for 0, and large ones,
    /// whose reciprocals they may.
    fn divided_by(self, other: FloatRange) -> Option<FloatRange> {
        const LEAST: f64 = 1e-30;
        const GREATEST: f64 = 1e30;
        let low = other.low.abs().min(other.high.abs());
        let high = other.low.abs().max(other.high.abs());
        if other.low * other.high <= 0.0 || low < LEAST || high > GREATEST {
            return None;
        }
        self.times(FloatRange::new(1.0 / other.high, 1.0 / other.low)?)
    }
}

#[cfg(test)]
mod tests {
    use super::FloatRange;

    fn range(low: f64, high: f64) -> FloatRange {
        FloatRange { low, high }
    }

    #[test]
    fn ranges_contain_every_result() {
        let ranges = [
            range(-3.0, -2.0),
            range(-1.5, 0.25),
            range(0.0, 1.0),
            range(2.0, 70000.0),
        ];
        let numbers_of = |range: FloatRange| {
            [0.0, 0.3, 0.5, 0.9, 1.0].map(|at| (range.low + (range.high - range.low) * at) as f32)
        };
        for a in ranges {
            for b in ranges {
                let (sum, product) = (a.plus(b).unwrap(), a.times(b).unwrap());
                let quotient = a.divided_by(b);
                assert_eq!(quotient.is_none(), b.low * b.high <= 0.0);
                for x in numbers_of(a) {
                    for y in numbers_of(b) {
                        let inside = |range: FloatRange, number: f32| {
                            assert!(range.low <= number.into() && f64::from(number) <= range.high);
                        };
                        inside(sum, x + y);
                        inside(product, x * y);
                        if let Some(quotient) = quotient {
                            inside(quotient, x / y);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_may_be_nan_has_no_range() {
        let above = range(1.0, f64::INFINITY);
        let below = range(f64::NEG_INFINITY, 1.0);
        assert_eq!(above.plus(below), None);
        assert_eq!(below.plus(above), None);
        assert_eq!(above.times(range(0.0, 1.0)), None);
        assert_eq!(range(0.0, 1.0).divided_by(range(0.0, 1.0)), None);
        assert_eq!(range(0.0, 1.0).divided_by(range(1e-40, 1e-39)), None);
    }

    #[test]
    fn results_beyond_the_greatest_float_are_infinite() {
        let large = range(0.0, 3e38);
        assert_eq!(large.plus(large).unwrap().high, f64::INFINITY);
        assert!(above_all(large.plus(large).unwrap()));
        fn above_all(range: FloatRange) -> bool {
            range.low > -1.0 && !range.is_finite()
        }
    }
}
