//! Any bytes as bitcode, bare or in a container: decoding, printing and reading as DXIL return.

#![no_main]

dxil_fuzz::fuzz!("bitcode");
