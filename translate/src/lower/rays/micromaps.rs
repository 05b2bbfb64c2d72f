//! Opacity micromaps, by either of their extensions. `SPV_EXT_opacity_micromap` only has a
//! capability for rays that request two-state micromaps. `SPV_KHR_opacity_micromap` has the same
//! one, and ray queries use micromaps only in entry points with an execution mode.

use crate::lower::context::Input;
use crate::options::Features;
use crate::spirv::{Builder, Capability, Id};
use crate::{Quirks, Result};

/// `RayTracingOpacityMicromapExecutionModeKHR`.
const EXECUTION_MODE_CAPABILITY: u32 = 6032;
/// `OpacityMicromapIdKHR`; its operand is a truth value.
const EXECUTION_MODE: u32 = 6031;

/// Returns whether the target has micromaps.
pub(super) fn available(input: &Input<'_>) -> bool {
    let either = Features::OPACITY_MICROMAP | Features::OPACITY_MICROMAP_KHR;
    input.options.target.features.intersects(either)
}

/// Requires micromaps of the target.
pub(super) fn need(input: &Input<'_>, user: &str) -> Result<()> {
    if available(input) {
        return Ok(());
    }
    input.need_feature(Features::OPACITY_MICROMAP, "micromap", || user.to_owned())
}

fn extension_name(b: &mut Builder, input: &Input<'_>) {
    b.extension(if input.has(Features::OPACITY_MICROMAP) {
        "SPV_EXT_opacity_micromap"
    } else {
        "SPV_KHR_opacity_micromap"
    });
}

/// Declares the capability and extension of `RAY_FLAG_FORCE_OMM_2_STATE`.
pub(super) fn declare(b: &mut Builder, input: &Input<'_>) {
    b.capability(Capability::RayTracingOpacityMicromapEXT);
    extension_name(b, input);
}

/// Returns whether the entry point's ray queries may use micromaps.
pub(in crate::lower) fn met_by_queries(input: &Input<'_>) -> bool {
    let model = &input.shader.shader_model;
    // Shaders before 6.9 cannot request micromaps: they were written for structures without them.
    // The quirk is for drivers that apply micromaps anyway.
    let is_older = (model.major, model.minor) < (6, 9);
    let forced = is_older && input.has_quirk(Quirks::OLD_RAY_QUERIES_MEET_MICROMAPS);
    // A query that does not allow micromaps meets none, whatever its flags are at run time (DirectX
    // Raytracing specification, "RAYQUERY_FLAG"): the module must not ask for the extension.
    available(input) && (input.analyses.ray_queries.micromaps || forced)
}

/// Declares that the entry point's ray queries use micromaps, where that needs an execution mode.
pub(in crate::lower) fn declare_mode(
    b: &mut Builder,
    input: &Input<'_>,
    function: Id,
) -> Result<()> {
    // SPV_EXT_opacity_micromap has no execution mode: there ray queries use micromaps whenever the
    // acceleration structure has them.
    let has_to = !input.has(Features::OPACITY_MICROMAP) && input.analyses.ray_queries.exist();
    if !has_to || !met_by_queries(input) {
        return Ok(());
    }
    // rspirv's grammar predates SPV_KHR_opacity_micromap, hence the bare numbers.
    b.newer_capability(EXECUTION_MODE_CAPABILITY);
    extension_name(b, input);
    let on = b.const_bool(true);
    b.execution_mode_id(function, EXECUTION_MODE, &[on]);
    Ok(())
}
