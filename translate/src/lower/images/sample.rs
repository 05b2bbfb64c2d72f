//! Sampling and gathering. A sampled image is made where it is used, since SPIR-V lets it live in
//! one block only.

use cranelift_entity::packed_option::PackedOption;
use dxil_frontend::dxil::ops::{Op, calls};
use dxil_frontend::dxil::{ResourceClass, ResourceKind, ShaderKind};
use dxil_frontend::ir::ValueId;

use super::texture::{Operands, is_cube, is_multisampled};
use super::types::{TexelClass, texel_scalar};
use crate::lower::Lowering;
use crate::lower::context::{Call, Part, Value};
use crate::lower::resources::variables::Handle;
use crate::options::Features;
use crate::spirv::{Capability, GLOp, Id, ImageOperands, Op as SpvOp};
use crate::{Error, Quirks, Result};

/// Which level of detail is sampled.
#[derive(Clone, Copy)]
pub(in crate::lower) enum Level {
    /// From the quad's derivatives.
    Implicit,
    /// From the quad's derivatives, plus a bias.
    Bias(ValueId),
    /// That level.
    Explicit(ValueId),
    /// The most detailed level.
    Zero,
    /// From these derivatives.
    Gradient([ValueId; 3], [ValueId; 3]),
}

/// What all sampling operations have.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Sampling {
    /// The texture.
    pub(in crate::lower) texture: ValueId,
    /// The sampler.
    pub(in crate::lower) sampler: ValueId,
    /// Coordinates.
    pub(in crate::lower) coords: [ValueId; 4],
    /// Texel offsets.
    pub(in crate::lower) offsets: [PackedOption<ValueId>; 3],
    /// Level of detail.
    pub(in crate::lower) level: Level,
    /// Reference value of a comparison.
    pub(in crate::lower) reference: Option<ValueId>,
    /// Least level of detail.
    pub(in crate::lower) clamp: PackedOption<ValueId>,
}

/// A decoded sampling operation in the common form.
fn sampling(op: &Op) -> Option<Sampling> {
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
    Some(match op {
        Op::Sample(op) => common!(op, Level::Implicit, None, op.clamp),
        Op::SampleBias(op) => common!(op, Level::Bias(op.bias), None, op.clamp),
        Op::SampleLevel(op) => common!(op, Level::Explicit(op.lod), None, none),
        Op::SampleGrad(op) => common!(op, Level::Gradient(op.ddx, op.ddy), None, op.clamp),
        Op::SampleCmp(op) => common!(op, Level::Implicit, Some(op.reference), op.clamp),
        Op::SampleCmpLevelZero(op) => common!(op, Level::Zero, Some(op.reference), none),
        Op::SampleCmpLevel(op) => {
            common!(op, Level::Explicit(op.lod), Some(op.reference), none)
        }
        Op::SampleCmpBias(op) => {
            common!(op, Level::Bias(op.bias), Some(op.reference), op.clamp)
        }
        Op::SampleCmpGrad(op) => {
            let level = Level::Gradient(op.ddx, op.ddy);
            common!(op, level, Some(op.reference), op.clamp)
        }
        _ => return None,
    })
}

impl<'a> Lowering<'a> {
    /// Any of the sampling operations.
    pub(in crate::lower) fn sample_op(&mut self, call: &Call, op: &Op) -> Result<Value> {
        match sampling(op) {
            Some(sampling) => self.sample(call, sampling),
            None => Err(Error::internal("an operation that does not sample")),
        }
    }

