//! What is made of the table: [`PseudoOp`], and [`PseudoCall`] with its operands.

use dxil_frontend::dxil::ops::{AtomicOp, Op, ResourceAtomicOp, Sign, WaveOp, calls};
use dxil_frontend::ir::{FuncView, ValueId};

use super::immediates::{BarycentricMode, FloatAtomic, HitGeometry};
use super::matrix::{ElementwiseOp, MatrixType, ProductFormats};
use super::operands::{Argument, ArgumentReader, Role, operand_type, role};
use super::table::for_each_pseudo_op;
use crate::{Error, Result};

/// Names begin with this, which no HLSL function's does.
const PREFIX: &str = "pseudo.";

/// The lanes that have to do with an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Its own alone.
    Thread,
    /// All of the wave.
    Wave,
}

macro_rules! define_calls {
    ($(
        $(#[$doc:meta])*
        ($op:ident, $name:literal,
            [$($operand:ident: $role:ident $(<$parameter:ident>)?),*], $reach:ident)
    )*) => {
        /// A pseudo-operation.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum PseudoOp { $($(#[$doc])* $op,)* }

        impl PseudoOp {
            const ALL: &[PseudoOp] = &[$(PseudoOp::$op),*];

            /// Returns the name of its function, without prefix and the number of its type.
            const fn base_name(self) -> &'static str {
                match self { $(PseudoOp::$op => $name,)* }
            }

            const fn reach(self) -> Reach {
                match self { $(PseudoOp::$op => Reach::$reach,)* }
            }
        }

        /// A call of a pseudo-operation, by its row of the table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum PseudoCall<'a> {
            $($(#[$doc])* $op { $($operand: operand_type!('a, $role $(, $parameter)?)),* },)*
        }

        impl<'a> PseudoCall<'a> {
            /// Returns the operation.
            pub(crate) fn op(&self) -> PseudoOp {
                match self { $(PseudoCall::$op { .. } => PseudoOp::$op,)* }
            }

            /// Returns the arguments of the call, in order.
            pub(crate) fn arguments(&self) -> Vec<Argument> {
                #[allow(unused_mut, reason = "some operations have no operands")]
                let mut args = Vec::new();
                match *self {
                    $(PseudoCall::$op { $($operand),* } => {
                        $(<role::$role $(<$parameter>)? as Role<'a>>::put($operand, &mut args);)*
                    })*
                }
                args
            }

            fn take(op: PseudoOp, args: &mut ArgumentReader<'a, '_>) -> Option<PseudoCall<'a>> {
                Some(match op {
                    $(PseudoOp::$op => PseudoCall::$op {
                        $($operand: <role::$role $(<$parameter>)? as Role<'a>>::take(args)?),*
                    },)*
                })
            }
        }
    };
}
for_each_pseudo_op!(define_calls);

impl PseudoOp {
    /// Returns the name of the function of these types; `ty` numbers the function's type.
    pub(crate) fn function_name(self, ty: u32) -> String {
        format!("{PREFIX}{}.{ty}", self.base_name())
    }

    /// Returns the operation that a function denotes.
    pub(crate) fn named(name: &str) -> Option<PseudoOp> {
        let (base, _) = name.strip_prefix(PREFIX)?.split_once('.')?;
        let mut all = PseudoOp::ALL.iter().copied();
        all.find(|op| op.base_name() == base)
    }

    /// Returns whether the operation is cross-lane.
    pub(crate) fn is_of_lanes(self) -> bool {
        self.reach() == Reach::Wave
    }
}

impl<'a> PseudoCall<'a> {
    /// Reads the operands of a call.
    ///
    /// # Errors
    ///
    /// A malformed call: its arguments are not those of the operation's row, which a file that
    /// declares a function of that name can bring about.
    pub(crate) fn decode(
        view: FuncView<'_>,
        op: PseudoOp,
        args: &'a [ValueId],
    ) -> Result<PseudoCall<'a>> {
        let mut reader = ArgumentReader { view, rest: args };
        let call = PseudoCall::take(op, &mut reader);
        call.filter(|_| reader.rest.is_empty()).ok_or_else(|| {
            let name = op.base_name();
            Error::malformed(format!("a call of {PREFIX}{name} with other operands"))
        })
    }

    /// Returns the DXIL operation whose access to resources is that of the call; `None` where it
    /// makes none, or where another operation beside the call makes it.
    pub(crate) fn access(&self) -> Option<Op> {
        match *self {
            PseudoCall::FloatAtomic {
                resource,
                coords,
                value,
                op: _,
            } => Some(Op::ResourceAtomic(ResourceAtomicOp::AtomicBinOp(
                calls::AtomicBinOp {
                    resource,
                    op: AtomicOp::Add,
                    coords,
                    value,
                },
            ))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pseudo_operation_is_known_by_its_name_whatever_its_type() {
        for &op in PseudoOp::ALL {
            for ty in [0, 17] {
                assert_eq!(PseudoOp::named(&op.function_name(ty)), Some(op));
            }
        }
        let names = PseudoOp::ALL.iter().map(|op| op.base_name());
        let distinct: std::collections::BTreeSet<_> = names.collect();
        assert_eq!(distinct.len(), PseudoOp::ALL.len());
        assert_eq!(PseudoOp::named("drawIndex.0"), None);
        assert_eq!(PseudoOp::named("pseudo.drawIndexes.0"), None);
    }
}
