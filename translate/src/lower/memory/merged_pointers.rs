//! Pointers that are one of several: phis and selects of addresses.
//!
//! SPIR-V has none for variables of functions and groups (without `VariablePointers`). The
//! variables that such a pointer may lead to become parts of one array of cells (see
//! [`super::variables`]), and the pointer an index into it, for which phis and selects are those of
//! integers.

use dxil_frontend::ir::{Constant, Inst, Type, TypeId, ValueDef, ValueId, address_space};
use rustc_hash::{FxHashMap, FxHashSet};

use super::variables;
use crate::constant_addresses::behind_constants;
use crate::lower::context::{Context, FunctionState};
use crate::lower::graphs::records;
use crate::lower::memory::state::{CellArray, Group, Pointer, PointerId, Root};
use crate::lower::values::Value;
use crate::spirv::{Id, StorageClass};
use crate::{Error, Result};

/// Addresses of a function that flow into each other: a forest in which all of one tree may meet.
#[derive(Default)]
struct UnionFind {
    parent: FxHashMap<ValueId, ValueId>,
}

impl UnionFind {
    /// What stands for all that the address meets.
    pub(in crate::lower) fn find(&mut self, value: ValueId) -> ValueId {
        let mut top = value;
        while let Some(&next) = self.parent.get(&top) {
            top = next;
        }
        // Every address on the way points to the top from now on.
        let mut at = value;
        while let Some(&next) = self.parent.get(&at) {
            self.parent.insert(at, top);
            at = next;
            if at == top {
                break;
            }
        }
        top
    }

    fn join(&mut self, a: ValueId, b: ValueId) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.parent.insert(a, b);
        }
    }
}

