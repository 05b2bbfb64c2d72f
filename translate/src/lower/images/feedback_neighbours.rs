//! Sampler feedback as layers decode it, [`FeedbackTexel::Neighbours`](crate::FeedbackTexel::Neighbours):
//! one texel of 64 bits per mip region and, in it, four bits per mip. A footprint that reaches into the
//! next regions is recorded where it begins, by one atomic per mip, and not in each of them.

use crate::Result;
use crate::lower::Lowering;
use crate::lower::resources::variables::Handle;
use crate::options::Features;
use crate::spirv::{Capability, GLOp, Id, Op, Scope, StorageClass};

/// What a sample reads, as far as the code can know.
pub(in crate::lower) struct Sample {
    /// Coordinates from 0 to 1, a pair.
    pub(in crate::lower) place: Id,
    /// Width and height of the most detailed mip.
    pub(in crate::lower) whole: Id,
    /// Level of detail, from 0 to the last level.
    pub(in crate::lower) level: Id,
    /// Number of the last level.
    pub(in crate::lower) last_level: Id,
    /// What a filter with anisotropy covers, in texels of the most detailed mip.
    pub(in crate::lower) texels: Option<Id>,
    /// Layer, where the image has layers.
    pub(in crate::lower) layer: Option<Id>,
}

/// Trilinear filters blend in steps of this size (D3D11 functional specification, "LOD calculations":
/// eight bits of fraction).
const LEVEL_STEP: f32 = 1.0 / 256.0;

/// Logarithm of the most anisotropy there is.
const MOST_ANISOTROPY: u32 = 4;

impl<'a> Lowering<'a> {
    /// Records a sample in the two mips that a trilinear filter reads.
    pub(in crate::lower) fn record_neighbours(
        &mut self,
        map: &Handle<'a>,
        count: u32,
        sample: &Sample,
    ) -> Result<()> {
        self.need_feature(
            Features::IMAGE_INT64_ATOMICS,
            "shaderImageInt64Atomics",
            || map.view.describe(),
        )?;
        self.b.capability(Capability::Int64Atomics);
        let (word, f32_ty, bool_ty) = (self.b.u32(), self.b.f32(), self.b.bool());
        let region = self.region_logarithms(map, count)?;
        let fine = self.b.emit(Op::ConvertFToU, word, &[sample.level]);
        let almost_one = self.b.const_f32(1.0 - LEVEL_STEP);
        let up = self.b.emit(Op::FAdd, f32_ty, &[sample.level, almost_one]);
        let coarse = self.b.emit(Op::ConvertFToU, word, &[up]);
        let coarse = self.b.glsl(GLOp::UMin, word, &[coarse, sample.last_level]);
        self.record_mip(map, sample, region, fine)?;
        let between = self.b.emit(Op::INotEqual, bool_ty, &[fine, coarse]);
        let part = self.begin_if(between);
        self.record_mip(map, sample, region, coarse)?;
        self.end_if(part);
        Ok(())
    }

    /// Logarithms of a region's width and height.
    fn region_logarithms(&mut self, map: &Handle<'a>, count: u32) -> Result<Id> {
        let word = self.b.u32();
        let pair = self.b.vector(word, 2);
        let (image, _) = self.object(map)?;
        let size_ty = self.b.vector(word, count);
        let size = self.b.emit(Op::ImageQuerySize, size_ty, &[image]);
        let size = self.leading_pair(size, count);
        let low = self.b.const_u32(15);
        let mask = self.b.const_composite(pair, &[low, low]);
        Ok(self.b.emit(Op::BitwiseAnd, pair, &[size, mask]))
    }

