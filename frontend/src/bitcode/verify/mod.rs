//! Checks of a body: what every later stage may rely on without looking again.
//!
//! * every operand resolves, and its type is the one that the instruction asks for;
//! * phis stand at the head of their block;
//! * control flow is as `flow` says.

mod constants;
mod flow;
mod legality;

use cranelift_entity::EntityRef;

use super::function::FarUse;
use super::types::TypeDecoder;
use crate::error::{Error, Result};
use crate::ir::{
    Constant, FuncView, Function, Inst, InstData, Module, Type, TypeId, ValueData, ValueDef,
    ValueId,
};
pub(super) use constants::check_module;
use legality::{binary_is_legal, cast_is_legal, compare_is_legal};

struct Checker<'a> {
    types: &'a TypeDecoder,
    module: &'a Module,
    function: &'a Function,
    /// The function's result type.
    ret: TypeId,
}

/// Checks a decoded body. `far_uses` are the uses, other than those of phis, of values that are not
/// in the same block before, in the entry or in the module.
pub(super) fn check(
    function: &Function,
    module: &Module,
    types: &TypeDecoder,
    far_uses: &[FarUse],
) -> Result<()> {
    // Before the instructions, whose checks look into constants (case values, shuffle masks).
    constants::check_function(function, module, types)?;
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
            // LLVM language reference, "'phi' Instruction": no other instruction may stand before a
            // phi. Later stages stop at the first other instruction when they look for phis.
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
    // Last, since the walk over uses expects that every operand resolves.
    flow::check(function, far_uses)
}

/// The problem of an instruction.
type Verdict = Result<(), &'static str>;

fn require(holds: bool, problem: &'static str) -> Verdict {
    if holds { Ok(()) } else { Err(problem) }
}

const DANGLING: &str = "an operand is a value that does not exist";

impl<'a> Checker<'a> {
    #[inline]
    fn value(&self, id: ValueId) -> Option<&'a ValueData> {
        let view = FuncView {
            module: self.module,
            function: self.function,
        };
        view.value(id)
    }

    #[inline]
    fn ty(&self, id: ValueId) -> Result<TypeId, &'static str> {
        self.value(id).map(|value| value.ty).ok_or(DANGLING)
    }

    fn is_int(&self, id: ValueId) -> Result<bool, &'static str> {
        Ok(matches!(self.types.get(self.ty(id)?), Type::Int(_)))
    }

    /// Returns the type that a pointer operand points to.
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
                // LLVM language reference, "'select' Instruction": one `i1` selects whole values; a
                // vector of them selects element by element.
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
            // The decoder has walked the member types to get the type of the result.
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
                    "a switch over something other than an integer",
                )?;
                for (case, _) in self.function.edges_of(cases) {
                    // Case values become literals of SPIR-V's `OpSwitch`, so expressions are not
                    // enough.
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
                require(
                    self.has_distinct_cases(cases),
                    "a switch has two cases of one value",
                )
            }
            Inst::Fence { .. } | Inst::Br { .. } | Inst::Unreachable => Ok(()),
        }
    }

    /// Returns whether no two cases of a switch have the same value, which neither LLVM nor
    /// `OpSwitch` allows.
    fn has_distinct_cases(&self, cases: crate::ir::List<(ValueId, crate::ir::BlockId)>) -> bool {
        let edges = self.function.edges_of(cases);
        let mut numbers: smallvec::SmallVec<[u64; 16]> = edges
            .iter()
            .map(|(case, _)| match self.value(*case).map(|case| case.def) {
                Some(ValueDef::Constant(Constant::Int(number))) => number,
                _ => 0,
            })
            .collect();
        // Compilers sort them, mostly.
        if numbers.is_sorted_by(|a, b| a < b) {
            return true;
        }
        numbers.sort_unstable();
        numbers.is_sorted_by(|a, b| a < b)
    }

    fn check_call(
        &self,
        data: &InstData,
        callee: ValueId,
        args: crate::ir::List<ValueId>,
    ) -> Verdict {
        let callee = self.value(callee).ok_or(DANGLING)?;
        // DXIL document, "Shader restrictions": there are no indirect calls.
        let ValueDef::Function(callee) = callee.def else {
            return Err("a call of something other than a function of the module");
        };
        let decl = self.module.functions.get(callee).ok_or(DANGLING)?;
        let Type::Function { ret, params, .. } = self.types.get(decl.ty) else {
            return Err("a call of something other than a function of the module");
        };
        require(*ret == data.ty, "a call's result is of another type")?;
        let args = self.function.values_of(args);
        // More arguments are legal if the function is variadic; the decoder admits them only then.
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
            // LLVM language reference, "'shufflevector' Instruction": the mask is a constant vector
            // of `i32`.
            mask_is_i32 && matches!(mask.def, ValueDef::Constant(_)),
            "a shuffle's mask is not a constant vector of i32",
        )?;
        require(
            self.ty(a)? == self.ty(b)?,
            "the vectors of a shuffle are of different types",
        )
    }

    /// Checks that the metadata nodes that positions and attachments name exist.
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
                "a source position or attachment names metadata that does not exist",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use crate::bitcode::bit_writer::rotate_sign;
    use crate::bitcode::decode_module;
    use crate::bitcode::writer::{ModuleWriter, ty};
    use crate::ir::Inst;

    pub(in crate::bitcode::verify) const BINOP: u32 = 2;
    pub(in crate::bitcode::verify) const RET: u32 = 10;
    pub(in crate::bitcode::verify) const BR: u32 = 11;
    pub(in crate::bitcode::verify) const PHI: u32 = 16;

    fn records(list: &[(u32, &[u64])]) -> Vec<(u32, Vec<u64>)> {
        list.iter()
            .map(|(code, ops)| (*code, ops.to_vec()))
            .collect()
    }

    /// Returns a module whose function has these records. Value 0 is the function, 1 and 2 its
    /// arguments, 3 the constant `true`, 4 a float; results go on from 5.
    pub(in crate::bitcode::verify) fn module(blocks: u64, body: &[(u32, &[u64])]) -> ModuleWriter {
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

    pub(in crate::bitcode::verify) fn error_of(module: &ModuleWriter) -> String {
        decode_module(&module.finish(), 0).unwrap_err().to_string()
    }

    #[test]
    fn a_well_formed_body_is_accepted() {
        // %5 = add %1, %2; br b1; b1: %6 = phi [%5, b0], [%7, b1]; %7 = add %6, %1; br true, b1, b2
        let writer = module(
            3,
            &[
                (BINOP, &[4, 3, 0]),
                (BR, &[1]),
                (PHI, &[ty::I32, rotate_sign(1), 0, rotate_sign(-1), 1]),
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
            error
                .ends_with("@f0 block b0 inst0: the operands of arithmetic are of different types"),
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
}
