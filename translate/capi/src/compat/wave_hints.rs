// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The number of lanes that a shader takes for granted without a word about it. It was written for
//! one kind of device: waves of 32 lanes are common, Intel's have 8 or 16, AMD's may have 64.

use std::collections::BTreeSet;

use dxil_frontend::dxil::ops::{
    BarrierMode, BarrierOp, BarrierSemantics, CrossLaneOp, MemoryTypes, Op, ThreadIdOp, decode,
    op_arguments,
};
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_frontend::ir::{BinaryOp, FuncView, Inst, ValueDef, ValueId};

/// Passes over the instructions that look for values made of thread numbers; one is enough without
/// loops.
const PASSES: u32 = 4;

/// The number of lanes that both hints name.
const LANES: u32 = 32;

/// Numbers of lanes that suit a shader; 0 is any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct WaveHints {
    /// More lanes are better than fewer than that.
    pub(super) least: u32,
    /// Fewer lanes are better than more than that.
    pub(super) most: u32,
}

/// What the instructions say.
#[derive(Debug, Clone, Copy, Default)]
struct Uses {
    /// `WaveReadLaneAt` of a lane number that is cut off at 32.
    reads_lane_of_32: bool,
    /// `WaveActive...` of something that depends on the thread's number in its group.
    reduces_by_thread: bool,
    /// A barrier orders groupshared memory.
    has_group_barrier: bool,
    /// Somebody looks at the lowest word of a ballot, at another one.
    ballot_words: [bool; 2],
}

impl WaveHints {
    /// Returns the hints for an entry point whose module uses waves. `shuffles` is whether it reads
    /// from lanes that the shader computes.
    pub(super) fn of(shader: &Shader, kind: ShaderKind, group: [u32; 3], shuffles: bool) -> Self {
        if !matches!(
            kind,
            ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification
        ) {
            return WaveHints::default();
        }
        let uses = Uses::of(shader);
        let lanes = group.iter().fold(1_u32, |a, &b| a.saturating_mul(b));
        // More lanes than threads stand idle, and reading from any other lane of a wide wave is
        // slow. Who looks at the lowest word of a ballot only has no more lanes than that.
        let is_narrow =
            kind == ShaderKind::Compute && (lanes <= LANES || uses.ballot_words == [true, false]);
        // A group that is as wide as a wave is meant to be one.
        let is_wave = group == [LANES, 1, 1]
            && (uses.reduces_by_thread || uses.reads_lane_of_32 && !uses.has_group_barrier);
        let lanes_if = |condition| if condition { LANES } else { 0 };
        WaveHints {
            least: lanes_if(is_wave),
            most: lanes_if(is_narrow || shuffles),
        }
    }
}

impl Uses {
    fn of(shader: &Shader) -> Self {
        let mut uses = Uses::default();
        let module = &shader.module;
        for function in &module.bodies {
            uses.add(shader, FuncView { module, function });
        }
        uses
    }

    fn add(&mut self, shader: &Shader, view: FuncView<'_>) {
        let mut numbers = BTreeSet::new();
        let mut ballots = BTreeSet::new();
        let mut reduced = Vec::new();
        for data in view.function.insts.values() {
            if let Inst::ExtractValue { aggregate, indices } = data.inst
                && ballots.contains(&aggregate)
            {
                let is_lowest = view.function.indices_of(indices).first() == Some(&0);
                self.ballot_words[usize::from(!is_lowest)] = true;
            }
            let Some(args) = op_arguments(view, &shader.callees, &data.inst) else {
                continue;
            };
            let Ok(op) = decode(view, args) else { continue };
            match op {
                Op::ThreadId(ThreadIdOp::ThreadIdInGroup(_))
                | Op::ThreadId(ThreadIdOp::FlattenedThreadIdInGroup(_)) => {
                    numbers.extend(data.result.expand());
                }
                Op::CrossLane(CrossLaneOp::WaveActiveBallot(_)) => {
                    ballots.extend(data.result.expand());
                }
                Op::CrossLane(CrossLaneOp::WaveActiveOp(op)) => reduced.push(op.value),
                Op::CrossLane(CrossLaneOp::WaveReadLaneAt(op)) => {
                    self.reads_lane_of_32 |= is_cut_off(view, op.lane);
                }
                Op::Barrier(BarrierOp::Barrier(op)) => {
                    self.has_group_barrier |= op.mode.contains(BarrierMode::TGSM_FENCE);
                }
                Op::Barrier(BarrierOp::BarrierByMemoryType(op)) => {
                    self.has_group_barrier |= op.memory.contains(MemoryTypes::GROUP_SHARED)
                        && op.semantics.contains(BarrierSemantics::GROUP_SCOPE);
                }
                _ => {}
            }
        }
        if !reduced.is_empty() && !numbers.is_empty() {
            spread(view, &mut numbers);
            self.reduces_by_thread |= reduced.iter().any(|value| numbers.contains(value));
        }
    }
}

/// Returns whether a lane's number is `lane & 31` or `lane % 32`.
fn is_cut_off(view: FuncView<'_>, lane: ValueId) -> bool {
    let Some(ValueDef::Inst(inst)) = view.value(lane).map(|data| data.def) else {
        return false;
    };
    let Some(Inst::Binary { op, lhs, rhs, .. }) =
        view.function.insts.get(inst).map(|data| data.inst)
    else {
        return false;
    };
    let is = |value, number| view.constant_int(value) == Some(number);
    let mask = u64::from(LANES - 1);
    match op {
        BinaryOp::And => is(lhs, mask) || is(rhs, mask),
        BinaryOp::URem => is(rhs, u64::from(LANES)),
        _ => false,
    }
}

/// Adds what is computed from the values.
fn spread(view: FuncView<'_>, values: &mut BTreeSet<ValueId>) {
    for _ in 0..PASSES {
        let before = values.len();
        for data in view.function.insts.values() {
            let Some(result) = data.result.expand() else {
                continue;
            };
            let mut follows = false;
            if let Inst::Phi { incoming } = data.inst {
                let mut edges = view.function.edges_of(incoming).iter();
                follows = edges.any(|(value, _)| values.contains(value));
            } else {
                view.function
                    .for_each_operand(&data.inst, |value| follows |= values.contains(&value));
            }
            if follows {
                values.insert(result);
            }
        }
        if values.len() == before {
            return;
        }
    }
}
