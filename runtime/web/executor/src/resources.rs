//! What a compute shader declares, with default sizes: what `dxil-run` would bind.

use dxil_frontend::dxil::{
    ComponentType, Element, ElementScalar, Resource, ResourceClass, ResourceKind, SamplerKind,
};
use dxil_runtime::Format;
use dxil_runtime::job::{Dimension, Register, Texture};
use dxil_runtime::root_signature::{first_register, kind_name};
use dxil_translate::TexelFormat;
use serde_json::{Value, json};

use crate::failure::{Failure, Result};
use crate::source::Source;

/// Minimum and maximum number of elements of a default buffer.
const ELEMENTS: (u32, u32) = (16, 1 << 20);
/// Registers of an unbounded array that get something.
const UNBOUNDED_REGISTERS: u32 = 4;
/// Maximum number of registers of an array that get something.
const MAX_REGISTERS: u32 = 64;

/// What a register needs.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    /// A constant buffer of that many bytes.
    Constants(usize),
    /// A buffer of elements; a typed one has a format.
    Buffer(Option<Format>),
    /// A texture.
    Texture(Texture),
    /// A sampler; it may compare.
    Sampler {
        /// Whether it compares.
        compares: bool,
    },
}

/// A register of the shader.
#[derive(Debug, Clone)]
pub(crate) struct Declared {
    /// The register.
    pub(crate) register: Register,
    /// Its name in the source; may be empty.
    pub(crate) name: String,
    /// Its HLSL type.
    pub(crate) kind: String,
    /// What it needs.
    pub(crate) shape: Shape,
    /// The scalars of an element; a texel's are in the format.
    pub(crate) element: Element,
    /// Number of elements by default.
    pub(crate) elements: u32,
    /// Whether the shader may write to it.
    pub(crate) writable: bool,
    /// Whether it has a hidden counter.
    pub(crate) has_counter: bool,
}

impl Declared {
    /// Returns the description for the page.
    pub(crate) fn json(&self) -> Value {
        let columns: Vec<&str> = self.columns();
        let (what, size) = match &self.shape {
            Shape::Constants(bytes) => ("constants", json!([bytes])),
            Shape::Buffer(_) => ("buffer", json!([self.elements])),
            Shape::Texture(texture) => (
                "texture",
                json!([
                    texture.width,
                    texture.height,
                    texture.depth.max(texture.layers)
                ]),
            ),
            Shape::Sampler { .. } => ("sampler", json!([])),
        };
        json!({
            "register": self.register.to_string(),
            "name": self.name,
            "kind": self.kind,
            "what": what,
            "columns": columns,
            "stride": self.stride(),
            "size": size,
            "writable": self.writable,
            "format": self.format().map(|format| format.to_string()),
        })
    }

    /// Returns the format of texels.
    pub(crate) fn format(&self) -> Option<Format> {
        match &self.shape {
            Shape::Buffer(format) => *format,
            Shape::Texture(texture) => Some(texture.format),
            Shape::Constants(_) | Shape::Sampler { .. } => None,
        }
    }

    /// Returns the bytes of an element.
    pub(crate) fn stride(&self) -> usize {
        let bytes = match self.format() {
            Some(format) => format.block_bytes() as usize,
            None => self.element.size as usize,
        };
        bytes.max(1)
    }

    /// Returns the names of an element's values; one empty name for plain scalars.
    pub(crate) fn columns(&self) -> Vec<&str> {
        match self.format() {
            Some(format) if format.components() > 1 => ["r", "g", "b", "a"]
                .into_iter()
                .take(format.components())
                .collect(),
            Some(_) => vec![""],
            None => self
                .element
                .scalars
                .iter()
                .map(|s| s.path.as_str())
                .collect(),
        }
    }
}

/// Returns the registers that the shader declares, for a dispatch of that many threads.
pub(crate) fn declared(source: &Source, threads: [u32; 3]) -> Result<Vec<Declared>> {
    let mut all: Vec<Declared> = Vec::new();
    for resource in source.shader.resources.iter() {
        let first = first_register(resource);
        let count = resource
            .count
            .unwrap_or(UNBOUNDED_REGISTERS)
            .min(MAX_REGISTERS);
        for offset in 0..count {
            let register = Register {
                index: first.index.saturating_add(offset),
                ..first
            };
            // Several declarations of one register share what is bound to it.
            if all.iter().all(|known| known.register != register) {
                all.push(one(source, resource, register, threads)?);
            }
        }
    }
    Ok(all)
}

