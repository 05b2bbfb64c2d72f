//! A job, and what is known of the registers that it binds.

use dxil_frontend::dxil::{ComponentType, Element, ElementScalar, ResourceKind};
use dxil_frontend::reflection::Layout;
use dxil_runtime::job::{Job, ResourceId};
use dxil_runtime::{Format, Storage};

use crate::bind_points::BindPoint;

/// A job with what is known of its registers.
pub(crate) struct Planned {
    /// The job.
    pub(crate) job: Job,
    /// One per bound register that has a resource.
    pub(crate) views: Vec<Declared>,
    /// One per constant buffer.
    pub(crate) constants: Vec<Constants>,
}

impl Planned {
    /// Adds a resource that only receives results, and returns it: a table of outputs, or a render
    /// target. Its first contents are not shown.
    pub(crate) fn add_output(
        &mut self,
        place: BindPoint,
        kind: &str,
        element: ElementKind,
        storage: Storage,
    ) -> ResourceId {
        let resource = self.job.add_resource(&place.to_string(), storage, true);
        self.views.push(Declared {
            place,
            resource,
            name: String::new(),
            kind: kind.to_owned(),
            texture: None,
            element,
            layout: None,
            size: None,
            writable: true,
            has_counter: false,
            is_generated: true,
        });
        resource
    }
}

/// A constant buffer of the job.
#[derive(Debug, Clone)]
pub(crate) struct Constants {
    /// Its register.
    pub(crate) place: BindPoint,
    /// Name in the source; may be empty.
    pub(crate) name: String,
    /// Its scalars, or words where nothing is known of them.
    pub(crate) element: ElementKind,
    /// Whether the contents are generated, as a whole or but for some fields.
    pub(crate) is_generated: bool,
}

impl Constants {
    /// Returns a buffer of those scalars.
    pub(crate) fn new(
        place: BindPoint,
        name: &str,
        mut element: Element,
        bytes: usize,
        is_generated: bool,
    ) -> Self {
        if element.scalars.is_empty() {
            element = words();
        } else {
            element.size = element.size.min(bytes as u32);
        }
        Constants {
            place,
            name: name.to_owned(),
            element: ElementKind::Scalars(element),
            is_generated,
        }
    }
}

/// A bound register.
#[derive(Debug, Clone)]
pub(crate) struct Declared {
    /// The register, or the render target.
    pub(crate) place: BindPoint,
    /// Its resource in the job.
    pub(crate) resource: ResourceId,
    /// Name in the source.
    pub(crate) name: String,
    /// Its HLSL type.
    pub(crate) kind: String,
    /// A declared texture's kind.
    pub(crate) texture: Option<ResourceKind>,
    /// The type of an element.
    pub(crate) element: ElementKind,
    /// Fields of a structured buffer's element, where they have names.
    pub(crate) layout: Option<Layout>,
    /// Size that the user gave, for pictures out of buffers.
    pub(crate) size: Option<[u32; 3]>,
    /// Whether the work may write to it.
    pub(crate) writable: bool,
    /// Whether it has a hidden counter.
    pub(crate) has_counter: bool,
    /// Whether its first contents are generated.
    pub(crate) is_generated: bool,
}

impl Declared {
    /// Returns whether it is a texture that can have more levels than one.
    pub(crate) fn has_levels(&self) -> bool {
        use ResourceKind::{Texture2DMS, Texture2DMSArray};
        (self.texture).is_some_and(|kind| !matches!(kind, Texture2DMS | Texture2DMSArray))
    }

    /// Returns whether its layers are faces of cubes.
    pub(crate) fn is_cube(&self) -> bool {
        use ResourceKind::{TextureCube, TextureCubeArray};
        matches!(self.texture, Some(TextureCube | TextureCubeArray))
    }
}

/// The type of an element.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ElementKind {
    /// Scalars at offsets.
    Scalars(Element),
    /// A texel.
    Texel(Format),
}

/// The contents of a default scene. A ray tracing pipeline without a hit group for a geometry does
/// not get it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DefaultScene {
    /// The square's hit group, if it is there.
    pub(crate) square: Option<u32>,
    /// The box's hit group, if it is there.
    pub(crate) cube: Option<u32>,
}

impl Default for DefaultScene {
    /// Returns both, for ray queries.
    fn default() -> Self {
        DefaultScene {
            square: Some(0),
            cube: Some(0),
        }
    }
}

/// Returns the element of a buffer of 32-bit words.
pub(crate) fn words() -> Element {
    Element {
        scalars: vec![ElementScalar {
            path: String::new(),
            offset: 0,
            component: ComponentType::U32,
        }],
        size: 4,
    }
}
