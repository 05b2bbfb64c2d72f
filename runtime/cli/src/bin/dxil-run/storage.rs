//! Creates the buffers and textures that the shader declares, with the contents of the command
//! line or default ones.

use dxil_frontend::dxil::{ComponentType, ResourceKind};
use dxil_frontend::reflection::Layout;
use dxil_jit::texture_file::TextureFile;
use dxil_runtime::format::{Component, TexelLayout};
use dxil_runtime::job::{BufferView, Dimension, ResourceId, ResourceView, Texture};
use dxil_runtime::root_signature::kind_name;
use dxil_runtime::{Format, Storage};

use crate::args::Args;
use crate::bind_points::BindPoint;
use crate::contents::{Contents, check_size};
use crate::expected::Expected;
use crate::failure::{Failure, Result};
use crate::messages::say_warning;
use crate::mips;
use crate::options::BackendName;
use crate::parse::Levels;
use crate::planned::{Declared, DefaultScene, ElementKind, Planned};
use crate::style::Style;
use crate::table_indices;

/// Minimum and maximum number of elements of a default buffer.
const ELEMENTS: (u32, u32) = (16, 1 << 20);

/// The declaration at a register or in a slot of a heap.
#[derive(Debug, Clone)]
pub(crate) struct ResourceDesc {
    /// The bind point.
    pub(crate) place: BindPoint,
    /// Name in the source; may be empty.
    pub(crate) name: String,
    /// A buffer's or texture's kind.
    pub(crate) kind: ResourceKind,
    /// Whether it is a UAV.
    pub(crate) writable: bool,
    /// The type of an element.
    pub(crate) element: ElementKind,
    /// Fields of an element, where they have names.
    pub(crate) layout: Option<Layout>,
    /// Samples of a multisampled texture, 0 if unsaid.
    pub(crate) sample_count: u32,
    /// Whether a comparison sampler may look at it.
    pub(crate) compared: bool,
    /// Whether it has a hidden counter.
    pub(crate) has_counter: bool,
    /// The highest level of a texture that the shader names by a constant.
    pub(crate) level: Option<u32>,
    /// Offsets in an element of values that select records of shader tables.
    pub(crate) table_indices: Vec<Option<u32>>,
}

/// Makes resources of a job.
pub(crate) struct Maker<'a> {
    /// The command line.
    pub(crate) args: &'a Args,
    /// Threads of the work, which default sizes follow.
    pub(crate) threads: [u32; 3],
    /// The contents of a default scene.
    pub(crate) scene: DefaultScene,
    /// The top level of the default scene, once it exists.
    pub(crate) generated: Option<usize>,
    /// The job so far.
    pub(crate) planned: Planned,
}

