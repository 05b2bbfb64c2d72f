//! The graph itself: blocks, edges, phis, and which values cross from one block to another.

use dxil_frontend::ir::{BlockId, InstId, ValueId};
use dxil_frontend::tables::HashSet;
use smallvec::{SmallVec, smallvec};

use super::definitions::Definitions;
use super::hints::{LoopHint, SelectionHint};
use super::numbering::{Successors, reverse_postorder};
use super::operand::{Operand, PhiResult, SyntheticId};

/// Index of a node in [`Cfg::nodes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct CfgNodeId(pub u32);

impl From<CfgNodeId> for u32 {
    fn from(id: CfgNodeId) -> u32 {
        id.0
    }
}

impl CfgNodeId {
    /// Returns the index of the node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The terminator of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// An unconditional jump.
    Jump(CfgNodeId),
    /// A conditional branch.
    Branch {
        /// The condition, an `i1`.
        condition: Operand,
        /// Target if the condition is true.
        if_true: CfgNodeId,
        /// Target if the condition is false.
        if_false: CfgNodeId,
    },
    /// A switch.
    Switch {
        /// The selector.
        selector: Operand,
        /// Target if no case matches.
        default: CfgNodeId,
        /// Literals and their targets.
        cases: Vec<(u64, CfgNodeId)>,
    },
    /// Returns.
    Return(Option<ValueId>),
    /// Control never gets here.
    Unreachable,
}

/// Neighbours of a node: nearly always at most four.
pub type NodeList = SmallVec<[CfgNodeId; 4]>;

/// A phi: what it defines and one operand per predecessor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CfgPhi {
    /// Its result.
    pub result: PhiResult,
    /// Operand per predecessor, each predecessor once.
    pub incoming: Vec<(CfgNodeId, Operand)>,
}

/// A node: a block of the IR or one that only routes control.
#[derive(Debug, Clone)]
pub struct Node {
    /// The IR block.
    pub source: Option<BlockId>,
    /// Position of the block in the function as the compiler wrote it; routing nodes have that of
    /// the block they serve.
    pub layout: u32,
    /// Number of instructions, without phis and terminator.
    pub size: u32,
    /// Whether the node must not be copied.
    pub pinned: bool,
    /// Whether its code may end the invocation (`discard`): a continue construct must not.
    pub may_end: bool,
    /// New names of a copy's results, phis included; the original keeps its names.
    pub names: Vec<(ValueId, SyntheticId)>,
    /// Names that other values have in its code, where they differ from the original's.
    pub renames: Vec<(ValueId, Operand)>,
    /// Instructions of other blocks that were moved here, and whether they also remain there.
    pub lifted: Vec<(InstId, bool)>,
    /// Phis at its head; one operand per predecessor.
    pub phis: Vec<CfgPhi>,
    /// The terminator of the node.
    pub exit: Exit,
    /// Distinct successors, in the order of the exit.
    pub successors: NodeList,
    /// Distinct predecessors.
    pub predecessors: NodeList,
    /// `[branch]` / `[flatten]` of the exit.
    pub selection_hint: SelectionHint,
    /// `[loop]` / `[unroll]` of the back edge that the exit is.
    pub loop_hint: LoopHint,
}

impl Node {
    /// Returns a node without code, phis and hints. Its neighbours are set when the graph is
    /// finished.
    pub fn routing(layout: u32, exit: Exit) -> Self {
        Node {
            source: None,
            layout,
            size: 0,
            pinned: false,
            may_end: false,
            names: Vec::new(),
            renames: Vec::new(),
            lifted: Vec::new(),
            phis: Vec::new(),
            exit,
            successors: NodeList::new(),
            predecessors: NodeList::new(),
            selection_hint: SelectionHint::None,
            loop_hint: LoopHint::None,
        }
    }
}

/// A value of one node that another uses; `at` is the node whose code uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// The value.
    pub value: ValueId,
    /// The node that uses it.
    pub at: CfgNodeId,
}

/// The graph: reachable nodes in reverse postorder (before any rewriting), the entry first.
#[derive(Debug, Clone, Default)]
pub struct Cfg {
    /// By [`CfgNodeId`]; nodes that passes add come after the original ones.
    pub nodes: Vec<Node>,
    /// Values that cross between nodes: operands of instructions and terminators, without those of
    /// phis.
    pub uses: Vec<Use>,
    /// Node that defines each value that `uses` names.
    pub definitions: Definitions,
    /// Number of synthetic values so far.
    pub synthetics: u32,
}

