//! A source-level debugger for DXIL shaders.
//!
//! The shader runs on the CPU (`dxil-cpu`), which shows each instruction of one wave before it is
//! executed. Debug information says which line it comes from and where the variables are:
//!
//! ```text
//! dxil-cpu (Moment) -> program    the place in the source of each instruction
//!                   -> stack      the calls that a lane is in, with those that were inlined
//!                   -> variables  values with the types of the source
//!                   -> expression what conditions and watches compute
//!                   -> session    when the wave stops: breakpoints, steps, forwards and back
//!                   -> terminal, dap: the front ends
//! ```
//!
//! Going back is running again: the executor gives the same values each time, so an earlier moment
//! of the wave is reached again from its start.

#![forbid(unsafe_code)]
#![warn(clippy::missing_errors_doc)]

mod breakpoints;
pub mod dap;
mod expression;
mod lanes;
mod number;
mod program;
mod reason;
mod registers;
mod resources;
mod session;
mod stack;
mod stopped;
mod target;
pub mod terminal;
pub mod trace;
mod track;
mod types;
mod value;
mod variables;
mod writer;

pub use breakpoints::{BreakAt, Breakpoint, Breakpoints, DataBreakpoint, HitCondition, data_id};
pub use expression::{Evaluated, Expression, ExpressionError, parse as condition};
pub use lanes::{Lanes, wave_of_ray, wave_of_thread};
pub use number::{Encoding, Number, ScalarKind};
pub use program::{Program, Site, SourceFile};
pub use reason::Reason;
pub use resources::Resource;
pub use session::{Front, Poll, Resume, Resumption, Session, Step};
pub use stack::StackFrame;
pub use stopped::{Edit, LaneRow, Stopped};
pub use target::{FORMS, Target, Wanted};
pub use types::{Member, Shape, SourceType};
pub use value::{Known, Leaf, Place, Value};
pub use variables::{Globals, Variable};
