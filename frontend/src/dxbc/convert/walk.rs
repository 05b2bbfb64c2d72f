//! Control flow: from structured tokens to blocks and regions.
//!
//! One walk over the instructions, with a stack of the constructs that are open. Subroutines become
//! part of their callers (D3D forbids recursion); a fork or join phase of a hull shader is walked
//! once per instance. Unreachable code is left out.

use super::flow::{ConstructTree, StepKind, Stretch};
use super::flow_builder::{FlowBuilder, Frame, FrameKind};
use super::rotation::Rotation;
use crate::dxbc::opcode::Opcode;
use crate::dxbc::reader::Program;
use crate::dxbc::tokens::{File, Instruction};
use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::tables::HashMap;

struct Walker<'a> {
    program: &'a Program,
    labels: &'a HashMap<Label, Subroutine>,
    rotations: &'a HashMap<u32, Rotation>,
    builder: FlowBuilder,
    /// Number of constructs that are open in unreachable code.
    dead: u32,
    calls: u32,
    /// Instructions that were looked at, those of subroutines each time.
    walked: usize,
}

/// The code of a subroutine: first instruction after its label, and one past the last.
pub(super) type Subroutine = (u32, u32);

/// The name of a subroutine: `l#`, or `fb#` for the functions of classes.
pub(super) type Label = (File, u32);

/// Returns each subroutine by its label. It ends at the next label or phase, or with the program.
pub(super) fn find_labels(program: &Program) -> HashMap<Label, Subroutine> {
    let mut labels = HashMap::default();
    let mut end = u32::try_from(program.instructions.len()).unwrap_or(u32::MAX);
    for (index, instruction) in program.instructions.iter().enumerate().rev() {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        match instruction.opcode {
            Opcode::Label => {
                if let Some(operand) = program.operands_of(instruction).first() {
                    // Of several the first counts.
                    labels.insert((operand.file, operand.first_index()), (index + 1, end));
                }
                end = index;
            }
            Opcode::HsForkPhase | Opcode::HsJoinPhase | Opcode::HsControlPointPhase => end = index,
            _ => {}
        }
    }
    labels
}

/// Nesting from which on loops stay as they are: the guard is one more level, and D3D has no more
/// than this in each subroutine (D3D11.3 functional specification, 7.12).
const MAX_ROTATED_NESTING: usize = 64;

/// Returns the control flow of a function that runs the stretches one after the other. `rotations`
/// are the loops to test at their end.
pub(super) fn build(
    program: &Program,
    labels: &HashMap<Label, Subroutine>,
    rotations: &HashMap<u32, Rotation>,
    stretches: &[Stretch],
) -> Result<ConstructTree> {
    let mut walker = Walker {
        program,
        labels,
        rotations,
        builder: FlowBuilder::new(),
        dead: 0,
        calls: 0,
        walked: 0,
    };
    for stretch in stretches {
        walker.stretch(*stretch)?;
    }
    Ok(walker.builder.finish())
}

