//! Code that the commands share: [exit codes](exit), [pipeline files](pipeline_file), and safe
//! reading and writing of files.
//!
//! The commands themselves are the binaries of this package. Everything that runs shaders is in
//! [`dxil_runtime`]; names and layouts of resources are in
//! [`dxil_frontend::reflection`].
//!
//! A pipeline file describes resources, work and expected results. This one runs on the CPU
//! backend:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use dxil_frontend::dxil::read_shader;
//! use dxil_jit::pipeline_file::Pipeline;
//! use dxil_runtime::program::CompileOptions;
//! use dxil_runtime::root_signature::formats_of;
//! use dxil_runtime::{Backend, OpenOptions, Program, device};
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../hwtests/pipelines");
//! # std::env::set_current_dir(folder)?;
//! let shader = read_shader(&std::fs::read("exchanged_lanes.dxil")?)?;
//! let pipeline = Pipeline::parse(&std::fs::read_to_string("exchanged_lanes.yaml")?)?;
//! let planned = pipeline.plan(None, &[&shader])?;
//!
//! let device = device::open(&OpenOptions::new(Backend::Cpu))?;
//! let (formats, options) = (formats_of(&planned.job), CompileOptions::default());
//! let program = Program::compile(&shader, None, device.profile(), &formats, &options)?;
//! let outcome = device.run(&program, &planned.job)?;
//! let verdicts = pipeline.check(&planned.buffers(&pipeline, &outcome))?;
//! assert!(!verdicts.is_empty() && verdicts.iter().all(|verdict| verdict.holds()));
//! # Ok(())
//! # }
//! ```

#![warn(clippy::missing_errors_doc)]

#[doc(hidden)]
pub mod batch;
#[doc(hidden)]
pub mod command;
#[doc(hidden)]
pub mod console;
pub mod exit;
#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod gltf;
#[doc(hidden)]
pub mod input;
#[doc(hidden)]
pub mod isa;
pub mod json;
#[doc(hidden)]
pub mod man;
#[doc(hidden)]
pub mod man_pages;
#[doc(hidden)]
pub mod npy;
#[doc(hidden)]
pub mod obj;
#[cfg(feature = "oracle")]
#[doc(hidden)]
pub mod oracle;
#[doc(hidden)]
pub mod paths;
#[doc(hidden)]
pub mod picture;
pub mod pipeline_file;
#[doc(hidden)]
pub mod process_exit;
#[doc(hidden)]
pub mod samplers;
#[doc(hidden)]
pub mod sarif;
#[doc(hidden)]
pub mod texture_file;
