//! Merges type tables.

use cranelift_entity::EntityRef;
use smallvec::SmallVec;

use crate::error::{Error, Result};
use crate::ir::{Type, TypeId, TypeTable};
use crate::tables::HashMap;

/// The table that is being put together.
#[derive(Default)]
pub(super) struct TypeMerger {
    pub(super) table: TypeTable,
    /// Types by what they are, names without LLVM's numbers.
    found: HashMap<Type, TypeId>,
}

#[derive(Clone, Copy, PartialEq)]
enum TypeState {
    New,
    /// On the way to it: meeting it again is a type that contains itself.
    Open,
    Done(TypeId),
}

impl TypeMerger {
    /// Adds a module's types. Returns the new id of each.
    pub(super) fn add(&mut self, types: &TypeTable) -> Result<Vec<TypeId>> {
        let mut states = vec![TypeState::New; types.len()];
        for root in types.types.keys() {
            // An explicit stack, parts before the whole: a type's key holds the new ids of its
            // parts.
            let mut stack = vec![root];
            while let Some(&id) = stack.last() {
                let Some(&state) = states.get(id.index()) else {
                    return Err(Error::malformed("a type that does not exist"));
                };
                if matches!(state, TypeState::Done(_)) {
                    stack.pop();
                    continue;
                }
                let ty = types.get(id);
                let mut ready = true;
                for part in parts_of(ty) {
                    match states.get(part.index()) {
                        Some(TypeState::Done(_)) => {}
                        Some(TypeState::New) => {
                            ready = false;
                            stack.push(part);
                        }
                        _ => {
                            return Err(Error::unsupported("linking a type that points to itself"));
                        }
                    }
                }
                let done = |id: TypeId| match states.get(id.index()) {
                    Some(TypeState::Done(id)) => *id,
                    _ => id,
                };
                let next = if ready {
                    TypeState::Done(self.intern(with_parts(ty, done)))
                } else {
                    TypeState::Open
                };
                if let Some(state) = states.get_mut(id.index()) {
                    *state = next;
                }
            }
        }
        let done = states.into_iter().map(|state| match state {
            TypeState::Done(id) => id,
            TypeState::New | TypeState::Open => TypeId::new(0),
        });
        Ok(done.collect())
    }

    fn intern(&mut self, ty: Type) -> TypeId {
        let key = match &ty {
            Type::Struct {
                name: Some(name),
                fields,
                packed,
                opaque,
            } => Type::Struct {
                // LLVM numbers a name that its context has already; the number says nothing about
                // the type.
                name: Some(unnumbered(name).into()),
                fields: fields.clone(),
                packed: *packed,
                opaque: *opaque,
            },
            _ => ty.clone(),
        };
        *self
            .found
            .entry(key)
            .or_insert_with(|| self.table.types.push(ty))
    }
}

/// Returns a name without the number that LLVM appends to a name that is already taken.
fn unnumbered(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((name, number))
            if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            name
        }
        _ => name,
    }
}

fn parts_of(ty: &Type) -> SmallVec<[TypeId; 6]> {
    let mut parts = SmallVec::new();
    match ty {
        Type::Pointer { pointee, .. } => parts.push(*pointee),
        Type::Array { element, .. } | Type::Vector { element, .. } => parts.push(*element),
        Type::Struct { fields, .. } => parts.extend(fields.iter().copied()),
        Type::Function { ret, params, .. } => {
            parts.push(*ret);
            parts.extend(params.iter().copied());
        }
        Type::Void
        | Type::Half
        | Type::Float
        | Type::Double
        | Type::Label
        | Type::Metadata
        | Type::Int(_)
        | Type::Other(_) => {}
    }
    parts
}

fn with_parts(ty: &Type, now: impl Fn(TypeId) -> TypeId) -> Type {
    let mut ty = ty.clone();
    match &mut ty {
        Type::Pointer { pointee, .. } => *pointee = now(*pointee),
        Type::Array { element, .. } | Type::Vector { element, .. } => *element = now(*element),
        Type::Struct { fields, .. } => fields.iter_mut().for_each(|field| *field = now(*field)),
        Type::Function { ret, params, .. } => {
            *ret = now(*ret);
            params.iter_mut().for_each(|param| *param = now(*param));
        }
        Type::Void
        | Type::Half
        | Type::Float
        | Type::Double
        | Type::Label
        | Type::Metadata
        | Type::Int(_)
        | Type::Other(_) => {}
    }
    ty
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_behind_names_do_not_count() {
        assert_eq!(unnumbered("struct.P.12"), "struct.P");
        assert_eq!(unnumbered("struct.P"), "struct.P");
        assert_eq!(unnumbered("struct."), "struct.");
    }

    #[test]
    fn types_built_alike_are_one() {
        let named = |name: &str, field| Type::Struct {
            name: Some(name.into()),
            fields: SmallVec::from_slice(&[field]),
            packed: false,
            opaque: false,
        };
        let mut one = TypeTable::default();
        let float = one.types.push(Type::Float);
        one.types.push(named("struct.P", float));
        let mut two = TypeTable::default();
        // A field may come after its structure.
        two.types.push(named("struct.P.7", TypeId::new(2)));
        two.types.push(named("struct.P", TypeId::new(3)));
        two.types.push(Type::Float);
        two.types.push(Type::Int(32));
        let mut types = TypeMerger::default();
        let one = types.add(&one).unwrap();
        let two = types.add(&two).unwrap();
        assert_eq!(one[1], two[0]);
        assert_eq!(one[0], two[2]);
        assert_ne!(one[1], two[1]);
        assert_eq!(types.table.len(), 4);
    }

    #[test]
    fn a_type_that_points_to_itself_is_refused() {
        let mut types = TypeTable::default();
        types.types.push(Type::Pointer {
            pointee: TypeId::new(1),
            address_space: 0,
        });
        types.types.push(Type::Struct {
            name: None,
            fields: SmallVec::from_slice(&[TypeId::new(0)]),
            packed: false,
            opaque: false,
        });
        let error = TypeMerger::default().add(&types).unwrap_err();
        assert_eq!(error.category(), crate::Category::Unsupported);
    }
}
