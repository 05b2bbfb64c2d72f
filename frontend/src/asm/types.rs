//! Types: each is in the table once.

use cranelift_entity::{EntityRef, PrimaryMap};

use super::lexer::{Name, TokenKind};
use super::parser::{Parser, text_of};
use crate::error::{Error, Result};
use crate::ir::{Type, TypeId, TypeList, TypeTable};
use crate::limits::{MAX_INT_BITS, MAX_TYPE_DEPTH};
use crate::tables::HashMap;

/// The type table under construction.
#[derive(Debug, Default)]
pub(super) struct Types {
    pub(super) table: TypeTable,
    known: HashMap<Type, TypeId>,
    named: HashMap<Name, TypeId>,
}

impl Types {
    /// Returns the type's id.
    pub(super) fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.known.get(&ty) {
            return *id;
        }
        let id = self.table.types.push(ty.clone());
        self.known.insert(ty, id);
        id
    }

    pub(super) fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }

    pub(super) fn int(&mut self, bits: u16) -> TypeId {
        self.intern(Type::Int(bits))
    }

    pub(super) fn pointer(&mut self, pointee: TypeId, address_space: u32) -> TypeId {
        self.intern(Type::Pointer {
            pointee,
            address_space,
        })
    }

    /// Returns the named structure, which may be defined later.
    fn named(&mut self, name: &Name) -> TypeId {
        if let Some(id) = self.named.get(name) {
            return *id;
        }
        let text = match name {
            Name::Text(text) => text_of(text),
            // LLVM numbers structures without a name.
            Name::Number(_) => Box::default(),
        };
        let id = self.table.types.push(Type::Struct {
            name: Some(text),
            fields: TypeList::new(),
            packed: false,
            opaque: true,
        });
        self.named.insert(name.clone(), id);
        id
    }

    /// Reads the definition of a named structure, from the word `type` on.
    pub(super) fn definition(&mut self, parser: &mut Parser<'_>, name: &Name) -> Result<()> {
        parser.expect_word("type")?;
        let id = self.named(name);
        if parser.take_word("opaque") {
            return Ok(());
        }
        let (fields, packed) = self.structure(parser, 0)?;
        match self.table.types.get_mut(id) {
            Some(Type::Struct {
                fields: old,
                packed: old_packed,
                opaque,
                ..
            }) if *opaque => {
                *old = fields;
                *old_packed = packed;
                *opaque = false;
                Ok(())
            }
            _ => Err(parser.error("a type is defined twice")),
        }
    }

    /// Sorts the table so that types come after those that they contain, as LLVM's reader asks: it
    /// takes forward references to named structures only. Ids that are in use become others.
    pub(super) fn sort(&mut self) {
        let old = std::mem::take(&mut self.table.types);
        let mut order = Order {
            places: vec![None; old.len()],
            sorted: Vec::with_capacity(old.len()),
            old: &old,
        };
        for id in old.keys() {
            order.visit(id);
        }
        let Order { places, sorted, .. } = order;
        let now = |id: TypeId| places.get(id.index()).copied().flatten().unwrap_or(id);
        for id in sorted {
            if let Some(ty) = old.get(id) {
                self.table.types.push(with_ids(ty, &now));
            }
        }
        #[expect(
            clippy::disallowed_methods,
            clippy::iter_over_hash_type,
            reason = "each by itself"
        )]
        for id in self.named.values_mut() {
            *id = now(*id);
        }
        self.known = (self.table.types.iter())
            .filter(|(_, ty)| !is_named(ty))
            .map(|(id, ty)| (ty.clone(), id))
            .collect();
    }

    /// Reads the fields of a structure.
    fn structure(&mut self, parser: &mut Parser<'_>, depth: u32) -> Result<(TypeList, bool)> {
        let packed = parser.take(b'<');
        parser.expect(b'{')?;
        let mut fields = TypeList::new();
        parser.list(b'}', |parser| {
            fields.push(self.nested(parser, depth)?);
            Ok(())
        })?;
        if packed {
            parser.expect(b'>')?;
        }
        Ok((fields, packed))
    }

    /// Reads a type.
    pub(super) fn parse(&mut self, parser: &mut Parser<'_>) -> Result<TypeId> {
        self.nested(parser, 0)
    }

    fn nested(&mut self, parser: &mut Parser<'_>, depth: u32) -> Result<TypeId> {
        if depth > MAX_TYPE_DEPTH {
            return Err(parser.error("a type nests too deeply"));
        }
        let mut ty = self.first(parser, depth + 1)?;
        let mut suffixes = depth;
        loop {
            suffixes += 1;
            if suffixes > MAX_TYPE_DEPTH {
                return Err(parser.error("a type nests too deeply"));
            }
            if parser.take(b'*') {
                ty = self.pointer(ty, 0);
            } else if parser.peek_word() == Some("addrspace") {
                let space = address_space(parser)?;
                parser.expect(b'*')?;
                ty = self.pointer(ty, space);
            } else if parser.take(b'(') {
                ty = self.function(parser, ty, depth + 1)?;
            } else {
                return Ok(ty);
            }
        }
    }

    /// Reads the parameters of a function type.
    fn function(&mut self, parser: &mut Parser<'_>, ret: TypeId, depth: u32) -> Result<TypeId> {
        let mut params = TypeList::new();
        let mut vararg = false;
        parser.list(b')', |parser| {
            if parser.take_word("...") {
                vararg = true;
            } else {
                params.push(self.nested(parser, depth)?);
            }
            Ok(())
        })?;
        Ok(self.intern(Type::Function {
            ret,
            params,
            vararg,
        }))
    }

    /// Reads a type up to its suffixes.
    fn first(&mut self, parser: &mut Parser<'_>, depth: u32) -> Result<TypeId> {
        match parser.peek() {
            Some(TokenKind::Local(name)) => {
                parser.at += 1;
                Ok(self.named(name))
            }
            Some(TokenKind::Punct(b'[')) => {
                parser.at += 1;
                let count = parser.number("an array's length")?;
                parser.expect_word("x")?;
                let element = self.nested(parser, depth)?;
                parser.expect(b']')?;
                Ok(self.intern(Type::Array { element, count }))
            }
            Some(TokenKind::Punct(b'<')) if parser.peek_at(1) != Some(&TokenKind::Punct(b'{')) => {
                parser.at += 1;
                let count = parser.number("a vector's length")?;
                parser.expect_word("x")?;
                let element = self.nested(parser, depth)?;
                parser.expect(b'>')?;
                Ok(self.intern(Type::Vector { element, count }))
            }
            Some(TokenKind::Punct(b'<' | b'{')) => {
                let (fields, packed) = self.structure(parser, depth)?;
                Ok(self.intern(Type::Struct {
                    name: None,
                    fields,
                    packed,
                    opaque: false,
                }))
            }
            _ => {
                let word = parser.word()?;
                let ty = simple(word).ok_or_else(|| {
                    parser.at -= 1;
                    parser.error(&format!("`{word}` is no type"))
                })?;
                Ok(self.intern(ty))
            }
        }
    }

    /// Returns the type of a member: see the reader of bitcode.
    pub(super) fn member(&self, ty: TypeId, index: Option<u64>) -> Option<TypeId> {
        match self.table.get(ty) {
            Type::Struct { fields, .. } => fields.get(usize::try_from(index?).ok()?).copied(),
            Type::Array { element, .. } | Type::Vector { element, .. } => Some(*element),
            _ => None,
        }
    }

    /// Returns the type that a pointer points to.
    pub(super) fn pointee(&self, ty: TypeId) -> Result<TypeId> {
        let pointee = self.table.pointee(ty);
        pointee.ok_or_else(|| Error::malformed("a value is not a pointer"))
    }
}

