//! What the lanes of the wave are, to users.

use dxil_cpu::watch::{Invocation, Moment, WatchedWave};

/// What the lanes of the wave are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Lanes {
    /// Threads of a group.
    #[default]
    Threads,
    /// Rays of a dispatch of that size.
    Rays([u32; 3]),
    /// Threads of a group of a node: its name, and the number of the group among all that it
    /// launches.
    Node(String, u32),
    /// Invocations of a draw's stage, of which those in the mask are helper lanes.
    Invocations(Vec<Invocation>, u128),
}

/// Returns the wave of a thread of a group, by its number, and the lane in it.
pub fn wave_of_thread(group: [u32; 3], thread: u32, lanes: u32) -> (WatchedWave, usize) {
    let wave = thread / lanes;
    (WatchedWave { group, wave }, (thread % lanes) as usize)
}

/// Returns the wave of a ray of a dispatch of rays, and the lane in it; none where the dispatch
/// does not have the ray. Waves are groups of one wave, whose rays follow each other along x, y and
/// z.
pub fn wave_of_ray(size: [u32; 3], ray: [u32; 3], lanes: u32) -> Option<(WatchedWave, usize)> {
    if ray.iter().zip(size).any(|(at, size)| *at >= size) {
        return None;
    }
    let [x, y, z] = ray.map(u64::from);
    let [width, height, _] = size.map(u64::from);
    let number = z.checked_mul(height)?.checked_add(y)?;
    let number = number.checked_mul(width)?.checked_add(x)?;
    let group = u32::try_from(number / u64::from(lanes)).ok()?;
    let wave = WatchedWave {
        group: [group, 0, 0],
        wave: 0,
    };
    Some((wave, (number % u64::from(lanes)) as usize))
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
            Lanes::Node(name, group) => {
                let number = moment.first_thread() + lane as u32;
                format!("thread {number} of {name}, group {group}")
            }
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
            Lanes::Node(..) => "group",
            Lanes::Invocations(..) => "wave",
        }
    }
}
