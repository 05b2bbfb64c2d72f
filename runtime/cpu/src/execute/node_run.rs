//! The arguments of a run of a work graph node, and the records that its groups send.

/// A thread group of a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NodeGroup {
    /// Its place in the dispatch grid.
    pub id: [u32; 3],
    /// The first record that it takes.
    pub first: u32,
    /// Number of records; of a thread node that of its threads, at most the lanes of a wave.
    pub count: u32,
}

/// An output of a node, as the graph links it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NodeOutput {
    /// Bytes from record to record; 0 is empty records.
    pub stride: u32,
    /// Whether the graph has the node that it leads to.
    pub is_there: bool,
    /// A bit for each node of a sparse array that is there.
    pub present: Option<[u32; 8]>,
}

/// The records that a node runs for.
#[derive(Debug, Clone, Default)]
pub struct NodeRun {
    /// The groups, in the order in which they run.
    pub groups: Vec<NodeGroup>,
    /// The records, a stride apart.
    pub records: Vec<u8>,
    /// Bytes from record to record; 0 is empty records.
    pub stride: u32,
    /// Whether each thread takes a record.
    pub is_thread: bool,
    /// Outputs, in the order of the node's metadata.
    pub outputs: Vec<NodeOutput>,
    /// Levels of recursion that are left.
    pub recursion_left: u32,
}

/// Records that a node has sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentRecords {
    /// Number of the output.
    pub output: u32,
    /// Index into an array of nodes.
    pub index: u32,
    /// First byte in `NodeOutcome::records`.
    pub first: u32,
    /// Number of records.
    pub count: u32,
}
