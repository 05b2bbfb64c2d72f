//! Checks of a body's control flow: phis against edges, and definitions against uses.
//!
//! * the entry has no predecessor;
//! * phis have one value per incoming edge; several edges from one block bring the same value;
//! * a definition dominates its uses. In unreachable blocks, where LLVM allows anything, it comes
//!   before them or lies in a reachable block, so that walks from use to definition end.

use std::cell::OnceCell;

use cranelift_entity::EntityRef;

use crate::bitcode::function::FarUse;
use crate::error::{Error, Result};
use crate::ir::dominance::{Dominators, Predecessors};
use crate::ir::{BlockId, Function, Inst, InstId, ValueDef, ValueId};

/// Checks phis against edges, and definitions against uses. `far_uses` are those of instructions
/// other than phis that need a look.
pub(super) fn check(function: &Function, far_uses: &[FarUse]) -> Result<()> {
    // Many shaders are one block: then the order of instructions decides, and no graph is needed.
    if function.blocks.len() == 1 && is_straight(function) {
        return check_uses(function, far_uses, &[], || None);
    }
    let predecessors = Predecessors::new(function);
    if let Some(entry) = function.blocks.keys().next()
        && !predecessors.of(entry).is_empty()
    {
        // LLVM language reference, "Functions": the entry block has no predecessors.
        return Err(Error::malformed("a branch leads back to the entry").in_block(entry));
    }
    check_phis(function, &predecessors)?;
    if function.blocks.len() == 1 {
        return check_uses(function, far_uses, &[], || None);
    }
    let mut block_of = Vec::with_capacity(function.insts.len());
    for (id, block) in &function.blocks {
        block_of.resize(block.end.index(), id);
    }
    // On demand: in many shaders values only flow from the entry and within blocks.
    let dominators = OnceCell::new();
    check_uses(function, far_uses, &block_of, || {
        Some(dominators.get_or_init(|| predecessors.dominators()))
    })
}

/// Returns whether the only block has neither successors nor phis: then there is no flow.
fn is_straight(function: &Function) -> bool {
    let first = function.insts.values().next();
    let has_phi = first.is_some_and(|first| matches!(first.inst, Inst::Phi { .. }));
    let mut leaves = false;
    for block in function.blocks.keys() {
        function.for_each_successor(block, |_| leaves = true);
    }
    !has_phi && !leaves
}

/// Checks that phis have one value per incoming edge.
fn check_phis(function: &Function, predecessors: &Predecessors) -> Result<()> {
    /// The edges from a predecessor that a phi has counted, and their value.
    #[derive(Clone, Copy)]
    struct Seen {
        phi: InstId,
        count: u32,
        value: ValueId,
    }
    let mut seen: Vec<Option<Seen>> = Vec::new();
    let mut edges: Vec<u32> = Vec::new();
    for (block, data) in &function.blocks {
        let mut edges_are_counted = false;
        for id in data.insts() {
            let Some(Inst::Phi { incoming }) = function.insts.get(id).map(|data| data.inst) else {
                break;
            };
            let error = |problem: &str| Error::malformed(problem).in_block(block).at_inst(id);
            let preds = predecessors.of(block);
            if !edges_are_counted {
                // Only blocks with phis pay for counting, and only their own counts are cleared
                // below: the cost is linear in the edges, not blocks times blocks.
                edges_are_counted = true;
                seen.resize(function.blocks.len(), None);
                edges.resize(function.blocks.len(), 0);
                for pred in preds {
                    if let Some(count) = edges.get_mut(*pred as usize) {
                        *count += 1;
                    }
                }
            }
            let incoming = function.edges_of(incoming);
            // A switch may reach a block by several cases: the phi then has one entry per edge, all
            // with the same value.
            if incoming.len() != preds.len() || incoming.is_empty() {
                return Err(error("a phi has not one value per incoming edge"));
            }
            for (value, from) in incoming {
                let limit = edges.get(from.index()).copied().unwrap_or(0);
                let Some(slot) = seen.get_mut(from.index()) else {
                    return Err(error("a phi names a block that does not exist"));
                };
                let count = match slot {
                    Some(seen) if seen.phi == id => {
                        if seen.value != *value {
                            return Err(error("a phi has two values for edges from one block"));
                        }
                        seen.count + 1
                    }
                    _ => 1,
                };
                if count > limit {
                    return Err(error("a phi has a value for an edge that does not exist"));
                }
                *slot = Some(Seen {
                    phi: id,
                    count,
                    value: *value,
                });
            }
        }
        if edges_are_counted {
            for pred in predecessors.of(block) {
                if let Some(count) = edges.get_mut(*pred as usize) {
                    *count = 0;
                }
            }
        }
    }
    Ok(())
}

