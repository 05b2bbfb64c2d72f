//! Levels of textures that a shader names by constants.

use dxil_frontend::dxil::ops::{Op, SamplingOp, TextureOp, decode, op_arguments};
use dxil_frontend::dxil::{ResourceClass, ResourceIndex, ResourceKind, Shader};
use dxil_frontend::ir::{Constant, FuncView, ValueId};

use crate::handles::Handles;

/// A level of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Level {
    pub(crate) class: ResourceClass,
    /// Number of the resource within its class.
    pub(crate) id: u32,
    pub(crate) level: u32,
}

/// Returns the levels that loads and samples of a shader name.
pub(crate) fn of(shader: &Shader) -> Vec<Level> {
    let resources = ResourceIndex::new(&shader.resources);
    let mut found = Vec::new();
    for body in &shader.module.bodies {
        let view = FuncView {
            module: &shader.module,
            function: body,
        };
        let handles = Handles {
            shader,
            resources: &resources,
            view,
        };
        for data in body.insts.values() {
            let arguments = op_arguments(view, &shader.callees, &data.inst);
            let Some(op) = arguments.and_then(|arguments| decode(view, arguments).ok()) else {
                continue;
            };
            let level = match &op {
                Op::Texture(TextureOp::TextureLoad(op)) => {
                    let level = op.mip_or_sample.expand();
                    level.and_then(|value| view.constant_int(value))
                }
                Op::Sampling(SamplingOp::SampleLevel(op)) => lod(view, op.lod),
                _ => None,
            };
            let handle = op.resource_operands().resource;
            if let Some(level) = level.and_then(|level| u32::try_from(level).ok())
                && let Some(resource) = handle.and_then(|handle| handles.resource(handle))
                // There the operand is a sample.
                && !matches!(
                    resource.kind,
                    ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray
                )
            {
                found.push(Level {
                    class: resource.class,
                    id: resource.id,
                    level,
                });
            }
        }
    }
    found
}

/// Returns the smallest level that a constant level of detail looks at, rounded up: one between two
/// levels looks at both.
fn lod(view: FuncView<'_>, value: ValueId) -> Option<u64> {
    match view.constant(value)? {
        // A level of detail is a `float`.
        Constant::Float(bits) => Some(f32::from_bits(bits as u32).ceil() as u64),
        _ => None,
    }
}
