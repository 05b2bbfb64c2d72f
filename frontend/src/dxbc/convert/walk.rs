//! Control flow: from structured tokens to blocks and regions.
//!
//! One walk over the instructions, with a stack of the constructs that are open. Subroutines become
//! part of their callers (D3D forbids recursion); a fork or join phase of a hull shader is walked
//! once per instance. Unreachable code is left out.

use rustc_hash::FxHashMap;

use super::flow::{ConstructTree, Exit, FlowBlock, Region, RegionKind, Step, StepKind, Stretch};
use crate::dxbc::opcode::Opcode;
use crate::dxbc::reader::Program;
use crate::dxbc::tokens::{File, Instruction};
use crate::error::{Error, ErrorKind, Result};
use crate::limits;

/// An edge whose target is not known yet.
#[derive(Debug, Clone, Copy)]
struct OpenEdge {
    block: u32,
    role: EdgeRole,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EdgeRole {
    Jump,
    Holds,
    Fails,
    Default,
}

#[derive(Debug)]
enum FrameKind {
    If {
        /// The edge to the other branch, until there is one.
        other: Option<OpenEdge>,
    },
    Loop {
        entry: u32,
    },
    Switch {
        head: u32,
        has_default: bool,
        /// The block that has just been started by a label, to which further labels may go.
        fresh: Option<u32>,
    },
    Call {
        /// Where to go on, and the end of the stretch that called.
        back: (u32, u32),
        /// A `callc`, whose untaken branch meets the call's end.
        skipped: Option<OpenEdge>,
    },
}

#[derive(Debug)]
struct Frame {
    kind: FrameKind,
    construct: u32,
    /// Edges to the block behind it.
    exits: Vec<OpenEdge>,
    /// The frames, this one included, that `continue`, `break` and `ret` go to; loops and switches
    /// of a caller are none.
    innermost_loop: Option<usize>,
    innermost_break: Option<usize>,
    innermost_call: Option<usize>,
}

struct Walker<'a> {
    program: &'a Program,
    labels: &'a FxHashMap<u32, Subroutine>,
    flow: ConstructTree,
    frames: Vec<Frame>,
    /// The block that is being filled; none in unreachable code.
    current: Option<u32>,
    /// The sequence that it is part of.
    sequence: u32,
    instance: u32,
    /// Number of constructs that are open in unreachable code.
    dead: u32,
    calls: u32,
    /// Instructions that were looked at, those of subroutines each time.
    walked: usize,
}

/// The code of a subroutine: first instruction behind its label, and one past the last.
pub(super) type Subroutine = (u32, u32);

/// Returns each subroutine by its label. It ends at the next label or phase, or with the program.
pub(super) fn find_labels(program: &Program) -> FxHashMap<u32, Subroutine> {
    let mut labels = FxHashMap::default();
    let mut end = u32::try_from(program.instructions.len()).unwrap_or(u32::MAX);
    for (index, instruction) in program.instructions.iter().enumerate().rev() {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        match instruction.opcode {
            Opcode::Label => {
                if let Some(operand) = program.operands_of(instruction).first() {
                    // Of several the first counts.
                    labels.insert(operand.first_index(), (index + 1, end));
                }
                end = index;
            }
            Opcode::HsForkPhase | Opcode::HsJoinPhase | Opcode::HsControlPointPhase => end = index,
            _ => {}
        }
    }
    labels
}

/// Returns the control flow of a function that runs the stretches one after the other.
pub(super) fn build(
    program: &Program,
    labels: &FxHashMap<u32, Subroutine>,
    stretches: &[Stretch],
) -> Result<ConstructTree> {
    let mut walker = Walker {
        program,
        labels,
        flow: ConstructTree::default(),
        frames: Vec::new(),
        current: None,
        sequence: 0,
        instance: 0,
        dead: 0,
        calls: 0,
        walked: 0,
    };
    walker.flow.add_region(Region {
        kind: RegionKind::Root,
        parent: 0,
        start: 0,
        end: 0,
    });
    walker.current = Some(walker.add_block());
    for stretch in stretches {
        walker.stretch(*stretch)?;
    }
    walker.step(StepKind::End);
    if let Some(current) = walker.current {
        walker.set_exit(current, Exit::Return);
    }
    let end = walker.now();
    if let Some(root) = walker.flow.regions.first_mut() {
        root.end = end;
    }
    walker.find_preds();
    Ok(walker.flow)
}

