//! Metadata: nodes, texts and values, each once.

use super::constants::{ConstantTable, Context};
use super::lexer::{Name, TokenKind};
use super::parser::Parser;
use crate::error::Result;
use crate::ir::{MdId, MdNode, Metadata, MetadataKind, NamedMetadata, ValueId};
use crate::tables::HashMap;

/// The metadata under construction.
#[derive(Debug, Default)]
pub(super) struct MetadataTable {
    pub(super) metadata: Metadata,
    /// Nodes with a number.
    numbered: HashMap<u32, MdId>,
    texts: HashMap<Box<[u8]>, MdId>,
    values: HashMap<ValueId, MdId>,
    kinds: HashMap<Box<[u8]>, u32>,
}

/// The numbers of LLVM 3.7's own kinds.
const KINDS: [&[u8]; 14] = [
    b"dbg",
    b"tbaa",
    b"prof",
    b"fpmath",
    b"range",
    b"tbaa.struct",
    b"invariant.load",
    b"alias.scope",
    b"noalias",
    b"nontemporal",
    b"llvm.mem.parallel_loop_access",
    b"nonnull",
    b"dereferenceable",
    b"dereferenceable_or_null",
];

/// Returns a place in a table as the IR's number. Tables are no longer than the text.
fn word(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

fn empty(distinct: bool) -> MdNode {
    MdNode::Tuple {
        distinct,
        start: 0,
        len: 0,
    }
}

impl MetadataTable {
    /// Announces the node `!n`, so that others can name it before it is read.
    pub(super) fn announce(&mut self, number: u32) -> bool {
        if self.numbered.contains_key(&number) {
            return false;
        }
        let id = self.metadata.nodes.push(empty(false));
        self.numbered.insert(number, id);
        true
    }

    /// Returns the node `!n`.
    pub(super) fn numbered(&self, parser: &Parser<'_>, number: u32) -> Result<MdId> {
        let id = self.numbered.get(&number).copied();
        id.ok_or_else(|| parser.error(&format!("the node !{number} is not defined")))
    }

    /// Reads the content of the node `!n` after its equals sign.
    pub(super) fn node(
        &mut self,
        parser: &mut Parser<'_>,
        number: u32,
        table: &mut ConstantTable,
        context: &mut Context<'_>,
    ) -> Result<()> {
        let id = self.numbered(parser, number)?;
        let distinct = parser.take_word("distinct");
        if let Some(TokenKind::Metadata(_)) = parser.peek() {
            return Err(parser.unsupported("debug information in assembly"));
        }
        parser.expect(b'!')?;
        parser.expect(b'{')?;
        let operands = self.operands(parser, table, context)?;
        let start = word(self.metadata.operands.len());
        let len = word(operands.len());
        self.metadata.operands.extend(operands);
        if let Some(node) = self.metadata.nodes.get_mut(id) {
            *node = MdNode::Tuple {
                distinct,
                start,
                len,
            };
        }
        Ok(())
    }

    /// Reads a list of nodes `!name = !{...}` after its equals sign.
    pub(super) fn named(
        &mut self,
        parser: &mut Parser<'_>,
        name: &[u8],
        table: &mut ConstantTable,
        context: &mut Context<'_>,
    ) -> Result<()> {
        parser.expect(b'!')?;
        parser.expect(b'{')?;
        let operands = self.operands(parser, table, context)?;
        if operands.contains(&None) {
            return Err(parser.error("a list of nodes has none of them null"));
        }
        let (name_start, name_len) = self.keep(name);
        let start = word(self.metadata.operands.len());
        let len = word(operands.len());
        self.metadata.operands.extend(operands);
        self.metadata.named.push(NamedMetadata {
            name_start,
            name_len,
            start,
            len,
        });
        Ok(())
    }

    fn operands(
        &mut self,
        parser: &mut Parser<'_>,
        table: &mut ConstantTable,
        context: &mut Context<'_>,
    ) -> Result<Vec<Option<MdId>>> {
        let mut operands = Vec::new();
        parser.list(b'}', |parser| {
            operands.push(if parser.take_word("null") {
                None
            } else if let Some(id) = self.reference(parser)? {
                Some(id)
            } else {
                let (value, _) = table.parse_typed(parser, context)?;
                Some(self.value(value))
            });
            Ok(())
        })?;
        Ok(operands)
    }

    /// Reads `!n` or `!"text"`, if that comes next.
    pub(super) fn reference(&mut self, parser: &mut Parser<'_>) -> Result<Option<MdId>> {
        match parser.peek() {
            Some(TokenKind::Metadata(Name::Number(number))) => {
                let id = self.numbered(parser, *number)?;
                parser.at += 1;
                Ok(Some(id))
            }
            Some(TokenKind::Metadata(_)) => {
                Err(parser.unsupported("debug information in assembly"))
            }
            Some(TokenKind::MetadataText(text)) => {
                parser.at += 1;
                if let Some(id) = self.texts.get(text) {
                    return Ok(Some(*id));
                }
                let (start, len) = self.keep(text);
                let id = self.metadata.nodes.push(MdNode::String { start, len });
                self.texts.insert(text.clone(), id);
                Ok(Some(id))
            }
            _ => Ok(None),
        }
    }

    /// Returns the node that stands for a value of the module.
    pub(super) fn value(&mut self, value: ValueId) -> MdId {
        let nodes = &mut self.metadata.nodes;
        let id = self.values.entry(value);
        *id.or_insert_with(|| nodes.push(MdNode::Value(value)))
    }

    /// Returns the number of a kind.
    pub(super) fn kind(&mut self, name: &[u8]) -> u32 {
        if let Some(number) = self.kinds.get(name) {
            return *number;
        }
        #[expect(clippy::disallowed_methods, reason = "a number")]
        let own = self.kinds.values().filter(|number| **number >= 14).count();
        let known = KINDS.iter().position(|kind| *kind == name);
        let id = word(known.unwrap_or(KINDS.len() + own));
        let (start, len) = self.keep(name);
        self.metadata.kinds.push(MetadataKind { id, start, len });
        self.kinds.insert(name.into(), id);
        id
    }

    fn keep(&mut self, bytes: &[u8]) -> (u32, u32) {
        let start = word(self.metadata.strings.len());
        self.metadata.strings.extend_from_slice(bytes);
        (start, word(bytes.len()))
    }
}
