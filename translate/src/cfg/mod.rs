//! The control-flow graph of one function, and its immutable analyses.
//!
//! [`Cfg`] is what the structurizer works on: reachable blocks only, in reverse postorder.
//! [`unrotate_loops`] reverses the compiler's loop rotation; it requires a graph that no other pass
//! has changed. [`Dominators`] and [`LoopForest`] are computed from the graph once and never
//! updated.

mod build;
mod crossing;
mod definitions;
mod graph;
mod hints;
mod loops;
mod numbering;
mod operand;
mod pinned_blocks;
mod switches;
mod text;
mod unrotate;
mod views;

pub use crossing::Crossing;
pub use definitions::Definitions;
pub use dxil_frontend::ir::dominance::Dominators;
pub use graph::{Cfg, CfgNodeId, CfgPhi, Exit, Node, NodeList, Use};
pub(crate) use graph::{exit_targets, map_targets};
pub use hints::{LoopHint, SelectionHint};
pub use loops::{Loop, LoopForest, LoopId};
pub use operand::{Operand, PhiResult, SyntheticId};
pub(crate) use switches::MAX_CASES;
pub use unrotate::run as unrotate_loops;
