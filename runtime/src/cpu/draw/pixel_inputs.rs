//! The inputs of a pixel shader (D3D11.3 functional specification, 16.3 and 16.4).

use dxil_cpu::raster::{Quad, Weights, centroid};
use dxil_cpu::{PixelBlock, sample_place};
use dxil_frontend::dxil::{EntryPoint, InterpolationMode, SemanticKind, SignatureElement, Stage};

use super::super::executable::Executable;
use super::super::fetch::place_of;
use super::super::stages::pixels::is_integer;
use super::primitives::PrimitiveSet;
use super::setup::Drawn;
use super::vertex_layout::WordPlace;

/// Where a row of an input comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// Its first word in the vertices or in the primitive.
    Output(WordPlace),
    /// The rasterizer.
    System(SemanticKind),
    /// No stage writes it.
    Nothing,
}

/// The place in the pixel at which an input is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Center,
    Centroid,
    Sample,
}

/// A row of an input.
#[derive(Debug, Clone, Copy)]
struct Row {
    /// Its first word among the inputs, and its columns.
    first: usize,
    columns: usize,
    source: Source,
    is_constant: bool,
    has_perspective: bool,
    at: At,
}

/// How to fill the inputs of a pixel shader.
pub(super) struct PixelInputs {
    rows: Vec<Row>,
    /// Words of a block.
    width: usize,
    reads_blocks: bool,
    /// Whether any input is evaluated at a sample or at the centroid.
    has_samples: bool,
    has_centroids: bool,
    samples: u32,
    mask: u32,
}

/// The values of the inputs at the vertices of a primitive, component by component.
#[derive(Debug, Default)]
pub(super) struct VertexValues {
    words: Vec<[u32; 3]>,
}

/// A pixel of a quad.
#[derive(Clone, Copy)]
pub(super) struct QuadPixel<'a> {
    pub(super) drawn: &'a Drawn,
    pub(super) quad: &'a Quad,
    /// 0 to 3.
    pub(super) pixel: usize,
    /// The sample that the shader runs for, if it runs for each of them.
    pub(super) sample: Option<u32>,
}

impl QuadPixel<'_> {
    /// Returns column and row.
    pub(super) fn at(&self) -> [u32; 2] {
        let [x, y] = self.quad.at;
        [x + self.pixel as u32 % 2, y + self.pixel as u32 / 2]
    }

    fn center(&self) -> [f64; 2] {
        self.at().map(|part| f64::from(part) + 0.5)
    }

    /// Returns the place of a sample in the target.
    pub(super) fn sample_place(&self, sample: u32, samples: u32) -> [f64; 2] {
        let [x, y] = self.center();
        let [dx, dy] = sample_place(sample, samples);
        [x + f64::from(dx), y + f64::from(dy)]
    }

    /// Returns the samples that the primitive covers.
    pub(super) fn covered(&self) -> u32 {
        self.quad.covered.get(self.pixel).copied().unwrap_or(0)
    }
}

/// Returns a row of another stage's output with a semantic.
fn output_of(producer: &Executable, name: &str, index: u32) -> Option<WordPlace> {
    let entry = &producer.stage.as_ref()?.entry;
    let find = |elements: &[SignatureElement], places| {
        elements.iter().find_map(|element| {
            let is_it = element.name.eq_ignore_ascii_case(name);
            let mut indices = element.semantic_indices.iter().filter(|_| is_it);
            let row = indices.position(|other| *other == index)?;
            Some(place_of(places, element.id)? + 4 * row)
        })
    };
    let of_vertex = find(&entry.outputs, producer.kernel.outputs().1);
    if let Some(place) = of_vertex {
        return Some(WordPlace::Vertex(place));
    }
    // Only mesh shaders have outputs of primitives.
    let is_mesh = matches!(entry.stage, Stage::Mesh { .. });
    let constants = producer.kernel.patch_constants().1;
    let of_primitive = find(&entry.patch_constants, constants).filter(|_| is_mesh);
    of_primitive.map(WordPlace::Primitive)
}

