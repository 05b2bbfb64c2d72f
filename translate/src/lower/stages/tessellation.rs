//! Hull and domain shaders: inputs beyond their signatures, execution modes, and the entry point
//! that calls a hull shader's two functions.
//!
//! ```text
//! D3D12   control-point function, once per output control point  ->  patch-constant function, once per patch
//! SPIR-V  entry: control-point function; barrier; if invocation 0: patch-constant function
//! ```
//!
//! Spacing, winding and point mode belong to the hull shader in D3D12, so they are declared there;
//! the domain is declared in both stages. A Vulkan pipeline accepts each from either stage, if they
//! agree.

use dxil_frontend::dxil::{
    DomainShape, SignatureElement, Stage, TessellatorOutput, TessellatorPartitioning,
};
use dxil_frontend::ir::FuncId;

use crate::lower::context::{Context, Input};
use crate::lower::signatures::state::Direction;
use crate::lower::signatures::{access, inputs};
use crate::lower::stages::entry;
use crate::options::Features;
use crate::spirv::{Builder, Capability, ExecutionMode, Id, Op, Scope};
use crate::{Error, Result};

/// Declares capability and execution modes of hull shaders.
pub(super) fn hull_modes(b: &mut Builder, input: &Input<'_>, function: Id) -> Result<()> {
    let Stage::Hull {
        output_control_points,
        domain,
        partitioning,
        output,
        ..
    } = input.entry.stage
    else {
        return Ok(());
    };
    inputs::require(
        input,
        Features::TESSELLATION,
        "tessellationShader",
        "a hull shader",
    )?;
    b.capability(Capability::Tessellation);
    let mut modes = vec![domain_mode(domain)];
    // D3D's tessellator treats `pow2` like `integer`: the shader has rounded the factors.
    modes.push(match partitioning {
        TessellatorPartitioning::Undefined
        | TessellatorPartitioning::Integer
        | TessellatorPartitioning::Pow2 => ExecutionMode::SpacingEqual,
        TessellatorPartitioning::FractionalOdd => ExecutionMode::SpacingFractionalOdd,
        TessellatorPartitioning::FractionalEven => ExecutionMode::SpacingFractionalEven,
    });
    match output {
        TessellatorOutput::Point => modes.push(ExecutionMode::PointMode),
        TessellatorOutput::TriangleCw => modes.push(ExecutionMode::VertexOrderCw),
        TessellatorOutput::TriangleCcw => modes.push(ExecutionMode::VertexOrderCcw),
        TessellatorOutput::Undefined | TessellatorOutput::Line => {}
    }
    for mode in modes {
        b.execution_mode(function, mode, &[]);
    }
    // Without control points the patch-constant function still runs, once.
    let points = output_control_points.max(1);
    b.execution_mode(function, ExecutionMode::OutputVertices, &[points]);
    Ok(())
}

/// Declares capability and execution modes of domain shaders.
pub(super) fn domain_modes(b: &mut Builder, input: &Input<'_>, function: Id) -> Result<()> {
    let Stage::Domain { domain, .. } = input.entry.stage else {
        return Ok(());
    };
    inputs::require(
        input,
        Features::TESSELLATION,
        "tessellationShader",
        "a domain shader",
    )?;
    b.capability(Capability::Tessellation);
    b.execution_mode(function, domain_mode(domain), &[]);
    Ok(())
}

/// Returns the function that a hull shader starts with. Without control-point function, the control
/// points are passed through.
pub(super) fn hull_entry(cx: &mut Context<'_>, control_point: Option<FuncId>) -> Result<Id> {
    let Stage::Hull {
        patch_constant_function,
        output_control_points,
        ..
    } = cx.input.entry.stage
    else {
        return Err(Error::malformed("a hull shader without its state"));
    };
    entry::wrap(cx, |cx| {
        match control_point {
            Some(function) => entry::call_root(cx, function)?,
            None => pass_control_points_through(cx)?,
        }
        if let Some(function) = patch_constant_function {
            // With one control point there is one invocation and nothing to wait for.
            if output_control_points > 1 {
                control_points_barrier(&mut cx.b);
            }
            let invocation = inputs::output_control_point_id(cx)?;
            // D3D runs the patch-constant function once per patch.
            entry::only_first(cx, invocation, |cx| entry::call_root(cx, function))?;
        }
        cx.b.emit_void::<u32>(Op::Return, &[]);
        Ok(())
    })
}

/// Waits until all control points are written, before the patch constants are computed from them.
fn control_points_barrier(b: &mut Builder) {
    // In a hull shader the barrier itself orders the stage's outputs.
    let group = b.const_u32(Scope::Workgroup as u32);
    let memory = b.const_u32(Scope::Invocation as u32);
    let semantics = b.const_u32(0);
    b.emit_void(Op::ControlBarrier, &[group, memory, semantics]);
}

/// Copies each output element from the input element of the same semantic, or else from the one in
/// the same register: compilers of DXBC leave the phase out where registers keep their values,
/// whatever their names.
fn pass_control_points_through(cx: &mut Context<'_>) -> Result<()> {
    let entry = cx.input.entry;
    let invocation = inputs::output_control_point_id(cx)?;
    for output in &entry.outputs {
        let same = |input: &&SignatureElement| {
            input.name.eq_ignore_ascii_case(&output.name)
                && input.semantic_indices == output.semantic_indices
                && (input.rows, input.columns) == (output.rows, output.columns)
        };
        let same_place = |input: &&SignatureElement| {
            input.start_row.is_some()
                && (input.start_row, input.start_column) == (output.start_row, output.start_column)
                && (input.rows, input.columns) == (output.rows, output.columns)
        };
        let inputs = || entry.inputs.iter();
        let input = inputs().find(same).or_else(|| inputs().find(same_place));
        let input = input.ok_or_else(|| {
            Error::malformed(format!(
                "no input to pass through as the control points' {}",
                output.name
            ))
        })?;
        access::copy_element(
            cx,
            (Direction::Input, input.id),
            (Direction::Output, output.id),
            invocation,
        )?;
    }
    Ok(())
}

fn domain_mode(domain: DomainShape) -> ExecutionMode {
    match domain {
        DomainShape::IsoLine => ExecutionMode::Isolines,
        DomainShape::Tri => ExecutionMode::Triangles,
        DomainShape::Undefined | DomainShape::Quad => ExecutionMode::Quads,
    }
}
