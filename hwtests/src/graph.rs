//! Control-flow graphs as shaders: a run writes the nodes that it visits and the values that it
//! sees to a buffer, word by word.
//!
//! The graph becomes the body of `main` in a compiled shader (`shaders/graphs/frame.hlsl`), in the
//! IR that the frontend makes of such code, so that the whole translator works on it. Every thread
//! has a seed. The outcome of a branch depends on the seed and on the number of the visit. After
//! `FREE` visits each branch takes the shortest path to a return, so that every run ends.
//! [`expected`] executes the graph itself.

use std::collections::VecDeque;

use dxil_frontend::dxil::Shader;
use dxil_frontend::ir::{
    BinaryOp, Block, BlockId, CmpPredicate, Constant, FastMath, FuncId, Function, Inst, InstData,
    InstId, List, Type, TypeId, ValueDef, ValueId,
};
use dxil_translate::cfg::{Cfg, CfgNodeId, Exit};
use dxil_translate::oracle::graphs::{CONSTANTS, Graph, computed};
use dxil_translate::structurize::{Operand, PhiResult};

/// Visits after which every branch takes the shortest path to a return.
const FREE: u32 = 20;

/// Threads per group of the frame.
pub const GROUP: u32 = 64;

/// For each node the outcomes that lead to a return, and the outcome that is nearest to one.
pub struct Steering {
    outcomes: Vec<Vec<u32>>,
    nearest: Vec<u32>,
    /// Maximum number of words that one run writes.
    pub words: u32,
}

/// Returns the targets by outcome: false and true of a branch; the cases and then the default of a
/// switch.
fn targets(exit: &Exit) -> Vec<CfgNodeId> {
    match exit {
        Exit::Jump(to) => vec![*to],
        Exit::Branch {
            if_true, if_false, ..
        } => vec![*if_false, *if_true],
        Exit::Switch { default, cases, .. } => cases
            .iter()
            .map(|&(_, to)| to)
            .chain(std::iter::once(*default))
            .collect(),
        Exit::Return(_) | Exit::Unreachable => Vec::new(),
    }
}

/// Returns whether visits of a node leave no trace. The structurizer may remove or copy such nodes.
fn is_silent(cfg: &Cfg, at: CfgNodeId) -> bool {
    let node = cfg.node(at);
    node.size == 0
        && match node.exit {
            Exit::Jump(_) | Exit::Return(None) => true,
            Exit::Branch { .. } | Exit::Switch { .. } | Exit::Return(_) | Exit::Unreachable => {
                false
            }
        }
}

/// Plans runs. `None` if no return can be reached.
pub fn steer(graph: &Graph) -> Option<Steering> {
    let cfg = &graph.cfg;
    // Breadth first, backwards from the returns: the distance of every node to one.
    let mut distance = vec![u32::MAX; cfg.nodes.len()];
    let mut work: VecDeque<CfgNodeId> = cfg
        .ids()
        .filter(|&id| matches!(cfg.node(id).exit, Exit::Return(_)))
        .collect();
    work.iter().for_each(|id| distance[id.index()] = 0);
    while let Some(id) = work.pop_front() {
        for &from in &cfg.node(id).predecessors {
            if distance[from.index()] == u32::MAX {
                distance[from.index()] = distance[id.index()] + 1;
                work.push_back(from);
            }
        }
    }
    if distance[0] == u32::MAX {
        return None;
    }
    let mut steering = Steering {
        outcomes: Vec::new(),
        nearest: Vec::new(),
        words: 0,
    };
    let mut maximum = 0;
    for node in &cfg.nodes {
        let targets = targets(&node.exit);
        let reach = |outcome: u32| distance[targets[outcome as usize].index()];
        // Outcomes from which no return can be reached are never taken.
        let outcomes: Vec<u32> = (0..targets.len() as u32)
            .filter(|&outcome| reach(outcome) != u32::MAX)
            .collect();
        let nearest = outcomes.iter().copied().min_by_key(|&o| reach(o));
        steering.nearest.push(nearest.unwrap_or(0));
        steering.outcomes.push(outcomes);
    }
    // A visit writes its number, what it looks at, and at most one value that it decides or
    // returns.
    for looks_at in &graph.looks_at {
        maximum = maximum.max(looks_at.len() as u32 + 2);
    }
    // After the free visits a run takes the shortest way, which visits no node twice.
    steering.words = (FREE + cfg.nodes.len() as u32) * maximum;
    Some(steering)
}

