//! The lines that each lane has come through.

use dxil_cpu::watch::Moment;
use dxil_frontend::ir::{FuncId, InstId, MdId};

use crate::program::{Program, Site};
use crate::stack::active_depth;

/// A line that a lane is in, of one call.
#[derive(Debug, Clone, Copy)]
struct Line {
    key: u32,
    function: FuncId,
    inst: InstId,
    /// The call: its function's scope is in one of the module's functions, inlined here.
    inlined_at: Option<MdId>,
}

/// The lines that lanes are in, and their calls'.
#[derive(Debug, Default)]
pub(crate) struct Tracks {
    /// Of each lane, by depth.
    lanes: Vec<Vec<Line>>,
    /// The calls of the module, and how many calls of the source are around the innermost one.
    outer: (usize, usize),
}

/// The lanes that come to a new line.
#[derive(Debug, Default)]
pub(crate) struct Arrivals {
    /// Lanes that enter the line.
    pub(crate) lines: Vec<usize>,
    /// Those of them that enter the function.
    pub(crate) enters: Vec<usize>,
    /// Calls around the line, with itself.
    pub(crate) depth: usize,
}

impl Tracks {
    /// Forgets everything.
    pub(crate) fn begin(&mut self) {
        self.lanes.clear();
        self.outer = (0, 0);
    }

    /// Follows the active lanes to an instruction.
    ///
    /// A lane enters a line when it comes from another line, when it comes back to an instruction
    /// of it that is not after the last one, as in a loop; not when it comes back from a call in
    /// the line.
    pub(crate) fn follow(
        &mut self,
        program: &Program<'_>,
        moment: &Moment<'_>,
        site: &Site,
        (function, inst): (FuncId, InstId),
    ) -> Arrivals {
        let calls = moment.depth();
        if self.outer.0 != calls {
            // The innermost call counts with what is inlined at this instruction.
            let all = active_depth(program, moment);
            self.outer = (calls, all.saturating_sub(site.inlined as usize));
        }
        let depth = self.outer.1 + site.inlined as usize;
        let mut arrivals = Arrivals {
            depth,
            ..Arrivals::default()
        };
        self.lanes.resize_with(moment.lanes(), Vec::new);
        let active = moment.active();
        for (lane, track) in self.lanes.iter_mut().enumerate() {
            if active >> lane & 1 == 0 {
                continue;
            }
            let line = Line {
                key: site.key,
                function,
                inst,
                inlined_at: site.inlined_at,
            };
            let comes_deeper = track.len() < depth;
            track.truncate(depth);
            let known = track.get(depth.wrapping_sub(1)).copied();
            let goes_on = known.is_some_and(|known| {
                known.key == line.key && known.function == function && known.inst < inst
            });
            let is_same_call = known.is_some_and(|known| {
                known.function == function && known.inlined_at == line.inlined_at
            });
            if !goes_on {
                arrivals.lines.push(lane);
                if comes_deeper || !is_same_call {
                    arrivals.enters.push(lane);
                }
            }
            // Calls between, which have no instruction of their own before this one.
            track.resize(depth, line);
            if let Some(last) = track.last_mut() {
                *last = line;
            }
        }
        arrivals
    }
}
