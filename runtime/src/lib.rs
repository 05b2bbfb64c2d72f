//! Runs translated DXIL on a device: Vulkan through ash, or wgpu, behind one interface.
//!
//! ```text
//! Shader + root signature -> Program (SPIR-V and a Layout) -> Device::prepare -> Pipeline
//! Job (resources, views by register, work)                                   -> Pipeline::run -> Outcome
//! ```
//!
//! A [`Job`] speaks of D3D12 things (registers, views, samplers) and never of descriptor sets; the
//! [`Layout`] that belongs to a program says where each register went.

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
pub use error::{Error, Result};
pub use format::Format;
pub use job::{Job, Outcome, Register, Resource, Storage, View, Work};
pub use program::{Code, Layout, Program};

mod view;
#[cfg(feature = "vulkan")]
mod vulkan;
#[cfg(feature = "wgpu")]
mod wgpu;
