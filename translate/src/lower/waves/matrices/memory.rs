//! Matrices in memory: buffers, groupshared arrays, and the memory through which a matrix changes
//! its role.

use dxil_frontend::ir::ValueId;

use super::operands::ids;
use super::types::{LoweredMatrixType, SIZE, Tiles, Wanted, from_words, lower_type, to_words};
use crate::lower::context::Context;
use crate::lower::memory::accesses;
use crate::lower::resources::device_addresses;
use crate::lower::resources::handle_values;
use crate::lower::resources::pointers;
use crate::lower::resources::state::Leaf;
use crate::lower::signatures::inputs;
use crate::lower::values::LoweredValue;
use crate::pseudo::matrix::MatrixType;
use crate::spirv::{
    Builder, BuiltIn, Capability, Id, MemoryAccess, MemorySemantics, Op, Scope, StorageClass,
};
use crate::{Error, Location, Result};

/// Words that a matrix takes in memory, with elements of 32 bits.
const MEMORY_WORDS: u32 = SIZE * SIZE;
/// Bytes of groupshared memory that matrices may take to change their roles
/// (`maxComputeSharedMemorySize` is at least 16,384).
pub(in crate::lower) const MAX_SHARED: u32 = 16_384;
/// Lanes of the smallest wave (D3D12, "Wave operations").
pub(in crate::lower) const MIN_WAVE: u32 = 4;

/// The memory that a matrix lies in.
#[derive(Clone, Copy)]
pub(in crate::lower) enum Memory {
    /// A buffer; offset and stride are in bytes.
    Buffer(ValueId),
    /// A groupshared array; index and stride are in words.
    Array(ValueId),
    /// A device address, low word first; offset and stride are in bytes.
    Address([ValueId; 2]),
}

/// The address of a tile in memory.
struct TileAddress {
    /// Pointer to the first word.
    pointer: Id,
    /// Words from row to row, or from column to column.
    stride: Id,
    /// Whether the pointer is a device address, which needs an alignment.
    is_device_address: bool,
}

/// Returns the remaining operands of a load or store: layout, stride, and the alignment of a device
/// address.
fn memory_operands(b: &mut Builder, column_major: bool, address: &TileAddress) -> Vec<Id> {
    let layout = b.const_u32(u32::from(column_major));
    let mut operands = vec![layout, address.stride];
    if address.is_device_address {
        operands.extend([Id(MemoryAccess::ALIGNED.bits()), Id(4)]);
    }
    operands
}

/// Returns where a tile lies relative to its matrix, in words.
fn tile_offset(
    b: &mut Builder,
    ty: LoweredMatrixType,
    column_major: bool,
    number: u32,
    stride: Id,
) -> Id {
    let (row, column) = (number / ty.per_row(), number % ty.per_row());
    let (major, minor) = if column_major {
        (column, row)
    } else {
        (row, column)
    };
    let lines = match major {
        0 => b.const_u32(0),
        _ => b.u32_mul(stride, major * ty.size),
    };
    let within = b.const_u32(minor * ty.size * ty.format.bits() / 32);
    b.u32_add(lines, within)
}

impl Memory {
    /// Returns the addresses of a matrix' tiles.
    fn tiles(
        self,
        cx: &mut Context<'_>,
        [offset, stride]: [ValueId; 2],
        ty: LoweredMatrixType,
        column_major: bool,
    ) -> Result<Vec<TileAddress>> {
        let [mut offset, mut stride] = [cx.id(offset)?, cx.id(stride)?];
        if !matches!(self, Memory::Array(_)) {
            // The instruction counts in units of the pointed-to type, which is a word here
            // (SPV_KHR_cooperative_matrix, OpCooperativeMatrixLoadKHR).
            offset = cx.b.u32_shr(offset, 2);
            stride = cx.b.u32_shr(stride, 2);
        }
        let handle = match self {
            Memory::Buffer(buffer) => Some(handle_values::handle_of(cx, buffer)?),
            Memory::Array(_) | Memory::Address(_) => None,
        };
        let mut addresses = Vec::new();
        for number in 0..ty.count() {
            let tile = tile_offset(&mut cx.b, ty, column_major, number, stride);
            let word = cx.b.u32_add(offset, tile);
            addresses.push(TileAddress {
                pointer: match (self, &handle) {
                    (Memory::Buffer(_), Some(handle)) => {
                        pointers::element_pointer(cx, handle, Leaf::U32, word, None)?
                    }
                    (Memory::Address(address), _) => {
                        device_addresses::word_pointer(cx, address, word)?
                    }
                    (Memory::Array(array) | Memory::Buffer(array), _) => {
                        accesses::word_address(cx, array, word)?
                    }
                },
                stride,
                is_device_address: matches!(self, Memory::Address(_))
                    || handle.as_ref().is_some_and(|handle| {
                        matches!(handle.view.location, Location::DeviceAddress { .. })
                    }),
            });
        }
        Ok(addresses)
    }
}

