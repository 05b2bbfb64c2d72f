//! The code of a shader as text.

use dxil_frontend::container::Container;
use dxil_frontend::dxbc;
use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{decode, decode_opcode, op_arguments};
use dxil_frontend::ir::print::{Annotate, module_text};
use dxil_frontend::ir::{FuncView, InstId, ValueId};
use dxil_runtime::Error;

/// Returns DXIL as LLVM text, in which calls of operations have the names of their operands, or
/// the instructions of DXBC.
///
/// # Errors
///
/// The tokens of DXBC cannot be read.
pub(crate) fn text(shader: &Shader, bytes: &[u8]) -> Result<String, Error> {
    if let Ok(container) = Container::parse(bytes)
        && container.dxbc_part().is_some()
    {
        return Ok(dxbc::print::text(&dxbc::Program::of_container(&container)?));
    }
    Ok(module_text(&shader.module, &Operands(shader)))
}

/// Names operations and their operands.
struct Operands<'a>(&'a Shader);

impl Operands<'_> {
    fn arguments<'v>(&self, view: FuncView<'v>, inst: InstId) -> Option<&'v [ValueId]> {
        let data = view.function.insts.get(inst)?;
        op_arguments(view, &self.0.callees, &data.inst)
    }
}

impl Annotate for Operands<'_> {
    fn argument_name(&self, view: FuncView<'_>, call: InstId, index: usize) -> Option<&str> {
        let arguments = self.arguments(view, call)?;
        match index.checked_sub(1) {
            None => Some("opcode"),
            Some(index) => {
                let opcode = decode_opcode(view, arguments).ok()?;
                opcode.properties().argument_name(index)
            }
        }
    }

    fn comment(&self, view: FuncView<'_>, inst: InstId) -> Option<String> {
        let operation = decode(view, self.arguments(view, inst)?);
        Some(match operation {
            Ok(operation) => operation.opcode().name().to_owned(),
            Err(error) => error.to_string(),
        })
    }
}
