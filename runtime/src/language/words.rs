//! Corrections to SPIR-V words before naga's front end reads them.

use rspirv::spirv::{BuiltIn, Decoration, Op};

/// Words of the header.
pub(super) const HEADER: usize = 5;

/// Returns the instructions of a module: opcode and words, its first one included.
pub(super) fn instructions(words: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    let mut rest = words.get(HEADER..).unwrap_or_default();
    std::iter::from_fn(move || {
        let first = *rest.first()?;
        let (instruction, after) = rest.split_at_checked((first >> 16).max(1) as usize)?;
        rest = after;
        Some((first & 0xffff, instruction))
    })
}

/// Returns the maximum nesting depth of constructs; naga recurses for each level.
pub(super) fn nesting(words: &[u32]) -> usize {
    let (mut merges, mut max) = (Vec::new(), 0);
    for (op, instruction) in instructions(words) {
        match (op, instruction) {
            (op, &[_, merge, ..])
                if op == Op::SelectionMerge as u32 || op == Op::LoopMerge as u32 =>
            {
                merges.push(merge);
                max = max.max(merges.len());
            }
            (op, &[_, label]) if op == Op::Label as u32 => {
                // A merge block follows all blocks of its construct.
                if let Some(depth) = merges.iter().rposition(|merge| *merge == label) {
                    merges.truncate(depth);
                }
            }
            (op, _) if op == Op::FunctionEnd as u32 => merges.clear(),
            _ => {}
        }
    }
    max
}

/// Returns a module in which sample masks are words, as in naga; they are arrays of words in SPIR-V
/// (patch 0011). Returns `None` if there is no sample mask.
pub(super) fn scalar_sample_masks(words: &[u32]) -> Option<Vec<u32>> {
    let is_mask = |instruction: &[u32]| match *instruction {
        [_, _, decoration, built_in] => {
            decoration == Decoration::BuiltIn as u32 && built_in == BuiltIn::SampleMask as u32
        }
        _ => false,
    };
    let masks: Vec<u32> = instructions(words)
        .filter(|(op, instruction)| *op == Op::Decorate as u32 && is_mask(instruction))
        .filter_map(|(_, instruction)| instruction.get(1).copied())
        .collect();
    if masks.is_empty() {
        return None;
    }
    // Access chains to the word of a mask: result, its type, and the variable.
    let words_of_masks: Vec<[u32; 3]> = instructions(words)
        .filter_map(|(op, instruction)| match *instruction {
            [_, ty, result, base, _] if op == Op::AccessChain as u32 && masks.contains(&base) => {
                Some([result, ty, base])
            }
            _ => None,
        })
        .collect();
    let variable_of = |pointer: u32| {
        let mut all = words_of_masks.iter();
        all.find(|[result, ..]| *result == pointer)
            .map_or(pointer, |[.., variable]| *variable)
    };
    let mut changed = words.get(..HEADER)?.to_vec();
    // The pointer's type may be declared after the variable, so the variables move behind all
    // types.
    let mut variables = Vec::new();
    for (op, instruction) in instructions(words) {
        if op == Op::Function as u32 {
            changed.append(&mut variables);
        }
        match *instruction {
            [_, _, result, base, _] if op == Op::AccessChain as u32 && masks.contains(&base) => {
                debug_assert_ne!(variable_of(result), result, "every chain was found");
            }
            [first, ty, result, class] if op == Op::Variable as u32 && masks.contains(&result) => {
                let mut all = words_of_masks.iter();
                let word = all.find(|[.., variable]| *variable == result);
                variables.extend([first, word.map_or(ty, |[_, ty, _]| *ty), result, class]);
            }
            [first, ty, result, pointer, ref rest @ ..] if op == Op::Load as u32 => {
                changed.extend([first, ty, result, variable_of(pointer)]);
                changed.extend_from_slice(rest);
            }
            [first, pointer, ref rest @ ..] if op == Op::Store as u32 => {
                changed.extend([first, variable_of(pointer)]);
                changed.extend_from_slice(rest);
            }
            _ => changed.extend_from_slice(instruction),
        }
    }
    Some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(instructions: &[&[u32]]) -> Vec<u32> {
        let mut words = vec![0; HEADER];
        for instruction in instructions {
            words.push((instruction.len() as u32) << 16 | instruction[0]);
            words.extend_from_slice(&instruction[1..]);
        }
        words
    }

    #[test]
    fn constructs_count_until_their_merge_block() {
        let (label, merge) = (Op::Label as u32, Op::SelectionMerge as u32);
        let words = module(&[
            &[label, 1],
            &[merge, 9, 0],
            &[label, 2],
            &[merge, 8, 0],
            &[label, 8],
            &[merge, 7, 0],
            &[label, 7],
            &[label, 9],
        ]);
        assert_eq!(nesting(&words), 2);
    }

    #[test]
    fn a_sample_mask_becomes_a_word() {
        let (pointer_to_array, pointer_to_word) = (10, 11);
        let words = module(&[
            &[
                Op::Decorate as u32,
                5,
                Decoration::BuiltIn as u32,
                BuiltIn::SampleMask as u32,
            ],
            &[Op::Variable as u32, pointer_to_array, 5, 3],
            &[Op::TypePointer as u32, pointer_to_word, 3, 22],
            &[Op::Function as u32, 1, 7, 0, 8],
            &[Op::AccessChain as u32, pointer_to_word, 6, 5, 20],
            &[Op::Store as u32, 6, 21],
        ]);
        let wanted = module(&[
            &[
                Op::Decorate as u32,
                5,
                Decoration::BuiltIn as u32,
                BuiltIn::SampleMask as u32,
            ],
            &[Op::TypePointer as u32, pointer_to_word, 3, 22],
            &[Op::Variable as u32, pointer_to_word, 5, 3],
            &[Op::Function as u32, 1, 7, 0, 8],
            &[Op::Store as u32, 5, 21],
        ]);
        assert_eq!(scalar_sample_masks(&words), Some(wanted));
        assert_eq!(scalar_sample_masks(&module(&[])), None);
    }
}
