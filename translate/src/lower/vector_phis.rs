//! Phis of a loop header that are the components of one vector.
//!
//! DXIL has scalars only: a vector that HLSL carries through a loop becomes a phi for each
//! component. Where a dot product takes all of them together, they become one vector phi again.
//! Drivers for GPUs take vectors apart; those that keep them (lavapipe) hold a scalar phi and its
//! next value in one register, so that an instruction that reads the one waits for the other
//! (`bench/RESULTS.md`, "mandelbrot").
//!
//! Incoming vectors are constructed at the end of the blocks that they come from, so the plan is
//! made before the function's first block is written.

use std::ops::Range;

use dxil_frontend::dxil::ops::{FloatOp, Op as DxOp, decode};
use dxil_frontend::ir::{FuncId, Inst, Type, TypeId, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};

use crate::lower::context::{Context, FunctionState};
use crate::lower::values::LoweredValue;
use crate::lower::{flow_values, types};
use crate::spirv::{Id, Op};
use crate::structurize::{
    Merge, Operand, PhiResult, StructuredBlock, StructuredBlockId, StructuredCfg,
};
use crate::{Error, Quirks, Result};

/// A vector that a loop carries.
#[derive(Debug)]
pub(super) struct VectorPhi {
    /// The loop's header.
    header: u32,
    /// Indexes of the header's phis that are its components, in order.
    components: Vec<usize>,
    /// The components' type.
    scalar: Id,
    /// The vector's type.
    pub(super) vector: Id,
    /// Incoming vectors and their blocks, in the order of the phis' own incoming values.
    pub(super) incoming: Vec<(Id, StructuredBlockId)>,
}

/// All vectors that loops of a function carry.
#[derive(Debug, Default)]
pub(super) struct VectorPhis {
    /// In the order of the headers.
    phis: Vec<VectorPhi>,
    /// Blocks at whose end an incoming vector is constructed: the block, the vector and the index
    /// of the incoming edge. Sorted.
    made: Vec<(u32, usize, usize)>,
    /// Headers and their phis that are components.
    held: HashSet<(usize, usize)>,
}

impl VectorPhis {
    /// Returns the vectors of a header: indexes from and to.
    pub(super) fn of_header(&self, block: usize) -> Range<usize> {
        let start = self
            .phis
            .partition_point(|phi| (phi.header as usize) < block);
        let end = self
            .phis
            .partition_point(|phi| phi.header as usize <= block);
        start..end
    }

    /// Returns whether this phi of the block is a component of a vector.
    pub(super) fn hold(&self, block: usize, phi: usize) -> bool {
        self.held.contains(&(block, phi))
    }

    /// Returns some vectors.
    pub(super) fn get(&self, range: Range<usize>) -> &[VectorPhi] {
        &self.phis[range]
    }
}

/// Finds the vectors that loops carry.
pub(super) fn plan(cx: &mut Context<'_>, cfg: &StructuredCfg) -> Result<VectorPhis> {
    let mut planned = VectorPhis::default();
    // A loop that begins with zeros has constants of its own.
    if !cx.input.consumer().compact_code || cx.input.has_quirk(Quirks::LOOPS_BEGIN_WITH_ZERO) {
        return Ok(planned);
    }
    // Most shaders have no dot products. Classes are `dot2`, `dot3` and `dot4`, among others.
    let functions = cx.input.shader.module.functions.iter();
    let of_dots: Vec<FuncId> = functions
        .filter(|(_, decl)| decl.body.is_none() && decl.name.starts_with("dx.op.dot"))
        .map(|(id, _)| id)
        .collect();
    if of_dots.is_empty() {
        return Ok(planned);
    }
    let mut dots = None;
    for (index, block) in cfg.blocks.iter().enumerate() {
        if !matches!(block.merge, Merge::Loop { .. }) || block.phis.len() < 2 {
            continue;
        }
        let floats = float_phis(cx, index, block)?;
        if floats.len() < 2 {
            continue;
        }
        let dots = match &dots {
            // Computed on the first loop that could use it: most functions have none.
            Some(known) => known,
            None => &*dots.insert(operands_of_dots(cx, &of_dots)),
        };
        // In the order of the code, and none that has nothing to do with this loop.
        let first = |value| dots.by_first.get(value).into_iter().flatten();
        #[expect(clippy::disallowed_methods, reason = "sorted")]
        let mut own: Vec<usize> = floats.keys().flat_map(first).copied().collect();
        own.sort_unstable();
        for index_of_dot in own {
            if let Some(components) = components(&dots.operands[index_of_dot], &floats)
                // A phi can be a component of one vector only.
                && !components.iter().any(|&phi| planned.hold(index, phi))
            {
                plan_phi(cx, cfg, index, components, &mut planned)?;
            }
        }
    }
    // Blocks are written in order, so each finds its vectors by a binary search.
    planned.made.sort_unstable();
    Ok(planned)
}

