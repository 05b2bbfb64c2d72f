//! Positions of violations: byte offsets, and lines of the source where debug information has them.

use super::report::ValidationReport;
use crate::bitcode::{decode_module, instruction_offsets};
use crate::container::{Container, ProgramBitcode};
use crate::dxil::debug::DebugInfo;
use crate::error::SourcePosition;
use crate::ir::{Function, Inst, InstId, Module};
use crate::limits::MAX_VIOLATION_NAME_BYTES;

/// Adds what is known of the places of violations by instructions.
pub(super) fn add(
    report: &mut ValidationReport,
    program: &ProgramBitcode<'_>,
    container: Option<&Container<'_>>,
    module: &Module,
) {
    let by_instruction = |report: &ValidationReport| {
        let mut violations = report.violations.iter();
        violations.any(|violation| violation.location.inst.is_some())
    };
    if !by_instruction(report) {
        return;
    }
    add_offsets(report, program, module);
    if DebugInfo::of(module).is_some() {
        add_lines(report, module, |_, inst| Some(inst));
        return;
    }
    // The part without debug information has the same instructions as the one with it, but for the
    // calls that tell a debugger where variables are.
    let debug = container.and_then(|container| container.debug_program().ok().flatten());
    let debug = debug.and_then(|p| decode_module(p.bitcode, p.bitcode_offset).ok());
    if let Some(debug) = debug {
        add_lines(report, &debug, |function, inst| {
            let mut real = function.insts.keys().filter(|id| {
                let data = function.insts.get(*id);
                !data.is_some_and(|data| is_debug_call(&debug, function, &data.inst))
            });
            real.nth(inst.as_u32() as usize)
        });
    }
}

fn add_offsets(report: &mut ValidationReport, program: &ProgramBitcode<'_>, module: &Module) {
    let Ok(bodies) = instruction_offsets(program.bitcode, program.bitcode_offset) else {
        return;
    };
    for violation in &mut report.violations {
        let location = &mut violation.location;
        let (Some(function), Some(inst)) = (location.function, location.inst) else {
            continue;
        };
        let body = module.functions.get(function).and_then(|decl| decl.body);
        let offsets = body.and_then(|body| bodies.get(body as usize));
        let offset = offsets.and_then(|offsets| offsets.get(inst.as_u32() as usize));
        location.offset = offset.copied().or(location.offset);
    }
}

fn is_debug_call(module: &Module, function: &Function, inst: &Inst) -> bool {
    let Inst::Call { callee, .. } = *inst else {
        return false;
    };
    let view = crate::ir::FuncView { module, function };
    let decl = view
        .as_function(callee)
        .and_then(|callee| module.functions.get(callee));
    decl.is_some_and(|decl| decl.name.starts_with("llvm.dbg."))
}

fn add_lines(
    report: &mut ValidationReport,
    module: &Module,
    find: impl Fn(&Function, InstId) -> Option<InstId>,
) {
    let Some(info) = DebugInfo::of(module) else {
        return;
    };
    let functions = module.functions_by_name();
    for violation in &mut report.violations {
        let (Some(name), Some(inst)) = (&violation.function, violation.location.inst) else {
            continue;
        };
        let id = functions.get(&**name).copied();
        let Some(body) = id.and_then(|id| module.body(id)) else {
            continue;
        };
        let location =
            find(body, inst).and_then(|inst| body.debug_locs.get(inst).copied().flatten());
        let Some(position) = location.and_then(|location| info.position(&location)) else {
            continue;
        };
        let mut source = SourcePosition::from(position);
        if source.file.len() > MAX_VIOLATION_NAME_BYTES {
            source.file = super::context::short(&source.file).into();
        }
        violation.location.source = Some(Box::new(source));
    }
}
