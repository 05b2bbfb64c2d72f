//! Where two results differ: element by element, within a tolerance, and as a picture.

use dxil_runtime::format::ComponentValue;

use crate::cells::Cells;

/// How far apart two numbers may be and still count as equal. A pair within one of the bounds is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Tolerance {
    /// The bound of `--tolerance`.
    pub(crate) distance: Option<Distance>,
    /// Units in the last place of 32-bit floats. Integers have none.
    pub(crate) ulp: Option<u32>,
}

/// A distance between two numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Distance {
    /// In the numbers' own unit.
    Absolute(f64),
    /// As a fraction of the larger number.
    Relative(f64),
}

impl std::str::FromStr for Distance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, is_relative) = match text.strip_suffix('%') {
            Some(number) => (number, true),
            None => (text, false),
        };
        let value = number.trim().parse::<f64>().ok();
        let value = value.filter(|value| value.is_finite() && *value >= 0.0);
        let value = value.ok_or("write a distance like 1e-5, or a fraction like 0.1%")?;
        Ok(if is_relative {
            Distance::Relative(value / 100.0)
        } else {
            Distance::Absolute(value)
        })
    }
}

impl Tolerance {
    /// Returns whether two numbers count as equal. Two NaN do, and so do zeros of either sign.
    fn has(&self, a: &ComponentValue, b: &ComponentValue) -> bool {
        if a == b || is_nan(a) && is_nan(b) {
            return true;
        }
        let (x, y) = (a.to_f64(), b.to_f64());
        let distance = (x - y).abs();
        let is_near = match self.distance {
            None => false,
            Some(Distance::Absolute(bound)) => distance <= bound,
            Some(Distance::Relative(bound)) => {
                distance.is_finite() && distance <= bound * x.abs().max(y.abs())
            }
        };
        is_near
            || self.ulp.is_some_and(|ulp| {
                matches!(
                    (a, b),
                    (ComponentValue::Float(x), ComponentValue::Float(y))
                        if steps(*x as f32, *y as f32).is_some_and(|steps| steps <= ulp)
                )
            })
    }
}

/// Returns the number of steps from one 32-bit float to another; `None` for infinities and NaN.
fn steps(a: f32, b: f32) -> Option<u32> {
    // Numbers of either sign in one row: the negative ones count down from zero.
    let place = |value: f32| {
        let magnitude = i64::from(value.to_bits() & 0x7fff_ffff);
        if value.is_sign_negative() {
            -magnitude
        } else {
            magnitude
        }
    };
    let are_finite = a.is_finite() && b.is_finite();
    are_finite.then(|| u32::try_from((place(a) - place(b)).unsigned_abs()).unwrap_or(u32::MAX))
}

fn is_nan(value: &ComponentValue) -> bool {
    matches!(value, ComponentValue::Float(value) if value.is_nan())
}

/// Elements that differ.
pub(crate) struct Differences {
    /// All elements.
    pub(crate) elements: usize,
    /// Indices of those that differ.
    pub(crate) differing: Vec<usize>,
    /// Number of those that differ within the tolerance.
    pub(crate) tolerated: usize,
    /// Largest difference between two numbers, with the column and the element that it is in.
    pub(crate) largest: Option<(f64, String, usize)>,
}

impl Differences {
    /// Compares the elements of two results.
    pub(crate) fn of(a: &Cells<'_>, b: &Cells<'_>, tolerance: &Tolerance) -> Differences {
        let mut differences = Differences {
            elements: a.len(),
            differing: Vec::new(),
            tolerated: 0,
            largest: None,
        };
        let columns = a.columns();
        for index in 0..a.len() {
            let (mut is_exact, mut is_within) = (true, true);
            match pairs(a, b, index) {
                Pairs::Same => {}
                Pairs::Unreadable => is_within = false,
                Pairs::Values(pairs) => {
                    for ((left, right), column) in pairs.iter().zip(&columns) {
                        if Tolerance::default().has(left, right) {
                            continue;
                        }
                        is_exact = false;
                        is_within &= tolerance.has(left, right);
                        let distance = (left.to_f64() - right.to_f64()).abs();
                        let largest = &mut differences.largest;
                        if distance > largest.as_ref().map_or(0.0, |largest| largest.0)
                            && distance.is_finite()
                        {
                            *largest = Some((distance, column.clone(), index));
                        }
                    }
                }
            }
            if !is_within {
                differences.differing.push(index);
            } else if !is_exact {
                differences.tolerated += 1;
            }
        }
        differences
    }
}

/// The numbers of an element in both results.
enum Pairs {
    /// The bytes are equal, and so are the numbers, also NaN with the same bits.
    Same,
    /// Compressed texels are not decoded, so that different bytes count as different.
    Unreadable,
    Values(Vec<(ComponentValue, ComponentValue)>),
}

fn pairs(a: &Cells<'_>, b: &Cells<'_>, index: usize) -> Pairs {
    if a.bytes_of(index) == b.bytes_of(index) {
        return Pairs::Same;
    }
    let (left, right) = (a.row(index), b.row(index));
    if left.is_empty() || left.len() != right.len() {
        return Pairs::Unreadable;
    }
    Pairs::Values(left.into_iter().zip(right).collect())
}

