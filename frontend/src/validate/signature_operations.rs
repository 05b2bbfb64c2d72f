//! Operations on signatures and what only some functions may call.

use super::context::{InstLocation, ValidationContext};
use super::rules::Rule;
use crate::dxil::ops::{Op, Opcode, SignatureOp, StreamOp, SystemValueOp};
use crate::dxil::{
    DomainShape, EntryPoint, InputPrimitive, InterpolationMode, SemanticKind, ShaderKind,
    SignatureElement, Stage,
};
use crate::ir::{FuncId, FuncView, ValueId};

/// An access to an element of a signature.
struct ElementAccess<'a> {
    elements: &'a [SignatureElement],
    element: u32,
    row: ValueId,
    column: u8,
}

/// Returns the entry point whose signatures a function accesses, and whether it is its
/// patch-constant function.
fn entry_of<'a>(cx: &ValidationContext<'a>, function: FuncId) -> Option<(&'a EntryPoint, bool)> {
    match cx.entry(function) {
        Some(entry) => Some((entry, false)),
        None => cx.hull_of(function).map(|entry| (entry, true)),
    }
}

/// Returns whether the operation belongs into an entry point.
fn is_of_signature(op: &Op) -> bool {
    matches!(
        op.opcode(),
        Opcode::LoadInput
            | Opcode::DomainLocation
            | Opcode::StoreOutput
            | Opcode::StoreVertexOutput
            | Opcode::StorePrimitiveOutput
            | Opcode::OutputControlPointID
            | Opcode::LoadOutputControlPoint
            | Opcode::StorePatchConstant
            | Opcode::Coverage
            | Opcode::InnerCoverage
            | Opcode::ViewID
            | Opcode::EvalCentroid
            | Opcode::EvalSampleIndex
            | Opcode::EvalSnapped
            | Opcode::AttributeAtVertex
            | Opcode::EmitStream
            | Opcode::EmitThenCutStream
            | Opcode::CutStream
    )
}

/// Checks an operation.
pub(super) fn check(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    op: &Op,
) {
    if let Op::Signature(SignatureOp::LoadPatchConstant(call)) = op {
        if let Some((entry, _)) = entry_of(cx, location.function) {
            let access = ElementAccess {
                elements: &entry.patch_constants,
                element: call.element,
                row: call.row,
                column: call.column,
            };
            check_access(cx, view, location, &access);
        }
        return;
    }
    if !is_of_signature(op) {
        return;
    }
    let Some((entry, is_patch)) = entry_of(cx, location.function) else {
        let detail = format_args!("{} outside of an entry point", op.opcode());
        cx.report_at(Rule::InstrSignatureOperationNotInEntry, location, detail);
        return;
    };
    let access = |elements, element, row, column| ElementAccess {
        elements,
        element,
        row,
        column,
    };
    match op {
        Op::Signature(SignatureOp::LoadInput(call)) => {
            let access = access(&entry.inputs, call.element, call.row, call.column);
            check_access(cx, view, location, &access);
            check_vertex(cx, view, location, entry, call.vertex.expand());
        }
        Op::Signature(SignatureOp::StoreOutput(call)) => {
            let access = access(&entry.outputs, call.element, call.row, call.column);
            check_access(cx, view, location, &access);
        }
        Op::Signature(SignatureOp::StoreVertexOutput(call)) => {
            let access = access(&entry.outputs, call.element, call.row, call.column);
            check_access(cx, view, location, &access);
        }
        Op::Signature(SignatureOp::StorePrimitiveOutput(call)) => {
            let access = access(&entry.patch_constants, call.element, call.row, call.column);
            check_access(cx, view, location, &access);
        }
        Op::Signature(SignatureOp::StorePatchConstant(call)) => {
            if !is_patch {
                invalid(
                    cx,
                    location,
                    "StorePatchConstant outside of a patch-constant function",
                );
            }
            let access = access(&entry.patch_constants, call.element, call.row, call.column);
            check_access(cx, view, location, &access);
        }
        Op::Signature(SignatureOp::LoadOutputControlPoint(call))
            if entry.kind == ShaderKind::Hull =>
        {
            if !is_patch {
                let detail = "LoadOutputControlPoint outside of a patch-constant function";
                invalid(cx, location, detail);
            }
            let access = access(&entry.outputs, call.element, call.row, call.column);
            check_access(cx, view, location, &access);
        }
        Op::SystemValue(SystemValueOp::OutputControlPointID(_))
            if is_patch || entry.kind != ShaderKind::Hull =>
        {
            let detail = "OutputControlPointID outside of a hull shader's main function";
            invalid(cx, location, detail);
        }
        Op::SystemValue(SystemValueOp::DomainLocation(call)) => {
            if let Stage::Domain { domain, .. } = entry.stage {
                let count = match domain {
                    DomainShape::Undefined => 0,
                    DomainShape::IsoLine | DomainShape::Quad => 2,
                    DomainShape::Tri => 3,
                };
                if call.component >= count {
                    let detail = format_args!("component {} of {domain:?}", call.component);
                    cx.report_at(Rule::SmDomainLocationIdxOOB, location, detail);
                }
            }
        }
        Op::Signature(SignatureOp::EvalCentroid(call)) => {
            let access = access(&entry.inputs, call.element, call.row, call.column);
            check_evaluation(cx, view, location, &access);
        }
        Op::Signature(SignatureOp::EvalSampleIndex(call)) => {
            let access = access(&entry.inputs, call.element, call.row, call.column);
            check_evaluation(cx, view, location, &access);
        }
        Op::Signature(SignatureOp::EvalSnapped(call)) => {
            let access = access(&entry.inputs, call.element, call.row, call.column);
            check_evaluation(cx, view, location, &access);
        }
        Op::Signature(SignatureOp::AttributeAtVertex(call)) => {
            let access = access(&entry.inputs, call.element, call.row, call.column);
            if let Some(element) = check_access(cx, view, location, &access)
                && element.interpolation != InterpolationMode::Constant
            {
                let detail = format_args!("element {} is interpolated", element.id);
                cx.report_at(
                    Rule::InstrAttributeAtVertexNoInterpolation,
                    location,
                    detail,
                );
            }
        }
        Op::Stream(StreamOp::EmitStream(call)) => check_stream(cx, location, entry, call.stream),
        Op::Stream(StreamOp::CutStream(call)) => check_stream(cx, location, entry, call.stream),
        Op::Stream(StreamOp::EmitThenCutStream(call)) => {
            check_stream(cx, location, entry, call.stream)
        }
        _ => {}
    }
}

