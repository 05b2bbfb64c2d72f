//! Names and layouts of a shader's resources, from wherever the container has them.
//!
//! DXC strips names and type annotations from the module that it ships; the STAT part keeps a copy
//! of the module that has them, and so does the module with debug information (ILDB). DXBC has them
//! in RDEF.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use dxil_frontend::dxil::read_shader;
//! use dxil_frontend::reflection::Reflection;
//!
//! # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/tests/data/named.dxil");
//! let bytes = std::fs::read(file)?;
//! let reflection = Reflection::read(&read_shader(&bytes)?, &bytes);
//! for resource in &reflection.resources {
//!     println!("{} {}", resource.registers(), resource.name);
//!     if let Some(layout) = &resource.layout {
//!         print!("{layout}");
//!     }
//! }
//! let names: Vec<&str> = reflection.resources.iter().map(|r| r.name.as_str()).collect();
//! assert_eq!(names, ["src", "dst", "Sim"]);
//! # Ok(())
//! # }
//! ```

mod definitions;
mod layout;
mod types;

pub(crate) use definitions::declared_layout;
pub use layout::{Layout, LayoutField, LayoutType, component_bytes};
pub use types::layout_of;

pub use crate::dxbc::ReflectedInterface;

use crate::bitcode::decode_module;
use crate::container::{Container, ProgramBitcode, ResourceDefinitions};
use crate::dxil::{Element, Resource, ResourceClass, ResourceKind, Shader};
use crate::{FourCc, Result};

/// Maximum number of scalars of an element that are listed; longer elements are cut.
const MAX_SCALARS: usize = 64;

/// Facts about the resources of a shader.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reflection {
    /// One per declared resource, in the order of
    /// [`Resources::iter`](crate::dxil::Resources::iter).
    pub resources: Vec<ReflectedResource>,
    /// Interfaces of a DXBC shader, by slot.
    pub interfaces: Vec<ReflectedInterface>,
}

/// A declared resource with its name and layout.
#[derive(Debug, Clone, PartialEq)]
pub struct ReflectedResource {
    /// Name in the source; empty where nothing in the container has it.
    pub name: String,
    /// SRV, UAV, CBV or sampler.
    pub class: ResourceClass,
    /// Shape.
    pub kind: ResourceKind,
    /// First register.
    pub register: u32,
    /// Number of registers; `None` is unbounded.
    pub count: Option<u32>,
    /// Register space.
    pub space: u32,
    /// Fields of a constant or structured buffer.
    pub layout: Option<Layout>,
    /// Scalars of an element of a structured buffer, typed buffer or texture.
    pub element: Option<Element>,
}

impl ReflectedResource {
    /// Returns whether [`ReflectedResource::layout`] is that of an element, not of the whole
    /// buffer.
    pub fn layout_is_of_elements(&self) -> bool {
        self.kind == ResourceKind::StructuredBuffer
    }

    /// Returns the registers as HLSL writes them: `t3`, `u0-u4, space1`, `b2-` without end.
    pub fn registers(&self) -> String {
        let letter = self.class.letter();
        let first = self.register;
        let mut text = match self.count {
            Some(0 | 1) => format!("{letter}{first}"),
            Some(count) => format!(
                "{letter}{first}-{letter}{}",
                first.saturating_add(count - 1)
            ),
            None => format!("{letter}{first}-"),
        };
        if self.space != 0 {
            text.push_str(&format!(", space{}", self.space));
        }
        text
    }
}

impl Reflection {
    /// Returns the reflection of a shader that was read from the bytes of a file. Parts that cannot
    /// be read are left out.
    pub fn read(shader: &Shader, bytes: &[u8]) -> Reflection {
        Reflection::of(shader, Container::parse(bytes).ok().as_ref())
    }

    /// Returns the reflection of a shader, with that of the container that it was read from.
    pub fn of(shader: &Shader, container: Option<&Container<'_>>) -> Reflection {
        let stat = container.and_then(|c| module(c.reflection_program()));
        let debug = container.and_then(|c| module(c.debug_program()));
        let definitions = container.and_then(definitions_of);
        let resources = shader.resources.iter().map(|resource| {
            let mut found = ReflectedResource {
                name: resource.name.to_string(),
                class: resource.class,
                kind: resource.kind,
                register: resource.lower_bound,
                count: resource.count,
                space: resource.space,
                layout: None,
                element: None,
            };
            for named in [stat.as_ref(), debug.as_ref(), Some(shader)]
                .into_iter()
                .flatten()
            {
                found.complete(named, resource);
            }
            if let Some((name, layout)) = definitions
                .as_ref()
                .and_then(|d| definitions::find(d, resource))
            {
                if found.name.is_empty() {
                    found.name = name;
                }
                found.layout = layout.or(found.layout);
            }
            found
        });
        let interfaces = container.and_then(|container| ReflectedInterface::all(container).ok());
        Reflection {
            resources: resources.collect(),
            interfaces: interfaces.unwrap_or_default(),
        }
    }

    /// Returns the resource that is declared at a register.
    pub fn at(
        &self,
        class: ResourceClass,
        space: u32,
        register: u32,
    ) -> Option<&ReflectedResource> {
        self.resources.iter().find(|resource| {
            let is_inside = register
                .checked_sub(resource.register)
                .is_some_and(|index| resource.count.is_none_or(|count| index < count));
            resource.class == class && resource.space == space && is_inside
        })
    }

    /// Returns the resource of that name.
    pub fn named(&self, name: &str) -> Option<&ReflectedResource> {
        let mut all = self.resources.iter();
        all.find(|resource| !name.is_empty() && resource.name == name)
    }
}

impl ReflectedResource {
    /// Takes what another form of the shader says, if it says more.
    fn complete(&mut self, shader: &Shader, resource: &Resource) {
        let place = |r: &Resource| (r.class, r.space, r.lower_bound, r.kind);
        let same = shader
            .resources
            .find(resource.class, resource.id)
            .filter(|found| place(found) == place(resource));
        let Some(found) = same else {
            return;
        };
        if self.name.is_empty() {
            self.name = found.name.to_string();
        }
        if self.layout.is_none() {
            self.layout = layout_of(shader, found);
        }
        if self.element.is_none() {
            self.element = match layout_of(shader, found) {
                Some(layout) if self.layout_is_of_elements() => Some(Element {
                    scalars: layout.scalars(MAX_SCALARS),
                    size: layout.size,
                }),
                _ => shader.element(found),
            };
        }
    }
}

/// Returns the module of a part, if it can be read.
fn module(program: Result<Option<ProgramBitcode<'_>>>) -> Option<Shader> {
    let program = program.ok()??;
    let module = decode_module(program.bitcode, program.bitcode_offset).ok()?;
    Shader::decode(module).ok()
}

fn definitions_of<'a>(container: &Container<'a>) -> Option<ResourceDefinitions<'a>> {
    ResourceDefinitions::parse(container.part(FourCc::RDEF)?).ok()
}
