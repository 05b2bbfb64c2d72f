//! A decoded shader.

use dxil_cpu::Kernel;

use crate::resource::{Register, Sampler};

/// A decoded shader with what its root signature says.
#[derive(Debug)]
pub struct Executable {
    pub(super) kernel: Kernel,
    pub(super) static_samplers: Vec<(Register, Sampler)>,
    /// Single registers that the shader uses, with the names of what it declares there.
    pub(super) needed: Vec<(Register, String)>,
}
