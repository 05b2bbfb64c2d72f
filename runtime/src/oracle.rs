//! Functions for fuzz targets and property tests. Not part of the interface.
//!
//! The caller checks that each function returns at all, in time and within memory; the assertions
//! in here are rules that hold for every input.

use dxil_frontend::dxil::{ShaderKind, read_shader};
use dxil_frontend::escape::{MAX_MESSAGE_BYTES, is_hidden};
use dxil_translate::VulkanVersion;

use crate::device::Profile;
use crate::program::CompileOptions;
use crate::root_signature::parse_text;
use crate::work_graph::{NodeLibrary, WorkGraph};

/// Checks that a message is bounded and has no control codes.
fn check_message(error: &dyn std::fmt::Display) {
    let text = error.to_string();
    assert!(
        text.len() <= MAX_MESSAGE_BYTES + 200,
        "{} bytes",
        text.len()
    );
    let odd = text
        .chars()
        .find(|c| !matches!(c, '\n' | '\t') && is_hidden(*c));
    assert_eq!(odd, None, "{text:?}");
}

/// Checks the message of a failure; returns whether there was none.
pub fn passed<T, E: std::fmt::Display>(result: Result<T, E>) -> bool {
    result.inspect_err(|error| check_message(error)).is_ok()
}

/// Parses the text of a root signature. Returns whether it is one.
pub fn root_signature_text(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    passed(parse_text(&text))
}

/// Reads the file of a translation in the cache. Returns whether it is sound; the first 32 bytes
/// are its key.
pub fn cache_entry(bytes: &[u8]) -> bool {
    crate::cache::read_entry(bytes)
}

/// Returns an entry as [`cache_entry`] reads it: a key, and the translation of a container with
/// default options. `None` where the container cannot be translated.
pub fn cache_entry_of(container: &[u8]) -> Option<Vec<u8>> {
    let shader = read_shader(container).ok()?;
    let translation = dxil_translate::translate(&shader, &Default::default()).ok()?;
    let mut entry = vec![0; 32];
    entry.extend(crate::cache::encode_translation(1, &translation)?);
    Some(entry)
}

/// Returns a library of nodes: the graph is put together for a device that has everything.
pub fn work_graph(bytes: &[u8]) -> bool {
    let Ok(shader) = read_shader(bytes) else {
        return false;
    };
    if shader.shader_model.kind != ShaderKind::Library {
        return false;
    }
    let profile = Profile::offline(VulkanVersion::V1_3);
    let libraries = [NodeLibrary::new(&shader)];
    let options = CompileOptions::default();
    passed(WorkGraph::compile(
        &libraries,
        None,
        &profile,
        &|_| None,
        &options,
    ))
}
