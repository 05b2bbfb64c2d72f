//! The fields of a constant buffer or of a structured buffer's element: names, types, offsets and
//! sizes.

use std::fmt::{self, Write as _};

use crate::dxil::{ComponentType, ElementScalar};

/// The layout of a constant buffer, or of an element of a structured buffer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    /// Size in bytes: of the constant buffer, or of an element.
    pub size: u32,
    /// Its fields by rising offset. The element of a `StructuredBuffer<float3>` is one field
    /// without a name.
    pub fields: Vec<LayoutField>,
}

/// A field of a layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayoutField {
    /// Name in the source; `f0`, `f1` ... where it is stripped.
    pub name: String,
    /// Offset in bytes from the start of the structure that the field is in.
    pub offset: u32,
    /// Size in bytes: of an array all elements, without padding after the last.
    pub size: u32,
    /// Lengths of an array, the outermost first; empty for what is not an array.
    pub array: Vec<u32>,
    /// Bytes from one array element to the next, all dimensions taken as one; 0 without an array.
    pub stride: u32,
    /// The type, of an array that of an element.
    pub ty: LayoutType,
    /// Whether the shader uses the field, where the compiler says so.
    pub is_used: Option<bool>,
}

/// The type of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LayoutType {
    /// A scalar, vector or matrix.
    Numeric {
        /// Type of a component as it lies in memory.
        component: ComponentType,
        /// Rows of a matrix; 1 for scalars and vectors.
        rows: u32,
        /// Columns of a matrix, components of a vector, 1 for a scalar.
        columns: u32,
        /// Whether the components of a row lie side by side; columns otherwise.
        row_major: bool,
        /// Bytes from one row (or column) of a matrix to the next.
        vector_stride: u32,
    },
    /// A structure.
    Struct {
        /// Its name in the source; may be empty.
        name: String,
        /// Its fields by rising offset.
        fields: Vec<LayoutField>,
    },
}

impl Layout {
    /// Returns all scalars with their paths (`lights[1].dir.x`), in the order of the fields, and at
    /// most `limit` of them.
    pub fn scalars(&self, limit: usize) -> Vec<ElementScalar> {
        let mut scalars = Vec::new();
        for field in &self.fields {
            field.collect("", 0, limit, &mut scalars);
        }
        scalars
    }

    /// Returns the field that holds a byte: the last one that begins at or before `offset`.
    pub fn field_at(&self, offset: u32) -> Option<&LayoutField> {
        self.fields.iter().rfind(|field| field.offset <= offset)
    }
}

/// Returns the size of a scalar in memory in bytes; booleans and packed types are words.
pub fn component_bytes(component: ComponentType) -> u32 {
    use ComponentType as C;
    match component {
        C::I16 | C::U16 | C::F16 | C::SNormF16 | C::UNormF16 => 2,
        C::I64 | C::U64 | C::F64 | C::SNormF64 | C::UNormF64 => 8,
        C::Invalid
        | C::I1
        | C::I32
        | C::U32
        | C::F32
        | C::SNormF32
        | C::UNormF32
        | C::PackedS8x32
        | C::PackedU8x32 => 4,
    }
}

impl LayoutType {
    /// Returns the size in bytes of one value of the type, without padding after it.
    pub fn size(&self) -> u32 {
        match self {
            LayoutType::Numeric {
                component,
                rows,
                columns,
                row_major,
                vector_stride,
            } => {
                let (vectors, length) = match (row_major, *rows > 1) {
                    (true, _) | (_, false) => (*rows, *columns),
                    (false, true) => (*columns, *rows),
                };
                let gaps = vector_stride.saturating_mul(vectors.saturating_sub(1));
                gaps.saturating_add(length.saturating_mul(component_bytes(*component)))
            }
            LayoutType::Struct { fields, .. } => {
                let ends = fields
                    .iter()
                    .map(|field| field.offset.saturating_add(field.size));
                ends.max().unwrap_or(0)
            }
        }
    }

