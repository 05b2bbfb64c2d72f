//! Checks of a body: what every later stage may rely on without looking again.
//!
//! * every operand resolves, and its type is the one that the instruction asks for;
//! * phis stand at the head of their block and have one value per incoming edge; several edges from
//!   one block bring the same value;
//! * the entry has no predecessor;
//! * a definition dominates its uses. In unreachable blocks, where LLVM allows anything, it comes
//!   before them or lies in a reachable block, so that walks from use to definition end.

use std::cell::OnceCell;

use cranelift_entity::EntityRef;

use super::dominance::{Dominators, Graph};
use super::types::Types;
use super::verify_constants;
use crate::error::{Error, Result};
use crate::ir::{
    BinaryOp, BlockId, CastOp, CmpPredicate, Constant, Function, Inst, InstData, InstId, Module,
    Type, TypeId, ValueData, ValueDef, ValueId,
};

struct Checker<'a> {
    types: &'a Types,
    module: &'a Module,
    function: &'a Function,
    /// The function's result type.
    ret: TypeId,
}

/// Checks a decoded body.
pub(super) fn check(function: &Function, module: &Module, types: &Types) -> Result<()> {
    verify_constants::check_function(function, module, types)?;
    let ret = module
        .functions
        .get(function.id)
        .and_then(|decl| match types.get(decl.ty) {
            Type::Function { ret, .. } => Some(*ret),
            _ => None,
        })
        .ok_or_else(|| Error::malformed("a function's type is not a function type"))?;
    let checker = Checker {
        types,
        module,
        function,
        ret,
    };
    checker.check_locations()?;
    for (block, data) in &function.blocks {
        let mut phis_may_follow = true;
        for id in data.insts() {
            let Some(inst) = function.insts.get(id) else {
                continue;
            };
            let is_phi = matches!(inst.inst, Inst::Phi { .. });
            let problem = if is_phi && !phis_may_follow {
                Some("a phi comes after other instructions")
            } else {
                checker.check_inst(inst).err()
            };
            if let Some(problem) = problem {
                return Err(Error::malformed(problem).in_block(block).at_inst(id));
            }
            phis_may_follow = is_phi;
        }
    }
    checker.check_flow()
}

/// What is wrong with an instruction.
type Verdict = Result<(), &'static str>;

fn require(holds: bool, problem: &'static str) -> Verdict {
    if holds { Ok(()) } else { Err(problem) }
}

const DANGLING: &str = "an operand is a value that is not there";

