//! TYPE_BLOCK: the type table, and types that only results of instructions have.
//!
//! A record may name types that come later (pointers to structures that contain themselves), so
//! the table is checked as a whole when it is complete: every id is in range, no type contains
//! itself except through a pointer to a named structure, nesting is bounded.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use super::stream::{Record, Stream};
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{Type, TypeId, TypeList, TypeTable};
use crate::limits::{MAX_ADDRESS_SPACE, MAX_INT_BITS, MAX_TYPE_DEPTH, MAX_TYPE_LEAVES};
use crate::tables::HashMap;

pub(super) const NUMENTRY: u32 = 1;
pub(super) const VOID: u32 = 2;
pub(super) const FLOAT: u32 = 3;
pub(super) const DOUBLE: u32 = 4;
pub(super) const LABEL: u32 = 5;
pub(super) const OPAQUE: u32 = 6;
pub(super) const INTEGER: u32 = 7;
pub(super) const POINTER: u32 = 8;
pub(super) const HALF: u32 = 10;
pub(super) const ARRAY: u32 = 11;
pub(super) const VECTOR: u32 = 12;
pub(super) const X86_FP80: u32 = 13;
pub(super) const FP128: u32 = 14;
pub(super) const PPC_FP128: u32 = 15;
pub(super) const METADATA: u32 = 16;
pub(super) const X86_MMX: u32 = 17;
pub(super) const STRUCT_ANON: u32 = 18;
pub(super) const STRUCT_NAME: u32 = 19;
pub(super) const STRUCT_NAMED: u32 = 20;
pub(super) const FUNCTION: u32 = 21;

/// Returns the record code of a type that DXIL never uses, by [`Type::Other`]'s name.
pub(super) fn other_code(name: &str) -> Option<u32> {
    Some(match name {
        "x86_fp80" => X86_FP80,
        "fp128" => FP128,
        "ppc_fp128" => PPC_FP128,
        "x86_mmx" => X86_MMX,
        _ => return None,
    })
}

/// The pointer types to one type are a chain.
#[derive(Debug, Clone, Copy, Default)]
struct Pointers {
    /// The first pointer type to this type.
    first: PackedOption<TypeId>,
    /// If this is a pointer type: the next one to the same.
    next: PackedOption<TypeId>,
}

/// The type table while the module is decoded: finds derived types, and adds the missing.
#[derive(Debug, Default)]
pub(super) struct TypeDecoder {
    pub(super) table: TypeTable,
    void: Option<TypeId>,
    i1: Option<TypeId>,
    pointers: SecondaryMap<TypeId, Pointers>,
    /// Rarely needed, so filled when first asked for. A map with a keyed hash, since the file
    /// chooses the keys.
    vectors: Option<HashMap<(TypeId, u32), TypeId>>,
    pairs: Option<HashMap<(TypeId, TypeId), TypeId>>,
}

impl TypeDecoder {
    /// Decodes the block that was just entered.
    pub(super) fn decode(stream: &mut Stream<'_>) -> Result<TypeDecoder> {
        let mut table: PrimaryMap<TypeId, Type> = PrimaryMap::new();
        let mut name: Option<Box<str>> = None;
        let mut declared = None;
        while let Some(code) = stream.next_record()? {
            let record = stream.record();
            match code {
                NUMENTRY => {
                    declared = Some(record.u32(0, "number of types")?);
                    // A type takes at least a few bits, so this is paid for.
                    let bound = stream.remaining_bits() / 8;
                    let wanted = declared.unwrap_or_default() as usize;
                    table.reserve(wanted.min(bound));
                }
                // LLVM writes the name as a record of its own before the structure it belongs to.
                STRUCT_NAME => name = Some(record.text(0)),
                _ => decode_type(code, &record, &mut name, &mut table)?,
            }
        }
        // LLVM's reader also takes a table of another size than NUMENTRY declares as malformed.
        if declared.is_some_and(|count| count as usize != table.len()) {
            return Err(Error::malformed(
                "the type table does not have as many types as it says",
            ));
        }
        check(&table)?;
        let count = table.len();
        let mut types = TypeDecoder {
            table: TypeTable { types: table },
            ..TypeDecoder::default()
        };
        types.pointers.resize(count);
        for index in 0..types.table.len() {
            types.note(TypeId::new(index));
        }
        Ok(types)
    }

