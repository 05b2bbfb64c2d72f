//! The instructions of the blocks that nodes come from.

use cranelift_entity::EntityRef;
use dxil_frontend::ir::{BlockId, Function, InstData};

/// Returns the instructions of a block, the terminator last.
pub(crate) fn insts_of(function: &Function, block: BlockId) -> &[InstData] {
    let range = function.blocks.get(block);
    let range = range.map(|block| block.first.index()..block.end.index());
    let insts = function.insts.as_values_slice();
    range.and_then(|range| insts.get(range)).unwrap_or_default()
}
