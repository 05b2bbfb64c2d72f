//! What the lowering of buffers keeps for a function.

use dxil_frontend::tables::HashMap;
use smallvec::SmallVec;

use crate::interface::ViewId;
use crate::spirv::Id;

/// Rows of a buffer that are loaded early at most: each occupies four registers of a wave.
pub(super) const MAX_ROWS: usize = 8;

/// The rows that are loaded in the first block of a function.
#[derive(Debug, Default)]
pub(in crate::lower) struct EarlyRows {
    /// Label of the first block.
    first: Id,
    /// The rows of each constant buffer, until they have been loaded.
    planned: HashMap<ViewId, Rows>,
    /// Loaded rows, by buffer and index of its descriptor.
    loaded: HashMap<(ViewId, Id, u32), Id>,
}

/// Numbers of rows.
pub(super) type Rows = SmallVec<[u32; MAX_ROWS]>;

impl EarlyRows {
    /// Returns no rows, for a function whose first block has this label.
    pub(super) fn in_block(first: Id) -> Self {
        EarlyRows {
            first,
            ..EarlyRows::default()
        }
    }

    /// Notes the rows of a buffer that are to be loaded early.
    pub(super) fn plan(&mut self, view: ViewId, rows: Rows) {
        self.planned.insert(view, rows);
    }

    /// Returns a row that has been loaded. `index` is that of the descriptor.
    pub(super) fn loaded(&self, view: ViewId, index: Id, row: u32) -> Option<Id> {
        self.loaded.get(&(view, index, row)).copied()
    }

    /// Notes a loaded row.
    pub(super) fn add(&mut self, view: ViewId, index: Id, row: u32, loaded: Id) {
        self.loaded.insert((view, index, row), loaded);
    }

    /// Takes the rows that are to be loaded now, beside another one in that block.
    pub(super) fn take(&mut self, view: ViewId, label: Id) -> Rows {
        if self.first == label {
            self.planned.remove(&view).unwrap_or_default()
        } else {
            Rows::new()
        }
    }
}
