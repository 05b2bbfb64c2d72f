//! Control flow of a function: blocks and edges, as text or as a Graphviz graph.

use std::fmt::Write;

use dxil_frontend::ir::{BlockId, FuncView, Function, Inst, ValueId};
use dxil_frontend::tables::HashSet;
use dxil_translate::structurize::StructuredCfg;
use serde_json::{Value, json};

use crate::describe::list;
use crate::names::value_name;

/// An edge and its kind.
struct Edge {
    to: BlockId,
    label: String,
    /// A back edge: its target is a block that the depth-first search has not left yet.
    is_back: bool,
}

/// Blocks and edges of one function.
pub struct ControlFlow<'a> {
    function: &'a Function,
    /// The function's name.
    pub name: String,
    edges: Vec<Vec<Edge>>,
    reachable: Vec<bool>,
}

impl<'a> ControlFlow<'a> {
    /// Returns the graph of a function, from its terminators.
    pub fn new(view: FuncView<'a>, name: String) -> Self {
        let function = view.function;
        let mut edges: Vec<Vec<Edge>> = function
            .blocks
            .keys()
            .map(|block| edges_of(view, block))
            .collect();
        let reachable = mark_back_edges(&mut edges);
        ControlFlow {
            function,
            name,
            edges,
            reachable,
        }
    }

    /// Returns one line per block: its size and its targets.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let edge_count: usize = self.edges.iter().map(Vec::len).sum();
        let back = self.edges.iter().flatten().filter(|edge| edge.is_back);
        let _ = writeln!(
            out,
            "{}: blocks {}, edges {edge_count}, back edges {}",
            self.name,
            self.edges.len(),
            back.count(),
        );
        for (block, edges) in self.blocks() {
            let _ = write!(
                out,
                "  {block} ({})",
                self.function.block_insts(block).len()
            );
            for (index, edge) in edges.iter().enumerate() {
                out.push_str(if index == 0 { " -> " } else { ", " });
                let _ = write!(out, "{}", edge.to);
                if !edge.label.is_empty() {
                    let _ = write!(out, " [{}]", edge.label);
                }
                if edge.is_back {
                    out.push_str(" (back)");
                }
            }
            if edges.is_empty() {
                let is_return = matches!(self.function.terminator(block), Inst::Ret { .. });
                out.push_str(if is_return { " return" } else { " unreachable" });
            }
            if !self.is_reachable(block) {
                out.push_str("  ; never entered");
            }
            out.push('\n');
        }
        out
    }

    /// Returns the nodes and edges of a Graphviz graph with blue back edges. `code` returns the
    /// lines of a block; the names of nodes begin with the prefix.
    fn dot(&self, prefix: &str, code: impl Fn(BlockId) -> String) -> String {
        let mut out = String::new();
        for (block, edges) in self.blocks() {
            let style = if self.is_reachable(block) {
                ""
            } else {
                ", style=dotted"
            };
            let lines: String = code(block)
                .lines()
                .map(|line| format!("{}\\l", escape(line)))
                .collect();
            let _ = writeln!(out, "    {prefix}{block} [label=\"{lines}\"{style}];");
            for edge in edges {
                let color = if edge.is_back { ", color=blue" } else { "" };
                let _ = writeln!(
                    out,
                    "    {prefix}{block} -> {prefix}{} [label=\"{}\"{color}];",
                    edge.to,
                    escape(&edge.label)
                );
            }
        }
        out
    }

    /// Returns the blocks and edges as JSON.
    pub fn json(&self) -> Value {
        let edge = |edge: &Edge| json!({ "to": edge.to.to_string(), "label": edge.label, "is_back": edge.is_back });
        list(self.blocks(), |(block, edges)| {
            json!({
                "name": block.to_string(),
                "instructions": self.function.block_insts(block).len(),
                "is_reachable": self.is_reachable(block),
                "edges": list(edges, edge),
            })
        })
    }

    fn blocks(&self) -> impl Iterator<Item = (BlockId, &[Edge])> {
        self.function
            .blocks
            .keys()
            .zip(self.edges.iter().map(Vec::as_slice))
    }

    fn is_reachable(&self, block: BlockId) -> bool {
        self.reachable
            .get(block.as_u32() as usize)
            .copied()
            .unwrap_or(false)
    }
}

