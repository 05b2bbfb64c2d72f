//! Sampler feedback (SM 6.5), emulated: Vulkan has no feedback maps, so a storage image stands for one
//! (DirectX specs, "Sampler Feedback"). Its format is `R32Uint`, as told here, or what
//! `feedback_neighbours` tells.
//!
//! The image has a texel for each mip region of the texture's most detailed mip, that is
//! `ceil(texture / region)` texels each way, and a layer for each of the texture's. The region's size
//! is not bound: it is the least power of two with which the two sizes agree. A texel holds
//!
//! - `MIN_MIP`: the most detailed mip that was asked for in the region: cleared to all ones (or 255),
//!   lowered by atomic minimum;
//! - `MIP_REGION_USED`: one bit per mip, lowest the most detailed one: cleared to 0. Bit `m` of texel
//!   (x, y) is region (x, y) of mip `m`, whose grid is smaller than the image.
//!
//! D3D lets an implementation record more than was sampled. What is recorded is the footprint of a
//! bilinear filter in each of the mips that a trilinear one reads; the sampler's own filter and its
//! anisotropy are not known here. Coordinates beyond 0 and 1 wrap.

use cranelift_entity::packed_option::PackedOption;
use dxil_frontend::dxil::SamplerFeedbackKind;
use dxil_frontend::dxil::ops::Op;
use dxil_frontend::ir::ValueId;

use super::feedback_neighbours::Sample;
use super::sample::Level;
use crate::interface::Shape;
use crate::lower::Lowering;
use crate::lower::context::Value;
use crate::lower::resources::variables::Handle;
use crate::marked_atomics::MarkedAtomic;
use crate::options::{Features, FeedbackTexel};
use crate::spirv::{Capability, GLOp, Id, Op as SpvOp, Scope, StorageClass};
use crate::{Error, Result};

/// What all feedback operations have.
struct Write {
    feedback: ValueId,
    texture: ValueId,
    sampler: ValueId,
    coords: [ValueId; 4],
    level: Level,
    clamp: PackedOption<ValueId>,
}

/// A decoded feedback operation in the common form.
fn write(op: &Op) -> Option<Write> {
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
    Some(match op {
        Op::WriteSamplerFeedback(op) => common!(op, Level::Implicit, op.clamp),
        Op::WriteSamplerFeedbackBias(op) => common!(op, Level::Bias(op.bias), op.clamp),
        Op::WriteSamplerFeedbackLevel(op) => {
            common!(op, Level::Explicit(op.lod), PackedOption::default())
        }
        Op::WriteSamplerFeedbackGrad(op) => {
            common!(op, Level::Gradient(op.ddx, op.ddy), op.clamp)
        }
        _ => return None,
    })
}

/// The feedback map of an operation and what its regions are.
struct Map<'a> {
    handle: Handle<'a>,
    kind: SamplerFeedbackKind,
    /// Last texel of the image, as a pair.
    last: Id,
    /// Logarithm of the region's size, as a pair.
    region: Id,
    /// Layer, where the image has layers.
    layer: Option<Id>,
}