    /// Returns a type that the file names by number.
    #[inline]
    pub(super) fn by_number(&self, number: u64, record: &Record<'_>) -> Result<TypeId> {
        match usize::try_from(number) {
            Ok(index) if index < self.table.len() => Ok(TypeId::new(index)),
            _ => Err(record.err(ErrorKind::BadValue {
                what: "type id",
                value: number,
                rule: "it must be in the type table",
            })),
        }
    }

    #[inline]
    pub(super) fn get(&self, id: TypeId) -> &Type {
        self.table.get(id)
    }

    /// Returns the type of a member: of a structure by a constant index, of an array or vector by
    /// any.
    pub(super) fn member(&self, ty: TypeId, index: Option<u64>) -> Option<TypeId> {
        match self.table.get(ty) {
            Type::Struct { fields, .. } => fields.get(usize::try_from(index?).ok()?).copied(),
            Type::Array { element, .. } | Type::Vector { element, .. } => Some(*element),
            _ => None,
        }
    }

    /// Returns whether values can have that type.
    pub(super) fn is_value(&self, ty: TypeId) -> bool {
        match self.table.get(ty) {
            Type::Half
            | Type::Float
            | Type::Double
            | Type::Int(_)
            | Type::Pointer { .. }
            | Type::Array { .. } => true,
            Type::Vector { element, .. } => !matches!(self.table.get(*element), Type::Other(_)),
            Type::Struct { opaque, .. } => !opaque,
            Type::Void | Type::Label | Type::Metadata | Type::Function { .. } | Type::Other(_) => {
                false
            }
        }
    }

    /// Returns `void`.
    pub(super) fn void(&mut self) -> TypeId {
        match self.void {
            Some(id) => id,
            None => self.add(Type::Void),
        }
    }

    /// Returns `i1`.
    pub(super) fn i1(&mut self) -> TypeId {
        match self.i1 {
            Some(id) => id,
            None => self.add(Type::Int(1)),
        }
    }

    /// Returns the pointer type.
    pub(super) fn pointer_to(&mut self, pointee: TypeId, address_space: u32) -> TypeId {
        match self.find_pointer(pointee, address_space) {
            Some(id) => id,
            None => self.add(Type::Pointer {
                pointee,
                address_space,
            }),
        }
    }

    /// Returns the pointer type, if there is one. Address spaces are few ([`MAX_ADDRESS_SPACE`]),
    /// so the chain is short.
    fn find_pointer(&self, pointee: TypeId, space: u32) -> Option<TypeId> {
        let mut next = self.pointers.get(pointee)?.first.expand();
        while let Some(id) = next {
            if matches!(self.table.get(id), Type::Pointer { address_space, .. } if *address_space == space)
            {
                return Some(id);
            }
            next = self.pointers.get(id)?.next.expand();
        }
        None
    }

    /// Returns `i1`, or a vector of `i1` with the length of `like`.
    pub(super) fn bool_like(&mut self, like: TypeId) -> TypeId {
        let i1 = self.i1();
        match *self.table.get(like) {
            Type::Vector { count, .. } => self.vector_of(i1, count),
            _ => i1,
        }
    }

    /// Returns the vector type.
    pub(super) fn vector_of(&mut self, element: TypeId, count: u32) -> TypeId {
        let vectors = self.vectors.get_or_insert_with(|| {
            let mut map = HashMap::default();
            for (id, ty) in &self.table.types {
                if let Type::Vector { element, count } = *ty {
                    map.entry((element, count)).or_insert(id);
                }
            }
            map
        });
        if let Some(id) = vectors.get(&(element, count)) {
            return *id;
        }
        let id = self.table.types.push(Type::Vector { element, count });
        vectors.insert((element, count), id);
        id
    }

