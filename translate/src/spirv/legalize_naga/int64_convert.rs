//! Conversions between floats and emulated 64-bit integers.

use super::state::Legalizer;
use crate::spirv::{GLOp, Id, Op};

impl Legalizer<'_> {
    /// Returns the nearest float: the upper words are scaled, which is exact, and added to the
    /// lower ones.
    pub(super) fn pair_to_float(&mut self, signed: bool, ty: Id, value: Id) -> Option<Id> {
        let word = self.b.u32();
        let mut halves = self.halves(value);
        let sign = if signed {
            self.sign_of(halves[1])
        } else {
            self.b.const_u32(0)
        };
        if signed {
            halves = self.negate_if(halves, sign);
        }
        let bits = self.numeric(ty)?.bits;
        let float = if bits == 64 {
            let parts = halves.map(|half| self.append(Op::ConvertUToF, ty, &[half.0]));
            let scale = self.b.const_float(64, 4_294_967_296.0);
            let high = self.append(Op::FMul, ty, &[parts[1].0, scale.0]);
            self.append(Op::FAdd, ty, &[high.0, parts[0].0])
        } else {
            // One rounding only: the 32 bits from the first one that is set, the last of them set
            // where anything is lost, are rounded by the conversion.
            let [low, high] = halves;
            let (bool_ty, zero) = (self.b.bool(), self.b.const_u32(0));
            let small = self.append(Op::IEqual, bool_ty, &[high.0, zero.0]);
            let first = self.glsl(GLOp::FindUMsb, word, &[high]);
            let first = self.append(Op::Select, word, &[small.0, zero.0, first.0]);
            let maximum = self.b.const_u32(31);
            // How far the first bit is from the top.
            let free = self.append(Op::ISub, word, &[maximum.0, first.0]);
            let [shifted_low, shifted_high] =
                self.shift_halves(Op::ShiftLeftLogical, [low, high], free);
            let lost = self.append(Op::INotEqual, bool_ty, &[shifted_low.0, zero.0]);
            let sticky = self.one_if(lost);
            let top = self.append(Op::BitwiseOr, word, &[shifted_high.0, sticky.0]);
            let top = self.append(Op::Select, word, &[small.0, low.0, top.0]);
            let single = self.b.f32();
            let rounded = self.append(Op::ConvertUToF, single, &[top.0]);
            let bit = self.b.const_u32(1);
            let bit = self.append(Op::ShiftLeftLogical, word, &[bit.0, first.0]);
            let scale = self.append(Op::ConvertUToF, single, &[bit.0]);
            let [two, one] = [2.0, 1.0].map(|value| self.b.const_f32(value));
            let scale = self.append(Op::FMul, single, &[scale.0, two.0]);
            let scale = self.append(Op::Select, single, &[small.0, one.0, scale.0]);
            let scaled = self.append(Op::FMul, single, &[rounded.0, scale.0]);
            match bits {
                16 => self.append(Op::FConvert, ty, &[scaled.0]),
                _ => scaled,
            }
        };
        if !signed {
            return Some(float);
        }
        let negative = self.append(Op::FNegate, ty, &[float.0]);
        let (bool_ty, zero) = (self.b.bool(), self.b.const_u32(0));
        let is_negative = self.append(Op::INotEqual, bool_ty, &[sign.0, zero.0]);
        Some(self.append(Op::Select, ty, &[is_negative.0, negative.0, float.0]))
    }

    /// Returns the integer part of a float within the range.
    pub(super) fn float_to_pair(&mut self, signed: bool, pair: Id, value: Id) -> Option<Id> {
        let mut ty = self.type_of(value)?;
        let mut value = value;
        let mut bits = self.numeric(ty)?.bits;
        if bits == 16 {
            (ty, bits) = (self.b.f32(), 32);
            value = self.append(Op::FConvert, ty, &[value.0]);
        }
        let word = self.b.u32();
        let magnitude = if signed {
            self.glsl(GLOp::FAbs, ty, &[value])
        } else {
            value
        };
        let whole = self.glsl(GLOp::Trunc, ty, &[magnitude]);
        let [down, up] = [1.0 / 4_294_967_296.0, 4_294_967_296.0];
        let down = self.b.const_float(bits, down);
        let up = self.b.const_float(bits, up);
        let high = self.append(Op::FMul, ty, &[whole.0, down.0]);
        let high = self.glsl(GLOp::Floor, ty, &[high]);
        let covered = self.append(Op::FMul, ty, &[high.0, up.0]);
        let low = self.append(Op::FSub, ty, &[whole.0, covered.0]);
        let mut parts = [low, high].map(|part| self.append(Op::ConvertFToU, word, &[part.0]));
        if signed {
            let (bool_ty, zero) = (self.b.bool(), self.b.const_float(bits, 0.0));
            let negative = self.append(Op::FOrdLessThan, bool_ty, &[value.0, zero.0]);
            let [all, none] = [u32::MAX, 0].map(|word| self.b.const_u32(word));
            let sign = self.append(Op::Select, word, &[negative.0, all.0, none.0]);
            parts = self.negate_if(parts, sign);
        }
        Some(self.join(pair, parts))
    }
}
