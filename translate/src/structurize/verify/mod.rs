//! The rules that SPIR-V has for structured control flow, checked on a [`StructuredCfg`].
//!
//! They come from 2.11.1 "Rules for Structured Control-flow Declarations", 2.11.3 "Rules for
//! Structured Control-flow Constructs" and the rules on phis and dominance of 2.16.1 "Universal
//! Validation Rules" (SPIR-V 1.6 specification, revision 6), in the form in which this structurizer
//! keeps them, which is stricter in places:
//!
//! * edges go forward in the list of blocks, but for one back edge per loop, from its continue
//!   target;
//! * a block is the merge block or continue target of at most one header, which is its immediate
//!   structural dominator (structural: edges from headers to their merge blocks and continue
//!   targets count too);
//! * an edge leaves a construct only to its own merge block, to the merge block or continue target
//!   of the innermost loop, or to the merge block of the innermost switch within that loop;
//! * an edge to a continue target leaves at most one switch of that loop (which SPIR-V does not
//!   require: see [`MAX_SWITCHES_CONTINUED`]);
//! * a case falls through to one other case of its switch at most, right after it in the list of
//!   targets;
//! * any other block has one predecessor and lies in its construct;
//! * a branch without merge instruction has at most one target that is no such exit;
//! * a phi has one operand for each predecessor, and every value that it or code uses is defined on
//!   every path there.
//!
//! The check looks at each block, edge and operand once. A broken rule is an internal error: a
//! defect of this crate, not of the input.

mod values;
mod violation;

use dxil_frontend::tables::HashMap;

use crate::cfg::{Cfg, Dominators};
use crate::consumer::ControlFlowSupport;
use crate::{Error, Result};

use self::violation::broken;
use super::constructs::MAX_SWITCHES_CONTINUED;
use super::structured_cfg::block_predecessors;
use super::{Merge, StructuredBlock, StructuredBlockId, StructuredCfg, Terminator};

const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CheckedConstruct {
    Selection,
    Switch,
    Loop,
    /// Continue construct of that loop construct.
    Continue(u32),
}

#[derive(Debug, Clone, Copy)]
struct Construct {
    kind: CheckedConstruct,
    parent: u32,
    /// Loop construct that a `break` or `continue` in here belongs to.
    innermost_loop: u32,
    /// Switch construct within that loop.
    innermost_switch: u32,
    /// Switch constructs around this within that loop, itself included.
    switches: u32,
}

/// The role of a block for a header: index of the construct.
#[derive(Debug, Clone, Copy)]
struct ConstructRole {
    header: u32,
    construct: u32,
}

struct Checker<'a> {
    blocks: &'a [StructuredBlock],
    support: ControlFlowSupport,
    predecessors: Vec<Vec<u32>>,
    /// By structural edges.
    structural: Dominators,
    merges: Vec<Option<ConstructRole>>,
    continues: Vec<Option<ConstructRole>>,
    constructs: Vec<Construct>,
    /// Construct that each block's branches leave from: its own one for a header.
    inner: Vec<u32>,
    back_edges: Vec<u32>,
    /// Case that each case falls through to.
    fallthroughs: HashMap<u32, u32>,
    /// The position of a target among those of a switch, by switch and target.
    case_positions: HashMap<(u32, u32), usize>,
}

/// Checks all rules. `cfg` is the graph that was structured, before or after its rewriting.
///
/// # Errors
///
/// An internal error that names the rule and the block.
pub fn run(form: &StructuredCfg, cfg: &Cfg) -> Result<()> {
    run_for(form, cfg, ControlFlowSupport::ALL)
}

/// Checks all rules, and that the form has only what the consumer supports.
///
/// # Errors
///
/// An internal error that names the rule and the block.
pub fn run_for(form: &StructuredCfg, cfg: &Cfg, support: ControlFlowSupport) -> Result<()> {
    let blocks = form.blocks.as_slice();
    check_order(blocks)?;
    let predecessors = block_predecessors(blocks);
    values::check_phis(blocks, &predecessors)?;
    let mut structural = predecessors.clone();
    for (header, block) in blocks.iter().enumerate() {
        for to in declared(block.merge).into_iter().flatten() {
            if to.0 != header as u32 && !structural[to.0 as usize].contains(&(header as u32)) {
                structural[to.0 as usize].push(header as u32);
            }
        }
    }
    if let Some(lost) = structural.iter().skip(1).position(Vec::is_empty) {
        return broken(lost as u32 + 1, "is reached from nowhere");
    }
    if !support.code_in_continue_blocks {
        check_continues(blocks)?;
    }
    let mut checker = Checker {
        blocks,
        support,
        structural: Dominators::compute(blocks.len(), |block| &*structural[block as usize]),
        predecessors,
        merges: vec![None; blocks.len()],
        continues: vec![None; blocks.len()],
        constructs: Vec::new(),
        inner: vec![NONE; blocks.len()],
        back_edges: vec![0; blocks.len()],
        fallthroughs: HashMap::default(),
        case_positions: HashMap::default(),
    };
    checker.find_constructs()?;
    if !support.conditional_exits {
        checker.check_conditional_exits()?;
    }
    for from in 0..blocks.len() as u32 {
        checker.check_exits(from)?;
    }
    for (header, block) in blocks.iter().enumerate() {
        if matches!(block.merge, Merge::Loop { .. }) && checker.back_edges[header] != 1 {
            return broken(header as u32, "heads a loop without exactly one back edge");
        }
    }
    values::check(form, cfg, &checker.predecessors)
}

