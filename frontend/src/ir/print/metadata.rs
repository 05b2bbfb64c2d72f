//! Text of metadata.

use super::constants::{self, ValueTables};
use super::names::{self, escaped};
use super::printer::Printer;
use crate::ir::{MdId, MdNode};

/// Returns the metadata classes, by record code.
fn class_name(code: u32) -> &'static str {
    match code {
        7 => "DILocation",
        12 => "GenericDINode",
        13 => "DISubrange",
        14 => "DIEnumerator",
        15 => "DIBasicType",
        16 => "DIFile",
        17 => "DIDerivedType",
        18 => "DICompositeType",
        19 => "DISubroutineType",
        20 => "DICompileUnit",
        21 => "DISubprogram",
        22 => "DILexicalBlock",
        23 => "DILexicalBlockFile",
        24 => "DINamespace",
        25 => "DITemplateTypeParameter",
        26 => "DITemplateValueParameter",
        27 => "DIGlobalVariable",
        28 => "DILocalVariable",
        29 => "DIExpression",
        30 => "DIObjCProperty",
        31 => "DIImportedEntity",
        32 => "DIModule",
        _ => "Debug",
    }
}

impl Printer<'_> {
    pub(super) fn metadata(&mut self) {
        let module = self.module;
        for named in &module.metadata.named {
            self.out.push('!');
            let mut name = String::new();
            names::write_name(&mut name, '!', &module.metadata.name_of(named));
            self.out.push_str(name.get(1..).unwrap_or_default());
            self.out.push_str(" = !{");
            for (index, node) in module.metadata.nodes_of(named).enumerate() {
                if index > 0 {
                    self.out.push_str(", ");
                }
                self.node_reference(node, ValueTables::of_module(module));
            }
            self.out.push_str("}\n");
        }
        self.out.push('\n');
        // Taken out, since printing borrows the printer; nothing reads the order afterwards.
        for (number, id) in std::mem::take(&mut self.nodes.order)
            .into_iter()
            .enumerate()
        {
            self.put(format_args!("!{number} = "));
            self.node_body(id);
            self.out.push('\n');
        }
    }

    fn node_body(&mut self, id: MdId) {
        let module = self.module;
        match module.metadata.nodes.get(id) {
            Some(MdNode::Tuple { distinct, .. }) => {
                self.out
                    .push_str(if *distinct { "distinct !{" } else { "!{" });
                let operands = module.metadata.tuple(id).unwrap_or_default();
                for (index, operand) in operands.iter().enumerate() {
                    if index > 0 {
                        self.out.push_str(", ");
                    }
                    match operand {
                        Some(operand) => {
                            self.node_reference(*operand, ValueTables::of_module(module));
                        }
                        None => self.out.push_str("null"),
                    }
                }
                self.out.push('}');
            }
            Some(MdNode::Debug { code, record }) => {
                self.put(format_args!("!{}(record:", class_name(*code)));
                for number in record {
                    self.put(format_args!(" {number}"));
                }
                self.out.push(')');
            }
            Some(MdNode::String { .. } | MdNode::Value(_)) | None => {
                self.node_reference(id, ValueTables::of_module(module));
            }
        }
    }

    /// Writes a node as an operand: its number, or the string or value itself.
    #[allow(
        clippy::indexing_slicing,
        reason = "indexing a secondary map reads a default and grows"
    )]
    pub(super) fn node_reference(&mut self, id: MdId, values: ValueTables<'_>) {
        match self.module.metadata.nodes.get(id) {
            Some(MdNode::String { .. }) => {
                let bytes = self.module.metadata.string_bytes(id).unwrap_or_default();
                let text = String::from_utf8_lossy(bytes);
                self.put(format_args!("!\"{}\"", escaped(&text)));
            }
            Some(MdNode::Value(value)) => match values.get(*value) {
                Some(_) => {
                    constants::write_typed(&mut self.out, values, *value, constants::SHORT);
                }
                None => self.out.push_str("<value of a function>"),
            },
            Some(MdNode::Tuple { .. } | MdNode::Debug { .. }) => match self.nodes.numbers[id] {
                Some(number) => self.put(format_args!("!{number}")),
                None => self.out.push_str("!<unnumbered>"),
            },
            None => self.out.push_str("!<missing>"),
        }
    }
}