fn source_of(producer: &Executable, element: &SignatureElement, index: u32) -> Source {
    use SemanticKind as S;
    let written = || output_of(producer, &element.name, index);
    match element.semantic {
        S::Position
        | S::Barycentrics
        | S::SampleIndex
        | S::Coverage
        | S::InnerCoverage
        | S::ShadingRate => Source::System(element.semantic),
        // A geometry or mesh shader may write these, and then they are data.
        S::PrimitiveId | S::IsFrontFace => match written() {
            Some(place) => Source::Output(place),
            None => Source::System(element.semantic),
        },
        _ => written().map_or(Source::Nothing, Source::Output),
    }
}

impl PixelInputs {
    pub(super) fn new(
        pixel: &Executable,
        entry: &EntryPoint,
        producer: &Executable,
        (samples, mask): (u32, u32),
    ) -> PixelInputs {
        use InterpolationMode as M;
        let (width, places) = pixel.kernel.inputs();
        let mut rows = Vec::new();
        for element in &entry.inputs {
            let Some(first) = place_of(places, element.id) else {
                continue;
            };
            let mode = element.interpolation;
            for (row, index) in element.semantic_indices.iter().enumerate() {
                rows.push(Row {
                    first: first + 4 * row,
                    columns: (element.columns as usize).min(4),
                    source: source_of(producer, element, *index),
                    is_constant: matches!(mode, M::Constant | M::Undefined) || is_integer(element),
                    has_perspective: matches!(
                        mode,
                        M::Linear | M::LinearCentroid | M::LinearSample
                    ),
                    at: match mode {
                        M::LinearSample | M::LinearNoPerspectiveSample => At::Sample,
                        M::LinearCentroid | M::LinearNoPerspectiveCentroid => At::Centroid,
                        _ => At::Center,
                    },
                });
            }
        }
        let has = |at| rows.iter().any(|row: &Row| row.at == at);
        PixelInputs {
            has_samples: has(At::Sample),
            has_centroids: has(At::Centroid),
            rows,
            width: width as usize,
            reads_blocks: pixel.kernel.reads_pixel_blocks(),
            samples,
            mask,
        }
    }

    /// Returns the values of the inputs at the vertices of a primitive.
    pub(super) fn vertex_values(&self, set: &PrimitiveSet<'_>, drawn: &Drawn) -> VertexValues {
        let mut words = Vec::new();
        for row in &self.rows {
            let Source::Output(place) = row.source else {
                continue;
            };
            words.extend((0..row.columns).map(|column| match place {
                WordPlace::Vertex(at) => drawn.vertices.map(|v| set.word(v, at + column)),
                WordPlace::Primitive(at) => [set.constant(drawn.number, at + column); 3],
            }));
        }
        VertexValues { words }
    }

