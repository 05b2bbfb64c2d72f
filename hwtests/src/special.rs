//! Special values of float operations: `tables/special_values.txt`, and a check of results against
//! it.
//!
//! All numbers are `f64`, which represents every 16- and 32-bit float exactly, including denormals
//! and the sign of zero.

use std::collections::{BTreeMap, BTreeSet};

use half::f16;

use crate::element::Element;

const TEXT: &str = include_str!("../tables/special_values.txt");

/// A type of float.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Float {
    /// 16 bits.
    F16,
    /// 32 bits.
    F32,
    /// 64 bits.
    F64,
}

impl Float {
    fn named(name: &str) -> Option<Self> {
        match name {
            "f16" => Some(Float::F16),
            "f32" => Some(Float::F32),
            "f64" => Some(Float::F64),
            _ => None,
        }
    }

    fn round(self, value: f64) -> f64 {
        match self {
            Float::F16 => f64::from(f16::from_f64(value)),
            Float::F32 => f64::from(value as f32),
            Float::F64 => value,
        }
    }

    /// Returns a number rounded to this type.
    fn parse(self, text: &str) -> Option<f64> {
        match self {
            // Parsed directly: by way of f64 the number would be rounded twice.
            Float::F32 => text.parse::<f32>().ok().map(f64::from),
            Float::F16 | Float::F64 => text.parse().ok().map(|value| self.round(value)),
        }
    }

    fn is_denormal(self, value: f64) -> bool {
        let minimum = match self {
            Float::F16 => f64::from(f16::MIN_POSITIVE),
            Float::F32 => f64::from(f32::MIN_POSITIVE),
            Float::F64 => f64::MIN_POSITIVE,
        };
        value != 0.0 && value.abs() < minimum
    }

    fn flush(self, value: f64) -> f64 {
        if self.is_denormal(value) {
            0.0_f64.copysign(value)
        } else {
            value
        }
    }

    /// Returns the distance between adjacent numbers of this type at a finite value.
    fn unit(self, value: f64) -> f64 {
        let (digits, min_exponent) = match self {
            Float::F16 => (11, -14),
            Float::F32 => (24, -126),
            Float::F64 => (53, -1022),
        };
        let exponent = if value == 0.0 {
            min_exponent
        } else {
            (value.abs().log2().floor() as i32).max(min_exponent)
        };
        // In two steps: the least unit of f64 is below its least power of two.
        2.0_f64.powi(exponent) * 2.0_f64.powi(1 - digits)
    }
}

/// A scalar type that a table lists.
pub trait Number: Element {
    /// Its type.
    const FLOAT: Float;
    /// Returns `value`, which this type can represent, as a number of it.
    fn of(value: f64) -> Self;
    /// Returns the number as `f64`.
    fn value(self) -> f64;
}

impl Number for f16 {
    const FLOAT: Float = Float::F16;
    fn of(value: f64) -> Self {
        f16::from_f64(value)
    }
    fn value(self) -> f64 {
        f64::from(self)
    }
}

impl Number for f32 {
    const FLOAT: Float = Float::F32;
    fn of(value: f64) -> Self {
        value as f32
    }
    fn value(self) -> f64 {
        f64::from(self)
    }
}

impl Number for f64 {
    const FLOAT: Float = Float::F64;
    fn of(value: f64) -> Self {
        value
    }
    fn value(self) -> f64 {
        self
    }
}

/// Treatment of denormals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denormals {
    /// They are preserved.
    Kept,
    /// They are flushed to a zero of their sign, as operands and as results.
    Flushed,
    /// The device chooses.
    Either,
}

/// A result that a cell allows.
#[derive(Debug, Clone, PartialEq)]
enum Allowed {
    Nan,
    /// Zero of either sign.
    Zero,
    /// This number, including the sign of zero.
    Number(f64),
    Operand {
        index: usize,
        negated: bool,
    },
    Range(Range),
    /// The exact result, rounded, and the range that contains all results.
    Exact(Option<Range>),
}

