//! Variables of the module, and groupshared memory.

use super::context::{ValidationContext, short};
use super::flow::callees;
use super::handles::{global_behind, global_in_module};
use super::rules::Rule;
use super::types;
use crate::dxil::ShaderKind;
use crate::ir::address_space::GROUP_SHARED;
use crate::ir::{Global, GlobalId, Linkage, ValueDef};

/// Checks all variables.
pub(super) fn check(cx: &ValidationContext<'_>) {
    let module = cx.module();
    if module.globals.is_empty() {
        return;
    }
    let used = used_globals(cx);
    let mut resources = vec![false; module.globals.len()];
    for resource in cx.shader.resources.iter() {
        let global = resource
            .variable
            .and_then(|value| global_in_module(module, value));
        if let Some(slot) = global.and_then(|global| resources.get_mut(index(global))) {
            *slot = true;
        }
    }
    for (id, global) in &module.globals {
        let is_memory = is_memory(global);
        let is_resource = resources.get(index(id)).is_some_and(|is| *is);
        let is_used = used.get(index(id)).is_some_and(|is| *is);
        let name = short(&global.name);
        let is_helper_flag = &*global.name == "dx.ishelper";
        if !is_memory && !(cx.is_library() && (is_resource || is_helper_flag)) {
            if is_used && !is_resource {
                let detail = format_args!("@{name} is external and used");
                cx.report(Rule::DeclNotUsedExternal, detail);
            }
        } else if is_memory {
            if !is_used {
                let detail = format_args!("@{name} is not used");
                cx.report(Rule::DeclUsedInternal, detail);
            }
            types::report(cx, global.ty, name);
        }
    }
    check_groupshared(cx);
}

fn index(id: GlobalId) -> usize {
    id.as_u32() as usize
}

/// Returns whether a variable is static or groupshared.
fn is_memory(global: &Global) -> bool {
    global.linkage == Linkage::Internal || global.address_space == GROUP_SHARED
}

fn used_globals(cx: &ValidationContext<'_>) -> Vec<bool> {
    let module = cx.module();
    let mut used = vec![false; module.globals.len()];
    for (_, body) in cx.bodies() {
        let view = cx.view(body);
        for data in body.insts.values() {
            body.for_each_operand(&data.inst, |value| {
                let is_address = matches!(
                    view.value(value).map(|value| value.def),
                    Some(ValueDef::Global(_) | ValueDef::Constant(_))
                );
                if is_address
                    && let Some(global) = global_behind(view, value)
                    && let Some(slot) = used.get_mut(index(global))
                {
                    *slot = true;
                }
            });
        }
    }
    used
}

/// Checks the size of the groupshared memory that each entry point and what it calls uses.
fn check_groupshared(cx: &ValidationContext<'_>) {
    let module = cx.module();
    if !module
        .globals
        .values()
        .any(|global| global.address_space == GROUP_SHARED)
    {
        return;
    }
    for (id, _) in cx.bodies() {
        let kind = cx.kind_of(id);
        let is_entry = cx.entry(id).is_some() || cx.hull_of(id).is_some();
        if !is_entry {
            continue;
        }
        let mut used = vec![false; module.globals.len()];
        let mut seen = vec![id];
        let mut next = 0;
        while let Some(&function) = seen.get(next) {
            next += 1;
            let Some(body) = module.body(function) else {
                continue;
            };
            let view = cx.view(body);
            for data in body.insts.values() {
                body.for_each_operand(&data.inst, |value| {
                    if let Some(global) = global_behind(view, value)
                        && let Some(slot) = used.get_mut(index(global))
                    {
                        *slot = true;
                    }
                });
            }
            for callee in callees(cx, body) {
                if !seen.contains(&callee) {
                    seen.push(callee);
                }
            }
        }
        let bytes = module
            .globals
            .iter()
            .filter(|(id, global)| {
                global.address_space == GROUP_SHARED && used.get(index(*id)) == Some(&true)
            })
            .fold(0u64, |sum, (_, global)| {
                sum.saturating_add(cx.layout.bytes(global.ty))
            });
        let limit = match kind {
            ShaderKind::Compute | ShaderKind::Amplification | ShaderKind::Node => 32 * 1024,
            ShaderKind::Mesh => 28 * 1024,
            _ => {
                if bytes > 0 {
                    let detail = format_args!("a {} shader", kind.prefix());
                    cx.report_function(Rule::SmTGSMUnsupported, id, detail);
                }
                continue;
            }
        };
        if bytes > limit {
            let detail = format_args!("{bytes} bytes, {limit} are allowed");
            cx.report_function(Rule::SmMaxTGSMSizeOnEntry, id, detail);
        }
    }
}
