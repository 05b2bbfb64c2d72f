//! Texture loads and stores, and what texels have in common with sampling: coordinates, results,
//! residency.

use cranelift_entity::packed_option::PackedOption;
use dxil_frontend::dxil::ops::calls;
use dxil_frontend::dxil::{ResourceClass, ResourceKind};
use dxil_frontend::ir::ValueId;

use super::image_types::{TexelClass, dimensions, texel_scalar};
use super::texel_bounds::{self, Texel};
use crate::interface::ViewShape;
use crate::lower::buffers::typed;
use crate::lower::context::{Context, FunctionState};
use crate::lower::resources::pointers;
use crate::lower::resources::resource_variables::{self, Handle};
use crate::lower::type_map::Scalar;
use crate::lower::values::{Call, Part, Value};
use crate::lower::{blocks, types};
use crate::options::Features;
use crate::spirv::{Builder, Capability, Dim, Id, ImageOperands, Op};
use crate::{Error, Result};

/// Image operands under construction: bits and their words, in the order of the bits.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Operands {
    bits: ImageOperands,
    words: [Id; 6],
    len: usize,
}

impl Operands {
    /// None.
    pub(in crate::lower) fn new() -> Self {
        Operands {
            bits: ImageOperands::empty(),
            words: [Id::NONE; 6],
            len: 0,
        }
    }

