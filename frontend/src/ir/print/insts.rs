//! Text of instructions.

use super::constants::{self, Values, binary_name, cast_name, predicate_name};
use super::names::{self, Slots};
use super::printer::Printer;
use super::types;
use crate::ir::{
    AtomicOrdering, AtomicRmwOp, BlockId, FastMath, FuncView, Function, Inst, InstId, List, MdNode,
    Type, TypeId, ValueDef, ValueId,
};
use crate::shown::escaped;

/// Column of comments after block labels.
const COMMENT_COLUMN: usize = 50;

/// What the instructions of one body need.
struct Body<'p, 'a> {
    printer: &'p mut Printer<'a>,
    function: &'p Function,
    slots: &'p Slots<'p>,
    values: Values<'p>,
}

impl Printer<'_> {
    /// The blocks of a body.
    pub(super) fn blocks(&mut self, function: &Function, slots: &Slots<'_>) {
        let predecessors = predecessors(function);
        let module = self.module;
        let mut body = Body {
            printer: self,
            function,
            slots,
            values: Values::of_function(module, function),
        };
        let mut predecessors = predecessors.into_iter();
        let mut is_entry = true;
        for id in function.blocks.keys() {
            body.label(id, &predecessors.next().unwrap_or_default(), is_entry);
            is_entry = false;
            for inst in function.block_insts(id) {
                body.instruction(inst);
            }
        }
    }
}

/// Per block, its predecessors, each once, in the order of LLVM's use lists as far as that is told:
/// last first.
fn predecessors(function: &Function) -> Vec<Vec<BlockId>> {
    let mut lists: Vec<Vec<BlockId>> = vec![Vec::new(); function.blocks.len()];
    for block in function.blocks.keys().rev() {
        function.for_each_successor(block, |to| {
            if let Some(list) = lists.get_mut(to.as_u32() as usize)
                && list.last() != Some(&block)
            {
                list.push(block);
            }
        });
    }
    lists
}

impl Body<'_, '_> {
    fn out(&mut self) -> &mut String {
        &mut self.printer.out
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        self.printer.put(text);
    }

    fn label(&mut self, id: BlockId, predecessors: &[BlockId], is_entry: bool) {
        let name = names::block_name(self.function, id);
        if is_entry && name.is_none() {
            return;
        }
        if !is_entry {
            self.out().push('\n');
        }
        let start = self.out().len();
        match (name, self.slots.block_number(id)) {
            (Some(name), _) => {
                let mut text = String::new();
                names::write_name(&mut text, '%', name);
                self.put(format_args!("{}:", text.get(1..).unwrap_or_default()));
            }
            (None, Some(number)) => self.put(format_args!("; <label>:{number}")),
            (None, None) => {}
        }
        if is_entry {
            self.out().push('\n');
            return;
        }
        let width = self.out().len() - start;
        let pad = COMMENT_COLUMN.saturating_sub(width).max(1);
        self.put(format_args!("{:pad$}", ""));
        if predecessors.is_empty() {
            self.out().push_str("; No predecessors!");
        } else {
            self.out().push_str("; preds = ");
            for (index, block) in predecessors.iter().enumerate() {
                if index > 0 {
                    self.out().push_str(", ");
                }
                self.slots.write_block(&mut self.printer.out, *block);
            }
        }
        self.out().push('\n');
    }

    fn ty(&mut self, ty: TypeId) {
        let types = &self.printer.module.types;
        types::write(&mut self.printer.out, types, ty);
    }

    fn type_of(&self, id: ValueId) -> Option<TypeId> {
        self.values.get(id).map(|value| value.ty)
    }

    /// A value without its type.
    fn value(&mut self, id: ValueId) {
        match self.values.get(id).map(|value| value.def) {
            Some(ValueDef::Argument(_) | ValueDef::Inst(_)) => {
                self.slots.write_value(&mut self.printer.out, id);
            }
            Some(ValueDef::Metadata(node)) => {
                match self.printer.module.metadata.nodes.get(node) {
                    // `metadata i32 %5`: a value of this function.
                    Some(MdNode::Value(value)) => self.typed(*value),
                    _ => self.printer.node_reference(node, self.values),
                }
            }
            _ => constants::write(&mut self.printer.out, self.values, id, constants::SHORT),
        }
    }

    /// A value with its type.
    fn typed(&mut self, id: ValueId) {
        if let Some(ty) = self.type_of(id) {
            self.ty(ty);
            self.out().push(' ');
        }
        self.value(id);
    }

    /// Values with their types and commas.
    fn typed_list(&mut self, ids: &[ValueId]) {
        for (index, id) in ids.iter().enumerate() {
            if index > 0 {
                self.out().push_str(", ");
            }
            self.typed(*id);
        }
    }

    fn block(&mut self, id: BlockId) {
        self.out().push_str("label ");
        self.slots.write_block(&mut self.printer.out, id);
    }

