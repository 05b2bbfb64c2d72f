//! Outputs that are declared and not written.

use cranelift_entity::SecondaryMap;

use super::context::ValidationContext;
use super::rules::Rule;
use super::semantics::ElementName;
use crate::dxil::ops::{Op, SignatureOp};
use crate::dxil::{EntryPoint, SemanticKind, ShaderKind, SignatureElement, Stage};
use crate::ir::FuncId;
use crate::tables::HashMap;

/// Stores to signatures: whether to the third one, element and column.
#[derive(Default)]
pub(super) struct Stores(SecondaryMap<FuncId, Vec<(bool, u32, u8)>>);

impl Stores {
    /// Notes an operation of a function.
    pub(super) fn note(&mut self, function: FuncId, op: &Op) {
        let Op::Signature(op) = op else {
            return;
        };
        let store = match op {
            SignatureOp::StoreOutput(call) => (false, call.element, call.column),
            SignatureOp::StoreVertexOutput(call) => (false, call.element, call.column),
            SignatureOp::StorePatchConstant(call) => (true, call.element, call.column),
            SignatureOp::StorePrimitiveOutput(call) => (true, call.element, call.column),
            _ => return,
        };
        #[allow(clippy::indexing_slicing, reason = "a secondary map grows on demand")]
        let stores = &mut self.0[function];
        // Stores of one value follow each other.
        if stores.last() != Some(&store) {
            stores.push(store);
        }
    }
}

/// Checks all entry points.
pub(super) fn check(cx: &ValidationContext<'_>, stores: &Stores) {
    for entry in &cx.shader.entry_points {
        if let Some(function) = entry.function {
            check_entry(cx, stores, entry, function);
        }
    }
}

/// Components that a function writes, by the number of the element.
#[derive(Default)]
struct Written {
    outputs: HashMap<u32, u8>,
    third: HashMap<u32, u8>,
}

impl Written {
    fn read(&mut self, stores: &Stores, function: FuncId) {
        for &(is_third, element, column) in stores.0.get(function).into_iter().flatten() {
            let masks = if is_third {
                &mut self.third
            } else {
                &mut self.outputs
            };
            let mask = masks.entry(element).or_default();
            *mask |= 1u8.checked_shl(u32::from(column)).unwrap_or(0);
        }
    }
}

fn check_entry(cx: &ValidationContext<'_>, stores: &Stores, entry: &EntryPoint, function: FuncId) {
    if entry.outputs.is_empty() && entry.patch_constants.is_empty() {
        return;
    }
    let mut written = Written::default();
    written.read(stores, function);
    if let Stage::Hull {
        patch_constant_function: Some(patch),
        ..
    } = entry.stage
    {
        written.read(stores, patch);
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
    written: &HashMap<u32, u8>,
) {
    for element in elements {
        let mask = written.get(&element.id).copied().unwrap_or(0);
        let all = (1u8 << element.columns.min(4)) - 1;
        if mask & all == all {
            continue;
        }
        match element.semantic {
            SemanticKind::Arbitrary | SemanticKind::Target => {}
            SemanticKind::Position if entry.kind != ShaderKind::Hull => {
                let detail =
                    format_args!("{}: components {mask:#x} are written", ElementName(element));
                cx.report_entry(Rule::SmCompletePosition, entry, detail);
            }
            _ => {
                let detail =
                    format_args!("{}: components {mask:#x} are written", ElementName(element));
                cx.report_entry(Rule::SmUndefinedOutput, entry, detail);
            }
        }
    }
}