impl<'a> Lowering<'a> {
    /// Any of the four feedback operations.
    pub(in crate::lower) fn write_sampler_feedback(&mut self, op: &Op) -> Result<Value> {
        let Some(op) = write(op) else {
            return Err(Error::internal("an operation that writes no feedback"));
        };
        let feedback = self.handle(op.feedback)?;
        let (Shape::Image, Some(kind)) = (feedback.view.shape, feedback.view.feedback) else {
            return Err(Error::malformed(format!(
                "feedback to {}",
                feedback.view.describe()
            )));
        };
        let marked =
            self.marks_atomics(&feedback) && self.options.feedback != FeedbackTexel::Neighbours;
        if self.is_portable() && !marked {
            return Err(Error::unsupported(format!(
                "an atomic on {} in portable SPIR-V",
                feedback.view.describe()
            )));
        }
        let texture = self.image_handle(op.texture)?;
        let (2, count) = self.coordinate_counts(&texture)? else {
            return Err(Error::malformed(format!(
                "feedback of {}",
                texture.view.describe()
            )));
        };
        if self.coordinate_counts(&feedback)?.1 != count {
            return Err(Error::malformed(format!(
                "feedback of {} to {}",
                texture.view.describe(),
                feedback.view.describe()
            )));
        }
        self.b.capability(Capability::ImageQuery);
        let f32_ty = self.b.f32();
        let (word, pair) = (self.b.u32(), self.b.vector(f32_ty, 2));
        let (image, _) = self.object(&texture)?;
        let levels = self.b.emit(SpvOp::ImageQueryLevels, word, &[image]);
        let one = self.b.const_u32(1);
        let last_level = self.b.emit(SpvOp::ISub, word, &[levels, one]);
        let zero = self.b.const_u32(0);
        let size_ty = self.b.vector(word, count);
        let size = self
            .b
            .emit(SpvOp::ImageQuerySizeLod, size_ty, &[image, zero]);
        let whole = self.leading_pair(size, count);
        let coords = self.gather_coords(&op.coords, count, f32_ty)?;
        let place = match count {
            2 => coords,
            _ => self
                .b
                .emit(SpvOp::VectorShuffle, pair, &[coords.0, coords.0, 0, 1]),
        };
        let level = self.feedback_level(&op, &texture, place, whole, last_level)?;
        let layer = (count == 3).then(|| self.feedback_layer(image, coords));
        if self.options.feedback == FeedbackTexel::Neighbours {
            let texels = self.gradient_texels(&op, place, whole)?;
            let sample = Sample {
                place: self.wrapped(place),
                whole,
                level,
                last_level,
                texels,
                layer,
            };
            self.record_neighbours(&feedback, count, &sample)?;
            return Ok(Value::Unset);
        }
        let map = self.feedback_map(feedback, kind, count, whole, layer)?;
        let place = self.wrapped(place);
        // The mip below, or the same one where the level is whole.
        let fine = self.b.emit(SpvOp::ConvertFToU, word, &[level]);
        if kind == SamplerFeedbackKind::MinMip {
            self.mark_regions(&map, place, whole, fine)?;
            return Ok(Value::Unset);
        }
        let size = self.level_size(whole, fine);
        self.mark_regions(&map, place, size, fine)?;
        let up = self.b.glsl(GLOp::Ceil, f32_ty, &[level]);
        let coarse = self.b.emit(SpvOp::ConvertFToU, word, &[up]);
        let bool_ty = self.b.bool();
        let between = self.b.emit(SpvOp::INotEqual, bool_ty, &[fine, coarse]);
        let part = self.begin_if(between);
        let size = self.level_size(whole, coarse);
        self.mark_regions(&map, place, size, coarse)?;
        self.end_if(part);
        Ok(Value::Unset)
    }

    /// The longer derivative in each direction in texels of the most detailed mip: what a filter with
    /// anisotropy covers. `None` where nothing of it is known.
    fn gradient_texels(&mut self, op: &Write, place: Id, whole: Id) -> Result<Option<Id>> {
        let f32_ty = self.b.f32();
        let pair = self.b.vector(f32_ty, 2);
        let level = self.available_level(op.level)?;
        let derivatives = match level {
            Level::Zero | Level::Explicit(_) => return Ok(None),
            Level::Implicit | Level::Bias(_) => {
                [SpvOp::DPdx, SpvOp::DPdy].map(|op| self.b.emit(op, pair, &[place]))
            }
            Level::Gradient(ddx, ddy) => [
                self.gather_coords(&ddx, 2, f32_ty)?,
                self.gather_coords(&ddy, 2, f32_ty)?,
            ],
        };
        let lengths = derivatives.map(|d| self.b.glsl(GLOp::FAbs, pair, &[d]));
        let mut longer = self.b.glsl(GLOp::NMax, pair, &lengths);
        if let Level::Bias(bias) = level {
            let bias = self.id(bias)?;
            let factor = self.b.glsl(GLOp::Exp2, f32_ty, &[bias]);
            longer = self
                .b
                .emit(SpvOp::VectorTimesScalar, pair, &[longer, factor]);
        }
        let size = self.b.emit(SpvOp::ConvertUToF, pair, &[whole]);
        Ok(Some(self.b.emit(SpvOp::FMul, pair, &[longer, size])))
    }

