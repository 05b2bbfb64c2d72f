//! A root signature as bytes: written and read again it is the same.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = dxil_frontend::oracle::root_signature(bytes);
});
