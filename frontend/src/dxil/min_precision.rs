//! Min-precision types (`min16float`, `min16int`, `min16uint`) in the memory of buffers.
//!
//! Without the flag `UseNativeLowPrecision`, `half` and `i16` are types of at least 16 bits. In
//! buffers each takes 32 bits: the data layout of such modules says `f16:32` and `i16:32`, and
//! strides and offsets count whole words (DXIL document, "Memory accesses"). A `half` is there as a
//! float and an `i16` as a 32-bit integer, which needs a sign that `i16` does not have.

use super::ops::{IntegerOp, Op, op_giving};
use super::{Resource, Shader, ShaderFlags};
use crate::ir::{BinaryOp, CastOp, FuncView, Inst, ValueDef, ValueId};

/// Maximum number of definitions that are followed to the operation that tells a sign.
const MAX_STEPS: u32 = 16;

impl ShaderFlags {
    /// Returns whether 16-bit types have 16 bits in buffers; without it each takes 32.
    pub fn has_packed_halves(self) -> bool {
        self.contains(ShaderFlags::USE_NATIVE_LOW_PRECISION)
    }
}

impl Shader {
    /// Returns whether a min-precision integer that is stored to a buffer is signed: by the name of
    /// the buffer's class, else by the operations that made it. Signed where nothing tells.
    pub fn is_stored_signed(
        &self,
        view: FuncView<'_>,
        buffer: Option<&Resource>,
        value: ValueId,
    ) -> bool {
        let by_class = buffer.and_then(|buffer| self.element_sign(buffer));
        let by_value = || self.sign_of(view, value, &mut MAX_STEPS.clone());
        by_class.or_else(by_value).unwrap_or(true)
    }

    /// Returns whether the min-precision integers of a buffer are signed, if its class's name
    /// tells.
    fn element_sign(&self, buffer: &Resource) -> Option<bool> {
        let crate::ir::Type::Struct { name, .. } = self.module.types.get(buffer.ty?) else {
            return None;
        };
        sign_in_class(name.as_deref()?)
    }

    fn sign_of(&self, view: FuncView<'_>, value: ValueId, steps: &mut u32) -> Option<bool> {
        *steps = steps.checked_sub(1)?;
        let ValueDef::Inst(inst) = view.value(value)?.def else {
            return None;
        };
        match view.function.insts.get(inst)?.inst {
            Inst::Cast { op, value } => match op {
                CastOp::FpToSi | CastOp::SExt => Some(true),
                CastOp::FpToUi | CastOp::ZExt => Some(false),
                CastOp::Trunc => self.sign_of(view, value, steps),
                _ => None,
            },
            Inst::Binary { op, lhs, rhs, .. } => match op {
                BinaryOp::SDiv | BinaryOp::SRem | BinaryOp::AShr => Some(true),
                BinaryOp::UDiv | BinaryOp::URem | BinaryOp::LShr => Some(false),
                BinaryOp::Shl => self.sign_of(view, lhs, steps),
                _ => {
                    let left = self.sign_of(view, lhs, steps);
                    left.or_else(|| self.sign_of(view, rhs, steps))
                }
            },
            Inst::Select {
                if_true, if_false, ..
            } => {
                let first = self.sign_of(view, if_true, steps);
                first.or_else(|| self.sign_of(view, if_false, steps))
            }
            Inst::Phi { incoming } => {
                let mut edges = view.function.edges_of(incoming).iter();
                edges.find_map(|&(value, _)| self.sign_of(view, value, steps))
            }
            Inst::Call { .. } => match op_giving(view, &self.callees, value)? {
                Op::Integer(IntegerOp::IMax(_) | IntegerOp::IMin(_)) => Some(true),
                Op::Integer(IntegerOp::UMax(_) | IntegerOp::UMin(_)) => Some(false),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Returns the sign of the first template argument, if that is a min-precision integer, as in
/// `hostlayout.class.RWStructuredBuffer<vector<min16uint, 3> >`.
fn sign_in_class(class: &str) -> Option<bool> {
    let (_, argument) = class.split_once('<')?;
    let inner = argument
        .strip_prefix("vector<")
        .or_else(|| argument.strip_prefix("matrix<"));
    let argument = inner.unwrap_or(argument);
    let name = argument.split(['>', ',']).next()?;
    match name {
        "min16int" | "min12int" => Some(true),
        "min16uint" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_tells_the_sign_of_min_precision_integers() {
        let sign = |class| sign_in_class(class);
        assert_eq!(sign("class.RWStructuredBuffer<min16int>"), Some(true));
        assert_eq!(
            sign("hostlayout.class.RWStructuredBuffer<vector<min16uint, 3> >"),
            Some(false)
        );
        assert_eq!(sign("class.StructuredBuffer<Item>"), None);
        assert_eq!(sign("class.StructuredBuffer<unsigned int>"), None);
    }
}
