//! Sampler feedback as layers decode it,
//! [`FeedbackTexel::Neighbours`](crate::FeedbackTexel::Neighbours): one texel of 64 bits per mip
//! region and, in it, four bits per mip. A footprint that reaches into the next regions is recorded
//! where it begins, by one atomic per mip, and not in each of them.

use crate::Result;
use crate::lower::blocks;
use crate::lower::context::Context;
use crate::lower::resources::pointers;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::options::Features;
use crate::spirv::{Builder, Capability, GLOp, Id, Op, Op as SpvOp, Scope};

/// Footprint of a sample operation, as far as the code can compute it.
pub(super) struct Sample {
    /// Coordinates from 0 to 1, a pair.
    pub(super) position: Id,
    /// Width and height of the most detailed mip.
    pub(super) whole: Id,
    /// Level of detail, from 0 to the last level.
    pub(super) level: Id,
    /// Number of the last level.
    pub(super) last_level: Id,
    /// Footprint of an anisotropic filter, in texels of the most detailed mip.
    pub(super) texels: Option<Id>,
    /// Layer, where the image has layers.
    pub(super) layer: Option<Id>,
}

/// Trilinear filters blend in steps of this size: eight bits of fraction (D3D11.3 functional
/// specification, 7.18.16.1).
const LEVEL_STEP: f32 = 1.0 / 256.0;

/// Logarithm of the maximum anisotropy.
const MAX_ANISOTROPY: u32 = 4;

/// Records a sample in the two mips that a trilinear filter reads.
pub(super) fn record_neighbours<'a>(
    cx: &mut Context<'a>,
    map: &ResourceHandle<'a>,
    count: u32,
    sample: &Sample,
) -> Result<()> {
    cx.input.need_feature(
        Features::IMAGE_INT64_ATOMICS,
        "shaderImageInt64Atomics",
        || map.view.describe(),
    )?;
    cx.b.capability(Capability::Int64Atomics);
    let (word, f32_ty, bool_ty) = (cx.b.u32(), cx.b.f32(), cx.b.bool());
    let region = region_logarithms(cx, map, count)?;
    let fine = cx.b.emit(Op::ConvertFToU, word, &[sample.level]);
    // A fraction below one step of the filter reads one mip only.
    let almost_one = cx.b.const_f32(1.0 - LEVEL_STEP);
    let up = cx.b.emit(Op::FAdd, f32_ty, &[sample.level, almost_one]);
    let coarse = cx.b.emit(Op::ConvertFToU, word, &[up]);
    let coarse = cx.b.glsl(GLOp::UMin, word, &[coarse, sample.last_level]);
    record_mip(cx, map, sample, region, fine)?;
    let between = cx.b.emit(Op::INotEqual, bool_ty, &[fine, coarse]);
    let part = blocks::begin_if(cx, between);
    record_mip(cx, map, sample, region, coarse)?;
    blocks::end_if(cx, part);
    Ok(())
}

/// Returns the logarithms of a region's width and height.
fn region_logarithms<'a>(cx: &mut Context<'a>, map: &ResourceHandle<'a>, count: u32) -> Result<Id> {
    let word = cx.b.u32();
    let pair = cx.b.vector(word, 2);
    let (image, _) = pointers::load_object(cx, map)?;
    let size_ty = cx.b.vector(word, count);
    let size = cx.b.emit(Op::ImageQuerySize, size_ty, &[image]);
    let size = leading_pair(&mut cx.b, size, count);
    // The layer encodes the logarithms in the size of the image.
    let low = cx.b.const_u32(15);
    let mask = cx.b.const_composite(pair, &[low, low]);
    Ok(cx.b.emit(Op::BitwiseAnd, pair, &[size, mask]))
}