/// Returns the seed of a thread. Threads of the first group have different seeds; those of another
/// group share one.
fn seed_of(thread: u32) -> u32 {
    if thread < GROUP {
        thread
    } else {
        thread / GROUP + 1000
    }
}

fn hash(seed: u32, visit: u32) -> u32 {
    let mut h = seed.wrapping_mul(0x9e37_79b9) ^ visit.wrapping_mul(0x85eb_ca6b);
    h ^= h >> 16;
    h = h.wrapping_mul(0x7feb_352d);
    h ^= h >> 15;
    h = h.wrapping_mul(0x846c_a68b);
    h ^ (h >> 16)
}

fn result_of(visit: u32, node: CfgNodeId) -> u32 {
    visit.wrapping_mul(0x9e37_79b1) ^ (node.0 << 4)
}

fn decision(operand: &Operand) -> Option<ValueId> {
    match operand {
        Operand::Value(value) => Some(*value),
        _ => None,
    }
}

/// Returns the words that a run of a thread writes.
pub fn expected(graph: &Graph, steering: &Steering, thread: u32) -> Vec<u32> {
    let cfg = &graph.cfg;
    let seed = seed_of(thread);
    let mut values = dxil_frontend::tables::HashMap::default();
    let mut trace = Vec::new();
    let (mut at, mut from) = (CfgNodeId(0), None);
    let mut visit = 0;
    loop {
        let node = cfg.node(at);
        let read = |values: &dxil_frontend::tables::HashMap<ValueId, u32>, value: ValueId| {
            if value.as_u32() < CONSTANTS {
                value.as_u32()
            } else {
                values.get(&value).copied().unwrap_or(u32::MAX)
            }
        };
        // All phis of a node read their operands before any of them changes.
        let mut new = Vec::new();
        for phi in &node.phis {
            let operand = phi.incoming.iter().find(|(block, _)| Some(*block) == from);
            if let (Some((_, Operand::Value(operand))), PhiResult::Value(result)) =
                (operand, phi.result)
            {
                new.push((result, read(&values, *operand)));
            }
        }
        values.extend(new);
        let now = visit;
        // Silent nodes do not count as visits, since the structurizer may drop or copy them.
        if !is_silent(cfg, at) {
            trace.push(at.0);
            for &value in &graph.looks_at[at.index()] {
                trace.push(read(&values, value));
            }
            if node.size > 0 {
                values.insert(computed(at), result_of(visit, at));
            }
            visit += 1;
        }
        match &node.exit {
            Exit::Return(value) => {
                trace.extend(value.map(|value| read(&values, value)));
                return trace;
            }
            Exit::Branch {
                condition: operand, ..
            }
            | Exit::Switch {
                selector: operand, ..
            } => trace.extend(decision(operand).map(|value| read(&values, value))),
            Exit::Jump(_) | Exit::Unreachable => {}
        }
        let outcomes = &steering.outcomes[at.index()];
        let outcome = if now < FREE && !outcomes.is_empty() {
            outcomes[hash(seed, now) as usize % outcomes.len()]
        } else {
            steering.nearest[at.index()]
        };
        from = Some(at);
        at = targets(&node.exit)[outcome as usize];
    }
}

/// The parts of the frame that generated code uses.
struct Frame {
    int: TypeId,
    boolean: TypeId,
    void: TypeId,
    thread: ValueId,
    /// Offset of the next word, in bytes.
    position: ValueId,
    /// Number of visits.
    visits: ValueId,
    /// The call that stores a word, and its arguments.
    store: (Inst, Vec<ValueId>),
}

