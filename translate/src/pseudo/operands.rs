//! Roles of operands of pseudo-operations: how an operand is read from a call, and which arguments
//! it becomes in one.
//!
//! | role | the field is | arguments |
//! |---|---|---|
//! | `Value` | `ValueId` | one, of the value's type |
//! | `Word` | `ValueId` | one of 32 bits, even where the value still has another type |
//! | `HitObject` | `ValueId` | one of a hit object's type, likewise |
//! | `Coordinates` | `[ValueId; 3]` | three |
//! | `Const<T>` | `T`, an [`Immediate`] | a constant of 32 bits |
//! | `Counted` | `&[ValueId]` | their number and they |
//! | `Rest` | `&[ValueId]` | all that remain |

use dxil_frontend::dxil::ops::{Sign, WaveOp};
use dxil_frontend::ir::{FuncView, ValueId};

/// An argument of a call that is to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Argument {
    /// A value.
    Value(ValueId, ArgumentKind),
    /// A constant of 32 bits.
    Constant(u32),
}

/// The type of the parameter that takes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgumentKind {
    /// The value's.
    Own,
    /// An integer of 32 bits.
    Word,
    /// A hit object.
    HitObject,
}

/// The type of a field by its role.
macro_rules! operand_type {
    ($lifetime:lifetime, Const, $ty:tt) => {
        $ty
    };
    ($lifetime:lifetime, Value) => {
        ValueId
    };
    ($lifetime:lifetime, Word) => {
        ValueId
    };
    ($lifetime:lifetime, HitObject) => {
        ValueId
    };
    ($lifetime:lifetime, Coordinates) => {
        [ValueId; 3]
    };
    ($lifetime:lifetime, Counted) => {
        &$lifetime[ValueId]
    };
    ($lifetime:lifetime, Rest) => {
        &$lifetime[ValueId]
    };
}
pub(super) use operand_type;

/// The arguments of one call, while they are being read.
pub(super) struct ArgumentReader<'a, 'v> {
    pub(super) view: FuncView<'v>,
    pub(super) rest: &'a [ValueId],
}

impl<'a> ArgumentReader<'a, '_> {
    fn next(&mut self) -> Option<ValueId> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn number(&mut self) -> Option<u64> {
        let value = self.next()?;
        self.view.constant_int(value)
    }
}

/// A role: a type that stands for it.
pub(super) trait Role<'a> {
    type Field: Copy;
    fn take(args: &mut ArgumentReader<'a, '_>) -> Option<Self::Field>;
    fn put(field: Self::Field, args: &mut Vec<Argument>);
}

/// A constant operand.
pub(super) trait Immediate: Copy {
    fn number(self) -> u32;
    fn from_number(number: u64) -> Option<Self>;
}

/// The roles.
pub(super) mod role {
    use std::marker::PhantomData;

    pub(crate) struct Value;
    pub(crate) struct Word;
    pub(crate) struct HitObject;
    pub(crate) struct Coordinates;
    pub(crate) struct Counted;
    pub(crate) struct Rest;
    pub(crate) struct Const<T>(PhantomData<T>);
}

macro_rules! value_roles {
    ($($role:ident: $kind:ident),*) => { $(
        impl Role<'_> for role::$role {
            type Field = ValueId;
            fn take(args: &mut ArgumentReader<'_, '_>) -> Option<ValueId> {
                args.next()
            }
            fn put(field: ValueId, args: &mut Vec<Argument>) {
                args.push(Argument::Value(field, ArgumentKind::$kind));
            }
        }
    )* };
}
value_roles!(Value: Own, Word: Word, HitObject: HitObject);

fn put_all(values: &[ValueId], args: &mut Vec<Argument>) {
    let own = |&value| Argument::Value(value, ArgumentKind::Own);
    args.extend(values.iter().map(own));
}

impl Role<'_> for role::Coordinates {
    type Field = [ValueId; 3];
    fn take(args: &mut ArgumentReader<'_, '_>) -> Option<[ValueId; 3]> {
        Some([args.next()?, args.next()?, args.next()?])
    }
    fn put(field: [ValueId; 3], args: &mut Vec<Argument>) {
        put_all(&field, args);
    }
}

impl<'a> Role<'a> for role::Counted {
    type Field = &'a [ValueId];
    fn take(args: &mut ArgumentReader<'a, '_>) -> Option<&'a [ValueId]> {
        let count = usize::try_from(args.number()?).ok()?;
        let (taken, rest) = args.rest.split_at_checked(count)?;
        args.rest = rest;
        Some(taken)
    }
    fn put(field: &'a [ValueId], args: &mut Vec<Argument>) {
        args.push(Argument::Constant(field.len() as u32));
        put_all(field, args);
    }
}

impl<'a> Role<'a> for role::Rest {
    type Field = &'a [ValueId];
    fn take(args: &mut ArgumentReader<'a, '_>) -> Option<&'a [ValueId]> {
        Some(std::mem::take(&mut args.rest))
    }
    fn put(field: &'a [ValueId], args: &mut Vec<Argument>) {
        put_all(field, args);
    }
}

impl<T: Immediate> Role<'_> for role::Const<T> {
    type Field = T;
    fn take(args: &mut ArgumentReader<'_, '_>) -> Option<T> {
        T::from_number(args.number()?)
    }
    fn put(field: T, args: &mut Vec<Argument>) {
        args.push(Argument::Constant(field.number()));
    }
}

impl Immediate for u32 {
    fn number(self) -> u32 {
        self
    }
    fn from_number(number: u64) -> Option<Self> {
        u32::try_from(number).ok()
    }
}

impl Immediate for bool {
    fn number(self) -> u32 {
        u32::from(self)
    }
    fn from_number(number: u64) -> Option<Self> {
        Some(number != 0)
    }
}

macro_rules! dxil_immediates {
    ($($ty:ident),*) => { $(
        impl Immediate for $ty {
            fn number(self) -> u32 {
                self as u32
            }
            fn from_number(number: u64) -> Option<Self> {
                $ty::from_number(number)
            }
        }
    )* };
}
dxil_immediates!(WaveOp, Sign);
