//! From the container's signature parts to the elements that DXIL's operations name.

use super::declarations::Declarations;
use super::register_files::{has_patch_constants, has_signature};
use super::tokens::File;
use crate::FourCc;
use crate::container::{
    Container, ProgramSignature, SignatureComponentType, SignatureParameter, SystemValue,
};
use crate::dxil::{ComponentType, InterpolationMode, SemanticKind, ShaderKind, SignatureElement};
use crate::error::{Error, ErrorKind, Result};
use crate::limits::MAX_SIGNATURE_ELEMENTS;

/// The signatures of a shader.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signatures {
    /// Inputs; for a hull or domain shader, of each control point.
    pub inputs: Vec<SignatureElement>,
    /// Outputs.
    pub outputs: Vec<SignatureElement>,
    /// Patch constants.
    pub patch_constants: Vec<SignatureElement>,
}

/// Reads the signatures of a container.
///
/// # Errors
/// If a part is malformed.
pub(super) fn read(
    container: &Container<'_>,
    kind: ShaderKind,
    declarations: &Declarations,
) -> Result<Signatures> {
    let part = |names: &[FourCc]| -> Result<Vec<SignatureElement>> {
        let Some(part) = names.iter().find_map(|&name| container.part(name)) else {
            return Ok(Vec::new());
        };
        let signature = ProgramSignature::parse(part)?;
        if signature.parameters.len() > MAX_SIGNATURE_ELEMENTS {
            return Err(Error::new(ErrorKind::Limit {
                what: "elements of a signature",
                value: signature.parameters.len() as u64,
                limit: MAX_SIGNATURE_ELEMENTS as u64,
            })
            .in_part(signature.part));
        }
        Ok(elements(&signature.parameters))
    };
    let mut inputs = part(&[FourCc::ISG1, FourCc::ISGN])?;
    // Registers that only one stage has (`vPrim`) are listed without a register number.
    inputs.retain(|element| element.start_row.is_some());
    for (id, element) in (0..).zip(&mut inputs) {
        element.id = id;
    }
    let outputs = part(&[FourCc::OSG1, FourCc::OSG5, FourCc::OSGN])?;
    let mut patch_constants = part(&[FourCc::PSG1, FourCc::PCSG])?;
    // Stages without such registers have nothing that the elements could be.
    let has_elements = !inputs.is_empty() || !outputs.is_empty();
    if has_elements && !has_signature(kind) {
        return Err(Error::malformed(format!(
            "a {} shader with inputs or outputs in its signatures",
            kind.prefix()
        )));
    }
    if !has_patch_constants(kind) {
        patch_constants.clear();
    }
    // Only the pixel shader's declarations say how the rasterizer interpolates.
    if kind == ShaderKind::Pixel {
        for element in &mut inputs {
            element.interpolation = interpolation(declarations, element);
        }
    }
    Ok(Signatures {
        inputs,
        outputs,
        patch_constants,
    })
}

