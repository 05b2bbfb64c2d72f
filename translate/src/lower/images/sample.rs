//! Sampling and gathering. A sampled image is created where it is used, since SPIR-V only allows it
//! in one block ("OpSampledImage").

use cranelift_entity::packed_option::PackedOption;
use dxil_frontend::dxil::ops::{SamplingOp, calls};
use dxil_frontend::dxil::{ResourceClass, ResourceKind};
use dxil_frontend::ir::ValueId;

use super::image_types::{TexelClass, texel_scalar};
use super::levels;
use super::texture;
use super::texture::ImageOperandList;
use crate::lower::context::{Context, FunctionState, Input};
use crate::lower::images::texels;
use crate::lower::numbers::word_pairs;
use crate::lower::resources::pointers;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::types;
use crate::lower::values::{Call, LoweredValue, StructMember};
use crate::lower::waves::derivatives;
use crate::lower::waves::quad_layout::{self, Derivatives};
use crate::options::Features;
use crate::spirv::{Builder, Capability, GLOp, Id, ImageOperands, Op as SpvOp};
use crate::{Error, PortableForm, Quirks, Result};

/// The level of detail that is sampled.
#[derive(Clone, Copy)]
pub(super) enum Level {
    /// From the quad's derivatives.
    Implicit,
    /// From the quad's derivatives, plus a bias.
    Bias(ValueId),
    /// From differences between the quad's lanes, plus a bias.
    Lanes(Option<ValueId>),
    /// That level.
    Explicit(ValueId),
    /// The most detailed level.
    Zero,
    /// From these derivatives.
    Gradient([ValueId; 3], [ValueId; 3]),
}

/// Common form of the sampling operations.
#[derive(Clone, Copy)]
struct Sampling {
    /// The texture.
    texture: ValueId,
    /// The sampler.
    sampler: ValueId,
    /// Coordinates.
    coords: [ValueId; 4],
    /// Texel offsets.
    offsets: [PackedOption<ValueId>; 3],
    /// Level of detail.
    level: Level,
    /// Reference value of a comparison.
    reference: Option<ValueId>,
    /// Minimum level of detail.
    clamp: PackedOption<ValueId>,
}

/// Returns a decoded sampling operation in the common form.
fn sampling(op: &SamplingOp) -> Sampling {
    macro_rules! common {
        ($op:ident, $level:expr, $reference:expr, $clamp:expr) => {
            Sampling {
                texture: $op.texture,
                sampler: $op.sampler,
                coords: $op.coords,
                offsets: $op.offsets,
                level: $level,
                reference: $reference,
                clamp: $clamp,
            }
        };
    }
    let none = PackedOption::default();
    match op {
        SamplingOp::Sample(op) => common!(op, Level::Implicit, None, op.clamp),
        SamplingOp::SampleBias(op) => common!(op, Level::Bias(op.bias), None, op.clamp),
        SamplingOp::SampleLevel(op) => common!(op, Level::Explicit(op.lod), None, none),
        SamplingOp::SampleGrad(op) => common!(op, Level::Gradient(op.ddx, op.ddy), None, op.clamp),
        SamplingOp::SampleCmp(op) => common!(op, Level::Implicit, Some(op.reference), op.clamp),
        SamplingOp::SampleCmpLevelZero(op) => common!(op, Level::Zero, Some(op.reference), none),
        SamplingOp::SampleCmpLevel(op) => {
            common!(op, Level::Explicit(op.lod), Some(op.reference), none)
        }
        SamplingOp::SampleCmpBias(op) => {
            common!(op, Level::Bias(op.bias), Some(op.reference), op.clamp)
        }
        SamplingOp::SampleCmpGrad(op) => {
            let level = Level::Gradient(op.ddx, op.ddy);
            common!(op, level, Some(op.reference), op.clamp)
        }
    }
}

/// Lowers a sampling operation.
pub(super) fn lower(cx: &mut Context<'_>, call: &Call, op: &SamplingOp) -> Result<LoweredValue> {
    sample(cx, call, sampling(op))
}

