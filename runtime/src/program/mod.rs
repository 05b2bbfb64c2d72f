//! Shaders that are ready for a device: code per stage, and where each register lives.

mod compile;
mod layout;
mod options;
mod stage;

pub(crate) use compile::wave_size;
pub use layout::{
    BindingSlot, DeclaredRegisters, Layout, PushConstant, PushSource, SetLayout, SlotSource,
};
pub use options::CompileOptions;
pub use stage::{ShaderCode, StageCode, spirv_words};

use crate::graphics::GraphicsState;
use crate::ray_tracing::RayTracingState;

/// Stages and their layout: what a pipeline is made of.
#[derive(Debug, Clone)]
pub struct Program {
    /// One stage for compute; several for graphics.
    pub stages: Vec<StageCode>,
    /// The location of each register.
    pub layout: Layout,
    /// State of a graphics pipeline; `None` for others.
    pub graphics: Option<GraphicsState>,
    /// State of a ray tracing pipeline; `None` for others.
    pub ray_tracing: Option<RayTracingState>,
}

impl Program {
    /// Returns the program of a compute shader with a given layout.
    pub fn of_compute(stage: StageCode, layout: Layout) -> Self {
        Program {
            stages: vec![stage],
            layout,
            graphics: None,
            ray_tracing: None,
        }
    }
}
