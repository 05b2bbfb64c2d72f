//! Texture loads and stores, and what they share with sampling: coordinates, results, residency.

use cranelift_entity::packed_option::PackedOption;
use dxil_frontend::dxil::ResourceClass;
use dxil_frontend::dxil::ops::calls;
use dxil_frontend::ir::ValueId;

use super::texel_bounds::{self, Texel};
use crate::interface::{Representation, View};
use crate::lower::blocks;
use crate::lower::context::{Context, Input};
use crate::lower::images::texels;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::resources::{handle_values, pointers};
use crate::lower::values::{Call, LoweredValue};
use crate::options::Features;
use crate::spirv::{Builder, Capability, Id, ImageOperands, Op};
use crate::{Error, Result};

/// Image operands that are being collected: bits and their words, in the order of the bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct ImageOperandList {
    bits: ImageOperands,
    words: [Id; 6],
    len: usize,
}

impl ImageOperandList {
    /// Returns an empty list.
    pub(super) fn new() -> Self {
        ImageOperandList {
            bits: ImageOperands::empty(),
            words: [Id::NONE; 6],
            len: 0,
        }
    }

    /// Adds an operand; they have to come in the order of their bits.
    pub(super) fn push(&mut self, bit: ImageOperands, ids: &[Id]) {
        self.bits |= bit;
        for &id in ids {
            if let Some(word) = self.words.get_mut(self.len) {
                *word = id;
                self.len += 1;
            }
        }
    }

    /// Appends the mask and the operands to an instruction's words.
    fn append(&self, words: &mut [u32; 12], at: usize) -> usize {
        if self.bits.is_empty() {
            return at;
        }
        let ids = self.words.iter().take(self.len).map(|id| id.0);
        let mut end = at;
        for (slot, word) in words
            .iter_mut()
            .skip(at)
            .zip(std::iter::once(self.bits.bits()).chain(ids))
        {
            *slot = word;
            end += 1;
        }
        end
    }
}

/// Returns a vector of the first `count` values; undefined ones are zero.
pub(super) fn gather_coords(
    cx: &mut Context<'_>,
    values: &[ValueId],
    count: u32,
    ty: Id,
) -> Result<Id> {
    let mut ids = [Id::NONE; 4];
    for (id, &value) in ids.iter_mut().zip(values).take(count as usize) {
        *id = if cx.function.is_undef(value) {
            // Coordinates beyond the texture's dimensions are `undef` in DXIL.
            cx.b.const_null(ty)
        } else {
            cx.id(value)?
        };
    }
    let [first, ..] = ids;
    if count == 1 {
        return Ok(first);
    }
    let vector = cx.b.vector(ty, count);
    let parts = ids.get(..count as usize).unwrap_or(&ids);
    Ok(cx.b.construct(vector, parts))
}

/// Returns the integer coordinates of a texel.
pub(in crate::lower) fn integer_coords<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    coords: [ValueId; 3],
) -> Result<Id> {
    if texels::is_cube(handle.view.kind) {
        return Err(Error::malformed(format!(
            "a texel of {} is named by integers",
            handle.view.describe()
        )));
    }
    let (_, count) = texels::coordinate_counts(handle)?;
    let ty = cx.b.u32();
    gather_coords(cx, &coords, count, ty)
}

/// Emits an image instruction that reads, with residency if the shader uses the status. Returns the
/// texel and the status.
pub(super) fn emit_image_read(
    b: &mut Builder,
    input: &Input<'_>,
    op: Op,
    ty: Id,
    arguments: &[Id],
    operands: &ImageOperandList,
    residency: bool,
) -> (Id, Id) {
    let mut words = [0_u32; 12];
    for (word, id) in words.iter_mut().zip(arguments) {
        *word = id.0;
    }
    let len = operands.append(&mut words, arguments.len());
    let words = words.get(..len).unwrap_or(&words);
    if !residency || !input.has(Features::SPARSE_RESIDENCY) {
        let texel = b.emit(op, ty, words);
        return (texel, b.const_u32(1));
    }
    b.capability(Capability::SparseResidency);
    let word = b.u32();
    let pair_ty = b.struct_type(&[word, ty]);
    let pair = b.emit(sparse(op), pair_ty, words);
    let code = b.extract(word, pair, 0);
    let texel = b.extract(ty, pair, 1);
    let bool_ty = b.bool();
    let resident = b.emit(Op::ImageSparseTexelsResident, bool_ty, &[code]);
    let one = b.const_u32(1);
    let zero = b.const_u32(0);
    let status = b.select(word, resident, one, zero);
    (texel, status)
}

