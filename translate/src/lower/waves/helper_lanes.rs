//! Helper lanes of pixel shaders take no part in wave operations (DirectX specs, "HLSL Shader Model
//! 6.7", helper lanes), unless the shader asks for them with `WaveOpsIncludeHelperLanes`. In SPIR-V
//! they may be active, so what they contribute is made neutral. They get results like all others:
//! code behind the operation often goes the same way in a whole quad.

use cranelift_entity::EntityRef;
use dxil_frontend::dxil::ops::Sign;
use dxil_frontend::ir::{Inst, InstId, ValueId};

use crate::Result;
use crate::lower::Lowering;
use crate::lower::context::{Call, Value};
use crate::lower::types::{Scalar, Shape};
use crate::options::{Features, VulkanVersion};
use crate::spirv::{BuiltIn, Capability, Id, Op};

/// Compilers leave a comparison this close to what it compares.
const COMPARED_WITHIN: usize = 256;

/// What helper lanes get from the first lane when no other lane is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Otherwise {
    /// Zero, as on D3D12 drivers.
    Zero,
    /// Their own value, so that loops end which the lanes of one value leave together.
    Own,
}

/// Attribute of the function of a shader that has helper lanes take part.
const INCLUDED: &str = "waveops-include-helper-lanes";

impl Lowering<'_> {
    /// Whether this stage has helper lanes at all.
    pub(in crate::lower) fn is_pixel(&self) -> bool {
        self.entry.kind == dxil_frontend::dxil::ShaderKind::Pixel
    }

    /// Whether a discarded lane goes on as a helper. Vulkan 1.3 has that on every device.
    pub(in crate::lower) fn demotes(&self) -> bool {
        self.has(Features::DEMOTE_TO_HELPER) || self.options.target.vulkan >= VulkanVersion::V1_3
    }

    /// Whether this lane is a helper now, in a pixel shader.
    fn helper(&mut self) -> Id {
        let ty = self.b.bool();
        if !self.resources.plan.discards || !self.demotes() {
            // Lanes are helpers from the beginning or never.
            let variable = self.built_in(BuiltIn::HelperInvocation, ty);
            return self.b.load(ty, variable);
        }
        if self.b.version() >= 0x0001_0600 {
            let variable = self.built_in(BuiltIn::HelperInvocation, ty);
            // A demoted lane becomes a helper while the shader runs: hence volatile.
            return self.b.emit(Op::Load, ty, &[variable.0, 1]);
        }
        self.b.capability(Capability::DemoteToHelperInvocation);
        self.b.extension("SPV_EXT_demote_to_helper_invocation");
        self.b.emit::<u32>(Op::IsHelperInvocationEXT, ty, &[])
    }

    /// `IsHelperLane`: false outside pixel shaders.
    pub(in crate::lower) fn is_helper_lane(&mut self) -> Result<Value> {
        Ok(Value::Id(if self.is_pixel() {
            self.helper()
        } else {
            self.b.const_bool(false)
        }))
    }

    /// Whether this lane is a helper that must not take part in wave operations; `None` where there
    /// are no such lanes.
    pub(in crate::lower) fn excluded_lane(&mut self) -> Option<Id> {
        let included = || {
            let main = self.entry.function?;
            self.shader.module.function_attribute(main, INCLUDED)
        };
        if !self.is_pixel()
            || self.is_portable()
            || self.options.helper_lanes_in_waves
            || included().is_some()
        {
            return None;
        }
        Some(self.helper())
    }

    /// The condition, or false in lanes that take no part.
    pub(in crate::lower) fn of_included_lanes(&mut self, condition: Id) -> Id {
        let Some(helper) = self.excluded_lane() else {
            return condition;
        };
        let ty = self.b.bool();
        let included = self.b.emit(Op::LogicalNot, ty, &[helper]);
        self.b.emit(Op::LogicalAnd, ty, &[condition, included])
    }

    /// The condition, or true in lanes that take no part.
    pub(in crate::lower) fn or_excluded_lane(&mut self, condition: Id) -> Id {
        let Some(helper) = self.excluded_lane() else {
            return condition;
        };
        let ty = self.b.bool();
        self.b.emit(Op::LogicalOr, ty, &[condition, helper])
    }

    /// The number of the first lane that takes part, and whether there is one.
    fn first_included_lane(&mut self, helper: Id) -> (Id, Id) {
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let mask_ty = self.b.vector(word, 4);
        let included = self.b.emit(Op::LogicalNot, bool_ty, &[helper]);
        let scope = self.subgroup_scope();
        self.b.capability(Capability::GroupNonUniformBallot);
        self.b.capability(Capability::GroupNonUniformVote);
        let mask = self
            .b
            .emit(Op::GroupNonUniformBallot, mask_ty, &[scope, included]);
        let first = self
            .b
            .emit(Op::GroupNonUniformBallotFindLSB, word, &[scope, mask]);
        let any = self
            .b
            .emit(Op::GroupNonUniformAny, bool_ty, &[scope, included]);
        (first, any)
    }

    /// Whether this is the first lane that takes part; where none does, the first one of all, so that
    /// loops which one lane leaves at a time end.
    pub(in crate::lower) fn is_first_included_lane(&mut self, helper: Id) -> Id {
        let bool_ty = self.b.bool();
        let (first, any) = self.first_included_lane(helper);
        let me = self.load_subgroup_built_in(BuiltIn::SubgroupLocalInvocationId);
        let is_first = self.b.emit(Op::IEqual, bool_ty, &[me, first]);
        let scope = self.subgroup_scope();
        let elected = self.b.emit(Op::GroupNonUniformElect, bool_ty, &[scope]);
        self.b.select(bool_ty, any, is_first, elected)
    }

    /// The value of the first lane that takes part.
    pub(in crate::lower) fn read_first_included_lane(
        &mut self,
        value: ValueId,
        helper: Id,
        otherwise: Otherwise,
    ) -> Result<Id> {
        let (first, any) = self.first_included_lane(helper);
        let scope = self.subgroup_scope();
        self.b.capability(Capability::GroupNonUniformShuffle);
        let source = match otherwise {
            Otherwise::Zero => first,
            Otherwise::Own => {
                let me = self.load_subgroup_built_in(BuiltIn::SubgroupLocalInvocationId);
                let word = self.b.u32();
                self.b.select(word, any, first, me)
            }
        };
        let read = self.move_between_lanes(value, |l, ty, id| {
            l.b.emit(Op::GroupNonUniformShuffle, ty, &[scope, id, source])
        })?;
        if otherwise == Otherwise::Own {
            return Ok(read);
        }
        let shape = self.shape_of(value)?;
        let ty = self.shape_ty(shape)?;
        let zero = self.b.const_null(ty);
        let any = self.condition_of(shape, any);
        Ok(self.b.select(ty, any, read, zero))
    }

    /// Whether what a read of the first lane gave is compared with what the lane put in: lanes go round
    /// a loop like that until their turn comes.
    pub(in crate::lower) fn is_compared(&self, call: &Call, value: ValueId) -> bool {
        let Some(result) = call.result else {
            return false;
        };
        let insts = &self.view.function.insts;
        let first = call.inst.index() + 1;
        (first..first + COMPARED_WITHIN).any(|index| {
            insts.get(InstId::new(index)).is_some_and(|data| {
                matches!(data.inst, Inst::Cmp { lhs, rhs, .. }
                    if (lhs, rhs) == (result, value) || (rhs, lhs) == (result, value))
            })
        })
    }

    /// A condition for a select between values of a shape.
    pub(in crate::lower) fn condition_of(&mut self, shape: Shape, condition: Id) -> Id {
        if shape.count == 1 {
            return condition;
        }
        let bool_ty = self.b.bool();
        let flags = self.b.vector(bool_ty, shape.count);
        let lanes = [condition; 4];
        self.b
            .construct(flags, lanes.get(..shape.count as usize).unwrap_or(&lanes))
    }

    /// Whether all lanes that take part hold the same value.
    pub(in crate::lower) fn all_included_equal(
        &mut self,
        value: ValueId,
        shape: Shape,
        id: Id,
        helper: Id,
    ) -> Result<Id> {
        let first = self.read_first_included_lane(value, helper, Otherwise::Own)?;
        let first = self.zero_extend(shape, first)?;
        let bool_ty = self.b.bool();
        let same = self.is_equal(shape, first, id);
        let same = self.b.emit(Op::LogicalOr, bool_ty, &[same, helper]);
        let scope = self.subgroup_scope();
        self.b.capability(Capability::GroupNonUniformVote);
        Ok(self.b.emit(Op::GroupNonUniformAll, bool_ty, &[scope, same]))
    }

    /// Whether a lane's value is another lane's. NaN is nobody's, not even its own.
    pub(in crate::lower) fn is_equal(&mut self, shape: Shape, a: Id, b: Id) -> Id {
        let equal = match shape.scalar {
            Scalar::Bool => Op::LogicalEqual,
            Scalar::Int { .. } => Op::IEqual,
            Scalar::Float { .. } => Op::FOrdEqual,
        };
        let bool_ty = self.b.bool();
        self.b.emit(equal, bool_ty, &[a, b])
    }

    /// The operand of a reduction or scan: neutral in lanes that take no part.
    pub(in crate::lower) fn neutral_if_excluded(
        &mut self,
        op: Op,
        shape: Shape,
        id: Id,
    ) -> Result<Id> {
        let Some(helper) = self.excluded_lane() else {
            return Ok(id);
        };
        let neutral = self.neutral(op, shape)?;
        let ty = self.shape_ty(shape)?;
        let condition = self.condition_of(shape, helper);
        Ok(self.b.select(ty, condition, neutral, id))
    }

    /// What a reduction's result does not depend on.
    fn neutral(&mut self, op: Op, shape: Shape) -> Result<Id> {
        let width = shape.scalar.width();
        let extreme = |sign| match sign {
            Sign::Unsigned => u64::MAX >> (64 - width),
            Sign::Signed => (u64::MAX >> (64 - width)) >> 1,
        };
        match op {
            Op::GroupNonUniformFAdd => self.const_float(shape, -0.0),
            Op::GroupNonUniformFMul => self.const_float(shape, 1.0),
            Op::GroupNonUniformFMin => self.const_float(shape, f64::INFINITY),
            Op::GroupNonUniformFMax => self.const_float(shape, f64::NEG_INFINITY),
            Op::GroupNonUniformIMul => self.const_int(shape, 1),
            Op::GroupNonUniformUMin | Op::GroupNonUniformBitwiseAnd => {
                self.const_int(shape, extreme(Sign::Unsigned))
            }
            Op::GroupNonUniformSMin => self.const_int(shape, extreme(Sign::Signed)),
            Op::GroupNonUniformSMax => self.const_int(shape, extreme(Sign::Signed) + 1),
            Op::GroupNonUniformLogicalAnd => self.const_int(shape, 1),
            // Sums, unsigned maxima, bitwise and logical "or" and "exclusive or".
            _ => self.const_int(shape, 0),
        }
    }
}
