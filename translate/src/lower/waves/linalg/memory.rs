//! Matrices in memory: buffers, groupshared arrays, and the memory through which a wave gives
//! elements to other lanes.

use dxil_frontend::dxil::ops::MatrixLayout;
use dxil_frontend::ir::ValueId;

use super::types::{Matrix, tiles_of, whole_of};
use crate::lower::context::Context;
use crate::lower::memory::accesses;
use crate::lower::resources::handle_values;
use crate::lower::resources::pointers;
use crate::lower::resources::state::Leaf;
use crate::lower::signatures::inputs;
use crate::lower::waves::matrices::memory::{MAX_SHARED, MIN_WAVE, wave_barrier};
use crate::spirv::{Builder, BuiltIn, Id, MemoryAccess, Op, StorageClass};
use crate::{Error, Location, Result};

/// How a matrix lies in memory.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    /// Lines are columns, not rows.
    pub(super) column_major: bool,
    /// Words from line to line.
    pub(super) stride: Id,
}

impl Lines {
    /// Returns the lines of a layout. What a device may choose lies row by row without gaps, its
    /// transposed form column by column.
    fn of(b: &mut Builder, ty: &Matrix, layout: MatrixLayout, stride: Id) -> Lines {
        let (column_major, line) = match layout {
            MatrixLayout::RowMajor => (false, None),
            MatrixLayout::ColumnMajor => (true, None),
            MatrixLayout::MulOptimal | MatrixLayout::OuterProductOptimal => {
                (false, Some(ty.columns))
            }
            MatrixLayout::MulOptimalTranspose | MatrixLayout::OuterProductOptimalTranspose => {
                (true, Some(ty.rows))
            }
        };
        let stride = match line {
            Some(elements) => b.const_u32(elements / ty.per_word()),
            None => stride,
        };
        Lines {
            column_major,
            stride,
        }
    }

    /// Returns where a tile begins, in words from the matrix' first one.
    fn tile(&self, b: &mut Builder, ty: &Matrix, number: u32) -> Id {
        let (row, column) = (number / ty.tiles_per_row(), number % ty.tiles_per_row());
        let (major, minor) = if self.column_major {
            (column, row)
        } else {
            (row, column)
        };
        let lines = match major {
            0 => b.const_u32(0),
            _ => b.u32_mul(self.stride, major * ty.size),
        };
        let within = b.const_u32(minor * ty.size / ty.per_word());
        b.u32_add(lines, within)
    }

    /// Returns the operands of an access after the pointer and what is stored.
    fn operands(&self, b: &mut Builder, is_device_address: bool) -> Vec<Id> {
        let layout = b.const_u32(u32::from(self.column_major));
        let mut operands = vec![layout, self.stride];
        if is_device_address {
            operands.extend([Id(MemoryAccess::ALIGNED.bits()), Id(4)]);
        }
        operands
    }
}

/// Memory that a matrix lies in.
#[derive(Clone, Copy)]
pub(super) enum Memory {
    /// A buffer; offset and stride are in bytes.
    Buffer(ValueId),
    /// A groupshared array of words; offset and stride are in its elements.
    Array(ValueId),
}

/// The tiles of a matrix in memory.
struct Places {
    pointers: Vec<Id>,
    lines: Lines,
    /// Accesses say their alignment.
    is_device_address: bool,
}

impl Memory {
    fn places(
        self,
        cx: &mut Context<'_>,
        ty: &Matrix,
        [offset, stride]: [ValueId; 2],
        layout: MatrixLayout,
    ) -> Result<Places> {
        let [mut offset, mut stride] = [cx.id(offset)?, cx.id(stride)?];
        let handle = match self {
            Memory::Buffer(buffer) => {
                // The accesses count in units of the pointed-to type, which is a word here.
                offset = cx.b.u32_shr(offset, 2);
                stride = cx.b.u32_shr(stride, 2);
                Some(handle_values::handle_of(cx, buffer)?)
            }
            Memory::Array(_) => None,
        };
        let lines = Lines::of(&mut cx.b, ty, layout, stride);
        let mut pointers = Vec::new();
        for number in 0..ty.count() {
            let tile = lines.tile(&mut cx.b, ty, number);
            let word = cx.b.u32_add(offset, tile);
            pointers.push(match (self, &handle) {
                (Memory::Buffer(_), Some(handle)) => {
                    pointers::element_pointer(cx, handle, Leaf::U32, word, None)?
                }
                (Memory::Array(array) | Memory::Buffer(array), _) => {
                    accesses::word_after(cx, array, word)?
                }
            });
        }
        let location = handle.as_ref().map(|handle| handle.view.location);
        Ok(Places {
            pointers,
            lines,
            is_device_address: matches!(location, Some(Location::DeviceAddress { .. })),
        })
    }
}

/// Loads a matrix.
pub(super) fn load(
    cx: &mut Context<'_>,
    ty: &Matrix,
    memory: Memory,
    place: [ValueId; 2],
    layout: MatrixLayout,
) -> Result<Id> {
    let places = memory.places(cx, ty, place, layout)?;
    let mut tiles = Vec::new();
    for pointer in places.pointers {
        let mut operands = vec![pointer];
        operands.extend(places.lines.operands(&mut cx.b, places.is_device_address));
        tiles.push(cx.b.emit(Op::CooperativeMatrixLoadKHR, ty.tile, &operands));
    }
    Ok(whole_of(cx, ty, &tiles))
}

