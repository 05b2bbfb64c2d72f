//! Graphs as text, for tests: `b0: b1 b2; b1: b0; b2: ret`.
//!
//! One successor is a jump, two a conditional branch, more (or `switch` in front) a switch whose
//! first target is the default; `ret` returns and `unreachable` does not.

use std::fmt::Write;

use dxil_frontend::ir::{BlockId, ValueId};

use super::operand::Operand;
use super::{Cfg, CfgNodeId, Dominators, Exit, Node};
use crate::{Error, Result};

impl Cfg {
    /// Reads the text form.
    ///
    /// # Errors
    ///
    /// Returns a message for text that does not have this form.
    pub fn parse(text: &str) -> Result<Cfg> {
        let mut cfg = Cfg::default();
        for (index, line) in text
            .split(';')
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .enumerate()
        {
            let (name, targets) = line
                .split_once(':')
                .ok_or_else(|| Error::malformed(format!("no colon in {line:?}")))?;
            if number(name)? != index as u32 {
                return Err(Error::malformed(format!("block {name:?} is out of order")));
            }
            let mut words: Vec<&str> = targets.split_whitespace().collect();
            let is_switch = words.first() == Some(&"switch");
            if is_switch {
                words.remove(0);
            }
            let condition = Operand::Value(ValueId::from_u32(index as u32));
            let exit = match words.as_slice() {
                ["ret"] => Exit::Return(None),
                ["unreachable"] => Exit::Unreachable,
                [one] => Exit::Jump(CfgNodeId(number(one)?)),
                [a, b] if !is_switch => Exit::Branch {
                    condition,
                    if_true: CfgNodeId(number(a)?),
                    if_false: CfgNodeId(number(b)?),
                },
                [default, cases @ ..] => Exit::Switch {
                    selector: condition,
                    default: CfgNodeId(number(default)?),
                    cases: cases
                        .iter()
                        .enumerate()
                        .map(|(literal, target)| Ok((literal as u64, CfgNodeId(number(target)?))))
                        .collect::<Result<_>>()?,
                },
                [] => return Err(Error::malformed(format!("block {name:?} goes nowhere"))),
            };
            cfg.nodes.push(Node {
                source: Some(BlockId::from_u32(index as u32)),
                size: 1,
                ..Node::routing(index as u32, exit)
            });
        }
        let count = cfg.nodes.len();
        let missing = cfg
            .nodes
            .iter()
            .flat_map(|node| super::exit_targets(&node.exit))
            .find(|target| target.index() >= count);
        if count == 0 || missing.is_some() {
            return Err(Error::malformed(
                "the graph is empty or names a block that does not exist",
            ));
        }
        cfg.renumber();
        Ok(cfg)
    }

    /// Returns the dominator tree.
    pub fn dominators(&self) -> Dominators {
        Dominators::compute(self.nodes.len(), |node| {
            &*self.nodes[node as usize].predecessors
        })
    }

    /// Returns a readable listing: a line per node, with the IR's block names.
    pub fn text(&self) -> String {
        let name = |id: CfgNodeId| match self.node(id).source {
            Some(block) => format!("{block}"),
            None => format!("n{}", id.0),
        };
        let mut text = String::new();
        for id in self.ids() {
            let targets: Vec<String> = self.node(id).successors.iter().map(|&n| name(n)).collect();
            let exit = match self.node(id).exit {
                Exit::Return(_) => "ret".to_owned(),
                Exit::Unreachable => "unreachable".to_owned(),
                Exit::Switch { .. } => format!("switch {}", targets.join(" ")),
                _ => targets.join(" "),
            };
            let _ = writeln!(text, "{}: {exit}", name(id));
        }
        text
    }
}

fn number(name: &str) -> Result<u32> {
    name.strip_prefix('b')
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| Error::malformed(format!("{name:?} is not a block")))
}
