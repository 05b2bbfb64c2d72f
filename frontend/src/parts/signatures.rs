//! ISG1, OSG1 and PSG1: the signatures of an entry point, an element for each row.

use super::features::module_flags;
use super::{pad, put, validator_minor, word};
use crate::container::fourcc::FourCc;
use crate::container::{MinPrecision, SignatureComponentType, SystemValue};
use crate::dxil::interpretation::{Direction, interpretation};
use crate::dxil::{
    ComponentType, DomainShape, EntryPoint, SemanticKind, Shader, ShaderFlags, ShaderKind,
    SignatureElement, Stage,
};
use crate::error::Result;
use crate::tables::HashMap;

/// Bytes of the header and of an element.
const HEADER_BYTES: usize = 8;
const ELEMENT_BYTES: usize = 32;

/// Returns the content of ISG1, OSG1 or PSG1 of the module's only entry point; `None` for another
/// part, and for a library.
///
/// # Errors
///
/// If the part would be larger than 4 GiB.
pub fn signature(shader: &Shader, part: FourCc) -> Result<Option<Vec<u8>>> {
    let shares_names = validator_minor(shader) >= 7;
    write(shader, part, shares_names)
}

/// Returns every form of [`signature`] that a compiler of the module's validator version writes:
/// before version 1.7, and with early builds of DXC 1.7, elements of one semantic do not share
/// their name. Empty where [`signature`] is `None`.
///
/// # Errors
///
/// If the part would be larger than 4 GiB.
pub fn signature_forms(shader: &Shader, part: FourCc) -> Result<Vec<Vec<u8>>> {
    let mut forms = Vec::from_iter(signature(shader, part)?);
    if validator_minor(shader) == 7 {
        forms.extend(write(shader, part, false)?);
    }
    Ok(forms)
}

fn write(shader: &Shader, part: FourCc, shares_names: bool) -> Result<Option<Vec<u8>>> {
    if shader.shader_model.kind == ShaderKind::Library {
        return Ok(None);
    }
    let Some(entry) = shader.entry_points.first() else {
        return Ok(None);
    };
    let (elements, direction) = match part {
        FourCc::ISG1 => (&entry.inputs, Direction::Input),
        FourCc::OSG1 => (&entry.outputs, Direction::Output),
        FourCc::PSG1 => (&entry.patch_constants, Direction::Third),
        _ => return Ok(None),
    };
    let writer = SignatureWriter {
        kind: shader.shader_model.kind,
        shader_minor: shader.shader_model.minor,
        validator_minor: validator_minor(shader),
        shares_names,
        domain: domain_of(entry),
        direction,
        min_precision: !module_flags(shader).contains(ShaderFlags::USE_NATIVE_LOW_PRECISION),
    };
    writer.write(elements).map(Some)
}

fn domain_of(entry: &EntryPoint) -> DomainShape {
    match entry.stage {
        Stage::Hull { domain, .. } | Stage::Domain { domain, .. } => domain,
        _ => DomainShape::Undefined,
    }
}

struct SignatureWriter {
    kind: ShaderKind,
    shader_minor: u8,
    validator_minor: u8,
    shares_names: bool,
    domain: DomainShape,
    direction: Direction,
    min_precision: bool,
}

/// A row as it is written, before sorting.
struct Row {
    stream: u32,
    name: u32,
    index: u32,
    system_value: SystemValue,
    component: SignatureComponentType,
    register: u32,
    mask: u8,
    usage: u8,
    precision: MinPrecision,
}

impl SignatureWriter {
    fn write(&self, elements: &[SignatureElement]) -> Result<Vec<u8>> {
        let is_listed = |element: &&SignatureElement| {
            let kind = element.semantic;
            interpretation(kind, self.kind, self.direction, self.shader_minor).is_in_signature()
        };
        let count = elements.iter().filter(is_listed);
        let count: usize = count.map(|element| element.semantic_indices.len()).sum();
        // The names follow the elements. An element that is not listed has its name there, too.
        let mut names = Vec::new();
        let mut known: HashMap<&str, u32> = HashMap::default();
        let first_name = HEADER_BYTES + count * ELEMENT_BYTES;
        let mut rows = Vec::with_capacity(count);
        for element in elements {
            let here = word(first_name + names.len(), "signature part")?;
            // The names of system values are always shared.
            let shares = self.shares_names || element.semantic != SemanticKind::Arbitrary;
            let offset = match known.get(&*element.name) {
                Some(&offset) if shares => offset,
                _ => {
                    names.extend_from_slice(element.name.as_bytes());
                    names.push(0);
                    known.insert(&element.name, here);
                    here
                }
            };
            if is_listed(&element) {
                self.rows(element, offset, &mut rows);
            }
        }
        rows.sort_by_key(|row| (row.stream, row.register, row.name));
        let mut out = Vec::with_capacity(first_name + names.len());
        put(&mut out, word(count, "signature part")?);
        put(&mut out, word(HEADER_BYTES, "signature part")?);
        for row in &rows {
            for word in [
                row.stream,
                row.name,
                row.index,
                row.system_value.number(),
                row.component.number(),
                row.register,
                u32::from_le_bytes([row.mask, row.usage, 0, 0]),
                row.precision.number(),
            ] {
                put(&mut out, word);
            }
        }
        out.extend_from_slice(&names);
        if self.validator_minor >= 7 {
            pad(&mut out);
        }
        Ok(out)
    }

