//! Ray queries, ray tracing stages and hit objects: the data, without the code that works on it.

use dxil_frontend::ir::{FuncId, TypeId, ValueId};
use dxil_frontend::tables::HashMap;

use crate::analysis::hit_objects::Assignment;
use crate::lower::memory::state::PointerId;
use crate::spirv::{Id, Op as SpirvOp, StorageClass};

/// The memory of a hit object, or of an array of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct HitObjectPlace {
    pub(super) object: Id,
    /// Whether the object has a record in a shader table, if it may have none.
    pub(super) has_record: Option<Id>,
}

/// A hit to be recorded.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordedHit {
    /// Instance, geometry, primitive, kind of hit, and record or offset and factor.
    pub(super) words: [Id; 6],
    /// Whether it has the record itself.
    pub(super) has_record: bool,
    /// Variable of the attributes.
    pub(super) attributes: Id,
}

/// Hit objects of the module that is being built.
#[derive(Debug, Default)]
pub(in crate::lower) struct HitObjects {
    /// The function that `assigned` belongs to.
    pub(super) function: Option<FuncId>,
    pub(super) assigned: Assignment,
    /// Variables of that function.
    pub(super) variables: Vec<Option<HitObjectPlace>>,
    /// Arrays of that function, by number.
    pub(super) arrays: HashMap<u32, HitObjectPlace>,
    /// Objects in arrays, by the value that names each of them.
    pub(super) slots: HashMap<ValueId, HitObjectPlace>,
    /// The hit that the next operation records instead of tracing a ray.
    pub(super) recorded: Option<RecordedHit>,
    /// The slot in which the next operation makes its object.
    pub(super) next: Option<HitObjectPlace>,
    /// Variables for attributes, by type.
    pub(super) attributes: HashMap<Id, Id>,
    /// Whether some operation lets the device regroup invocations.
    pub(super) reorders: bool,
}

/// Ray queries of the module that is being built.
#[derive(Debug, Default)]
pub(in crate::lower) struct RayQueryState {
    /// The variables of queries, by the query's number; made on first use.
    pub(super) variables: HashMap<usize, Id>,
    /// The array of all queries, if their handles pass through phis, memory or arguments.
    pub(super) array: Option<Id>,
    /// Properties that were loaded in the current block since a query last changed. DXIL has one
    /// operation per component, so without this memo a vector would be loaded several times.
    pub(super) known: HashMap<QueryProperty, Id>,
    /// Label of the block that `known` belongs to.
    pub(super) known_in: Id,
    /// Whether the current operation has to test first whether there is a hit.
    pub(super) checks_for_hit: bool,
}

/// The intersection of a query that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::lower) enum Intersection {
    /// The one that the traversal has found.
    Candidate = 0,
    /// The closest one so far.
    Committed = 1,
}

/// A property of a query: the query's pointer, the instruction, the intersection.
type QueryProperty = (Id, SpirvOp, Option<Intersection>);

/// Ray tracing in the module that is being built.
#[derive(Debug, Default)]
pub(in crate::lower) struct Rays {
    /// Ray query objects.
    pub(in crate::lower) queries: RayQueryState,
    /// Payloads and attributes of ray tracing stages.
    pub(in crate::lower) stages: RayTracing,
    /// Hit objects.
    pub(in crate::lower) hit_objects: HitObjects,
}

/// Payloads, attributes and callable data of the module that is being built.
#[derive(Debug, Default)]
pub(in crate::lower) struct RayTracing {
    /// The entry point's function, whose parameters are variables in SPIR-V.
    pub(super) main: Option<FuncId>,
    /// Parameters that work on copies: the copy, its type, and the variable that it is copied from
    /// and back to.
    pub(super) copies: Vec<(PointerId, TypeId, Id)>,
    /// Variables for data that is sent to other shaders: storage class, type, variable.
    pub(super) sent: Vec<(StorageClass, Id, Id)>,
    /// Type and variable of the attributes that an intersection shader reports.
    pub(super) reported: Option<(Id, Id)>,
}