impl Walker<'_> {
    fn stretch(&mut self, stretch: Stretch) -> Result<()> {
        self.builder.instance = stretch.instance;
        // What returns meets after the stretch.
        let construct = self.builder.open(FrameKind::Call {
            back: (stretch.end, stretch.end),
            skipped: None,
        })?;
        let edge = self.builder.leave();
        let entry = self.builder.arm(construct);
        match edge {
            Some(edge) => self.builder.connect(edge, entry),
            // The code before this stretch never ends, so nothing reaches it.
            None => self.builder.current = None,
        }
        let depth = self.builder.frames.len();
        let (mut at, mut end) = (stretch.first, stretch.end);
        loop {
            if at >= end {
                // The end of a stretch or subroutine returns even if it does not say so.
                if self.builder.frames.len() > depth
                    && !matches!(self.builder.innermost(), Some(FrameKind::Call { .. }))
                {
                    return Err(Error::malformed("control flow is open at the end"));
                }
                let done = self.builder.frames.len() == depth;
                (at, end) = self.end_call()?;
                if done {
                    return Ok(());
                }
                continue;
            }
            let program = self.program;
            let Some(instruction) = program.instructions.get(at as usize) else {
                return Err(Error::new(ErrorKind::Internal(
                    "an instruction beyond the end",
                )));
            };
            let next = self
                .instruction(at, instruction, (at + 1, end))
                .map_err(|error| error.at_offset(u64::from(instruction.offset)))?;
            (at, end) = next;
            if self.builder.frames.len() < depth {
                return Err(Error::malformed("control flow ends that never began"));
            }
        }
    }

    /// Handles one instruction; gives where to go on.
    fn instruction(
        &mut self,
        at: u32,
        instruction: &Instruction,
        next: (u32, u32),
    ) -> Result<(u32, u32)> {
        use Opcode as O;
        // Subroutines that call each other can make much of little.
        self.walked += 1;
        let own = self.program.instructions.len();
        let limit = own
            .saturating_mul(limits::DXBC_STEPS_PER_INSTRUCTION)
            .saturating_add(limits::DXBC_BASE_STEPS)
            .min(limits::MAX_DXBC_STEPS);
        if self.walked > limit {
            return Err(Error::new(ErrorKind::Limit {
                what: "instructions with subroutines and phases written out",
                value: self.walked as u64,
                limit: limit as u64,
            }));
        }
        if self.dead > 0 {
            match instruction.opcode {
                O::If | O::Loop | O::Switch => self.dead += 1,
                O::Endif | O::Endloop | O::Endswitch => self.dead -= 1,
                O::Label => return self.end_of_main(next),
                _ => {}
            }
            return Ok(next);
        }
        match instruction.opcode {
            // Code that nothing reaches gets no blocks: the constructs in it are only counted, to
            // find their ends.
            O::If | O::Loop | O::Switch if self.builder.current.is_none() => self.dead = 1,
            O::If => self.builder.begin_if(at)?,
            O::Else => self.builder.begin_else()?,
            O::Endif => self.builder.end_if()?,
            O::Loop => return self.begin_loop(at, next),
            O::Endloop => self.end_loop()?,
            O::Break | O::Breakc | O::Continue | O::Continuec => {
                self.builder.jump(at, instruction.opcode)?
            }
            O::Switch => self.builder.begin_switch(at)?,
            O::Case | O::Default => {
                let value = self.program.operands_of(instruction).first();
                self.builder.label(instruction.opcode, value)?;
            }
            O::Endswitch => self.builder.end_switch()?,
            O::Ret => {
                let edge = self.builder.leave();
                let frame = self.builder.innermost_call();
                if let (Some(frame), Some(edge)) = (frame, edge) {
                    frame.exits.push(edge);
                }
            }
            O::Retc => {
                if let Some((taken, on)) = self.builder.branch(at) {
                    if let Some(frame) = self.builder.innermost_call() {
                        frame.exits.push(taken);
                    }
                    self.builder.go_on(on);
                }
            }
            O::Call | O::Callc if self.builder.current.is_some() => {
                return self.call(at, instruction, next);
            }
            O::Call | O::Callc => {}
            O::Label => return self.end_of_main(next),
            O::CustomData | O::Nop => {}
            _ if instruction.opcode.is_declaration() => {}
            _ => self.builder.step(StepKind::Instruction(at)),
        }
        Ok(next)
    }

    /// Starts a loop; gives where to go on. The test of a loop that tests at its end comes first.
    fn begin_loop(&mut self, at: u32, next: (u32, u32)) -> Result<(u32, u32)> {
        let is_flat = self.builder.frames.len() < MAX_ROTATED_NESTING;
        let rotation = self.rotations.get(&at).copied().filter(|_| is_flat);
        let Some(rotation) = rotation else {
            self.builder.begin_loop(None)?;
            return Ok(next);
        };
        self.test(rotation);
        if rotation.is_guarded {
            self.builder.begin_guard(rotation.exit())?;
        }
        self.builder.begin_loop(Some(rotation))?;
        Ok((rotation.body, next.1))
    }

    fn end_loop(&mut self) -> Result<()> {
        let Some(&FrameKind::Loop {
            rotation: Some(rotation),
            ..
        }) = self.builder.innermost()
        else {
            return self.builder.end_loop();
        };
        if self.builder.current.is_some() {
            self.test(rotation);
            self.builder.leave_if(rotation.exit());
        }
        self.builder.end_loop()?;
        if rotation.is_guarded {
            self.builder.end_if()?;
        }
        Ok(())
    }

    /// Runs the test of a loop.
    fn test(&mut self, rotation: Rotation) {
        let (first, end) = rotation.test;
        for index in first..end {
            self.builder.step(StepKind::Instruction(index));
        }
        self.walked += (end - first) as usize;
    }

    /// Ends the main code at a label.
    fn end_of_main(&mut self, next: (u32, u32)) -> Result<(u32, u32)> {
        if self.builder.current.is_some() {
            // D3D11.3 functional specification, 22.7.16: a `ret` outside of flow control precedes
            // every label.
            return Err(Error::malformed("code runs into a subroutine"));
        }
        Ok((next.1, next.1))
    }

    /// Goes on in a subroutine.
    fn call(&mut self, at: u32, instruction: &Instruction, back: (u32, u32)) -> Result<(u32, u32)> {
        let operands = self.program.operands_of(instruction);
        let label = operands.last();
        let label = label.map(|operand| (operand.file, operand.first_index()));
        let Some(&(start, end)) = label.and_then(|label| self.labels.get(&label)) else {
            return Err(Error::malformed(
                "a call of a subroutine that does not exist",
            ));
        };
        self.calls += 1;
        // D3D11.3 functional specification, 22.7.10, skips calls nested deeper than 32 and forbids
        // recursion. Subroutines are written out here, so recursion would not end; deeper calls are
        // refused.
        if self.calls > limits::MAX_DXBC_CALL_DEPTH {
            return Err(Error::new(ErrorKind::Limit {
                what: "depth of subroutine calls",
                value: u64::from(self.calls),
                limit: u64::from(limits::MAX_DXBC_CALL_DEPTH),
            }));
        }
        let is_conditional = instruction.opcode == Opcode::Callc;
        let construct = self.builder.open(FrameKind::Call {
            back,
            skipped: None,
        })?;
        let (edge, skipped) = if is_conditional {
            match self.builder.branch(at) {
                Some((taken, skipped)) => (Some(taken), Some(skipped)),
                None => (None, None),
            }
        } else {
            (self.builder.leave(), None)
        };
        if let Some(Frame {
            kind: FrameKind::Call { skipped: place, .. },
            ..
        }) = self.builder.frames.last_mut()
        {
            *place = skipped;
        }
        let entry = self.builder.arm(construct);
        if let Some(edge) = edge {
            self.builder.connect(edge, entry);
        }
        Ok((start, end))
    }

    /// Ends a subroutine or a stretch; gives where to go on.
    fn end_call(&mut self) -> Result<(u32, u32)> {
        let frame = self.builder.pop(
            |kind| matches!(kind, FrameKind::Call { .. }),
            "the end of the code",
        )?;
        let FrameKind::Call { back, skipped } = frame.kind else {
            return Ok((0, 0));
        };
        self.calls = self.calls.saturating_sub(1);
        // A subroutine ends whatever its unreachable code left open.
        self.dead = 0;
        let mut exits = frame.exits;
        exits.extend(self.builder.leave());
        exits.extend(skipped);
        self.builder.close(exits, frame.construct);
        Ok(back)
    }
}
