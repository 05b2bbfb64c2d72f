//! D3D12's rules for a graphics pipeline and for a draw. Both backends check them before they call
//! a driver, which need not check anything.

use crate::error::{Error, Result};
use crate::format::{Component, Format};
use crate::graphics::{Attachment, Draw, DrawCall, GraphicsState, Indices, Indirect};
use crate::job::{Dimension, Job, ResourceId, Storage, Texture};

/// `D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT`.
const MAX_TARGETS: usize = 8;

impl GraphicsState {
    /// Checks the state in itself, without a draw.
    ///
    /// # Errors
    ///
    /// [`Error::BadJob`] if its parts contradict each other.
    pub fn check(&self) -> Result<()> {
        let bad = |problem: String| Err(Error::BadJob(problem));
        if self.targets.len() > MAX_TARGETS {
            return bad(format!(
                "{} render targets, of 8 at most",
                self.targets.len()
            ));
        }
        for target in &self.targets {
            let format = target.format;
            if format.is_depth() || format.is_compressed() {
                return bad(format!("a render target of format {format}"));
            }
            let component = component_of(format);
            // Blending is defined for floats and normalized integers.
            if target.blend.is_some() && matches!(component, Component::Uint | Component::Sint) {
                return bad(format!("blending of {format}, which has integers"));
            }
            // D3D12 supports logic operations on UINT formats only (D3D11.3 functional
            // specification, 17.7.1).
            if self.logic_op.is_some() && component != Component::Uint {
                return bad(format!(
                    "a logic operation on {format}, which has no unsigned integers"
                ));
            }
            if self.logic_op.is_some() && target.blend.is_some() {
                return bad("a logic operation and blending at once".into());
            }
        }
        if let Some(depth) = &self.depth {
            let format = depth.format;
            if !format.is_depth() {
                return bad(format!("a depth buffer of format {format}"));
            }
            if depth.stencil.is_some() && !format.has_stencil() {
                return bad(format!("{format} has no stencil"));
            }
        }
        let slots = self.vertex_slots.len();
        match self.attributes.iter().find(|a| a.slot as usize >= slots) {
            Some(attribute) => bad(format!("there is no vertex slot {}", attribute.slot)),
            None => Ok(()),
        }
    }
}

/// Returns the component type of a format that is drawn to.
pub(crate) fn component_of(format: Format) -> Component {
    let layout = format.layout();
    layout.map_or(Component::Float, |layout| layout.component)
}

impl Draw {
    /// Checks that the draw fits the pipeline that it is drawn with, and that all resources that it
    /// names are there.
    pub(crate) fn check(&self, job: &Job, state: &GraphicsState, is_mesh: bool) -> Result<()> {
        self.check_targets(job, state)?;
        self.check_viewports(state)?;
        if self.vertex_buffers.len() != state.vertex_slots.len() {
            return Err(Error::BadJob(format!(
                "the draw has {} vertex buffer(s), the pipeline {}",
                self.vertex_buffers.len(),
                state.vertex_slots.len()
            )));
        }
        if let Some(indices) = &self.indices {
            check_indices(job, indices)?;
        }
        match self.call {
            DrawCall::Meshes(_) if !is_mesh => Err(Error::BadJob(
                "a draw of thread groups without a mesh shader".into(),
            )),
            DrawCall::Vertices { .. } if is_mesh => Err(Error::BadJob(
                "a draw of vertices with a mesh shader".into(),
            )),
            DrawCall::Indirect(indirect) => {
                let bytes = self.argument_bytes(is_mesh);
                check_indirect(job, &indirect, bytes)
            }
            DrawCall::Meshes(_) | DrawCall::Vertices { .. } => Ok(()),
        }
    }

    /// Returns the size of the arguments of one indirect draw in bytes.
    pub(crate) fn argument_bytes(&self, is_mesh: bool) -> u32 {
        match (is_mesh, &self.indices) {
            (true, _) => 12,
            (false, None) => 16,
            (false, Some(_)) => 20,
        }
    }

