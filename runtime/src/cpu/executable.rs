//! A decoded shader.

use dxil_cpu::Kernel;

use dxil_frontend::container::root_signature::RootSignature;
use dxil_frontend::dxil::EntryPoint;
use dxil_translate::StreamOutputEntry;

use crate::resource::{Register, Sampler};

/// A decoded shader with what its root signature says.
#[derive(Debug, Clone)]
pub struct Executable {
    pub(super) kernel: Kernel,
    pub(super) static_samplers: Vec<(Register, Sampler)>,
    /// Single registers that the shader uses, with the names of what it declares there.
    pub(super) needed: Vec<(Register, String)>,
    /// The local root signature of each shader of a ray tracing pipeline.
    pub(super) locals: Vec<LocalRoot>,
    /// The inputs and outputs of a stage of a draw.
    pub(super) stage: Option<StageInterface>,
}

/// The local root signature of a ray tracing shader.
#[derive(Debug, Clone)]
pub(super) struct LocalRoot {
    pub(super) signature: Option<RootSignature>,
    /// Bytes of a record up to the end of what the shader uses of it.
    pub(super) bytes: u32,
}

/// The inputs and outputs of a stage of a draw.
#[derive(Debug, Clone)]
pub(super) struct StageInterface {
    pub(super) entry: EntryPoint,
    /// The outputs that stream output captures, if this stage feeds the rasterizer.
    pub(super) streams: Vec<StreamOutputEntry>,
    /// Whether a pixel shader asks for the tests of depth and stencil before it runs.
    pub(super) forces_early_depth: bool,
}

impl Executable {
    /// Returns the code.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Returns the same stage of a draw for another view: `SV_ViewID`.
    pub(super) fn with_view(&self, view: u32) -> Executable {
        Executable {
            kernel: self.kernel.with_view(view),
            ..self.clone()
        }
    }
}
