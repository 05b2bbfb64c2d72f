//! Inlining: the body of each function that has one takes the place of its calls.

use crate::dxil::Shader;
use crate::dxil::ops::Callee;
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{
    DraftFunction, FuncId, FuncView, InlineError, InlineGrowth, Inst, inline_with_callees,
};
use crate::tables::HashMap;

/// Inlines all calls of functions with bodies.
///
/// # Errors
///
/// If a function calls itself, directly or through others, or the code would grow too much.
pub(super) fn run(shader: &mut Shader) -> Result<()> {
    let mut done: HashMap<FuncId, DraftFunction> = HashMap::default();
    let mut growth = InlineGrowth::of(&shader.module);
    let roots: Vec<FuncId> = shader.module.bodies.iter().map(|body| body.id).collect();
    if !roots.iter().any(|id| has_calls(shader, *id)) {
        return Ok(());
    }
    for root in roots {
        if !done.contains_key(&root) {
            let callees = |view: FuncView<'_>| called(shader, view);
            let module = &shader.module;
            let draft = inline_with_callees(module, root, callees, &mut done, &mut growth);
            done.insert(root, draft.map_err(failed)?);
        }
    }
    for body in &mut shader.module.bodies {
        if let Some(draft) = done.remove(&body.id) {
            *body = draft.finish();
        }
    }
    Ok(())
}

fn has_calls(shader: &Shader, id: FuncId) -> bool {
    shader
        .view(id)
        .is_some_and(|view| !called(shader, view).is_empty())
}

/// Returns the error of a pass.
fn failed(error: InlineError) -> Error {
    match error {
        InlineError::TooComplex(what) => Error::new(ErrorKind::Limit {
            what,
            value: InlineGrowth::MAX_ADDED as u64 + 1,
            limit: InlineGrowth::MAX_ADDED as u64,
        }),
        InlineError::Malformed(what) => Error::malformed(what),
    }
}

/// Returns the functions with bodies that a function calls.
fn called(shader: &Shader, view: FuncView<'_>) -> Vec<FuncId> {
    let mut found = Vec::new();
    for data in view.function.insts.values() {
        if let Inst::Call { callee, .. } = data.inst
            && let Some(callee) = view.as_function(callee)
            && shader.callees.get(callee).copied().unwrap_or_default() == Callee::Function
            && shader.module.body(callee).is_some()
        {
            found.push(callee);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
