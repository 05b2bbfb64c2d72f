//! Eight bytes that choose options, and a shader: translating it for them returns, and what is
//! accepted becomes SPIR-V that loads.

#![no_main]

dxil_fuzz::fuzz!("options");
