//! Inlining: the body of each function that has one takes the place of its calls.

use crate::dxil::Shader;
use crate::dxil::ops::Callee;
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{DraftFunction, FuncId, FuncView, InlineError, InlineGrowth, Inst, inline_calls};
use crate::tables::{HashMap, HashSet};

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
    for root in &roots {
        with_callees(shader, *root, &mut done, &mut growth)?;
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

/// Inlines into a function, callees first, so that each body is put together once.
fn with_callees(
    shader: &Shader,
    root: FuncId,
    done: &mut HashMap<FuncId, DraftFunction>,
    growth: &mut InlineGrowth,
) -> Result<()> {
    let mut stack = vec![root];
    let mut open: HashSet<FuncId> = HashSet::default();
    while let Some(&id) = stack.last() {
        // A function may be there several times, once for each caller that waits for it.
        if done.contains_key(&id) {
            stack.pop();
            continue;
        }
        let Some(view) = shader.view(id) else {
            return Err(Error::malformed("a function without a body"));
        };
        let mut missing = called(shader, view);
        missing.retain(|callee| !done.contains_key(callee));
        if missing.is_empty() {
            let mut draft = DraftFunction::of(view.function);
            inline_calls(&shader.module, &mut draft, done, growth).map_err(
                |error| match error {
                    InlineError::TooComplex(what) => Error::new(ErrorKind::Limit {
                        what,
                        value: InlineGrowth::MAX_ADDED as u64 + 1,
                        limit: InlineGrowth::MAX_ADDED as u64,
                    }),
                    InlineError::Malformed(what) => Error::malformed(what),
                },
            )?;
            done.insert(id, draft);
            stack.pop();
            open.remove(&id);
            continue;
        }
        if !open.insert(id) {
            return Err(Error::malformed("a function that calls itself"));
        }
        stack.extend(missing);
    }
    Ok(())
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