    fn sample(&mut self, call: &Call, op: Sampling) -> Result<Value> {
        let handle = self.image_handle(op.texture)?;
        let sampler = self.sampler_handle(op.sampler)?;
        let (space, count) = self.coordinate_counts(&handle)?;
        let f32_ty = self.b.f32();
        let mut coords = self.gather_coords(&op.coords, count, f32_ty)?;
        let level = self.available_level(op.level)?;
        // naga takes every other level for 0 and says nothing.
        let is_level_0 = match level {
            Level::Explicit(level) => self.is_zero_float(level),
            Level::Gradient(..) => false,
            Level::Implicit | Level::Bias(_) | Level::Zero => true,
        };
        if self.is_portable() && op.reference.is_some() && !is_level_0 {
            return Err(Error::unsupported(
                "a comparison at a level of detail other than 0 in portable SPIR-V",
            ));
        }
        let mut operands = Operands::new();
        let mut explicit = true;
        match level {
            Level::Implicit => explicit = false,
            Level::Bias(bias) => {
                explicit = false;
                let bias = self.id(bias)?;
                operands.push(ImageOperands::BIAS, &[bias]);
            }
            Level::Explicit(level) => {
                let level = self.id(level)?;
                let level = self.above_small_cube_mips(&handle, level)?;
                operands.push(ImageOperands::LOD, &[level]);
            }
            Level::Zero => {
                let zero = self.b.const_f32(0.0);
                operands.push(ImageOperands::LOD, &[zero]);
            }
            Level::Gradient(ddx, ddy) => {
                let ddx = self.gather_coords(&ddx, space, f32_ty)?;
                let ddy = self.gather_coords(&ddy, space, f32_ty)?;
                operands.push(ImageOperands::GRAD, &[ddx, ddy]);
            }
        }
        let sampled = self.sampled_image(&handle, &sampler)?;
        let offset = self.offset(&op.offsets, space)?;
        check_offset(&handle, &offset)?;
        match offset {
            Offset::None => {}
            Offset::Constant(id) => operands.push(ImageOperands::CONST_OFFSET, &[id]),
            Offset::Dynamic(id) if self.has(Features::MAINTENANCE8) => {
                let id = self.wrap_offset(id, space);
                self.b.capability(Capability::ImageGatherExtended);
                operands.push(ImageOperands::OFFSET, &[id]);
            }
            Offset::Dynamic(id) => {
                let id = self.wrap_offset(id, space);
                coords = self.shift_coords(&handle, sampled, coords, (space, count), id, level)?;
            }
        }
        if let Some(clamp) = op.clamp.expand()
            && !self.is_undef(clamp)
            && !self.is_zero_float(clamp)
        {
            let clamp = self.id(clamp)?;
            self.need_feature(Features::MIN_LOD, "shaderResourceMinLod", || {
                "a sample with a least level of detail".to_owned()
            })?;
            self.b.capability(Capability::MinLod);
            operands.push(ImageOperands::MIN_LOD, &[clamp]);
        }
        let residency = self.wants_residency(call);
        let Some(reference) = op.reference else {
            let instruction = if explicit {
                SpvOp::ImageSampleExplicitLod
            } else {
                SpvOp::ImageSampleImplicitLod
            };
            let ty = self.texel_vector_ty(&handle);
            let arguments = [sampled, coords];
            let (texel, status) =
                self.emit_image_read(instruction, ty, &arguments, &operands, residency);
            return self.texel_result(call, &handle, texel, status);
        };
        check_comparable(&handle)?;
        let instruction = if explicit {
            SpvOp::ImageSampleDrefExplicitLod
        } else {
            SpvOp::ImageSampleDrefImplicitLod
        };
        let reference = self.id(reference)?;
        let arguments = [sampled, coords, reference];
        let (value, status) =
            self.emit_image_read(instruction, f32_ty, &arguments, &operands, residency);
        self.scalar_result(call, value, status)
    }

    /// The level, or of a cube map the last one whose mip is 8x8 or larger, where that is asked for.
    fn above_small_cube_mips(&mut self, handle: &Handle<'a>, level: Id) -> Result<Id> {
        if !is_cube(handle.view.kind) || !self.has_quirk(Quirks::NO_SMALL_CUBE_MIPS) {
            return Ok(level);
        }
        self.b.capability(Capability::ImageQuery);
        let (word, f32_ty) = (self.b.u32(), self.b.f32());
        let count = if handle.view.kind == ResourceKind::TextureCube {
            2
        } else {
            3
        };
        let size_ty = self.b.vector(word, count);
        let zero = self.b.const_u32(0);
        let (image, _) = self.object(handle)?;
        let size = self
            .b
            .emit(SpvOp::ImageQuerySizeLod, size_ty, &[image, zero]);
        let width = self.b.extract(word, size, 0);
        // What is smaller than 8 counts as 8, and what is not there has no size.
        let eight = self.b.const_u32(8);
        let width = self.b.glsl(GLOp::UMax, word, &[width, eight]);
        let logarithm = self.b.glsl(GLOp::FindUMsb, word, &[width]);
        let three = self.b.const_u32(3);
        let last = self.b.emit(SpvOp::ISub, word, &[logarithm, three]);
        let last = self.b.emit(SpvOp::ConvertUToF, f32_ty, &[last]);
        Ok(self.b.glsl(GLOp::NMin, f32_ty, &[level, last]))
    }

