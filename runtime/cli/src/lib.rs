//! What the commands share: [exit codes](exit), [names and layouts](reflection) of resources,
//! [pipeline files](pipeline_file), and files that are read and written safely.
//!
//! The commands themselves are the binaries of this package. Everything that runs shaders is in
//! [`dxil_runtime`].

#[doc(hidden)]
pub mod console;
pub mod exit;
#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod input;
#[doc(hidden)]
pub mod leave;
#[doc(hidden)]
pub mod npy;
#[doc(hidden)]
pub mod obj;
#[doc(hidden)]
pub mod oracle;
#[doc(hidden)]
pub mod pages;
pub mod pipeline_file;
pub mod reflection;
#[doc(hidden)]
pub mod samplers;
