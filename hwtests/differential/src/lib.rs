//! Looks for miscompilations: random HLSL goes through DXC twice, to DXIL and to SPIR-V, and what
//! our SPIR-V computes is compared with what DXC's own computes, on one device with one set of
//! inputs.
//!
//! [`generate`] writes shaders, [`compile`] has DXC compile them, [`inputs`] makes the inputs that
//! they read, [`compare`] runs all forms of one and says how they differ.

#![forbid(unsafe_code)]

pub mod compare;
pub mod compile;
pub mod generate;
pub mod inputs;
pub mod random;
