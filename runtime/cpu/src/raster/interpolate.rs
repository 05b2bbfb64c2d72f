//! Weights of a primitive's vertices at a place (D3D11.3 functional specification, 3.5.5 and 16.4).

use super::setup::Planes;

/// Weights of a primitive's vertices at a place in the target.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Weights {
    /// The place, in pixels.
    pub place: [f64; 2],
    /// With perspective.
    pub perspective: [f64; 3],
    /// On the screen.
    pub linear: [f64; 3],
    /// w of the position.
    pub w: f64,
    /// Depth.
    pub depth: f64,
}

impl Weights {
    /// Returns an attribute whose values at the vertices these are. Equal values give exactly that
    /// value.
    pub fn mix(weights: &[f64; 3], values: [f32; 3]) -> f32 {
        let [first, second, third] = values.map(f64::from);
        (first + (second - first) * weights[1] + (third - first) * weights[2]) as f32
    }
}

impl Planes {
    /// Returns the weights at a place, in pixels.
    pub fn weights(&self, place: [f64; 2]) -> Weights {
        let w = self.inverse_w.at(place).recip();
        Weights {
            place,
            perspective: self.perspective.map(|plane| plane.at(place) * w),
            linear: self.linear.map(|plane| plane.at(place)),
            w,
            depth: self.depth.at(place),
        }
    }

    /// Returns how an attribute with perspective changes from a place to the right and down, as
    /// numerators, and how the denominator does: at an offset (x, y) the attribute is
    /// (value + x * first + y * second) / (1 + x * third + y * fourth).
    pub fn gradients(&self, place: [f64; 2], values: [f32; 3]) -> [f32; 4] {
        let w = self.inverse_w.at(place).recip();
        let [first, second, third] = values.map(f64::from);
        let change = |axis: usize| {
            let step = |weight: usize| self.perspective[weight].gradient[axis] * w;
            let whole = self.inverse_w.gradient[axis] * w;
            first * whole + (second - first) * step(1) + (third - first) * step(2)
        };
        let whole = |axis: usize| self.inverse_w.gradient[axis] * w;
        [change(0), change(1), whole(0), whole(1)].map(|value| value as f32)
    }

    /// Returns how an attribute without perspective changes to the right and down.
    pub fn linear_gradients(&self, values: [f32; 3]) -> [f32; 2] {
        let [first, second, third] = values.map(f64::from);
        [0, 1].map(|axis| {
            let step = |weight: usize| self.linear[weight].gradient[axis];
            ((second - first) * step(1) + (third - first) * step(2)) as f32
        })
    }
}

/// Returns the sample at which an attribute of centroid mode is evaluated; `None` is the pixel's
/// centre. `covered` and `mask` have a bit for each of `samples`; `covered` is cut by `mask`.
pub fn centroid(covered: u32, mask: u32, samples: u32) -> Option<u32> {
    let all = u32::MAX >> (32 - samples.clamp(1, 32));
    let (covered, mask) = (covered & all, mask & all);
    if covered == all {
        return None;
    }
    match (covered, mask) {
        (0, mask) if mask == 0 || mask == all => None,
        (0, mask) => Some(mask.trailing_zeros()),
        (covered, _) => Some(covered.trailing_zeros()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The three rules of 3.5.5.
    #[test]
    fn centroids_are_at_the_centre_or_at_the_first_covered_sample() {
        assert_eq!(centroid(0b1111, u32::MAX, 4), None);
        assert_eq!(centroid(0b1100, u32::MAX, 4), Some(2));
        assert_eq!(centroid(0, u32::MAX, 4), None);
        assert_eq!(centroid(0, 0b1010, 4), Some(1));
        assert_eq!(centroid(1, u32::MAX, 1), None);
    }

    #[test]
    fn equal_values_stay_exact() {
        let third = 1.0 / 3.0;
        assert_eq!(Weights::mix(&[third; 3], [0.1; 3]), 0.1);
        assert_eq!(Weights::mix(&[0.5, 0.25, 0.25], [0.0, 4.0, 8.0]), 3.0);
    }
}
