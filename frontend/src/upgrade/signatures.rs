//! Signatures as DXIL allows them: which elements have a place, where in a register, and what the
//! code uses of each.

use std::cmp::Reverse;

use crate::dxil::interpretation::{Direction, Interpretation, interpretation};
use crate::dxil::ops::{Op, SignatureOp, decode, op_arguments};
use crate::dxil::{EntryPoint, Shader, ShaderKind, SignatureElement};
use crate::error::{Error, Result};
use crate::ir::{FuncView, ValueId};

/// Components of a register.
const COLUMNS: u32 = 4;

/// Registers of a signature.
const ROWS: usize = 32;

/// Adapts the signatures of the entry points.
///
/// # Errors
///
/// If DXIL has no such element in that signature, or no order of a register's components.
pub(super) fn adapt(shader: &mut Shader) -> Result<()> {
    let used = Used::of(shader);
    for entry in &mut shader.entry_points {
        let kind = entry.kind;
        let EntryPoint {
            inputs,
            outputs,
            patch_constants,
            ..
        } = entry;
        for (elements, direction, used) in [
            (inputs, Direction::Input, &used.inputs),
            (outputs, Direction::Output, &used.outputs),
            (patch_constants, Direction::Third, &used.patch_constants),
        ] {
            check(elements, kind, direction)?;
            order(elements, kind, direction)?;
            for (element, mask) in elements.iter_mut().zip(used.iter().chain(&[0; ROWS * 4])) {
                element.usage_mask = Some(*mask);
            }
        }
    }
    Ok(())
}

fn kind_of(element: &SignatureElement, kind: ShaderKind, direction: Direction) -> Interpretation {
    interpretation(element.semantic, kind, direction, 0)
}

/// Refuses what a signature of DXIL does not have, and takes the registers of what has none. System
/// values get DXIL's names: DXBC spells them as the source does, and has other names for
/// tessellation factors.
fn check(elements: &mut [SignatureElement], kind: ShaderKind, direction: Direction) -> Result<()> {
    for element in elements {
        let how = kind_of(element, kind, direction);
        if !how.is_in_signature() {
            return Err(Error::unsupported(format!(
                "{} in a signature of a {} shader, which DXIL does not have",
                element.name,
                kind.prefix()
            )));
        }
        if let Some(name) = element.semantic.hlsl_name() {
            element.name = name.into();
        }
        if !how.is_packed() {
            element.start_row = None;
            element.start_column = 0;
        }
    }
    Ok(())
}

/// The order of components within a register: values of the user, system values, what the hardware
/// generates (DXIL document, "Signature packing").
fn rank(how: Interpretation) -> u8 {
    match how {
        Interpretation::Arbitrary => 0,
        Interpretation::Generated => 2,
        _ => 1,
    }
}

/// Brings the components of registers into DXIL's order, if they are not.
fn order(elements: &mut [SignatureElement], kind: ShaderKind, direction: Direction) -> Result<()> {
    let mut places: Vec<(u8, u32, usize)> = Vec::new();
    let mut last = [[None; ROWS]; 4];
    let mut sorted: Vec<usize> = (0..elements.len()).collect();
    sorted.sort_by_key(|index| elements.get(*index).map(|it| it.start_column));
    let mut is_ordered = true;
    for index in sorted {
        let Some(element) = elements.get(index) else {
            continue;
        };
        let Some(row) = element.start_row else {
            continue;
        };
        let rank = rank(kind_of(element, kind, direction));
        places.push((rank, element.start_column, index));
        let rows = row as usize..(row as usize).saturating_add(element.rows as usize);
        let stream = last.get_mut(element.stream as usize);
        let registers = stream.and_then(|stream| stream.get_mut(rows));
        for register in registers.into_iter().flatten() {
            is_ordered &= register.is_none_or(|left| left <= rank);
            *register = Some(rank);
        }
    }
    if is_ordered {
        return Ok(());
    }
    // From the right: what must lie there keeps its place if it can, and pushes nothing.
    places.sort_by_key(|&(rank, column, _)| Reverse((rank, column)));
    let mut free = [[COLUMNS; ROWS]; 4];
    let mut moved: Vec<(usize, u32)> = Vec::new();
    for &(_, _, index) in &places {
        let Some(element) = elements.get(index) else {
            continue;
        };
        let row = element.start_row.unwrap_or(0) as usize;
        let rows = row..row.saturating_add(element.rows as usize);
        let stream = free.get_mut(element.stream as usize);
        let Some(registers) = stream.and_then(|stream| stream.get_mut(rows)) else {
            return Err(Error::malformed("a signature element beyond all registers"));
        };
        let end = registers.iter().copied().min().unwrap_or(COLUMNS);
        let Some(column) = end.checked_sub(element.columns) else {
            return Err(Error::unsupported(format!(
                "{} at a place of its register that DXIL does not allow",
                element.name
            )));
        };
        registers.fill(column);
        moved.push((index, column));
    }
    for (index, column) in moved {
        if let Some(element) = elements.get_mut(index) {
            element.start_column = column;
        }
    }
    Ok(())
}

/// The components that code reads and writes: a mask for each element.
#[derive(Debug, Default)]
struct Used {
    inputs: Vec<u8>,
    outputs: Vec<u8>,
    patch_constants: Vec<u8>,
}

impl Used {
    fn of(shader: &Shader) -> Used {
        let mut used = Used::default();
        let module = &shader.module;
        for function in &module.bodies {
            let view = FuncView { module, function };
            for data in function.insts.values() {
                let args = op_arguments(view, &shader.callees, &data.inst);
                if let Some(args) = args {
                    used.note(view, args);
                }
            }
        }
        used
    }

    fn note(&mut self, view: FuncView<'_>, args: &[ValueId]) {
        // What cannot be decoded is no operation on signatures; the validator reports it.
        let Ok(Op::Signature(op)) = decode(view, args) else {
            return;
        };
        let (list, element, column) = match op {
            SignatureOp::LoadInput(call) => (&mut self.inputs, call.element, call.column),
            SignatureOp::EvalSnapped(call) => (&mut self.inputs, call.element, call.column),
            SignatureOp::EvalSampleIndex(call) => (&mut self.inputs, call.element, call.column),
            SignatureOp::EvalCentroid(call) => (&mut self.inputs, call.element, call.column),
            SignatureOp::StoreOutput(call) => (&mut self.outputs, call.element, call.column),
            SignatureOp::LoadPatchConstant(call) => {
                (&mut self.patch_constants, call.element, call.column)
            }
            SignatureOp::StorePatchConstant(call) => {
                (&mut self.patch_constants, call.element, call.column)
            }
            _ => return,
        };
        let element = element as usize;
        // Conversion takes elements from signatures, whose length has a limit.
        if list.len() <= element {
            list.resize(element + 1, 0);
        }
        if let Some(mask) = list.get_mut(element) {
            *mask |= 1u8.checked_shl(u32::from(column)).unwrap_or(0);
        }
    }
}
