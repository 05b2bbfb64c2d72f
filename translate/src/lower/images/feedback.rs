//! Sampler feedback (SM 6.5), emulated with a storage image, since Vulkan has no feedback maps
//! (DirectX specs, "Sampler Feedback"). Its format is `R32Uint`, as described here, or the one of
//! `feedback_neighbours`.
//!
//! The image has a texel for each mip region of the texture's most detailed mip, that is
//! `ceil(texture / region)` texels each way, and a layer for each of the texture's. The region's
//! size is not bound: it is the smallest power of two for which the two sizes agree. A texel holds
//!
//! - `MIN_MIP`: the most detailed mip that was requested in the region: cleared to all ones (or
//!   255), lowered by atomic minimum;
//! - `MIP_REGION_USED`: one bit per mip, lowest the most detailed one: cleared to 0. Bit `m` of
//!   texel (x, y) is region (x, y) of mip `m`, whose grid is smaller than the image.
//!
//! D3D lets an implementation record more than was sampled. What is recorded is the footprint of a
//! bilinear filter in each of the mips that a trilinear one reads; the sampler's own filter and its
//! anisotropy are not known here. Coordinates beyond 0 and 1 wrap.

use cranelift_entity::packed_option::PackedOption;
use dxil_frontend::dxil::SamplerFeedbackKind;
use dxil_frontend::dxil::ops::FeedbackOp;
use dxil_frontend::ir::ValueId;

use super::feedback_neighbours::{self, Sample};
use super::sample::{self, Level};
use crate::interface::Representation;
use crate::lower::blocks;
use crate::lower::context::Context;
use crate::lower::images::{levels, texels, texture};
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::resources::{handle_values, pointers};
use crate::lower::values::LoweredValue;
use crate::lower::waves::quad;
use crate::options::{Features, FeedbackTexel};
use crate::spirv::{Builder, Capability, GLOp, Id, Op as SpvOp, Scope};
use crate::{Error, Result};

/// Common form of the feedback operations.
struct Write {
    feedback: ValueId,
    texture: ValueId,
    sampler: ValueId,
    coords: [ValueId; 4],
    level: Level,
    clamp: PackedOption<ValueId>,
}

/// Returns a decoded feedback operation in the common form.
fn write(op: &FeedbackOp) -> Write {
    macro_rules! common {
        ($op:ident, $level:expr, $clamp:expr) => {
            Write {
                feedback: $op.feedback,
                texture: $op.texture,
                sampler: $op.sampler,
                coords: $op.coords,
                level: $level,
                clamp: $clamp,
            }
        };
    }
    match op {
        FeedbackOp::WriteSamplerFeedback(op) => common!(op, Level::Implicit, op.clamp),
        FeedbackOp::WriteSamplerFeedbackBias(op) => common!(op, Level::Bias(op.bias), op.clamp),
        FeedbackOp::WriteSamplerFeedbackLevel(op) => {
            common!(op, Level::Explicit(op.lod), PackedOption::default())
        }
        FeedbackOp::WriteSamplerFeedbackGrad(op) => {
            common!(op, Level::Gradient(op.ddx, op.ddy), op.clamp)
        }
    }
}

/// The feedback map of an operation, with its regions.
struct BoundFeedbackMap<'a> {
    handle: ResourceHandle<'a>,
    kind: SamplerFeedbackKind,
    /// Last texel of the image, as a pair.
    last: Id,
    /// Logarithm of the region's size, as a pair.
    region: Id,
    /// Layer, where the image has layers.
    layer: Option<Id>,
}