/// Checks that continue blocks only branch back.
fn check_continues(blocks: &[StructuredBlock]) -> Result<()> {
    for (header, block) in blocks.iter().enumerate() {
        if let Merge::Loop {
            continue_target, ..
        } = block.merge
        {
            let target = &blocks[continue_target.0 as usize];
            let goes_back =
                matches!(target.terminator, Terminator::Branch(to) if to.0 as usize == header);
            if target.source.is_some() || !goes_back || continue_target.0 as usize == header {
                return broken(continue_target.0, "does more than to continue");
            }
        }
    }
    Ok(())
}

/// Returns the merge block and continue target of a header.
fn declared(merge: Merge) -> [Option<StructuredBlockId>; 2] {
    match merge {
        Merge::None => [None, None],
        Merge::Selection { merge, .. } => [Some(merge), None],
        Merge::Loop {
            merge,
            continue_target,
            ..
        } => [Some(merge), Some(continue_target)],
    }
}

/// Checks that all blocks exist, the entry has no predecessor, edges go forward or to a loop
/// header.
fn check_order(blocks: &[StructuredBlock]) -> Result<()> {
    if blocks.is_empty() {
        return Err(Error::internal("a structured function without blocks"));
    }
    for (from, block) in blocks.iter().enumerate() {
        let from = from as u32;
        // The entry must not be the target of a branch, and a block stands before those that it
        // dominates (2.16.1).
        let mut wrong = None;
        block
            .terminator
            .for_each_target(|to| match blocks.get(to.0 as usize) {
                None => wrong = Some("branches to a block that does not exist"),
                Some(_) if to.0 == 0 => wrong = Some("branches to the entry"),
                Some(target) if to.0 <= from && !matches!(target.merge, Merge::Loop { .. }) => {
                    wrong = Some("goes back to a block that heads no loop");
                }
                Some(_) => {}
            });
        let ends: Vec<u32> = declared(block.merge)
            .iter()
            .flatten()
            .map(|to| to.0)
            .collect();
        let is_self_loop = ends.len() == 2 && ends[1] == from;
        if ends.iter().any(|&to| to as usize >= blocks.len()) {
            wrong = Some("declares a block that does not exist");
        } else if ends.first().is_some_and(|&to| to <= from)
            || ends.get(1).is_some_and(|&to| to <= from && !is_self_loop)
        {
            wrong = Some("stands behind its merge block or continue target");
        } else if ends.len() == 2 && ends[0] == ends[1] {
            wrong = Some("merges where it continues");
        }
        let fits = match (&block.merge, &block.terminator) {
            (
                Merge::None,
                Terminator::Branch(_)
                | Terminator::CondBranch { .. }
                | Terminator::SelectorBranch { .. }
                | Terminator::Return(_)
                | Terminator::Unreachable,
            )
            | (
                Merge::Selection { .. },
                Terminator::CondBranch { .. }
                | Terminator::SelectorBranch { .. }
                | Terminator::Switch { .. },
            )
            | (
                Merge::Loop { .. },
                Terminator::Branch(_)
                | Terminator::CondBranch { .. }
                | Terminator::SelectorBranch { .. },
            ) => true,
            (_, _) => false,
        };
        if !fits {
            wrong = Some("has a terminator that its merge instruction does not allow");
        }
        // Forbidden from SPIR-V 1.6 on (3.3.17, `OpBranchConditional`).
        if let Terminator::CondBranch {
            if_true: a,
            if_false: b,
            ..
        }
        | Terminator::SelectorBranch {
            if_equal: a,
            if_not: b,
            ..
        } = &block.terminator
            && a == b
        {
            wrong = Some("branches on a condition to one block");
        }
        if let Some(what) = wrong {
            return broken(from, what);
        }
    }
    Ok(())
}

