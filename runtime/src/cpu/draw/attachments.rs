//! What a draw goes to: targets, depth buffer, viewports and scissors.

use dxil_cpu::raster::{BiasedDepth, DepthTest, Merge, Target, TargetMerge, Transform, Viewport};
use dxil_cpu::resources::Storage;

use crate::error::{Error, Result};
use crate::graphics::{Attachment, Draw, GraphicsState};
use crate::job::Job;

/// Maximum number of layers of a texture (D3D12_REQ_TEXTURE2D_ARRAY_AXIS_DIMENSION).
const MAX_LAYERS: u32 = 2048;

/// A viewport with its scissor.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub(super) transform: Transform,
    pub(super) depths: [f32; 2],
    /// Left, top, right and bottom in pixels, the last two not included.
    pub(super) bounds: [u32; 4],
}

/// What a draw goes to.
pub(super) struct Attachments<'a> {
    pub(super) targets: Vec<TargetMerge<'a>>,
    pub(super) depth: Option<DepthTest<'a>>,
    pub(super) merge: Merge,
    pub(super) views: Vec<View>,
    /// Layers that all of them have.
    pub(super) layers: u32,
    pub(super) samples: u32,
}

/// Returns the target of an attachment.
fn target_of<'a>(storages: &'a [Storage], attachment: &Attachment) -> Result<Target<'a>> {
    let storage = storages.get(attachment.resource.0);
    let target = storage.and_then(|s| Target::new(s, attachment.mip, attachment.layer));
    target.ok_or_else(|| Error::BadJob("a render target's mip or layer does not exist".into()))
}

impl<'a> Attachments<'a> {
    pub(super) fn new(
        state: &GraphicsState,
        job: &Job,
        draw: &Draw,
        storages: &'a [Storage],
    ) -> Result<Attachments<'a>> {
        let mut targets = Vec::with_capacity(draw.targets.len());
        for (attachment, state) in draw.targets.iter().zip(&state.targets) {
            job.target_texture(attachment.resource)?;
            targets.push(TargetMerge {
                target: target_of(storages, attachment)?,
                blend: state.blend,
                write_mask: state.write_mask,
            });
        }
        let depth = match (&draw.depth, &state.depth) {
            (Some(attachment), Some(state)) => Some(DepthTest {
                target: target_of(storages, attachment)?,
                comparison: state.test,
                writes: state.write,
                stencil: state.stencil,
            }),
            _ => None,
        };
        let all = || {
            let depth = depth.iter().map(|depth| &depth.target);
            targets.iter().map(|to| &to.target).chain(depth)
        };
        // The area that all of them have.
        let least = |part: usize| all().map(|target| target.size()[part]).min();
        let extent = match (least(0), least(1)) {
            (Some(width), Some(height)) => [width, height],
            _ => draw
                .viewport
                .or_else(|| whole_of(&draw.viewports))
                .ok_or_else(|| Error::BadJob("a draw without targets needs a viewport".into()))?,
        };
        let layers = all().map(Target::layers).min().unwrap_or(MAX_LAYERS);
        Ok(Attachments {
            merge: Merge {
                logic: state.logic_op,
                constants: draw.blend_constants,
            },
            views: views(draw, extent),
            layers,
            samples: state.samples.max(1),
            targets,
            depth,
        })
    }

    /// Clears what is to be cleared.
    pub(super) fn clear(&self, draw: &Draw) {
        for (to, attachment) in self.targets.iter().zip(&draw.targets) {
            if let Some(color) = attachment.clear {
                to.target.clear_color(color);
            }
        }
        let clear = draw.depth.and_then(|attachment| attachment.clear);
        if let (Some(test), Some([depth, stencil, ..])) = (&self.depth, clear) {
            test.target.clear_depth(depth, stencil as u8);
        }
    }

    /// Averages the samples of targets that have a texture for that.
    pub(super) fn resolve(&self, job: &Job, draw: &Draw, storages: &[Storage]) -> Result<()> {
        for (to, attachment) in self.targets.iter().zip(&draw.targets) {
            let Some(id) = attachment.resolve else {
                continue;
            };
            job.target_texture(id)?;
            let single = Attachment {
                resource: id,
                ..*attachment
            };
            to.target.resolve(&target_of(storages, &single)?);
        }
        Ok(())
    }

    /// Returns whether threads may draw to different tiles at the same time.
    pub(super) fn has_word_rows(&self) -> bool {
        let depth = self.depth.iter().map(|depth| &depth.target);
        let mut all = self.targets.iter().map(|to| &to.target).chain(depth);
        all.all(Target::has_word_rows)
    }

    /// Returns the unit of the constant depth bias.
    pub(super) fn biased_depth(&self) -> BiasedDepth {
        match &self.depth {
            Some(test) => match test.target.depth_bits() {
                Some(bits) => BiasedDepth::Unorm(bits),
                None => BiasedDepth::Float,
            },
            None => BiasedDepth::Unorm(24),
        }
    }

    /// Returns a viewport; one that does not exist is the first one (D3D11.3, 15.8.1).
    pub(super) fn view(&self, index: u32) -> Option<&View> {
        self.views.get(index as usize).or(self.views.first())
    }
}

/// Returns the size of an area that has all viewports.
fn whole_of(viewports: &[Viewport]) -> Option<[u32; 2]> {
    let end = |first: usize| {
        let ends = viewports.iter().map(|v| v.area[first] + v.area[first + 2]);
        ends.fold(0.0, f32::max).ceil() as u32
    };
    (!viewports.is_empty()).then(|| [end(0), end(1)])
}

fn views(draw: &Draw, extent: [u32; 2]) -> Vec<View> {
    let viewports = if draw.viewports.is_empty() {
        let [width, height] = draw.viewport.unwrap_or(extent).map(|size| size as f32);
        vec![Viewport::from([0.0, 0.0, width, height])]
    } else {
        draw.viewports.clone()
    };
    let view = |(index, viewport): (usize, &Viewport)| {
        let [x, y, width, height] = viewport.area;
        // Nothing is drawn outside of the viewport, whose borders are rounded down (15.6.1, 15.7).
        let edge = |place: f32, size: u32| (place.floor().max(0.0) as u32).min(size);
        let mut bounds = [
            edge(x, extent[0]),
            edge(y, extent[1]),
            edge(x + width, extent[0]),
            edge(y + height, extent[1]),
        ];
        if let Some([left, top, width, height]) = draw.scissors.get(index) {
            bounds[0] = bounds[0].max(*left);
            bounds[1] = bounds[1].max(*top);
            bounds[2] = bounds[2].min(left.saturating_add(*width));
            bounds[3] = bounds[3].min(top.saturating_add(*height));
        }
        View {
            transform: Transform::new(viewport),
            depths: viewport.depths,
            bounds,
        }
    };
    viewports.iter().enumerate().map(view).collect()
}