#[derive(Debug, Clone, PartialEq)]
struct Range {
    low: f64,
    high: f64,
    open: bool,
}

/// Tolerance of a finite result.
#[derive(Debug, Clone, Copy, Default)]
struct Within {
    ulp: f64,
    absolute: f64,
    relative: f64,
    up_to: Option<f64>,
}

#[derive(Debug, Default)]
struct Operation {
    classes: Vec<String>,
    within: BTreeMap<Float, Within>,
    cells: BTreeMap<Vec<String>, Vec<Allowed>>,
}

/// The contents of the file.
#[derive(Debug, Default)]
pub struct SpecialValueTables {
    values: BTreeMap<(Float, String), Vec<f64>>,
    operations: BTreeMap<String, Operation>,
}

/// Parses a number of the file: decimal, or a power such as `2^-21`.
fn number(text: &str) -> Option<f64> {
    match text.split_once('^') {
        Some(("2", exponent)) => exponent.parse().ok().map(|e: i32| 2.0_f64.powi(e)),
        _ => text.parse().ok(),
    }
}

impl Range {
    fn holds(&self, value: f64) -> bool {
        value >= self.low
            && if self.open {
                value < self.high
            } else {
                value <= self.high
            }
    }

    /// Returns the number of the range that is nearest to `value`, if that is at its open end.
    fn nearest(&self, float: Float, value: f64) -> f64 {
        if self.open && value == self.high {
            // Below a power of two the distance is half of that above.
            return value - float.unit(value) / 2.0;
        }
        value
    }
}

fn range(text: &str) -> Option<Range> {
    let (low, high) = text.strip_prefix('[')?.split_once("..")?;
    let open = high.ends_with(')');
    Some(Range {
        low: number(low)?,
        high: number(high.trim_end_matches([')', ']']))?,
        open,
    })
}

fn allowed(text: &str) -> Option<Allowed> {
    Some(match text {
        "NaN" => Allowed::Nan,
        "0" => Allowed::Zero,
        "src0" | "-src0" | "src1" | "-src1" => Allowed::Operand {
            index: usize::from(text.ends_with('1')),
            negated: text.starts_with('-'),
        },
        "F" => Allowed::Exact(None),
        _ => match text.strip_prefix('F') {
            Some(bounds) => Allowed::Exact(Some(range(bounds)?)),
            None if text.starts_with('[') => Allowed::Range(range(text)?),
            None => Allowed::Number(number(text)?),
        },
    })
}

fn within(words: &[&str]) -> Option<Within> {
    let mut found = Within::default();
    let mut rest = words;
    loop {
        rest = match rest {
            [] => return Some(found),
            ["exact", rest @ ..] => rest,
            ["ulp", x, rest @ ..] => {
                found.ulp = number(x)?;
                rest
            }
            ["absolute", x, rest @ ..] => {
                found.absolute = number(x)?;
                rest
            }
            ["relative", x, rest @ ..] => {
                found.relative = number(x)?;
                rest
            }
            ["up", "to", x, rest @ ..] => {
                found.up_to = Some(number(x)?);
                rest
            }
            _ => return None,
        };
    }
}

impl SpecialValueTables {
    /// Reads the file that comes with the tests.
    ///
    /// # Errors
    ///
    /// If the file is absent or a line is not part of a table.
    pub fn read() -> Result<Self, String> {
        let mut tables = SpecialValueTables::default();
        for (index, line) in TEXT.lines().enumerate() {
            let words: Vec<&str> = line.split_whitespace().collect();
            if line.starts_with('#') || words.is_empty() {
                continue;
            }
            tables
                .line(&words)
                .ok_or_else(|| format!("special_values.txt, line {}: {line}", index + 1))?;
        }
        Ok(tables)
    }

