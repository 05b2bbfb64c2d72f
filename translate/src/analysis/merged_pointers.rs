//! Pointers that are one of several: phis and selects of addresses.
//!
//! SPIR-V has none for variables of functions, and for those of thread groups only with
//! `VariablePointers` (SPIR-V specification, 2.16.1 "Universal Validation Rules"). The variables
//! that such a pointer may lead to become parts of one array of cells, and the pointer an index
//! into it.

use dxil_frontend::ir::{Constant, FuncView, Inst, Type, TypeId, ValueDef, ValueId, address_space};
use dxil_frontend::tables::HashMap;
use petgraph::unionfind::UnionFind;

use crate::analysis::addresses::{self, RootKey};
use crate::analysis::layout::TypeLayouts;
use crate::spirv::StorageClass;

/// The pointers that are one of several, and the variables that they may lead to.
#[derive(Debug, Default)]
pub(crate) struct MergedPointers {
    /// Variables that one pointer may lead to, together.
    pub(crate) groups: Vec<VariableGroup>,
    /// The group that a phi or select of addresses leads into; index into `groups`.
    pub(crate) group_of_pointer: HashMap<RootKey, usize>,
    /// The group of a variable; index into `groups`.
    pub(crate) group_of_variable: HashMap<RootKey, usize>,
}

/// Variables that become parts of one array.
#[derive(Debug)]
pub(crate) struct VariableGroup {
    /// The variables, in the order in which they lie in the array.
    pub(crate) variables: Vec<GroupedVariable>,
    /// Size of the smallest access in bits.
    pub(crate) width: u32,
    /// The phis and selects of addresses that lead into it.
    pointers: Vec<RootKey>,
}

/// A variable of a group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GroupedVariable {
    /// The variable.
    pub(crate) key: RootKey,
    /// Its IR type.
    pub(crate) ty: TypeId,
    /// Its storage class if it were alone.
    pub(crate) class: StorageClass,
    /// Its initial value, if it has one.
    pub(crate) initializer: Option<ValueId>,
}

impl MergedPointers {
    /// Adds the pointers of a function.
    pub(super) fn add(&mut self, view: FuncView<'_>, layout: &TypeLayouts) {
        let types = &view.module.types;
        let is_pointer = |ty: TypeId| matches!(types.get(ty), Type::Pointer { .. });
        let mut merged = Vec::new();
        for data in view.function.insts.values() {
            if matches!(data.inst, Inst::Phi { .. } | Inst::Select { .. })
                && is_pointer(data.ty)
                && let Some(result) = data.result.expand()
            {
                merged.push(result);
            }
        }
        if merged.is_empty() {
            return;
        }
        let (mut sets, variables, unknown) = unite_merged(view);
        let mut members: HashMap<ValueId, Vec<ValueId>> = HashMap::default();
        for variable in variables {
            members
                .entry(sets.find(variable))
                .or_default()
                .push(variable);
        }
        // A pointer that may come from elsewhere (an argument, a loaded address) has no index into
        // an array of known variables.
        for address in unknown {
            members.remove(&sets.find(address));
        }
        for &value in &merged {
            // Sets of addresses that are not variables' (of a library's resources) have no members.
            if let Some(roots) = members.remove(&sets.find(value)) {
                self.merge(view, &roots);
            }
        }
        for data in view.function.insts.values() {
            let (Inst::Load { pointer, .. }
            | Inst::Store { pointer, .. }
            | Inst::AtomicRmw { pointer, .. }
            | Inst::CmpXchg { pointer, .. }) = data.inst
            else {
                continue;
            };
            let top = sets.find(addresses::behind_constants(view, pointer));
            let accessed = view.type_of(pointer).and_then(|ty| types.pointee(ty));
            let group = self.group_of_variable.get(&addresses::root_key(view, top));
            if let Some(&group) = group
                && let Some(accessed) = accessed
                && let Some(group) = self.groups.get_mut(group)
            {
                let width = layout.smallest_scalar(types, accessed);
                group.width = group.width.min(width);
            }
        }
        for value in merged {
            let top = sets.find(value);
            let key = (Some(view.function.id), value);
            if let Some(&number) = self.group_of_variable.get(&addresses::root_key(view, top))
                && let Some(group) = self.groups.get_mut(number)
            {
                group.pointers.push(key);
                self.group_of_pointer.insert(key, number);
            }
        }
    }

    /// Puts variables into one group; does nothing if one of them cannot be in a group.
    fn merge(&mut self, view: FuncView<'_>, roots: &[ValueId]) {
        let variables = roots.iter().map(|&root| grouped_variable(view, root));
        let Some(variables) = variables.collect::<Option<Vec<GroupedVariable>>>() else {
            return;
        };
        // The largest group stays, and the others move into it. A variable thus moves at most as
        // often as its group can double.
        let known = variables.iter();
        let known = known.filter_map(|v| self.group_of_variable.get(&v.key).copied());
        let size = |&group: &usize| self.groups.get(group).map_or(0, VariableGroup::size);
        let target = known.max_by_key(size).unwrap_or(self.groups.len());
        if target == self.groups.len() {
            self.groups.push(VariableGroup {
                variables: Vec::new(),
                // The largest cell; narrower accesses make it smaller.
                width: 64,
                pointers: Vec::new(),
            });
        }
        for variable in variables {
            match self.group_of_variable.get(&variable.key).copied() {
                Some(known) => self.move_group(known, target),
                None => {
                    self.group_of_variable.insert(variable.key, target);
                    if let Some(group) = self.groups.get_mut(target) {
                        group.variables.push(variable);
                    }
                }
            }
        }
    }

