//! Values of the module in a call, as LLVM numbers them.

use dxil_cpu::watch::{Moment, Scalar, ScalarType};
use dxil_frontend::ir::{Function, ValueId};

use crate::number::ScalarKind;
use crate::program::Program;
use crate::stack::StackFrame;
use crate::types::SourceType;
use crate::value::{Known, Leaf, Place, Value, to_source};
use crate::variables::{kind_of, scalars_of};

/// Returns the names that LLVM gives the results of a function: what the file names, or numbers.
fn names(body: &Function, program: &Program<'_>) -> Vec<(ValueId, String)> {
    let types = &program.shader.module.types;
    let name_of = |value: ValueId| {
        let found = body.value_names.binary_search_by_key(&value, |(v, _)| *v);
        found
            .ok()
            .and_then(|at| body.value_names.get(at))
            .map(|(_, name)| name.to_string())
    };
    let has_name = |block| body.block_names.iter().any(|(known, _)| *known == block);
    let mut all = Vec::new();
    // Arguments, blocks and results without a name share the numbers.
    let mut next = 0;
    let mut number = || {
        next += 1;
        (next - 1).to_string()
    };
    for argument in 0..body.arg_count {
        let value = ValueId::from_u32(body.first_value + argument);
        all.push((value, name_of(value).unwrap_or_else(&mut number)));
    }
    for block in body.blocks.keys() {
        if !has_name(block) {
            number();
        }
        for inst in body.block_insts(block) {
            let Some(data) = body.insts.get(inst) else {
                continue;
            };
            let Some(value) = data.result.expand() else {
                continue;
            };
            if matches!(types.get(data.ty), dxil_frontend::ir::Type::Void) {
                continue;
            }
            all.push((value, name_of(value).unwrap_or_else(&mut number)));
        }
    }
    all
}

fn read(
    program: &Program<'_>,
    moment: &Moment<'_>,
    (frame, lane): (&StackFrame, usize),
    value: ValueId,
) -> Option<Value> {
    let body = program.shader.module.body(frame.inst.0)?;
    let index = value.as_u32().checked_sub(body.first_value)?;
    let data = body.values.get(index as usize)?;
    let scalars = scalars_of(&program.shader.module.types, data.ty)?;
    let bits = moment.value(frame.call, value, lane)?;
    let first = *scalars.first()?;
    let kind = kind_of(first);
    let kind = if first == ScalarType::Pointer {
        ScalarKind::UINT
    } else {
        kind
    };
    let is_uniform = scalars.iter().all(|ty| *ty == first);
    let ty = if is_uniform {
        SourceType::vector(kind, scalars.len())
    } else {
        let mut at = 0;
        let members = scalars.iter().enumerate().map(|(index, ty)| {
            let ty = SourceType::scalar(kind_of(*ty));
            at += ty.bits;
            (index.to_string(), ty, at)
        });
        SourceType::structure("", members.collect::<Vec<_>>(), 0)
    };
    let leaf = |(&ty, bits): (&ScalarType, u64)| Leaf {
        known: Known::Bits(to_source(Scalar { ty, bits }, kind_of(ty))),
        place: Place::None,
    };
    Some(Value {
        ty,
        leaves: scalars.iter().zip(bits).map(leaf).collect(),
    })
}

/// Returns a value by its name, without `%`.
pub(crate) fn named(
    program: &Program<'_>,
    moment: &Moment<'_>,
    frame: &StackFrame,
    (name, lane): (&str, usize),
) -> Option<Value> {
    let body = program.shader.module.body(frame.inst.0)?;
    let mut names = names(body, program).into_iter();
    let (value, _) = names.find(|(_, known)| known == name)?;
    read(program, moment, (frame, lane), value)
}

/// Returns the values that were computed before the current instruction of a call, in the order of
/// the code: of its block up to there, and of the blocks before it in the code.
pub(crate) fn all(
    program: &Program<'_>,
    moment: &Moment<'_>,
    frame: &StackFrame,
    lane: usize,
) -> Vec<(String, Value)> {
    let Some(body) = program.shader.module.body(frame.inst.0) else {
        return Vec::new();
    };
    let before = |value: ValueId| match program.shader.view(body.id) {
        Some(view) => match view.value(value).map(|value| value.def) {
            Some(dxil_frontend::ir::ValueDef::Inst(inst)) => inst < frame.inst.1,
            _ => true,
        },
        None => false,
    };
    let names = names(body, program).into_iter();
    names
        .filter(|(value, _)| before(*value))
        .filter_map(|(value, name)| {
            let read = read(program, moment, (frame, lane), value)?;
            Some((format!("%{name}"), read))
        })
        .collect()
}
