//! Types of variables, as the source has them.

use super::DebugInfo;
use super::record::{BASIC_TYPE, COMPOSITE_TYPE, DERIVED_TYPE, SUBRANGE, SUBROUTINE_TYPE};
use crate::ir::MdId;

/// DWARF's numbers for kinds of types (DWARF 4, 7.5.4) that DXC writes.
pub mod tag {
    /// An array.
    pub const ARRAY: u32 = 0x01;
    /// A class; DXC's vectors and matrices, resources.
    pub const CLASS: u32 = 0x02;
    /// An enumeration.
    pub const ENUMERATION: u32 = 0x04;
    /// A member of a structure.
    pub const MEMBER: u32 = 0x0d;
    /// A pointer.
    pub const POINTER: u32 = 0x0f;
    /// A reference.
    pub const REFERENCE: u32 = 0x10;
    /// A structure.
    pub const STRUCTURE: u32 = 0x13;
    /// Another name of a type.
    pub const TYPEDEF: u32 = 0x16;
    /// A union.
    pub const UNION: u32 = 0x17;
    /// A base class.
    pub const INHERITANCE: u32 = 0x1c;
    /// A constant type.
    pub const CONST: u32 = 0x26;
    /// A restricted pointer.
    pub const RESTRICT: u32 = 0x37;
}

/// A type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebugType<'a> {
    /// A number.
    Basic(BasicType<'a>),
    /// Something made of one other type: another name, a member, a qualifier, a reference.
    Derived(DerivedType<'a>),
    /// Something made of several: a structure, a vector, an array.
    Composite(CompositeType<'a>),
    /// A function.
    Subroutine(SubroutineType<'a>),
}

/// DIBasicType.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BasicType<'a> {
    /// Name.
    pub name: &'a str,
    /// Bits.
    pub bits: u32,
    /// DWARF's encoding (DWARF 4, 7.8): 2 boolean, 4 float, 5 signed, 7 unsigned.
    pub encoding: u32,
}

/// DIDerivedType.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DerivedType<'a> {
    /// Kind, one of [`tag`].
    pub tag: u32,
    /// Name.
    pub name: &'a str,
    /// File.
    pub file: Option<MdId>,
    /// Line.
    pub line: u32,
    /// Its composition.
    pub base: Option<MdId>,
    /// Bits.
    pub bits: u32,
    /// Place in the structure, in bits.
    pub offset_bits: u32,
}

/// DICompositeType.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompositeType<'a> {
    /// Kind, one of [`tag`].
    pub tag: u32,
    /// Name.
    pub name: &'a str,
    /// File.
    pub file: Option<MdId>,
    /// Line.
    pub line: u32,
    /// Type of the elements of an array.
    pub base: Option<MdId>,
    /// Bits.
    pub bits: u32,
    /// Members, or the dimensions of an array.
    pub elements: &'a [Option<MdId>],
}

/// DISubroutineType.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubroutineType<'a> {
    /// Result, then parameters; nothing as a result is `void`.
    pub types: &'a [Option<MdId>],
}

impl<'a> DebugInfo<'a> {
    /// Returns a type.
    pub fn ty(self, id: MdId) -> Option<DebugType<'a>> {
        let code = self.code(id)?;
        let record = self.record(id, code)?;
        let list = |field| {
            let list = record
                .node(field)
                .and_then(|list| self.module.metadata.tuple(list));
            list.unwrap_or_default()
        };
        Some(match code {
            BASIC_TYPE => DebugType::Basic(BasicType {
                name: record.text(2),
                bits: record.u32(3),
                encoding: record.u32(5),
            }),
            DERIVED_TYPE => DebugType::Derived(DerivedType {
                tag: record.u32(1),
                name: record.text(2),
                file: record.node(3),
                line: record.u32(4),
                base: record.node(6),
                bits: record.u32(7),
                offset_bits: record.u32(9),
            }),
            COMPOSITE_TYPE => DebugType::Composite(CompositeType {
                tag: record.u32(1),
                name: record.text(2),
                file: record.node(3),
                line: record.u32(4),
                base: record.node(6),
                bits: record.u32(7),
                elements: list(11),
            }),
            SUBROUTINE_TYPE => DebugType::Subroutine(SubroutineType { types: list(2) }),
            _ => return None,
        })
    }

    /// Returns the type behind other names and qualifiers of it, with its node.
    pub fn named_type(self, mut id: MdId) -> Option<(MdId, DebugType<'a>)> {
        // Bounded, because types may refer to each other in cycles.
        for _ in 0..super::MAX_DEPTH {
            match self.ty(id)? {
                DebugType::Derived(DerivedType {
                    tag: tag::TYPEDEF | tag::CONST | tag::RESTRICT,
                    base,
                    ..
                }) => id = base?,
                other => return Some((id, other)),
            }
        }
        None
    }

    /// Returns the number of elements of an array's dimension (DISubrange).
    pub fn dimension(self, id: MdId) -> Option<u32> {
        let count = self.record(id, SUBRANGE)?.number(1)?;
        u32::try_from(count).ok().filter(|&count| count > 0)
    }
}
