//! Executes DXIL shaders on the CPU, straight from the typed IR: no structurizer, no
//! SPIR-V, no driver.
//!
//! ```text
//! Shader -> decode   (once: registers, dense operations, moves instead of phis)
//!        -> schedule (which lanes run: divergence and reconvergence on the graph as it is)
//!        -> execute  (an instruction for all lanes of a wave at a time)
//! ```
//!
//! The shader computes `y = a * x + y` for the first `n` elements:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use dxil_cpu::resources::{Bindings, Register, ResourceView, Storage};
//! use dxil_cpu::{Dispatch, Kernel, Limits, Options};
//! use dxil_frontend::dxil::{ResourceClass, read_shader};
//!
//! # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/saxpy.dxil");
//! let shader = read_shader(&std::fs::read(file)?)?;
//! let kernel = Kernel::decode(&shader, &Options::default())?;
//!
//! let bytes = |values: [f32; 4]| values.map(f32::to_le_bytes).concat();
//! let storages = [
//!     Storage::buffer(&bytes([1.0, 2.0, 3.0, 4.0])),
//!     Storage::buffer(&bytes([10.0; 4])),
//! ]; let buffer = |storage| ResourceView::Buffer { storage, offset: 0, size: 16, format: None,
//! counter: 0 }; let register = |class| Register { class, space: 0, index: 0 }; let constants =
//! [2f32.to_le_bytes(), 3u32.to_le_bytes()].concat(); let mut bindings = Bindings::default();
//! bindings.registers = vec![
//!     (register(ResourceClass::Srv), buffer(0)),
//!     (register(ResourceClass::Uav), buffer(1)),
//!     (register(ResourceClass::Cbv), ResourceView::Constants(constants)),
//! ];
//! let dispatch = Dispatch::new(&kernel, &bindings, &storages)?;
//! dispatch.run([1, 1, 1], &Limits::default())?;
//! assert_eq!(storages[1].to_bytes(), bytes([12.0, 14.0, 16.0, 10.0]));
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::missing_errors_doc)]

mod check;
mod decode;
mod error;
mod execute;
#[cfg(feature = "native")]
mod native;
pub mod raster;
pub mod resources;
mod schedule;

pub use check::{AccessKind, Check, Checks, Finding, FindingKind, Participant};
pub use decode::{ElementPlace, Kernel, Options, PixelBlock, RayShader, SystemValues, UsedRange};
pub use error::{CodeLocation, Error, Result};
pub mod watch {
    //! Watching a wave of a dispatch, instruction by instruction: what a debugger is made of.
    pub use crate::decode::{ScalarType, VariablePart};
    pub use crate::execute::{
        Bound, Frame, Invocation, LanePlace, Moment, Next, Recorded, Recorder, Scalar, Watch,
        WatchedWave,
    };
}

pub use execute::{
    CodeChoice, Dispatch, Events, Invocations, Limits, MeshDispatch, MeshGroup, NodeGroup,
    NodeOutcome, NodeOutput, NodeRun, Outcome, SentRecords, sample_place,
};
