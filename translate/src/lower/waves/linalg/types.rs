//! Types of matrices, and the tiles that a matrix consists of.

use dxil_frontend::dxil::ops::MatrixComponent;
use dxil_frontend::dxil::{MatrixScope, MatrixType, MatrixUse, ShaderKind, matrix_types};
use dxil_frontend::ir::{TypeId, ValueId};

use crate::lower::context::Context;
use crate::lower::waves::matrices::types::tile_type;
use crate::options::Features;
use crate::pseudo::matrix::{Format, Role};
use crate::spirv::{Id, Op, StorageClass};
use crate::{Error, ErrorKind, Result};

/// Rows and columns of the cooperative matrices that devices may have, by preference.
const SIZES: [(u32, Features); 2] = [
    (16, Features::COOPERATIVE_MATRIX),
    (8, Features::COOPERATIVE_MATRIX_8),
];

/// Maximum number of tiles of a matrix. A product of two is 64 instructions, so a small file cannot
/// ask for a large module.
const MAX_TILES: u32 = 16;

/// The type of a matrix in the module.
#[derive(Clone, Copy)]
pub(super) struct Matrix {
    pub(super) rows: u32,
    pub(super) columns: u32,
    pub(super) format: Format,
    pub(super) role: Role,
    /// Rows and columns of a tile.
    pub(super) size: u32,
    /// The type of a tile.
    pub(super) tile: Id,
    /// The type of an element.
    pub(super) component: Id,
    /// The type of the whole: a tile, or an array of them.
    pub(super) whole: Id,
}

impl Matrix {
    /// Returns the number of tiles in a row of them.
    pub(super) fn tiles_per_row(&self) -> u32 {
        self.columns / self.size
    }

    /// Returns the number of tiles.
    pub(super) fn count(&self) -> u32 {
        self.rows / self.size * self.tiles_per_row()
    }

    /// Returns the number of elements in a word.
    pub(super) fn per_word(&self) -> u32 {
        32 / self.format.bits()
    }
}

/// Returns the type of values that are matrices.
///
/// # Errors
///
/// As [`of_type`].
pub(in crate::lower) fn type_of(cx: &mut Context<'_>, ty: TypeId) -> Result<Id> {
    of_type(cx, ty).map(|matrix| matrix.whole)
}

/// Returns the matrix type that an IR type is.
///
/// # Errors
///
/// `TargetLacks` if no tile of the target fits, `Unsupported` for other scopes and components.
pub(super) fn of_type(cx: &mut Context<'_>, ty: TypeId) -> Result<Matrix> {
    let module = &cx.input.shader.module;
    let known = cx
        .module
        .matrices
        .described
        .get_or_insert_with(|| matrix_types(module));
    let matrix = *(known.get(&ty))
        .ok_or_else(|| Error::malformed("a matrix whose type `dx.targetTypes` does not have"))?;
    let format = format_of(&matrix)?;
    let role = match matrix.usage {
        MatrixUse::A => Role::A,
        MatrixUse::B => Role::B,
        MatrixUse::Accumulator => Role::Accumulator,
    };
    let size = tile_size(cx, &matrix)?;
    let ty = tile_type(cx, format, role, size);
    let count = (matrix.rows / size) * (matrix.columns / size);
    let whole = match count {
        1 => ty.tile,
        count => cx.b.array(ty.tile, count),
    };
    Ok(Matrix {
        rows: matrix.rows,
        columns: matrix.columns,
        format,
        role,
        size,
        tile: ty.tile,
        component: ty.component,
        whole,
    })
}

/// Returns the type of a matrix in the role and with the size of one, and the components of
/// another.
pub(super) fn with_format(cx: &mut Context<'_>, from: &Matrix, to: &Matrix) -> Matrix {
    let ty = tile_type(cx, to.format, from.role, from.size);
    Matrix {
        format: to.format,
        tile: ty.tile,
        component: ty.component,
        ..*from
    }
}

/// Returns the matrix type of a value.
pub(super) fn of_value(cx: &mut Context<'_>, value: ValueId) -> Result<Matrix> {
    let ty = cx.function.type_of(value)?;
    of_type(cx, ty)
}

fn format_of(matrix: &MatrixType) -> Result<Format> {
    Ok(match matrix.component {
        Some(MatrixComponent::F16) => Format::F16,
        Some(MatrixComponent::F32) => Format::F32,
        Some(MatrixComponent::I32) => Format::I32,
        Some(MatrixComponent::U32) => Format::U32,
        Some(MatrixComponent::I8) => Format::I8,
        Some(MatrixComponent::U8) => Format::U8,
        Some(MatrixComponent::BFloat16) => Format::Bf16,
        Some(MatrixComponent::F8E4M3FN) => Format::Fp8,
        Some(MatrixComponent::F8E5M2) => Format::Bf8,
        other => {
            let what = other.map_or("unknown numbers".to_owned(), |other| format!("{other:?}"));
            return Err(Error::unsupported(format!("wave matrices of {what}")));
        }
    })
}