fn sample(cx: &mut Context<'_>, call: &Call, op: Sampling) -> Result<LoweredValue> {
    let handle = texture::image_handle(cx, op.texture)?;
    let sampler = texture::sampler_handle(cx, op.sampler)?;
    let (space, count) = texels::coordinate_counts(&handle)?;
    let f32_ty = cx.b.f32();
    let mut coords = texture::gather_coords(cx, &op.coords, count, f32_ty)?;
    let mut level = available_level(cx, op.level)?;
    if !cx.input.consumer().comparisons_at_levels
        && op.reference.is_some()
        && matches!(level, Level::Lanes(_))
    {
        lose_level(cx);
        level = Level::Zero;
    }
    let is_level_0 = match level {
        Level::Explicit(level) => is_zero_float(&cx.function, level),
        Level::Gradient(..) | Level::Lanes(_) => false,
        Level::Implicit | Level::Bias(_) | Level::Zero => true,
    };
    if !cx.input.consumer().comparisons_at_levels && op.reference.is_some() && !is_level_0 {
        return Err(Error::portable(
            PortableForm::ComparisonLevel,
            "a comparison at a level of detail other than 0",
        ));
    }
    let mut operands = ImageOperandList::new();
    let mut explicit = true;
    match level {
        Level::Implicit => explicit = false,
        Level::Bias(bias) => {
            explicit = false;
            let bias = cx.id(bias)?;
            operands.push(ImageOperands::BIAS, &[bias]);
        }
        Level::Explicit(level) => {
            // Operands have to come in the order of their bits (SPIR-V specification, "Image
            // Operands").
            let level = cx.id(level)?;
            let level = above_small_cube_mips(cx, &handle, level)?;
            operands.push(ImageOperands::LOD, &[level]);
        }
        Level::Zero => {
            let zero = cx.b.const_f32(0.0);
            operands.push(ImageOperands::LOD, &[zero]);
        }
        Level::Lanes(bias) => {
            let position = leading(&mut cx.b, coords, f32_ty, count, space);
            let gradient = gradient_of_lanes(cx, space, position, bias)?;
            operands.push(ImageOperands::GRAD, &gradient);
        }
        Level::Gradient(ddx, ddy) => {
            let ddx = texture::gather_coords(cx, &ddx, space, f32_ty)?;
            let ddy = texture::gather_coords(cx, &ddy, space, f32_ty)?;
            operands.push(ImageOperands::GRAD, &[ddx, ddy]);
        }
    }
    let sampled = sampled_image(cx, &handle, &sampler)?;
    let offset = texel_offset(cx, &op.offsets, space)?;
    check_offset(&handle, &offset)?;
    match offset {
        Offset::None => {}
        Offset::Constant(id) => operands.push(ImageOperands::CONST_OFFSET, &[id]),
        // With VK_KHR_maintenance8 samples take offsets that are not constant, as gathers do.
        Offset::Dynamic(id) if cx.input.has(Features::MAINTENANCE8) => {
            let id = wrap_offset(&mut cx.b, id, space, 4);
            cx.b.capability(Capability::ImageGatherExtended);
            operands.push(ImageOperands::OFFSET, &[id]);
        }
        Offset::Dynamic(id) => {
            let id = wrap_offset(&mut cx.b, id, space, 4);
            coords = shift_coords(cx, &handle, sampled, coords, (space, count), id, level)?;
        }
    }
    if let Some(clamp) = op.clamp.expand()
        && !cx.function.is_undef(clamp)
        // A minimum of 0 clamps nothing, and needs no feature.
        && !is_zero_float(&cx.function, clamp)
    {
        let clamp = cx.id(clamp)?;
        cx.input
            .need_feature(Features::MIN_LOD, "shaderResourceMinLod", || {
                "a sample operation with a minimum level of detail".to_owned()
            })?;
        cx.b.capability(Capability::MinLod);
        operands.push(ImageOperands::MIN_LOD, &[clamp]);
    }
    // Residency costs a sparse instruction, so it is only asked for if the shader looks at it.
    let residency = texels::wants_residency(&cx.function, call);
    let Some(reference) = op.reference else {
        let instruction = if explicit {
            SpvOp::ImageSampleExplicitLod
        } else {
            SpvOp::ImageSampleImplicitLod
        };
        let ty = texels::texel_vector_ty(&mut cx.b, &handle);
        let arguments = [sampled, coords];
        let (texel, status) = texture::emit_image_read(
            &mut cx.b,
            &cx.input,
            instruction,
            ty,
            &arguments,
            &operands,
            residency,
        );
        return texels::texel_result(cx, call, &handle, texel, status);
    };
    // The comparison is with the depth in a float; other texels have no order.
    check_comparable(&handle)?;
    let instruction = if explicit {
        SpvOp::ImageSampleDrefExplicitLod
    } else {
        SpvOp::ImageSampleDrefImplicitLod
    };
    let reference = cx.id(reference)?;
    let arguments = [sampled, coords, reference];
    let (value, status) = texture::emit_image_read(
        &mut cx.b,
        &cx.input,
        instruction,
        f32_ty,
        &arguments,
        &operands,
        residency,
    );
    scalar_result(cx, call, value, status)
}

