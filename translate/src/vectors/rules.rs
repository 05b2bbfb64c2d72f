//! The vectors that SPIR-V supports, and limits for the others.

use dxil_frontend::dxil::ops::Overload;
use dxil_frontend::ir::{InstData, InstId, Type, TypeId, TypeTable};

use crate::{Error, ErrorKind};

/// Maximum number of instructions that the vectors of a shader may become: 128 operations on the
/// longest vectors. Each takes some 200 bytes of memory until it is a part of the module.
pub(crate) const MAX_INSTRUCTIONS: usize = 1 << 17;

/// Maximum number of elements in all vectors together.
pub(crate) const MAX_IN_VECTORS: usize = 1 << 23;

/// Maximum number of elements of a vector (DXIL.rst, "Native Vector Operations").
pub(crate) const MAX_ELEMENTS: u32 = 1024;

/// Maximum number of elements of a vector in SPIR-V without extensions.
pub(crate) const MAX_CORE_ELEMENTS: u32 = 4;

/// Returns whether SPIR-V has vectors of that many elements (2.16.1 "Universal Validation Rules": 2
/// to 4).
pub(crate) fn is_spirv_vector_size(count: u32) -> bool {
    (2..=MAX_CORE_ELEMENTS).contains(&count)
}

/// Returns type and number of the elements of a vector type.
pub(crate) fn vector_of(types: &TypeTable, ty: TypeId) -> Option<(TypeId, u32)> {
    match *types.get(ty) {
        Type::Vector { element, count } => Some((element, count)),
        _ => None,
    }
}

/// Returns the suffix and the overload of the operations on a scalar.
pub(super) fn scalar_overload(ty: &Type) -> Option<(&'static str, Overload)> {
    Some(match ty {
        Type::Half => ("f16", Overload::F16),
        Type::Float => ("f32", Overload::F32),
        Type::Double => ("f64", Overload::F64),
        Type::Int(1) => ("i1", Overload::I1),
        Type::Int(8) => ("i8", Overload::I8),
        Type::Int(16) => ("i16", Overload::I16),
        Type::Int(32) => ("i32", Overload::I32),
        Type::Int(64) => ("i64", Overload::I64),
        _ => return None,
    })
}

/// Maximum length of a vector whose element at a computed index is selected by comparisons. Longer
/// vectors go through a variable.
pub(super) const MAX_SELECTED: u32 = 4;

/// A new instruction, and the one that it replaces.
#[derive(Debug, Clone, Copy)]
pub(in crate::vectors) struct Written {
    pub(in crate::vectors) data: InstData,
    pub(in crate::vectors) origin: InstId,
}

pub(in crate::vectors) fn too_much() -> Error {
    ErrorKind::TooComplex("vectors that become more than 131,072 scalar instructions").into()
}
