//! Arithmetic on constants: LLVM's and DXIL's results where they are defined, and nothing where a
//! device may give another one. So NaN and denormals, which devices treat in their own ways, are
//! left to them.

use crate::dxil::ops::Opcode;
use crate::ir::{BinaryOp, CastOp, CmpPredicate, Module, Type, TypeId};

/// A constant scalar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scalar {
    /// An integer of that many bits.
    Int(u32, u64),
    /// A `float`.
    F32(f32),
    /// A `double`.
    F64(f64),
}

impl Scalar {
    /// Returns the scalar with these bits; `None` for a type that is not folded.
    pub(super) fn new(module: &Module, ty: TypeId, bits: u64) -> Option<Scalar> {
        match *module.types.get(ty) {
            Type::Int(width) => Some(Scalar::int(u32::from(width), bits)),
            Type::Float => Some(Scalar::F32(f32::from_bits(u32::try_from(bits).ok()?))),
            Type::Double => Some(Scalar::F64(f64::from_bits(bits))),
            _ => None,
        }
    }

    fn int(width: u32, bits: u64) -> Scalar {
        Scalar::Int(width, bits & mask(width))
    }

    pub(super) fn bits(self) -> u64 {
        match self {
            Scalar::Int(_, bits) => bits,
            Scalar::F32(value) => u64::from(value.to_bits()),
            Scalar::F64(value) => value.to_bits(),
        }
    }

    /// Returns the scalar if all devices take it for the same number.
    fn plain(self) -> Option<Scalar> {
        let is_plain = match self {
            Scalar::Int(..) => true,
            Scalar::F32(value) => value == 0.0 || value.is_normal(),
            Scalar::F64(value) => value == 0.0 || value.is_normal(),
        };
        is_plain.then_some(self)
    }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}

/// Returns the value of an integer with its sign.
fn signed(width: u32, bits: u64) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((bits << unused) as i64) >> unused
}

pub(super) fn binary(op: BinaryOp, a: Scalar, b: Scalar) -> Option<Scalar> {
    match (a.plain()?, b.plain()?) {
        (Scalar::Int(width, a), Scalar::Int(other, b)) if width == other => {
            int_binary(op, width, a, b).map(|bits| Scalar::int(width, bits))
        }
        (Scalar::F32(a), Scalar::F32(b)) => Scalar::F32(match op {
            BinaryOp::FAdd => a + b,
            BinaryOp::FSub => a - b,
            BinaryOp::FMul => a * b,
            BinaryOp::FDiv => a / b,
            _ => return None,
        })
        .plain(),
        (Scalar::F64(a), Scalar::F64(b)) => Scalar::F64(match op {
            BinaryOp::FAdd => a + b,
            BinaryOp::FSub => a - b,
            BinaryOp::FMul => a * b,
            BinaryOp::FDiv => a / b,
            _ => return None,
        })
        .plain(),
        _ => None,
    }
}

fn int_binary(op: BinaryOp, width: u32, a: u64, b: u64) -> Option<u64> {
    let (x, y) = (signed(width, a), signed(width, b));
    // A shift by the width or more is undefined.
    let amount = u32::try_from(b).ok().filter(|amount| *amount < width);
    Some(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a.checked_div(b)?,
        BinaryOp::URem => a.checked_rem(b)?,
        // The least number by -1 does not fit, whatever the width.
        BinaryOp::SDiv if y == -1 => return None,
        BinaryOp::SRem if y == -1 => return None,
        BinaryOp::SDiv => x.checked_div(y)? as u64,
        BinaryOp::SRem => x.checked_rem(y)? as u64,
        BinaryOp::Shl => a << amount?,
        BinaryOp::LShr => a >> amount?,
        BinaryOp::AShr => (x >> amount?) as u64,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            return None;
        }
    })
}

