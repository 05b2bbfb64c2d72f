//! Descriptor heaps (VK_EXT_descriptor_heap) in place of descriptor sets.
//!
//! Each heap begins with the descriptors that shaders index directly (`ResourceDescriptorHeap`,
//! `SamplerDescriptorHeap`). Those of registers follow, at constant offsets to which the pipeline
//! maps sets and bindings; the range that the implementation reserves comes last.

pub(super) mod abilities;
pub(super) mod declarations;
pub(super) mod layout;
pub(super) mod memory;
