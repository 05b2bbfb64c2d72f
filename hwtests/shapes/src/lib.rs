//! Containers of any size in shapes that are expensive for compilers: deep nesting, wide joins,
//! values and constants used twice at every level, long tables of types, names and metadata.
//!
//! A [`Family`] and a size give the same bytes on every machine. The cost of translating a member
//! must grow in proportion to its bytes, or the member must be refused.

mod body;
mod code;
mod constants;
mod container;
mod control;
mod declarations;
mod dxbc;
mod encoding;
mod grammar;
mod module;
mod mutant;
mod records;
mod values;

pub use dxbc::{DXBC_FAMILIES, DxbcFamily};
pub use dxil_translate::oracle::families::GraphFamily;
pub use encoding::{ENCODINGS, Encoding};
pub use grammar::{grammar_mutant, reencoded};
pub use mutant::mutant;
pub use records::Records;

/// A family of containers that grow with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// A control-flow graph with about that many blocks; each block has a phi for its predecessors'
    /// values and stores the sum of that and its own number.
    Graph(GraphFamily),
    /// The same graph, of blocks that only branch.
    Bare(GraphFamily),
    /// One block with that many additions, each of the one before and a loaded word.
    Straight,
    /// As many additions, each of the previous one and itself.
    Doubling,
    /// Additions of constants, each of the previous one and itself, as deep as constants may nest;
    /// as many of these towers.
    ConstantTowers,
    /// One block with 64 predecessors and that many phis.
    Phis,
    /// One phi with that many operands, but not more than SPIR-V has room for, and as many phis as
    /// make up the number.
    WidePhis,
    /// A loop with that many loop-carried values, each used after it.
    LoopPhis,
    /// As many stores whose index is a value of the first block: one long live range each.
    LongLiveRanges,
    /// As many instructions without uses.
    DeadCode,
    /// As many divisions, each of the one before by itself: one record, again and again.
    Divisions,
    /// As many elements of a local array, each written once and read once.
    LocalArray,
    /// Functions that each call the one before twice: inlining doubles at every level.
    CallTree,
    /// Functions that each call the one before once.
    CallChain,
    /// As many calls of one function.
    CallsOfOne,
    /// As many functions, each called once, and as many descriptions of a matrix type.
    TargetTypes,
    /// As many structure types, each of the one before twice, as deep as types may nest, and then
    /// anew.
    Types,
    /// As many arrays in group-shared memory.
    GroupShared,
    /// A constant array of that many elements.
    ConstantArray,
    /// Metadata nodes, each of the one before twice.
    MetadataDoubling,
    /// Metadata nodes, each of the one before.
    MetadataChain,
    /// As many characters in the entry point's name.
    LongName,
    /// As many declared functions with a name of 40 characters.
    Names,
    /// As many raw buffers, each bound and stored to.
    Resources,
    /// As many handles of one range with computed indices.
    Handles,
    /// As many raw buffers, declared from the last to the first, whose handles name registers.
    Bindings,
    /// A DXBC container.
    Dxbc(DxbcFamily),
}

/// Families of DXIL containers other than those of graphs.
pub const FAMILIES: [Family; 24] = [
    Family::Straight,
    Family::Doubling,
    Family::ConstantTowers,
    Family::Phis,
    Family::WidePhis,
    Family::LoopPhis,
    Family::LongLiveRanges,
    Family::DeadCode,
    Family::Divisions,
    Family::LocalArray,
    Family::CallTree,
    Family::CallChain,
    Family::CallsOfOne,
    Family::TargetTypes,
    Family::Types,
    Family::GroupShared,
    Family::ConstantArray,
    Family::MetadataDoubling,
    Family::MetadataChain,
    Family::LongName,
    Family::Names,
    Family::Resources,
    Family::Handles,
    Family::Bindings,
];

/// Returns all families with a name: those of graphs first, those of DXBC last.
pub fn all_families() -> impl Iterator<Item = Family> {
    let graphs = dxil_translate::oracle::families::GRAPH_FAMILIES;
    let bare = graphs.into_iter().map(Family::Bare);
    let graphs = graphs.into_iter().map(Family::Graph);
    graphs
        .chain(bare)
        .chain(FAMILIES)
        .chain(DXBC_FAMILIES.map(Family::Dxbc))
}

impl Family {
    /// Returns the name of the family.
    pub fn name(self) -> String {
        match self {
            Family::Graph(graph) => format!("{graph:?}"),
            Family::Bare(graph) => format!("Bare{graph:?}"),
            Family::Dxbc(dxbc) => format!("Dxbc{dxbc:?}"),
            other => format!("{other:?}"),
        }
    }
}

/// Returns the member of size `n` of a family: an unsigned compute shader of shader model 6.0, or
/// one of shader model 5; empty if the format cannot hold that many parts.
pub fn container(family: Family, n: u32) -> Vec<u8> {
    let n = n.max(1);
    match family {
        Family::Graph(graph) => control::graph(graph, n),
        Family::Bare(graph) => control::bare(graph, n),
        Family::Straight => values::straight(n),
        Family::Doubling => values::doubling(n),
        Family::ConstantTowers => values::constant_towers(n),
        Family::Phis => values::phis(n),
        Family::WidePhis => values::wide_phis(n),
        Family::LoopPhis => values::loop_phis(n),
        Family::LongLiveRanges => values::long_live_ranges(n),
        Family::DeadCode => values::dead_code(n),
        Family::Divisions => values::divisions(n),
        Family::LocalArray => values::local_array(n),
        Family::CallTree => values::calls(n, 2),
        Family::CallChain => values::calls(n, 1),
        Family::CallsOfOne => values::calls_of_one(n),
        Family::TargetTypes => values::target_types(n),
        Family::Types => declarations::types(n),
        Family::GroupShared => declarations::group_shared(n),
        Family::ConstantArray => declarations::constant_array(n),
        Family::MetadataDoubling => declarations::metadata(n, 2),
        Family::MetadataChain => declarations::metadata(n, 1),
        Family::LongName => declarations::long_name(n),
        Family::Names => declarations::names(n),
        Family::Resources => declarations::resources(n),
        Family::Handles => declarations::handles(n),
        Family::Bindings => declarations::bindings(n),
        Family::Dxbc(family) => dxbc::container(family, n).unwrap_or_default(),
    }
}

/// Returns a DXIL container in another encoding; `None` for DXBC.
pub fn encoded(container: &[u8], encoding: Encoding) -> Option<Vec<u8>> {
    let parts = container::Parts::of(container)?;
    let bitcode = parts.records()?.write_as(encoding);
    parts.with_bitcode(&bitcode)
}
