//! Pixel shaders over a rectangle of quads.

use dxil_cpu::watch::Invocation;
use dxil_cpu::{Invocations, PixelBlock, SystemValues, sample_place};
use dxil_frontend::dxil::{EntryPoint, InterpolationMode, SemanticKind, SignatureElement};

use super::super::executable::Executable;
use super::super::fetch::place_of;
use super::runner::Runner;
use super::tables::{Columns, OutputTables};
use super::vertices::VertexSet;
use crate::error::{Error, Result};
use crate::stages::{PixelGrid, StageOutput};

/// Maximum width and height (D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION).
const MAX_SIZE: u32 = 16384;

/// The source of the inputs of pixels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The corners of a triangle.
    Triangle,
    /// A vertex for each pixel.
    Pixels,
}

struct Pixels<'a> {
    executable: &'a Executable,
    entry: &'a EntryPoint,
    vertices: &'a VertexSet,
    source: Source,
    grid: PixelGrid,
    samples: u32,
    /// Runs for each pixel: 1, or one for each sample.
    runs: u32,
    columns: Columns,
    /// Words of the outputs of each run, if it gave any.
    given: Vec<Option<Vec<u32>>>,
}

impl Pixels<'_> {
    /// Returns pixel and sample of an invocation: sample by sample, quad by quad.
    fn place(&self, number: u64) -> ([u32; 2], u32) {
        let quads = self.grid.width.div_ceil(2);
        let all = u64::from(quads) * u64::from(self.grid.height.div_ceil(2));
        let (quad, lane) = (number / 4, (number % 4) as u32);
        let (sample, quad) = ((quad / all) as u32, (quad % all) as u32);
        let pixel = [quad % quads * 2 + lane % 2, quad / quads * 2 + lane / 2];
        (pixel, sample)
    }

    fn row(&self, [x, y]: [u32; 2], sample: u32) -> usize {
        let pixel = y as usize * self.grid.width as usize + x as usize;
        pixel * self.runs as usize + sample as usize
    }

    fn vertex_word(&self, vertex: usize, at: usize) -> f32 {
        let words = self.vertices.get(vertex, 1);
        f32::from_bits(words.get(at).copied().unwrap_or(0))
    }

    /// Returns the word of an input for the pixel (clamped to the rectangle).
    fn given_word(&self, [x, y]: [u32; 2], at: usize) -> f32 {
        let (x, y) = (x.min(self.grid.width - 1), y.min(self.grid.height - 1));
        let pixel = y as usize * self.grid.width as usize + x as usize;
        self.vertex_word(pixel, at)
    }

    /// Returns the weights of the triangle's second and third vertex at a place, in pixels.
    fn weights(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        let size = [self.grid.width, self.grid.height].map(|n| 2.0 * n as f32);
        [x / size[0], y / size[1]]
    }

    /// Writes the blocks of a word that the rasterizer would interpolate.
    fn interpolate(
        &self,
        element: &SignatureElement,
        (at, width): (usize, usize),
        (pixel, sample): ([u32; 2], u32),
        words: &mut [u32],
    ) {
        use InterpolationMode as M;
        let mut set = |block: usize, value: f32| {
            if let Some(word) = words.get_mut(block * width + at) {
                *word = value.to_bits();
            }
        };
        let center = PixelBlock::Center as usize;
        // The pixels are covered wholly, so the centroid is the centre.
        let centroid = PixelBlock::Centroid as usize;
        let gradients = [
            PixelBlock::GradientX as usize,
            PixelBlock::GradientY as usize,
        ];
        let corners = PixelBlock::Vertices as usize;
        if self.source == Source::Pixels {
            let value = self.given_word(pixel, at);
            for block in [0, corners, corners + 1, corners + 2, center, centroid] {
                set(block, value);
            }
            // The differences in the quad.
            let [x, y] = pixel.map(|n| n & !1);
            let first = self.given_word([x, y], at);
            set(gradients[0], self.given_word([x + 1, y], at) - first);
            set(gradients[1], self.given_word([x, y + 1], at) - first);
            return;
        }
        let all = [0, 1, 2].map(|vertex| self.vertex_word(vertex, at));
        for (vertex, value) in all.iter().enumerate() {
            set(corners + vertex, *value);
        }
        let is_constant = matches!(element.interpolation, M::Constant | M::Undefined);
        if is_constant || is_integer(element) {
            set(0, all[0]);
            set(center, all[0]);
            set(centroid, all[0]);
            return;
        }
        let value_at = |place: [f32; 2]| {
            let [second, third] = self.weights(place);
            all[0] + (all[1] - all[0]) * second + (all[2] - all[0]) * third
        };
        let middle = pixel.map(|n| n as f32 + 0.5);
        let [dx, dy] = sample_place(sample, self.samples);
        let is_sample = matches!(
            element.interpolation,
            M::LinearSample | M::LinearNoPerspectiveSample
        );
        let place = if is_sample {
            [middle[0] + dx, middle[1] + dy]
        } else {
            middle
        };
        set(0, value_at(place));
        set(center, value_at(middle));
        set(centroid, value_at(middle));
        let [wide, high] = self.weights([1.0, 1.0]);
        set(gradients[0], (all[1] - all[0]) * wide);
        set(gradients[1], (all[2] - all[0]) * high);
    }

    /// Returns a row of an input that does not come from a vertex.
    fn system_input(
        &self,
        element: &SignatureElement,
        pixel: [u32; 2],
        sample: u32,
    ) -> Option<[u32; 4]> {
        use InterpolationMode as M;
        let mut place = pixel.map(|n| n as f32 + 0.5);
        let is_sample = matches!(
            element.interpolation,
            M::LinearSample | M::LinearNoPerspectiveSample
        );
        if is_sample {
            let [dx, dy] = sample_place(sample, self.samples);
            place = [place[0] + dx, place[1] + dy];
        }
        let floats = |all: [f32; 4]| Some(all.map(f32::to_bits));
        match element.semantic {
            SemanticKind::Position => floats([place[0], place[1], 0.5, 1.0]),
            SemanticKind::Barycentrics => {
                let [second, third] = self.weights(place);
                floats([1.0 - second - third, second, third, 0.0])
            }
            // Any bit is true; D3D sets all of them.
            SemanticKind::IsFrontFace => {
                Some([u32::from(!self.grid.is_back_face).wrapping_neg(); 4])
            }
            SemanticKind::SampleIndex => Some([sample; 4]),
            SemanticKind::Coverage => Some([self.coverage(sample); 4]),
            SemanticKind::InnerCoverage => Some([1; 4]),
            SemanticKind::PrimitiveId
            | SemanticKind::RenderTargetArrayIndex
            | SemanticKind::ViewPortArrayIndex
            | SemanticKind::ViewId
            | SemanticKind::ShadingRate => Some([0; 4]),
            _ => None,
        }
    }

    /// Returns the samples that an invocation covers.
    fn coverage(&self, sample: u32) -> u32 {
        if self.runs > 1 {
            1 << sample
        } else {
            u32::MAX >> (32 - self.samples)
        }
    }
}

