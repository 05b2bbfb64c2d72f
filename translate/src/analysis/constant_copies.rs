//! Local arrays that hold a part of a constant buffer: loads of elements read the buffer.
//!
//! HLSL makes a local array of `float4 rows[6] = cb.rows`, whose elements drivers keep in memory of
//! the lane or choose among in registers. Nothing changes a constant buffer while a shader runs, so
//! the array need not exist. Indices beyond an array's end are undefined in D3D12 (DXIL document,
//! "Out-of-bounds behavior"), and there they read another row, or zero.

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{BufferOp, Callee, Op, decode, op_arguments};
use dxil_frontend::ir::dominance::Predecessors;
use dxil_frontend::ir::{BlockId, CastOp, FuncView, Inst, InstId, Type, TypeId, ValueDef, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};

/// Words of a row of a constant buffer.
const ROW: i64 = 4;

/// The loads and stores of a function's arrays that are copies.
#[derive(Debug, Default)]
pub(crate) struct ConstantCopies {
    /// Loads that read the buffer, and the numbers of the elements.
    loads: HashMap<InstId, (CopiedWords, ValueId)>,
    /// Stores that are left out.
    stores: HashSet<InstId>,
}

/// The words of a buffer that an array is a copy of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CopiedWords {
    /// The buffer.
    pub(crate) handle: ValueId,
    /// Word of element 0 of the array; it need not lie in the buffer.
    pub(crate) first: i32,
    /// Words from one element to the next.
    pub(crate) step: u32,
}

impl ConstantCopies {
    /// Returns what a load reads and the number of its element, if it reads a copy.
    pub(crate) fn of_load(&self, inst: InstId) -> Option<(CopiedWords, ValueId)> {
        self.loads.get(&inst).copied()
    }

    /// Returns whether a store only makes a copy.
    pub(crate) fn is_store(&self, inst: InstId) -> bool {
        self.stores.contains(&inst)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.loads.is_empty()
    }
}

/// Finds the copies of a function.
pub(super) fn find(shader: &Shader, view: FuncView<'_>) -> ConstantCopies {
    let mut arrays = Arrays::of(view);
    let mut found = ConstantCopies::default();
    if arrays.list.is_empty() {
        return found;
    }
    arrays.add_uses(shader, view);
    let mut dominators = None;
    for array in arrays.list {
        // Drivers find the values of constant indices themselves.
        let is_indexed = array.loads.iter().any(|load| !load.is_constant);
        if array.has_other_uses || !is_indexed {
            continue;
        }
        let Some((copy, last)) = copy_of(shader, view, &array) else {
            continue;
        };
        // The handle is there wherever the array is read, and is no choice among several.
        if !is_in_entry_block(view, copy.handle)
            || !matches!(
                view.inst_data(copy.handle).map(|data| &data.inst),
                Some(Inst::Call { .. })
            )
        {
            continue;
        }
        let dominators = dominators.get_or_insert_with(|| {
            let predecessors = Predecessors::new(view.function);
            predecessors.dominators()
        });
        let follows = |load: &ArrayLoad| {
            let (stored, loaded) = (last.1.as_u32(), load.block.as_u32());
            if stored == loaded {
                load.inst > last.0
            } else {
                dominators.dominates(stored, loaded)
            }
        };
        if !array.loads.iter().all(follows) {
            continue;
        }
        let loads = array.loads.iter();
        found
            .loads
            .extend(loads.map(|load| (load.inst, (copy, load.index))));
        let stores = array.stores.iter();
        found.stores.extend(stores.map(|store| store.inst));
    }
    found
}

/// The arrays of a function, and the values that point to them.
#[derive(Default)]
struct Arrays {
    list: Vec<LocalArray>,
    /// Arrays by the value of their allocation.
    roots: HashMap<ValueId, usize>,
    /// Arrays by the value of a cast of their address. A cast changes what an element is, so that
    /// only what ignores its operand may take one.
    casts: HashMap<ValueId, usize>,
    /// Elements by address: the array, the index, and the block of the address.
    elements: HashMap<ValueId, (usize, ValueId, BlockId)>,
}