    /// Adds an operand; they have to come in the order of their bits.
    pub(in crate::lower) fn push(&mut self, bit: ImageOperands, ids: &[Id]) {
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

/// Number of coordinates of an image: of its space, and with the layer.
pub(super) fn coordinate_counts<'a>(handle: &Handle<'a>) -> Result<(u32, u32)> {
    let (dim, arrayed, _) = dimensions(handle.view.kind).ok_or_else(|| {
        Error::malformed(format!("{} is used as a texture", handle.view.describe()))
    })?;
    let space = match dim {
        Dim::Dim1D | Dim::DimBuffer => 1,
        Dim::Dim2D => 2,
        _ => 3,
    };
    Ok((space, space + u32::from(arrayed)))
}

/// A vector of the first `count` values; undefined ones are zero.
pub(super) fn gather_coords(
    cx: &mut Context<'_>,
    values: &[ValueId],
    count: u32,
    ty: Id,
) -> Result<Id> {
    let mut ids = [Id::NONE; 4];
    for (id, &value) in ids.iter_mut().zip(values).take(count as usize) {
        *id = if cx.function.is_undef(value) {
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

/// Integer coordinates of a texel.
pub(in crate::lower) fn integer_coords<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    coords: [ValueId; 3],
) -> Result<Id> {
    if is_cube(handle.view.kind) {
        return Err(Error::malformed(format!(
            "a texel of {} is named by integers",
            handle.view.describe()
        )));
    }
    let (_, count) = coordinate_counts(handle)?;
    let ty = cx.b.u32();
    gather_coords(cx, &coords, count, ty)
}

/// Emits an image instruction that reads, with residency where somebody looks at it. Gives
/// the texel and the status.
pub(super) fn emit_image_read(
    cx: &mut Context<'_>,
    op: Op,
    ty: Id,
    arguments: &[Id],
    operands: &Operands,
    residency: bool,
) -> (Id, Id) {
    let mut words = [0_u32; 12];
    for (word, id) in words.iter_mut().zip(arguments) {
        *word = id.0;
    }
    let len = operands.append(&mut words, arguments.len());
    let words = words.get(..len).unwrap_or(&words);
    if !residency || !cx.input.has(Features::SPARSE_RESIDENCY) {
        let texel = cx.b.emit(op, ty, words);
        return (texel, cx.b.const_u32(1));
    }
    cx.b.capability(Capability::SparseResidency);
    let word = cx.b.u32();
    let pair_ty = cx.b.struct_type(&[word, ty]);
    let pair = cx.b.emit(sparse(op), pair_ty, words);
    let code = cx.b.extract(word, pair, 0);
    let texel = cx.b.extract(ty, pair, 1);
    let bool_ty = cx.b.bool();
    let resident = cx.b.emit(Op::ImageSparseTexelsResident, bool_ty, &[code]);
    let one = cx.b.const_u32(1);
    let zero = cx.b.const_u32(0);
    let status = cx.b.select(word, resident, one, zero);
    (texel, status)
}

/// Whether the status member of a texel struct is looked at.
pub(super) fn wants_residency(function: &FunctionState<'_>, call: &Call) -> bool {
    call.result
        .is_some_and(|result| function.used_members(result) >> 4 & 1 != 0)
}

/// A texel vector and a status as the struct that DXIL's loads give.
pub(in crate::lower) fn texel_result<'a>(
    cx: &mut Context<'a>,
    call: &Call,
    handle: &Handle<'a>,
    texel: Id,
    status: Id,
) -> Result<Value> {
    let fields = types::fields(&cx.input, call.ty)?;
    let Some(&first) = fields.first() else {
        return Err(Error::malformed("a texture operation gives nothing"));
    };
    // Four components and the status.
    let is_texel = match fields.get(4) {
        Some(&status) => types::scalar(cx, status)? == Scalar::U32,
        None => false,
    };
    if !is_texel {
        return Err(Error::malformed("a texture operation gives no texel"));
    }
    let scalar = types::scalar(cx, first)?;
    let composite = from_texel(&mut cx.b, handle, texel, scalar, 4)?;
    let member = |index| Part::Member { composite, index };
    let parts = [member(0), member(1), member(2), member(3), Part::Id(status)];
    Ok(cx
        .function
        .values
        .parts(parts.into_iter().take(fields.len())))
}

/// Texel components in the representation of the shader's type.
fn from_texel<'a>(
    b: &mut Builder,
    handle: &Handle<'a>,
    texel: Id,
    scalar: Scalar,
    count: u32,
) -> Result<Id> {
    let texels = texel_scalar(handle.view);
    let word = b.u32();
    let f32_ty = b.f32();
    Ok(match (texels.class, scalar) {
        (TexelClass::Float, Scalar::Float { width: 32, .. }) => texel,
        (TexelClass::Float, Scalar::Float { width: 16, .. }) => {
            let half = b.float(16);
            let ty = b.vector_or_scalar(half, count);
            b.emit(Op::FConvert, ty, &[texel])
        }
        (TexelClass::Uint, Scalar::Int { width, .. }) if width == texels.bits => texel,
        (TexelClass::Sint, Scalar::Int { width, .. }) if width == texels.bits => {
            let scalar_ty = b.uint(width);
            let ty = b.vector_or_scalar(scalar_ty, count);
            b.bitcast(ty, texel)
        }
        (TexelClass::Uint | TexelClass::Sint, Scalar::Int { width: 16, .. })
            if texels.bits == 32 =>
        {
            let short = b.uint(16);
            let ty = b.vector_or_scalar(short, count);
            b.emit(Op::UConvert, ty, &[texel])
        }
        (TexelClass::Uint | TexelClass::Sint, Scalar::Int { width: 32, .. })
            if texels.bits == 64 =>
        {
            wide_texel_as_pair(b, handle, texel)
        }
        // An integer view of a float resource (for its atomics), or the reverse.
        (TexelClass::Uint | TexelClass::Sint, Scalar::Float { width: 32, .. })
            if texels.bits == 32 =>
        {
            let ty = b.vector_or_scalar(f32_ty, count);
            b.bitcast(ty, texel)
        }
        (TexelClass::Float, Scalar::Int { width: 32, .. }) => {
            let ty = b.vector_or_scalar(word, count);
            b.bitcast(ty, texel)
        }
        _ => {
            return Err(Error::unsupported(format!(
                "{} read as {scalar:?}",
                handle.view.describe()
            )));
        }
    })
}

/// A 64-bit texel as the pair of 32-bit components that the shader declares.
fn wide_texel_as_pair<'a>(b: &mut Builder, handle: &Handle<'a>, texel: Id) -> Id {
    let wide = typed::texel_scalar_ty(b, handle);
    let word = b.u32();
    let pair_ty = b.vector(word, 2);
    let four_ty = b.vector(word, 4);
    let bits = b.extract(wide, texel, 0);
    let pair = b.bitcast(pair_ty, bits);
    let zero = b.const_u32(0);
    let one = b.const_u32(1);
    b.construct(four_ty, &[pair, zero, one])
}

