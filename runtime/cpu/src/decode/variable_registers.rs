//! The registers of the variables of a function that is decoded, for who watches the code.

use dxil_frontend::ir::{Function, InstId, MdId, ValueId};
use dxil_frontend::tables::HashMap;

use super::code::{FunctionCode, RegisterSlot, VariablePart, WatchedCode};

/// The parts of variables while a function is decoded.
#[derive(Default)]
pub(super) struct VariableRegisters {
    pub(super) parts: Vec<VariablePart>,
    /// The part that a call assigns, and the index of the value; none is undefined.
    pub(super) by_call: HashMap<InstId, (usize, Option<usize>)>,
    /// The parts of each variable, by the place that its function was inlined at.
    pub(super) by_variable: HashMap<(MdId, Option<MdId>), Vec<usize>>,
    /// Parts that were compared so far.
    pub(super) compared: usize,
}

/// Returns what a debugger needs to know of decoded code.
pub(super) fn watched_code(
    body: &Function,
    code: &FunctionCode,
    (values, pool): (HashMap<ValueId, (u32, u32)>, Vec<RegisterSlot>),
    variables: VariableRegisters,
) -> WatchedCode {
    let mut starts = vec![false; code.insts.len()];
    for block in &code.blocks {
        let mut before = None;
        let span = block.first as usize..block.end as usize;
        let origins = code.origins.get(span.clone()).unwrap_or_default();
        let starts = starts.get_mut(span).unwrap_or_default();
        for (start, &origin) in starts.iter_mut().zip(origins) {
            // Assignments to variables are no code of the shader.
            *start = before != Some(origin) && !variables.by_call.contains_key(&origin);
            before = Some(origin);
        }
    }
    let terminators = body.blocks.values();
    WatchedCode {
        function: body.id,
        starts,
        terminators: terminators
            .map(|block| block.insts().next_back().unwrap_or(block.first))
            .collect(),
        values,
        pool,
        parts: variables.parts,
    }
}
