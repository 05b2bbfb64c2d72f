//! The control-flow graph of one function, and its immutable analyses.
//!
//! [`Cfg`] is what the structurizer works on: reachable blocks only, in reverse postorder.
//! [`Dominators`] and [`LoopForest`] are computed from it once and never patched.

mod dominators;
mod dot;
mod graph;
mod loops;
mod text;

pub use dominators::Dominators;
pub use dot::dot;
pub use graph::{Cfg, CfgPhi, Exit, Node, NodeId, Use};
pub use loops::{Loop, LoopForest, LoopId};
