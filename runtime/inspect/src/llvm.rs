//! The module as LLVM text, with calls of DXIL operations explained as in DXC's listings.

use dxil_frontend::tables::HashMap;

use dxil_frontend::dxil::ops::{Shown, decode, op_arguments};
use dxil_frontend::dxil::{ResourceIndex, Shader};
use dxil_frontend::ir::print::{Annotate, function_text, module_text};
use dxil_frontend::ir::{FuncId, FuncView, Function, InstId, ValueId};
use dxil_translate::describe_vendor_operation;

use crate::names::handle_names;

/// Explains the calls of a shader.
struct Meanings<'a> {
    shader: &'a Shader,
    handles: HashMap<FuncId, HashMap<ValueId, String>>,
}

/// Returns the text of the whole module, or of some functions.
pub(crate) fn text(shader: &Shader, chosen: Option<&[&Function]>) -> String {
    let module = &shader.module;
    let resources = ResourceIndex::new(&shader.resources);
    let handles = module.bodies.iter().map(|function| {
        let view = FuncView { module, function };
        (function.id, handle_names(shader, &resources, view))
    });
    let meanings = Meanings {
        shader,
        handles: handles.collect(),
    };
    match chosen {
        None => module_text(module, &meanings),
        Some(functions) => {
            let texts: Vec<String> = functions
                .iter()
                .map(|function| function_text(module, function.id, &meanings))
                .collect();
            texts.join("\n")
        }
    }
}

impl Meanings<'_> {
    /// Returns the arguments of a call of a DXIL operation.
    fn arguments<'v>(&self, view: FuncView<'v>, inst: InstId) -> Option<&'v [ValueId]> {
        let data = view.function.insts.get(inst)?;
        op_arguments(view, &self.shader.callees, &data.inst)
    }
}

impl Annotate for Meanings<'_> {
    fn comment(&self, view: FuncView<'_>, inst: InstId) -> Option<String> {
        let args = self.arguments(view, inst)?;
        let op = match decode(view, args) {
            Ok(op) => op,
            Err(error) => return Some(error.to_string()),
        };
        let operands = op.opcode().properties().operands;
        let names: Vec<&str> = operands.iter().map(|operand| operand.name).collect();
        let mut text = format!("{}({})", op.opcode().name(), names.join(","));
        if let Some(meaning) = describe_vendor_operation(self.shader, view, &op) {
            text.push_str(": ");
            text.push_str(&meaning);
        }
        let handles = self.handles.get(&view.function.id)?;
        op.show_operands(&mut |_, role, shown| {
            if role.is_handle()
                && let Shown::Value(id) = shown
                && let Some(name) = handles.get(&id)
            {
                // A computed index has another number in this text.
                let name = match name.split_once("[%") {
                    Some((array, _)) => format!("{array}[]"),
                    None => name.clone(),
                };
                text.push_str(&format!(" \"{}\"", name.escape_debug()));
            }
        });
        Some(text)
    }
}
