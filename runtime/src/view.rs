//! The views of a job's resources, and the checks of them that all backends share.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::format::Format;
use crate::job::{BufferView, Job, Register, Resource, ResourceId, Storage, Texture, TextureView};

/// The part of a texture that a view sees. It lies inside of the texture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TexturePart<'a> {
    /// The texture.
    pub(crate) texture: &'a Texture,
    /// Format to see it as.
    pub(crate) format: Format,
    /// Mips from the view's first.
    pub(crate) mips: u32,
    /// Layers from the view's first.
    pub(crate) layers: u32,
}

impl Job {
    /// Returns the bytes of a buffer that a view at that register sees.
    pub(crate) fn buffer_part(&self, register: Register, view: &BufferView) -> Result<Range<u64>> {
        let resource = self.resource_of(register, view.resource)?;
        let bad = |problem: String| Err(Error::BadView { register, problem });
        let Storage::Buffer(bytes) = &resource.storage else {
            return bad(format!("{} is a texture, not a buffer", resource.name));
        };
        let total = bytes.len() as u64;
        let size = view.size.unwrap_or(total.saturating_sub(view.offset));
        // Saturating: an offset near the maximum must not wrap around to a range that looks valid.
        let end = view.offset.saturating_add(size);
        if end > total {
            return bad(format!(
                "bytes {}..{end} lie outside of {}, which has {total}",
                view.offset, resource.name
            ));
        }
        Ok(view.offset..end)
    }

    /// Returns the first contents of the part of a buffer that a view at that register sees.
    pub(crate) fn buffer_bytes(&self, register: Register, view: &BufferView) -> Result<&[u8]> {
        let part = self.buffer_part(register, view)?;
        let storage = self.resources.get(view.resource.0).map(|r| &r.storage);
        let Some(Storage::Buffer(bytes)) = storage else {
            return Ok(&[]);
        };
        let part = part.start as usize..part.end as usize;
        Ok(bytes.get(part).unwrap_or_default())
    }

    /// Returns the part of a texture that a view at that register covers.
    pub(crate) fn texture_part(
        &self,
        register: Register,
        view: &TextureView,
    ) -> Result<TexturePart<'_>> {
        let resource = self.resource_of(register, view.resource)?;
        let bad = |problem: String| Err(Error::BadView { register, problem });
        let Storage::Texture(texture) = &resource.storage else {
            return bad(format!("{} is a buffer, not a texture", resource.name));
        };
        let (Some(mips), Some(layers)) = (
            texture.mips.checked_sub(view.first_mip).filter(|n| *n > 0),
            texture
                .layers
                .checked_sub(view.first_layer)
                .filter(|n| *n > 0),
        ) else {
            return bad("it starts after the texture's last mip or layer".into());
        };
        let part = TexturePart {
            texture,
            format: view.format.unwrap_or(texture.format),
            mips: view.mips.unwrap_or(mips),
            layers: view.layers.unwrap_or(layers),
        };
        if part.mips == 0 || part.layers == 0 || part.mips > mips || part.layers > layers {
            return bad("it has more mips or layers than the texture".into());
        }
        Ok(part)
    }

    fn resource_of(&self, register: Register, id: ResourceId) -> Result<&Resource> {
        self.resources.get(id.0).ok_or_else(|| Error::BadView {
            register,
            problem: "its resource does not exist".into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::ResourceView;

    fn job() -> (Job, ResourceId, ResourceId) {
        let mut job = Job::dispatch([1; 3]);
        let buffer = job.add_resource("bytes", Storage::Buffer(vec![0; 64]), false);
        let mut texture = Texture::new_2d(Format::R32Float, 8, 8, Vec::new());
        (texture.mips, texture.layers) = (3, 2);
        let texture = job.add_resource("texels", Storage::Texture(texture), false);
        (job, buffer, texture)
    }

    #[test]
    fn parts_of_buffers_lie_inside() {
        let (job, buffer, texture) = job();
        let part = |resource, offset, size| {
            let ResourceView::Buffer(mut view) = ResourceView::buffer(resource) else {
                unreachable!("a buffer's view");
            };
            (view.offset, view.size) = (offset, size);
            let part = job.buffer_part(Register::srv(0), &view);
            part.map_err(|error| error.to_string())
        };
        assert_eq!(part(buffer, 0, None), Ok(0..64));
        assert_eq!(part(buffer, 16, None), Ok(16..64));
        assert_eq!(part(buffer, 16, Some(48)), Ok(16..64));
        assert_eq!(part(buffer, 64, None), Ok(64..64));
        for (resource, offset, size, problem) in [
            (buffer, 16, Some(49), "bytes 16..65 lie outside of bytes"),
            (buffer, 65, None, "outside"),
            (buffer, u64::MAX, Some(u64::MAX), "outside"),
            (texture, 0, None, "texels is a texture, not a buffer"),
            (ResourceId(9), 0, None, "does not exist"),
        ] {
            let error = part(resource, offset, size).unwrap_err();
            assert!(error.contains(problem), "{error}");
        }
    }

    #[test]
    fn parts_of_textures_lie_inside() {
        let (job, buffer, texture) = job();
        let part = |resource, mips: (u32, Option<u32>), layers: (u32, Option<u32>)| {
            let ResourceView::Texture(mut view) = ResourceView::texture(resource) else {
                unreachable!("a texture's view");
            };
            (view.first_mip, view.mips) = mips;
            (view.first_layer, view.layers) = layers;
            let part = job.texture_part(Register::srv(0), &view);
            part.map(|part| (part.mips, part.layers))
                .map_err(|error| error.to_string())
        };
        assert_eq!(part(texture, (0, None), (0, None)), Ok((3, 2)));
        assert_eq!(part(texture, (2, None), (1, Some(1))), Ok((1, 1)));
        for (resource, mips, layers, problem) in [
            (texture, (3, None), (0, None), "starts after"),
            (texture, (0, None), (2, None), "starts after"),
            (texture, (1, Some(3)), (0, None), "more mips or layers"),
            (texture, (0, Some(0)), (0, None), "more mips or layers"),
            (texture, (0, None), (1, Some(2)), "more mips or layers"),
            (buffer, (0, None), (0, None), "is a buffer, not a texture"),
        ] {
            let error = part(resource, mips, layers).unwrap_err();
            assert!(error.contains(problem), "{error}");
        }
    }
}