impl Maker<'_> {
    /// Makes the resource of a buffer or texture, and a view of all of it.
    pub(crate) fn view(
        &mut self,
        shape: &ResourceDesc,
        given: Option<&Contents>,
    ) -> Result<ResourceView> {
        match shape.kind {
            ResourceKind::TypedBuffer
            | ResourceKind::RawBuffer
            | ResourceKind::StructuredBuffer
            | ResourceKind::TBuffer => self.buffer(shape, given),
            kind if kind.is_texture() => self.texture(shape, given),
            kind => Err(Failure::unsupported(format!(
                "{} is a {}, for which there are no default contents",
                shape.place,
                kind_name(kind)
            ))),
        }
    }

    fn buffer(&mut self, shape: &ResourceDesc, given: Option<&Contents>) -> Result<ResourceView> {
        let stride = match &shape.element {
            ElementKind::Scalars(element) => element.size.max(1),
            ElementKind::Texel(format) => format.block_bytes(),
        };
        let total = self
            .threads
            .iter()
            .fold(1u32, |total, n| total.saturating_mul(*n));
        let elements = match self.size(shape.place) {
            Some([x, y, z]) => x.saturating_mul(y).saturating_mul(z),
            // As many elements as threads, since most shaders index by thread. The minimum leaves
            // room for shaders that read ahead, the maximum bounds the memory.
            None => total.clamp(ELEMENTS.0, ELEMENTS.1),
        };
        let capacity = elements as usize * stride as usize;
        check_size(capacity)?;
        let bytes = match given {
            Some(contents) => shape.expected(capacity).bytes(contents)?,
            None if shape.writable => vec![0; capacity],
            None => {
                let mut bytes = pattern(&shape.element, elements);
                let scalars = match &shape.element {
                    ElementKind::Scalars(element) => element.scalars.as_slice(),
                    ElementKind::Texel(_) => &[],
                };
                table_indices::clear(&mut bytes, stride, scalars, &shape.table_indices);
                bytes
            }
        };
        let format = match &shape.element {
            ElementKind::Texel(format) => Some(*format),
            ElementKind::Scalars(_) => None,
        };
        let wanted = shape.writable || self.is_wanted(shape.place);
        let id = self.add(shape, Storage::Buffer(bytes), wanted);
        Ok(ResourceView::Buffer(BufferView {
            resource: id,
            offset: 0,
            size: None,
            format,
            counter: shape.has_counter.then(|| self.args.counter_of(shape.place)),
        }))
    }

    fn texture(&mut self, shape: &ResourceDesc, given: Option<&Contents>) -> Result<ResourceView> {
        let place = shape.place;
        let given_format = self.given_format(place);
        let size = self.size(place);
        let mut texture = self.generated_texture(shape, size);
        if let Some(Contents::Texture(file)) = given {
            texture = texture_of_file(shape, file, given_format, size)?;
        }
        if let (Some(Contents::Picture(picture)), None) = (given, size) {
            texture.width = picture.width;
            texture.height = picture.height;
            // A picture for a float4 texture keeps its 8 bits per channel.
            if given_format.is_none() && texture.format == Format::Rgba32Float {
                texture.format = Format::Rgba8Unorm;
            }
        }
        if let (Some(Contents::Array(array)), None) = (given, size) {
            let channels = texture.format.components();
            set_size(&mut texture, &array.texels(channels));
        }
        let mips = |why: String| Failure::usage(format!("--mips {place}: {why}"));
        let in_file = texture.mips;
        if let Some(levels) = self.levels(place) {
            texture.mips = mips::count(&texture, levels).map_err(mips)?;
        }
        if let Some(level) = shape.level.filter(|level| *level >= texture.mips) {
            let warning = format!(
                "{place} has {} level(s), and the shader looks at level {level}; --mips {place}=N gives it more",
                texture.mips
            );
            say_warning(Style::for_stderr(), &warning);
        }
        let capacity = texture.total_bytes() as usize;
        check_size(capacity)?;
        texture.data = match given {
            Some(Contents::Texture(_)) if texture.mips < in_file => {
                mips::first_levels(&texture, texture.mips, &texture.data)
            }
            Some(Contents::Texture(_)) if in_file > 1 && texture.mips > in_file => {
                return Err(mips(format!("the file has {in_file} levels")));
            }
            Some(Contents::Texture(_)) => texture.data,
            Some(Contents::Picture(picture)) => {
                picture.encode(texture.format).ok_or_else(|| {
                    Failure::unsupported(format!(
                        "{place}: pictures cannot be stored as {}",
                        texture.format
                    ))
                })?
            }
            Some(contents) => {
                let element = ElementKind::Texel(texture.format);
                let mut expected = Expected::elements(place, &shape.name, capacity, &element, None);
                if !matches!(contents, Contents::Array(_)) {
                    // A wrong size is reported below, with the size of the texture.
                    expected.stride = 1;
                }
                expected.bytes(contents)?
            }
            None if shape.writable || texture.samples > 1 => Vec::new(),
            // wgpu cannot copy into depth textures.
            None if texture.format.is_depth() && self.args.backend() == BackendName::Wgpu => {
                Vec::new()
            }
            None => {
                let texels = capacity as u32 / texture.format.block_bytes();
                let stride = texture.format.block_bytes();
                let mut data = pattern(&ElementKind::Texel(texture.format), texels);
                table_indices::clear(&mut data, stride, &[], &shape.table_indices);
                data
            }
        };
        let one_level = texture.mip_bytes(0).saturating_mul(texture.layers.into());
        if texture.mips > 1 && texture.data.len() as u64 == one_level {
            texture.data = mips::averaged(&texture).map_err(mips)?;
        }
        if !texture.data.is_empty() && texture.data.len() != capacity {
            let option = match place {
                BindPoint::Slot(_) => "--heap",
                _ => "--bind",
            };
            return Err(Failure::usage(format!(
                "{place} holds {capacity} bytes ({}x{}x{}, {} layer(s), {}), {option} gives {}; say its size with --size {place}=WxH and its format with --format",
                texture.width,
                texture.height,
                texture.depth,
                texture.layers,
                texture.format,
                texture.data.len(),
            )));
        }
        let shape = ResourceDesc {
            element: ElementKind::Texel(texture.format),
            ..shape.clone()
        };
        let wanted = (shape.writable || self.is_wanted(place)) && texture.samples <= 1;
        let id = self.add(&shape, Storage::Texture(texture), wanted);
        Ok(ResourceView::texture(id))
    }

    fn generated_texture(&self, shape: &ResourceDesc, size: Option<[u32; 3]>) -> Texture {
        use ResourceKind as K;
        let [x, y, z] = self.threads;
        let along = |n: u32, minimum: u32, maximum: u32| {
            if n <= 1 {
                minimum
            } else {
                n.clamp(minimum, maximum)
            }
        };
        let generated = [along(x, 16, 4096), along(y, 16, 4096), along(z, 4, 256)];
        let [mut width, mut height, mut depth] = size.unwrap_or(generated);
        let (dimension, layers) = match shape.kind {
            K::Texture1D => (Dimension::D1, 1),
            K::Texture1DArray => (Dimension::D1, 4),
            K::Texture3D => (Dimension::D3, 1),
            K::Texture2DArray | K::Texture2DMSArray => (Dimension::D2, along(z, 4, 256)),
            K::TextureCube => (Dimension::D2, 6),
            K::TextureCubeArray => (Dimension::D2, 12),
            _ => (Dimension::D2, 1),
        };
        if dimension != Dimension::D3 {
            depth = 1;
        }
        if dimension == Dimension::D1 {
            height = 1;
        }
        // Faces of a cube are square.
        if matches!(shape.kind, K::TextureCube | K::TextureCubeArray) {
            width = width.min(64);
            height = width;
        }
        let multisampled = matches!(shape.kind, K::Texture2DMS | K::Texture2DMSArray);
        let samples = match shape.sample_count {
            0 if multisampled => 4,
            0 => 1,
            n => n,
        };
        let format = match &shape.element {
            // A compared view's format needs VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT
            // (VUID-vkCmdDispatch-None-06479), which only depth formats have everywhere.
            ElementKind::Texel(Format::R32Float)
                if !shape.writable
                    && self.given_format(shape.place).is_none()
                    && dimension == Dimension::D2
                    && shape.compared =>
            {
                Format::D32Float
            }
            ElementKind::Texel(format) => *format,
            ElementKind::Scalars(_) => Format::Rgba32Float,
        };
        Texture {
            dimension,
            format,
            width,
            height,
            depth,
            layers,
            mips: 1,
            samples,
            data: Vec::new(),
        }
    }

    /// Returns the format that the user gave for a place.
    pub(crate) fn given_format(&self, place: BindPoint) -> Option<Format> {
        let given = self.args.format.iter().find(|(p, _)| *p == place);
        given.map(|(_, format)| *format)
    }

    /// Returns the number of levels that the user asked for at a place.
    fn levels(&self, place: BindPoint) -> Option<Levels> {
        let given = self.args.mips.iter().find(|(p, _)| *p == place);
        given.map(|(_, levels)| *levels)
    }

    /// Returns whether the command line gives the contents of a place.
    fn is_bound(&self, place: BindPoint) -> bool {
        match place {
            BindPoint::Register(register) => {
                let mut binds = self.args.bind.iter();
                binds.any(|bind| bind.register() == Some(register))
            }
            BindPoint::Slot(number) => {
                let mut slots = self.args.heap.iter();
                slots.any(|slot| slot.slot == number && slot.what.contains('='))
            }
            BindPoint::Target(_) | BindPoint::Stream(_) => false,
        }
    }

    fn is_wanted(&self, place: BindPoint) -> bool {
        self.args.out_places().any(|wanted| wanted == place)
    }

    /// Returns the size that the user gave for a place.
    pub(crate) fn size(&self, place: BindPoint) -> Option<[u32; 3]> {
        let given = self.args.size.iter().find(|(p, _)| *p == place);
        given.map(|(_, size)| *size)
    }

    /// Adds a resource to the job, and notes what it is.
    fn add(&mut self, shape: &ResourceDesc, storage: Storage, read_back: bool) -> ResourceId {
        let name = shape.place.to_string();
        let id = self.planned.job.add_resource(&name, storage, read_back);
        self.note(shape, id);
        id
    }

    /// Notes the description of a resource, for the report.
    pub(crate) fn note(&mut self, shape: &ResourceDesc, id: ResourceId) {
        self.planned.views.push(Declared {
            place: shape.place,
            resource: id,
            name: shape.name.clone(),
            kind: if shape.writable {
                format!("RW{}", kind_name(shape.kind))
            } else {
                kind_name(shape.kind).to_owned()
            },
            texture: shape.kind.is_texture().then_some(shape.kind),
            element: shape.element.clone(),
            layout: shape.layout.clone(),
            size: self.size(shape.place),
            writable: shape.writable,
            has_counter: shape.has_counter,
            is_generated: !self.is_bound(shape.place),
        });
    }
}

