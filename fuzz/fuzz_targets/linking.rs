//! Two libraries: linking them returns.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = dxil_frontend::oracle::linking(bytes);
});
