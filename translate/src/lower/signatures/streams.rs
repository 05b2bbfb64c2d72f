//! Streams of geometry shaders.

use dxil_frontend::dxil::Stage;

use crate::lower::context::Input;
use crate::spirv::{Builder, Capability, Decoration, Id};

/// Returns whether a geometry shader has streams beyond the first.
pub(in crate::lower) fn has_streams(input: &Input<'_>) -> bool {
    match input.entry.stage {
        Stage::Geometry { active_streams, .. } => {
            // A single stream needs no decoration, and so no GeometryStreams capability.
            active_streams & !1 != 0 || input.entry.outputs.iter().any(|e| e.stream != 0)
        }
        _ => false,
    }
}

/// Declares which stream an output belongs to.
pub(super) fn decorate_stream(b: &mut Builder, variable: Id, stream: u32) {
    b.capability(Capability::GeometryStreams);
    b.decorate(variable, Decoration::Stream, &[stream]);
}
