//! The order in which the parts of an instruction are written: LLVM's.
//!
//! [`write_inst`] knows the order and LLVM's words; an [`InstForm`] knows how values, types and
//! blocks look. The assembler text of this module and the listings of `dxil-dis` are two forms.

use super::constants::{binary_name, cast_name, predicate_name};
use crate::ir::{
    AtomicOrdering, AtomicRmwOp, BlockId, FastMath, FuncView, Inst, InstId, List, Type, TypeId,
    ValueId,
};

/// A writer for the parts of an instruction.
pub trait InstForm {
    /// Returns whether types that follow from the rest of the line are written too. LLVM's
    /// assembler requires them: `load i32, i32* %1`.
    fn writes_implied_types(&self) -> bool {
        true
    }

    /// Writes a word of the instruction's name, such as `icmp` or `slt`.
    fn word(&mut self, word: &str);

    /// Writes punctuation, flags and numbers.
    fn text(&mut self, text: &str);

    /// Writes a type.
    fn ty(&mut self, ty: TypeId);

    /// Writes an operand without its type.
    fn value(&mut self, id: ValueId);

    /// Writes the target of a branch.
    fn block(&mut self, id: BlockId);

    /// Writes the incoming edges of a phi, after its type.
    fn incoming(&mut self, edges: &[(ValueId, BlockId)]);

    /// Writes the targets of a switch over a value of type `ty`, after the comma.
    fn targets(&mut self, ty: Option<TypeId>, default: BlockId, cases: &[(ValueId, BlockId)]);

    /// Writes how many elements an `alloca` allocates, a value of type `ty`.
    fn alloca_count(&mut self, ty: Option<TypeId>, count: ValueId);

    /// Writes what a call has before the type of its result.
    fn call_prefix(&mut self, call: InstId) {
        let _ = call;
    }

    /// Writes what the `index`-th argument of a call has between its type and its value.
    fn argument_attributes(&mut self, call: InstId, index: usize) {
        let _ = (call, index);
    }

    /// Writes what a call has after its arguments.
    fn call_suffix(&mut self, call: InstId) {
        let _ = call;
    }

    /// Writes a name before the `index`-th argument of a call, if the form shows one.
    fn argument_name(&mut self, call: InstId, index: usize) {
        let _ = (call, index);
    }
}

/// Writes an instruction from its name on, without its result.
pub fn write_inst(form: &mut impl InstForm, view: FuncView<'_>, id: InstId) {
    let Some(data) = view.function.insts.get(id) else {
        return;
    };
    let mut writer = InstWriter { form, view };
    match data.inst {
        Inst::Alloca { .. }
        | Inst::Load { .. }
        | Inst::Store { .. }
        | Inst::Gep { .. }
        | Inst::AtomicRmw { .. }
        | Inst::CmpXchg { .. }
        | Inst::Fence { .. } => writer.memory(&data.inst, data.ty),
        Inst::Phi { .. }
        | Inst::Ret { .. }
        | Inst::Br { .. }
        | Inst::CondBr { .. }
        | Inst::Switch { .. }
        | Inst::Unreachable => writer.control_flow(&data.inst, data.ty),
        Inst::Call {
            callee,
            args,
            fast_math,
        } => writer.call(id, data.ty, callee, args, fast_math),
        _ => writer.computation(&data.inst, data.ty),
    }
}

struct InstWriter<'f, 'a, F> {
    form: &'f mut F,
    view: FuncView<'a>,
}

impl<F: InstForm> InstWriter<'_, '_, F> {
    fn typed(&mut self, id: ValueId) {
        if let Some(ty) = self.view.type_of(id) {
            self.form.ty(ty);
            self.form.text(" ");
        }
        self.form.value(id);
    }

    /// Writes an operand whose type follows from the rest of the line.
    fn implied(&mut self, id: ValueId) {
        if self.form.writes_implied_types() {
            self.typed(id);
        } else {
            self.form.value(id);
        }
    }

    /// Writes further operands whose types follow from the rest of the line.
    fn more(&mut self, ids: &[ValueId]) {
        for id in ids {
            self.form.text(", ");
            self.implied(*id);
        }
    }

    fn more_blocks(&mut self, ids: &[BlockId]) {
        for id in ids {
            self.form.text(", ");
            self.form.block(*id);
        }
    }

