//! Runs DXIL on a device behind one interface: Vulkan through ash, wgpu, or the CPU.
//!
//! ```text
//! Shader + root signature -> Program (SPIR-V and a Layout) -> Device::prepare -> Pipeline Job
//! (resources, views by register, work)                                   -> Pipeline::run ->
//! Outcome
//! ```
//!
//! A [`Job`] is described in terms of D3D12 (registers, views, samplers), never of descriptor sets;
//! the [`Layout`] of a program maps registers to descriptors.
//!
//! The shader computes `y = a * x + y` for the first `n` elements:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use dxil_runtime::program::CompileOptions;
//! use dxil_runtime::root_signature::formats_of;
//! use dxil_runtime::{Backend, Job, OpenOptions, Program, Register, device};
//!
//! # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/saxpy.dxil");
//! let shader = dxil_frontend::dxil::read_shader(&std::fs::read(file)?)?;
//! // Or `Backend::Vulkan`, or `Backend::Wgpu`.
//! let device = device::open(&OpenOptions::new(Backend::Cpu))?;
//!
//! let bytes = |values: [f32; 4]| values.map(f32::to_le_bytes).concat();
//! let mut job = Job::dispatch([1, 1, 1]);
//! job.bind_buffer(Register::srv(0), bytes([1.0, 2.0, 3.0, 4.0]));
//! let y = job.bind_buffer(Register::uav(0), bytes([10.0; 4]));
//! let constants = [2f32.to_le_bytes(), 3u32.to_le_bytes()].concat();
//! job.bind_constants(Register::cbv(0), constants);
//!
//! let (formats, options) = (formats_of(&job), CompileOptions::default());
//! let program = Program::compile(&shader, None, device.profile(), &formats, &options)?;
//! let outcome = device.run(&program, &job)?;
//! assert_eq!(outcome.bytes(y), Some(bytes([12.0, 14.0, 16.0, 10.0]).as_slice()));
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
mod executable;
pub mod format;
pub mod graphics;
#[cfg(feature = "vulkan")]
pub mod interop;
pub mod isa;
pub mod job;
mod job_check;
#[cfg(feature = "languages")]
pub mod language;
mod mesh_link;
#[cfg(feature = "oracle")]
#[doc(hidden)]
pub mod oracle;
pub mod program;
pub mod ray_program;
mod ray_stage;
pub mod ray_tracing;
mod resource;
pub mod root_signature;
pub mod scene;
mod stage_link;
pub mod stages;
pub mod work_graph;

pub use cache::{Cache, Cached, SourceHash};
pub use cpu::Executable;
pub use device::{Backend, Capture, Device, DeviceInfo, Limits, OpenOptions, Pipeline, Profile};
pub use dxil_cpu::watch;
pub use dxil_cpu::{
    AccessKind, Check, Checks, CodeChoice, Events, Finding, FindingKind, Kernel, Participant,
};
pub use error::{Error, Result};
pub use format::Format;
pub use job::{Job, Outcome, Register, Resource, ResourceView, Storage, Work};
pub use program::{Layout, Program, ShaderCode};

mod view;
#[cfg(feature = "vulkan")]
mod vulkan;
#[cfg(feature = "wgpu")]
mod wgpu;