/// Loads a matrix.
pub(in crate::lower) fn load(
    cx: &mut Context<'_>,
    memory: Memory,
    place: [ValueId; 2],
    matrix: MatrixType,
    words: Wanted,
) -> Result<LoweredValue> {
    let ty = lower_type(cx, matrix.format, matrix.role)?;
    let mut tiles = Tiles::new();
    for address in memory.tiles(cx, place, ty, matrix.column_major)? {
        let mut operands = vec![address.pointer];
        operands.extend(memory_operands(&mut cx.b, matrix.column_major, &address));
        tiles.push(cx.b.emit(Op::CooperativeMatrixLoadKHR, ty.tile, &operands));
    }
    Ok(to_words(cx, ty, &tiles, words))
}

/// Stores the words of a matrix.
pub(in crate::lower) fn store(
    cx: &mut Context<'_>,
    memory: Memory,
    place: [ValueId; 2],
    matrix: MatrixType,
    words: &[ValueId],
) -> Result<LoweredValue> {
    let ty = lower_type(cx, matrix.format, matrix.role)?;
    let words = ids(cx, words)?;
    let tiles = from_words(cx, ty, &words);
    let addresses = memory.tiles(cx, place, ty, matrix.column_major)?;
    for (address, tile) in addresses.iter().zip(tiles) {
        let mut operands = vec![address.pointer, tile];
        operands.extend(memory_operands(&mut cx.b, matrix.column_major, address));
        cx.b.emit_void(Op::CooperativeMatrixStoreKHR, &operands);
    }
    Ok(LoweredValue::Unset)
}

/// Returns a matrix in another role. Roles differ in which lanes hold which elements, and the
/// extension has no conversion between them, so the wave writes the matrix to groupshared memory
/// and reads it back.
pub(super) fn in_another_role(
    cx: &mut Context<'_>,
    tiles: &[Id],
    to: LoweredMatrixType,
) -> Result<Tiles> {
    // The smallest wave gives the largest number of waves, and each needs its own memory.
    let [x, y, z] = cx.input.entry.num_threads.unwrap_or([1; 3]);
    let threads = x.saturating_mul(y).saturating_mul(z);
    let minimum = cx.input.entry.wave_size.map_or(MIN_WAVE, |size| size.min);
    let waves = threads.div_ceil(minimum.max(1)).max(1);
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
    let b = &mut cx.b;
    let pointer = b.pointer(StorageClass::Workgroup, word);
    let layout = b.const_u32(0);
    // The stride counts words of memory, in which narrower elements are packed.
    let stride = b.const_u32(SIZE * to.format.bits() / 32);
    let pointers: Vec<Id> = (0..to.count())
        .map(|number| {
            let offset = tile_offset(b, to, false, number, stride);
            let word = b.u32_add(first, offset);
            b.access_chain(pointer, shared, &[word])
        })
        .collect();
    for (&pointer, &tile) in pointers.iter().zip(tiles) {
        let store = [pointer, tile, layout, stride];
        b.emit_void(Op::CooperativeMatrixStoreKHR, &store);
    }
    // The lanes of a wave do not run in lockstep, so the stores must be visible before any load.
    wave_barrier(b);
    let loaded = pointers
        .iter()
        .map(|&pointer| {
            let load = [pointer, layout, stride];
            b.emit(Op::CooperativeMatrixLoadKHR, to.tile, &load)
        })
        .collect();
    // Before the memory is written again.
    wave_barrier(b);
    Ok(loaded)
}

/// Makes what the lanes of a wave wrote to groupshared memory visible to all of them.
pub(in crate::lower) fn wave_barrier(b: &mut Builder) {
    let scope = b.const_u32(Scope::Subgroup as u32);
    let semantics = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::WORKGROUP_MEMORY;
    let semantics = b.const_u32(semantics.bits());
    b.emit_void(Op::ControlBarrier, &[scope, scope, semantics]);
}
