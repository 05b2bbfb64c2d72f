//! Structured control flow in readable form: nested text, and a Graphviz graph.
//!
//! ```text
//! 0: b0
//! go 1
//! loop -> 4, continue 3:
//!   1: b1
//!   if %1: go 2 else break loop
//!   2: b2
//!   continue
//! continuing 3:
//!   3: b3
//!   again 1
//! 4: b4
//! return
//! ```
//!
//! Each block is named by its number in the list and its source (`-`: it only routes), followed by
//! where it goes; `then 7` names the merge block of a selection, `loop -> 4` that of a loop. What
//! stands inside a construct is indented.

use std::fmt::Write;

use super::{
    LoopHint, Merge, Operand, SelectionHint, StructuredBlock, StructuredBlockId, StructuredCfg,
    Terminator,
};

/// An open construct.
struct Open {
    merge: u32,
    /// Continue target, of a loop.
    continue_target: Option<u32>,
    is_switch: bool,
}

impl StructuredCfg {
    /// Returns nested text, a line per block and construct.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let mut open: Vec<Open> = Vec::new();
        for (index, block) in self.blocks.iter().enumerate() {
            let index = index as u32;
            while open
                .last()
                .is_some_and(|construct| construct.merge <= index)
            {
                open.pop();
            }
            self.block(&mut out, index, block, &mut open);
        }
        out
    }

    /// Writes a block, indented by the constructs that are open there.
    fn block(&self, out: &mut String, index: u32, block: &StructuredBlock, open: &mut Vec<Open>) {
        let line = |out: &mut String, depth: usize, text: &str| {
            let _ = writeln!(out, "{:width$}{text}", "", width = 2 * depth);
        };
        let mut depth = open.len();
        if open.iter().any(|c| c.continue_target == Some(index)) {
            line(
                out,
                depth.saturating_sub(1),
                &format!("continuing {index}:"),
            );
        }
        match block.merge {
            Merge::None | Merge::Selection { .. } => {}
            Merge::Loop {
                merge,
                continue_target,
                hint,
            } => {
                let hint = match hint {
                    LoopHint::None => "",
                    LoopHint::DontUnroll => " [loop]",
                    LoopHint::Unroll => " [unroll]",
                };
                line(
                    out,
                    depth,
                    &format!("loop{hint} -> {}, continue {}:", merge.0, continue_target.0),
                );
                open.push(Open {
                    merge: merge.0,
                    continue_target: Some(continue_target.0),
                    is_switch: false,
                });
                depth += 1;
            }
        }
        let mut name = match block.source {
            Some(source) => format!("{index}: {source}"),
            None => format!("{index}: -"),
        };
        if !block.phis.is_empty() {
            let _ = write!(name, ", phis {}", block.phis.len());
        }
        if !block.renames.is_empty() {
            let _ = write!(name, ", renames {}", block.renames.len());
        }
        if !block.exports.is_empty() {
            name.push_str(", copy");
        }
        if let Some(memory) = &block.memory {
            let (loads, stores) = (memory.loads.len(), memory.stores.len());
            let _ = write!(name, ", loads {loads}, stores {stores}");
        }
        for select in &block.selects {
            let [result, yes, no] = [
                Operand::Synthetic(select.result),
                select.if_true,
                select.if_false,
            ]
            .map(operand);
            let condition = operand(select.condition);
            let _ = write!(name, ", {result} = {condition} ? {yes} : {no}");
        }
        line(out, depth, &name);
        let hint = match block.merge {
            Merge::Selection {
                hint: SelectionHint::Branch,
                ..
            } => " [branch]",
            Merge::Selection {
                hint: SelectionHint::Flatten,
                ..
            } => " [flatten]",
            _ => "",
        };
        let outer = depth;
        if let Merge::Selection { merge, .. } = block.merge {
            open.push(Open {
                merge: merge.0,
                continue_target: None,
                is_switch: matches!(block.terminator, Terminator::Switch { .. }),
            });
        }
        let edge = |to: StructuredBlockId| describe_edge(open, index, to.0);
        let what = match &block.terminator {
            Terminator::Branch(to) => edge(*to),
            Terminator::CondBranch {
                condition,
                if_true,
                if_false,
            } => format!(
                "if{hint} {}: {} else {}",
                operand(*condition),
                edge(*if_true),
                edge(*if_false)
            ),
            Terminator::SelectorBranch {
                selector,
                value,
                if_equal,
                if_not,
            } => format!(
                "if {} == {value}: {} else {}",
                operand(*selector),
                edge(*if_equal),
                edge(*if_not)
            ),
            Terminator::Switch {
                selector,
                default,
                cases,
            } => {
                let mut text = format!("switch{hint} {}:", operand(*selector));
                for (literal, to) in cases {
                    let _ = write!(text, " {literal} {},", edge(*to));
                }
                let _ = write!(text, " default {}", edge(*default));
                text
            }
            Terminator::Return(None) => "return".to_owned(),
            Terminator::Return(Some(value)) => format!("return {value}"),
            Terminator::Unreachable => "unreachable".to_owned(),
        };
        match block.merge {
            Merge::Selection { merge, .. } => {
                line(out, outer, &format!("{what}, then {}", merge.0));
            }
            Merge::None | Merge::Loop { .. } => line(out, outer, &what),
        }
    }

    /// Returns the nodes and edges of a Graphviz graph: solid edges are taken, dashed ones lead
    /// from headers to their merge blocks, dotted ones to continue targets. The names of nodes
    /// begin with the prefix, so that several functions can share a graph.
    pub fn dot(&self, prefix: &str) -> String {
        const TO_MERGE: &str = "style=dashed, color=gray";
        let mut out = String::new();
        for (index, block) in self.blocks.iter().enumerate() {
            let source = block
                .source
                .map_or("-".to_owned(), |source| source.to_string());
            let _ = writeln!(out, "    {prefix}{index} [label=\"{index}: {source}\"];");
        }
        for (from, block) in self.blocks.iter().enumerate() {
            let mut edge = |to: StructuredBlockId, attributes: &str| {
                let _ = writeln!(
                    out,
                    "    {prefix}{from} -> {prefix}{} [{attributes}];",
                    to.0
                );
            };
            match &block.terminator {
                Terminator::Branch(to) => edge(*to, ""),
                Terminator::CondBranch {
                    if_true: yes,
                    if_false: no,
                    ..
                }
                | Terminator::SelectorBranch {
                    if_equal: yes,
                    if_not: no,
                    ..
                } => {
                    edge(*yes, "label=T");
                    edge(*no, "label=F");
                }
                Terminator::Switch { default, cases, .. } => {
                    for (literal, to) in cases {
                        edge(*to, &format!("label=\"{literal}\""));
                    }
                    edge(*default, "label=default");
                }
                Terminator::Return(_) | Terminator::Unreachable => {}
            }
            match block.merge {
                Merge::None => {}
                Merge::Selection { merge, .. } => edge(merge, TO_MERGE),
                Merge::Loop {
                    merge,
                    continue_target,
                    ..
                } => {
                    edge(merge, TO_MERGE);
                    edge(continue_target, "style=dotted, color=blue");
                }
            }
        }
        out
    }
}

/// Returns the description of an edge.
fn describe_edge(open: &[Open], from: u32, to: u32) -> String {
    let innermost_loop = open
        .iter()
        .rev()
        .find(|construct| construct.continue_target.is_some());
    if to <= from {
        return format!("again {to}");
    }
    if let Some(inner) = innermost_loop {
        if inner.continue_target == Some(to) {
            return "continue".to_owned();
        }
        if inner.merge == to {
            return "break loop".to_owned();
        }
    }
    match open.iter().rev().find(|construct| construct.merge == to) {
        Some(construct) if construct.is_switch => "break switch".to_owned(),
        Some(_) => format!("end {to}"),
        None => format!("go {to}"),
    }
}

fn operand(operand: Operand) -> String {
    match operand {
        Operand::Value(value) => value.to_string(),
        Operand::Synthetic(id) => format!("s{}", id.0),
        Operand::Selector(word) => word.to_string(),
        Operand::Bool(value) => value.to_string(),
        Operand::Undef => "undef".to_owned(),
    }
}
