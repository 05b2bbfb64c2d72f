//! What entry points call, against what their stage, launch mode and thread group allow.

use super::bodies::op_of;
use super::context::ValidationContext;
use super::features::of_function;
use super::flow::callees;
use super::metadata::NEWEST_SHADER_MODEL;
use super::rules::Rule;
use crate::container::rdat::NodeLaunch;
use crate::dxil::ops::{BarrierOp, BarrierSemantics, Op, op_arguments};
use crate::dxil::{EntryPoint, ShaderFlags, ShaderKind, Stage};
use crate::ir::{FuncId, FuncView, Inst};

/// What a function requires of the device that runs it.
struct Needs {
    /// Bit per [`ShaderKind`].
    stages: u16,
    shader_model: (u8, u8),
    flags: ShaderFlags,
}

/// Checks all entry points.
pub(super) fn check(cx: &ValidationContext<'_>) {
    let rules = Rule::SmIncompatibleOperation.info();
    if cx.minor() < rules.since {
        return;
    }
    for entry in &cx.shader.entry_points {
        if let Some(function) = entry.function {
            check_entry(cx, entry, function);
        }
    }
}

fn needs(cx: &ValidationContext<'_>, function: FuncId) -> Option<Needs> {
    let body = cx.module().body(function)?;
    let mut needs = Needs {
        stages: u16::MAX,
        shader_model: (6, 0),
        flags: of_function(cx, function, body),
    };
    let view = FuncView {
        module: cx.module(),
        function: body,
    };
    let is_released = cx.shader.shader_model.minor <= NEWEST_SHADER_MODEL;
    for data in body.insts.values() {
        if is_released && is_experimental(cx, view, &data.inst) {
            needs.shader_model = (6, u8::MAX);
        }
        if let Some(op) = op_of(cx, body, &data.inst) {
            let row = op.opcode().properties();
            needs.stages &= row.stages.bits();
            needs.shader_model = needs.shader_model.max(row.translated_shader_model);
            if is_reorder_barrier(&op) {
                needs.shader_model = needs.shader_model.max((6, 9));
            }
        }
    }
    Some(needs)
}

/// Returns whether an instruction calls an operation of a table other than the core one, which only
/// experimental shader models have.
fn is_experimental(cx: &ValidationContext<'_>, view: FuncView<'_>, inst: &Inst) -> bool {
    let arguments = op_arguments(view, &cx.shader.callees, inst);
    let opcode = arguments.and_then(|list| view.constant_int(*list.first()?));
    opcode.is_some_and(|number| number > CORE_OPCODES)
}

/// The largest number of an operation of the core table (DXC's `OpCodeTableID`).
const CORE_OPCODES: u64 = 0xffff;

/// Returns whether a barrier orders memory around a reordering of threads (SM 6.9).
fn is_reorder_barrier(op: &Op) -> bool {
    let semantics = match op {
        Op::Barrier(BarrierOp::BarrierByMemoryType(call)) => call.semantics,
        Op::Barrier(BarrierOp::BarrierByMemoryHandle(call)) => call.semantics,
        _ => return false,
    };
    semantics.contains(BarrierSemantics::REORDER_SCOPE)
}

fn check_entry(cx: &ValidationContext<'_>, entry: &EntryPoint, function: FuncId) {
    let mut seen = vec![function];
    let mut next = 0;
    while let Some(&called) = seen.get(next) {
        next += 1;
        let (Some(needs), Some(body)) = (needs(cx, called), cx.module().body(called)) else {
            continue;
        };
        let is_entry = called == function;
        let conflicts = conflicts(cx, entry, &needs);
        if !conflicts.is_empty() {
            let (rule, detail) = if is_entry {
                (
                    Rule::SmIncompatibleOperation,
                    "operations do not suit the entry point",
                )
            } else {
                (
                    Rule::SmIncompatibleCallInEntry,
                    "a called function does not suit it",
                )
            };
            cx.report_function(rule, function, detail);
        }
        for (rule, detail) in conflicts {
            cx.report_function(rule, called, detail);
        }
        for callee in callees(cx, body) {
            if !seen.contains(&callee) {
                seen.push(callee);
            }
        }
    }
}

fn conflicts(cx: &ValidationContext<'_>, entry: &EntryPoint, needs: &Needs) -> Vec<(Rule, String)> {
    let mut found = Vec::new();
    let kind = entry.kind;
    let bit = 1u16 << (kind as u16);
    if needs.stages & bit == 0 {
        let detail = format!("not what a {} shader may do", kind.prefix());
        found.push((Rule::SmIncompatibleStage, detail));
    }
    let model = cx.shader.shader_model;
    if needs.shader_model > (model.major, model.minor) {
        let (major, minor) = needs.shader_model;
        let detail = if minor == u8::MAX {
            "it needs an experimental shader model".to_owned()
        } else {
            format!("it needs shader model {major}.{minor}")
        };
        found.push((Rule::SmIncompatibleShaderModel, detail));
    }
    let launch = match &entry.stage {
        Stage::Node(node) if kind == ShaderKind::Node => Some(node.launch),
        _ => None,
    };
    let has_group = matches!(
        kind,
        ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification | ShaderKind::Node
    );
    let per_thread = launch == Some(NodeLaunch::Thread);
    if needs.flags.contains(ShaderFlags::REQUIRES_GROUP) && (!has_group || per_thread) {
        let detail = format!("a {} shader has no visible thread group", kind.prefix());
        found.push((Rule::SmIncompatibleRequiresGroup, detail));
    }
    if !needs.flags.contains(ShaderFlags::USES_DERIVATIVES) || !has_group {
        return found;
    }
    if per_thread {
        let detail = "the node is launched per thread".to_owned();
        found.push((Rule::SmIncompatibleDerivLaunch, detail));
    }
    if !cx.is_sm(6) && kind != ShaderKind::Node {
        let detail = format!("derivatives in shader model 6.{}", model.minor);
        found.push((Rule::SmIncompatibleDerivInComputeShaderModel, detail));
    }
    if let Some([x, y, z]) = entry.num_threads {
        let fits = match (y, z) {
            (1, 1) => x % 4 == 0,
            _ => x % 2 == 0 && y % 2 == 0,
        };
        if !fits {
            let detail = format!("derivatives in groups of {x}x{y}x{z}");
            found.push((Rule::SmIncompatibleThreadGroupDim, detail));
        }
    }
    found
}
