//! From a control-flow graph to structured control flow.
//!
//! The result, [`StructuredCfg`], is a list of SPIR-V blocks in an order that SPIR-V accepts (a
//! block after its immediate dominator; SPIR-V specification, 2.16.1 "Universal Validation Rules"),
//! each with its merge instruction and terminator, still in terms of the IR's values. Section
//! numbers in this folder are those of the SPIR-V 1.6 specification, revision 6.
//!
//! # Method
//!
//! SPIR-V requires every branch to lie in nested constructs (`if`, `switch`, loop), each with one
//! merge block, and allows few ways out of them. The passes of [`run`], in order:
//!
//! 1. `empty_blocks` removes blocks that contain nothing but phis.
//! 2. Every cycle gets a single entry; graphs that DXC writes have that already. `irreducible`
//!    finds cycles with several entries, `node_splitting` copies the code after the other entries
//!    if it is small, and `dispatcher` enters the remaining cycles through a switch.
//! 3. `returns` copies the `return` of a function for its early returns.
//! 4. `plan` decides where each loop ends and continues, and which construct each join belongs to.
//! 5. `constructs` walks the dominator tree with a stack of open constructs and makes draft blocks.
//! 6. `finish` orders the blocks and makes phis and selectors.
//! 7. `repair` adds phis where rerouting broke dominance: only after copies, a dispatcher or
//!    selector.
//! 8. `verify` checks SPIR-V's rules on the result.
//!
//! A graph that nests too deep, or would take more steps than its size allows, is flattened:
//! `flatten` makes it one loop around a switch, with values in variables.
//!
//! # Examples
//!
//! A join follows its immediate dominator's construct. The dominator becomes the header, the join
//! its merge block:
//!
//! ```text
//!       A                 A: merge D, if B C
//!      / \                B: -> D
//!     B   C       =>      C: -> D
//!      \ /                D
//!       D
//! ```
//!
//! A loop's header gets the loop's merge and continue target. Work that is done on the way out and
//! meets the other exits stays inside; where the exits meet is what follows:
//!
//! ```text
//!     H <-----.           H: loop, merge J, continue C
//!    / \      |           S: -> J             (the body of `if (..) { S; break; }`)
//!   S   B --> C           B: if J C           (break, or continue)
//!    \ /              => C: -> H
//!     J                   J
//! ```
//!
//! An edge that leaves more constructs than SPIR-V allows at once goes step by step. A merge block
//! on the way that serves one target only jumps on; one that serves several tests a selector:
//!
//! ```text
//!   loop { loop {                 inner merge: s = phi(out from x, on from y)
//!       x: goto out;         =>                if (s == out) -> outer merge, else -> on
//!       y: break; } on; }
//!   out                           outer merge: out
//! ```
//!
//! A condition that decides between two targets after the same merge block is the selector itself,
//! and `if (a || b) T` has the form of its source:
//!
//! ```text
//!       A                     A: merge M, if M B      (a holds: on to T)
//!      / \                    B: -> M                 (b decides)
//!     T <- B       =>         M: s = phi(true from A, b from B); merge E, if s T E
//!      \   |                  T: -> E
//!       `-> E                 E
//! ```
//!
//! A case that falls through to the next one does so in SPIR-V too (`fallthrough`). What is left
//! needs a selector because SPIR-V has no other form for it (2.11.3 "Rules for Structured
//! Control-flow Constructs"): an `if` or a loop is left to its own merge block only, several at
//! once only by `break` and `continue` of the innermost loop and `break` of the innermost switch.
//! The files `forced_*` among the file tests (`filetests/structurize`) show each of these shapes.
//!
//! If many ways out of nested conditions lead to one join, the conditions are in a switch of one
//! case: each way is a `break`, and the join's phis have one operand for each way. Nested
//! selections would hand every value down through as many merge blocks as there are ways out.
//!
//! # Costs
//!
//! Steps, blocks and phi operands are linear in the size of the graph ([`size`]): passes that look
//! at each part a fixed number of times, and a `Budget` of [`STEPS_PER_PART`] for all that
//! multiplies (the targets of an edge that go through a routing block, the phis that it has for
//! them, loops that an edge leaves, dominance frontiers). A graph that needs more is flattened,
//! which takes a block, a load and a store for each of its parts at most.
//!
//! Copied code is bare returns, one block per way in, and of irreducible regions at most 4 blocks
//! with 32 instructions each and 16 blocks with 128 instructions in a function (`node_splitting`).
//! A construct adds at most a merge block, a continue block and the tests of its selector.
//! Dominance questions take constant time.

use dxil_frontend::ir::{FuncView, ValueId};

use crate::budget::Budget;
use crate::cfg::{Cfg, Crossing, Dominators, Exit, LoopForest, MAX_CASES, Node};
use crate::{Error, ErrorKind, Result};

mod constructs;
mod dispatcher;
mod empty_blocks;
mod failure;
mod fallthrough;
mod finish;
mod flatten;
mod irreducible;
mod node_splitting;
mod plan;
mod repair;
mod returns;
mod structured_cfg;
mod text;
mod verify;

