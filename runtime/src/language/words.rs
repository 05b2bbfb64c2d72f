//! Reads SPIR-V words.

use rspirv::spirv::{ExecutionModel, Op};

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

/// Returns whether an entry point is a geometry shader.
pub(super) fn has_geometry_stage(words: &[u32]) -> bool {
    let geometry = ExecutionModel::Geometry as u32;
    instructions(words).any(|(op, instruction)| {
        op == Op::EntryPoint as u32 && instruction.get(1) == Some(&geometry)
    })
}

/// Returns the maximum nesting depth of what naga makes of the constructs; it recurses for each
/// level.
pub(super) fn nesting(words: &[u32]) -> usize {
    let is = |op: u32, known: &[Op]| known.iter().any(|&known| known as u32 == op);
    let (mut merges, mut max) = (Vec::new(), 0);
    let mut has_merge = false;
    for (op, instruction) in instructions(words) {
        let is_merge = is(op, &[Op::SelectionMerge, Op::LoopMerge]);
        match *instruction {
            [_, merge, ..] if is_merge => merges.push(merge),
            // What follows a conditional branch out of a construct goes into its other arm.
            [..] if is(op, &[Op::BranchConditional]) && !has_merge => merges.push(0),
            [_, label] if is(op, &[Op::Label]) => {
                // A merge block follows all blocks of its construct.
                if let Some(depth) = merges.iter().rposition(|merge| *merge == label) {
                    merges.truncate(depth);
                }
            }
            _ if is(op, &[Op::FunctionEnd]) => merges.clear(),
            _ => {}
        }
        max = max.max(merges.len());
        has_merge = is_merge;
    }
    max
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
    fn what_follows_a_conditional_exit_is_a_level() {
        let (label, branch) = (Op::Label as u32, Op::BranchConditional as u32);
        let words = module(&[
            &[label, 1],
            &[Op::LoopMerge as u32, 9, 8, 0],
            &[branch, 5, 2, 9],
            &[label, 2],
            &[branch, 5, 3, 9],
            &[label, 3],
            &[branch, 5, 8, 9],
            &[label, 8],
            &[label, 9],
            &[Op::SelectionMerge as u32, 11, 0],
            &[branch, 5, 10, 11],
            &[label, 10],
            &[label, 11],
        ]);
        assert_eq!(nesting(&words), 3);
    }
}
