//! Pixel shaders over the quads of primitives, and what becomes of their outputs.

use dxil_cpu::raster::{BlendFactor, Place, Quad, Tested, alpha_coverage};
use dxil_cpu::watch::Invocation;
use dxil_cpu::{Invocations, SystemValues};
use dxil_frontend::dxil::{EntryPoint, SemanticKind};

use super::super::executable::Executable;
use super::super::fetch::place_of;
use super::super::stages::pixels::runs_per_sample;
use super::attachments::Attachments;
use super::counts::PixelCounts;
use super::pixel_inputs::{PixelInputs, QuadPixel, VertexValues};
use super::primitives::PrimitiveSet;
use super::raster::Quads;
use super::setup::Drawn;
use super::tiles::Tile;
use crate::graphics::{Draw, GraphicsState};

/// Lanes of a quad.
const QUAD: u64 = 4;

/// Render targets of a draw (`D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT`).
const MAX_TARGETS: usize = 8;

/// Where the outputs of a pixel shader lie.
#[derive(Debug, Clone, Default)]
struct PixelOutputs {
    /// First word of each target's colour.
    colors: [Option<usize>; MAX_TARGETS],
    depth: Option<usize>,
    stencil: Option<usize>,
    coverage: Option<usize>,
}

impl PixelOutputs {
    fn new(pixel: &Executable, entry: &EntryPoint) -> PixelOutputs {
        use SemanticKind as S;
        let places = pixel.kernel.outputs().1;
        let mut outputs = PixelOutputs::default();
        for element in &entry.outputs {
            let Some(first) = place_of(places, element.id) else {
                continue;
            };
            match element.semantic {
                S::Target => {
                    for (row, index) in element.semantic_indices.iter().enumerate() {
                        if let Some(color) = outputs.colors.get_mut(*index as usize) {
                            *color = Some(first + 4 * row);
                        }
                    }
                }
                S::Depth | S::DepthLessEqual | S::DepthGreaterEqual => outputs.depth = Some(first),
                S::StencilRef => outputs.stencil = Some(first),
                S::Coverage => outputs.coverage = Some(first),
                _ => {}
            }
        }
        outputs
    }

    fn color(&self, index: usize, words: &[u32]) -> [u32; 4] {
        let first = self.colors.get(index).copied().flatten();
        let color = first.and_then(|first| words.get(first..)?.first_chunk());
        color.copied().unwrap_or([0; 4])
    }
}

/// A quad that a wave runs.
#[derive(Clone, Copy)]
struct WaveQuad<'a> {
    drawn: &'a Drawn,
    quad: Quad,
    /// Samples of each pixel that are not yet known to fail the tests of depth and stencil.
    passed: [u32; 4],
    sample: Option<u32>,
    /// Its place in [`Pixels::values`].
    values: usize,
}

/// A pixel shader with how it runs.
struct Shader {
    inputs: PixelInputs,
    outputs: PixelOutputs,
    runs_per_sample: bool,
    /// Whether depth and stencil are tested before it runs.
    tests_early: bool,
    /// Whether the shader asks for that: its coverage is then that after the tests (D3D11.3,
    /// 16.12). A test that nobody asked for must not be seen.
    forces_early: bool,
    /// Whether pixels of several primitives run one after the other (16.10).
    is_ordered: bool,
}

/// What all pixels of a draw share.
pub(super) struct Fragments<'a> {
    set: &'a PrimitiveSet<'a>,
    state: &'a GraphicsState,
    attachments: &'a Attachments<'a>,
    reference: u8,
    shader: Option<Shader>,
}