/// Returns the level, or of a cube map the last one whose mip is 8x8 or larger, where that is asked
/// for.
fn above_small_cube_mips<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    level: Id,
) -> Result<Id> {
    if !texels::is_cube(handle.view.kind) || !cx.input.has_quirk(Quirks::NO_SMALL_CUBE_MIPS) {
        return Ok(level);
    }
    cx.b.capability(Capability::ImageQuery);
    let (word, f32_ty) = (cx.b.u32(), cx.b.f32());
    let count = if handle.view.kind == ResourceKind::TextureCube {
        2
    } else {
        3
    };
    let size_ty = cx.b.vector(word, count);
    let zero = cx.b.const_u32(0);
    let (image, _) = pointers::load_object(cx, handle)?;
    let size = cx.b.emit(SpvOp::ImageQuerySizeLod, size_ty, &[image, zero]);
    let width = cx.b.extract(word, size, 0);
    // Sizes below 8 count as 8, and a missing image has size 0.
    let eight = cx.b.const_u32(8);
    let width = cx.b.glsl(GLOp::UMax, word, &[width, eight]);
    let logarithm = cx.b.glsl(GLOp::FindUMsb, word, &[width]);
    let three = cx.b.const_u32(3);
    let last = cx.b.emit(SpvOp::ISub, word, &[logarithm, three]);
    let last = cx.b.emit(SpvOp::ConvertUToF, f32_ty, &[last]);
    Ok(cx.b.glsl(GLOp::NMin, f32_ty, &[level, last]))
}

/// Returns a comparison's result in every member of the struct.
fn scalar_result(cx: &mut Context<'_>, call: &Call, value: Id, status: Id) -> Result<LoweredValue> {
    let fields = types::fields(&cx.input, call.ty)?;
    let scalar = match fields.first() {
        Some(&first) => types::scalar(cx, first)?,
        None => return Err(Error::malformed("a comparison gives nothing")),
    };
    let value = if scalar.width() == 16 {
        let ty = cx.b.float(16);
        cx.b.emit(SpvOp::FConvert, ty, &[value])
    } else {
        value
    };
    // D3D gives the result in x; DXIL's struct repeats it.
    let member = StructMember::Id(value);
    let parts = [member, member, member, member, StructMember::Id(status)];
    Ok(cx
        .function
        .values
        .parts(parts.iter().copied().take(fields.len())))
}