    fn computation(&mut self, inst: &Inst, ty: TypeId) {
        match *inst {
            Inst::Binary {
                op,
                fast_math,
                lhs,
                rhs,
            } => {
                self.form.word(binary_name(op));
                self.flags(fast_math);
                self.form.text(" ");
                self.typed(lhs);
                self.form.text(", ");
                self.form.value(rhs);
            }
            Inst::Cast { op, value } => {
                self.form.word(cast_name(op));
                self.form.text(" ");
                self.typed(value);
                self.form.text(" to ");
                self.form.ty(ty);
            }
            Inst::Cmp {
                predicate,
                fast_math,
                lhs,
                rhs,
            } => {
                let (instruction, predicate) = predicate_name(predicate);
                self.form.word(instruction);
                self.flags(fast_math);
                self.form.text(" ");
                self.form.word(predicate);
                self.form.text(" ");
                self.typed(lhs);
                self.form.text(", ");
                self.form.value(rhs);
            }
            Inst::Select {
                condition,
                if_true,
                if_false,
            } => {
                self.form.word("select");
                self.form.text(" ");
                self.implied(condition);
                self.form.text(", ");
                self.typed(if_true);
                self.more(&[if_false]);
            }
            Inst::ExtractValue { aggregate, indices } => {
                self.operands("extractvalue", aggregate, &[]);
                self.indices(indices);
            }
            Inst::InsertValue {
                aggregate,
                value,
                indices,
            } => {
                self.operands("insertvalue", aggregate, &[]);
                self.form.text(", ");
                self.typed(value);
                self.indices(indices);
            }
            Inst::ExtractElement { vector, index } => {
                self.operands("extractelement", vector, &[index]);
            }
            Inst::InsertElement {
                vector,
                value,
                index,
            } => {
                self.operands("insertelement", vector, &[]);
                self.form.text(", ");
                self.typed(value);
                self.more(&[index]);
            }
            Inst::ShuffleVector { a, b, mask } => self.operands("shufflevector", a, &[b, mask]),
            _ => {}
        }
    }

    fn control_flow(&mut self, inst: &Inst, ty: TypeId) {
        let function = self.view.function;
        match *inst {
            Inst::Phi { incoming } => {
                self.form.word("phi");
                self.form.text(" ");
                self.form.ty(ty);
                self.form.incoming(function.edges_of(incoming));
            }
            Inst::Ret { value } => match value.expand() {
                Some(value) => self.operands("ret", value, &[]),
                None => {
                    self.form.word("ret");
                    if self.form.writes_implied_types() {
                        self.form.text(" void");
                    }
                }
            },
            Inst::Br { target } => {
                self.form.word("br");
                self.form.text(" ");
                self.form.block(target);
            }
            Inst::CondBr {
                condition,
                if_true,
                if_false,
            } => {
                self.form.word("br");
                self.form.text(" ");
                self.implied(condition);
                self.more_blocks(&[if_true, if_false]);
            }
            Inst::Switch {
                value,
                default,
                cases,
            } => {
                self.operands("switch", value, &[]);
                self.form.text(", ");
                let ty = self.view.type_of(value);
                self.form.targets(ty, default, function.edges_of(cases));
            }
            Inst::Unreachable => self.form.word("unreachable"),
            _ => {}
        }
    }

    fn memory(&mut self, inst: &Inst, ty: TypeId) {
        match *inst {
            Inst::Alloca {
                allocated,
                count,
                align,
            } => {
                self.form.word("alloca");
                self.form.text(" ");
                self.form.ty(allocated);
                self.form.alloca_count(self.view.type_of(count), count);
                self.align(align);
            }
            Inst::Load {
                pointer,
                align,
                volatile,
            } => {
                self.form.word("load");
                self.volatile(volatile);
                self.form.text(" ");
                self.form.ty(ty);
                self.more(&[pointer]);
                self.align(align);
            }
            Inst::Store {
                pointer,
                value,
                align,
                volatile,
            } => {
                self.form.word("store");
                self.volatile(volatile);
                self.form.text(" ");
                self.typed(value);
                self.more(&[pointer]);
                self.align(align);
            }
            Inst::Gep { inbounds, operands } => {
                self.form.word("getelementptr");
                self.form.text(if inbounds { " inbounds " } else { " " });
                let operands = self.view.function.values_of(operands);
                let Some((base, indices)) = operands.split_first() else {
                    return;
                };
                let pointee = self
                    .view
                    .type_of(*base)
                    .and_then(|ty| self.view.module.types.pointee(ty));
                if let Some(pointee) = pointee
                    && self.form.writes_implied_types()
                {
                    self.form.ty(pointee);
                    self.form.text(", ");
                }
                self.typed(*base);
                self.more(indices);
            }
            Inst::AtomicRmw {
                op,
                pointer,
                value,
                ordering,
                volatile,
            } => {
                self.form.word("atomicrmw");
                self.volatile(volatile);
                self.form.text(" ");
                self.operands(atomic_name(op), pointer, &[]);
                self.form.text(", ");
                self.typed(value);
                self.form.text(" ");
                self.form.text(ordering_name(ordering));
            }
            Inst::CmpXchg {
                pointer,
                compare,
                value,
                ordering,
                volatile,
            } => {
                self.form.word("cmpxchg");
                self.volatile(volatile);
                self.form.text(" ");
                self.typed(pointer);
                self.form.text(", ");
                self.typed(compare);
                self.more(&[value]);
                // The IR keeps the order on success, which decides on the other one.
                for ordering in [ordering, ordering.on_failure()] {
                    self.form.text(" ");
                    self.form.text(ordering_name(ordering));
                }
            }
            Inst::Fence { ordering } => {
                self.form.word("fence");
                self.form.text(" ");
                self.form.text(ordering_name(ordering));
            }
            _ => {}
        }
    }

