// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Floats that are no finite numbers: in every result, or in what others get to see.

use dxil_frontend::dxil::ops::Op as DxOp;
use dxil_frontend::ir::{CastOp, Inst, TypeId, ValueDef, ValueId};

use crate::lower::Lowering;
use crate::lower::context::Value;
use crate::lower::types::{Scalar, Shape};
use crate::spirv::{Id, Op};
use crate::{InstructionCheck, Result};

/// All bits of a 32-bit float but the sign.
const MAGNITUDE: u32 = 0x7fff_ffff;
const INFINITY: u32 = 0x7f80_0000;
/// The upper words of 64-bit floats from infinity on.
const INFINITY_64: u32 = 0x7ff0_0000;

impl Lowering<'_> {
    /// Looks at the result of an instruction, and gives what it becomes.
    pub(in crate::lower) fn watched_result(&mut self, ty: TypeId, value: Value) -> Result<Value> {
        let reports = self.watches(InstructionCheck::NonFinite);
        let flushes = self.watches(InstructionCheck::FlushNan);
        let (Value::Id(id), true) = (value, reports || flushes) else {
            return Ok(value);
        };
        let Ok(shape) = self.shape(ty) else {
            return Ok(value);
        };
        if !matches!(shape.scalar, Scalar::Float { .. }) {
            return Ok(value);
        }
        if reports {
            self.report_non_finite(shape, id)?;
            return Ok(value);
        }
        let is_nan = self.is_nan(shape, id)?;
        let ty = self.shape_ty(shape)?;
        let zero = self.b.const_null(ty);
        Ok(Value::Id(self.b.select(ty, is_nan, zero, id)))
    }

    /// Looks at what an operation writes where others see it. Constants are meant as they are.
    pub(in crate::lower) fn watch_written(&mut self, op: &DxOp) -> Result<()> {
        if !self.watches(InstructionCheck::WrittenNonFinite) {
            return Ok(());
        }
        let values: &[ValueId] = match op {
            DxOp::StoreOutput(op) => &[op.value],
            DxOp::StorePatchConstant(op) => &[op.value],
            DxOp::StoreVertexOutput(op) => &[op.value],
            DxOp::StorePrimitiveOutput(op) => &[op.value],
            DxOp::TextureStore(op) => &op.values,
            DxOp::TextureStoreSample(op) => &op.values,
            DxOp::BufferStore(op) => &op.values,
            DxOp::RawBufferStore(op) => &op.values,
            _ => &[],
        };
        let mut seen: Vec<ValueId> = Vec::new();
        for &value in values {
            let value = self.behind_bitcasts(value);
            if seen.contains(&value) || self.view.constant(value).is_some() {
                continue;
            }
            seen.push(value);
            let Ok(shape) = self.shape_of(value) else {
                continue;
            };
            if matches!(shape.scalar, Scalar::Float { .. }) {
                let id = self.id(value)?;
                self.report_non_finite(shape, id)?;
            }
        }
        Ok(())
    }

    /// Raw buffers take floats as integers.
    fn behind_bitcasts(&self, mut value: ValueId) -> ValueId {
        while let Some(ValueDef::Inst(inst)) = self.view.value(value).map(|data| data.def)
            && let Some(data) = self.view.function.insts.get(inst)
            && let Inst::Cast {
                op: CastOp::Bitcast,
                value: from,
            } = data.inst
        {
            value = from;
        }
        value
    }

    fn report_non_finite(&mut self, shape: Shape, id: Id) -> Result<()> {
        let one = Shape::scalar(shape.scalar);
        let ty = self.shape_ty(one)?;
        for i in 0..shape.count {
            let component = match shape.count {
                1 => id,
                _ => self.b.extract(ty, id, i),
            };
            let wide = match shape.scalar.width() {
                32 => component,
                _ => {
                    let f32_ty = self.b.f32();
                    self.b.emit(Op::FConvert, f32_ty, &[component])
                }
            };
            let (word, bool_ty) = (self.b.u32(), self.b.bool());
            let bits = self.b.bitcast(word, wide);
            // Integers, so that nobody may assume that there are no such floats. A 64-bit one may be too large for 32.
            let (upper, infinity) = match shape.scalar.width() {
                64 => {
                    let pair_ty = self.b.vector(word, 2);
                    let pair = self.b.bitcast(pair_ty, component);
                    (self.b.extract(word, pair, 1), INFINITY_64)
                }
                _ => (bits, INFINITY),
            };
            let magnitude = self.b.u32_and(upper, MAGNITUDE);
            let infinity = self.b.const_u32(infinity);
            let wrong = self
                .b
                .emit(Op::UGreaterThanEqual, bool_ty, &[magnitude, infinity]);
            self.report_if(wrong, bits);
        }
        Ok(())
    }
}