    /// Moves everything of a group into another one; the group is empty then.
    fn move_group(&mut self, from: usize, to: usize) {
        if from == to {
            return;
        }
        let Some(old) = self.groups.get_mut(from) else {
            return;
        };
        let variables = std::mem::take(&mut old.variables);
        let pointers = std::mem::take(&mut old.pointers);
        let width = old.width;
        for variable in &variables {
            self.group_of_variable.insert(variable.key, to);
        }
        for &pointer in &pointers {
            self.group_of_pointer.insert(pointer, to);
        }
        if let Some(group) = self.groups.get_mut(to) {
            group.variables.extend(variables);
            group.pointers.extend(pointers);
            group.width = group.width.min(width);
        }
    }
}

impl VariableGroup {
    fn size(&self) -> usize {
        self.variables.len() + self.pointers.len()
    }
}

/// Sets of a function's addresses that flow into each other.
struct AddressSets {
    sets: UnionFind<u32>,
    /// Numbers of the addresses that flow anywhere, in `sets`.
    numbers: HashMap<ValueId, u32>,
    /// The representatives of sets, by the number that `sets` has for a whole set.
    representatives: Vec<ValueId>,
}

impl AddressSets {
    fn new() -> AddressSets {
        AddressSets {
            sets: UnionFind::new_empty(),
            numbers: HashMap::default(),
            representatives: Vec::new(),
        }
    }

    fn number(&mut self, value: ValueId) -> u32 {
        *self.numbers.entry(value).or_insert_with(|| {
            self.representatives.push(value);
            self.sets.new_set()
        })
    }

    /// Returns the representative of all addresses that the address may flow into.
    fn find(&mut self, value: ValueId) -> ValueId {
        match self.numbers.get(&value) {
            Some(&number) => self.representatives[self.sets.find_mut(number) as usize],
            None => value,
        }
    }

    fn join(&mut self, a: ValueId, b: ValueId) {
        let (a, b) = (self.number(a), self.number(b));
        self.sets.union(a, b);
    }

    /// Makes an address the representative of its set.
    fn represent(&mut self, value: ValueId) {
        let number = self.number(value);
        let set = self.sets.find_mut(number);
        self.representatives[set as usize] = value;
    }
}

/// Returns the sets of addresses of a function that flow into each other, the variables among them,
/// and those that come from elsewhere. The representative of a set with variables is one of them.
fn unite_merged(view: FuncView<'_>) -> (AddressSets, Vec<ValueId>, Vec<ValueId>) {
    let types = &view.module.types;
    let mut sets = AddressSets::new();
    let mut variables = Vec::new();
    let mut unknown = Vec::new();
    let mut joins: Vec<(ValueId, ValueId)> = Vec::new();
    for data in view.function.insts.values() {
        let Some(result) = data.result.expand() else {
            continue;
        };
        if !matches!(types.get(data.ty), Type::Pointer { .. }) {
            continue;
        }
        match data.inst {
            Inst::Alloca { .. } => variables.push(result),
            Inst::Gep { operands, .. } => {
                let base = view.function.values_of(operands).first();
                joins.extend(base.map(|&base| (result, base)));
            }
            Inst::Cast { value, .. } => joins.push((result, value)),
            Inst::Select {
                if_true, if_false, ..
            } => joins.extend([(result, if_true), (result, if_false)]),
            Inst::Phi { incoming } => {
                let edges = view.function.edges_of(incoming).iter();
                joins.extend(edges.map(|&(value, _)| (result, value)));
            }
            _ => unknown.push(result),
        }
    }
    for (result, source) in joins {
        let source = addresses::behind_constants(view, source);
        match view.value(source).map(|data| data.def) {
            Some(ValueDef::Constant(_)) | None => {}
            def => {
                match def {
                    Some(ValueDef::Global(_)) => variables.push(source),
                    Some(ValueDef::Inst(_)) => {}
                    _ => unknown.push(source),
                }
                sets.join(result, source);
            }
        }
    }
    variables.sort_unstable();
    variables.dedup();
    // A variable becomes the representative of its set: groups are keyed by variables, which
    // functions share, and not by a function's own values.
    for &variable in &variables {
        sets.represent(variable);
    }
    (sets, variables, unknown)
}

/// Returns the properties of a variable of a group; `None` for other addresses.
fn grouped_variable(view: FuncView<'_>, root: ValueId) -> Option<GroupedVariable> {
    let (ty, class, initializer) = match view.value(root)?.def {
        ValueDef::Global(global) => {
            let data = view.module.globals.get(global)?;
            let class = match data.address_space {
                address_space::DEFAULT => StorageClass::Private,
                address_space::GROUP_SHARED => StorageClass::Workgroup,
                _ => return None,
            };
            let is_undef = |value| matches!(view.constant(value), Some(Constant::Undef));
            let initializer = data.initializer.filter(|&value| !is_undef(value));
            (data.ty, class, initializer)
        }
        ValueDef::Inst(inst) => match view.function.insts.get(inst)?.inst {
            Inst::Alloca { allocated, .. } => (allocated, StorageClass::Function, None),
            _ => return None,
        },
        _ => return None,
    };
    Some(GroupedVariable {
        key: addresses::root_key(view, root),
        ty,
        class,
        initializer,
    })
}
