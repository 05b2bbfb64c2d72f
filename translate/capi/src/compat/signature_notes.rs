// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Notes of the caller for tools that read modules: where root parameters lie, and arbitrary bytes.
//! Option 48 adds them to the module.

use std::ffi::{CStr, c_char, c_uint, c_void};

use dxil_frontend::dxil::{Resource, ResourceClass};
use dxil_translate::{Location, SignatureNote};

use super::memory::bytes;

/// The notes, in the order in which they were added.
#[derive(Default)]
pub(super) struct SignatureNotes {
    /// Root parameters with their byte offsets in the push constants.
    parameters: Vec<(u32, u32)>,
    /// Root parameters that are constant buffers of their own: set and binding.
    descriptors: Vec<(u32, [u32; 2])>,
    /// Tags and the bytes that the caller keeps until the converter has run.
    blobs: Vec<(String, *const c_void, usize)>,
}

impl SignatureNotes {
    pub(super) fn parameter(&mut self, parameter: c_uint, offset: c_uint) {
        self.parameters.push((parameter, offset));
    }

    pub(super) fn descriptor(&mut self, parameter: c_uint, set: c_uint, binding: c_uint) {
        self.descriptors.push((parameter, [set, binding]));
    }

    /// # Safety
    /// `tag` is null or a string.
    pub(super) unsafe fn blob(&mut self, tag: *const c_char, data: *const c_void, size: usize) {
        if tag.is_null() || data.is_null() {
            return;
        }
        // SAFETY: passed on.
        let tag = unsafe { CStr::from_ptr(tag) };
        self.blobs
            .push((tag.to_string_lossy().into_owned(), data, size));
    }

    /// Returns the notes, one per root parameter that a resource lives in, and the bytes. `places`
    /// are resources and where they live, `descriptors` the number of root descriptors.
    ///
    /// # Safety The bytes that were added are still valid.
    pub(super) unsafe fn written<'a>(
        &self,
        places: impl Iterator<Item = (&'a Resource, Location)>,
        descriptors: u32,
    ) -> Vec<SignatureNote> {
        let mut notes = Vec::new();
        let mut seen = Vec::new();
        for (resource, location) in places {
            let Some((kind, parameter, place)) = self.parameter_of(resource, location, descriptors)
            else {
                continue;
            };
            if !seen.contains(&parameter) {
                seen.push(parameter);
                notes.push(SignatureNote::Parameter {
                    kind,
                    parameter,
                    place,
                });
            }
        }
        for &(ref tag, data, size) in &self.blobs {
            // SAFETY: passed on.
            if let Some(bytes) = unsafe { bytes(data, size) } {
                notes.push(SignatureNote::Bytes {
                    tag: tag.clone(),
                    bytes: bytes.to_vec(),
                });
            }
        }
        notes
    }

    fn parameter_of(
        &self,
        resource: &Resource,
        location: Location,
        descriptors: u32,
    ) -> Option<(&'static str, u32, [u32; 2])> {
        let class = resource.class;
        let (kind, offset, size) = match location {
            Location::DeviceAddress { first_word } => {
                let kind = match class {
                    ResourceClass::Srv => "SRV",
                    ResourceClass::Uav => "UAV",
                    ResourceClass::Cbv | ResourceClass::Sampler => "CBV",
                };
                (kind, first_word.saturating_mul(4), 8)
            }
            Location::PushConstants { first_word, .. } => (
                "Constant",
                first_word.saturating_mul(4),
                resource.detail.cbuffer_size,
            ),
            Location::Heap {
                table_word: Some(word),
                ..
            }
            | Location::AddressTable {
                table_word: Some(word),
                ..
            } if word >= descriptors.saturating_mul(2) => {
                let kind = match class {
                    ResourceClass::Sampler => "SamplerTable",
                    _ => "ResourceTable",
                };
                (kind, word.saturating_mul(4), 4)
            }
            Location::Descriptor { slot, .. } if class == ResourceClass::Cbv => {
                let place = [slot.set, slot.binding];
                let mut all = self.descriptors.iter();
                let &(parameter, _) = all.find(|(_, other)| *other == place)?;
                return Some(("PushCBV", parameter, place));
            }
            _ => return None,
        };
        let mut all = self.parameters.iter();
        let &(parameter, _) = all.find(|(_, other)| *other == offset)?;
        Some((kind, parameter, [offset, size]))
    }
}