/// Lowers a feedback operation.
pub(super) fn record_use(cx: &mut Context<'_>, op: &FeedbackOp) -> Result<LoweredValue> {
    let op = write(op);
    let feedback = handle_values::handle_of(cx, op.feedback)?;
    let (Representation::Image, Some(kind)) =
        (feedback.view.representation, feedback.view.feedback)
    else {
        return Err(Error::unsupported(format!(
            "feedback to {}",
            feedback.view.describe()
        )));
    };
    let texture = texture::image_handle(cx, op.texture)?;
    // Sampler feedback is for 2D textures (DirectX specs, Sampler Feedback), whose space has two
    // coordinates.
    let (2, count) = texels::coordinate_counts(&texture)? else {
        return Err(Error::malformed(format!(
            "feedback of {}",
            texture.view.describe()
        )));
    };
    // The map needs a layer for each layer of the texture.
    if texels::coordinate_counts(&feedback)?.1 != count {
        return Err(Error::malformed(format!(
            "feedback of {} to {}",
            texture.view.describe(),
            feedback.view.describe()
        )));
    }
    cx.b.capability(Capability::ImageQuery);
    let f32_ty = cx.b.f32();
    let (word, pair) = (cx.b.u32(), cx.b.vector(f32_ty, 2));
    let (image, _) = pointers::load_object(cx, &texture)?;
    let levels = cx.b.emit(SpvOp::ImageQueryLevels, word, &[image]);
    let one = cx.b.const_u32(1);
    let last_level = cx.b.emit(SpvOp::ISub, word, &[levels, one]);
    let zero = cx.b.const_u32(0);
    let size_ty = cx.b.vector(word, count);
    let size = cx.b.emit(SpvOp::ImageQuerySizeLod, size_ty, &[image, zero]);
    let whole = feedback_neighbours::leading_pair(&mut cx.b, size, count);
    let coords = texture::gather_coords(cx, &op.coords, count, f32_ty)?;
    let position = match count {
        2 => coords,
        _ => {
            cx.b.emit(SpvOp::VectorShuffle, pair, &[coords.0, coords.0, 0, 1])
        }
    };
    let level = feedback_level(cx, &op, &texture, position, whole, last_level)?;
    let layer = (count == 3).then(|| feedback_layer(&mut cx.b, image, coords));
    if cx.input.options.feedback == FeedbackTexel::Neighbours {
        let texels = gradient_texels(cx, &op, position, whole)?;
        let sample = Sample {
            position: wrapped(&mut cx.b, position),
            whole,
            level,
            last_level,
            texels,
            layer,
        };
        feedback_neighbours::record_neighbours(cx, &feedback, count, &sample)?;
        return Ok(LoweredValue::Unset);
    }
    let map = feedback_map(cx, feedback, kind, count, whole, layer)?;
    let position = wrapped(&mut cx.b, position);
    // The level's whole part is the finer mip; the fraction blends with the next one.
    let fine = cx.b.emit(SpvOp::ConvertFToU, word, &[level]);
    if kind == SamplerFeedbackKind::MinMip {
        mark_regions(cx, &map, position, whole, fine)?;
        return Ok(LoweredValue::Unset);
    }
    let size = feedback_neighbours::level_size(&mut cx.b, whole, fine);
    mark_regions(cx, &map, position, size, fine)?;
    let up = cx.b.glsl(GLOp::Ceil, f32_ty, &[level]);
    let coarse = cx.b.emit(SpvOp::ConvertFToU, word, &[up]);
    let bool_ty = cx.b.bool();
    let between = cx.b.emit(SpvOp::INotEqual, bool_ty, &[fine, coarse]);
    let part = blocks::begin_if(cx, between);
    let size = feedback_neighbours::level_size(&mut cx.b, whole, coarse);
    mark_regions(cx, &map, position, size, coarse)?;
    blocks::end_if(cx, part);
    Ok(LoweredValue::Unset)
}

/// Returns the longer derivative in each direction in texels of the most detailed mip: the
/// footprint of an anisotropic filter. `None` where it is not known.
fn gradient_texels(
    cx: &mut Context<'_>,
    op: &Write,
    position: Id,
    whole: Id,
) -> Result<Option<Id>> {
    let f32_ty = cx.b.f32();
    let pair = cx.b.vector(f32_ty, 2);
    let level = sample::available_level(cx, op.level)?;
    let derivatives = match level {
        Level::Zero | Level::Explicit(_) => return Ok(None),
        Level::Implicit | Level::Bias(_) => {
            [SpvOp::DPdx, SpvOp::DPdy].map(|op| cx.b.emit(op, pair, &[position]))
        }
        Level::Lanes(bias) => sample::gradient_of_lanes(cx, 2, position, bias)?,
        Level::Gradient(ddx, ddy) => [
            texture::gather_coords(cx, &ddx, 2, f32_ty)?,
            texture::gather_coords(cx, &ddy, 2, f32_ty)?,
        ],
    };
    let lengths = derivatives.map(|d| cx.b.glsl(GLOp::FAbs, pair, &[d]));
    let mut longer = cx.b.glsl(GLOp::NMax, pair, &lengths);
    if let Level::Bias(bias) = level {
        let bias = cx.id(bias)?;
        let factor = cx.b.glsl(GLOp::Exp2, f32_ty, &[bias]);
        longer = cx.b.emit(SpvOp::VectorTimesScalar, pair, &[longer, factor]);
    }
    let size = cx.b.emit(SpvOp::ConvertUToF, pair, &[whole]);
    Ok(Some(cx.b.emit(SpvOp::FMul, pair, &[longer, size])))
}

