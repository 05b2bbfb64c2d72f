// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Meta descriptors: places of data that only the layer has. Each is one of:
//!
//! - the number of descriptors in the heap of resources: a uniform buffer whose first word it is;
//! - a raw view of that heap: a uniform buffer whose first eight bytes are the address of a table
//!   with the counters' addresses, or a storage buffer with an element per descriptor;
//! - number and layer offset of the view instance that is drawn, 16 bits each: a uniform buffer;
//! - the mask of the view instances that are drawn: a uniform buffer.

use std::ffi::c_uint;

use dxil_frontend::dxil::{EntryPoint, SemanticKind};
use dxil_translate::{DescriptorSlot, HeapSize, ViewIdSource, ViewInstancing};

use super::options::Views;
use super::refusal::Refusal;
use super::types::{ERROR_INVALID_ARGUMENT, ResultCode, SUCCESS};

const HEAP_SIZE: usize = 0;
const HEAP_VIEW: usize = 1;
const VIEW_OFFSETS: usize = 2;
const VIEW_MASK: usize = 3;

/// The form in which a meta descriptor is bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BindingKind {
    UniformWord,
    UniformAddress,
    StorageBuffer,
    /// Push constants: the interface has numbers for them, nothing here can be one.
    Push,
}

/// The meta descriptors that the caller has set.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MetaDescriptors {
    places: [Option<(BindingKind, DescriptorSlot)>; 4],
}

/// Source of the number of descriptors in the heap.
#[derive(Debug, Clone, Copy)]
pub(super) enum SizeSource {
    /// The caller has named the place.
    Known(HeapSize),
    /// A remapper answers for acceleration structures of the heap.
    AskRemapper,
}

impl MetaDescriptors {
    pub(super) fn set(
        &mut self,
        meta: c_uint,
        kind: c_uint,
        set: c_uint,
        binding: c_uint,
    ) -> ResultCode {
        let Some(place) = self.places.get_mut(meta as usize) else {
            return ERROR_INVALID_ARGUMENT;
        };
        let kind = match kind {
            0 => None,
            1 | 2 => Some(BindingKind::Push),
            3 => Some(BindingKind::UniformWord),
            4 => Some(BindingKind::UniformAddress),
            5 => Some(BindingKind::StorageBuffer),
            _ => return ERROR_INVALID_ARGUMENT,
        };
        *place = kind.map(|kind| (kind, DescriptorSlot { set, binding }));
        SUCCESS
    }

    fn place(&self, meta: usize) -> Option<(BindingKind, DescriptorSlot)> {
        self.places.get(meta).copied().flatten()
    }

    /// Returns the uniform buffer that it has to be.
    fn uniform(&self, meta: usize, name: &str) -> Result<Option<DescriptorSlot>, Refusal> {
        match self.place(meta) {
            None => Ok(None),
            Some((BindingKind::UniformWord, slot)) => Ok(Some(slot)),
            Some(_) => Err(Refusal::Bad(format!(
                "{name} must be a uniform buffer with a constant"
            ))),
        }
    }

    /// Returns the uniform buffer with the address of the counters' addresses.
    pub(super) fn counter_table(&self) -> Option<DescriptorSlot> {
        match self.place(HEAP_VIEW) {
            Some((BindingKind::UniformAddress, slot)) => Some(slot),
            _ => None,
        }
    }

    /// Returns the storage buffer that is the raw view of the heap.
    pub(super) fn heap_view(&self) -> Option<DescriptorSlot> {
        match self.place(HEAP_VIEW) {
            Some((BindingKind::StorageBuffer, slot)) => Some(slot),
            _ => None,
        }
    }

    /// Returns the place of the number of descriptors in the heap. `stride` is bytes per descriptor
    /// in a raw view.
    pub(super) fn heap_size(&self, stride: u32) -> Result<SizeSource, Refusal> {
        if let Some((BindingKind::UniformWord, slot)) = self.place(HEAP_SIZE) {
            return Ok(SizeSource::Known(HeapSize::UniformWord(slot)));
        }
        match self.place(HEAP_VIEW) {
            Some((BindingKind::StorageBuffer, slot)) => Ok(SizeSource::Known(HeapSize::BufferLength {
                slot,
                stride,
            })),
            None => Ok(SizeSource::AskRemapper),
            Some(_) => Err(Refusal::Bad(
                "the size of the descriptor heap must be a uniform buffer with a constant, or the heap's raw view \
                 a storage buffer"
                    .to_owned(),
            )),
        }
    }

    /// Returns view instancing as the options and these descriptors specify it.
    pub(super) fn views(
        &self,
        views: Option<Views>,
        entry: &EntryPoint,
    ) -> Result<ViewInstancing, Refusal> {
        let mut none = ViewInstancing::default();
        none.id = ViewIdSource::Constant(0);
        // Without view instancing there is one view.
        let Some(views) = views else {
            return Ok(none);
        };
        let offsets = self.uniform(VIEW_OFFSETS, "the offsets of view instances")?;
        let mask = self.uniform(VIEW_MASK, "the mask of view instances")?;
        // Multiview selects the layers itself: a shader that chooses layers is drawn once per view.
        let multiview = views.index_constant.filter(|_| !chooses_layer(entry));
        let id = match (multiview, offsets, views.index_constant) {
            (Some(spec_id), ..) | (None, None, Some(spec_id)) => {
                ViewIdSource::ViewIndexTable { spec_id }
            }
            (None, Some(slot), _) => ViewIdSource::UniformWord(slot),
            (None, None, None) => ViewIdSource::Constant(0),
        };
        let mut found = none;
        found.id = id;
        found.viewports = views.viewport_constant.filter(|_| views.is_last);
        found.layer_offset = offsets.filter(|_| views.is_last && multiview.is_none());
        found.mask = mask.filter(|_| views.is_last);
        Ok(found)
    }
}

/// Returns whether the shader writes `SV_RenderTargetArrayIndex`.
pub(super) fn chooses_layer(entry: &EntryPoint) -> bool {
    let mut written = entry.outputs.iter().chain(&entry.patch_constants);
    written.any(|element| element.semantic == SemanticKind::RenderTargetArrayIndex)
}
