//! What a debugger needs to know of code: the registers of each value, and where the variables of
//! the source are.
//!
//! A call of `llvm.dbg.value` says which value a variable has from there on, and one of
//! `llvm.dbg.declare` which memory it lies in. Both become moves to registers that only this
//! variable has, in the lanes that execute the call: a variable then has the value that was
//! assigned last, on whichever way a lane has come.

use dxil_frontend::dxil::debug::{DebugInfo, VariableUse};
use dxil_frontend::ir::{Constant, MdId, Type, ValueDef, ValueId};
use dxil_frontend::tables::HashMap;

use super::code::{RegisterSlot, VariablePart};
use super::function::Decoder;
use super::lane_ops::RegisterKind;
use super::scalar_type::ScalarType;

/// Maximum number of registers for the variables of a function: debug information may name a large
/// value again and again.
const MAX_REGISTERS: usize = 1 << 16;

/// Maximum number of parts that are compared with each other in a function.
const MAX_COMPARED: usize = 1 << 20;

/// What tells parts from each other: variable, inlined call, piece, whether it lies in memory, and
/// scalars.
type PartKey = (
    MdId,
    Option<MdId>,
    Option<(u32, u32)>,
    bool,
    Vec<ScalarType>,
);

impl Decoder<'_, '_> {
    /// Gives the variables of the function their registers.
    pub(super) fn add_variables(&mut self, debug: Option<DebugInfo<'_>>) {
        let Some(debug) = debug else {
            return;
        };
        let view = self.view;
        let mut known: HashMap<PartKey, usize> = HashMap::default();
        let mut registers = 0;
        for inst in view.function.insts.keys() {
            let Some(found) = debug.variable_use(view, inst) else {
                continue;
            };
            let location = view.function.debug_locs.get(inst).copied().flatten();
            let inlined_at = location.and_then(|location| location.inlined_at);
            let scalars = if self.is_undefined(found.value) {
                Vec::new()
            } else {
                match self.scalars_of_variable(&found) {
                    Some(scalars) => scalars,
                    None => continue,
                }
            };
            registers += scalars.len() + 1;
            if registers > MAX_REGISTERS {
                return;
            }
            let piece = found.expression.piece;
            let key = (found.variable, inlined_at, piece, found.is_memory, scalars);
            let number = match known.get(&key) {
                Some(&number) => number,
                None => {
                    let kinds: Vec<RegisterKind> = if found.is_memory {
                        vec![RegisterKind::W]
                    } else {
                        key.4.iter().map(|scalar| scalar.kind()).collect()
                    };
                    let slots = kinds.into_iter().map(|kind| self.new_slot(kind));
                    let slots: Vec<RegisterSlot> = slots.collect();
                    let assigned = self.new_slot(RegisterKind::W);
                    self.code.constants.push((assigned, 0));
                    self.variables.parts.push(VariablePart {
                        variable: found.variable,
                        inlined_at,
                        piece,
                        is_memory: found.is_memory,
                        scalars: key.4.clone().into(),
                        slots: slots.into(),
                        assigned,
                        values: Vec::new(),
                    });
                    let number = self.variables.parts.len() - 1;
                    known.insert(key, number);
                    let all = self
                        .variables
                        .by_variable
                        .entry((found.variable, inlined_at));
                    all.or_default().push(number);
                    number
                }
            };
            let mut index = None;
            if !self.is_undefined(found.value)
                && let Some(part) = self.variables.parts.get_mut(number)
            {
                part.values.push(found.value);
                index = Some(part.values.len() - 1);
            }
            self.variables.by_call.insert(inst, (number, index));
        }
    }

    fn is_undefined(&self, value: ValueId) -> bool {
        let value = self.view.value(value).map(|value| value.def);
        matches!(value, Some(ValueDef::Constant(Constant::Undef)))
    }

    /// Returns the scalars of a variable; none if it is nowhere.
    fn scalars_of_variable(&self, found: &VariableUse) -> Option<Vec<ScalarType>> {
        let ty = self.view.type_of(found.value)?;
        if found.is_memory {
            return match *self.layout.types().get(ty) {
                Type::Pointer {
                    pointee,
                    address_space: 0,
                } => Some(self.layout.scalars(pointee).unwrap_or_default()),
                _ => None,
            };
        }
        let scalars = self.layout.scalars(ty)?;
        (!scalars.is_empty()).then_some(scalars)
    }

    /// Follows what the current call assigns to a variable of the source, if it does so.
    pub(super) fn follow_variable(&mut self) {
        let Some(&(number, index)) = self.variables.by_call.get(&self.inst) else {
            return;
        };
        let part = self.variables.parts[number].clone();
        // A value that the code does not have leaves the variable without one.
        let value = index.and_then(|index| part.values.get(index).copied());
        let from = value.and_then(|value| self.all(value).ok());
        let zero = self.word(0);
        let mark = self.word(index.map_or(0, |index| index as u32 + 1));
        let inst = self.inst;
        let key = (part.variable, part.inlined_at);
        let others = self.variables.by_variable.get(&key);
        let others = others.map_or(&[][..], |others| others);
        self.variables.compared += others.len();
        if self.variables.compared > MAX_COMPARED {
            return;
        }
        let covered: Vec<RegisterSlot> = others
            .iter()
            .filter(|other| **other != number)
            .filter_map(|other| self.variables.parts.get(*other))
            .filter(|known| part.covers(known))
            .map(|known| known.assigned)
            .collect();
        for assigned in covered {
            self.push_move(assigned, zero, inst);
        }
        match from.filter(|from| from.len() == part.slots.len() && !from.is_empty()) {
            Some(from) => {
                for (&to, from) in part.slots.iter().zip(from) {
                    self.push_move(to, from, inst);
                }
                self.push_move(part.assigned, mark, inst);
            }
            None => self.push_move(part.assigned, zero, inst),
        }
    }
}