    /// Width and height of a mip. A query would do, but some drivers ask it for one lane only.
    pub(in crate::lower) fn level_size(&mut self, whole: Id, level: Id) -> Id {
        let word = self.b.u32();
        let pair = self.b.vector(word, 2);
        let one = self.b.const_u32(1);
        let ones = self.b.const_composite(pair, &[one, one]);
        let levels = self.b.construct(pair, &[level, level]);
        let size = self
            .b
            .emit(SpvOp::ShiftRightLogical, pair, &[whole, levels]);
        self.b.glsl(GLOp::UMax, pair, &[size, ones])
    }

    pub(in crate::lower) fn leading_pair(&mut self, size: Id, count: u32) -> Id {
        if count == 2 {
            return size;
        }
        let word = self.b.u32();
        let ty = self.b.vector(word, 2);
        self.b
            .emit(SpvOp::VectorShuffle, ty, &[size.0, size.0, 0, 1])
    }

    /// The level of detail that a sample would have, from 0 to the last level.
    fn feedback_level(
        &mut self,
        op: &Write,
        texture: &Handle<'a>,
        place: Id,
        whole: Id,
        last_level: Id,
    ) -> Result<Id> {
        let f32_ty = self.b.f32();
        let pair = self.b.vector(f32_ty, 2);
        let zero = self.b.const_f32(0.0);
        let mut level = match self.available_level(op.level)? {
            Level::Zero => zero,
            Level::Explicit(level) => self.id(level)?,
            Level::Implicit if self.is_portable() => {
                self.level_from_derivatives(texture, place, true)?
            }
            Level::Bias(bias) if self.is_portable() => {
                let bias = self.id(bias)?;
                let free = self.level_from_derivatives(texture, place, false)?;
                self.b.emit(SpvOp::FAdd, f32_ty, &[free, bias])
            }
            Level::Implicit | Level::Bias(_) => {
                let sampler = self.sampler_handle(op.sampler)?;
                let sampled = self.sampled_image(texture, &sampler)?;
                let (mut place, mut bias) = (place, None);
                if let Level::Bias(value) = op.level {
                    let value = self.id(value)?;
                    if self.has(Features::SUBGROUP_QUAD) {
                        // Coordinates that change faster give the sampler the bias, and it can
                        // round and clamp as it does. All of a quad has to change alike.
                        let scope = self.quad_scope();
                        let first = self.b.const_u32(0);
                        let words = [scope, value, first];
                        let value =
                            self.b
                                .emit(SpvOp::GroupNonUniformQuadBroadcast, f32_ty, &words);
                        let factor = self.b.glsl(GLOp::Exp2, f32_ty, &[value]);
                        place = self
                            .b
                            .emit(SpvOp::VectorTimesScalar, pair, &[place, factor]);
                    } else {
                        bias = Some(value);
                    }
                }
                let levels = self.b.emit(SpvOp::ImageQueryLod, pair, &[sampled, place]);
                match bias {
                    Some(bias) => {
                        let free = self.b.extract(f32_ty, levels, 1);
                        self.b.emit(SpvOp::FAdd, f32_ty, &[free, bias])
                    }
                    None => self.b.extract(f32_ty, levels, 0),
                }
            }
            Level::Gradient(ddx, ddy) => {
                // The longer of the two derivatives in texels (D3D11 functional specification,
                // "LOD calculations").
                let size = self.b.emit(SpvOp::ConvertUToF, pair, &[whole]);
                let mut squares = [zero; 2];
                for (square, derivative) in squares.iter_mut().zip([ddx, ddy]) {
                    let derivative = self.gather_coords(&derivative, 2, f32_ty)?;
                    let texels = self.b.emit(SpvOp::FMul, pair, &[derivative, size]);
                    *square = self.b.emit(SpvOp::Dot, f32_ty, &[texels, texels]);
                }
                let longer = self.b.glsl(GLOp::NMax, f32_ty, &squares);
                let twice = self.b.glsl(GLOp::Log2, f32_ty, &[longer]);
                let half = self.b.const_f32(0.5);
                self.b.emit(SpvOp::FMul, f32_ty, &[twice, half])
            }
        };
        if let Some(clamp) = op.clamp.expand()
            && !self.is_undef(clamp)
        {
            let clamp = self.id(clamp)?;
            level = self.b.glsl(GLOp::NMax, f32_ty, &[level, clamp]);
        }
        let last = self.b.emit(SpvOp::ConvertUToF, f32_ty, &[last_level]);
        Ok(self.b.glsl(GLOp::NClamp, f32_ty, &[level, zero, last]))
    }

