//! LLVM-like text of a module, for people.
//!
//! Values and blocks are numbered as LLVM numbers them, so the text can be laid beside that of
//! DXC's `-Fc`. The caller supplies the meaning of calls: see [`Annotate`].
//!
//! Types and constants can share parts, so their text could be much longer than the file: it is
//! cut off (`...`) where it gets longer than anyone would read.

mod attributes;
mod body;
mod constants;
mod insts;
mod metadata;
mod names;
mod numbers;
mod printer;
mod types;

use super::{FuncId, Function, Linkage, Module, Type, ValueId};
use names::LocalNames;
use printer::Printer;

pub(crate) use attributes::attribute_number;
pub(crate) use constants::{binary_name, cast_name, predicate_name};
pub use insts::{InstForm, write_inst};
pub(crate) use insts::{atomic_name, ordering_name};
pub use printer::{Annotate, Plain};

/// Returns the text of a whole module.
pub fn module_text(module: &Module, annotate: &dyn Annotate) -> String {
    let mut printer = Printer::new(module, annotate);
    printer.put(format_args!(
        "target datalayout = \"{}\"\ntarget triple = \"{}\"\n\n",
        names::escaped(&module.data_layout),
        names::escaped(&module.triple)
    ));
    printer.struct_definitions();
    printer.globals();
    // DXC puts the bodies first.
    for function in &module.bodies {
        printer.body(function);
        printer.out.push('\n');
    }
    for (id, decl) in &module.functions {
        if decl.body.is_none() {
            printer.declaration(id);
        }
    }
    printer.attribute_sets();
    printer.metadata();
    printer.out
}

/// Returns the text of one function: its body, or its declaration if it has none.
pub fn function_text(module: &Module, function: FuncId, annotate: &dyn Annotate) -> String {
    let mut printer = Printer::new(module, annotate);
    match module.body(function) {
        Some(body) => printer.body(body),
        None => printer.declaration(function),
    }
    printer.out
}

/// Returns the text of one type.
pub fn type_text(module: &Module, ty: super::TypeId) -> String {
    let mut out = String::new();
    types::write(&mut out, &module.types, ty);
    out
}

/// Returns the text of a constant of the module without its type.
pub fn constant_text(module: &Module, constant: ValueId) -> String {
    let mut out = String::new();
    let view = constants::ValueTables::of_module(module);
    constants::write(&mut out, view, constant, constants::SHORT);
    out
}

impl Printer<'_> {
    fn struct_definitions(&mut self) {
        let module = self.module;
        let mut any = false;
        for (id, ty) in &module.types.types {
            let Type::Struct {
                name: Some(_),
                opaque,
                ..
            } = ty
            else {
                continue;
            };
            any = true;
            types::write(&mut self.out, &module.types, id);
            self.out.push_str(" = type ");
            if *opaque {
                self.out.push_str("opaque");
            } else {
                types::write_struct_body(&mut self.out, &module.types, ty);
            }
            self.out.push('\n');
        }
        if any {
            self.out.push('\n');
        }
    }

    fn globals(&mut self) {
        let module = self.module;
        for global in module.globals.values() {
            names::write_name(&mut self.out, '@', &global.name);
            self.put(format_args!(" = {}", linkage(global.linkage)));
            // LLVM's assembler spells `external` out for declarations only.
            if global.initializer.is_none() && global.linkage == Linkage::External {
                self.out.push_str("external ");
            }
            if global.unnamed_addr {
                self.out.push_str("unnamed_addr ");
            }
            if global.address_space != 0 {
                self.put(format_args!("addrspace({}) ", global.address_space));
            }
            self.out.push_str(if global.is_constant {
                "constant "
            } else {
                "global "
            });
            types::write(&mut self.out, &module.types, global.ty);
            if let Some(initializer) = global.initializer {
                self.out.push(' ');
                let view = constants::ValueTables::of_module(module);
                constants::write(&mut self.out, view, initializer, constants::FULL);
            }
            if global.align != 0 {
                self.put(format_args!(", align {}", global.align));
            }
            self.out.push('\n');
        }
        if !module.globals.is_empty() {
            self.out.push('\n');
        }
    }

    fn declaration(&mut self, id: FuncId) {
        self.attributes_comment(id);
        self.out.push_str("declare ");
        self.header(id, None);
        self.out.push_str("\n\n");
    }

    /// Writes result, name and parameters; with names of the parameters if there is a body.
    fn header(&mut self, id: FuncId, slots: Option<&LocalNames<'_>>) {
        let module = self.module;
        let Some(decl) = module.functions.get(id) else {
            return;
        };
        let Type::Function {
            ret,
            params,
            vararg,
        } = module.types.get(decl.ty)
        else {
            return;
        };
        self.out.push_str(linkage(decl.linkage));
        attributes::write_convention(&mut self.out, decl.convention);
        self.result_attributes(decl.attributes);
        types::write(&mut self.out, &module.types, *ret);
        self.out.push(' ');
        names::write_name(&mut self.out, '@', &decl.name);
        self.out.push('(');
        for (index, param) in params.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            types::write(&mut self.out, &module.types, *param);
            self.parameter_attributes(decl.attributes, index);
            // LLVM 3.7 leaves the numbers of parameters without a name unwritten.
            if let Some(slots) = slots
                && slots.has_argument_name(index)
            {
                self.out.push(' ');
                slots.write_argument(&mut self.out, index);
            }
        }
        if *vararg {
            self.out
                .push_str(if params.is_empty() { "..." } else { ", ..." });
        }
        self.out.push(')');
        self.attributes_number(decl.attributes);
    }

    fn body(&mut self, function: &Function) {
        let slots = LocalNames::new(self.module, function);
        self.attributes_comment(function.id);
        self.out.push_str("define ");
        self.header(function.id, Some(&slots));
        self.out.push_str(" {\n");
        self.blocks(function, &slots);
        self.out.push_str("}\n");
    }
}

fn linkage(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::External => "",
        Linkage::Internal => "internal ",
        Linkage::Other(2) => "appending ",
        // Numbers with and without an implicit comdat mean the same linkage (LLVM 3.7,
        // `getDecodedLinkage`).
        Linkage::Other(1 | 10 | 16 | 17) => "weak ",
        Linkage::Other(4 | 11 | 18 | 19) => "linkonce ",
        Linkage::Other(7) => "extern_weak ",
        Linkage::Other(8) => "common ",
        Linkage::Other(12) => "available_externally ",
        Linkage::Other(_) => "unknown_linkage ",
    }
}
