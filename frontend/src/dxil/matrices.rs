//! Matrix types of the preview shader model 6.10 (HLSL proposal 0035): a structure for each, and
//! what it is in `dx.targetTypes`.

use super::metadata::{Meta, operand};
use super::ops::MatrixComponent;
use crate::ir::{MdId, Module, Type, TypeId, TypeTable};
use crate::tables::HashMap;

/// The start of the names of matrix types.
pub(crate) const MATRIX_PREFIX: &str = "dx.types.LinAlgMatrix";

/// Maximum number of elements of a matrix: 1024 by 1024 is the largest product of a thread group.
const MAX_ELEMENTS: u64 = 1 << 20;

impl MatrixComponent {
    /// Returns the number of bits of an element: 8, 16, 32 or 64.
    pub fn bits(self) -> u32 {
        use MatrixComponent as C;
        match self {
            C::I8 | C::U8 | C::F8E4M3FN | C::F8E5M2 => 8,
            C::I16 | C::U16 | C::F16 | C::BFloat16 => 16,
            C::I32 | C::U32 | C::F32 => 32,
            C::I64 | C::U64 | C::F64 => 64,
        }
    }

    /// Returns whether elements are floating-point numbers.
    pub fn is_float(self) -> bool {
        use MatrixComponent::{BFloat16, F8E4M3FN, F8E5M2, F16, F32, F64};
        matches!(self, F16 | F32 | F64 | BFloat16 | F8E4M3FN | F8E5M2)
    }
}

/// What multiplication takes a matrix for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MatrixUse {
    /// Left operand.
    A,
    /// Right operand.
    B,
    /// Sum.
    Accumulator,
}

/// The threads that hold a matrix together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MatrixScope {
    /// Each thread has its own one.
    Thread,
    /// A wave.
    Wave,
    /// A thread group.
    ThreadGroup,
}

/// A matrix type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MatrixType {
    /// DXIL's number of the type of an element.
    pub component_number: u32,
    /// The type of an element; `None` for one that matrices do not have.
    pub component: Option<MatrixComponent>,
    /// Rows (M).
    pub rows: u32,
    /// Columns (N).
    pub columns: u32,
    /// Its use.
    pub usage: MatrixUse,
    /// Its scope.
    pub scope: MatrixScope,
}

impl MatrixUse {
    /// Returns the use with this number in DXIL.
    pub fn from_number(number: u64) -> Option<Self> {
        Some(match number {
            0 => MatrixUse::A,
            1 => MatrixUse::B,
            2 => MatrixUse::Accumulator,
            _ => return None,
        })
    }
}

impl MatrixScope {
    /// Returns the scope with this number in DXIL.
    pub fn from_number(number: u64) -> Option<Self> {
        Some(match number {
            0 => MatrixScope::Thread,
            1 => MatrixScope::Wave,
            2 => MatrixScope::ThreadGroup,
            _ => return None,
        })
    }
}

impl MatrixType {
    /// Returns the number of elements; `None` above a million, which no device has.
    pub fn elements(&self) -> Option<usize> {
        let count = u64::from(self.rows) * u64::from(self.columns);
        usize::try_from(count)
            .ok()
            .filter(|_| count <= MAX_ELEMENTS)
    }

    /// Returns the dimension that a product sums over: columns of a left operand, rows of others.
    pub fn k(&self) -> u32 {
        match self.usage {
            MatrixUse::A => self.columns,
            MatrixUse::B | MatrixUse::Accumulator => self.rows,
        }
    }
}

/// Returns what follows `%dx.types.LinAlgMatrix` in the name of a matrix type, such as
/// `C8M16N16U0S0`; `None` for another type.
pub fn matrix_name(types: &TypeTable, ty: TypeId) -> Option<&str> {
    match types.get(ty) {
        Type::Struct {
            name: Some(name), ..
        } => name.strip_prefix(MATRIX_PREFIX),
        _ => None,
    }
}

/// Returns the matrix types that `dx.targetTypes` describes. An entry that is not well-formed, or
/// about a type with another name, is left out.
pub fn matrix_types(module: &Module) -> HashMap<TypeId, MatrixType> {
    let meta = Meta::new(module);
    let mut found = HashMap::default();
    for node in module.metadata.named("dx.targetTypes") {
        if let Some((ty, matrix)) = matrix_type(&meta, node) {
            found.entry(ty).or_insert(matrix);
        }
    }
    found
}

fn matrix_type(meta: &Meta<'_>, node: MdId) -> Option<(TypeId, MatrixType)> {
    let operands = meta.tuple(Some(node), "a matrix type").ok()?;
    if operands.len() != 6 {
        return None;
    }
    let word = |index: usize| meta.u32(operand(operands, index), "a matrix type").ok();
    let component_number = word(1)?;
    let matrix = MatrixType {
        component_number,
        component: MatrixComponent::from_number(u64::from(component_number)),
        rows: word(2)?,
        columns: word(3)?,
        usage: MatrixUse::from_number(word(4)?.into())?,
        scope: MatrixScope::from_number(word(5)?.into())?,
    };
    let ty = meta.type_of(operand(operands, 0))?;
    matrix_name(&meta.module.types, ty).map(|_| (ty, matrix))
}
