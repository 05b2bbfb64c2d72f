//! Variables of the module, and groupshared memory.

use std::collections::BTreeSet;

use super::context::{ValidationContext, short};
use super::handles::global_in_module;
use super::operands::OperandFacts;
use super::rules::Rule;
use super::types;
use crate::dxil::ops::Stages;
use crate::dxil::{EntryPoint, ShaderKind};
use crate::ir::address_space::GROUP_SHARED;
use crate::ir::{Constant, Global, GlobalId, Linkage, Module, ValueDef};

/// Tag of the property of entry points that allows them more or less groupshared memory.
pub(super) const GROUP_SHARED_LIMIT: u32 = 24;

/// Checks all variables.
pub(super) fn check(cx: &ValidationContext<'_>, operands: &OperandFacts) {
    let module = cx.module();
    if module.globals.is_empty() {
        return;
    }
    let mut used = vec![false; module.globals.len()];
    for (id, _) in cx.bodies() {
        for global in operands.globals_of(id) {
            if let Some(slot) = used.get_mut(index(*global)) {
                *slot = true;
            }
        }
    }
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
    check_groupshared(cx, operands);
}

fn index(id: GlobalId) -> usize {
    id.as_u32() as usize
}

/// Returns whether a variable is static or groupshared.
fn is_memory(global: &Global) -> bool {
    global.linkage == Linkage::Internal || global.address_space == GROUP_SHARED
}

/// Checks the size of the groupshared memory that each entry point and what it calls uses.
fn check_groupshared(cx: &ValidationContext<'_>, operands: &OperandFacts) {
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
        let mut used = BTreeSet::new();
        let mut seen = BTreeSet::from([id]);
        let mut list = vec![id];
        while let Some(function) = list.pop() {
            used.extend(operands.globals_of(function));
            for callee in operands.callees_of(function) {
                if seen.insert(*callee) {
                    list.push(*callee);
                }
            }
        }
        let bytes = used
            .into_iter()
            .filter_map(|id| module.globals.get(id))
            .filter(|global| global.address_space == GROUP_SHARED)
            .fold(0u64, |sum, global| {
                sum.saturating_add(cx.layout.bytes(global.ty))
            });
        let explicit = cx
            .entry(id)
            .and_then(|entry| explicit_limit(cx.module(), entry));
        let limit = match (explicit, kind) {
            (Some(bytes), kind) if Stages::THREAD_GROUP.allows(kind) => bytes.into(),
            (_, ShaderKind::Compute | ShaderKind::Amplification | ShaderKind::Node) => 32 * 1024,
            (_, ShaderKind::Mesh) => 28 * 1024,
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
            let rule = match explicit {
                Some(_) => Rule::SmExplicitTGSMSizeOnEntry,
                None => Rule::SmMaxTGSMSizeOnEntry,
            };
            cx.report_function(rule, id, detail);
        }
    }
}

/// Returns the bytes of groupshared memory that an entry point allows itself (shader model 6.10).
fn explicit_limit(module: &Module, entry: &EntryPoint) -> Option<u32> {
    let (_, node) = entry
        .other_properties
        .iter()
        .find(|(tag, _)| *tag == GROUP_SHARED_LIMIT)?;
    let value = module.metadata.value((*node)?)?;
    match module.values.get(value.as_u32() as usize)?.def {
        ValueDef::Constant(Constant::Int(bytes)) => u32::try_from(bytes).ok(),
        ValueDef::Constant(Constant::Null) => Some(0),
        _ => None,
    }
}
