//! Hints of the source about control flow and precision, attached to instructions as metadata:
//! `dx.controlflow.hints`, `llvm.loop`, `dx.precise`, `dx.nonuniform`.

use crate::ir::{Constant, Function, InstId, MdId, Module, ValueDef};

/// Attribute of an `if` or `switch`, DXIL's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BranchHint {
    /// `[branch]`.
    Branch,
    /// `[flatten]`.
    Flatten,
    /// `[fastopt]`.
    FastOpt,
    /// `[allow_uav_condition]`.
    AllowUavCondition,
    /// `[forcecase]`.
    ForceCase,
    /// `[call]`.
    Call,
}

/// Attribute of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LoopHint {
    /// `[loop]`: keep it a loop.
    DontUnroll,
    /// `[unroll]`.
    Unroll,
    /// `[unroll(n)]`.
    UnrollCount(u32),
}

/// Numbers of the metadata kinds in one module; reads the attachments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hints {
    control_flow: Option<u32>,
    loops: Option<u32>,
    precise: Option<u32>,
    non_uniform: Option<u32>,
}

impl Hints {
    /// Looks the kinds up.
    pub fn new(module: &Module) -> Self {
        let kind = |name| module.metadata.kind(name);
        Hints {
            control_flow: kind("dx.controlflow.hints"),
            loops: kind("llvm.loop"),
            precise: kind("dx.precise"),
            non_uniform: kind("dx.nonuniform"),
        }
    }

    /// Returns the hint on a conditional branch or switch. The last one wins if there are several.
    pub fn branch(&self, module: &Module, function: &Function, inst: InstId) -> Option<BranchHint> {
        let node = function.attachment(inst, self.control_flow?)?;
        // The node itself, the kind's name, then the hints.
        let operands = module.metadata.tuple(node)?;
        let mut hint = None;
        // Bounded: a node may be attached to many branches, and there are six hints.
        for operand in operands.iter().skip(2).take(8) {
            hint = match int(module, (*operand)?)? {
                1 => Some(BranchHint::Branch),
                2 => Some(BranchHint::Flatten),
                3 => Some(BranchHint::FastOpt),
                4 => Some(BranchHint::AllowUavCondition),
                5 => Some(BranchHint::ForceCase),
                6 => Some(BranchHint::Call),
                _ => hint,
            };
        }
        hint
    }

    /// Returns the hint on the branch that closes a loop.
    pub fn loop_hint(
        &self,
        module: &Module,
        function: &Function,
        inst: InstId,
    ) -> Option<LoopHint> {
        let node = function.attachment(inst, self.loops?)?;
        // The node itself, then one list per property: a name, perhaps a number.
        let operands = module.metadata.tuple(node)?;
        operands
            .iter()
            .skip(1)
            .take(8)
            .flatten()
            .find_map(|property| {
                let property = module.metadata.tuple(*property)?;
                let name = module.metadata.string((*property.first()?)?)?;
                match name {
                    "llvm.loop.unroll.disable" => Some(LoopHint::DontUnroll),
                    "llvm.loop.unroll.full" | "llvm.loop.unroll.enable" => Some(LoopHint::Unroll),
                    "llvm.loop.unroll.count" => {
                        let count = int(module, (*property.get(1)?)?)?;
                        u32::try_from(count).ok().map(LoopHint::UnrollCount)
                    }
                    _ => None,
                }
            })
    }

    /// Returns whether a call must be computed as written (DXIL document, "Precise qualifier").
    /// Plain instructions show it by the absence of [`crate::ir::FastMath::FAST`].
    pub fn is_precise(&self, module: &Module, function: &Function, inst: InstId) -> bool {
        self.precise
            .and_then(|kind| function.attachment(inst, kind))
            .is_some_and(|node| flag(module, node))
    }

    /// Returns whether a value is marked as non-uniform (before SM 6.6 on address arithmetic).
    pub fn is_non_uniform(&self, module: &Module, function: &Function, inst: InstId) -> bool {
        self.non_uniform
            .and_then(|kind| function.attachment(inst, kind))
            .is_some_and(|node| flag(module, node))
    }
}

/// Returns whether a node is `!{i32 1}`.
fn flag(module: &Module, node: MdId) -> bool {
    let operand = module
        .metadata
        .tuple(node)
        .and_then(|operands| operands.first().copied().flatten());
    operand.and_then(|id| int(module, id)) == Some(1)
}

fn int(module: &Module, node: MdId) -> Option<u64> {
    let value = module.metadata.value(node)?;
    match module.values.get(value.as_u32() as usize)?.def {
        ValueDef::Constant(Constant::Int(value)) => Some(value),
        ValueDef::Constant(Constant::Null) => Some(0),
        _ => None,
    }
}