    /// A comparison's result in every member of the struct.
    fn scalar_result(&mut self, call: &Call, value: Id, status: Id) -> Result<Value> {
        let fields = self.fields(call.ty)?;
        let scalar = match fields.first() {
            Some(&first) => self.scalar(first)?,
            None => return Err(Error::malformed("a comparison gives nothing")),
        };
        let value = if scalar.width() == 16 {
            let ty = self.b.float(16);
            self.b.emit(SpvOp::FConvert, ty, &[value])
        } else {
            value
        };
        let member = Part::Id(value);
        let parts = [member, member, member, member, Part::Id(status)];
        Ok(self.values.parts(parts.into_iter().take(fields.len())))
    }

    /// Image and sampler put together.
    pub(in crate::lower) fn sampled_image(
        &mut self,
        texture: &Handle<'a>,
        sampler: &Handle<'a>,
    ) -> Result<Id> {
        let view = texture.view;
        if view.class != ResourceClass::Srv || is_multisampled(view.kind) {
            return Err(Error::malformed(format!("{} is sampled", view.describe())));
        }
        let (image, image_ty) = self.object(texture)?;
        let (sampler_id, _) = self.object(sampler)?;
        let ty = self.b.sampled_image(image_ty);
        let id = self.b.emit(SpvOp::SampledImage, ty, &[image, sampler_id]);
        self.mark_non_uniform(texture, id);
        if !texture.non_uniform {
            self.mark_non_uniform(sampler, id);
        }
        Ok(id)
    }

    /// Implicit levels exist in pixel shaders, and elsewhere with compute derivatives; without
    /// them the most detailed level stands in.
    pub(in crate::lower) fn available_level(&mut self, level: Level) -> Result<Level> {
        Ok(match level {
            Level::Implicit | Level::Bias(_) if self.has_derivatives() => {
                self.require_derivatives()?;
                level
            }
            Level::Implicit => {
                self.lose_level();
                Level::Zero
            }
            Level::Bias(bias) => {
                self.lose_level();
                Level::Explicit(bias)
            }
            Level::Explicit(_) | Level::Zero | Level::Gradient(..) => level,
        })
    }

    /// Takes note of a level that is not what D3D12 has. Without whole quads it has none either.
    pub(in crate::lower) fn lose_level(&mut self) {
        if !self.has_partial_quads() {
            self.levels_lost += 1;
        }
    }

    /// Whether the stage has derivatives: a thread group needs whole quads for them.
    pub(in crate::lower) fn has_derivatives(&self) -> bool {
        self.entry.kind == ShaderKind::Pixel
            || (self.has(Features::COMPUTE_DERIVATIVES) && !self.has_partial_quads())
    }

    fn is_zero_float(&self, value: ValueId) -> bool {
        use dxil_frontend::ir::Constant;
        matches!(
            self.view.constant(value),
            Some(Constant::Null | Constant::Float(0))
        )
    }