    /// Adds the rows of an element.
    fn rows(&self, element: &SignatureElement, name: u32, rows: &mut Vec<Row>) {
        let shift = element.start_row.map_or(0, |_| element.start_column);
        let columns = (1u32 << element.columns.min(4)) - 1;
        let mask = (columns.checked_shl(shift).unwrap_or(0) & 0xff) as u8;
        let is_input = match self.direction {
            Direction::Input => true,
            Direction::Output => false,
            Direction::Third => self.kind == ShaderKind::Domain,
        };
        let used = u32::from(element.usage_mask.unwrap_or(0));
        let used = (used.checked_shl(shift).unwrap_or(0) & 0xff) as u8;
        let usage = match (is_input, self.validator_minor) {
            // Before version 1.5: nothing is always read, and what exists is written.
            (true, 0..5) => 0,
            (false, 0..5) => !mask,
            (true, _) => used,
            (false, _) => !used & 0xf,
        };
        // An element of several rows has an index for each; one of a mesh shader that is an array
        // of arrays has more.
        let step = element
            .rows
            .checked_div(u32::try_from(element.semantic_indices.len()).unwrap_or(u32::MAX))
            .unwrap_or(0);
        let mut row = Row {
            stream: element.stream,
            name,
            index: 0,
            system_value: system_value(element.semantic, self.domain),
            component: component_type(element.component, self.validator_minor),
            register: element.start_row.unwrap_or(u32::MAX),
            mask,
            usage,
            precision: if self.min_precision {
                precision_of(element.component)
            } else {
                MinPrecision::Default
            },
        };
        for index in &element.semantic_indices {
            rows.push(Row {
                index: *index,
                ..row
            });
            if element.start_row.is_some() {
                row.register = row.register.wrapping_add(step);
            }
            // The factors of an isoline: density in the first row, detail in the second.
            if row.system_value == SystemValue::FinalLineDensityTessFactor {
                row.system_value = SystemValue::FinalLineDetailTessFactor;
            }
        }
    }
}

fn system_value(kind: SemanticKind, domain: DomainShape) -> SystemValue {
    use SystemValue as S;
    match kind {
        SemanticKind::Arbitrary => S::Undefined,
        SemanticKind::VertexId => S::VertexId,
        SemanticKind::InstanceId => S::InstanceId,
        SemanticKind::Position => S::Position,
        SemanticKind::Coverage => S::Coverage,
        SemanticKind::InnerCoverage => S::InnerCoverage,
        SemanticKind::PrimitiveId => S::PrimitiveId,
        SemanticKind::SampleIndex => S::SampleIndex,
        SemanticKind::IsFrontFace => S::IsFrontFace,
        SemanticKind::RenderTargetArrayIndex => S::RenderTargetArrayIndex,
        SemanticKind::ViewPortArrayIndex => S::ViewportArrayIndex,
        SemanticKind::ClipDistance => S::ClipDistance,
        SemanticKind::CullDistance => S::CullDistance,
        SemanticKind::Barycentrics => S::Barycentrics,
        SemanticKind::ShadingRate => S::ShadingRate,
        SemanticKind::CullPrimitive => S::CullPrimitive,
        SemanticKind::TessFactor => match domain {
            DomainShape::IsoLine => S::FinalLineDensityTessFactor,
            DomainShape::Tri => S::FinalTriEdgeTessFactor,
            DomainShape::Quad => S::FinalQuadEdgeTessFactor,
            DomainShape::Undefined => S::Undefined,
        },
        SemanticKind::InsideTessFactor => match domain {
            DomainShape::Tri => S::FinalTriInsideTessFactor,
            DomainShape::Quad => S::FinalQuadInsideTessFactor,
            DomainShape::IsoLine | DomainShape::Undefined => S::Undefined,
        },
        SemanticKind::Target => S::Target,
        SemanticKind::Depth => S::Depth,
        SemanticKind::DepthLessEqual => S::DepthLessEqual,
        SemanticKind::DepthGreaterEqual => S::DepthGreaterEqual,
        SemanticKind::StencilRef => S::StencilRef,
        // What no signature has.
        SemanticKind::OutputControlPointId
        | SemanticKind::DomainLocation
        | SemanticKind::GsInstanceId
        | SemanticKind::DispatchThreadId
        | SemanticKind::GroupId
        | SemanticKind::GroupIndex
        | SemanticKind::GroupThreadId
        | SemanticKind::ViewId
        | SemanticKind::StartVertexLocation
        | SemanticKind::StartInstanceLocation => S::Undefined,
    }
}

/// Returns the type that a signature part names for a component; `validator_minor` is of the
/// validator version for which it is written.
pub fn component_type(component: ComponentType, validator_minor: u8) -> SignatureComponentType {
    use SignatureComponentType as S;
    match component {
        // Before version 1.5 booleans were of an unknown type.
        ComponentType::I1 if validator_minor < 5 => S::Unknown,
        ComponentType::I1 | ComponentType::U32 => S::U32,
        ComponentType::I32 => S::I32,
        ComponentType::F32 => S::F32,
        ComponentType::I16 => S::I16,
        ComponentType::U16 => S::U16,
        ComponentType::F16 => S::F16,
        ComponentType::I64 => S::I64,
        ComponentType::U64 => S::U64,
        ComponentType::F64 => S::F64,
        _ => S::Unknown,
    }
}

fn precision_of(component: ComponentType) -> MinPrecision {
    match component {
        ComponentType::I16 => MinPrecision::SInt16,
        ComponentType::U16 => MinPrecision::UInt16,
        ComponentType::F16 => MinPrecision::Float16,
        _ => MinPrecision::Default,
    }
}
