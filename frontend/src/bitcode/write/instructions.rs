//! Records of instructions.

use super::abbrevs::InstAbbrevs;
use super::numbers::{LocalNumbers, dangling};
use crate::bitcode::abbrev::AbbrevOp;
use crate::bitcode::bit_writer::{BitWriter, rotate_sign};
use crate::bitcode::codes;
use crate::bitcode::function::code;
use crate::error::{Error, Result};
use crate::ir::{
    BlockId, CallSite, FastMath, FuncView, Inst, InstId, List, Type, TypeId, ValueDef, ValueId,
};

/// The scope of all atomic operations in DXIL: all threads (LLVM 3.7, `SYNCHSCOPE_CROSSTHREAD`).
const ALL_THREADS: u64 = 1;

/// Writes the instructions of a function, in order.
pub(super) struct InstWriter<'a> {
    view: FuncView<'a>,
    numbers: &'a LocalNumbers<'a>,
    abbrevs: &'a InstAbbrevs,
    /// Number of the next result.
    next: u32,
    /// The record under construction.
    record: Vec<u64>,
    /// Whether an operand of it is not defined yet, so that its type follows it. Abbreviations have
    /// no place for that.
    is_forward: bool,
}

fn type_number(ty: TypeId) -> u64 {
    u64::from(ty.as_u32())
}

fn block_number(block: BlockId) -> u64 {
    u64::from(block.as_u32())
}

impl<'a> InstWriter<'a> {
    pub(super) fn new(
        view: FuncView<'a>,
        numbers: &'a LocalNumbers<'a>,
        abbrevs: &'a InstAbbrevs,
    ) -> Self {
        InstWriter {
            view,
            numbers,
            abbrevs,
            next: numbers.first_result,
            record: Vec::new(),
            is_forward: false,
        }
    }

    /// Writes an instruction.
    pub(super) fn write(&mut self, out: &mut BitWriter, id: InstId) -> Result<()> {
        let function = self.view.function;
        let data = function.insts.get(id);
        let data = data.ok_or_else(|| dangling("an instruction"))?;
        self.record.clear();
        self.is_forward = false;
        match data.inst {
            Inst::Ret { .. }
            | Inst::Br { .. }
            | Inst::CondBr { .. }
            | Inst::Switch { .. }
            | Inst::Unreachable
            | Inst::Phi { .. } => self.control_flow(out, &data.inst, data.ty)?,
            Inst::Alloca { .. }
            | Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::Gep { .. }
            | Inst::AtomicRmw { .. }
            | Inst::CmpXchg { .. }
            | Inst::Fence { .. } => self.memory(out, &data.inst, data.ty)?,
            Inst::Call { callee, args, .. } => {
                self.call(callee, args, function.call_site(id))?;
                out.record(code::CALL, &self.record);
            }
            _ => self.computation(out, &data.inst, data.ty)?,
        }
        if data.result.is_some() {
            self.next += 1;
        }
        Ok(())
    }

    fn push(&mut self, number: u64) {
        self.record.push(number);
    }

    /// Appends an operand, relative to the next result. Returns its absolute number.
    fn value(&mut self, id: ValueId) -> Result<u32> {
        let number = self.numbers.value(id)?;
        // Operands that lie ahead wrap in 32 bits.
        self.push(u64::from(self.next.wrapping_sub(number)));
        Ok(number)
    }

    /// Appends an operand, and its type if the value is not defined yet.
    fn typed(&mut self, id: ValueId) -> Result<()> {
        if self.value(id)? >= self.next {
            let ty = self.type_of(id)?;
            self.push(type_number(ty));
            self.is_forward = true;
        }
        Ok(())
    }

    fn type_of(&self, id: ValueId) -> Result<TypeId> {
        self.view.type_of(id).ok_or_else(|| dangling("a value"))
    }

