//! A wave: registers, frames of calls, and the loop over instructions.

use std::cell::{Cell, RefCell};

use super::block_end::RegisterFile;
use super::budget::Budget;
use super::context::Context;
use super::frame::CallFrame;
use super::instructions::After;
use super::lanes::{self, Lanes, MAX_LANES, Narrow, Registers, WIDTH, Wide, expand};
use super::moment::Moment;
use super::ray_query::Query;
use super::shared::{GroupMemory, Shared};
use super::table_call::TableCall;
use dxil_frontend::dxil::ShaderKind;

use crate::check::Site;
use crate::decode::Kernel;
use crate::decode::code::{ComplexOp, Fence, FunctionCode, Inst};
use crate::error::{Error, Result};
use crate::resources::ShaderReference;
use crate::schedule::stack::Mask;

/// Deepest nesting of calls.
/// 31 nested rays, as deep as DXR allows, need five for each of them.
pub(super) const MAX_CALLS: usize = 160;

/// The next action of a wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Running,
    AtBarrier,
    Ended,
}

/// A wave, used again for every group.
pub(crate) struct Wave {
    pub(super) status: Status,
    /// The lanes that began the group.
    pub(super) started: Mask,
    /// The barrier that it waits at, or has passed last.
    pub(super) barrier: Option<(Site, Fence)>,
    pub(super) lanes: usize,
    first_thread: u32,
    /// Maximum number of bytes of its registers and private memory.
    memory_limit: u64,
    /// Places of its threads in the group, by chunk.
    threads: Vec<[[u32; WIDTH]; 3]>,
    pub(super) narrow: Vec<Narrow>,
    pub(super) wide: Vec<Wide>,
    /// Words of all lanes: those of one address side by side.
    pub(super) private: Vec<Cell<u32>>,
    /// Number of these words where they lie in the memory of an instance.
    #[cfg(feature = "native")]
    pub(super) native_private: usize,
    /// Shadows of these words, where checks follow values.
    private_shadow: Vec<Cell<u32>>,
    /// Ray queries of all lanes: those of one number side by side.
    queries: RefCell<Vec<Query>>,
    pub(super) frames: Vec<CallFrame>,
    pub(super) depth: usize,
    /// Calls by way of shader tables that have not returned; those after them are kept for use.
    pub(super) table_calls: RefCell<Vec<TableCall>>,
    pub(super) active_table_calls: usize,
    /// Steps for work within instructions, which the budget has not been charged with yet.
    pub(super) work: Cell<u64>,
}

impl Wave {
    /// Returns a wave of the kernel's groups, whose first thread has that number. Its registers and
    /// private memory take at most that many bytes.
    pub(crate) fn new(kernel: &Kernel, first_thread: u32, memory_limit: u64) -> Wave {
        let lanes = kernel.wave_size();
        let threads = (0..lanes.div_ceil(WIDTH as u32)).map(|chunk| {
            let first = first_thread + chunk * WIDTH as u32;
            let all: [[u32; 3]; WIDTH] = std::array::from_fn(|i| kernel.thread(first + i as u32));
            [0, 1, 2].map(|axis| all.map(|thread| thread[axis]))
        });
        Wave {
            threads: threads.collect(),
            status: Status::Ended,
            work: Cell::new(0),
            started: 0,
            barrier: None,
            lanes: lanes as usize,
            first_thread,
            memory_limit,
            narrow: Vec::new(),
            wide: Vec::new(),
            private: Vec::new(),
            #[cfg(feature = "native")]
            native_private: 0,
            private_shadow: Vec::new(),
            queries: RefCell::default(),
            frames: Vec::new(),
            depth: 0,
            table_calls: RefCell::default(),
            active_table_calls: 0,
        }
    }

    pub(crate) fn status(&self) -> Status {
        self.status
    }

    /// Returns the barrier that it waits at, with its first thread.
    pub(crate) fn waits_at(&self) -> Option<(u32, Site, Fence)> {
        let (site, fence) = self.barrier.filter(|_| self.status == Status::AtBarrier)?;
        Some((self.first_thread, site, fence))
    }

    /// Goes on after a barrier; whether it stood at one.
    pub(crate) fn pass_barrier(&mut self) -> bool {
        let waited = self.status == Status::AtBarrier;
        if waited {
            self.status = Status::Running;
        }
        waited
    }

    pub(super) fn chunks(&self) -> usize {
        self.lanes.div_ceil(WIDTH)
    }

