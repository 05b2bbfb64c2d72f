//! The quads of thread groups: which threads D3D12 puts in one, and how the target is told.
//!
//! From shader model 6.6 on, a group with even x and y has quads of two by two threads, and others
//! have four threads in a row (HLSL, "Derivative Operations in Compute, Mesh and Amplification
//! Shaders"). SPIR-V has an execution mode for each. For targets that lack the first one, the group
//! is declared twice as wide and half as high ([`is_rearranged`]): four threads in a row of it are
//! two by two threads of D3D12's group, for the second mode and for operations of quads, which take
//! four lanes in a row.

use dxil_frontend::dxil::ShaderKind;

use crate::lower::context::Input;
use crate::options::Features;
use crate::spirv::{Capability, ExecutionMode};

/// Where a stage gets derivatives from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Derivatives {
    /// The stage has none.
    None,
    /// Instructions for derivatives and implicit levels of detail.
    Native,
    /// Differences between the lanes of a quad.
    Lanes,
}

/// Returns where the stage gets derivatives from.
pub(in crate::lower) fn derivatives(input: &Input<'_>) -> Derivatives {
    if input.is_pixel() {
        return Derivatives::Native;
    }
    // A group with incomplete quads has no derivatives in D3D12 either.
    if !input.has_groups() || has_partial_quads(input) {
        return Derivatives::None;
    }
    if mode(input).is_some() {
        return Derivatives::Native;
    }
    if lacks_squares(input) && input.entry.kind == ShaderKind::Node {
        return Derivatives::None;
    }
    let exchanges = Features::SUBGROUP | Features::SUBGROUP_QUAD;
    if input.options.target.features.intersects(exchanges) {
        Derivatives::Lanes
    } else {
        Derivatives::None
    }
}

/// Returns whether the thread group has quads of two by two threads.
pub(in crate::lower) fn has_square_quads(input: &Input<'_>) -> bool {
    let [x, y, _] = input.entry.num_threads.unwrap_or([1; 3]);
    // Before shader model 6.6 quads are four lanes in a row.
    let since = input.shader.shader_model.minor >= 6;
    since && y > 1 && x.is_multiple_of(2) && y.is_multiple_of(2)
}

/// Returns whether a thread group has incomplete quads, which no mode of SPIR-V allows.
pub(in crate::lower) fn has_partial_quads(input: &Input<'_>) -> bool {
    let [x, y, z] = input.entry.num_threads.unwrap_or([1; 3]);
    // VUID-StandaloneSpirv-DerivativeGroupLinearKHR-10152 wants a multiple of four threads.
    !input.is_pixel() && !x.saturating_mul(y).saturating_mul(z).is_multiple_of(4)
}

/// Returns whether the group is declared twice as wide and half as high.
pub(in crate::lower) fn is_rearranged(input: &Input<'_>) -> bool {
    lacks_squares(input)
        && input.consumer().derivative_groups
        // Layers specialize the sides of nodes' groups.
        && input.entry.kind != ShaderKind::Node
}

/// Returns whether the shader uses quads of two by two threads and the target has no mode for them.
fn lacks_squares(input: &Input<'_>) -> bool {
    input.has_groups()
        && input.plan.quads
        && has_square_quads(input)
        && !input.has(Features::COMPUTE_DERIVATIVES_QUADS)
}

/// Returns the execution mode for the quads of the thread group, if the target has it.
pub(super) fn mode(input: &Input<'_>) -> Option<(Capability, ExecutionMode)> {
    let needed = input.has_groups() && input.plan.quads && !has_partial_quads(input);
    if !input.consumer().derivative_groups || !needed {
        return None;
    }
    // VUID-StandaloneSpirv-DerivativeGroupQuadsKHR-10151 asks for even x and y.
    if has_square_quads(input) && input.has(Features::COMPUTE_DERIVATIVES_QUADS) {
        return Some((
            Capability::ComputeDerivativeGroupQuadsKHR,
            ExecutionMode::DerivativeGroupQuadsKHR,
        ));
    }
    if lacks_squares(input) && !is_rearranged(input) {
        return None;
    }
    input.has(Features::COMPUTE_DERIVATIVES_LINEAR).then_some((
        Capability::ComputeDerivativeGroupLinearKHR,
        ExecutionMode::DerivativeGroupLinearKHR,
    ))
}
