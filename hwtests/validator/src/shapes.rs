//! Control flow that is valid SPIR-V and that a common driver compiles wrongly.
//!
//! Mesa's SPIR-V reader (`vtn_structured_cfg.c`, 23.2 to 26.1 at least; RADV, ANV, NVK and lavapipe
//! share it) turns each case of a switch that is left early into a loop with one iteration. A
//! `continue` sets a variable and leaves the innermost of these loops; only the loop directly
//! around it tests the variable. So a `continue` out of two switches first executes the code
//! between their merge blocks.
//!
//! The check reads words in order: in every module of our translator, the blocks of a construct are
//! between its header and its merge block.

const OP_FUNCTION: u32 = 54;
const OP_LOOP_MERGE: u32 = 246;
const OP_SELECTION_MERGE: u32 = 247;
const OP_LABEL: u32 = 248;
const OP_BRANCH: u32 = 249;
const OP_BRANCH_CONDITIONAL: u32 = 250;
const OP_SWITCH: u32 = 251;

/// An open construct.
enum Construct {
    Loop { merge: u32, continue_target: u32 },
    Switch { merge: u32 },
}

impl Construct {
    fn merge(&self) -> u32 {
        match *self {
            Construct::Loop { merge, .. } | Construct::Switch { merge } => merge,
        }
    }
}

/// Returns a description of the first such construct in a module.
pub(super) fn find(words: &[u32]) -> Option<String> {
    let mut open: Vec<Construct> = Vec::new();
    let mut block = 0;
    let mut selection_merge = None;
    let mut rest = words.get(5..).unwrap_or_default();
    while let &[header, ..] = rest {
        let (opcode, count) = (header & 0xffff, (header >> 16) as usize);
        let operands = rest.get(1..count)?;
        rest = rest.get(count..)?;
        let targets = match (opcode, operands) {
            (OP_FUNCTION, _) => {
                open.clear();
                continue;
            }
            (OP_LABEL, &[label]) => {
                block = label;
                selection_merge = None;
                if let Some(index) = open.iter().position(|construct| construct.merge() == label) {
                    open.truncate(index);
                }
                continue;
            }
            (OP_LOOP_MERGE, &[merge, continue_target, ..]) => {
                open.push(Construct::Loop {
                    merge,
                    continue_target,
                });
                continue;
            }
            (OP_SELECTION_MERGE, &[merge, ..]) => {
                selection_merge = Some(merge);
                continue;
            }
            (OP_BRANCH, targets) => targets,
            (OP_BRANCH_CONDITIONAL, &[_, ref targets @ ..]) => targets.get(..2)?,
            (OP_SWITCH, _) => {
                // Its targets are its cases or its merge block.
                open.extend(selection_merge.map(|merge| Construct::Switch { merge }));
                continue;
            }
            _ => continue,
        };
        let mut switches = 0;
        for construct in open.iter().rev() {
            match *construct {
                Construct::Switch { .. } => switches += 1,
                Construct::Loop {
                    continue_target, ..
                } => {
                    if switches > 1 && targets.contains(&continue_target) {
                        return Some(format!(
                            "block {block} continues at {continue_target} out of {switches} switches, which Mesa gets wrong"
                        ));
                    }
                    break;
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a loop with `switches` nested switches; the innermost case continues the loop.
    fn module(switches: u32) -> Vec<u32> {
        let mut words = vec![0x0723_0203, 0x0001_0300, 0, 100, 0];
        let mut push = |opcode: u32, operands: &[u32]| {
            words.push((operands.len() as u32 + 1) << 16 | opcode);
            words.extend_from_slice(operands);
        };
        push(OP_FUNCTION, &[1, 2, 0, 3]);
        push(OP_LABEL, &[10]);
        push(OP_LOOP_MERGE, &[12, 11, 0]);
        push(OP_BRANCH, &[20]);
        for index in 0..switches {
            push(OP_LABEL, &[20 + index]);
            push(OP_SELECTION_MERGE, &[40 + index, 0]);
            push(OP_SWITCH, &[5, 40 + index, 1, 21 + index]);
        }
        push(OP_LABEL, &[20 + switches]);
        push(OP_BRANCH_CONDITIONAL, &[6, 11, 12]);
        for index in (0..switches).rev() {
            push(OP_LABEL, &[40 + index]);
            push(OP_BRANCH, &[if index == 0 { 11 } else { 39 + index }]);
        }
        push(OP_LABEL, &[11]);
        push(OP_BRANCH, &[10]);
        push(OP_LABEL, &[12]);
        push(253, &[]);
        push(56, &[]);
        words
    }

    #[test]
    fn a_continue_out_of_two_switches_is_found() {
        assert_eq!(find(&module(0)), None);
        assert_eq!(find(&module(1)), None);
        let found = find(&module(2)).unwrap();
        assert!(
            found.contains("block 22 continues at 11 out of 2 switches"),
            "{found}"
        );
    }
}
