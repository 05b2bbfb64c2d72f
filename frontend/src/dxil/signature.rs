//! Signature elements (DXIL document, "Shader Parameters and Signatures"; metadata of
//! `dx.entryPoints`).

use super::ComponentType;
use super::metadata::{Meta, operand};
use crate::error::{Error, ErrorKind, Result};
use crate::ir::MdId;
use crate::limits;

/// System value of a signature element, DXIL's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "DXIL's own names")]
#[repr(u8)]
pub enum SemanticKind {
    Arbitrary = 0,
    VertexId = 1,
    InstanceId = 2,
    Position = 3,
    RenderTargetArrayIndex = 4,
    ViewPortArrayIndex = 5,
    ClipDistance = 6,
    CullDistance = 7,
    OutputControlPointId = 8,
    DomainLocation = 9,
    PrimitiveId = 10,
    GsInstanceId = 11,
    SampleIndex = 12,
    IsFrontFace = 13,
    Coverage = 14,
    InnerCoverage = 15,
    Target = 16,
    Depth = 17,
    DepthLessEqual = 18,
    DepthGreaterEqual = 19,
    StencilRef = 20,
    DispatchThreadId = 21,
    GroupId = 22,
    GroupIndex = 23,
    GroupThreadId = 24,
    TessFactor = 25,
    InsideTessFactor = 26,
    ViewId = 27,
    Barycentrics = 28,
    ShadingRate = 29,
    CullPrimitive = 30,
    StartVertexLocation = 31,
    StartInstanceLocation = 32,
}

impl SemanticKind {
    /// Returns the variant with this number in DXIL.
    pub fn from_number(number: u64) -> Option<Self> {
        use SemanticKind::*;
        const ALL: [SemanticKind; 33] = [
            Arbitrary,
            VertexId,
            InstanceId,
            Position,
            RenderTargetArrayIndex,
            ViewPortArrayIndex,
            ClipDistance,
            CullDistance,
            OutputControlPointId,
            DomainLocation,
            PrimitiveId,
            GsInstanceId,
            SampleIndex,
            IsFrontFace,
            Coverage,
            InnerCoverage,
            Target,
            Depth,
            DepthLessEqual,
            DepthGreaterEqual,
            StencilRef,
            DispatchThreadId,
            GroupId,
            GroupIndex,
            GroupThreadId,
            TessFactor,
            InsideTessFactor,
            ViewId,
            Barycentrics,
            ShadingRate,
            CullPrimitive,
            StartVertexLocation,
            StartInstanceLocation,
        ];
        ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// Returns the name that HLSL has for a system value; `None` for what is none.
    pub fn hlsl_name(self) -> Option<&'static str> {
        use SemanticKind::*;
        Some(match self {
            Arbitrary => return None,
            VertexId => "SV_VertexID",
            InstanceId => "SV_InstanceID",
            Position => "SV_Position",
            RenderTargetArrayIndex => "SV_RenderTargetArrayIndex",
            ViewPortArrayIndex => "SV_ViewportArrayIndex",
            ClipDistance => "SV_ClipDistance",
            CullDistance => "SV_CullDistance",
            OutputControlPointId => "SV_OutputControlPointID",
            DomainLocation => "SV_DomainLocation",
            PrimitiveId => "SV_PrimitiveID",
            GsInstanceId => "SV_GSInstanceID",
            SampleIndex => "SV_SampleIndex",
            IsFrontFace => "SV_IsFrontFace",
            Coverage => "SV_Coverage",
            InnerCoverage => "SV_InnerCoverage",
            Target => "SV_Target",
            Depth => "SV_Depth",
            DepthLessEqual => "SV_DepthLessEqual",
            DepthGreaterEqual => "SV_DepthGreaterEqual",
            StencilRef => "SV_StencilRef",
            DispatchThreadId => "SV_DispatchThreadID",
            GroupId => "SV_GroupID",
            GroupIndex => "SV_GroupIndex",
            GroupThreadId => "SV_GroupThreadID",
            TessFactor => "SV_TessFactor",
            InsideTessFactor => "SV_InsideTessFactor",
            ViewId => "SV_ViewID",
            Barycentrics => "SV_Barycentrics",
            ShadingRate => "SV_ShadingRate",
            CullPrimitive => "SV_CullPrimitive",
            StartVertexLocation => "SV_StartVertexLocation",
            StartInstanceLocation => "SV_StartInstanceLocation",
        })
    }
}

/// Interpolation mode, DXIL's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "DXIL's own names")]
#[repr(u8)]
pub enum InterpolationMode {
    Undefined = 0,
    Constant = 1,
    Linear = 2,
    LinearCentroid = 3,
    LinearNoPerspective = 4,
    LinearNoPerspectiveCentroid = 5,
    LinearSample = 6,
    LinearNoPerspectiveSample = 7,
}

impl InterpolationMode {
    /// Returns the variant with this number in DXIL.
    pub fn from_number(number: u64) -> Option<Self> {
        use InterpolationMode::*;
        const ALL: [InterpolationMode; 8] = [
            Undefined,
            Constant,
            Linear,
            LinearCentroid,
            LinearNoPerspective,
            LinearNoPerspectiveCentroid,
            LinearSample,
            LinearNoPerspectiveSample,
        ];
        ALL.get(usize::try_from(number).ok()?).copied()
    }
}

