//! A thread group: its waves, which take turns, and the memory that they share.

use std::cell::Cell;

use super::wave::{Status, Wave};
use super::{Budget, Shared};
use crate::decode::Kernel;
use crate::error::{Error, Result};
use crate::schedule::stack::Mask;

/// Steps of a wave before the next one has its turn: a wave that waits for another one in a loop
/// must not keep it from running.
const TURN: u32 = 1 << 10;

/// Groupshared memory and what every wave knows of its group.
pub(crate) struct GroupMemory {
    pub(crate) words: Vec<Cell<u32>>,
    pub(crate) id: [u32; 3],
}

/// A group, used again for every group of a dispatch.
pub(crate) struct Group {
    waves: Vec<Wave>,
    memory: GroupMemory,
    first_lanes: Vec<Mask>,
}

impl Group {
    pub(crate) fn new(kernel: &Kernel, limit: u64) -> Result<Group> {
        let threads: u32 = kernel.num_threads().iter().product();
        let lanes = kernel.wave_size();
        let count = threads.div_ceil(lanes);
        let entry = &kernel.functions[0];
        let per_lane = u64::from(entry.narrow_slots) * 4
            + u64::from(entry.wide_slots) * 8
            + (u64::from(entry.private_words) + kernel.statics.len() as u64) * 4;
        let need = per_lane * u64::from(lanes.max(8)) * u64::from(count)
            + u64::from(kernel.shared_words) * 4;
        if need > limit {
            return Err(Error::Memory {
                what: "a thread group",
                need,
                limit,
            });
        }
        let mut waves = Vec::with_capacity(count as usize);
        let mut first_lanes = Vec::with_capacity(count as usize);
        for number in 0..count {
            let first = number * lanes;
            let active = (threads - first).min(lanes);
            first_lanes.push(Mask::MAX >> (128 - active));
            waves.push(Wave::new(lanes, first));
        }
        Ok(Group {
            waves,
            memory: GroupMemory {
                words: vec![Cell::new(0); kernel.shared_words as usize],
                id: [0; 3],
            },
            first_lanes,
        })
    }

    /// Runs a group to its end.
    pub(crate) fn run(
        &mut self,
        id: [u32; 3],
        shared: &Shared<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<()> {
        self.memory.id = id;
        for word in &self.memory.words {
            word.set(0);
        }
        for (wave, &lanes) in self.waves.iter_mut().zip(&self.first_lanes) {
            wave.start(shared.kernel, lanes)?;
        }
        loop {
            let mut running = false;
            for wave in &mut self.waves {
                if wave.status() == Status::Running {
                    wave.run(TURN, shared, &self.memory, budget)?;
                    running |= wave.status() == Status::Running;
                }
            }
            if running {
                continue;
            }
            // All waves that are left stand at a barrier. Those that have ended keep nobody
            // waiting.
            let mut waiting = false;
            for wave in &mut self.waves {
                waiting |= wave.pass_barrier();
            }
            if !waiting {
                return Ok(());
            }
        }
    }
}
