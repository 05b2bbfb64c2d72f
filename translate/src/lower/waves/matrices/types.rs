//! The type of a matrix in the module, and the words that a lane holds of it.

use crate::lower::context::Context;
use crate::lower::values::{LoweredValue, StructMember};
use crate::options::Features;
use crate::pseudo::matrix::{Format, Role};
use crate::spirv::{Builder, Capability, GLOp, Id, Op, Scope, StorageClass};
use crate::{Error, ErrorKind, Result};

/// Rows and columns of a matrix.
pub(super) const SIZE: u32 = 16;
/// Rows and columns of a tile where the target has no larger ones.
const SMALL_SIZE: u32 = 8;

/// A type in the module. A matrix of 16 rows is one cooperative matrix, or the tiles of a grid
/// where the target has smaller ones only.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct LoweredMatrixType {
    pub(super) format: Format,
    /// Rows and columns of a tile.
    pub(super) size: u32,
    /// The type of a tile.
    pub(in crate::lower) tile: Id,
    pub(in crate::lower) component: Id,
}

/// The tiles of a matrix, row after row.
pub(super) type Tiles = Vec<Id>;

impl LoweredMatrixType {
    /// Returns how many tiles a row of the grid has.
    pub(super) fn per_row(self) -> u32 {
        SIZE / self.size
    }

    /// Returns the number of tiles.
    pub(super) fn count(self) -> u32 {
        self.per_row() * self.per_row()
    }
}

/// Returns whether matrices of the format are matrices of bytes in the module.
pub(super) fn is_bytes(cx: &Context<'_>, format: Format) -> bool {
    matches!(format, Format::Fp8 | Format::Bf8) && !cx.input.has(Features::MATRIX_FLOAT8)
}

/// Returns the type of matrices with that format and role.
pub(super) fn lower_type(
    cx: &mut Context<'_>,
    format: Format,
    role: Role,
) -> Result<LoweredMatrixType> {
    let size = if cx.input.has(Features::COOPERATIVE_MATRIX) {
        SIZE
    } else if cx.input.has(Features::COOPERATIVE_MATRIX_8) {
        SMALL_SIZE
    } else {
        return Err(Error::new(ErrorKind::TargetLacks {
            feature: "cooperativeMatrix",
            user: "a wave matrix".to_owned(),
        }));
    };
    let component = if is_bytes(cx, format) {
        Format::U8
    } else {
        format
    };
    let ty = tile_type(cx, component, role, size);
    Ok(LoweredMatrixType { format, ..ty })
}

/// Returns the type of matrices that consist of square tiles of that size. The caller has asked
/// whether the target has them.
pub(in crate::lower) fn tile_type(
    cx: &mut Context<'_>,
    format: Format,
    role: Role,
    size: u32,
) -> LoweredMatrixType {
    let b = &mut cx.b;
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
    let tile = b.cooperative_matrix(component, Scope::Subgroup, size, number);
    LoweredMatrixType {
        format,
        size,
        tile,
        component,
    }
}

/// Returns the number of elements that a lane has of a matrix.
pub(super) fn length_of(b: &mut Builder, ty: LoweredMatrixType) -> Id {
    let word = b.u32();
    let length = b.emit(Op::CooperativeMatrixLengthKHR, word, &[ty.tile]);
    b.u32_mul(length, ty.count())
}

/// A local variable that holds a matrix, so that elements have addresses.
struct MatrixVariable {
    ty: LoweredMatrixType,
    /// A tile, or an array of them.
    variable: Id,
    /// Number of elements that a lane has of a tile.
    per_tile: Id,
    /// Number of elements that a lane has.
    length: Id,
    /// Number of the last one.
    last: Id,
}

impl MatrixVariable {
    fn new(b: &mut Builder, ty: LoweredMatrixType) -> Self {
        let held = match ty.count() {
            1 => ty.tile,
            count => b.array(ty.tile, count),
        };
        let pointer = b.pointer(StorageClass::Function, held);
        let variable = b.local_variable(pointer, None);
        let word = b.u32();
        let per_tile = b.emit(Op::CooperativeMatrixLengthKHR, word, &[ty.tile]);
        let length = b.u32_mul(per_tile, ty.count());
        let one = b.const_u32(1);
        let last = b.emit(Op::ISub, word, &[length, one]);
        MatrixVariable {
            ty,
            variable,
            per_tile,
            length,
            last,
        }
    }

    /// Returns the pointer to a tile.
    fn tile(&self, b: &mut Builder, number: u32) -> Id {
        if self.ty.count() == 1 {
            return self.variable;
        }
        let pointer = b.pointer(StorageClass::Function, self.ty.tile);
        let number = b.const_u32(number);
        b.access_chain(pointer, self.variable, &[number])
    }

