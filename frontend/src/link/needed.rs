//! The functions and values of each library that are needed.

use super::constructors;
use super::search::{Needed, Search};
use crate::dxil::{Shader, Stage};
use crate::error::Result;
use crate::ir::FuncId;

/// Returns the needs of the entry points of the first shader.
///
/// # Errors
///
/// `DefinedTwice` if a function that is needed has two definitions.
pub(super) fn find(parts: &[&Shader]) -> Result<Needed> {
    let mut search = Search::new(parts);
    let Some(first) = parts.first() else {
        return Ok(search.needed);
    };
    let starts: Vec<FuncId> = starts(first);
    for function in starts {
        search.body((0, function));
    }
    search.run()?;
    // After the search, since it asks which variables the imported functions use.
    constructors::find(&mut search)?;
    let mut needed = search.needed;
    // All functions of the first shader are kept.
    for (id, decl) in &first.module.functions {
        if decl.body.is_some() && !search.seen.contains_key(&(0, id)) {
            needed.bodies.push((0, id));
        }
    }
    // The first shader's resources and metadata may name values that no code uses.
    if let Some(used) = needed.used.first_mut() {
        used.fill(true);
    }
    needed.unresolved.sort_unstable();
    needed.unresolved.dedup();
    Ok(needed)
}

/// Returns the functions that the API calls; all functions of a library without entry points.
pub(super) fn starts(shader: &Shader) -> Vec<FuncId> {
    let entries = shader.entry_points.iter().flat_map(|entry| {
        let patch_constants = match entry.stage {
            Stage::Hull {
                patch_constant_function,
                ..
            } => patch_constant_function,
            _ => None,
        };
        entry.function.into_iter().chain(patch_constants)
    });
    let found: Vec<FuncId> = entries.collect();
    if !found.is_empty() {
        return found;
    }
    let functions = shader.module.functions.iter();
    functions
        .filter(|(_, decl)| decl.body.is_some())
        .map(|(id, _)| id)
        .collect()
}