    /// Writes the inputs of a pixel.
    pub(super) fn fill(
        &self,
        (set, values): (&PrimitiveSet<'_>, &VertexValues),
        pixel: &QuadPixel<'_>,
        words: &mut [u32],
    ) {
        let planes = &pixel.drawn.primitive.planes;
        let center = planes.weights(pixel.center());
        let weights_at = |sample| planes.weights(pixel.sample_place(sample, self.samples));
        let at_sample = match pixel.sample {
            Some(sample) if self.has_samples => weights_at(sample),
            _ => center,
        };
        let at_centroid = if self.has_centroids || self.reads_blocks {
            centroid(pixel.covered(), self.mask, self.samples).map_or(center, weights_at)
        } else {
            center
        };
        let mut values = values.words.iter();
        for row in &self.rows {
            let weights = match row.at {
                At::Center => &center,
                At::Centroid => &at_centroid,
                At::Sample => &at_sample,
            };
            match row.source {
                Source::Nothing => {}
                Source::System(semantic) => {
                    let values = system_input(semantic, row, set, pixel, weights);
                    let blocks = [
                        0,
                        PixelBlock::Center as usize,
                        PixelBlock::Centroid as usize,
                    ];
                    for block in blocks
                        .into_iter()
                        .take(if self.reads_blocks { 3 } else { 1 })
                    {
                        let first = block * self.width + row.first;
                        if let Some(words) = words.get_mut(first..first + 4) {
                            words.copy_from_slice(&values);
                        }
                    }
                }
                Source::Output(_) => {
                    let all = [weights, &center, &at_centroid];
                    for (column, own) in values.by_ref().take(row.columns).enumerate() {
                        self.column(row, column, *own, (pixel, all), words);
                    }
                }
            }
        }
    }

    /// Writes a component, whose values at the vertices these are. `[at, center, centroid]` are the
    /// weights where it is interpolated, at the pixel's centre and at the centroid.
    fn column(
        &self,
        row: &Row,
        column: usize,
        values: [u32; 3],
        (pixel, [at, center, centroid]): (&QuadPixel<'_>, [&Weights; 3]),
        words: &mut [u32],
    ) {
        let mut set = |block: usize, value: u32| {
            if let Some(word) = words.get_mut(block * self.width + row.first + column) {
                *word = value;
            }
        };
        let floats = values.map(f32::from_bits);
        let mix = |weights: &Weights| {
            if row.is_constant {
                return values[0];
            }
            let own = if row.has_perspective {
                &weights.perspective
            } else {
                &weights.linear
            };
            Weights::mix(own, floats).to_bits()
        };
        set(PixelBlock::Interpolated as usize, mix(at));
        if !self.reads_blocks {
            return;
        }
        let first = PixelBlock::Vertices as usize;
        for (vertex, value) in values.into_iter().enumerate() {
            set(first + vertex, value);
        }
        set(PixelBlock::Center as usize, mix(center));
        set(PixelBlock::Centroid as usize, mix(centroid));
        if row.is_constant {
            return;
        }
        let planes = &pixel.drawn.primitive.planes;
        let [x, y, weight_x, weight_y] = if row.has_perspective {
            planes.gradients(pixel.center(), floats)
        } else {
            let [x, y] = planes.linear_gradients(floats);
            [x, y, 0.0, 0.0]
        };
        for (block, value) in [
            (PixelBlock::GradientX, x),
            (PixelBlock::GradientY, y),
            (PixelBlock::WeightX, weight_x),
            (PixelBlock::WeightY, weight_y),
        ] {
            set(block as usize, value.to_bits());
        }
    }
}

/// Returns a row of an input that the rasterizer makes.
fn system_input(
    semantic: SemanticKind,
    row: &Row,
    set: &PrimitiveSet<'_>,
    pixel: &QuadPixel<'_>,
    weights: &Weights,
) -> [u32; 4] {
    let floats = |all: [f64; 4]| all.map(|value| (value as f32).to_bits());
    match semantic {
        SemanticKind::Position => {
            let [x, y] = weights.place;
            floats([x, y, weights.depth, weights.w])
        }
        SemanticKind::Barycentrics => {
            let [_, second, third] = if row.has_perspective {
                weights.perspective
            } else {
                weights.linear
            };
            floats([1.0 - second - third, second, third, 0.0])
        }
        // Any bit is true; D3D sets all of them.
        SemanticKind::IsFrontFace => [u32::from(pixel.drawn.is_front).wrapping_neg(); 4],
        SemanticKind::PrimitiveId => {
            let id = set.ids.get(pixel.drawn.number);
            [id.copied().unwrap_or(0); 4]
        }
        SemanticKind::SampleIndex => [pixel.sample.unwrap_or(0); 4],
        SemanticKind::Coverage => [pixel.covered(); 4],
        _ => [0; 4],
    }
}
