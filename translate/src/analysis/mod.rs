//! Analyses of all functions of an entry point together: how one of them uses a variable or a
//! record decides how all of them have to treat it.
//!
//! Each file is one analysis, from the functions to plain data that nothing changes afterwards.

pub(crate) mod addresses;
pub(crate) mod array_rows;
pub(crate) mod constant_copies;
pub(crate) mod constant_expressions;
pub(crate) mod float_ranges;
pub(crate) mod group_indices;
mod hit_object_lives;
mod hit_object_uses;
pub(crate) mod hit_objects;
mod hit_status;
pub(crate) mod layout;
pub(crate) mod merged_pointers;
pub(crate) mod node_records;
mod payload;
mod per_vertex_inputs;
pub(crate) mod raw_offsets;
pub(crate) mod ray_queries;
mod reinterpreted_memory;
pub(crate) mod row_accesses;
pub(crate) mod sums;

use dxil_frontend::dxil::{EntryPoint, Shader, ShaderKind, Stage};
use dxil_frontend::ir::{FuncId, FuncView, Module, address_space};
use dxil_frontend::tables::HashMap;

use crate::analysis::array_rows::ArrayRows;
use crate::analysis::constant_copies::ConstantCopies;
use crate::analysis::group_indices::GroupIndices;
use crate::analysis::layout::TypeLayouts;
use crate::analysis::merged_pointers::MergedPointers;
use crate::analysis::node_records::NodeRecords;
use crate::analysis::payload::PayloadVariable;
use crate::analysis::ray_queries::RayQueries;
use crate::analysis::reinterpreted_memory::ReinterpretedMemory;
use crate::analysis::row_accesses::RowAccesses;
use crate::analysis::sums::Sums;
use crate::{Error, InstructionCheck, Options, Quirks, Result};

/// The results of the analyses.
#[derive(Debug)]
pub(crate) struct Analyses {
    /// Number of instructions of the functions.
    pub(crate) instructions: usize,
    /// Whether constants of the module, apart from those of its functions, are computed by code.
    pub(crate) computes_constants: bool,
    /// The memory layout of the IR's types.
    pub(crate) layout: TypeLayouts,
    /// Variables that are read or written as another type than theirs.
    pub(crate) reinterpreted: ReinterpretedMemory,
    /// Pointers that are one of several.
    pub(crate) merged_pointers: MergedPointers,
    /// Indices into groupshared arrays.
    pub(crate) group_indices: GroupIndices,
    /// Group-shared variables that become arrays of vectors.
    pub(crate) array_rows: ArrayRows,
    /// Accesses to these that go together, by function.
    pub(crate) row_accesses: HashMap<FuncId, RowAccesses>,
    /// Local arrays that are copies of constant buffers, by function.
    pub(crate) constant_copies: HashMap<FuncId, ConstantCopies>,
    /// Sums that begin with their last addend, by function.
    pub(crate) sums: HashMap<FuncId, Sums>,
    /// Ray queries.
    pub(crate) ray_queries: RayQueries,
    /// Inputs of a pixel shader that are read vertex by vertex: ids of signature elements.
    pub(crate) per_vertex_inputs: Vec<u32>,
    /// The payload of an amplification shader.
    pub(crate) payload: PayloadVariable,
    /// Records and handles of a node.
    pub(crate) node_records: NodeRecords,
}