    fn has_scalars(&self) -> bool {
        match self {
            LayoutType::Numeric { rows, columns, .. } => *rows > 0 && *columns > 0,
            LayoutType::Struct { fields, .. } => {
                let is_there = |field: &LayoutField| field.elements() > 0 && field.ty.has_scalars();
                fields.iter().any(is_there)
            }
        }
    }

    fn collect(&self, path: &str, at: u32, limit: usize, out: &mut Vec<ElementScalar>) {
        match self {
            LayoutType::Struct { fields, .. } => {
                for field in fields {
                    field.collect(path, at, limit, out);
                }
            }
            LayoutType::Numeric {
                component,
                rows,
                columns,
                row_major,
                vector_stride,
            } => {
                let bytes = component_bytes(*component);
                for row in 0..*rows {
                    for column in 0..*columns {
                        if out.len() >= limit {
                            return;
                        }
                        // The type counts rows and columns as HLSL does, and memory has the vectors
                        // of the order that is declared.
                        let (vector, index) = match (row_major, *rows > 1) {
                            (true, _) | (_, false) => (row, column),
                            (false, true) => (column, row),
                        };
                        let path = match (*rows, *columns) {
                            (1, 1) => path.to_owned(),
                            (1, _) => component_path(path, column),
                            _ => format!("{path}[{row}][{column}]"),
                        };
                        let inside = vector
                            .saturating_mul(*vector_stride)
                            .saturating_add(index.saturating_mul(bytes));
                        out.push(ElementScalar {
                            path,
                            offset: at.saturating_add(inside),
                            component: *component,
                        });
                    }
                }
            }
        }
    }
}

/// Returns `velocity.x`, or `x` for an element without a name.
fn component_path(path: &str, column: u32) -> String {
    let letter = usize::try_from(column)
        .ok()
        .and_then(|column| "xyzw".get(column..=column));
    match letter {
        Some(letter) if path.is_empty() => letter.to_owned(),
        Some(letter) => format!("{path}.{letter}"),
        None => format!("{path}[{column}]"),
    }
}

impl LayoutField {
    /// Returns the number of array elements; 1 for what is not an array.
    pub fn elements(&self) -> u32 {
        self.array
            .iter()
            .fold(1, |count, length| count.saturating_mul(*length))
    }

    /// Returns the type as HLSL writes it: `float3`, `row_major float3x4`, `Light`.
    pub fn type_name(&self) -> String {
        match &self.ty {
            LayoutType::Struct { name, .. } if name.is_empty() => "struct".to_owned(),
            LayoutType::Struct { name, .. } => name.clone(),
            LayoutType::Numeric {
                component,
                rows,
                columns,
                row_major,
                ..
            } => {
                let scalar = scalar_name(*component);
                match (rows, columns, row_major) {
                    (1, 1, _) => scalar.to_owned(),
                    (1, columns, _) => format!("{scalar}{columns}"),
                    (rows, columns, true) => format!("row_major {scalar}{rows}x{columns}"),
                    (rows, columns, false) => format!("{scalar}{rows}x{columns}"),
                }
            }
        }
    }

    fn collect(&self, outer: &str, base: u32, limit: usize, out: &mut Vec<ElementScalar>) {
        // An array of billions of empty structures is said in a few bytes.
        if !self.ty.has_scalars() {
            return;
        }
        let path = match (outer, self.name.as_str()) {
            ("", name) => name.to_owned(),
            (outer, "") => outer.to_owned(),
            (outer, name) => format!("{outer}.{name}"),
        };
        let start = base.saturating_add(self.offset);
        for index in 0..self.elements() {
            if out.len() >= limit {
                return;
            }
            let at = start.saturating_add(index.saturating_mul(self.stride));
            let path = format!("{path}{}", indices(&self.array, index));
            self.ty.collect(&path, at, limit, out);
        }
    }
}

/// Returns `[1][2]` of an element's number.
fn indices(array: &[u32], index: u32) -> String {
    let mut rest = index;
    let mut numbers: Vec<u32> = Vec::with_capacity(array.len());
    for length in array.iter().rev() {
        numbers.push(rest.checked_rem(*length).unwrap_or(0));
        rest = rest.checked_div(*length).unwrap_or(0);
    }
    let mut text = String::new();
    for number in numbers.iter().rev() {
        let _ = write!(text, "[{number}]");
    }
    text
}

