//! Calls through interfaces, written as calls of subroutines (D3D11.3 functional specification,
//! 7.19 and 22.7.19).
//!
//! A call names an interface slot and a call site. The slot's function table has a function body
//! for each call site, so that the call becomes
//!
//! ```text
//! call fb7                                      the table is known
//! switch TABLE; case 3: call fb7; break; ...    it is not
//! ```
//!
//! `TABLE` is an operand of file [`File::FunctionTable`], which no compiler writes into code: the
//! number of a slot's table, which [`Linked`] has or says where to read.

use super::declared_interfaces::DeclaredInterfaces;
use super::linkage::Linked;
use super::opcode::Opcode;
use super::reader::Program;
use super::tokens::{Components, File, Instruction, Operand};
use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::tables::{HashMap, HashSet};

/// Writes the calls through interfaces as calls of subroutines. `linked` is none for a program
/// without interfaces.
pub(super) fn expand(
    program: &mut Program,
    declared: &DeclaredInterfaces,
    linked: Option<&Linked>,
) -> Result<()> {
    if program
        .operands
        .iter()
        .any(|it| it.file == File::FunctionTable)
    {
        return Err(Error::malformed("an operand that is a function table"));
    }
    let is_call = |instruction: &Instruction| instruction.opcode == Opcode::InterfaceCall;
    if !program.instructions.iter().any(is_call) {
        return Ok(());
    }
    let old = std::mem::take(&mut program.instructions);
    // A table may be named by many interfaces, and an interface by many calls, so that code could
    // grow with the square of the tokens. Real shaders have few of both.
    let tokens = usize::try_from(program.bytes() / 4).unwrap_or(usize::MAX);
    let limit = limits::DXBC_BASE_STEPS.saturating_add(tokens);
    for instruction in old {
        let offset = instruction.offset;
        if is_call(&instruction) {
            let first = program.instructions.len();
            expand_call(program, declared, linked, &instruction)
                .map_err(|error| error.at_offset(u64::from(offset)))?;
            for new in program.instructions.iter_mut().skip(first) {
                new.offset = offset;
            }
        } else {
            program.instructions.push(instruction);
        }
        if program.instructions.len() > limit {
            return Err(Error::new(ErrorKind::Limit {
                what: "instructions with calls through interfaces written out",
                value: program.instructions.len() as u64,
                limit: limit as u64,
            }));
        }
    }
    Ok(())
}

fn expand_call(
    program: &mut Program,
    declared: &DeclaredInterfaces,
    linked: Option<&Linked>,
    call: &Instruction,
) -> Result<()> {
    let (operands, words) = (program.operands_of(call), program.words_of(call));
    let (Some(&interface), Some(&call_site)) = (operands.first(), words.first()) else {
        return Err(Error::malformed("fcall without an interface"));
    };
    let [first, index, _] = interface.indices;
    let slot = first.offset.wrapping_add(index.offset);
    let found = declared.at_slot(match index.relative {
        Some(_) => first.offset,
        None => slot,
    });
    let (Some(found), Some(linked)) = (found, linked) else {
        return Err(Error::malformed(format!(
            "fcall of interface slot {slot}, which is not declared"
        )));
    };
    let range = match index.relative {
        Some(_) => found.first_slot..found.first_slot + found.slots,
        None => slot..slot + 1,
    };
    let tables: Vec<u32> = match linked {
        Linked::Buffer { .. } => found.tables.clone(),
        Linked::Known { tables, .. } => {
            let range = range.start as usize..range.end as usize;
            let bound = tables.get(range).unwrap_or_default();
            if index.relative.is_none() && bound.iter().any(Option::is_none) {
                return Err(Error::malformed(format!(
                    "interface slot {slot} is called and has no class instance"
                )));
            }
            bound.iter().flatten().copied().collect()
        }
    };
    // Tables that have the same body share a case.
    let mut bodies: Vec<(u32, Vec<u32>)> = Vec::new();
    let (mut places, mut seen) = (HashMap::default(), HashSet::default());
    for table in tables {
        if !seen.insert(table) {
            continue;
        }
        let body = declared.body(table, call_site)?;
        let place = *places.entry(body).or_insert(bodies.len());
        match bodies.get_mut(place) {
            Some((_, cases)) => cases.push(table),
            None => bodies.push((body, vec![table])),
        }
    }
    let is_known = matches!(linked, Linked::Known { .. }) && index.relative.is_none();
    if let ([(body, _)], true) = (&bodies[..], is_known) {
        return push_call(program, *body);
    }
    let mut table = Operand::register(File::FunctionTable, &[slot]).with(Components::One);
    table.indices[0].relative = index.relative;
    program.push(Opcode::Switch, 0, &[table], &[])?;
    for (body, cases) in bodies {
        for case in cases {
            let label = Operand::immediate([case; 4]).with(Components::One);
            program.push(Opcode::Case, 0, &[label], &[])?;
        }
        push_call(program, body)?;
        program.push(Opcode::Break, 0, &[], &[])?;
    }
    program.push(Opcode::Endswitch, 0, &[], &[])
}

fn push_call(program: &mut Program, body: u32) -> Result<()> {
    let body = Operand::register(File::FunctionBody, &[body]).with(Components::None);
    program.push(Opcode::Call, 0, &[body], &[])
}
