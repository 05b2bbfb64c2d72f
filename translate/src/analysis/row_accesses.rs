//! The accesses of a function to vectors in group-shared and constant arrays that become one load
//! or store.
//!
//! Accesses of a block to the components of one vector ([`ArrayRows`]) go together as long as
//! nothing between them may change the memory or wait for another thread.

use std::collections::hash_map::Entry;

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{self, Callee, Memory};
use dxil_frontend::ir::{
    BinaryOp, FuncView, GlobalId, Inst, InstId, Type, TypeId, ValueDef, ValueId,
};
use dxil_frontend::tables::HashMap;

use crate::analysis::array_rows::{ArrayRows, LinearIndex, element};

/// The accesses of a function that go together.
#[derive(Debug, Default)]
pub(crate) struct RowAccesses {
    /// Loads that share one with others: number of the common load, and whether this one is the
    /// first.
    pub(crate) loads: HashMap<InstId, (usize, bool)>,
    /// Number of common loads.
    pub(crate) common_loads: usize,
    /// Stores that share one with others, which stands at the last of them: the values by component
    /// there, nothing elsewhere.
    pub(crate) stores: HashMap<InstId, Vec<ValueId>>,
}

/// Finds the accesses of a function that go together.
pub(super) fn find(shader: &Shader, view: FuncView<'_>, rows: &ArrayRows) -> RowAccesses {
    let mut planner = RowAccessPlanner {
        shader,
        view,
        rows,
        found: RowAccesses::default(),
    };
    if !rows.is_empty() {
        planner.plan();
    }
    planner.found
}

/// Accesses of a block to one vector.
struct Together {
    global: GlobalId,
    /// The scaled part, by the representative of its value, and the constant rows.
    row: Row,
    members: Vec<(InstId, u32, ValueId)>,
}

/// A row of a vector: the scaled part of its index and the constant one.
type Row = (Option<(ValueId, u32)>, i32);

/// The loads of a block that may still get company, in order.
#[derive(Default)]
struct OpenLoads {
    list: Vec<Vec<Together>>,
    /// Index in `list` of a variable's loads.
    of: HashMap<GlobalId, usize>,
    /// Index of the loads of a row among those of its variable.
    rows: HashMap<(GlobalId, Row), usize>,
}

impl OpenLoads {
    fn add(&mut self, global: GlobalId, row: Row, member: (InstId, u32, ValueId)) {
        let list = match self.of.entry(global) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.list.push(Vec::new());
                *new.insert(self.list.len() - 1)
            }
        };
        let list = &mut self.list[list];
        match self.rows.entry((global, row)) {
            Entry::Occupied(known) => list[*known.get()].members.push(member),
            Entry::Vacant(new) => {
                new.insert(list.len());
                list.push(Together {
                    global,
                    row,
                    members: vec![member],
                });
            }
        }
    }

    /// Removes the loads of a variable, or of all.
    fn take(&mut self, of: Option<GlobalId>) -> Vec<Together> {
        let Some(global) = of else {
            self.of.clear();
            self.rows.clear();
            return std::mem::take(&mut self.list)
                .into_iter()
                .flatten()
                .collect();
        };
        let taken = match self.of.get(&global) {
            Some(&list) => std::mem::take(&mut self.list[list]),
            None => Vec::new(),
        };
        for together in &taken {
            self.rows.remove(&(global, together.row));
        }
        taken
    }
}

struct RowAccessPlanner<'a> {
    shader: &'a Shader,
    view: FuncView<'a>,
    rows: &'a ArrayRows,
    found: RowAccesses,
}

