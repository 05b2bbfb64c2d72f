//! The choice of the entry point, and of the functions that belong to it.

use dxil_frontend::dxil::ops::Callee;
use dxil_frontend::dxil::{EntryPoint, Shader, ShaderKind, Stage, plain_name};
use dxil_frontend::ir::{FuncId, FuncView, FunctionDecl, Inst, Linkage};
use dxil_frontend::tables::HashSet;

use crate::{Error, ErrorKind, Result};

/// Returns the entry point of that name, as the module has it or as the source has it; without a
/// name the only one.
pub(crate) fn choose_entry<'a>(shader: &'a Shader, name: Option<&str>) -> Result<&'a EntryPoint> {
    let entry = find_entry(shader, name)?;
    entry.check_state()?;
    Ok(entry)
}

fn find_entry<'a>(shader: &'a Shader, name: Option<&str>) -> Result<&'a EntryPoint> {
    // A library's own entry stands for no function.
    let with_function = |entry: &&EntryPoint| roots_of(entry).next().is_some();
    let mut entries = shader.entry_points.iter().filter(with_function);
    if let Some(name) = name {
        let found = shader.entry_point(name).filter(with_function);
        return found.ok_or_else(|| no_entry(shader, name).into());
    }
    match (entries.next(), entries.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => Err(ErrorKind::SeveralEntryPoints(names(shader)).into()),
        (None, _) => Err(match shader.shader_model.kind {
            ShaderKind::Library => functions_alone(shader),
            _ => ErrorKind::NoEntryPoint(String::new()).into(),
        }),
    }
}

/// Returns the error for a library without entry points; it can only be linked with other
/// libraries.
fn functions_alone(shader: &Shader) -> Error {
    let functions = shader.module.functions.values();
    let mut names: Vec<&str> = functions
        .filter(|decl| decl.body.is_some() && decl.linkage != Linkage::Internal)
        .map(|decl| plain_name(&decl.name))
        .collect();
    names.truncate(MAX_NAMES);
    Error::unsupported(format!(
        "a library without entry points; its functions ({}) run when a library that calls them is linked with it",
        names.join(", ")
    ))
}

/// Maximum number of functions that an error lists.
const MAX_NAMES: usize = 16;

/// Returns the error for a name that no entry point has.
fn no_entry(shader: &Shader, name: &str) -> ErrorKind {
    let mut functions = shader.module.functions.values();
    let is_function = |decl: &FunctionDecl| {
        decl.body.is_some() && (*decl.name == *name || plain_name(&decl.name) == name)
    };
    if !name.is_empty() && functions.any(is_function) {
        ErrorKind::NotAnEntryPoint(name.to_owned())
    } else {
        ErrorKind::NoEntryPoint(name.to_owned())
    }
}

/// Returns the names that the source has for the entry points.
fn names(shader: &Shader) -> String {
    let entries = shader.entry_points.iter();
    let named = entries.filter(|entry| entry.function.is_some());
    named
        .map(EntryPoint::plain_name)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Returns the functions that the API starts: one, or a hull shader's two phases.
pub(crate) fn roots_of(entry: &EntryPoint) -> impl Iterator<Item = FuncId> {
    let patch_constants = match entry.stage {
        Stage::Hull {
            patch_constant_function,
            ..
        } => patch_constant_function,
        _ => None,
    };
    entry.function.into_iter().chain(patch_constants)
}

/// Returns the functions of the entry point followed by all functions with a body that they call.
pub(crate) fn reachable_functions(shader: &Shader, entry: &EntryPoint) -> Vec<FuncId> {
    let module = &shader.module;
    let mut found: Vec<FuncId> = Vec::new();
    // An entry point has two functions at most.
    for id in roots_of(entry) {
        if !found.contains(&id) {
            found.push(id);
        }
    }
    // Nearly every shader has one body; then no call can lead anywhere.
    if module.bodies.len() == 1 {
        return found;
    }
    let mut is_found: HashSet<FuncId> = found.iter().copied().collect();
    let mut next = 0;
    while let Some(&id) = found.get(next) {
        next += 1;
        let Some(function) = module.body(id) else {
            continue;
        };
        let view = FuncView { module, function };
        for data in function.insts.values() {
            if let Inst::Call { callee, .. } = data.inst
                && let Some(callee) = view.as_function(callee)
                && shader.callees[callee] == Callee::Function
                && module.body(callee).is_some()
                && is_found.insert(callee)
            {
                found.push(callee);
            }
        }
    }
    found
}
