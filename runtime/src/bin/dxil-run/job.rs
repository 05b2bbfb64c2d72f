//! From what the shader declares and the command line says to a job.

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::{
    ComponentType, Element, Resource, ResourceClass, ResourceKind, SamplerKind, Shader,
};
use dxil_runtime::job::{
    BufferView, Comparison, Dimension, Filter, Job, Register, ResourceId, Sampler, Texture, View,
};
use dxil_runtime::root_signature::{first_register, kind_name};
use dxil_runtime::{Format, Storage};
use dxil_translate::TexelFormat;

use crate::args::{Args, BackendName, Place};
use crate::contents::Contents;
use crate::failure::{Failure, Result};

/// Elements of a made-up buffer, at least and at most.
const ELEMENTS: (u32, u32) = (16, 1 << 20);
/// Registers that a made-up unbounded array gets.
const UNBOUNDED_REGISTERS: u32 = 4;

/// A job with what is known of its registers.
pub(crate) struct Planned {
    /// The job.
    pub(crate) job: Job,
    /// One per bound register that has a resource.
    pub(crate) views: Vec<Declared>,
}

/// A bound register.
#[derive(Debug, Clone)]
pub(crate) struct Declared {
    /// The register, or the render target.
    pub(crate) place: Place,
    /// Its resource in the job.
    pub(crate) resource: ResourceId,
    /// Name in the source.
    pub(crate) name: String,
    /// HLSL's word for its type.
    pub(crate) kind: String,
    /// What an element is.
    pub(crate) element: ElementKind,
    /// Size that the user gave, for pictures out of buffers.
    pub(crate) size: Option<[u32; 3]>,
    /// Whether it has a hidden counter.
    pub(crate) has_counter: bool,
}

/// What an element is.
#[derive(Debug, Clone)]
pub(crate) enum ElementKind {
    /// Scalars at offsets.
    Scalars(Element),
    /// A texel.
    Texel(Format),
}

/// Makes the job. `named` are the same shaders with the names of their source, where there are any.
pub(crate) fn plan(
    shaders: &[Shader],
    named: &[Option<Shader>],
    root: Option<&RootSignature>,
    args: &Args,
    groups: [u32; 3],
) -> Result<Planned> {
    let [shader, ..] = shaders else {
        return Err(Failure::usage("no shader"));
    };
    let entry = match &args.entry {
        Some(name) => shader.entry_point(name),
        None => shader.entry_points.iter().find(|e| e.function.is_some()),
    };
    let group = entry.and_then(|e| e.num_threads).unwrap_or([1; 3]);
    let mut threads = [1u32; 3];
    for i in 0..3 {
        threads[i] = groups[i].saturating_mul(group[i]);
    }
    let mut planner = Planner {
        shader,
        named: shader,
        args,
        threads,
        planned: Planned {
            job: Job::dispatch(groups),
            views: Vec::new(),
        },
    };
    for (i, shader) in shaders.iter().enumerate() {
        planner.shader = shader;
        planner.named = named.get(i).and_then(Option::as_ref).unwrap_or(shader);
        for resource in shader.resources.iter() {
            planner.resource(resource, root)?;
        }
    }
    planner.check_registers(shaders)?;
    Ok(planner.planned)
}

struct Planner<'a> {
    shader: &'a Shader,
    /// The same shader with the names of its source, or itself.
    named: &'a Shader,
    args: &'a Args,
    threads: [u32; 3],
    planned: Planned,
}

