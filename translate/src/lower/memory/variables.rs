//! Variables and pointers: allocas, groupshared and constant globals, `getelementptr`, loads and
//! stores.
//!
//! SPIR-V's logical addressing has no pointer casts. A variable whose pointers are never cast keeps
//! its type, and address arithmetic becomes `OpAccessChain`. A variable that is looked at through
//! another type (atomics on a float, 16-bit views, unions that the optimizer made) becomes an array
//! of integer *cells* as wide as the smallest access; pointers into it are cell indices and wider
//! values are put together from several cells.

use cranelift_entity::EntityRef;
use cranelift_entity::packed_option::ReservedValue;
use dxil_frontend::ir::{
    CastOp, Constant, ConstantExpr, FuncView, GlobalId, Inst, Module, Type, TypeId, ValueDef,
    ValueId,
};
use rustc_hash::FxHashMap;

use super::cells::{Cell, CellArray};
use super::layout::Layout;
use super::merged_pointers::{Group, RootKey};
use crate::lower::Lowering;
use crate::lower::context::Value;
use crate::spirv::{Decoration, Id, StorageClass};
use crate::{Error, Result};

/// What is refused of pointers.
const NO_VARIABLE: &str = "a pointer that is neither a variable nor an address in one";

/// Index into the table of pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::lower) struct PointerId(u32);

/// Variables and pointers of the module under construction.
#[derive(Debug, Default)]
pub(in crate::lower) struct Memory {
    /// How memory is laid out in the IR.
    pub(in crate::lower) layout: Layout,
    globals: Vec<Option<PointerId>>,
    pointers: Vec<Pointer>,
    /// Width of the cells of variables that are looked at through several types.
    pub(in crate::lower) cells: FxHashMap<RootKey, u32>,
    /// Variables that one pointer may lead to, together.
    pub(in crate::lower) groups: Vec<Group>,
    /// The group that a phi or select of addresses leads into.
    pub(in crate::lower) merged: FxHashMap<RootKey, usize>,
    /// The group of a variable.
    pub(in crate::lower) group_of: FxHashMap<RootKey, usize>,
    /// Group-shared arrays of vectors.
    pub(in crate::lower) rows: super::shared_rows::SharedRows,
    /// Ids of whole variables, in order.
    variables: Vec<Id>,
    /// Conditions for pointers to lead where they say.
    guards: FxHashMap<PointerId, Id>,
}

/// An address.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) enum Pointer {
    /// Into a variable that keeps its type.
    Typed {
        /// The SPIR-V pointer.
        id: Id,
        /// IR type that it points to.
        pointee: TypeId,
        /// Where it lies in the array around it: address of the array and index, so that pointer
        /// arithmetic can go on from here.
        place: Option<(Id, Id)>,
        /// Storage class.
        class: StorageClass,
    },
    /// Into a variable of cells.
    Cells {
        /// The first cell.
        cell: Cell,
        /// IR type that it points to now.
        pointee: TypeId,
    },
    /// Into a node's record.
    Address {
        /// The device address.
        address: Id,
        /// IR type that it points to now.
        pointee: TypeId,
    },
}

impl Pointer {
    /// Storage class.
    pub(in crate::lower) fn class(&self) -> StorageClass {
        match *self {
            Pointer::Typed { class, .. } => class,
            Pointer::Cells { cell, .. } => cell.array.class,
            Pointer::Address { .. } => StorageClass::PhysicalStorageBuffer,
        }
    }
}

impl Memory {
    /// Memory of a module.
    pub(in crate::lower) fn of(module: &Module) -> Self {
        Memory {
            layout: Layout::of(module),
            ..Memory::default()
        }
    }

    pub(in crate::lower) fn add(&mut self, pointer: Pointer) -> PointerId {
        self.pointers.push(pointer);
        PointerId(self.pointers.len() as u32 - 1)
    }

    /// Says under which condition a pointer leads where it says; elsewhere it leads to another element.
    pub(in crate::lower) fn guard(&mut self, pointer: PointerId, inside: Option<Id>) {
        if let Some(inside) = inside {
            self.guards.insert(pointer, inside);
        }
    }

    /// That condition.
    pub(in crate::lower) fn guard_of(&self, pointer: PointerId) -> Option<Id> {
        self.guards.get(&pointer).copied()
    }

