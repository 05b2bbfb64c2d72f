//! D3D12's rules for the link of two stages of a draw (`CreateGraphicsPipelineState`, "Linking
//! shaders"): each element that a stage reads must be written by the stage before it, with the same
//! semantic name and index, in the same register, with the same type and with all its components.
//! Further outputs are allowed.

use dxil_frontend::dxil::{
    ComponentType, EntryPoint, SemanticKind, Shader, ShaderKind, SignatureElement,
};

use crate::error::{Error, Result};

/// A row of an element: what the rules are about.
#[derive(Debug, Clone, Copy)]
struct Row<'a> {
    element: &'a SignatureElement,
    index: u32,
    /// Register; `None` where the element is not packed.
    register: Option<u32>,
}

impl<'a> Row<'a> {
    fn all(elements: &'a [SignatureElement]) -> impl Iterator<Item = Row<'a>> {
        elements.iter().flat_map(|element| {
            // A system value may have no list of indices; it stands for index 0.
            let count = element.semantic_indices.len().max(1);
            (0..count).map(move |row| Row {
                element,
                index: element.semantic_indices.get(row).copied().unwrap_or(0),
                register: element
                    .start_row
                    .map(|first| first.saturating_add(row as u32)),
            })
        })
    }

    fn has_semantic(&self, other: &Row<'_>) -> bool {
        self.index == other.index && self.element.name.eq_ignore_ascii_case(&other.element.name)
    }

    /// Returns the components, a bit each.
    fn mask(&self) -> u32 {
        let first = match self.register {
            Some(_) => self.element.start_column,
            None => 0,
        };
        let components = (1_u32 << self.element.columns.min(4)) - 1;
        components << first.min(3) & 0xf
    }

    /// Returns the element as messages show it: semantic, type and place.
    fn shown(&self) -> String {
        let Row { element, index, .. } = self;
        let columns = element.columns.clamp(1, 4) as usize;
        let ty = type_name(element.component);
        let shape = match columns {
            1 => ty.to_owned(),
            _ => format!("{ty}{columns}"),
        };
        let semantic = if element.name.to_ascii_uppercase().starts_with("SV_") && *index == 0 {
            element.name.to_string()
        } else {
            format!("{}{index}", element.name)
        };
        match self.register {
            Some(register) => {
                let first = element.start_column.min(3) as usize;
                let place = &"xyzw"[first..(first + columns).min(4)];
                format!("{semantic} ({shape} in register {register}.{place})")
            }
            None => format!("{semantic} ({shape})"),
        }
    }
}

fn type_name(component: ComponentType) -> &'static str {
    use ComponentType as C;
    match component {
        C::I1 => "bool",
        C::I16 => "int16_t",
        C::U16 => "uint16_t",
        C::I32 => "int",
        C::U32 => "uint",
        C::I64 => "int64_t",
        C::U64 => "uint64_t",
        C::F16 | C::SNormF16 | C::UNormF16 => "half",
        C::F64 | C::SNormF64 | C::UNormF64 => "double",
        C::F32 | C::SNormF32 | C::UNormF32 | C::Invalid | C::PackedS8x32 | C::PackedU8x32 => {
            "float"
        }
    }
}

/// Returns the type that registers are compared by.
fn register_type(component: ComponentType) -> &'static str {
    match component {
        // Booleans take a register of unsigned integers.
        ComponentType::I1 => type_name(ComponentType::U32),
        other => type_name(other),
    }
}

/// Returns whether a stage has a value without an output of the stage before it.
fn is_generated(stage: ShaderKind, semantic: SemanticKind) -> bool {
    use SemanticKind as S;
    match semantic {
        S::PrimitiveId | S::ViewId | S::OutputControlPointId | S::DomainLocation => true,
        S::GsInstanceId => true,
        // The rasterizer has these; the indices are 0 where no stage writes them.
        S::Position
        | S::IsFrontFace
        | S::SampleIndex
        | S::Coverage
        | S::InnerCoverage
        | S::Barycentrics
        | S::ShadingRate
        | S::RenderTargetArrayIndex
        | S::ViewPortArrayIndex
        | S::CullPrimitive => stage == ShaderKind::Pixel,
        _ => false,
    }
}

