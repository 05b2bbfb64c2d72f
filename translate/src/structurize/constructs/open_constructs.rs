//! The stack of open constructs: which construct owns a node, and how to reach it.

use crate::cfg::CfgNodeId;
use crate::structurize::StructuredBlockId;
use crate::{Error, Result};

use super::limits::MAX_DEPTH;
use super::state::{ConstructBuilder, ConstructKind, JumpTarget, Next, OpenConstruct};

impl ConstructBuilder<'_> {
    /// Opens a construct with these follow nodes.
    pub(super) fn open_construct(
        &mut self,
        kind: ConstructKind,
        follows: Vec<CfgNodeId>,
    ) -> StructuredBlockId {
        let merge = self.draft();
        self.open_construct_at(kind, follows, merge);
        merge
    }

    pub(super) fn open_construct_at(
        &mut self,
        kind: ConstructKind,
        follows: Vec<CfgNodeId>,
        merge: StructuredBlockId,
    ) {
        let index = self.open.len();
        if index >= MAX_DEPTH {
            self.too_deep = true;
        }
        let (mut innermost_loop, mut innermost_switch, mut switches) =
            self.open.last().map_or((None, None, 0), |f| {
                (f.innermost_loop, f.innermost_switch, f.switches)
            });
        match kind {
            ConstructKind::If => {}
            ConstructKind::Switch => {
                innermost_switch = Some(index);
                switches += 1;
            }
            ConstructKind::Loop => {
                // A branch to the merge block of a switch must not leave a loop (2.11.3), so that
                // switches around the loop are out of reach.
                innermost_loop = Some(index);
                innermost_switch = None;
                switches = 0;
            }
        }
        for &follow in &follows {
            self.jump_targets[follow.index()] = Some(JumpTarget {
                construct: index as u32,
                is_continue: false,
                case: None,
            });
        }
        self.open.push(OpenConstruct {
            merge,
            // Only loops have one; `place_loop` sets it.
            continue_target: merge,
            follows,
            targets_beyond: Vec::new(),
            innermost_loop,
            innermost_switch,
            switches,
        });
    }

    /// Closes the innermost construct; what comes next is its merge block.
    pub(super) fn close(&mut self) -> Result<Next> {
        let construct = self
            .open
            .pop()
            .ok_or_else(|| Error::internal("no construct to close"))?;
        for &follow in &construct.follows {
            self.jump_targets[follow.index()] = None;
        }
        Ok(Next::Merge(
            construct.merge,
            construct.follows,
            construct.targets_beyond,
        ))
    }

    pub(super) fn close_unless_deep(&mut self) -> Result<Next> {
        if self.too_deep {
            Ok(Next::End)
        } else {
            self.close()
        }
    }
}