/// Returns rows and columns of the tiles: the same for all matrices of a module, which are
/// multiplied with each other.
fn tile_size(cx: &Context<'_>, matrix: &MatrixType) -> Result<u32> {
    match matrix.scope {
        MatrixScope::Wave => {}
        // `crate::matrices` has taken these apart.
        MatrixScope::Thread => return Err(Error::unsupported("matrices of single threads")),
        MatrixScope::ThreadGroup => return Err(Error::unsupported("matrices of thread groups")),
    }
    let lacks = |user: String| {
        Error::new(ErrorKind::TargetLacks {
            feature: "cooperativeMatrix",
            user,
        })
    };
    let kind = cx.input.entry.kind;
    if kind != ShaderKind::Compute {
        return Err(lacks(format!("a matrix in a {} shader", kind.prefix())));
    }
    let fits = |matrix: &MatrixType, size: u32| {
        let [rows, columns] = [matrix.rows, matrix.columns];
        let tiles = u64::from(rows / size) * u64::from(columns / size);
        rows % size == 0 && columns % size == 0 && (1..=u64::from(MAX_TILES)).contains(&tiles)
    };
    #[expect(clippy::disallowed_methods, reason = "asks about each type by itself")]
    let described = cx
        .module
        .matrices
        .described
        .iter()
        .flat_map(|all| all.values());
    let others = || {
        described
            .clone()
            .filter(|other| other.scope == MatrixScope::Wave)
    };
    let available = SIZES.iter().filter(|(_, feature)| cx.input.has(*feature));
    let mut available = available
        .map(|(size, _)| *size)
        .filter(|size| fits(matrix, *size));
    let size = available.find(|&size| others().all(|other| fits(other, size)));
    size.ok_or_else(|| lacks(format!("a matrix of {} by {}", matrix.rows, matrix.columns)))
}

/// Returns the tiles of a matrix, row after row.
pub(super) fn tiles_of(cx: &mut Context<'_>, ty: &Matrix, whole: Id) -> Vec<Id> {
    match ty.count() {
        1 => vec![whole],
        count => (0..count)
            .map(|number| cx.b.extract(ty.tile, whole, number))
            .collect(),
    }
}

/// Returns the matrix of these tiles.
pub(super) fn whole_of(cx: &mut Context<'_>, ty: &Matrix, tiles: &[Id]) -> Id {
    match tiles {
        [tile] => *tile,
        tiles => cx.b.construct(ty.whole, tiles),
    }
}

/// Returns the number of elements that a lane holds of a tile.
pub(super) fn tile_length(cx: &mut Context<'_>, ty: &Matrix) -> Id {
    let word = cx.b.u32();
    cx.b.emit(Op::CooperativeMatrixLengthKHR, word, &[ty.tile])
}

/// An element that a lane holds, in a variable with the whole matrix.
pub(super) struct Element {
    pub(super) variable: Id,
    pub(super) pointer: Id,
    /// Whether the lane has it; otherwise the pointer is that of its last element.
    pub(super) is_there: Id,
    /// Number of the tile.
    pub(super) tile: Id,
}

/// Returns an element of a matrix.
pub(super) fn element(cx: &mut Context<'_>, ty: &Matrix, whole: Id, index: Id) -> Element {
    let per_tile = tile_length(cx, ty);
    let b = &mut cx.b;
    let pointer = b.pointer(StorageClass::Function, ty.whole);
    let variable = b.local_variable(pointer, None);
    b.store(variable, whole);
    let [word, bool_ty] = [b.u32(), b.bool()];
    let length = b.u32_mul(per_tile, ty.count());
    let one = b.const_u32(1);
    let last = b.emit(Op::ISub, word, &[length, one]);
    let is_there = b.emit(Op::ULessThan, bool_ty, &[index, length]);
    let index = b.select(word, is_there, index, last);
    let pointer = b.pointer(StorageClass::Function, ty.component);
    let zero = b.const_u32(0);
    let (tile, pointer) = if ty.count() == 1 {
        (zero, b.access_chain(pointer, variable, &[index]))
    } else {
        let tile = b.emit(Op::UDiv, word, &[index, per_tile]);
        let within = b.emit(Op::UMod, word, &[index, per_tile]);
        (tile, b.access_chain(pointer, variable, &[tile, within]))
    };
    Element {
        variable,
        pointer,
        is_there,
        tile,
    }
}
