//! Operations that entry points call, checked against stage, launch mode and thread group.

use std::collections::BTreeSet;

use super::bodies::Bodies;
use super::context::{NEWEST_SHADER_MODEL, ValidationContext};
use super::features::Uses;
use super::rules::Rule;
use crate::container::rdat::NodeLaunch;
use crate::dxil::{EntryPoint, ShaderFlags, ShaderKind, Stage};
use crate::ir::FuncId;

/// Checks all entry points.
pub(super) fn check(cx: &ValidationContext<'_>, bodies: &Bodies) {
    let rules = Rule::SmIncompatibleOperation.info();
    if cx.minor() < rules.since {
        return;
    }
    for entry in &cx.shader.entry_points {
        if let Some(function) = entry.function {
            check_entry(cx, bodies, entry, function);
        }
    }
}

fn check_entry(cx: &ValidationContext<'_>, bodies: &Bodies, entry: &EntryPoint, function: FuncId) {
    let mut seen = BTreeSet::from([function]);
    let mut list = vec![function];
    let mut next = 0;
    while let Some(&called) = list.get(next) {
        next += 1;
        let (Some(needs), Some(_)) = (bodies.uses.get(called), cx.module().body(called)) else {
            continue;
        };
        let is_entry = called == function;
        let conflicts = conflicts(cx, entry, needs);
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
        for callee in bodies.operands.callees_of(called) {
            if seen.insert(*callee) {
                list.push(*callee);
            }
        }
    }
}

fn conflicts(cx: &ValidationContext<'_>, entry: &EntryPoint, needs: &Uses) -> Vec<(Rule, String)> {
    let mut found = Vec::new();
    let kind = entry.kind;
    let bit = 1u16 << (kind as u16);
    if needs.stages & bit == 0 {
        let detail = format!("not what a {} shader may do", kind.prefix());
        found.push((Rule::SmIncompatibleStage, detail));
    }
    let model = cx.shader.shader_model;
    if needs.is_experimental && model.minor <= NEWEST_SHADER_MODEL {
        let detail = "it needs an experimental shader model".to_owned();
        found.push((Rule::SmIncompatibleShaderModel, detail));
    } else if needs.shader_model > (model.major, model.minor) {
        let (major, minor) = needs.shader_model;
        let detail = format!("it needs shader model {major}.{minor}");
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