/// Returns the sampled image of an image and a sampler.
pub(super) fn sampled_image<'a>(
    cx: &mut Context<'a>,
    texture: &ResourceHandle<'a>,
    sampler: &ResourceHandle<'a>,
) -> Result<Id> {
    let view = texture.view;
    if view.class != ResourceClass::Srv || texels::is_multisampled(view.kind) {
        return Err(Error::malformed(format!("{} is sampled", view.describe())));
    }
    let (image, image_ty) = pointers::load_object(cx, texture)?;
    let (sampler_id, _) = pointers::load_object(cx, sampler)?;
    let ty = cx.b.sampled_image(image_ty);
    let id = cx.b.emit(SpvOp::SampledImage, ty, &[image, sampler_id]);
    pointers::mark_non_uniform(&mut cx.b, &cx.input, texture, id);
    // The pair is non-uniform if either of its parts is.
    if !texture.non_uniform {
        pointers::mark_non_uniform(&mut cx.b, &cx.input, sampler, id);
    }
    Ok(id)
}

/// Returns the level that the stage can sample: implicit levels exist in pixel shaders, and in
/// thread groups with whole quads; elsewhere the most detailed level is used.
pub(super) fn available_level(cx: &mut Context<'_>, level: Level) -> Result<Level> {
    let bias = match level {
        Level::Implicit => None,
        Level::Bias(bias) => Some(bias),
        _ => return Ok(level),
    };
    // Checked first, because an implicit level in a stage without derivatives is invalid.
    if has_derivatives(&cx.input) {
        return Ok(match derivatives::require_derivatives(cx)? {
            Derivatives::Native => level,
            Derivatives::Lanes | Derivatives::None => Level::Lanes(bias),
        });
    }
    lose_level(cx);
    // Without derivatives the level before the bias is 0.
    Ok(bias.map_or(Level::Zero, Level::Explicit))
}

/// Returns the derivatives of coordinates, from the quad's lanes. A factor of 2^bias moves their
/// logarithm, the level, by the bias.
pub(super) fn gradient_of_lanes(
    cx: &mut Context<'_>,
    space: u32,
    position: Id,
    bias: Option<ValueId>,
) -> Result<[Id; 2]> {
    let gradient = derivatives::gradient(cx, space, position)?;
    let Some(bias) = bias else {
        return Ok(gradient);
    };
    let bias = cx.id(bias)?;
    let f32_ty = cx.b.f32();
    let factor = cx.b.glsl(GLOp::Exp2, f32_ty, &[bias]);
    let ty = cx.b.vector_or_scalar(f32_ty, space);
    let scale = if space == 1 {
        SpvOp::FMul
    } else {
        SpvOp::VectorTimesScalar
    };
    Ok(gradient.map(|part| cx.b.emit(scale, ty, &[part, factor])))
}

/// Counts a level of detail that differs from D3D12's. Without whole quads D3D12 has none either.
pub(super) fn lose_level(cx: &mut Context<'_>) {
    if !quad_layout::has_partial_quads(&cx.input) {
        cx.losses.levels += 1;
    }
}

/// Returns whether the stage has derivatives: a thread group needs whole quads for them.
pub(in crate::lower) fn has_derivatives(input: &Input<'_>) -> bool {
    quad_layout::derivatives(input) != Derivatives::None
}

fn is_zero_float(function: &FunctionState<'_>, value: ValueId) -> bool {
    use dxil_frontend::ir::Constant;
    matches!(
        function.view.constant(value),
        Some(Constant::Null | Constant::Float(0))
    )
}

