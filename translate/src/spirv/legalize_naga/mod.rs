//! Legalizes a finished module for naga: a pass over its instructions.
//!
//! naga reads the SPIR-V of the portable style. Its IR lacks some instructions, and its SPIR-V
//! front end changes the meaning of others. Each rule rewrites one group of them; the module stays
//! valid and keeps its meaning. What the rules assume of naga holds for naga 30.0.
//!
//! * `signs`: naga takes the sign of an operation from the type of an operand, SPIR-V from the
//!   opcode. Operands are cast to signed types, and results back. naga writes `OpSRem` as `%`,
//!   which GLSL leaves undefined for negative numbers; a difference is written instead.
//! * `floats`: naga has no unordered comparisons, and reads `OpFOrdNotEqual` as an unordered one.
//!   They become negated ordered comparisons. `NMin`, `NMax` and `NClamp`, which naga lacks, become
//!   the functions without a rule for NaN, and a test of the bits.
//! * `selections`: naga selects vectors component by component, and no structs. The condition
//!   becomes a vector; members are selected one by one. Logical operations, which naga has for
//!   scalars alone, become selections.
//! * `shifts`: naga shifts by amounts of 32 bits alone, as WGSL does. Amounts are converted.
//! * `coordinates`: naga asks for the type of an arrayed image's coordinates without the layer.
//! * `int64`: some languages that naga writes have no 64-bit integers. They become vectors of two
//!   words.
//! * `image_atomics`: naga reads no atomics on images, but has them in its IR. They become stores
//!   with a texel of two components.
//! * `pseudo_casts`: in some languages naga casts no doubles and halves to their bits. Such casts
//!   become calls of functions with reserved names.
//!
//! [`Rules`] switches the last three on. An instruction that no rule can express is an error.

mod coordinates;
mod emit;
mod floats;
mod globals;
mod image_atomics;
mod int64;
mod int64_convert;
mod int64_division;
mod pseudo_casts;
mod selections;
mod shifts;
mod signs;
mod state;
#[cfg(test)]
mod tests;

use super::reader::{ResultForm, instructions};
use super::{Builder, Capability, Id, Op};
pub(crate) use state::Refusal;
use state::{Int64, Legalizer, PseudoCasts};

/// Which rules apply besides those that always do.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rules {
    /// 64-bit integers become vectors of two words.
    pub(crate) emulate_int64: bool,
    /// Casts between floats of 64 or 16 bits and their bits become calls.
    pub(crate) pseudo_casts: bool,
    /// Atomics on images become stores; without the rule they are refused.
    pub(crate) image_atomics: bool,
}

/// Rewrites a module whose last function has ended.
///
/// # Errors
///
/// An instruction that has no form that naga takes.
pub(crate) fn run(b: &mut Builder, rules: Rules) -> Result<(), Refusal> {
    let functions = b.take_functions();
    let has_int64 = b.capabilities().contains(&Capability::Int64);
    let mut legalizer = Legalizer::new(b);
    legalizer.image_atomics = rules.image_atomics;
    if rules.pseudo_casts {
        legalizer.pseudo_casts = Some(PseudoCasts::default());
    }
    if rules.emulate_int64 {
        legalizer.int64 = Some(Int64::default());
        if has_int64 {
            legalizer.rewrite_globals()?;
        }
    }
    legalizer.declare_coordinates();
    for (op, words) in instructions(&functions) {
        legalizer.instruction(op, words);
    }
    legalizer.write_division();
    legalizer.write_pseudo_casts();
    legalizer.remove_texel_pointer_types();
    legalizer.refused.map_or(Ok(()), Err)
}

impl Legalizer<'_> {
    /// Writes an instruction of a function, rewritten if a rule asks for that.
    fn instruction(&mut self, op: Op, words: &[u32]) {
        match (ResultForm::of(op), words) {
            (ResultForm::Value, &[_, ty, result, ref operands @ ..]) => {
                let (ty, result) = (Id(ty), Id(result));
                if op == Op::Function {
                    let &[control, function_type] = operands else {
                        return self.b.push_instruction(words);
                    };
                    let function_type = self.written(Id(function_type));
                    self.emit_as(op, ty, result, &[control, function_type.0]);
                    return;
                }
                if self.image_atomic(op, result, operands) {
                    return;
                }
                let start = self.b.position();
                match self.rewrite(op, ty, operands) {
                    None => self.emit_as(op, ty, result, operands),
                    Some(value) => self.give_result(start, ty, result, value),
                }
            }
            _ => self.b.push_instruction(words),
        }
    }

    /// Returns the instruction as naga takes it; none if that is how it stands.
    fn rewrite(&mut self, op: Op, ty: Id, words: &[u32]) -> Option<Id> {
        if let Some(id) = self.int64(op, ty, words) {
            return Some(id);
        }
        if let (Op::Bitcast, &[value]) = (op, words)
            && let Some(id) = self.pseudo_cast(ty, Id(value))
        {
            return Some(id);
        }
        if let Some(shift) = self.narrow_shift(op, words) {
            return Some(self.emit(op, ty, &shift));
        }
        self.signed(op, ty, words)
            .or_else(|| self.comparison(op, ty, words))
            .or_else(|| self.function_with_nan(op, ty, words))
            .or_else(|| self.selection(op, ty, words))
    }
}
