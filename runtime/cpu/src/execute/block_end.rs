//! The end of a block: where lanes go, and the moves on the way. Also what calls hand over.

use super::context::lanes_of;
use super::frame::CallFrame;
use super::lanes::{self, Lanes, MAX_LANES, Narrow, Registers, WIDTH, Wide, expand};
use crate::decode::Kernel;
use crate::decode::code::{Complex, ComplexOp, FunctionCode, Inst, RegisterSlot, Terminator};
use crate::schedule::stack::Mask;

/// The registers of all calls of a wave.
#[derive(Clone, Copy)]
pub(super) struct RegisterFile<'a> {
    pub(super) narrow: &'a [Narrow],
    pub(super) wide: &'a [Wide],
    pub(super) lanes: usize,
}

impl<'a> RegisterFile<'a> {
    /// Returns the registers of a call.
    pub(super) fn of(&self, frame: &CallFrame) -> Registers<'a> {
        Registers {
            narrow: &self.narrow[frame.narrow..],
            wide: &self.wide[frame.wide..],
            chunks: self.lanes.div_ceil(WIDTH),
        }
    }

    /// Gives the innermost call its arguments.
    pub(super) fn hand_over(
        &self,
        frames: &[CallFrame],
        complex: &Complex,
        kernel: &Kernel,
        mask: Mask,
    ) {
        if let ([.., caller, callee], ComplexOp::Call(function)) = (frames, &complex.op) {
            let parameters = &kernel.functions[*function as usize].parameters;
            self.copy((caller, &complex.src), (callee, parameters), mask);
        }
    }

    /// Copies registers from frame to frame, for some lanes.
    fn copy(
        &self,
        (source, from): (&CallFrame, &[RegisterSlot]),
        (target, to): (&CallFrame, &[RegisterSlot]),
        mask: Mask,
    ) {
        let (source, target) = (self.of(source), self.of(target));
        for (&from, &to) in from.iter().zip(to) {
            for lane in lanes_of(mask) {
                target.set(to, lane, source.get(from, lane));
            }
        }
    }

    /// Sends lanes where the block's end says.
    pub(super) fn leave_block(
        &self,
        frames: &mut [CallFrame],
        kernel: &Kernel,
        (code, block): (&FunctionCode, u32),
        mask: Mask,
    ) {
        let block = &code.blocks[block as usize];
        let Some((frame, callers)) = frames.split_last_mut() else {
            return;
        };
        match &block.terminator {
            Terminator::Jump(edge) => {
                self.take(frame, code, *edge, mask);
                let target = code.edges[*edge as usize].target;
                frame.stack.go(target, &code.reach);
            }
            Terminator::Branch {
                condition,
                if_true,
                if_false,
            } => {
                let registers = self.of(frame);
                // All lanes at once, those that are switched off included: the mask removes them
                // below.
                let mut yes = 0;
                let first = condition.index() * registers.chunks;
                for (chunk, values) in (0..).zip(&registers.narrow[first..first + registers.chunks])
                {
                    let bits = values
                        .get()
                        .iter()
                        .enumerate()
                        .fold(0_u32, |bits, (i, &value)| bits | u32::from(value != 0) << i);
                    yes |= Mask::from(bits) << (chunk * WIDTH);
                }
                let ways = [(*if_true, yes & mask), (*if_false, mask & !yes)];
                self.part(frame, code, &ways, block.meets);
            }
            Terminator::Switch {
                value,
                cases,
                default,
            } => {
                let registers = self.of(frame);
                // Lanes are grouped by edge, in the order of the first lane of each group.
                let mut ways: Vec<(u32, Mask)> = Vec::new();
                for lane in lanes_of(mask) {
                    let value = registers.get(*value, lane);
                    let found = cases.iter().find(|(case, _)| *case == value);
                    let edge = found.map_or(*default, |(_, edge)| *edge);
                    match ways.iter_mut().find(|(known, _)| *known == edge) {
                        Some((_, lanes)) => *lanes |= 1 << lane,
                        None => ways.push((edge, 1 << lane)),
                    }
                }
                self.part(frame, code, &ways, block.meets);
            }
            Terminator::Return(values) => {
                // Shaders that are called by way of shader tables return nothing.
                if let Some(caller) = callers.last()
                    && !values.is_empty()
                {
                    let calling = &kernel.functions[caller.function as usize];
                    let call = &calling.complex[frame.call as usize];
                    self.copy((frame, values), (caller, &call.dst), mask);
                }
                frame.stack.leave(&code.reach);
            }
            // Undefined behaviour: these lanes stop.
            Terminator::Unreachable => frame.stack.leave(&code.reach),
        }
    }

    /// Sends lanes along several edges.
    fn part(
        &self,
        frame: &mut CallFrame,
        code: &FunctionCode,
        ways: &[(u32, Mask)],
        meets: Option<u32>,
    ) {
        let mut taken = ways.iter().filter(|(_, lanes)| *lanes != 0);
        // All lanes go the same way, which is the usual case and needs no stack entry.
        if let (Some(&(edge, lanes)), None) = (taken.next(), taken.next()) {
            self.take(frame, code, edge, lanes);
            let target = code.edges[edge as usize].target;
            frame.stack.go(target, &code.reach);
            return;
        }
        let mut targets: Vec<(u32, Mask)> = Vec::with_capacity(ways.len());
        for &(edge, lanes) in ways.iter().filter(|(_, lanes)| *lanes != 0) {
            self.take(frame, code, edge, lanes);
            let target = code.edges[edge as usize].target;
            match targets.iter_mut().find(|(known, _)| *known == target) {
                Some((_, all)) => *all |= lanes,
                None => targets.push((target, lanes)),
            }
        }
        frame.stack.part(&targets, meets, &code.reach);
    }

    /// Executes the moves of an edge.
    fn take(&self, frame: &CallFrame, code: &FunctionCode, edge: u32, mask: Mask) {
        let edge = &code.edges[edge as usize];
        if edge.first == edge.end {
            return;
        }
        let registers = self.of(frame);
        let chunks = registers.chunks;
        let mut words = [[0; WIDTH]; MAX_LANES / WIDTH];
        expand(mask, &mut words[..chunks]);
        let on = Lanes {
            registers,
            mask: &words[..chunks],
            all: mask == Mask::MAX >> (MAX_LANES - self.lanes),
        };
        for inst in &code.insts[edge.first as usize..edge.end as usize] {
            if let Inst::Lane { op, dst, args } = *inst
                && !dst.is_none()
            {
                lanes::execute(op, dst, args, &on);
            }
        }
    }
}