    /// Returns a pointer to an element, or to the lane's last one if the lane has fewer.
    fn element(&self, b: &mut Builder, number: u32) -> Id {
        let word = b.u32();
        let number_id = b.const_u32(number);
        let number_id = match number {
            0 => number_id,
            _ => b.glsl(GLOp::UMin, word, &[number_id, self.last]),
        };
        let pointer = b.pointer(StorageClass::Function, self.ty.component);
        if self.ty.count() == 1 {
            return b.access_chain(pointer, self.variable, &[number_id]);
        }
        // A lane's elements are those of one tile after the other.
        let tile = b.emit(Op::UDiv, word, &[number_id, self.per_tile]);
        let within = b.emit(Op::UMod, word, &[number_id, self.per_tile]);
        b.access_chain(pointer, self.variable, &[tile, within])
    }

    fn load(&self, b: &mut Builder) -> Tiles {
        (0..self.ty.count())
            .map(|number| {
                let pointer = self.tile(b, number);
                b.load(self.ty.tile, pointer)
            })
            .collect()
    }

    fn store(&self, b: &mut Builder, tiles: &[Id]) {
        for (number, &tile) in (0..).zip(tiles) {
            let pointer = self.tile(b, number);
            b.store(pointer, tile);
        }
    }
}

/// Returns a matrix from the words that each lane holds of it.
pub(super) fn from_words(cx: &mut Context<'_>, ty: LoweredMatrixType, words: &[Id]) -> Tiles {
    if let Some(tiles) = cx.module.matrices.tiles_of(words, ty.tile) {
        return tiles;
    }
    let b = &mut cx.b;
    let zero = b.const_null(ty.component);
    let zeros = b.const_composite(ty.tile, &[zero]);
    let variable = MatrixVariable::new(b, ty);
    variable.store(b, &vec![zeros; ty.count() as usize]);
    let per_word = 32 / ty.format.bits();
    // From the last to the first: what lies after the last element is redirected to it, and is
    // overwritten when its own value is stored later.
    for (at, &word) in words.iter().enumerate().rev() {
        let at = at as u32;
        let parts = cut(b, ty, word);
        for part in (0..per_word).rev() {
            let pointer = variable.element(b, at * per_word + part);
            if let Some(&value) = parts.get(part as usize) {
                b.store(pointer, value);
            }
        }
    }
    variable.load(b)
}

/// Returns the elements in a word.
pub(super) fn cut(b: &mut Builder, ty: LoweredMatrixType, word: Id) -> Vec<Id> {
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

/// The words that are wanted of a matrix.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Wanted {
    /// Their number.
    pub(in crate::lower) count: u32,
    /// Whether they only come back together, which [`from_words`] recognizes: no code uses them.
    pub(in crate::lower) stay_whole: bool,
}

/// Returns the first words that a lane holds of a matrix; words after its last element are zero.
pub(super) fn to_words(
    cx: &mut Context<'_>,
    ty: LoweredMatrixType,
    tiles: &[Id],
    wanted: Wanted,
) -> LoweredValue {
    if wanted.stay_whole {
        let ids: Vec<Id> = (0..wanted.count).map(|_| cx.b.fresh()).collect();
        let words: Vec<StructMember> = ids.iter().copied().map(StructMember::Id).collect();
        cx.module.matrices.remember(ids, ty.tile, tiles);
        return cx.function.values.parts(words);
    }
    let variable = MatrixVariable::new(&mut cx.b, ty);
    variable.store(&mut cx.b, tiles);
    let zero = cx.b.const_null(ty.component);
    let per_word = 32 / ty.format.bits();
    let word_ty = cx.b.u32();
    let bool_ty = cx.b.bool();
    let mut words = Vec::new();
    for at in 0..wanted.count {
        let mut parts = Vec::new();
        for part in 0..per_word {
            let number = at * per_word + part;
            let pointer = variable.element(&mut cx.b, number);
            let value = cx.b.load(ty.component, pointer);
            let number = cx.b.const_u32(number);
            // The load of an element that the lane does not have reads the last one, hence the
            // select.
            let operands = [number, variable.length];
            let is_there = cx.b.emit(Op::ULessThan, bool_ty, &operands);
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
    let ids = words.iter().filter_map(|word| match word {
        StructMember::Id(id) => Some(*id),
        StructMember::Member { .. } => None,
    });
    let ids = ids.collect();
    cx.module.matrices.remember(ids, ty.tile, tiles);
    cx.function.values.parts(words)
}