    /// Returns the literal structure of two fields.
    pub(super) fn pair_of(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let pairs = self.pairs.get_or_insert_with(|| {
            let mut map = HashMap::default();
            for (id, ty) in &self.table.types {
                if let Type::Struct {
                    name: None,
                    fields,
                    packed: false,
                    opaque: false,
                } = ty
                    && let [a, b] = **fields
                {
                    map.entry((a, b)).or_insert(id);
                }
            }
            map
        });
        if let Some(id) = pairs.get(&(a, b)) {
            return *id;
        }
        let id = self.table.types.push(Type::Struct {
            name: None,
            fields: TypeList::from_slice(&[a, b]),
            packed: false,
            opaque: false,
        });
        pairs.insert((a, b), id);
        id
    }

    fn add(&mut self, ty: Type) -> TypeId {
        let id = self.table.types.push(ty);
        self.note(id);
        id
    }

    /// Enters a type of the table into the look-ups of derived types.
    #[allow(
        clippy::indexing_slicing,
        reason = "indexing a secondary map reads a default and grows"
    )]
    fn note(&mut self, id: TypeId) {
        match *self.table.get(id) {
            Type::Void => {
                self.void.get_or_insert(id);
            }
            Type::Int(1) => {
                self.i1.get_or_insert(id);
            }
            Type::Pointer {
                pointee,
                address_space,
                // A hostile table may repeat a type. Only the first one joins the chain, so that
                // chains stay as short as there are address spaces.
            } if self.find_pointer(pointee, address_space).is_none() => {
                self.pointers[id].next = self.pointers[pointee].first;
                self.pointers[pointee].first = id.into();
            }
            _ => {}
        }
    }
}

/// Decodes a type and appends it to the table. Each kind is written where it stays: as one of all
/// kinds it would be put together first and then copied.
fn decode_type(
    code: u32,
    record: &Record<'_>,
    name: &mut Option<Box<str>>,
    table: &mut PrimaryMap<TypeId, Type>,
) -> Result<()> {
    let id = |index: usize| -> Result<TypeId> {
        match record.u32(index, "type record")? {
            u32::MAX => Err(record.malformed("a type id is out of range")),
            id => Ok(TypeId::from_u32(id)),
        }
    };
    let ids = |from: usize| -> Result<TypeList> {
        let mut list = TypeList::with_capacity(record.ops.len().saturating_sub(from));
        for index in from..record.ops.len() {
            list.push(id(index)?);
        }
        Ok(list)
    };
    match code {
        VOID => table.push(Type::Void),
        HALF => table.push(Type::Half),
        FLOAT => table.push(Type::Float),
        DOUBLE => table.push(Type::Double),
        LABEL => table.push(Type::Label),
        METADATA => table.push(Type::Metadata),
        X86_FP80 => table.push(Type::Other("x86_fp80")),
        FP128 => table.push(Type::Other("fp128")),
        PPC_FP128 => table.push(Type::Other("ppc_fp128")),
        X86_MMX => table.push(Type::Other("x86_mmx")),
        INTEGER => {
            let bits = record.u32(0, "integer type")?;
            match u16::try_from(bits) {
                // Not an error here: a type may be declared and never used. A constant or an
                // instruction of it is refused.
                Ok(narrow) if (1..=MAX_INT_BITS).contains(&bits) => table.push(Type::Int(narrow)),
                _ => table.push(Type::Other("an integer of more than 64 bits")),
            }
        }
        POINTER => {
            let address_space = if record.ops.len() > 1 {
                record.u32(1, "pointer type")?
            } else {
                0
            };
            if address_space > MAX_ADDRESS_SPACE {
                return Err(record.err(ErrorKind::Limit {
                    what: "address space",
                    value: u64::from(address_space),
                    limit: u64::from(MAX_ADDRESS_SPACE),
                }));
            }
            table.push(Type::Pointer {
                pointee: id(0)?,
                address_space,
            })
        }
        ARRAY => table.push(Type::Array {
            count: record.get(0, "array type")?,
            element: id(1)?,
        }),
        VECTOR => table.push(Type::Vector {
            count: record.u32(0, "vector type")?,
            element: id(1)?,
        }),
        STRUCT_ANON => table.push(Type::Struct {
            name: None,
            packed: record.get(0, "struct type")? != 0,
            fields: ids(1)?,
            opaque: false,
        }),
        STRUCT_NAMED => table.push(Type::Struct {
            name: Some(name.take().unwrap_or_default()),
            packed: record.get(0, "struct type")? != 0,
            fields: ids(1)?,
            opaque: false,
        }),
        OPAQUE => table.push(Type::Struct {
            name: Some(name.take().unwrap_or_default()),
            packed: false,
            fields: TypeList::new(),
            opaque: true,
        }),
        FUNCTION => table.push(Type::Function {
            vararg: record.get(0, "function type")? != 0,
            ret: id(1)?,
            params: ids(2)?,
        }),
        _ => return Err(record.unsupported("a type record that LLVM 3.7 does not write")),
    };
    Ok(())
}