impl Walker<'_> {
    fn now(&self) -> u32 {
        u32::try_from(self.flow.steps.len()).unwrap_or(u32::MAX)
    }

    fn add_block(&mut self) -> u32 {
        let id = u32::try_from(self.flow.blocks.len()).unwrap_or(u32::MAX);
        let now = self.now();
        self.flow.blocks.push(FlowBlock {
            steps: now..now,
            exit: Exit::Return,
            region: self.sequence,
            instance: self.instance,
            preds: Vec::new(),
        });
        id
    }

    fn add_region(&mut self, kind: RegionKind, parent: u32) -> u32 {
        let id = u32::try_from(self.flow.regions.len()).unwrap_or(u32::MAX);
        let now = self.now();
        self.flow.add_region(Region {
            kind,
            parent,
            start: now,
            end: now,
        });
        id
    }

    fn close_region(&mut self, region: u32) {
        let now = self.now();
        if let Some(region) = self.flow.regions.get_mut(region as usize) {
            region.end = now;
        }
    }

    fn step(&mut self, kind: StepKind) {
        let Some(current) = self.current else {
            return;
        };
        self.flow.steps.push(Step {
            kind,
            instance: self.instance,
        });
        let now = self.now();
        if let Some(block) = self.flow.blocks.get_mut(current as usize) {
            block.steps.end = now;
        }
    }

    fn set_exit(&mut self, block: u32, exit: Exit) {
        if let Some(block) = self.flow.blocks.get_mut(block as usize) {
            block.exit = exit;
        }
    }

    /// Ends the current block with a jump whose target comes later.
    fn leave(&mut self) -> Option<OpenEdge> {
        let block = self.current.take()?;
        self.set_exit(block, Exit::Jump(u32::MAX));
        Some(OpenEdge {
            block,
            role: EdgeRole::Jump,
        })
    }

    fn connect(&mut self, edge: OpenEdge, to: u32) {
        let Some(block) = self.flow.blocks.get_mut(edge.block as usize) else {
            return;
        };
        match (&mut block.exit, edge.role) {
            (Exit::Jump(target), EdgeRole::Jump)
            | (Exit::Branch { holds: target, .. }, EdgeRole::Holds)
            | (Exit::Branch { fails: target, .. }, EdgeRole::Fails)
            | (
                Exit::Switch {
                    default: target, ..
                },
                EdgeRole::Default,
            ) => *target = to,
            // An edge keeps the exit that it was made for, so no other pair occurs.
            _ => {}
        }
    }

    /// Ends the current block with a branch; gives the edges of both outcomes, the instruction's
    /// own test first.
    fn branch(&mut self, instruction: u32) -> Option<(OpenEdge, OpenEdge)> {
        let block = self.current.take()?;
        self.set_exit(
            block,
            Exit::Branch {
                instruction,
                holds: u32::MAX,
                fails: u32::MAX,
            },
        );
        let edge = |role| OpenEdge { block, role };
        Some((edge(EdgeRole::Holds), edge(EdgeRole::Fails)))
    }

    fn open(&mut self, kind: FrameKind) -> Result<u32> {
        // D3D11.3 functional specification, 7.12: flow control nests 64 deep per subroutine, and
        // subroutines nest 32 deep. Written out, that is 2048 levels.
        if self.frames.len() >= limits::MAX_DXBC_NESTING {
            return Err(Error::new(ErrorKind::Limit {
                what: "nesting of control flow",
                value: self.frames.len() as u64 + 1,
                limit: limits::MAX_DXBC_NESTING as u64,
            }));
        }
        let construct = self.add_region(RegionKind::Construct { merge: None }, self.sequence);
        let outer = self.frames.last();
        let (mut of_loop, mut of_break, mut of_call) = outer.map_or((None, None, None), |outer| {
            (
                outer.innermost_loop,
                outer.innermost_break,
                outer.innermost_call,
            )
        });
        let this = Some(self.frames.len());
        match kind {
            FrameKind::If { .. } => {}
            FrameKind::Loop { .. } => (of_loop, of_break) = (this, this),
            FrameKind::Switch { .. } => of_break = this,
            // A `break` in a subroutine must not leave a loop of its caller.
            FrameKind::Call { .. } => (of_loop, of_break, of_call) = (None, None, this),
        }
        self.frames.push(Frame {
            kind,
            construct,
            exits: Vec::new(),
            innermost_loop: of_loop,
            innermost_break: of_break,
            innermost_call: of_call,
        });
        Ok(construct)
    }

    /// Starts a block of a new sequence of a construct.
    fn arm(&mut self, construct: u32) -> u32 {
        self.sequence = self.add_region(RegionKind::Arm, construct);
        let block = self.add_block();
        self.current = Some(block);
        block
    }

    /// Ends the innermost construct: what leaves it meets in a new block.
    fn close(&mut self, mut exits: Vec<OpenEdge>, construct: u32) {
        exits.extend(self.leave());
        self.close_region(self.sequence);
        self.close_region(construct);
        let parent = self.flow.regions.get(construct as usize);
        self.sequence = parent.map_or(0, |region| region.parent);
        // Nothing leaves the construct, so what follows is unreachable: `current` stays empty.
        if exits.is_empty() {
            return;
        }
        let merge = self.add_block();
        for edge in exits {
            self.connect(edge, merge);
        }
        if let Some(region) = self.flow.regions.get_mut(construct as usize) {
            region.kind = RegionKind::Construct { merge: Some(merge) };
        }
        self.current = Some(merge);
    }

    fn stretch(&mut self, stretch: Stretch) -> Result<()> {
        self.instance = stretch.instance;
        // What returns meets behind the stretch.
        let construct = self.open(FrameKind::Call {
            back: (stretch.end, stretch.end),
            skipped: None,
        })?;
        let edge = self.leave();
        let entry = self.arm(construct);
        match edge {
            Some(edge) => self.connect(edge, entry),
            // The code before this stretch never ends, so nothing reaches it.
            None => self.current = None,
        }
        let depth = self.frames.len();
        let (mut at, mut end) = (stretch.first, stretch.end);
        loop {
            if at >= end {
                // The end of a stretch or subroutine returns even if it does not say so.
                if self.frames.len() > depth
                    && !matches!(self.innermost(), Some(FrameKind::Call { .. }))
                {
                    return Err(Error::malformed("control flow is open at the end"));
                }
                let done = self.frames.len() == depth;
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
            if self.frames.len() < depth {
                return Err(Error::malformed("control flow ends that never began"));
            }
        }
    }

    fn innermost(&self) -> Option<&FrameKind> {
        self.frames.last().map(|frame| &frame.kind)
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
            O::If | O::Loop | O::Switch if self.current.is_none() => self.dead = 1,
            O::If => self.begin_if(at)?,
            O::Else => self.begin_else()?,
            O::Endif => {
                let frame = self.pop(|kind| matches!(kind, FrameKind::If { .. }), "endif")?;
                let mut exits = frame.exits;
                if let FrameKind::If { other } = frame.kind {
                    // The end of the branch comes first, which keeps predecessors in order.
                    exits.extend(self.leave());
                    exits.extend(other);
                }
                self.close(exits, frame.construct);
            }
            O::Loop => {
                let construct = self.open(FrameKind::Loop { entry: 0 })?;
                let edge = self.leave();
                let entry = self.arm(construct);
                if let Some(edge) = edge {
                    self.connect(edge, entry);
                }
                self.set_sequence_kind(RegionKind::LoopBody { entry });
                if let Some(Frame {
                    kind: FrameKind::Loop { entry: known },
                    ..
                }) = self.frames.last_mut()
                {
                    *known = entry;
                }
            }
            O::Endloop => {
                let frame = self.pop(|kind| matches!(kind, FrameKind::Loop { .. }), "endloop")?;
                if let (Some(edge), FrameKind::Loop { entry }) = (self.leave(), frame.kind) {
                    self.connect(edge, entry);
                }
                self.close(frame.exits, frame.construct);
            }
            O::Break | O::Breakc | O::Continue | O::Continuec => self.jump(at, instruction)?,
            O::Switch => self.begin_switch(at)?,
            O::Case | O::Default => self.label(instruction)?,
            O::Endswitch => self.end_switch()?,
            O::Ret => {
                let edge = self.leave();
                let frame = self.innermost_call();
                if let (Some(frame), Some(edge)) = (frame, edge) {
                    frame.exits.push(edge);
                }
            }
            O::Retc => {
                if let Some((taken, on)) = self.branch(at) {
                    if let Some(frame) = self.innermost_call() {
                        frame.exits.push(taken);
                    }
                    self.go_on(on);
                }
            }
            O::Call | O::Callc if self.current.is_some() => {
                return self.call(at, instruction, next);
            }
            O::Call | O::Callc => {}
            O::Label => return self.end_of_main(next),
            O::InterfaceCall if self.current.is_some() => {
                return Err(Error::unsupported(
                    "fcall: a call through an interface, whose function only the application knows",
                ));
            }
            O::CustomData | O::Nop => {}
            _ if instruction.opcode.is_declaration() => {}
            _ => self.step(StepKind::Instruction(at)),
        }
        Ok(next)
    }

    /// Ends the main code at a label.
    fn end_of_main(&mut self, next: (u32, u32)) -> Result<(u32, u32)> {
        if self.current.is_some() {
            // D3D11.3 functional specification, 22.7.16: a `ret` outside of flow control precedes
            // every label.
            return Err(Error::malformed("code runs into a subroutine"));
        }
        Ok((next.1, next.1))
    }

    fn pop(&mut self, is_right: impl Fn(&FrameKind) -> bool, what: &str) -> Result<Frame> {
        match self.frames.pop() {
            Some(frame) if is_right(&frame.kind) => Ok(frame),
            _ => Err(Error::malformed(format!(
                "{what} does not end what is open"
            ))),
        }
    }

    fn set_sequence_kind(&mut self, kind: RegionKind) {
        if let Some(region) = self.flow.regions.get_mut(self.sequence as usize) {
            region.kind = kind;
        }
    }

    /// Goes on in a new block of the same sequence.
    fn go_on(&mut self, edge: OpenEdge) {
        let block = self.add_block();
        self.connect(edge, block);
        self.current = Some(block);
    }

    fn begin_if(&mut self, at: u32) -> Result<()> {
        let construct = self.open(FrameKind::If { other: None })?;
        let Some((holds, fails)) = self.branch(at) else {
            return Ok(());
        };
        let then = self.arm(construct);
        self.connect(holds, then);
        if let Some(Frame {
            kind: FrameKind::If { other },
            ..
        }) = self.frames.last_mut()
        {
            *other = Some(fails);
        }
        Ok(())
    }

    fn begin_else(&mut self) -> Result<()> {
        let edge = self.leave();
        self.close_region(self.sequence);
        let Some(Frame {
            kind: FrameKind::If { other },
            construct,
            exits,
            ..
        }) = self.frames.last_mut()
        else {
            return Err(Error::malformed("else without if"));
        };
        exits.extend(edge);
        let Some(other) = other.take() else {
            return Err(Error::malformed("a second else"));
        };
        let construct = *construct;
        let block = self.arm(construct);
        self.connect(other, block);
        Ok(())
    }

    /// Converts `break`, `continue` and their conditional forms.
    fn jump(&mut self, at: u32, instruction: &Instruction) -> Result<()> {
        use Opcode as O;
        let is_break = matches!(instruction.opcode, O::Break | O::Breakc);
        let is_conditional = matches!(instruction.opcode, O::Breakc | O::Continuec);
        if self.current.is_none() {
            return Ok(());
        }
        let target = self.frames.last().and_then(|frame| {
            if is_break {
                frame.innermost_break
            } else {
                frame.innermost_loop
            }
        });
        let frame = target.and_then(|target| self.frames.get(target));
        let continues_at = match frame.map(|frame| &frame.kind) {
            Some(FrameKind::Loop { entry }) => Some(*entry),
            Some(FrameKind::Switch { .. }) => None,
            _ => {
                return Err(Error::malformed(format!(
                    "{} outside of a loop or switch",
                    instruction.opcode.mnemonic()
                )));
            }
        };
        let (edge, on) = if is_conditional {
            match self.branch(at) {
                Some((taken, on)) => (Some(taken), Some(on)),
                None => (None, None),
            }
        } else {
            (self.leave(), None)
        };
        match (edge, continues_at.filter(|_| !is_break)) {
            (Some(edge), Some(entry)) => self.connect(edge, entry),
            (Some(edge), None) => {
                if let Some(frame) = target.and_then(|target| self.frames.get_mut(target)) {
                    frame.exits.push(edge);
                }
            }
            (None, _) => {}
        }
        if let Some(on) = on {
            self.go_on(on);
        }
        Ok(())
    }

    fn begin_switch(&mut self, at: u32) -> Result<()> {
        let Some(head) = self.current else {
            return Ok(());
        };
        self.open(FrameKind::Switch {
            head,
            has_default: false,
            fresh: None,
        })?;
        self.set_exit(
            head,
            Exit::Switch {
                instruction: at,
                cases: Vec::new(),
                default: u32::MAX,
            },
        );
        self.current = None;
        Ok(())
    }

    fn label(&mut self, instruction: &Instruction) -> Result<()> {
        let Some(Frame {
            kind: FrameKind::Switch { head, fresh, .. },
            construct,
            ..
        }) = self.frames.last()
        else {
            return Err(Error::malformed("a case label outside of a switch"));
        };
        let (head, fresh, construct) = (*head, *fresh, *construct);
        // D3D11.3 functional specification, 22.7.12: labels in a row share a block.
        let is_fresh = fresh.is_some_and(|block| {
            let data = self.flow.blocks.get(block as usize);
            self.current == fresh && data.is_some_and(|data| data.steps.is_empty())
        });
        let block = match fresh.filter(|_| is_fresh) {
            Some(block) => block,
            None => {
                let falls = self.leave();
                self.close_region(self.sequence);
                let block = self.arm(construct);
                if let Some(edge) = falls {
                    self.connect(edge, block);
                    // D3D11.3 functional specification, 22.7.18: D3D10 allowed a case with code to
                    // fall through to the next one.
                    self.set_sequence_kind(RegionKind::JoinedArm { entry: block });
                }
                block
            }
        };
        let operand = self.program.operands_of(instruction).first();
        let value = match instruction.opcode {
            Opcode::Case => match operand.filter(|operand| operand.file == File::Immediate32) {
                // D3D11.3 functional specification, 22.7.12: the label is an immediate.
                Some(operand) => Some(operand.words[0]),
                None => return Err(Error::malformed("a case label that is no constant")),
            },
            _ => None,
        };
        if let Some(Frame {
            kind: FrameKind::Switch {
                has_default, fresh, ..
            },
            ..
        }) = self.frames.last_mut()
        {
            *fresh = Some(block);
            if value.is_none() {
                // D3D11.3 functional specification, 22.7.13: a switch has one default.
                if *has_default {
                    return Err(Error::malformed("a switch has two defaults"));
                }
                *has_default = true;
            }
        }
        if let Some(FlowBlock {
            exit: Exit::Switch { cases, default, .. },
            ..
        }) = self.flow.blocks.get_mut(head as usize)
        {
            match value {
                Some(value) => cases.push((value, block)),
                None => *default = block,
            }
        }
        Ok(())
    }

    fn end_switch(&mut self) -> Result<()> {
        let frame = self.pop(|kind| matches!(kind, FrameKind::Switch { .. }), "endswitch")?;
        let FrameKind::Switch {
            head,
            has_default,
            fresh,
        } = frame.kind
        else {
            return Ok(());
        };
        let mut exits = frame.exits;
        exits.extend(self.leave());
        if fresh.is_none() {
            // No label at all: the sequence is still the one around the switch.
            self.sequence = self.add_region(RegionKind::Arm, frame.construct);
        }
        // Values without a label go behind the switch.
        if !has_default {
            exits.push(OpenEdge {
                block: head,
                role: EdgeRole::Default,
            });
        }
        self.close(exits, frame.construct);
        Ok(())
    }

    fn innermost_call(&mut self) -> Option<&mut Frame> {
        let call = self.frames.last()?.innermost_call?;
        self.frames.get_mut(call)
    }

    /// Goes on in a subroutine.
    fn call(&mut self, at: u32, instruction: &Instruction, back: (u32, u32)) -> Result<(u32, u32)> {
        let operands = self.program.operands_of(instruction);
        let label = operands.last().map(|operand| operand.first_index());
        let Some(&(start, end)) = label.and_then(|label| self.labels.get(&label)) else {
            return Err(Error::malformed("a call of a subroutine that is not there"));
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
        let construct = self.open(FrameKind::Call {
            back,
            skipped: None,
        })?;
        let (edge, skipped) = if is_conditional {
            match self.branch(at) {
                Some((taken, skipped)) => (Some(taken), Some(skipped)),
                None => (None, None),
            }
        } else {
            (self.leave(), None)
        };
        if let Some(Frame {
            kind: FrameKind::Call { skipped: place, .. },
            ..
        }) = self.frames.last_mut()
        {
            *place = skipped;
        }
        let entry = self.arm(construct);
        if let Some(edge) = edge {
            self.connect(edge, entry);
        }
        Ok((start, end))
    }

    /// Ends a subroutine or a stretch; gives where to go on.
    fn end_call(&mut self) -> Result<(u32, u32)> {
        let frame = self.pop(
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
        exits.extend(self.leave());
        exits.extend(skipped);
        self.close(exits, frame.construct);
        Ok(back)
    }

    /// Fills in the predecessors. An edge that a switch takes for several values counts once per
    /// value.
    fn find_preds(&mut self) {
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for (index, block) in (0..).zip(&self.flow.blocks) {
            match &block.exit {
                Exit::Jump(to) => edges.push((index, *to)),
                Exit::Branch { holds, fails, .. } => {
                    edges.push((index, *holds));
                    edges.push((index, *fails));
                }
                Exit::Switch { cases, default, .. } => {
                    edges.push((index, *default));
                    edges.extend(cases.iter().map(|&(_, to)| (index, to)));
                }
                Exit::Return => {}
            }
        }
        for (from, to) in edges {
            if let Some(block) = self.flow.blocks.get_mut(to as usize) {
                block.preds.push(from);
            }
        }
    }
}
