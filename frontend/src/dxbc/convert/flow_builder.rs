//! The control flow that is being built: blocks, edges whose targets come later, and the constructs
//! that are open.

use super::flow::{ConstructTree, Exit, FlowBlock, Region, RegionKind, Step, StepKind};
use super::rotation::Rotation;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;

/// An edge whose target is not known yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenEdge {
    pub(super) block: u32,
    pub(super) role: EdgeRole,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EdgeRole {
    Jump,
    Holds,
    Fails,
    Default,
}

#[derive(Debug)]
pub(super) enum FrameKind {
    If {
        /// The edge to the other branch, until there is one.
        other: Option<OpenEdge>,
    },
    Loop {
        entry: u32,
        /// The test that comes at its end, if it is not at its start.
        rotation: Option<Rotation>,
    },
    Switch {
        head: u32,
        has_default: bool,
        /// The block that has just been started by a label, to which further labels may go.
        fresh: Option<u32>,
    },
    Call {
        /// The block where execution continues, and the end of the stretch that called.
        back: (u32, u32),
        /// A `callc`, whose untaken branch meets the call's end.
        skipped: Option<OpenEdge>,
    },
}

#[derive(Debug)]
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    pub(super) construct: u32,
    /// Edges to the block after it.
    pub(super) exits: Vec<OpenEdge>,
    /// The frames, this one included, that `continue`, `break` and `ret` go to; loops and switches
    /// of a caller are none.
    pub(super) innermost_loop: Option<usize>,
    pub(super) innermost_break: Option<usize>,
    pub(super) innermost_call: Option<usize>,
}

/// Control flow that is being built.
pub(super) struct FlowBuilder {
    pub(super) flow: ConstructTree,
    pub(super) frames: Vec<Frame>,
    /// The block that is being filled; none in unreachable code.
    pub(super) current: Option<u32>,
    /// The sequence that it is part of.
    pub(super) sequence: u32,
    pub(super) instance: u32,
}

impl FlowBuilder {
    /// Starts a function: its root region and its first block.
    pub(super) fn new() -> FlowBuilder {
        let mut builder = FlowBuilder {
            flow: ConstructTree::default(),
            frames: Vec::new(),
            current: None,
            sequence: 0,
            instance: 0,
        };
        builder.flow.add_region(Region {
            kind: RegionKind::Root,
            parent: 0,
            start: 0,
            end: 0,
        });
        builder.current = Some(builder.add_block());
        builder
    }

    /// Ends the function, and returns its control flow.
    pub(super) fn finish(mut self) -> ConstructTree {
        self.step(StepKind::End);
        if let Some(current) = self.current {
            self.set_exit(current, Exit::Return);
        }
        let end = self.now();
        if let Some(root) = self.flow.regions.first_mut() {
            root.end = end;
        }
        self.find_preds();
        self.flow
    }

    fn now(&self) -> u32 {
        u32::try_from(self.flow.steps.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn add_block(&mut self) -> u32 {
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

    pub(super) fn add_region(&mut self, kind: RegionKind, parent: u32) -> u32 {
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

    pub(super) fn close_region(&mut self, region: u32) {
        let now = self.now();
        if let Some(region) = self.flow.regions.get_mut(region as usize) {
            region.end = now;
        }
    }

    pub(super) fn step(&mut self, kind: StepKind) {
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

    pub(super) fn set_exit(&mut self, block: u32, exit: Exit) {
        if let Some(block) = self.flow.blocks.get_mut(block as usize) {
            block.exit = exit;
        }
    }

    /// Ends the current block with a jump whose target comes later.
    pub(super) fn leave(&mut self) -> Option<OpenEdge> {
        let block = self.current.take()?;
        self.set_exit(block, Exit::Jump(u32::MAX));
        Some(OpenEdge {
            block,
            role: EdgeRole::Jump,
        })
    }

    pub(super) fn connect(&mut self, edge: OpenEdge, to: u32) {
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
    pub(super) fn branch(&mut self, instruction: u32) -> Option<(OpenEdge, OpenEdge)> {
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

    pub(super) fn open(&mut self, kind: FrameKind) -> Result<u32> {
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
    pub(super) fn arm(&mut self, construct: u32) -> u32 {
        self.sequence = self.add_region(RegionKind::Arm, construct);
        let block = self.add_block();
        self.current = Some(block);
        block
    }

    /// Ends the innermost construct: what leaves it meets in a new block.
    pub(super) fn close(&mut self, mut exits: Vec<OpenEdge>, construct: u32) {
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

    pub(super) fn innermost(&self) -> Option<&FrameKind> {
        self.frames.last().map(|frame| &frame.kind)
    }

    pub(super) fn pop(
        &mut self,
        is_right: impl Fn(&FrameKind) -> bool,
        what: &str,
    ) -> Result<Frame> {
        match self.frames.pop() {
            Some(frame) if is_right(&frame.kind) => Ok(frame),
            _ => Err(Error::malformed(format!(
                "{what} does not end what is open"
            ))),
        }
    }

    pub(super) fn set_sequence_kind(&mut self, kind: RegionKind) {
        if let Some(region) = self.flow.regions.get_mut(self.sequence as usize) {
            region.kind = kind;
        }
    }

    /// Goes on in a new block of the same sequence.
    pub(super) fn go_on(&mut self, edge: OpenEdge) {
        let block = self.add_block();
        self.connect(edge, block);
        self.current = Some(block);
    }

    pub(super) fn innermost_call(&mut self) -> Option<&mut Frame> {
        let call = self.frames.last()?.innermost_call?;
        self.frames.get_mut(call)
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