/// Returns the level of detail that a sample would have, from 0 to the last level.
fn feedback_level<'a>(
    cx: &mut Context<'a>,
    op: &Write,
    texture: &ResourceHandle<'a>,
    position: Id,
    whole: Id,
    last_level: Id,
) -> Result<Id> {
    let f32_ty = cx.b.f32();
    let pair = cx.b.vector(f32_ty, 2);
    let zero = cx.b.const_f32(0.0);
    let mut level = match sample::available_level(cx, op.level)? {
        Level::Zero => zero,
        Level::Explicit(level) => cx.id(level)?,
        Level::Lanes(bias) => {
            let gradient = sample::gradient_of_lanes(cx, 2, position, bias)?;
            levels::level_of_gradient(cx, texture, position, gradient, true)?
        }
        Level::Implicit if !cx.input.consumer().level_queries => {
            levels::level_from_derivatives(cx, texture, position, true)?
        }
        Level::Bias(bias) if !cx.input.consumer().level_queries => {
            let bias = cx.id(bias)?;
            let free = levels::level_from_derivatives(cx, texture, position, false)?;
            cx.b.emit(SpvOp::FAdd, f32_ty, &[free, bias])
        }
        Level::Implicit | Level::Bias(_) => {
            let sampler = texture::sampler_handle(cx, op.sampler)?;
            let sampled = sample::sampled_image(cx, texture, &sampler)?;
            let (mut position, mut bias) = (position, None);
            // ImageQueryLod takes no bias.
            if let Level::Bias(value) = op.level {
                let value = cx.id(value)?;
                if cx.input.has(Features::SUBGROUP_QUAD) {
                    // Coordinates that change faster give the sampler the bias, and it can round
                    // and clamp as it does. All lanes of a quad have to change in the same way.
                    let scope = quad::quad_scope(cx);
                    let first = cx.b.const_u32(0);
                    let words = [scope, value, first];
                    let value =
                        cx.b.emit(SpvOp::GroupNonUniformQuadBroadcast, f32_ty, &words);
                    // A factor of 2^bias moves the derivatives' logarithm by the bias.
                    let factor = cx.b.glsl(GLOp::Exp2, f32_ty, &[value]);
                    position =
                        cx.b.emit(SpvOp::VectorTimesScalar, pair, &[position, factor]);
                } else {
                    // The sampler cannot clamp after the bias here; the clamp at the end does.
                    bias = Some(value);
                }
            }
            let levels = cx.b.emit(SpvOp::ImageQueryLod, pair, &[sampled, position]);
            match bias {
                Some(bias) => {
                    let free = cx.b.extract(f32_ty, levels, 1);
                    cx.b.emit(SpvOp::FAdd, f32_ty, &[free, bias])
                }
                None => cx.b.extract(f32_ty, levels, 0),
            }
        }
        Level::Gradient(ddx, ddy) => {
            // The longer of the two derivatives in texels (D3D11.3 functional specification,
            // 7.18.11).
            let size = cx.b.emit(SpvOp::ConvertUToF, pair, &[whole]);
            let mut squares = [zero; 2];
            for (square, derivative) in squares.iter_mut().zip([ddx, ddy]) {
                let derivative = texture::gather_coords(cx, &derivative, 2, f32_ty)?;
                let texels = cx.b.emit(SpvOp::FMul, pair, &[derivative, size]);
                *square = cx.b.emit(SpvOp::Dot, f32_ty, &[texels, texels]);
            }
            let longer = cx.b.glsl(GLOp::NMax, f32_ty, &squares);
            let twice = cx.b.glsl(GLOp::Log2, f32_ty, &[longer]);
            let half = cx.b.const_f32(0.5);
            cx.b.emit(SpvOp::FMul, f32_ty, &[twice, half])
        }
    };
    if let Some(clamp) = op.clamp.expand()
        && !cx.function.is_undef(clamp)
    {
        let clamp = cx.id(clamp)?;
        level = cx.b.glsl(GLOp::NMax, f32_ty, &[level, clamp]);
    }
    let last = cx.b.emit(SpvOp::ConvertUToF, f32_ty, &[last_level]);
    Ok(cx.b.glsl(GLOp::NClamp, f32_ty, &[level, zero, last]))
}

