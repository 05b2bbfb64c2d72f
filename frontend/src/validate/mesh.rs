//! Mesh and amplification shaders: calls that occur once, sizes and counts (Microsoft's mesh shader
//! specification).

use super::context::{InstLocation, ValidationContext};
use super::rules::Rule;
use crate::dxil::ops::{MeshOp, Op, SignatureOp};
use crate::dxil::{EntryPoint, ShaderKind, SignatureElement, Stage};
use crate::ir::{BlockId, FuncId, FuncView, Function, Inst, TypeId};

const MAX_PAYLOAD_BYTES: u64 = 16 * 1024;
const MAX_OUTPUTS: u32 = 256;
const MAX_OUTPUT_BYTES: u64 = 32 * 1024;
const MAX_IN_AND_OUT_BYTES: u64 = 47 * 1024;
const MAX_ROWS: u32 = 32;

/// Calls of a function that occur once.
#[derive(Default)]
pub(super) struct Calls {
    set_counts: Option<InstLocation>,
    payload: Option<(InstLocation, TypeId)>,
    dispatch: Option<(InstLocation, Option<TypeId>)>,
    outputs: Vec<InstLocation>,
}

impl Calls {
    /// Notes a call.
    pub(super) fn note(&mut self, cx: &ValidationContext<'_>, location: InstLocation, op: &Op) {
        match op {
            Op::Mesh(MeshOp::SetMeshOutputCounts(_)) => {
                if self.set_counts.is_some() {
                    let detail = "the output counts are set before";
                    cx.report_at(Rule::InstrMultipleSetMeshOutputCounts, location, detail);
                }
                self.set_counts.get_or_insert(location);
            }
            Op::Mesh(MeshOp::GetMeshPayload(_)) => {
                if self.payload.is_some() {
                    let detail = "the payload is asked for before";
                    cx.report_at(Rule::InstrMultipleGetMeshPayload, location, detail);
                }
                let body = cx.module().body(location.function);
                let data = body.and_then(|body| body.insts.get(location.inst));
                if let Some(data) = data {
                    self.payload.get_or_insert((location, data.ty));
                }
            }
            Op::Mesh(MeshOp::DispatchMesh(call)) => {
                if self.dispatch.is_some() {
                    let detail = "the shader dispatches before";
                    cx.report_at(Rule::InstrNotOnceDispatchMesh, location, detail);
                }
                let body = cx.module().body(location.function);
                let ty = body.and_then(|body| cx.view(body).type_of(call.payload));
                self.dispatch.get_or_insert((location, ty));
            }
            Op::Signature(
                SignatureOp::StoreVertexOutput(_) | SignatureOp::StorePrimitiveOutput(_),
            )
            | Op::Mesh(MeshOp::EmitIndices(_)) => {
                self.outputs.push(location);
            }
            _ => {}
        }
    }

    /// Checks the calls of a function once all are noted.
    pub(super) fn check(&self, cx: &ValidationContext<'_>, view: FuncView<'_>, function: FuncId) {
        let Some(entry) = cx.entry(function) else {
            return;
        };
        match (&entry.stage, entry.kind) {
            (Stage::Mesh { payload_bytes, .. }, ShaderKind::Mesh) => {
                self.check_outputs(cx, view.function);
                if let Some((location, ty)) = self.payload {
                    let bytes = cx.types().pointee(ty).map_or(0, |ty| cx.layout.bytes(ty));
                    let declared = u64::from(*payload_bytes);
                    if declared < bytes {
                        let detail = format_args!("{bytes} bytes, {declared} are declared");
                        cx.report_at(Rule::SmMeshShaderPayloadSizeDeclared, location, detail);
                    }
                    if declared > MAX_PAYLOAD_BYTES {
                        let detail = format_args!("{declared} bytes are declared");
                        cx.report_at(Rule::SmMeshShaderPayloadSize, location, detail);
                    }
                }
            }
            (Stage::Node(_), ShaderKind::Mesh) => self.check_outputs(cx, view.function),
            (Stage::Amplification { payload_bytes }, ShaderKind::Amplification) => {
                self.check_dispatch(cx, view.function, function, u64::from(*payload_bytes));
            }
            _ => {}
        }
    }

    fn check_outputs(&self, cx: &ValidationContext<'_>, function: &Function) {
        let Some(counts) = self.set_counts else {
            for &location in &self.outputs {
                let detail = "an output without output counts";
                cx.report_at(Rule::InstrMissingSetMeshOutputCounts, location, detail);
            }
            return;
        };
        // DXC's validator compares blocks, so the order within one does not matter.
        let without = reachable_without(function, counts.block);
        for &location in &self.outputs {
            let block = location.block.as_u32() as usize;
            if without.get(block).is_some_and(|reached| *reached) {
                let detail = "there is a way here that does not set the output counts";
                cx.report_at(
                    Rule::InstrNonDominatingSetMeshOutputCounts,
                    location,
                    detail,
                );
            }
        }
    }

