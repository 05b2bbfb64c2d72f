//! Constants, interned.

use super::{Builder, BuiltIn, Decoration, Id, Op};

impl Builder {
    /// Returns a boolean constant.
    pub(crate) fn const_bool(&mut self, value: bool) -> Id {
        let ty = self.bool();
        let op = if value {
            Op::ConstantTrue
        } else {
            Op::ConstantFalse
        };
        self.intern::<u32>(op, ty, &[])
    }

    /// Returns a 32-bit integer constant.
    #[inline]
    pub(crate) fn const_u32(&mut self, value: u32) -> Id {
        let small = self.small_literals.get(value as usize).copied();
        if let Some(id) = small
            && !id.is_none()
        {
            return id;
        }
        self.const_u32_interned(value)
    }

    #[inline(never)]
    fn const_u32_interned(&mut self, value: u32) -> Id {
        let ty = self.u32();
        let id = self.intern_here(Op::Constant, ty, &[value]);
        self.note_literal(id, value);
        id
    }

    /// Records a 32-bit constant.
    pub(super) fn note_literal(&mut self, id: Id, value: u32) {
        match self.literals.last() {
            Some(&(last, _)) if last >= id => {
                let place = self.literals.binary_search_by_key(&id, |&(known, _)| known);
                if let Err(place) = place {
                    self.literals.insert(place, (id, value));
                }
            }
            _ => self.literals.push((id, value)),
        }
        if let Some(slot) = self.small_literals.get_mut(value as usize) {
            *slot = id;
        }
    }

    /// Returns the 32-bit specialization constant with that id, 0 unless specialized.
    pub(crate) fn spec_u32(&mut self, spec_id: u32) -> Id {
        self.spec_u32_with(spec_id, 0)
    }

    /// Returns the 32-bit specialization constant with that id.
    pub(crate) fn spec_u32_with(&mut self, spec_id: u32, default: u32) -> Id {
        let known = self.specialization.iter().find(|&&(id, _)| id == spec_id);
        if let Some(&(_, constant)) = known {
            return constant;
        }
        let ty = self.u32();
        // Not interned: constants with equal defaults and different `SpecId`s differ.
        let constant = self.global(Op::SpecConstant, ty, &[default]);
        self.decorate(constant, Decoration::SpecId, &[spec_id]);
        self.specialization.push((spec_id, constant));
        constant
    }

    /// Returns the boolean specialization constant with that id.
    pub(crate) fn spec_bool(&mut self, spec_id: u32, default: bool) -> Id {
        let known = self.specialization.iter().find(|&&(id, _)| id == spec_id);
        if let Some(&(_, constant)) = known {
            return constant;
        }
        let ty = self.bool();
        let op = if default {
            Op::SpecConstantTrue
        } else {
            Op::SpecConstantFalse
        };
        let constant = self.global::<u32>(op, ty, &[]);
        self.decorate(constant, Decoration::SpecId, &[spec_id]);
        self.specialization.push((spec_id, constant));
        constant
    }

    /// Returns the thread group size of the module, a vector of three specialization constants from
    /// that id on. It goes before the entry point's execution mode.
    pub(crate) fn spec_workgroup_size(&mut self, first_spec_id: u32, default: [u32; 3]) -> Id {
        if let Some(size) = self.workgroup_size {
            return size;
        }
        let mut id = first_spec_id;
        let sizes = default.map(|size| {
            let constant = self.spec_u32_with(id, size);
            id += 1;
            constant
        });
        let word = self.u32();
        let ty = self.vector(word, 3);
        let size = self.global(Op::SpecConstantComposite, ty, &sizes);
        let built_in = BuiltIn::WorkgroupSize as u32;
        self.decorate(size, Decoration::BuiltIn, &[built_in]);
        self.workgroup_size = Some(size);
        size
    }

    /// Returns a 32-bit signed integer constant, for operands that must be signed.
    pub(crate) fn const_i32(&mut self, value: i32) -> Id {
        let ty = self.int(32);
        self.intern(Op::Constant, ty, &[value as u32])
    }

