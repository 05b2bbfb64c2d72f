//! The type table (LLVM bitcode TYPE_BLOCK).

use cranelift_entity::PrimaryMap;
use smallvec::SmallVec;

use super::TypeId;

/// Types of fields or parameters. Most operations have at most six operands.
pub type TypeList = SmallVec<[TypeId; 6]>;

/// A type. Element types always have smaller depth than [`crate::limits::MAX_TYPE_DEPTH`] and
/// never contain themselves except through a pointer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`.
    Void,
    /// `half`.
    Half,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `label`.
    Label,
    /// `metadata`.
    Metadata,
    /// `iN`, 1 to 64 bits.
    Int(u16),
    /// `T addrspace(n)*`.
    Pointer {
        /// The type that it points to.
        pointee: TypeId,
        /// 0 default, 2 cbuffer, 3 groupshared, 6 node record (DXIL document,
        /// "Load/Store/Atomics via pointer in future SM").
        address_space: u32,
    },
    /// `[count x element]`.
    Array {
        /// Element type.
        element: TypeId,
        /// Number of elements.
        count: u64,
    },
    /// `<count x element>`.
    Vector {
        /// Element type.
        element: TypeId,
        /// Number of elements.
        count: u32,
    },
    /// A structure.
    Struct {
        /// Name, without the `%`; `None` for a literal struct.
        name: Option<Box<str>>,
        /// Types of the fields.
        fields: TypeList,
        /// Whether it is packed.
        packed: bool,
        /// Whether its body is unknown.
        opaque: bool,
    },
    /// A function type.
    Function {
        /// Result.
        ret: TypeId,
        /// Parameters.
        params: TypeList,
        /// Whether more arguments may follow.
        vararg: bool,
    },
    /// A type that DXIL never uses (x86_fp80, fp128, x86_mmx ...); values of it are refused.
    Other(&'static str),
}

/// All types of a module, in bitcode order.
#[derive(Debug, Clone, Default)]
pub struct TypeTable {
    /// In the order of the type table, which is what `TypeId` counts.
    pub types: PrimaryMap<TypeId, Type>,
}

impl TypeTable {
    /// Returns the type, or `Void` for an id of another module.
    #[inline]
    pub fn get(&self, id: TypeId) -> &Type {
        self.types.get(id).unwrap_or(&Type::Void)
    }

    /// Returns the number of types.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Returns the width in bits of an integer or floating-point scalar.
    #[inline]
    pub fn scalar_bits(&self, id: TypeId) -> Option<u32> {
        match *self.get(id) {
            Type::Half => Some(16),
            Type::Float => Some(32),
            Type::Double => Some(64),
            Type::Int(bits) => Some(u32::from(bits)),
            _ => None,
        }
    }

    /// Returns the type that a pointer points to.
    #[inline]
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match *self.get(id) {
            Type::Pointer { pointee, .. } => Some(pointee),
            _ => None,
        }
    }

    /// Returns whether it is `half`, `float` or `double`.
    #[inline]
    pub fn is_float(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Half | Type::Float | Type::Double)
    }

    /// Returns the first scalar in a type: of an array its element's, of a structure its first
    /// field's. A structure without fields is returned itself.
    pub fn first_scalar(&self, mut ty: TypeId) -> TypeId {
        loop {
            ty = match self.get(ty) {
                Type::Array { element, .. } | Type::Vector { element, .. } => *element,
                Type::Struct { fields, .. } => match fields.first() {
                    Some(&field) => field,
                    None => return ty,
                },
                _ => return ty,
            };
        }
    }

    /// Returns the scalar of a vector (or of an SM 6.9 native vector), or the type itself.
    #[inline]
    pub fn scalar_of(&self, id: TypeId) -> TypeId {
        match *self.get(id) {
            Type::Vector { element, .. } => element,
            _ => id,
        }
    }
}