impl ResourceDesc {
    /// Returns the contents that the resource takes, if it holds `capacity` bytes.
    pub(crate) fn expected(&self, capacity: usize) -> Expected<'_> {
        let layout = self.layout.as_ref();
        let mut expected =
            Expected::elements(self.place, &self.name, capacity, &self.element, layout);
        if self.kind == ResourceKind::RawBuffer {
            // A byte address buffer has no element type; only the number of words has to be whole.
            expected.scalars.clear();
        }
        expected
    }
}

/// Returns the texture of a file for a declaration.
fn texture_of_file(
    shape: &ResourceDesc,
    file: &TextureFile,
    format: Option<Format>,
    size: Option<[u32; 3]>,
) -> Result<Texture> {
    use ResourceKind as K;
    let place = shape.place;
    let mut texture = file.texture.clone();
    let layers = texture.layers;
    let fits = match (shape.kind, texture.dimension) {
        (K::Texture1D, Dimension::D1) | (K::Texture2D, Dimension::D2) => layers == 1,
        (K::Texture1DArray, Dimension::D1)
        | (K::Texture2DArray, Dimension::D2)
        | (K::Texture3D, Dimension::D3) => true,
        (K::TextureCube, Dimension::D2) => layers == 6,
        (K::TextureCubeArray, Dimension::D2) => layers.is_multiple_of(6),
        _ => false,
    };
    if !fits {
        return Err(Failure::usage(format!(
            "{place} is a {}, the file holds {}",
            kind_name(shape.kind),
            file.summary()
        )));
    }
    if size.is_some_and(|size| size != texture.mip_size(0)) {
        return Err(Failure::usage(format!(
            "--size {place}: the file holds {}",
            file.summary()
        )));
    }
    if let Some(format) = format {
        // The same bits as another type, as a typeless resource has views.
        if format.block_bytes() != texture.format.block_bytes()
            || format.block_size() != texture.format.block_size()
        {
            return Err(Failure::usage(format!(
                "--format {place}: {format}; the file holds {}, whose texels have another size",
                texture.format
            )));
        }
        texture.format = format;
    }
    Ok(texture)
}