fn one(
    source: &Source,
    resource: &Resource,
    register: Register,
    threads: [u32; 3],
) -> Result<Declared> {
    let found = source
        .reflection
        .at(resource.class, resource.space, resource.lower_bound);
    let element = found.and_then(|found| found.element.clone());
    let writable = resource.class == ResourceClass::Uav;
    let total = threads
        .iter()
        .fold(1_u32, |total, n| total.saturating_mul(*n));
    let mut declared = Declared {
        register,
        name: found.map_or(String::new(), |found| found.name.clone()),
        kind: format!(
            "{}{}",
            if writable { "RW" } else { "" },
            kind_name(resource.kind)
        ),
        shape: Shape::Buffer(None),
        element: words(),
        // As many elements as threads, since most shaders index by thread.
        elements: total.clamp(ELEMENTS.0, ELEMENTS.1),
        writable,
        has_counter: resource.detail.has_counter,
    };
    let texel = || {
        let count = element.as_ref().map_or(4, |e| e.scalars.len() as u32);
        let component = resource.detail.component.unwrap_or(ComponentType::U32);
        Format::from(TexelFormat::natural(component, count))
    };
    match resource.kind {
        ResourceKind::CBuffer => {
            let bytes = resource.detail.cbuffer_size as usize;
            declared.shape = Shape::Constants(bytes.next_multiple_of(16));
            declared.elements = 1;
            if let Some(layout) = found.and_then(|found| found.layout.as_ref()) {
                declared.element = Element {
                    scalars: layout.scalars(64),
                    size: bytes.next_multiple_of(16) as u32,
                };
            }
        }
        ResourceKind::Sampler => {
            let compares = resource.detail.sampler == Some(SamplerKind::Comparison);
            declared.shape = Shape::Sampler { compares };
        }
        ResourceKind::TypedBuffer => declared.shape = Shape::Buffer(Some(texel())),
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer | ResourceKind::TBuffer => {
            if let Some(known) = element.filter(|element| !element.scalars.is_empty()) {
                declared.element = known;
            }
            // Reflection does not know the padding after the last field.
            if let Some(stride) = resource.detail.stride.filter(|stride| *stride > 0) {
                declared.element.size = stride;
            }
        }
        kind if kind.is_texture() => {
            declared.shape = Shape::Texture(texture(resource, texel(), threads));
        }
        kind => {
            return Err(Failure::unsupported(format!(
                "{register} is a {}, which the page cannot fill; dxil-run can",
                kind_name(kind)
            )));
        }
    }
    Ok(declared)
}

/// Returns an empty texture of a default size.
fn texture(resource: &Resource, format: Format, [x, y, z]: [u32; 3]) -> Texture {
    use ResourceKind as K;
    let along = |n: u32, least: u32, most: u32| if n <= 1 { least } else { n.clamp(least, most) };
    let mut texture = Texture::new_2d(format, along(x, 16, 1024), along(y, 16, 1024), Vec::new());
    match resource.kind {
        K::Texture1D | K::Texture1DArray => {
            texture.dimension = Dimension::D1;
            texture.height = 1;
        }
        K::Texture3D => {
            texture.dimension = Dimension::D3;
            texture.depth = along(z, 4, 64);
        }
        K::TextureCube | K::TextureCubeArray => {
            texture.width = texture.width.min(64);
            texture.height = texture.width;
        }
        _ => {}
    }
    texture.layers = match resource.kind {
        K::Texture1DArray => 4,
        K::Texture2DArray | K::Texture2DMSArray => along(z, 4, 64),
        K::TextureCube => 6,
        K::TextureCubeArray => 12,
        _ => 1,
    };
    texture.samples = match (resource.detail.sample_count, resource.kind) {
        (0, K::Texture2DMS | K::Texture2DMSArray) => 4,
        (count, _) => count.max(1),
    };
    texture
}

/// Returns the element of a buffer of 32-bit words.
fn words() -> Element {
    Element {
        scalars: vec![ElementScalar {
            path: String::new(),
            offset: 0,
            component: ComponentType::U32,
        }],
        size: 4,
    }
}