    fn computation(&mut self, out: &mut BitWriter, inst: &Inst, ty: TypeId) -> Result<()> {
        let abbrevs = self.abbrevs;
        match *inst {
            Inst::Binary {
                op,
                fast_math,
                lhs,
                rhs,
            } => {
                self.typed(lhs)?;
                self.value(rhs)?;
                self.push(codes::binary_code(op));
                let flags = codes::arithmetic_flags(op, fast_math);
                let (id, ops) = match flags {
                    0 => (InstAbbrevs::BINARY, &abbrevs.binary[..]),
                    flags => {
                        self.push(flags);
                        (InstAbbrevs::BINARY_FLAGS, &abbrevs.binary_flags[..])
                    }
                };
                self.abbreviated(out, id, ops, code::BINOP);
            }
            Inst::Cast { op, value } => {
                self.typed(value)?;
                self.push(type_number(ty));
                self.push(codes::cast_code(op));
                self.abbreviated(out, InstAbbrevs::CAST, &abbrevs.cast, code::CAST);
            }
            Inst::Cmp {
                predicate,
                fast_math,
                lhs,
                rhs,
            } => {
                self.typed(lhs)?;
                self.value(rhs)?;
                self.push(codes::predicate_code(predicate));
                let flags = fast_math & FastMath::FLOATING_POINT;
                if !flags.is_empty() {
                    self.push(u64::from(flags.bits()));
                }
                out.record(code::CMP2, &self.record);
            }
            Inst::Select {
                condition,
                if_true,
                if_false,
            } => {
                self.typed(if_true)?;
                self.value(if_false)?;
                self.typed(condition)?;
                out.record(code::VSELECT, &self.record);
            }
            Inst::ExtractValue { aggregate, indices } => {
                self.typed(aggregate)?;
                self.indices(indices);
                out.record(code::EXTRACT_VALUE, &self.record);
            }
            Inst::InsertValue {
                aggregate,
                value,
                indices,
            } => {
                self.typed(aggregate)?;
                self.typed(value)?;
                self.indices(indices);
                out.record(code::INSERT_VALUE, &self.record);
            }
            Inst::ExtractElement { vector, index } => {
                self.typed(vector)?;
                self.typed(index)?;
                out.record(code::EXTRACT_ELEMENT, &self.record);
            }
            Inst::InsertElement {
                vector,
                value,
                index,
            } => {
                self.typed(vector)?;
                self.value(value)?;
                self.typed(index)?;
                out.record(code::INSERT_ELEMENT, &self.record);
            }
            Inst::ShuffleVector { a, b, mask } => {
                self.typed(a)?;
                self.value(b)?;
                self.typed(mask)?;
                out.record(code::SHUFFLE_VECTOR, &self.record);
            }
            _ => {}
        }
        Ok(())
    }

    fn control_flow(&mut self, out: &mut BitWriter, inst: &Inst, ty: TypeId) -> Result<()> {
        let function = self.view.function;
        let abbrevs = self.abbrevs;
        match *inst {
            Inst::Ret { value } => match value.expand() {
                Some(value) => {
                    self.typed(value)?;
                    self.abbreviated(out, InstAbbrevs::RET, &abbrevs.ret, code::RET);
                }
                None => out.abbreviated(InstAbbrevs::RET_VOID, &abbrevs.ret_void, code::RET, &[]),
            },
            Inst::Br { target } => out.record(code::BR, [block_number(target)]),
            Inst::CondBr {
                condition,
                if_true,
                if_false,
            } => {
                self.push(block_number(if_true));
                self.push(block_number(if_false));
                self.value(condition)?;
                out.record(code::BR, &self.record);
            }
            Inst::Switch {
                value,
                default,
                cases,
            } => {
                let ty = self.type_of(value)?;
                self.push(type_number(ty));
                self.value(value)?;
                self.push(block_number(default));
                for (case, target) in function.edges_of(cases) {
                    // Absolute, unlike most operands.
                    let case = self.numbers.value(*case)?;
                    self.push(u64::from(case));
                    self.push(block_number(*target));
                }
                out.record(code::SWITCH, &self.record);
            }
            Inst::Phi { incoming } => {
                self.push(type_number(ty));
                for (value, block) in function.edges_of(incoming) {
                    let number = self.numbers.value(*value)?;
                    let delta = i64::from(self.next) - i64::from(number);
                    self.push(rotate_sign(delta));
                    self.push(block_number(*block));
                }
                out.record(code::PHI, &self.record);
            }
            Inst::Unreachable => {
                let id = InstAbbrevs::UNREACHABLE;
                out.abbreviated(id, &abbrevs.unreachable, code::UNREACHABLE, &[]);
            }
            _ => {}
        }
        Ok(())
    }