/// Returns HLSL's name of a component type.
pub(super) fn scalar_name(component: ComponentType) -> &'static str {
    use ComponentType as C;
    match component {
        C::I1 => "bool",
        C::I16 => "int16_t",
        C::U16 => "uint16_t",
        C::I32 => "int",
        C::I64 => "int64_t",
        C::U64 => "uint64_t",
        C::F16 | C::SNormF16 | C::UNormF16 => "half",
        C::F32 | C::SNormF32 | C::UNormF32 => "float",
        C::F64 | C::SNormF64 | C::UNormF64 => "double",
        C::Invalid | C::U32 | C::PackedS8x32 | C::PackedU8x32 => "uint",
    }
}

/// A line per field: offset, size, type and name; fields of structures are indented and have the
/// offsets of the first array element.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fields(f, &self.fields, 0, 0)
    }
}

fn write_fields(
    f: &mut fmt::Formatter<'_>,
    fields: &[LayoutField],
    base: u32,
    depth: usize,
) -> fmt::Result {
    for field in fields {
        let offset = base.saturating_add(field.offset);
        let lengths: String = field.array.iter().map(|n| format!("[{n}]")).collect();
        let name = match field.name.as_str() {
            "" => "(element)",
            name => name,
        };
        let unused = match field.is_used {
            Some(false) => "  (unused)",
            _ => "",
        };
        writeln!(
            f,
            "{offset:>6} {:>6}  {:indent$}{} {name}{lengths}{unused}",
            field.size,
            "",
            field.type_name(),
            indent = depth * 2,
        )?;
        if let LayoutType::Struct { fields, .. } = &field.ty {
            write_fields(f, fields, offset, depth + 1)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numeric(component: ComponentType, rows: u32, columns: u32, row_major: bool) -> LayoutType {
        LayoutType::Numeric {
            component,
            rows,
            columns,
            row_major,
            vector_stride: 16,
        }
    }

    fn field(name: &str, offset: u32, ty: LayoutType) -> LayoutField {
        LayoutField {
            name: name.to_owned(),
            offset,
            size: ty.size(),
            array: Vec::new(),
            stride: 0,
            ty,
            is_used: None,
        }
    }

    #[test]
    fn matrices_are_named_by_row_and_column_wherever_they_lie() {
        let paths = |row_major| {
            let ty = numeric(ComponentType::F32, 2, 3, row_major);
            let layout = Layout {
                size: ty.size(),
                fields: vec![field("m", 0, ty)],
            };
            let scalars = layout.scalars(100);
            let found = scalars.iter().find(|s| s.path == "m[1][2]").unwrap();
            (layout.size, scalars.len(), found.offset)
        };
        // Two rows of three, or three columns of two, each in a register of its own.
        assert_eq!(paths(true), (28, 6, 24));
        assert_eq!(paths(false), (40, 6, 36));
    }

    #[test]
    fn arrays_of_structures_repeat_their_fields() {
        let light = LayoutType::Struct {
            name: "Light".to_owned(),
            fields: vec![field("dir", 4, numeric(ComponentType::F32, 1, 3, true))],
        };
        let mut lights = field("lights", 16, light);
        lights.array = vec![2, 2];
        lights.stride = 16;
        let layout = Layout {
            size: 80,
            fields: vec![
                field("n", 0, numeric(ComponentType::U32, 1, 1, true)),
                lights,
            ],
        };
        let scalars = layout.scalars(100);
        assert_eq!(scalars.len(), 13);
        let last = scalars.last().unwrap();
        assert_eq!(
            (last.path.as_str(), last.offset),
            ("lights[1][1].dir.z", 76)
        );
        assert_eq!(layout.scalars(5).len(), 5);
        assert_eq!(layout.field_at(15).unwrap().name, "n");
        assert_eq!(layout.field_at(16).unwrap().name, "lights");
        let text = layout.to_string();
        assert!(
            text.contains("    16     16  Light lights[2][2]\n"),
            "{text}"
        );
        assert!(text.contains("    20     12    float3 dir\n"), "{text}");
    }
}
