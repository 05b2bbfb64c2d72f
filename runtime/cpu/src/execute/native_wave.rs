//! A wave whose arithmetic is native code: the same steps as those of `wave`, on registers in the
//! memory of an instance.

use super::block_end::RegisterFile;
use super::budget::Budget;
use super::instructions::After;
use super::lanes::{self, Lanes, MAX_LANES, Registers, WIDTH, expand};
use super::shared::{GroupMemory, Shared};
use super::wave::{MAX_CALLS, Status, Wave, fill_statics};
use crate::check::Site;
use crate::decode::code::{Complex, Fence, FunctionCode, Inst};
use crate::error::{Error, Result};
use crate::native::{
    Call, EXIT_BITS, EXIT_GO, EXIT_LEAVE, EXIT_RUN, Instance, NativeKernel, WaveView,
};
use crate::resources::ShaderReference;
use crate::schedule::stack::Mask;

/// The code of a wave's kernel, and the instance that has its registers.
pub(super) struct Native<'a> {
    pub(super) kernel: &'a NativeKernel,
    pub(super) instance: &'a mut Instance,
    /// Number of the wave in the group.
    pub(super) wave: usize,
}

/// Why the executor's instructions end.
enum Ended {
    /// They are all executed.
    Done,
    Wait(Fence),
    Call,
}

impl Native<'_> {
    fn view(&mut self, wave: &Wave) -> (WaveView<'_>, RegisterFile<'_>) {
        let view = self.instance.view(self.wave, wave.native_private);
        let file = RegisterFile {
            narrow: view.narrow,
            wide: view.wide,
            lanes: wave.lanes,
        };
        (view, file)
    }
}

impl Wave {
    /// Puts these lanes at the beginning of the entry point.
    pub(super) fn start_native(
        &mut self,
        shared: &Shared<'_>,
        entry: ShaderReference,
        lanes: Mask,
        native: &mut Native<'_>,
    ) -> Result<()> {
        let kernel = shared.kernel;
        let frame = self.begin(kernel, entry, lanes);
        let (_, _, private) = self.push_frame(kernel, &frame, lanes)?;
        self.native_private = self.native_private.max(private);
        let (view, file) = native.view(self);
        self.fill_frame(kernel, &file.of(&self.frames[0]));
        view.private.iter().for_each(|word| word.set(0));
        let statics = kernel.first_statics(entry.function);
        fill_statics(view.private, self.lanes, 0, statics);
        Ok(())
    }

    /// Runs for at most that many steps.
    pub(super) fn run_native(
        &mut self,
        turn: u32,
        shared: &Shared<'_>,
        group: &GroupMemory,
        budget: &mut Budget<'_>,
        native: &mut Native<'_>,
    ) -> Result<()> {
        let mut left = turn;
        while left != 0 && self.status == Status::Running {
            left -= 1;
            left -= self.native_step(left, shared, group, budget, native)?;
        }
        Ok(())
    }

