//! Records of work graph nodes (validator 1.8).

use super::tables::{Pool, RecordTable};
use crate::container::rdat::{
    IoNode, NodeFunctionAttribute, NodeIdRecord, NodeIoAttribute, NodeIoFlags, NodeShader,
    RdatRecord,
};
use crate::dxil::{Node, NodeId, NodeIo};
use crate::error::Result;

/// Kinds of attributes of a node function.
mod function_attribute {
    pub(super) const ID: u32 = 1;
    pub(super) const NUM_THREADS: u32 = 2;
    pub(super) const SHARE_INPUT_OF: u32 = 3;
    pub(super) const DISPATCH_GRID: u32 = 4;
    pub(super) const MAX_RECURSION_DEPTH: u32 = 5;
    pub(super) const LOCAL_ROOT_ARGUMENTS_TABLE_INDEX: u32 = 6;
    pub(super) const MAX_DISPATCH_GRID: u32 = 7;
}

/// Kinds of attributes of inputs and outputs.
mod io_attribute {
    pub(super) const OUTPUT_ID: u32 = 1;
    pub(super) const MAX_RECORDS: u32 = 2;
    pub(super) const MAX_RECORDS_SHARED_WITH: u32 = 3;
    pub(super) const RECORD_BYTES: u32 = 4;
    pub(super) const RECORD_DISPATCH_GRID: u32 = 5;
    pub(super) const OUTPUT_ARRAY_SIZE: u32 = 6;
    pub(super) const ALLOW_SPARSE_NODES: u32 = 7;
    pub(super) const RECORD_ALIGNMENT: u32 = 8;
}

/// The tables of nodes.
#[derive(Debug)]
pub(super) struct NodeTables {
    ids: RecordTable,
    io_attributes: RecordTable,
    attributes: RecordTable,
    ios: RecordTable,
    nodes: RecordTable,
}

impl NodeTables {
    pub(super) fn new() -> Self {
        let table = RecordTable::without_repetition;
        NodeTables {
            ids: table(NodeIdRecord::TABLE, 2),
            io_attributes: table(NodeIoAttribute::TABLE, 2),
            attributes: table(NodeFunctionAttribute::TABLE, 2),
            ios: table(IoNode::TABLE, 2),
            nodes: table(NodeShader::TABLE, 5),
        }
    }

    /// Returns the tables in the order of the part.
    pub(super) fn into_tables(self) -> [RecordTable; 5] {
        [
            self.ids,
            self.attributes,
            self.io_attributes,
            self.ios,
            self.nodes,
        ]
    }

    /// Adds a node and returns its row.
    pub(super) fn add(
        &mut self,
        pool: &mut Pool,
        node: &Node,
        num_threads: Option<[u32; 3]>,
        group_shared_bytes: u32,
    ) -> Result<u32> {
        use function_attribute as kind;
        let mut own = vec![[kind::ID, self.id(pool, &node.id)?]];
        if let Some(threads) = num_threads {
            own.push([kind::NUM_THREADS, pool.list(&threads)?]);
        }
        if let Some(index) = node.local_root_arguments_table_index {
            own.push([kind::LOCAL_ROOT_ARGUMENTS_TABLE_INDEX, index]);
        }
        if let Some(id) = &node.shares_input_of {
            own.push([kind::SHARE_INPUT_OF, self.id(pool, id)?]);
        }
        if let Some(grid) = node.dispatch_grid {
            own.push([kind::DISPATCH_GRID, pool.list(&grid)?]);
        }
        if node.max_recursion_depth != 0 {
            own.push([kind::MAX_RECURSION_DEPTH, node.max_recursion_depth]);
        }
        if let Some(grid) = node.max_dispatch_grid {
            own.push([kind::MAX_DISPATCH_GRID, pool.list(&grid)?]);
        }
        let attributes = rows(&mut self.attributes, &own)?;
        let attributes = pool.list(&attributes)?;
        let inputs = self.ios(pool, &node.inputs)?;
        let outputs = self.ios(pool, &node.outputs)?;
        self.nodes.add(&[
            node.launch.number(),
            group_shared_bytes,
            attributes,
            outputs,
            inputs,
        ])
    }

    fn id(&mut self, pool: &mut Pool, id: &NodeId) -> Result<u32> {
        self.ids.add(&[pool.string(&id.name)?, id.index])
    }

    /// Adds inputs or outputs and returns their list.
    fn ios(&mut self, pool: &mut Pool, ios: &[NodeIo]) -> Result<u32> {
        let mut all = Vec::with_capacity(ios.len());
        for io in ios {
            let own = self.io_attributes(pool, io)?;
            let own = rows(&mut self.io_attributes, &own)?;
            let record = [io.flags.bits(), pool.list(&own)?];
            all.push(self.ios.add(&record)?);
        }
        pool.list(&all)
    }

    fn io_attributes(&mut self, pool: &mut Pool, io: &NodeIo) -> Result<Vec<[u32; 2]>> {
        use io_attribute as kind;
        let mut own = Vec::new();
        let is_output = io.flags.contains(NodeIoFlags::OUTPUT);
        if let Some(target) = &io.target {
            own.push([kind::OUTPUT_ID, self.id(pool, target)?]);
        }
        if is_output {
            own.push([kind::OUTPUT_ARRAY_SIZE, io.array_size]);
        }
        if let Some(output) = io.shares_max_records_with {
            own.push([kind::MAX_RECORDS_SHARED_WITH, output]);
        } else if io.max_records != 0 {
            own.push([kind::MAX_RECORDS, io.max_records]);
        }
        if io.allows_sparse {
            own.push([kind::ALLOW_SPARSE_NODES, 1]);
        }
        if io.record_size != 0 {
            own.push([kind::RECORD_BYTES, io.record_size]);
        }
        if let Some(grid) = io.grid {
            // Offset in the lower half; two bits of components and the type in the upper one.
            let packed = grid.components & 3 | (grid.component as u32) << 2;
            let place = grid.offset & 0xffff | packed << 16;
            own.push([kind::RECORD_DISPATCH_GRID, place]);
        }
        if let Some(alignment) = io.record_alignment {
            own.push([kind::RECORD_ALIGNMENT, alignment]);
        }
        Ok(own)
    }
}

fn rows(table: &mut RecordTable, records: &[[u32; 2]]) -> Result<Vec<u32>> {
    records.iter().map(|record| table.add(record)).collect()
}
