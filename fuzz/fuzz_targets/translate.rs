//! Any bytes as a shader: the translator returns, and what it accepts becomes SPIR-V that loads.

#![no_main]

dxil_fuzz::fuzz!("translate");
