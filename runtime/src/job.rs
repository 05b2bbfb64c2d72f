//! What to run: resources, the views through which a program sees them, and the work itself.
//!
//! A job is plain data in D3D12's words and the same for both backends. Storage (bytes) and view
//! (how a register sees them) are apart, so that two registers can share one buffer.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use dxil_frontend::dxil::ResourceClass;
use rustc_hash::FxHashMap;

use crate::format::Format;
use crate::graphics::{Draw, QueryResult};
use crate::ray_tracing::RayDispatch;
use crate::scene::Scene;

/// A register: class, space and index, like `t3,space1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Register {
    /// The letter.
    pub class: ResourceClass,
    /// Register space.
    pub space: u32,
    /// Register number.
    pub index: u32,
}

impl Register {
    /// A register of space 0.
    pub fn new(class: ResourceClass, index: u32) -> Self {
        Register {
            class,
            space: 0,
            index,
        }
    }

    /// `t{index}`.
    pub fn srv(index: u32) -> Self {
        Register::new(ResourceClass::Srv, index)
    }

    /// `u{index}`.
    pub fn uav(index: u32) -> Self {
        Register::new(ResourceClass::Uav, index)
    }

    /// `b{index}`.
    pub fn cbv(index: u32) -> Self {
        Register::new(ResourceClass::Cbv, index)
    }

    /// `s{index}`.
    pub fn sampler(index: u32) -> Self {
        Register::new(ResourceClass::Sampler, index)
    }

    /// The same register in another space.
    #[must_use]
    pub fn in_space(mut self, space: u32) -> Self {
        self.space = space;
        self
    }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.class.letter(), self.index)?;
        if self.space != 0 {
            write!(f, ",space{}", self.space)?;
        }
        Ok(())
    }
}

/// A text that is no register.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a register; write t0, u1, b2 or s3, with `,space1` for another space")]
pub struct BadRegister(pub String);

impl FromStr for Register {
    type Err = BadRegister;

    fn from_str(text: &str) -> Result<Self, BadRegister> {
        let bad = || BadRegister(text.to_owned());
        let (register, space) = match text.split_once(',') {
            Some((register, space)) => {
                let space = space.trim().strip_prefix("space").ok_or_else(bad)?;
                (register.trim(), space.parse().map_err(|_| bad())?)
            }
            None => (text.trim(), 0),
        };
        let mut chars = register.chars();
        let class = match chars.next() {
            Some('t' | 'T') => ResourceClass::Srv,
            Some('u' | 'U') => ResourceClass::Uav,
            Some('b' | 'B') => ResourceClass::Cbv,
            Some('s' | 'S') => ResourceClass::Sampler,
            _ => return Err(bad()),
        };
        let index = chars.as_str().parse().map_err(|_| bad())?;
        Ok(Register {
            class,
            space,
            index,
        })
    }
}

/// Index into [`Job::resources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceId(pub usize);

/// A buffer or texture with its first contents.
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// Name for messages.
    pub name: String,
    /// What it is and what it holds at first.
    pub storage: Storage,
    /// Whether [`Outcome::resources`] should hold its bytes after the work.
    pub read_back: bool,
    /// Of a reserved (sparse) resource the number of tiles, 64 KiB each and from the first on, that
    /// have memory. Contents of the others are dropped. `None`: an ordinary resource.
    pub mapped_tiles: Option<u32>,
}

/// Bytes of a resource, and their shape.
#[derive(Debug, Clone, PartialEq)]
pub enum Storage {
    /// A buffer of these bytes.
    Buffer(Vec<u8>),
    /// A texture.
    Texture(Texture),
}

/// Dimension of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// 1D, with or without layers.
    D1,
    /// 2D, with or without layers; cubes are six layers.
    D2,
    /// 3D.
    D3,
}

/// A texture with its first contents.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// 1D, 2D or 3D; layers do not count.
    pub dimension: Dimension,
    /// Texel format.
    pub format: Format,
    /// Texels of mip 0.
    pub width: u32,
    /// Texels of mip 0; 1 for 1D.
    pub height: u32,
    /// Texels of mip 0; 1 unless 3D.
    pub depth: u32,
    /// Array layers (six per cube).
    pub layers: u32,
    /// Mip levels, 1 or more.
    pub mips: u32,
    /// Samples per texel, 1 or more.
    pub samples: u32,
    /// The texels, tightly packed: layer by layer, in a layer mip by mip, in a mip slice by slice,
    /// in a slice row by row of blocks, the samples of a texel side by side. Empty: all zero.
    pub data: Vec<u8>,
}