pub(super) fn compare(predicate: CmpPredicate, a: Scalar, b: Scalar) -> Option<bool> {
    use CmpPredicate as P;
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = match (a.plain()?, b.plain()?) {
        (Scalar::Int(width, a), Scalar::Int(_, b)) => match predicate {
            P::ISgt | P::ISge | P::ISlt | P::ISle => signed(width, a).cmp(&signed(width, b)),
            _ => a.cmp(&b),
        },
        (Scalar::F32(a), Scalar::F32(b)) => a.partial_cmp(&b)?,
        (Scalar::F64(a), Scalar::F64(b)) => a.partial_cmp(&b)?,
        _ => return None,
    };
    Some(match predicate {
        P::FFalse | P::FUno => false,
        P::FTrue | P::FOrd => true,
        P::FOeq | P::FUeq | P::IEq => order == Equal,
        P::FOne | P::FUne | P::INe => order != Equal,
        P::FOgt | P::FUgt | P::IUgt | P::ISgt => order == Greater,
        P::FOge | P::FUge | P::IUge | P::ISge => order != Less,
        P::FOlt | P::FUlt | P::IUlt | P::ISlt => order == Less,
        P::FOle | P::FUle | P::IUle | P::ISle => order != Greater,
    })
}

/// Returns the value of a cast to a type.
pub(super) fn cast(module: &Module, op: CastOp, value: Scalar, to: TypeId) -> Option<Scalar> {
    let width = match *module.types.get(to) {
        Type::Int(width) => u32::from(width),
        Type::Float => 32,
        Type::Double => 64,
        _ => return None,
    };
    let is_f32 = matches!(module.types.get(to), Type::Float);
    match (op, value) {
        (CastOp::Trunc | CastOp::ZExt, Scalar::Int(_, bits)) => Some(Scalar::int(width, bits)),
        (CastOp::SExt, Scalar::Int(from, bits)) => {
            Some(Scalar::int(width, signed(from, bits) as u64))
        }
        (CastOp::UiToFp, Scalar::Int(_, bits)) if is_f32 => Some(Scalar::F32(bits as f32)),
        (CastOp::UiToFp, Scalar::Int(_, bits)) => Some(Scalar::F64(bits as f64)),
        (CastOp::SiToFp, Scalar::Int(from, bits)) if is_f32 => {
            Some(Scalar::F32(signed(from, bits) as f32))
        }
        (CastOp::SiToFp, Scalar::Int(from, bits)) => Some(Scalar::F64(signed(from, bits) as f64)),
        (CastOp::FpToSi | CastOp::FpToUi, Scalar::F32(_) | Scalar::F64(_)) => {
            float_to_int(op, value, width)
        }
        (CastOp::FpExt, Scalar::F32(value)) => Scalar::F32(value)
            .plain()
            .map(|_| Scalar::F64(f64::from(value))),
        (CastOp::FpTrunc, Scalar::F64(value)) if is_f32 => {
            Scalar::F64(value).plain()?;
            #[allow(
                clippy::cast_possible_truncation,
                reason = "the nearest, as LLVM has it"
            )]
            let nearest = value as f32;
            Scalar::F32(nearest).plain()
        }
        (CastOp::Bitcast, value) => Scalar::new(module, to, value.bits()),
        _ => None,
    }
}

/// Returns a float as an integer where it fits; what does not is not defined by LLVM.
fn float_to_int(op: CastOp, value: Scalar, width: u32) -> Option<Scalar> {
    let number = match value.plain()? {
        Scalar::F32(value) => f64::from(value),
        Scalar::F64(value) => value,
        Scalar::Int(..) => return None,
    };
    let number = number.trunc();
    let limit = 2f64.powi(i32::try_from(width).ok()?);
    let (least, limit) = if op == CastOp::FpToSi {
        (-limit / 2.0, limit / 2.0)
    } else {
        (0.0, limit)
    };
    if !(least..limit).contains(&number) {
        return None;
    }
    #[allow(clippy::cast_possible_truncation, reason = "it is whole and in range")]
    let bits = if op == CastOp::FpToSi {
        (number as i64) as u64
    } else {
        number as u64
    };
    Some(Scalar::int(width, bits))
}

