//! Any bytes as bitcode, bare or in a container: decoding, printing and reading as DXIL return.

#![no_main]

use dxil_frontend::container::open_program;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // The corpus is containers; what is no container is bitcode itself.
    let bitcode = open_program(bytes).map_or(bytes, |program| program.bitcode);
    let _ = dxil_frontend::oracle::bitcode(bitcode);
});
