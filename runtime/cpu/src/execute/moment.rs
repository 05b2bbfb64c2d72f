//! The state of a wave before an instruction, for who watches it.

use std::cell::Cell;

use dxil_frontend::ir::{FuncId, InstId, ValueId};

use super::events::Events;
use super::frame::CallFrame;
use super::lanes::{Narrow, Registers, Wide};
use super::shared::{GroupMemory, Shared};
use crate::check::Finding;
use crate::decode::code::{CONSTANT_BIT, FunctionCode, RegisterSlot};
use crate::decode::{Kernel, ScalarType, VariablePart};
use crate::error::CodeLocation;
use crate::schedule::stack::Mask;

/// What happens after a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The instruction is executed.
    Go,
    /// The wave that is watched begins anew, with memory as it was when its group began.
    Again,
    /// The dispatch ends: [`Error::Stopped`](crate::Error::Stopped).
    Stop,
}

/// The wave that is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchedWave {
    /// Its group.
    pub group: [u32; 3],
    /// Number of the wave in its group.
    pub wave: u32,
}

/// Watches a wave of a dispatch.
pub trait Watch {
    /// Returns the wave to watch. It is asked at the start, and whenever the wave begins anew.
    fn wave(&mut self) -> WatchedWave;
    /// Is called before each instruction of the module that the wave executes, and before the
    /// terminator of each block.
    fn before(&mut self, moment: &Moment<'_>) -> Next;
    /// Is called when all groups have run. The wave may begin anew.
    fn ended(&mut self) -> Next {
        Next::Go
    }
}

/// A scalar value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scalar {
    /// Its type.
    pub ty: ScalarType,
    /// Its bits; narrow integers may have any bits above their own.
    pub bits: u64,
}

/// The current value of a part of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bound {
    /// Its scalars, in order.
    Values(Vec<Scalar>),
    /// It lies in memory from this address on ([`Moment::word`]).
    Memory(u32),
}

/// A call that has not returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// The function.
    pub function: FuncId,
    /// The block.
    pub block: u32,
    /// The instruction that comes next, or the call that has not returned.
    pub inst: InstId,
    /// The lanes that execute it.
    pub active: u128,
}

/// Where a lane is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LanePlace {
    /// It executes the instruction.
    Active,
    /// It waits to enter this block of a call, the outermost of which is 0.
    Waiting {
        /// The call.
        frame: usize,
        /// The block.
        block: u32,
    },
    /// It has returned from the entry point, or is not part of the group.
    Ended,
}

/// The state of a wave before an instruction.
pub struct Moment<'a> {
    pub(super) frames: &'a [CallFrame],
    pub(super) narrow: &'a [Narrow],
    pub(super) wide: &'a [Wide],
    pub(super) private: &'a [Cell<u32>],
    pub(super) lanes: usize,
    pub(super) first_thread: u32,
    pub(super) started: Mask,
    pub(super) mask: Mask,
    /// The instruction of the innermost call.
    pub(super) at: u32,
    pub(super) shared: &'a Shared<'a>,
    pub(super) group: &'a GroupMemory,
}