impl Texture {
    /// A 2D texture with one mip.
    pub fn new_2d(format: Format, width: u32, height: u32, data: Vec<u8>) -> Self {
        Texture {
            dimension: Dimension::D2,
            format,
            width,
            height,
            depth: 1,
            layers: 1,
            mips: 1,
            samples: 1,
            data,
        }
    }

    /// Width, height and depth of a mip in texels.
    pub fn mip_size(&self, mip: u32) -> [u32; 3] {
        let shrink = |size: u32| size.checked_shr(mip).unwrap_or(0).max(1);
        [shrink(self.width), shrink(self.height), shrink(self.depth)]
    }

    /// Bytes of one mip of one layer, tightly packed.
    pub fn mip_bytes(&self, mip: u32) -> u64 {
        let [width, height, depth] = self.mip_size(mip);
        let (block_width, block_height) = self.format.block_size();
        u64::from(width.div_ceil(block_width))
            * u64::from(height.div_ceil(block_height))
            * u64::from(depth)
            * u64::from(self.samples.max(1))
            * u64::from(self.format.block_bytes())
    }

    /// Bytes of the whole texture, tightly packed as [`Texture::data`] is.
    pub fn total_bytes(&self) -> u64 {
        let layer: u64 = (0..self.mips).map(|mip| self.mip_bytes(mip)).sum();
        layer * u64::from(self.layers)
    }
}

/// How a register (or a heap slot) sees a resource.
#[derive(Debug, Clone, PartialEq)]
pub enum View {
    /// A null descriptor: reads give zero, writes are dropped.
    Null,
    /// Part of a buffer: constant, raw, structured or typed, as the shader declares it.
    Buffer(BufferView),
    /// A texture.
    Texture(TextureView),
    /// A sampler.
    Sampler(Sampler),
    /// Bytes of a constant buffer or of root constants that no other register shares.
    Constants(Vec<u8>),
    /// A top-level acceleration structure: index into [`Scene::top`](crate::scene::Scene::top).
    AccelerationStructure(usize),
}

/// Part of a buffer.
#[derive(Debug, Clone, PartialEq)]
pub struct BufferView {
    /// The buffer.
    pub resource: ResourceId,
    /// First byte.
    pub offset: u64,
    /// Bytes; `None` is the rest of the buffer.
    pub size: Option<u64>,
    /// Element format of a typed buffer.
    pub format: Option<Format>,
    /// First value of the UAV's hidden counter. A shader that uses the counter of a view without
    /// one starts from 0.
    pub counter: Option<u32>,
}

/// A texture, or some of its mips and layers.
#[derive(Debug, Clone, PartialEq)]
pub struct TextureView {
    /// The texture.
    pub resource: ResourceId,
    /// Format to see it as; `None` is its own.
    pub format: Option<Format>,
    /// First mip.
    pub first_mip: u32,
    /// Mips; `None` is the rest. A UAV sees one.
    pub mips: Option<u32>,
    /// First layer.
    pub first_layer: u32,
    /// Layers; `None` is the rest.
    pub layers: Option<u32>,
}

impl View {
    /// A whole raw, structured or constant buffer.
    pub fn buffer(resource: ResourceId) -> Self {
        View::Buffer(BufferView {
            resource,
            offset: 0,
            size: None,
            format: None,
            counter: None,
        })
    }

    /// A whole typed buffer.
    pub fn typed_buffer(resource: ResourceId, format: Format) -> Self {
        View::Buffer(BufferView {
            resource,
            offset: 0,
            size: None,
            format: Some(format),
            counter: None,
        })
    }

    /// A whole texture.
    pub fn texture(resource: ResourceId) -> Self {
        View::Texture(TextureView {
            resource,
            format: None,
            first_mip: 0,
            mips: None,
            first_layer: 0,
            layers: None,
        })
    }
}

/// Filter of a sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Filter {
    /// Nearest texel.
    Point,
    /// Linear interpolation.
    #[default]
    Linear,
}

/// What a sampler does outside of the texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum AddressMode {
    Wrap,
    Mirror,
    #[default]
    Clamp,
    Border,
    MirrorOnce,
}

/// Comparison function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum Comparison {
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always,
}