/// Lowers `textureLoad`.
pub(super) fn load(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::TextureLoad,
) -> Result<LoweredValue> {
    let handle = handle_values::handle_of(cx, op.texture)?;
    if let Representation::Attachment(_) = handle.view.representation {
        return load_attachment(cx, call, op, &handle);
    }
    let handle = image_handle(cx, op.texture)?;
    let storage = handle.view.class == ResourceClass::Uav;
    let mut coords = integer_coords(cx, &handle, op.coords)?;
    let (space, count) = texels::coordinate_counts(&handle)?;
    coords = add_texel_offset(cx, coords, op.offsets, space, count)?;
    let multisampled = texels::is_multisampled(handle.view.kind);
    // The operand is a mip for textures, a sample for multisampled ones, and unused for storage
    // images.
    let extra = match op.mip_or_sample.expand() {
        Some(value) if !cx.function.is_undef(value) => cx.id(value)?,
        _ => cx.b.const_u32(0),
    };
    let (image, _) = pointers::load_object(cx, &handle)?;
    let mut at = Texel {
        image,
        coords,
        level: Some(extra).filter(|_| !multisampled && !storage),
        sample: Some(extra).filter(|_| multisampled),
    };
    let inside = texel_bounds::is_inside(&mut cx.b, &cx.input, &handle, &at)?;
    if let Some(inside) = inside {
        at = texel_bounds::or_first_texel(&mut cx.b, &handle, at, inside)?;
    }
    let mut operands = ImageOperandList::new();
    if let Some(sample) = at.sample {
        operands.push(ImageOperands::SAMPLE, &[sample]);
    } else if let Some(level) = at.level {
        operands.push(ImageOperands::LOD, &[level]);
    }
    let instruction = if storage {
        Op::ImageRead
    } else {
        Op::ImageFetch
    };
    let ty = texels::texel_vector_ty(&mut cx.b, &handle);
    let residency = texels::wants_residency(&cx.function, call);
    let words = [image, at.coords];
    let (mut texel, status) = emit_image_read(
        &mut cx.b,
        &cx.input,
        instruction,
        ty,
        &words,
        &operands,
        residency,
    );
    if let Some(inside) = inside {
        texel = texel_bounds::or_zero_texel(&mut cx.b, ty, inside, texel);
    }
    texels::texel_result(cx, call, &handle, texel, status)
}

/// Reads an input attachment: the pixel's own texel, so that coordinates and level do not count.
fn load_attachment<'a>(
    cx: &mut Context<'a>,
    call: &Call,
    op: &calls::TextureLoad,
    handle: &ResourceHandle<'a>,
) -> Result<LoweredValue> {
    let (image, _) = pointers::load_object(cx, handle)?;
    let mut operands = ImageOperandList::new();
    if texels::is_multisampled(handle.view.kind) {
        let sample = match op.mip_or_sample.expand() {
            Some(value) if !cx.function.is_undef(value) => cx.id(value)?,
            _ => cx.b.const_u32(0),
        };
        operands.push(ImageOperands::SAMPLE, &[sample]);
    }
    // The coordinates are relative to the pixel (SPIR-V, OpImageRead of SubpassData).
    let word = cx.b.int(32);
    let pair = cx.b.vector(word, 2);
    let here = cx.b.const_null(pair);
    let ty = texels::texel_vector_ty(&mut cx.b, handle);
    let (texel, status) = emit_image_read(
        &mut cx.b,
        &cx.input,
        Op::ImageRead,
        ty,
        &[image, here],
        &operands,
        // Attachments have memory.
        false,
    );
    texels::texel_result(cx, call, handle, texel, status)
}

/// Returns the error of an operation that input attachments do not have.
pub(super) fn attachment_unsupported(view: &View) -> Error {
    Error::unsupported(format!(
        "an operation other than Load on {}, an input attachment",
        view.describe()
    ))
}

/// Adds the texel offset to the coordinates: an offset out of range is out of bounds either way.
fn add_texel_offset(
    cx: &mut Context<'_>,
    coords: Id,
    offsets: [PackedOption<ValueId>; 3],
    space: u32,
    count: u32,
) -> Result<Id> {
    let mut ids = [cx.b.const_u32(0); 4];
    let mut any = false;
    for (id, offset) in ids.iter_mut().zip(offsets).take(space as usize) {
        if let Some(offset) = offset.expand()
            && !cx.function.is_undef(offset)
        {
            *id = cx.id(offset)?;
            any |= cx.b.literal(*id) != Some(0);
        }
    }
    if !any {
        return Ok(coords);
    }
    // Sums wrap like coordinates: a negative sum is a large unsigned number, which is out of
    // bounds.
    let word = cx.b.u32();
    let [first, ..] = ids;
    if count == 1 {
        return Ok(cx.b.u32_add(coords, first));
    }
    let ty = cx.b.vector(word, count);
    let offset =
        cx.b.construct(ty, ids.get(..count as usize).unwrap_or(&ids));
    Ok(cx.b.emit(Op::IAdd, ty, &[coords, offset]))
}