impl<'a> Moment<'a> {
    /// Returns the code that is executed.
    pub fn kernel(&self) -> &'a Kernel {
        self.shared.kernel
    }

    /// Returns the group's id.
    pub fn group(&self) -> [u32; 3] {
        self.group.id
    }

    /// Returns the number of lanes of the wave.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Returns the lanes that have threads.
    pub fn started(&self) -> u128 {
        self.started
    }

    /// Returns the lanes that execute the instruction.
    pub fn active(&self) -> u128 {
        self.mask
    }

    /// Returns the number of the wave's first thread in the group.
    pub fn first_thread(&self) -> u32 {
        self.first_thread
    }

    /// Returns the thread of a lane: its id in the group.
    pub fn thread(&self, lane: usize) -> [u32; 3] {
        self.kernel().thread(self.first_thread + lane as u32)
    }

    /// Returns the number of calls that have not returned.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    fn code(&self, frame: usize) -> Option<&'a FunctionCode> {
        let function = self.frames.get(frame)?.function;
        self.kernel().functions.get(function as usize)
    }

    /// Returns a call; the outermost is 0. Between the caller of a ray tracing shader and the
    /// shader there is one without code.
    pub fn frame(&self, frame: usize) -> Option<Frame> {
        // The search for what a ray hits is no code.
        let call = self
            .frames
            .get(frame)
            .filter(|call| call.table_call.is_none())?;
        let code = self.code(frame)?;
        let (block, active) = call.stack.current()?;
        let is_innermost = frame + 1 == self.frames.len();
        let (at, active) = if is_innermost {
            (self.at, self.mask)
        } else {
            (call.next?.checked_sub(1)?, active)
        };
        let function = code.watched.as_ref()?.function;
        let end = code.blocks.get(block as usize)?.end;
        let inst = if at < end {
            *code.origins.get(at as usize)?
        } else {
            code.watched
                .as_ref()?
                .terminators
                .get(block as usize)
                .copied()?
        };
        Some(Frame {
            function,
            block,
            inst,
            active,
        })
    }

    /// Returns where a lane is.
    pub fn place_of(&self, lane: usize) -> LanePlace {
        if self.mask >> lane & 1 != 0 {
            return LanePlace::Active;
        }
        let frames = self.frames.iter().enumerate().rev();
        for (frame, call) in frames {
            if let Some((block, _)) = call.stack.place_of(lane) {
                return LanePlace::Waiting { frame, block };
            }
        }
        LanePlace::Ended
    }

    fn registers(&self, frame: usize) -> Option<Registers<'a>> {
        let call = self.frames.get(frame)?;
        Some(Registers {
            narrow: self.narrow.get(call.narrow..)?,
            wide: self.wide.get(call.wide..)?,
            chunks: self.lanes.div_ceil(super::lanes::WIDTH),
        })
    }

    fn slots_of(&self, frame: usize, value: ValueId) -> Option<&'a [RegisterSlot]> {
        self.code(frame)?.watched.as_ref()?.registers(value)
    }

    /// Returns the bits of a value's scalars in a lane; none where the code does not have the
    /// value. A value that the lane has not computed yet has any bits.
    pub fn value(&self, frame: usize, value: ValueId, lane: usize) -> Option<Vec<u64>> {
        let registers = self.registers(frame)?;
        let slots = self.slots_of(frame, value)?;
        Some(
            slots
                .iter()
                .map(|slot| registers.get(*slot, lane))
                .collect(),
        )
    }

    /// Returns the parts of variables that the function of a call has.
    pub fn variables(&self, frame: usize) -> &'a [VariablePart] {
        let watched = self.code(frame).and_then(|code| code.watched.as_ref());
        watched.map_or(&[], |watched| &watched.parts)
    }

    /// Returns the value of a part of a variable in a lane; none before one is assigned.
    pub fn bound(&self, frame: usize, part: &VariablePart, lane: usize) -> Option<Bound> {
        let registers = self.registers(frame)?;
        if registers.word(part.assigned, lane) == 0 {
            return None;
        }
        let bits = part.slots.iter().map(|slot| registers.get(*slot, lane));
        if part.is_memory {
            return bits.map(|bits| Bound::Memory(bits as u32)).next();
        }
        let scalars = part.scalars.iter().zip(bits);
        Some(Bound::Values(
            scalars.map(|(&ty, bits)| Scalar { ty, bits }).collect(),
        ))
    }

    /// Changes a scalar of a part of a variable, and of the value of the module that was assigned
    /// to it last, which is what the code goes on with. Returns whether that could be done: not for
    /// constants, nor before a value is assigned.
    pub fn assign(
        &self,
        frame: usize,
        part: &VariablePart,
        index: usize,
        (lane, bits): (usize, u64),
    ) -> bool {
        let changed = || {
            let registers = self.registers(frame)?;
            let watched = self.code(frame)?.watched.as_ref()?;
            let assigned = registers.word(part.assigned, lane).checked_sub(1)?;
            let value = *part.values.get(assigned as usize)?;
            let &copy = part.slots.get(index).filter(|_| !part.is_memory)?;
            let &slot = watched.registers(value)?.get(index)?;
            let is_constant = self.code(frame)?.constants.iter().any(|(c, _)| *c == slot);
            if is_constant {
                return None;
            }
            registers.set(copy, lane, bits);
            registers.set(slot, lane, bits);
            Some(())
        };
        changed().is_some()
    }

    /// Returns the address of a variable outside of functions.
    pub fn global(&self, variable: ValueId) -> Option<u32> {
        self.kernel().globals.as_ref()?.get(&variable).copied()
    }

    /// Returns a word of a lane's memory, or of constants.
    pub fn word(&self, lane: usize, address: u32) -> Option<u32> {
        if address & CONSTANT_BIT != 0 {
            let at = (address & !CONSTANT_BIT) as usize;
            return self.kernel().constants.get(at).copied();
        }
        let at = (address as usize)
            .checked_mul(self.lanes)?
            .checked_add(lane)?;
        self.private.get(at).map(Cell::get)
    }

    /// Writes a word of a lane's memory; returns whether there is one.
    pub fn set_word(&self, lane: usize, address: u32, word: u32) -> bool {
        if address & CONSTANT_BIT != 0 {
            return false;
        }
        let at = (address as usize)
            .saturating_mul(self.lanes)
            .saturating_add(lane);
        self.private.get(at).map(|place| place.set(word)).is_some()
    }

    /// Returns a word of groupshared memory.
    pub fn shared_word(&self, address: u32) -> Option<u32> {
        self.group.words.get(address as usize).map(Cell::get)
    }

    /// Writes a word of groupshared memory; returns whether there is one.
    pub fn set_shared_word(&self, address: u32, word: u32) -> bool {
        let place = self.group.words.get(address as usize);
        place.map(|place| place.set(word)).is_some()
    }

    /// Returns what every run counts, so far.
    pub fn events(&self) -> Events {
        self.group.events.get()
    }

    /// Returns how often the checks have met a finding so far.
    pub fn findings_met(&self) -> u64 {
        let checker = self.group.checker.as_ref();
        checker.map_or(0, |checker| checker.borrow().met().0)
    }

    /// Returns the finding that the checks have met last.
    pub fn last_finding(&self) -> Option<Finding> {
        let checker = self.group.checker.as_ref()?.borrow();
        checker.met().1.cloned()
    }

    /// Returns the location of the instruction.
    pub(super) fn place(&self) -> Box<CodeLocation> {
        let call = self.frames.last();
        let place = call.and_then(|call| Some((call.function, call.stack.current()?.0)));
        let (function, block) = place.unwrap_or_default();
        self.kernel().place(function, block)
    }
}
