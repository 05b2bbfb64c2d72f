//! Where lanes that part meet again: immediate post-dominators within one round of a loop.
//!
//! HLSL's work on the way out of a loop belongs to the lanes that leave in the same round: they do
//! not wait for lanes that stay in the loop. A back edge therefore counts as edges to the exits of
//! its loop.

use dxil_frontend::ir::dominance::immediate_post_dominators;

use super::Reach;

/// Returns the immediate post-dominator of each block; none where paths only meet at the function's
/// end, or where no path leads to it.
pub(crate) fn meeting_points(successors: &[Vec<u32>], reach: &Reach) -> Vec<Option<u32>> {
    immediate_post_dominators(single_rounds(successors, reach).as_slice())
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
