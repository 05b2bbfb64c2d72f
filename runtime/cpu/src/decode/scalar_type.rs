//! Types of scalars.

use dxil_frontend::ir::{Type, TypeId, TypeTable};

use super::lane_ops::RegisterKind;

/// Type of one scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScalarType {
    /// An integer of that many bits.
    Int(u32),
    /// A float of 16 bits.
    Half,
    /// A float of 32 bits.
    Float,
    /// A float of 64 bits.
    Double,
    /// An address, which counts words, or a handle.
    Pointer,
}

impl ScalarType {
    pub(crate) fn of(types: &TypeTable, ty: TypeId) -> Option<ScalarType> {
        Some(match *types.get(ty) {
            Type::Int(bits) => ScalarType::Int(u32::from(bits)),
            Type::Half => ScalarType::Half,
            Type::Float => ScalarType::Float,
            Type::Double => ScalarType::Double,
            Type::Pointer { .. } => ScalarType::Pointer,
            _ => return None,
        })
    }

    pub(crate) fn kind(self) -> RegisterKind {
        match self {
            ScalarType::Double => RegisterKind::D,
            ScalarType::Int(bits) if bits > 32 => RegisterKind::D,
            _ => RegisterKind::W,
        }
    }
}
