//! Sums of products and one more addend, which begin with that addend.
//!
//! HLSL's `mul(M, float4(p, 1))` is a product, two multiply-adds and a sum in DXIL, and
//! `dot(n, p) + d` a dot product and a sum. Begun with the addend, both take one operation less:
//! the first product becomes a multiply-add, too. Drivers do not reorder floats themselves. HLSL
//! lets a driver do so unless an operation is `precise` (DXIL document, section on `precise`;
//! D3D11.3 functional specification, 22.3.2, `REFACTORING_ALLOWED`).

use cranelift_entity::EntitySet;
use dxil_frontend::dxil::ops::{
    BufferOp, FloatOp, Op, SignatureOp, decode, op_arguments, op_giving,
};
use dxil_frontend::dxil::{EntryPoint, SemanticKind, Shader, ShaderFlags, ShaderKind};
use dxil_frontend::ir::{
    BinaryOp, Block, Constant, FastMath, FuncView, Inst, InstId, Type, ValueId,
};
use dxil_frontend::tables::HashMap;

use crate::{ConstantOperands, MultiplyAdd, Options, Quirks, SourceDebugInfo};

/// The sums of a function that are computed in another order.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    /// Sums by the instruction in whose place they are computed: the first product, if the addend
    /// is known there, so that sums that the shader computes side by side stay so. Otherwise the
    /// last sum.
    sums: HashMap<InstId, Sum>,
    /// Last sums that are complete before they add anything.
    complete: HashMap<InstId, ValueId>,
    /// Products and multiply-adds that have become a part of a sum in another place.
    parts: EntitySet<InstId>,
}

/// An addend and products.
#[derive(Debug)]
pub(crate) struct Sum {
    /// The factors, in the order of the shader.
    pub(crate) products: Vec<[ValueId; 2]>,
    /// What the sum begins with.
    pub(crate) addend: ValueId,
    /// Whether it is subtracted.
    pub(crate) subtracted: bool,
}

impl Sums {
    /// Returns the sum that is computed in place of an instruction.
    pub(crate) fn of(&self, inst: InstId) -> Option<&Sum> {
        self.sums.get(&inst)
    }

    /// Returns the value that an instruction's result is equal to.
    pub(crate) fn same_as(&self, inst: InstId) -> Option<ValueId> {
        self.complete.get(&inst).copied()
    }

    /// Returns whether an instruction is not computed as the shader has it.
    pub(crate) fn has(&self, inst: InstId) -> bool {
        self.is_part(inst) || self.sums.contains_key(&inst) || self.complete.contains_key(&inst)
    }

    /// Returns whether an instruction is computed as a part of a sum.
    pub(crate) fn is_part(&self, inst: InstId) -> bool {
        self.parts.contains(inst)
    }
}

/// Returns whether the options allow another order.
pub(super) fn may_reorder(shader: &Shader, entry: &EntryPoint, options: &Options) -> bool {
    let refuses = ShaderFlags::DISABLE_MATH_REFACTORING;
    options.consumer().compact_code
        && options.target.numerics.multiply_add == MultiplyAdd::One
        && !options.workarounds.quirks.contains(Quirks::PRECISE)
        // Checks and debuggers look at each value.
        && options.instrumentation.instructions.is_none()
        && options.source == SourceDebugInfo::None
        && !shader.flags_of(entry).contains(refuses)
}

/// Finds the sums of a function; none if there are none.
pub(super) fn find(
    shader: &Shader,
    entry: &EntryPoint,
    view: FuncView<'_>,
    options: &Options,
) -> Option<Sums> {
    let candidates = candidates(view);
    if candidates.is_empty() {
        return None;
    }
    let mut finder = Finder {
        shader,
        view,
        uses: view.function.count_uses(),
        exact: if options.signature.invariant_position {
            values_of_position(shader, entry, view)?
        } else {
            EntitySet::new()
        },
        one_constant: options.target.numerics.constant_operands == ConstantOperands::One,
        found: Sums::default(),
    };
    for (block, inst) in candidates {
        finder.add(block, inst);
    }
    (!finder.found.sums.is_empty()).then_some(finder.found)
}