    /// Returns an integer constant of 8 to 64 bits; bits above the width are dropped.
    pub(crate) fn const_uint(&mut self, bits: u32, value: u64) -> Id {
        match bits {
            64 => {
                let ty = self.uint(64);
                let words = [value as u32, (value >> 32) as u32];
                self.intern(Op::Constant, ty, &words)
            }
            // A literal narrower than a word leaves the upper bits zero if its type has no sign
            // (2.2.1).
            8 | 16 => {
                let ty = self.uint(bits);
                self.intern(Op::Constant, ty, &[value as u32 & ((1 << bits) - 1)])
            }
            _ => self.const_u32(value as u32),
        }
    }

    /// Returns a 32-bit float constant.
    pub(crate) fn const_f32(&mut self, value: f32) -> Id {
        self.const_f32_bits(value.to_bits())
    }

    /// Returns a 32-bit float constant from its bits.
    #[inline(never)]
    fn const_f32_bits(&mut self, bits: u32) -> Id {
        let ty = self.f32();
        self.intern_here(Op::Constant, ty, &[bits])
    }

    /// Returns a float constant of 16, 32 or 64 bits from its bits.
    pub(crate) fn const_float_bits(&mut self, width: u32, bits: u64) -> Id {
        match width {
            64 => {
                let ty = self.float(64);
                self.intern(Op::Constant, ty, &[bits as u32, (bits >> 32) as u32])
            }
            16 => {
                let ty = self.float(16);
                self.intern(Op::Constant, ty, &[bits as u32 & 0xffff])
            }
            _ => self.const_f32_bits(bits as u32),
        }
    }

    /// Returns a float constant of 16, 32 or 64 bits by value, which must be exact in the width.
    pub(crate) fn const_float(&mut self, width: u32, value: f64) -> Id {
        match width {
            64 => self.const_float_bits(64, value.to_bits()),
            16 => self.const_float_bits(16, u64::from(half_bits(value as f32))),
            _ => self.const_f32(value as f32),
        }
    }

    /// Returns the constant of any type whose bits are all zero.
    pub(crate) fn const_null(&mut self, ty: Id) -> Id {
        self.intern::<u32>(Op::ConstantNull, ty, &[])
    }

    /// Returns an undefined value of any type.
    #[inline(never)]
    pub(crate) fn undef(&mut self, ty: Id) -> Id {
        self.intern_here::<u32>(Op::Undef, ty, &[])
    }

    /// Returns a struct, array or vector of constants.
    pub(crate) fn const_composite(&mut self, ty: Id, elements: &[Id]) -> Id {
        self.intern(Op::ConstantComposite, ty, elements)
    }

    /// Returns the value of an id that [`Self::const_u32`] returned.
    pub(crate) fn literal(&self, id: Id) -> Option<u32> {
        // Constants are made on first use, so that most other values have greater ids.
        let &(last, value) = self.literals.last()?;
        if id >= last {
            return (id == last).then_some(value);
        }
        let place = self.literals.binary_search_by_key(&id, |&(known, _)| known);
        Some(self.literals[place.ok()?].1)
    }
}

/// Returns the bits of the half nearest to `value` (round to nearest even).
pub(crate) fn half_bits(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    // 65,520: halfway between the greatest half, 65,504, and what would be the next one.
    if magnitude >= 0x477f_f000 {
        return sign | 0x7c00;
    }
    if magnitude < 0x3880_0000 {
        // Subnormal: scale so that one unit is the smallest subnormal, then round.
        let scaled = f32::from_bits(magnitude) * 16_777_216.0;
        return sign | scaled.round_ties_even() as u16;
    }
    // Exponents are biased by 127 and by 15; the difference is 112, at bit 23.
    let rebased = magnitude - 0x3800_0000;
    let rounded = rebased + 0xfff + ((rebased >> 13) & 1);
    sign | (rounded >> 13) as u16
}

/// Returns the value of a half.
pub(crate) fn half_value(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from((bits >> 10) & 0x1f);
    let mantissa = f32::from(bits & 0x3ff);
    match exponent {
        0 => sign * mantissa * (-24_f32).exp2(),
        31 if mantissa == 0.0 => sign * f32::INFINITY,
        31 => f32::NAN,
        _ => sign * (1.0 + mantissa / 1024.0) * ((exponent - 15) as f32).exp2(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives_the_round_trip() {
        for bits in 0..=u16::MAX {
            let value = half_value(bits);
            if value.is_nan() {
                assert_eq!(half_bits(value) & 0x7c00, 0x7c00);
            } else {
                assert_eq!(half_bits(value), bits, "{bits:#x}");
            }
        }
    }
}
