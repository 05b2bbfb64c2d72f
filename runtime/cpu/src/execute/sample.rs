//! Sampling by the rules of the D3D11.3 functional specification, section 7.18.

use super::buffers::from_texel;
use super::context::Context;
use super::footprint::Footprint;
use super::sampled_view::{SamplePosition, SampledView, is_cube};
use super::textures::axes;
use crate::check::AccessKind;
use crate::decode::code::{Complex, GatherOp, Level, MemoryScalar, ResourceShape, SampleOp, slot};
use crate::resources::{AddressMode, Component, Descriptor, Filter, Packing, Reduction, Texel};

/// Weight of a texel, and its components: floats or bits of integers.
type Weighted = (f32, Texel);

/// Returns the face that a direction hits and the place on it, both from 0 to 1 (D3D11.3, 7.18.7).
fn cube_face([x, y, z]: [f32; 3]) -> (u32, [f32; 2]) {
    let [ax, ay, az] = [x, y, z].map(f32::abs);
    // At an edge between faces, z comes before y and y before x (D3D11.3 functional specification,
    // 7.18.11).
    let (face, s, t, major) = if az >= ax && az >= ay {
        if z >= 0.0 {
            (4, x, -y, az)
        } else {
            (5, -x, -y, az)
        }
    } else if ay >= ax {
        if y >= 0.0 {
            (2, x, z, ay)
        } else {
            (3, x, -z, ay)
        }
    } else if x >= 0.0 {
        (0, -z, -y, ax)
    } else {
        (1, z, -y, ax)
    };
    (face, [s, t].map(|value| (value / major + 1.0) * 0.5))
}

/// Returns the direction through a place on a face; places may lie beyond its edges.
fn cube_direction(face: u32, [s, t]: [f32; 2]) -> [f32; 3] {
    let (s, t) = (2.0 * s - 1.0, 2.0 * t - 1.0);
    match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    }
}

/// Returns an index by an address mode; none is the border.
fn addressed(mode: AddressMode, index: i64, size: i64) -> Option<u32> {
    let inside = match mode {
        AddressMode::Wrap => index.rem_euclid(size),
        AddressMode::Mirror => {
            let place = index.rem_euclid(2 * size);
            if place < size {
                place
            } else {
                2 * size - 1 - place
            }
        }
        AddressMode::Clamp => index.clamp(0, size - 1),
        AddressMode::MirrorOnce => {
            let place = if index < 0 { -1 - index } else { index };
            place.min(size - 1)
        }
        AddressMode::Border => {
            if !(0..size).contains(&index) {
                return None;
            }
            index
        }
    };
    u32::try_from(inside).ok()
}

/// Returns the low bits of an offset, as a signed number.
fn low_bits(offset: u32, bits: u32) -> i64 {
    let shift = 32 - bits;
    i64::from((offset << shift) as i32 >> shift)
}

/// Returns the integer below a coordinate; far away so that offsets can be added to it.
fn texel_index(coordinate: f32) -> i64 {
    (coordinate.floor() as i64).clamp(-(1 << 62), 1 << 62)
}

