//! A pipeline file or a scene: parsing it returns, and messages are harmless.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    dxil_jit::oracle::yaml(bytes);
});
