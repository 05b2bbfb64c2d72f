//! The comparison rules.
//!
//! * Two equal numbers always agree, so do zeros of both signs, and any two NaNs.
//! * `DenormMode: Any` (the default) also takes a zero of the right sign where a denormal is
//!   expected. 16-bit floats have no such leeway.
//! * `BufferFloatULP` counts steps between bit patterns; with a `ZeroTolerance`, numbers that small
//!   are compared by distance.
//! * `BufferFloatEpsilon` asks for a distance below the bound.

use half::f16;

use super::buffer::Buffer;
use super::document::{DenormMode, ResultRule, Rule};
use super::elements::ElementFormat;
use super::{Pipeline, PipelineError, Result};

/// Maximum number of mismatches that a verdict lists.
const MAX_LISTED: usize = 16;

/// Maximum number of bytes of a buffer that a verdict shows in full.
const MAX_SHOWN: usize = 512;

/// The verdict on a rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The rule.
    pub rule: ResultRule,
    /// Elements compared.
    pub compared: usize,
    /// Elements that differ.
    pub differing: usize,
    /// The first mismatches.
    pub mismatches: Vec<Mismatch>,
    /// The reason why the buffers cannot be compared.
    pub shape: Option<String>,
    /// Expected values and results of a rule that fails, if they are short.
    pub buffers: Option<Box<[Buffer; 2]>>,
}

impl Verdict {
    /// Returns whether the rule holds.
    pub fn holds(&self) -> bool {
        self.differing == 0 && self.shape.is_none()
    }
}

/// One element that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// Element of a resource array, if it is one.
    pub array_element: Option<usize>,
    /// Number of the element.
    pub element: usize,
    /// Expected value.
    pub expected: String,
    /// Value that the shader has written.
    pub actual: String,
}

impl Pipeline {
    /// Applies every rule to the buffers after a run.
    ///
    /// # Errors
    ///
    /// [`PipelineError::Unknown`] if a rule names a buffer that `after` lacks.
    pub fn check(&self, after: &[Buffer]) -> Result<Vec<Verdict>> {
        let find = |name: &str| {
            let found = after.iter().find(|buffer| buffer.name == name);
            found.ok_or_else(|| PipelineError::Unknown {
                user: "a result".to_owned(),
                what: "buffer",
                name: name.to_owned(),
            })
        };
        let rules = self.document.results.iter();
        rules
            .map(|rule| Ok(judge(rule, find(&rule.actual)?, find(&rule.expected)?)))
            .collect()
    }
}

fn judge(rule: &ResultRule, actual: &Buffer, expected: &Buffer) -> Verdict {
    let mut verdict = Verdict {
        rule: rule.clone(),
        compared: 0,
        differing: 0,
        mismatches: Vec::new(),
        shape: None,
        buffers: None,
    };
    // Sizes come first, since the loop below ends with the shorter buffer.
    let counts = (actual.data.len(), expected.data.len());
    if counts.0 != counts.1 || actual.size() != expected.size() {
        verdict.shape = Some(format!(
            "{} holds {} x {} bytes, {} holds {} x {} bytes",
            rule.actual,
            counts.0,
            actual.size(),
            rule.expected,
            counts.1,
            expected.size()
        ));
        return verdict;
    }
    // The format of the expected values applies to both buffers.
    let format = expected.format;
    for (index, (actual, wanted)) in actual.data.iter().zip(&expected.data).enumerate() {
        let pairs = actual
            .chunks(format.bytes())
            .zip(wanted.chunks(format.bytes()));
        for (element, (actual, wanted)) in pairs.enumerate() {
            verdict.compared += 1;
            let (actual, wanted) = (format.bits(actual), format.bits(wanted));
            if agree(rule, format, actual, wanted) {
                continue;
            }
            verdict.differing += 1;
            if verdict.mismatches.len() < MAX_LISTED {
                verdict.mismatches.push(Mismatch {
                    array_element: (expected.data.len() > 1).then_some(index),
                    element,
                    expected: format.print(wanted).detailed(),
                    actual: format.print(actual).detailed(),
                });
            }
        }
    }
    let bytes = |buffer: &Buffer| buffer.data.iter().map(Vec::len).sum::<usize>();
    if verdict.differing > 0 && bytes(actual).max(bytes(expected)) <= MAX_SHOWN {
        verdict.buffers = Some(Box::new([expected.clone(), actual.clone()]));
    }
    verdict
}

/// A float with its class for the rules.
#[derive(Clone, Copy)]
struct Float {
    value: f64,
    is_denormal: bool,
    /// Returns the position in the order of bit patterns. 16-bit floats are ordered through zero;
    /// wider ones by their raw bits, so that different signs are far apart.
    position: i128,
}

impl Float {
    fn new(format: ElementFormat, bits: u64) -> Self {
        match format {
            ElementFormat::Float16 => {
                let half = f16::from_bits(bits as u16);
                let bits = bits as i128 & 0xffff;
                Float {
                    value: half.to_f64(),
                    // 16-bit floats have no tolerance for denormals (see above).
                    is_denormal: false,
                    position: if bits & 0x8000 != 0 {
                        0xffff - bits
                    } else {
                        0x8000 + bits
                    },
                }
            }
            ElementFormat::Float64 => {
                let value = f64::from_bits(bits);
                Float {
                    value,
                    is_denormal: value.is_subnormal(),
                    position: i128::from(bits),
                }
            }
            _ => {
                let value = f32::from_bits(bits as u32);
                Float {
                    value: f64::from(value),
                    is_denormal: value.is_subnormal(),
                    position: i128::from(bits),
                }
            }
        }
    }
}