    /// Takes a step, and at most that many more; returns the number of those.
    fn native_step(
        &mut self,
        more: u32,
        shared: &Shared<'_>,
        group: &GroupMemory,
        budget: &mut Budget<'_>,
        native: &mut Native<'_>,
    ) -> Result<u32> {
        let kernel = shared.kernel;
        let Some(top) = self.depth.checked_sub(1) else {
            self.status = Status::Ended;
            return Ok(0);
        };
        let frame = &self.frames[top];
        // All lanes have returned from this call; the caller goes on after it.
        let Some((mut block, mask)) = frame.stack.current() else {
            self.depth -= 1;
            if self.depth == 0 {
                self.status = Status::Ended;
            }
            return Ok(0);
        };
        let function = frame.function;
        self.work.set(budget.charge(self.work.get()));
        budget.step(|| kernel.place(function, block))?;
        let code = &kernel.functions[function as usize];
        let plan = &native.kernel.plans[function as usize];
        let mut at = frame.next.unwrap_or(code.blocks[block as usize].first);
        let (meets, is_alone) = frame.stack.way();
        let (narrow, wide) = (frame.narrow, frame.wide);
        let mut words = [[0; WIDTH]; MAX_LANES / WIDTH];
        let words = &mut words[..self.lanes.div_ceil(WIDTH)];
        expand(mask, words);
        let is_full = mask == Mask::MAX >> (MAX_LANES - self.lanes);
        let mut used = 0;
        let mut has_masks = false;
        let mut number = plan.run_at(block, at);
        loop {
            let run = &plan.runs[number];
            let Some(point) = run.point else {
                let view = native.view(self);
                let place = (function, at.max(run.first), run.end);
                let on = (mask, &*words);
                let (ended, behind) =
                    self.interpret(place, on, &view, (shared, group), budget.taken())?;
                match ended {
                    Ended::Done => {}
                    Ended::Wait(fence) => {
                        let index = complex_at(code, behind - 1);
                        self.barrier = Some((Site { function, index }, fence));
                        self.status = Status::AtBarrier;
                        self.frames[top].next = Some(behind);
                        return Ok(used);
                    }
                    Ended::Call => {
                        // Recursion is not allowed in DXIL, but a malformed module may have it.
                        if self.depth >= MAX_CALLS {
                            return Err(Error::CallDepth {
                                limit: MAX_CALLS,
                                place: kernel.place(function, block),
                            });
                        }
                        self.frames[top].next = Some(behind);
                        let index = complex_at(code, behind - 1);
                        self.call_native(shared, (code, index), mask, native)?;
                        return Ok(used);
                    }
                }
                at = run.end;
                number += 1;
                continue;
            };
            if !has_masks {
                native.instance.set_masks(words);
                let private = (self.native_private / self.lanes) as u32;
                native.instance.set_private_words(private);
                has_masks = true;
            }
            let free = budget.free_steps().min(u64::from(more - used));
            let fuel = if is_alone { free as u32 } else { 0 };
            let call = Call {
                function,
                point,
                narrow,
                wide,
                fuel,
                meets,
                is_full,
            };
            let exit = native.instance.call(native.wave, &call);
            let exit = exit.ok_or_else(|| Error::BadInput("native code trapped".into()))?;
            let taken = fuel - exit.fuel;
            used += taken;
            budget.take_free(u64::from(taken));
            let kind = exit.code >> EXIT_BITS;
            let of = exit.code & ((1 << EXIT_BITS) - 1);
            let ends_in = match kind {
                EXIT_RUN => plan.runs[of as usize].block,
                EXIT_LEAVE => of,
                _ => plan.sources[of as usize],
            };
            let frame = &mut self.frames[top];
            if let Some(previous) = exit.previous {
                frame.stack.went(previous, ends_in, &code.reach);
            }
            block = ends_in;
            frame.next = None;
            match kind {
                EXIT_RUN => {
                    number = of as usize;
                    at = plan.runs[number].first;
                }
                EXIT_LEAVE => {
                    let (_, file) = native.view(self);
                    let frames = &mut self.frames[..self.depth];
                    file.leave_block(frames, kernel, (code, block), mask);
                    return Ok(used);
                }
                kind => {
                    debug_assert_eq!(kind, EXIT_GO);
                    let target = code.edges[of as usize].target;
                    frame.stack.go(target, &code.reach);
                    return Ok(used);
                }
            }
        }
    }

    /// Executes instructions `first..end` of a function; returns why they end and the one after.
    fn interpret(
        &self,
        (function, first, end): (u32, u32, u32),
        (mask, words): (Mask, &[[u32; WIDTH]]),
        (view, file): &(WaveView<'_>, RegisterFile<'_>),
        (shared, group): (&Shared<'_>, &GroupMemory),
        steps: u64,
    ) -> Result<(Ended, u32)> {
        let code = &shared.kernel.functions[function as usize];
        let frame = &self.frames[self.depth - 1];
        let registers = file.of(frame);
        let mut context = self.context(frame, registers, (mask, words), shared, group);
        context.steps = steps;
        (context.private, context.groupshared) = (view.private, view.groupshared);
        let on = Lanes {
            registers,
            mask: words,
            all: context.is_full,
        };
        for at in first..end {
            match code.insts[at as usize] {
                Inst::Lane { op, dst, args } => {
                    if !dst.is_none() {
                        lanes::execute(op, dst, args, &on);
                    }
                }
                Inst::Complex(index) => match context.complex(code, function, index)? {
                    After::Next => {}
                    After::Wait(fence) => {
                        context.note_barrier(Site { function, index }, self.started);
                        return Ok((Ended::Wait(fence), at + 1));
                    }
                    After::Call => return Ok((Ended::Call, at + 1)),
                    // Kernels with such instructions are not compiled.
                    After::TableCall(_) | After::EndHit { .. } => {}
                },
            }
        }
        Ok((Ended::Done, end))
    }

    fn call_native(
        &mut self,
        shared: &Shared<'_>,
        (code, index): (&FunctionCode, u32),
        mask: Mask,
        native: &mut Native<'_>,
    ) -> Result<()> {
        let Some(frame) = self.callee(code, index) else {
            return Ok(());
        };
        let kernel = shared.kernel;
        let (_, _, private) = self.push_frame(kernel, &frame, mask)?;
        self.native_private = self.native_private.max(private);
        let (_, file) = native.view(self);
        let registers: Registers<'_> = file.of(&self.frames[self.depth - 1]);
        self.fill_frame(kernel, &registers);
        let complex: &Complex = &code.complex[index as usize];
        file.hand_over(&self.frames[..self.depth], complex, kernel, mask);
        Ok(())
    }
}

/// Returns the number of the instruction there that does more than compute.
fn complex_at(code: &FunctionCode, at: u32) -> u32 {
    match code.insts[at as usize] {
        Inst::Complex(index) => index,
        Inst::Lane { .. } => 0,
    }
}