struct Builder<'a> {
    graph: &'a Graph,
    steering: &'a Steering,
    function: Function,
    frame: Frame,
    seed: ValueId,
    values: dxil_frontend::tables::HashMap<ValueId, ValueId>,
    constants: dxil_frontend::tables::HashMap<(u32, TypeId), ValueId>,
    /// Whether the block of the frame is in front of the first block of the graph.
    shift: u32,
}

/// Returns the shader that runs a graph. `None` if the frame is not as expected.
pub fn shader_of(frame: &Shader, graph: &Graph, steering: &Steering) -> Option<Shader> {
    let mut shader = frame.clone();
    let main = shader.entry_points.first()?.function?;
    let index = shader.module.functions.get(main)?.body? as usize;
    let boolean = shader.module.types.types.push(Type::Int(1));
    let function = build(shader.module.bodies.get(index)?, boolean, graph, steering)?;
    debug_assert_eq!(main, FuncId::from_u32(function.id.as_u32()));
    shader.module.bodies[index] = function;
    Some(shader)
}

fn build(old: &Function, boolean: TypeId, graph: &Graph, steering: &Steering) -> Option<Function> {
    let mut function = old.clone();
    function.insts.clear();
    function.blocks.clear();
    let mut geps = Vec::new();
    let (mut int, mut thread, mut store) = (None, None, None);
    let mut copied = true;
    for data in old.insts.values() {
        // Behind the two words of memory comes an example of what to do with them.
        copied &= !matches!(data.inst, Inst::Binary { .. });
        if copied {
            function.insts.push(*data);
        }
        match data.inst {
            // The frame has two words of memory: the position and the number of visits.
            Inst::Gep { .. } => geps.extend(data.result.expand()),
            Inst::Call { .. } if data.result.is_some() => {
                (thread, int) = (data.result.expand(), Some(data.ty));
            }
            Inst::Call { args, .. } => {
                store = Some((data.inst, old.values_of(args).to_vec(), data.ty));
            }
            _ => {}
        }
    }
    let (call, arguments, void) = store?;
    let (int, thread) = (int?, thread?);
    let mut builder = Builder {
        graph,
        steering,
        function,
        frame: Frame {
            int,
            boolean,
            void,
            thread,
            position: *geps.first()?,
            visits: *geps.get(1)?,
            store: (call, arguments),
        },
        seed: thread,
        values: Default::default(),
        constants: Default::default(),
        // The entry block of a function has no predecessors, so a graph that returns to its first
        // node needs one more in front.
        shift: u32::from(!graph.cfg.nodes.first()?.predecessors.is_empty()),
    };
    builder.body();
    Some(builder.function)
}