impl<'a> Checker<'a> {
    #[inline]
    fn value(&self, id: ValueId) -> Option<&'a ValueData> {
        let index = id.index();
        let first = self.function.first_value as usize;
        if index < first {
            self.module.values.get(index)
        } else {
            self.function.values.get(index - first)
        }
    }

    #[inline]
    fn ty(&self, id: ValueId) -> Result<TypeId, &'static str> {
        self.value(id).map(|value| value.ty).ok_or(DANGLING)
    }

    fn is_int(&self, id: ValueId) -> Result<bool, &'static str> {
        Ok(matches!(self.types.get(self.ty(id)?), Type::Int(_)))
    }

    /// What a pointer operand points to.
    fn pointee(&self, id: ValueId) -> Result<TypeId, &'static str> {
        self.types
            .table
            .pointee(self.ty(id)?)
            .ok_or("an address is not a pointer")
    }

    fn check_inst(&self, data: &InstData) -> Verdict {
        let types = self.types;
        match data.inst {
            Inst::Binary { op, lhs, rhs, .. } => {
                require(
                    self.ty(lhs)? == data.ty && self.ty(rhs)? == data.ty,
                    "the operands of arithmetic are of different types",
                )?;
                require(
                    binary_is_legal(types, op, data.ty),
                    "the operands of arithmetic are not numbers of its kind",
                )
            }
            Inst::Cast { op, value } => require(
                cast_is_legal(types, op, self.ty(value)?, data.ty),
                "a cast between types that it does not connect",
            ),
            Inst::Cmp {
                predicate,
                lhs,
                rhs,
                ..
            } => {
                let ty = self.ty(lhs)?;
                require(
                    self.ty(rhs)? == ty && compare_is_legal(types, predicate, ty, data.ty),
                    "a comparison of values that it cannot compare",
                )
            }
            Inst::Select {
                condition,
                if_true,
                if_false,
            } => {
                require(
                    self.ty(if_true)? == data.ty && self.ty(if_false)? == data.ty,
                    "the two values of a select are of different types",
                )?;
                let condition = self.ty(condition)?;
                let fits = match (types.get(condition), types.get(data.ty)) {
                    (Type::Int(1), _) => true,
                    (
                        Type::Vector { element, count },
                        Type::Vector {
                            count: value_count, ..
                        },
                    ) => count == value_count && matches!(types.get(*element), Type::Int(1)),
                    _ => false,
                };
                require(fits, "the condition of a select is not i1")
            }
            Inst::Phi { incoming } => {
                for (value, _) in self.function.edges_of(incoming) {
                    require(
                        self.ty(*value)? == data.ty,
                        "a value of a phi is of another type",
                    )?;
                }
                Ok(())
            }
            Inst::Call { callee, args, .. } => self.check_call(data, callee, args),
            Inst::Alloca {
                allocated, count, ..
            } => {
                require(self.is_int(count)?, "an alloca's count is not an integer")?;
                require(
                    types.is_value(allocated),
                    "an alloca of a type without values",
                )
            }
            Inst::Load { pointer, .. } => require(
                self.pointee(pointer)? == data.ty,
                "a load of another type than its pointer's",
            ),
            Inst::Store { pointer, value, .. } => {
                let ty = self.ty(value)?;
                require(
                    self.pointee(pointer)? == ty && types.is_value(ty),
                    "a store of another type than its pointer's",
                )
            }
            Inst::Gep { operands, .. } => {
                for index in self.function.values_of(operands).iter().skip(1) {
                    require(
                        self.is_int(*index)?,
                        "an index of address arithmetic is not an integer",
                    )?;
                }
                Ok(())
            }
            Inst::ExtractValue { .. } => Ok(()),
            Inst::InsertValue {
                aggregate,
                value,
                indices,
            } => {
                let mut ty = self.ty(aggregate)?;
                for index in self.function.indices_of(indices) {
                    ty = types
                        .member(ty, Some(*index))
                        .ok_or("a member index names no member")?;
                }
                require(
                    self.ty(value)? == ty,
                    "a member is set to a value of another type",
                )
            }
            Inst::ExtractElement { index, .. } => {
                require(self.is_int(index)?, "a vector's index is not an integer")
            }
            Inst::InsertElement { value, index, .. } => {
                require(self.is_int(index)?, "a vector's index is not an integer")?;
                require(
                    self.ty(value)? == types.table.scalar_of(data.ty),
                    "a vector's element is set to a value of another type",
                )
            }
            Inst::ShuffleVector { a, b, mask } => self.check_shuffle(a, b, mask),
            Inst::AtomicRmw { pointer, value, .. } => {
                let ty = self.ty(value)?;
                require(
                    self.pointee(pointer)? == ty && types.table.scalar_bits(ty).is_some(),
                    "an atomic operation on another type than its pointer's",
                )
            }
            Inst::CmpXchg {
                pointer,
                compare,
                value,
                ..
            } => {
                let ty = self.ty(value)?;
                require(
                    self.pointee(pointer)? == ty
                        && self.ty(compare)? == ty
                        && types.table.scalar_bits(ty).is_some(),
                    "a compare-exchange on another type than its pointer's",
                )
            }
            Inst::Ret { value } => {
                let fits = match value.expand() {
                    Some(value) => self.ty(value)? == self.ret,
                    None => matches!(types.get(self.ret), Type::Void),
                };
                require(
                    fits,
                    "a value of another type than the function's is returned",
                )
            }
            Inst::CondBr { condition, .. } => require(
                matches!(types.get(self.ty(condition)?), Type::Int(1)),
                "the condition of a branch is not i1",
            ),
            Inst::Switch { value, cases, .. } => {
                let ty = self.ty(value)?;
                require(
                    self.is_int(value)?,
                    "a switch over something but an integer",
                )?;
                for (case, _) in self.function.edges_of(cases) {
                    let case = self.value(*case).ok_or(DANGLING)?;
                    require(
                        case.ty == ty
                            && matches!(
                                case.def,
                                ValueDef::Constant(Constant::Int(_) | Constant::Null)
                            ),
                        "a case of a switch is not a constant of its type",
                    )?;
                }
                Ok(())
            }
            Inst::Fence { .. } | Inst::Br { .. } | Inst::Unreachable => Ok(()),
        }
    }

    fn check_call(
        &self,
        data: &InstData,
        callee: ValueId,
        args: crate::ir::List<ValueId>,
    ) -> Verdict {
        let callee = self.value(callee).ok_or(DANGLING)?;
        let ValueDef::Function(callee) = callee.def else {
            return Err("a call of something but a function of the module");
        };
        let decl = self.module.functions.get(callee).ok_or(DANGLING)?;
        let Type::Function { ret, params, .. } = self.types.get(decl.ty) else {
            return Err("a call of something but a function of the module");
        };
        require(*ret == data.ty, "a call's result is of another type")?;
        let args = self.function.values_of(args);
        require(args.len() >= params.len(), "a call has too few arguments")?;
        for (arg, param) in args.iter().zip(params) {
            require(
                self.ty(*arg)? == *param,
                "an argument of a call is of another type than the parameter",
            )?;
        }
        for arg in args.iter().skip(params.len()) {
            self.ty(*arg)?;
        }
        Ok(())
    }

    fn check_shuffle(&self, a: ValueId, b: ValueId, mask: ValueId) -> Verdict {
        let mask = self.value(mask).ok_or(DANGLING)?;
        let mask_is_i32 = match self.types.get(mask.ty) {
            Type::Vector { element, .. } => matches!(self.types.get(*element), Type::Int(32)),
            _ => false,
        };
        require(
            mask_is_i32 && matches!(mask.def, ValueDef::Constant(_)),
            "a shuffle's mask is not a constant vector of i32",
        )?;
        require(
            self.ty(a)? == self.ty(b)?,
            "the vectors of a shuffle are of different types",
        )
    }

    /// Nodes of positions and attachments are there.
    fn check_locations(&self) -> Result<()> {
        let nodes = self.module.metadata.nodes.len();
        let mut scopes = self
            .function
            .debug_locs
            .values()
            .flatten()
            .flat_map(|loc| [loc.scope, loc.inlined_at])
            .flatten();
        let mut attached = (self.function.attachments.iter().map(|(.., node)| *node)).chain(
            self.function
                .function_attachments
                .iter()
                .map(|(_, node)| *node),
        );
        if scopes.any(|node| node.index() >= nodes) || attached.any(|node| node.index() >= nodes) {
            return Err(Error::malformed(
                "a source position or attachment names metadata that is not there",
            ));
        }
        Ok(())
    }

    /// Phis against edges, and definitions against uses.
    fn check_flow(&self) -> Result<()> {
        let function = self.function;
        let graph = Graph::new(function);
        if let Some(entry) = function.blocks.keys().next()
            && !graph.predecessors(entry).is_empty()
        {
            return Err(Error::malformed("a branch leads back to the entry").in_block(entry));
        }
        self.check_phis(&graph)?;
        if function.blocks.len() == 1 {
            return self.check_uses(&[], || None);
        }
        let mut block_of = Vec::with_capacity(function.insts.len());
        for (id, block) in &function.blocks {
            block_of.resize(block.end.index(), id);
        }
        let dominators = OnceCell::new();
        self.check_uses(&block_of, || {
            Some(dominators.get_or_init(|| Dominators::compute(function, &graph)))
        })
    }

    fn check_phis(&self, graph: &Graph) -> Result<()> {
        let function = self.function;
        /// What is known of a predecessor: for which phi, edges left, value.
        #[derive(Clone, Copy)]
        struct Seen {
            phi: InstId,
            count: u32,
            value: ValueId,
        }
        let mut seen: Vec<Option<Seen>> = Vec::new();
        let mut edges: Vec<u32> = Vec::new();
        for (block, data) in &function.blocks {
            let mut edges_are_counted = false;
            for id in data.insts() {
                let Some(Inst::Phi { incoming }) = function.insts.get(id).map(|data| data.inst)
                else {
                    break;
                };
                let error = |problem: &str| Error::malformed(problem).in_block(block).at_inst(id);
                let preds = graph.predecessors(block);
                if !edges_are_counted {
                    edges_are_counted = true;
                    seen.resize(function.blocks.len(), None);
                    edges.resize(function.blocks.len(), 0);
                    for pred in preds {
                        if let Some(count) = edges.get_mut(*pred as usize) {
                            *count += 1;
                        }
                    }
                }
                let incoming = function.edges_of(incoming);
                if incoming.len() != preds.len() || incoming.is_empty() {
                    return Err(error("a phi has not one value per incoming edge"));
                }
                for (value, from) in incoming {
                    let limit = edges.get(from.index()).copied().unwrap_or(0);
                    let Some(slot) = seen.get_mut(from.index()) else {
                        return Err(error("a phi names a block that is not there"));
                    };
                    let count = match slot {
                        Some(seen) if seen.phi == id => {
                            if seen.value != *value {
                                return Err(error("a phi has two values for edges from one block"));
                            }
                            seen.count + 1
                        }
                        _ => 1,
                    };
                    if count > limit {
                        return Err(error("a phi has a value for an edge that is not there"));
                    }
                    *slot = Some(Seen {
                        phi: id,
                        count,
                        value: *value,
                    });
                }
            }
            if edges_are_counted {
                for pred in graph.predecessors(block) {
                    if let Some(count) = edges.get_mut(*pred as usize) {
                        *count = 0;
                    }
                }
            }
        }
        Ok(())
    }

    /// Definitions dominate uses. Dominators are only computed where a value comes from another
    /// block than the entry; without any there is one block.
    fn check_uses<'d>(
        &self,
        block_of: &[BlockId],
        dominators: impl Fn() -> Option<&'d Dominators>,
    ) -> Result<()> {
        let function = self.function;
        let first_value = function.first_value as usize;
        // The instruction that defines a value, if one does.
        let definition = |value: ValueId| -> Option<InstId> {
            let index = value.index().checked_sub(first_value)?;
            match function.values.get(index)?.def {
                ValueDef::Inst(inst) => Some(inst),
                _ => None,
            }
        };
        // Whether `inst`'s result is there in `block` before instruction `at`.
        let reaches = |inst: InstId, block: BlockId, at: InstId| -> bool {
            let Some(from) = block_of.get(inst.index()).copied() else {
                return inst < at;
            };
            if from == block {
                return inst < at;
            }
            // The entry comes before everything.
            if from.index() == 0 {
                return true;
            }
            match dominators() {
                Some(dominators) if dominators.is_reachable(block) => {
                    dominators.is_reachable(from) && dominators.dominates(from, block)
                }
                Some(dominators) => dominators.is_reachable(from) || inst < at,
                None => false,
            }
        };
        for (block, data) in &function.blocks {
            for id in data.insts() {
                let Some(inst) = function.insts.get(id).map(|data| &data.inst) else {
                    continue;
                };
                let mut fits = true;
                if let Inst::Phi { incoming } = inst {
                    for (value, from) in function.edges_of(*incoming) {
                        if let Some(def) = definition(*value) {
                            // At the end of the predecessor.
                            let end = function.blocks.get(*from).map_or(id, |block| block.end);
                            fits &= reaches(def, *from, end)
                                || dominators().is_some_and(|d| !d.is_reachable(*from));
                        }
                    }
                } else {
                    function.for_each_operand(inst, |value| {
                        if let Some(def) = definition(value) {
                            fits &= reaches(def, block, id);
                        }
                    });
                }
                if !fits {
                    return Err(Error::malformed("a value is used where it is not defined")
                        .in_block(block)
                        .at_inst(id));
                }
            }
        }
        Ok(())
    }
}

