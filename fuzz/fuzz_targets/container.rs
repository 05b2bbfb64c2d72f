//! Any bytes as a DXContainer: every reader returns.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = dxil_frontend::oracle::container(bytes);
});