    /// Returns the registers of the innermost call.
    pub(super) fn registers(&self) -> Registers<'_> {
        let frame = &self.frames[self.depth - 1];
        Registers {
            narrow: &self.narrow[frame.narrow..],
            wide: &self.wide[frame.wide..],
            chunks: self.chunks(),
        }
    }

    /// Returns the registers of the call below the innermost one.
    pub(super) fn caller_registers(&self) -> Option<Registers<'_>> {
        let frame = &self.frames[self.depth.checked_sub(2)?];
        Some(Registers {
            narrow: &self.narrow[frame.narrow..],
            wide: &self.wide[frame.wide..],
            chunks: self.chunks(),
        })
    }

    /// Puts these lanes at the beginning of the entry point.
    pub(crate) fn start(
        &mut self,
        kernel: &Kernel,
        entry: ShaderReference,
        lanes: Mask,
    ) -> Result<()> {
        let frame = self.begin(kernel, entry, lanes);
        self.push(kernel, &frame, lanes)?;
        // D3D12 leaves variables without an initial value undefined; zeros make the run repeatable.
        if kernel.stage() == Some(ShaderKind::Compute) {
            self.private.iter().for_each(|word| word.set(0));
        }
        self.write_statics(0, kernel.first_statics(entry.function));
        Ok(())
    }

    /// Forgets what it did; returns the frame of the entry point.
    pub(super) fn begin(
        &mut self,
        kernel: &Kernel,
        entry: ShaderReference,
        lanes: Mask,
    ) -> CallFrame {
        self.status = Status::Running;
        (self.started, self.barrier) = (lanes, None);
        self.depth = 0;
        self.active_table_calls = 0;
        let queries = kernel.ray_queries as usize * self.lanes;
        self.queries.get_mut().resize(queries, Query::default());
        CallFrame {
            function: entry.function,
            locals: entry.locals,
            private: kernel.first_statics(entry.function).len() as u32,
            ..CallFrame::default()
        }
    }

    /// Gives variables outside of functions their initial values, in all lanes.
    pub(super) fn write_statics(&self, first: u32, words: &[u32]) {
        fill_statics(&self.private, self.lanes, first, words);
    }

    /// Writes words of a lane's memory.
    pub(crate) fn write_private(&self, lane: usize, first: u32, words: &[u32]) {
        for (address, &word) in (first as usize..).zip(words) {
            self.private[address * self.lanes + lane].set(word);
        }
    }

    /// Reads words of a lane's memory.
    pub(crate) fn read_private(&self, lane: usize, first: u32, words: &mut [u32]) {
        for (address, word) in (first as usize..).zip(words) {
            *word = self.private[address * self.lanes + lane].get();
        }
    }

    /// Begins a call: registers, constants, lanes.
    ///
    /// # Errors
    ///
    /// [`Error::Memory`] where that takes more memory than the wave may have.
    pub(super) fn push(
        &mut self,
        kernel: &Kernel,
        template: &CallFrame,
        lanes: Mask,
    ) -> Result<()> {
        let (narrow, wide, private) = self.push_frame(kernel, template, lanes)?;
        if self.private.len() < private {
            self.private.resize(private, Cell::new(0));
        }
        if self.narrow.len() < narrow {
            self.narrow.resize(narrow, Cell::new([0; WIDTH]));
        }
        if self.wide.len() < wide {
            self.wide.resize(wide, Cell::new([0; WIDTH]));
        }
        self.fill_frame(kernel, &self.registers());
        Ok(())
    }

    /// Begins a call but for its registers: returns the chunks of each kind and the words of
    /// private memory that there have to be.
    pub(super) fn push_frame(
        &mut self,
        kernel: &Kernel,
        template: &CallFrame,
        lanes: Mask,
    ) -> Result<(usize, usize, usize)> {
        let chunks = self.chunks();
        if self.frames.len() <= self.depth {
            self.frames.push(CallFrame::default());
        }
        let code = &kernel.functions[template.function as usize];
        let frame = &mut self.frames[self.depth];
        self.depth += 1;
        frame.function = template.function;
        (frame.narrow, frame.wide) = (template.narrow, template.wide);
        (frame.private, frame.call) = (template.private, template.call);
        frame.statics = template.statics;
        (frame.locals, frame.role, frame.ray) = (template.locals, template.role, template.ray);
        (frame.next, frame.table_call) = (None, None);
        frame.stack.start(lanes);
        let narrow = frame.narrow + code.narrow_slots as usize * chunks;
        let wide = frame.wide + code.wide_slots as usize * chunks;
        let private = (frame.private as usize + code.private_words as usize) * self.lanes;
        let need = ((narrow + 2 * wide) * WIDTH + private) as u64 * 4;
        if need > self.memory_limit {
            return Err(Error::Memory {
                what: "the calls of a wave",
                need,
                limit: self.memory_limit,
            });
        }
        if kernel.follows_values && self.private_shadow.len() < private {
            self.private_shadow.resize(private, Cell::new(0));
        }
        Ok((narrow, wide, private))
    }

    /// Fills the registers of the innermost call that have a value from the start.
    ///
    /// Constants have registers like other values, filled once for each call: operations then need
    /// no other kind of operand.
    pub(super) fn fill_frame(&self, kernel: &Kernel, registers: &Registers<'_>) {
        let frame = &self.frames[self.depth - 1];
        let code = &kernel.functions[frame.function as usize];
        for &(slot, bits) in &code.constants {
            registers.fill(slot, bits);
        }
        for &(slot, offset) in &code.statics {
            registers.fill(slot, u64::from(frame.statics.wrapping_add(offset)));
        }
    }

    /// Runs for at most that many steps.
    pub(crate) fn run(
        &mut self,
        turn: u32,
        shared: &Shared<'_>,
        group: &GroupMemory,
        budget: &mut Budget<'_>,
    ) -> Result<()> {
        let is_watched = budget.watches(group.id, self.first_thread);
        for _ in 0..turn {
            if is_watched {
                self.step::<true>(shared, group, budget)?;
            } else {
                self.step::<false>(shared, group, budget)?;
            }
            if self.status != Status::Running {
                break;
            }
        }
        Ok(())
    }

    /// Runs to the end of a block, or until the wave has to stop before that. A wave that is
    /// watched shows each instruction before it is executed.
    fn step<const WATCHED: bool>(
        &mut self,
        shared: &Shared<'_>,
        group: &GroupMemory,
        budget: &mut Budget<'_>,
    ) -> Result<()> {
        let kernel = shared.kernel;
        let Some(frame) = self.depth.checked_sub(1).map(|top| &self.frames[top]) else {
            self.status = Status::Ended;
            return Ok(());
        };
        // All lanes have returned from this call; the caller goes on after it.
        let Some((block_number, mask)) = frame.stack.current() else {
            self.depth -= 1;
            if self.depth == 0 {
                self.status = Status::Ended;
            }
            return Ok(());
        };
        let function = frame.function;
        if self.work.get() > 0 {
            self.work.set(budget.charge(self.work.get()));
        }
        // One step for each block: every loop has one, so that an infinite loop reaches the limit.
        budget.step(|| kernel.place(function, block_number))?;
        if let Some(call) = frame.table_call {
            let place = || kernel.place(function, block_number);
            return self.continue_table_call(shared, call, place);
        }
        let code = &kernel.functions[function as usize];
        let block = &code.blocks[block_number as usize];
        let first = frame.next.unwrap_or(block.first);
        let chunks = self.chunks();
        // The mask is expanded once for each block: operations then blend by words.
        let mut words = [[0; WIDTH]; MAX_LANES / WIDTH];
        expand(mask, &mut words[..chunks]);
        let registers = self.registers();
        let context = self.context(frame, registers, (mask, &words[..chunks]), shared, group);
        let context = Context {
            steps: budget.taken(),
            ..context
        };
        let on = Lanes {
            registers: context.registers,
            mask: &words[..chunks],
            all: context.is_full,
        };
        for at in first..block.end {
            if WATCHED && code.starts(at) {
                budget.before(&self.moment(shared, group, at, mask))?;
            }
            match code.insts[at as usize] {
                Inst::Lane { op, dst, args } => {
                    // A result that is never read has no register.
                    if !dst.is_none() {
                        lanes::execute(op, dst, args, &on);
                    }
                }
                Inst::Complex(index) => match context.complex(code, function, index)? {
                    After::Next => {}
                    After::Wait(fence) => {
                        let site = Site { function, index };
                        let all = self.started;
                        context.note_barrier(site, all);
                        self.barrier = Some((site, fence));
                        self.status = Status::AtBarrier;
                        self.frames[self.depth - 1].next = Some(at + 1);
                        return Ok(());
                    }
                    After::Call => {
                        let place = || kernel.place(function, block_number);
                        // Recursion is not allowed in DXIL, but a malformed module may have it.
                        if self.depth >= MAX_CALLS {
                            return Err(Error::CallDepth {
                                limit: MAX_CALLS,
                                place: place(),
                            });
                        }
                        self.frames[self.depth - 1].next = Some(at + 1);
                        return self.call(kernel, code, index, mask);
                    }
                    After::TableCall(call) => {
                        let place = kernel.place(function, block_number);
                        self.frames[self.depth - 1].next = Some(at + 1);
                        return self.begin_table_call(shared, call, (function, index), place);
                    }
                    After::EndHit { accepts } => {
                        self.frames[self.depth - 1].next = None;
                        self.end_hit(kernel, accepts, mask);
                        return Ok(());
                    }
                },
            }
        }
        if WATCHED {
            budget.before(&self.moment(shared, group, block.end, mask))?;
        }
        self.frames[self.depth - 1].next = None;
        self.leave_block(kernel, code, block_number, mask);
        Ok(())
    }

    /// Returns the context of instructions of a call, for the lanes of a mask.
    pub(super) fn context<'a>(
        &'a self,
        frame: &CallFrame,
        registers: Registers<'a>,
        (mask, on_words): (Mask, &'a [[u32; WIDTH]]),
        shared: &'a Shared<'a>,
        group: &'a GroupMemory,
    ) -> Context<'a> {
        Context {
            registers,
            mask,
            lanes: self.lanes,
            on_words,
            is_full: mask == Mask::MAX >> (MAX_LANES - self.lanes),
            threads: &self.threads,
            shared,
            group,
            private: &self.private,
            groupshared: &group.words,
            queries: &self.queries,
            first_thread: self.first_thread,
            site: Cell::new(Site {
                function: frame.function,
                index: 0,
            }),
            locals: frame.locals,
            role: frame.role,
            ray: frame.ray,
            table_calls: &self.table_calls,
            started: self.started,
            private_shadow: &self.private_shadow,
            frame_private: frame.private,
            steps: 0,
            work: &self.work,
            is_unmapped: Cell::new(false),
            missing: Cell::new(0),
        }
    }

    /// Returns the state before an instruction of the innermost call.
    fn moment<'a>(
        &'a self,
        shared: &'a Shared<'a>,
        group: &'a GroupMemory,
        at: u32,
        mask: Mask,
    ) -> Moment<'a> {
        Moment {
            frames: &self.frames[..self.depth],
            narrow: &self.narrow,
            wide: &self.wide,
            private: &self.private,
            lanes: self.lanes,
            first_thread: self.first_thread,
            started: self.started,
            mask,
            at,
            shared,
            group,
        }
    }

    /// Begins the call of a complex instruction: hands the arguments over.
    fn call(&mut self, kernel: &Kernel, code: &FunctionCode, index: u32, mask: Mask) -> Result<()> {
        let complex = &code.complex[index as usize];
        let Some(frame) = self.callee(code, index) else {
            return Ok(());
        };
        self.push(kernel, &frame, mask)?;
        self.file()
            .hand_over(&self.frames[..self.depth], complex, kernel, mask);
        Ok(())
    }

    /// Returns the frame of the function that a complex instruction calls.
    pub(super) fn callee(&self, code: &FunctionCode, index: u32) -> Option<CallFrame> {
        let ComplexOp::Call(function) = code.complex[index as usize].op else {
            return None;
        };
        let caller = &self.frames[self.depth - 1];
        let chunks = self.chunks();
        Some(CallFrame {
            function,
            narrow: caller.narrow + code.narrow_slots as usize * chunks,
            wide: caller.wide + code.wide_slots as usize * chunks,
            // The callee's frame begins after the caller's, so frames need no allocation of their
            // own.
            private: caller.private + code.private_words,
            statics: caller.statics,
            call: index,
            locals: caller.locals,
            role: caller.role,
            ray: caller.ray,
            ..CallFrame::default()
        })
    }

    /// Returns the registers of all calls.
    fn file(&self) -> RegisterFile<'_> {
        RegisterFile {
            narrow: &self.narrow,
            wide: &self.wide,
            lanes: self.lanes,
        }
    }

    /// Sends lanes where the block's end says.
    fn leave_block(&mut self, kernel: &Kernel, code: &FunctionCode, block: u32, mask: Mask) {
        let file = RegisterFile {
            narrow: &self.narrow,
            wide: &self.wide,
            lanes: self.lanes,
        };
        file.leave_block(&mut self.frames[..self.depth], kernel, (code, block), mask);
    }
}

/// Gives variables outside of functions their initial values, in all lanes.
pub(super) fn fill_statics(private: &[Cell<u32>], lanes: usize, first: u32, words: &[u32]) {
    for (address, &word) in (first as usize..).zip(words) {
        let first = address * lanes;
        for cell in &private[first..first + lanes] {
            cell.set(word);
        }
    }
}
