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

use super::Lowering;
use super::context::Value;
use super::layout::Layout;
use super::merged_pointers::{Group, RootKey};
use crate::spirv::{Decoration, Id, StorageClass};
use crate::{Error, Result};

/// What is refused of pointers.
const NO_VARIABLE: &str = "a pointer that is neither a variable nor an address in one";

/// Index into the table of pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PointerId(u32);

/// Variables and pointers of the module under construction.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// How memory is laid out in the IR.
    pub(super) layout: Layout,
    globals: Vec<Option<PointerId>>,
    pointers: Vec<Pointer>,
    /// Width of the cells of variables that are looked at through several types.
    pub(super) cells: FxHashMap<RootKey, u32>,
    /// Variables that one pointer may lead to, together.
    pub(super) groups: Vec<Group>,
    /// The group that a phi or select of addresses leads into.
    pub(super) merged: FxHashMap<RootKey, usize>,
    /// The group of a variable.
    pub(super) group_of: FxHashMap<RootKey, usize>,
    /// Group-shared arrays of vectors.
    pub(super) rows: super::shared_rows::SharedRows,
    /// Ids of whole variables, in order.
    variables: Vec<Id>,
}

/// An argument that was copied for a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct CopyBack {
    ty: Id,
    from: Id,
    to: Id,
}

/// An address.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pointer {
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
        /// The variable, an array of cells.
        variable: Id,
        /// Index of the first cell.
        index: Id,
        /// Bits per cell.
        width: u32,
        /// IR type that it points to now.
        pointee: TypeId,
        /// Storage class.
        class: StorageClass,
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
    pub(super) fn class(&self) -> StorageClass {
        match *self {
            Pointer::Typed { class, .. } | Pointer::Cells { class, .. } => class,
            Pointer::Address { .. } => StorageClass::PhysicalStorageBuffer,
        }
    }
}

impl Memory {
    /// Memory of a module.
    pub(super) fn of(module: &Module) -> Self {
        Memory {
            layout: Layout::of(module),
            ..Memory::default()
        }
    }

    pub(super) fn add(&mut self, pointer: Pointer) -> PointerId {
        self.pointers.push(pointer);
        PointerId(self.pointers.len() as u32 - 1)
    }

    /// Whether a global variable is a part of an array of several.
    fn is_grouped(&self, global: ValueId) -> bool {
        self.group_of.contains_key(&(None, global))
    }

    /// Whether an id is a whole variable. Ids grow, so they are sorted.
    fn is_variable(&self, id: Id) -> bool {
        self.variables.binary_search(&id).is_ok()
    }

