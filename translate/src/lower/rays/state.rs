//! Ray queries, ray tracing stages and hit objects: the data, without the code that works on it.

use dxil_frontend::ir::{FuncId, InstId, TypeId, ValueId};
use rustc_hash::FxHashMap;

use crate::lower::memory::state::PointerId;
use crate::spirv::{Id, Op as SpirvOp, StorageClass};

/// What one variable is for.
#[derive(Debug, Clone, Default)]
pub(in crate::lower) struct Shared {
    /// Some value comes from a ray query, and has no record in a shader table at first.
    pub(in crate::lower) from_query: bool,
}

/// The variables of a function's hit objects.
#[derive(Debug, Default)]
pub(in crate::lower) struct Assignment {
    /// Variable of each value.
    pub(in crate::lower) of: FxHashMap<ValueId, usize>,
    /// The variables.
    pub(in crate::lower) variables: Vec<Shared>,
}

/// Hit objects of the module under construction.
#[derive(Debug, Default)]
pub(in crate::lower) struct HitObjects {
    /// The function that `assigned` is of.
    pub(super) function: Option<FuncId>,
    pub(super) assigned: Assignment,
    /// Variables of that function: the object, and whether it has a record in a shader table.
    pub(super) variables: Vec<(Option<Id>, Option<Id>)>,
    /// Variables for attributes, by type.
    pub(super) attributes: Vec<(Id, Id)>,
    /// Some operation lets the device regroup invocations.
    pub(super) reorders: bool,
}

/// The ray queries of a module.
#[derive(Debug, Default)]
pub(in crate::lower) struct RayQueries {
    pub(super) allocations: Vec<Allocation>,
    /// Operations whose query is no allocation of their own function.
    pub(super) travels: bool,
    /// The array of all queries, where they are in one.
    pub(super) array: Option<Id>,
    /// Some query may meet opacity micromaps.
    pub(super) micromaps: bool,
    /// What was asked for in the block under construction since a query was last changed:
    /// DXIL asks for each element by itself.
    pub(super) known: Vec<(State, Id)>,
    /// That block's label.
    pub(super) known_in: Id,
    /// Accessors of hits that have to ask first whether there is one.
    pub(super) unasked: Vec<(FuncId, InstId)>,
    /// Whether the operation being written is one.
    pub(super) asks_first: bool,
}

/// An `AllocateRayQuery`.
#[derive(Debug)]
pub(super) struct Allocation {
    pub(super) function: FuncId,
    pub(super) result: ValueId,
    pub(super) flags: u32,
    pub(super) variable: Option<Id>,
}

/// Which intersection of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Intersection {
    /// The one that the traversal has found.
    Candidate = 0,
    /// The closest one so far.
    Committed = 1,
}

/// What is asked of a query: its pointer, the instruction, the intersection.
pub(super) type State = (Id, SpirvOp, Option<Intersection>);

/// What the module has of ray tracing.
#[derive(Debug, Default)]
pub(in crate::lower) struct Rays {
    /// Ray query objects.
    pub(in crate::lower) queries: RayQueries,
    /// Payloads and attributes of ray tracing stages.
    pub(in crate::lower) stages: RayTracing,
    /// Hit objects.
    pub(in crate::lower) hit_objects: HitObjects,
}

/// Payloads, attributes and callable data of the module under construction.
#[derive(Debug, Default)]
pub(in crate::lower) struct RayTracing {
    /// The entry point's function, whose parameters are variables here.
    pub(super) main: Option<FuncId>,
    /// Parameters that are copies, with the variables that they came from and go back to.
    pub(super) copies: Vec<(PointerId, TypeId, Id)>,
    /// Variables that are sent along: storage class, type, variable.
    pub(super) sent: Vec<(StorageClass, Id, Id)>,
    /// Type and variable of the attributes that an intersection shader reports.
    pub(super) reported: Option<(Id, Id)>,
}