/// A Graphviz graph of functions: Graphviz makes one picture of each graph, so all of them share
/// one, each in boxes of its own.
#[derive(Default)]
pub struct Graph {
    boxes: String,
    functions: usize,
}

impl Graph {
    /// Adds a function as it is, with the code of its blocks, and structured for SPIR-V, if it
    /// could be.
    pub fn add(
        &mut self,
        flow: &ControlFlow<'_>,
        code: impl Fn(BlockId) -> String,
        structured: Option<&StructuredCfg>,
    ) {
        let number = self.functions;
        self.functions += 1;
        let content = flow.dot(&format!("f{number}_"), code);
        self.add_box(&format!("f{number}"), &flow.name, &content);
        if let Some(structured) = structured {
            let content = structured.dot(&format!("s{number}_"));
            let label = format!("{}, structured", flow.name);
            self.add_box(&format!("s{number}"), &label, &content);
        }
    }

    fn add_box(&mut self, id: &str, label: &str, content: &str) {
        let label = escape(label);
        let _ = write!(
            self.boxes,
            "  subgraph cluster_{id} {{\n    label=\"{label}\";\n{content}  }}\n"
        );
    }

    /// Returns the text of the graph.
    pub fn text(&self) -> String {
        format!(
            "digraph control_flow {{\n  \
             node [shape=box, fontname=monospace, fontsize=9, labeljust=l];\n  \
             edge [fontname=monospace, fontsize=9];\n{}}}\n",
            self.boxes
        )
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn edges_of(view: FuncView<'_>, block: BlockId) -> Vec<Edge> {
    let edge = |to, label| Edge {
        to,
        label,
        is_back: false,
    };
    let value = |id: ValueId| value_name(view, id);
    match *view.function.terminator(block) {
        Inst::Br { target } => vec![edge(target, String::new())],
        Inst::CondBr {
            condition,
            if_true,
            if_false,
        } => {
            let condition = value(condition);
            vec![
                edge(if_true, condition.clone()),
                edge(if_false, format!("!{condition}")),
            ]
        }
        Inst::Switch {
            value: selector,
            default,
            cases,
        } => {
            // One edge per target, in the order of the first case.
            let mut edges: Vec<Edge> = Vec::new();
            let selector = value(selector);
            for (case, to) in view.function.edges_of(cases) {
                let case = value(*case);
                match edges.iter_mut().find(|edge| edge.to == *to) {
                    Some(edge) => {
                        let _ = write!(edge.label, ", {case}");
                    }
                    None => edges.push(edge(*to, format!("{selector} == {case}"))),
                }
            }
            match edges.iter_mut().find(|edge| edge.to == default) {
                Some(edge) => edge.label.push_str(", default"),
                None => edges.push(edge(default, "default".to_owned())),
            }
            edges
        }
        _ => Vec::new(),
    }
}

/// Searches depth-first from the entry, marks back edges, and returns the reachable blocks.
fn mark_back_edges(edges: &mut [Vec<Edge>]) -> Vec<bool> {
    let mut met = vec![false; edges.len()];
    let mut open = HashSet::default();
    // Blocks with the numbers of their next edges.
    let mut stack = vec![(0_usize, 0_usize)];
    if let Some(first) = met.first_mut() {
        *first = true;
        open.insert(0);
    }
    while let Some((block, next)) = stack.pop() {
        let Some(edge) = edges.get_mut(block).and_then(|list| list.get_mut(next)) else {
            open.remove(&block);
            continue;
        };
        stack.push((block, next + 1));
        let to = edge.to.as_u32() as usize;
        if open.contains(&to) {
            edge.is_back = true;
        } else if let Some(seen) = met.get_mut(to)
            && !*seen
        {
            *seen = true;
            open.insert(to);
            stack.push((to, 0));
        }
    }
    met
}