/// Finds the variables of the current function that one pointer may lead to. Runs over all
/// functions before the first is lowered.
pub(in crate::lower) fn find(cx: &mut Context<'_>) {
    let view = cx.function.view;
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
    let (mut sets, variables, unknown) = unite_merged(&cx.function);
    let mut members: FxHashMap<ValueId, Vec<ValueId>> = FxHashMap::default();
    for variable in variables {
        members
            .entry(sets.find(variable))
            .or_default()
            .push(variable);
    }
    for address in unknown {
        members.remove(&sets.find(address));
    }
    for &value in &merged {
        // Trees of addresses that are no variables' (of a library's resources) have no members.
        if let Some(roots) = members.remove(&sets.find(value)) {
            merge_roots(cx, &roots);
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
        let top = sets.find(behind_constants(view, pointer));
        let accessed = view.type_of(pointer).and_then(|ty| types.pointee(ty));
        if let Some(group) = cx
            .module
            .memory
            .group_of
            .get(&variables::root_key(&cx.function, top))
            .copied()
            && let Some(accessed) = accessed
            && let Some(group) = cx.module.memory.groups.get_mut(group)
        {
            let width = cx.module.memory.layout.smallest_scalar(types, accessed);
            group.width = group.width.min(width);
        }
    }
    for value in merged {
        let top = sets.find(value);
        let key = (Some(view.function.id), value);
        if let Some(&group) = cx
            .module
            .memory
            .group_of
            .get(&variables::root_key(&cx.function, top))
        {
            cx.module.memory.merged.insert(key, group);
        }
    }
}

/// Which addresses of the current function flow into each other, the variables among them, and
/// those that come from elsewhere. The top of a tree that has variables is one of them.
fn unite_merged(function: &FunctionState<'_>) -> (UnionFind, Vec<ValueId>, Vec<ValueId>) {
    let view = function.view;
    let types = &view.module.types;
    let mut sets = UnionFind::default();
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
        let source = behind_constants(view, source);
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
    let mut topped = FxHashSet::default();
    for &variable in &variables {
        let top = sets.find(variable);
        if top != variable && topped.insert(top) {
            sets.parent.remove(&variable);
            sets.parent.insert(top, variable);
            topped.insert(variable);
        }
    }
    (sets, variables, unknown)
}

/// Puts variables into one group.
fn merge_roots(cx: &mut Context<'_>, roots: &[ValueId]) -> Option<()> {
    let mut members = Vec::new();
    for &root in roots {
        members.push(root_of(&cx.function, root)?);
    }
    let target = cx.module.memory.groups.len();
    let mut group = Group {
        roots: Vec::new(),
        width: 64,
        made: None,
    };
    for root in members {
        match cx.module.memory.group_of.get(&root.key).copied() {
            Some(known) if known == target => {}
            Some(known) => {
                // All of that group move here.
                if let Some(old) = cx.module.memory.groups.get_mut(known) {
                    group.width = group.width.min(old.width);
                    group.roots.append(&mut old.roots);
                }
                let groups = cx.module.memory.group_of.values_mut();
                for group in groups.chain(cx.module.memory.merged.values_mut()) {
                    if *group == known {
                        *group = target;
                    }
                }
            }
            None => {
                cx.module.memory.group_of.insert(root.key, target);
                group.roots.push(root);
            }
        }
    }
    cx.module.memory.groups.push(group);
    Some(())
}

fn root_of(function: &FunctionState<'_>, root: ValueId) -> Option<Root> {
    let view = function.view;
    let (ty, class, initializer) = match view.value(root)?.def {
        ValueDef::Global(global) => {
            let data = view.module.globals.get(global)?;
            let class = match data.address_space {
                address_space::DEFAULT => StorageClass::Private,
                address_space::GROUP_SHARED => StorageClass::Workgroup,
                _ => return None,
            };
            let initializer = data
                .initializer
                .filter(|&value| class == StorageClass::Private && !function.is_undef(value));
            (data.ty, class, initializer)
        }
        ValueDef::Inst(inst) => match view.function.insts.get(inst)?.inst {
            Inst::Alloca { allocated, .. } => (allocated, StorageClass::Function, None),
            _ => return None,
        },
        _ => return None,
    };
    Some(Root {
        key: variables::root_key(function, root),
        ty,
        class,
        initializer,
        first: 0,
    })
}

/// The place of a variable in the array of its group, if it has one.
pub(super) fn grouped_variable(cx: &mut Context<'_>, root: ValueId) -> Result<Option<Pointer>> {
    let key = variables::root_key(&cx.function, root);
    let Some(&index) = cx.module.memory.group_of.get(&key) else {
        return Ok(None);
    };
    let made = group_array(cx, index)?;
    let place = cx.module.memory.groups.get(index).and_then(|group| {
        let root = group.roots.iter().find(|root| root.key == key)?;
        Some((root.first, root.ty))
    });
    let (first, pointee) = place.ok_or_else(|| Error::internal("a variable of no group"))?;
    let cell = made.at(cx.b.const_u32(first));
    Ok(Some(Pointer::Cells { cell, pointee }))
}

fn group_array(cx: &mut Context<'_>, index: usize) -> Result<CellArray> {
    let group = cx
        .module
        .memory
        .groups
        .get_mut(index)
        .ok_or_else(|| Error::internal("no such group of variables"))?;
    if let Some(made) = group.made {
        return Ok(made);
    }
    let mut roots = std::mem::take(&mut group.roots);
    let mut width = group.width;
    let types = cx.input.types();
    let mut class = roots.first().map_or(StorageClass::Private, |r| r.class);
    for root in &roots {
        width = width.min(cx.module.memory.layout.smallest_scalar(types, root.ty));
        if let Some(&cells) = cx.module.memory.cells.get(&root.key) {
            width = width.min(cells);
        }
        if root.class != class {
            // Allocas and global variables are one address space in the IR.
            class = StorageClass::Private;
        }
    }
    let bytes = u64::from(width / 8);
    let mut cells = 0_u64;
    for root in &mut roots {
        root.first = u32::try_from(cells).unwrap_or(u32::MAX);
        cells += cx.module.memory.layout.size(types, root.ty).div_ceil(bytes);
    }
    let count = u32::try_from(cells.max(1))
        .map_err(|_| Error::unsupported("variables of more than 4 GiB"))?;
    let cell = cx.b.uint(width);
    let array = cx.b.array(cell, count);
    let initializer = match roots.iter().any(|root| root.initializer.is_some()) {
        true => {
            let constants: Vec<_> = roots
                .iter()
                .filter_map(|root| Some((root.initializer?, root.ty, root.first)))
                .collect();
            Some(initial_cells(cx, &constants, array, width, count)?)
        }
        false => None,
    };
    let variable = variables::new_variable(cx, array, class, initializer);
    let made = CellArray {
        variable,
        width,
        class,
    };
    if let Some(group) = cx.module.memory.groups.get_mut(index) {
        group.roots = roots;
        group.made = Some(made);
    }
    Ok(made)
}

/// The first contents of an array of cells: constants, their types and their first cells.
pub(super) fn initial_cells(
    cx: &mut Context<'_>,
    constants: &[(ValueId, TypeId, u32)],
    array: Id,
    width: u32,
    count: u32,
) -> Result<Id> {
    let bytes = width as usize / 8;
    let count = count.max(1);
    if count > 1 << 16 {
        return Err(Error::unsupported("constants of more than 65,536 cells"));
    }
    let mut image = vec![0_u8; count as usize * bytes];
    for &(value, ty, first) in constants {
        write_constant(cx, value, ty, first as usize * bytes, &mut image)?;
    }
    let mut cells = Vec::with_capacity(count as usize);
    for cell in image.chunks_exact(bytes) {
        let mut word = [0; 8];
        word[..bytes].copy_from_slice(cell);
        cells.push(cx.b.const_uint(width, u64::from_le_bytes(word)));
    }
    Ok(cx.b.const_composite(array, &cells))
}

/// Writes a constant's bytes as they lie in memory.
fn write_constant(
    cx: &Context<'_>,
    value: ValueId,
    ty: TypeId,
    at: usize,
    image: &mut [u8],
) -> Result<()> {
    let types = cx.input.types();
    let layout = &cx.module.memory.layout;
    let scalar = |bits: u64, ty: TypeId, at: usize, image: &mut [u8]| {
        let size = layout.size(types, ty) as usize;
        if let Some(to) = image.get_mut(at..at + size.min(8)) {
            to.copy_from_slice(&bits.to_le_bytes()[..size.min(8)]);
        }
    };
    match cx.function.view.constant(value) {
        Some(Constant::Null | Constant::Undef) => {}
        Some(Constant::Int(bits) | Constant::Float(bits)) => scalar(bits, ty, at, image),
        Some(Constant::Data(list)) => {
            let (Type::Array { element, .. } | Type::Vector { element, .. }) = *types.get(ty)
            else {
                return Err(Error::malformed("constant data that is no array"));
            };
            let size = layout.size(types, element) as usize;
            for (i, &bits) in cx
                .function
                .view
                .constant_data(value, list)
                .iter()
                .enumerate()
            {
                scalar(bits, element, at + i * size, image);
            }
        }
        Some(Constant::Aggregate(list)) => {
            for (i, &member) in cx
                .function
                .view
                .constant_elements(value, list)
                .iter()
                .enumerate()
            {
                let (offset, member_ty) = match types.get(ty) {
                    Type::Array { element, .. } | Type::Vector { element, .. } => {
                        (i as u64 * layout.size(types, *element), *element)
                    }
                    Type::Struct { fields, .. } => match fields.get(i) {
                        Some(&field) => (layout.field_offset(types, ty, i), field),
                        None => break,
                    },
                    _ => return Err(Error::malformed("a constant with members")),
                };
                write_constant(cx, member, member_ty, at + offset as usize, image)?;
            }
        }
        _ => return Err(Error::unsupported("an expression in constant memory")),
    }
    Ok(())
}

/// Whether a value is an address.
pub(in crate::lower) fn is_pointer(cx: &Context<'_>, value: ValueId) -> bool {
    let types = cx.input.types();
    cx.function
        .view
        .type_of(value)
        .is_some_and(|ty| matches!(types.get(ty), Type::Pointer { .. }))
}

/// SPIR-V type of what stands for an address in phis and selects.
pub(in crate::lower) fn pointer_word(cx: &mut Context<'_>, value: ValueId) -> Id {
    match records::is_record_pointer(cx, value) {
        true => cx.b.uint(64),
        false => cx.b.u32(),
    }
}

/// The index that a phi names for an address; `None` if it is not lowered yet.
pub(in crate::lower) fn pointer_index(cx: &mut Context<'_>, value: ValueId) -> Result<Option<Id>> {
    let pointer = match (
        cx.function.values.get(value),
        cx.function.view.constant(value),
    ) {
        (Value::Pointer(pointer), _) => pointer,
        (_, Some(Constant::Undef | Constant::Null)) => {
            let ty = pointer_word(cx, value);
            return Ok(Some(cx.b.undef(ty)));
        }
        _ if matches!(
            cx.function.view.value(value).map(|data| data.def),
            Some(ValueDef::Inst(_))
        ) =>
        {
            return Ok(None);
        }
        _ => variables::lower_pointer(cx, value)?,
    };
    match variables::pointer_data(cx, pointer)? {
        Pointer::Cells { cell, .. } => Ok(Some(cell.index)),
        Pointer::Address { address, .. } => Ok(Some(address)),
        Pointer::Typed { .. } => Err(Error::unsupported("a phi of pointers")),
    }
}

/// An address from an index into the array of what it may lead to.
pub(in crate::lower) fn merged_pointer(
    cx: &mut Context<'_>,
    value: ValueId,
    index: Id,
) -> Result<PointerId> {
    let unknown = || Error::unsupported("a phi of pointers");
    if records::is_record_pointer(cx, value) {
        let pointer = records::record_pointer(&cx.input, index, cx.function.type_of(value)?)?;
        return Ok(cx.module.memory.add(pointer));
    }
    let key = (Some(cx.function.view.function.id), value);
    let group = cx.module.memory.merged.get(&key).copied();
    let made = group_array(cx, group.ok_or_else(unknown)?)?;
    let ty = cx.function.type_of(value)?;
    let pointee = cx
        .input
        .shader
        .module
        .types
        .pointee(ty)
        .ok_or_else(unknown)?;
    let cell = made.at(index);
    Ok(cx.module.memory.add(Pointer::Cells { cell, pointee }))
}

/// `select` of two addresses.
pub(in crate::lower) fn select_pointer(
    cx: &mut Context<'_>,
    result: ValueId,
    condition: ValueId,
    if_true: ValueId,
    if_false: ValueId,
) -> Result<Value> {
    let condition = cx.id(condition)?;
    let mut sides = [Id::NONE; 2];
    for (side, value) in sides.iter_mut().zip([if_true, if_false]) {
        *side = pointer_index(cx, value)?
            .ok_or_else(|| Error::malformed(format!("{value} is not defined yet")))?;
    }
    let ty = pointer_word(cx, result);
    let index = cx.b.select(ty, condition, sides[0], sides[1]);
    Ok(Value::Pointer(merged_pointer(cx, result, index)?))
}
