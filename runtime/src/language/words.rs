//! Reads SPIR-V words.

use rspirv::spirv::Op;

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
}