    fn memory(&mut self, out: &mut BitWriter, inst: &Inst, ty: TypeId) -> Result<()> {
        /// Bit of the last field of an alloca: its type is that of the memory, not of the result.
        const EXPLICIT_TYPE: u64 = 1 << 6;
        match *inst {
            Inst::Alloca {
                allocated,
                count,
                align,
            } => {
                self.push(type_number(allocated));
                let count_ty = self.type_of(count)?;
                self.push(type_number(count_ty));
                // Absolute, unlike most operands.
                let count = self.numbers.value(count)?;
                self.push(u64::from(count));
                self.push(codes::alignment_code(align)? | EXPLICIT_TYPE);
                out.record(code::ALLOCA, &self.record);
            }
            Inst::Load {
                pointer,
                align,
                volatile,
            } => {
                self.typed(pointer)?;
                self.push(type_number(ty));
                self.push(codes::alignment_code(align)?);
                self.push(u64::from(volatile));
                self.abbreviated(out, InstAbbrevs::LOAD, &self.abbrevs.load, code::LOAD);
            }
            Inst::Store {
                pointer,
                value,
                align,
                volatile,
            } => {
                self.typed(pointer)?;
                self.typed(value)?;
                self.push(codes::alignment_code(align)?);
                self.push(u64::from(volatile));
                out.record(code::STORE, &self.record);
            }
            Inst::Gep { inbounds, operands } => {
                let operands = self.view.function.values_of(operands);
                let base = operands.first().ok_or_else(|| dangling("a pointer"))?;
                let pointee = self.view.module.types.pointee(self.type_of(*base)?);
                let pointee = pointee.ok_or_else(|| {
                    Error::malformed("address arithmetic on something other than a pointer")
                })?;
                self.push(u64::from(inbounds));
                self.push(type_number(pointee));
                for operand in operands {
                    self.typed(*operand)?;
                }
                self.abbreviated(out, InstAbbrevs::GEP, &self.abbrevs.gep, code::GEP);
            }
            Inst::AtomicRmw {
                op,
                pointer,
                value,
                ordering,
                volatile,
            } => {
                self.typed(pointer)?;
                self.value(value)?;
                let ordering = codes::ordering_code(ordering);
                let rest = [
                    codes::atomic_code(op),
                    u64::from(volatile),
                    ordering,
                    ALL_THREADS,
                ];
                self.record.extend(rest);
                out.record(code::ATOMIC_RMW, &self.record);
            }
            Inst::CmpXchg {
                pointer,
                compare,
                value,
                ordering,
                volatile,
            } => {
                self.typed(pointer)?;
                self.typed(compare)?;
                self.value(value)?;
                let failure = codes::ordering_code(ordering.on_failure());
                let ordering = codes::ordering_code(ordering);
                // It is not weak.
                let rest = [u64::from(volatile), ordering, ALL_THREADS, failure, 0];
                self.record.extend(rest);
                out.record(code::CMPXCHG, &self.record);
            }
            Inst::Fence { ordering } => {
                out.record(code::FENCE, [codes::ordering_code(ordering), ALL_THREADS]);
            }
            _ => {}
        }
        Ok(())
    }

    fn call(&mut self, callee: ValueId, args: List<ValueId>, site: CallSite) -> Result<()> {
        /// Bit of the calling convention: the function's type follows.
        const EXPLICIT_TYPE: u64 = 1 << 15;
        let types = &self.view.module.types;
        let ty = types.pointee(self.type_of(callee)?);
        let ty = ty.ok_or_else(|| dangling("a function"))?;
        let Type::Function { params, .. } = types.get(ty) else {
            return Err(dangling("a function"));
        };
        self.push(u64::from(site.attributes));
        self.push(u64::from(site.convention) << 1 | EXPLICIT_TYPE);
        self.push(type_number(ty));
        self.typed(callee)?;
        for (index, arg) in self.view.function.values_of(args).iter().enumerate() {
            let def = self.view.value(*arg).map(|value| value.def);
            if let Some(ValueDef::Metadata(node)) = def {
                // Relative like any operand, although the number is that of a node.
                let node = self.numbers.node(node)?;
                self.push(u64::from(self.next.wrapping_sub(node)));
            } else if index < params.len() {
                self.value(*arg)?;
            } else {
                self.typed(*arg)?;
            }
        }
        Ok(())
    }

    fn indices(&mut self, indices: List<u32>) {
        self.record
            .extend_from_slice(self.view.function.indices_of(indices));
    }

    /// Writes the record, abbreviated unless it has the type of an operand.
    fn abbreviated(&self, out: &mut BitWriter, id: u64, ops: &[AbbrevOp], code: u32) {
        if self.is_forward {
            out.record(code, &self.record);
        } else {
            out.abbreviated(id, ops, code, &self.record);
        }
    }
}
