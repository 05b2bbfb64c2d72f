//! Sampler feedback: a feedback map is a texture of 32-bit words, one for each mip region of the
//! paired texture's most detailed mip (DirectX Sampler Feedback specification, "Feedback map
//! formats").
//!
//! The specification lets an implementation record more than was sampled. What is recorded is the
//! footprint of a bilinear filter in each of the mips that a trilinear one reads, as the Vulkan
//! backend records it.

use dxil_frontend::dxil::ops::AtomicOp;
use dxil_frontend::dxil::{ResourceKind, SamplerFeedbackKind};

use super::context::Context;
use super::memory::combined;
use super::ownership::Access;
use super::sampled_view::SampledView;
use crate::check::AccessKind;
use crate::decode::code::{Complex, FeedbackWrite, RegisterSlot, slot};
use crate::resources::{Descriptor, TextureDescriptor};

/// The map of a write, with its regions.
struct Map<'a> {
    handle: u32,
    texture: &'a TextureDescriptor,
    shape: ResourceKind,
    kind: SamplerFeedbackKind,
    /// Width and height in regions.
    size: [u32; 2],
    /// Logarithm of a region's sides in texels.
    region: [u32; 2],
    layer: u32,
}

/// Returns coordinates within 0 to 1; others wrap around.
fn wrapped(at: f32) -> f32 {
    if (0.0..=1.0).contains(&at) {
        at
    } else {
        at - at.floor()
    }
}

/// Returns the logarithm of the smallest power of two that divides a side of a texture into that
/// many regions: the size of regions is not part of a view.
fn region(side: u32, regions: u32) -> u32 {
    let ratio = (side.max(1) - 1) / regions.max(1);
    ratio.checked_ilog2().map_or(0, |log| log + 1)
}

impl Context<'_> {
    pub(super) fn write_feedback(&self, op: &FeedbackWrite, complex: &Complex) {
        let r = &self.registers;
        let src = |index| slot(&complex.src, index);
        let clamp = complex.src.last().copied().unwrap_or(RegisterSlot::NONE);
        for lane in self.on() {
            let [handle, texture, sampler] = [0, 1, 2].map(|i| r.word(src(i), lane));
            let Descriptor::Texture(feedback) = self.shared.descriptor(handle) else {
                continue;
            };
            let shape = self.shared.shape(op.map, handle);
            let Some((shape, kind)) = shape.and_then(|s| Some((s.kind, s.feedback?))) else {
                continue;
            };
            let Some(view) = self.view(op.texture, (texture, sampler), None) else {
                continue;
            };
            let place = view.place(self.coords(complex, 3, lane));
            let footprint = self.lane_footprint(&view, op.level, complex, (3, 7), lane);
            let mut level = footprint.lod;
            level = level.min(view.sampler.max_lod).max(view.sampler.min_lod);
            if !clamp.is_none() {
                level = level.max(r.float(clamp, lane));
            }
            let last = (view.texture.mips - 1) as f32;
            let level = if level.is_nan() {
                0.0
            } else {
                level.clamp(0.0, last)
            };
            let sides = feedback.texture.mip_size(feedback.first_mip);
            let whole = view.texture.texture.mip_size(view.texture.first_mip);
            let map = Map {
                handle,
                texture: feedback,
                shape,
                kind,
                size: [sides[0], sides[1]],
                region: [region(whole[0], sides[0]), region(whole[1], sides[1])],
                layer: place.layer,
            };
            let at = [wrapped(place.at[0]), wrapped(place.at[1])];
            self.record(&map, &view, lane, at, level);
        }
    }

    /// Records a level of detail.
    fn record(&self, map: &Map<'_>, view: &SampledView<'_>, lane: usize, at: [f32; 2], lod: f32) {
        let (fine, coarse) = (lod.floor() as u32, lod.ceil() as u32);
        let size = |mip| view.texture.texture.mip_size(view.texture.first_mip + mip);
        match map.kind {
            SamplerFeedbackKind::MinMip => {
                // Half a texel of the level, in texels of the most detailed mip, is at most half a
                // region.
                let reach = map
                    .region
                    .map(|region| 0.5 * (1_u32 << fine.min(region)) as f32);
                self.mark(map, lane, at, size(0), reach, (AtomicOp::UMin, fine));
            }
            SamplerFeedbackKind::MipRegionUsed => {
                for mip in fine..=coarse {
                    self.mark(map, lane, at, size(mip), [0.5; 2], (AtomicOp::Or, 1 << mip));
                }
            }
        }
    }

    /// Changes the regions that a bilinear filter reaches: two by two at most.
    fn mark(
        &self,
        map: &Map<'_>,
        lane: usize,
        at: [f32; 2],
        size: [u32; 3],
        reach: [f32; 2],
        (op, value): (AtomicOp, u32),
    ) {
        let ends = [0, 1].map(|axis| {
            let side = size[axis] as f32;
            [-reach[axis], reach[axis]].map(|step| {
                let texel = (at[axis] * side + step).clamp(0.0, side) as u32;
                // The far edge of the texture would be the region after the last one.
                (texel >> map.region[axis]).min(map.size[axis] - 1)
            })
        });
        for (number, (x, y)) in [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().enumerate() {
            let [x, y] = [ends[0][x], ends[1][y]];
            // Regions that coincide with an earlier corner's have been changed.
            let repeats = (number & 1 != 0 && ends[0][0] == ends[0][1])
                || (number & 2 != 0 && ends[1][0] == ends[1][1]);
            let coords = [x, y, map.layer].map(i64::from);
            let Some(place) = map
                .texture
                .place(map.shape, coords, 0, 0)
                .filter(|_| !repeats)
            else {
                continue;
            };
            let storage = map.texture.storage;
            self.touch(storage, place, 4, Access::Commutative(op));
            let bytes = &self.shared.storage(storage).bytes;
            bytes.update(place, 4, |old| combined(op, false, old, u64::from(value)));
            self.check_memory(lane, AccessKind::Atomic, (map.handle, storage), place, 4);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_the_smallest_that_cover_the_texture() {
        assert_eq!(region(64, 4), 4);
        assert_eq!(region(65, 4), 5);
        assert_eq!(region(60, 4), 4);
        assert_eq!(region(4, 4), 0);
        assert_eq!(region(1, 0), 0);
    }
}
