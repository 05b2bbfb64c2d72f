//! Text of function attributes.

use super::names::escaped;
use super::printer::Printer;
use crate::ir::{Attribute, AttributeGroup, FuncId, Module};

/// Names of LLVM 3.7's attributes, from number 1 on.
const NAMES: [&str; 45] = [
    "align",
    "alwaysinline",
    "byval",
    "inlinehint",
    "inreg",
    "minsize",
    "naked",
    "nest",
    "noalias",
    "nobuiltin",
    "nocapture",
    "noduplicate",
    "noimplicitfloat",
    "noinline",
    "nonlazybind",
    "noredzone",
    "noreturn",
    "nounwind",
    "optsize",
    "readnone",
    "readonly",
    "returned",
    "returns_twice",
    "signext",
    "alignstack",
    "ssp",
    "sspreq",
    "sspstrong",
    "sret",
    "sanitize_address",
    "sanitize_thread",
    "sanitize_memory",
    "uwtable",
    "zeroext",
    "builtin",
    "cold",
    "optnone",
    "inalloca",
    "nonnull",
    "jumptable",
    "dereferenceable",
    "dereferenceable_or_null",
    "convergent",
    "safestack",
    "argmemonly",
];

/// Returns the attributes that a set has for a slot.
fn of_slot(module: &Module, set: u32, slot: u32) -> impl Iterator<Item = &Attribute> {
    let groups = module
        .attributes(set)
        .filter(move |group| group.slot == slot);
    groups.flat_map(|group| &group.attributes)
}

/// Writes an attribute; in the list of an attribute group, where LLVM writes some in another way,
/// or beside a type.
fn write_attribute(out: &mut String, attribute: &Attribute, is_listed: bool) {
    match attribute {
        Attribute::Enum(number) | Attribute::Int(number, _) => {
            let name = usize::try_from(*number)
                .ok()
                .and_then(|number| NAMES.get(number.checked_sub(1)?));
            match name {
                Some(name) => out.push_str(name),
                None => out.push_str(&format!("attribute({number})")),
            }
            if let Attribute::Int(_, value) = attribute {
                out.push_str(&match (name, is_listed) {
                    (Some(&("align" | "alignstack")), true) => format!("={value}"),
                    (Some(&"align"), false) => format!(" {value}"),
                    _ => format!("({value})"),
                });
            }
        }
        Attribute::String(key, value) => {
            out.push_str(&format!("\"{}\"", escaped(key)));
            if let Some(value) = value {
                out.push_str(&format!("=\"{}\"", escaped(value)));
            }
        }
    }
}

/// Returns the number of a named attribute, LLVM 3.7's.
pub(crate) fn attribute_number(name: &str) -> Option<u64> {
    let at = NAMES.iter().position(|known| *known == name)?;
    Some(at as u64 + 1)
}

impl Printer<'_> {
    /// Writes the line before a function that spells its attributes out.
    pub(super) fn attributes_comment(&mut self, id: FuncId) {
        let module = self.module;
        let set = module.functions.get(id).map_or(0, |decl| decl.attributes);
        let attributes = of_slot(module, set, AttributeGroup::FUNCTION);
        let mut is_first = true;
        for attribute in attributes.filter(|it| !matches!(it, Attribute::String(..))) {
            self.out
                .push_str(if is_first { "; Function Attrs: " } else { " " });
            write_attribute(&mut self.out, attribute, false);
            is_first = false;
        }
        if !is_first {
            self.out.push('\n');
        }
    }

    /// Writes the attributes of a result (slot 0), each with a space after it.
    pub(super) fn result_attributes(&mut self, set: u32) {
        for attribute in of_slot(self.module, set, 0) {
            write_attribute(&mut self.out, attribute, false);
            self.out.push(' ');
        }
    }

    /// Writes the attributes of the `index`-th parameter, each with a space before it.
    pub(super) fn parameter_attributes(&mut self, set: u32, index: usize) {
        let slot = u32::try_from(index + 1).unwrap_or(AttributeGroup::FUNCTION - 1);
        for attribute in of_slot(self.module, set, slot) {
            self.out.push(' ');
            write_attribute(&mut self.out, attribute, false);
        }
    }

    /// Writes the number of a function's own attributes, if it has any.
    pub(super) fn attributes_number(&mut self, set: u32) {
        if let Some(number) = self.attributes.number(set) {
            self.put(format_args!(" #{number}"));
        }
    }

    pub(super) fn attribute_sets(&mut self) {
        let module = self.module;
        for (number, set) in std::mem::take(&mut self.attributes.order)
            .iter()
            .enumerate()
        {
            self.put(format_args!("attributes #{number} = {{ "));
            for attribute in of_slot(module, *set, AttributeGroup::FUNCTION) {
                write_attribute(&mut self.out, attribute, true);
                self.out.push(' ');
            }
            self.out.push_str("}\n");
        }
        self.out.push('\n');
    }
}

/// Writes a calling convention, with a space after it; nothing for C's.
pub(super) fn write_convention(out: &mut String, convention: u16) {
    match convention {
        0 => {}
        8 => out.push_str("fastcc "),
        9 => out.push_str("coldcc "),
        number => out.push_str(&format!("cc{number} ")),
    }
}
