//! Bounds of texels in code, for devices that don't check them: reads outside give zero, writes and
//! atomics outside are dropped (D3D11.3 functional specification, 22.4.6 and 22.4.9).
//!
//! A read outside accesses the first texel instead, which every image has, and ignores the result.
//! That needs no branch; a write needs one.

use crate::interface::Representation;
use crate::lower::context::Input;
use crate::lower::images::texels;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::spirv::{Builder, Capability, Id, Op};
use crate::{Error, Result};

/// A texel that an instruction accesses.
pub(in crate::lower) struct Texel {
    /// The loaded image.
    pub(super) image: Id,
    /// Its unsigned coordinates, layer included.
    pub(super) coords: Id,
    /// Level of a sampled image.
    pub(super) level: Option<Id>,
    /// Sample of a multisampled image.
    pub(super) sample: Option<Id>,
}

impl Texel {
    /// Returns a texel without level and sample.
    pub(in crate::lower) fn at(image: Id, coords: Id) -> Self {
        Texel {
            image,
            coords,
            level: None,
            sample: None,
        }
    }
}

/// Returns whether the texel exists, where the code has to check.
pub(in crate::lower) fn is_inside<'a>(
    b: &mut Builder,
    input: &Input<'a>,
    handle: &ResourceHandle<'a>,
    texel: &Texel,
) -> Result<Option<Id>> {
    if !input.checks_bounds() || input.consumer().unchecked_texels {
        return Ok(None);
    }
    b.capability(Capability::ImageQuery);
    let count = match handle.view.representation {
        Representation::TexelBuffer => 1,
        Representation::Image => texels::coordinate_counts(handle)?.1,
        _ => return Err(Error::internal("texels of something without texels")),
    };
    let word = b.u32();
    let bool_ty = b.bool();
    let zero = b.const_u32(0);
    let size_ty = b.vector_or_scalar(word, count);
    let mut inside = None;
    let size = match texel.level {
        Some(level) => {
            // Comparing as unsigned also catches negative levels and coordinates.
            let levels = b.emit(Op::ImageQueryLevels, word, &[texel.image]);
            let ok = b.emit(Op::ULessThan, bool_ty, &[level, levels]);
            inside = Some(ok);
            // The size of a level that does not exist is undefined.
            let level = b.select(word, ok, level, zero);
            b.emit(Op::ImageQuerySizeLod, size_ty, &[texel.image, level])
        }
        None => b.emit(Op::ImageQuerySize, size_ty, &[texel.image]),
    };
    let less_ty = b.vector_or_scalar(bool_ty, count);
    let mut ok = b.emit(Op::ULessThan, less_ty, &[texel.coords, size]);
    if count > 1 {
        ok = b.emit(Op::All, bool_ty, &[ok]);
    }
    if let Some(level) = inside {
        ok = b.emit(Op::LogicalAnd, bool_ty, &[ok, level]);
    }
    if let Some(sample) = texel.sample {
        let samples = b.emit(Op::ImageQuerySamples, word, &[texel.image]);
        let there = b.emit(Op::ULessThan, bool_ty, &[sample, samples]);
        ok = b.emit(Op::LogicalAnd, bool_ty, &[ok, there]);
    }
    Ok(Some(ok))
}

/// Returns the texel if it is inside, the first one if not.
pub(super) fn or_first_texel<'a>(
    b: &mut Builder,
    handle: &ResourceHandle<'a>,
    texel: Texel,
    inside: Id,
) -> Result<Texel> {
    let count = match handle.view.representation {
        Representation::TexelBuffer => 1,
        _ => texels::coordinate_counts(handle)?.1,
    };
    let word = b.u32();
    let zero = b.const_u32(0);
    let coords_ty = b.vector_or_scalar(word, count);
    let first = b.const_null(coords_ty);
    let coords = select_all(b, coords_ty, count, inside, texel.coords, first);
    // An image of several levels and samples has the first of each.
    let mut or_zero = |id: Option<Id>| id.map(|id| b.select(word, inside, id, zero));
    Ok(Texel {
        image: texel.image,
        coords,
        level: or_zero(texel.level),
        sample: or_zero(texel.sample),
    })
}

/// Returns the value that was read, or zeros if the texel is outside.
pub(super) fn or_zero_texel(b: &mut Builder, ty: Id, inside: Id, read: Id) -> Id {
    let zero = b.const_null(ty);
    select_all(b, ty, 4, inside, read, zero)
}

/// Emits `OpSelect` of vectors; before SPIR-V 1.4 its condition is one too.
fn select_all(b: &mut Builder, ty: Id, count: u32, condition: Id, if_true: Id, if_false: Id) -> Id {
    let condition = match count {
        1 => condition,
        _ => {
            let bool_ty = b.bool();
            let mask = b.vector(bool_ty, count);
            let parts = [condition; 4];
            let parts = parts.get(..count as usize).unwrap_or(&parts);
            b.construct(mask, parts)
        }
    };
    b.select(ty, condition, if_true, if_false)
}