/// Returns the sums one of whose addends is the result of an operation.
fn candidates(view: FuncView<'_>) -> Vec<(Block, InstId)> {
    let mut found = Vec::new();
    for &block in view.function.blocks.values() {
        for inst in block.insts() {
            let Some(data) = view.function.insts.get(inst) else {
                continue;
            };
            let Inst::Binary {
                op: BinaryOp::FAdd | BinaryOp::FSub,
                fast_math,
                lhs,
                rhs,
            } = data.inst
            else {
                continue;
            };
            if fast_math.contains(FastMath::FAST)
                && *view.module.types.get(data.ty) == Type::Float
                && [lhs, rhs].into_iter().any(|value| is_call(view, value))
            {
                found.push((block, inst));
            }
        }
    }
    found
}

fn is_call(view: FuncView<'_>, value: ValueId) -> bool {
    let inst = view.inst_data(value);
    matches!(inst.map(|data| &data.inst), Some(Inst::Call { .. }))
}

/// Returns the values that a position is computed from. Passes over the same geometry must compute
/// equal positions, whatever else they use the parts of a sum for. `None` if that is not known.
fn values_of_position(
    shader: &Shader,
    entry: &EntryPoint,
    view: FuncView<'_>,
) -> Option<EntitySet<ValueId>> {
    match entry.kind {
        ShaderKind::Vertex => {}
        ShaderKind::Hull | ShaderKind::Domain | ShaderKind::Geometry | ShaderKind::Mesh => {
            return None;
        }
        _ => return Some(EntitySet::new()),
    }
    let function = view.function;
    let mut found = EntitySet::new();
    let mut waiting = Vec::new();
    for data in function.insts.values() {
        let arguments = op_arguments(view, &shader.callees, &data.inst);
        let op = arguments.and_then(|arguments| decode(view, arguments).ok());
        if let Some(Op::Signature(SignatureOp::StoreOutput(op))) = op
            && is_position(entry, op.element)
        {
            waiting.push(op.value);
        }
    }
    while let Some(value) = waiting.pop() {
        let Some(inst) = view.inst_data(value) else {
            continue;
        };
        let is_operation = op_arguments(view, &shader.callees, &inst.inst).is_some();
        match inst.inst {
            // What memory holds and what functions return is not followed.
            Inst::Load { .. } => return None,
            Inst::Call { .. } if !is_operation => return None,
            _ => {}
        }
        if found.insert(value) {
            function.for_each_operand(&inst.inst, |operand| waiting.push(operand));
        }
    }
    Some(found)
}

fn is_position(entry: &EntryPoint, element: u32) -> bool {
    let mut outputs = entry.outputs.iter();
    outputs.any(|output| output.id == element && output.semantic == SemanticKind::Position)
}

/// A sum of products.
struct Products {
    /// The instruction that computes the first of them, or the first few.
    first: InstId,
    /// The multiply-adds that follow.
    others: Vec<InstId>,
    /// The factors of all, in the order of the shader.
    factors: Vec<[ValueId; 2]>,
    /// How many of them the first instruction has.
    of_first: usize,
}

struct Finder<'a> {
    shader: &'a Shader,
    view: FuncView<'a>,
    uses: Vec<u32>,
    /// Values that are computed as the shader says.
    exact: EntitySet<ValueId>,
    /// Whether an instruction can have one constant operand only.
    one_constant: bool,
    found: Sums,
}

