//! Types of variables and functions.

use dxil_frontend::dxil::debug::{BasicType, CompositeType, DebugType, DerivedType, tag};
use dxil_frontend::ir::MdId;

use super::{MAX_DEPTH, SourceWriter, flag, instruction::DebugInstruction};
use crate::spirv::{Builder, Id};

/// A vector or matrix, which DXC describes as a class with a member per component.
struct Components {
    /// Type of a component.
    ty: MdId,
    /// Number of vectors; `None` for a vector.
    rows: Option<u32>,
    columns: u32,
}

impl<'a> SourceWriter<'a> {
    /// Returns a type; `None` if it cannot be described.
    pub(super) fn ty(&mut self, b: &mut Builder, id: MdId, depth: u32) -> Option<Id> {
        if let Some(&known) = self.types.get(&id) {
            return known;
        }
        if depth >= MAX_DEPTH {
            return None;
        }
        // Ends the recursion of a type that contains itself.
        self.types.insert(id, None);
        let (behind, ty) = self.info.named_type(id)?;
        let made = if behind != id {
            self.ty(b, behind, depth + 1)
        } else {
            match ty {
                DebugType::Basic(basic) => Some(self.basic(b, &basic)),
                DebugType::Composite(composite) => self.composite(b, &composite, depth),
                // References and pointers (`inout`) are described as the type they refer to.
                DebugType::Derived(DerivedType { base, .. }) => self.ty(b, base?, depth + 1),
                DebugType::Subroutine(_) => None,
            }
        };
        self.types.insert(id, made);
        made
    }

    /// Returns a type, or `DebugInfoNone`.
    fn ty_or_nothing(&mut self, b: &mut Builder, id: Option<MdId>, depth: u32) -> Id {
        match id.and_then(|id| self.ty(b, id, depth)) {
            Some(ty) => ty,
            None => self.nothing(b),
        }
    }

    /// Returns the type of a function; an unknown one has no parameters and no result.
    pub(super) fn function_type(&mut self, b: &mut Builder, id: Option<MdId>) -> Id {
        let types = match id.and_then(|id| self.info.ty(id)) {
            Some(DebugType::Subroutine(function)) => function.types,
            _ => &[],
        };
        let types = types
            .get(..types.len().min(self.operands_left))
            .unwrap_or_default();
        let mut operands = vec![b.const_u32(flag::PUBLIC)];
        operands.push(match types.first() {
            Some(&Some(result)) => self.ty_or_nothing(b, Some(result), 0),
            _ => b.void(),
        });
        for parameter in types.iter().skip(1) {
            let ty = self.ty_or_nothing(b, *parameter, 0);
            operands.push(ty);
        }
        self.global(b, DebugInstruction::DebugTypeFunction, &operands)
    }

    fn basic(&mut self, b: &mut Builder, basic: &BasicType<'a>) -> Id {
        // DWARF's encodings (DWARF 4, 7.8) in the set's numbers.
        let encoding = match basic.encoding {
            1 => 1,
            2 => 2,
            4 => 3,
            5 => 4,
            6 => 5,
            7 => 6,
            8 => 7,
            _ => 0,
        };
        let name = self.string(b, basic.name);
        let numbers = [basic.bits, encoding, 0].map(|number| b.const_u32(number));
        self.global(
            b,
            DebugInstruction::DebugTypeBasic,
            &[name, numbers[0], numbers[1], numbers[2]],
        )
    }

    fn composite(
        &mut self,
        b: &mut Builder,
        composite: &CompositeType<'a>,
        depth: u32,
    ) -> Option<Id> {
        // Counted before any operand is made: lists may be shared by many types.
        if composite.elements.len() > self.operands_left {
            return None;
        }
        match composite.tag {
            tag::ARRAY => {
                let mut operands = vec![self.ty(b, composite.base?, depth + 1)?];
                for dimension in composite.elements {
                    let count = self.info.dimension((*dimension)?)?;
                    operands.push(b.const_u32(count));
                }
                (operands.len() > 1)
                    .then(|| self.global(b, DebugInstruction::DebugTypeArray, &operands))
            }
            tag::ENUMERATION => {
                const SIGNED: u32 = 5;
                let number = BasicType {
                    name: composite.name,
                    bits: composite.bits,
                    encoding: SIGNED,
                };
                Some(self.basic(b, &number))
            }
            _ => match self.components(composite) {
                Some(components) => self.vector(b, &components, depth),
                None => self.structure(b, composite, depth),
            },
        }
    }

    fn vector(&mut self, b: &mut Builder, components: &Components, depth: u32) -> Option<Id> {
        let scalar = self.ty(b, components.ty, depth + 1)?;
        let columns = b.const_u32(components.columns);
        let vector = self.global(b, DebugInstruction::DebugTypeVector, &[scalar, columns]);
        let Some(rows) = components.rows else {
            return Some(vector);
        };
        // The components of a row are adjacent in memory.
        let rows = b.const_u32(rows);
        let column_major = b.const_bool(false);
        Some(self.global(
            b,
            DebugInstruction::DebugTypeMatrix,
            &[vector, rows, column_major],
        ))
    }

