//! Push constants: root constants and the addresses of root descriptors.

use super::binder::{Binder, describe_view};
use super::views::no_structure;
use crate::error::{Error, Result};
use crate::job::{Register, ResourceView};
use crate::program::PushSource;
use crate::vulkan::pipeline::VulkanPipeline;

impl<'a> Binder<'a> {
    pub(super) fn push_constants(&mut self, pipeline: &VulkanPipeline) -> Result<()> {
        let mut bytes = vec![0u8; pipeline.push_constant_bytes as usize];
        for run in &pipeline.layout.push_constants {
            let first = run.first_word as usize * 4;
            match run.source {
                PushSource::Constants { register, words } => {
                    let source = self.constant_bytes(register)?;
                    // Constants that the job leaves out are zero.
                    let count = (words as usize * 4).min(source.len());
                    if let Some(target) = bytes.get_mut(first..first + count) {
                        target.copy_from_slice(&source[..count]);
                    }
                }
                PushSource::Address(register) | PushSource::StructureAddress(register) => {
                    let address = match run.source {
                        PushSource::StructureAddress(_) => self.structure_address(register)?,
                        _ => self.address(register)?,
                    };
                    if let Some(target) = bytes.get_mut(first..first + 8) {
                        target.copy_from_slice(&address.to_le_bytes());
                    }
                }
            }
        }
        self.bound.push_constants = bytes;
        Ok(())
    }

    /// Returns the address of an acceleration structure. Null is a structure that no ray hits.
    fn structure_address(&self, register: Register) -> Result<u64> {
        let index = match self.by_register.get(&register) {
            Some(ResourceView::AccelerationStructure(index)) => Some(*index),
            Some(ResourceView::Null) => None,
            Some(view) => {
                return Err(Error::BadView {
                    register,
                    problem: format!(
                        "an acceleration structure is there, the job binds {}",
                        describe_view(view)
                    ),
                });
            }
            None => {
                return Err(Error::Unbound {
                    register,
                    what: "an acceleration structure".into(),
                });
            }
        };
        let address = self.structures.address(index);
        address.ok_or_else(|| no_structure(register))
    }

    fn constant_bytes(&self, register: Register) -> Result<&'a [u8]> {
        match self.by_register.get(&register) {
            Some(ResourceView::Constants(bytes)) => Ok(bytes),
            Some(ResourceView::Buffer(view)) => self.job.buffer_bytes(register, view),
            Some(ResourceView::Null) => Ok(&[]),
            Some(view) => Err(Error::BadView {
                register,
                problem: format!(
                    "root constants are there, the job binds {}",
                    describe_view(view)
                ),
            }),
            None => Err(Error::Unbound {
                register,
                what: "root constants".into(),
            }),
        }
    }

    fn address(&mut self, register: Register) -> Result<u64> {
        match self.by_register.get(&register).copied() {
            Some(ResourceView::Constants(bytes)) => {
                // The shader may read whole rows of 16 bytes, and an address has no bounds.
                let mut bytes = bytes.clone();
                bytes.resize(bytes.len().max(16).next_multiple_of(256), 0);
                self.internal(&bytes)?;
                Ok(self.bound.buffers.last().map_or(0, |buffer| buffer.address))
            }
            Some(ResourceView::Buffer(view)) => {
                let (buffer, part) = self.buffer_of(register, view)?;
                Ok(buffer.address + part.start)
            }
            Some(ResourceView::Null) => Ok(0),
            Some(view) => Err(Error::BadView {
                register,
                problem: format!(
                    "a root descriptor is there, the job binds {}",
                    describe_view(view)
                ),
            }),
            None => Err(Error::Unbound {
                register,
                what: "a root descriptor".into(),
            }),
        }
    }
}