    fn line(&mut self, words: &[&str]) -> Option<()> {
        match words {
            ["values", float, class, numbers @ ..] => {
                let float = Float::named(float)?;
                let numbers: Option<Vec<f64>> =
                    numbers.iter().map(|text| float.parse(text)).collect();
                // A class that is there twice is a mistake in the file.
                self.values
                    .insert((float, (*class).to_owned()), numbers?)
                    .is_none()
                    .then_some(())
            }
            ["op", name, "classes", classes @ ..] => {
                let operation = Operation {
                    classes: classes.iter().map(|&class| class.to_owned()).collect(),
                    ..Operation::default()
                };
                self.operations
                    .insert((*name).to_owned(), operation)
                    .is_none()
                    .then_some(())
            }
            ["within", name, float, rules @ ..] => {
                let operation = self.operations.get_mut(*name)?;
                operation
                    .within
                    .insert(Float::named(float)?, within(rules)?);
                Some(())
            }
            [name, rest @ ..] => {
                let operation = self.operations.get_mut(*name)?;
                let colon = rest.iter().position(|&word| word == ":")?;
                let operands: Vec<String> =
                    rest[..colon].iter().map(|&word| word.to_owned()).collect();
                // A class that the operation lacks is a typing error.
                if !operands
                    .iter()
                    .all(|class| operation.classes.contains(class))
                {
                    return None;
                }
                let results: Option<Vec<Allowed>> = rest[colon + 1..]
                    .split(|&word| word == "|")
                    .map(|words| match words {
                        [word] => allowed(word),
                        _ => None,
                    })
                    .collect();
                operation
                    .cells
                    .insert(operands, results?)
                    .is_none()
                    .then_some(())
            }
            [] => None,
        }
    }

    /// Returns every number that represents a class, once.
    pub fn numbers(&self, float: Float) -> Vec<f64> {
        let mut seen = BTreeSet::new();
        self.values
            .iter()
            .filter(|((of, _), _)| *of == float)
            .flat_map(|(_, values)| values)
            .filter(|value| seen.insert(value.to_bits()))
            .copied()
            .collect()
    }

    /// Returns the class of an operand in the table of an operation, or `None` if the table does
    /// not list it.
    fn class(&self, float: Float, operation: &Operation, value: f64) -> Option<String> {
        // By bits, since the zeros of both signs are different classes; all NaNs are one.
        let same = |x: &f64| x.to_bits() == value.to_bits() || (x.is_nan() && value.is_nan());
        operation
            .classes
            .iter()
            .find(|&class| {
                let values = self.values.get(&(float, class.clone()));
                values.is_some_and(|values| values.iter().any(same))
            })
            .cloned()
    }

    fn cell(&self, float: Float, operation: &Operation, operands: &[f64]) -> Option<Vec<String>> {
        operands
            .iter()
            .map(|&value| self.class(float, operation, value))
            .collect()
    }

    /// Returns the cell for these operands of an operation, in the notation of the file.
    pub fn cell_name(&self, float: Float, name: &str, operands: &[f64]) -> Option<String> {
        let cell = self.cell(float, self.operations.get(name)?, operands)?;
        Some(format!("{name} {}", cell.join(" ")))
    }

    /// Returns all cells of an operation that apply to a type.
    pub fn cells(&self, float: Float, name: &str) -> BTreeSet<String> {
        let Some(operation) = self.operations.get(name) else {
            return BTreeSet::new();
        };
        if !operation.within.contains_key(&float) {
            return BTreeSet::new();
        }
        let names = operation.cells.keys();
        names
            .map(|cell| format!("{name} {}", cell.join(" ")))
            .collect()
    }

