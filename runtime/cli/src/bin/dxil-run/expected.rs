//! The contents that a bind point takes, and the check of what is bound to it. Nothing is
//! converted.

use dxil_frontend::dxil::ComponentType;
use dxil_frontend::dxil::{Element, ElementScalar};
use dxil_frontend::reflection::Layout;
use dxil_runtime::Format;
use dxil_runtime::format::{Component, TexelLayout};

use crate::bind_points::BindPoint;
use crate::contents::Contents;
use crate::failure::{Failure, Result};
use crate::planned::ElementKind;
use crate::typed;

/// The contents that a bind point accepts.
pub(crate) struct Expected<'a> {
    /// The bind point.
    pub(crate) place: BindPoint,
    /// Name in the source; may be empty.
    pub(crate) name: &'a str,
    /// Bytes of default contents.
    pub(crate) capacity: usize,
    /// Bytes of an element; 1 for untyped bytes.
    pub(crate) stride: usize,
    /// Scalars of an element; empty for untyped bytes.
    pub(crate) scalars: Vec<ElementScalar>,
    /// Fields of an element, if they have names.
    pub(crate) layout: Option<&'a Layout>,
}

impl<'a> Expected<'a> {
    /// Returns a place for untyped bytes.
    pub(crate) fn untyped(place: BindPoint, capacity: usize) -> Self {
        Expected {
            place,
            name: "",
            capacity,
            stride: 1,
            scalars: Vec::new(),
            layout: None,
        }
    }

    /// Returns the elements of a kind.
    pub(crate) fn elements(
        place: BindPoint,
        name: &'a str,
        capacity: usize,
        kind: &ElementKind,
        layout: Option<&'a Layout>,
    ) -> Self {
        let element = match kind {
            ElementKind::Scalars(element) => element.clone(),
            ElementKind::Texel(format) => texel(*format),
        };
        Expected {
            place,
            name,
            capacity,
            stride: element.size.max(1) as usize,
            scalars: element.scalars,
            layout,
        }
    }

    /// Returns the layout that JSON is written by.
    fn json_layout(&self) -> Result<&'a Layout, String> {
        self.layout.ok_or_else(|| {
            "the container has no names and types of fields, which JSON needs".to_owned()
        })
    }

    fn label(&self) -> String {
        match self.name {
            "" => self.place.to_string(),
            name => format!("{} {name}", self.place),
        }
    }

    /// Returns the bytes that the contents give for a buffer or texture.
    ///
    /// # Errors
    ///
    /// Fails where the contents are of another kind, type or size.
    pub(crate) fn bytes(&self, contents: &Contents) -> Result<Vec<u8>> {
        let bad = |why: String| Failure::usage(format!("{}: {why}", self.label()));
        let bytes = match contents {
            Contents::Array(array) => {
                array.check(&self.scalars, self.stride).map_err(bad)?;
                array.data.clone()
            }
            Contents::Json(value) => {
                let layout = self.json_layout().map_err(bad)?;
                typed::elements(layout, value).map_err(bad)?
            }
            other => other.bytes(self.capacity).ok_or_else(|| {
                bad("this is a buffer; a picture, texture or sampler does not fit there".into())
            })?,
        };
        if bytes.len() % self.stride != 0 {
            let fields = self.layout.map_or(String::new(), |layout| {
                format!(":\noffset  bytes\n{layout}")
            });
            return Err(bad(format!(
                "{} bytes given, which are no whole elements of {} bytes{fields}",
                bytes.len(),
                self.stride
            )));
        }
        Ok(bytes)
    }

    /// Returns the bytes that the contents give for a constant buffer of `size` bytes. Fields that
    /// a JSON object leaves out are zero.
    ///
    /// # Errors
    ///
    /// Fails where the contents are of another kind or type, shorter than the buffer, or longer
    /// than a view of it can be.
    pub(crate) fn constants(&self, contents: &Contents, size: usize) -> Result<Vec<u8>> {
        let bad = |why: String| Failure::usage(format!("{}: {why}", self.label()));
        let bytes = match contents {
            Contents::Array(array) => {
                // A structured dtype describes the buffer, a plain one a number of it.
                array
                    .check(&self.scalars, array.data.len().max(1))
                    .map_err(bad)?;
                array.data.clone()
            }
            Contents::Json(value) => {
                let layout = self.json_layout().map_err(bad)?;
                let mut bytes = vec![0; self.capacity];
                typed::write_object(layout, value, &mut bytes).map_err(bad)?;
                bytes
            }
            other => other.bytes(self.capacity).ok_or_else(|| {
                bad("this is a constant buffer; a picture or sampler does not fit there".into())
            })?,
        };
        let given = bytes.len();
        // D3D12 creates constant buffer views in multiples of 256 bytes
        // (D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT).
        let maximum = self.capacity.max(size.next_multiple_of(256));
        if (size..=maximum).contains(&given) {
            return Ok(bytes);
        }
        let label = self.label();
        let cut = self.layout.and_then(|layout| {
            let end = |field: &&dxil_frontend::reflection::LayoutField| {
                field.offset.saturating_add(field.size) as usize > given
            };
            layout.fields.iter().find(end)
        });
        let cut = cut.map_or(String::new(), |field| {
            format!("; {} is at {}", field.name, field.offset)
        });
        let fields = self
            .layout
            .map_or(String::new(), |layout| format!("\noffset  bytes\n{layout}"));
        Err(Failure::usage(format!(
            "{label} has {size} bytes, {given} given{cut}{fields}"
        )))
    }
}

/// Returns the components of a texel. Formats that pack several into a word are untyped bytes.
fn texel(format: Format) -> Element {
    use ComponentType as C;
    let size = format.block_bytes();
    let Some((component, bits, count)) = format.layout().and_then(TexelLayout::plain_components)
    else {
        return Element {
            scalars: Vec::new(),
            size,
        };
    };
    let scalar = match (component, bits) {
        (Component::Float, 16) => Some(C::F16),
        (Component::Float, 32) => Some(C::F32),
        (Component::Float, 64) => Some(C::F64),
        (Component::Float, _) => None,
        (_, 16) => Some(C::U16),
        (_, 32) => Some(C::U32),
        (_, 64) => Some(C::U64),
        // There is no component type of 8 bits: an array of bytes is checked by its size.
        _ => None,
    };
    let scalars = scalar.into_iter().flat_map(|component| {
        let names = ["r", "g", "b", "a"].into_iter();
        (0..count)
            .zip(names)
            .map(move |(index, name)| ElementScalar {
                path: name.to_owned(),
                offset: index * bits / 8,
                component,
            })
    });
    Element {
        scalars: scalars.collect(),
        size,
    }
}