/// Gives a texture the lengths of an array, the fastest first. Missing lengths are 1; with one too
/// many the sizes differ, which a later check reports.
fn set_size(texture: &mut Texture, lengths: &[usize]) {
    let length = |index: usize| {
        let found = lengths.get(index).copied().unwrap_or(1);
        u32::try_from(found).unwrap_or(u32::MAX)
    };
    texture.width = length(0);
    match texture.dimension {
        Dimension::D1 => texture.layers = texture.layers.min(length(1)).max(1),
        Dimension::D2 => texture.height = length(1),
        Dimension::D3 => {
            texture.height = length(1);
            texture.depth = length(2);
        }
    }
}

/// Returns a visible pattern: scalars count 0, 1, 2 ... through the whole buffer, whatever their
/// type.
fn pattern(element: &ElementKind, elements: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    match element {
        ElementKind::Scalars(element) => {
            let size = element.size as usize;
            let count = element.scalars.len() as u32;
            for e in 0..elements {
                let start = bytes.len();
                bytes.resize(start + size, 0);
                for (k, scalar) in (0u32..).zip(&element.scalars) {
                    let value = pattern_scalar(scalar.component, e.wrapping_mul(count) + k);
                    let at = start + scalar.offset as usize;
                    if let Some(target) = bytes.get_mut(at..at + value.len()) {
                        target.copy_from_slice(&value);
                    }
                }
            }
        }
        ElementKind::Texel(format) => {
            let count = format.components() as u32;
            for e in 0..elements {
                let values = [0, 1, 2, 3].map(|k| texel_value(*format, e.wrapping_mul(count) + k));
                let layout = format.layout();
                let is_packed = layout.is_some_and(|layout| {
                    layout.plain_components().is_none() && !layout.is_depth()
                });
                if is_packed || !format.encode(values, &mut bytes) {
                    // In packed and compressed formats any bytes are visible.
                    let size = format.block_bytes();
                    bytes.extend((0..size).map(|i| (e.wrapping_mul(size) + i) as u8));
                }
            }
        }
    }
    bytes
}