impl Context<'_> {
    pub(super) fn view<'a>(
        &'a self,
        said: Option<ResourceShape>,
        handles: (u32, u32),
        reference: Option<f32>,
    ) -> Option<SampledView<'a>> {
        let Descriptor::Texture(texture) = self.shared.descriptor(handles.0) else {
            return None;
        };
        let Descriptor::Sampler(sampler) = self.shared.descriptor(handles.1) else {
            return None;
        };
        // Texels of a normalised depth format lie between 0 and 1, and so must the reference.
        let clamps = texture.format.component == Component::Unorm
            || matches!(texture.format.packing, Packing::D16 | Packing::D24S8);
        Some(SampledView {
            texture,
            sampler,
            kind: self.shared.shape(said, handles.0)?.kind,
            reference: reference.map(|value| if clamps { value.clamp(0.0, 1.0) } else { value }),
        })
    }

    /// Checks a sample without a texture or a sampler.
    #[cold]
    fn check_no_sample(&self, lane: usize, (texture, sampler): (u32, u32)) {
        self.check_no_view(lane, AccessKind::Read, texture);
        self.check_no_view(lane, AccessKind::Read, sampler);
    }

    pub(super) fn coords(&self, complex: &Complex, first: usize, lane: usize) -> [f32; 4] {
        [0, 1, 2, 3].map(|i| self.registers.float(slot(&complex.src, first + i), lane))
    }

    pub(super) fn sample(&self, op: &SampleOp, complex: &Complex) {
        let r = &self.registers;
        let src = |index| slot(&complex.src, index);
        let how = match op.level {
            Level::Implicit | Level::Zero => 0,
            Level::Bias | Level::Explicit => 1,
            Level::Gradient => 6,
        };
        let (clamp, reference) = (src(9 + how), src(10 + how));
        for lane in self.on() {
            let handles = (r.word(src(0), lane), r.word(src(1), lane));
            let reference = op.compare.then(|| r.float(reference, lane));
            let mut result = Texel::Int([0; 4]);
            self.is_unmapped.set(false);
            if let Some(view) = self.view(op.texture, handles, reference) {
                let place = view.place(self.coords(complex, 2, lane));
                // Four bits count (D3D11.3, 22.4.15).
                let offsets = [6, 7, 8].map(|i| low_bits(r.word(src(i), lane), 4));
                let footprint = self.lane_footprint(&view, op.level, complex, (2, 9), lane);
                let minimum = if clamp.is_none() {
                    f32::NEG_INFINITY
                } else {
                    r.float(clamp, lane)
                };
                result = self.filtered(&view, place, offsets, footprint, minimum);
            } else {
                self.check_no_sample(lane, handles);
            }
            self.give(complex, lane, op.scalar, result);
        }
    }

    fn give(&self, complex: &Complex, lane: usize, scalar: MemoryScalar, texel: Texel) {
        for (&dst, bits) in complex.dst.iter().zip(texel.bits()) {
            self.registers.set(dst, lane, from_texel(scalar, bits));
        }
        let status = self.take_status();
        self.registers.set(slot(&complex.dst, 4), lane, status);
    }

    /// Returns the value of a footprint at a place.
    fn filtered(
        &self,
        view: &SampledView<'_>,
        place: SamplePosition,
        offsets: [i64; 3],
        footprint: Footprint,
        minimum: f32,
    ) -> Texel {
        let sampler = view.sampler;
        let last = (view.texture.mips - 1) as f32;
        let lod = if footprint.lod.is_nan() {
            0.0
        } else {
            footprint.lod
        };
        // The minimum is applied last, so that it wins where it exceeds the maximum.
        let lod = lod.min(sampler.max_lod).max(sampler.min_lod).max(minimum);
        let filter = if lod <= 0.0 {
            sampler.mag_filter
        } else {
            sampler.min_filter
        };
        let lod = lod.clamp(0.0, last);
        let mut texels: Vec<Weighted> = Vec::new();
        let levels = match sampler.mip_filter {
            // The nearest mip, and the weights of two mips (D3D11.3 functional specification,
            // 7.18.10).
            Filter::Point => [(nearest_mip(lod, last) as u32, 1.0), (0, 0.0)],
            Filter::Linear => {
                let part = lod - lod.floor();
                let first = lod as u32;
                [(first, 1.0 - part), (first + 1, part)]
            }
        };
        let count = footprint.count.max(1);
        for (mip, weight) in levels.into_iter().filter(|(_, weight)| *weight > 0.0) {
            for step in 0..count {
                // The samples lie in the middles of equal parts of the axis.
                let along = (step as f32 + 0.5) / count as f32 - 0.5;
                let mut at = place;
                for (at, axis) in at.at.iter_mut().zip(footprint.axis) {
                    *at += axis * along;
                }
                let share = weight / count as f32;
                self.footprint_texels(view, at, offsets, mip, filter, share, &mut texels);
            }
        }
        view.reduced(&texels)
    }

    /// Collects the texels around a place in a mip, with their weights.
    #[allow(
        clippy::too_many_arguments,
        reason = "all of a footprint's parts differ from call to call"
    )]
    fn footprint_texels(
        &self,
        view: &SampledView<'_>,
        place: SamplePosition,
        offsets: [i64; 3],
        mip: u32,
        filter: Filter,
        weight: f32,
        texels: &mut Vec<Weighted>,
    ) {
        let size = view.texture.texture.mip_size(view.texture.first_mip + mip);
        let axes = view.spatial_axes();
        // Lower index and share of the upper one, for each axis.
        let mut low = [0_i64; 3];
        let mut part = [0.0_f32; 3];
        for axis in 0..axes {
            let scaled = place.at[axis] * size[axis] as f32;
            // Infinite and NaN coordinates would not convert to an index.
            let scaled = if scaled.is_finite() { scaled } else { 0.0 };
            match filter {
                Filter::Point => low[axis] = texel_index(scaled) + offsets[axis],
                Filter::Linear => {
                    // A texel's centre is at one half (D3D11.3 functional specification, 7.18.8).
                    let centred = scaled - 0.5;
                    low[axis] = texel_index(centred) + offsets[axis];
                    part[axis] = centred - centred.floor();
                }
            }
        }
        let corners = match filter {
            Filter::Point => 1,
            Filter::Linear => 1 << axes,
        };
        for corner in 0..corners {
            let mut share = weight;
            let mut at = low;
            for axis in 0..axes {
                let upper = corner >> axis & 1 != 0;
                if filter == Filter::Linear {
                    share *= if upper { part[axis] } else { 1.0 - part[axis] };
                }
                at[axis] += i64::from(upper);
            }
            if share > 0.0 {
                texels.push((share, self.compared(view, place, mip, at)));
            }
        }
    }

    /// Returns a texel, or whether the reference compares to it.
    fn compared(
        &self,
        view: &SampledView<'_>,
        place: SamplePosition,
        mip: u32,
        at: [i64; 3],
    ) -> Texel {
        let texel = self.fetched(view, place, mip, at);
        match (view.reference, view.sampler.comparison, texel) {
            (Some(reference), Some(comparison), Texel::Float([depth, ..])) => {
                let result = f32::from(u8::from(comparison.holds(reference, depth)));
                Texel::Float([result; 4])
            }
            _ => texel,
        }
    }

    fn fetched(
        &self,
        view: &SampledView<'_>,
        place: SamplePosition,
        mip: u32,
        at: [i64; 3],
    ) -> Texel {
        let texture = view.texture;
        let level = texture.first_mip + mip;
        let size = texture.texture.mip_size(level);
        let (mut face, mut at) = (place.face, at);
        if let Some(own) = face {
            let side = i64::from(size[0]);
            let outside = |value: i64| !(0..side).contains(&value);
            if outside(at[0]) && outside(at[1]) {
                // Three faces meet at a corner. The weight of the missing texel goes to the other
                // three in equal parts (D3D11.3 functional specification, 7.18.12), which is the
                // weight of their mean.
                let inside = [at[0].clamp(0, side - 1), at[1].clamp(0, side - 1)];
                let three = [
                    self.fetched(view, place, mip, [inside[0], inside[1], 0]),
                    self.fetched(view, place, mip, [at[0], inside[1], 0]),
                    self.fetched(view, place, mip, [inside[0], at[1], 0]),
                ];
                return view.mean(three);
            }
            if outside(at[0]) || outside(at[1]) {
                // A texel beyond an edge belongs to the face that its direction hits.
                let centre = [at[0], at[1]].map(|index| (index as f32 + 0.5) / side as f32);
                let (other, place) = cube_face(cube_direction(own, centre));
                face = Some(other);
                for (index, place) in at.iter_mut().zip(place) {
                    *index = ((place * side as f32) as i64).clamp(0, side - 1);
                }
            }
        }
        let mut index = [0_u32; 3];
        for axis in 0..view.spatial_axes() {
            let mode = match face {
                Some(_) => AddressMode::Clamp,
                None => view.sampler.address[axis],
            };
            match addressed(mode, at[axis], i64::from(size[axis])) {
                Some(found) => index[axis] = found,
                None => return view.border(),
            }
        }
        let layer = match face {
            Some(face) => place.layer * 6 + face,
            None => place.layer,
        };
        if layer >= texture.layers {
            return Texel::Float([0.0; 4]);
        }
        let start = texture
            .texture
            .texel(level, texture.first_layer + layer, index, 0);
        self.texel_at(texture, start)
    }

    pub(super) fn gather(&self, op: &GatherOp, complex: &Complex) {
        let r = &self.registers;
        let src = |index| slot(&complex.src, index);
        for lane in self.on() {
            let handles = (r.word(src(0), lane), r.word(src(1), lane));
            let reference = op.compare.then(|| r.float(src(8), lane));
            let mut parts = [0_u64; 4];
            self.is_unmapped.set(false);
            if let Some(view) = self.view(op.texture, handles, reference) {
                let place = view.place(self.coords(complex, 2, lane));
                let size = view.texture.texture.mip_size(view.texture.first_mip);
                let mut low = [0_i64; 3];
                for axis in 0..2 {
                    // Six bits count (D3D11.3, 22.4.4).
                    let offset = low_bits(r.word(src(6 + axis), lane), 6);
                    let centred = place.at[axis] * size[axis] as f32 - 0.5;
                    low[axis] = texel_index(centred) + offset;
                }
                // Counter-clockwise from the lower left (D3D11.3, 22.4.2).
                for (part, (x, y)) in parts.iter_mut().zip([(0, 1), (1, 1), (1, 0), (0, 0)]) {
                    let at = [low[0] + x, low[1] + y, 0];
                    let texel = self.compared(&view, place, 0, at);
                    let bits = texel.bits();
                    *part = match op.scalar {
                        // A raw texel of 64 bits has two components.
                        MemoryScalar::I64 | MemoryScalar::F64 => {
                            u64::from(bits[0]) | u64::from(bits[1]) << 32
                        }
                        scalar => from_texel(scalar, bits[op.channel as usize & 3]),
                    };
                }
            } else {
                self.check_no_sample(lane, handles);
            }
            for (&dst, bits) in complex.dst.iter().zip(parts) {
                r.set(dst, lane, bits);
            }
            r.set(slot(&complex.dst, 4), lane, self.take_status());
        }
    }

    pub(super) fn level_of_detail(
        &self,
        said: Option<ResourceShape>,
        clamped: bool,
        complex: &Complex,
    ) {
        let r = &self.registers;
        let src = |index| slot(&complex.src, index);
        for lane in self.on() {
            let handles = (r.word(src(0), lane), r.word(src(1), lane));
            let mut lod = 0.0;
            if let Some(view) = self.view(said, handles, None) {
                lod = view.footprint(self.gradients(complex, 2, lane)).lod;
                if clamped {
                    let sampler = view.sampler;
                    lod += sampler.lod_bias;
                    let last = (view.texture.mips - 1) as f32;
                    lod = lod.min(sampler.max_lod).max(sampler.min_lod);
                    lod = lod.clamp(0.0, last);
                    // The level that a sample takes (assembly reference, `lod`).
                    if sampler.mip_filter == Filter::Point {
                        lod = nearest_mip(lod, last);
                    }
                }
            }
            r.set(slot(&complex.dst, 0), lane, u64::from(lod.to_bits()));
        }
    }
}

