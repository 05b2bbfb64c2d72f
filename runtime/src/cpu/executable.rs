//! A decoded shader.

use dxil_cpu::Kernel;

use dxil_frontend::container::root_signature::RootSignature;
use dxil_frontend::dxil::SignatureElement;
use dxil_translate::StreamOutputEntry;

use crate::resource::{Register, Sampler};

/// A decoded shader with what its root signature says.
#[derive(Debug)]
pub struct Executable {
    pub(super) kernel: Kernel,
    pub(super) static_samplers: Vec<(Register, Sampler)>,
    /// Single registers that the shader uses, with the names of what it declares there.
    pub(super) needed: Vec<(Register, String)>,
    /// What local root signatures say of each shader of a ray tracing pipeline.
    pub(super) locals: Vec<LocalRoot>,
    /// What a vertex shader that runs by itself hands over.
    pub(super) vertex: Option<VertexInterface>,
}

/// The local root signature of a ray tracing shader.
#[derive(Debug)]
pub(super) struct LocalRoot {
    pub(super) signature: Option<RootSignature>,
    /// Bytes of a record up to the end of what the shader uses of it.
    pub(super) bytes: u32,
}

/// Inputs and outputs of a vertex shader.
#[derive(Debug)]
pub(super) struct VertexInterface {
    pub(super) inputs: Vec<SignatureElement>,
    pub(super) outputs: Vec<SignatureElement>,
    pub(super) streams: Vec<StreamOutputEntry>,
}