fn texel_value(format: Format, n: u32) -> f64 {
    let plain = format.layout().and_then(TexelLayout::plain_components);
    match plain {
        Some((Component::Unorm | Component::Srgb | Component::Snorm, ..)) => {
            f64::from(n % 128) / 127.0
        }
        Some((_, 8, _)) => f64::from(n % 128),
        Some((_, 16, _)) => f64::from(n % 2048),
        None if format.is_depth() => f64::from(n % 128) / 127.0,
        _ => f64::from(n),
    }
}

/// Returns the bytes of a number in the type of a scalar.
pub(crate) fn pattern_scalar(component: ComponentType, n: u32) -> Vec<u8> {
    use ComponentType as C;
    match component {
        C::F16 | C::SNormF16 | C::UNormF16 => half::f16::from_f32((n % 2048) as f32)
            .to_le_bytes()
            .to_vec(),
        C::F32 | C::SNormF32 | C::UNormF32 => (n as f32).to_le_bytes().to_vec(),
        C::F64 | C::SNormF64 | C::UNormF64 => f64::from(n).to_le_bytes().to_vec(),
        C::I16 | C::U16 => (n as u16).to_le_bytes().to_vec(),
        C::I64 | C::U64 => u64::from(n).to_le_bytes().to_vec(),
        C::Invalid | C::I1 | C::I32 | C::U32 | C::PackedS8x32 | C::PackedU8x32 => {
            n.to_le_bytes().to_vec()
        }
    }
}