    fn record_mip(
        &mut self,
        map: &Handle<'a>,
        sample: &Sample,
        region: Id,
        level: Id,
    ) -> Result<()> {
        let (word, f32_ty, bool_ty) = (self.b.u32(), self.b.f32(), self.b.bool());
        let int = self.b.int(32);
        let words = self.b.vector(word, 2);
        let ints = self.b.vector(int, 2);
        let floats = self.b.vector(f32_ty, 2);
        let flags = self.b.vector(bool_ty, 2);
        let (zero, half) = (self.b.const_f32(0.0), self.b.const_f32(0.5));
        let zeros = self.b.const_composite(floats, &[zero, zero]);
        let halves = self.b.const_composite(floats, &[half, half]);
        let region = self.b.bitcast(ints, region);
        let shrink = self.b.emit(Op::SNegate, ints, &[region]);
        // All lengths are counted in regions from here.
        let size = self.level_size(sample.whole, level);
        let size = self.b.emit(Op::ConvertUToF, floats, &[size]);
        let size = self.b.glsl(GLOp::Ldexp, floats, &[size, shrink]);
        let centre = self.b.emit(Op::FMul, floats, &[sample.place, size]);
        let exponent = match sample.texels {
            None => shrink,
            Some(texels) => {
                let widened = self.anisotropy_logarithms(texels, level);
                self.b.emit(Op::IAdd, ints, &[widened, shrink])
            }
        };
        let reach = self.b.glsl(GLOp::Ldexp, floats, &[halves, exponent]);
        // There are bits for the next region, and for no other.
        let reach = self.b.glsl(GLOp::NMin, floats, &[reach, halves]);
        let low = self.b.emit(Op::FSub, floats, &[centre, reach]);
        let low = self.b.glsl(GLOp::NMax, floats, &[low, zeros]);
        let high = self.b.emit(Op::FAdd, floats, &[centre, reach]);
        let [low, high] = [low, high].map(|at| self.b.emit(Op::ConvertFToU, words, &[at]));
        let beyond = self.b.emit(Op::INotEqual, flags, &[low, high]);
        let zero = self.b.const_u32(0);
        let none = self.b.const_composite(words, &[zero, zero]);
        let (right, below) = (self.b.const_u32(2), self.b.const_u32(4));
        let both = self.b.const_composite(words, &[right, below]);
        let bits = self.b.select(words, beyond, both, none);
        let [right, below] = [0, 1].map(|part| self.b.extract(word, bits, part));
        // 8, or 0 if it is not both.
        let diagonal = self.b.emit(Op::IMul, word, &[right, below]);
        let mut mask = self.b.const_u32(1);
        for bit in [right, below, diagonal] {
            mask = self.b.emit(Op::BitwiseOr, word, &[mask, bit]);
        }
        let wide = self.b.uint(64);
        let mask = self.b.emit(Op::UConvert, wide, &[mask]);
        let position = self.b.u32_shl(level, 2);
        let mask = self.b.emit(Op::ShiftLeftLogical, wide, &[mask, position]);
        let coords = match sample.layer {
            None => low,
            Some(layer) => {
                let ty = self.b.vector(word, 3);
                self.b.construct(ty, &[low, layer])
            }
        };
        let (image, _) = self.object_pointer(map)?;
        let pointer_ty = self.b.pointer(StorageClass::Image, wide);
        let pointer = self
            .b
            .emit(Op::ImageTexelPointer, pointer_ty, &[image, coords, zero]);
        self.mark_non_uniform(map, pointer);
        let scope = self.b.const_u32(Scope::Device as u32);
        self.b
            .emit(Op::AtomicOr, wide, &[pointer, scope, zero, mask]);
        Ok(())
    }

    /// By which power of two a footprint of so many texels is wider than a bilinear filter's, in each
    /// direction. Devices are known to round it up like this.
    fn anisotropy_logarithms(&mut self, texels: Id, level: Id) -> Id {
        let (word, f32_ty, int) = (self.b.u32(), self.b.f32(), self.b.int(32));
        let words = self.b.vector(word, 2);
        let ints = self.b.vector(int, 2);
        let floats = self.b.vector(f32_ty, 2);
        let level = self.b.bitcast(int, level);
        let level = self.b.emit(Op::SNegate, int, &[level]);
        let levels = self.b.construct(ints, &[level, level]);
        let texels = self.b.glsl(GLOp::Ldexp, floats, &[texels, levels]);
        let step = self.b.const_f32(LEVEL_STEP);
        let steps = self.b.const_composite(floats, &[step, step]);
        let texels = self.b.emit(Op::FSub, floats, &[texels, steps]);
        let texels = self.b.glsl(GLOp::Ceil, floats, &[texels]);
        let one = self.b.const_f32(1.0);
        let most = self.b.const_f32((1_u32 << MOST_ANISOTROPY) as f32);
        let ones = self.b.const_composite(floats, &[one, one]);
        let most = self.b.const_composite(floats, &[most, most]);
        let texels = self.b.glsl(GLOp::NClamp, floats, &[texels, ones, most]);
        let texels = self.b.emit(Op::ConvertFToU, words, &[texels]);
        let one = self.b.const_u32(1);
        let ones = self.b.const_composite(words, &[one, one]);
        let less = self.b.emit(Op::ISub, words, &[texels, ones]);
        // The highest bit of n - 1 is one below the logarithm of n, rounded up; it is -1 for 0.
        let highest = self.b.glsl(GLOp::FindUMsb, words, &[less]);
        let logarithm = self.b.emit(Op::IAdd, words, &[highest, ones]);
        self.b.bitcast(ints, logarithm)
    }
}