    /// Checks a result against the tables; any result is right for operands that they do not list.
    ///
    /// # Errors
    ///
    /// A message if the result contradicts the tables.
    pub fn judge(
        &self,
        float: Float,
        name: &str,
        operands: &[f64],
        got: f64,
        denormals: Denormals,
    ) -> Result<(), String> {
        let Some(operation) = self.operations.get(name) else {
            return Err(format!("no operation {name}"));
        };
        let Some(&within) = operation.within.get(&float) else {
            return Ok(());
        };
        // Operands of no class may give anything.
        let Some(cell) = self.cell(float, operation, operands) else {
            return Ok(());
        };
        let kept = || self.row_allows(float, name, operation, operands, got, within, false);
        let flushed =
            |operands: &[f64]| self.row_allows(float, name, operation, operands, got, within, true);
        let zeros: Vec<f64> = operands.iter().map(|&value| float.flush(value)).collect();
        let holds = match denormals {
            Denormals::Kept => kept(),
            Denormals::Flushed => flushed(&zeros),
            // Some devices flush what goes in, some what comes out.
            Denormals::Either => kept() || flushed(&zeros) || flushed(operands),
        };
        if holds {
            return Ok(());
        }
        let exact = exact(name, operands).map(|value| float.round(value));
        Err(format!(
            "{name} {}: {operands:?} gives {got:?}, allowed: {:?}{}",
            cell.join(" "),
            operation.cells.get(&cell),
            exact.map_or_else(String::new, |value| format!(", exact: {value:?}")),
        ))
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "one row and one result, each of several parts"
    )]
    fn row_allows(
        &self,
        float: Float,
        name: &str,
        operation: &Operation,
        operands: &[f64],
        got: f64,
        within: Within,
        flushed: bool,
    ) -> bool {
        let Some(row) = self
            .cell(float, operation, operands)
            .and_then(|cell| operation.cells.get(&cell))
        else {
            return false;
        };
        let same = |want: f64| {
            let want = float.round(want);
            got.to_bits() == want.to_bits()
                || (flushed && got.to_bits() == float.flush(want).to_bits())
                // Constants of the tables that a float does not hold exactly.
                || (want.fract() != 0.0 && (got - want).abs() <= within.absolute)
        };
        row.iter().any(|allowed| match allowed {
            Allowed::Nan => got.is_nan(),
            Allowed::Zero => got == 0.0,
            Allowed::Number(want) => same(*want),
            Allowed::Range(range) => range.holds(got),
            Allowed::Operand { index, negated } => {
                let operand = operands[*index];
                same(if *negated { -operand } else { operand })
            }
            Allowed::Exact(range) => {
                let inside = range.as_ref().is_none_or(|range| range.holds(got));
                // Beyond its limit the rule promises nothing but the range.
                if within.up_to.is_some_and(|limit| operands[0].abs() > limit) {
                    return inside && !got.is_nan();
                }
                let Some(exact) = exact(name, operands) else {
                    return false;
                };
                let want = match range {
                    Some(range) => range.nearest(float, float.round(exact)),
                    None => float.round(exact),
                };
                let (got, want) = if flushed {
                    (got, float.flush(want))
                } else {
                    (got, want)
                };
                inside && near(float, got, want, exact, within)
            }
        })
    }
}

/// Returns whether a result is within the tolerance of the exact one.
fn near(float: Float, got: f64, want: f64, exact: f64, within: Within) -> bool {
    if want.is_nan() || got.is_nan() {
        return want.is_nan() && got.is_nan();
    }
    if got == want {
        // No table tells the sign of a zero that is computed.
        return true;
    }
    if got.is_infinite() || want.is_infinite() {
        return false;
    }
    // A finite result is rounded to its type whatever the rule says.
    let slack = if within.absolute > 0.0 || within.relative > 0.0 {
        float.unit(want) / 2.0
    } else {
        0.0
    };
    let distance = (got - exact).abs();
    distance <= within.absolute + slack
        || distance <= exact.abs() * within.relative + slack
        || (got - want).abs() <= within.ulp * float.unit(want)
}