impl<'a> Fragments<'a> {
    pub(super) fn new(
        pixel: Option<&Executable>,
        set: &'a PrimitiveSet<'a>,
        state: &'a GraphicsState,
        attachments: &'a Attachments<'a>,
        draw: &Draw,
    ) -> Fragments<'a> {
        let samples = attachments.samples;
        let mask = state.sample_mask.unwrap_or(u32::MAX);
        let shader = pixel.and_then(|pixel| {
            let interface = pixel.stage.as_ref()?;
            let entry = &interface.entry;
            let outputs = PixelOutputs::new(pixel, entry);
            // Where nobody can tell, the test comes first, which spares hidden pixels (16.12).
            let is_unseen = !pixel.kernel.may_write()
                && !pixel.kernel.discards()
                && !state.alpha_to_coverage
                && outputs.depth.is_none()
                && outputs.stencil.is_none()
                && outputs.coverage.is_none();
            Some(Shader {
                inputs: PixelInputs::new(pixel, entry, set.producer, (samples, mask)),
                runs_per_sample: runs_per_sample(entry, pixel.kernel.reads_sample_index()),
                tests_early: interface.forces_early_depth || is_unseen,
                forces_early: interface.forces_early_depth,
                is_ordered: pixel.kernel.may_write(),
                outputs,
            })
        });
        Fragments {
            set,
            state,
            attachments,
            reference: draw.stencil_reference,
            shader,
        }
    }
}

/// The pixels of a tile.
pub(super) struct Pixels<'a> {
    all: &'a Fragments<'a>,
    quads: Quads<'a>,
    /// Quads of the current wave, and those that wait for the next one.
    wave: Vec<WaveQuad<'a>>,
    waiting: Vec<WaveQuad<'a>>,
    /// Inputs at the vertices of the wave's primitives.
    values: Vec<(&'a Drawn, VertexValues)>,
    first: u64,
    pub(super) counts: PixelCounts,
}