impl Builder<'_> {
    fn constant(&mut self, word: u32) -> ValueId {
        let int = self.frame.int;
        if let Some(&known) = self.constants.get(&(word, int)) {
            return known;
        }
        let id = self.value(ValueDef::Constant(Constant::Int(u64::from(word))), int);
        self.constants.insert((word, int), id);
        id
    }

    fn value(&mut self, def: ValueDef, ty: TypeId) -> ValueId {
        self.function.push_value(ty, def)
    }

    fn emit(&mut self, inst: Inst) {
        let ty = self.frame.void;
        self.function.insts.push(InstData {
            inst,
            ty,
            result: None.into(),
        });
    }

    fn compute_as(&mut self, inst: Inst, ty: TypeId) -> ValueId {
        let id = self.function.insts.next_key();
        let result = self.value(ValueDef::Inst(id), ty);
        self.define(inst, ty, result);
        result
    }

    fn define(&mut self, inst: Inst, ty: TypeId, result: ValueId) {
        let id = self.function.insts.push(InstData {
            inst,
            ty,
            result: result.into(),
        });
        let index = (result.as_u32() - self.function.first_value) as usize;
        self.function.values[index].def = ValueDef::Inst(id);
    }

    fn binary(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> ValueId {
        let fast_math = FastMath::default();
        let inst = Inst::Binary {
            op,
            fast_math,
            lhs,
            rhs,
        };
        self.compute_as(inst, self.frame.int)
    }

    fn with(&mut self, op: BinaryOp, lhs: ValueId, rhs: u32) -> ValueId {
        let rhs = self.constant(rhs);
        self.binary(op, lhs, rhs)
    }

    fn compare(&mut self, predicate: CmpPredicate, lhs: ValueId, rhs: u32) -> ValueId {
        let rhs = self.constant(rhs);
        let fast_math = FastMath::default();
        let inst = Inst::Cmp {
            predicate,
            fast_math,
            lhs,
            rhs,
        };
        self.compute_as(inst, self.frame.boolean)
    }

    fn select(&mut self, condition: ValueId, if_true: ValueId, if_false: ValueId) -> ValueId {
        let inst = Inst::Select {
            condition,
            if_true,
            if_false,
        };
        self.compute_as(inst, self.frame.int)
    }

    fn load(&mut self, pointer: ValueId) -> ValueId {
        let inst = Inst::Load {
            pointer,
            align: 4,
            volatile: false,
        };
        self.compute_as(inst, self.frame.int)
    }

    fn put(&mut self, pointer: ValueId, value: ValueId) {
        self.emit(Inst::Store {
            pointer,
            value,
            align: 4,
            volatile: false,
        });
    }

    /// Writes a word of the trace.
    fn log(&mut self, word: ValueId) {
        let at = self.load(self.frame.position);
        let (mut call, mut arguments) = self.frame.store.clone();
        (arguments[2], arguments[4]) = (at, word);
        if let Inst::Call { args, .. } = &mut call {
            *args = List::new(
                self.function.value_pool.len() as u32,
                arguments.len() as u32,
            );
        }
        self.function.value_pool.extend(arguments);
        self.emit(call);
        let next = self.with(BinaryOp::Add, at, 4);
        self.put(self.frame.position, next);
    }

    /// Returns the value of the function for a value of the graph.
    fn named(&mut self, value: ValueId) -> ValueId {
        if value.as_u32() < CONSTANTS {
            return self.constant(value.as_u32());
        }
        if let Some(&known) = self.values.get(&value) {
            return known;
        }
        let int = self.frame.int;
        // A placeholder until `define` reaches the instruction: phis name values that come later.
        let id = self.value(ValueDef::Inst(InstId::from_u32(0)), int);
        self.values.insert(value, id);
        id
    }

    fn block_of(&self, node: CfgNodeId) -> BlockId {
        BlockId::from_u32(node.0 + self.shift)
    }

    fn end_block(&mut self, first: InstId) {
        let end = self.function.insts.next_key();
        self.function.blocks.push(Block { first, end });
    }

    fn body(&mut self) {
        let mut first = InstId::from_u32(0);
        let thread = self.frame.thread;
        let words = self.with(BinaryOp::Mul, thread, self.steering.words * 4);
        self.put(self.frame.position, words);
        let (zero, group) = (self.constant(0), self.with(BinaryOp::UDiv, thread, GROUP));
        self.put(self.frame.visits, zero);
        let shared = self.with(BinaryOp::Add, group, 1000);
        let is_own = self.compare(CmpPredicate::IUlt, thread, GROUP);
        self.seed = self.select(is_own, thread, shared);
        if self.shift == 1 {
            let target = self.block_of(CfgNodeId(0));
            self.emit(Inst::Br { target });
            self.end_block(first);
            first = self.function.insts.next_key();
        }
        for node in self.graph.cfg.ids() {
            self.node(node);
            self.end_block(first);
            first = self.function.insts.next_key();
        }
    }

    fn node(&mut self, at: CfgNodeId) {
        let graph = self.graph;
        let node = graph.cfg.node(at);
        for phi in &node.phis {
            let mut pairs = Vec::new();
            for &(from, operand) in &phi.incoming {
                if let Operand::Value(value) = operand {
                    pairs.push((self.named(value), self.block_of(from)));
                }
            }
            let incoming = List::new(self.function.edge_pool.len() as u32, pairs.len() as u32);
            self.function.edge_pool.extend(pairs);
            if let PhiResult::Value(result) = phi.result {
                let result = self.named(result);
                self.define(Inst::Phi { incoming }, self.frame.int, result);
            }
        }
        let mut visit = None;
        if !is_silent(&graph.cfg, at) {
            let number = self.constant(at.0);
            self.log(number);
            for &value in &graph.looks_at[at.index()] {
                let value = self.named(value);
                self.log(value);
            }
            let now = self.load(self.frame.visits);
            if node.size > 0 {
                let scaled = self.with(BinaryOp::Mul, now, 0x9e37_79b1);
                let result = self.named(computed(at));
                let rhs = self.constant(at.0 << 4);
                let inst = Inst::Binary {
                    op: BinaryOp::Xor,
                    fast_math: FastMath::default(),
                    lhs: scaled,
                    rhs,
                };
                self.define(inst, self.frame.int, result);
            }
            let next = self.with(BinaryOp::Add, now, 1);
            self.put(self.frame.visits, next);
            visit = Some(now);
        }
        self.exit(at, visit);
    }

    /// Returns the outcome of a branch on this visit.
    fn outcome(&mut self, at: CfgNodeId, visit: ValueId) -> ValueId {
        let steering = self.steering;
        // The same steps as `hash` takes.
        let seeded = self.with(BinaryOp::Mul, self.seed, 0x9e37_79b9);
        let counted = self.with(BinaryOp::Mul, visit, 0x85eb_ca6b);
        let mut h = self.binary(BinaryOp::Xor, seeded, counted);
        for (shift, factor) in [(16, 0x7feb_352d), (15, 0x846c_a68b), (16, 1)] {
            let shifted = self.with(BinaryOp::LShr, h, shift);
            h = self.binary(BinaryOp::Xor, h, shifted);
            h = self.with(BinaryOp::Mul, h, factor);
        }
        let outcomes = &steering.outcomes[at.index()];
        let nearest = self.constant(steering.nearest[at.index()]);
        let index = self.with(BinaryOp::URem, h, outcomes.len().max(1) as u32);
        let mut picked = nearest;
        for (number, &outcome) in outcomes.iter().enumerate() {
            let is_this = self.compare(CmpPredicate::IEq, index, number as u32);
            let outcome = self.constant(outcome);
            picked = self.select(is_this, outcome, picked);
        }
        let is_free = self.compare(CmpPredicate::IUlt, visit, FREE);
        self.select(is_free, picked, nearest)
    }

    fn exit(&mut self, at: CfgNodeId, visit: Option<ValueId>) {
        let graph = self.graph;
        match (&graph.cfg.node(at).exit, visit) {
            (Exit::Jump(to), _) => {
                let target = self.block_of(*to);
                self.emit(Inst::Br { target });
            }
            (Exit::Return(value), _) => {
                if let Some(value) = *value {
                    let value = self.named(value);
                    self.log(value);
                }
                self.emit(Inst::Ret { value: None.into() });
            }
            (
                Exit::Branch {
                    condition,
                    if_true,
                    if_false,
                },
                Some(visit),
            ) => {
                if let Some(value) = decision(condition) {
                    let value = self.named(value);
                    self.log(value);
                }
                let outcome = self.outcome(at, visit);
                // Outcome 0 is the false target, as in `targets`.
                let condition = self.compare(CmpPredicate::INe, outcome, 0);
                let [if_true, if_false] = [*if_true, *if_false].map(|to| self.block_of(to));
                self.emit(Inst::CondBr {
                    condition,
                    if_true,
                    if_false,
                });
            }
            (
                Exit::Switch {
                    selector,
                    default,
                    cases,
                },
                Some(visit),
            ) => {
                if let Some(value) = decision(selector) {
                    let value = self.named(value);
                    self.log(value);
                }
                let value = self.outcome(at, visit);
                let mut pairs = Vec::new();
                for (index, &(_, to)) in cases.iter().enumerate() {
                    pairs.push((self.constant(index as u32), self.block_of(to)));
                }
                let list = List::new(self.function.edge_pool.len() as u32, pairs.len() as u32);
                self.function.edge_pool.extend(pairs);
                let default = self.block_of(*default);
                self.emit(Inst::Switch {
                    value,
                    default,
                    cases: list,
                });
            }
            (Exit::Branch { .. } | Exit::Switch { .. } | Exit::Unreachable, _) => {
                self.emit(Inst::Unreachable);
            }
        }
    }
}