    /// Whether a global variable is a part of an array of several.
    fn is_grouped(&self, global: ValueId) -> bool {
        self.group_of.contains_key(&(None, global))
    }

    /// Whether an id is a whole variable. Ids grow, so they are sorted.
    pub(in crate::lower) fn is_variable(&self, id: Id) -> bool {
        self.variables.binary_search(&id).is_ok()
    }

    /// The variable of a global that the code has named.
    pub(in crate::lower) fn of_global(&self, global: GlobalId) -> Option<Pointer> {
        let pointer = self.globals.get(global.index()).copied().flatten()?;
        self.get(pointer)
    }

    pub(in crate::lower) fn get(&self, id: PointerId) -> Option<Pointer> {
        self.pointers.get(id.0 as usize).copied()
    }
}

/// Follows a pointer to its variable; tells whether a cast on the way changes how memory is read.
fn trace(view: FuncView<'_>, mut pointer: ValueId) -> Option<(ValueId, bool)> {
    let mut cast = false;
    // Definitions precede uses, so this ends; the cap is against malformed input.
    for _ in 0..1024 {
        let data = view.value(pointer)?;
        let next = match data.def {
            // A parameter may be the address of a ray's payload.
            ValueDef::Global(_) | ValueDef::Argument(_) => return Some((pointer, cast)),
            ValueDef::Inst(inst) => match view.function.insts.get(inst)?.inst {
                // A call gives the address of a mesh shader's payload.
                Inst::Alloca { .. } | Inst::Call { .. } => return Some((pointer, cast)),
                Inst::Gep { operands, .. } => *view.function.values_of(operands).first()?,
                Inst::Cast { op, value } => {
                    cast |= changes_view(view, op, value, data.ty);
                    value
                }
                _ => return None,
            },
            ValueDef::Constant(Constant::Expr(ConstantExpr::Gep { operands, .. })) => {
                *view.constant_elements(pointer, operands).first()?
            }
            ValueDef::Constant(Constant::Expr(ConstantExpr::Cast { op, value })) => {
                cast |= changes_view(view, op, value, data.ty);
                value
            }
            _ => return None,
        };
        pointer = next;
    }
    None
}

/// Whether a pointer cast reads memory as something other than its first member.
fn changes_view(view: FuncView<'_>, op: CastOp, value: ValueId, to: TypeId) -> bool {
    let types = &view.module.types;
    if op == CastOp::AddrSpaceCast {
        return false;
    }
    let (Some(from), Some(to)) = (
        view.type_of(value).and_then(|ty| types.pointee(ty)),
        types.pointee(to),
    ) else {
        return true;
    };
    first_member_depth(view, from, to).is_none()
}

/// How many first members lie between a type and its prefix; `None` if it is not one.
pub(in crate::lower) fn first_member_depth(
    view: FuncView<'_>,
    mut from: TypeId,
    to: TypeId,
) -> Option<usize> {
    for depth in 0..64 {
        if from == to || view.module.types.get(from) == view.module.types.get(to) {
            return Some(depth);
        }
        from = match view.module.types.get(from) {
            Type::Array { element, .. } | Type::Vector { element, .. } => *element,
            Type::Struct { fields, .. } => *fields.first()?,
            _ => return None,
        };
    }
    None
}

fn root_type(view: FuncView<'_>, root: ValueId) -> Option<TypeId> {
    match view.value(root)?.def {
        ValueDef::Global(global) => Some(view.module.globals.get(global)?.ty),
        ValueDef::Inst(inst) => match view.function.insts.get(inst)?.inst {
            Inst::Alloca { allocated, .. } => Some(allocated),
            Inst::Call { .. } => view.module.types.pointee(view.type_of(root)?),
            _ => None,
        },
        ValueDef::Argument(_) => view.module.types.pointee(view.type_of(root)?),
        _ => None,
    }
}

/// The variable that a pointer leads to: a global, a parameter, an alloca, or the call that gave its address.
pub(in crate::lower) fn root_of(view: FuncView<'_>, pointer: ValueId) -> Option<ValueId> {
    trace(view, pointer).map(|(root, _)| root)
}