/// Whether the operation works on values of that type.
pub(super) fn binary_is_legal(types: &Types, op: BinaryOp, ty: TypeId) -> bool {
    let scalar = types.table.scalar_of(ty);
    match op {
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            types.table.is_float(scalar)
        }
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::UDiv
        | BinaryOp::SDiv
        | BinaryOp::URem
        | BinaryOp::SRem
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => matches!(types.get(scalar), Type::Int(_)),
    }
}

/// Whether the comparison works on values of type `ty` and gives `result`.
pub(super) fn compare_is_legal(
    types: &Types,
    predicate: CmpPredicate,
    ty: TypeId,
    result: TypeId,
) -> bool {
    let operand = types.get(types.table.scalar_of(ty));
    let kind_fits = if predicate.is_float() {
        matches!(operand, Type::Half | Type::Float | Type::Double)
    } else {
        matches!(operand, Type::Int(_) | Type::Pointer { .. })
    };
    let result_fits = match (types.get(ty), types.get(result)) {
        (Type::Vector { count: a, .. }, Type::Vector { count: b, element }) => {
            a == b && matches!(types.get(*element), Type::Int(1))
        }
        (Type::Vector { .. }, _) => false,
        (_, result) => matches!(result, Type::Int(1)),
    };
    kind_fits && result_fits
}