fn record_mip<'a>(
    cx: &mut Context<'a>,
    map: &ResourceHandle<'a>,
    sample: &Sample,
    region: Id,
    level: Id,
) -> Result<()> {
    let (word, f32_ty, bool_ty) = (cx.b.u32(), cx.b.f32(), cx.b.bool());
    let int = cx.b.int(32);
    let words = cx.b.vector(word, 2);
    let ints = cx.b.vector(int, 2);
    let floats = cx.b.vector(f32_ty, 2);
    let flags = cx.b.vector(bool_ty, 2);
    let (zero, half) = (cx.b.const_f32(0.0), cx.b.const_f32(0.5));
    let zeros = cx.b.const_composite(floats, &[zero, zero]);
    let halves = cx.b.const_composite(floats, &[half, half]);
    let region = cx.b.bitcast(ints, region);
    let shrink = cx.b.emit(Op::SNegate, ints, &[region]);
    // All lengths are counted in regions from here.
    let size = level_size(&mut cx.b, sample.whole, level);
    let size = cx.b.emit(Op::ConvertUToF, floats, &[size]);
    let size = cx.b.glsl(GLOp::Ldexp, floats, &[size, shrink]);
    let centre = cx.b.emit(Op::FMul, floats, &[sample.position, size]);
    let exponent = match sample.texels {
        None => shrink,
        Some(texels) => {
            let widened = anisotropy_logarithms(&mut cx.b, texels, level);
            cx.b.emit(Op::IAdd, ints, &[widened, shrink])
        }
    };
    let reach = cx.b.glsl(GLOp::Ldexp, floats, &[halves, exponent]);
    // There are bits for the next region only: the footprint may not reach further.
    let reach = cx.b.glsl(GLOp::NMin, floats, &[reach, halves]);
    let low = cx.b.emit(Op::FSub, floats, &[centre, reach]);
    let low = cx.b.glsl(GLOp::NMax, floats, &[low, zeros]);
    let high = cx.b.emit(Op::FAdd, floats, &[centre, reach]);
    let [low, high] = [low, high].map(|at| cx.b.emit(Op::ConvertFToU, words, &[at]));
    let beyond = cx.b.emit(Op::INotEqual, flags, &[low, high]);
    let zero = cx.b.const_u32(0);
    let none = cx.b.const_composite(words, &[zero, zero]);
    let (right, below) = (cx.b.const_u32(2), cx.b.const_u32(4));
    let both = cx.b.const_composite(words, &[right, below]);
    // Bits 1, 2 and 3 of the texel stand for the right, the lower and the diagonal neighbour.
    let bits = cx.b.select(words, beyond, both, none);
    let [right, below] = [0, 1].map(|part| cx.b.extract(word, bits, part));
    // 8, or 0 if it is not both.
    let diagonal = cx.b.emit(Op::IMul, word, &[right, below]);
    let mut mask = cx.b.const_u32(1);
    for bit in [right, below, diagonal] {
        mask = cx.b.emit(Op::BitwiseOr, word, &[mask, bit]);
    }
    let wide = cx.b.uint(64);
    let mask = cx.b.emit(Op::UConvert, wide, &[mask]);
    let position = cx.b.u32_shl(level, 2);
    let mask = cx.b.emit(Op::ShiftLeftLogical, wide, &[mask, position]);
    let coords = match sample.layer {
        None => low,
        Some(layer) => {
            let ty = cx.b.vector(word, 3);
            cx.b.construct(ty, &[low, layer])
        }
    };
    let image = pointers::object_pointer(cx, map)?;
    let pointer = pointers::texel_pointer(cx, map, image, wide, coords);
    let scope = cx.b.const_u32(Scope::Device as u32);
    // One atomic records the region with all its neighbours.
    cx.b.emit(Op::AtomicOr, wide, &[pointer, scope, zero, mask]);
    Ok(())
}

/// Returns the logarithm of the ratio of a footprint, in texels, to a bilinear filter's, in each
/// direction. Devices round it up in this way.
fn anisotropy_logarithms(b: &mut Builder, texels: Id, level: Id) -> Id {
    let (word, f32_ty, int) = (b.u32(), b.f32(), b.int(32));
    let words = b.vector(word, 2);
    let ints = b.vector(int, 2);
    let floats = b.vector(f32_ty, 2);
    let level = b.bitcast(int, level);
    let level = b.emit(Op::SNegate, int, &[level]);
    let levels = b.construct(ints, &[level, level]);
    let texels = b.glsl(GLOp::Ldexp, floats, &[texels, levels]);
    let step = b.const_f32(LEVEL_STEP);
    let steps = b.const_composite(floats, &[step, step]);
    let texels = b.emit(Op::FSub, floats, &[texels, steps]);
    let texels = b.glsl(GLOp::Ceil, floats, &[texels]);
    let one = b.const_f32(1.0);
    let max = b.const_f32((1_u32 << MAX_ANISOTROPY) as f32);
    let ones = b.const_composite(floats, &[one, one]);
    let max = b.const_composite(floats, &[max, max]);
    let texels = b.glsl(GLOp::NClamp, floats, &[texels, ones, max]);
    let texels = b.emit(Op::ConvertFToU, words, &[texels]);
    let one = b.const_u32(1);
    let ones = b.const_composite(words, &[one, one]);
    let less = b.emit(Op::ISub, words, &[texels, ones]);
    // The highest bit of n - 1 is one below the logarithm of n, rounded up; it is -1 for 0.
    let highest = b.glsl(GLOp::FindUMsb, words, &[less]);
    let logarithm = b.emit(Op::IAdd, words, &[highest, ones]);
    b.bitcast(ints, logarithm)
}

/// Returns the width and height of a mip. A query would do, but some drivers ask it for one lane
/// only.
pub(super) fn level_size(b: &mut Builder, whole: Id, level: Id) -> Id {
    let word = b.u32();
    let pair = b.vector(word, 2);
    let one = b.const_u32(1);
    let ones = b.const_composite(pair, &[one, one]);
    let levels = b.construct(pair, &[level, level]);
    let size = b.emit(SpvOp::ShiftRightLogical, pair, &[whole, levels]);
    b.glsl(GLOp::UMax, pair, &[size, ones])
}

pub(super) fn leading_pair(b: &mut Builder, size: Id, count: u32) -> Id {
    if count == 2 {
        return size;
    }
    let word = b.u32();
    let ty = b.vector(word, 2);
    b.emit(SpvOp::VectorShuffle, ty, &[size.0, size.0, 0, 1])
}
