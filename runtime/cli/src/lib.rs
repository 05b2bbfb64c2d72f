//! What the commands `dxil-run` and `dxil-dis` share: [pipeline files](pipeline_file), and files
//! that are read and written safely.
//!
//! The commands themselves are the binaries of this package. Everything that runs shaders is in
//! [`dxil_runtime`].

#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod leave;
#[doc(hidden)]
pub mod oracle;
pub mod pipeline_file;