/// A local array of words.
struct LocalArray {
    element: TypeId,
    loads: Vec<ArrayLoad>,
    stores: Vec<ArrayStore>,
    has_other_uses: bool,
}

struct ArrayLoad {
    inst: InstId,
    block: BlockId,
    index: ValueId,
    is_constant: bool,
}

struct ArrayStore {
    inst: InstId,
    block: BlockId,
    /// A constant index.
    index: u64,
    value: ValueId,
}

impl Arrays {
    /// Finds the arrays. Addresses may come before allocations in the list of blocks, so that each
    /// kind has a pass of its own.
    fn of(view: FuncView<'_>) -> Self {
        let mut arrays = Arrays::default();
        let types = &view.module.types;
        for data in view.function.insts.values() {
            if let Inst::Alloca {
                allocated, count, ..
            } = data.inst
                && let Some(result) = data.result.expand()
                && let Type::Array { element, .. } = *types.get(allocated)
                && matches!(types.get(element), Type::Float | Type::Int(32))
                && view.constant_int(count) == Some(1)
            {
                arrays.roots.insert(result, arrays.list.len());
                arrays.list.push(LocalArray {
                    element,
                    loads: Vec::new(),
                    stores: Vec::new(),
                    has_other_uses: false,
                });
            }
        }
        if arrays.list.is_empty() {
            return arrays;
        }
        for (block, blocks) in view.function.blocks.iter() {
            for inst in blocks.insts() {
                let Some(data) = view.function.insts.get(inst) else {
                    continue;
                };
                let Some(result) = data.result.expand() else {
                    continue;
                };
                match data.inst {
                    Inst::Gep { operands, .. } => {
                        if let &[base, first, index] = view.function.values_of(operands)
                            && let Some(&array) = arrays.roots.get(&base)
                            && view.constant_int(first) == Some(0)
                        {
                            arrays.elements.insert(result, (array, index, block));
                        }
                    }
                    // Marks of a variable's life take such a pointer.
                    Inst::Cast {
                        op: CastOp::Bitcast,
                        value,
                    } => {
                        if let Some(&array) = arrays.roots.get(&value) {
                            arrays.casts.insert(result, array);
                        }
                    }
                    _ => {}
                }
            }
        }
        arrays
    }

    fn add_uses(&mut self, shader: &Shader, view: FuncView<'_>) {
        for (block, blocks) in view.function.blocks.iter() {
            for inst in blocks.insts() {
                let Some(data) = view.function.insts.get(inst) else {
                    continue;
                };
                match data.inst {
                    Inst::Load {
                        pointer, volatile, ..
                    } => {
                        if let Some(&(array, index, place)) = self.elements.get(&pointer)
                            && let Some(array) = self.list.get_mut(array)
                        {
                            // The index is known to be there in the block of the address.
                            array.has_other_uses |=
                                volatile || place != block || data.ty != array.element;
                            array.loads.push(ArrayLoad {
                                inst,
                                block,
                                index,
                                is_constant: view.constant_int(index).is_some(),
                            });
                            continue;
                        }
                    }
                    Inst::Store {
                        pointer,
                        value,
                        volatile,
                        ..
                    } => {
                        if let Some(&(array, index, _)) = self.elements.get(&pointer)
                            && self.array_of(value).is_none()
                            && let Some(array) = self.list.get_mut(array)
                        {
                            let same = view.type_of(value) == Some(array.element);
                            match view.constant_int(index).filter(|_| same && !volatile) {
                                Some(index) => array.stores.push(ArrayStore {
                                    inst,
                                    block,
                                    index,
                                    value,
                                }),
                                None => array.has_other_uses = true,
                            }
                            continue;
                        }
                    }
                    // These are the addresses that were found before.
                    Inst::Gep { .. } | Inst::Cast { .. }
                        if (data.result.expand()).is_some_and(|it| self.array_of(it).is_some()) =>
                    {
                        continue;
                    }
                    Inst::Call { callee, .. } if is_ignored(shader, view, callee) => continue,
                    _ => {}
                }
                view.function.for_each_operand(&data.inst, |value| {
                    if let Some(array) = self.array_of(value).and_then(|it| self.list.get_mut(it)) {
                        array.has_other_uses = true;
                    }
                });
            }
        }
    }

