//! State objects of libraries that are files.

use std::sync::Arc;

use dxil_frontend::dxil::{Shader, ShaderKind, plain_name};
use dxil_runtime::ray_program::ray_shaders;

use crate::library::{Blob, Library, ObjectKind, StateObject};

/// Returns the state object of libraries; their own subobjects say the rest.
pub(super) fn state_object(blobs: &[Blob], shaders: &[Shader]) -> StateObject {
    let has = |kind| {
        let mut entries = shaders.iter().flat_map(|shader| &shader.entry_points);
        entries.any(|entry| entry.kind == kind)
    };
    let kind = if has(ShaderKind::RayGeneration) {
        ObjectKind::RayTracing
    } else if has(ShaderKind::Node) {
        ObjectKind::Executable
    } else {
        ObjectKind::Collection
    };
    StateObject {
        kind,
        libraries: blobs
            .iter()
            .map(|bytes| Library {
                bytes: Arc::clone(bytes),
                exports: Vec::new(),
            })
            .collect(),
        ..StateObject::default()
    }
}

/// Returns a state object with the shaders of ray tracing in the order of these names.
pub(super) fn with_exports(blobs: &[Blob], shaders: &[Shader], names: &[&str]) -> StateObject {
    let mut object = state_object(blobs, shaders);
    for (library, shader) in object.libraries.iter_mut().zip(shaders) {
        let has = |name: &&&str| {
            let mut own = ray_shaders(shader);
            own.any(|(entry, _)| entry == **name || plain_name(entry) == plain_name(name))
        };
        let own = names.iter().filter(has);
        library.exports = own
            .map(|name| ((*name).to_owned(), (*name).to_owned()))
            .collect();
    }
    object
}