/// Returns the layer that a sample reads: the nearest one that is there.
fn feedback_layer(b: &mut Builder, image: Id, coords: Id) -> Id {
    let (word, f32_ty) = (b.u32(), b.f32());
    let zero = b.const_u32(0);
    let ty = b.vector(word, 3);
    let size = b.emit(SpvOp::ImageQuerySizeLod, ty, &[image, zero]);
    let layers = b.extract(word, size, 2);
    let layers = b.emit(SpvOp::ConvertUToF, f32_ty, &[layers]);
    let one = b.const_f32(1.0);
    let last = b.emit(SpvOp::FSub, f32_ty, &[layers, one]);
    let layer = b.extract(f32_ty, coords, 2);
    let layer = b.glsl(GLOp::RoundEven, f32_ty, &[layer]);
    let first = b.const_f32(0.0);
    let layer = b.glsl(GLOp::NClamp, f32_ty, &[layer, first, last]);
    b.emit(SpvOp::ConvertFToU, word, &[layer])
}

fn feedback_map<'a>(
    cx: &mut Context<'a>,
    handle: ResourceHandle<'a>,
    kind: SamplerFeedbackKind,
    count: u32,
    whole: Id,
    layer: Option<Id>,
) -> Result<BoundFeedbackMap<'a>> {
    let word = cx.b.u32();
    let pair = cx.b.vector(word, 2);
    let (image, _) = pointers::load_object(cx, &handle)?;
    let size_ty = cx.b.vector(word, count);
    let size = cx.b.emit(SpvOp::ImageQuerySize, size_ty, &[image]);
    let size = feedback_neighbours::leading_pair(&mut cx.b, size, count);
    let one = cx.b.const_u32(1);
    let ones = cx.b.const_composite(pair, &[one, one]);
    // A missing image has size 0, which must not become a divisor.
    let size = cx.b.glsl(GLOp::UMax, pair, &[size, ones]);
    let last = cx.b.emit(SpvOp::ISub, pair, &[size, ones]);
    // ceil(whole / size) - 1; the highest bit of it is one below the logarithm.
    let less = cx.b.emit(SpvOp::ISub, pair, &[whole, ones]);
    let ratio = cx.b.emit(SpvOp::UDiv, pair, &[less, size]);
    let region = cx.b.glsl(GLOp::FindUMsb, pair, &[ratio]);
    let region = cx.b.emit(SpvOp::IAdd, pair, &[region, ones]);
    Ok(BoundFeedbackMap {
        handle,
        kind,
        last,
        region,
        layer,
    })
}

/// Returns coordinates wrapped into 0 to 1.
fn wrapped(b: &mut Builder, position: Id) -> Id {
    let (f32_ty, bool_ty) = (b.f32(), b.bool());
    let pair = b.vector(f32_ty, 2);
    let flags = b.vector(bool_ty, 2);
    let (zero, one) = (b.const_f32(0.0), b.const_f32(1.0));
    let zeros = b.const_composite(pair, &[zero, zero]);
    let ones = b.const_composite(pair, &[one, one]);
    // Coordinates inside are left alone: `fract` of 1.0 would be 0, the other edge.
    let clamped = b.glsl(GLOp::NClamp, pair, &[position, zeros, ones]);
    let inside = b.emit(SpvOp::FOrdEqual, flags, &[position, clamped]);
    let fraction = b.glsl(GLOp::Fract, pair, &[position]);
    b.select(pair, inside, position, fraction)
}

