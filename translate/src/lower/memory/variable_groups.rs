//! Variables that are parts of one array of cells, and the first contents of such arrays.

use dxil_frontend::ir::{Constant, Type, TypeId, ValueId};

use crate::analysis::addresses::root_key;
use crate::analysis::constant_expressions::is_computed;
use crate::lower::context::Context;
use crate::lower::memory::state::{CellArray, GroupArray, Pointer};
use crate::spirv::{Id, StorageClass};
use crate::{Error, Result};

/// Refuses the initial value of a variable if code would have to compute it.
pub(in crate::lower) fn check_initializer(cx: &Context<'_>, value: ValueId) -> Result<()> {
    let data = cx.function.view.value(value);
    // A computed initial value would need code before the first function, and a variable's
    // initializer has to be constant in SPIR-V.
    let is_computed = data.is_some_and(|data| is_computed(cx.input.types(), data));
    if is_computed || cx.function.values.is_computed(value) {
        Err(Error::unsupported("an initial value that code computes"))
    } else {
        Ok(())
    }
}

/// Returns the place of a variable in the array of its group, if it is in one.
pub(super) fn grouped_variable(cx: &mut Context<'_>, root: ValueId) -> Result<Option<Pointer>> {
    let key = root_key(cx.function.view, root);
    let merged = &cx.input.analyses.merged_pointers;
    let Some(&index) = merged.group_of_variable.get(&key) else {
        return Ok(None);
    };
    let array = group_array(cx, index)?;
    let member = merged.groups.get(index).and_then(|group| {
        let mut variables = group.variables.iter();
        let number = variables.position(|variable| variable.key == key)?;
        let made = cx.module.memory.group_arrays.get(&index)?;
        Some((*made.first_cells.get(number)?, group.variables[number].ty))
    });
    let (first, pointee) = member.ok_or_else(|| Error::internal("a variable of no group"))?;
    let cell = array.at(cx.b.const_u32(first));
    Ok(Some(Pointer::Cells { cell, pointee }))
}

/// Returns the array of a group; makes it on first use.
pub(super) fn group_array(cx: &mut Context<'_>, index: usize) -> Result<CellArray> {
    if let Some(made) = cx.module.memory.group_arrays.get(&index) {
        return Ok(made.array);
    }
    let analyses = cx.input.analyses;
    let group = analyses
        .merged_pointers
        .groups
        .get(index)
        .ok_or_else(|| Error::internal("no such group of variables"))?;
    let types = cx.input.types();
    let mut width = group.width;
    let mut classes = group.variables.iter().map(|variable| variable.class);
    let mut class = classes.next().unwrap_or(StorageClass::Private);
    // The array has to be addressable for the narrowest member.
    for variable in &group.variables {
        width = width.min(analyses.layout.smallest_scalar(types, variable.ty));
        if let Some(cells) = analyses.reinterpreted.cell_width(variable.key) {
            width = width.min(cells);
        }
        if variable.class != class {
            // In the IR, allocas and global variables share one address space, so that a pointer
            // may lead to both. Private variables can stand for either, Function variables cannot.
            class = StorageClass::Private;
        }
    }
    let bytes = u64::from(width / 8);
    let mut cells = 0_u64;
    let mut first_cells = Vec::with_capacity(group.variables.len());
    // Each variable begins at a whole cell; the order is that of the analysis.
    for variable in &group.variables {
        first_cells.push(u32::try_from(cells).unwrap_or(u32::MAX));
        cells += analyses.layout.size(types, variable.ty).div_ceil(bytes);
    }
    let count = u32::try_from(cells.max(1))
        .map_err(|_| Error::unsupported("variables of more than 4 GiB"))?;
    let cell = cx.b.uint(width);
    let array = cx.b.array(cell, count);
    let constants: Vec<_> = group
        .variables
        .iter()
        .zip(&first_cells)
        .filter_map(|(variable, &first)| Some((variable.initializer?, variable.ty, first)))
        .collect();
    let initializer = if constants.is_empty() {
        None
    } else {
        Some(initial_cells(cx, &constants, array, width, count)?)
    };
    let variable = new_variable(cx, array, class, initializer)?;
    let array = CellArray {
        variable,
        width,
        class,
        count,
        is_narrower_view: false,
    };
    let made = GroupArray { array, first_cells };
    cx.module.memory.group_arrays.insert(index, made);
    Ok(array)
}

/// Returns the first contents of an array of cells: constants, their types and their first cells.
pub(super) fn initial_cells(
    cx: &mut Context<'_>,
    constants: &[(ValueId, TypeId, u32)],
    array: Id,
    width: u32,
    count: u32,
) -> Result<Id> {
    let is_null = |value| matches!(cx.function.view.constant(value), Some(Constant::Null));
    if constants.iter().all(|&(value, ..)| is_null(value)) {
        return Ok(cx.b.const_null(array));
    }
    let bytes = width as usize / 8;
    let count = count.max(1);
    // Each cell is a constant of its own in the module; the limit keeps hostile inputs small.
    if count > 1 << 16 {
        return Err(Error::unsupported("constants of more than 65,536 cells"));
    }
    let mut image = vec![0_u8; count as usize * bytes];
    for &(value, ty, first) in constants {
        write_constant(cx, value, ty, first as usize * bytes, &mut image)?;
    }
    let mut cells = Vec::with_capacity(count as usize);
    for cell in image.chunks_exact(bytes) {
        // Constants are laid out as bytes first, because an initial value may be of other types
        // than the cells.
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
    let layout = &cx.input.analyses.layout;
    let scalar = |bits: u64, ty: TypeId, at: usize, image: &mut [u8]| {
        let size = layout.size(types, ty) as usize;
        if let Some(to) = image.get_mut(at..at + size.min(8)) {
            to.copy_from_slice(&bits.to_le_bytes()[..size.min(8)]);
        }
    };
    match cx.function.view.constant(value) {
        // Undefined contents may be zero, as the image is already.
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

/// Makes a variable. The first contents of memory of the group are stored when a group begins.
pub(super) fn new_variable(
    cx: &mut Context<'_>,
    ty: Id,
    class: StorageClass,
    initializer: Option<Id>,
) -> Result<Id> {
    let pointer_ty = cx.b.pointer(class, ty);
    let id = match class {
        StorageClass::Function => cx.b.local_variable(pointer_ty, initializer),
        StorageClass::Workgroup | StorageClass::TaskPayloadWorkgroupEXT => {
            // Vulkan has such memory in stages with thread groups only
            // (VUID-StandaloneSpirv-None-04645), and D3D12 as well.
            if !cx.input.has_groups() {
                return Err(Error::malformed(format!(
                    "groupshared memory in a {} shader",
                    cx.input.entry.kind.prefix()
                )));
            }
            let id = cx.b.global_variable(class, pointer_ty, None);
            let contents = initializer.map(|initializer| (id, initializer));
            cx.module.memory.group_contents.extend(contents);
            cx.module.memory.has_group_memory = true;
            id
        }
        _ => cx.b.global_variable(class, pointer_ty, initializer),
    };
    cx.module.memory.variables.push(id);
    Ok(id)
}