/// One element of an input, output or patch-constant/primitive signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureElement {
    /// Number that `loadInput`/`storeOutput` name.
    pub id: u32,
    /// Semantic name without index, as spelled in the source.
    pub name: Box<str>,
    /// System value.
    pub semantic: SemanticKind,
    /// Semantic index of each row.
    pub semantic_indices: Box<[u32]>,
    /// Component type.
    pub component: ComponentType,
    /// Interpolation by the rasterizer, for inputs of a pixel shader.
    pub interpolation: InterpolationMode,
    /// Rows that it takes, one per semantic index.
    pub rows: u32,
    /// Columns, 1 to 4.
    pub columns: u32,
    /// First row of its place in the packed signature; `None` if not packed.
    pub start_row: Option<u32>,
    /// First column of its place in the packed signature.
    pub start_column: u32,
    /// Geometry shader stream, 0 to 3.
    pub stream: u32,
    /// Components that are read or written (bit per column), where the metadata says so.
    pub usage_mask: Option<u8>,
    /// Bit per component: indexed dynamically.
    pub dynamic_index_mask: u8,
}

/// Reads a signature; `null` is an empty one.
pub(super) fn decode(meta: &Meta<'_>, list: Option<MdId>) -> Result<Vec<SignatureElement>> {
    let list = meta.tuple_or_null(list, "signature")?;
    if list.len() > limits::MAX_SIGNATURE_ELEMENTS {
        return Err(Error::new(ErrorKind::Limit {
            what: "elements of a signature",
            value: list.len() as u64,
            limit: limits::MAX_SIGNATURE_ELEMENTS as u64,
        }));
    }
    let mut elements = Vec::with_capacity(list.len());
    for element in list {
        elements.push(decode_element(meta, *element)?);
    }
    Ok(elements)
}

fn decode_element(meta: &Meta<'_>, node: Option<MdId>) -> Result<SignatureElement> {
    let operands = meta.tuple(node, "signature element")?;
    let indices = meta.tuple_or_null(operand(operands, 4), "semantic indices")?;
    let mut semantic_indices = Vec::with_capacity(indices.len());
    for index in indices {
        semantic_indices.push(meta.u32(*index, "semantic index")?);
    }
    // Place in the packed signature: -1 where it has none, as i32 and i8.
    let start_row = meta.u32(operand(operands, 8), "row of a signature element")?;
    let start_column = meta.u32(operand(operands, 9), "column of a signature element")?;
    let is_packed = start_row != u32::MAX;
    let mut element = SignatureElement {
        id: meta.u32(operand(operands, 0), "id of a signature element")?,
        name: meta.text(operand(operands, 1), "name of a signature element")?,
        component: meta.enumerator(
            operand(operands, 2),
            "component type of a signature element",
            ComponentType::from_number,
        )?,
        semantic: meta.enumerator(
            operand(operands, 3),
            "semantic of a signature element",
            SemanticKind::from_number,
        )?,
        semantic_indices: semantic_indices.into(),
        interpolation: meta.enumerator(
            operand(operands, 5),
            "interpolation of a signature element",
            InterpolationMode::from_number,
        )?,
        rows: meta.u32(operand(operands, 6), "rows of a signature element")?,
        columns: meta.u32(operand(operands, 7), "columns of a signature element")?,
        start_row: is_packed.then_some(start_row),
        start_column: if is_packed { start_column } else { 0 },
        stream: 0,
        usage_mask: None,
        dynamic_index_mask: 0,
    };
    if !(1..=4).contains(&element.columns) {
        return Err(Error::new(ErrorKind::BadValue {
            what: "columns of a signature element",
            value: u64::from(element.columns),
            rule: "1 to 4",
        }));
    }
    if element.rows > limits::MAX_SIGNATURE_ROWS {
        return Err(Error::new(ErrorKind::BadValue {
            what: "rows of a signature element",
            value: u64::from(element.rows),
            rule: "at most 32",
        }));
    }
    // Rows beyond 32 are the validator's to report; the limit keeps row arithmetic within 32 bits.
    if is_packed && start_row > limits::MAX_SIGNATURE_START {
        return Err(Error::new(ErrorKind::BadValue {
            what: "row of a signature element",
            value: u64::from(start_row),
            rule: "at most 65,535",
        }));
    }
    // A row has four components.
    if element.start_column > 4 - element.columns {
        return Err(Error::new(ErrorKind::BadValue {
            what: "column of a signature element",
            value: u64::from(element.start_column),
            rule: "a place within four components",
        }));
    }
    for (tag, value) in meta.pairs(operand(operands, 10), "properties of a signature element")? {
        match meta.int(tag, "tag of a signature element's property")? {
            0 => element.stream = meta.u32(value, "stream of a signature element")?,
            2 => element.dynamic_index_mask = meta.u8(value, "mask of dynamic indices")?,
            3 => element.usage_mask = Some(meta.u8(value, "mask of used components")?),
            _ => {}
        }
    }
    Ok(element)
}
