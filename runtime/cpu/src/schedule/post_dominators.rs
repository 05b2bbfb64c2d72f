//! Where lanes that part meet again: immediate post-dominators within one round of a loop, by the
//! iterative algorithm of Cooper, Harvey and Kennedy on the reversed graph.
//!
//! HLSL's work on the way out of a loop belongs to the lanes that leave in the same round: they do
//! not wait for lanes that stay in the loop. A back edge therefore counts as edges to the exits of
//! its loop.

use super::Reach;

/// Returns the immediate post-dominator of each block; none where paths only meet at the function's
/// end, or where no path leads to it.
pub(crate) fn meeting_points(successors: &[Vec<u32>], reach: &Reach) -> Vec<Option<u32>> {
    post_dominators(&single_rounds(successors, reach))
}

/// Returns the graph with the edges that close loops led to the exits of the loop.
fn single_rounds(successors: &[Vec<u32>], reach: &Reach) -> Vec<Vec<u32>> {
    let mut graph: Vec<Vec<u32>> = Vec::with_capacity(successors.len());
    for (block, targets) in (0..).zip(successors) {
        let mut row = Vec::with_capacity(targets.len());
        let mut seen = Vec::new();
        for &target in targets {
            if reach.closes(block, target) {
                add_exits(target, successors, reach, &mut row, &mut seen)
            } else {
                row.push(target)
            }
        }
        row.sort_unstable();
        row.dedup();
        graph.push(row);
    }
    graph
}

/// The blocks that a header's loop leads to; `seen` has the headers that are done.
fn add_exits(
    header: u32,
    successors: &[Vec<u32>],
    reach: &Reach,
    exits: &mut Vec<u32>,
    seen: &mut Vec<u32>,
) {
    if seen.contains(&header) {
        return;
    }
    seen.push(header);
    for (block, targets) in (0..).zip(successors) {
        if !reach.in_loop(header, block) {
            continue;
        }
        for &target in targets {
            if reach.in_loop(header, target) {
                continue;
            }
            // An exit may go around a loop outside of this one.
            if reach.closes(block, target) {
                add_exits(target, successors, reach, exits, seen)
            } else {
                exits.push(target)
            }
        }
    }
}

fn post_dominators(successors: &[Vec<u32>]) -> Vec<Option<u32>> {
    let count = successors.len();
    // The end of the function is one more block, behind those that go nowhere.
    let end = count;
    let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); count + 1];
    for (block, targets) in successors.iter().enumerate() {
        if targets.is_empty() {
            predecessors[end].push(block as u32);
        }
        for &target in targets {
            predecessors[target as usize].push(block as u32);
        }
    }
    // Postorder of the reversed graph from the end on.
    const UNSEEN: u32 = u32::MAX;
    let mut number = vec![UNSEEN; count + 1];
    let mut order: Vec<u32> = Vec::with_capacity(count + 1);
    let mut seen = vec![false; count + 1];
    let mut stack = vec![(end, 0_usize)];
    seen[end] = true;
    while let Some((block, next)) = stack.last_mut() {
        match predecessors[*block].get(*next) {
            Some(&before) => {
                *next += 1;
                let before = before as usize;
                if !seen[before] {
                    seen[before] = true;
                    stack.push((before, 0));
                }
            }
            None => {
                number[*block] = order.len() as u32;
                order.push(*block as u32);
                stack.pop();
            }
        }
    }
    let mut dominator = vec![UNSEEN; count + 1];
    dominator[end] = end as u32;
    let mut changed = true;
    // Each round fixes at least one more block of the longest path, so it ends.
    while changed {
        changed = false;
        for &block in order.iter().rev() {
            let block = block as usize;
            if block == end {
                continue;
            }
            let mut found = UNSEEN;
            let leaves = successors[block].is_empty().then_some(end as u32);
            for target in successors[block].iter().copied().chain(leaves) {
                if dominator[target as usize] == UNSEEN {
                    continue;
                }
                found = match found {
                    UNSEEN => target,
                    _ => common(&dominator, &number, found, target),
                };
            }
            if dominator[block] != found {
                dominator[block] = found;
                changed = true;
            }
        }
    }
    dominator[..count]
        .iter()
        .map(|&found| (found != UNSEEN && found != end as u32).then_some(found))
        .collect()
}

/// Returns the nearest block that both post-dominate.
fn common(dominator: &[u32], number: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while number[a as usize] < number[b as usize] {
            a = dominator[a as usize];
        }
        while number[b as usize] < number[a as usize] {
            b = dominator[b as usize];
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meeting_points(graph: &[Vec<u32>]) -> Vec<Option<u32>> {
        super::meeting_points(graph, &Reach::new(graph))
    }

    #[test]
    fn the_sides_of_a_diamond_meet_behind_it() {
        let graph = vec![vec![1, 2], vec![3], vec![3], vec![]];
        assert_eq!(meeting_points(&graph), [Some(3), Some(3), Some(3), None]);
    }

    #[test]
    fn lanes_that_leave_a_loop_meet_at_its_exit() {
        // 0 -> 1 (header) -> 2 | 4; 2 -> 3 | 4; 3 -> 1; 4 ends.
        let graph = vec![vec![1], vec![2, 4], vec![3, 4], vec![1], vec![]];
        assert_eq!(
            meeting_points(&graph),
            [Some(1), Some(4), Some(4), Some(4), None]
        );
    }

    #[test]
    fn several_ends_and_endless_loops_have_no_meeting_point() {
        let graph = vec![vec![1, 2], vec![], vec![2]];
        assert_eq!(meeting_points(&graph), [None, None, None]);
        let graph = vec![vec![1, 2], vec![], vec![]];
        assert_eq!(meeting_points(&graph), [None, None, None]);
    }

    #[test]
    fn nobody_waits_on_the_way_out_for_those_that_go_around() {
        // 0 (header) -> 1 | 2; 1 (work on the way out) -> 3 | 2; 2 -> 0; 3 ends.
        let graph = vec![vec![1, 2], vec![3, 2], vec![0], vec![]];
        assert_eq!(meeting_points(&graph), [Some(3), Some(3), Some(3), None]);
    }
}
