//! Variables and pointers: allocas, groupshared and constant globals, `getelementptr`, loads and
//! stores.
//!
//! SPIR-V's logical addressing has no pointer casts. A variable whose pointers are never cast keeps
//! its type, and address arithmetic becomes `OpAccessChain`. A variable that is accessed as another
//! type ([`crate::analysis::reinterpreted_memory`]) becomes an array of integer *cells* as wide as
//! the smallest access; pointers into it are cell indices and wider values are put together from
//! several cells.

use cranelift_entity::EntityRef;
use dxil_frontend::dxil::plain_name;
use dxil_frontend::ir::{Constant, GlobalId, TypeId, ValueDef, ValueId, address_space};

use smallvec::SmallVec;

use crate::analysis::addresses::root_key;
use crate::analysis::array_rows::VectorArray;
use crate::lower::context::{Context, Input};
use crate::lower::memory::state::{CellArray, Memory, Pointer, PointerId};
use crate::lower::memory::variable_groups;
use crate::lower::types;
use crate::lower::values::LoweredValue;
use crate::spirv::{Decoration, Id, StorageClass};
use crate::{Error, Result};

impl Pointer {
    /// Returns the storage class.
    pub(super) fn class(&self) -> StorageClass {
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

    /// Sets the condition under which a pointer is in bounds; otherwise it points to another
    /// element.
    pub(super) fn guard(&mut self, pointer: PointerId, inside: Option<Id>) {
        if let Some(inside) = inside {
            self.guards.insert(pointer, inside);
        }
    }

    /// Returns the condition under which a pointer is in bounds.
    pub(super) fn guard_of(&self, pointer: PointerId) -> Option<Id> {
        self.guards.get(&pointer).copied()
    }

    /// Returns whether an id is a whole variable. Ids are given out in ascending order, so the list
    /// is sorted.
    pub(super) fn is_variable(&self, id: Id) -> bool {
        self.variables.binary_search(&id).is_ok()
    }

    /// Returns the variable of a global that the code has named.
    pub(in crate::lower) fn of_global(&self, global: GlobalId) -> Option<Pointer> {
        let pointer = self.globals.get(global.index()).copied().flatten()?;
        self.get(pointer)
    }

    /// Returns whether the code has variables of the thread group.
    pub(in crate::lower) fn has_group_memory(&self) -> bool {
        self.has_group_memory
    }

    /// Returns the variables of the thread group that have an initializer, and their first
    /// contents.
    pub(in crate::lower) fn group_contents(&self) -> &[(Id, Id)] {
        &self.group_contents
    }

    pub(in crate::lower) fn get(&self, id: PointerId) -> Option<Pointer> {
        self.pointers.get(id.0 as usize).copied()
    }
}

/// Returns the pointer of an id of the table.
pub(in crate::lower) fn pointer_data(cx: &Context<'_>, id: PointerId) -> Result<Pointer> {
    cx.module
        .memory
        .get(id)
        .ok_or_else(|| Error::internal("a pointer that is not in the table"))
}

/// Returns the pointer as a SPIR-V value.
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
        // The payload of a mesh shader is a groupshared variable in DXIL, and has a storage class
        // of its own in SPIR-V (SPV_EXT_mesh_shader).
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
        // An undefined value needs no initializer.
        Some(value) if !cx.function.is_undef(value) => Some(value),
        _ => None,
    };
    let pointer = variable_of(cx, data.value, data.ty, class, initializer)?;
    let id = match pointer_data(cx, pointer)? {
        Pointer::Typed { id, .. } | Pointer::Address { address: id, .. } => id,
        Pointer::Cells { cell, .. } => cell.array.variable,
    };
    if !is_grouped(&cx.input, data.value) {
        if cx.input.options.debug_info {
            cx.b.name(id, plain_name(&data.name));
        }
        // `NonWritable` on private variables came with SPIR-V 1.4.
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

/// Returns whether a global variable is a part of an array of several.
fn is_grouped(input: &Input<'_>, global: ValueId) -> bool {
    let groups = &input.analyses.merged_pointers.group_of_variable;
    groups.contains_key(&(None, global))
}

/// Makes the variable that `root` denotes.
pub(in crate::lower) fn variable_of(
    cx: &mut Context<'_>,
    root: ValueId,
    ty: TypeId,
    class: StorageClass,
    initializer: Option<ValueId>,
) -> Result<PointerId> {
    if let Some(value) = initializer {
        variable_groups::check_initializer(cx, value)?;
    }
    let pointer = if let Some(cells) = variable_groups::grouped_variable(cx, root)? {
        cells
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
        // An empty variable would be an array of length 0, which SPIR-V forbids.
        let array = cx.b.array(cell, count.max(1));
        let initializer = match initializer {
            Some(value) => Some(variable_groups::initial_cells(
                cx,
                &[(value, ty, 0)],
                array,
                width,
                count,
            )?),
            None => None,
        };
        let cells = CellArray {
            variable: variable_groups::new_variable(cx, array, class, initializer)?,
            width,
            class,
            count: count.max(1),
            is_narrower_view: false,
        };
        Pointer::Cells {
            cell: cells.at(cx.b.const_u32(0)),
            pointee: ty,
        }
    } else {
        let (spirv_ty, initializer) = match rows_type(cx, root)? {
            Some((rows, array)) => {
                let contents = initializer.map(|value| initial_rows(cx, value, rows, array));
                (array, contents.transpose()?)
            }
            None => {
                let initializer = initializer.map(|value| cx.id(value)).transpose()?;
                (types::lower(cx, ty)?, initializer)
            }
        };
        Pointer::Typed {
            id: variable_groups::new_variable(cx, spirv_ty, class, initializer)?,
            pointee: ty,
            array_element: None,
            class,
        }
    };
    Ok(cx.module.memory.add(pointer))
}

/// Lowers `alloca`.
pub(super) fn alloca(
    cx: &mut Context<'_>,
    result: ValueId,
    allocated: TypeId,
    count: ValueId,
) -> Result<LoweredValue> {
    // HLSL has no arrays whose size is known at run time only.
    if cx.function.constant_int(count) != Some(1) {
        return Err(Error::unsupported("alloca of several elements"));
    }
    let pointer = variable_of(cx, result, allocated, StorageClass::Function, None)?;
    Ok(LoweredValue::Pointer(pointer))
}

/// Returns the array of vectors that a variable is, if it is one, and its SPIR-V type.
fn rows_type(cx: &mut Context<'_>, variable: ValueId) -> Result<Option<(VectorArray, Id)>> {
    let Some(ValueDef::Global(global)) = cx.function.view.value(variable).map(|data| data.def)
    else {
        return Ok(None);
    };
    let Some(rows) = cx.input.analyses.array_rows.of(global) else {
        return Ok(None);
    };
    let element = types::lower(cx, rows.element)?;
    let vector = cx.b.vector(element, rows.width);
    Ok(Some((rows, cx.b.array(vector, rows.count))))
}

/// Returns the first contents of an array of vectors: zeros, or the literals of a constant array.
fn initial_rows(cx: &mut Context<'_>, value: ValueId, rows: VectorArray, array: Id) -> Result<Id> {
    let view = cx.function.view;
    let Some(Constant::Data(list)) = view.constant(value) else {
        return Ok(cx.b.const_null(array));
    };
    let element = types::scalar(cx, rows.element)?;
    let element_ty = types::lower(cx, rows.element)?;
    let vector_ty = cx.b.vector(element_ty, rows.width);
    let mut vectors = Vec::with_capacity(rows.count as usize);
    for vector in view
        .constant_data(value, list)
        .chunks_exact(rows.width as usize)
    {
        let components: SmallVec<[Id; 4]> = vector
            .iter()
            .map(|&bits| types::constant_of(cx, element, bits))
            .collect();
        vectors.push(cx.b.const_composite(vector_ty, &components));
    }
    Ok(cx.b.const_composite(array, &vectors))
}