fn invalid(cx: &ValidationContext<'_>, location: InstLocation, detail: &str) {
    cx.report_at(Rule::SmOpcodeInInvalidFunction, location, detail);
}

/// The kinds of coverage that a function reads.
#[derive(Default)]
pub(super) struct Coverage {
    reads_coverage: bool,
    inner: Option<InstLocation>,
}

impl Coverage {
    pub(super) fn note(&mut self, location: InstLocation, op: &Op) {
        match op {
            Op::SystemValue(SystemValueOp::Coverage(_)) => self.reads_coverage = true,
            Op::SystemValue(SystemValueOp::InnerCoverage(_)) => {
                self.inner.get_or_insert(location);
            }
            _ => {}
        }
    }

    pub(super) fn check(&self, cx: &ValidationContext<'_>) {
        if let (true, Some(location)) = (self.reads_coverage, self.inner) {
            let detail = "the shader reads coverage and inner coverage";
            cx.report_at(Rule::SmPSCoverageAndInnerCoverage, location, detail);
        }
    }
}

/// Returns the element that an operation names: by the ID in its metadata (DXIL document,
/// "Accessing signature value in operations"). Compilers use the index in the signature.
fn element_of(elements: &[SignatureElement], id: u32) -> Option<&SignatureElement> {
    let at_index = elements.get(id as usize).filter(|element| element.id == id);
    at_index.or_else(|| elements.iter().find(|element| element.id == id))
}

fn check_access<'a>(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    access: &ElementAccess<'a>,
) -> Option<&'a SignatureElement> {
    let index = access.element;
    let Some(element) = element_of(access.elements, index) else {
        let detail = format_args!(
            "element {index}, the signature has {}",
            access.elements.len()
        );
        cx.report_at(Rule::InstrOpConstRange, location, detail);
        return None;
    };
    if let Some(row) = view.constant_int(access.row)
        && row >= u64::from(element.rows)
    {
        let detail = format_args!("row {row}, element {index} has {}", element.rows);
        cx.report_at(Rule::InstrOperandRange, location, detail);
    }
    if u32::from(access.column) >= element.columns {
        let detail = format_args!(
            "column {}, element {index} has {}",
            access.column, element.columns
        );
        cx.report_at(Rule::InstrOperandRange, location, detail);
    }
    Some(element)
}

/// Checks the vertex of an input, in stages that see several.
fn check_vertex(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    entry: &EntryPoint,
    vertex: Option<ValueId>,
) {
    let Some(vertex) = vertex else {
        return;
    };
    let count = match entry.stage {
        Stage::Geometry { input, .. } => match input {
            InputPrimitive::Undefined => 0,
            InputPrimitive::Point => 1,
            InputPrimitive::Line => 2,
            InputPrimitive::Triangle => 3,
            InputPrimitive::LineAdjacency => 4,
            InputPrimitive::TriangleAdjacency => 6,
            InputPrimitive::Patch(points) => u32::from(points),
        },
        Stage::Hull {
            input_control_points,
            ..
        }
        | Stage::Domain {
            input_control_points,
            ..
        } => input_control_points,
        _ => {
            if matches!(entry.kind, ShaderKind::Vertex | ShaderKind::Pixel) {
                let detail = "the input of a single vertex is asked for by vertex";
                cx.report_at(Rule::SmOperand, location, detail);
            }
            return;
        }
    };
    if let Some(vertex) = view.constant_int(vertex)
        && vertex >= u64::from(count)
    {
        let detail = format_args!("vertex {vertex} of {count}");
        cx.report_at(Rule::InstrOperandRange, location, detail);
    }
}

fn check_evaluation(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    access: &ElementAccess<'_>,
) {
    let Some(element) = check_access(cx, view, location, access) else {
        return;
    };
    let mode = element.interpolation;
    if matches!(
        mode,
        InterpolationMode::Undefined | InterpolationMode::Constant
    ) {
        let detail = format_args!("element {} has the mode {mode:?}", element.id);
        cx.report_at(Rule::InstrEvalInterpolationMode, location, detail);
    }
    if element.semantic == SemanticKind::Position {
        let detail = format_args!("element {} is the position", element.id);
        cx.report_at(Rule::InstrCannotPullPosition, location, detail);
    }
}

fn check_stream(
    cx: &ValidationContext<'_>,
    location: InstLocation,
    entry: &EntryPoint,
    stream: u8,
) {
    let Stage::Geometry { active_streams, .. } = entry.stage else {
        return;
    };
    let is_active = 1u32
        .checked_shl(u32::from(stream))
        .is_some_and(|bit| active_streams & bit != 0);
    if !is_active {
        let detail = format_args!("stream {stream}, the active ones are {active_streams:#x}");
        cx.report_at(Rule::InstrOperandRange, location, detail);
    }
}
