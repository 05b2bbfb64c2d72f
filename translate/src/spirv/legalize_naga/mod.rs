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
//!   the functions without a rule for NaN, and a test of the bits; so do `OpIsNan` and `OpIsInf`,
//!   which WGSL has no form of.
//! * `selections`: naga selects vectors component by component, and no structs. The condition
//!   becomes a vector; members are selected one by one. Logical operations, which naga has for
//!   scalars alone, become selections.
//! * `shifts`: naga shifts by amounts of 32 bits alone, as WGSL does. Amounts are converted.
//! * `coordinates`: naga asks for the type of an arrayed image's coordinates without the layer.
//! * `decorations`: naga refuses buffers that are only written (`NonReadable`), and `Restrict`.
//! * `element_functions`: naga has a variable for each element of an array of descriptors.
//!   Operations on an element that is chosen at run time are switches; equal ones share a function.
//! * `loop_phis`: naga stores the values of a back edge in the continue block, which some languages
//!   have before the body. These values pass through a phi of that block.
//! * `switches`: naga switches on 32 bits alone. A switch on 64 bits becomes one on the number of
//!   the case.
//! * `products`: naga has no products of 64 bits. They become products of 16 by 16 bits.
//! * `bit_casts`: naga casts bits only between types with as many components. Words are shifted
//!   into 64 bits and out of them. Where a language has casts of doubles and halves that naga
//!   lacks, each cast becomes a function by itself.
//! * `int64`: some languages that naga writes have no 64-bit integers. They become vectors of two
//!   words.
//! * `image_atomics`: naga reads no atomics on images, but has them in its IR. They become stores
//!   with a texel of two components.
//!
//! [`Rules`] says which rules depend on the language. An instruction that no rule can express is an
//! error.
//!
//! Decisions that precede code, such as the types of variables, are in
//! [`consumer`](crate::consumer) instead.

mod bit_casts;
mod coordinates;
mod decorations;
mod element_functions;
mod emit;
mod floats;
mod globals;
mod image_atomics;
mod int64;
mod int64_convert;
mod int64_division;
mod loop_phis;
mod products;
mod selections;
mod shifts;
mod signs;
mod state;
mod switches;
#[cfg(test)]
mod tests;

use super::reader::{ResultForm, instructions};
use super::{Builder, Capability, Id, Op};
pub(crate) use state::Refusal;
use state::{CastFunctions, Int64, Legalizer};

/// The optional rules.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rules {
    /// 64-bit integers become vectors of two words.
    pub(crate) emulate_int64: bool,
    /// Casts between floats of 64 or 16 bits and their bits are functions by themselves.
    pub(crate) casts_in_functions: bool,
    /// Atomics on images become stores; without the rule they are refused.
    pub(crate) image_atomics: bool,
}

/// Rewrites a module whose last function has ended. Once the functions have more than `max_words`
/// words, it stops, and the module is not complete.
///
/// # Errors
///
/// An instruction that has no form that naga takes.
pub(crate) fn run(b: &mut Builder, rules: Rules, max_words: usize) -> Result<(), Refusal> {
    let functions = b.take_functions();
    let functions = element_functions::share(b, functions);
    let has_int64 = b.capabilities().contains(&Capability::Int64);
    let mut legalizer = Legalizer::new(b);
    legalizer.image_atomics = rules.image_atomics;
    if rules.casts_in_functions {
        legalizer.casts = Some(CastFunctions::default());
    }
    if rules.emulate_int64 {
        legalizer.int64 = Some(Int64::default());
        if has_int64 {
            legalizer.rewrite_globals()?;
        }
    }
    legalizer.declare_coordinates();
    legalizer.remove_hints();
    legalizer.find_wide_selectors(&functions);
    legalizer.find_loop_phis(&functions);
    let mut all = instructions(&functions).peekable();
    while let Some((op, words)) = all.next() {
        if op == Op::SelectionMerge
            && let Some(&(Op::Switch, switch)) = all.peek()
            && legalizer.wide_switch(words, switch)
        {
            all.next();
            continue;
        }
        legalizer.instruction(op, words);
        if legalizer.b.position() > max_words {
            break;
        }
    }
    legalizer.write_division();
    legalizer.write_casts();
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
                if op == Op::Phi
                    && let Some(operands) = self.use_loop_phis(result, operands)
                {
                    self.emit_as(op, ty, result, &operands);
                    return;
                }
                let start = self.b.position();
                match self.rewrite(op, ty, operands) {
                    None => self.emit_as(op, ty, result, operands),
                    Some(value) => self.give_result(start, ty, result, value),
                }
            }
            _ => {
                self.b.push_instruction(words);
                if let (Op::Label, &[_, label]) = (op, words) {
                    self.write_loop_phis(Id(label));
                }
            }
        }
    }

    /// Returns the instruction as naga takes it; none if that is how it stands.
    fn rewrite(&mut self, op: Op, ty: Id, words: &[u32]) -> Option<Id> {
        if let Some(id) = self.int64(op, ty, words) {
            return Some(id);
        }
        if let (Op::Bitcast, &[value]) = (op, words)
            && let Some(id) = self.bit_cast(ty, Id(value))
        {
            return Some(id);
        }
        if let (Op::CompositeExtract, &[whole, index]) = (op, words)
            && let Some(parts) = self.parts.get(&Id(whole))
        {
            return parts.get(index as usize).copied();
        }
        if let Some(shift) = self.narrow_shift(op, words) {
            return Some(self.emit(op, ty, &shift));
        }
        self.signed(op, ty, words)
            .or_else(|| self.comparison(op, ty, words))
            .or_else(|| self.function_with_nan(op, ty, words))
            .or_else(|| self.test_of_class(op, ty, words))
            .or_else(|| self.product(op, ty, words))
            .or_else(|| self.selection(op, ty, words))
    }
}
