//! The graph of a body that is rewritten: predecessors, phis at removed edges, unreachable blocks.

use cranelift_entity::EntityRef;

use crate::ir::{BlockId, DraftFunction, Inst, ValueId};

/// Returns the predecessors of each block, once per edge.
pub(super) fn predecessors(draft: &DraftFunction) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); draft.blocks.len()];
    for block in 0..draft.blocks.len() {
        for successor in draft.successors(block) {
            if let Some(list) = found.get_mut(successor.index()) {
                list.push(block);
            }
        }
    }
    found
}

/// Removes `count` edges from a block to another one: so many entries in each phi there.
pub(super) fn remove_edges(draft: &mut DraftFunction, from: usize, to: usize, count: usize) {
    let lines = draft.blocks.get(to).map_or(0, Vec::len);
    for at in 0..lines {
        let line = draft.blocks.get(to).and_then(|lines| lines.get(at));
        let Some(Inst::Phi { incoming }) = line.map(|line| line.data.inst) else {
            // Phis come first.
            return;
        };
        let mut left = count;
        let edges = draft.function.edges_of(incoming).iter();
        let kept: Vec<(ValueId, BlockId)> = edges
            .filter(|(_, block)| {
                let goes = left > 0 && block.index() == from;
                left -= usize::from(goes);
                !goes
            })
            .copied()
            .collect();
        let incoming = draft.edges(&kept);
        let line = draft.blocks.get_mut(to).and_then(|lines| lines.get_mut(at));
        if let Some(line) = line {
            line.data.inst = Inst::Phi { incoming };
        }
    }
}

/// Removes blocks that no way from the entry leads to.
pub(super) fn remove_unreachable(draft: &mut DraftFunction) {
    let count = draft.blocks.len();
    let mut is_reached = vec![false; count];
    let mut stack = vec![0];
    while let Some(block) = stack.pop() {
        match is_reached.get_mut(block) {
            Some(slot) if !*slot => *slot = true,
            _ => continue,
        }
        let successors = draft.successors(block);
        stack.extend(successors.iter().map(|block| block.index()));
    }
    if is_reached.iter().all(|reached| *reached) {
        return;
    }
    for block in 0..count {
        if is_reached.get(block) == Some(&true) {
            continue;
        }
        for successor in draft.successors(block) {
            remove_edges(draft, block, successor.index(), 1);
        }
    }
    // The numbers of those that stay.
    let mut next = 0;
    let numbers: Vec<BlockId> = is_reached
        .iter()
        .map(|reached| {
            let number = BlockId::new(next);
            next += usize::from(*reached);
            number
        })
        .collect();
    let renumbered = |block: BlockId| numbers.get(block.index()).copied().unwrap_or(block);
    let mut reached = is_reached.iter();
    draft.blocks.retain(|_| reached.next() == Some(&true));
    for (_, block) in &mut draft.function.edge_pool {
        *block = renumbered(*block);
    }
    for line in draft.blocks.iter_mut().flatten() {
        match &mut line.data.inst {
            Inst::Br { target } => *target = renumbered(*target),
            Inst::CondBr {
                if_true, if_false, ..
            } => {
                *if_true = renumbered(*if_true);
                *if_false = renumbered(*if_false);
            }
            Inst::Switch { default, .. } => *default = renumbered(*default),
            _ => {}
        }
    }
    draft.function.block_names.clear();
}

/// Joins each block with its only successor, if it is that one's only predecessor.
pub(super) fn join(draft: &mut DraftFunction) {
    let predecessors = predecessors(draft);
    // The block that a block has become part of.
    let mut homes: Vec<usize> = (0..draft.blocks.len()).collect();
    for block in 0..draft.blocks.len() {
        let mut home = block;
        // Through joined blocks, each of which is passed once by its own successor.
        if let Some(known) = homes.get(block) {
            home = *known;
        }
        let last = draft.blocks.get(home).and_then(|lines| lines.last());
        let Some(Inst::Br { target }) = last.map(|line| line.data.inst) else {
            continue;
        };
        join_from(draft, &predecessors, &mut homes, home, target);
    }
}

/// Appends the chain of blocks that begins with `target` to a block.
fn join_from(
    draft: &mut DraftFunction,
    predecessors: &[Vec<usize>],
    homes: &mut [usize],
    home: usize,
    target: BlockId,
) {
    let mut next = target.index();
    loop {
        let is_single = predecessors.get(next).is_some_and(|list| list.len() == 1);
        // The entry has no predecessors, and a block that was joined has moved.
        if !is_single || next == home || homes.get(next) != Some(&next) {
            return;
        }
        let Some(lines) = draft.blocks.get_mut(next).map(std::mem::take) else {
            return;
        };
        let mut moved = Vec::with_capacity(lines.len());
        for line in lines {
            // A phi of one way is its value.
            if let Inst::Phi { incoming } = line.data.inst
                && let [(value, _)] = draft.function.edges_of(incoming)
                && let Some(result) = line.data.result.expand()
                && *value != result
            {
                let value = draft.resolved(*value);
                draft.replace(result, value);
                continue;
            }
            moved.push(line);
        }
        if let Some(slot) = homes.get_mut(next) {
            *slot = home;
        }
        let Some(lines) = draft.blocks.get_mut(home) else {
            return;
        };
        lines.pop();
        lines.append(&mut moved);
        let last = lines.last().map(|line| line.data.inst);
        // Phis after the chain name the block that it is part of now.
        for successor in draft.successors(home) {
            rename_predecessor(draft, successor.index(), next, home);
        }
        // What is left of it is not reached.
        match last {
            Some(Inst::Br { target }) => next = target.index(),
            _ => return,
        }
    }
}

/// Changes the block that an edge of the phis of a block comes from.
fn rename_predecessor(draft: &mut DraftFunction, block: usize, from: usize, to: usize) {
    let lines = draft.blocks.get(block).map_or(&[][..], Vec::as_slice);
    let lists: Vec<_> = lines
        .iter()
        .map_while(|line| match line.data.inst {
            Inst::Phi { incoming } => Some(incoming),
            _ => None,
        })
        .collect();
    for list in lists {
        let edges = draft.function.edge_pool.get_mut(list.range());
        for (_, block) in edges.into_iter().flatten() {
            if block.index() == from {
                *block = BlockId::new(to);
            }
        }
    }
}