/// Analyzes the functions of an entry point.
///
/// # Errors
///
/// `Malformed` for operations of ray queries that cannot be decoded.
pub(crate) fn analyze(
    shader: &Shader,
    entry: &EntryPoint,
    functions: &[FuncId],
    options: &Options,
) -> Result<Analyses> {
    let module = &shader.module;
    let mut views = Vec::with_capacity(functions.len());
    for &id in functions {
        views.push((id, view_of(module, id)?));
    }
    let each = || views.iter().map(|&(_, view)| view);

    let layout = TypeLayouts::of(module);
    let mut reinterpreted = ReinterpretedMemory::default();
    let mut merged_pointers = MergedPointers::default();
    for view in each() {
        reinterpreted.add(view, &layout);
        merged_pointers.add(view, &layout);
    }

    let mut group_indices = GroupIndices::default();
    let has_group_memory = module
        .globals
        .values()
        .any(|global| global.address_space == address_space::GROUP_SHARED);
    if options.checks_group_memory() && has_group_memory {
        for view in each() {
            group_indices.add(shader, entry, view);
        }
    }
    let array_rows = if may_have_array_rows(options) {
        array_rows::find(module, &group_indices, each(), !checks_constants(options))
    } else {
        ArrayRows::default()
    };
    // In a second round: one access of another form in any function keeps a variable as it is.
    let mut row_accesses = HashMap::default();
    if !array_rows.is_empty() {
        for &(id, view) in &views {
            row_accesses.insert(id, row_accesses::find(shader, view, &array_rows));
        }
    }

    let mut constant_copies = HashMap::default();
    if may_read_copied_buffers(options) {
        for &(id, view) in &views {
            let copies = constant_copies::find(shader, view);
            if !copies.is_empty() {
                constant_copies.insert(id, copies);
            }
        }
    }

    let mut sums = HashMap::default();
    if sums::may_reorder(shader, entry, options) {
        for &(id, view) in &views {
            if let Some(found) = sums::find(shader, entry, view, options) {
                sums.insert(id, found);
            }
        }
    }

    // Shader model 6.0 has no `attributeAtVertex`.
    let mut per_vertex_inputs = Vec::new();
    if entry.kind == ShaderKind::Pixel && shader.shader_model.minor > 0 {
        for view in each() {
            per_vertex_inputs::add(&mut per_vertex_inputs, shader, view);
        }
    }

    let mut payload = PayloadVariable::default();
    if entry.kind == ShaderKind::Amplification {
        for view in each() {
            payload.add(shader, view);
        }
    }

    let mut node_records = NodeRecords::default();
    if let Stage::Node(node) = &entry.stage {
        node_records = NodeRecords::of(node);
        for &(id, view) in &views {
            node_records.add(shader, id, view);
        }
    }

    Ok(Analyses {
        instructions: each().map(|view| view.function.insts.len()).sum(),
        computes_constants: constant_expressions::in_module(module),
        layout,
        reinterpreted,
        merged_pointers,
        group_indices,
        array_rows,
        row_accesses,
        constant_copies,
        sums,
        ray_queries: ray_queries::find(shader, each())?,
        per_vertex_inputs,
        payload,
        node_records,
    })
}

fn view_of(module: &Module, id: FuncId) -> Result<FuncView<'_>> {
    let function = module
        .body(id)
        .ok_or_else(|| Error::malformed("the entry point's function has no body"))?;
    Ok(FuncView { module, function })
}

/// Returns whether arrays of scalars may become arrays of vectors: not where each
/// access has to be seen by itself.
fn may_have_array_rows(options: &Options) -> bool {
    // With checks only those whose indices are all proven to be inside.
    let quirks = Quirks::LOCKSTEP_GROUP_MEMORY;
    let checks = options.instrumentation.instructions;
    options.consumer().compact_code
        && !options.workarounds.quirks.intersects(quirks)
        && checks.is_none_or(|checks| checks.check != InstructionCheck::Assumptions)
}

/// Returns whether indices of constant arrays are kept inside, which goes by elements.
fn checks_constants(options: &Options) -> bool {
    let quirks = Quirks::ROBUST_CONSTANT_ARRAYS;
    options.workarounds.quirks.contains(quirks)
}

/// Returns whether loads of local arrays may read the constant buffers that the arrays are copies
/// of: not where each access is checked.
fn may_read_copied_buffers(options: &Options) -> bool {
    let checks = options.instrumentation.instructions;
    options.consumer().compact_code
        && !options
            .workarounds
            .quirks
            .contains(Quirks::ROBUST_LOCAL_ARRAYS)
        && checks.is_none_or(|checks| checks.check != InstructionCheck::Assumptions)
}
