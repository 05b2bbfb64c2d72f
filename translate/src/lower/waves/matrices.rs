//! Wave matrices: cooperative matrices of SPV_KHR_cooperative_matrix.
//!
//! In the IR a matrix is the words that a lane has of it. How many elements a lane has is known to
//! the device alone (`OpCooperativeMatrixLengthKHR`), so words are put into a matrix, and taken out
//! of one, element by element through a variable: elements that the lane does not have are put
//! where a later one overwrites them, and are zero when taken out. Devices know the length when
//! they compile and keep matrices in registers, so that nothing of this is left.

use dxil_frontend::ir::{FuncView, ValueId};

use crate::lower::context::Context;
use crate::lower::memory::accesses;
use crate::lower::resources::handle_values;
use crate::lower::resources::pointers;
use crate::lower::resources::state::Leaf;
use crate::lower::signatures::inputs;
use crate::lower::values::{LoweredValue, StructMember};
use crate::spirv::{
    Builder, BuiltIn, Capability, Decoration, GLOp, Id, MemoryAccess, MemorySemantics, Op, Scope,
    StorageClass,
};
use crate::vendor::matrix::{Format, MatrixType, Role, formats_of};
use crate::{Error, Location, Result};

/// Rows and columns of a matrix.
const SIZE: u32 = 16;
/// Words that a matrix takes in memory, with elements of 32 bits.
const MEMORY_WORDS: u32 = SIZE * SIZE;
/// Bytes of groupshared memory that matrices may take to change their roles
/// (`maxComputeSharedMemorySize` is at least 16,384).
const MAX_SHARED: u32 = 16_384;

/// Lanes of the smallest wave (D3D12, "Wave operations").
const MIN_WAVE: u32 = 4;

/// A type in the module.
#[derive(Clone, Copy)]
struct LoweredMatrixType {
    format: Format,
    matrix: Id,
    component: Id,
}

fn lower_type(b: &mut Builder, format: Format, role: Role) -> LoweredMatrixType {
    b.extension("SPV_KHR_cooperative_matrix");
    b.capability(Capability::CooperativeMatrixKHR);
    // The extension asks for this memory model; accesses are written for it at the end.
    b.capability(Capability::VulkanMemoryModel);
    b.extension_before(0x0001_0500, "SPV_KHR_vulkan_memory_model");
    let [addressing, _] = b.current_memory_model();
    b.memory_model(addressing, rspirv::spirv::MemoryModel::Vulkan as u32);
    let component = match format {
        Format::F32 => b.f32(),
        Format::F16 => b.float(16),
        Format::I32 | Format::U32 => b.u32(),
        Format::I8 | Format::U8 => b.uint(8),
        Format::Bf16 => {
            b.extension("SPV_KHR_bfloat16");
            b.capability(Capability::BFloat16TypeKHR);
            b.capability(Capability::BFloat16CooperativeMatrixKHR);
            b.encoded_float(16, crate::spirv::BFLOAT16)
        }
        Format::Fp8 | Format::Bf8 => {
            b.extension("SPV_EXT_float8");
            b.capability(Capability::Float8EXT);
            b.capability(Capability::Float8CooperativeMatrixEXT);
            let encoding = match format {
                Format::Fp8 => crate::spirv::FLOAT8_E4M3,
                _ => crate::spirv::FLOAT8_E5M2,
            };
            b.encoded_float(8, encoding)
        }
    };
    let number = match role {
        Role::A => 0,
        Role::B => 1,
        Role::Accumulator => 2,
    };
    let matrix = b.cooperative_matrix(component, Scope::Subgroup, SIZE, number);
    LoweredMatrixType {
        format,
        matrix,
        component,
    }
}

/// Returns a local variable of that type, the number of elements that a lane has, and the index of
/// the last one.
fn variable(b: &mut Builder, ty: LoweredMatrixType) -> (Id, Id, Id) {
    let pointer = b.pointer(StorageClass::Function, ty.matrix);
    let variable = b.local_variable(pointer, None);
    let word = b.u32();
    let length = b.emit(Op::CooperativeMatrixLengthKHR, word, &[ty.matrix]);
    let last = b.const_u32(1);
    let last = b.emit(Op::ISub, word, &[length, last]);
    (variable, length, last)
}

