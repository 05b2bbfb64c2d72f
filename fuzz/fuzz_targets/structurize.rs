//! Any bytes as a control-flow graph: its structured form keeps SPIR-V's rules and does the same.

#![no_main]

dxil_fuzz::fuzz!("structurize");