fn agree(rule: &ResultRule, format: ElementFormat, actual: u64, expected: u64) -> bool {
    if rule.rule == Rule::BufferExact {
        return actual == expected;
    }
    let (a, e) = (Float::new(format, actual), Float::new(format, expected));
    if a.value == e.value {
        return true;
    }
    if a.value.is_nan() || e.value.is_nan() {
        return a.value.is_nan() && e.value.is_nan();
    }
    let flushed =
        e.is_denormal && a.value == 0.0 && a.value.is_sign_negative() == e.value.is_sign_negative();
    if flushed && rule.denorm_mode.unwrap_or_default() == DenormMode::Any {
        return true;
    }
    let distance = (a.value - e.value).abs();
    if rule.rule == Rule::BufferFloatEpsilon {
        return distance < rule.epsilon.unwrap_or(0.0);
    }
    // Near zero, steps between bit patterns are tiny, and numbers of different signs are far apart,
    // so the absolute difference counts.
    let near_zero = rule.zero_tolerance.unwrap_or(0.0);
    if near_zero > 0.0 && (a.value.abs() <= near_zero || e.value.abs() <= near_zero) {
        return distance <= near_zero;
    }
    (a.position - e.position).abs() <= i128::from(rule.ulp.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(rule: Rule, ulp: Option<u32>, epsilon: Option<f64>) -> ResultRule {
        ResultRule {
            name: "r".to_owned(),
            rule,
            actual: "a".to_owned(),
            expected: "e".to_owned(),
            ulp,
            epsilon,
            denorm_mode: None,
            zero_tolerance: None,
        }
    }

    fn agree32(rule: &ResultRule, actual: f32, expected: f32) -> bool {
        let bits = |value: f32| u64::from(value.to_bits());
        agree(rule, ElementFormat::Float32, bits(actual), bits(expected))
    }

    #[test]
    fn ulps_count_steps_of_the_bit_pattern() {
        let one_ulp = rule(Rule::BufferFloatUlp, Some(1), None);
        let next = f32::from_bits(1.0f32.to_bits() + 1);
        let after = f32::from_bits(1.0f32.to_bits() + 2);
        assert!(agree32(&one_ulp, next, 1.0) && agree32(&one_ulp, 1.0, next));
        assert!(!agree32(&one_ulp, after, 1.0));
        assert!(!agree32(&one_ulp, -1.0, 1.0));
        assert!(!agree32(&one_ulp, f32::from_bits(1), -f32::from_bits(1)));
        assert!(agree32(&one_ulp, 0.0, -0.0));
    }

    #[test]
    fn nan_agrees_with_nan_only() {
        for rule in [
            rule(Rule::BufferFloatUlp, Some(u32::MAX), None),
            rule(Rule::BufferFloatEpsilon, None, Some(f64::MAX)),
        ] {
            assert!(agree32(&rule, f32::NAN, -f32::NAN));
            assert!(!agree32(&rule, f32::NAN, f32::INFINITY));
            assert!(!agree32(&rule, 0.0, f32::NAN));
        }
        let exact = rule(Rule::BufferExact, None, None);
        assert!(!agree32(&exact, f32::NAN, -f32::NAN));
    }

    #[test]
    fn a_flushed_denormal_passes_unless_the_mode_says_otherwise() {
        let denormal = f32::from_bits(0x1000);
        let mut rule = rule(Rule::BufferFloatUlp, Some(0), None);
        assert!(agree32(&rule, 0.0, denormal));
        assert!(!agree32(&rule, -0.0, denormal));
        assert!(
            !agree32(&rule, denormal, 0.0),
            "only the result may be flushed"
        );
        for mode in [DenormMode::Preserve, DenormMode::FlushToZero] {
            rule.denorm_mode = Some(mode);
            assert!(!agree32(&rule, 0.0, denormal));
        }
        let half = agree(&rule, ElementFormat::Float16, 0, 0x10);
        assert!(!half, "16-bit denormals are kept");
    }

    #[test]
    fn epsilon_is_an_open_bound() {
        let rule = rule(Rule::BufferFloatEpsilon, None, Some(0.5));
        assert!(agree32(&rule, 1.25, 1.0));
        assert!(!agree32(&rule, 1.5, 1.0));
        assert!(agree32(&rule, f32::INFINITY, f32::INFINITY));
    }

    #[test]
    fn zero_tolerance_replaces_ulps_near_zero() {
        let mut rule = rule(Rule::BufferFloatUlp, Some(1), None);
        assert!(!agree32(&rule, 1e-9, 0.0));
        rule.zero_tolerance = Some(1e-6);
        assert!(agree32(&rule, 1e-9, 0.0) && agree32(&rule, -1e-9, 0.0));
        assert!(!agree32(&rule, 1e-3, 0.0));
        assert!(!agree32(&rule, 1.001, 1.0));
    }

    #[test]
    fn half_ulps_count_through_zero() {
        let rule = rule(Rule::BufferFloatUlp, Some(3), None);
        let half = |actual, expected| agree(&rule, ElementFormat::Float16, actual, expected);
        assert!(half(0x3c02, 0x3c00) && !half(0x3c04, 0x3c00));
        assert!(half(0x8001, 0x0001));
    }
}
