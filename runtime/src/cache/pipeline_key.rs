//! Keys of the driver's data for pipelines.

use super::Key;
use crate::graphics::GraphicsState;
use crate::program::{Program, ShaderCode};

/// Returns the key of the driver's data for a program's pipeline on a device of that identity.
pub(crate) fn pipeline_key(identity: &[u8; 32], program: &Program) -> Key {
    let mut hasher = blake3::Hasher::new_derive_key("dxil-jit pipeline");
    hasher.update(identity);
    for stage in &program.stages {
        hasher.update(stage.kind.prefix().as_bytes());
        match &stage.code {
            ShaderCode::SpirV(words) => {
                // Lengths come first, so that words of one stage cannot be taken for the next
                // one's.
                hasher.update(&(words.len() as u64).to_le_bytes());
                for word in words.iter() {
                    hasher.update(&word.to_le_bytes());
                }
            }
            ShaderCode::Wgsl(text) => {
                hasher.update(&(text.len() as u64).to_le_bytes());
                hasher.update(text.as_bytes());
            }
            // The CPU has no driver that could keep data.
            ShaderCode::Dxil(_) => {}
        }
        let rest = (&stage.entry, stage.required_subgroup_size);
        hasher.update(format!("{rest:?}").as_bytes());
    }
    // The `Debug` text tells states apart, which is all that a key needs; the driver checks by
    // itself whether its data fit.
    let graphics = program.graphics.as_ref().map(|state| GraphicsState {
        // Zero counts as one.
        samples: state.samples.max(1),
        viewports: state.viewports.max(1),
        ..state.clone()
    });
    let state = (&program.layout, graphics, &program.ray_tracing);
    hasher.update(format!("{state:?}").as_bytes());
    Key::of(&hasher)
}
