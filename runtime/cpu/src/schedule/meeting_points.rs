//! The points where diverged lanes reconverge: immediate post-dominators within one round of a
//! loop.
//!
//! HLSL's work on the way out of a loop belongs to the lanes that leave in the same round: they do
//! not wait for lanes that stay in the loop. A back edge therefore counts as edges to the exits of
//! its loop.

use dxil_frontend::ir::dominance::immediate_post_dominators;
use dxil_frontend::tables::HashMap;

use super::Reach;

/// Returns the immediate post-dominator of each block; none where paths only meet at the function's
/// end, or where no path leads to it.
pub(crate) fn meeting_points(successors: &[Vec<u32>], reach: &Reach) -> Vec<Option<u32>> {
    let rounds = SingleRounds::new(successors, reach);
    let dominators = immediate_post_dominators(rounds.rows.as_slice());
    let count = successors.len();
    let is_block = |node: &u32| (*node as usize) < count;
    let nearest = |mut node: Option<u32>| {
        // Ways out are not blocks: what comes after them is.
        while let Some(way_out) = node.filter(|node| !is_block(node)) {
            node = dominators.get(way_out as usize).copied().flatten();
        }
        node
    };
    dominators
        .iter()
        .take(count)
        .copied()
        .map(nearest)
        .collect()
}

/// The graph with the edges that close loops led to the exits of the loop, by way of a node for
/// each loop: its way out.
struct SingleRounds {
    /// Successors of the blocks, then of the ways out.
    rows: Vec<Vec<u32>>,
    /// Edges looked at.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "tests hold it to the size of the graph")
    )]
    steps: usize,
}

impl SingleRounds {
    fn new(successors: &[Vec<u32>], reach: &Reach) -> SingleRounds {
        let count = successors.len() as u32;
        let mut steps = 0;
        let mut rows: Vec<Vec<u32>> = Vec::with_capacity(successors.len());
        for (block, targets) in (0..).zip(successors) {
            steps += targets.len();
            let redirected = targets.iter().map(|&target| match reach.loop_of(target) {
                // The ways out follow the blocks, in the order of the loops.
                Some(number) if reach.closes(block, target) => count + number,
                _ => target,
            });
            rows.push(redirected.collect());
        }
        for &header in reach.headers() {
            let mut exits: Vec<u32> = Vec::new();
            let body = reach.body(header);
            for block in body.blocks() {
                for (&target, &to) in successors[block as usize].iter().zip(&rows[block as usize]) {
                    steps += 1;
                    // An exit may go around a loop outside of this one.
                    if !body.contains(target) {
                        exits.push(to);
                    }
                }
            }
            exits.sort_unstable();
            exits.dedup();
            rows.push(exits);
        }
        drop_infinite(&mut rows, count, &mut steps);
        SingleRounds { rows, steps }
    }
}

/// Removes the edges to ways out that lead nowhere: those of loops without exits.
fn drop_infinite(rows: &mut [Vec<u32>], count: u32, steps: &mut usize) {
    let mut sources: HashMap<u32, Vec<u32>> = HashMap::default();
    let mut leads_out = vec![false; rows.len() - count as usize];
    let mut open: Vec<u32> = Vec::new();
    for (way_out, row) in (count..).zip(&rows[count as usize..]) {
        *steps += row.len();
        if row.iter().any(|to| *to < count) {
            leads_out[(way_out - count) as usize] = true;
            open.push(way_out);
        }
        for &to in row.iter().filter(|to| **to >= count) {
            sources.entry(to).or_default().push(way_out);
        }
    }
    while let Some(way_out) = open.pop() {
        for &source in sources.get(&way_out).into_iter().flatten() {
            *steps += 1;
            if !std::mem::replace(&mut leads_out[(source - count) as usize], true) {
                open.push(source);
            }
        }
    }
    for row in rows {
        row.retain(|to| *to < count || leads_out[(*to - count) as usize]);
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
    fn several_ends_and_infinite_loops_have_no_meeting_point() {
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

    /// Returns the graph by definition: each edge that closes a loop becomes edges to all exits.
    fn by_definition(successors: &[Vec<u32>], reach: &Reach) -> Vec<Option<u32>> {
        fn exits(header: u32, graph: &[Vec<u32>], reach: &Reach, seen: &mut Vec<u32>) -> Vec<u32> {
            let mut all = Vec::new();
            if seen.contains(&header) {
                return all;
            }
            seen.push(header);
            for (block, targets) in (0..).zip(graph) {
                for &target in targets {
                    if !reach.in_loop(header, block) || reach.in_loop(header, target) {
                        continue;
                    }
                    if reach.closes(block, target) {
                        all.extend(exits(target, graph, reach, seen));
                    } else {
                        all.push(target);
                    }
                }
            }
            all
        }
        let mut rows: Vec<Vec<u32>> = Vec::new();
        for (block, targets) in (0..).zip(successors) {
            let mut row = Vec::new();
            let mut seen = Vec::new();
            for &target in targets {
                if reach.closes(block, target) {
                    row.extend(exits(target, successors, reach, &mut seen));
                } else {
                    row.push(target);
                }
            }
            rows.push(row);
        }
        immediate_post_dominators(rows.as_slice())
    }

    #[test]
    fn any_graph_has_the_meeting_points_of_the_definition() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut below = |limit: u64| random.u64(..limit);
        for _ in 0..4000 {
            let count = 1 + below(12);
            let graph: Vec<Vec<u32>> = (0..count)
                .map(|_| (0..below(4)).map(|_| below(count) as u32).collect())
                .collect();
            let reach = Reach::new(&graph);
            let expected = by_definition(&graph, &reach);
            assert_eq!(super::meeting_points(&graph, &reach), expected, "{graph:?}");
        }
    }

    fn steps(graph: &[Vec<u32>]) -> usize {
        SingleRounds::new(graph, &Reach::new(graph)).steps
    }

    #[test]
    fn many_loops_take_steps_in_proportion() {
        // Loops of two blocks, one after the other.
        let row = |n: u32| {
            let mut graph: Vec<Vec<u32>> = Vec::new();
            for k in 0..n {
                graph.push(vec![2 * k + 1, 2 * k + 2]);
                graph.push(vec![2 * k]);
            }
            graph.push(vec![]);
            graph
        };
        assert!(steps(&row(1000)) < 11 * steps(&row(100)));
        // One loop with many ways back.
        let fan = |n: u32| {
            let mut graph: Vec<Vec<u32>> = (0..n).map(|k| vec![0, k + 1]).collect();
            graph.push(vec![]);
            graph
        };
        assert!(steps(&fan(2000)) < 11 * steps(&fan(200)));
    }
}
