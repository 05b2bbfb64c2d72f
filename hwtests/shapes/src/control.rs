//! Control-flow graphs as functions.

use dxil_translate::cfg::{CfgNodeId, Exit};
use dxil_translate::oracle::families::{GraphFamily, graph_of};

use crate::code::Frame;
use crate::constants::{Value, ty};
use crate::module::Module;

/// Returns a function whose blocks are the nodes of a graph after an entry block. Each block has a
/// phi for the sums of its predecessors, adds its number, and stores the sum.
pub(crate) fn graph(family: GraphFamily, n: u32) -> Vec<u8> {
    let cfg = graph_of(family, n).cfg;
    let blocks = cfg.nodes.len() as u32;
    let cases = cfg.nodes.iter().map(|node| match &node.exit {
        Exit::Switch { cases, .. } => cases.len() as u32,
        _ => 0,
    });
    let numbers = cases.max().unwrap_or(0).max(blocks) + 1;
    let frame = Frame::new(Module::new());
    let mut code = frame.code(numbers);
    code.body.jump(1);
    // A phi has an operand for each edge, also where several edges have the same ends.
    let mut edges: Vec<Vec<u32>> = vec![Vec::new(); cfg.nodes.len()];
    edges[0].push(u32::MAX);
    for id in cfg.ids() {
        for to in targets(&cfg.node(id).exit) {
            edges[to.index()].push(id.0);
        }
    }
    // Every block has the same number of values, so that a block's sum has a known number.
    let first = code.body.next_value().0;
    let values = |exit: &Exit| 2 + u32::from(matches!(exit, Exit::Branch { .. }));
    let mut sums = Vec::with_capacity(cfg.nodes.len());
    let mut next = first;
    for node in &cfg.nodes {
        sums.push(Value(next + 1));
        next += values(&node.exit);
    }
    for id in cfg.ids() {
        let incoming = edges[id.index()].iter().map(|&from| match from {
            u32::MAX => (code.thread, 0),
            from => (sums[from as usize], from + 1),
        });
        let incoming = incoming.collect();
        let merged = code.body.phi(ty::I32, incoming);
        let number = code.number(id.0);
        let sum = code.add(merged, number);
        code.store(merged, sum);
        match &cfg.node(id).exit {
            Exit::Jump(to) => code.body.jump(to.0 + 1),
            Exit::Branch {
                if_true, if_false, ..
            } => {
                let condition = code.body.equal(sum, merged);
                code.body.branch(condition, if_true.0 + 1, if_false.0 + 1);
            }
            Exit::Switch { default, cases, .. } => {
                let cases = cases.iter().zip(0..);
                let cases = cases.map(|((_, to), index)| (code.number(index), to.0 + 1));
                let cases = cases.collect();
                code.body.switch((ty::I32, sum), default.0 + 1, cases);
            }
            _ => code.body.ret(),
        }
    }
    let mut module = frame.module;
    module.body(code.body);
    module.finish(frame.main)
}

/// Returns a function whose blocks are the nodes of a graph after an entry block. The blocks only
/// branch, on two values of the entry.
pub(crate) fn bare(family: GraphFamily, n: u32) -> Vec<u8> {
    let cfg = graph_of(family, n).cfg;
    let cases = cfg.nodes.iter().map(|node| match &node.exit {
        Exit::Switch { cases, .. } => cases.len() as u32,
        _ => 0,
    });
    let frame = Frame::new(Module::new());
    let mut code = frame.code(cases.max().unwrap_or(0) + 1);
    let zero = code.number(0);
    let loaded = code.load(zero);
    let condition = code.body.equal(loaded, zero);
    code.body.jump(1);
    for id in cfg.ids() {
        match &cfg.node(id).exit {
            Exit::Jump(to) => code.body.jump(to.0 + 1),
            Exit::Branch {
                if_true, if_false, ..
            } => code.body.branch(condition, if_true.0 + 1, if_false.0 + 1),
            Exit::Switch { default, cases, .. } => {
                let cases = cases.iter().zip(0..);
                let cases = cases.map(|((_, to), index)| (code.number(index), to.0 + 1));
                let cases = cases.collect();
                code.body.switch((ty::I32, loaded), default.0 + 1, cases);
            }
            _ => code.body.ret(),
        }
    }
    let mut module = frame.module;
    module.body(code.body);
    module.finish(frame.main)
}

fn targets(exit: &Exit) -> Vec<CfgNodeId> {
    match exit {
        Exit::Jump(to) => vec![*to],
        Exit::Branch {
            if_true, if_false, ..
        } => vec![*if_true, *if_false],
        Exit::Switch { default, cases, .. } => {
            let mut all = vec![*default];
            all.extend(cases.iter().map(|(_, to)| *to));
            all
        }
        _ => Vec::new(),
    }
}
