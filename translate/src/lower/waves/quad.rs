//! Quads, derivatives and discard: operations on the 2x2 blocks of pixel shaders (and of compute
//! shaders, where the target lays out threads in quads).

use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::dxil::ops::{QuadDirection, QuadVoteKind};
use dxil_frontend::ir::ValueId;

use crate::lower::Lowering;
use crate::lower::context::Value;
use crate::lower::types::Scalar;
use crate::options::Features;
use crate::spirv::{BuiltIn, Capability, ExecutionMode, Id, Op};
use crate::{Error, ErrorKind, Quirks, Result};

impl Lowering<'_> {
    pub(in crate::lower) fn quad_scope(&mut self) -> Id {
        self.b.capability(Capability::GroupNonUniformQuad);
        self.lay_out_quads();
        self.subgroup_scope()
    }

    /// Says how a thread group forms quads, where lanes of a quad look at each other.
    fn lay_out_quads(&mut self) {
        // From shader model 6.6 on, a thread group's quads are those of its derivatives; before,
        // they are four lanes in a row.
        if self.has_groups()
            && self.shader.shader_model.minor >= 6
            && self.has(Features::COMPUTE_DERIVATIVES)
            && !self.has_partial_quads()
        {
            self.inputs.derivatives = true;
        }
    }

    /// Whether these lanes of the quad are active; `None` where nobody asks.
    fn quad_lanes_are_active(&mut self, lanes: &[u32]) -> Option<Id> {
        if self.is_pixel() || !self.has_quirk(Quirks::ZERO_FROM_INACTIVE_QUAD_LANES) {
            return None;
        }
        Some(self.active_lanes_of_quad(lanes))
    }

    /// Whether these lanes of the quad are active.
    pub(in crate::lower) fn active_lanes_of_quad(&mut self, lanes: &[u32]) -> Id {
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let all = self.b.const_bool(true);
        let mask = self.ballot_with_helpers(all);
        let scope = self.subgroup_scope();
        let me = self.load_subgroup_built_in(BuiltIn::SubgroupLocalInvocationId);
        let first = self.b.u32_and(me, !3);
        let mut together = all;
        for &lane in lanes {
            let offset = self.b.const_u32(lane);
            let index = self.b.emit(Op::BitwiseOr, word, &[first, offset]);
            let active = self.b.emit(
                Op::GroupNonUniformBallotBitExtract,
                bool_ty,
                &[scope, mask, index],
            );
            together = match together == all {
                true => active,
                false => self.b.emit(Op::LogicalAnd, bool_ty, &[together, active]),
            };
        }
        together
    }

    /// The value of a neighbour in the quad.
    pub(in crate::lower) fn quad_swap(
        &mut self,
        value: ValueId,
        direction: QuadDirection,
    ) -> Result<Value> {
        if self.is_portable() {
            let scope = self.subgroup_scope();
            let mask = quad_mask(direction);
            let id =
                self.move_between_lanes(value, |l, ty, id| l.portable_swap(scope, ty, id, mask))?;
            return Ok(Value::Id(id));
        }
        let scope = self.quad_scope();
        let direction = self.b.const_u32(direction as u32);
        let id = self.move_between_lanes(value, |l, ty, id| {
            l.b.emit(Op::GroupNonUniformQuadSwap, ty, &[scope, id, direction])
        })?;
        Ok(Value::Id(id))
    }

    /// The value of a lane of the quad, by its index in it.
    pub(in crate::lower) fn quad_read(&mut self, value: ValueId, lane: ValueId) -> Result<Value> {
        if let Some(lane) = self.constant_int(lane)
            && !self.is_portable()
        {
            let scope = self.quad_scope();
            let number = lane as u32 & 3;
            let lane = self.b.const_u32(number);
            let mut id = self.move_between_lanes(value, |l, ty, id| {
                l.b.emit(Op::GroupNonUniformQuadBroadcast, ty, &[scope, id, lane])
            })?;
            if let Some(active) = self.quad_lanes_are_active(&[number]) {
                let shape = self.shape_of(value)?;
                let ty = self.shape_ty(shape)?;
                let zero = self.b.const_null(ty);
                let active = self.condition_of(shape, active);
                id = self.b.select(ty, active, id, zero);
            }
            return Ok(Value::Id(id));
        }
        // A broadcast's index must be the same in all lanes; a shuffle's need not.
        let lane = self.to_u32(lane)?;
        let scope = self.subgroup_scope();
        self.b.capability(Capability::GroupNonUniformShuffle);
        let me = self.load_subgroup_built_in(BuiltIn::SubgroupLocalInvocationId);
        let first = self.b.u32_and(me, !3);
        let offset = self.b.u32_and(lane, 3);
        let ty = self.b.u32();
        let target = self.b.emit(Op::BitwiseOr, ty, &[first, offset]);
        let id = self.move_between_lanes(value, |l, ty, id| {
            l.b.emit(Op::GroupNonUniformShuffle, ty, &[scope, id, target])
        })?;
        Ok(Value::Id(id))
    }

    /// Whether any or all lanes of the quad hold a condition.
    pub(in crate::lower) fn quad_vote(
        &mut self,
        condition: ValueId,
        kind: QuadVoteKind,
    ) -> Result<Value> {
        let condition = self.id(condition)?;
        let ty = self.b.bool();
        if self
            .options
            .target
            .features
            .contains(Features::QUAD_CONTROL)
            && !self.is_portable()
        {
            self.inputs.convergent = true;
            self.lay_out_quads();
            self.b.capability(Capability::QuadControlKHR);
            self.b.extension("SPV_KHR_quad_control");
            let op = match kind {
                QuadVoteKind::Any => Op::GroupNonUniformQuadAnyKHR,
                QuadVoteKind::All => Op::GroupNonUniformQuadAllKHR,
            };
            return Ok(Value::Id(self.b.emit(op, ty, &[condition])));
        }
        let portable = self.is_portable();
        let scope = if portable {
            self.subgroup_scope()
        } else {
            self.quad_scope()
        };
        let combine = match kind {
            QuadVoteKind::Any => Op::LogicalOr,
            QuadVoteKind::All => Op::LogicalAnd,
        };
        let mut result = condition;
        for direction in [QuadDirection::AcrossX, QuadDirection::AcrossY] {
            if portable {
                // naga moves numbers only.
                let word = self.b.u32();
                let number = self.bool_to_u32(result);
                let moved = self.portable_swap(scope, word, number, quad_mask(direction));
                let zero = self.b.const_u32(0);
                let other = self.b.emit(Op::INotEqual, ty, &[moved, zero]);
                result = self.b.emit(combine, ty, &[result, other]);
                continue;
            }
            let direction = self.b.const_u32(direction as u32);
            let other = self
                .b
                .emit(Op::GroupNonUniformQuadSwap, ty, &[scope, result, direction]);
            result = self.b.emit(combine, ty, &[result, other]);
        }
        Ok(Value::Id(result))
    }

    /// Makes sure that this stage has derivatives (and implicit levels of detail): in stages with
    /// thread groups the target must lay threads out in quads.
    pub(in crate::lower) fn require_derivatives(&mut self) -> Result<()> {
        self.inputs.gradients = true;
        if self.entry.kind == ShaderKind::Pixel {
            return Ok(());
        }
        if !self
            .options
            .target
            .features
            .contains(Features::COMPUTE_DERIVATIVES)
        {
            return Err(Error::new(ErrorKind::TargetLacks {
                feature: "computeDerivativeGroupLinear",
                user: "derivatives in a compute shader".to_owned(),
            }));
        }
        if self.has_partial_quads() {
            return Err(Error::internal("derivatives without whole quads"));
        }
        self.inputs.derivatives = true;
        Ok(())
    }

    /// Whether a thread group leaves quads incomplete: no mode of SPIR-V allows for it.
    pub(in crate::lower) fn has_partial_quads(&self) -> bool {
        let [x, y, z] = self.entry.num_threads.unwrap_or([1; 3]);
        !self.is_pixel() && !x.saturating_mul(y).saturating_mul(z).is_multiple_of(4)
    }

    /// How a thread group forms quads: 2D groups with even sides in squares, others by rows of
    /// four, as D3D has it.
    pub(in crate::lower) fn derivative_group(&self) -> Option<(Capability, ExecutionMode)> {
        if !self.inputs.derivatives || self.is_portable() {
            return None;
        }
        let [x, y, _] = self.entry.num_threads.unwrap_or([1; 3]);
        Some(if y > 1 && x % 2 == 0 && y % 2 == 0 {
            (
                Capability::ComputeDerivativeGroupQuadsKHR,
                ExecutionMode::DerivativeGroupQuadsKHR,
            )
        } else {
            (
                Capability::ComputeDerivativeGroupLinearKHR,
                ExecutionMode::DerivativeGroupLinearKHR,
            )
        })
    }

    /// Has lanes meet again where the source says (SPV_KHR_maximal_reconvergence), and derivatives be those of whole
    /// quads whatever way the other quads took (SPV_KHR_quad_control), if lanes look at each other and can part.
    pub(in crate::lower) fn reconvergence_modes(&mut self, function: Id) {
        let features = self.options.target.features;
        let gradients = self.inputs.gradients && self.inputs.branches && !self.is_portable();
        if (self.inputs.convergent || gradients)
            && !self.invokes_shaders()
            && features.contains(Features::MAXIMAL_RECONVERGENCE)
        {
            self.b.extension("SPV_KHR_maximal_reconvergence");
            self.b
                .execution_mode(function, ExecutionMode::MaximallyReconvergesKHR, &[]);
        }
        if gradients && self.is_pixel() && features.contains(Features::QUAD_CONTROL) {
            self.b.capability(Capability::QuadControlKHR);
            self.b.extension("SPV_KHR_quad_control");
            self.b
                .execution_mode(function, ExecutionMode::QuadDerivativesKHR, &[]);
        }
    }

    /// A derivative.
    pub(in crate::lower) fn derivative(&mut self, op: Op, value: ValueId) -> Result<Value> {
        let shape = self.shape_of(value)?;
        if self.has_partial_quads() {
            // D3D leaves it undefined; a lane without neighbours sees no change.
            return Ok(Value::Id(self.const_float(shape, 0.0)?));
        }
        let of_lanes = self.is_portable() && !self.is_pixel();
        if of_lanes {
            self.inputs.derivatives = true;
        } else {
            self.require_derivatives()?;
            self.b.capability(Capability::DerivativeControl);
        }
        let mut id = self.id(value)?;
        // SPIR-V takes derivatives of 32-bit floats only.
        let wide = shape.with(Scalar::F32);
        let wide_ty = self.shape_ty(wide)?;
        if shape.scalar.width() == 16 {
            id = self.b.emit(Op::FConvert, wide_ty, &[id]);
        }
        let mut result = match of_lanes {
            true => self.derivative_of_lanes(op, wide_ty, id),
            false => self.b.emit(op, wide_ty, &[id]),
        };
        // Coarse derivatives are differences between the quad's first lane and one neighbour.
        let neighbour = match op {
            Op::DPdxCoarse => Some(1),
            Op::DPdyCoarse => Some(2),
            _ => None,
        };
        if let Some(neighbour) = neighbour
            && let Some(active) = self.quad_lanes_are_active(&[0, neighbour])
        {
            let zero = self.b.const_null(wide_ty);
            let active = self.condition_of(wide, active);
            result = self.b.select(wide_ty, active, result, zero);
        }
        if shape.scalar.width() == 16 {
            let ty = self.shape_ty(shape)?;
            result = self.b.emit(Op::FConvert, ty, &[result]);
        }
        self.relax(shape, result);
        Ok(Value::Id(result))
    }

    /// `discard`: the lane becomes a helper and goes on, so that derivatives stay defined.
    pub(in crate::lower) fn discard(&mut self, condition: ValueId) -> Result<Value> {
        let always = self.constant_int(condition);
        if always.is_some_and(|value| value & 1 == 0) {
            return Ok(Value::Unset);
        }
        if self.is_portable() || !self.demotes() {
            // It ends the lane, except where naga reads it: as "discard", which keeps a helper again.
            let condition = self.id(condition)?;
            let part = self.begin_if(condition);
            self.b.emit_void::<u32>(Op::Kill, &[]);
            self.end_if_at_end(part);
            return Ok(Value::Unset);
        }
        self.b.capability(Capability::DemoteToHelperInvocation);
        self.b
            .extension_before(0x0001_0600, "SPV_EXT_demote_to_helper_invocation");
        if always.is_some() {
            self.b.emit_void::<u32>(Op::DemoteToHelperInvocation, &[]);
            return Ok(Value::Unset);
        }
        let condition = self.id(condition)?;
        let part = self.begin_if(condition);
        self.b.emit_void::<u32>(Op::DemoteToHelperInvocation, &[]);
        self.end_if(part);
        Ok(Value::Unset)
    }
}

/// Bits of the lane number that differ in a neighbour.
fn quad_mask(direction: QuadDirection) -> u32 {
    match direction {
        QuadDirection::AcrossX => 1,
        QuadDirection::AcrossY => 2,
        QuadDirection::AcrossDiagonal => 3,
    }
}
