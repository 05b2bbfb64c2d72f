//! A resource's bytes as a table: rows of typed values.

use dxil_frontend::dxil::ComponentType;
use dxil_runtime::format::ComponentValue;

use crate::planned::ElementKind;

/// Reads elements out of bytes.
pub(crate) struct Cells<'a> {
    bytes: &'a [u8],
    element: &'a ElementKind,
    stride: usize,
}

impl<'a> Cells<'a> {
    /// Returns the elements of that kind in those bytes.
    pub(crate) fn new(bytes: &'a [u8], element: &'a ElementKind) -> Self {
        let stride = match element {
            ElementKind::Scalars(element) => element.size as usize,
            ElementKind::Texel(format) => format.block_bytes() as usize,
        };
        Cells {
            bytes,
            element,
            stride: stride.max(1),
        }
    }

    /// Returns the number of whole elements.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / self.stride
    }

    /// Returns the names of the columns; one empty name for plain scalars.
    pub(crate) fn columns(&self) -> Vec<String> {
        match self.element {
            ElementKind::Scalars(element) => {
                element.scalars.iter().map(|s| s.path.clone()).collect()
            }
            ElementKind::Texel(format) => match format.components() {
                1 => vec![String::new()],
                n => ["r", "g", "b", "a"]
                    .iter()
                    .take(n)
                    .map(ToString::to_string)
                    .collect(),
            },
        }
    }

    /// Returns the bytes of an element; empty past the end.
    pub(crate) fn bytes_of(&self, index: usize) -> &'a [u8] {
        let start = index.saturating_mul(self.stride);
        let end = start.saturating_add(self.stride);
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Returns the values of an element; empty past the end, and for compressed formats.
    pub(crate) fn row(&self, index: usize) -> Vec<ComponentValue> {
        let start = index * self.stride;
        let Some(bytes) = self.bytes.get(start..start + self.stride) else {
            return Vec::new();
        };
        match self.element {
            ElementKind::Texel(format) => format.decode(bytes),
            ElementKind::Scalars(element) => element
                .scalars
                .iter()
                .filter_map(|scalar| {
                    scalar_value(scalar.component, bytes.get(scalar.offset as usize..)?)
                })
                .collect(),
        }
    }

    /// Returns the size of an element in bytes.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }
}

fn scalar_value(component: ComponentType, bytes: &[u8]) -> Option<ComponentValue> {
    use ComponentType as C;
    Some(match component {
        C::F16 | C::SNormF16 | C::UNormF16 => {
            ComponentValue::Float(half::f16::from_le_bytes(*bytes.first_chunk()?).into())
        }
        C::F32 | C::SNormF32 | C::UNormF32 => {
            ComponentValue::Float(f32::from_le_bytes(*bytes.first_chunk()?).into())
        }
        C::F64 | C::SNormF64 | C::UNormF64 => {
            ComponentValue::Float(f64::from_le_bytes(*bytes.first_chunk()?))
        }
        C::I16 => ComponentValue::Sint(i16::from_le_bytes(*bytes.first_chunk()?).into()),
        C::U16 => ComponentValue::Uint(u16::from_le_bytes(*bytes.first_chunk()?).into()),
        C::I64 => ComponentValue::Sint(i64::from_le_bytes(*bytes.first_chunk()?)),
        C::U64 => ComponentValue::Uint(u64::from_le_bytes(*bytes.first_chunk()?)),
        C::I32 => ComponentValue::Sint(i32::from_le_bytes(*bytes.first_chunk()?).into()),
        C::Invalid | C::I1 | C::U32 | C::PackedS8x32 | C::PackedU8x32 => {
            ComponentValue::Uint(u32::from_le_bytes(*bytes.first_chunk()?).into())
        }
    })
}

/// Returns a value as people write it: integers plain, floats with the fewest digits that tell them
/// apart as `f32`.
pub(crate) fn show(value: ComponentValue) -> String {
    match value {
        ComponentValue::Uint(value) => value.to_string(),
        ComponentValue::Sint(value) => value.to_string(),
        ComponentValue::Float(value) => {
            let single = value as f32;
            if f64::from(single) == value || value.is_nan() {
                show_float(single)
            } else {
                format!("{value}")
            }
        }
    }
}

fn show_float(value: f32) -> String {
    let magnitude = value.abs();
    if value != 0.0 && value.is_finite() && !(1e-5..1e9).contains(&magnitude) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}