/// Records a level in the regions that a bilinear filter reaches: two by two at most.
fn mark_regions<'a>(
    cx: &mut Context<'a>,
    map: &BoundFeedbackMap<'a>,
    position: Id,
    size: Id,
    level: Id,
) -> Result<()> {
    let (word, f32_ty, bool_ty) = (cx.b.u32(), cx.b.f32(), cx.b.bool());
    let pair = cx.b.vector(word, 2);
    let pair_f32 = cx.b.vector(f32_ty, 2);
    let flags = cx.b.vector(bool_ty, 2);
    let (half, zero) = (cx.b.const_f32(0.5), cx.b.const_f32(0.0));
    let zeros = cx.b.const_composite(pair_f32, &[zero, zero]);
    let halves = cx.b.const_composite(pair_f32, &[half, half]);
    let extent = match map.kind {
        SamplerFeedbackKind::MipRegionUsed => halves,
        // Half a texel of the level, in texels of the most detailed mip, is at most half a region.
        SamplerFeedbackKind::MinMip => {
            let levels = cx.b.construct(pair, &[level, level]);
            let shift = cx.b.glsl(GLOp::UMin, pair, &[levels, map.region]);
            // naga's exponents have a sign.
            let int = cx.b.int(32);
            let ints = cx.b.vector(int, 2);
            let shift = cx.b.bitcast(ints, shift);
            cx.b.glsl(GLOp::Ldexp, pair_f32, &[halves, shift])
        }
    };
    let size = cx.b.emit(SpvOp::ConvertUToF, pair_f32, &[size]);
    let centre = cx.b.emit(SpvOp::FMul, pair_f32, &[position, size]);
    let mut corners = [Id::NONE; 2];
    for (corner, direction) in corners.iter_mut().zip([SpvOp::FSub, SpvOp::FAdd]) {
        let texel = cx.b.emit(direction, pair_f32, &[centre, extent]);
        let texel = cx.b.glsl(GLOp::NClamp, pair_f32, &[texel, zeros, size]);
        let texel = cx.b.emit(SpvOp::ConvertFToU, pair, &[texel]);
        let region =
            cx.b.emit(SpvOp::ShiftRightLogical, pair, &[texel, map.region]);
        // The far edge of the texture would be the region after the last one.
        *corner = cx.b.glsl(GLOp::UMin, pair, &[region, map.last]);
    }
    let [low, high] = corners;
    let mark = match map.kind {
        SamplerFeedbackKind::MinMip => level,
        SamplerFeedbackKind::MipRegionUsed => {
            let one = cx.b.const_u32(1);
            cx.b.emit(SpvOp::ShiftLeftLogical, word, &[one, level])
        }
    };
    mark_region(cx, map, low, mark)?;
    // Most footprints lie in one region; the other corners cost three atomics.
    let apart = cx.b.emit(SpvOp::INotEqual, flags, &[low, high]);
    let apart = cx.b.emit(SpvOp::Any, bool_ty, &[apart]);
    let part = blocks::begin_if(cx, apart);
    // The other corners of the two by two; equal ones are marked twice, which does no harm.
    for lanes in [[2, 1], [0, 3], [2, 3]] {
        let [x, y] = lanes;
        let region =
            cx.b.emit(SpvOp::VectorShuffle, pair, &[low.0, high.0, x, y]);
        mark_region(cx, map, region, mark)?;
    }
    blocks::end_if(cx, part);
    Ok(())
}

/// Records one region.
fn mark_region<'a>(
    cx: &mut Context<'a>,
    map: &BoundFeedbackMap<'a>,
    region: Id,
    mark: Id,
) -> Result<()> {
    let word = cx.b.u32();
    let coords = match map.layer {
        None => region,
        Some(layer) => {
            let ty = cx.b.vector(word, 3);
            cx.b.construct(ty, &[region, layer])
        }
    };
    let image = pointers::object_pointer(cx, &map.handle)?;
    let pointer = pointers::texel_pointer(cx, &map.handle, image, word, coords);
    let instruction = match map.kind {
        SamplerFeedbackKind::MinMip => SpvOp::AtomicUMin,
        SamplerFeedbackKind::MipRegionUsed => SpvOp::AtomicOr,
    };
    let scope = cx.b.const_u32(Scope::Device as u32);
    let relaxed = cx.b.const_u32(0);
    cx.b.emit(instruction, word, &[pointer, scope, relaxed, mark]);
    Ok(())
}