impl Lowering<'_> {
    /// Finds the variables of the current function (and the globals it uses) that are looked at
    /// through another type, and the width of their cells. Runs over all functions before the first
    /// is lowered.
    pub(in crate::lower) fn find_reinterpreted_memory(&mut self) {
        let view = self.view;
        let types = &view.module.types;
        for data in view.function.insts.values() {
            let (Inst::Load { pointer, .. }
            | Inst::Store { pointer, .. }
            | Inst::AtomicRmw { pointer, .. }
            | Inst::CmpXchg { pointer, .. }) = data.inst
            else {
                continue;
            };
            if self.is_record_pointer(pointer) {
                continue;
            }
            // A plain variable or one step into it is the common case.
            let Some((root, true)) = trace(view, pointer) else {
                continue;
            };
            let Some(accessed) = view.type_of(pointer).and_then(|ty| types.pointee(ty)) else {
                continue;
            };
            let mut width = self.memory.layout.smallest_scalar(types, accessed);
            if let Some(whole) = root_type(view, root) {
                width = width.min(self.memory.layout.smallest_scalar(types, whole));
            }
            let key = self.root_key(root);
            let known = self.memory.cells.entry(key).or_insert(width);
            *known = (*known).min(width);
        }
    }

    /// Globals are one for all functions, and so is the payload, however many calls give its
    /// address; allocas are the function's own.
    pub(in crate::lower) fn root_key(&self, root: ValueId) -> RootKey {
        if let Some(ValueDef::Inst(inst)) = self.view.value(root).map(|data| data.def)
            && let Some(data) = self.view.function.insts.get(inst)
            && matches!(data.inst, Inst::Call { .. })
        {
            return (None, ValueId::reserved_value());
        }
        let is_global = root.index() < self.view.function.first_value as usize;
        ((!is_global).then_some(self.view.function.id), root)
    }

    /// The pointer that an IR value is.
    pub(in crate::lower) fn pointer(&mut self, value: ValueId) -> Result<PointerId> {
        if let Value::Pointer(pointer) = self.values.get(value) {
            return Ok(pointer);
        }
        let data = self
            .view
            .value(value)
            .ok_or_else(|| Error::malformed(format!("{value} is not defined")))?;
        match data.def {
            ValueDef::Global(global) => self.global_pointer(global),
            ValueDef::Inst(inst) => match self.view.function.insts.get(inst).map(|i| i.inst) {
                Some(Inst::Gep { operands, .. })
                    if self.is_shared_component(self.view.function.values_of(operands)) =>
                {
                    self.gep(self.view.function.values_of(operands))
                }
                _ => Err(Error::unsupported(NO_VARIABLE)),
            },
            ValueDef::Constant(Constant::Expr(ConstantExpr::Gep { operands, .. })) => {
                let operands = self.view.constant_elements(value, operands);
                self.gep(operands)
            }
            ValueDef::Constant(Constant::Expr(ConstantExpr::Cast {
                op: CastOp::Bitcast | CastOp::AddrSpaceCast,
                value: operand,
            })) => self.cast_pointer(operand, data.ty),
            _ => Err(Error::unsupported(NO_VARIABLE)),
        }
    }

    /// The pointer behind an id of the table.
    pub(in crate::lower) fn pointer_data(&self, id: PointerId) -> Result<Pointer> {
        self.memory
            .get(id)
            .ok_or_else(|| Error::internal("a pointer that is not in the table"))
    }

    /// The pointer as a SPIR-V value.
    pub(in crate::lower) fn pointer_id(&mut self, id: PointerId) -> Result<Id> {
        match self.pointer_data(id)? {
            Pointer::Typed { id, .. } | Pointer::Address { address: id, .. } => Ok(id),
            Pointer::Cells { .. } => Err(Error::unsupported(
                "a pointer into reinterpreted memory as a value",
            )),
        }
    }

    pub(in crate::lower) fn global_pointer(&mut self, global: GlobalId) -> Result<PointerId> {
        if let Some(Some(pointer)) = self.memory.globals.get(global.index()) {
            return Ok(*pointer);
        }
        let data = self
            .view
            .module
            .globals
            .get(global)
            .ok_or_else(|| Error::malformed(format!("{global} is not defined")))?;
        let class = match data.address_space {
            3 if self.payload.shared == Some(data.value) => StorageClass::TaskPayloadWorkgroupEXT,
            3 => StorageClass::Workgroup,
            0 => StorageClass::Private,
            other => {
                return Err(Error::unsupported(format!(
                    "a global variable in address space {other}"
                )));
            }
        };
        let initializer = match data.initializer {
            Some(value) if class == StorageClass::Private && !self.is_undef(value) => Some(value),
            _ => None,
        };
        let pointer = self.variable(data.value, data.ty, class, initializer)?;
        let id = match self.pointer_data(pointer)? {
            Pointer::Typed { id, .. } | Pointer::Address { address: id, .. } => id,
            Pointer::Cells { cell, .. } => cell.array.variable,
        };
        if !self.memory.is_grouped(data.value) {
            if self.options.debug_info {
                self.b.name(id, &data.name);
            }
            if data.is_constant && class == StorageClass::Private && self.b.version() >= 0x0001_0400
            {
                self.b.decorate(id, Decoration::NonWritable, &[]);
            }
        }
        let slots = &mut self.memory.globals;
        if slots.len() <= global.index() {
            slots.resize(global.index() + 1, None);
        }
        slots[global.index()] = Some(pointer);
        Ok(pointer)
    }

    /// Makes the variable that `root` stands for.
    pub(in crate::lower) fn variable(
        &mut self,
        root: ValueId,
        ty: TypeId,
        class: StorageClass,
        initializer: Option<ValueId>,
    ) -> Result<PointerId> {
        if let Some(value) = initializer {
            self.check_initializer(value)?;
        }
        let pointer = if let Some(place) = self.grouped_variable(root)? {
            place
        } else if let Some(&width) = self.memory.cells.get(&self.root_key(root)) {
            let bytes = self.memory.layout.size(&self.view.module.types, ty);
            let count = u32::try_from(bytes.div_ceil(u64::from(width / 8)))
                .map_err(|_| Error::unsupported("a variable of more than 4 GiB"))?;
            let cell = self.b.uint(width);
            let array = self.b.array(cell, count.max(1));
            let initializer = match initializer {
                Some(value) => Some(self.initial_cells(&[(value, ty, 0)], array, width, count)?),
                None => None,
            };
            let cells = CellArray {
                variable: self.new_variable(array, class, initializer),
                width,
                class,
            };
            Pointer::Cells {
                cell: cells.at(self.b.const_u32(0)),
                pointee: ty,
            }
        } else {
            let initializer = initializer.map(|value| self.id(value)).transpose()?;
            let spirv_ty = match self.shared_rows_type(root)? {
                Some(rows) => rows,
                None => self.ty(ty)?,
            };
            Pointer::Typed {
                id: self.new_variable(spirv_ty, class, initializer),
                pointee: ty,
                place: None,
                class,
            }
        };
        Ok(self.memory.add(pointer))
    }

    pub(in crate::lower) fn new_variable(
        &mut self,
        ty: Id,
        class: StorageClass,
        initializer: Option<Id>,
    ) -> Id {
        let pointer_ty = self.b.pointer(class, ty);
        let id = if class == StorageClass::Function {
            self.b.local_variable(pointer_ty, initializer)
        } else {
            self.b.global_variable(class, pointer_ty, initializer)
        };
        self.memory.variables.push(id);
        id
    }

    /// `alloca`.
    pub(in crate::lower) fn alloca(
        &mut self,
        result: ValueId,
        allocated: TypeId,
        count: ValueId,
    ) -> Result<Value> {
        if self.constant_int(count) != Some(1) {
            return Err(Error::unsupported("alloca of several elements"));
        }
        let pointer = self.variable(result, allocated, StorageClass::Function, None)?;
        Ok(Value::Pointer(pointer))
    }

    /// `load`.
    pub(in crate::lower) fn load(&mut self, pointer: ValueId, ty: TypeId) -> Result<Id> {
        let pointer = self.pointer(pointer)?;
        if let Pointer::Typed { pointee, .. } = self.pointer_data(pointer)? {
            self.same_type(pointee, ty)?;
        }
        self.load_whole(pointer, ty)
    }

    /// `store`.
    pub(in crate::lower) fn store(&mut self, pointer: ValueId, value: ValueId) -> Result<()> {
        let ty = self.type_of(value)?;
        let value = self.id(value)?;
        let pointer = self.pointer(pointer)?;
        if let Pointer::Typed { pointee, .. } = self.pointer_data(pointer)? {
            self.same_type(pointee, ty)?;
        }
        self.store_whole(pointer, ty, value)
    }

    /// All that a pointer points to.
    pub(in crate::lower) fn load_whole(&mut self, pointer: PointerId, ty: TypeId) -> Result<Id> {
        let Some(inside) = self.memory.guard_of(pointer) else {
            return self.load_unguarded(pointer, ty);
        };
        let part = self.begin_if(inside);
        let value = self.load_unguarded(pointer, ty)?;
        let ty = self.ty(ty)?;
        let zero = self.b.const_null(ty);
        Ok(self.end_if_with(part, ty, value, zero))
    }

    fn load_unguarded(&mut self, pointer: PointerId, ty: TypeId) -> Result<Id> {
        match self.pointer_data(pointer)? {
            Pointer::Typed { id, .. } => {
                let ty = self.ty(ty)?;
                Ok(self.b.load(ty, id))
            }
            Pointer::Cells { cell, .. } => self.load_cells(cell, ty),
            Pointer::Address { address, .. } => self.load_record(address, ty),
        }
    }

    /// Writes all that a pointer points to.
    pub(in crate::lower) fn store_whole(
        &mut self,
        pointer: PointerId,
        ty: TypeId,
        whole: Id,
    ) -> Result<()> {
        let Some(inside) = self.memory.guard_of(pointer) else {
            return self.store_unguarded(pointer, ty, whole);
        };
        let part = self.begin_if(inside);
        self.store_unguarded(pointer, ty, whole)?;
        self.end_if(part);
        Ok(())
    }

    fn store_unguarded(&mut self, pointer: PointerId, ty: TypeId, whole: Id) -> Result<()> {
        match self.pointer_data(pointer)? {
            Pointer::Typed { id, .. } => {
                self.b.store(id, whole);
                Ok(())
            }
            Pointer::Cells { cell, .. } => self.store_cells(cell, ty, whole),
            Pointer::Address { address, .. } => self.store_record(address, ty, whole),
        }
    }

    /// Loads the float that lies so many floats behind a pointer to one.
    pub(in crate::lower) fn load_float_behind(
        &mut self,
        pointer: ValueId,
        offset: Id,
    ) -> Result<Id> {
        let ty = self.b.f32();
        let (address, is_cell) = self.element_address(pointer, offset)?;
        if !is_cell {
            return Ok(self.b.load(ty, address));
        }
        let word = self.b.u32();
        let bits = self.b.load(word, address);
        Ok(self.b.bitcast(ty, bits))
    }

    /// Stores a float so many floats behind a pointer to one.
    pub(in crate::lower) fn store_float_behind(
        &mut self,
        pointer: ValueId,
        offset: Id,
        value: Id,
    ) -> Result<()> {
        let (address, is_cell) = self.element_address(pointer, offset)?;
        let value = match is_cell {
            true => {
                let word = self.b.u32();
                self.b.bitcast(word, value)
            }
            false => value,
        };
        self.b.store(address, value);
        Ok(())
    }

    /// The address, and whether it is one of a 32-bit cell.
    fn element_address(&mut self, pointer: ValueId, offset: Id) -> Result<(Id, bool)> {
        let pointer = self.pointer(pointer)?;
        match self.pointer_data(pointer)? {
            Pointer::Typed {
                pointee,
                place: Some((array, at)),
                class,
                ..
            } if *self.view.module.types.get(pointee) == Type::Float => {
                let at = self.b.u32_add(at, offset);
                let ty = self.b.f32();
                let pointer_ty = self.b.pointer(class, ty);
                Ok((self.b.access_chain(pointer_ty, array, &[at]), false))
            }
            Pointer::Cells { cell, .. } if cell.array.width == 32 => {
                let at = cell.array.at(self.b.u32_add(cell.index, offset));
                Ok((self.cell_address(at), true))
            }
            _ => Err(Error::unsupported(
                "an indexable register that is not in an array of floats",
            )),
        }
    }

    pub(in crate::lower) fn same_type(&self, pointee: TypeId, accessed: TypeId) -> Result<()> {
        let types = &self.view.module.types;
        if pointee == accessed || types.get(pointee) == types.get(accessed) {
            Ok(())
        } else {
            Err(Error::unsupported(format!(
                "access of {:?} as {:?}",
                types.get(pointee),
                types.get(accessed)
            )))
        }
    }
}