/// The state of a type while the table is checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct TypeSize {
    /// Nesting.
    depth: u32,
    /// Types without inner types, an array's element counted once.
    leaves: u64,
}

impl TypeSize {
    /// Adds the size of an inner type.
    fn add(&mut self, inner: TypeSize) {
        self.depth = self.depth.max(inner.depth + 1);
        self.leaves = self.leaves.saturating_add(inner.leaves);
    }

    /// Checks a complete shape against the limits.
    fn check(&mut self) -> Result<()> {
        self.leaves = self.leaves.max(1);
        if self.depth > MAX_TYPE_DEPTH {
            return Err(Error::new(ErrorKind::Limit {
                what: "nesting of a type",
                value: u64::from(self.depth),
                limit: u64::from(MAX_TYPE_DEPTH),
            }));
        }
        if self.leaves > MAX_TYPE_LEAVES {
            return Err(Error::new(ErrorKind::Limit {
                what: "scalars in a type",
                value: self.leaves,
                limit: MAX_TYPE_LEAVES,
            }));
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Visit {
    #[default]
    New,
    Open,
    Done(TypeSize),
}

/// Checks ids, containment and nesting of a whole table.
fn check(table: &PrimaryMap<TypeId, Type>) -> Result<()> {
    // Storage ends at pointers, text at named structures.
    let storage = |outer: &Type, _: &Type| !matches!(outer, Type::Pointer { .. });
    let text = |_: &Type, inner: &Type| !is_named(inner);
    // In nearly all files every type comes after those that it is made of: then one look at each is
    // enough.
    let mut known: Vec<[TypeSize; 2]> = Vec::with_capacity(table.len());
    let mut in_order = true;
    for (id, ty) in table {
        // Two measures, since two walks over types recurse: layout stops at pointers, printing
        // stops at the names of structures.
        let mut shapes = [TypeSize::default(); 2];
        let (first, more) = children(ty);
        // Both walks go on to the members of anything but a pointer.
        let has_members = !matches!(ty, Type::Pointer { .. });
        let mut scalars = 0;
        for (index, inner) in first.iter().chain(more).enumerate() {
            // Most are scalars: allowed everywhere, and of a shape that needs no look.
            if has_members && table.get(*inner).is_some_and(is_scalar) {
                scalars += 1;
                continue;
            }
            let inner_ty = check_child(table, id, ty, index, *inner)?;
            let follow = [storage(ty, inner_ty), text(ty, inner_ty)];
            let inner = known.get(inner.index());
            // A forward reference matters only if a walk follows it; a pointer to a later named
            // structure does not.
            in_order &= inner.is_some() || follow == [false; 2];
            let inner = inner.copied().unwrap_or_default();
            for ((shape, inner), follow) in shapes.iter_mut().zip(inner).zip(follow) {
                if follow {
                    shape.add(inner);
                } else {
                    shape.leaves = shape.leaves.saturating_add(1);
                }
            }
        }
        // LLVM language reference, "Vector Type": the number of elements is larger than 0.
        if matches!(ty, Type::Vector { count: 0, .. }) {
            return Err(Error::malformed(format!("type {id} is an empty vector")));
        }
        for shape in &mut shapes {
            if scalars != 0 {
                shape.add(TypeSize {
                    depth: 0,
                    leaves: scalars,
                });
            }
            shape.check()?;
        }
        known.push(shapes);
    }
    // The pass above took types ahead as empty, so their nesting must be measured again.
    if !in_order {
        check_nesting(table, storage)?;
        check_nesting(table, text)?;
    }
    Ok(())
}

/// Checks that nesting along the edges (outer type, inner type) that `follow` picks is finite and
/// bounded. Depth first, without recursion, each type once.
#[allow(
    clippy::indexing_slicing,
    reason = "indexing a secondary map reads a default and grows"
)]
fn check_nesting(
    table: &PrimaryMap<TypeId, Type>,
    follow: impl Fn(&Type, &Type) -> bool,
) -> Result<()> {
    let followed = |ty: &Type, index: usize| -> Option<Option<TypeId>> {
        let inner = child(ty, index)?;
        Some(table.get(inner).filter(|to| follow(ty, to)).map(|_| inner))
    };
    let mut state: SecondaryMap<TypeId, Visit> = SecondaryMap::with_capacity(table.len());
    let mut stack: Vec<(TypeId, usize, TypeSize)> = Vec::new();
    for root in table.keys() {
        if state[root] != Visit::New {
            continue;
        }
        state[root] = Visit::Open;
        stack.push((root, 0, TypeSize::default()));
        // An explicit stack: a chain of types in a hostile file is as long as the file allows.
        while let Some((id, next, mut shape)) = stack.pop() {
            let Some(ty) = table.get(id) else { continue };
            match followed(ty, next) {
                Some(Some(inner)) => match state[inner] {
                    Visit::New => {
                        state[inner] = Visit::Open;
                        stack.push((id, next, shape));
                        stack.push((inner, 0, TypeSize::default()));
                    }
                    Visit::Open => {
                        return Err(Error::malformed(format!("type {inner} contains itself")));
                    }
                    Visit::Done(inner) => {
                        shape.add(inner);
                        stack.push((id, next + 1, shape));
                    }
                },
                Some(None) => {
                    shape.leaves = shape.leaves.saturating_add(1);
                    stack.push((id, next + 1, shape));
                }
                None => {
                    shape.check()?;
                    state[id] = Visit::Done(shape);
                }
            }
        }
    }
    Ok(())
}

fn is_scalar(ty: &Type) -> bool {
    matches!(ty, Type::Int(_) | Type::Half | Type::Float | Type::Double)
}

fn is_named(ty: &Type) -> bool {
    matches!(ty, Type::Struct { name: Some(_), .. })
}

/// Returns the types that a type names: for functions first the result.
fn children(ty: &Type) -> (Option<TypeId>, &[TypeId]) {
    match ty {
        Type::Pointer { pointee, .. } => (Some(*pointee), &[]),
        Type::Array { element, .. } | Type::Vector { element, .. } => (Some(*element), &[]),
        Type::Struct { fields, .. } => (None, fields),
        Type::Function { ret, params, .. } => (Some(*ret), params),
        _ => (None, &[]),
    }
}

/// Returns the `index`-th type that a type names.
fn child(ty: &Type, index: usize) -> Option<TypeId> {
    let (first, more) = children(ty);
    match (first, index) {
        (Some(first), 0) => Some(first),
        (Some(_), index) => more.get(index - 1).copied(),
        (None, index) => more.get(index).copied(),
    }
}

/// Checks that a type may have `inner` as its `index`-th inner type; returns that type.
fn check_child<'a>(
    table: &'a PrimaryMap<TypeId, Type>,
    id: TypeId,
    ty: &Type,
    index: usize,
    inner: TypeId,
) -> Result<&'a Type> {
    let Some(inner_ty) = table.get(inner) else {
        return Err(Error::malformed(format!(
            "type {id} names type {inner}, which does not exist"
        )));
    };
    let allowed = match ty {
        // LLVM language reference, "Pointer Type": no pointers to `void` or `label`.
        Type::Pointer { .. } => !matches!(inner_ty, Type::Void | Type::Label | Type::Metadata),
        Type::Vector { .. } => matches!(
            inner_ty,
            Type::Int(_)
                | Type::Half
                | Type::Float
                | Type::Double
                | Type::Pointer { .. }
                | Type::Other(_)
        ),
        // LLVM language reference, "Function Type": the result is `void` or a first-class type
        // other than `label` and `metadata`.
        Type::Function { .. } if index == 0 => !matches!(
            inner_ty,
            Type::Function { .. } | Type::Label | Type::Metadata
        ),
        // Parameters may be metadata: the `llvm.dbg` intrinsics take it.
        Type::Function { .. } => !matches!(inner_ty, Type::Function { .. } | Type::Void),
        _ => !matches!(
            inner_ty,
            Type::Void | Type::Label | Type::Metadata | Type::Function { .. }
        ),
    };
    if allowed {
        return Ok(inner_ty);
    }
    Err(Error::malformed(format!(
        "type {id} may not be made of type {inner}"
    )))
}

