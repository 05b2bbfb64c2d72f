//! Any bytes as bitcode, bare or in a container: decoding, printing and reading as DXIL return.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = dxil_frontend::oracle::bitcode(bytes);
});
