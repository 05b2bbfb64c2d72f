//! The calls that a lane is in, with those that were inlined.

use dxil_cpu::watch::{LanePlace, Moment};
use dxil_frontend::ir::{FuncId, InstId, MdId};

use crate::program::Program;

/// A call that a lane is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackFrame {
    /// Name of the function in the source.
    pub name: String,
    /// Number of the file, line and column; none where debug information has no place.
    pub position: Option<(u32, u32, u32)>,
    /// The call of the module that it is in; the outermost is 0.
    pub call: usize,
    /// The function of the module, and the instruction.
    pub inst: (FuncId, InstId),
    /// The scope of names.
    pub scope: Option<MdId>,
    /// The location that the function was inlined at.
    pub inlined_at: Option<MdId>,
    /// Whether the function was inlined.
    pub is_inlined: bool,
}

/// Returns the number of calls of the module that a lane is in.
fn depth_of(moment: &Moment<'_>, lane: usize) -> usize {
    match moment.place_of(lane) {
        LanePlace::Active => moment.depth(),
        LanePlace::Waiting { frame, .. } => frame + 1,
        LanePlace::Ended => 0,
    }
}

/// Returns the instruction of a call that a lane is at, or enters next.
fn inst_of(
    program: &Program<'_>,
    moment: &Moment<'_>,
    (lane, call, is_last): (usize, usize, bool),
) -> Option<(FuncId, InstId)> {
    let frame = moment.frame(call)?;
    match moment.place_of(lane) {
        LanePlace::Waiting { block, .. } if is_last => {
            let body = program.shader.module.body(frame.function)?;
            let block = body.blocks.values().nth(block as usize)?;
            Some((frame.function, block.first))
        }
        _ => Some((frame.function, frame.inst)),
    }
}

/// Returns the calls that a lane is in, the innermost first; none once it has ended.
pub(crate) fn stack_of(program: &Program<'_>, moment: &Moment<'_>, lane: usize) -> Vec<StackFrame> {
    let depth = depth_of(moment, lane);
    let mut frames = Vec::new();
    for call in (0..depth).rev() {
        let Some((function, inst)) = inst_of(program, moment, (lane, call, call + 1 == depth))
        else {
            continue;
        };
        let site = program.site_near(function, inst).copied();
        let of_module = || StackFrame {
            name: program.function_name(function).to_owned(),
            position: site.map(|site| (site.file, site.line, site.column)),
            call,
            inst: (function, inst),
            scope: None,
            inlined_at: None,
            is_inlined: false,
        };
        let (Some(site), Some(debug)) = (site, program.debug) else {
            frames.push(of_module());
            continue;
        };
        let mut scope = site.scope;
        let mut position = Some((site.file, site.line, site.column));
        let mut inlined_at = site.inlined_at;
        // As many as the site has, so that the walk ends.
        for _ in 0..site.inlined {
            let name = scope.and_then(|scope| debug.function_of(scope));
            let name = name.map(|(_, function)| function.name.to_owned());
            frames.push(StackFrame {
                name: name.unwrap_or_else(|| program.function_name(function).to_owned()),
                position,
                call,
                inst: (function, inst),
                scope,
                inlined_at,
                is_inlined: inlined_at.is_some(),
            });
            let Some(outer) = inlined_at.and_then(|id| debug.location(id)) else {
                break;
            };
            let file = debug.position_of(&outer).map(|position| position.file);
            let file = file.and_then(|name| program.file_named(name));
            position = file.map(|file| (file, outer.line, outer.column));
            scope = outer.scope;
            inlined_at = outer.inlined_at;
        }
    }
    frames
}

/// Returns the number of calls that the lanes which execute an instruction are in, with those that
/// were inlined.
pub(crate) fn active_depth(program: &Program<'_>, moment: &Moment<'_>) -> usize {
    // As `stack_of` counts them.
    let calls = (0..moment.depth()).filter_map(|call| moment.frame(call));
    calls
        .map(|frame| {
            let site = program.site_near(frame.function, frame.inst);
            site.map_or(1, |site| site.inlined as usize)
        })
        .sum()
}