impl Planner<'_> {
    fn resource(&mut self, resource: &Resource, root: Option<&RootSignature>) -> Result<()> {
        let first = first_register(resource);
        let said = self.args.bind.iter().map(|(register, _)| *register);
        let inside = said
            .filter(|r| r.class == first.class && r.space == first.space && r.index >= first.index);
        let count = match resource.count {
            Some(count) => count.min(1024),
            None => inside
                .map(|r| r.index - first.index + 1)
                .max()
                .unwrap_or(UNBOUNDED_REGISTERS)
                .min(1024),
        };
        for i in 0..count {
            let register = Register {
                index: first.index.saturating_add(i),
                ..first
            };
            // Two declarations of one register share what is bound to it.
            if self.planned.job.view(register).is_none() {
                self.register(resource, register, root)?;
            }
        }
        Ok(())
    }

    fn register(
        &mut self,
        resource: &Resource,
        register: Register,
        root: Option<&RootSignature>,
    ) -> Result<()> {
        let said = match self.args.bind.iter().rfind(|(r, _)| *r == register) {
            Some((_, text)) => Some(Contents::parse(register, text)?),
            None => None,
        };
        if matches!(said, Some(Contents::Null)) {
            self.planned.job.bind(register, View::Null);
            return Ok(());
        }
        match resource.kind {
            ResourceKind::Sampler => {
                let sampler = match said {
                    Some(Contents::Sampler(sampler)) => sampler,
                    Some(_) => {
                        return Err(Failure::usage(format!(
                            "{register} is a sampler; bind it with {register}=linear+wrap or the like"
                        )));
                    }
                    None => self.default_sampler(resource),
                };
                self.planned.job.bind_sampler(register, sampler);
                Ok(())
            }
            ResourceKind::CBuffer => {
                let room = (resource.detail.cbuffer_size as usize).next_multiple_of(16);
                let room = room.max(root_words(root, register) * 4);
                let bytes = match &said {
                    Some(contents) => self.given_bytes(register, contents, room)?,
                    None => self.constants(resource, room),
                };
                self.planned.job.bind_constants(register, bytes);
                Ok(())
            }
            ResourceKind::TypedBuffer
            | ResourceKind::RawBuffer
            | ResourceKind::StructuredBuffer
            | ResourceKind::TBuffer => self.buffer(resource, register, said.as_ref()),
            kind if kind.is_texture() => self.texture(resource, register, said.as_ref()),
            kind => Err(Failure::unsupported(format!(
                "{register} is a {}, which cannot be made up yet",
                kind_name(kind)
            ))),
        }
    }

    fn given_bytes(&self, register: Register, contents: &Contents, room: usize) -> Result<Vec<u8>> {
        contents.bytes(room).ok_or_else(|| {
            Failure::usage(format!(
                "{register} is a buffer; a picture or sampler does not fit there"
            ))
        })
    }

    /// Bytes of a constant buffer: 1, 2, 3 ... in the fields' own types.
    fn constants(&self, resource: &Resource, room: usize) -> Vec<u8> {
        let fields = self.named.constants(self.named_resource(resource));
        let mut bytes = Vec::with_capacity(room);
        for word in 0..(room / 4) as u32 {
            let field = fields.iter().rfind(|(offset, _)| *offset <= word * 4);
            let is_float = matches!(field, Some((_, Some(ComponentType::F32))));
            let value = word + 1;
            bytes.extend_from_slice(&if is_float {
                (value as f32).to_le_bytes()
            } else {
                value.to_le_bytes()
            });
        }
        bytes
    }

    fn buffer(
        &mut self,
        resource: &Resource,
        register: Register,
        said: Option<&Contents>,
    ) -> Result<()> {
        let element = self.element(resource, register);
        let size = self.size(register);
        let stride = match &element {
            ElementKind::Scalars(element) => element.size.max(1),
            ElementKind::Texel(format) => format.block_bytes(),
        };
        let total = self
            .threads
            .iter()
            .fold(1u32, |total, n| total.saturating_mul(*n));
        let elements = match size {
            Some([x, y, z]) => x.saturating_mul(y).saturating_mul(z),
            None => total.clamp(ELEMENTS.0, ELEMENTS.1),
        };
        let room = elements as usize * stride as usize;
        let uav = register.class == ResourceClass::Uav;
        let bytes = match said {
            Some(contents) => self.given_bytes(register, contents, room)?,
            None if uav => vec![0; room],
            None => pattern(&element, elements),
        };
        let format = match &element {
            ElementKind::Texel(format) => Some(*format),
            ElementKind::Scalars(_) => None,
        };
        let wanted = uav || self.is_wanted(register);
        let job = &mut self.planned.job;
        let id = job.add_resource(&register.to_string(), Storage::Buffer(bytes), wanted);
        job.bind(
            register,
            View::Buffer(BufferView {
                resource: id,
                offset: 0,
                size: None,
                format,
                counter: resource.detail.has_counter.then_some(0),
            }),
        );
        self.note(resource, register, id, element, size);
        Ok(())
    }

    fn texture(
        &mut self,
        resource: &Resource,
        register: Register,
        said: Option<&Contents>,
    ) -> Result<()> {
        let said_format = self.said_format(register);
        let size = self.size(register);
        let mut texture = self.made_up_texture(resource, register, size);
        if let (Some(Contents::Picture(picture)), None) = (said, size) {
            texture.width = picture.width;
            texture.height = picture.height;
            // Pictures for a float4 texture are 8 bits a channel, as the file has them.
            if said_format.is_none() && texture.format == Format::Rgba32Float {
                texture.format = Format::Rgba8Unorm;
            }
        }
        let room = texture.total_bytes() as usize;
        let uav = register.class == ResourceClass::Uav;
        texture.data = match said {
            Some(Contents::Picture(picture)) => {
                picture.encode(texture.format).ok_or_else(|| {
                    Failure::unsupported(format!(
                        "{register}: pictures cannot be stored as {}",
                        texture.format
                    ))
                })?
            }
            Some(contents) => self.given_bytes(register, contents, room)?,
            None if uav || texture.samples > 1 => Vec::new(),
            // wgpu cannot upload depth.
            None if texture.format.is_depth() && self.args.backend == BackendName::Wgpu => {
                Vec::new()
            }
            None => {
                let texels = room as u32 / texture.format.block_bytes();
                pattern(&ElementKind::Texel(texture.format), texels)
            }
        };
        if !texture.data.is_empty() && texture.data.len() != room {
            return Err(Failure::usage(format!(
                "{register} holds {room} bytes ({}x{}x{}, {} layer(s), {}), --bind gives {}; say its size with --size {register}=WxH and its format with --format",
                texture.width,
                texture.height,
                texture.depth,
                texture.layers,
                texture.format,
                texture.data.len(),
            )));
        }
        let element = ElementKind::Texel(texture.format);
        let wanted = (uav || self.is_wanted(register)) && texture.samples <= 1;
        let job = &mut self.planned.job;
        let id = job.add_resource(&register.to_string(), Storage::Texture(texture), wanted);
        job.bind(register, View::texture(id));
        self.note(resource, register, id, element, size);
        Ok(())
    }

    fn made_up_texture(
        &self,
        resource: &Resource,
        register: Register,
        size: Option<[u32; 3]>,
    ) -> Texture {
        use ResourceKind as K;
        let [x, y, z] = self.threads;
        let along = |n: u32, least: u32, most: u32| {
            if n <= 1 { least } else { n.clamp(least, most) }
        };
        let made_up = [along(x, 16, 4096), along(y, 16, 4096), along(z, 4, 256)];
        let [mut width, mut height, mut depth] = size.unwrap_or(made_up);
        let (dimension, layers) = match resource.kind {
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
        if matches!(resource.kind, K::TextureCube | K::TextureCubeArray) {
            width = width.min(64);
            height = width;
        }
        let multisampled = matches!(resource.kind, K::Texture2DMS | K::Texture2DMSArray);
        let samples = match resource.detail.sample_count {
            0 if multisampled => 4,
            0 => 1,
            n => n,
        };
        let compared = || {
            let samplers = &self.shader.resources.samplers;
            samplers
                .iter()
                .any(|s| s.detail.sampler == Some(SamplerKind::Comparison))
        };
        let format = match self.element(resource, register) {
            // Vulkan compares with depth formats only.
            ElementKind::Texel(Format::R32Float)
                if register.class == ResourceClass::Srv
                    && self.said_format(register).is_none()
                    && dimension == Dimension::D2
                    && compared() =>
            {
                Format::D32Float
            }
            ElementKind::Texel(format) => format,
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

    /// Linear, or comparing if the shader says so; point where a texture holds integers, which
    /// nothing filters.
    fn default_sampler(&self, resource: &Resource) -> Sampler {
        use ComponentType as C;
        let integers = self.shader.resources.srvs.iter().any(|srv| {
            srv.kind.is_texture()
                && !matches!(
                    srv.detail.component,
                    Some(C::F16 | C::F32 | C::UNormF16 | C::UNormF32 | C::SNormF16 | C::SNormF32)
                )
        });
        let filter = if integers {
            Filter::Point
        } else {
            Filter::Linear
        };
        Sampler {
            min_filter: filter,
            mag_filter: filter,
            mip_filter: filter,
            comparison: (resource.detail.sampler == Some(SamplerKind::Comparison))
                .then_some(Comparison::LessEqual),
            ..Sampler::default()
        }
    }

    /// The resource with its name, where the container kept it.
    fn named_resource<'b>(&'b self, resource: &'b Resource) -> &'b Resource {
        let found = self.named.resources.find(resource.class, resource.id);
        found
            .filter(|r| first_register(r) == first_register(resource) && r.kind == resource.kind)
            .unwrap_or(resource)
    }

    fn said_format(&self, register: Register) -> Option<Format> {
        let said = self.args.format.iter().rfind(|(r, _)| *r == register);
        said.map(|(_, format)| *format)
    }

    fn is_wanted(&self, register: Register) -> bool {
        let mut outs = self.args.out_places();
        outs.any(|place| place == Place::Register(register))
    }

    fn size(&self, register: Register) -> Option<[u32; 3]> {
        let place = Place::Register(register);
        let said = self.args.size.iter().rfind(|(p, _)| *p == place);
        said.map(|(_, size)| *size)
    }

    fn element(&self, resource: &Resource, register: Register) -> ElementKind {
        let element = self.named.element(self.named_resource(resource));
        if resource.kind == ResourceKind::TypedBuffer || resource.kind.is_texture() {
            let count = element.as_ref().map_or(4, |e| e.scalars.len() as u32);
            let component = resource.detail.component.unwrap_or(ComponentType::U32);
            let natural = || Format::from(TexelFormat::natural(component, count));
            return ElementKind::Texel(self.said_format(register).unwrap_or_else(natural));
        }
        let mut element = element
            .filter(|e| !e.scalars.is_empty())
            .unwrap_or_else(words);
        if let Some(stride) = resource.detail.stride.filter(|stride| *stride > 0) {
            element.size = stride;
        }
        ElementKind::Scalars(element)
    }

    fn note(
        &mut self,
        resource: &Resource,
        register: Register,
        id: ResourceId,
        element: ElementKind,
        size: Option<[u32; 3]>,
    ) {
        self.planned.views.push(Declared {
            place: Place::Register(register),
            resource: id,
            name: self.named_resource(resource).name.to_string(),
            kind: match register.class {
                ResourceClass::Uav => format!("RW{}", kind_name(resource.kind)),
                _ => kind_name(resource.kind).to_owned(),
            },
            element,
            size,
            has_counter: resource.detail.has_counter,
        });
    }

    /// Registers of the command line that the shader does not declare are mistakes.
    fn check_registers(&self, shaders: &[Shader]) -> Result<()> {
        let binds = self.args.bind.iter().map(|(r, _)| ("--bind", *r));
        let outs = self.args.out_places().filter_map(|place| match place {
            Place::Register(register) => Some(("--out", register)),
            Place::Target(_) => None,
        });
        for (option, register) in binds.chain(outs) {
            if self.planned.job.view(register).is_none() {
                let declared: Vec<String> = shaders
                    .iter()
                    .flat_map(|shader| shader.resources.iter())
                    .map(|resource| first_register(resource).to_string())
                    .collect();
                return Err(Failure::usage(format!(
                    "{option} {register}: the shader declares no {register}; it has {}",
                    if declared.is_empty() {
                        "no resources".to_owned()
                    } else {
                        declared.join(" ")
                    }
                )));
            }
        }
        Ok(())
    }
}

/// One 32-bit word.
fn words() -> Element {
    Element {
        scalars: vec![dxil_frontend::dxil::ElementScalar {
            path: String::new(),
            offset: 0,
            component: ComponentType::U32,
        }],
        size: 4,
    }
}

/// Words of root constants at a register, 0 if there are none.
fn root_words(root: Option<&RootSignature>, register: Register) -> usize {
    use dxil_frontend::container::root_signature::RootParameterKind;
    let parameters = root.map_or(&[][..], |root| &root.parameters);
    parameters
        .iter()
        .find_map(|parameter| match &parameter.kind {
            RootParameterKind::Constants(c)
                if c.register == register.index && c.space == register.space =>
            {
                Some(c.count as usize)
            }
            _ => None,
        })
        .unwrap_or(0)
}

/// A visible pattern: scalars count 0, 1, 2 ... through the whole buffer, whatever their type.
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
                    let value = scalar_bytes(scalar.component, e.wrapping_mul(count) + k);
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
                if !format.encode(values, &mut bytes) {
                    // Packed and compressed formats: any bytes are visible.
                    let size = format.block_bytes();
                    bytes.extend((0..size).map(|i| (e.wrapping_mul(size) + i) as u8));
                }
            }
        }
    }
    bytes
}

fn texel_value(format: Format, n: u32) -> f64 {
    use dxil_runtime::format::{Component, Encoding};
    match format.encoding() {
        Encoding::Plain {
            component: Component::Unorm | Component::Srgb | Component::Snorm,
            ..
        } => f64::from(n % 128) / 127.0,
        Encoding::Depth => f64::from(n % 128) / 127.0,
        Encoding::Plain { bits: 8, .. } => f64::from(n % 128),
        Encoding::Plain { bits: 16, .. } => f64::from(n % 2048),
        _ => f64::from(n),
    }
}

fn scalar_bytes(component: ComponentType, n: u32) -> Vec<u8> {
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
