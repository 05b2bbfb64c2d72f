//! Variables and pointers: allocas, groupshared and constant globals, `getelementptr`, loads and
//! stores.
//!
//! SPIR-V's logical addressing has no pointer casts. A variable whose pointers are never cast keeps
//! its type, and address arithmetic becomes `OpAccessChain`. A variable that is looked at through
//! another type (atomics on a float, 16-bit views, unions that the optimizer made) becomes an array
//! of integer *cells* as wide as the smallest access; pointers into it are cell indices and wider
//! values are put together from several cells.

use cranelift_entity::EntityRef;
use dxil_frontend::ir::{
    CastOp, Constant, ConstantExpr, GlobalId, Inst, Type, TypeId, ValueDef, ValueId, address_space,
};

use super::{cells, merged_pointers};
use crate::analysis::addresses::root_key;
use crate::lower::context::{Context, Input};
use crate::lower::graphs::records;
use crate::lower::memory::state::{CellArray, Memory, Pointer, PointerId};
use crate::lower::memory::{addresses, shared_rows};
use crate::lower::values::Value;
use crate::lower::{blocks, constants, types};
use crate::spirv::{Decoration, Id, StorageClass};
use crate::{Error, Result};

/// What is refused of pointers.
const NO_VARIABLE: &str = "a pointer that is neither a variable nor an address in one";

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
    /// Adds a pointer to the table.
    pub(in crate::lower) fn add(&mut self, pointer: Pointer) -> PointerId {
        self.pointers.push(pointer);
        PointerId(self.pointers.len() as u32 - 1)
    }

    /// Says under which condition a pointer leads where it says; elsewhere it leads to another
    /// element.
    pub(in crate::lower) fn guard(&mut self, pointer: PointerId, inside: Option<Id>) {
        if let Some(inside) = inside {
            self.guards.insert(pointer, inside);
        }
    }

    /// That condition.
    pub(super) fn guard_of(&self, pointer: PointerId) -> Option<Id> {
        self.guards.get(&pointer).copied()
    }

    /// Whether an id is a whole variable. Ids grow, so they are sorted.
    pub(super) fn is_variable(&self, id: Id) -> bool {
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

/// The pointer that an IR value is.
pub(in crate::lower) fn lower_pointer(cx: &mut Context<'_>, value: ValueId) -> Result<PointerId> {
    if let Value::Pointer(pointer) = cx.function.values.get(value) {
        return Ok(pointer);
    }
    let data = cx
        .function
        .view
        .value(value)
        .ok_or_else(|| Error::malformed(format!("{value} is not defined")))?;
    match data.def {
        ValueDef::Global(global) => global_pointer(cx, global),
        ValueDef::Inst(inst) => match cx.function.view.function.insts.get(inst).map(|i| i.inst) {
            Some(Inst::Gep { operands, .. })
                if shared_rows::is_shared_component(
                    cx,
                    cx.function.view.function.values_of(operands),
                ) =>
            {
                addresses::gep(cx, cx.function.view.function.values_of(operands))
            }
            _ => Err(Error::unsupported(NO_VARIABLE)),
        },
        ValueDef::Constant(Constant::Expr(ConstantExpr::Gep { operands, .. })) => {
            let operands = cx.function.view.constant_elements(value, operands);
            addresses::gep(cx, operands)
        }
        ValueDef::Constant(Constant::Expr(ConstantExpr::Cast {
            op: CastOp::Bitcast | CastOp::AddrSpaceCast,
            value: operand,
        })) => addresses::cast_pointer(cx, operand, data.ty),
        _ => Err(Error::unsupported(NO_VARIABLE)),
    }
}

/// The pointer behind an id of the table.
pub(in crate::lower) fn pointer_data(cx: &Context<'_>, id: PointerId) -> Result<Pointer> {
    cx.module
        .memory
        .get(id)
        .ok_or_else(|| Error::internal("a pointer that is not in the table"))
}

/// The pointer as a SPIR-V value.
pub(in crate::lower) fn pointer_id(cx: &mut Context<'_>, id: PointerId) -> Result<Id> {
    match pointer_data(cx, id)? {
        Pointer::Typed { id, .. } | Pointer::Address { address: id, .. } => Ok(id),
        Pointer::Cells { .. } => Err(Error::unsupported(
            "a pointer into reinterpreted memory as a value",
        )),
    }
}

pub(super) fn global_pointer(cx: &mut Context<'_>, global: GlobalId) -> Result<PointerId> {
    if let Some(Some(pointer)) = cx.module.memory.globals.get(global.index()) {
        return Ok(*pointer);
    }
    let data = cx
        .function
        .view
        .module
        .globals
        .get(global)
        .ok_or_else(|| Error::malformed(format!("{global} is not defined")))?;
    let class = match data.address_space {
        address_space::GROUP_SHARED if cx.input.analyses.payload.shared == Some(data.value) => {
            StorageClass::TaskPayloadWorkgroupEXT
        }
        address_space::GROUP_SHARED => StorageClass::Workgroup,
        address_space::DEFAULT => StorageClass::Private,
        other => {
            return Err(Error::unsupported(format!(
                "a global variable in address space {other}"
            )));
        }
    };
    let initializer = match data.initializer {
        Some(value) if class == StorageClass::Private && !cx.function.is_undef(value) => {
            Some(value)
        }
        _ => None,
    };
    let pointer = variable_of(cx, data.value, data.ty, class, initializer)?;
    let id = match pointer_data(cx, pointer)? {
        Pointer::Typed { id, .. } | Pointer::Address { address: id, .. } => id,
        Pointer::Cells { cell, .. } => cell.array.variable,
    };
    if !is_grouped(&cx.input, data.value) {
        if cx.input.options.debug_info {
            cx.b.name(id, &data.name);
        }
        if data.is_constant && class == StorageClass::Private && cx.b.version() >= 0x0001_0400 {
            cx.b.decorate(id, Decoration::NonWritable, &[]);
        }
    }
    let slots = &mut cx.module.memory.globals;
    if slots.len() <= global.index() {
        slots.resize(global.index() + 1, None);
    }
    slots[global.index()] = Some(pointer);
    Ok(pointer)
}

/// Whether a global variable is a part of an array of several.
fn is_grouped(input: &Input<'_>, global: ValueId) -> bool {
    let groups = &input.analyses.merged_pointers.group_of_variable;
    groups.contains_key(&(None, global))
}

/// Makes the variable that `root` stands for.
pub(in crate::lower) fn variable_of(
    cx: &mut Context<'_>,
    root: ValueId,
    ty: TypeId,
    class: StorageClass,
    initializer: Option<ValueId>,
) -> Result<PointerId> {
    if let Some(value) = initializer {
        constants::check_initializer(cx, value)?;
    }
    let pointer = if let Some(place) = merged_pointers::grouped_variable(cx, root)? {
        place
    } else if let Some(width) = cx
        .input
        .analyses
        .reinterpreted
        .cell_width(root_key(cx.function.view, root))
    {
        let bytes = cx.input.analyses.layout.size(cx.input.types(), ty);
        let count = u32::try_from(bytes.div_ceil(u64::from(width / 8)))
            .map_err(|_| Error::unsupported("a variable of more than 4 GiB"))?;
        let cell = cx.b.uint(width);
        let array = cx.b.array(cell, count.max(1));
        let initializer = match initializer {
            Some(value) => Some(merged_pointers::initial_cells(
                cx,
                &[(value, ty, 0)],
                array,
                width,
                count,
            )?),
            None => None,
        };
        let cells = CellArray {
            variable: new_variable(cx, array, class, initializer),
            width,
            class,
        };
        Pointer::Cells {
            cell: cells.at(cx.b.const_u32(0)),
            pointee: ty,
        }
    } else {
        let initializer = initializer.map(|value| cx.id(value)).transpose()?;
        let spirv_ty = match shared_rows::shared_rows_type(cx, root)? {
            Some(rows) => rows,
            None => types::lower(cx, ty)?,
        };
        Pointer::Typed {
            id: new_variable(cx, spirv_ty, class, initializer),
            pointee: ty,
            place: None,
            class,
        }
    };
    Ok(cx.module.memory.add(pointer))
}

pub(super) fn new_variable(
    cx: &mut Context<'_>,
    ty: Id,
    class: StorageClass,
    initializer: Option<Id>,
) -> Id {
    let pointer_ty = cx.b.pointer(class, ty);
    let id = if class == StorageClass::Function {
        cx.b.local_variable(pointer_ty, initializer)
    } else {
        cx.b.global_variable(class, pointer_ty, initializer)
    };
    cx.module.memory.variables.push(id);
    id
}

/// `alloca`.
pub(in crate::lower) fn alloca(
    cx: &mut Context<'_>,
    result: ValueId,
    allocated: TypeId,
    count: ValueId,
) -> Result<Value> {
    if cx.function.constant_int(count) != Some(1) {
        return Err(Error::unsupported("alloca of several elements"));
    }
    let pointer = variable_of(cx, result, allocated, StorageClass::Function, None)?;
    Ok(Value::Pointer(pointer))
}

/// `load`.
pub(in crate::lower) fn load(cx: &mut Context<'_>, pointer: ValueId, ty: TypeId) -> Result<Id> {
    let pointer = lower_pointer(cx, pointer)?;
    if let Pointer::Typed { pointee, .. } = pointer_data(cx, pointer)? {
        same_type(&cx.input, pointee, ty)?;
    }
    load_whole(cx, pointer, ty)
}

/// `store`.
pub(in crate::lower) fn store(
    cx: &mut Context<'_>,
    pointer: ValueId,
    value: ValueId,
) -> Result<()> {
    let ty = cx.function.type_of(value)?;
    let value = cx.id(value)?;
    let pointer = lower_pointer(cx, pointer)?;
    if let Pointer::Typed { pointee, .. } = pointer_data(cx, pointer)? {
        same_type(&cx.input, pointee, ty)?;
    }
    store_whole(cx, pointer, ty, value)
}

/// All that a pointer points to.
pub(in crate::lower) fn load_whole(
    cx: &mut Context<'_>,
    pointer: PointerId,
    ty: TypeId,
) -> Result<Id> {
    let Some(inside) = cx.module.memory.guard_of(pointer) else {
        return load_unguarded(cx, pointer, ty);
    };
    let part = blocks::begin_if(cx, inside);
    let value = load_unguarded(cx, pointer, ty)?;
    let ty = types::lower(cx, ty)?;
    let zero = cx.b.const_null(ty);
    Ok(blocks::end_if_with(cx, part, ty, value, zero))
}

fn load_unguarded(cx: &mut Context<'_>, pointer: PointerId, ty: TypeId) -> Result<Id> {
    match pointer_data(cx, pointer)? {
        Pointer::Typed { id, .. } => {
            let ty = types::lower(cx, ty)?;
            Ok(cx.b.load(ty, id))
        }
        Pointer::Cells { cell, .. } => cells::load_cells(cx, cell, ty),
        Pointer::Address { address, .. } => records::load_record(cx, address, ty),
    }
}

/// Writes all that a pointer points to.
pub(in crate::lower) fn store_whole(
    cx: &mut Context<'_>,
    pointer: PointerId,
    ty: TypeId,
    whole: Id,
) -> Result<()> {
    let Some(inside) = cx.module.memory.guard_of(pointer) else {
        return store_unguarded(cx, pointer, ty, whole);
    };
    let part = blocks::begin_if(cx, inside);
    store_unguarded(cx, pointer, ty, whole)?;
    blocks::end_if(cx, part);
    Ok(())
}

fn store_unguarded(cx: &mut Context<'_>, pointer: PointerId, ty: TypeId, whole: Id) -> Result<()> {
    match pointer_data(cx, pointer)? {
        Pointer::Typed { id, .. } => {
            cx.b.store(id, whole);
            Ok(())
        }
        Pointer::Cells { cell, .. } => cells::store_cells(cx, cell, ty, whole),
        Pointer::Address { address, .. } => records::store_record(cx, address, ty, whole),
    }
}

/// Loads the float that lies so many floats behind a pointer to one.
pub(super) fn load_float_behind(cx: &mut Context<'_>, pointer: ValueId, offset: Id) -> Result<Id> {
    let ty = cx.b.f32();
    let (address, is_cell) = element_address(cx, pointer, offset)?;
    if !is_cell {
        return Ok(cx.b.load(ty, address));
    }
    let word = cx.b.u32();
    let bits = cx.b.load(word, address);
    Ok(cx.b.bitcast(ty, bits))
}

/// Stores a float so many floats behind a pointer to one.
pub(super) fn store_float_behind(
    cx: &mut Context<'_>,
    pointer: ValueId,
    offset: Id,
    value: Id,
) -> Result<()> {
    let (address, is_cell) = element_address(cx, pointer, offset)?;
    let value = match is_cell {
        true => {
            let word = cx.b.u32();
            cx.b.bitcast(word, value)
        }
        false => value,
    };
    cx.b.store(address, value);
    Ok(())
}

/// The address, and whether it is one of a 32-bit cell.
fn element_address(cx: &mut Context<'_>, pointer: ValueId, offset: Id) -> Result<(Id, bool)> {
    let pointer = lower_pointer(cx, pointer)?;
    match pointer_data(cx, pointer)? {
        Pointer::Typed {
            pointee,
            place: Some((array, at)),
            class,
            ..
        } if *cx.input.types().get(pointee) == Type::Float => {
            let at = cx.b.u32_add(at, offset);
            let ty = cx.b.f32();
            let pointer_ty = cx.b.pointer(class, ty);
            Ok((cx.b.access_chain(pointer_ty, array, &[at]), false))
        }
        Pointer::Cells { cell, .. } if cell.array.width == 32 => {
            let at = cell.array.at(cx.b.u32_add(cell.index, offset));
            Ok((cells::cell_address(&mut cx.b, at), true))
        }
        _ => Err(Error::unsupported(
            "an indexable register that is not in an array of floats",
        )),
    }
}

pub(in crate::lower) fn same_type(
    input: &Input<'_>,
    pointee: TypeId,
    accessed: TypeId,
) -> Result<()> {
    let types = input.types();
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
