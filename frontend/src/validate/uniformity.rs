//! Control flow that may differ between lanes: gradients and barriers in it, and gradients of what
//! wave operations give.
//!
//! DXC lists these rules (`UNI.*`), and no version of its validator reports them. They are warnings
//! that are asked for ([`super::Options::uniformity`]): the analysis follows which values may
//! differ through a function, and neither what they are nor what callers pass.

use super::bodies::opcode_of;
use super::context::{InstLocation, ValidationContext};
use super::propagation::{Effect, FunctionFlow, Propagation};
use super::rules::Rule;
use crate::dxil::ops::{BarrierMode, BarrierOp, BarrierSemantics, Group, Op, OpFlags, Opcode};
use crate::ir::{Function, Inst};

/// Checks all functions.
pub(super) fn check(cx: &ValidationContext<'_>) {
    for (id, function) in cx.bodies() {
        let mut points = Vec::new();
        for (block, data) in &function.blocks {
            for inst in data.insts() {
                let location = InstLocation {
                    function: id,
                    block,
                    inst,
                };
                if let Some(point) = point(cx, function, location) {
                    points.push((location, point));
                }
            }
        }
        // Most functions of other stages than pixel shaders have none.
        if points.is_empty() {
            continue;
        }
        let flow = FunctionFlow::new(function);
        let varying = Propagation::of(cx, function, &flow, differs);
        let sensitive = Propagation::of(cx, function, &flow, depends_on_wave);
        for (location, point) in points {
            let diverges = varying.has_block(location.block);
            match point {
                Point::Gradient(opcode) => {
                    if diverges {
                        let detail = format_args!("{opcode} where lanes may have parted");
                        cx.report_at(Rule::UniGradientFlow, location, detail);
                    }
                    if sensitive.has_block(location.block)
                        || sensitive.has_operand(function, location.inst)
                    {
                        let detail = format_args!("{opcode} depends on a wave operation");
                        cx.report_at(Rule::UniNoWaveSensitiveGradient, location, detail);
                    }
                }
                Point::Barrier(opcode) if diverges => {
                    let detail = format_args!("{opcode} where threads may have parted");
                    cx.report_at(Rule::UniThreadSync, location, detail);
                }
                Point::Barrier(_) => {}
            }
        }
    }
}

/// An operation that the rules are about.
enum Point {
    /// Takes a gradient, or gives a derivative.
    Gradient(Opcode),
    /// Waits for all threads of the group.
    Barrier(Opcode),
}

fn point(cx: &ValidationContext<'_>, function: &Function, at: InstLocation) -> Option<Point> {
    let inst = &function.insts.get(at.inst)?.inst;
    if !matches!(inst, Inst::Call { .. }) {
        return None;
    }
    let opcode = opcode_of(cx, function, inst)?;
    let flags = opcode.properties().flags;
    if flags.intersects(OpFlags::GRADIENT.union(OpFlags::DERIVATIVE)) {
        return Some(Point::Gradient(opcode));
    }
    if !flags.contains(OpFlags::BARRIER) {
        return None;
    }
    let Op::Barrier(barrier) = super::bodies::op_of(cx, function, inst)? else {
        return None;
    };
    let semantics = match barrier {
        BarrierOp::Barrier(call) => {
            let waits = call.mode.contains(BarrierMode::SYNC_THREAD_GROUP);
            return waits.then_some(Point::Barrier(opcode));
        }
        BarrierOp::BarrierByMemoryType(call) => call.semantics,
        BarrierOp::BarrierByMemoryHandle(call) => call.semantics,
        BarrierOp::BarrierByNodeRecordHandle(call) => call.semantics,
    };
    semantics
        .contains(BarrierSemantics::GROUP_SYNC)
        .then_some(Point::Barrier(opcode))
}

/// Returns the effect of an operation on values that differ between lanes.
fn differs(opcode: Opcode) -> Effect {
    let properties = opcode.properties();
    let of_own_lane = OpFlags::QUAD
        .union(OpFlags::ATOMIC)
        .union(OpFlags::COUNTER)
        .union(OpFlags::HELPER_LANE);
    match opcode {
        Opcode::WaveGetLaneIndex
        | Opcode::WaveIsFirstLane
        | Opcode::WavePrefixOp
        | Opcode::WavePrefixBitCount
        | Opcode::WaveMultiPrefixOp
        | Opcode::WaveMultiPrefixBitCount
        | Opcode::WaveMatch
        | Opcode::SampleIndex
        | Opcode::Coverage
        | Opcode::InnerCoverage
        | Opcode::DomainLocation
        | Opcode::OutputControlPointID
        | Opcode::PrimitiveID
        | Opcode::GSInstanceID => Effect::Source,
        Opcode::GroupId | Opcode::ViewID => Effect::Stops,
        _ if properties.flags.intersects(of_own_lane) => Effect::Source,
        // Reductions and reads of one lane give all lanes the same.
        _ if properties.flags.contains(OpFlags::WAVE) => Effect::Stops,
        _ => match properties.group {
            Group::Signature
            | Group::ThreadId
            | Group::RayQuery
            | Group::RayTracing
            | Group::HitObject => Effect::Source,
            _ => Effect::Passes,
        },
    }
}

/// Returns the effect of an operation on values that depend on which lanes take part.
fn depends_on_wave(opcode: Opcode) -> Effect {
    if opcode.properties().flags.contains(OpFlags::WAVE) {
        Effect::Source
    } else {
        Effect::Passes
    }
}