pub(in crate::cpu) fn is_integer(element: &SignatureElement) -> bool {
    use dxil_frontend::dxil::ComponentType as C;
    matches!(
        element.component,
        C::I1 | C::I16 | C::U16 | C::I32 | C::U32 | C::I64 | C::U64
    )
}

impl Invocations for Pixels<'_> {
    fn inputs(&mut self, number: u64, words: &mut [u32]) {
        let (pixel, sample) = self.place(number);
        let (width, places) = self.executable.kernel.inputs();
        let width = width as usize;
        for element in &self.entry.inputs {
            let Some(first) = place_of(places, element.id) else {
                continue;
            };
            let system = self.system_input(element, pixel, sample);
            for at in (first..).take(4 * element.rows as usize) {
                match system {
                    Some(values) => {
                        for block in [
                            0,
                            PixelBlock::Center as usize,
                            PixelBlock::Centroid as usize,
                        ] {
                            if let Some(word) = words.get_mut(block * width + at) {
                                *word = values[(at - first) % 4];
                            }
                        }
                    }
                    None => self.interpolate(element, (at, width), (pixel, sample), words),
                }
            }
        }
    }

    fn system_values(&mut self, number: u64) -> SystemValues {
        let (_, sample) = self.place(number);
        SystemValues {
            sample,
            coverage: self.coverage(sample),
            inner_coverage: 1,
            samples: self.samples,
            ..SystemValues::default()
        }
    }

    fn invocation(&mut self, number: u64) -> Option<Invocation> {
        let (at, sample) = self.place(number);
        Some(Invocation::Pixel {
            at,
            primitive: 0,
            sample: (self.runs > 1).then_some(sample),
        })
    }

    fn is_helper(&mut self, number: u64) -> bool {
        let ([x, y], _) = self.place(number);
        x >= self.grid.width || y >= self.grid.height
    }

    fn outputs(&mut self, number: u64, words: &[u32]) {
        let (pixel, sample) = self.place(number);
        let row = self.row(pixel, sample);
        if let Some(place) = self.given.get_mut(row) {
            *place = Some(self.columns.of(words).collect());
        }
    }
}