/// Four values as the texel vector that an image store takes.
pub(in crate::lower) fn texel_operand<'a>(
    cx: &mut Context<'a>,
    handle: &Handle<'a>,
    values: [ValueId; 4],
) -> Result<Id> {
    let scalar = types::scalar(cx, cx.function.type_of(values[0])?)?;
    let texels = texel_scalar(handle.view);
    let target = typed::texel_scalar_ty(&mut cx.b, handle);
    let f32_ty = cx.b.f32();
    if texels.bits == 64 && scalar.width() == 32 {
        let word = cx.b.u32();
        let pair_ty = cx.b.vector(word, 2);
        let [low, high, ..] = values;
        let parts = [low, high].map(|value| match cx.function.is_undef(value) {
            true => Ok(cx.b.const_u32(0)),
            false => cx.id(value),
        });
        let [low, high] = parts;
        let (low, high) = (low?, high?);
        let pair = cx.b.construct(pair_ty, &[low, high]);
        let wide = cx.b.bitcast(target, pair);
        // The format has one component. Drivers whose image has two words take the second one from
        // the next component.
        let unsigned = cx.b.uint(64);
        let second = cx.b.emit(Op::UConvert, unsigned, &[high]);
        let second = as_texel_int(&mut cx.b, second, texels.class, target);
        let zero = cx.b.const_null(target);
        let vector = cx.b.vector(target, 4);
        return Ok(cx.b.construct(vector, &[wide, second, zero, zero]));
    }
    let mut ids = [Id::NONE; 4];
    for (slot, value) in ids.iter_mut().zip(values) {
        if cx.function.is_undef(value) {
            *slot = cx.b.const_null(target);
            continue;
        }
        let id = cx.id(value)?;
        *slot = match (texels.class, scalar) {
            (TexelClass::Float, Scalar::Float { width: 16, .. }) => {
                cx.b.emit(Op::FConvert, f32_ty, &[id])
            }
            (TexelClass::Float, Scalar::Float { width: 32, .. }) => id,
            (TexelClass::Uint | TexelClass::Sint, Scalar::Int { bits, width })
                if texels.bits == 32 =>
            {
                let signed = texels.class == TexelClass::Sint;
                let word = typed::extend_to_word(&mut cx.b, id, bits, width, signed);
                as_texel_int(&mut cx.b, word, texels.class, target)
            }
            (TexelClass::Uint | TexelClass::Sint, Scalar::Int { width: 64, .. }) => {
                as_texel_int(&mut cx.b, id, texels.class, target)
            }
            (_, Scalar::Float { width: 32, .. } | Scalar::Int { width: 32, .. })
                if texels.bits == 32 =>
            {
                cx.b.bitcast(target, id)
            }
            _ => {
                return Err(Error::unsupported(format!(
                    "{scalar:?} written to {}",
                    handle.view.describe()
                )));
            }
        };
    }
    let vector = cx.b.vector(target, 4);
    Ok(cx.b.construct(vector, &ids))
}

fn as_texel_int(b: &mut Builder, id: Id, class: TexelClass, ty: Id) -> Id {
    if class == TexelClass::Sint {
        b.bitcast(ty, id)
    } else {
        id
    }
}

