//! Text of a function's blocks, as LLVM's assembler reads it.

use super::attributes;
use super::constants::{self, ValueTables};
use super::insts::{InstForm, write_inst};
use super::names::{self, LocalNames};
use super::printer::Printer;
use super::types;
use crate::escape::escaped;
use crate::ir::{BlockId, Constant, FuncView, Function, InstId, MdNode, TypeId, ValueDef, ValueId};

/// Column of comments after block labels.
const COMMENT_COLUMN: usize = 50;

/// The context of the instructions of one body.
struct BodyPrinter<'p, 'a> {
    printer: &'p mut Printer<'a>,
    function: &'p Function,
    slots: &'p LocalNames<'p>,
    values: ValueTables<'p>,
}

impl Printer<'_> {
    /// Writes the blocks of a body.
    pub(super) fn blocks(&mut self, function: &Function, slots: &LocalNames<'_>) {
        let predecessors = predecessors(function);
        let module = self.module;
        let mut body = BodyPrinter {
            printer: self,
            function,
            slots,
            values: ValueTables::of_function(module, function),
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

/// Returns the predecessors of each block, each once, in the order of LLVM's use lists as far as it
/// is known: last first.
fn predecessors(function: &Function) -> Vec<Vec<BlockId>> {
    let mut lists: Vec<Vec<BlockId>> = vec![Vec::new(); function.blocks.len()];
    for block in function.blocks.keys().rev() {
        function.for_each_successor(block, |to| {
            if let Some(list) = lists.get_mut(to.as_u32() as usize)
                // A switch may reach a block by several cases. Its edges come one after the other,
                // so the last entry is the only one to compare.
                && list.last() != Some(&block)
            {
                list.push(block);
            }
        });
    }
    lists
}

impl BodyPrinter<'_, '_> {
    fn out(&mut self) -> &mut String {
        &mut self.printer.out
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        self.printer.put(text);
    }

    fn label(&mut self, id: BlockId, predecessors: &[BlockId], is_entry: bool) {
        let name = names::block_name(self.function, id);
        // LLVM leaves the number of the entry block unwritten.
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

    fn instruction(&mut self, id: InstId) {
        let Some(data) = self.function.insts.get(id) else {
            return;
        };
        self.out().push_str("  ");
        if let Some(result) = data.result.expand() {
            self.slots.write_value(&mut self.printer.out, result);
            self.out().push_str(" = ");
        }
        let view = FuncView {
            module: self.printer.module,
            function: self.function,
        };
        write_inst(self, view, id);
        self.trailer(id);
        self.out().push('\n');
    }

    /// Writes attached metadata, source position and comment.
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
}

impl InstForm for BodyPrinter<'_, '_> {
    fn word(&mut self, word: &str) {
        self.out().push_str(word);
    }

    fn text(&mut self, text: &str) {
        self.out().push_str(text);
    }

    fn ty(&mut self, ty: TypeId) {
        let types = &self.printer.module.types;
        types::write(&mut self.printer.out, types, ty);
    }

    fn value(&mut self, id: ValueId) {
        match self.values.get(id).map(|value| value.def) {
            Some(ValueDef::Argument(_) | ValueDef::Inst(_)) => {
                self.slots.write_value(&mut self.printer.out, id);
            }
            Some(ValueDef::Metadata(node)) => {
                match self.printer.module.metadata.nodes.get(node) {
                    // `metadata i32 %5`: a value of this function.
                    Some(MdNode::Value(value)) => {
                        if let Some(value) = self.values.get(*value) {
                            self.ty(value.ty);
                            self.out().push(' ');
                        }
                        self.value(*value);
                    }
                    _ => self.printer.node_reference(node, self.values),
                }
            }
            _ => constants::write(&mut self.printer.out, self.values, id, constants::SHORT),
        }
    }

    fn block(&mut self, id: BlockId) {
        self.out().push_str("label ");
        self.slots.write_block(&mut self.printer.out, id);
    }

    fn incoming(&mut self, edges: &[(ValueId, BlockId)]) {
        for (index, (value, block)) in edges.iter().enumerate() {
            self.text(if index > 0 { ", [ " } else { " [ " });
            self.value(*value);
            self.text(", ");
            self.slots.write_block(&mut self.printer.out, *block);
            self.text(" ]");
        }
    }

    fn targets(&mut self, ty: Option<TypeId>, default: BlockId, cases: &[(ValueId, BlockId)]) {
        self.block(default);
        self.text(" [\n");
        for (case, target) in cases {
            self.text("    ");
            if let Some(ty) = ty {
                self.ty(ty);
                self.text(" ");
            }
            self.value(*case);
            self.text(", ");
            self.block(*target);
            self.text("\n");
        }
        self.text("  ]");
    }

    fn alloca_count(&mut self, ty: Option<TypeId>, count: ValueId) {
        let def = self.values.get(count).map(|count| count.def);
        if matches!(def, Some(ValueDef::Constant(Constant::Int(1)))) {
            return;
        }
        self.text(", ");
        if let Some(ty) = ty {
            self.ty(ty);
            self.text(" ");
        }
        self.value(count);
    }

    fn call_prefix(&mut self, call: InstId) {
        let site = self.function.call_site(call);
        attributes::write_convention(&mut self.printer.out, site.convention);
        self.printer.result_attributes(site.attributes);
    }

    fn argument_attributes(&mut self, call: InstId, index: usize) {
        let site = self.function.call_site(call);
        self.printer.parameter_attributes(site.attributes, index);
    }

    fn call_suffix(&mut self, call: InstId) {
        let site = self.function.call_site(call);
        self.printer.attributes_number(site.attributes);
    }

    fn argument_name(&mut self, call: InstId, index: usize) {
        let view = FuncView {
            module: self.printer.module,
            function: self.function,
        };
        if let Some(name) = self.printer.annotate.argument_name(view, call, index) {
            self.put(format_args!("{name}: "));
        }
    }
}
