//! The control flow of a function: blocks, and the tree of regions that [`super::ssa`] finds
//! definitions by.
//!
//! Blocks are in the order of the tokens. A *step* is an instruction that runs in a block; steps
//! are numbered in that order too, so that "the last write before here" is a question about
//! numbers.

/// Something that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    /// The kind of step.
    pub(super) kind: StepKind,
    /// Instance of the phase that it belongs to.
    pub(super) instance: u32,
}

/// The kind of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StepKind {
    /// An instruction of the program.
    Instruction(u32),
    /// The function's end, where outputs are stored.
    End,
}

/// The terminator of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Exit {
    /// To a block.
    Jump(u32),
    /// By an instruction's condition, whose test for zero or not zero is already part of the order
    /// here.
    Branch {
        /// The instruction that has the condition as first operand.
        instruction: u32,
        /// The target if the test holds.
        holds: u32,
        /// The target otherwise.
        fails: u32,
    },
    /// By the value of a switch's operand.
    Switch {
        /// The instruction that has the value.
        instruction: u32,
        /// Labels.
        cases: Vec<(u32, u32)>,
        /// For all others.
        default: u32,
    },
    /// Returns.
    Return,
}

/// A block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FlowBlock {
    /// The steps in it.
    pub(super) steps: std::ops::Range<u32>,
    /// The terminator.
    pub(super) exit: Exit,
    /// The sequence that it is part of.
    pub(super) region: u32,
    /// Instance of the phase that it belongs to.
    pub(super) instance: u32,
    /// Blocks that go here, in order.
    pub(super) preds: Vec<u32>,
}

/// The kind of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RegionKind {
    /// The whole function: a sequence.
    Root,
    /// An `if`, loop, `switch` or call: a construct; `merge` is the block after it.
    Construct {
        /// The block after it; none if that is unreachable.
        merge: Option<u32>,
    },
    /// A sequence that a construct's head leads to: a branch or a call's body.
    Arm,
    /// A sequence that the one before may fall into: its entry is a join.
    JoinedArm {
        /// Its first block.
        entry: u32,
    },
    /// A loop's body: its entry is a join.
    LoopBody {
        /// Its first block.
        entry: u32,
    },
}

/// A region: sequences hold blocks and constructs, constructs hold sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Region {
    /// Its kind.
    pub(super) kind: RegionKind,
    /// The region around it; the root is its own.
    pub(super) parent: u32,
    /// First step.
    pub(super) start: u32,
    /// One past the last step.
    pub(super) end: u32,
}

/// The control flow of a function.
#[derive(Debug, Default)]
pub(super) struct ConstructTree {
    pub(super) steps: Vec<Step>,
    pub(super) blocks: Vec<FlowBlock>,
    pub(super) regions: Vec<Region>,
    /// The constructs directly in each region, in the order of their steps.
    pub(super) constructs: Vec<Vec<u32>>,
}

impl ConstructTree {
    /// Adds a region after all regions that begin before it.
    pub(super) fn add_region(&mut self, region: Region) {
        let number = u32::try_from(self.regions.len()).unwrap_or(u32::MAX);
        if matches!(region.kind, RegionKind::Construct { .. })
            && let Some(siblings) = self.constructs.get_mut(region.parent as usize)
        {
            siblings.push(number);
        }
        self.regions.push(region);
        self.constructs.push(Vec::new());
    }

    /// Returns the construct directly in a sequence that a step is in.
    pub(super) fn construct_at(&self, sequence: u32, step: u32) -> Option<&Region> {
        let constructs = self.constructs.get(sequence as usize)?;
        let start = |&number: &u32| self.regions.get(number as usize).map(|region| region.start);
        // A construct without steps may begin where the next one does; only the last can hold one.
        let next = constructs.partition_point(|number| start(number) <= Some(step));
        let found = *constructs.get(next.checked_sub(1)?)?;
        self.regions.get(found as usize)
    }
}

/// A stretch of instructions that is run as a whole: a main program, or one instance of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    /// First instruction.
    pub(super) first: u32,
    /// One past the last.
    pub(super) end: u32,
    /// Number of the instance.
    pub(super) instance: u32,
}
