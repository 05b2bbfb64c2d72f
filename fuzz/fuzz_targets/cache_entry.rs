//! An entry of the cache behind its key: reading it returns.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    dxil_runtime::oracle::cache_entry(bytes);
});