/// `textureLoad`.
pub(in crate::lower) fn load(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::TextureLoad,
) -> Result<Value> {
    let handle = image_handle(cx, op.texture)?;
    let storage = handle.view.class == ResourceClass::Uav;
    let mut coords = integer_coords(cx, &handle, op.coords)?;
    let (space, count) = coordinate_counts(&handle)?;
    coords = add_texel_offset(cx, coords, op.offsets, space, count)?;
    let multisampled = is_multisampled(handle.view.kind);
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
    let inside = texel_bounds::is_inside(cx, &handle, &at)?;
    if let Some(inside) = inside {
        at = texel_bounds::or_first_texel(cx, &handle, at, inside)?;
    }
    let mut operands = Operands::new();
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
    let ty = typed::texel_vector_ty(&mut cx.b, &handle);
    let residency = wants_residency(&cx.function, call);
    let words = [image, at.coords];
    let (mut texel, status) = emit_image_read(cx, instruction, ty, &words, &operands, residency);
    if let Some(inside) = inside {
        texel = texel_bounds::or_zero_texel(cx, ty, inside, texel);
    }
    texel_result(cx, call, &handle, texel, status)
}

/// Texel offsets are plain sums: out of range is out of bounds either way.
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

/// `textureStore`.
pub(in crate::lower) fn store(cx: &mut Context<'_>, op: &calls::TextureStore) -> Result<Value> {
    store_image(cx, op.texture, op.coords, op.values, None)
}

/// `textureStoreSample` (SM 6.7).
pub(in crate::lower) fn store_sample(
    cx: &mut Context<'_>,
    op: &calls::TextureStoreSample,
) -> Result<Value> {
    store_image(cx, op.texture, op.coords, op.values, Some(op.sample))
}

fn store_image(
    cx: &mut Context<'_>,
    texture: ValueId,
    coords: [ValueId; 3],
    values: [ValueId; 4],
    sample: Option<ValueId>,
) -> Result<Value> {
    let handle = image_handle(cx, texture)?;
    if handle.view.class != ResourceClass::Uav {
        return Err(Error::malformed(format!(
            "a store to {}",
            handle.view.describe()
        )));
    }
    let coords = integer_coords(cx, &handle, coords)?;
    let texel = texel_operand(cx, &handle, values)?;
    let sample = match sample {
        Some(sample) => Some(cx.id(sample)?),
        None if is_multisampled(handle.view.kind) => Some(cx.b.const_u32(0)),
        None => None,
    };
    let (image, _) = pointers::load_object(cx, &handle)?;
    let at = Texel {
        sample,
        ..Texel::at(image, coords)
    };
    let inside = texel_bounds::is_inside(cx, &handle, &at)?;
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
    Ok(Value::Unset)
}

/// A handle that has to be a sampler.
pub(super) fn sampler_handle<'a>(cx: &mut Context<'a>, value: ValueId) -> Result<Handle<'a>> {
    let handle = resource_variables::handle_of(cx, value)?;
    if handle.view.shape == ViewShape::Sampler {
        return Ok(handle);
    }
    Err(Error::malformed(format!(
        "{} is used as a sampler",
        handle.view.describe()
    )))
}

/// A handle that has to be an image.
pub(super) fn image_handle<'a>(cx: &mut Context<'a>, value: ValueId) -> Result<Handle<'a>> {
    let handle = resource_variables::handle_of(cx, value)?;
    if handle.view.shape == ViewShape::Image && handle.view.feedback.is_none() {
        return Ok(handle);
    }
    Err(Error::malformed(format!(
        "{} is used as a texture",
        handle.view.describe()
    )))
}

/// Whether a texture is a cube or an array of them.
pub(super) fn is_cube(kind: ResourceKind) -> bool {
    matches!(
        kind,
        ResourceKind::TextureCube | ResourceKind::TextureCubeArray
    )
}

/// Whether a texture has several samples.
pub(super) fn is_multisampled(kind: ResourceKind) -> bool {
    matches!(
        kind,
        ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray
    )
}

/// The form of an image instruction that tells residency.
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
