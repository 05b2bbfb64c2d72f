//! The control-flow graph of one function, and its immutable analyses.
//!
//! [`Cfg`] is what the structurizer works on: reachable blocks only, in reverse postorder.
//! Loops that the compiler rotated are turned back while it is built (`unrotate`).
//! [`Dominators`] and [`LoopForest`] are computed from it once and never patched.

mod dominators;
mod graph;
mod loops;
mod pinned;
mod text;
mod unrotate;

pub use dominators::Dominators;
pub use graph::{Cfg, CfgPhi, Exit, Node, NodeId, NodeList, Use};
pub(crate) use graph::{exit_targets, for_each_operand, map_targets};
pub use loops::{Loop, LoopForest, LoopId};