/// How the texels of a footprint become one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Reduction {
    /// Weighted average.
    #[default]
    Average,
    /// Least.
    Minimum,
    /// Greatest.
    Maximum,
}

/// A sampler's state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampler {
    /// Filter when the texture is minified.
    pub min_filter: Filter,
    /// Filter when the texture is magnified.
    pub mag_filter: Filter,
    /// Filter between mips.
    pub mip_filter: Filter,
    /// Largest anisotropy, 2 to 16; below that the filter is not anisotropic.
    pub anisotropy: u32,
    /// Address modes of u, v and w.
    pub address: [AddressMode; 3],
    /// Added to the level of detail.
    pub lod_bias: f32,
    /// Least level of detail.
    pub min_lod: f32,
    /// Greatest level of detail.
    pub max_lod: f32,
    /// Comparison of a comparison sampler.
    pub comparison: Option<Comparison>,
    /// How the texels of the footprint become one value.
    pub reduction: Reduction,
    /// Border colour.
    pub border: [f32; 4],
    /// Whether it samples integers, of which the border colour is then made.
    pub integer_border: bool,
}

impl Default for Sampler {
    /// Linear and clamped, all mips.
    fn default() -> Self {
        Sampler {
            min_filter: Filter::Linear,
            mag_filter: Filter::Linear,
            mip_filter: Filter::Linear,
            anisotropy: 0,
            address: [AddressMode::Clamp; 3],
            lod_bias: 0.0,
            min_lod: 0.0,
            max_lod: f32::MAX,
            comparison: None,
            reduction: Reduction::Average,
            border: [0.0; 4],
            integer_border: false,
        }
    }
}

/// A register and what it sees.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// Register of the shader.
    pub register: Register,
    /// What it sees.
    pub view: View,
}

/// What a slot of the CBV/SRV/UAV heap sees.
#[derive(Debug, Clone, PartialEq)]
pub struct HeapView {
    /// Whether it is a CBV, an SRV or a UAV.
    pub class: ResourceClass,
    /// What it sees.
    pub view: View,
}

/// What the device does.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Work {
    /// A dispatch of that many thread groups.
    Dispatch([u32; 3]),
    /// A dispatch of as many thread groups as three words in a buffer say.
    DispatchIndirect {
        /// The buffer.
        arguments: ResourceId,
        /// Their first byte.
        offset: u64,
    },
    /// A draw.
    Draw(Box<Draw>),
    /// A dispatch of rays.
    DispatchRays(Box<RayDispatch>),
}

/// How often to run the work again to time it. With neither, the run itself is timed (Vulkan only).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// Runs that are not measured.
    pub warm_up: u32,
    /// Runs that are.
    pub iterations: u32,
}

/// Everything one run needs besides the program.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Buffers and textures.
    pub resources: Vec<Resource>,
    /// What each register sees. Registers of an array that are not named see nothing (null).
    pub bindings: Vec<Binding>,
    /// Slots of the CBV/SRV/UAV heap, for shaders that index it directly.
    pub resource_heap: Vec<HeapView>,
    /// Slots of the sampler heap.
    pub sampler_heap: Vec<Sampler>,
    /// Acceleration structures, which are built before the work.
    pub scene: Scene,
    /// What is dispatched, drawn or traced.
    pub work: Work,
    /// Run it again to time it; the results are those of the first run.
    pub timing: Option<Timing>,
}

impl Job {
    /// A dispatch with nothing bound.
    pub fn dispatch(groups: [u32; 3]) -> Self {
        Job {
            resources: Vec::new(),
            bindings: Vec::new(),
            resource_heap: Vec::new(),
            sampler_heap: Vec::new(),
            scene: Scene::default(),
            work: Work::Dispatch(groups),
            timing: None,
        }
    }

    /// What each bound register sees.
    pub(crate) fn by_register(&self) -> FxHashMap<Register, &View> {
        let bindings = self.bindings.iter();
        bindings
            .map(|binding| (binding.register, &binding.view))
            .collect()
    }

    /// Whether some of its resources are reserved ones.
    pub fn has_reserved_resources(&self) -> bool {
        self.resources.iter().any(|r| r.mapped_tiles.is_some())
    }

    /// Adds a resource.
    pub fn add_resource(&mut self, name: &str, storage: Storage, read_back: bool) -> ResourceId {
        self.resources.push(Resource {
            name: name.to_owned(),
            storage,
            read_back,
            mapped_tiles: None,
        });
        ResourceId(self.resources.len() - 1)
    }