    fn call(
        &mut self,
        id: InstId,
        ty: TypeId,
        callee: ValueId,
        args: List<ValueId>,
        fast_math: FastMath,
    ) {
        self.form.word("call");
        self.flags(fast_math);
        self.form.text(" ");
        let types = &self.view.module.types;
        let callee_ty = self.view.type_of(callee).and_then(|ty| types.pointee(ty));
        // The whole type shows which arguments are variable.
        let is_variadic =
            |ty: &TypeId| matches!(types.get(*ty), Type::Function { vararg: true, .. });
        self.form.call_prefix(id);
        self.form.ty(callee_ty.filter(is_variadic).unwrap_or(ty));
        self.form.text(" ");
        self.form.value(callee);
        self.form.text("(");
        for (index, arg) in self.view.function.values_of(args).iter().enumerate() {
            if index > 0 {
                self.form.text(", ");
            }
            self.form.argument_name(id, index);
            if let Some(ty) = self.view.type_of(*arg) {
                self.form.ty(ty);
                self.form.argument_attributes(id, index);
                self.form.text(" ");
            }
            self.form.value(*arg);
        }
        self.form.text(")");
        self.form.call_suffix(id);
    }

    /// Writes a name, an operand with its type, and operands whose types follow from the rest.
    fn operands(&mut self, name: &str, first: ValueId, implied: &[ValueId]) {
        self.form.word(name);
        self.form.text(" ");
        self.typed(first);
        self.more(implied);
    }

    fn flags(&mut self, flags: FastMath) {
        // LLVM language reference, "Fast-Math Flags": `fast` implies all the others.
        if flags.contains(FastMath::FAST) {
            self.form.text(" fast");
            return;
        }
        let names = [
            (FastMath::NO_NANS, " nnan"),
            (FastMath::NO_INFS, " ninf"),
            (FastMath::NO_SIGNED_ZEROS, " nsz"),
            (FastMath::ALLOW_RECIPROCAL, " arcp"),
        ];
        for (flag, name) in names {
            if flags.contains(flag) {
                self.form.text(name);
            }
        }
        // Promises about integers only matter to an assembler.
        if self.form.writes_implied_types() {
            for (flag, name) in [
                (FastMath::NO_UNSIGNED_WRAP, " nuw"),
                (FastMath::NO_SIGNED_WRAP, " nsw"),
                (FastMath::EXACT, " exact"),
            ] {
                if flags.contains(flag) {
                    self.form.text(name);
                }
            }
        }
    }

    fn align(&mut self, align: u32) {
        if align != 0 {
            self.form.text(&format!(", align {align}"));
        }
    }

    fn volatile(&mut self, volatile: bool) {
        if volatile {
            self.form.text(" volatile");
        }
    }

    fn indices(&mut self, indices: List<u32>) {
        for index in self.view.function.indices_of(indices) {
            self.form.text(&format!(", {index}"));
        }
    }
}

/// Returns LLVM's word for an atomic operation.
pub(crate) fn atomic_name(op: AtomicRmwOp) -> &'static str {
    match op {
        AtomicRmwOp::Xchg => "xchg",
        AtomicRmwOp::Add => "add",
        AtomicRmwOp::Sub => "sub",
        AtomicRmwOp::And => "and",
        AtomicRmwOp::Nand => "nand",
        AtomicRmwOp::Or => "or",
        AtomicRmwOp::Xor => "xor",
        AtomicRmwOp::Max => "max",
        AtomicRmwOp::Min => "min",
        AtomicRmwOp::UMax => "umax",
        AtomicRmwOp::UMin => "umin",
    }
}

/// Returns LLVM's word for a memory order.
pub(crate) fn ordering_name(ordering: AtomicOrdering) -> &'static str {
    match ordering {
        AtomicOrdering::NotAtomic => "not_atomic",
        AtomicOrdering::Unordered => "unordered",
        AtomicOrdering::Monotonic => "monotonic",
        AtomicOrdering::Acquire => "acquire",
        AtomicOrdering::Release => "release",
        AtomicOrdering::AcqRel => "acq_rel",
        AtomicOrdering::SeqCst => "seq_cst",
    }
}
