//! The ray queries of a module: where they are allocated, and whether their handles flow through
//! phis, memory or arguments.

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{
    Group, Op, Opcode, RayQueryOp, Role, decode, decode_opcode, op_arguments,
};
use dxil_frontend::ir::{FuncId, FuncView, InstId, ValueId};
use dxil_frontend::tables::HashMap;

use crate::Result;
use crate::analysis::hit_status;

/// `RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS` (DirectX Raytracing specification, "RAYQUERY_FLAG").
pub(crate) const ALLOW_MICROMAPS: u32 = 1;

/// The ray queries of a module.
#[derive(Debug, Default)]
pub(crate) struct RayQueries {
    /// The allocations, in order; a query is known by its index here.
    pub(crate) allocations: Vec<Allocation>,
    /// Their indices, by function and handle.
    numbers: HashMap<(FuncId, ValueId), usize>,
    /// Whether some operation takes its query from elsewhere than an allocation in the same
    /// function: a phi, memory, an argument.
    pub(crate) travels: bool,
    /// Whether some query may meet opacity micromaps.
    pub(crate) micromaps: bool,
    /// Accessors of hits that no branch on the committed status leads to.
    pub(crate) unasked: Vec<(FuncId, InstId)>,
}

/// An `AllocateRayQuery`.
#[derive(Debug)]
pub(crate) struct Allocation {
    /// The function that it stands in.
    pub(crate) function: FuncId,
    /// `RAY_FLAG`s of the query's type.
    pub(crate) flags: u32,
}

impl RayQueries {
    /// Returns whether there are any.
    pub(crate) fn exist(&self) -> bool {
        !self.allocations.is_empty()
    }

    /// Returns the allocation that gives a handle itself.
    pub(crate) fn allocation_by(&self, function: FuncId, result: ValueId) -> Option<usize> {
        self.numbers.get(&(function, result)).copied()
    }

    /// Returns the allocation that a handle must be from, if that is known.
    pub(crate) fn allocation(&self, function: FuncId, value: ValueId) -> Option<usize> {
        match self.allocations.as_slice() {
            // Whatever the handle has been through, there is one query only.
            [only] if only.function == function => Some(0),
            _ => self.numbers.get(&(function, value)).copied(),
        }
    }
}

/// Finds the ray queries of the functions.
///
/// # Errors
///
/// `Malformed` for operations that cannot be decoded.
pub(super) fn find<'a>(
    shader: &Shader,
    functions: impl Iterator<Item = FuncView<'a>>,
) -> Result<RayQueries> {
    let mut found = RayQueries::default();
    let allocates = |name: &str| {
        let allocations = [Opcode::AllocateRayQuery, Opcode::AllocateRayQuery2];
        allocations.iter().any(|op| op.is_called_by(name))
    };
    let mut declared = shader.module.functions.values();
    if !declared.any(|function| allocates(&function.name)) {
        return Ok(found);
    }
    let mut uses = Vec::new();
    for view in functions {
        let function = view.function;
        let unasked = hit_status::unasked(shader, view)?;
        let unasked = unasked.into_iter().map(|inst| (function.id, inst));
        found.unasked.extend(unasked);
        for data in function.insts.values() {
            let Some(args) = op_arguments(view, &shader.callees, &data.inst) else {
                continue;
            };
            let opcode = decode_opcode(view, args)?;
            let allocated = match opcode.properties().group {
                Group::RayQuery => flags_of(decode(view, args)?),
                _ => None,
            };
            if let Some((flags, query_flags)) = allocated {
                found.micromaps |= query_flags & ALLOW_MICROMAPS != 0;
                if let Some(result) = data.result.expand() {
                    let number = found.allocations.len();
                    found.numbers.insert((function.id, result), number);
                    found.allocations.push(Allocation {
                        function: function.id,
                        flags,
                    });
                }
                continue;
            }
            let operands = opcode.properties().operands;
            for (operand, &value) in operands.iter().zip(args.iter().skip(1)) {
                if operand.role == Role::RayQuery {
                    uses.push((function.id, value));
                }
            }
        }
    }
    found.travels = uses
        .iter()
        .any(|&(function, value)| found.allocation(function, value).is_none());
    Ok(found)
}

/// Returns the flags of the rays and of the query that an operation allocates.
fn flags_of(op: Op) -> Option<(u32, u32)> {
    match op {
        Op::RayQuery(RayQueryOp::AllocateRayQuery(op)) => Some((op.ray_flags, 0)),
        Op::RayQuery(RayQueryOp::AllocateRayQuery2(op)) => Some((op.ray_flags, op.query_flags)),
        _ => None,
    }
}
