//! The place of a texel for atomics.

use super::resource_variables::ResourceHandle;
use crate::Result;
use crate::interface::Representation;
use crate::lower::blocks::{self, If};
use crate::lower::context::Context;
use crate::lower::images::texel_bounds::{self, Texel};
use crate::lower::resources::{heap_tables, pointers};
use crate::spirv::Id;

/// Returns the pointer to a texel for atomics, and the bounds check around them, which the caller
/// ends. The texel: the pointer to the image with its type, and the coordinates.
pub(in crate::lower) fn begin<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    (image, mut coords): ((Id, Id), Id),
    ty: Id,
) -> Result<(Id, Option<If>)> {
    if handle.view.representation == Representation::TexelBuffer {
        coords = heap_tables::placed_texel(cx, handle, coords);
    }
    // OpImageTexelPointer beyond the image is undefined without robustness.
    let mut guard = None;
    if cx.input.checks_bounds() {
        let (loaded, _) = pointers::load_object(cx, handle)?;
        let inside =
            texel_bounds::is_inside(&mut cx.b, &cx.input, handle, &Texel::at(loaded, coords))?;
        guard = inside.map(|inside| blocks::begin_if(cx, inside));
    }
    let pointer = pointers::texel_pointer(cx, handle, image, ty, coords);
    Ok((pointer, guard))
}
