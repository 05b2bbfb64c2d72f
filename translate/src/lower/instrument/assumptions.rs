// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! What D3D12 wants of shaders and hardware does not check.

use dxil_frontend::dxil::ops::Op as DxOp;
use dxil_frontend::ir::{BinaryOp, Inst, ValueDef, ValueId};

use crate::lower::Lowering;
use crate::lower::resources::choices::takes_derivatives;
use crate::lower::resources::layer_words::LAST_SAMPLER;
use crate::spirv::{Capability, GLOp, Id, Op};
use crate::{Assumption, InstructionCheck};

impl Lowering<'_> {
    /// Whether anybody wants to know of what shaders have to keep to.
    pub(in crate::lower) fn watches_assumptions(&self) -> bool {
        self.watches(InstructionCheck::Assumptions)
    }

    /// Reports if something does not hold.
    pub(in crate::lower) fn assume(&mut self, holds: Id, what: Assumption) {
        let bool_ty = self.b.bool();
        let wrong = self.b.emit(Op::LogicalNot, bool_ty, &[holds]);
        let what = self.b.const_u32(what as u32);
        self.report_if(wrong, what);
    }

    /// Reports a number that is more than it may be; one that is known cannot be it.
    pub(in crate::lower) fn assume_at_most(&mut self, number: Id, most: u32, what: Assumption) {
        if !self.watches_assumptions() || self.b.literal(number).is_some_and(|n| n <= most) {
            return;
        }
        let bool_ty = self.b.bool();
        let most = self.b.const_u32(most);
        let holds = self.b.emit(Op::ULessThanEqual, bool_ty, &[number, most]);
        self.assume(holds, what);
    }

    /// All lanes of a pixel's quad take part in what looks at the neighbours.
    pub(in crate::lower) fn assume_whole_quads(&mut self, op: &DxOp) {
        let looks = takes_derivatives(op)
            || matches!(
                op,
                DxOp::DerivCoarseX(_)
                    | DxOp::DerivCoarseY(_)
                    | DxOp::DerivFineX(_)
                    | DxOp::DerivFineY(_)
                    | DxOp::QuadOp(_)
                    | DxOp::QuadReadLaneAt(_)
                    | DxOp::QuadVote(_)
            );
        if looks && self.is_pixel() && self.watches_assumptions() {
            self.inputs.convergent = true;
            let whole = self.active_lanes_of_quad(&[0, 1, 2, 3]);
            self.assume(whole, Assumption::QuadIsWhole);
        }
    }

    /// An index into a heap: reports one that lies beyond it, and keeps it inside.
    pub(super) fn index_assumed_in_heap(&mut self, index: Id, samplers: bool) -> Id {
        let Some(size) = self.options.bindings.heap_size else {
            return index;
        };
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let (holds, most, what) = if samplers {
            let last = self.b.const_u32(LAST_SAMPLER);
            let holds = self.b.emit(Op::ULessThanEqual, bool_ty, &[index, last]);
            (holds, last, Assumption::InSamplerHeap)
        } else {
            let size = self.heap_size(size);
            let holds = self.b.emit(Op::ULessThan, bool_ty, &[index, size]);
            (holds, size, Assumption::InResourceHeap)
        };
        self.assume(holds, what);
        self.b.glsl(GLOp::UMin, word, &[index, most])
    }

    /// Whether a word is the same in all lanes that are there.
    pub(super) fn same_in_all_lanes(&mut self, value: Id) -> Id {
        self.b.capability(Capability::GroupNonUniformVote);
        let bool_ty = self.b.bool();
        let scope = self.subgroup_scope();
        self.b
            .emit(Op::GroupNonUniformAllEqual, bool_ty, &[scope, value])
    }

    /// The byte offset into a raw buffer, `x * n + m`, has not wrapped around.
    pub(in crate::lower) fn assume_raw_offset(&mut self, offset: ValueId) -> crate::Result<()> {
        if !self.watches_assumptions() {
            return Ok(());
        }
        let mut product = offset;
        if let Some((BinaryOp::Add | BinaryOp::Or, a, b)) = self.binary_of(offset) {
            product = match (self.constant_int(a), self.constant_int(b)) {
                (None, Some(_)) => a,
                (Some(_), None) => b,
                _ => return Ok(()),
            };
        }
        let Some((op, a, b)) = self.binary_of(product) else {
            return Ok(());
        };
        let (factor, constant) = match (self.constant_int(a), self.constant_int(b)) {
            (None, Some(constant)) => (a, constant),
            (Some(constant), None) if op == BinaryOp::Mul => (b, constant),
            _ => return Ok(()),
        };
        let times = match op {
            BinaryOp::Mul => constant as u32,
            BinaryOp::Shl if constant < 32 => 1 << constant,
            _ => return Ok(()),
        };
        if times > 1 {
            let factor = self.id(factor)?;
            self.assume_at_most(factor, u32::MAX / times, Assumption::RawOffset);
        }
        Ok(())
    }

    fn binary_of(&self, value: ValueId) -> Option<(BinaryOp, ValueId, ValueId)> {
        let ValueDef::Inst(inst) = self.view.value(value)?.def else {
            return None;
        };
        match self.view.function.insts.get(inst)?.inst {
            Inst::Binary { op, lhs, rhs, .. } => Some((op, lhs, rhs)),
            _ => None,
        }
    }
}
