//! Pseudo-operations: operations that DXIL lacks, of vendors' extensions or inserted by passes.
//!
//! In the IR each is a call of a function without a body. [`table`] has a row for each, from which
//! everything else is made: [`PseudoOp`] and the names of the functions, [`PseudoCall`] with named
//! operands, its decoder, and the arguments of a call ([`PseudoCall::arguments`]). The lowering
//! matches [`PseudoCall`] in one place without a `_` arm.

mod call;
mod immediates;
pub(crate) mod matrix;
mod operands;
mod table;

pub(crate) use call::{PseudoCall, PseudoOp};
pub(crate) use immediates::{BarycentricLocation, BarycentricMode, FloatAtomic, HitGeometry};
pub(crate) use operands::{Argument, ArgumentKind};
