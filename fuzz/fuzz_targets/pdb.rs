//! A shader PDB file: reading it returns.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = dxil_frontend::oracle::pdb(bytes);
});