#[cfg(test)]
mod tests {
    use crate::bitcode::decode_module;
    use crate::bitcode::writer::{ModuleWriter, ty};
    use crate::error::Result;
    use crate::ir::Module;

    const POINTER: u32 = 8;
    const ARRAY: u32 = 11;
    const STRUCT_ANON: u32 = 18;
    const STRUCT_NAMED: u32 = 20;

    fn decode(types: Vec<(u32, Vec<u64>)>) -> Result<Module> {
        let writer = ModuleWriter {
            types,
            blocks: 1,
            body: vec![(10, Vec::new())],
            ..ModuleWriter::default()
        };
        decode_module(&writer.finish(), 0)
    }

    #[test]
    fn a_named_structure_may_point_to_itself() {
        let pointer = ty::OWN + 1;
        assert!(
            decode(vec![
                (STRUCT_NAMED, vec![0, pointer]),
                (POINTER, vec![ty::OWN, 0])
            ])
            .is_ok()
        );
        // Without a name its text would have no end.
        assert!(
            decode(vec![
                (STRUCT_ANON, vec![0, pointer]),
                (POINTER, vec![ty::OWN, 0])
            ])
            .is_err()
        );
        assert!(decode(vec![(POINTER, vec![ty::OWN, 0])]).is_err());
    }