/// Returns the mip that point filtering takes.
fn nearest_mip(lod: f32, last: f32) -> f32 {
    (lod + 0.5).floor().min(last)
}

impl SampledView<'_> {
    /// Returns the axes on which a texel has an index: two on a cube's face.
    fn spatial_axes(&self) -> usize {
        if is_cube(self.kind) {
            2
        } else {
            axes(self.kind).0
        }
    }

    pub(super) fn place(&self, coords: [f32; 4]) -> SamplePosition {
        let (count, layered) = axes(self.kind);
        let layers = self.texture.layers / if is_cube(self.kind) { 6 } else { 1 };
        let layer = if layered {
            coords[count].round_ties_even().max(0.0) as u32
        } else {
            0
        };
        let layer = layer.min(layers.saturating_sub(1));
        if is_cube(self.kind) {
            let (face, [s, t]) = cube_face([coords[0], coords[1], coords[2]]);
            return SamplePosition {
                at: [s, t, 0.0],
                layer,
                face: Some(face),
            };
        }
        let mut at = [0.0; 3];
        at[..count].copy_from_slice(&coords[..count]);
        SamplePosition {
            at,
            layer,
            face: None,
        }
    }

    fn border(&self) -> Texel {
        let border = self.sampler.border;
        if self.texture.format.is_integer() {
            Texel::Int(border.map(|value| value as i32 as u32))
        } else {
            match (self.reference, self.sampler.comparison) {
                (Some(_), Some(_)) => Texel::Float([border[0]; 4]),
                _ => Texel::Float(border),
            }
        }
    }

    fn mean(&self, texels: [Texel; 3]) -> Texel {
        match texels[0] {
            Texel::Int(_) => texels[0],
            Texel::Float(_) => {
                let third = 1.0 / 3.0;
                Texel::Float(average(texels.iter().map(|texel| (third, texel.floats()))))
            }
        }
    }

    /// Returns one value for the texels of a footprint.
    fn reduced(&self, texels: &[Weighted]) -> Texel {
        // Integers are not filtered.
        if let Some((_, texel @ Texel::Int(_))) = texels.first() {
            return *texel;
        }
        let extreme = |of: fn(f32, f32) -> f32| {
            let texels = texels.iter().map(|(_, texel)| texel.floats());
            texels.reduce(|one, other| std::array::from_fn(|at| of(one[at], other[at])))
        };
        Texel::Float(match self.sampler.reduction {
            Reduction::Average => average(
                texels
                    .iter()
                    .map(|(weight, texel)| (*weight, texel.floats())),
            ),
            Reduction::Minimum => extreme(f32::min).unwrap_or_default(),
            Reduction::Maximum => extreme(f32::max).unwrap_or_default(),
        })
    }
}

