//! Components of matrices as words, and arithmetic on them.
//!
//! Sums of floats are computed in single precision and rounded to the component at the end, to the
//! nearest value, ties to even; integers wrap around.

use dxil_frontend::dxil::ops::{MatrixComponent as C, Opcode};
use dxil_frontend::ir::{BinaryOp, CastOp, CmpPredicate, Type, TypeId, ValueId};

use super::MatrixScalarizer;
use crate::vendor::small_float::{self, SmallFloat};
use crate::{Error, Result};

/// A component's value in a word: the bits of a float, or an integer of 32 bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number {
    pub(super) word: ValueId,
    pub(super) of: C,
}

fn is_signed(component: C) -> bool {
    matches!(component, C::I8 | C::I16 | C::I32 | C::I64)
}

/// The form of floats whose exponents a half has.
fn small(component: C) -> Option<SmallFloat> {
    Some(match component {
        C::F16 => SmallFloat::Half,
        C::F8E4M3FN => SmallFloat::E4M3,
        C::F8E5M2 => SmallFloat::E5M2,
        _ => return None,
    })
}

/// Returns how many elements a scalar of a vector holds: one, or as many as fit into an integer.
pub(super) fn per_scalar(interpretation: C, scalar: C) -> u32 {
    if scalar.is_float() {
        1
    } else {
        (scalar.bits() / interpretation.bits()).max(1)
    }
}

fn wide() -> Error {
    Error::unsupported("matrices and vectors of components of 64 bits")
}

