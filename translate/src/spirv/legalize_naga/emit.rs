//! Functions by which rules write instructions and query types and values.

use dxil_frontend::tables::{HashMap, HashSet};

use super::state::{Legalizer, LoopPhis, NumericType, Refusal};
use crate::spirv::reader::{ResultForm, instructions};
use crate::spirv::{Builder, GLOp, Id, Op};

impl<'a> Legalizer<'a> {
    /// Begins to rewrite a module.
    pub(super) fn new(b: &'a mut Builder) -> Self {
        Legalizer {
            b,
            types: HashMap::default(),
            numeric: HashMap::default(),
            structs: HashMap::default(),
            pointees: HashMap::default(),
            texels: HashMap::default(),
            constants: HashMap::default(),
            globals_seen: 0,
            int64: None,
            casts: None,
            parts: HashMap::default(),
            loop_phis: LoopPhis::default(),
            wide_selectors: HashSet::default(),
            image_atomics: false,
            texel_pointers: HashMap::default(),
            refused: None,
        }
    }

    /// Writes an instruction, rewritten if a rule asks for that.
    pub(super) fn emit(&mut self, op: Op, ty: Id, words: &[u32]) -> Id {
        match self.rewrite(op, ty, words) {
            Some(id) => id,
            None => self.append(op, ty, words),
        }
    }

    /// Writes an instruction as it is.
    pub(super) fn append(&mut self, op: Op, ty: Id, words: &[u32]) -> Id {
        let id = self.b.fresh();
        self.emit_as(op, ty, id, words);
        id
    }

    /// Emits an instruction with a result id that exists.
    pub(super) fn emit_as(&mut self, op: Op, ty: Id, id: Id, words: &[u32]) {
        let written = self.written(ty);
        self.b.emit_as(op, written, id, words);
        self.types.insert(id, ty);
    }

    /// Makes `result` what a rule computed: the last instruction gets that id, if it computes the
    /// value and was written after `start`; otherwise a copy does.
    pub(super) fn give_result(&mut self, start: usize, ty: Id, result: Id, value: Id) {
        if self.b.rename_last_result(start, value, result) {
            self.types.remove(&value);
            self.types.insert(result, ty);
            if let Some(parts) = self.parts.remove(&value) {
                self.parts.insert(result, parts);
            }
        } else {
            self.emit_as(Op::CopyObject, ty, result, &[value.0]);
        }
    }

    /// Returns the type that stands in the module for a type.
    pub(super) fn written(&self, ty: Id) -> Id {
        let int64 = self.int64.as_ref();
        let replaced = int64.and_then(|int64| int64.replaced.get(&ty).copied());
        replaced.unwrap_or(ty)
    }

    /// Remembers that no form of an instruction will do. The value stands in for its result.
    pub(super) fn refuse(&mut self, op: Op, ty: Id) -> Id {
        self.refused.get_or_insert(Refusal::Int64(op));
        let written = self.written(ty);
        self.b.undef(written)
    }

    /// Returns the numeric type with an id.
    pub(super) fn numeric(&mut self, ty: Id) -> Option<NumericType> {
        self.look_at_globals();
        // A type that is declared already is not declared again, but named by its own id.
        let known = self.numeric.get(&ty);
        let known = known.or_else(|| self.numeric.get(&self.written(ty)));
        known.copied()
    }

    /// Returns the type of a value.
    pub(super) fn type_of(&mut self, value: Id) -> Option<Id> {
        self.look_at_globals();
        self.types.get(&value).copied()
    }

    /// Returns the numeric type of a value.
    pub(super) fn numeric_of(&mut self, value: Id) -> Option<NumericType> {
        let ty = self.type_of(value)?;
        self.numeric(ty)
    }

    /// Takes note of types and constants that were declared since the last call.
    fn look_at_globals(&mut self) {
        let new = self.b.globals.get(self.globals_seen..).unwrap_or_default();
        for (op, words) in instructions(new) {
            match (ResultForm::of(op), words) {
                (ResultForm::Type, &[_, id, ref operands @ ..]) => {
                    let id = Id(id);
                    match (op, operands) {
                        (Op::TypeStruct, members) => {
                            let members = members.iter().map(|&member| Id(member));
                            self.structs.insert(id, members.collect());
                        }
                        (Op::TypePointer, &[_, pointee]) => {
                            self.pointees.insert(id, Id(pointee));
                        }
                        (Op::TypeImage, &[texel, ..]) => {
                            self.texels.insert(id, Id(texel));
                        }
                        _ => {}
                    }
                    if let Some(numeric) = numeric_type(op, operands, &self.numeric) {
                        self.numeric.insert(id, numeric);
                    }
                }
                (ResultForm::Value, &[_, ty, id, ref operands @ ..]) => {
                    // The type of an emulated constant is known already.
                    self.types.entry(Id(id)).or_insert(Id(ty));
                    let is_integer = |n: &NumericType| !n.is_float && n.bits == 64;
                    if let (Op::Constant, &[low, high]) = (op, operands)
                        && self.numeric.get(&Id(ty)).is_some_and(is_integer)
                    {
                        let value = u64::from(high) << 32 | u64::from(low);
                        self.constants.insert(Id(id), value);
                    }
                }
                _ => {}
            }
        }
        self.globals_seen = self.b.globals.len();
    }

    /// Returns an instruction of `GLSL.std.450`.
    pub(super) fn glsl(&mut self, op: GLOp, ty: Id, operands: &[Id]) -> Id {
        let mut words = vec![self.b.glsl_import().0, op as u32];
        words.extend(operands.iter().map(|operand| operand.0));
        self.emit(Op::ExtInst, ty, &words)
    }

    /// Takes a member.
    pub(super) fn extract(&mut self, ty: Id, composite: Id, index: u32) -> Id {
        self.append(Op::CompositeExtract, ty, &[composite.0, index])
    }

    /// Makes a composite.
    pub(super) fn construct(&mut self, ty: Id, parts: &[Id]) -> Id {
        let words: Vec<u32> = parts.iter().map(|part| part.0).collect();
        self.append(Op::CompositeConstruct, ty, &words)
    }

    /// Returns `condition ? if_true : if_false`.
    pub(super) fn select(&mut self, ty: Id, condition: Id, if_true: Id, if_false: Id) -> Id {
        self.emit(Op::Select, ty, &[condition.0, if_true.0, if_false.0])
    }
}

/// Returns the numeric type that an instruction declares; `known` are the types before it.
pub(super) fn numeric_type(
    op: Op,
    operands: &[u32],
    known: &HashMap<Id, NumericType>,
) -> Option<NumericType> {
    match (op, operands) {
        (Op::TypeInt, &[bits, sign]) => Some(NumericType {
            is_float: false,
            is_signed: sign != 0,
            bits,
            count: 1,
        }),
        (Op::TypeFloat, &[bits, ..]) => Some(NumericType {
            is_float: true,
            is_signed: true,
            bits,
            count: 1,
        }),
        (Op::TypeVector, &[scalar, count]) => {
            let scalar = *known.get(&Id(scalar))?;
            Some(NumericType { count, ..scalar })
        }
        _ => None,
    }
}