/// Lowers `textureStore`.
pub(super) fn store(cx: &mut Context<'_>, op: &calls::TextureStore) -> Result<LoweredValue> {
    store_image(cx, op.texture, op.coords, op.values, None)
}

/// Lowers `textureStoreSample` (SM 6.7).
pub(super) fn store_sample(
    cx: &mut Context<'_>,
    op: &calls::TextureStoreSample,
) -> Result<LoweredValue> {
    store_image(cx, op.texture, op.coords, op.values, Some(op.sample))
}

fn store_image(
    cx: &mut Context<'_>,
    texture: ValueId,
    coords: [ValueId; 3],
    values: [ValueId; 4],
    sample: Option<ValueId>,
) -> Result<LoweredValue> {
    let handle = image_handle(cx, texture)?;
    // Only UAVs can be stored to; the frontend does not compare operations with classes.
    if handle.view.class != ResourceClass::Uav {
        return Err(Error::malformed(format!(
            "a store to {}",
            handle.view.describe()
        )));
    }
    let coords = integer_coords(cx, &handle, coords)?;
    let texel = texels::texel_operand(cx, &handle, values)?;
    let sample = match sample {
        Some(sample) => Some(cx.id(sample)?),
        // A store without a sample writes sample 0.
        None if texels::is_multisampled(handle.view.kind) => Some(cx.b.const_u32(0)),
        None => None,
    };
    let (image, _) = pointers::load_object(cx, &handle)?;
    let at = Texel {
        sample,
        ..Texel::at(image, coords)
    };
    let inside = texel_bounds::is_inside(&mut cx.b, &cx.input, &handle, &at)?;
    let guard = inside.map(|inside| blocks::begin_if(cx, inside));
    match sample {
        Some(sample) => {
            let bits = ImageOperands::SAMPLE.bits();
            let words = [image.0, coords.0, texel.0, bits, sample.0];
            cx.b.emit_void(Op::ImageWrite, &words);
        }
        None => cx.b.emit_void(Op::ImageWrite, &[image, coords, texel]),
    }
    if let Some(guard) = guard {
        blocks::end_if(cx, guard);
    }
    Ok(LoweredValue::Unset)
}

/// Returns a handle that has to be a sampler.
pub(super) fn sampler_handle<'a>(
    cx: &mut Context<'a>,
    value: ValueId,
) -> Result<ResourceHandle<'a>> {
    let handle = handle_values::handle_of(cx, value)?;
    if handle.view.representation == Representation::Sampler {
        return Ok(handle);
    }
    Err(Error::malformed(format!(
        "{} is used as a sampler",
        handle.view.describe()
    )))
}

/// Returns a handle that has to be an image.
pub(super) fn image_handle<'a>(cx: &mut Context<'a>, value: ValueId) -> Result<ResourceHandle<'a>> {
    let handle = handle_values::handle_of(cx, value)?;
    // A feedback map is an image for its own operations only.
    if handle.view.representation == Representation::Image && handle.view.feedback.is_none() {
        return Ok(handle);
    }
    if let Representation::Attachment(_) = handle.view.representation {
        return Err(attachment_unsupported(handle.view));
    }
    Err(Error::malformed(format!(
        "{} is used as a texture",
        handle.view.describe()
    )))
}

/// Returns the sparse form of an image instruction, which returns residency.
fn sparse(op: Op) -> Op {
    match op {
        Op::ImageSampleImplicitLod => Op::ImageSparseSampleImplicitLod,
        Op::ImageSampleExplicitLod => Op::ImageSparseSampleExplicitLod,
        Op::ImageSampleDrefImplicitLod => Op::ImageSparseSampleDrefImplicitLod,
        Op::ImageSampleDrefExplicitLod => Op::ImageSparseSampleDrefExplicitLod,
        Op::ImageFetch => Op::ImageSparseFetch,
        Op::ImageGather => Op::ImageSparseGather,
        Op::ImageDrefGather => Op::ImageSparseDrefGather,
        Op::ImageRead => Op::ImageSparseRead,
        other => other,
    }
}

/// Lowers `checkAccessFullyMapped`: loads give their status as 0 or 1.
pub(super) fn check_access_fully_mapped(
    cx: &mut Context<'_>,
    op: &calls::CheckAccessFullyMapped,
) -> Result<LoweredValue> {
    let status = cx.id(op.status)?;
    let id = match cx.b.literal(status) {
        Some(value) => cx.b.const_bool(value != 0),
        None => {
            let zero = cx.b.const_u32(0);
            let ty = cx.b.bool();
            cx.b.emit(Op::INotEqual, ty, &[status, zero])
        }
    };
    Ok(LoweredValue::Id(id))
}
