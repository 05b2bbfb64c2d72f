//! Null descriptors of images and typed buffers on devices without `nullDescriptor`: one texel of
//! zeros takes the place of nothing.
//!
//! The results then differ from D3D12's: the size is one and not zero, and a texel that the shader
//! writes to the first position can be read again in the same run. Plain buffers have neither flaw,
//! since `Binder::null` handles them.

use std::borrow::Cow;

use dxil_frontend::dxil::{ComponentType, ResourceKind};
use dxil_translate::DescriptorKind;

use super::gpu::Gpu;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::job::{Dimension, Job, Register, ResourceView, Storage, Texture};
use crate::program::{BindingSlot, Layout, SlotSource};

/// Returns the job with substitutes for its null descriptors, if the device lacks them.
pub(super) fn fill_in<'a>(gpu: &Gpu, layout: &Layout, job: &'a Job) -> Result<Cow<'a, Job>> {
    let mut job = Cow::Borrowed(job);
    if gpu.abilities.null_descriptors {
        return Ok(job);
    }
    for slot in layout.sets.iter().flat_map(|set| &set.slots) {
        // A heap's slots are seen through several arrays, of which at most one fits the view; the
        // others are left unwritten (`Binder::null`).
        let SlotSource::Registers(first) = &slot.source else {
            continue;
        };
        let is_texel = matches!(
            slot.kind,
            DescriptorKind::UniformTexelBuffer | DescriptorKind::StorageTexelBuffer
        );
        let is_image = matches!(
            slot.kind,
            DescriptorKind::SampledImage | DescriptorKind::StorageImage
        );
        if !is_texel && !is_image {
            continue;
        }
        let nulls: Vec<Register> = (0..slot.count)
            .map(|i| Register {
                index: first.index.saturating_add(i),
                ..*first
            })
            // Only null views: a register without any view stays unbound, which is reported as an
            // error later.
            .filter(|register| matches!(job.view(*register), Some(ResourceView::Null)))
            .collect();
        for register in nulls {
            let format = format(slot)?;
            let name = format!("nothing at {register}");
            let job = job.to_mut();
            let view = if is_texel {
                let bytes = vec![0; format.block_bytes() as usize];
                ResourceView::typed_buffer(
                    job.add_resource(&name, Storage::Buffer(bytes), false),
                    format,
                )
            } else {
                let texture = Storage::Texture(texture(slot.shape, format));
                ResourceView::texture(job.add_resource(&name, texture, false))
            };
            job.bind(register, view);
        }
    }
    Ok(job)
}

/// Returns a format that the shader can see and every device has.
fn format(slot: &BindingSlot) -> Result<Format> {
    if let Some(format) = slot.format {
        return Ok(format.into());
    }
    // The component types of the view and of the shader's image must agree in being float, signed
    // or unsigned, while the width does not matter.
    use ComponentType as C;
    Ok(match slot.component {
        Some(C::U32 | C::U16) => Format::R32Uint,
        Some(C::I32 | C::I16) => Format::R32Sint,
        Some(C::I64 | C::U64) => {
            return Err(Error::Unsupported(
                "null descriptors of 64-bit texels".into(),
            ));
        }
        _ => Format::R32Float,
    })
}

fn texture(shape: ResourceKind, format: Format) -> Texture {
    use ResourceKind as K;
    let dimension = match shape {
        K::Texture1D | K::Texture1DArray => Dimension::D1,
        K::Texture3D => Dimension::D3,
        _ => Dimension::D2,
    };
    let is_cube = matches!(shape, K::TextureCube | K::TextureCubeArray);
    let has_samples = matches!(shape, K::Texture2DMS | K::Texture2DMSArray);
    Texture {
        dimension,
        layers: if is_cube { 6 } else { 1 },
        samples: if has_samples { 4 } else { 1 },
        ..Texture::new_2d(format, 1, 1, Vec::new())
    }
}