/// Returns the exact result of an operation, rounded to `f64`.
fn exact(name: &str, operands: &[f64]) -> Option<f64> {
    Some(match (name, operands) {
        ("FAbs", [x]) => x.abs(),
        ("Saturate", [x]) => x.clamp(0.0, 1.0),
        ("Cos", [x]) => x.cos(),
        ("Sin", [x]) => x.sin(),
        ("Tan", [x]) => x.tan(),
        ("Acos", [x]) => x.acos(),
        ("Asin", [x]) => x.asin(),
        ("Atan", [x]) => x.atan(),
        ("Hcos", [x]) => x.cosh(),
        ("Hsin", [x]) => x.sinh(),
        ("Htan", [x]) => x.tanh(),
        ("Exp", [x]) => x.exp2(),
        ("Frc", [x]) => x - x.floor(),
        ("Log", [x]) => x.log2(),
        ("Sqrt", [x]) => x.sqrt(),
        ("Rsqrt", [x]) => 1.0 / x.sqrt(),
        ("RoundNe", [x]) => x.round_ties_even(),
        ("RoundNi", [x]) => x.floor(),
        ("RoundPi", [x]) => x.ceil(),
        ("RoundZ", [x]) => x.trunc(),
        ("FAdd", [a, b]) => a + b,
        ("FMul", [a, b]) => a * b,
        ("FDiv", [a, b]) => a / b,
        ("FMin", [a, b]) => a.min(*b),
        ("FMax", [a, b]) => a.max(*b),
        _ => return None,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_whole() {
        let tables = SpecialValueTables::read().unwrap();
        assert_eq!(tables.operations.len(), 25);
        for (name, operation) in &tables.operations {
            let arity = operation.cells.keys().next().unwrap().len();
            assert_eq!(
                operation.cells.len(),
                operation.classes.len().pow(arity as u32),
                "{name}"
            );
            assert!(operation.within.contains_key(&Float::F32), "{name}");
            for (float, class) in operation
                .within
                .keys()
                .flat_map(|float| operation.classes.iter().map(move |class| (float, class)))
            {
                let values = tables.values.get(&(*float, class.clone()));
                assert!(values.is_some_and(|v| !v.is_empty()), "{float:?} {class}");
            }
        }
    }

    #[test]
    fn denormals_are_what_they_are_called() {
        let tables = SpecialValueTables::read().unwrap();
        for ((float, class), values) in &tables.values {
            for &value in values {
                assert_eq!(
                    float.is_denormal(value),
                    class.ends_with("denorm") || (class == "tiny" && value != 0.0),
                    "{float:?} {class} {value:?}"
                );
            }
        }
    }

    fn judge(name: &str, operands: &[f64], got: f64, denormals: Denormals) -> bool {
        let tables = SpecialValueTables::read().unwrap();
        let float = Float::F32;
        tables.judge(float, name, operands, got, denormals).is_ok()
    }

    #[test]
    fn a_row_takes_its_results_and_no_other() {
        use Denormals::Either;
        let inf = f64::INFINITY;
        assert!(judge("FMin", &[f64::NAN, 2.5], 2.5, Either));
        assert!(!judge("FMin", &[f64::NAN, 2.5], f64::NAN, Either));
        assert!(judge("FDiv", &[2.5, -0.0], -inf, Either));
        assert!(!judge("FDiv", &[2.5, -0.0], inf, Either));
        assert!(judge("Saturate", &[f64::NAN], 0.0, Either));
        assert!(judge("Exp", &[2.5], 5.656_854, Either));
        assert!(!judge("Exp", &[2.5], 5.6569, Either));
        assert!(!judge("Sin", &[1e9], 1.5, Either));
        assert!(judge("Sin", &[1e9], 0.5, Either));
        assert!(judge(
            "Atan",
            &[inf],
            f64::from(std::f32::consts::FRAC_PI_2),
            Either
        ));
    }

    #[test]
    fn denormals_may_be_flushed_only_where_the_mode_lets_them() {
        let denormal = f64::from(1e-40_f32);
        for (denormals, kept, flushed) in [
            (Denormals::Kept, true, false),
            (Denormals::Flushed, false, true),
            (Denormals::Either, true, true),
        ] {
            assert_eq!(judge("FAdd", &[denormal, 0.0], denormal, denormals), kept);
            assert_eq!(judge("FAdd", &[denormal, 0.0], 0.0, denormals), flushed);
            assert_eq!(judge("FDiv", &[denormal, denormal], 1.0, denormals), kept);
            let nan = judge("FDiv", &[denormal, denormal], f64::NAN, denormals);
            assert_eq!(nan, flushed);
        }
    }
}