impl RowAccessPlanner<'_> {
    fn plan(&mut self) {
        let view = self.view;
        let mut same = SameValues::default();
        for block in view.function.blocks.values() {
            let mut loads = OpenLoads::default();
            let mut stores: Option<Together> = None;
            for inst in block.insts() {
                let Some(data) = view.function.insts.get(inst) else {
                    continue;
                };
                same.note(view, data.result.expand(), &data.inst);
                match data.inst {
                    Inst::Load { pointer, .. } => {
                        let Some((global, width, index)) = self.access(pointer, data.ty) else {
                            continue;
                        };
                        // The common store would stand after this load, which has to see the
                        // components stored so far.
                        if stores.as_ref().is_some_and(|open| open.global == global) {
                            stores = None;
                        }
                        let row = same.row(index, width);
                        let member = (inst, index.component(width), pointer);
                        loads.add(global, row, member);
                    }
                    Inst::Store { pointer, value, .. } => {
                        let Some((global, width, index)) =
                            view.type_of(value).and_then(|ty| self.access(pointer, ty))
                        else {
                            continue;
                        };
                        // A common load stands at the first of its loads: one after this store
                        // must not join it.
                        self.plan_loads(&mut loads, Some(global));
                        let row = same.row(index, width);
                        let member = (inst, index.component(width), value);
                        match &mut stores {
                            Some(open)
                                if open.global == global
                                    && open.row == row
                                    && open.members.iter().all(|m| m.1 != member.1) =>
                            {
                                open.members.push(member);
                            }
                            _ => {
                                stores = Some(Together {
                                    global,
                                    row,
                                    members: vec![member],
                                });
                            }
                        }
                        if let Some(open) = stores.take_if(|o| o.members.len() == width as usize) {
                            self.plan_store(open);
                        }
                    }
                    Inst::AtomicRmw { .. } | Inst::CmpXchg { .. } | Inst::Fence { .. } => {
                        self.plan_loads(&mut loads, None);
                        stores = None;
                    }
                    Inst::Call { callee, args, .. }
                        if !leaves_memory(
                            self.shader,
                            view,
                            callee,
                            view.function.values_of(args),
                        ) =>
                    {
                        self.plan_loads(&mut loads, None);
                        stores = None;
                    }
                    _ => {}
                }
            }
            self.plan_loads(&mut loads, None);
        }
    }

    fn access(&self, pointer: ValueId, ty: TypeId) -> Option<(GlobalId, u32, LinearIndex)> {
        let (global, index) = element(self.view, pointer)?;
        let rows = self.rows.of(global)?;
        let types = &self.view.module.types;
        (types.get(rows.element) == types.get(ty)).then_some((global, rows.width, index))
    }

    /// Plans the common loads of a variable, or of all, and forgets them.
    fn plan_loads(&mut self, open: &mut OpenLoads, of: Option<GlobalId>) {
        for together in open.take(of) {
            let width = self.rows.of(together.global).map_or(0, |rows| rows.width);
            let parts = together.members.iter().fold(0_u32, |m, e| m | 1 << e.1);
            // Half of a vector of four is not worth the other half.
            if parts.count_ones() * 2 > width {
                let number = self.found.common_loads;
                self.found.common_loads += 1;
                for (place, &(inst, ..)) in together.members.iter().enumerate() {
                    self.found.loads.insert(inst, (number, place == 0));
                }
            }
        }
    }

    /// Plans the store of a whole vector, which stands where the last component was stored.
    fn plan_store(&mut self, mut together: Together) {
        // At the last one, since only there all values are defined.
        let last = together.members.last().map(|member| member.0);
        together.members.sort_unstable_by_key(|member| member.1);
        for &(inst, ..) in &together.members {
            let values = if last == Some(inst) {
                together.members.iter().map(|member| member.2).collect()
            } else {
                Vec::new()
            };
            self.found.stores.insert(inst, values);
        }
    }
}

/// Returns whether a call neither writes memory nor waits for other threads.
fn leaves_memory(shader: &Shader, view: FuncView<'_>, callee: ValueId, args: &[ValueId]) -> bool {
    let Some(ValueDef::Function(function)) = view.value(callee).map(|data| data.def) else {
        return false;
    };
    match shader.callees[function] {
        Callee::Ignored => true,
        Callee::DxOp(_) => ops::decode(view, args).is_ok_and(|op| {
            let memory = op.opcode().properties().memory;
            matches!(memory, Memory::ReadNone | Memory::ReadOnly)
        }),
        Callee::Function => false,
    }
}

/// Integer values of a function that are equal because they are computed in the same way: DXC
/// recomputes the index for each component.
#[derive(Default)]
struct SameValues {
    first: HashMap<(BinaryOp, ValueId, ValueId), ValueId>,
    /// The first value that is the same.
    same: HashMap<ValueId, ValueId>,
}

impl SameValues {
    fn of(&self, value: ValueId) -> ValueId {
        self.same.get(&value).copied().unwrap_or(value)
    }

    fn note(&mut self, view: FuncView<'_>, result: Option<ValueId>, inst: &Inst) {
        if let Inst::Binary { op, lhs, rhs, .. } = *inst
            && let Some(result) = result
            && view.type_of(result).map(|ty| view.module.types.get(ty)) == Some(&Type::Int(32))
        {
            let key = (op, self.of(lhs), self.of(rhs));
            let first = *self.first.entry(key).or_insert(result);
            self.same.insert(result, first);
        }
    }

    fn row(&self, index: LinearIndex, width: u32) -> Row {
        let scaled = index.scaled.map(|(value, factor)| (self.of(value), factor));
        (scaled, index.rows(width))
    }
}