/// The sum of texels by their weights, which add up to 1 but for rounding.
///
/// It starts at one of the texels and adds differences, so that equal texels give their very value:
/// a device's weights have few bits and add up to 1 exactly.
fn average(texels: impl Iterator<Item = (f32, [f32; 4])> + Clone) -> [f32; 4] {
    let first = texels.clone().next().map_or([0.0; 4], |(_, texel)| texel);
    std::array::from_fn(|channel| {
        // Differences to an infinity are none.
        let start = if first[channel].is_finite() {
            first[channel]
        } else {
            0.0
        };
        let differences = texels
            .clone()
            .map(|(weight, texel)| weight * (texel[channel] - start));
        start + differences.sum::<f32>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_come_back_from_their_faces() {
        for face in 0..6 {
            for place in [[0.25, 0.5], [0.75, 0.125], [0.5, 0.875]] {
                assert_eq!(cube_face(cube_direction(face, place)), (face, place));
            }
        }
    }

    #[test]
    fn the_average_of_equal_texels_is_their_value() {
        for step in 0..1000 {
            let (x, y) = (step as f32 / 1000.0, (step * 7 % 1000) as f32 / 1000.0);
            for value in [3.0_f32, 0.1, -1e30] {
                let shares = [(1.0 - x) * (1.0 - y), x * (1.0 - y), (1.0 - x) * y, x * y];
                let texels = shares.map(|share| (share, [value; 4]));
                assert_eq!(average(texels.into_iter()), [value; 4], "{x} {y}");
            }
        }
    }

    #[test]
    fn averages_of_infinities_and_of_nothing() {
        let texel = |value| [value, 0.0, value, 1.0];
        let infinite = average([(0.5, texel(f32::INFINITY)), (0.5, texel(2.0))].into_iter());
        assert_eq!(infinite, [f32::INFINITY, 0.0, f32::INFINITY, 1.0]);
        let infinite = average([(0.5, texel(2.0)), (0.5, texel(f32::NEG_INFINITY))].into_iter());
        assert_eq!(infinite[0], f32::NEG_INFINITY);
        assert_eq!(
            average([(0.25, [8.0; 4]), (0.75, [4.0; 4])].into_iter()),
            [5.0; 4]
        );
        assert_eq!(average([].into_iter()), [0.0; 4]);
    }

    #[test]
    fn address_modes_bring_every_index_inside() {
        let all = |mode| [-5, -1, 0, 3, 4, 9].map(|index| addressed(mode, index, 4));
        let inside = |list: [u32; 6]| list.map(Some);
        assert_eq!(all(AddressMode::Wrap), inside([3, 3, 0, 3, 0, 1]));
        assert_eq!(all(AddressMode::Mirror), inside([3, 0, 0, 3, 3, 1]));
        assert_eq!(all(AddressMode::Clamp), inside([0, 0, 0, 3, 3, 3]));
        assert_eq!(all(AddressMode::MirrorOnce), inside([3, 0, 0, 3, 3, 3]));
        assert_eq!(
            all(AddressMode::Border),
            [None, None, Some(0), Some(3), None, None]
        );
    }
}