use failure::NestingFailure;

pub use crate::cfg::{LoopHint, Operand, PhiResult, SelectionHint, SyntheticId};
pub use crate::consumer::ControlFlowSupport;
pub use structured_cfg::{
    BlockMemory, Merge, Select, SlotId, SlotType, Statistics, StructuredBlock, StructuredBlockId,
    StructuredCfg, StructuredPhi, Terminator,
};
pub use verify::{run as verify, run_for as verify_for};

/// Structures a graph by a chain of passes, one per file.
///
/// # Errors
///
/// `Malformed` for phis that do not fit the graph, `TooComplex` for control flow that becomes a
/// switch with too many cases, `Internal` for a fault of the structurizer.
pub fn run(cfg: Cfg) -> Result<StructuredCfg> {
    run_with(cfg, ControlFlowSupport::ALL)
}

/// Structures a graph for a consumer of the module.
///
/// # Errors
///
/// If the graph takes more steps than its size allows, or the result breaks a rule of SPIR-V, which
/// is an internal error.
pub fn run_with(cfg: Cfg, support: ControlFlowSupport) -> Result<StructuredCfg> {
    run_counted(cfg, support).map(|(form, _)| form)
}

/// Structures a graph, and returns the number of steps that it took as well.
///
/// # Errors
///
/// If the graph takes more steps than its size allows, or the result breaks a rule of SPIR-V, which
/// is an internal error.
pub fn run_counted(cfg: Cfg, support: ControlFlowSupport) -> Result<(StructuredCfg, u64)> {
    structure(cfg, support, &|_| Crossing::Stored)
}

/// Structures a graph in the form that [`run_with`] uses where nested constructs would be too many:
/// one loop around a switch.
///
/// # Errors
///
/// If the graph takes more steps than its size allows, or the result breaks a rule of SPIR-V, which
/// is an internal error.
#[doc(hidden)]
pub fn run_flat(cfg: Cfg) -> Result<StructuredCfg> {
    if let Some(straight) = straight(&cfg) {
        return Ok(straight);
    }
    let mut work = Budget::for_input(size(&cfg), STEPS_PER_PART);
    let (blocks, slots) = flatten::run(&cfg, &|_| Crossing::Stored, &mut work)?;
    Ok(StructuredCfg {
        statistics: Statistics {
            blocks_in: cfg.nodes.len() as u32,
            blocks_out: blocks.len() as u32,
            dispatchers: 1,
            ..Statistics::default()
        },
        blocks,
        slots,
    })
}

/// Structures the graph of a function; `view` says how its values can cross between blocks.
///
/// # Errors
///
/// If the graph takes more steps than its size allows, or the result breaks a rule of SPIR-V, which
/// is an internal error.
pub fn run_function(
    cfg: Cfg,
    view: FuncView<'_>,
    support: ControlFlowSupport,
) -> Result<StructuredCfg> {
    let crossing = |value| Crossing::of(view, value);
    structure(cfg, support, &crossing).map(|(form, _)| form)
}

/// Steps that structuring takes for each part of a graph, before it is flattened instead. Compiled
/// shaders take less than one where it is counted; random graphs of any shape take up to about ten.
pub const STEPS_PER_PART: u64 = 24;

/// Returns the number of parts of a graph: nodes, edges, operands of phis, values that cross
/// between nodes.
pub fn size(cfg: &Cfg) -> usize {
    let of_node = |node: &Node| {
        let operands = node.phis.iter().map(|phi| 1 + phi.incoming.len());
        1 + node.successors.len() + operands.sum::<usize>()
    };
    cfg.nodes.iter().map(of_node).sum::<usize>() + cfg.uses.len()
}

/// Steps for each node that a round counts as, which finds dominators and loops anew, and renumbers
/// the graph.
const STEPS_PER_ROUND: u64 = 8;

fn structure(
    mut cfg: Cfg,
    support: ControlFlowSupport,
    crossing: &dyn Fn(ValueId) -> Crossing,
) -> Result<(StructuredCfg, u64)> {
    if let Some(straight) = straight(&cfg) {
        return Ok((straight, 1));
    }
    let mut statistics = Statistics {
        blocks_in: cfg.nodes.len() as u32,
        ..Statistics::default()
    };
    let size = size(&cfg);
    let mut work = Budget::for_input(size, STEPS_PER_PART);
    let finished = match nest(&mut cfg, support, crossing, &mut work, &mut statistics) {
        Ok(finished) => finished,
        Err(NestingFailure::TooMuch) => None,
        Err(NestingFailure::Error(error)) => return Err(error),
    };
    let mut steps = work.spent();
    let (blocks, slots) = match finished {
        Some(blocks) => (blocks, Vec::new()),
        None => {
            // Nesting may have used up its budget, so flattening gets one of its own. Both grow
            // with the size of the graph, and so does their sum.
            let mut work = Budget::for_input(size, STEPS_PER_PART);
            statistics.dispatchers += 1;
            let flat = flatten::run(&cfg, crossing, &mut work)?;
            steps += work.spent();
            flat
        }
    };
    check_switches(&blocks)?;
    statistics.blocks_out = blocks.len() as u32;
    let structured = StructuredCfg {
        blocks,
        slots,
        statistics,
    };
    // A broken rule is a fault of the passes, not of the input. Tests and fuzzing run with debug
    // assertions and check it; release builds save the time.
    if cfg!(debug_assertions) {
        verify::run_for(&structured, &cfg, support)?;
    }
    Ok((structured, steps))
}