fn elements(parameters: &[SignatureParameter<'_>]) -> Vec<SignatureElement> {
    let mut elements: Vec<SignatureElement> = Vec::with_capacity(parameters.len());
    for parameter in parameters {
        let element = element(parameter, elements.len());
        let continued = elements.iter().position(|last| continues(last, &element));
        match continued.and_then(|index| elements.get_mut(index)) {
            Some(last) => {
                last.rows += 1;
                let mut indices = last.semantic_indices.to_vec();
                indices.extend_from_slice(&element.semantic_indices);
                last.semantic_indices = indices.into();
            }
            None => elements.push(element),
        }
    }
    elements
}

/// Returns whether a tessellation factor is the next row of an earlier one: DXIL has one element
/// for all edges. Other elements may share the first one's register and stand between them.
fn continues(last: &SignatureElement, element: &SignatureElement) -> bool {
    let is_factor = matches!(
        element.semantic,
        SemanticKind::TessFactor | SemanticKind::InsideTessFactor
    );
    is_factor
        && last.semantic == element.semantic
        && last.start_column == element.start_column
        && last.start_row.map(|row| row + last.rows) == element.start_row
}

fn element(parameter: &SignatureParameter<'_>, id: usize) -> SignatureElement {
    let start = parameter.mask.trailing_zeros().min(3);
    let columns = (parameter.mask >> start)
        .trailing_ones()
        // A mask of zero, which only a malformed file has, counts as one component: DXIL elements
        // have at least one.
        .clamp(1, 4 - start);
    SignatureElement {
        id: u32::try_from(id).unwrap_or(u32::MAX),
        name: parameter.semantic_name.into(),
        semantic: semantic(parameter),
        semantic_indices: Box::new([parameter.semantic_index]),
        component: match parameter.component_type {
            SignatureComponentType::U32 | SignatureComponentType::U16 => ComponentType::U32,
            SignatureComponentType::I32 | SignatureComponentType::I16 => ComponentType::I32,
            // Minimum precision may be more, and both sides of a stage boundary must agree.
            _ => ComponentType::F32,
        },
        interpolation: InterpolationMode::Undefined,
        rows: 1,
        columns,
        start_row: parameter.register,
        start_column: if parameter.register.is_some() {
            start
        } else {
            0
        },
        stream: parameter.stream,
        usage_mask: None,
        dynamic_index_mask: 0,
    }
}

fn semantic(parameter: &SignatureParameter<'_>) -> SemanticKind {
    use SemanticKind as S;
    use SystemValue as V;
    match parameter.system_value {
        V::Position => S::Position,
        V::ClipDistance => S::ClipDistance,
        V::CullDistance => S::CullDistance,
        V::RenderTargetArrayIndex => S::RenderTargetArrayIndex,
        V::ViewportArrayIndex => S::ViewPortArrayIndex,
        V::VertexId => S::VertexId,
        V::PrimitiveId => S::PrimitiveId,
        V::InstanceId => S::InstanceId,
        V::IsFrontFace => S::IsFrontFace,
        V::SampleIndex => S::SampleIndex,
        V::FinalQuadEdgeTessFactor
        | V::FinalTriEdgeTessFactor
        | V::FinalLineDetailTessFactor
        | V::FinalLineDensityTessFactor => S::TessFactor,
        V::FinalQuadInsideTessFactor | V::FinalTriInsideTessFactor => S::InsideTessFactor,
        V::Barycentrics => S::Barycentrics,
        V::ShadingRate => S::ShadingRate,
        V::CullPrimitive => S::CullPrimitive,
        V::Target => S::Target,
        V::Depth => S::Depth,
        V::Coverage => S::Coverage,
        V::DepthGreaterEqual => S::DepthGreaterEqual,
        V::DepthLessEqual => S::DepthLessEqual,
        V::StencilRef => S::StencilRef,
        V::InnerCoverage => S::InnerCoverage,
        // A pixel shader's outputs have no system value in the file; their names show it.
        V::Undefined | V::Other(_) => of_name(parameter.semantic_name),
    }
}

fn of_name(name: &str) -> SemanticKind {
    use SemanticKind as S;
    const NAMES: [(&str, SemanticKind); 7] = [
        ("SV_Target", S::Target),
        ("SV_Depth", S::Depth),
        ("SV_DepthGreaterEqual", S::DepthGreaterEqual),
        ("SV_DepthLessEqual", S::DepthLessEqual),
        ("SV_Coverage", S::Coverage),
        ("SV_StencilRef", S::StencilRef),
        ("SV_InnerCoverage", S::InnerCoverage),
    ];
    let found = NAMES
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map_or(S::Arbitrary, |&(_, semantic)| semantic)
}

/// Returns the interpolation in the declaration that covers an element.
fn interpolation(declarations: &Declarations, element: &SignatureElement) -> InterpolationMode {
    let mask = ((1u32 << element.columns) - 1) << element.start_column;
    let declared = declarations.registers.iter().find(|declared| {
        declared.file == File::Input
            && declared.register == element.start_row
            && u32::from(declared.mask) & mask != 0
    });
    let mode = declared.map_or(InterpolationMode::Undefined, |found| found.interpolation);
    match (mode, element.component) {
        // Integers cannot be interpolated, and system values that the stage makes say nothing.
        (InterpolationMode::Undefined, ComponentType::I32 | ComponentType::U32) => {
            InterpolationMode::Constant
        }
        (InterpolationMode::Undefined, _) => InterpolationMode::Linear,
        (mode, _) => mode,
    }
}