    fn get(&self, id: PointerId) -> Option<Pointer> {
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
fn first_member_depth(view: FuncView<'_>, mut from: TypeId, to: TypeId) -> Option<usize> {
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
pub(super) fn root_of(view: FuncView<'_>, pointer: ValueId) -> Option<ValueId> {
    trace(view, pointer).map(|(root, _)| root)
}

impl Lowering<'_> {
    /// Finds the variables of the current function (and the globals it uses) that are looked at
    /// through another type, and the width of their cells. Runs over all functions before the first
    /// is lowered.
    pub(super) fn find_reinterpreted_memory(&mut self) {
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
    pub(super) fn root_key(&self, root: ValueId) -> RootKey {
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
    pub(super) fn pointer(&mut self, value: ValueId) -> Result<PointerId> {
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
    pub(super) fn pointer_data(&self, id: PointerId) -> Result<Pointer> {
        self.memory
            .get(id)
            .ok_or_else(|| Error::internal("a pointer that is not in the table"))
    }

    /// The pointer as a SPIR-V value.
    pub(super) fn pointer_id(&mut self, id: PointerId) -> Result<Id> {
        match self.pointer_data(id)? {
            Pointer::Typed { id, .. } | Pointer::Address { address: id, .. } => Ok(id),
            Pointer::Cells { .. } => Err(Error::unsupported(
                "a pointer into reinterpreted memory as a value",
            )),
        }
    }

    pub(super) fn global_pointer(&mut self, global: GlobalId) -> Result<PointerId> {
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
        let (Pointer::Typed { id, .. }
        | Pointer::Cells { variable: id, .. }
        | Pointer::Address { address: id, .. }) = self.pointer_data(pointer)?;
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
    pub(super) fn variable(
        &mut self,
        root: ValueId,
        ty: TypeId,
        class: StorageClass,
        initializer: Option<ValueId>,
    ) -> Result<PointerId> {
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
            let variable = self.new_variable(array, class, initializer);
            Pointer::Cells {
                variable,
                index: self.b.const_u32(0),
                width,
                pointee: ty,
                class,
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

    pub(super) fn new_variable(
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

    /// SPIR-V type of a parameter: a pointer becomes one to the storage class of its variables.
    pub(super) fn parameter_type(&mut self, ty: TypeId) -> Result<Id> {
        if self.is_record_type(ty) {
            return Ok(self.b.uint(64));
        }
        match self.parameter_pointee(ty)? {
            Some((class, pointee)) => {
                let pointee = self.ty(pointee)?;
                Ok(self.b.pointer(class, pointee))
            }
            None => self.ty(ty),
        }
    }

    /// What a parameter is in the function's body.
    pub(super) fn parameter_value(&mut self, ty: TypeId, id: Id) -> Result<Value> {
        if self.is_record_type(ty) {
            let pointer = self.record_pointer(id, ty)?;
            return Ok(Value::Pointer(self.memory.add(pointer)));
        }
        Ok(match self.parameter_pointee(ty)? {
            Some((class, pointee)) => Value::Pointer(self.memory.add(Pointer::Typed {
                id,
                pointee,
                place: None,
                class,
            })),
            None => Value::Id(id),
        })
    }

    fn parameter_pointee(&self, ty: TypeId) -> Result<Option<(StorageClass, TypeId)>> {
        match *self.view.module.types.get(ty) {
            Type::Pointer {
                pointee,
                address_space: 0,
            } => Ok(Some((StorageClass::Function, pointee))),
            Type::Pointer {
                pointee,
                address_space: 3,
            } => Ok(Some((StorageClass::Workgroup, pointee))),
            Type::Pointer { address_space, .. } => Err(Error::unsupported(format!(
                "a parameter that points into address space {address_space}"
            ))),
            _ => Ok(None),
        }
    }

    /// An argument of a call. SPIR-V takes whole variables only, so the address of a part of one
    /// goes through a copy: gives the argument and what to copy back after the call.
    pub(super) fn argument(&mut self, value: ValueId) -> Result<(Id, Option<CopyBack>)> {
        let ty = self.type_of(value)?;
        if self.is_record_type(ty) {
            return Ok((self.id(value)?, None));
        }
        let Some((want, _)) = self.parameter_pointee(ty)? else {
            return Ok((self.id(value)?, None));
        };
        let pointer = self.pointer(value)?;
        let Pointer::Typed {
            id,
            pointee,
            place,
            class,
        } = self.pointer_data(pointer)?
        else {
            return Err(Error::unsupported(
                "a pointer into reinterpreted memory as an argument",
            ));
        };
        if class == want && place.is_none() && self.memory.is_variable(id) {
            return Ok((id, None));
        }
        if want != StorageClass::Function {
            return Err(Error::unsupported(
                "a part of a groupshared variable as an argument",
            ));
        }
        let ty = self.ty(pointee)?;
        let copy = self.new_variable(ty, StorageClass::Function, None);
        let now = self.b.load(ty, id);
        self.b.store(copy, now);
        Ok((
            copy,
            Some(CopyBack {
                ty,
                from: copy,
                to: id,
            }),
        ))
    }

    /// Copies an argument back after a call.
    pub(super) fn copy_back(&mut self, copy: CopyBack) {
        let value = self.b.load(copy.ty, copy.from);
        self.b.store(copy.to, value);
    }

    /// `alloca`.
    pub(super) fn alloca(
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

    /// `getelementptr`: base pointer, then indices.
    pub(super) fn gep(&mut self, operands: &[ValueId]) -> Result<PointerId> {
        if let Some(component) = self.shared_component(operands)? {
            return Ok(self.memory.add(component));
        }
        let Some((&base, indices)) = operands.split_first() else {
            return Err(Error::malformed("getelementptr without operands"));
        };
        let base = self.pointer(base)?;
        let pointer = match self.pointer_data(base)? {
            Pointer::Typed {
                id,
                pointee,
                place,
                class,
            } => self.typed_gep(id, pointee, place, class, indices)?,
            Pointer::Cells {
                variable,
                index,
                width,
                pointee,
                class,
            } => {
                let (index, pointee) = self.cell_gep(index, width, pointee, indices)?;
                Pointer::Cells {
                    variable,
                    index,
                    width,
                    pointee,
                    class,
                }
            }
            Pointer::Address { address, pointee } => {
                let (address, pointee) = self.address_gep(address, pointee, indices)?;
                Pointer::Address { address, pointee }
            }
        };
        Ok(self.memory.add(pointer))
    }

    fn typed_gep(
        &mut self,
        mut id: Id,
        mut pointee: TypeId,
        mut place: Option<(Id, Id)>,
        class: StorageClass,
        indices: &[ValueId],
    ) -> Result<Pointer> {
        let Some((&first, rest)) = indices.split_first() else {
            return Err(Error::malformed("getelementptr without indices"));
        };
        let mut past_the_end = None;
        if self.constant_int(first) != Some(0) {
            if let Some((array, at)) = place {
                let step = self.index(first)?;
                let at = self.b.u32_add(at, step);
                let ty = self.ty(pointee)?;
                let pointer_ty = self.b.pointer(class, ty);
                id = self.b.access_chain(pointer_ty, array, &[at]);
                place = Some((array, at));
            } else if rest.is_empty() {
                return Err(Error::unsupported("pointer arithmetic outside of an array"));
            } else {
                past_the_end = Some(self.last_element(pointee)?);
            }
        }
        if rest.is_empty() {
            return Ok(Pointer::Typed {
                id,
                pointee,
                place,
                class,
            });
        }
        // All but the last index go into the address of the innermost aggregate, so that pointer
        // arithmetic on the last one stays possible; it costs nothing where there is just one.
        let mut chain = Vec::with_capacity(rest.len());
        for &index in rest {
            let (element, index) = self.step(pointee, index)?;
            pointee = element;
            chain.push(past_the_end.take().unwrap_or(index));
        }
        let ty = self.ty(pointee)?;
        let pointer_ty = self.b.pointer(class, ty);
        let address = self.b.access_chain(pointer_ty, id, &chain);
        let place = match chain.as_slice() {
            [only] => Some((id, *only)),
            _ => None,
        };
        Ok(Pointer::Typed {
            id: address,
            pointee,
            place,
            class,
        })
    }

    /// Index of the last element of a variable whose address is left by the first index of a
    /// `getelementptr`. Compilers make such addresses of constant indices that are too large, in
    /// code that rarely runs. What they access is undefined in D3D12; here they stay inside.
    fn last_element(&mut self, variable: TypeId) -> Result<Id> {
        let Type::Array { count, .. } = self.view.module.types.get(variable) else {
            return Err(Error::unsupported("pointer arithmetic outside of an array"));
        };
        let last = u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
        Ok(self.b.const_u32(last))
    }

    /// Type and SPIR-V index of a member.
    fn step(&mut self, ty: TypeId, index: ValueId) -> Result<(TypeId, Id)> {
        let element = match self.view.module.types.get(ty) {
            Type::Array { element, .. } | Type::Vector { element, .. } => *element,
            Type::Struct { fields, .. } => {
                let member = self.constant_int(index).unwrap_or(u64::MAX);
                let field = usize::try_from(member).ok().and_then(|m| fields.get(m));
                let Some(&field) = field else {
                    return Err(Error::malformed(
                        "getelementptr to a field that is not there",
                    ));
                };
                return Ok((field, self.b.const_u32(member as u32)));
            }
            other => return Err(Error::malformed(format!("getelementptr into {other:?}"))),
        };
        Ok((element, self.index(index)?))
    }

    /// An index as a 32-bit integer.
    pub(super) fn index(&mut self, value: ValueId) -> Result<Id> {
        if let Some(literal) = self.constant_int(value) {
            return Ok(self.b.const_u32(literal as u32));
        }
        self.to_u32(value)
    }

    /// Cell index and type after `getelementptr`.
    fn cell_gep(
        &mut self,
        mut cell: Id,
        width: u32,
        mut pointee: TypeId,
        indices: &[ValueId],
    ) -> Result<(Id, TypeId)> {
        let bytes = u64::from(width / 8);
        for (position, &index) in indices.iter().enumerate() {
            if position > 0 {
                if let Type::Struct { fields, .. } = self.view.module.types.get(pointee) {
                    let member = self.constant_int(index).unwrap_or(u64::MAX) as usize;
                    let Some(&field) = fields.get(member) else {
                        return Err(Error::malformed(
                            "getelementptr to a field that is not there",
                        ));
                    };
                    let offset =
                        self.memory
                            .layout
                            .field_offset(&self.view.module.types, pointee, member);
                    if !offset.is_multiple_of(bytes) {
                        return Err(Error::unsupported("a field between two memory cells"));
                    }
                    let step = self.b.const_u32((offset / bytes) as u32);
                    cell = self.b.u32_add(cell, step);
                    pointee = field;
                    continue;
                }
                pointee = match self.view.module.types.get(pointee) {
                    Type::Array { element, .. } | Type::Vector { element, .. } => *element,
                    other => {
                        return Err(Error::malformed(format!("getelementptr into {other:?}")));
                    }
                };
            }
            let size = self.memory.layout.size(&self.view.module.types, pointee);
            let at = self.index(index)?;
            let step = if size.is_multiple_of(bytes) {
                self.b.u32_mul(at, (size / bytes) as u32)
            } else if bytes.is_multiple_of(size.max(1)) {
                // Byte arithmetic in wider cells: the whole offset is a multiple of a cell.
                self.b.u32_shr(at, (bytes / size.max(1)).trailing_zeros())
            } else {
                return Err(Error::unsupported("an element between two memory cells"));
            };
            cell = self.b.u32_add(cell, step);
        }
        Ok((cell, pointee))
    }

    /// A pointer as a pointer to another type.
    pub(super) fn cast_pointer(&mut self, value: ValueId, to: TypeId) -> Result<PointerId> {
        let Some(target) = self.view.module.types.pointee(to) else {
            return Err(Error::unsupported("a pointer as a number"));
        };
        let pointer = self.pointer(value)?;
        let new = match self.pointer_data(pointer)? {
            Pointer::Cells {
                variable,
                index,
                width,
                class,
                ..
            } => Pointer::Cells {
                variable,
                index,
                width,
                pointee: target,
                class,
            },
            Pointer::Address { address, .. } => Pointer::Address {
                address,
                pointee: target,
            },
            Pointer::Typed {
                id,
                pointee,
                place,
                class,
            } => match first_member_depth(self.view, pointee, target) {
                Some(0) => Pointer::Typed {
                    id,
                    pointee: target,
                    place,
                    class,
                },
                Some(depth) => {
                    let zero = self.b.const_u32(0);
                    let mut base = id;
                    let mut inner = pointee;
                    for _ in 1..depth {
                        inner = self.first_member(inner)?;
                    }
                    if depth > 1 {
                        let ty = self.ty(inner)?;
                        let pointer_ty = self.b.pointer(class, ty);
                        base = self.b.access_chain(pointer_ty, id, &vec![zero; depth - 1]);
                    }
                    let ty = self.ty(target)?;
                    let pointer_ty = self.b.pointer(class, ty);
                    Pointer::Typed {
                        id: self.b.access_chain(pointer_ty, base, &[zero]),
                        pointee: target,
                        place: Some((base, zero)),
                        class,
                    }
                }
                // Only ignored calls (lifetimes) look at such a pointer, or it would be in cells;
                // a load through it is refused where it happens.
                None => Pointer::Typed {
                    id,
                    pointee,
                    place: None,
                    class,
                },
            },
        };
        Ok(self.memory.add(new))
    }

    fn first_member(&self, ty: TypeId) -> Result<TypeId> {
        match self.view.module.types.get(ty) {
            Type::Array { element, .. } | Type::Vector { element, .. } => Ok(*element),
            Type::Struct { fields, .. } => fields
                .first()
                .copied()
                .ok_or_else(|| Error::malformed("the first field of an empty struct")),
            other => Err(Error::malformed(format!("the first member of {other:?}"))),
        }
    }

    /// `load`.
    pub(super) fn load(&mut self, pointer: ValueId, ty: TypeId) -> Result<Id> {
        let pointer = self.pointer(pointer)?;
        match self.pointer_data(pointer)? {
            Pointer::Typed { id, pointee, .. } => {
                self.same_type(pointee, ty)?;
                let ty = self.ty(ty)?;
                Ok(self.b.load(ty, id))
            }
            Pointer::Cells {
                variable,
                index,
                width,
                class,
                ..
            } => self.load_cells(variable, index, width, class, ty),
            Pointer::Address { address, .. } => self.load_record(address, ty),
        }
    }

    /// `store`.
    pub(super) fn store(&mut self, pointer: ValueId, value: ValueId) -> Result<()> {
        let ty = self.type_of(value)?;
        let value = self.id(value)?;
        let pointer = self.pointer(pointer)?;
        match self.pointer_data(pointer)? {
            Pointer::Typed { id, pointee, .. } => {
                self.same_type(pointee, ty)?;
                self.b.store(id, value);
                Ok(())
            }
            Pointer::Cells {
                variable,
                index,
                width,
                class,
                ..
            } => self.store_cells(variable, index, width, class, ty, value),
            Pointer::Address { address, .. } => self.store_record(address, ty, value),
        }
    }

    /// Loads the float that lies so many floats behind a pointer to one.
    pub(super) fn load_float_behind(&mut self, pointer: ValueId, offset: Id) -> Result<Id> {
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
    pub(super) fn store_float_behind(
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
            Pointer::Cells {
                variable,
                index,
                width: 32,
                class,
                ..
            } => {
                let at = self.b.u32_add(index, offset);
                Ok((self.cell_address(variable, at, 32, class), true))
            }
            _ => Err(Error::unsupported(
                "an indexable register that is not in an array of floats",
            )),
        }
    }

    pub(super) fn same_type(&self, pointee: TypeId, accessed: TypeId) -> Result<()> {
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