/// Returns the texel offsets as an image operand.
fn texel_offset(
    cx: &mut Context<'_>,
    offsets: &[PackedOption<ValueId>],
    space: u32,
) -> Result<Offset> {
    let mut values = [0_i32; 3];
    let mut ids = [Id::NONE; 3];
    let mut constant = true;
    let mut any = false;
    for ((value, id), offset) in values
        .iter_mut()
        .zip(&mut ids)
        .zip(offsets)
        .take(space as usize)
    {
        let Some(offset) = offset
            .expand()
            .filter(|&offset| !cx.function.is_undef(offset))
        else {
            continue;
        };
        any = true;
        match cx.function.constant_int(offset) {
            Some(bits) => *value = bits as u32 as i32,
            None => {
                constant = false;
                *id = cx.id(offset)?;
            }
        }
    }
    // An offset of zeros is none, and saves the operand.
    if !any || (constant && values == [0; 3]) {
        return Ok(Offset::None);
    }
    let int_ty = cx.b.int(32);
    let mut parts = [Id::NONE; 3];
    for ((part, value), id) in parts.iter_mut().zip(values).zip(ids) {
        *part = if id.is_none() {
            cx.b.const_i32(value)
        } else {
            cx.b.bitcast(int_ty, id)
        };
    }
    let parts = parts.get(..space as usize).unwrap_or(&parts);
    let ty = cx.b.vector_or_scalar(int_ty, space);
    let [first, ..] = parts else {
        return Ok(Offset::None);
    };
    Ok(match (constant, space) {
        (true, 1) => Offset::Constant(*first),
        (true, _) => Offset::Constant(cx.b.const_composite(ty, parts)),
        (false, 1) => Offset::Dynamic(*first),
        (false, _) => Offset::Dynamic(cx.b.construct(ty, parts)),
    })
}

/// Returns the low bits of a dynamic offset as a signed number. D3D counts four bits of samples'
/// offsets (D3D11.3 functional specification, 22.4.15) and six of gathers' (22.4.4).
fn wrap_offset(b: &mut Builder, offset: Id, space: u32, bits: u32) -> Id {
    let int_ty = b.int(32);
    let ty = b.vector_or_scalar(int_ty, space);
    let zero = b.const_u32(0);
    let bits = b.const_u32(bits);
    b.emit(SpvOp::BitFieldSExtract, ty, &[offset, zero, bits])
}

/// Moves normalized coordinates by texels of the level that is sampled, for targets whose image
/// instructions take constant offsets only.
fn shift_coords<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    sampled: Id,
    coords: Id,
    (space, count): (u32, u32),
    offset: Id,
    level: Level,
) -> Result<Id> {
    cx.b.capability(Capability::ImageQuery);
    let word = cx.b.u32();
    let f32_ty = cx.b.f32();
    let space_f32 = cx.b.vector_or_scalar(f32_ty, space);
    let level = match level {
        Level::Zero => cx.b.const_u32(0),
        Level::Explicit(level) => {
            let level = cx.id(level)?;
            nearest_level(&mut cx.b, level)
        }
        Level::Implicit | Level::Bias(_) => {
            let bias = match level {
                Level::Bias(bias) => Some(cx.id(bias)?),
                _ => None,
            };
            let pair_ty = cx.b.vector(f32_ty, 2);
            let position = leading(&mut cx.b, coords, f32_ty, count, space);
            let lod =
                cx.b.emit(SpvOp::ImageQueryLod, pair_ty, &[sampled, position]);
            let mut level = cx.b.extract(f32_ty, lod, 0);
            if let Some(bias) = bias {
                level = cx.b.emit(SpvOp::FAdd, f32_ty, &[level, bias]);
            }
            nearest_level(&mut cx.b, level)
        }
        Level::Lanes(bias) => {
            let position = leading(&mut cx.b, coords, f32_ty, count, space);
            let gradient = gradient_of_lanes(cx, space, position, bias)?;
            let lod = levels::level_of_gradient(cx, handle, position, gradient, true)?;
            nearest_level(&mut cx.b, lod)
        }
        // The derivatives choose the level in hardware; the most detailed one is the best guess.
        Level::Gradient(..) => cx.b.const_u32(0),
    };
    let (image, _) = pointers::load_object(cx, handle)?;
    let size_ty = cx.b.vector_or_scalar(word, count);
    let size =
        cx.b.emit(SpvOp::ImageQuerySizeLod, size_ty, &[image, level]);
    let size = leading(&mut cx.b, size, word, count, space);
    let size = cx.b.emit(SpvOp::ConvertUToF, space_f32, &[size]);
    let offset = cx.b.emit(SpvOp::ConvertSToF, space_f32, &[offset]);
    let step = cx.b.emit(SpvOp::FDiv, space_f32, &[offset, size]);
    if space == count {
        return Ok(cx.b.emit(SpvOp::FAdd, space_f32, &[coords, step]));
    }
    let position = leading(&mut cx.b, coords, f32_ty, count, space);
    let moved = cx.b.emit(SpvOp::FAdd, space_f32, &[position, step]);
    let layer = cx.b.extract(f32_ty, coords, space);
    let ty = cx.b.vector(f32_ty, count);
    Ok(cx.b.construct(ty, &[moved, layer]))
}