/// Returns the result of an operation of DXIL on constants.
pub(super) fn operation(op: Opcode, args: &[Scalar]) -> Option<Scalar> {
    match (op, args) {
        (Opcode::FAbs, [Scalar::F32(value)]) => Scalar::F32(value.abs()).plain(),
        (Opcode::FAbs, [Scalar::F64(value)]) => Scalar::F64(value.abs()).plain(),
        (Opcode::RoundNe, [Scalar::F32(value)]) => {
            Scalar::F32(*value).plain()?;
            Some(Scalar::F32(value.round_ties_even()))
        }
        (Opcode::RoundNi, [Scalar::F32(value)]) => {
            Scalar::F32(*value).plain()?;
            Some(Scalar::F32(value.floor()))
        }
        (Opcode::RoundPi, [Scalar::F32(value)]) => {
            Scalar::F32(*value).plain()?;
            Some(Scalar::F32(value.ceil()))
        }
        (Opcode::RoundZ, [Scalar::F32(value)]) => {
            Scalar::F32(*value).plain()?;
            Some(Scalar::F32(value.trunc()))
        }
        (Opcode::FMax | Opcode::FMin, [Scalar::F32(a), Scalar::F32(b)]) => {
            Scalar::F32(*a).plain()?;
            Scalar::F32(*b).plain()?;
            // Which zero it is, is open.
            if a == b {
                return (a.to_bits() == b.to_bits()).then_some(Scalar::F32(*a));
            }
            let takes_first = (a > b) == (op == Opcode::FMax);
            Some(Scalar::F32(if takes_first { *a } else { *b }))
        }
        (Opcode::IMax, [Scalar::Int(width, a), Scalar::Int(_, b)]) => {
            let greater = signed(*width, *a).max(signed(*width, *b));
            Some(Scalar::int(*width, greater as u64))
        }
        (Opcode::IMin, [Scalar::Int(width, a), Scalar::Int(_, b)]) => {
            let less = signed(*width, *a).min(signed(*width, *b));
            Some(Scalar::int(*width, less as u64))
        }
        (Opcode::UMax, [Scalar::Int(width, a), Scalar::Int(_, b)]) => {
            Some(Scalar::int(*width, *a.max(b)))
        }
        (Opcode::UMin, [Scalar::Int(width, a), Scalar::Int(_, b)]) => {
            Some(Scalar::int(*width, *a.min(b)))
        }
        (Opcode::Bfrev, [Scalar::Int(32, bits)]) => {
            let bits = u32::try_from(*bits).ok()?;
            Some(Scalar::int(32, u64::from(bits.reverse_bits())))
        }
        (Opcode::Countbits, [Scalar::Int(_, bits)]) => {
            Some(Scalar::int(32, u64::from(bits.count_ones())))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_at_their_width_and_keep_their_sign() {
        let int = |bits| Scalar::Int(8, bits);
        assert_eq!(binary(BinaryOp::Add, int(200), int(100)), Some(int(44)));
        assert_eq!(binary(BinaryOp::SDiv, int(0xf9), int(2)), Some(int(0xfd)));
        assert_eq!(binary(BinaryOp::AShr, int(0x80), int(7)), Some(int(0xff)));
        assert_eq!(binary(BinaryOp::LShr, int(0x80), int(7)), Some(int(1)));
        assert_eq!(compare(CmpPredicate::ISlt, int(0xff), int(0)), Some(true));
        assert_eq!(compare(CmpPredicate::IUlt, int(0xff), int(0)), Some(false));
    }

    #[test]
    fn what_llvm_leaves_undefined_stays() {
        let int = |bits| Scalar::Int(32, bits);
        assert_eq!(binary(BinaryOp::UDiv, int(1), int(0)), None);
        assert_eq!(binary(BinaryOp::SRem, int(1), int(0)), None);
        assert_eq!(
            binary(BinaryOp::SDiv, int(0x8000_0000), int(0xffff_ffff)),
            None
        );
        assert_eq!(binary(BinaryOp::Shl, int(1), int(32)), None);
        let large = Scalar::F32(3e9);
        assert_eq!(float_to_int(CastOp::FpToSi, large, 32), None);
        let fits = float_to_int(CastOp::FpToUi, large, 32);
        assert_eq!(fits, Some(int(3_000_000_000)));
    }

    #[test]
    fn what_devices_do_in_their_own_way_stays() {
        let tiny = Scalar::F32(f32::from_bits(1));
        let one = Scalar::F32(1.0);
        assert_eq!(binary(BinaryOp::FAdd, tiny, one), None);
        assert_eq!(binary(BinaryOp::FDiv, one, Scalar::F32(0.0)), None);
        assert_eq!(
            compare(CmpPredicate::FOlt, Scalar::F32(f32::NAN), one),
            None
        );
        let product = binary(BinaryOp::FMul, Scalar::F32(1e-30), Scalar::F32(1e-10));
        assert_eq!(product, None);
        assert_eq!(binary(BinaryOp::FAdd, one, one), Some(Scalar::F32(2.0)));
    }
}