/// Whether the conversion leads from the one type to the other.
pub(super) fn cast_is_legal(types: &Types, op: CastOp, from: TypeId, to: TypeId) -> bool {
    let table = &types.table;
    let lanes = |ty: TypeId| match *table.get(ty) {
        Type::Vector { count, .. } => count,
        _ => 0,
    };
    let (from_scalar, to_scalar) = (table.scalar_of(from), table.scalar_of(to));
    let bits = |ty: TypeId| table.scalar_bits(ty).unwrap_or(0);
    let is_int = |ty: TypeId| matches!(table.get(ty), Type::Int(_));
    let is_pointer = |ty: TypeId| matches!(table.get(ty), Type::Pointer { .. });
    let (narrower, wider) = (
        bits(to_scalar) < bits(from_scalar),
        bits(to_scalar) > bits(from_scalar),
    );
    let ints = is_int(from_scalar) && is_int(to_scalar);
    let floats = table.is_float(from_scalar) && table.is_float(to_scalar);
    let same_lanes = lanes(from) == lanes(to);
    match op {
        CastOp::Trunc => same_lanes && ints && narrower,
        CastOp::ZExt | CastOp::SExt => same_lanes && ints && wider,
        CastOp::FpToUi | CastOp::FpToSi => {
            same_lanes && table.is_float(from_scalar) && is_int(to_scalar)
        }
        CastOp::UiToFp | CastOp::SiToFp => {
            same_lanes && is_int(from_scalar) && table.is_float(to_scalar)
        }
        CastOp::FpTrunc => same_lanes && floats && narrower,
        CastOp::FpExt => same_lanes && floats && wider,
        CastOp::PtrToInt => is_pointer(from) && is_int(to),
        CastOp::IntToPtr => is_int(from) && is_pointer(to),
        CastOp::AddrSpaceCast => is_pointer(from) && is_pointer(to),
        CastOp::Bitcast => {
            if is_pointer(from) || is_pointer(to) {
                matches!(
                    (table.get(from), table.get(to)),
                    (Type::Pointer { address_space: a, .. }, Type::Pointer { address_space: b, .. })
                        if a == b
                )
            } else {
                let size = |ty: TypeId, scalar: TypeId| {
                    u64::from(bits(scalar)) * u64::from(lanes(ty).max(1))
                };
                size(from, from_scalar) != 0 && size(from, from_scalar) == size(to, to_scalar)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::bitcode::decode_module;
    use crate::bitcode::writer::{ModuleWriter, ty};
    use crate::ir::Inst;

    const BINOP: u64 = 2;
    const RET: u64 = 10;
    const BR: u64 = 11;
    const PHI: u64 = 16;

    fn records(list: &[(u64, &[u64])]) -> Vec<(u64, Vec<u64>)> {
        list.iter()
            .map(|(code, ops)| (*code, ops.to_vec()))
            .collect()
    }

    /// A module whose function has these records. Value 0 is the function, 1 and 2 its arguments,
    /// 3 the constant `true`, 4 a float; results go on from 5.
    fn module(blocks: u64, body: &[(u64, &[u64])]) -> ModuleWriter {
        ModuleWriter {
            blocks,
            local_constants: records(&[
                (1, &[ty::I1]),
                (4, &[3]),
                (1, &[ty::FLOAT]),
                (6, &[0x3f80_0000]),
            ]),
            body: records(body),
            ..ModuleWriter::default()
        }
    }

    fn error_of(module: &ModuleWriter) -> String {
        decode_module(&module.finish(), 0).unwrap_err().to_string()
    }

    /// A signed number as phis have them.
    fn signed(value: i64) -> u64 {
        value.unsigned_abs() << 1 | u64::from(value < 0)
    }

    #[test]
    fn a_well_formed_body_is_accepted() {
        // %5 = add %1, %2; br b1; b1: %6 = phi [%5, b0], [%7, b1]; %7 = add %6, %1; br true, b1, b2
        let writer = module(
            3,
            &[
                (BINOP, &[4, 3, 0]),
                (BR, &[1]),
                (PHI, &[ty::I32, signed(1), 0, signed(-1), 1]),
                (BINOP, &[1, 6, 0]),
                (BR, &[1, 2, 5]),
                (RET, &[]),
            ],
        );
        let module = decode_module(&writer.finish(), 0).unwrap();
        let body = &module.bodies[0];
        assert_eq!(body.blocks.len(), 3);
        assert_eq!(body.insts.len(), 6);
        assert!(matches!(
            body.insts.values().next().map(|data| data.inst),
            Some(Inst::Binary { .. })
        ));
    }

    #[test]
    fn operands_of_arithmetic_have_one_type() {
        let writer = module(1, &[(BINOP, &[4, 1, 0]), (RET, &[])]);
        let error = error_of(&writer);
        assert!(
            error.ends_with("@f0 b0 inst0: the operands of arithmetic are of different types"),
            "{error}"
        );
    }

    #[test]
    fn a_value_is_not_used_before_its_definition() {
        // The operand of %5 is %6, with its type.
        let body: &[(u64, &[u64])] = &[
            (BINOP, &[0xffff_ffff, ty::I32, 4, 0]),
            (BINOP, &[5, 4, 0]),
            (RET, &[]),
        ];
        let error = error_of(&module(1, body));
        assert!(
            error.contains("a value is used where it is not defined"),
            "{error}"
        );
        // Nor by itself.
        let error = error_of(&module(1, &[(BINOP, &[0, ty::I32, 4, 0]), (RET, &[])]));
        assert!(
            error.contains("a value is used where it is not defined"),
            "{error}"
        );
    }

    #[test]
    fn a_definition_on_one_way_only_does_not_reach_the_join() {
        let writer = module(
            3,
            &[
                (BR, &[1, 2, 2]),
                (BINOP, &[4, 3, 0]),
                (BR, &[2]),
                (BINOP, &[1, 5, 0]),
                (RET, &[]),
            ],
        );
        let error = error_of(&writer);
        assert!(error.contains("b2"), "{error}");
        assert!(
            error.contains("a value is used where it is not defined"),
            "{error}"
        );
    }

    #[test]
    fn a_forward_reference_tells_its_true_type() {
        let writer = module(
            1,
            &[
                (BINOP, &[0xffff_ffff, ty::FLOAT, 1, 0]),
                (BINOP, &[5, 4, 0]),
                (RET, &[]),
            ],
        );
        let error = error_of(&writer);
        assert!(
            error.contains("not of the type that a forward reference"),
            "{error}"
        );
    }

    #[test]
    fn a_forward_reference_to_nothing_is_an_error() {
        let writer = module(1, &[(BINOP, &[0xffff_fff0, ty::I32, 4, 0]), (RET, &[])]);
        assert!(decode_module(&writer.finish(), 0).is_err());
    }

    #[test]
    fn phis_have_one_value_per_edge() {
        let body = |phi: &'static [u64]| -> ModuleWriter {
            module(2, &[(BR, &[1]), (PHI, phi), (RET, &[])])
        };
        let right = &[ty::I32, 8, 0];
        assert!(decode_module(&body(right).finish(), 0).is_ok());
        for wrong in [&[ty::I32][..], &[ty::I32, 8, 0, 8, 0], &[ty::I32, 8, 1]] {
            let writer = module(2, &[(BR, &[1]), (PHI, wrong), (RET, &[])]);
            let error = error_of(&writer);
            assert!(error.contains("a phi has"), "{error}");
        }
    }

    #[test]
    fn several_edges_from_one_block_bring_one_value() {
        // Both ways of the branch lead to b1.
        let writer = |a: i64, b: i64| {
            let phi = [ty::I32, signed(a), 0, signed(b), 0];
            let mut writer = module(2, &[(BR, &[1, 1, 2])]);
            writer.body.push((PHI, phi.to_vec()));
            writer.body.push((RET, Vec::new()));
            writer
        };
        assert!(decode_module(&writer(4, 4).finish(), 0).is_ok());
        let error = error_of(&writer(4, 3));
        assert!(error.contains("two values"), "{error}");
    }

    #[test]
    fn nothing_leads_back_to_the_entry() {
        let error = error_of(&module(1, &[(BR, &[0])]));
        assert!(
            error.contains("a branch leads back to the entry"),
            "{error}"
        );
    }

    #[test]
    fn every_block_ends_in_one_terminator() {
        let error = error_of(&module(1, &[(BINOP, &[4, 3, 0])]));
        assert!(error.contains("declares 1 blocks and has 0"), "{error}");
        let error = error_of(&module(1, &[(RET, &[]), (RET, &[])]));
        assert!(
            error.contains("outside of the function's blocks"),
            "{error}"
        );
        let error = error_of(&module(2, &[(RET, &[]), (BINOP, &[4, 3, 0])]));
        assert!(error.contains("declares 2 blocks and has 1"), "{error}");
    }

    #[test]
    fn branches_name_blocks_that_are_there() {
        let error = error_of(&module(1, &[(BR, &[1])]));
        assert!(
            error.contains("the function must have that block"),
            "{error}"
        );
    }

    #[test]
    fn unreachable_code_may_use_what_comes_before_it() {
        let reachable_use = module(
            2,
            &[
                (BINOP, &[4, 3, 0]),
                (RET, &[]),
                (BINOP, &[1, 4, 0]),
                (RET, &[]),
            ],
        );
        assert!(decode_module(&reachable_use.finish(), 0).is_ok());
    }
}