    /// Returns the array that a value points to or into.
    fn array_of(&self, value: ValueId) -> Option<usize> {
        let element = self.elements.get(&value).map(|found| found.0);
        let whole = || self.roots.get(&value).or_else(|| self.casts.get(&value));
        element.or_else(|| whole().copied())
    }
}

fn is_ignored(shader: &Shader, view: FuncView<'_>, callee: ValueId) -> bool {
    let Some(ValueDef::Function(function)) = view.value(callee).map(|data| data.def) else {
        return false;
    };
    matches!(shader.callees[function], Callee::Ignored)
}

/// Returns the buffer that an array is a copy of, and the last store with its block. All stores are
/// in one block, so that all elements are there after the last one.
fn copy_of(
    shader: &Shader,
    view: FuncView<'_>,
    array: &LocalArray,
) -> Option<(CopiedWords, (InstId, BlockId))> {
    let last = array.stores.iter().max_by_key(|store| store.inst)?;
    let mut words = Vec::with_capacity(array.stores.len());
    let mut buffer = None;
    for store in &array.stores {
        let (handle, word) = word_of(shader, view, store.value)?;
        if store.block != last.block || *buffer.get_or_insert(handle) != handle {
            return None;
        }
        // Within 16 bits, as words are within 34, so that no product below overflows.
        words.push((i64::from(u16::try_from(store.index).ok()?), word));
    }
    words.sort_unstable();
    let &[(index, word), (next_index, next_word), ..] = &*words else {
        return None;
    };
    // An element that is stored twice has no distance.
    let step = (next_word - word)
        .checked_div(next_index - index)
        .filter(|&step| step > 0)?;
    let first = word - index * step;
    if words
        .iter()
        .any(|&(index, word)| word != first + index * step)
        || words.windows(2).any(|pair| pair[0].0 == pair[1].0)
    {
        return None;
    }
    let copy = CopiedWords {
        handle: buffer?,
        first: i32::try_from(first).ok()?,
        step: u32::try_from(step).ok()?,
    };
    Some((copy, (last.inst, last.block)))
}

/// Returns the constant buffer and the word of it that a value is.
fn word_of(shader: &Shader, view: FuncView<'_>, value: ValueId) -> Option<(ValueId, i64)> {
    let Inst::ExtractValue { aggregate, indices } = view.inst_data(value)?.inst else {
        return None;
    };
    let &[component] = view.function.indices_of(indices) else {
        return None;
    };
    let call = view.inst_data(aggregate)?.inst;
    let arguments = op_arguments(view, &shader.callees, &call)?;
    let Op::Buffer(BufferOp::CBufferLoadLegacy(op)) = decode(view, arguments).ok()? else {
        return None;
    };
    let row = u32::try_from(view.constant_int(op.register)?).ok()?;
    let component = u16::try_from(component).ok()?;
    Some((op.buffer, i64::from(row) * ROW + i64::from(component)))
}

fn is_in_entry_block(view: FuncView<'_>, value: ValueId) -> bool {
    let Some(ValueDef::Inst(inst)) = view.value(value).map(|data| data.def) else {
        return false;
    };
    let entry = view.function.blocks.values().next();
    entry.is_some_and(|block| (block.first..block.end).contains(&inst))
}