/// Returns the entry point that is linked.
fn entry_of<'a>(shader: &'a Shader, entry: Option<&str>) -> Option<&'a EntryPoint> {
    match entry {
        Some(name) => shader.entry_point(name),
        // The library itself is listed as an entry point and has no function.
        None => {
            let mut all = shader.entry_points.iter();
            all.find(|point| point.kind != ShaderKind::Library)
        }
    }
}

/// Checks the links between the stages of a draw, given in any order.
///
/// # Errors
///
/// [`Error::StageLink`] names the element that is read, what is written instead, and both shaders.
pub(crate) fn check(shaders: &[&Shader], entry: Option<&str>) -> Result<()> {
    let entries = shaders.iter().filter_map(|shader| entry_of(shader, entry));
    let entries: Vec<&EntryPoint> = entries.collect();
    use ShaderKind::{Domain, Geometry, Hull, Mesh, Pixel, Vertex};
    const ORDER: [ShaderKind; 6] = [Vertex, Hull, Domain, Geometry, Mesh, Pixel];
    let stages = ORDER.iter().filter_map(|kind| {
        let mut entries = entries.iter();
        entries.find(|entry| entry.kind == *kind && !entry.is_node())
    });
    let stages: Vec<&EntryPoint> = stages.copied().collect();
    for pair in stages.windows(2) {
        let &[writer, reader] = pair else { continue };
        let written: Vec<Row<'_>> = match writer.kind {
            // A pixel shader does not tell what it reads per vertex from what it reads per
            // primitive.
            Mesh => Row::all(&writer.outputs)
                .chain(Row::all(&writer.patch_constants))
                .collect(),
            _ => Row::all(&writer.outputs).collect(),
        };
        check_signature((writer, &written), (reader, &reader.inputs))?;
        if (writer.kind, reader.kind) == (Hull, Domain) {
            let written: Vec<Row<'_>> = Row::all(&writer.patch_constants).collect();
            check_signature((writer, &written), (reader, &reader.patch_constants))?;
        }
    }
    Ok(())
}

fn check_signature(
    (writer, written): (&EntryPoint, &[Row<'_>]),
    (reader, inputs): (&EntryPoint, &[SignatureElement]),
) -> Result<()> {
    // Mesh shaders pack vertices and primitives by themselves, so that registers say nothing.
    let has_registers = writer.kind != ShaderKind::Mesh;
    for row in Row::all(inputs) {
        let element = row.element;
        let is_read = element.usage_mask != Some(0) || element.dynamic_index_mask != 0;
        if !is_read || is_generated(reader.kind, element.semantic) {
            continue;
        }
        let found = written.iter().find(|other| row.has_semantic(other));
        let Some(found) = found else {
            let same_place = |other: &&Row<'_>| {
                has_registers && row.register.is_some() && other.register == row.register
            };
            let instead = match written.iter().find(same_place) {
                Some(other) => format!("there it writes {}", other.shown()),
                None if written.is_empty() => "it writes nothing".to_owned(),
                None => {
                    let all: Vec<String> = written.iter().map(Row::shown).collect();
                    format!("it writes {}", all.join(", "))
                }
            };
            return Err(problem(reader, writer, &row, &instead));
        };
        let differs = register_type(element.component) != register_type(found.element.component);
        let has_moved = has_registers && row.register.is_some() && row.register != found.register;
        let has_columns = if has_registers {
            row.mask() & !found.mask() == 0
        } else {
            element.columns <= found.element.columns
        };
        if differs || has_moved || !has_columns {
            let instead = format!("it writes {}", found.shown());
            return Err(problem(reader, writer, &row, &instead));
        }
    }
    Ok(())
}

fn problem(reader: &EntryPoint, writer: &EntryPoint, row: &Row<'_>, instead: &str) -> Error {
    Error::StageLink {
        reader: format!("{} shader {}", kind_name(reader.kind), reader.plain_name()),
        element: row.shown(),
        writer: format!("{} shader {}", kind_name(writer.kind), writer.plain_name()),
        instead: instead.to_owned(),
    }
}

fn kind_name(kind: ShaderKind) -> &'static str {
    match kind {
        ShaderKind::Vertex => "vertex",
        ShaderKind::Hull => "hull",
        ShaderKind::Domain => "domain",
        ShaderKind::Geometry => "geometry",
        ShaderKind::Mesh => "mesh",
        _ => "pixel",
    }
}
