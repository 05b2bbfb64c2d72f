//! Outputs that are declared and not written.

use super::bodies::{op_of, opcode_of};
use super::context::ValidationContext;
use super::rules::Rule;
use super::semantics::Name;
use crate::dxil::ops::{Op, Opcode, SignatureOp};
use crate::dxil::{EntryPoint, SemanticKind, ShaderKind, SignatureElement, Stage};
use crate::ir::FuncId;

/// Checks all entry points.
pub(super) fn check(cx: &ValidationContext<'_>) {
    for entry in &cx.shader.entry_points {
        if let Some(function) = entry.function {
            check_entry(cx, entry, function);
        }
    }
}

/// Components that a function writes, by element.
struct Written {
    outputs: Vec<u8>,
    third: Vec<u8>,
}

impl Written {
    fn note(masks: &mut [u8], element: u32, column: u8) {
        if let Some(mask) = masks.get_mut(element as usize) {
            *mask |= 1u8.checked_shl(u32::from(column)).unwrap_or(0);
        }
    }

    fn read(&mut self, cx: &ValidationContext<'_>, function: FuncId) {
        let Some(body) = cx.module().body(function) else {
            return;
        };
        for data in body.insts.values() {
            let stores = matches!(
                opcode_of(cx, body, &data.inst),
                Some(
                    Opcode::StoreOutput
                        | Opcode::StoreVertexOutput
                        | Opcode::StorePatchConstant
                        | Opcode::StorePrimitiveOutput
                )
            );
            if !stores {
                continue;
            }
            match op_of(cx, body, &data.inst) {
                Some(Op::Signature(SignatureOp::StoreOutput(call))) => {
                    Self::note(&mut self.outputs, call.element, call.column);
                }
                Some(Op::Signature(SignatureOp::StoreVertexOutput(call))) => {
                    Self::note(&mut self.outputs, call.element, call.column);
                }
                Some(Op::Signature(SignatureOp::StorePatchConstant(call))) => {
                    Self::note(&mut self.third, call.element, call.column);
                }
                Some(Op::Signature(SignatureOp::StorePrimitiveOutput(call))) => {
                    Self::note(&mut self.third, call.element, call.column);
                }
                _ => {}
            }
        }
    }
}

fn check_entry(cx: &ValidationContext<'_>, entry: &EntryPoint, function: FuncId) {
    if entry.outputs.is_empty() && entry.patch_constants.is_empty() {
        return;
    }
    let mut written = Written {
        outputs: vec![0; entry.outputs.len()],
        third: vec![0; entry.patch_constants.len()],
    };
    written.read(cx, function);
    if let Stage::Hull {
        patch_constant_function: Some(patch),
        ..
    } = entry.stage
    {
        written.read(cx, patch);
        // Control points may be passed through.
        check_elements(cx, entry, &entry.patch_constants, &written.third);
        return;
    }
    check_elements(cx, entry, &entry.outputs, &written.outputs);
}

fn check_elements(
    cx: &ValidationContext<'_>,
    entry: &EntryPoint,
    elements: &[SignatureElement],
    written: &[u8],
) {
    for (element, &mask) in elements.iter().zip(written) {
        let all = (1u8 << element.columns.min(4)) - 1;
        if mask & all == all {
            continue;
        }
        match element.semantic {
            SemanticKind::Arbitrary | SemanticKind::Target => {}
            SemanticKind::Position if entry.kind != ShaderKind::Hull => {
                let detail = format_args!("{}: components {mask:#x} are written", Name(element));
                cx.report_entry(Rule::SmCompletePosition, entry, detail);
            }
            _ => {
                let detail = format_args!("{}: components {mask:#x} are written", Name(element));
                cx.report_entry(Rule::SmUndefinedOutput, entry, detail);
            }
        }
    }
}
