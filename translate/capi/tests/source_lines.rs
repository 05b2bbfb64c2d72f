//! Lines of the source through both APIs, for a container with debug information.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first problem"
)]
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "every call is to the library, with handles and places that live"
)]

mod session;

use std::ffi::CStr;

use dxil_jit::native::*;
use session::*;

#[test]
fn option_48_writes_the_lines_of_the_source() {
    let mut session = Session::of("debug/inlined");
    assert!(!session.text().contains("OpLine"));
    let mut session = Session::of("debug/inlined");
    session.flag(48);
    let text = session.text();
    assert!(text.contains("OpSource HLSL 600"), "{text}");
    assert!(
        text.contains("hwtests/shaders/debug/inlined.hlsli"),
        "{text}"
    );
    assert!(
        text.lines()
            .filter(|line| line.starts_with("OpLine"))
            .count()
            > 20,
        "{text}"
    );
}

fn options(source: u8, features: u64) -> DxilJitOptions {
    DxilJitOptions {
        vulkan_version: 0,
        subgroup_size: 0,
        features,
        entry: std::ptr::null(),
        portable: false,
        bounds_checks: false,
        debug_info: false,
        native_min_precision: false,
        heap_set: 0,
        has_heaps: false,
        has_patch_location: false,
        fast_half_packing: false,
        source_debug_info: source,
        patch_location: 0,
        resource_heap_stride: 0,
        sampler_heap_stride: 0,
        descriptor_heaps: false,
        large_buffers: false,
        preview: false,
    }
}

/// Returns the module's bytes, or the code and message of the error.
fn translated(name: &str, options: &DxilJitOptions) -> Result<Vec<u8>, (DxilJitCode, String)> {
    let bytes = shader(name);
    let mut translation = std::ptr::null_mut();
    let mut error = std::mem::MaybeUninit::<DxilJitError>::zeroed();
    unsafe {
        let code = dxil_jit_translate(
            bytes.as_ptr(),
            bytes.len(),
            options,
            std::ptr::null(),
            0,
            std::ptr::null(),
            &raw mut translation,
            error.as_mut_ptr(),
        );
        if code != DxilJitCode::Ok {
            let message = CStr::from_ptr((*error.as_ptr()).message.as_ptr());
            return Err((code, message.to_str().unwrap().to_owned()));
        }
        let mut count = 0;
        let words = dxil_jit_translation_words(translation, &raw mut count);
        let words = std::slice::from_raw_parts(words, count).to_vec();
        dxil_jit_translation_free(translation);
        Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }
}

fn has(module: &[u8], text: &str) -> bool {
    module
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

#[test]
fn our_own_api_writes_what_is_asked_for() {
    let with = |source| translated("debug/inlined", &options(source, 0));
    let [nothing, lines, full] = [0, 1, 2].map(|source| with(source).unwrap());
    assert!(!has(&nothing, "groupshared float tile"));
    assert!(has(&lines, "groupshared float tile") && !has(&lines, "NonSemantic"));
    assert!(has(&full, "groupshared float tile"));
    assert!(has(&full, "NonSemantic.Shader.DebugInfo.100"));
    assert_eq!(with(3).unwrap_err().0, DxilJitCode::BadArgument);
}

#[test]
fn an_error_begins_with_the_line() {
    let (code, message) = translated("debug/typed", &options(0, 0)).unwrap_err();
    assert_eq!(code, DxilJitCode::Unsupported);
    assert!(
        message.starts_with("hwtests/shaders/debug/typed.hlsl:37:"),
        "{message}"
    );
}