    fn check_targets(&self, job: &Job, state: &GraphicsState) -> Result<()> {
        let bad = |problem: String| Err(Error::BadJob(problem));
        if self.targets.len() != state.targets.len()
            || self.depth.is_some() != state.depth.is_some()
        {
            let depth = |there| if there { "a" } else { "no" };
            return bad(format!(
                "the draw has {} render target(s) and {} depth buffer, the pipeline {} and {}",
                self.targets.len(),
                depth(self.depth.is_some()),
                state.targets.len(),
                depth(state.depth.is_some()),
            ));
        }
        let formats = state.targets.iter().map(|target| target.format);
        let depth = state.depth.iter().map(|depth| depth.format);
        let attachments = self.targets.iter().chain(&self.depth);
        for (attachment, wanted) in attachments.zip(formats.chain(depth)) {
            let texture = job.target_texture(attachment.resource)?;
            if texture.format != wanted {
                return bad(format!(
                    "a render target is {}, the pipeline draws to {wanted}",
                    texture.format
                ));
            }
            if texture.samples.max(1) != state.samples.max(1) {
                return bad(format!(
                    "a render target has {} sample(s), the pipeline {}",
                    texture.samples.max(1),
                    state.samples.max(1)
                ));
            }
            if attachment.mip >= texture.mips
                || attachment.layer >= texture.target_layers(attachment.mip)
            {
                return bad("a render target's mip or layer does not exist".into());
            }
            if let Some(id) = attachment.resolve {
                check_resolve(texture, attachment, job.target_texture(id)?)?;
            }
        }
        Ok(())
    }

    fn check_viewports(&self, state: &GraphicsState) -> Result<()> {
        let (there, wanted) = (self.viewports.len().max(1), state.viewports.max(1) as usize);
        if there != wanted {
            return Err(Error::BadJob(format!(
                "the draw has {there} viewport(s), the pipeline {wanted}"
            )));
        }
        if !self.scissors.is_empty() && self.scissors.len() != there {
            return Err(Error::BadJob(format!(
                "the draw has {} scissor(s) and {there} viewport(s)",
                self.scissors.len()
            )));
        }
        Ok(())
    }
}

/// Checks the target of a resolve: D3D12 resolves to a texture of the same format and size with one
/// sample.
fn check_resolve(from: &Texture, attachment: &Attachment, to: &Texture) -> Result<()> {
    // An average of depths has no meaning, and D3D12's resolve modes for depth (minimum and
    // maximum) are not part of a job.
    if from.format.is_depth() {
        return Err(Error::Unsupported("the average of depths".into()));
    }
    let (mip, layer) = (attachment.mip, attachment.layer);
    let fits = to.format == from.format
        && from.samples > 1
        && to.samples <= 1
        && mip < to.mips
        && layer < to.layers
        && to.mip_size(mip) == from.mip_size(mip)
        && to.layers == from.layers;
    if fits {
        return Ok(());
    }
    Err(Error::BadJob(format!(
        "samples of a {}x{} texture of {} are averaged in a {}x{} one of {} with {} sample(s)",
        from.width, from.height, from.format, to.width, to.height, to.format, to.samples
    )))
}

fn check_indices(job: &Job, indices: &Indices) -> Result<()> {
    let width = if indices.wide { 4 } else { 2 };
    let Storage::Buffer(bytes) = job.storage(indices.resource)? else {
        return Err(Error::BadJob("indices come from a buffer".into()));
    };
    if indices.offset.is_multiple_of(width) && indices.offset < bytes.len() as u64 {
        return Ok(());
    }
    Err(Error::BadJob(format!(
        "indices of {width} bytes from byte {} of a buffer of {}",
        indices.offset,
        bytes.len()
    )))
}

/// Checks that the arguments lie in their buffer, aligned.
fn check_indirect(job: &Job, indirect: &Indirect, bytes: u32) -> Result<()> {
    // Saturating arithmetic throughout: offset, stride and count come from the input.
    let last = u64::from(indirect.draws.saturating_sub(1)) * u64::from(indirect.stride);
    let end = indirect
        .offset
        .saturating_add(last)
        .saturating_add(u64::from(bytes));
    check_arguments(job, indirect.arguments, indirect.offset, end)?;
    if !indirect.stride.is_multiple_of(4) || indirect.stride < bytes {
        return Err(Error::BadJob(format!(
            "{} bytes between indirect draws are too few, or not whole words",
            indirect.stride
        )));
    }
    match indirect.count {
        Some((buffer, at)) => check_arguments(job, buffer, at, at.saturating_add(4)),
        None => Ok(()),
    }
}

