//! The tables of a module under construction.

use super::attributes::Attributes;
use super::lexer::Name;
use super::metadata::MetadataTable;
use super::types::Types;
use crate::ir::{TypeId, ValueId};
use crate::tables::HashMap;

/// The tables of a module under construction.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) types: Types,
    pub(super) attributes: Attributes,
    pub(super) metadata: MetadataTable,
    /// Variables and functions by name.
    pub(super) globals: HashMap<Name, (ValueId, TypeId)>,
}
