// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The remappers of stage inputs, outputs and stream output: each element is asked about once,
//! before translation.

use std::ffi::{CStr, c_uint, c_void};

use dxil_frontend::dxil::{EntryPoint, SemanticKind, ShaderKind, SignatureElement, Stage as Extra};
use dxil_translate::{ElementPlace, SignatureKind, SignatureOptions, StreamOutputEntry};

use super::memory::c_string;
use super::refusal::Refusal;
use super::types::*;

/// The signature callbacks with their user data.
#[derive(Debug, Clone, Copy)]
pub(super) struct SignatureCallbacks {
    pub(super) vertex_inputs: (VertexInputRemapper, *mut c_void),
    pub(super) stream_outputs: (StreamOutputRemapper, *mut c_void),
    pub(super) stage_inputs: (StageIoRemapper, *mut c_void),
    pub(super) stage_outputs: (StageIoRemapper, *mut c_void),
}

impl Default for SignatureCallbacks {
    fn default() -> Self {
        let none = std::ptr::null_mut();
        SignatureCallbacks {
            vertex_inputs: (None, none),
            stream_outputs: (None, none),
            stage_inputs: (None, none),
            stage_outputs: (None, none),
        }
    }
}

impl SignatureCallbacks {
    /// Asks about all elements of the entry point that are no system values.
    pub(super) fn ask(
        &self,
        entry: &EntryPoint,
        options: &mut SignatureOptions,
    ) -> Result<(), Refusal> {
        for element in entry.inputs.iter().filter(|e| is_user(e)) {
            let place = plain(element, 0);
            let place = if entry.kind == ShaderKind::Vertex {
                self.vertex_input(element, place)?
            } else {
                place
            };
            let place = self.stage(self.stage_inputs, element, place)?;
            self.push(options, SignatureKind::Input, element, place, 0);
        }
        let streams = matches!(
            entry.kind,
            ShaderKind::Vertex | ShaderKind::Domain | ShaderKind::Geometry
        );
        for element in &entry.outputs {
            if streams {
                self.stream_output(element, options)?;
            }
            if is_user(element) && element.stream == 0 {
                let place = self.stage(self.stage_outputs, element, plain(element, 0))?;
                self.push(options, SignatureKind::Output, element, place, 0);
            }
        }
        let first = options.patch_location(entry);
        for element in entry.patch_constants.iter().filter(|e| is_user(e)) {
            let mut place = plain(element, first);
            place.flags = STAGE_IO_PER_PRIMITIVE;
            let remapper = if entry.kind == ShaderKind::Domain {
                self.stage_inputs
            } else {
                self.stage_outputs
            };
            let place = self.stage(remapper, element, place)?;
            self.push(options, SignatureKind::PatchConstant, element, place, first);
        }
        Ok(())
    }

    fn vertex_input(
        &self,
        element: &SignatureElement,
        place: VulkanStageIo,
    ) -> Result<VulkanStageIo, Refusal> {
        let (Some(callback), userdata) = self.vertex_inputs else {
            return Ok(place);
        };
        let name = c_string(&element.name);
        let asked = D3dVertexInput {
            semantic: name.as_ptr(),
            semantic_index: index(element),
            start_row: place.location,
            rows: element.rows,
        };
        let mut answer = VulkanVertexInput::default();
        // SAFETY: the callback is the caller's for this call; all pointers outlive it.
        if unsafe { callback(userdata, &raw const asked, &raw mut answer) } == 0 {
            return Err(unmapped(&name, index(element)));
        }
        Ok(VulkanStageIo {
            location: answer.location,
            component: 0,
            flags: 0,
        })
    }

    fn stage(
        &self,
        (remapper, userdata): (StageIoRemapper, *mut c_void),
        element: &SignatureElement,
        mut place: VulkanStageIo,
    ) -> Result<VulkanStageIo, Refusal> {
        let Some(callback) = remapper else {
            return Ok(place);
        };
        let name = c_string(&element.name);
        let asked = D3dStageIo {
            semantic: name.as_ptr(),
            semantic_index: index(element),
            start_row: element.start_row.unwrap_or(0),
            rows: element.rows,
        };
        // SAFETY: the callback is the caller's for this call; all pointers outlive it.
        if unsafe { callback(userdata, &raw const asked, &raw mut place) } == 0 {
            return Err(unmapped(&name, index(element)));
        }
        Ok(place)
    }

    /// Keeps a place that differs from where the translator puts the element by itself.
    fn push(
        &self,
        options: &mut SignatureOptions,
        signature: SignatureKind,
        element: &SignatureElement,
        place: VulkanStageIo,
        first: u32,
    ) {
        let own = plain(element, first);
        let per_primitive =
            signature == SignatureKind::Input && place.flags & STAGE_IO_PER_PRIMITIVE != 0;
        if (place.location, place.component) == (own.location, own.component) && !per_primitive {
            return;
        }
        options.places.push(ElementPlace {
            signature,
            semantic: element.name.to_string(),
            index: index(element),
            location: place.location,
            component: place.component,
            per_primitive,
        });
    }

    fn stream_output(
        &self,
        element: &SignatureElement,
        options: &mut SignatureOptions,
    ) -> Result<(), Refusal> {
        let (Some(callback), userdata) = self.stream_outputs else {
            return Ok(());
        };
        let name = c_string(&element.name);
        let asked = D3dStreamOutput {
            semantic: name.as_ptr(),
            semantic_index: index(element),
        };
        let mut answer = VulkanStreamOutput::default();
        // SAFETY: the callback is the caller's for this call; all pointers outlive it.
        if unsafe { callback(userdata, &raw const asked, &raw mut answer) } == 0 {
            return Err(unmapped(&name, index(element)));
        }
        if answer.enable == 0 {
            return Ok(());
        }
        for row in 0..element.rows.max(1) {
            options.stream_output.entries.push(StreamOutputEntry {
                stream: element.stream,
                semantic: element.name.to_string(),
                index: element
                    .semantic_indices
                    .get(row as usize)
                    .copied()
                    .unwrap_or_else(|| index(element).saturating_add(row)),
                first_component: 0,
                components: 0,
                buffer: answer.buffer_index,
                offset: answer
                    .offset
                    .saturating_add(row.saturating_mul(element.columns.saturating_mul(4))),
                stride: answer.stride,
            });
        }
        Ok(())
    }
}

fn unmapped(name: &CStr, index: c_uint) -> Refusal {
    Refusal::Unmapped(format!("{}{index}", name.to_string_lossy()))
}

fn is_user(element: &SignatureElement) -> bool {
    element.semantic == SemanticKind::Arbitrary
}

fn index(element: &SignatureElement) -> c_uint {
    element.semantic_indices.first().copied().unwrap_or(0)
}

/// Returns the default place of an element.
fn plain(element: &SignatureElement, first: u32) -> VulkanStageIo {
    VulkanStageIo {
        location: element.start_row.unwrap_or(0).saturating_add(first),
        component: element.start_column,
        flags: 0,
    }
}

/// Returns the number of control points per input patch; 0 for other stages.
pub(super) fn patch_vertices(entry: &EntryPoint) -> u32 {
    match entry.stage {
        Extra::Hull {
            input_control_points,
            ..
        }
        | Extra::Domain {
            input_control_points,
            ..
        } => input_control_points,
        _ => 0,
    }
}
