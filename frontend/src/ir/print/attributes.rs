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

fn write_attributes(out: &mut String, module: &Module, set: u32, with_strings: bool) {
    let groups = module
        .attributes(set)
        .filter(|group| group.slot == AttributeGroup::FUNCTION);
    for attribute in groups.flat_map(|group| &group.attributes) {
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
                    out.push_str(&format!("({value})"));
                }
                out.push(' ');
            }
            Attribute::String(key, value) if with_strings => {
                out.push_str(&format!("\"{}\"", escaped(key)));
                if let Some(value) = value {
                    out.push_str(&format!("=\"{}\"", escaped(value)));
                }
                out.push(' ');
            }
            Attribute::String(..) => {}
        }
    }
}

impl Printer<'_> {
    /// Writes the line before a function that spells its attributes out.
    pub(super) fn attributes_comment(&mut self, id: FuncId) {
        let set = self
            .module
            .functions
            .get(id)
            .map_or(0, |decl| decl.attributes);
        let mut text = String::new();
        write_attributes(&mut text, self.module, set, false);
        if !text.is_empty() {
            self.put(format_args!("; Function Attrs: {}\n", text.trim_end()));
        }
    }

    pub(super) fn attribute_sets(&mut self) {
        let module = self.module;
        for (number, set) in std::mem::take(&mut self.attributes.order)
            .iter()
            .enumerate()
        {
            self.put(format_args!("attributes #{number} = {{ "));
            write_attributes(&mut self.out, module, *set, true);
            self.out.push_str("}\n");
        }
        self.out.push('\n');
    }
}
