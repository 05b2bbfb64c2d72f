//! The interfaces and function tables that a program declares.

use super::opcode::Opcode;
use super::reader::Program;
use crate::error::{Error, ErrorKind, Result};
use crate::tables::{HashMap, HashSet};

/// Number of interface slots of a shader (`D3D11_SHADER_MAX_INTERFACES`; D3D11.3 functional
/// specification, 22.3.51).
pub const MAX_INTERFACE_SLOTS: u32 = 253;

/// An interface, or an array of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DeclaredInterface {
    pub(super) first_slot: u32,
    pub(super) slots: u32,
    /// The function tables that may be bound.
    pub(super) tables: Vec<u32>,
}

impl DeclaredInterface {
    fn contains(&self, slot: u32) -> bool {
        let place = slot.checked_sub(self.first_slot);
        place.is_some_and(|place| place < self.slots)
    }
}

/// The interfaces and function tables that a program declares.
#[derive(Debug, Default)]
pub(super) struct DeclaredInterfaces {
    pub(super) list: Vec<DeclaredInterface>,
    /// The function bodies of each table, by call site.
    tables: HashMap<u32, Vec<u32>>,
}

impl DeclaredInterfaces {
    pub(super) fn of_program(program: &Program) -> Result<Self> {
        let mut declared = DeclaredInterfaces::default();
        for instruction in &program.instructions {
            let at = |error: Error| error.at_offset(u64::from(instruction.offset));
            match (instruction.opcode, program.words_of(instruction)) {
                // D3D11.3 functional specification, 22.3.50: the number, how many, the bodies.
                (Opcode::DclFunctionTable, [table, _, bodies @ ..]) => {
                    declared.tables.insert(*table, bodies.to_vec());
                }
                // 22.3.51: the slot, how many call sites, and the lengths of both lists.
                (Opcode::DclInterface, [first_slot, _, lengths, tables @ ..]) => {
                    let slots = lengths >> 16;
                    let end = first_slot.checked_add(slots);
                    if end.is_none_or(|end| end > MAX_INTERFACE_SLOTS) {
                        return Err(at(Error::new(ErrorKind::Limit {
                            what: "interface slots",
                            value: u64::from(*first_slot) + u64::from(slots),
                            limit: u64::from(MAX_INTERFACE_SLOTS),
                        })));
                    }
                    // Numbers take the lengths of arrays into account.
                    let mut known = declared.list.iter();
                    if known.any(|known| {
                        *first_slot < known.first_slot + known.slots
                            && known.first_slot < first_slot + slots
                    }) {
                        return Err(at(Error::malformed(format!(
                            "interface slot {first_slot} is declared twice"
                        ))));
                    }
                    if slots == 0 {
                        continue;
                    }
                    let mut seen = HashSet::default();
                    let tables = tables.iter().copied();
                    declared.list.push(DeclaredInterface {
                        first_slot: *first_slot,
                        slots,
                        tables: tables.filter(|&table| seen.insert(table)).collect(),
                    });
                }
                _ => {}
            }
        }
        Ok(declared)
    }

    /// Returns one past the last slot.
    pub(super) fn slots(&self) -> u32 {
        let ends = self.list.iter().map(|found| found.first_slot + found.slots);
        ends.max().unwrap_or(0)
    }

    pub(super) fn at_slot(&self, slot: u32) -> Option<&DeclaredInterface> {
        self.list.iter().find(|found| found.contains(slot))
    }

    /// Returns the function body of a table for a call site.
    pub(super) fn body(&self, table: u32, call_site: u32) -> Result<u32> {
        let bodies = self.tables.get(&table);
        let body = bodies.and_then(|bodies| bodies.get(call_site as usize));
        body.copied().ok_or_else(|| {
            Error::malformed(format!(
                "function table {table} has no call site {call_site}"
            ))
        })
    }
}