/// The order of a table under construction.
struct Order<'t> {
    old: &'t PrimaryMap<TypeId, Type>,
    /// The new id of each type.
    places: Vec<Option<TypeId>>,
    sorted: Vec<TypeId>,
}

impl Order<'_> {
    /// Puts a type after what it contains. The parser bounds the nesting, and thereby this
    /// recursion, which ends at named structures.
    fn visit(&mut self, id: TypeId) {
        let Some(ty) = self.old.get(id).filter(|_| self.place(id).is_none()) else {
            return;
        };
        let inner: &[TypeId] = match ty {
            Type::Pointer { pointee: inner, .. }
            | Type::Array { element: inner, .. }
            | Type::Vector { element: inner, .. } => std::slice::from_ref(inner),
            Type::Struct { fields, .. } => fields,
            Type::Function { ret, params, .. } => {
                self.visit_inner(std::slice::from_ref(ret));
                params
            }
            _ => &[],
        };
        self.visit_inner(inner);
        if let Some(place) = self.places.get_mut(id.index()) {
            *place = Some(TypeId::new(self.sorted.len()));
        }
        self.sorted.push(id);
    }

    fn place(&self, id: TypeId) -> Option<TypeId> {
        self.places.get(id.index()).copied().flatten()
    }

    fn visit_inner(&mut self, inner: &[TypeId]) {
        for id in inner {
            if self.old.get(*id).is_some_and(|ty| !is_named(ty)) {
                self.visit(*id);
            }
        }
    }
}

fn is_named(ty: &Type) -> bool {
    matches!(ty, Type::Struct { name: Some(_), .. })
}

/// Returns a type with other ids.
fn with_ids(ty: &Type, now: &impl Fn(TypeId) -> TypeId) -> Type {
    let mut ty = ty.clone();
    match &mut ty {
        Type::Pointer { pointee: inner, .. }
        | Type::Array { element: inner, .. }
        | Type::Vector { element: inner, .. } => *inner = now(*inner),
        Type::Struct { fields: list, .. } => list.iter_mut().for_each(|id| *id = now(*id)),
        Type::Function { ret, params, .. } => {
            *ret = now(*ret);
            params.iter_mut().for_each(|id| *id = now(*id));
        }
        _ => {}
    }
    ty
}

/// Reads `addrspace(n)`.
pub(super) fn address_space(parser: &mut Parser<'_>) -> Result<u32> {
    parser.expect_word("addrspace")?;
    parser.expect(b'(')?;
    let space = parser.number("an address space")?;
    parser.expect(b')')?;
    Ok(space)
}

fn simple(word: &str) -> Option<Type> {
    Some(match word {
        "void" => Type::Void,
        "half" => Type::Half,
        "float" => Type::Float,
        "double" => Type::Double,
        "label" => Type::Label,
        "metadata" => Type::Metadata,
        _ => {
            let bits: u32 = word.strip_prefix('i')?.parse().ok()?;
            if !(1..=MAX_INT_BITS).contains(&bits) {
                return None;
            }
            Type::Int(u16::try_from(bits).ok()?)
        }
    })
}
