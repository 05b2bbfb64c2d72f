//! Any bytes as a shader: the translator returns, and what it accepts becomes SPIR-V that loads.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = dxil_translate::oracle::translate(bytes);
});
