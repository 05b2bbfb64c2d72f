//! Floating-point operations, and integer arithmetic with results that SPIR-V has no single
//! instruction for.

use dxil_frontend::dxil::ops::{Op as DxOp, calls, op_giving};
use dxil_frontend::ir::ValueId;

use super::integers::low_bits;
use crate::lower::Lowering;
use crate::lower::context::{Call, Part, Value};
use crate::lower::types::{Scalar, Shape};
use crate::options::Features;
use crate::spirv::{Builder, Capability, GLOp, Id, Op};
use crate::{Error, Quirks, Result};

/// Classes of floats that D3D asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum FloatClass {
    /// Not a number.
    Nan,
    /// Infinite.
    Infinite,
    /// Neither.
    Finite,
    /// Finite, neither zero nor denormal.
    Normal,
}

impl Lowering<'_> {
    /// A function of `GLSL.std.450` of one operand.
    pub(in crate::lower) fn unary_glsl(&mut self, op: GLOp, value: ValueId) -> Result<Value> {
        let shape = self.shape_of(value)?;
        let id = self.id(value)?;
        Ok(Value::Id(self.glsl_same(op, shape, &[id])?))
    }

    /// `rsqrt`.
    pub(in crate::lower) fn reciprocal_root(&mut self, value: ValueId) -> Result<Value> {
        let shape = self.shape_of(value)?;
        let id = self.id(value)?;
        let root = self.glsl_same(GLOp::InverseSqrt, shape, &[id])?;
        if !self.has_quirk(Quirks::FINITE_RSQRT) || shape.scalar.width() != 32 {
            return Ok(Value::Id(root));
        }
        let most = self.const_float(shape, f64::from(f32::MAX))?;
        Ok(Value::Id(self.glsl_same(
            GLOp::NMin,
            shape,
            &[root, most],
        )?))
    }

    /// A quotient whose divisor is a square root, as a product with `rsqrt` that stays finite.
    pub(in crate::lower) fn finite_quotient(
        &mut self,
        shape: Shape,
        dividend: Id,
        divisor: ValueId,
    ) -> Result<Option<Id>> {
        if !self.has_quirk(Quirks::FINITE_RSQRT) || shape.scalar.width() != 32 {
            return Ok(None);
        }
        let Some(DxOp::Sqrt(root)) = op_giving(self.view, &self.shader.callees, divisor) else {
            return Ok(None);
        };
        let Value::Id(reciprocal) = self.reciprocal_root(root.value)? else {
            return Ok(None);
        };
        self.float_op(Op::FMul, shape, [dividend, reciprocal], false)
            .map(Some)
    }

    /// A function of `GLSL.std.450` of two floats.
    pub(in crate::lower) fn binary_glsl(
        &mut self,
        op: GLOp,
        a: ValueId,
        b: ValueId,
    ) -> Result<Value> {
        let shape = self.shape_of(a)?;
        let operands = self.ids([a, b])?;
        Ok(Value::Id(self.glsl_same(op, shape, &operands)?))
    }

    /// Hyperbolic tangent. Vulkan derives it from a quotient of sums of exponentials, which are infinite long
    /// before the tangent stops being 1 (Vulkan specification, "Precision of GLSL.std.450 Instructions").
    pub(in crate::lower) fn tanh(&mut self, value: ValueId) -> Result<Value> {
        let shape = self.shape_of(value)?;
        let id = self.id(value)?;
        // From here on the tangent rounds to one, and no exponential overflows. NaN is not above it.
        let limit = self.const_float(shape, 10.0)?;
        let bool_ty = self.shape_ty(shape.bool())?;
        let magnitude = self.glsl_same(GLOp::FAbs, shape, &[id])?;
        let large = self
            .b
            .emit(Op::FOrdGreaterThan, bool_ty, &[magnitude, limit]);
        let sign = self.glsl_same(GLOp::FSign, shape, &[id])?;
        let tangent = self.glsl_same(GLOp::Tanh, shape, &[id])?;
        let ty = self.shape_ty(shape)?;
        let result = self.b.select(ty, large, sign, tangent);
        self.relax(shape, result);
        Ok(Value::Id(result))
    }

    /// Clamps to 0..=1; NaN gives 0 (`NClamp` is a max, then a min, that both drop NaN).
    pub(in crate::lower) fn saturate(&mut self, value: ValueId) -> Result<Value> {
        let shape = self.shape_of(value)?;
        let id = self.id(value)?;
        let zero = self.const_float(shape, 0.0)?;
        let one = self.const_float(shape, 1.0)?;
        Ok(Value::Id(self.glsl_same(
            GLOp::NClamp,
            shape,
            &[id, zero, one],
        )?))
    }

    /// Whether a float is of a class. All but NaN look at the exponent bits, which no fast-math mode of a
    /// driver touches.
    pub(in crate::lower) fn float_class(
        &mut self,
        class: FloatClass,
        value: ValueId,
    ) -> Result<Value> {
        let shape = self.shape_of(value)?;
        let id = self.id(value)?;
        Ok(Value::Id(self.is_of_class(class, shape, id)?))
    }

    /// Whether a value is NaN.
    pub(in crate::lower) fn is_nan(&mut self, shape: Shape, id: Id) -> Result<Id> {
        self.is_of_class(FloatClass::Nan, shape, id)
    }

    fn is_of_class(&mut self, class: FloatClass, shape: Shape, id: Id) -> Result<Id> {
        let ty = self.shape_ty(shape.bool())?;
        // Portable languages have no such question, and may assume that there are neither.
        if !self.is_portable() {
            match class {
                FloatClass::Nan => return Ok(self.b.emit(Op::IsNan, ty, &[id])),
                FloatClass::Infinite => return Ok(self.b.emit(Op::IsInf, ty, &[id])),
                FloatClass::Finite | FloatClass::Normal => {}
            }
        }
        let width = shape.scalar.width();
        let is_half = matches!(shape.scalar, Scalar::Float { bits: 16, .. });
        if self.is_portable() && (width == 16 || is_half && self.types.rounded_half) {
            // naga has no 16-bit integer constants. An f32 holds every half, denormals as normal numbers.
            let wide = shape.with(Scalar::F32);
            let wide_ty = self.shape_ty(wide)?;
            let least = self.const_float(wide, f64::from(2.0_f32.powi(-14)))?;
            let converted = match width {
                16 => self.b.emit(Op::FConvert, wide_ty, &[id]),
                _ => id,
            };
            if class == FloatClass::Normal {
                let magnitude = self.b.glsl(GLOp::FAbs, wide_ty, &[converted]);
                let op = Op::FOrdGreaterThanEqual;
                let large = self.b.emit(op, ty, &[magnitude, least]);
                let finite = self.is_of_class(FloatClass::Finite, wide, converted)?;
                return Ok(self.b.emit(Op::LogicalAnd, ty, &[large, finite]));
            }
            return self.is_of_class(class, wide, converted);
        }
        let exponent_mask = match width {
            16 => 0x7c00,
            64 => 0x7ff0_0000_0000_0000,
            _ => 0x7f80_0000,
        };
        let bits = shape.with(Scalar::Int { bits: width, width });
        let bits_ty = self.shape_ty(bits)?;
        let raw = self.b.bitcast(bits_ty, id);
        let mask = self.const_int(bits, exponent_mask)?;
        if matches!(class, FloatClass::Nan | FloatClass::Infinite) {
            let sign_off = self.const_int(bits, low_bits(width - 1))?;
            let magnitude = self.b.emit(Op::BitwiseAnd, bits_ty, &[raw, sign_off]);
            let op = if class == FloatClass::Nan {
                Op::UGreaterThan
            } else {
                Op::IEqual
            };
            return Ok(self.b.emit(op, ty, &[magnitude, mask]));
        }
        let exponent = self.b.emit(Op::BitwiseAnd, bits_ty, &[raw, mask]);
        let finite = self.b.emit(Op::INotEqual, ty, &[exponent, mask]);
        if class == FloatClass::Finite {
            return Ok(finite);
        }
        let zero = self.const_int(bits, 0)?;
        let nonzero = self.b.emit(Op::INotEqual, ty, &[exponent, zero]);
        Ok(self.b.emit(Op::LogicalAnd, ty, &[finite, nonzero]))
    }

    /// `a * b + c` in floats: two roundings unless the driver fuses; `precise` forbids that.
    pub(in crate::lower) fn float_mad(&mut self, call: &Call, op: &calls::FMad) -> Result<Value> {
        let shape = self.shape_of(op.a)?;
        let [a, b, c] = self.ids([op.a, op.b, op.c])?;
        let precise = self.is_precise(call);
        if precise && self.has_quirk(Quirks::PRECISE_FMA) {
            return Ok(Value::Id(self.glsl_same(GLOp::Fma, shape, &[a, b, c])?));
        }
        let product = self.float_op(Op::FMul, shape, [a, b], precise)?;
        Ok(Value::Id(self.float_op(
            Op::FAdd,
            shape,
            [product, c],
            precise,
        )?))
    }

    /// Fused multiply-add.
    pub(in crate::lower) fn fused_mad(&mut self, op: &calls::Fma) -> Result<Value> {
        let shape = self.shape_of(op.a)?;
        let operands = self.ids([op.a, op.b, op.c])?;
        Ok(Value::Id(self.glsl_same(GLOp::Fma, shape, &operands)?))
    }

    /// Forbids the driver to fuse this operation with its neighbours. naga drops the decoration, so in the
    /// portable style it becomes a warning.
    pub(in crate::lower) fn no_contraction(&mut self, id: Id) {
        if self.is_portable() {
            self.precise_lost += 1;
        } else {
            self.forbid_fusing(id);
        }
    }

    /// A float instruction of two operands.
    pub(in crate::lower) fn float_op(
        &mut self,
        op: Op,
        shape: Shape,
        operands: [Id; 2],
        precise: bool,
    ) -> Result<Id> {
        let ty = self.shape_ty(shape)?;
        let id = self.b.emit(op, ty, &operands);
        if precise {
            self.no_contraction(id);
        }
        self.relax(shape, id);
        Ok(id)
    }

    /// Dot product of two to four components.
    pub(in crate::lower) fn dot(
        &mut self,
        call: &Call,
        a: &[ValueId],
        b: &[ValueId],
    ) -> Result<Value> {
        let (Some(&first), true) = (a.first(), a.len() == b.len() && a.len() <= 4) else {
            return Err(Error::malformed("a dot product without components"));
        };
        let shape = self.shape_of(first)?;
        let count = a.len();
        let mut parts = [[Id::NONE; 4]; 2];
        for (ids, values) in parts.iter_mut().zip([a, b]) {
            for (id, &value) in ids.iter_mut().zip(values) {
                *id = self.id(value)?;
            }
        }
        let scalar = self.shape_ty(shape)?;
        let vector = self.b.vector(scalar, count as u32);
        let a = self.b.construct(vector, &parts[0][..count]);
        let b = match parts[0] == parts[1] {
            true => a,
            false => self.b.construct(vector, &parts[1][..count]),
        };
        let id = self.b.emit(Op::Dot, scalar, &[a, b]);
        if self.is_precise(call) {
            self.no_contraction(id);
        }
        self.relax(shape, id);
        Ok(Value::Id(id))
    }

    /// `acc + a.x * b.x + a.y * b.y` of halves in 32-bit floats.
    pub(in crate::lower) fn dot2_add_half(&mut self, op: &calls::Dot2AddHalf) -> Result<Value> {
        let half = self.shape_of(op.a[0])?;
        let wide = Shape::scalar(Scalar::F32);
        let ty = self.b.f32();
        let mut sum = self.id(op.acc)?;
        for (a, b) in op.a.into_iter().zip(op.b) {
            let mut factors = self.ids([a, b])?;
            if half.scalar.width() == 16 {
                for factor in &mut factors {
                    *factor = self.b.emit(Op::FConvert, ty, &[*factor]);
                }
            }
            let product = self.float_op(Op::FMul, wide, factors, false)?;
            sum = self.float_op(Op::FAdd, wide, [sum, product], false)?;
        }
        Ok(Value::Id(sum))
    }

    /// `acc` plus the dot product of four packed bytes.
    pub(in crate::lower) fn dot4_add(
        &mut self,
        signed: bool,
        acc: ValueId,
        a: ValueId,
        b: ValueId,
    ) -> Result<Value> {
        let [acc, a, b] = self.ids([acc, a, b])?;
        let ty = self.b.u32();
        if self
            .options
            .target
            .features
            .contains(Features::INTEGER_DOT_PRODUCT)
        {
            self.b.capability(Capability::DotProduct);
            self.b.capability(Capability::DotProductInput4x8BitPacked);
            self.b
                .extension_before(0x0001_0600, "SPV_KHR_integer_dot_product");
            let op = if signed { Op::SDot } else { Op::UDot };
            // Packed vector format 0: four 8-bit components.
            let dot = self.b.emit(op, ty, &[a.0, b.0, 0]);
            return Ok(Value::Id(self.b.emit(Op::IAdd, ty, &[acc, dot])));
        }
        let mut sum = acc;
        for byte in 0..4 {
            let a = self.byte(a, byte, signed);
            let b = self.byte(b, byte, signed);
            let product = self.b.emit(Op::IMul, ty, &[a, b]);
            sum = self.b.emit(Op::IAdd, ty, &[sum, product]);
        }
        Ok(Value::Id(sum))
    }

    /// One byte of a word, extended.
    pub(in crate::lower) fn byte(&mut self, word: Id, index: u32, signed: bool) -> Id {
        let ty = self.b.u32();
        let offset = self.b.const_u32(index * 8);
        let count = self.b.const_u32(8);
        let op = if signed {
            Op::BitFieldSExtract
        } else {
            Op::BitFieldUExtract
        };
        self.b.emit(op, ty, &[word, offset, count])
    }

    /// `a * b + c` in integers.
    pub(in crate::lower) fn int_mad(
        &mut self,
        a: ValueId,
        b: ValueId,
        c: ValueId,
    ) -> Result<Value> {
        let shape = self.shape_of(a)?;
        let [a, b, c] = self.ids([a, b, c])?;
        let ty = self.shape_ty(shape)?;
        let product = self.b.emit(Op::IMul, ty, &[a, b]);
        Ok(Value::Id(self.b.emit(Op::IAdd, ty, &[product, c])))
    }

    /// Minimum or maximum of integers.
    pub(in crate::lower) fn int_min_max(
        &mut self,
        op: GLOp,
        a: ValueId,
        b: ValueId,
    ) -> Result<Value> {
        let shape = self.shape_of(a)?;
        let [mut a, mut b] = self.ids([a, b])?;
        if shape.scalar.is_widened() {
            if matches!(op, GLOp::SMin | GLOp::SMax) {
                a = self.sign_extend(shape, a)?;
                b = self.sign_extend(shape, b)?;
            } else {
                a = self.zero_extend(shape, a)?;
                b = self.zero_extend(shape, b)?;
            }
        }
        let ty = self.shape_ty(shape)?;
        Ok(Value::Id(self.b.glsl(op, ty, &[a, b])))
    }

    /// Full 64-bit product of 32-bit integers: high word, then low word.
    pub(in crate::lower) fn extended_mul(
        &mut self,
        op: Op,
        a: ValueId,
        b: ValueId,
    ) -> Result<Value> {
        let [a, b] = self.ids([a, b])?;
        let word = self.b.u32();
        if self.is_portable() {
            let low = self.b.emit(Op::IMul, word, &[a, b]);
            let high = self.high_product(op == Op::SMulExtended, a, b);
            return Ok(self.pair(high, low));
        }
        let pair = self.b.struct_type(&[word, word]);
        let both = self.b.emit(op, pair, &[a, b]);
        let low = Part::Member {
            composite: both,
            index: 0,
        };
        let high = Part::Member {
            composite: both,
            index: 1,
        };
        Ok(self.values.parts([high, low]))
    }

    /// The upper word of a product, from products of 16 by 16 bits: naga has no other way.
    fn high_product(&mut self, signed: bool, a: Id, b: Id) -> Id {
        let word = self.b.u32();
        let halves = |b: &mut Builder, x| (b.u32_and(x, 0xffff), b.u32_shr(x, 16));
        let (a_low, a_high) = halves(&mut self.b, a);
        let (b_low, b_high) = halves(&mut self.b, b);
        let product = |b: &mut Builder, x, y| b.emit(Op::IMul, word, &[x, y]);
        let low = product(&mut self.b, a_low, b_low);
        let mut middle = product(&mut self.b, a_high, b_low);
        let carried = self.b.u32_shr(low, 16);
        middle = self.b.u32_add(middle, carried);
        let (middle_low, middle_high) = halves(&mut self.b, middle);
        let mut other = product(&mut self.b, a_low, b_high);
        other = self.b.u32_add(other, middle_low);
        let carried = self.b.u32_shr(other, 16);
        let mut high = product(&mut self.b, a_high, b_high);
        high = self.b.u32_add(high, middle_high);
        high = self.b.u32_add(high, carried);
        if signed {
            // A negative factor counts 2^32 too much of the other.
            let (zero, bool_ty) = (self.b.const_u32(0), self.b.bool());
            for (factor, other) in [(a, b), (b, a)] {
                let negative = self.b.emit(Op::SLessThan, bool_ty, &[factor, zero]);
                let surplus = self.b.select(word, negative, other, zero);
                high = self.b.emit(Op::ISub, word, &[high, surplus]);
            }
        }
        high
    }

    /// Quotient and remainder.
    pub(in crate::lower) fn divide(&mut self, a: ValueId, b: ValueId) -> Result<Value> {
        let shape = self.shape_of(a)?;
        let [x, y] = self.ids([a, b])?;
        let quotient = self.unsigned_division(Op::UDiv, shape, x, y, Some(b))?;
        let remainder = self.unsigned_division(Op::UMod, shape, x, y, Some(b))?;
        Ok(self.pair(quotient, remainder))
    }

    /// Sum and carry. A comparison tells the carry; it is cheaper than `OpIAddCarry`'s struct.
    pub(in crate::lower) fn add_carry(&mut self, a: ValueId, b: ValueId) -> Result<Value> {
        let [a, b] = self.ids([a, b])?;
        let word = self.b.u32();
        let sum = self.b.emit(Op::IAdd, word, &[a, b]);
        let bool_ty = self.b.bool();
        let carry = self.b.emit(Op::ULessThan, bool_ty, &[sum, a]);
        Ok(self.pair(sum, carry))
    }

    /// Difference and borrow.
    pub(in crate::lower) fn sub_borrow(&mut self, a: ValueId, b: ValueId) -> Result<Value> {
        let [a, b] = self.ids([a, b])?;
        let word = self.b.u32();
        let difference = self.b.emit(Op::ISub, word, &[a, b]);
        let bool_ty = self.b.bool();
        let borrow = self.b.emit(Op::ULessThan, bool_ty, &[a, b]);
        Ok(self.pair(difference, borrow))
    }

    /// Masked sum of absolute differences of four bytes: bytes where `a` is zero do not count.
    pub(in crate::lower) fn masked_sad(&mut self, op: &calls::Msad) -> Result<Value> {
        let [reference, source, mut sum] = self.ids([op.a, op.b, op.c])?;
        let ty = self.b.u32();
        let bool_ty = self.b.bool();
        let zero = self.b.const_u32(0);
        for index in 0..4 {
            let a = self.byte(reference, index, false);
            let b = self.byte(source, index, false);
            let most = self.b.glsl(GLOp::UMax, ty, &[a, b]);
            let least = self.b.glsl(GLOp::UMin, ty, &[a, b]);
            let difference = self.b.emit(Op::ISub, ty, &[most, least]);
            let masked = self.b.emit(Op::IEqual, bool_ty, &[a, zero]);
            let counted = self.b.select(ty, masked, zero, difference);
            sum = self.b.emit(Op::IAdd, ty, &[sum, counted]);
        }
        Ok(Value::Id(sum))
    }

    /// A double from its two words.
    pub(in crate::lower) fn make_double(&mut self, op: &calls::MakeDouble) -> Result<Value> {
        let [low, high] = self.ids([op.lo, op.hi])?;
        Ok(Value::Id(self.join_words(low, high, Scalar::F64)?))
    }

    /// The two words of a double: low, then high.
    pub(in crate::lower) fn split_double(&mut self, value: ValueId) -> Result<Value> {
        let id = self.id(value)?;
        if self.is_portable() {
            let [low, high] = self.split_words(id, Scalar::F64);
            return Ok(self.pair(low, high));
        }
        let word = self.b.u32();
        let pair = self.b.vector(word, 2);
        let both = self.b.bitcast(pair, id);
        Ok(self.vector_parts(both, 2))
    }

    /// A struct whose members are the components of a vector.
    pub(in crate::lower) fn vector_parts(&mut self, vector: Id, count: u32) -> Value {
        self.values.parts((0..count).map(|index| Part::Member {
            composite: vector,
            index,
        }))
    }
}