impl<'a> Pixels<'a> {
    pub(super) fn new(all: &'a Fragments<'a>, parts: &'a [Drawn], tile: &'a Tile) -> Pixels<'a> {
        Pixels {
            all,
            quads: Quads::new(parts, tile, all.attachments.samples),
            wave: Vec::new(),
            waiting: Vec::new(),
            values: Vec::new(),
            first: 0,
            counts: PixelCounts::default(),
        }
    }

    /// Tests all pixels of a draw without a pixel shader.
    pub(super) fn test_all(&mut self) {
        while let Some((drawn, quad)) = self.next_quad() {
            self.test_early(drawn, &quad);
        }
    }

    /// Returns the next quad, with the samples that are not masked.
    fn next_quad(&mut self) -> Option<(&'a Drawn, Quad)> {
        let mask = self.all.state.sample_mask.unwrap_or(u32::MAX);
        loop {
            let (drawn, mut quad) = self.quads.next_quad()?;
            quad.covered = quad.covered.map(|covered| covered & mask);
            if quad.covered != [0; 4] {
                return Some((drawn, quad));
            }
        }
    }

    /// Tests the samples of a quad; returns those of each pixel that pass.
    fn test_early(&mut self, drawn: &Drawn, quad: &Quad) -> [u32; 4] {
        [0, 1, 2, 3].map(|at| {
            let pixel = QuadPixel {
                drawn,
                quad,
                pixel: at,
                sample: None,
            };
            self.test(&pixel, pixel.covered(), None, self.all.reference)
        })
    }

    /// Tests samples of a pixel; returns those that pass. The depth is the pixel shader's or that
    /// of the primitive.
    fn test(
        &mut self,
        pixel: &QuadPixel<'_>,
        covered: u32,
        depth: Option<f32>,
        reference: u8,
    ) -> u32 {
        let samples = self.all.attachments.samples;
        let mut passed = covered;
        if let Some(test) = &self.all.attachments.depth {
            for sample in (0..samples).filter(|sample| covered >> sample & 1 != 0) {
                let planes = &pixel.drawn.primitive.planes;
                let interpolated = || {
                    let place = pixel.sample_place(sample, samples);
                    planes.weights(place).depth as f32
                };
                let tested = Tested {
                    place: Place {
                        pixel: pixel.at(),
                        layer: pixel.drawn.layer,
                        sample,
                    },
                    depth: depth.unwrap_or_else(interpolated),
                    range: pixel.drawn.depths,
                    is_front: pixel.drawn.is_front,
                    reference,
                };
                if !test.pass(&tested) {
                    passed &= !(1 << sample);
                }
            }
        }
        self.counts.passed += u64::from(passed.count_ones());
        passed
    }

    /// Returns quad and lane of an invocation of the wave.
    fn place(&self, number: u64) -> Option<(&WaveQuad<'a>, usize)> {
        let at = number.saturating_sub(self.first);
        let quad = self.wave.get((at / QUAD) as usize)?;
        Some((quad, (at % QUAD) as usize))
    }

    /// Adds the runs of the next quad to those that wait; returns whether there was one.
    fn wait(&mut self) -> bool {
        let Some((drawn, mut quad)) = self.next_quad() else {
            return false;
        };
        let Some(shader) = &self.all.shader else {
            return false;
        };
        let per_sample = shader.runs_per_sample;
        let mut passed = quad.covered;
        if shader.tests_early {
            passed = self.test_early(drawn, &quad);
        }
        if shader.forces_early {
            quad.covered = passed;
        }
        let any = passed.iter().fold(0, |any, passed| any | passed);
        if !per_sample {
            if any != 0 {
                let sample = None;
                self.waiting.push(WaveQuad {
                    drawn,
                    quad,
                    passed,
                    sample,
                    values: 0,
                });
            }
            return true;
        }
        let samples = self.all.attachments.samples;
        // The last one first: they are taken from the end.
        for sample in (0..samples).rev().filter(|sample| any >> sample & 1 != 0) {
            self.waiting.push(WaveQuad {
                drawn,
                quad: Quad {
                    covered: quad.covered.map(|covered| covered & 1 << sample),
                    ..quad
                },
                passed,
                sample: Some(sample),
                values: 0,
            });
        }
        true
    }

    /// Returns the place of the inputs at a primitive's vertices.
    fn values_of(&mut self, drawn: &'a Drawn) -> usize {
        if self
            .values
            .last()
            .is_none_or(|(last, _)| !std::ptr::eq(*last, drawn))
            && let Some(shader) = &self.all.shader
        {
            let values = shader.inputs.vertex_values(self.all.set, drawn);
            self.values.push((drawn, values));
        }
        self.values.len().saturating_sub(1)
    }

    /// Merges the outputs of a pixel, whose samples `passed` are not yet known to fail the tests.
    fn merge(&mut self, pixel: &QuadPixel<'_>, passed: u32, words: &[u32]) {
        let all = self.all;
        let Some(shader) = &all.shader else {
            return;
        };
        let (outputs, samples) = (&shader.outputs, all.attachments.samples);
        let word = |place: Option<usize>| place.and_then(|at| words.get(at).copied());
        let mut covered = pixel.covered() & passed;
        match word(outputs.coverage) {
            Some(mask) => covered &= mask,
            None if all.state.alpha_to_coverage => {
                let [.., alpha] = outputs.color(0, words);
                covered &= alpha_coverage(f32::from_bits(alpha), samples);
            }
            None => {}
        }
        if !shader.tests_early {
            let depth = word(outputs.depth).map(f32::from_bits);
            let reference = word(outputs.stencil).map_or(all.reference, |word| word as u8);
            covered = self.test(pixel, covered, depth, reference);
        }
        for (index, to) in all.attachments.targets.iter().enumerate() {
            // A target that the shader does not write keeps what it has.
            if outputs.colors.get(index).is_none_or(Option::is_none) {
                continue;
            }
            let source = outputs.color(index, words);
            let has_two = to.blend.is_some_and(|blend| {
                [blend.color.0, blend.color.1, blend.alpha.0, blend.alpha.1]
                    .iter()
                    .any(is_second_source)
            });
            let second = if has_two { index + 1 } else { index };
            let source1 = outputs.color(second, words);
            for sample in (0..samples).filter(|sample| covered >> sample & 1 != 0) {
                let place = Place {
                    pixel: pixel.at(),
                    layer: pixel.drawn.layer,
                    sample,
                };
                all.attachments.merge.write(to, place, source, source1);
            }
        }
    }
}