/// Checks that definitions dominate their uses. `dominators` is called only if a value comes from
/// another block than the entry; it returns `None` for a function of one block.
fn check_uses<'d>(
    function: &Function,
    far_uses: &[FarUse],
    block_of: &[BlockId],
    dominators: impl Fn() -> Option<&'d Dominators>,
) -> Result<()> {
    let first_value = function.first_value as usize;
    // The instruction that defines a value, if one does.
    let definition = |value: ValueId| -> Option<InstId> {
        let index = value.index().checked_sub(first_value)?;
        match function.values.get(index)?.def {
            ValueDef::Inst(inst) => Some(inst),
            _ => None,
        }
    };
    // Whether `inst`'s result is there in `block` before instruction `at`.
    let reaches = |inst: InstId, block: BlockId, at: InstId| -> bool {
        let Some(from) = block_of.get(inst.index()).copied() else {
            return inst < at;
        };
        if from == block {
            return inst < at;
        }
        // The entry comes before everything.
        if from.index() == 0 {
            return true;
        }
        match dominators() {
            Some(dominators) if dominators.is_reachable(block.as_u32()) => {
                dominators.is_reachable(from.as_u32())
                    && dominators.dominates(from.as_u32(), block.as_u32())
            }
            // LLVM lets unreachable code use any definition. The stricter rule here excludes cycles
            // of definitions that would never end a walk over operands.
            Some(dominators) => dominators.is_reachable(from.as_u32()) || inst < at,
            None => false,
        }
    };
    let problem = |block: BlockId, at: InstId| {
        Error::malformed("a value is used where it is not defined")
            .in_block(block)
            .at_inst(at)
    };
    for (block, data) in &function.blocks {
        for id in data.insts() {
            let Some(Inst::Phi { incoming }) = function.insts.get(id).map(|data| data.inst) else {
                break;
            };
            for (value, from) in function.edges_of(incoming) {
                let Some(def) = definition(*value) else {
                    continue;
                };
                // LLVM language reference, "'phi' Instruction": the use is on the edge, so the
                // value must be there at the end of the predecessor.
                let end = function.blocks.get(*from).map_or(id, |block| block.end);
                if !reaches(def, *from, end)
                    && dominators().is_none_or(|d| d.is_reachable(from.as_u32()))
                {
                    return Err(problem(block, id));
                }
            }
        }
    }
    for used in far_uses {
        let block = block_of.get(used.at.index()).copied();
        let block = block.unwrap_or(BlockId::from_u32(0));
        if definition(used.value).is_some_and(|def| !reaches(def, block, used.at)) {
            return Err(problem(block, used.at));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::bitcode::bit_writer::rotate_sign;
    use crate::bitcode::decode_module;
    use crate::bitcode::verify::tests::{BINOP, BR, PHI, RET, error_of, module};
    use crate::bitcode::writer::{ModuleWriter, ty};

    #[test]
    fn a_value_is_not_used_before_its_definition() {
        // The operand of %5 is %6, with its type.
        let body: &[(u32, &[u64])] = &[
            (BINOP, &[0xffff_ffff, ty::I32, 4, 0]),
            (BINOP, &[5, 4, 0]),
            (RET, &[]),
        ];
        let error = error_of(&module(1, body));
        assert!(
            error.contains("a value is used where it is not defined"),
            "{error}"
        );
        // Nor by itself.
        let error = error_of(&module(1, &[(BINOP, &[0, ty::I32, 4, 0]), (RET, &[])]));
        assert!(
            error.contains("a value is used where it is not defined"),
            "{error}"
        );
    }

    #[test]
    fn a_definition_on_one_way_only_does_not_reach_the_join() {
        let writer = module(
            3,
            &[
                (BR, &[1, 2, 2]),
                (BINOP, &[4, 3, 0]),
                (BR, &[2]),
                (BINOP, &[1, 5, 0]),
                (RET, &[]),
            ],
        );
        let error = error_of(&writer);
        assert!(error.contains("b2"), "{error}");
        assert!(
            error.contains("a value is used where it is not defined"),
            "{error}"
        );
    }

    #[test]
    fn phis_have_one_value_per_edge() {
        let body = |phi: &'static [u64]| -> ModuleWriter {
            module(2, &[(BR, &[1]), (PHI, phi), (RET, &[])])
        };
        let right = &[ty::I32, 8, 0];
        assert!(decode_module(&body(right).finish(), 0).is_ok());
        for wrong in [&[ty::I32][..], &[ty::I32, 8, 0, 8, 0], &[ty::I32, 8, 1]] {
            let writer = module(2, &[(BR, &[1]), (PHI, wrong), (RET, &[])]);
            let error = error_of(&writer);
            assert!(error.contains("a phi has"), "{error}");
        }
    }

    #[test]
    fn several_edges_from_one_block_bring_one_value() {
        // Both ways of the branch lead to b1.
        let writer = |a: i64, b: i64| {
            let phi = [ty::I32, rotate_sign(a), 0, rotate_sign(b), 0];
            let mut writer = module(2, &[(BR, &[1, 1, 2])]);
            writer.body.push((PHI, phi.to_vec()));
            writer.body.push((RET, Vec::new()));
            writer
        };
        assert!(decode_module(&writer(4, 4).finish(), 0).is_ok());
        let error = error_of(&writer(4, 3));
        assert!(error.contains("two values"), "{error}");
    }

    #[test]
    fn nothing_leads_back_to_the_entry() {
        let error = error_of(&module(1, &[(BR, &[0])]));
        assert!(
            error.contains("a branch leads back to the entry"),
            "{error}"
        );
    }

    #[test]
    fn unreachable_code_may_use_what_comes_before_it() {
        let reachable_use = module(
            2,
            &[
                (BINOP, &[4, 3, 0]),
                (RET, &[]),
                (BINOP, &[1, 4, 0]),
                (RET, &[]),
            ],
        );
        assert!(decode_module(&reachable_use.finish(), 0).is_ok());
    }
}