fn nearest_level(b: &mut Builder, level: Id) -> Id {
    let f32_ty = b.f32();
    let word = b.u32();
    let zero = b.const_f32(0.0);
    let level = b.glsl(crate::spirv::GLOp::NMax, f32_ty, &[level, zero]);
    let level = b.glsl(crate::spirv::GLOp::RoundEven, f32_ty, &[level]);
    b.emit(SpvOp::ConvertFToU, word, &[level])
}

/// Returns the first components of a vector.
fn leading(b: &mut Builder, vector: Id, scalar: Id, have: u32, want: u32) -> Id {
    if have == want {
        return vector;
    }
    if want == 1 {
        return b.extract(scalar, vector, 0);
    }
    let ty = b.vector(scalar, want);
    let mut words = [vector.0, vector.0, 0, 1, 2];
    let len = 2 + want.min(3) as usize;
    let words = words.get_mut(..len).unwrap_or_default();
    b.emit(SpvOp::VectorShuffle, ty, words)
}

/// Lowers `textureGather`.
pub(super) fn texture_gather(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::TextureGather,
) -> Result<LoweredValue> {
    gather(
        cx,
        call,
        (op.texture, op.sampler),
        op.coords,
        op.offsets,
        Gather::Channel(op.channel),
    )
}

/// Lowers `textureGatherRaw` (SM 6.7): whole texels of one integer component.
pub(super) fn texture_gather_raw(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::TextureGatherRaw,
) -> Result<LoweredValue> {
    gather(
        cx,
        call,
        (op.texture, op.sampler),
        op.coords,
        op.offsets,
        Gather::Channel(0),
    )
}

/// Lowers `textureGatherCmp`.
pub(super) fn texture_gather_cmp(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::TextureGatherCmp,
) -> Result<LoweredValue> {
    gather(
        cx,
        call,
        (op.texture, op.sampler),
        op.coords,
        op.offsets,
        Gather::Compare(op.reference),
    )
}