/// Returns the phis of a header that are floats, by their results and by the values that come
/// round.
fn float_phis(
    cx: &Context<'_>,
    index: usize,
    block: &StructuredBlock,
) -> Result<HashMap<ValueId, usize>> {
    let mut found = HashMap::default();
    for (number, phi) in block.phis.iter().enumerate() {
        let (PhiResult::Value(value) | PhiResult::SyntheticLike(_, value)) = phi.result else {
            continue;
        };
        let ty = cx.function.type_of(value)?;
        if !matches!(cx.input.types().get(ty), Type::Float | Type::Half) {
            continue;
        }
        if let PhiResult::Value(result) = phi.result {
            found.insert(result, number);
        }
        for &(operand, from) in &phi.incoming {
            if let Operand::Value(next) = operand
                && from.0 as usize >= index
                // A constant that comes round would match every dot product that takes it.
                && cx.function.view.constant(next).is_none()
            {
                found.entry(next).or_insert(number);
            }
        }
    }
    Ok(found)
}

/// Returns the vectors that the function's dot products take; `of_dots` are the functions that they
/// call.
fn operands_of_dots(cx: &Context<'_>, of_dots: &[FuncId]) -> Dots {
    let view = cx.function.view;
    let mut dots = Dots::default();
    for data in view.function.insts.values() {
        let Inst::Call { callee, args, .. } = data.inst else {
            continue;
        };
        if !view
            .as_function(callee)
            .is_some_and(|id| of_dots.contains(&id))
        {
            continue;
        }
        match decode(view, view.function.values_of(args)) {
            Ok(DxOp::Float(FloatOp::Dot2(op))) => dots.add([&op.a, &op.b]),
            Ok(DxOp::Float(FloatOp::Dot3(op))) => dots.add([&op.a, &op.b]),
            Ok(DxOp::Float(FloatOp::Dot4(op))) => dots.add([&op.a, &op.b]),
            _ => {}
        }
    }
    dots
}

/// Plans the phi of a vector, unless the components come from different blocks or are of different
/// types.
fn plan_phi(
    cx: &mut Context<'_>,
    cfg: &StructuredCfg,
    header: usize,
    components: Vec<usize>,
    planned: &mut VectorPhis,
) -> Result<()> {
    let phis = &cfg.blocks[header].phis;
    let sources = |phi: usize| phis[phi].incoming.iter().map(|edge| edge.1);
    let first = components[0];
    let ty = type_of_phi(&cx.function, phis[first].result)?;
    for &phi in &components[1..] {
        // A vector phi needs one predecessor list for all components.
        if type_of_phi(&cx.function, phis[phi].result)? != ty || !sources(phi).eq(sources(first)) {
            return Ok(());
        }
    }
    let Some(ty) = ty else { return Ok(()) };
    let scalar = types::lower(cx, ty)?;
    let vector = cx.b.vector(scalar, components.len() as u32);
    let mut incoming = Vec::with_capacity(phis[first].incoming.len());
    for (index, from) in sources(first).enumerate() {
        let mut constants = Vec::with_capacity(components.len());
        for &component in &components {
            if let Operand::Value(value) = phis[component].incoming[index].0
                && cx.function.view.constant(value).is_some()
            {
                constants.push(cx.id(value)?);
            }
        }
        // A vector of constants is a constant, which dominates everything.
        let id = if constants.len() == components.len() {
            cx.b.const_composite(vector, &constants)
        } else {
            planned.made.push((from.0, planned.phis.len(), index));
            // The id is needed by the header's phi before the block that constructs the vector is
            // written.
            cx.b.fresh()
        };
        incoming.push((id, from));
    }
    planned
        .held
        .extend(components.iter().map(|&phi| (header, phi)));
    planned.phis.push(VectorPhi {
        header: header as u32,
        components,
        scalar,
        vector,
        incoming,
    });
    Ok(())
}