/// Checks that arguments of indirect work are whole words inside of a buffer.
pub(crate) fn check_arguments(job: &Job, id: ResourceId, offset: u64, end: u64) -> Result<()> {
    match job.storage(id)? {
        Storage::Buffer(bytes) if offset.is_multiple_of(4) && end <= bytes.len() as u64 => Ok(()),
        Storage::Buffer(bytes) => Err(Error::BadJob(format!(
            "indirect arguments at bytes {offset}..{end} of a buffer of {}",
            bytes.len()
        ))),
        Storage::Texture(_) => Err(Error::BadJob(
            "indirect arguments come from a buffer".into(),
        )),
    }
}

/// Refuses more thread groups than a device starts in one direction.
pub(crate) fn check_groups(groups: [u32; 3], limits: [u32; 3]) -> Result<()> {
    for (need, limit) in groups.into_iter().zip(limits) {
        if need > limit {
            return Err(Error::Limit {
                what: "thread groups in one direction",
                need: u64::from(need),
                limit: u64::from(limit),
            });
        }
    }
    Ok(())
}

/// Checks the thread groups of an indirect dispatch like those of a direct one. Nothing writes to
/// the buffer before the work, so the arguments are known here. What a driver does with too many
/// groups is undefined (VUID-VkDispatchIndirectCommand-x-00417).
pub(crate) fn check_indirect_groups(
    job: &Job,
    arguments: ResourceId,
    offset: u64,
    limits: [u32; 3],
) -> Result<()> {
    check_arguments(job, arguments, offset, offset.saturating_add(12))?;
    let Storage::Buffer(bytes) = job.storage(arguments)? else {
        return Ok(());
    };
    let words = usize::try_from(offset)
        .ok()
        .and_then(|at| bytes.get(at..at + 12));
    let Some((words, [])) = words.map(<[u8]>::as_chunks::<4>) else {
        return Ok(());
    };
    let mut groups = [0; 3];
    for (count, word) in groups.iter_mut().zip(words) {
        *count = u32::from_le_bytes(*word);
    }
    check_groups(groups, limits)
}

impl Texture {
    /// Returns the layers of a mip that can be drawn to; the slices of a 3D texture count as
    /// layers.
    pub(crate) fn target_layers(&self, mip: u32) -> u32 {
        match self.dimension {
            Dimension::D3 => self.mip_size(mip)[2],
            Dimension::D1 | Dimension::D2 => self.layers,
        }
    }
}

impl Job {
    fn storage(&self, id: ResourceId) -> Result<&Storage> {
        let resource = self.resources.get(id.0).map(|resource| &resource.storage);
        resource.ok_or_else(|| Error::BadJob(format!("the job has no resource {}", id.0)))
    }

    /// Returns the texture that a draw goes to.
    pub(crate) fn target_texture(&self, id: ResourceId) -> Result<&Texture> {
        match self.storage(id)? {
            Storage::Texture(texture) => Ok(texture),
            Storage::Buffer(_) => Err(Error::BadJob("a render target is not a texture".into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indirect_groups_are_held_to_the_limit() {
        let check = |words: &[u32], offset| {
            let mut job = Job::dispatch([1; 3]);
            let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let arguments = job.add_resource("arguments", Storage::Buffer(bytes), false);
            check_indirect_groups(&job, arguments, offset, [65535, 65535, 100])
        };
        assert!(check(&[65535, 1, 100], 0).is_ok());
        assert!(check(&[u32::MAX, 1, 0, 1], 4).is_ok());
        for (words, offset) in [
            (&[65536, 1, 1][..], 0),
            (&[1, 1, 101], 0),
            (&[1, u32::MAX, 1, 1], 4),
        ] {
            let error = check(words, offset).unwrap_err();
            assert!(matches!(error, Error::Limit { .. }), "{error}");
        }
        assert!(check(&[1, 1], 0).is_err());
        assert!(check(&[1, 1, 1], 2).is_err());
        assert!(check(&[1, 1, 1], u64::MAX - 3).is_err());
    }
}