    fn check_dispatch(
        &self,
        cx: &ValidationContext<'_>,
        function: &Function,
        id: FuncId,
        declared: u64,
    ) {
        let Some((location, ty)) = self.dispatch else {
            let detail = "the shader does not dispatch";
            cx.report_function(Rule::InstrNotOnceDispatchMesh, id, detail);
            return;
        };
        let without = reachable_without(function, location.block);
        let misses = function.blocks.keys().any(|block| {
            let reached = without.get(block.as_u32() as usize).is_some_and(|r| *r);
            reached && matches!(function.terminator(block), Inst::Ret { .. })
        });
        if misses {
            let detail = "there is a way to the end that does not dispatch";
            cx.report_at(Rule::InstrNonDominatingDispatchMesh, location, detail);
        }
        let pointee = ty.and_then(|ty| cx.types().pointee(ty));
        let bytes = pointee.map_or(0, |ty| cx.layout.bytes(ty));
        if declared < bytes {
            let detail = format_args!("{bytes} bytes, {declared} are declared");
            let rule = Rule::SmAmplificationShaderPayloadSizeDeclared;
            cx.report_at(rule, location, detail);
        }
        if declared.max(bytes) > MAX_PAYLOAD_BYTES {
            let detail = format_args!("{} bytes", declared.max(bytes));
            cx.report_at(Rule::SmAmplificationShaderPayloadSize, location, detail);
        }
    }
}

/// Returns the blocks that the entry reaches on ways around a block.
fn reachable_without(function: &Function, without: BlockId) -> Vec<bool> {
    let mut reached = vec![false; function.blocks.len()];
    let mut work = vec![BlockId::from_u32(0)];
    while let Some(block) = work.pop() {
        if block == without {
            continue;
        }
        match reached.get_mut(block.as_u32() as usize) {
            Some(slot) if !*slot => *slot = true,
            _ => continue,
        }
        function.for_each_successor(block, |to| work.push(to));
    }
    reached
}

/// Checks what a mesh shader declares.
pub(super) fn check_entry(cx: &ValidationContext<'_>, entry: &EntryPoint) {
    let Some(outputs) = entry.stage.mesh_outputs() else {
        return;
    };
    let (max_vertices, max_primitives) = (outputs.max_vertices, outputs.max_primitives);
    let payload_bytes = match entry.stage {
        Stage::Mesh { payload_bytes, .. } => payload_bytes,
        _ => 0,
    };
    if max_vertices > MAX_OUTPUTS {
        let detail = format_args!("{max_vertices} vertices");
        cx.report_entry(Rule::SmMeshShaderMaxVertexCount, entry, detail);
    }
    if max_primitives > MAX_OUTPUTS {
        let detail = format_args!("{max_primitives} primitives");
        cx.report_entry(Rule::SmMeshShaderMaxPrimitiveCount, entry, detail);
    }
    let (vertex_rows, primitive_rows) = (rows(&entry.outputs), rows(&entry.patch_constants));
    for (rule, rows) in [
        (Rule::SmMeshVSigRowCount, vertex_rows),
        (Rule::SmMeshPSigRowCount, primitive_rows),
        (
            Rule::SmMeshTotalSigRowCount,
            vertex_rows.saturating_add(primitive_rows),
        ),
    ] {
        if rows > MAX_ROWS {
            cx.report_entry(rule, entry, format_args!("{rows} registers"));
        }
    }
    let bytes = |elements: &[SignatureElement], count: u32| {
        let scalars = elements.iter().fold(0u64, |sum, element| {
            sum + u64::from(element.rows) * u64::from(element.columns)
        });
        // Space is given to 32 vertices or primitives at a time.
        let count = u64::from(count).next_multiple_of(32);
        scalars.saturating_mul(count).saturating_mul(4)
    };
    let outputs = bytes(&entry.outputs, max_vertices)
        .saturating_add(bytes(&entry.patch_constants, max_primitives));
    if outputs > MAX_OUTPUT_BYTES {
        let detail = format_args!("{outputs} bytes of outputs");
        cx.report_entry(Rule::SmMeshShaderOutputSize, entry, detail);
    }
    let all = outputs.saturating_add(u64::from(payload_bytes));
    if all > MAX_IN_AND_OUT_BYTES {
        let detail = format_args!("{all} bytes of payload and outputs");
        cx.report_entry(Rule::SmMeshShaderInOutSize, entry, detail);
    }
}

/// Returns the number of registers that a signature takes.
fn rows(elements: &[SignatureElement]) -> u32 {
    let ends = elements.iter().filter_map(|element| {
        element
            .start_row
            .map(|row| row.saturating_add(element.rows))
    });
    ends.max().unwrap_or(0)
}