    fn instruction(&mut self, id: InstId) {
        let Some(data) = self.function.insts.get(id) else {
            return;
        };
        self.out().push_str("  ");
        if let Some(result) = data.result.expand() {
            self.slots.write_value(&mut self.printer.out, result);
            self.out().push_str(" = ");
        }
        self.operation(id, &data.inst, data.ty);
        self.trailer(id);
        self.out().push('\n');
    }

    fn operation(&mut self, id: InstId, inst: &Inst, ty: TypeId) {
        match *inst {
            Inst::Binary {
                op,
                fast_math,
                lhs,
                rhs,
            } => {
                self.put(format_args!("{} ", binary_name(op)));
                self.flags(fast_math);
                self.typed(lhs);
                self.out().push_str(", ");
                self.value(rhs);
            }
            Inst::Cast { op, value } => {
                self.put(format_args!("{} ", cast_name(op)));
                self.typed(value);
                self.out().push_str(" to ");
                self.ty(ty);
            }
            Inst::Cmp {
                predicate,
                fast_math,
                lhs,
                rhs,
            } => {
                let (instruction, predicate) = predicate_name(predicate);
                self.put(format_args!("{instruction} "));
                self.flags(fast_math);
                self.put(format_args!("{predicate} "));
                self.typed(lhs);
                self.out().push_str(", ");
                self.value(rhs);
            }
            Inst::Select {
                condition,
                if_true,
                if_false,
            } => {
                self.out().push_str("select ");
                self.typed_list(&[condition, if_true, if_false]);
            }
            Inst::Phi { incoming } => {
                self.out().push_str("phi ");
                self.ty(ty);
                let function = self.function;
                for (index, (value, block)) in function.edges_of(incoming).iter().enumerate() {
                    self.out().push_str(if index > 0 { ", [ " } else { " [ " });
                    self.value(*value);
                    self.out().push_str(", ");
                    self.slots.write_block(&mut self.printer.out, *block);
                    self.out().push_str(" ]");
                }
            }
            Inst::Call {
                callee,
                args,
                fast_math,
            } => self.call(id, ty, callee, args, fast_math),
            Inst::Ret { value } => match value.expand() {
                Some(value) => {
                    self.out().push_str("ret ");
                    self.typed(value);
                }
                None => self.out().push_str("ret void"),
            },
            Inst::Br { target } => {
                self.out().push_str("br ");
                self.block(target);
            }
            Inst::CondBr {
                condition,
                if_true,
                if_false,
            } => {
                self.out().push_str("br ");
                self.typed(condition);
                self.out().push_str(", ");
                self.block(if_true);
                self.out().push_str(", ");
                self.block(if_false);
            }
            Inst::Switch {
                value,
                default,
                cases,
            } => {
                self.out().push_str("switch ");
                self.typed(value);
                self.out().push_str(", ");
                self.block(default);
                self.out().push_str(" [\n");
                let function = self.function;
                for (case, target) in function.edges_of(cases) {
                    self.out().push_str("    ");
                    self.typed(*case);
                    self.out().push_str(", ");
                    self.block(*target);
                    self.out().push('\n');
                }
                self.out().push_str("  ]");
            }
            Inst::Unreachable => self.out().push_str("unreachable"),
            Inst::ExtractValue { aggregate, indices } => {
                self.out().push_str("extractvalue ");
                self.typed(aggregate);
                self.indices(indices);
            }
            Inst::InsertValue {
                aggregate,
                value,
                indices,
            } => {
                self.out().push_str("insertvalue ");
                self.typed_list(&[aggregate, value]);
                self.indices(indices);
            }
            Inst::ExtractElement { vector, index } => {
                self.out().push_str("extractelement ");
                self.typed_list(&[vector, index]);
            }
            Inst::InsertElement {
                vector,
                value,
                index,
            } => {
                self.out().push_str("insertelement ");
                self.typed_list(&[vector, value, index]);
            }
            Inst::ShuffleVector { a, b, mask } => {
                self.out().push_str("shufflevector ");
                self.typed_list(&[a, b, mask]);
            }
            Inst::Alloca { .. }
            | Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::Gep { .. }
            | Inst::AtomicRmw { .. }
            | Inst::CmpXchg { .. }
            | Inst::Fence { .. } => self.memory(inst, ty),
        }
    }

