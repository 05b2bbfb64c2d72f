//! Executes DXIL compute shaders on the CPU, straight from the typed IR: no structurizer, no
//! SPIR-V, no driver.
//!
//! ```text
//! Shader -> decode   (once: registers, dense operations, moves instead of phis)
//!        -> schedule (which lanes run: divergence and reconvergence on the graph as it is)
//!        -> execute  (an instruction for all lanes of a wave at a time)
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::missing_errors_doc)]

mod check;
mod decode;
mod error;
mod execute;
pub mod resources;
mod schedule;

pub use check::{AccessKind, Checks, Finding, FindingKind, Participant};
pub use decode::{Kernel, Options, UsedRange};
pub use error::{CodeLocation, Error, Result};
pub use execute::{Dispatch, Limits, Outcome};
