//! Linking: gives a shader the functions that it calls and other libraries define.
//!
//! A library may call functions that it only declares. D3D12 finds them among the libraries of a
//! state object by their mangled names, and DXC does so ahead of time (`-link`). [`link`] makes one
//! [`Shader`] of them, which every later stage takes like any other:
//!
//! * Functions: a declaration becomes the one definition of that name that another library exports.
//!   What nothing calls is left out.
//! * Types: named alike and built alike is one type; LLVM numbers names that come again
//!   (`struct.P.3`), so such endings do not count.
//! * Resources: one variable of one name is one resource, if both libraries declare it alike.
//!   Registers that the source leaves open are given when all resources are known, as DXC does: the
//!   first free ones of space 0, class by class.
//! * Other variables: `static` ones belong to their library; the initializers of those that
//!   imported functions use run at the start of each entry point.
//! * Debug information stays for the shader's own code.
//!
//! Source: D3D12 "DirectX Raytracing Functional Spec" ("Subobject associations", "Collection state
//! object") for what is resolved when; DXC's tests of `-link` for names and registers.

mod body;
mod constructors;
mod free_registers;
mod ids;
mod merge;
mod metadata;
mod needed;
mod resources;
mod search;
mod types;

use crate::dxil::{Shader, ShaderKind};
use crate::error::{Error, ErrorKind, Result};

/// Returns the shader together with the library functions that its entry points call. In a library
/// without entry points, all functions count as callers.
///
/// Fails if a function is defined by none of them, or by several, or is another one than the caller
/// declares, and if they declare a resource in different ways.
///
/// # Errors
///
/// If a function has no definition or several, or the libraries do not fit together.
pub fn link(shader: &Shader, libraries: &[&Shader]) -> Result<Shader> {
    for library in libraries {
        if library.shader_model.kind != ShaderKind::Library {
            return Err(Error::malformed(format!(
                "a {} shader is no library that another shader could call",
                library.shader_model.kind.prefix()
            )));
        }
    }
    let parts: Vec<&Shader> = std::iter::once(shader)
        .chain(libraries.iter().copied())
        .collect();
    let needed = needed::find(&parts)?;
    // Before merging, so that the message lists all missing functions and not only the first.
    if !needed.unresolved.is_empty() {
        return Err(Error::new(ErrorKind::Unresolved(
            needed.unresolved.join(", "),
        )));
    }
    merge::run(&parts, &needed)
}

/// Returns the functions that a shader calls and does not define, of those that an entry point
/// reaches (of all, if there is none), by their mangled names.
pub fn unresolved(shader: &Shader) -> Vec<String> {
    needed::find(&[shader]).map_or_else(|_| Vec::new(), |needed| needed.unresolved)
}