/// Returns a pixel (red, green, blue, alpha) for each element: black where both results are equal,
/// grey where they differ within the tolerance, red where they differ more; the brighter, the
/// larger is the difference, and brightest at the largest one of all.
pub(crate) fn picture(a: &Cells<'_>, b: &Cells<'_>, tolerance: &Tolerance) -> Vec<u8> {
    let distance = |left: &ComponentValue, right: &ComponentValue| {
        let distance = (left.to_f64() - right.to_f64()).abs();
        // Of a NaN beside a number.
        if distance.is_nan() {
            f64::INFINITY
        } else {
            distance
        }
    };
    let texel = |index: usize| match pairs(a, b, index) {
        Pairs::Same => None,
        Pairs::Unreadable => Some((f64::INFINITY, false)),
        Pairs::Values(pairs) => {
            let exact = Tolerance::default();
            let differing = pairs.iter().filter(|(l, r)| !exact.has(l, r));
            let largest = differing.map(|(l, r)| distance(l, r)).reduce(f64::max)?;
            Some((largest, pairs.iter().all(|(l, r)| tolerance.has(l, r))))
        }
    };
    let texels: Vec<Option<(f64, bool)>> = (0..a.len()).map(texel).collect();
    let finite = texels.iter().flatten().map(|(distance, _)| *distance);
    let largest = finite.filter(|distance| distance.is_finite());
    let largest = largest.fold(f64::MIN_POSITIVE, f64::max);
    let color = |texel: &Option<(f64, bool)>| match *texel {
        None => [0, 0, 0, 255],
        Some((distance, is_within)) => {
            // The smallest difference is bright enough to be seen.
            let bright = 64 + (191.0 * (distance / largest).min(1.0)) as u8;
            if is_within {
                [bright, bright, bright, 255]
            } else {
                [bright, 0, 0, 255]
            }
        }
    };
    texels.iter().flat_map(color).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planned::{ElementKind, words};
    use dxil_runtime::Format;

    fn bytes(values: &[u32]) -> Vec<u8> {
        let words = values.iter().map(|value| value.to_le_bytes());
        words.flatten().collect()
    }

    fn floats(values: &[f32]) -> Vec<u8> {
        let words = values.iter().map(|value| value.to_le_bytes());
        words.flatten().collect()
    }

    #[test]
    fn the_first_and_the_largest_difference_are_found() {
        let exact = Tolerance::default();
        let kind = ElementKind::Scalars(words());
        let (a, b) = (bytes(&[1, 2, 3, 9]), bytes(&[1, 5, 3, 8]));
        let found = Differences::of(&Cells::new(&a, &kind), &Cells::new(&b, &kind), &exact);
        assert_eq!(found.differing, [1, 3]);
        assert_eq!(found.largest, Some((3.0, String::new(), 1)));
        // NaN with another payload is the same NaN; zeros of either sign are equal.
        let float = ElementKind::Texel(Format::R32Float);
        let (a, b) = (bytes(&[0x7fc0_0000, 0x8000_0000]), bytes(&[0x7fc0_0001, 0]));
        let found = Differences::of(&Cells::new(&a, &float), &Cells::new(&b, &float), &exact);
        assert!(found.differing.is_empty());
    }

    #[test]
    fn differences_within_the_tolerance_are_counted_apart() {
        let float = ElementKind::Texel(Format::R32Float);
        let one_step = f32::from_bits(1.0_f32.to_bits() + 1);
        // Exact, one step above 1, 1 % of 200, an infinity, a NaN, and the two smallest numbers.
        let a = floats(&[5.0, 1.0, 200.0, f32::INFINITY, f32::NAN, 1e-45]);
        let b = floats(&[5.0, one_step, 202.0, 3.0, 3.0, -1e-45]);
        let of = |distance: Option<&str>, ulp| {
            let distance = distance.map(|text| text.parse().unwrap());
            let tolerance = Tolerance { distance, ulp };
            let (a, b) = (Cells::new(&a, &float), Cells::new(&b, &float));
            let found = Differences::of(&a, &b, &tolerance);
            (found.differing, found.tolerated)
        };
        assert_eq!(of(None, None), (vec![1, 2, 3, 4, 5], 0));
        assert_eq!(of(None, Some(1)), (vec![2, 3, 4, 5], 1));
        assert_eq!(of(None, Some(2)), (vec![2, 3, 4], 2));
        assert_eq!(of(Some("1%"), None), (vec![3, 4, 5], 2));
        assert_eq!(of(Some("2"), None), (vec![3, 4], 3));
        assert_eq!(of(Some("1.5"), Some(0)), (vec![2, 3, 4], 2));
        for wrong in ["", "x", "-1", "nan", "inf", "1%%"] {
            assert!(wrong.parse::<Distance>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_picture_is_brightest_at_the_largest_difference() {
        let float = ElementKind::Texel(Format::R32Float);
        let (a, b) = (floats(&[1.0, 1.0, 1.0]), floats(&[1.0, 1.5, 5.0]));
        let tolerance = Tolerance {
            distance: Some(Distance::Absolute(1.0)),
            ulp: None,
        };
        let pixels = picture(&Cells::new(&a, &float), &Cells::new(&b, &float), &tolerance);
        // 64 + 191 / 8 rounded down.
        let expected = [[0, 0, 0, 255], [87, 87, 87, 255], [255, 0, 0, 255]];
        assert_eq!(pixels, expected.concat());
    }
}