    #[test]
    fn a_type_does_not_contain_itself() {
        assert!(decode(vec![(STRUCT_NAMED, vec![0, ty::OWN])]).is_err());
        assert!(decode(vec![(ARRAY, vec![2, ty::OWN])]).is_err());
        let mutual = vec![
            (STRUCT_NAMED, vec![0, ty::OWN + 1]),
            (ARRAY, vec![2, ty::OWN]),
        ];
        assert!(decode(mutual).is_err());
    }

    #[test]
    fn types_name_types_that_are_there() {
        assert!(decode(vec![(ARRAY, vec![2, 99])]).is_err());
        assert!(decode(vec![(ARRAY, vec![2, ty::VOID])]).is_err());
    }

    #[test]
    fn doubling_structures_are_refused_in_time() {
        // Each has the one before twice: 2 to the 60th scalars.
        let types = (0..60)
            .map(|n| {
                let inner = if n == 0 { ty::I32 } else { ty::OWN + n - 1 };
                (STRUCT_ANON, vec![0, inner, inner])
            })
            .collect();
        let error = decode(types).unwrap_err();
        assert!(error.to_string().contains("scalars in a type"), "{error}");
    }

    #[test]
    fn deep_nesting_of_types_is_an_error() {
        let types = (0..100)
            .map(|n| {
                let inner = if n == 0 { ty::I32 } else { ty::OWN + n - 1 };
                (ARRAY, vec![1, inner])
            })
            .collect();
        let error = decode(types).unwrap_err();
        assert!(error.to_string().contains("nesting of a type"), "{error}");
    }
}
