//! Splits switches that have more cases than SPIR-V allows.

use dxil_frontend::tables::HashSet;

use super::graph::{Cfg, CfgNodeId, Exit, Node, Use};
use super::operand::Operand;

/// Maximum number of cases of an `OpSwitch` (SPIR-V specification, 2.17 "Universal Limits").
pub(crate) const MAX_CASES: usize = 16_383;

/// Makes each switch with more than [`MAX_CASES`] cases a chain of switches: the default of each is
/// the next one.
pub(super) fn split(cfg: &mut Cfg) {
    let count = cfg.nodes.len();
    for index in 0..count {
        let mut at = CfgNodeId(index as u32);
        while let Some(next) = split_once(cfg, at) {
            at = next;
        }
    }
    if cfg.nodes.len() > count {
        cfg.uses.sort_unstable_by_key(|used| (used.value, used.at));
        cfg.renumber();
    }
}

/// Moves the cases of a switch beyond the limit to a new node, which becomes its default.
fn split_once(cfg: &mut Cfg, from: CfgNodeId) -> Option<CfgNodeId> {
    let next = CfgNodeId(cfg.nodes.len() as u32);
    let node = &mut cfg.nodes[from.index()];
    let Exit::Switch {
        selector,
        default,
        cases,
    } = &mut node.exit
    else {
        return None;
    };
    if cases.len() <= MAX_CASES {
        return None;
    }
    let rest = Exit::Switch {
        selector: *selector,
        default: std::mem::replace(default, next),
        cases: cases.split_off(MAX_CASES),
    };
    let used = match *selector {
        Operand::Value(value) => Some(value),
        _ => None,
    };
    let added = Node {
        selection_hint: node.selection_hint,
        ..Node::routing(node.layout, rest)
    };
    cfg.nodes.push(added);
    cfg.connect();
    let kept: HashSet<CfgNodeId> = cfg.node(from).successors.iter().copied().collect();
    // The phis of the targets get the old node's operand for the new node too.
    for target in cfg.node(next).successors.clone() {
        for phi in &mut cfg.nodes[target.index()].phis {
            let Some(way) = phi.incoming.iter().position(|&(way, _)| way == from) else {
                continue;
            };
            let operand = phi.incoming[way].1;
            if !kept.contains(&target) {
                phi.incoming.remove(way);
            }
            phi.incoming.push((next, operand));
        }
    }
    if let Some(value) = used.filter(|&value| cfg.definition(value).is_some()) {
        cfg.uses.push(Use { value, at: next });
    }
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::CfgPhi;
    use crate::cfg::PhiResult;
    use dxil_frontend::ir::ValueId;

    #[test]
    fn no_switch_has_more_cases_than_spirv_allows() {
        let count = 2 * MAX_CASES as u32 + 5;
        let end = count + 1;
        let mut text = format!("b0: switch b{end}");
        for case in 1..=count {
            text.push_str(&format!(" b{case}"));
        }
        for case in 1..=count {
            text.push_str(&format!("; b{case}: b{end}"));
        }
        text.push_str(&format!("; b{end}: ret"));
        let mut cfg = Cfg::parse(&text).unwrap();
        let sources = cfg.nodes[end as usize].predecessors.clone();
        let incoming = sources
            .iter()
            .map(|&from| (from, Operand::Selector(from.0)));
        cfg.nodes[end as usize].phis.push(CfgPhi {
            result: PhiResult::Value(ValueId::from_u32(7)),
            incoming: incoming.collect(),
        });
        split(&mut cfg);
        let switches = cfg.nodes.iter().filter_map(|node| match &node.exit {
            Exit::Switch { cases, .. } => Some(cases.len()),
            _ => None,
        });
        assert_eq!(switches.collect::<Vec<_>>(), [MAX_CASES, MAX_CASES, 5]);
        let ends = |node: &&Node| node.exit == Exit::Return(None);
        let end = cfg.nodes.iter().find(ends).unwrap();
        // Only the last switch of the chain goes to the default.
        let mut sources: Vec<CfgNodeId> =
            end.phis[0].incoming.iter().map(|&(from, _)| from).collect();
        sources.sort_unstable();
        let mut expected = end.predecessors.to_vec();
        expected.sort_unstable();
        assert_eq!(sources, expected);
    }
}
