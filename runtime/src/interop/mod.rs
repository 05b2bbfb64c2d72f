//! For applications that open their own device: the translator's target for what is enabled on it,
//! and bind group layouts in wgpu's types.
//!
//! With ash, [`vulkan_target`] converts the features and extensions that were passed to
//! `vkCreateDevice` to a [`Target`](dxil_translate::Target). With wgpu, [`passthrough_profile`] and
//! [`layout_entries`] describe a device that takes SPIR-V as it is;
//! [`language::profile`](crate::language::profile) is for devices that take WGSL.
//! `runtime/examples/wgpu.rs` uses both.
//!
//! [`FixedState`] and [`SetBindings`] are what the Vulkan backend makes of a program's state and
//! layout, for those who create or record such pipelines themselves.

#[cfg(feature = "wgpu")]
mod bind_groups;
mod targets;

/// The version of ash whose types the functions take.
pub use ash;
/// The version of wgpu whose types the functions take.
#[cfg(feature = "wgpu")]
pub use wgpu;

#[cfg(feature = "wgpu")]
pub use self::bind_groups::{layout_entries, passthrough_profile};
pub use self::targets::{EnabledFeatures, vulkan_target};
pub use crate::vulkan::fixed_state::FixedState;
pub use crate::vulkan::set_bindings::SetBindings;