/// Stores a matrix.
pub(super) fn store(
    cx: &mut Context<'_>,
    ty: &Matrix,
    whole: Id,
    memory: Memory,
    place: [ValueId; 2],
    layout: MatrixLayout,
) -> Result<()> {
    let tiles = tiles_of(cx, ty, whole);
    let places = memory.places(cx, ty, place, layout)?;
    for (pointer, tile) in places.pointers.into_iter().zip(tiles) {
        let mut operands = vec![pointer, tile];
        operands.extend(places.lines.operands(&mut cx.b, places.is_device_address));
        cx.b.emit_void(Op::CooperativeMatrixStoreKHR, &operands);
    }
    Ok(())
}

/// Groupshared memory of a wave's own.
pub(super) struct Scratch {
    array: Id,
    /// The first word of the wave.
    first: Id,
    /// Number of waves of the smallest size that a group may have.
    pub(super) smallest_wave: u32,
}

impl Scratch {
    /// Returns memory of that many words for each wave of the group.
    pub(super) fn new(cx: &mut Context<'_>, words: u32) -> Result<Scratch> {
        let [x, y, z] = cx.input.entry.num_threads.unwrap_or([1; 3]);
        let threads = x.saturating_mul(y).saturating_mul(z);
        // The smallest wave gives the largest number of waves.
        let smallest = cx.input.entry.wave_size.map_or(MIN_WAVE, |size| size.min);
        let smallest_wave = smallest.max(1);
        let waves = threads.div_ceil(smallest_wave).max(1);
        let all = waves.saturating_mul(words);
        if all.saturating_mul(4) > MAX_SHARED {
            return Err(Error::unsupported(format!(
                "matrices whose elements change lanes in {waves} waves: that takes {} bytes of \
                 memory",
                all.saturating_mul(4)
            )));
        }
        let word = cx.b.u32();
        let known = cx.module.matrices.scratch;
        let array = match known.filter(|(size, _)| *size == all) {
            Some((_, array)) => array,
            None => {
                let array = cx.b.array(word, all);
                let pointer = cx.b.pointer(StorageClass::Workgroup, array);
                let variable = cx.b.global_variable(StorageClass::Workgroup, pointer, None);
                cx.module.matrices.scratch = Some((all, variable));
                variable
            }
        };
        let first = if waves == 1 {
            cx.b.const_u32(0)
        } else {
            let wave = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupId);
            cx.b.u32_mul(wave, words)
        };
        Ok(Scratch {
            array,
            first,
            smallest_wave,
        })
    }

    /// Returns the pointer to a word of the wave.
    pub(super) fn word(&self, b: &mut Builder, word: Id) -> Id {
        let ty = b.u32();
        let pointer = b.pointer(StorageClass::Workgroup, ty);
        let word = b.u32_add(self.first, word);
        b.access_chain(pointer, self.array, &[word])
    }
}

/// Returns a matrix in another role or transposed, with the same components: the wave writes it to
/// memory and reads it back.
pub(super) fn through_memory(
    cx: &mut Context<'_>,
    from: &Matrix,
    to: &Matrix,
    tiles: &[Id],
    transpose: bool,
) -> Result<Vec<Id>> {
    let scratch = Scratch::new(cx, from.rows * from.columns / from.per_word())?;
    let b = &mut cx.b;
    let mut lines = Lines {
        column_major: false,
        stride: b.const_u32(from.columns / from.per_word()),
    };
    for (number, &tile) in (0..).zip(tiles) {
        let word = lines.tile(b, from, number);
        let mut operands = vec![scratch.word(b, word), tile];
        operands.extend(lines.operands(b, false));
        b.emit_void(Op::CooperativeMatrixStoreKHR, &operands);
    }
    // The lanes of a wave do not run in lockstep, so the stores must be visible before any load.
    wave_barrier(b);
    lines.column_major = transpose;
    let loaded = (0..to.count()).map(|number| {
        let word = lines.tile(b, to, number);
        let mut operands = vec![scratch.word(b, word)];
        operands.extend(lines.operands(b, false));
        b.emit(Op::CooperativeMatrixLoadKHR, to.tile, &operands)
    });
    let loaded = loaded.collect();
    // Before the memory is written again.
    wave_barrier(b);
    Ok(loaded)
}

/// Returns a tile whose elements have their own place as bits: row by row from 0.
pub(super) fn places_of(cx: &mut Context<'_>, ty: &Matrix) -> Result<Id> {
    let words = ty.size * ty.size / ty.per_word();
    let scratch = Scratch::new(cx, words)?;
    let lane = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupLocalInvocationId);
    let lanes = inputs::load_subgroup_built_in(cx, BuiltIn::SubgroupSize);
    let b = &mut cx.b;
    let ty_word = b.u32();
    let (factor, sum) = match ty.per_word() {
        1 => (1, 0),
        2 => (0x0002_0002, 0x0001_0000),
        _ => (0x0404_0404, 0x0302_0100),
    };
    let last = b.const_u32(words - 1);
    for turn in 0..words.div_ceil(scratch.smallest_wave) {
        let before = b.u32_mul(lanes, turn);
        let word = b.u32_add(lane, before);
        // Lanes past the end write the last word, as the lane does whose word it is.
        let word = b.glsl(crate::spirv::GLOp::UMin, ty_word, &[word, last]);
        let bits = b.u32_mul(word, factor);
        let sum = b.const_u32(sum);
        let bits = b.u32_add(bits, sum);
        let pointer = scratch.word(b, word);
        b.store(pointer, bits);
    }
    wave_barrier(b);
    let lines = Lines {
        column_major: false,
        stride: b.const_u32(ty.size / ty.per_word()),
    };
    let zero = b.const_u32(0);
    let mut operands = vec![scratch.word(b, zero)];
    operands.extend(lines.operands(b, false));
    let tile = b.emit(Op::CooperativeMatrixLoadKHR, ty.tile, &operands);
    wave_barrier(b);
    Ok(tile)
}