fn gather(
    cx: &mut Context<'_>,
    call: &Call,
    (texture, sampler): (ValueId, ValueId),
    coords: [ValueId; 4],
    offsets: [PackedOption<ValueId>; 2],
    what: Gather,
) -> Result<LoweredValue> {
    let handle = texture::image_handle(cx, texture)?;
    let sampler = texture::sampler_handle(cx, sampler)?;
    let (space, count) = texels::coordinate_counts(&handle)?;
    let f32_ty = cx.b.f32();
    let coords = texture::gather_coords(cx, &coords, count, f32_ty)?;
    let mut operands = ImageOperandList::new();
    check_gatherable(&handle)?;
    // Gathers are two-dimensional, so a third coordinate has no offset.
    let offset = texel_offset(cx, &offsets, space.min(2))?;
    check_offset(&handle, &offset)?;
    match offset {
        Offset::None => {}
        Offset::Constant(id) => operands.push(ImageOperands::CONST_OFFSET, &[id]),
        Offset::Dynamic(id) => {
            cx.input.need_feature(
                Features::IMAGE_GATHER_EXTENDED,
                "shaderImageGatherExtended",
                || "a gather with an offset that is not constant".to_owned(),
            )?;
            let id = wrap_offset(&mut cx.b, id, space.min(2), 6);
            cx.b.capability(Capability::ImageGatherExtended);
            operands.push(ImageOperands::OFFSET, &[id]);
        }
    }
    let sampled = sampled_image(cx, &handle, &sampler)?;
    let residency = texels::wants_residency(&cx.function, call);
    let ty = texels::texel_vector_ty(&mut cx.b, &handle);
    let (instruction, last) = match what {
        Gather::Channel(channel) => (SpvOp::ImageGather, cx.b.const_u32(channel)),
        Gather::Compare(reference) => {
            check_comparable(&handle)?;
            (SpvOp::ImageDrefGather, cx.id(reference)?)
        }
    };
    let arguments = [sampled, coords, last];
    let (texel, status) = texture::emit_image_read(
        &mut cx.b,
        &cx.input,
        instruction,
        ty,
        &arguments,
        &operands,
        residency,
    );
    let fields = types::fields(&cx.input, call.ty)?;
    if let (Gather::Channel(0), Some(&first)) = (what, fields.first())
        && types::scalar(cx, first)?.bits() == 64
        && texel_scalar(handle.view).bits == 32
    {
        // Raw 64-bit texels are pairs of 32-bit components: the second gather gives the upper
        // words.
        let scalar = types::scalar(cx, first)?;
        let arguments = [sampled, coords, cx.b.const_u32(1)];
        let (high, _) = texture::emit_image_read(
            &mut cx.b,
            &cx.input,
            instruction,
            ty,
            &arguments,
            &operands,
            false,
        );
        let component = texels::texel_scalar_ty(&mut cx.b, &handle);
        let mut parts = [StructMember::Id(status); 5];
        for (i, part) in (0..4).zip(&mut parts) {
            let low = cx.b.extract(component, texel, i);
            let high = cx.b.extract(component, high, i);
            *part = StructMember::Id(word_pairs::join_words(cx, low, high, scalar)?);
        }
        return Ok(cx
            .function
            .values
            .parts(parts.iter().copied().take(fields.len())));
    }
    texels::texel_result(cx, call, &handle, texel, status)
}

/// The values that a gather returns: a component of the texels, or the results of comparisons.
#[derive(Clone, Copy)]
enum Gather {
    Channel(u32),
    Compare(ValueId),
}

/// Texel offsets of a sampling operation.
#[derive(Clone, Copy)]
enum Offset {
    None,
    Constant(Id),
    Dynamic(Id),
}

/// Refuses comparisons of textures that are not of floats.
fn check_comparable(handle: &ResourceHandle<'_>) -> Result<()> {
    // Only floats can be depths.
    match texel_scalar(handle.view).class {
        TexelClass::Float => Ok(()),
        // DXIL's rules ask the annotation of the handle, which may say something else.
        TexelClass::Uint | TexelClass::Sint => Err(Error::unsupported(format!(
            "comparisons of {}, which is not of floats",
            handle.view.describe()
        ))),
    }
}

/// Refuses offsets on cube maps.
fn check_offset(handle: &ResourceHandle<'_>, offset: &Offset) -> Result<()> {
    // D3D has no offsets on cubes; SPIR-V forbids the operand.
    if !texels::is_cube(handle.view.kind) || matches!(offset, Offset::None) {
        return Ok(());
    }
    Err(Error::malformed(format!(
        "texels of {} are read at an offset",
        handle.view.describe()
    )))
}

/// Refuses gathers from resources other than 2D textures and cubes.
fn check_gatherable(handle: &ResourceHandle<'_>) -> Result<()> {
    match handle.view.kind {
        ResourceKind::Texture2D
        | ResourceKind::Texture2DArray
        | ResourceKind::TextureCube
        | ResourceKind::TextureCubeArray => Ok(()),
        _ => Err(Error::malformed(format!(
            "texels of {} are gathered",
            handle.view.describe()
        ))),
    }
}