/// Returns whether a shader runs for each sample: it asks for the sample's number, or interpolates
/// there (D3D11.3, 3.5.7).
pub(in crate::cpu) fn runs_per_sample(entry: &EntryPoint, reads_sample: bool) -> bool {
    use InterpolationMode as M;
    reads_sample
        || entry.inputs.iter().any(|element| {
            element.semantic == SemanticKind::SampleIndex
                || matches!(
                    element.interpolation,
                    M::LinearSample | M::LinearNoPerspectiveSample
                )
        })
}

/// Runs a pixel shader.
pub(super) fn run(
    runner: &mut Runner<'_>,
    stage: &Executable,
    vertices: &VertexSet,
    grid: PixelGrid,
    tables: &mut OutputTables,
) -> Result<()> {
    let bad = |problem: String| Err(Error::BadJob(problem));
    let Some(entry) = stage.stage.as_ref().map(|stage| &stage.entry) else {
        return bad("the shader is no pixel shader".into());
    };
    let (width, height) = (grid.width, grid.height);
    if width == 0 || height == 0 || width.max(height) > MAX_SIZE {
        return bad(format!(
            "{width}x{height} pixels; 1 to {MAX_SIZE} is possible"
        ));
    }
    let samples = grid.samples.max(1);
    if !matches!(samples, 1 | 2 | 4 | 8 | 16) {
        return bad(format!("{samples} samples; 1, 2, 4, 8 and 16 are possible"));
    }
    let pixels = u64::from(width) * u64::from(height);
    let has_inputs = stage.kernel.inputs().0 > 0;
    let count = u64::from(vertices.count[0]) * u64::from(vertices.count[1]);
    let source = match count {
        3 => Source::Triangle,
        count if count == pixels => Source::Pixels,
        _ if !has_inputs => Source::Triangle,
        count => {
            return bad(format!(
                "{count} vertices; {width}x{height} pixels take three, or one for each pixel"
            ));
        }
    };
    let runs = if runs_per_sample(entry, stage.kernel.reads_sample_index()) {
        samples
    } else {
        1
    };
    let columns = Columns::new(entry.outputs.iter(), stage.kernel.outputs().1);
    let width_of_row = 4 + stage.kernel.outputs().0;
    let rows = pixels * u64::from(runs);
    runner.check_memory("the outputs of pixels", rows * u64::from(width_of_row) * 2)?;
    let mut run = Pixels {
        executable: stage,
        entry,
        vertices,
        source,
        grid,
        samples,
        runs,
        columns,
        given: vec![None; rows as usize],
    };
    let quads = u64::from(width.div_ceil(2)) * u64::from(height.div_ceil(2));
    runner.run(stage, |dispatch, limits| {
        let done = dispatch.run_invocations(4 * quads * u64::from(runs), &mut run, limits)?;
        Ok(((), done))
    })?;
    let zeros: Vec<u32> = run.columns.of(&[]).collect();
    tables.table(StageOutput::Pixels);
    for (number, given) in run.given.iter().enumerate() {
        let (pixel, sample) = (number as u32 / runs, number as u32 % runs);
        let prefix = [
            pixel % width,
            pixel / width,
            sample,
            u32::from(given.is_none()),
        ];
        let words = given.as_ref().unwrap_or(&zeros).iter().copied();
        tables.row(StageOutput::Pixels, prefix.into_iter().chain(words));
    }
    Ok(())
}
