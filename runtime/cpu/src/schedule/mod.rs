//! The order in which lanes run blocks: divergence and reconvergence on the graph as the module has
//! it.
//!
//! Lanes that part at a branch meet again at its immediate post-dominator within the round of the
//! loops that they are in ([`meeting_points`]); until then each side runs by itself, one after the
//! other ([`Stack`](stack::Stack)). On the way, sides that come to the same block go on together:
//! lanes wait at a block that others can still come to in the same round ([`Reach`]). The graph
//! stays as it is, and nothing here knows of structured control flow.

mod meeting_points;
mod reach;
pub(crate) mod stack;

pub(crate) use meeting_points::meeting_points;
pub(crate) use reach::Reach;