/// Returns a pointer to an element, or to the lane's last one if the lane has fewer.
fn element(b: &mut Builder, ty: LoweredMatrixType, variable: Id, last: Id, number: u32) -> Id {
    let word = b.u32();
    let number_id = b.const_u32(number);
    let number_id = match number {
        0 => number_id,
        _ => b.glsl(GLOp::UMin, word, &[number_id, last]),
    };
    let pointer = b.pointer(StorageClass::Function, ty.component);
    b.access_chain(pointer, variable, &[number_id])
}

/// Returns a matrix from the words that each lane holds of it.
fn from_words(b: &mut Builder, ty: LoweredMatrixType, words: &[Id]) -> Id {
    let zero = b.const_null(ty.component);
    let mut whole = b.const_composite(ty.matrix, &[zero]);
    let (variable, _, last) = variable(b, ty);
    b.store(variable, whole);
    let per_word = 32 / ty.format.bits();
    // From the last to the first: what lies behind the last element is redirected to it, and is
    // overwritten when its own value is stored later.
    for (at, &word) in words.iter().enumerate().rev() {
        let at = at as u32;
        let parts = cut(b, ty, word);
        for part in (0..per_word).rev() {
            let pointer = element(b, ty, variable, last, at * per_word + part);
            if let Some(&value) = parts.get(part as usize) {
                b.store(pointer, value);
            }
        }
    }
    whole = b.load(ty.matrix, variable);
    whole
}

/// Returns the elements in a word.
fn cut(b: &mut Builder, ty: LoweredMatrixType, word: Id) -> Vec<Id> {
    match ty.format.bits() {
        32 if ty.format.is_float() => vec![b.bitcast(ty.component, word)],
        32 => vec![word],
        bits => {
            let count = 32 / bits;
            let vector = b.vector(ty.component, count);
            let vector = b.bitcast(vector, word);
            (0..count)
                .map(|part| b.extract(ty.component, vector, part))
                .collect()
        }
    }
}

/// Returns the first `count` words that a lane holds of a matrix; words behind its last element are
/// zero.
fn to_words(cx: &mut Context<'_>, ty: LoweredMatrixType, matrix: Id, count: u32) -> LoweredValue {
    let (variable, length, last) = variable(&mut cx.b, ty);
    cx.b.store(variable, matrix);
    let zero = cx.b.const_null(ty.component);
    let per_word = 32 / ty.format.bits();
    let word_ty = cx.b.u32();
    let bool_ty = cx.b.bool();
    let mut words = Vec::new();
    for at in 0..count {
        let mut parts = Vec::new();
        for part in 0..per_word {
            let number = at * per_word + part;
            let pointer = element(&mut cx.b, ty, variable, last, number);
            let value = cx.b.load(ty.component, pointer);
            let number = cx.b.const_u32(number);
            // The load of an element that the lane does not have reads the last one, hence the
            // select.
            let is_there = cx.b.emit(Op::ULessThan, bool_ty, &[number, length]);
            parts.push(cx.b.select(ty.component, is_there, value, zero));
        }
        let b = &mut cx.b;
        words.push(StructMember::Id(match parts[..] {
            [whole] if ty.format.is_float() => b.bitcast(word_ty, whole),
            [whole] => whole,
            _ => {
                let vector = b.vector(ty.component, per_word);
                let vector = b.construct(vector, &parts);
                b.bitcast(word_ty, vector)
            }
        }));
    }
    cx.function.values.parts(words)
}

/// Returns a constant operand.
fn constant(view: FuncView<'_>, value: ValueId) -> Result<u32> {
    let value = view.constant_int(value);
    value
        .map(|value| value as u32)
        .ok_or_else(|| Error::internal("an operand of a matrix operation that is not constant"))
}

/// Returns the type that a constant operand names.
fn type_of(view: FuncView<'_>, value: ValueId) -> Result<MatrixType> {
    MatrixType::of(constant(view, value)?)
        .ok_or_else(|| Error::internal("a type of matrices that there is not"))
}