/// Returns the type of a phi's result, if the IR has it.
fn type_of_phi(function: &FunctionState<'_>, result: PhiResult) -> Result<Option<TypeId>> {
    match result {
        PhiResult::Value(value) | PhiResult::SyntheticLike(_, value) => {
            function.type_of(value).map(Some)
        }
        PhiResult::SyntheticSelector(_) | PhiResult::SyntheticBool(_) => Ok(None),
    }
}

/// Extracts the components of a vector, after all phis of its header; `id` is the result of its
/// phi.
pub(super) fn scalarize(cx: &mut Context<'_>, block: &StructuredBlock, vector: &VectorPhi, id: Id) {
    for (index, &component) in (0..).zip(&vector.components) {
        let part = cx.b.extract(vector.scalar, id, index);
        match block.phis[component].result {
            PhiResult::Value(value) => cx.function.values.set(value, LoweredValue::Id(part)),
            PhiResult::SyntheticLike(synthetic, _)
            | PhiResult::SyntheticSelector(synthetic)
            | PhiResult::SyntheticBool(synthetic) => {
                flow_values::set_synthetic(&mut cx.function, synthetic, part)
            }
        }
    }
}

/// Constructs the vectors that flow from the end of a block into loop headers. `hidden`: values
/// that have another name in this block, and their own.
pub(super) fn make_vectors(
    cx: &mut Context<'_>,
    cfg: &StructuredCfg,
    planned: &VectorPhis,
    block: usize,
    hidden: &[(ValueId, LoweredValue)],
) -> Result<()> {
    let start = planned
        .made
        .partition_point(|made| (made.0 as usize) < block);
    let has_any = planned
        .made
        .get(start)
        .is_some_and(|made| made.0 as usize == block);
    if !has_any {
        return Ok(());
    }
    // The first name of a value counts.
    let hidden: HashMap<ValueId, LoweredValue> = hidden.iter().rev().copied().collect();
    for &(from, vector, way) in &planned.made[start..] {
        if from as usize != block {
            break;
        }
        let VectorPhi {
            header,
            ref components,
            scalar,
            vector,
            ref incoming,
        } = planned.phis[vector];
        let mut parts = Vec::with_capacity(components.len());
        for &component in components {
            let operand = cfg.blocks[header as usize].phis[component].incoming[way].0;
            // In this block the value may have another name, which is the one that flows out of it.
            let own_name = match operand {
                Operand::Value(value) => hidden.get(&value).copied(),
                _ => None,
            };
            parts.push(match (operand, own_name) {
                (Operand::Undef, _) => cx.b.undef(scalar),
                (_, Some(LoweredValue::Id(id))) => id,
                (_, Some(_)) => {
                    return Err(Error::internal("a vector's component that nothing defines"));
                }
                _ => flow_values::operand_id(cx, operand)?,
            });
        }
        cx.b.emit_as(Op::CompositeConstruct, vector, incoming[way].0, &parts);
    }
    Ok(())
}

/// The vectors that a function's dot products take.
#[derive(Debug, Default)]
struct Dots {
    operands: Vec<Vec<ValueId>>,
    /// The phis whose vector begins with a value.
    by_first: HashMap<ValueId, Vec<usize>>,
}

impl Dots {
    fn add(&mut self, both: [&[ValueId]; 2]) {
        for operands in both {
            let index = self.operands.len();
            self.by_first.entry(operands[0]).or_default().push(index);
            self.operands.push(operands.to_vec());
        }
    }
}

/// Returns the phis whose results, or whose next values, are this vector's components; all are
/// different.
fn components(operands: &[ValueId], phis: &HashMap<ValueId, usize>) -> Option<Vec<usize>> {
    let mut found = Vec::with_capacity(operands.len());
    for operand in operands {
        let &phi = phis.get(operand)?;
        // A dot product of a vector with equal components would need the same phi twice.
        if found.contains(&phi) {
            return None;
        }
        found.push(phi);
    }
    Some(found)
}
