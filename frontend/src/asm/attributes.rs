//! Attribute groups and sets: each is in its table once.

use super::lexer::TokenKind;
use super::parser::{Parser, text_of};
use crate::error::Result;
use crate::ir::print::attribute_number;
use crate::ir::{Attribute, AttributeGroup, Module};
use crate::tables::HashMap;

/// Attributes that have a number.
const WITH_NUMBER: [&str; 4] = [
    "align",
    "alignstack",
    "dereferenceable",
    "dereferenceable_or_null",
];

/// Attributes by slot, in the order of the slots.
pub(super) type Slots = Vec<(u32, Vec<Attribute>)>;

/// The tables under construction.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    /// `attributes #n`.
    numbered: HashMap<u32, Vec<Attribute>>,
    groups: Vec<AttributeGroup>,
    /// Places in `groups`.
    group_numbers: HashMap<AttributeGroup, u32>,
    sets: Vec<Box<[u32]>>,
    /// Places in `sets`.
    set_numbers: HashMap<Box<[u32]>, u32>,
}

impl Attributes {
    /// Reads `attributes #n = { ... }` behind its first word.
    pub(super) fn definition(&mut self, parser: &mut Parser<'_>) -> Result<()> {
        let Some(TokenKind::Attributes(number)) = parser.next() else {
            return Err(parser.error("the number of the attributes is missing"));
        };
        parser.expect(b'=')?;
        parser.expect(b'{')?;
        let mut list = Vec::new();
        while !parser.take(b'}') {
            let attribute = attribute(parser)?;
            list.push(attribute.ok_or_else(|| parser.error("an unknown attribute"))?);
        }
        self.numbered.insert(*number, list);
        Ok(())
    }

    /// Reads attributes beside a type, as long as there are any.
    pub(super) fn beside(parser: &mut Parser<'_>) -> Result<Vec<Attribute>> {
        let mut list = Vec::new();
        while let Some(attribute) = attribute(parser)? {
            list.push(attribute);
        }
        Ok(list)
    }

    /// Reads the attributes of the function itself, `#n`, into the slots.
    pub(super) fn of_function(&self, parser: &mut Parser<'_>, slots: &mut Slots) -> Result<()> {
        while let Some(TokenKind::Attributes(number)) = parser.peek() {
            let list = self.numbered.get(number);
            let list = list.ok_or_else(|| parser.error("these attributes are not defined"))?;
            parser.at += 1;
            slots.push((AttributeGroup::FUNCTION, list.clone()));
        }
        Ok(())
    }

    /// Returns the number of a set, 0 for none.
    pub(super) fn set(&mut self, slots: Slots) -> u32 {
        let mut set = Vec::new();
        for (slot, attributes) in slots {
            if attributes.is_empty() {
                continue;
            }
            let group = AttributeGroup { slot, attributes };
            let next = index_of(self.groups.len());
            let index = *self.group_numbers.entry(group.clone()).or_insert(next);
            if index == next {
                self.groups.push(group);
            }
            set.push(index);
        }
        if set.is_empty() {
            return 0;
        }
        let set = set.into_boxed_slice();
        let next = index_of(self.sets.len());
        let index = *self.set_numbers.entry(set.clone()).or_insert(next);
        if index == next {
            self.sets.push(set);
        }
        index + 1
    }

    /// Moves the tables into the module.
    pub(super) fn finish(self, module: &mut Module) {
        module.attribute_groups = self.groups;
        module.attribute_sets = self.sets;
    }
}

/// Returns a place in a table as the IR's number. There are fewer than tokens.
fn index_of(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX - 1)
}

/// Returns the slot of the `index`-th parameter.
pub(super) fn slot(index: usize) -> u32 {
    index_of(index) + 1
}

/// Reads an attribute, if one comes next.
fn attribute(parser: &mut Parser<'_>) -> Result<Option<Attribute>> {
    if let Some(TokenKind::Text(key)) = parser.peek() {
        parser.at += 1;
        let value = if parser.take(b'=') {
            Some(text_of(parser.text()?))
        } else {
            None
        };
        return Ok(Some(Attribute::String(text_of(key), value)));
    }
    let Some(word) = parser.peek_word() else {
        return Ok(None);
    };
    let Some(number) = attribute_number(word) else {
        return Ok(None);
    };
    parser.at += 1;
    if !WITH_NUMBER.contains(&word) {
        return Ok(Some(Attribute::Enum(number)));
    }
    // `align 4`, `align=4` or `dereferenceable(4)`.
    let in_brackets = parser.take(b'(');
    parser.take(b'=');
    let value = parser.number("the number of an attribute")?;
    if in_brackets {
        parser.expect(b')')?;
    }
    Ok(Some(Attribute::Int(number, value)))
}

/// Reads a calling convention, if one comes next.
pub(super) fn convention(parser: &mut Parser<'_>) -> u16 {
    let number = match parser.peek_word() {
        Some("ccc") => Some(0),
        Some("fastcc") => Some(8),
        Some("coldcc") => Some(9),
        Some(word) => word
            .strip_prefix("cc")
            .and_then(|number| number.parse().ok()),
        None => None,
    };
    parser.at += usize::from(number.is_some());
    number.unwrap_or(0)
}