fn ids(cx: &mut Context<'_>, values: &[ValueId]) -> Result<Vec<Id>> {
    values.iter().map(|&value| cx.id(value)).collect()
}

/// The address of a matrix in memory.
struct MatrixAddress {
    /// Pointer to the first word.
    pointer: Id,
    /// Words from row to row, or from column to column.
    stride: Id,
    /// Whether the pointer is a device address, which needs an alignment.
    is_device_address: bool,
}

/// Returns the remaining operands of a load or store: layout, stride, and the alignment of a device
/// address.
fn memory_operands(b: &mut Builder, column_major: bool, address: &MatrixAddress) -> Vec<Id> {
    let layout = b.const_u32(u32::from(column_major));
    let mut operands = vec![layout, address.stride];
    if address.is_device_address {
        operands.extend([Id(MemoryAccess::ALIGNED.bits()), Id(4)]);
    }
    operands
}

/// Returns the address of a matrix in a buffer; offset and stride are in bytes.
fn in_buffer(
    cx: &mut Context<'_>,
    buffer: ValueId,
    offset: ValueId,
    stride: ValueId,
) -> Result<MatrixAddress> {
    let handle = handle_values::handle_of(cx, buffer)?;
    let [offset, stride] = [cx.id(offset)?, cx.id(stride)?];
    // The instruction counts in units of the pointed-to type, which is a word here
    // (SPV_KHR_cooperative_matrix, OpCooperativeMatrixLoadKHR).
    let offset = cx.b.u32_shr(offset, 2);
    let stride = cx.b.u32_shr(stride, 2);
    Ok(MatrixAddress {
        pointer: pointers::element_pointer(cx, &handle, Leaf::U32, offset, None)?,
        stride,
        is_device_address: matches!(handle.view.location, Location::DeviceAddress { .. }),
    })
}

/// Returns the address of a matrix in a groupshared array; index and stride are in words.
fn in_array(
    cx: &mut Context<'_>,
    array: ValueId,
    index: ValueId,
    stride: ValueId,
) -> Result<MatrixAddress> {
    let index = cx.id(index)?;
    Ok(MatrixAddress {
        pointer: accesses::word_address(cx, array, index)?,
        stride: cx.id(stride)?,
        is_device_address: false,
    })
}

