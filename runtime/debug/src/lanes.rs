//! What the lanes of the wave are, to users.

use dxil_cpu::watch::{Invocation, Moment};

/// What the lanes of the wave are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Lanes {
    /// Threads of a group.
    #[default]
    Threads,
    /// Rays of a dispatch of that size.
    Rays([u32; 3]),
    /// Invocations of a draw's stage, of which those in the mask are helper lanes.
    Invocations(Vec<Invocation>, u128),
}

impl Lanes {
    /// Returns the thread of a lane among all of the dispatch (`SV_DispatchThreadID`), or its ray
    /// (`DispatchRaysIndex`).
    pub fn thread(&self, moment: &Moment<'_>, lane: usize) -> [u32; 3] {
        let (group, thread) = (moment.group(), moment.thread(lane));
        if let Lanes::Rays([width, height, _]) = *self {
            let number = group[0] * moment.lanes() as u32 + thread[0];
            let (width, height) = (width.max(1), height.max(1));
            let row = number / width;
            return [number % width, row % height, row / height];
        }
        let size = moment.kernel().num_threads();
        [0, 1, 2].map(|axis| {
            let first = group[axis].wrapping_mul(size[axis]);
            first.wrapping_add(thread[axis])
        })
    }

    /// Returns the name of a lane.
    pub fn name(&self, moment: &Moment<'_>, lane: usize) -> String {
        let [x, y, z] = self.thread(moment, lane);
        match self {
            Lanes::Threads => format!("thread {x},{y},{z}"),
            Lanes::Rays(_) => format!("ray {x},{y},{z}"),
            Lanes::Invocations(all, helpers) => {
                let helper = if helpers >> lane & 1 == 0 {
                    ""
                } else {
                    ", helper"
                };
                match all.get(lane) {
                    Some(own) => format!("{own}{helper}"),
                    None => format!("lane {lane}"),
                }
            }
        }
    }

    /// Returns what ends with the wave, for a message.
    pub fn whole(&self) -> &'static str {
        match self {
            Lanes::Threads | Lanes::Rays(_) => "dispatch",
            Lanes::Invocations(..) => "wave",
        }
    }
}
