//! Runs DXIL on a device behind one interface: Vulkan through ash, wgpu, or the CPU.
//!
//! ```text
//! Shader + root signature -> Program (SPIR-V and a Layout) -> Device::prepare -> Pipeline
//! Job (resources, views by register, work)                                   -> Pipeline::run -> Outcome
//! ```
//!
//! A [`Job`] is described in terms of D3D12 (registers, views, samplers), never of descriptor sets;
//! the [`Layout`] of a program maps registers to descriptors.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use dxil_runtime::{Backend, Job, OpenOptions, Program, Register, device};
//! use dxil_runtime::program::CompileOptions;
//! use dxil_runtime::root_signature::formats_of;
//!
//! let shader = dxil_frontend::dxil::read_shader(&std::fs::read("cs.dxil")?)?;
//! let device = device::open(&OpenOptions::new(Backend::Cpu))?;
//!
//! let mut job = Job::dispatch([4, 1, 1]);
//! let output = job.bind_buffer(Register::uav(0), vec![0; 1024]);
//! let formats = formats_of(&job);
//! let options = CompileOptions::default();
//! let program = Program::compile(&shader, None, device.profile(), &formats, &options)?;
//! let outcome = device.run(&program, &job)?;
//! println!("{:?}", outcome.bytes(output));
//! # Ok(())
//! # }
//! ```
//!
//! Features leave parts out: `vulkan`, `wgpu` and `languages` (WGSL, MSL, GLSL and HLSL, through
//! naga). Without any of them, programs run on the CPU.

#![warn(clippy::missing_errors_doc)]
#![cfg_attr(
    not(feature = "wgpu"),
    allow(dead_code, reason = "what the backends that are left out share")
)]

pub mod cache;
mod cpu;
pub mod device;
mod draw_check;
mod error;
pub mod format;
pub mod graphics;
pub mod job;
#[cfg(feature = "languages")]
pub mod language;
mod mesh_link;
#[doc(hidden)]
pub mod oracle;
pub mod program;
pub mod ray_program;
pub mod ray_tracing;
mod resource;
pub mod root_signature;
pub mod scene;
pub mod work_graph;

pub use cache::{Cache, Cached, SourceHash};
pub use cpu::Executable;
pub use device::{Backend, Device, DeviceInfo, Limits, OpenOptions, Pipeline, Profile};
pub use dxil_cpu::{Checks, Finding, FindingKind};
pub use error::{Error, Result};
pub use format::Format;
pub use job::{Job, Outcome, Register, Resource, ResourceView, Storage, Work};
pub use program::{Layout, Program, ShaderCode};

mod view;
#[cfg(feature = "vulkan")]
mod vulkan;
#[cfg(feature = "wgpu")]
mod wgpu;
