//! Reads Direct3D 12 shaders: a DXContainer (or bare LLVM 3.7 bitcode) goes in as bytes, a typed
//! [`Shader`](dxil::Shader) comes out.
//!
//! ```text
//! &[u8] -> container (parts, PSV0, RTS0, RDAT ...)
//!       -> bitcode   (LLVM 3.7 bitstream)           -> ir (typed SSA)
//!       -> dxil      (entry points, signatures, resources, the op table)
//!       -> link      (functions that other libraries define)
//!       -> validate  (the rules of DXIL's validator)
//! ```
//!
//! Nothing here knows of SPIR-V or of a GPU, and no input can make it panic: bad bytes are an
//! [`Error`] that names part, function, instruction and byte offset.

#![forbid(unsafe_code)]
#![warn(clippy::missing_errors_doc)]

pub mod bitcode;
pub mod container;
pub mod dxbc;
pub mod dxil;
mod enumeration;
mod error;
pub mod ir;
pub mod limits;
pub mod link;
#[cfg(any(test, feature = "oracle"))]
#[doc(hidden)]
pub mod oracle;
pub mod reader;
pub mod shown;
pub mod validate;

pub use container::fourcc::FourCc;
pub use error::{Category, Error, ErrorKind, Location, Result, SourcePosition};
pub use shown::{MAX_MESSAGE_BYTES, write_message};
