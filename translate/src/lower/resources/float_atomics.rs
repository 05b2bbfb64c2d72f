//! Atomics on floats that D3D does not have, for vendors' shader extensions: loops around a
//! compare-exchange.

use dxil_frontend::ir::ValueId;

use super::atomics::{atomic_result, atomic_target, exchange_until_unchanged};
use crate::Result;
use crate::lower::context::Context;
use crate::lower::resources::handle_values;
use crate::lower::type_map::Scalar;
use crate::lower::values::LoweredValue;
use crate::pseudo::FloatAtomic;
use crate::spirv::{Builder, GLOp, Id, Op, Scope};

/// Lowers [`crate::pseudo::PseudoCall::FloatAtomic`]; returns the old word.
pub(in crate::lower) fn update(
    cx: &mut Context<'_>,
    resource: ValueId,
    coords: [ValueId; 3],
    value: ValueId,
    operation: FloatAtomic,
) -> Result<LoweredValue> {
    let handle = handle_values::handle_of(cx, resource)?;
    let value = cx.id(value)?;
    let word = Scalar::Int {
        bits: 32,
        width: 32,
    };
    // The comparison is of bits: NaN would never equal itself, and -0.0 would equal +0.0.
    let target = atomic_target(cx, &handle, coords, word)?;
    let scope = cx.b.const_u32(Scope::Device as u32);
    let relaxed = cx.b.const_u32(0);
    let memory = [target.pointer, scope, relaxed];
    let found = exchange_until_unchanged(cx, target.ty, memory, |b, old| {
        combined(b, operation, old, value)
    });
    atomic_result(cx, target, found)
}

/// Returns the result of the operation on two words.
fn combined(b: &mut Builder, operation: FloatAtomic, old: Id, value: Id) -> Id {
    let word = b.uint(32);
    let float = b.float(32);
    if operation == FloatAtomic::Add {
        let [old, value] = [old, value].map(|bits| b.bitcast(float, bits));
        let sum = b.emit(Op::FAdd, float, &[old, value]);
        return b.bitcast(word, sum);
    }
    // Single precision has more than twice the bits of a half: a sum that is rounded to it and then
    // to a half is the sum rounded once.
    let pair = b.vector(float, 2);
    let [old, value] = [old, value].map(|halves| b.glsl(GLOp::UnpackHalf2x16, pair, &[halves]));
    let new = match operation {
        FloatAtomic::Add | FloatAtomic::AddHalves => b.emit(Op::FAdd, pair, &[old, value]),
        FloatAtomic::MinHalves => b.glsl(GLOp::NMin, pair, &[old, value]),
        FloatAtomic::MaxHalves => b.glsl(GLOp::NMax, pair, &[old, value]),
    };
    b.glsl(GLOp::PackHalf2x16, word, &[new])
}
