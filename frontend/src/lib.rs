//! Reads and writes Direct3D 12 shaders: a DXContainer (or bare LLVM 3.7 bitcode) goes in as bytes,
//! a typed [`Shader`](dxil::Shader) comes out.
//!
//! ```text
//! &[u8] -> container (parts, PSV0, RTS0, RDAT ...)
//!       -> bitcode   (LLVM 3.7 bitstream)           -> ir (typed SSA)
//!       -> dxil      (entry points, signatures, resources, the op table)
//!       -> link      (functions that other libraries define)
//!       -> parts     (parts of a container as a compiler writes them)
//!       -> validate  (the rules of DXIL's validator)
//!       -> reflection (names and layouts of resources)
//! ```
//!
//! and back: `asm` reads the text that `ir::print` writes, `bitcode::write_module` writes a module,
//! `parts` puts a container around it, `build` makes shaders from nothing, `upgrade` writes DXBC
//! as DXIL, `opt` makes shaders smaller, and `yaml` describes containers.
//!
//! Nothing here knows of SPIR-V or of a GPU, and no input can make it panic: bad bytes are an
//! [`Error`] that names part, function, instruction and byte offset.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use dxil_frontend::container::Container;
//! use dxil_frontend::dxil::Shader;
//!
//! # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/tests/data/saxpy.dxil");
//! let bytes = std::fs::read(file)?;
//! let container = Container::parse(&bytes)?;
//! for part in container.parts() {
//!     println!("{}: {} bytes", part.name, part.data.len());
//! }
//! let shader = Shader::read(&container)?;
//! assert_eq!(shader.entry_points[0].num_threads, Some([64, 1, 1]));
//! let registers = shader.resources.iter().map(|r| (r.class.letter(), r.lower_bound));
//! assert_eq!(registers.collect::<Vec<_>>(), [('t', 0), ('u', 0), ('b', 0)]);
//!
//! let error = Container::parse(&bytes[..100]).unwrap_err();
//! println!("{error} (code {})", error.code());
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::missing_errors_doc)]

pub mod asm;
pub mod bitcode;
pub mod build;
pub mod container;
pub mod dxbc;
pub mod dxil;
mod enumeration;
mod error;
pub mod escape;
pub mod ir;
pub mod limits;
pub mod link;
pub mod opt;
#[cfg(any(test, feature = "oracle"))]
#[doc(hidden)]
pub mod oracle;
pub mod parts;
pub mod reader;
pub mod reflection;
pub mod tables;
pub mod upgrade;
pub mod validate;
pub mod yaml;

pub use container::fourcc::FourCc;
pub use error::{Category, Error, ErrorKind, Location, Result, SourcePosition};
pub use escape::{MAX_MESSAGE_BYTES, write_message};
