//! Records a wave of a draw's stage with all that it reads, so that it runs again by itself: what a
//! debugger of draws is made of.
//!
//! A draw is many runs of stages, of which a debugger looks at one wave. So the draw runs once,
//! which keeps the inputs of that wave and the memory before it, and the wave then runs as often as
//! the user goes back in it.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::invocation::Invocation;
use super::kept_memory::KeptMemory;
use super::node_run::NodeRun;
use crate::decode::SystemValues;
use crate::schedule::stack::Mask;

/// Records the wave of an invocation that is looked for: `Limits::recorder`.
pub struct Recorder<'a> {
    wanted: &'a (dyn Fn(&Invocation) -> bool + Sync),
    keeps_last: bool,
    found: Mutex<Option<Recorded>>,
}

impl fmt::Debug for Recorder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Recorder")
    }
}

impl<'a> Recorder<'a> {
    /// Returns a recorder of the first invocation that is wanted, or else of the last one.
    pub fn new(wanted: &'a (dyn Fn(&Invocation) -> bool + Sync), keeps_last: bool) -> Self {
        Recorder {
            wanted,
            keeps_last,
            found: Mutex::new(None),
        }
    }

    /// Returns what was recorded: nothing where no invocation was wanted.
    pub fn into_recorded(self) -> Option<Recorded> {
        let found = self.found.into_inner();
        found.unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether an invocation is to be recorded.
    pub(super) fn wants(&self, invocation: &Invocation) -> bool {
        (self.wanted)(invocation) && (self.keeps_last || !self.has_found())
    }

    fn has_found(&self) -> bool {
        let found = self.found.lock();
        found.unwrap_or_else(PoisonError::into_inner).is_some()
    }

    pub(super) fn found(&self, recorded: Recorded) {
        let found = self.found.lock();
        *found.unwrap_or_else(PoisonError::into_inner) = Some(recorded);
    }
}

/// The entry function of an invocation.
#[derive(Debug, Clone, Copy)]
pub(super) enum Phase {
    Main,
    PatchConstants,
}

/// The inputs of an invocation.
#[derive(Debug, Clone)]
pub(super) struct LaneInputs {
    pub(super) inputs: Vec<u32>,
    pub(super) system: SystemValues,
    /// The patch constants of a domain shader, or the control points of a patch constant function.
    pub(super) patch: Vec<u32>,
}

/// What runs again.
#[derive(Debug, Clone)]
pub(super) enum RecordedRun {
    Wave {
        phase: Phase,
        lanes: Vec<LaneInputs>,
        helpers: Mask,
    },
    Group {
        groups: [u32; 3],
        payload: Vec<u8>,
    },
    Node {
        run: NodeRun,
        /// The group of the run that is shown.
        number: usize,
    },
}

/// A wave of invocations, or a group, with all that it reads.
#[derive(Debug, Clone)]
pub struct Recorded {
    pub(super) run: RecordedRun,
    pub(super) memory: KeptMemory,
    /// The invocations of the wave's lanes; of a group only one, which is the group.
    pub invocations: Vec<Invocation>,
    /// The lane that was looked for.
    pub lane: usize,
    /// `SV_ViewID`: the wave runs again by a kernel with this view
    /// ([`Kernel::with_view`](crate::Kernel::with_view)).
    pub view: u32,
}

impl Recorded {
    /// Returns the invocation that was looked for.
    pub fn invocation(&self) -> Option<Invocation> {
        self.invocations.get(self.lane).copied()
    }

    /// Returns the helper lanes of a pixel shader's wave.
    pub fn helpers(&self) -> u128 {
        match &self.run {
            RecordedRun::Wave { helpers, .. } => *helpers,
            RecordedRun::Group { .. } | RecordedRun::Node { .. } => 0,
        }
    }

    pub(super) fn of_wave(
        (phase, lanes, helpers): (Phase, Vec<LaneInputs>, Mask),
        (invocations, lane): (Vec<Invocation>, usize),
        (memory, view): (KeptMemory, u32),
    ) -> Recorded {
        Recorded {
            run: RecordedRun::Wave {
                phase,
                lanes,
                helpers,
            },
            memory,
            invocations,
            lane,
            view,
        }
    }

    pub(super) fn of_node(run: &NodeRun, number: usize, memory: KeptMemory) -> Recorded {
        Recorded {
            run: RecordedRun::Node {
                run: run.clone(),
                number,
            },
            memory,
            invocations: vec![Invocation::NodeGroup {
                number: number as u32,
            }],
            lane: 0,
            view: 0,
        }
    }

    /// Returns the place of a recorded group of a node in its dispatch grid; none for others.
    pub fn node_group(&self) -> Option<[u32; 3]> {
        match &self.run {
            RecordedRun::Node { run, number } => run.groups.get(*number).map(|group| group.id),
            RecordedRun::Wave { .. } | RecordedRun::Group { .. } => None,
        }
    }

    pub(super) fn of_group(
        (groups, payload): ([u32; 3], &[u8]),
        group: Invocation,
        (memory, view): (KeptMemory, u32),
    ) -> Recorded {
        Recorded {
            run: RecordedRun::Group {
                groups,
                payload: payload.to_vec(),
            },
            memory,
            invocations: vec![group],
            lane: 0,
            view,
        }
    }
}