fn is_second_source(factor: &BlendFactor) -> bool {
    use BlendFactor as F;
    matches!(
        factor,
        F::Source1Color | F::InverseSource1Color | F::Source1Alpha | F::InverseSource1Alpha
    )
}

impl Invocations for Pixels<'_> {
    fn wave(&mut self, first: u64, lanes: u64) -> u64 {
        self.first = first;
        self.wave.clear();
        // The last primitive often goes on.
        let kept = self.values.pop();
        self.values.clear();
        self.values.extend(kept);
        let is_ordered = self
            .all
            .shader
            .as_ref()
            .is_some_and(|shader| shader.is_ordered);
        while ((self.wave.len() + 1) as u64) * QUAD <= lanes {
            let Some(mut next) = self.waiting.pop() else {
                if self.wait() {
                    continue;
                }
                break;
            };
            // Two primitives at one place in a wave would run side by side.
            let meets = |other: &WaveQuad<'_>| {
                other.quad.at == next.quad.at
                    && other.drawn.layer == next.drawn.layer
                    && !std::ptr::eq(other.drawn, next.drawn)
            };
            if is_ordered && self.wave.iter().any(meets) {
                self.waiting.push(next);
                break;
            }
            next.values = self.values_of(next.drawn);
            self.wave.push(next);
        }
        self.wave.len() as u64 * QUAD
    }

    fn inputs(&mut self, number: u64, words: &mut [u32]) {
        let (Some((quad, pixel)), Some(shader)) = (self.place(number), &self.all.shader) else {
            return;
        };
        let pixel = QuadPixel {
            drawn: quad.drawn,
            quad: &quad.quad,
            pixel,
            sample: quad.sample,
        };
        if let Some((_, values)) = self.values.get(quad.values) {
            shader.inputs.fill((self.all.set, values), &pixel, words);
        }
    }

    fn system_values(&mut self, number: u64) -> SystemValues {
        let Some((quad, pixel)) = self.place(number) else {
            return SystemValues::default();
        };
        let id = self.all.set.ids.get(quad.drawn.number);
        SystemValues {
            sample: quad.sample.unwrap_or(0),
            coverage: quad.quad.covered.get(pixel).copied().unwrap_or(0),
            samples: self.all.attachments.samples,
            primitive: id.copied().unwrap_or(0),
            ..SystemValues::default()
        }
    }

    fn is_helper(&mut self, number: u64) -> bool {
        let place = self.place(number);
        let covered = place.and_then(|(quad, pixel)| quad.quad.covered.get(pixel).copied());
        let is_helper = covered.unwrap_or(0) == 0;
        self.counts.invocations += u64::from(!is_helper);
        is_helper
    }

    fn invocation(&mut self, number: u64) -> Option<Invocation> {
        let (quad, pixel) = self.place(number)?;
        let pixel = QuadPixel {
            drawn: quad.drawn,
            quad: &quad.quad,
            pixel,
            sample: quad.sample,
        };
        Some(Invocation::Pixel {
            at: pixel.at(),
            primitive: quad.drawn.number as u32,
            sample: quad.sample,
        })
    }

    fn outputs(&mut self, number: u64, words: &[u32]) {
        let Some((quad, pixel)) = self.place(number) else {
            return;
        };
        let quad = *quad;
        let pixel = QuadPixel {
            drawn: quad.drawn,
            quad: &quad.quad,
            pixel,
            sample: quad.sample,
        };
        self.merge(&pixel, quad.passed[pixel.pixel], words);
    }
}