    /// Texel offsets as an image operand.
    pub(in crate::lower) fn offset(
        &mut self,
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
            let Some(offset) = offset.expand().filter(|&offset| !self.is_undef(offset)) else {
                continue;
            };
            any = true;
            match self.constant_int(offset) {
                Some(bits) => *value = bits as u32 as i32,
                None => {
                    constant = false;
                    *id = self.id(offset)?;
                }
            }
        }
        if !any || (constant && values == [0; 3]) {
            return Ok(Offset::None);
        }
        let int_ty = self.b.int(32);
        let mut parts = [Id::NONE; 3];
        for ((part, value), id) in parts.iter_mut().zip(values).zip(ids) {
            *part = if id.is_none() {
                self.b.const_i32(value)
            } else {
                self.b.bitcast(int_ty, id)
            };
        }
        let parts = parts.get(..space as usize).unwrap_or(&parts);
        let ty = self.b.vector_or_scalar(int_ty, space);
        let [first, ..] = parts else {
            return Ok(Offset::None);
        };
        Ok(match (constant, space) {
            (true, 1) => Offset::Constant(*first),
            (true, _) => Offset::Constant(self.b.const_composite(ty, parts)),
            (false, 1) => Offset::Dynamic(*first),
            (false, _) => Offset::Dynamic(self.b.construct(ty, parts)),
        })
    }

    /// Of offsets that are not constant, D3D takes the low four bits as signed number.
    fn wrap_offset(&mut self, offset: Id, space: u32) -> Id {
        let int_ty = self.b.int(32);
        let ty = self.b.vector_or_scalar(int_ty, space);
        let zero = self.b.const_u32(0);
        let four = self.b.const_u32(4);
        self.b
            .emit(SpvOp::BitFieldSExtract, ty, &[offset, zero, four])
    }

    /// Moves normalised coordinates by texels of the level that is sampled: for targets whose
    /// image instructions take constant offsets only.
    fn shift_coords(
        &mut self,
        handle: &Handle<'a>,
        sampled: Id,
        coords: Id,
        (space, count): (u32, u32),
        offset: Id,
        level: Level,
    ) -> Result<Id> {
        self.b.capability(Capability::ImageQuery);
        let word = self.b.u32();
        let f32_ty = self.b.f32();
        let space_f32 = self.b.vector_or_scalar(f32_ty, space);
        let level = match level {
            Level::Zero => self.b.const_u32(0),
            Level::Explicit(level) => {
                let level = self.id(level)?;
                self.nearest_level(level)
            }
            Level::Implicit | Level::Bias(_) => {
                let bias = match level {
                    Level::Bias(bias) => Some(self.id(bias)?),
                    _ => None,
                };
                let pair_ty = self.b.vector(f32_ty, 2);
                let place = self.leading(coords, f32_ty, count, space);
                let lod = self
                    .b
                    .emit(SpvOp::ImageQueryLod, pair_ty, &[sampled, place]);
                let mut level = self.b.extract(f32_ty, lod, 0);
                if let Some(bias) = bias {
                    level = self.b.emit(SpvOp::FAdd, f32_ty, &[level, bias]);
                }
                self.nearest_level(level)
            }
            // The derivatives choose the level in hardware; the most detailed one is the best guess.
            Level::Gradient(..) => self.b.const_u32(0),
        };
        let (image, _) = self.object(handle)?;
        let size_ty = self.b.vector_or_scalar(word, count);
        let size = self
            .b
            .emit(SpvOp::ImageQuerySizeLod, size_ty, &[image, level]);
        let size = self.leading(size, word, count, space);
        let size = self.b.emit(SpvOp::ConvertUToF, space_f32, &[size]);
        let offset = self.b.emit(SpvOp::ConvertSToF, space_f32, &[offset]);
        let step = self.b.emit(SpvOp::FDiv, space_f32, &[offset, size]);
        if space == count {
            return Ok(self.b.emit(SpvOp::FAdd, space_f32, &[coords, step]));
        }
        let place = self.leading(coords, f32_ty, count, space);
        let moved = self.b.emit(SpvOp::FAdd, space_f32, &[place, step]);
        let layer = self.b.extract(f32_ty, coords, space);
        let ty = self.b.vector(f32_ty, count);
        Ok(self.b.construct(ty, &[moved, layer]))
    }

    fn nearest_level(&mut self, level: Id) -> Id {
        let f32_ty = self.b.f32();
        let word = self.b.u32();
        let zero = self.b.const_f32(0.0);
        let level = self
            .b
            .glsl(crate::spirv::GLOp::FMax, f32_ty, &[level, zero]);
        let level = self.b.glsl(crate::spirv::GLOp::RoundEven, f32_ty, &[level]);
        self.b.emit(SpvOp::ConvertFToU, word, &[level])
    }

    /// The first components of a vector.
    fn leading(&mut self, vector: Id, scalar: Id, have: u32, want: u32) -> Id {
        if have == want {
            return vector;
        }
        if want == 1 {
            return self.b.extract(scalar, vector, 0);
        }
        let ty = self.b.vector(scalar, want);
        let mut words = [vector.0, vector.0, 0, 1, 2];
        let len = 2 + want.min(3) as usize;
        let words = words.get_mut(..len).unwrap_or_default();
        self.b.emit(SpvOp::VectorShuffle, ty, words)
    }

    /// `textureGather`.
    pub(in crate::lower) fn texture_gather(
        &mut self,
        call: &Call,
        op: &calls::TextureGather,
    ) -> Result<Value> {
        self.gather(
            call,
            (op.texture, op.sampler),
            op.coords,
            op.offsets,
            Gather::Channel(op.channel),
        )
    }

    /// `textureGatherRaw` (SM 6.7): whole texels of one integer component.
    pub(in crate::lower) fn texture_gather_raw(
        &mut self,
        call: &Call,
        op: &calls::TextureGatherRaw,
    ) -> Result<Value> {
        self.gather(
            call,
            (op.texture, op.sampler),
            op.coords,
            op.offsets,
            Gather::Channel(0),
        )
    }

    /// `textureGatherCmp`.
    pub(in crate::lower) fn texture_gather_cmp(
        &mut self,
        call: &Call,
        op: &calls::TextureGatherCmp,
    ) -> Result<Value> {
        self.gather(
            call,
            (op.texture, op.sampler),
            op.coords,
            op.offsets,
            Gather::Compare(op.reference),
        )
    }

    fn gather(
        &mut self,
        call: &Call,
        (texture, sampler): (ValueId, ValueId),
        coords: [ValueId; 4],
        offsets: [PackedOption<ValueId>; 2],
        what: Gather,
    ) -> Result<Value> {
        let handle = self.image_handle(texture)?;
        let sampler = self.sampler_handle(sampler)?;
        let (space, count) = self.coordinate_counts(&handle)?;
        let f32_ty = self.b.f32();
        let coords = self.gather_coords(&coords, count, f32_ty)?;
        let mut operands = Operands::new();
        check_gatherable(&handle)?;
        let offset = self.offset(&offsets, space.min(2))?;
        check_offset(&handle, &offset)?;
        match offset {
            Offset::None => {}
            Offset::Constant(id) => operands.push(ImageOperands::CONST_OFFSET, &[id]),
            Offset::Dynamic(id) => {
                self.need_feature(
                    Features::IMAGE_GATHER_EXTENDED,
                    "shaderImageGatherExtended",
                    || "a gather with an offset that is not constant".to_owned(),
                )?;
                self.b.capability(Capability::ImageGatherExtended);
                operands.push(ImageOperands::OFFSET, &[id]);
            }
        }
        let sampled = self.sampled_image(&handle, &sampler)?;
        let residency = self.wants_residency(call);
        let ty = self.texel_vector_ty(&handle);
        let (instruction, last) = match what {
            Gather::Channel(channel) => (SpvOp::ImageGather, self.b.const_u32(channel)),
            Gather::Compare(reference) => {
                check_comparable(&handle)?;
                (SpvOp::ImageDrefGather, self.id(reference)?)
            }
        };
        let arguments = [sampled, coords, last];
        let (texel, status) =
            self.emit_image_read(instruction, ty, &arguments, &operands, residency);
        let fields = self.fields(call.ty)?;
        if let (Gather::Channel(0), Some(&first)) = (what, fields.first())
            && self.scalar(first)?.bits() == 64
            && texel_scalar(handle.view).bits == 32
        {
            // Raw 64-bit texels are pairs of 32-bit components.
            let scalar = self.scalar(first)?;
            let arguments = [sampled, coords, self.b.const_u32(1)];
            let (high, _) = self.emit_image_read(instruction, ty, &arguments, &operands, false);
            let component = self.texel_scalar_ty(&handle);
            let mut parts = [Part::Id(status); 5];
            for (i, part) in (0..4).zip(&mut parts) {
                let low = self.b.extract(component, texel, i);
                let high = self.b.extract(component, high, i);
                *part = Part::Id(self.join_words(low, high, scalar)?);
            }
            return Ok(self.values.parts(parts.into_iter().take(fields.len())));
        }
        self.texel_result(call, &handle, texel, status)
    }
}

/// What is gathered.
#[derive(Clone, Copy)]
enum Gather {
    Channel(u32),
    Compare(ValueId),
}

/// Texel offsets of a sampling operation.
#[derive(Clone, Copy)]
pub(in crate::lower) enum Offset {
    None,
    Constant(Id),
    Dynamic(Id),
}

/// Only textures of floats are compared with a reference.
fn check_comparable(handle: &Handle<'_>) -> Result<()> {
    match texel_scalar(handle.view).class {
        TexelClass::Float => Ok(()),
        TexelClass::Uint | TexelClass::Sint => Err(Error::malformed(format!(
            "texels of {} are compared",
            handle.view.describe()
        ))),
    }
}

/// Faces of a cube have no offsets.
fn check_offset(handle: &Handle<'_>, offset: &Offset) -> Result<()> {
    if !is_cube(handle.view.kind) || matches!(offset, Offset::None) {
        return Ok(());
    }
    Err(Error::malformed(format!(
        "texels of {} are read at an offset",
        handle.view.describe()
    )))
}

/// Four texels are gathered from a plane or a face.
fn check_gatherable(handle: &Handle<'_>) -> Result<()> {
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