    fn memory(&mut self, inst: &Inst, ty: TypeId) {
        match *inst {
            Inst::Alloca {
                allocated,
                count,
                align,
            } => {
                self.out().push_str("alloca ");
                self.ty(allocated);
                let is_one = self.values.get(count).is_some_and(|count| {
                    matches!(count.def, ValueDef::Constant(crate::ir::Constant::Int(1)))
                });
                if !is_one {
                    self.out().push_str(", ");
                    self.typed(count);
                }
                self.align(align);
            }
            Inst::Load {
                pointer,
                align,
                volatile,
            } => {
                self.out().push_str("load ");
                self.volatile(volatile);
                self.ty(ty);
                self.out().push_str(", ");
                self.typed(pointer);
                self.align(align);
            }
            Inst::Store {
                pointer,
                value,
                align,
                volatile,
            } => {
                self.out().push_str("store ");
                self.volatile(volatile);
                self.typed_list(&[value, pointer]);
                self.align(align);
            }
            Inst::Gep { inbounds, operands } => {
                self.out().push_str("getelementptr ");
                if inbounds {
                    self.out().push_str("inbounds ");
                }
                let function = self.function;
                let operands = function.values_of(operands);
                let base = operands.first().and_then(|base| self.type_of(*base));
                if let Some(pointee) = base.and_then(|ty| self.printer.module.types.pointee(ty)) {
                    self.ty(pointee);
                    self.out().push_str(", ");
                }
                self.typed_list(operands);
            }
            Inst::AtomicRmw {
                op,
                pointer,
                value,
                ordering,
                volatile,
            } => {
                self.out().push_str("atomicrmw ");
                self.volatile(volatile);
                self.put(format_args!("{} ", atomic_name(op)));
                self.typed_list(&[pointer, value]);
                self.put(format_args!(" {}", ordering_name(ordering)));
            }
            Inst::CmpXchg {
                pointer,
                compare,
                value,
                ordering,
                volatile,
            } => {
                self.out().push_str("cmpxchg ");
                self.volatile(volatile);
                self.typed_list(&[pointer, compare, value]);
                let order = ordering_name(ordering);
                self.put(format_args!(" {order} {order}"));
            }
            Inst::Fence { ordering } => {
                self.put(format_args!("fence {}", ordering_name(ordering)));
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
        self.out().push_str("call ");
        self.flags(fast_math);
        let module = self.printer.module;
        let callee_ty = self.type_of(callee).and_then(|ty| module.types.pointee(ty));
        match callee_ty.map(|ty| (ty, module.types.get(ty))) {
            Some((ty, Type::Function { vararg: true, .. })) => self.ty(ty),
            _ => self.ty(ty),
        }
        self.out().push(' ');
        self.value(callee);
        self.out().push('(');
        let function = self.function;
        let view = FuncView { module, function };
        let annotate = self.printer.annotate;
        for (index, arg) in function.values_of(args).iter().enumerate() {
            if index > 0 {
                self.out().push_str(", ");
            }
            if let Some(name) = annotate.argument_name(view, id, index) {
                self.put(format_args!("{name}: "));
            }
            self.typed(*arg);
        }
        self.out().push(')');
    }

    /// Attached metadata, source position, comment.
    fn trailer(&mut self, id: InstId) {
        let function = self.function;
        let first = function.attachments.partition_point(|(at, ..)| *at < id);
        let attached = function.attachments.get(first..).unwrap_or_default();
        for (_, kind, node) in attached.iter().take_while(|(at, ..)| *at == id) {
            match self.printer.module.metadata.kind_name(*kind) {
                Some(name) => self.put(format_args!(", !{} ", escaped(&name))),
                None => self.put(format_args!(", !kind{kind} ")),
            }
            self.printer.node_reference(*node, self.values);
        }
        let view = FuncView {
            module: self.printer.module,
            function,
        };
        let mut separator = "  ;";
        if let Some(comment) = self.printer.annotate.comment(view, id) {
            self.put(format_args!("{separator} {comment}"));
            separator = ",";
        }
        if let Some(loc) = function.debug_locs.get(id).copied().flatten() {
            self.put(format_args!(
                "{separator} line:{} col:{}",
                loc.line, loc.column
            ));
        }
    }

    fn flags(&mut self, flags: FastMath) {
        if flags.contains(FastMath::FAST) {
            self.out().push_str("fast ");
            return;
        }
        let names = [
            (FastMath::NO_NANS, "nnan "),
            (FastMath::NO_INFS, "ninf "),
            (FastMath::NO_SIGNED_ZEROS, "nsz "),
            (FastMath::ALLOW_RECIPROCAL, "arcp "),
        ];
        for (flag, name) in names {
            if flags.contains(flag) {
                self.out().push_str(name);
            }
        }
    }

    fn align(&mut self, align: u32) {
        if align != 0 {
            self.put(format_args!(", align {align}"));
        }
    }

    fn volatile(&mut self, volatile: bool) {
        if volatile {
            self.out().push_str("volatile ");
        }
    }

    fn indices(&mut self, indices: List<u32>) {
        let function = self.function;
        for index in function.indices_of(indices) {
            self.put(format_args!(", {index}"));
        }
    }
}

fn atomic_name(op: AtomicRmwOp) -> &'static str {
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

fn ordering_name(ordering: AtomicOrdering) -> &'static str {
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