impl Finder<'_> {
    /// Adds a sum if it has products that are used for nothing else.
    fn add(&mut self, block: Block, inst: InstId) {
        let Some(data) = self.view.function.insts.get(inst) else {
            return;
        };
        let Inst::Binary { op, lhs, rhs, .. } = data.inst else {
            return;
        };
        if let Some(result) = data.result.expand()
            && self.exact.contains(result)
        {
            return;
        }
        // Of a difference only the first operand has products: those of the second one would have
        // to be negated one by one.
        let orders = if op == BinaryOp::FAdd { 2 } else { 1 };
        for (value, addend) in [(lhs, rhs), (rhs, lhs)].into_iter().take(orders) {
            // Drivers make a multiply-add of a product by themselves.
            if self.is_product(addend) || self.is_zero(addend) {
                continue;
            }
            let Some(products) = self.products(block, value) else {
                continue;
            };
            let Products {
                first,
                others,
                mut factors,
                of_first,
            } = products;
            // A move would take the place of the operation that is saved.
            let [a, b] = factors[0];
            if self.one_constant
                && self.is_constant(addend)
                && (self.is_constant(a) || self.is_constant(b))
            {
                continue;
            }
            let in_place = self.is_known_at(addend, block, first);
            if in_place {
                factors.truncate(of_first);
                self.found.complete.insert(inst, value);
            } else {
                self.found.parts.extend(others);
                self.found.parts.insert(first);
            }
            let sum = Sum {
                products: factors,
                addend,
                subtracted: op == BinaryOp::FSub,
            };
            self.found
                .sums
                .insert(if in_place { first } else { inst }, sum);
            return;
        }
    }

    /// Returns whether a value that is known at the end of a block is known before one of its
    /// instructions.
    fn is_known_at(&self, value: ValueId, block: Block, inst: InstId) -> bool {
        let defined = self.view.inst_of(value);
        defined.is_none_or(|defined| defined < inst || defined >= block.end)
    }

    /// Returns the factors of a sum of products, and the instructions that compute it, if they are
    /// in this block and serve nothing else.
    fn products(&self, block: Block, mut value: ValueId) -> Option<Products> {
        let (mut others, mut products) = (Vec::new(), Vec::new());
        let (first, of_others) = loop {
            if self.uses_of(value) != 1 {
                return None;
            }
            let inst = self.view.inst_of(value)?;
            if !(block.first..block.end).contains(&inst) {
                return None;
            }
            let data = self.view.function.insts.get(inst)?;
            match data.inst {
                Inst::Binary {
                    op: BinaryOp::FMul,
                    fast_math,
                    lhs,
                    rhs,
                } if fast_math.contains(FastMath::FAST) && !products.is_empty() => {
                    products.push([lhs, rhs]);
                    break (inst, products.len() - 1);
                }
                Inst::Call { fast_math, .. } if self.is_fast(inst, fast_math) => {
                    let arguments = op_arguments(self.view, &self.shader.callees, &data.inst)?;
                    let Op::Float(op) = decode(self.view, arguments).ok()? else {
                        return None;
                    };
                    match op {
                        FloatOp::FMad(op) => {
                            products.push([op.a, op.b]);
                            others.push(inst);
                            value = op.c;
                            continue;
                        }
                        FloatOp::Dot2(op) => push_dot(&mut products, &op.a, &op.b),
                        FloatOp::Dot3(op) => push_dot(&mut products, &op.a, &op.b),
                        FloatOp::Dot4(op) => push_dot(&mut products, &op.a, &op.b),
                        _ => return None,
                    }
                    break (inst, others.len());
                }
                _ => return None,
            }
        };
        products.reverse();
        Some(Products {
            first,
            others,
            of_first: products.len() - of_others,
            factors: products,
        })
    }

    /// Returns whether an operation may be computed in another order.
    fn is_fast(&self, inst: InstId, fast_math: FastMath) -> bool {
        let FuncView { module, function } = self.view;
        if self.shader.shader_model.major < 6 {
            return fast_math.contains(FastMath::FAST);
        }
        !self.shader.hints.is_precise(module, function, inst)
    }

    fn uses_of(&self, value: ValueId) -> u32 {
        let local = value.as_u32().checked_sub(self.view.function.first_value);
        let count = local.and_then(|local| self.uses.get(local as usize));
        count.copied().unwrap_or(u32::MAX)
    }

    fn is_product(&self, value: ValueId) -> bool {
        let inst = self.view.inst_data(value);
        let op = BinaryOp::FMul;
        matches!(inst.map(|data| &data.inst), Some(&Inst::Binary { op: of, .. }) if of == op)
            && self.uses_of(value) == 1
    }

    /// Returns whether a value is a constant or comes from a constant buffer as it is.
    fn is_constant(&self, value: ValueId) -> bool {
        let view = self.view;
        if view.constant(value).is_some() {
            return true;
        }
        let inst = view.inst_data(value);
        let Some(Inst::ExtractValue { aggregate, .. }) = inst.map(|data| data.inst) else {
            return false;
        };
        let op = op_giving(view, &self.shader.callees, aggregate);
        let Some(Op::Buffer(op)) = op else {
            return false;
        };
        matches!(
            op,
            BufferOp::CBufferLoad(_) | BufferOp::CBufferLoadLegacy(_)
        )
    }

    fn is_zero(&self, value: ValueId) -> bool {
        let constant = self.view.constant(value);
        matches!(constant, Some(Constant::Float(bits)) if bits << 33 == 0)
    }
}

/// Adds the factors of a dot product, the last component first.
fn push_dot(products: &mut Vec<[ValueId; 2]>, a: &[ValueId], b: &[ValueId]) {
    products.extend(a.iter().zip(b).rev().map(|(&a, &b)| [a, b]));
}
