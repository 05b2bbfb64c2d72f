//! Searches for miscompilations: DXC compiles random HLSL to DXIL and to SPIR-V, and the results of
//! our SPIR-V are compared with those of DXC's, on one device with the same inputs.
//!
//! [`generate`] writes shaders, [`compile`] compiles them with DXC, [`inputs`] makes their inputs,
//! and [`compare`] runs all forms and returns their differences. For runs on several devices
//! [`saved`] keeps the compiled forms, and [`results`] the results.

#![forbid(unsafe_code)]

pub mod compare;
pub mod compile;
pub mod generate;
pub mod inputs;
pub mod random;
pub mod results;
pub mod saved;