type AddressOf = fn(&mut Context<'_>, ValueId, ValueId, ValueId) -> Result<MatrixAddress>;

/// Lowers `(buffer, offset, stride, type) -> words`.
pub(in crate::lower) fn load(
    cx: &mut Context<'_>,
    args: [ValueId; 4],
    count: u32,
) -> Result<LoweredValue> {
    load_at(cx, in_buffer, args, count)
}

/// Lowers `(array, index, stride, type) -> words`.
pub(in crate::lower) fn load_shared(
    cx: &mut Context<'_>,
    args: [ValueId; 4],
    count: u32,
) -> Result<LoweredValue> {
    load_at(cx, in_array, args, count)
}

/// Lowers `(buffer, offset, stride, type, words)`.
pub(in crate::lower) fn store(
    cx: &mut Context<'_>,
    args: [ValueId; 4],
    words: &[ValueId],
) -> Result<LoweredValue> {
    store_at(cx, in_buffer, args, words)
}

/// Lowers `(array, index, stride, type, words)`.
pub(in crate::lower) fn store_shared(
    cx: &mut Context<'_>,
    args: [ValueId; 4],
    words: &[ValueId],
) -> Result<LoweredValue> {
    store_at(cx, in_array, args, words)
}

fn load_at(
    cx: &mut Context<'_>,
    address_of: AddressOf,
    [memory, offset, stride, ty]: [ValueId; 4],
    count: u32,
) -> Result<LoweredValue> {
    let matrix = type_of(cx.function.view, ty)?;
    let ty = lower_type(&mut cx.b, matrix.format, matrix.role);
    let address = address_of(cx, memory, offset, stride)?;
    let mut operands = vec![address.pointer];
    operands.extend(memory_operands(&mut cx.b, matrix.column_major, &address));
    let loaded =
        cx.b.emit(Op::CooperativeMatrixLoadKHR, ty.matrix, &operands);
    Ok(to_words(cx, ty, loaded, count))
}

fn store_at(
    cx: &mut Context<'_>,
    address_of: AddressOf,
    [memory, offset, stride, ty]: [ValueId; 4],
    words: &[ValueId],
) -> Result<LoweredValue> {
    let matrix = type_of(cx.function.view, ty)?;
    let ty = lower_type(&mut cx.b, matrix.format, matrix.role);
    let words = ids(cx, words)?;
    let whole = from_words(&mut cx.b, ty, &words);
    let address = address_of(cx, memory, offset, stride)?;
    let mut operands = vec![address.pointer, whole];
    operands.extend(memory_operands(&mut cx.b, matrix.column_major, &address));
    cx.b.emit_void(Op::CooperativeMatrixStoreKHR, &operands);
    Ok(LoweredValue::Unset)
}

/// Lowers `(opcode, count, words of A, count, words of B, count, words of C) -> words`.
pub(in crate::lower) fn multiply(
    cx: &mut Context<'_>,
    args: &[ValueId],
    results: u32,
) -> Result<LoweredValue> {
    let malformed = || Error::internal("a multiplication of matrices without its operands");
    let (&opcode, mut rest) = args.split_first().ok_or_else(malformed)?;
    let formats = formats_of(constant(cx.function.view, opcode)?).ok_or_else(malformed)?;
    let mut operands = Vec::new();
    let mut signs = 0;
    let mut ty = None;
    for (at, (format, role)) in
        (0..).zip(
            formats
                .into_iter()
                .zip([Role::A, Role::B, Role::Accumulator]),
        )
    {
        let (&count, behind) = rest.split_first().ok_or_else(malformed)?;
        let count = constant(cx.function.view, count)? as usize;
        let (words, behind) = behind.split_at_checked(count).ok_or_else(malformed)?;
        rest = behind;
        let words = ids(cx, words)?;
        let lowered = lower_type(&mut cx.b, format, role);
        operands.push(from_words(&mut cx.b, lowered, &words));
        signs |= u32::from(format.is_signed()) << at;
        ty = Some(lowered);
    }
    let ty = ty.ok_or_else(malformed)?;
    // SPIR-V takes the signs as flags, because integer components have none
    // (SPV_KHR_cooperative_matrix, "Cooperative Matrix Operands").
    if ty.format.is_signed() {
        // The result is of the accumulator's type: bit 3 is its sign.
        signs |= 8;
    }
    if signs != 0 {
        operands.push(Id(signs));
    }
    let product =
        cx.b.emit(Op::CooperativeMatrixMulAddKHR, ty.matrix, &operands);
    Ok(to_words(cx, ty, product, results))
}

/// Lowers `(type, value) -> words`.
pub(in crate::lower) fn fill(
    cx: &mut Context<'_>,
    ty: ValueId,
    value: ValueId,
    count: u32,
) -> Result<LoweredValue> {
    let matrix = type_of(cx.function.view, ty)?;
    let ty = lower_type(&mut cx.b, matrix.format, matrix.role);
    let value = cx.id(value)?;
    let parts = cut(&mut cx.b, ty, value);
    let first = parts.first().copied().unwrap_or(value);
    // A cooperative matrix is constructed from one constituent, which fills all components.
    let filled = cx.b.construct(ty.matrix, &[first]);
    Ok(to_words(cx, ty, filled, count))
}

/// Lowers `(type) -> elements of a lane`; four of 8 bits count as one.
pub(in crate::lower) fn length(cx: &mut Context<'_>, ty: ValueId) -> Result<LoweredValue> {
    let matrix = type_of(cx.function.view, ty)?;
    let ty = lower_type(&mut cx.b, matrix.format, matrix.role);
    let word = cx.b.u32();
    let length =
        cx.b.emit(Op::CooperativeMatrixLengthKHR, word, &[ty.matrix]);
    Ok(LoweredValue::Id(match matrix.format.bits() {
        8 => cx.b.u32_shr(length, 2),
        _ => length,
    }))
}

/// Lowers `(type, new type, saturate, words) -> words`: another format, another role, or both.
pub(in crate::lower) fn convert(
    cx: &mut Context<'_>,
    [old, new, saturate]: [ValueId; 3],
    words: &[ValueId],
    count: u32,
) -> Result<LoweredValue> {
    let (old, new) = (
        type_of(cx.function.view, old)?,
        type_of(cx.function.view, new)?,
    );
    let saturate = constant(cx.function.view, saturate)? != 0;
    let words = ids(cx, words)?;
    let mut ty = lower_type(&mut cx.b, old.format, old.role);
    let mut matrix = from_words(&mut cx.b, ty, &words);
    if old.format != new.format {
        ty = lower_type(&mut cx.b, new.format, old.role);
        // The instruction keeps the role: a change of format and one of role are two steps.
        matrix = cx.b.emit(Op::FConvert, ty.matrix, &[matrix]);
        if saturate && ty.format.bits() == 8 {
            cx.b.decorate(
                matrix,
                Decoration::SaturatedToLargestFloat8NormalConversionEXT,
                &[],
            );
        }
    }
    if old.role != new.role {
        let to = lower_type(&mut cx.b, new.format, new.role);
        matrix = through_memory(cx, matrix, to)?;
        ty = to;
    }
    Ok(to_words(cx, ty, matrix, count))
}

/// Returns a matrix in another role. Roles differ in which lanes hold which elements, and the
/// extension has no conversion between them, so the wave writes the matrix to groupshared memory
/// and reads it back.
fn through_memory(cx: &mut Context<'_>, matrix: Id, to: LoweredMatrixType) -> Result<Id> {
    // The smallest wave gives the largest number of waves, and each needs its own memory.
    let [x, y, z] = cx.input.entry.num_threads.unwrap_or([1; 3]);
    let threads = x.saturating_mul(y).saturating_mul(z);
    let least = cx.input.entry.wave_size.map_or(MIN_WAVE, |size| size.min);
    let waves = threads.div_ceil(least.max(1)).max(1);
    let words = waves.saturating_mul(MEMORY_WORDS);
    if words.saturating_mul(4) > MAX_SHARED {
        return Err(Error::unsupported(format!(
            "matrices that change their roles in {waves} waves: that takes {} bytes of memory",
            words.saturating_mul(4)
        )));
    }
    let word = cx.b.u32();
    let array = cx.b.array(word, words);
    let array_pointer = cx.b.pointer(StorageClass::Workgroup, array);
    let shared =
        cx.b.global_variable(StorageClass::Workgroup, array_pointer, None);
    // A single wave needs no number, which saves the capability.
    let first = if waves == 1 {
        cx.b.const_u32(0)
    } else {
        cx.b.capability(Capability::GroupNonUniform);
        let wave = inputs::load_u32_built_in(cx, BuiltIn::SubgroupId);
        cx.b.u32_mul(wave, MEMORY_WORDS)
    };
    let pointer = cx.b.pointer(StorageClass::Workgroup, word);
    let pointer = cx.b.access_chain(pointer, shared, &[first]);
    let layout = cx.b.const_u32(0);
    // The stride counts words of memory, in which narrower elements are packed.
    let stride = cx.b.const_u32(SIZE * to.format.bits() / 32);
    let store = [pointer, matrix, layout, stride];
    cx.b.emit_void(Op::CooperativeMatrixStoreKHR, &store);
    // The lanes of a wave do not run in lockstep, so the stores must be visible before any load.
    wave_barrier(&mut cx.b);
    let load = [pointer, layout, stride];
    let loaded = cx.b.emit(Op::CooperativeMatrixLoadKHR, to.matrix, &load);
    // Before the memory is written again.
    wave_barrier(&mut cx.b);
    Ok(loaded)
}

fn wave_barrier(b: &mut Builder) {
    let scope = b.const_u32(Scope::Subgroup as u32);
    let semantics = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::WORKGROUP_MEMORY;
    let semantics = b.const_u32(semantics.bits());
    b.emit_void(Op::ControlBarrier, &[scope, scope, semantics]);
}