/// Refuses a switch with more cases than SPIR-V allows (2.17 "Universal Limits"), which flattening
/// or a dispatcher makes of as many blocks. [`Cfg::build`] has split the switches of the shader.
fn check_switches(blocks: &[StructuredBlock]) -> Result<()> {
    let is_too_large = |block: &StructuredBlock| match &block.terminator {
        Terminator::Switch { cases, .. } => cases.len() > MAX_CASES,
        _ => false,
    };
    if blocks.iter().any(is_too_large) {
        let what = "control flow that becomes a switch of more than 16,383 cases";
        return Err(ErrorKind::TooComplex(what).into());
    }
    Ok(())
}

/// Nests constructs as the graph has them. Returns `None` if they would nest too deep.
fn nest(
    cfg: &mut Cfg,
    support: ControlFlowSupport,
    crossing: &dyn Fn(ValueId) -> Crossing,
    work: &mut Budget,
    statistics: &mut Statistics,
) -> Result<Option<Vec<StructuredBlock>>, NestingFailure> {
    // Before loops are found: a dedicated exit block would count as a node that follows its loop.
    empty_blocks::run(cfg);
    let mut budget = node_splitting::CopyBudget::default();
    // Each round gives one more region a single header; there are fewer regions than nodes, copies
    // included.
    let (dominators, loops) = loop {
        work.spend(STEPS_PER_ROUND * cfg.nodes.len() as u64)?;
        let dominators = cfg.dominators();
        let loops = LoopForest::compute(cfg, &dominators);
        if loops.irreducible.is_none() {
            break (dominators, loops);
        }
        let region = irreducible::find(cfg, work)?;
        let region =
            region.ok_or_else(|| Error::internal("an irreducible graph without such region"))?;
        // Copies first: the loop keeps its shape. A dispatcher always works, whatever the region's
        // size.
        if !node_splitting::run(cfg, &region, &mut budget) {
            dispatcher::insert(cfg, &region.entries, work)?;
            statistics.dispatchers += 1;
        }
        statistics.duplicated_blocks = budget.spent();
    };
    let copied_returns = returns::run(cfg, &dominators, &loops);
    statistics.duplicated_blocks = copied_returns + budget.spent();
    // Copies renumber the nodes, and both analyses name nodes by number.
    let (dominators, loops) = if copied_returns == 0 {
        (dominators, loops)
    } else {
        analyze(cfg)?
    };
    let plan = plan::ConstructPlan::new(cfg, &dominators, loops, support, work)?;
    let Some(drafts) = constructs::run(cfg, &plan, work)? else {
        return Ok(None);
    };
    let mut finished = finish::run(cfg, &drafts, work)?;
    let mut repaired_phis = 0;
    let counted = finished.statistics;
    // Only these merge paths that were apart. Otherwise every definition still dominates its uses,
    // and the dominance frontiers would be computed for nothing.
    if statistics.dispatchers > 0 || budget.spent() > 0 || counted.selectors > 0 {
        repaired_phis = repair::run(cfg, &mut finished, crossing, work)?;
    }
    *statistics = Statistics {
        blocks_in: statistics.blocks_in,
        dispatchers: statistics.dispatchers,
        duplicated_blocks: statistics.duplicated_blocks,
        repaired_phis,
        ..counted
    };
    Ok(Some(finished.blocks))
}

/// Returns a function without branches, which most small shaders have: one block that returns.
fn straight(cfg: &Cfg) -> Option<StructuredCfg> {
    let [node] = cfg.nodes.as_slice() else {
        return None;
    };
    if !node.phis.is_empty() {
        return None;
    }
    let terminator = match node.exit {
        Exit::Return(value) => Terminator::Return(value),
        Exit::Unreachable => Terminator::Unreachable,
        _ => return None,
    };
    let block = StructuredBlock {
        source: node.source,
        lifted: Vec::new(),
        phis: Vec::new(),
        renames: Vec::new(),
        selects: Vec::new(),
        exports: Vec::new(),
        memory: None,
        merge: Merge::None,
        terminator,
    };
    Some(StructuredCfg {
        blocks: vec![block],
        slots: Vec::new(),
        statistics: Statistics {
            blocks_in: 1,
            blocks_out: 1,
            ..Statistics::default()
        },
    })
}

/// Returns the dominators and loops of a graph that is reducible.
fn analyze(cfg: &Cfg) -> Result<(Dominators, LoopForest)> {
    let dominators = cfg.dominators();
    let loops = LoopForest::compute(cfg, &dominators);
    if loops.irreducible.is_some() {
        return Err(Error::internal("a graph that stayed irreducible"));
    }
    Ok((dominators, loops))
}
