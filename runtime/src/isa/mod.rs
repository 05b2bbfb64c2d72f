//! Machine code of GPUs that need not be there, and what their compilers count in it.
//!
//! Mesa's drivers compile for devices without touching them, and
//! `VK_KHR_pipeline_executable_properties` says what came of it: numbers of instructions and
//! registers, and the assembly. `docs/isa.md` says what each number means and where it misleads.
//!
//! Drivers crash on code that they do not expect. So each of them runs in a child process, the
//! *worker*: a crash is an error about one shader. A program that compiles in this way calls
//! [`serve_if_worker`] first, because it starts itself again as the worker:
//!
//! ```no_run
//! use dxil_runtime::isa::{self, Compiler, Request, Settings};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! isa::serve_if_worker();
//! let shader = std::fs::read("saxpy.dxil")?;
//! let mut compiler = Compiler::start(&"navi31".parse()?, &Settings::default())?;
//! for executable in compiler.compile(&Request::new("saxpy.dxil", vec![shader]))?.executables {
//!     println!("{}: {:?}", executable.name, executable.statistics);
//! }
//! # Ok(())
//! # }
//! ```

mod compile;
mod compiler;
mod gpus;
mod lines;
mod maker;
mod message;
mod module;
mod partner;
mod worker;

pub use compile::{compile, complete};
pub use compiler::{Compiler, Settings};
pub use gpus::{DRIVERS, Driver, GPUS, Gpu, Selection};
pub use message::{Compiled, Request};
pub use module::stage_of_model;
pub use worker::serve_if_worker;

pub use crate::executable::{Executable, Statistic, Text, Value};
