//! The layout of values in registers and in memory.
//!
//! A value is a list of scalars in the order of its type's leaves, one register each. In memory
//! each scalar of up to 32 bits takes a word and each wider one takes two: pointers count words, so
//! that no access needs more than a word's address.

use dxil_frontend::dxil::{MatrixScope, MatrixType};
use dxil_frontend::ir::{Type, TypeId, TypeTable};
use dxil_frontend::tables::HashMap;

use super::hit_object_words::{HIT_OBJECT_WORDS, is_hit_object};
use super::lane_ops::RegisterKind;
use super::scalar_type::ScalarType;

/// Maximum number of scalars of one value.
const MAX_SCALARS: usize = 1 << 12;

/// The matrix types of a module, and the lanes that hold a wave's matrix together.
#[derive(Debug)]
pub(crate) struct Matrices {
    pub(crate) types: HashMap<TypeId, MatrixType>,
    pub(crate) lanes: u32,
}

impl Matrices {
    /// Returns the registers of a matrix in each lane, if the type is one of a matrix.
    fn slots(&self, ty: TypeId) -> Option<usize> {
        let matrix = self.types.get(&ty)?;
        Some(matrix_slots(matrix, self.lanes).unwrap_or(usize::MAX))
    }
}

/// Returns the registers of a matrix in each lane: a matrix that a wave or group holds takes those
/// of all lanes of a wave. `None` is for one with too many elements.
pub(crate) fn matrix_slots(matrix: &MatrixType, lanes: u32) -> Option<usize> {
    let elements = matrix.elements()?;
    Some(match matrix.scope {
        MatrixScope::Thread => elements,
        MatrixScope::Wave | MatrixScope::ThreadGroup => elements.div_ceil(lanes.max(1) as usize),
    })
}

/// Sizes of the types of a module.
#[derive(Debug)]
pub(crate) struct TypeLayout<'a> {
    types: &'a TypeTable,
    matrices: &'a Matrices,
    sizes: HashMap<TypeId, u64>,
}

impl<'a> TypeLayout<'a> {
    pub(crate) fn new(types: &'a TypeTable, matrices: &'a Matrices) -> Self {
        TypeLayout {
            types,
            matrices,
            sizes: HashMap::default(),
        }
    }

    pub(crate) fn types(&self) -> &'a TypeTable {
        self.types
    }

    /// Returns the words that a value takes in memory.
    pub(crate) fn words(&mut self, ty: TypeId) -> u64 {
        // The memo makes nested types linear: without it a struct of structs is measured once for
        // each path.
        if let Some(&size) = self.sizes.get(&ty) {
            return size;
        }
        if let Some(slots) = self.matrices.slots(ty) {
            return (slots as u64).saturating_mul(2);
        }
        let size = match self.types.get(ty) {
            ty if is_hit_object(ty) => HIT_OBJECT_WORDS as u64,
            Type::Array { element, count } => self.words(*element).saturating_mul(*count),
            Type::Vector { element, count } => {
                self.words(*element).saturating_mul(u64::from(*count))
            }
            Type::Struct { fields, .. } => fields
                .iter()
                .fold(0_u64, |sum, &field| sum.saturating_add(self.words(field))),
            _ => match ScalarType::of(self.types, ty).map(ScalarType::kind) {
                Some(RegisterKind::W) => 1,
                Some(RegisterKind::D) => 2,
                None => 0,
            },
        };
        self.sizes.insert(ty, size);
        size
    }

    /// Returns the scalars of a value, in order; none if there are too many or one is not a scalar.
    pub(crate) fn scalars(&self, ty: TypeId) -> Option<Vec<ScalarType>> {
        let mut all = Vec::new();
        self.add_scalars(ty, &mut all)?;
        Some(all)
    }

    fn add_scalars(&self, ty: TypeId, all: &mut Vec<ScalarType>) -> Option<()> {
        if let Some(slots) = self.matrices.slots(ty) {
            if slots > MAX_SCALARS {
                return None;
            }
            all.extend(std::iter::repeat_n(ScalarType::Int(64), slots));
            return (all.len() <= MAX_SCALARS).then_some(());
        }
        match self.types.get(ty) {
            Type::Void => {}
            ty if is_hit_object(ty) => all.extend([ScalarType::Int(32); HIT_OBJECT_WORDS]),
            Type::Array { element, count } => {
                self.repeat(*element, *count, all)?;
            }
            Type::Vector { element, count } => {
                self.repeat(*element, u64::from(*count), all)?;
            }
            Type::Struct { fields, .. } => {
                for &field in fields {
                    self.add_scalars(field, all)?;
                }
            }
            _ => all.push(ScalarType::of(self.types, ty)?),
        }
        (all.len() <= MAX_SCALARS).then_some(())
    }

    fn repeat(&self, element: TypeId, count: u64, all: &mut Vec<ScalarType>) -> Option<()> {
        let first = all.len();
        if count == 0 {
            return Some(());
        }
        // The first element is expanded and then copied: its type is walked once, however long the
        // array is.
        self.add_scalars(element, all)?;
        let each = all.len() - first;
        let total = usize::try_from(count).ok()?.checked_mul(each)?;
        if total > MAX_SCALARS {
            return None;
        }
        for _ in 1..count {
            all.extend_from_within(first..first + each);
        }
        Some(())
    }

    /// Returns the number of scalars of a value.
    pub(crate) fn count(&self, ty: TypeId) -> Option<usize> {
        self.scalars(ty).map(|all| all.len())
    }

    /// Returns the type and first scalar of a member of an aggregate.
    pub(crate) fn member(&self, ty: TypeId, index: u64) -> Option<(TypeId, usize)> {
        match self.types.get(ty) {
            Type::Array { element, count } if index < *count => {
                Some((*element, self.count(*element)?.checked_mul(index as usize)?))
            }
            Type::Vector { element, count } if index < u64::from(*count) => {
                Some((*element, index as usize))
            }
            Type::Struct { fields, .. } => {
                let index = usize::try_from(index).ok()?;
                let member = *fields.get(index)?;
                let mut first = 0_usize;
                for &field in fields.get(..index)? {
                    first += self.count(field)?;
                }
                Some((member, first))
            }
            _ => None,
        }
    }
}