    /// The layer that a sample reads: the nearest one that is there.
    fn feedback_layer(&mut self, image: Id, coords: Id) -> Id {
        let (word, f32_ty) = (self.b.u32(), self.b.f32());
        let zero = self.b.const_u32(0);
        let ty = self.b.vector(word, 3);
        let size = self.b.emit(SpvOp::ImageQuerySizeLod, ty, &[image, zero]);
        let layers = self.b.extract(word, size, 2);
        let layers = self.b.emit(SpvOp::ConvertUToF, f32_ty, &[layers]);
        let one = self.b.const_f32(1.0);
        let last = self.b.emit(SpvOp::FSub, f32_ty, &[layers, one]);
        let layer = self.b.extract(f32_ty, coords, 2);
        let layer = self.b.glsl(GLOp::RoundEven, f32_ty, &[layer]);
        let first = self.b.const_f32(0.0);
        let layer = self.b.glsl(GLOp::NClamp, f32_ty, &[layer, first, last]);
        self.b.emit(SpvOp::ConvertFToU, word, &[layer])
    }

    fn feedback_map(
        &mut self,
        handle: Handle<'a>,
        kind: SamplerFeedbackKind,
        count: u32,
        whole: Id,
        layer: Option<Id>,
    ) -> Result<Map<'a>> {
        let word = self.b.u32();
        let pair = self.b.vector(word, 2);
        let (image, _) = self.object(&handle)?;
        let size_ty = self.b.vector(word, count);
        let size = self.b.emit(SpvOp::ImageQuerySize, size_ty, &[image]);
        let size = self.leading_pair(size, count);
        let one = self.b.const_u32(1);
        let ones = self.b.const_composite(pair, &[one, one]);
        // What is not there has no size, and nothing may be divided by that.
        let size = self.b.glsl(GLOp::UMax, pair, &[size, ones]);
        let last = self.b.emit(SpvOp::ISub, pair, &[size, ones]);
        // ceil(whole / size) - 1; the highest bit of it is one below the logarithm.
        let less = self.b.emit(SpvOp::ISub, pair, &[whole, ones]);
        let ratio = self.b.emit(SpvOp::UDiv, pair, &[less, size]);
        let region = self.b.glsl(GLOp::FindUMsb, pair, &[ratio]);
        let region = self.b.emit(SpvOp::IAdd, pair, &[region, ones]);
        Ok(Map {
            handle,
            kind,
            last,
            region,
            layer,
        })
    }

    /// Coordinates in 0 to 1: what is beyond wraps.
    fn wrapped(&mut self, place: Id) -> Id {
        let (f32_ty, bool_ty) = (self.b.f32(), self.b.bool());
        let pair = self.b.vector(f32_ty, 2);
        let flags = self.b.vector(bool_ty, 2);
        let (zero, one) = (self.b.const_f32(0.0), self.b.const_f32(1.0));
        let zeros = self.b.const_composite(pair, &[zero, zero]);
        let ones = self.b.const_composite(pair, &[one, one]);
        let clamped = self.b.glsl(GLOp::NClamp, pair, &[place, zeros, ones]);
        let inside = self.b.emit(SpvOp::FOrdEqual, flags, &[place, clamped]);
        let fraction = self.b.glsl(GLOp::Fract, pair, &[place]);
        self.b.select(pair, inside, place, fraction)
    }

    /// Records a level in the regions that a bilinear filter reaches: two by two at most.
    fn mark_regions(&mut self, map: &Map<'a>, place: Id, size: Id, level: Id) -> Result<()> {
        let (word, f32_ty, bool_ty) = (self.b.u32(), self.b.f32(), self.b.bool());
        let pair = self.b.vector(word, 2);
        let pair_f32 = self.b.vector(f32_ty, 2);
        let flags = self.b.vector(bool_ty, 2);
        let (half, zero) = (self.b.const_f32(0.5), self.b.const_f32(0.0));
        let zeros = self.b.const_composite(pair_f32, &[zero, zero]);
        let halves = self.b.const_composite(pair_f32, &[half, half]);
        let extent = match map.kind {
            SamplerFeedbackKind::MipRegionUsed => halves,
            // Half a texel of the level, in texels of the most detailed mip, is at most half a region.
            SamplerFeedbackKind::MinMip => {
                let levels = self.b.construct(pair, &[level, level]);
                let shift = self.b.glsl(GLOp::UMin, pair, &[levels, map.region]);
                // naga's exponents have a sign.
                let int = self.b.int(32);
                let ints = self.b.vector(int, 2);
                let shift = self.b.bitcast(ints, shift);
                self.b.glsl(GLOp::Ldexp, pair_f32, &[halves, shift])
            }
        };
        let size = self.b.emit(SpvOp::ConvertUToF, pair_f32, &[size]);
        let centre = self.b.emit(SpvOp::FMul, pair_f32, &[place, size]);
        let mut corners = [Id::NONE; 2];
        for (corner, direction) in corners.iter_mut().zip([SpvOp::FSub, SpvOp::FAdd]) {
            let texel = self.b.emit(direction, pair_f32, &[centre, extent]);
            let texel = self.b.glsl(GLOp::NClamp, pair_f32, &[texel, zeros, size]);
            let texel = self.b.emit(SpvOp::ConvertFToU, pair, &[texel]);
            let region = self
                .b
                .emit(SpvOp::ShiftRightLogical, pair, &[texel, map.region]);
            // The far edge of the texture belongs to the last region.
            *corner = self.b.glsl(GLOp::UMin, pair, &[region, map.last]);
        }
        let [low, high] = corners;
        let mark = match map.kind {
            SamplerFeedbackKind::MinMip => level,
            SamplerFeedbackKind::MipRegionUsed => {
                let one = self.b.const_u32(1);
                self.b.emit(SpvOp::ShiftLeftLogical, word, &[one, level])
            }
        };
        self.mark_region(map, low, mark)?;
        let apart = self.b.emit(SpvOp::INotEqual, flags, &[low, high]);
        let apart = self.b.emit(SpvOp::Any, bool_ty, &[apart]);
        let part = self.begin_if(apart);
        for lanes in [[2, 1], [0, 3], [2, 3]] {
            let [x, y] = lanes;
            let region = self
                .b
                .emit(SpvOp::VectorShuffle, pair, &[low.0, high.0, x, y]);
            self.mark_region(map, region, mark)?;
        }
        self.end_if(part);
        Ok(())
    }

    /// Records one region.
    fn mark_region(&mut self, map: &Map<'a>, region: Id, mark: Id) -> Result<()> {
        let word = self.b.u32();
        let coords = match map.layer {
            None => region,
            Some(layer) => {
                let ty = self.b.vector(word, 3);
                self.b.construct(ty, &[region, layer])
            }
        };
        if self.is_portable() {
            let atomic = match map.kind {
                SamplerFeedbackKind::MinMip => MarkedAtomic::Min,
                SamplerFeedbackKind::MipRegionUsed => MarkedAtomic::Or,
            };
            let (image, _) = self.object(&map.handle)?;
            self.marked_store(image, coords, mark, atomic, false);
            return Ok(());
        }
        let (image, _) = self.object_pointer(&map.handle)?;
        let pointer_ty = self.b.pointer(StorageClass::Image, word);
        let sample = self.b.const_u32(0);
        let pointer = self.b.emit(
            SpvOp::ImageTexelPointer,
            pointer_ty,
            &[image, coords, sample],
        );
        self.mark_non_uniform(&map.handle, pointer);
        let instruction = match map.kind {
            SamplerFeedbackKind::MinMip => SpvOp::AtomicUMin,
            SamplerFeedbackKind::MipRegionUsed => SpvOp::AtomicOr,
        };
        let scope = self.b.const_u32(Scope::Device as u32);
        let relaxed = self.b.const_u32(0);
        self.b
            .emit(instruction, word, &[pointer, scope, relaxed, mark]);
        Ok(())
    }
}