impl Checker<'_> {
    /// Checks that conditional branches without a merge instruction leave constructs both ways.
    fn check_conditional_exits(&self) -> Result<()> {
        let leaves = |to: StructuredBlockId| {
            let index = to.0 as usize;
            let block = &self.blocks[index];
            let only_branches =
                block.source.is_none() && matches!(block.terminator, Terminator::Branch(_));
            self.merges[index].is_some() || self.continues[index].is_some() || only_branches
        };
        for (from, block) in self.blocks.iter().enumerate() {
            let Terminator::CondBranch {
                if_true, if_false, ..
            } = block.terminator
            else {
                continue;
            };
            let has_merge = matches!(block.merge, Merge::Selection { .. });
            let fits = has_merge || (leaves(if_true) && leaves(if_false));
            if !fits {
                return broken(from as u32, "goes on or leaves without a merge instruction");
            }
        }
        Ok(())
    }

    fn claim(
        &mut self,
        block: StructuredBlockId,
        role: ConstructRole,
        is_merge: bool,
    ) -> Result<()> {
        let index = block.0 as usize;
        if self.merges[index].is_some() || self.continues[index].is_some() {
            return broken(block.0, "belongs to two headers");
        }
        if self.structural.idom(block.0) != role.header {
            return broken(block.0, "has a header that does not dominate it directly");
        }
        if is_merge {
            self.merges[index] = Some(role);
        } else {
            self.continues[index] = Some(role);
        }
        Ok(())
    }

    fn construct(&mut self, kind: CheckedConstruct, parent: u32) -> u32 {
        let this = self.constructs.len() as u32;
        let outer = self.constructs.get(parent as usize).copied();
        let (outer_loop, outer_switch, switches) = outer.map_or((NONE, NONE, 0), |c| {
            (c.innermost_loop, c.innermost_switch, c.switches)
        });
        let (innermost_loop, innermost_switch, switches) = match kind {
            CheckedConstruct::Selection => (outer_loop, outer_switch, switches),
            CheckedConstruct::Switch => (outer_loop, this, switches + 1),
            CheckedConstruct::Loop => (this, NONE, 0),
            // The continue construct is not part of the loop construct (2.11.2), but apart from the
            // back edge its only way out is that loop's merge block, which `is_exit` looks up here.
            CheckedConstruct::Continue(of) => (of, NONE, 0),
        };
        self.constructs.push(Construct {
            kind,
            parent,
            innermost_loop,
            innermost_switch,
            switches,
        });
        this
    }

    /// Finds the construct of each block, in order: a dominator stands before what it dominates.
    fn find_constructs(&mut self) -> Result<()> {
        for at in 0..self.blocks.len() as u32 {
            let index = at as usize;
            let mut around = match at {
                0 => NONE,
                _ => self.inner[self.structural.idom(at) as usize],
            };
            if let Some(role) = self.merges[index] {
                around = self.constructs[role.construct as usize].parent;
            } else if let Some(role) = self.continues[index] {
                let parent = self.constructs[role.construct as usize].parent;
                around = self.construct(CheckedConstruct::Continue(role.construct), parent);
            }
            self.inner[index] = match self.blocks[index].merge {
                Merge::None => around,
                Merge::Selection { merge, .. } => {
                    let is_switch =
                        matches!(self.blocks[index].terminator, Terminator::Switch { .. });
                    let kind = if is_switch {
                        CheckedConstruct::Switch
                    } else {
                        CheckedConstruct::Selection
                    };
                    let construct = self.construct(kind, around);
                    let role = ConstructRole {
                        header: at,
                        construct,
                    };
                    self.claim(merge, role, true)?;
                    construct
                }
                Merge::Loop {
                    merge,
                    continue_target,
                    ..
                } => {
                    let construct = self.construct(CheckedConstruct::Loop, around);
                    let role = ConstructRole {
                        header: at,
                        construct,
                    };
                    self.claim(merge, role, true)?;
                    if continue_target.0 != at {
                        self.claim(continue_target, role, false)?;
                    }
                    construct
                }
            };
        }
        Ok(())
    }

    fn check_exits(&mut self, from: u32) -> Result<()> {
        let blocks = self.blocks;
        let block = &blocks[from as usize];
        let mut stays = 0;
        let mut last = NONE;
        let mut result = Ok(());
        block.terminator.for_each_target(|to| {
            if result.is_ok() {
                match self.is_exit(from, to.0) {
                    Ok(true) => {}
                    Ok(false) => {
                        // A switch may go to one block for several cases.
                        stays += u32::from(last != to.0);
                        last = to.0;
                    }
                    Err(error) => result = Err(error),
                }
            }
        });
        result?;
        if !matches!(block.merge, Merge::Selection { .. }) && stays > 1 {
            return broken(from, "selects without being a header");
        }
        Ok(())
    }

    /// Returns whether a block stands in a switch of its innermost loop, or ends with one.
    fn in_switch(&self, block: u32, here: Construct) -> bool {
        here.innermost_switch != NONE
            || matches!(
                self.blocks[block as usize].terminator,
                Terminator::Switch { .. }
            )
    }

    /// Returns whether an edge leaves a construct (or goes back); an error if it may not be at all.
    fn is_exit(&mut self, from: u32, to: u32) -> Result<bool> {
        let inside = self.inner[from as usize];
        let here = self.constructs.get(inside as usize).copied();
        if to <= from {
            let from_continue = match here.map(|c| c.kind) {
                Some(CheckedConstruct::Continue(of)) => self.inner[to as usize] == of,
                Some(CheckedConstruct::Loop) => from == to && self.inner[to as usize] == inside,
                _ => false,
            };
            self.back_edges[to as usize] += 1;
            return if from_continue {
                Ok(true)
            } else {
                broken(from, "goes back from outside the continue construct")
            };
        }
        if let Some(role) = self.merges[to as usize] {
            let left = self.constructs[role.construct as usize].kind;
            let allowed = role.construct == inside
                || here.is_some_and(|here| match left {
                    CheckedConstruct::Loop => {
                        here.innermost_loop == role.construct
                            && (self.support.loop_exits_in_switches || !self.in_switch(from, here))
                    }
                    CheckedConstruct::Switch => here.innermost_switch == role.construct,
                    CheckedConstruct::Selection | CheckedConstruct::Continue(_) => false,
                });
            return if allowed {
                Ok(true)
            } else {
                broken(from, &format!("may not leave to the merge block {to}"))
            };
        }
        if let Some(role) = self.continues[to as usize] {
            let is_inside = here.is_some_and(|here| {
                here.innermost_loop == role.construct
                    && !matches!(here.kind, CheckedConstruct::Continue(_))
            });
            let switches = here.map_or(0, |here| here.switches);
            if !is_inside {
                return broken(from, &format!("may not continue at {to}"));
            }
            if switches > MAX_SWITCHES_CONTINUED {
                let what = format!("continues at {to} out of {switches} switches");
                return broken(from, &what);
            }
            return Ok(true);
        }
        let others = self.predecessors[to as usize]
            .iter()
            .any(|&other| other != from && other < to);
        if !others {
            return Ok(false);
        }
        let switch = self.structural.idom(to);
        match &self.blocks[switch as usize].terminator {
            Terminator::Switch { default, cases, .. } if self.merges[to as usize].is_none() => {
                if from == switch {
                    return Ok(false);
                }
                self.check_fall(from, to, switch, *default, cases)
            }
            _ => broken(to, "is a join but no merge block"),
        }
    }

    /// Returns whether a block may fall through from its case to another.
    fn check_fall(
        &mut self,
        from: u32,
        to: u32,
        switch: u32,
        default: StructuredBlockId,
        cases: &[(u64, StructuredBlockId)],
    ) -> Result<bool> {
        // The edge may leave a case construct, but no other construct in it (2.11.3).
        if self.inner[from as usize] != self.inner[switch as usize] {
            return broken(from, &format!("falls through to {to} out of a construct"));
        }
        let mut case = from;
        while self.structural.idom(case) != switch {
            if case == 0 {
                return broken(from, &format!("falls through to {to} from outside"));
            }
            case = self.structural.idom(case);
        }
        if self
            .fallthroughs
            .insert(case, to)
            .is_some_and(|other| other != to)
        {
            return broken(case, "falls through to two cases");
        }
        if let Some(&(_, first)) = cases.first()
            && !self.case_positions.contains_key(&(switch, first.0))
        {
            let mut place = 0;
            let mut before = first;
            for &(_, target) in cases {
                place += usize::from(target != before);
                before = target;
                self.case_positions
                    .entry((switch, target.0))
                    .or_insert(place);
            }
        }
        let place = |block: u32| self.case_positions.get(&(switch, block)).copied();
        // The default has no position in the list of targets (2.11.3).
        match (place(case), place(to)) {
            (Some(case), Some(to)) if case + 1 == to => Ok(true),
            (Some(_), None) | (None, Some(_)) if case == default.0 || to == default.0 => Ok(true),
            _ => broken(
                case,
                &format!("does not stand before {to}, to which it falls"),
            ),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::structurize::{self, SelectionHint};

    const LOOP: &str = "b0: b1; b1: b2 b4; b2: b3 b4; b3: b1; b4: ret";
    pub(in crate::structurize::verify) const IF_ELSE: &str = "b0: b1 b2; b1: b3; b2: b3; b3: ret";

    /// Checks a structured graph that was changed afterwards.
    pub(in crate::structurize::verify) fn after(
        text: &str,
        change: impl FnOnce(&mut Vec<StructuredBlock>),
    ) -> Result<()> {
        let cfg = Cfg::parse(text).unwrap();
        let mut form = structurize::run(cfg.clone()).unwrap();
        change(&mut form.blocks);
        run(&form, &cfg)
    }

    pub(in crate::structurize::verify) fn says(result: Result<()>, what: &str) {
        let message = result.unwrap_err().to_string();
        assert!(message.contains(what), "{message}");
    }

    #[test]
    fn what_the_passes_make_keeps_the_rules() {
        after(LOOP, |_| ()).unwrap();
        after(IF_ELSE, |_| ()).unwrap();
    }

    #[test]
    fn a_join_needs_a_header() {
        says(
            after(IF_ELSE, |blocks| blocks[0].merge = Merge::None),
            "selects without being a header",
        );
    }

    #[test]
    fn a_block_merges_one_construct() {
        let change = |blocks: &mut Vec<StructuredBlock>| {
            let Merge::Loop { merge, .. } = blocks[1].merge else {
                return;
            };
            blocks[2].merge = Merge::Selection {
                merge,
                hint: SelectionHint::None,
            };
        };
        says(after(LOOP, change), "belongs to two headers");
    }

    #[test]
    fn only_the_continue_target_goes_back() {
        says(
            after(LOOP, |blocks| {
                blocks[2].terminator = Terminator::Branch(StructuredBlockId(1));
            }),
            "goes back from outside the continue construct",
        );
        says(
            after(IF_ELSE, |blocks| {
                blocks[3].terminator = Terminator::Branch(StructuredBlockId(1));
            }),
            "heads no loop",
        );
    }

    #[test]
    fn an_arm_may_not_enter_the_other_one() {
        says(
            after(IF_ELSE, |blocks| {
                blocks[1].terminator = Terminator::Branch(StructuredBlockId(2));
            }),
            "is a join but no merge block",
        );
    }

    #[test]
    fn a_continue_leaves_one_switch_at_most() {
        // Block 5, in the inner of two switches, continues.
        let text = "b0: b1; b1: switch b8 b2 b8 b3; b2: switch b6 b4 b6 b5; b3: b8; b4: b6; b5: b9; \
                    b6: b7; b7: b8; b8: b9; b9: b1 b10; b10: ret";
        after(text, |_| ()).unwrap();
        says(
            after(text, |blocks| {
                let Some(target) = blocks.iter().find_map(|block| match block.merge {
                    Merge::Loop {
                        continue_target, ..
                    } => Some(continue_target),
                    _ => None,
                }) else {
                    return;
                };
                let leaves = blocks
                    .iter_mut()
                    .find(|block| block.source.map(|b| b.as_u32()) == Some(5));
                leaves.unwrap().terminator = Terminator::Branch(target);
                for block in blocks {
                    block.phis.clear();
                }
            }),
            "out of 2 switches",
        );
    }

    #[test]
    fn a_case_falls_through_to_the_next_one_only() {
        // Case 0 and case 1 go to block 1 and block 2; 1 falls through to 2, 3 is a case of its
        // own.
        let text = "b0: switch b4 b1 b2 b3; b1: b2; b2: b4; b3: b4; b4: ret";
        after(text, |_| ()).unwrap();
        let reorder = |blocks: &mut Vec<StructuredBlock>| {
            if let Terminator::Switch { cases, .. } = &mut blocks[0].terminator {
                cases.swap(1, 2);
            }
        };
        says(after(text, reorder), "does not stand before");
    }

    #[test]
    fn an_if_in_a_loop_may_not_be_left_to_an_outer_if() {
        let text = "b0: b1 b4; b1: b2 b3; b2: b3; b3: b4; b4: ret";
        says(
            after(text, |blocks| {
                let outer = (blocks.len() - 1) as u32;
                blocks[2].terminator = Terminator::Branch(StructuredBlockId(outer));
            }),
            "may not leave to the merge block",
        );
    }
}