    /// Adds a buffer and binds all of it (raw, structured or constant) to a register; a UAV is
    /// read back.
    pub fn bind_buffer(&mut self, register: Register, bytes: Vec<u8>) -> ResourceId {
        let id = self.add_resource(
            &register.to_string(),
            Storage::Buffer(bytes),
            register.class == ResourceClass::Uav,
        );
        self.bind(register, View::buffer(id));
        id
    }

    /// Adds a typed buffer and binds all of it to a register; a UAV is read back.
    pub fn bind_typed_buffer(
        &mut self,
        register: Register,
        format: Format,
        bytes: Vec<u8>,
    ) -> ResourceId {
        let id = self.add_resource(
            &register.to_string(),
            Storage::Buffer(bytes),
            register.class == ResourceClass::Uav,
        );
        self.bind(register, View::typed_buffer(id, format));
        id
    }

    /// Adds a texture and binds all of it to a register; a UAV is read back.
    pub fn bind_texture(&mut self, register: Register, texture: Texture) -> ResourceId {
        // Nothing copies single samples to where the host could read them.
        let read_back = register.class == ResourceClass::Uav && texture.samples <= 1;
        let name = register.to_string();
        let id = self.add_resource(&name, Storage::Texture(texture), read_back);
        self.bind(register, View::texture(id));
        id
    }

    /// Binds a sampler.
    pub fn bind_sampler(&mut self, register: Register, sampler: Sampler) {
        self.bind(register, View::Sampler(sampler));
    }

    /// Binds the bytes of a constant buffer or of root constants.
    pub fn bind_constants(&mut self, register: Register, bytes: Vec<u8>) {
        self.bind(register, View::Constants(bytes));
    }

    /// Binds a view; the last word about a register counts.
    pub fn bind(&mut self, register: Register, view: View) {
        match self.bindings.iter_mut().find(|b| b.register == register) {
            Some(binding) => binding.view = view,
            None => self.bindings.push(Binding { register, view }),
        }
    }

    /// What a register sees, if the job says.
    pub fn view(&self, register: Register) -> Option<&View> {
        self.bindings
            .iter()
            .find(|b| b.register == register)
            .map(|b| &b.view)
    }

    /// The format that a register sees, where its view or texture has one.
    pub fn format_at(&self, register: Register) -> Option<Format> {
        match self.view(register)? {
            View::Buffer(view) => view.format,
            View::Texture(view) => {
                view.format
                    .or_else(|| match &self.resources.get(view.resource.0)?.storage {
                        Storage::Texture(texture) => Some(texture.format),
                        Storage::Buffer(_) => None,
                    })
            }
            View::Null | View::Sampler(_) | View::Constants(_) | View::AccelerationStructure(_) => {
                None
            }
        }
    }
}

/// What a run gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// Bytes of each resource after the work, in the order of [`Job::resources`]; `None` where it
    /// was not asked for.
    pub resources: Vec<Option<Vec<u8>>>,
    /// Hidden UAV counters after the work.
    pub counters: Vec<(Register, u32)>,
    /// Hidden counters of the UAVs in the heap after the work, by slot, if a shader that indexes
    /// the heap directly uses any.
    pub heap_counters: Vec<(u32, u32)>,
    /// Time of each timed run on the device.
    pub timings: Vec<Duration>,
    /// What the draw's queries found.
    pub queries: Vec<QueryResult>,
}

impl Outcome {
    /// The bytes of a resource that was read back.
    pub fn bytes(&self, id: ResourceId) -> Option<&[u8]> {
        self.resources.get(id.0)?.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_print_as_they_parse() {
        for text in ["t0", "u12", "b3,space2", "s0,space4294967280"] {
            assert_eq!(text.parse::<Register>().unwrap().to_string(), text);
        }
        for text in ["", "x0", "t", "t-1", "t0,1", "t0,space", "t0,spacex"] {
            assert!(text.parse::<Register>().is_err(), "{text}");
        }
    }

    #[test]
    fn mips_of_compressed_textures_count_whole_blocks() {
        let mut texture = Texture::new_2d(Format::Bc1Unorm, 10, 6, Vec::new());
        texture.mips = 4;
        // 3x2, 2x1, 1x1, 1x1 blocks of 8 bytes.
        assert_eq!(texture.total_bytes(), (6 + 2 + 1 + 1) * 8);
    }
}