    fn structure(
        &mut self,
        b: &mut Builder,
        composite: &CompositeType<'a>,
        depth: u32,
    ) -> Option<Id> {
        let mut members = Vec::new();
        for member in composite.elements.iter().flatten() {
            if let Some(DebugType::Derived(member)) = self.info.ty(*member)
                && matches!(member.tag, tag::MEMBER | tag::INHERITANCE)
            {
                members.push(self.member(b, &member, depth)?);
            }
        }
        const CLASS: u32 = 0;
        const STRUCTURE: u32 = 1;
        let kind = match composite.tag {
            tag::STRUCTURE => STRUCTURE,
            _ => CLASS,
        };
        let name = self.string(b, composite.name);
        let kind = b.const_u32(kind);
        let [source, line, column] = self.declared(b, composite.file, composite.line, 1);
        let unit = self.unit(b);
        let size = b.const_u32(composite.bits);
        let flags = b.const_u32(flag::PUBLIC);
        let mut operands = vec![name, kind, source, line, column, unit, name, size, flags];
        operands.extend(members);
        Some(self.global(b, DebugInstruction::DebugTypeComposite, &operands))
    }

    fn member(&mut self, b: &mut Builder, member: &DerivedType<'a>, depth: u32) -> Option<Id> {
        let ty = self.ty(b, member.base?, depth + 1)?;
        let name = self.string(b, member.name);
        let [source, line, column] = self.declared(b, member.file, member.line, 1);
        let offset = b.const_u32(member.offset_bits);
        let size = b.const_u32(self.bits(member.base?).unwrap_or(member.bits));
        let flags = b.const_u32(flag::PUBLIC);
        let operands = [name, ty, source, line, column, offset, size, flags];
        Some(self.global(b, DebugInstruction::DebugTypeMember, &operands))
    }

    /// Returns the vector or matrix that a class denotes, with two to four components per
    /// dimension.
    fn components(&self, composite: &CompositeType<'a>) -> Option<Components> {
        let is_matrix = composite.name.starts_with("matrix<");
        if composite.tag != tag::CLASS || !(is_matrix || composite.name.starts_with("vector<")) {
            return None;
        }
        let mut first = None;
        let mut rows = 0;
        let mut place = 0;
        for member in composite.elements {
            let DebugType::Derived(member) = self.info.ty((*member)?)? else {
                return None;
            };
            let (ty, basic) = self.info.named_type(member.base?)?;
            let DebugType::Basic(basic) = basic else {
                return None;
            };
            let same = *first.get_or_insert(ty) == ty;
            if !same || member.offset_bits != place || place > (1 << 16) {
                return None;
            }
            place += basic.bits;
            // `_23` is the third component of the second row.
            if let Some(row) = member.name.strip_prefix('_').and_then(|name| name.get(..1)) {
                rows = rows.max(row.parse().ok()?);
            }
        }
        let count = u32::try_from(composite.elements.len()).ok()?;
        let rows: u32 = if is_matrix { rows } else { 1 };
        let columns = count.checked_div(rows)?;
        let fits = columns * rows == count && (1..=4).contains(&columns) && rows <= 4;
        fits.then_some(Components {
            ty: first?,
            rows: is_matrix.then_some(rows),
            columns,
        })
    }

    /// Returns the size of a type in bits.
    pub(super) fn bits(&self, id: MdId) -> Option<u32> {
        let bits = match self.info.named_type(id)?.1 {
            DebugType::Basic(basic) => basic.bits,
            DebugType::Composite(composite) => composite.bits,
            DebugType::Derived(DerivedType {
                tag: tag::REFERENCE | tag::POINTER,
                base,
                ..
            }) => match self.info.named_type(base?)?.1 {
                DebugType::Basic(basic) => basic.bits,
                DebugType::Composite(composite) => composite.bits,
                _ => return None,
            },
            _ => return None,
        };
        (bits > 0).then_some(bits)
    }

    /// Returns the member indices that lead to a piece of a type: bits `offset` to `offset + size`.
    pub(super) fn path_to(&self, mut id: MdId, offset: u32, size: u32) -> Option<Vec<u32>> {
        let mut path = Vec::new();
        let mut offset = offset;
        for _ in 0..MAX_DEPTH {
            let (_, ty) = self.info.named_type(id)?;
            if offset == 0 && self.bits(id) == Some(size) {
                return Some(path);
            }
            match ty {
                DebugType::Derived(DerivedType { base, .. }) => id = base?,
                DebugType::Composite(array) if array.tag == tag::ARRAY => {
                    let mut stride = array.bits;
                    for dimension in array.elements {
                        let count = self.info.dimension((*dimension)?)?;
                        stride /= count;
                        path.push(offset.checked_div(stride)?);
                        offset %= stride;
                        if *path.last()? >= count {
                            return None;
                        }
                    }
                    id = array.base?;
                }
                DebugType::Composite(composite) => {
                    let columns = self.components(&composite).and_then(|matrix| {
                        matrix.rows?;
                        Some(matrix.columns)
                    });
                    let mut index = 0;
                    let mut found = None;
                    for member in composite.elements.iter().flatten() {
                        let Some(DebugType::Derived(member)) = self.info.ty(*member) else {
                            continue;
                        };
                        if !matches!(member.tag, tag::MEMBER | tag::INHERITANCE) {
                            continue;
                        }
                        let base = member.base?;
                        if let Some(inside) = offset.checked_sub(member.offset_bits)
                            && inside < self.bits(base).unwrap_or(member.bits)
                        {
                            found = Some((index, inside, base));
                        }
                        index += 1;
                    }
                    let (index, inside, base) = found?;
                    match columns {
                        Some(columns) => path.extend([index / columns, index % columns]),
                        None => path.push(index),
                    }
                    offset = inside;
                    id = base;
                }
                DebugType::Basic(_) | DebugType::Subroutine(_) => return None,
            }
        }
        None
    }
}