impl MatrixScalarizer<'_, '_, '_> {
    /// Returns the component that a matrix has.
    ///
    /// # Errors
    ///
    /// For numbers that are not translated.
    pub(super) fn component(&self, component: Option<C>) -> Result<C> {
        match component {
            Some(component) if component.bits() < 64 => Ok(component),
            Some(_) => Err(wide()),
            None => Err(Error::unsupported("a matrix with components of this type")),
        }
    }

    /// Returns the component that scalars of a type are.
    pub(super) fn component_of(&self, ty: TypeId, signed: bool) -> Result<C> {
        Ok(match (self.w.tables.get(ty), signed) {
            (Type::Half, _) => C::F16,
            (Type::Float, _) => C::F32,
            (Type::Int(32), true) => C::I32,
            (Type::Int(32), false) => C::U32,
            (Type::Int(16), true) => C::I16,
            (Type::Int(16), false) => C::U16,
            (Type::Int(8), true) => C::I8,
            (Type::Int(8), false) => C::U8,
            (Type::Int(64) | Type::Double, _) => return Err(wide()),
            _ => return Err(Error::malformed("a matrix operation on what is no number")),
        })
    }

    /// Returns a scalar of the shader as a number.
    pub(super) fn number(&mut self, value: ValueId, ty: TypeId, signed: bool) -> Result<Number> {
        let of = self.component_of(ty, signed)?;
        let (word_ty, float) = (self.w.int_ty(32), self.w.float_ty());
        let word = match of {
            C::F32 => self.w.cast(CastOp::Bitcast, value, word_ty)?,
            C::F16 => {
                let value = self.w.cast(CastOp::FpExt, value, float)?;
                self.w.cast(CastOp::Bitcast, value, word_ty)?
            }
            C::I32 | C::U32 => value,
            of if is_signed(of) => self.w.cast(CastOp::SExt, value, word_ty)?,
            _ => self.w.cast(CastOp::ZExt, value, word_ty)?,
        };
        Ok(Number { word, of })
    }

    /// Returns a number as a scalar of the shader.
    pub(super) fn scalar(&mut self, number: Number, ty: TypeId, signed: bool) -> Result<ValueId> {
        let of = self.component_of(ty, signed)?;
        let word = self.converted(number, of)?;
        let float = self.w.float_ty();
        Ok(match of {
            C::F32 => self.w.cast(CastOp::Bitcast, word, ty)?,
            C::F16 => {
                let value = self.w.cast(CastOp::Bitcast, word, float)?;
                self.w.cast(CastOp::FpTrunc, value, ty)?
            }
            C::I32 | C::U32 => word,
            _ => self.w.cast(CastOp::Trunc, word, ty)?,
        })
    }

    /// Returns a number in the low bits of a word, with zeros above it, as memory has it.
    pub(super) fn encoded(&mut self, number: Number) -> Result<ValueId> {
        let Number { word, of } = number;
        if let Some(form) = small(of) {
            return small_float::narrow(&mut self.w, form, word, of == C::F8E4M3FN);
        }
        match of {
            C::BFloat16 => self.bfloat_bits(word),
            of if of.bits() < 32 => {
                let mask = self.w.word((1 << of.bits()) - 1);
                self.w.binary(BinaryOp::And, 32, word, mask)
            }
            _ => Ok(word),
        }
    }

    /// Returns the number in the low bits of a word.
    pub(super) fn decoded(&mut self, word: ValueId, of: C) -> Result<Number> {
        let word = match small(of) {
            Some(form) => small_float::widen(&mut self.w, form, word)?,
            None if of == C::BFloat16 => {
                let sixteen = self.w.word(16);
                self.w.binary(BinaryOp::Shl, 32, word, sixteen)?
            }
            None => self.wrapped(word, of)?,
        };
        Ok(Number { word, of })
    }

    /// Returns the bits of a float as those of a bfloat16, in the low half of a word.
    fn bfloat_bits(&mut self, word: ValueId) -> Result<ValueId> {
        let w = &mut self.w;
        let [sixteen, one, half] = [16, 1, 0x7fff].map(|number| w.word(number));
        let high = w.binary(BinaryOp::LShr, 32, word, sixteen)?;
        let odd = w.binary(BinaryOp::And, 32, high, one)?;
        let carry = w.binary(BinaryOp::Add, 32, odd, half)?;
        let rounded = w.binary(BinaryOp::Add, 32, word, carry)?;
        let rounded = w.binary(BinaryOp::LShr, 32, rounded, sixteen)?;
        // A carry would make a NaN a zero.
        let [magnitudes, infinity, quiet] = [0x7fff_ffff, 0x7f80_0000, 0x40].map(|n| w.word(n));
        let magnitude = w.binary(BinaryOp::And, 32, word, magnitudes)?;
        let is_nan = w.compare(CmpPredicate::IUgt, magnitude, infinity)?;
        let nan = w.binary(BinaryOp::Or, 32, high, quiet)?;
        w.select(is_nan, nan, rounded)
    }

    /// Returns an integer as the component holds it: extended to a word.
    fn wrapped(&mut self, word: ValueId, of: C) -> Result<ValueId> {
        let bits = of.bits();
        if bits >= 32 || of.is_float() {
            return Ok(word);
        }
        if !is_signed(of) {
            let mask = self.w.word((1 << bits) - 1);
            return self.w.binary(BinaryOp::And, 32, word, mask);
        }
        let shift = self.w.word(32 - bits);
        let high = self.w.binary(BinaryOp::Shl, 32, word, shift)?;
        self.w.binary(BinaryOp::AShr, 32, high, shift)
    }

    /// Returns a number as another component has it.
    pub(super) fn converted(&mut self, number: Number, to: C) -> Result<ValueId> {
        let Number { word, of } = number;
        if of == to {
            return Ok(word);
        }
        let (word_ty, float) = (self.w.int_ty(32), self.w.float_ty());
        match (of.is_float(), to.is_float()) {
            (false, false) => self.wrapped(word, to),
            (true, true) => self.rounded(word, to),
            (false, true) => {
                let op = if is_signed(of) {
                    CastOp::SiToFp
                } else {
                    CastOp::UiToFp
                };
                let value = self.w.cast(op, word, float)?;
                let word = self.w.cast(CastOp::Bitcast, value, word_ty)?;
                self.rounded(word, to)
            }
            (true, false) => {
                let value = self.w.cast(CastOp::Bitcast, word, float)?;
                // As D3D12 has it: NaN is 0, and what is too large the last value.
                let op = if is_signed(to) {
                    CastOp::FpToSi
                } else {
                    CastOp::FpToUi
                };
                let word = self.w.cast(op, value, word_ty)?;
                self.clamped(word, to)
            }
        }
    }

    /// Returns a float as a component of floats holds it.
    fn rounded(&mut self, word: ValueId, to: C) -> Result<ValueId> {
        if to == C::F32 {
            return Ok(word);
        }
        let encoded = self.encoded(Number { word, of: to })?;
        Ok(self.decoded(encoded, to)?.word)
    }

    /// Returns an integer within the range of a component of the same sign.
    fn clamped(&mut self, word: ValueId, to: C) -> Result<ValueId> {
        let bits = to.bits();
        if bits >= 32 {
            return Ok(word);
        }
        let w = &mut self.w;
        if !is_signed(to) {
            let last = w.word((1 << bits) - 1);
            let is_above = w.compare(CmpPredicate::IUgt, word, last)?;
            return w.select(is_above, last, word);
        }
        let last = w.word((1 << (bits - 1)) - 1);
        let first = w.word(!((1 << (bits - 1)) - 1));
        let is_above = w.compare(CmpPredicate::ISgt, word, last)?;
        let word = w.select(is_above, last, word)?;
        let is_below = w.compare(CmpPredicate::ISlt, word, first)?;
        w.select(is_below, first, word)
    }

    /// Returns the elements of a vector, as its interpretation has them.
    pub(super) fn unpacked(&mut self, vector: ValueId, interpretation: C) -> Result<Vec<Number>> {
        if interpretation.bits() == 64 {
            return Err(wide());
        }
        let mut found = Vec::new();
        for scalar in self.vector(vector, true)? {
            let per = per_scalar(interpretation, scalar.of);
            if per == 1 {
                let word = self.converted(scalar, interpretation)?;
                found.push(Number {
                    word,
                    of: interpretation,
                });
                continue;
            }
            for part in 0..per {
                let shift = self.w.word(part * interpretation.bits());
                let word = self.w.binary(BinaryOp::LShr, 32, scalar.word, shift)?;
                found.push(self.decoded(word, interpretation)?);
            }
        }
        Ok(found)
    }

    /// Returns the scalars of a vector of the shader.
    pub(super) fn vector(&mut self, vector: ValueId, signed: bool) -> Result<Vec<Number>> {
        let ty = self.view.type_of(vector);
        let (element, count) = self.vector_type(ty)?;
        let mut found = Vec::new();
        for index in 0..count {
            let scalar = self.w.element(vector, element, index)?;
            found.push(self.number(scalar, element, signed)?);
        }
        Ok(found)
    }

    /// Returns the type of elements of a vector, and how many there are.
    pub(super) fn vector_type(&self, ty: Option<TypeId>) -> Result<(TypeId, u32)> {
        match ty.map(|ty| self.w.tables.get(ty)) {
            Some(Type::Vector { element, count }) => Ok((*element, *count)),
            _ => Err(Error::malformed("a matrix operation without its vector")),
        }
    }

    /// Returns `sum + a * b`: a float if one of them is, otherwise an integer.
    pub(super) fn plus_product(&mut self, sum: Number, a: Number, b: Number) -> Result<Number> {
        if [sum, a, b].iter().any(|number| number.of.is_float()) {
            let float = self.w.float_ty();
            let mut operands = Vec::new();
            for number in [a, b, sum] {
                let word = self.converted(number, C::F32)?;
                operands.push(self.w.cast(CastOp::Bitcast, word, float)?);
            }
            let sum = self
                .w
                .operation(Opcode::FMad, Some(float), float, &operands)?;
            return self.float(sum);
        }
        let product = self.w.binary(BinaryOp::Mul, 32, a.word, b.word)?;
        let word = self.w.binary(BinaryOp::Add, 32, sum.word, product)?;
        Ok(self.integer(word, &[sum, a, b]))
    }

    /// Returns the sum: a float if one of both is, otherwise an integer.
    pub(super) fn plus(&mut self, a: Number, b: Number) -> Result<Number> {
        if [a, b].iter().any(|number| number.of.is_float()) {
            let float = self.w.float_ty();
            let mut operands = Vec::new();
            for number in [a, b] {
                let word = self.converted(number, C::F32)?;
                operands.push(self.w.cast(CastOp::Bitcast, word, float)?);
            }
            let [a, b] = operands[..] else {
                return Err(Error::internal("a sum without two terms"));
            };
            let sum = self.w.arithmetic(BinaryOp::FAdd, float, a, b)?;
            return self.float(sum);
        }
        let word = self.w.binary(BinaryOp::Add, 32, a.word, b.word)?;
        Ok(self.integer(word, &[a, b]))
    }

    fn float(&mut self, value: ValueId) -> Result<Number> {
        let word_ty = self.w.int_ty(32);
        let word = self.w.cast(CastOp::Bitcast, value, word_ty)?;
        Ok(Number { word, of: C::F32 })
    }

    /// Returns the result of arithmetic on integers, which is signed if an operand is.
    fn integer(&self, word: ValueId, operands: &[Number]) -> Number {
        let signed = operands.iter().any(|number| is_signed(number.of));
        let of = if signed { C::I32 } else { C::U32 };
        Number { word, of }
    }
}
