//! A root signature as bytes: written and read again it is the same.

#![no_main]

dxil_fuzz::fuzz!("root_signature");