impl Cfg {
    /// Returns the node.
    pub fn node(&self, id: CfgNodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Returns all ids.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = CfgNodeId> + ExactSizeIterator + use<> {
        (0..self.nodes.len() as u32).map(CfgNodeId)
    }

    /// Returns a new synthetic value.
    pub fn fresh_synthetic(&mut self) -> SyntheticId {
        let id = SyntheticId(self.synthetics);
        self.synthetics += 1;
        id
    }

    /// Computes successor and predecessor lists from the exits.
    pub fn connect(&mut self) {
        for node in &mut self.nodes {
            node.predecessors.clear();
            node.successors = exit_targets(&node.exit);
        }
        for from in 0..self.nodes.len() {
            let successors = std::mem::take(&mut self.nodes[from].successors);
            for to in &successors {
                self.nodes[to.index()]
                    .predecessors
                    .push(CfgNodeId(from as u32));
            }
            self.nodes[from].successors = successors;
        }
    }

    /// Renumbers the nodes in reverse postorder and drops unreachable ones.
    pub fn renumber(&mut self) {
        let order = reverse_postorder(&Successors::collect(self.nodes.len(), |node, targets| {
            targets.extend(exit_targets(&self.nodes[node].exit).iter().map(|n| n.0));
        }));
        // A pass that found nothing to do leaves the order as it was.
        if order.len() != self.nodes.len() || order.iter().copied().ne(0..order.len() as u32) {
            self.reorder(&order);
        }
        for phi in self.nodes.iter_mut().flat_map(|node| &mut node.phis) {
            // Passes look operands up by predecessor with a binary search.
            phi.incoming.sort_unstable_by_key(|&(from, _)| from);
        }
        self.connect();
    }

    /// Puts the nodes into an order, which leaves out what is unreachable, and gives them their new
    /// numbers.
    fn reorder(&mut self, order: &[u32]) {
        let mut number = vec![u32::MAX; self.nodes.len()];
        for (new, &old) in order.iter().enumerate() {
            number[old as usize] = new as u32;
        }
        let mut old: Vec<Option<Node>> = std::mem::take(&mut self.nodes)
            .into_iter()
            .map(Some)
            .collect();
        for &index in order {
            if let Some(mut node) = old[index as usize].take() {
                for phi in &mut node.phis {
                    phi.incoming.retain_mut(|(from, _)| {
                        from.0 = number[from.index()];
                        from.0 != u32::MAX
                    });
                }
                map_targets(&mut node.exit, |target| CfgNodeId(number[target.index()]));
                self.nodes.push(node);
            }
        }
        self.uses.retain_mut(|used| {
            used.at.0 = number[used.at.index()];
            used.at.0 != u32::MAX
        });
        self.definitions.renumber(&number);
    }

    /// Returns the node that defines a value which crosses between nodes.
    pub fn definition(&self, value: ValueId) -> Option<CfgNodeId> {
        self.definitions.get(value).map(CfgNodeId)
    }
}

/// Returns the distinct targets, in the order of the exit.
pub(crate) fn exit_targets(exit: &Exit) -> NodeList {
    match exit {
        Exit::Jump(target) => smallvec![*target],
        Exit::Branch {
            if_true, if_false, ..
        } if if_true == if_false => smallvec![*if_true],
        Exit::Branch {
            if_true, if_false, ..
        } => smallvec![*if_true, *if_false],
        Exit::Switch { default, cases, .. } => {
            let mut targets: NodeList = cases.iter().map(|&(_, target)| target).collect();
            targets.push(*default);
            // Distinct, but in order: a switch has up to thousands of cases.
            let mut seen = HashSet::default();
            targets.retain(|target| seen.insert(*target));
            targets
        }
        Exit::Return(_) | Exit::Unreachable => NodeList::new(),
    }
}

/// Replaces every target.
pub(crate) fn map_targets(exit: &mut Exit, mut map: impl FnMut(CfgNodeId) -> CfgNodeId) {
    match exit {
        Exit::Jump(target) => *target = map(*target),
        Exit::Branch {
            if_true, if_false, ..
        } => {
            *if_true = map(*if_true);
            *if_false = map(*if_false);
        }
        Exit::Switch { default, cases, .. } => {
            *default = map(*default);
            for (_, target) in cases {
                *target = map(*target);
            }
        }
        Exit::Return(_) | Exit::Unreachable => {}
    }
}
