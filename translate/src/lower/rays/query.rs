//! Inline ray tracing: ray query objects and their operations (DirectX Raytracing, "RayQuery";
//! `SPV_KHR_ray_query`).
//!
//! DXIL names a query by the integer that its allocation gives. Here that integer is the allocation's
//! number. Where every operation takes the result of an allocation itself, each query is a variable of its
//! function; where handles travel through phis, memory or arguments, all queries of the module are one
//! private array, which the number indexes.
//!
//! Flags, kinds of candidates and the committed status are the same numbers in D3D and in SPIR-V.

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{Op, Opcode, Role, calls, decode, decode_opcode, op_arguments};
use dxil_frontend::ir::{FuncId, FuncView, Function, InstId, ValueId};

use super::query_hits;
use crate::lower::Lowering;
use crate::lower::context::{Call, Value};
use crate::options::Features;
use crate::spirv::{Capability, Id, Op as SpirvOp, StorageClass};
use crate::{Error, Result};

/// `RAY_FLAG_SKIP_TRIANGLES` and `RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES`.
const SKIP_FLAGS: u32 = 0x300;
/// `RAY_FLAG_FORCE_OMM_2_STATE`.
const FORCE_2_STATE: u32 = 0x400;
/// `RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS`.
const ALLOW_MICROMAPS: u32 = 1;

/// The ray queries of a module.
#[derive(Debug, Default)]
pub(in crate::lower) struct RayQueries {
    allocations: Vec<Allocation>,
    /// Operations whose query is no allocation of their own function.
    travels: bool,
    /// The array of all queries, where they are in one.
    array: Option<Id>,
    /// Some query may meet opacity micromaps.
    micromaps: bool,
    /// What was asked for in the block under construction since a query was last changed:
    /// DXIL asks for each element by itself.
    known: Vec<(State, Id)>,
    /// That block's label.
    known_in: Id,
    /// Accessors of hits that have to ask first whether there is one.
    unasked: Vec<(FuncId, InstId)>,
    /// Whether the operation being written is one.
    asks_first: bool,
}

/// An `AllocateRayQuery`.
#[derive(Debug)]
struct Allocation {
    function: FuncId,
    result: ValueId,
    flags: u32,
    variable: Option<Id>,
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
type State = (Id, SpirvOp, Option<Intersection>);

impl RayQueries {
    /// Numbers the allocations of the functions, and sees whether handles travel.
    fn find<'a>(
        &mut self,
        shader: &Shader,
        functions: impl Iterator<Item = &'a Function>,
    ) -> Result<()> {
        let module = &shader.module;
        let allocates = |name: &str| name.starts_with("dx.op.allocateRayQuery");
        if !module.functions.values().any(|f| allocates(&f.name)) {
            return Ok(());
        }
        let mut uses = Vec::new();
        for function in functions {
            let view = FuncView { module, function };
            let unasked = query_hits::unasked(shader, view)?;
            let unasked = unasked.into_iter().map(|inst| (function.id, inst));
            self.unasked.extend(unasked);
            for data in function.insts.values() {
                let Some(args) = op_arguments(view, &shader.callees, &data.inst) else {
                    continue;
                };
                let opcode = decode_opcode(view, args)?;
                if let Opcode::AllocateRayQuery | Opcode::AllocateRayQuery2 = opcode {
                    let flags = match decode(view, args)? {
                        Op::AllocateRayQuery(op) => op.ray_flags,
                        Op::AllocateRayQuery2(op) => {
                            self.micromaps |= op.query_flags & ALLOW_MICROMAPS != 0;
                            op.ray_flags
                        }
                        _ => 0,
                    };
                    if let Some(result) = data.result.expand() {
                        self.allocations.push(Allocation {
                            function: function.id,
                            result,
                            flags,
                            variable: None,
                        });
                    }
                    continue;
                }
                let operands = opcode.properties().operands;
                for (operand, &value) in operands.iter().zip(args.iter().skip(1)) {
                    if operand.role == Role::RayQuery {
                        uses.push((function.id, value));
                    }
                }
            }
        }
        self.travels = uses
            .iter()
            .any(|&(function, value)| self.allocation(function, value).is_none());
        Ok(())
    }

    /// Whether there are any.
    pub(in crate::lower) fn exist(&self) -> bool {
        !self.allocations.is_empty()
    }

    /// Whether one of them asks for opacity micromaps.
    pub(in crate::lower) fn ask_for_micromaps(&self) -> bool {
        self.micromaps
    }

    /// The allocation that a handle must be, if the operation shows it.
    fn allocation(&self, function: FuncId, value: ValueId) -> Option<usize> {
        match self.allocations.as_slice() {
            // Whatever the handle has been through, there is one query only.
            [only] if only.function == function => Some(0),
            all => all
                .iter()
                .position(|one| one.function == function && one.result == value),
        }
    }
}

impl Lowering<'_> {
    /// Finds all ray queries of the functions that will be written.
    pub(in crate::lower) fn find_ray_queries<'a>(
        &mut self,
        functions: impl Iterator<Item = &'a Function>,
    ) -> Result<()> {
        self.ray_queries.find(self.shader, functions)
    }

    /// `AllocateRayQuery` and `AllocateRayQuery2`: the query's number.
    pub(in crate::lower) fn allocate_ray_query(
        &mut self,
        call: &Call,
        query_flags: u32,
    ) -> Result<Value> {
        if query_flags & ALLOW_MICROMAPS != 0 {
            self.need_micromaps("a ray query with RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS")?;
        }
        let function = self.view.function.id;
        let number = call
            .result
            .and_then(|result| {
                let all = self.ray_queries.allocations.iter();
                let mut numbered = all.enumerate();
                numbered.find(|(_, one)| one.function == function && one.result == result)
            })
            .map_or(0, |(number, _)| number);
        Ok(Value::Id(self.b.const_u32(number as u32)))
    }

    /// Pointer to the query that a handle names.
    pub(in crate::lower) fn ray_query(&mut self, query: ValueId) -> Result<Id> {
        self.need_feature(Features::RAY_QUERY, "rayQuery", || "a ray query".to_owned())?;
        self.b.capability(Capability::RayQueryKHR);
        self.b.extension("SPV_KHR_ray_query");
        let count = self.ray_queries.allocations.len();
        if count == 0 {
            return Err(Error::malformed("a ray query that nobody allocates"));
        }
        let query_ty = self.b.ray_query();
        if !self.ray_queries.travels {
            let function = self.view.function.id;
            let place = self
                .ray_queries
                .allocation(function, query)
                .ok_or_else(|| Error::internal("a ray query that was not found"))?;
            if let Some(variable) = self.ray_queries.allocations[place].variable {
                return Ok(variable);
            }
            let pointer = self.b.pointer(StorageClass::Function, query_ty);
            let variable = self.b.local_variable(pointer, None);
            self.ray_queries.allocations[place].variable = Some(variable);
            return Ok(variable);
        }
        let array = match self.ray_queries.array {
            Some(array) => array,
            None => {
                let array_ty = self.b.array(query_ty, count as u32);
                let pointer = self.b.pointer(StorageClass::Private, array_ty);
                let array = self.b.global_variable(StorageClass::Private, pointer, None);
                self.ray_queries.array = Some(array);
                array
            }
        };
        let number = self.id(query)?;
        if self.b.literal(number).is_some_and(|n| n as usize >= count) {
            return Err(Error::malformed("a ray query that nobody allocates"));
        }
        let pointer = self.b.pointer(StorageClass::Private, query_ty);
        Ok(self.b.access_chain(pointer, array, &[number]))
    }

    /// `RayQuery::TraceRayInline`.
    pub(in crate::lower) fn trace_ray_inline(
        &mut self,
        op: &calls::RayQueryTraceRayInline,
    ) -> Result<Value> {
        let query = self.ray_query(op.query)?;
        let flags = self.traced_flags(op)?;
        let structure = self.acceleration_structure(op.acceleration_structure)?;
        let [mask, t_min, t_max] = self.ids([op.instance_mask, op.t_min, op.t_max])?;
        let [origin, direction] = [op.origin, op.direction].map(|values| self.ids(values));
        let float = self.b.f32();
        let vector = self.b.vector(float, 3);
        let origin = self.b.construct(vector, &origin?);
        let direction = self.b.construct(vector, &direction?);
        self.ray_queries.known.clear();
        self.b.emit_void(
            SpirvOp::RayQueryInitializeKHR,
            &[
                query, structure, flags, mask, origin, t_min, direction, t_max,
            ],
        );
        Ok(Value::Unset)
    }

    /// The flags of the query's type and of the call together.
    fn traced_flags(&mut self, op: &calls::RayQueryTraceRayInline) -> Result<Id> {
        let dynamic = self.id(op.ray_flags)?;
        let function = self.view.function.id;
        let queries = &self.ray_queries;
        let all = || queries.allocations.iter().map(|one| one.flags);
        let first = all().next().unwrap_or(0);
        let known = match queries.allocation(function, op.query) {
            Some(place) => queries.allocations.get(place).map(|one| one.flags),
            None => Some(first).filter(|&first| all().all(|flags| flags == first)),
        };
        let any = all().fold(0, |any, flags| any | flags);
        let flags = match (known, self.b.literal(dynamic)) {
            (Some(own), Some(dynamic)) => {
                let mut flags = own | dynamic;
                // Without micromaps it asks for nothing.
                if !self.queries_meet_micromaps() {
                    flags &= !FORCE_2_STATE;
                }
                self.b.const_u32(flags)
            }
            (Some(0), None) => dynamic,
            _ => {
                let own = match known {
                    Some(flags) => self.b.const_u32(flags),
                    None => self.flags_of_number(op.query)?,
                };
                let word = self.b.u32();
                self.b.emit(SpirvOp::BitwiseOr, word, &[own, dynamic])
            }
        };
        let said = self.b.literal(flags);
        if said.unwrap_or(known.unwrap_or(any)) & SKIP_FLAGS != 0 {
            self.need_feature(
                Features::RAY_PRIMITIVE_CULLING,
                "rayTraversalPrimitiveCulling",
                || "RAY_FLAG_SKIP_TRIANGLES or RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES".to_owned(),
            )?;
        }
        // What the flags will be is not known: whatever the device can do is allowed.
        if said.is_none_or(|flags| flags & SKIP_FLAGS != 0)
            && self.has(Features::RAY_PRIMITIVE_CULLING)
        {
            self.b
                .capability(Capability::RayTraversalPrimitiveCullingKHR);
        }
        let micromaps =
            self.ray_queries.micromaps || said.is_none_or(|flags| flags & FORCE_2_STATE != 0);
        if micromaps && self.queries_meet_micromaps() {
            self.declare_micromaps();
        }
        Ok(flags)
    }

    /// The flags of the query that a number names, where they differ.
    fn flags_of_number(&mut self, query: ValueId) -> Result<Id> {
        let number = self.id(query)?;
        let word = self.b.u32();
        let bool_ty = self.b.bool();
        let all: Vec<u32> = self
            .ray_queries
            .allocations
            .iter()
            .map(|one| one.flags)
            .collect();
        let mut chosen = self.b.const_u32(all.first().copied().unwrap_or(0));
        for (one, flags) in all.into_iter().enumerate().skip(1) {
            let one = self.b.const_u32(one as u32);
            let is_one = self.b.emit(SpirvOp::IEqual, bool_ty, &[number, one]);
            let flags = self.b.const_u32(flags);
            chosen = self.b.select(word, is_one, flags, chosen);
        }
        Ok(chosen)
    }

    /// An operation on a query that gives nothing back.
    pub(in crate::lower) fn ray_query_step(
        &mut self,
        query: ValueId,
        step: SpirvOp,
        operand: Option<ValueId>,
    ) -> Result<Value> {
        let mut words = vec![self.ray_query(query)?];
        if let Some(operand) = operand {
            words.push(self.id(operand)?);
        }
        self.ray_queries.known.clear();
        self.b.emit_void(step, &words);
        Ok(Value::Unset)
    }

    /// A scalar of a query, or of one of its intersections.
    pub(in crate::lower) fn ray_query_scalar(
        &mut self,
        call: &Call,
        query: ValueId,
        state: SpirvOp,
        of: Option<Intersection>,
    ) -> Result<Value> {
        let ty = self.ty(call.ty)?;
        Ok(Value::Id(self.ray_query_state(ty, query, state, of)?))
    }

    /// `RayQuery::CandidateProceduralPrimitiveNonOpaque`: SPIR-V asks the other way round.
    pub(in crate::lower) fn candidate_is_not_opaque(&mut self, query: ValueId) -> Result<Value> {
        let bool_ty = self.b.bool();
        let state = SpirvOp::RayQueryGetIntersectionCandidateAABBOpaqueKHR;
        let opaque = self.ray_query_state(bool_ty, query, state, None)?;
        Ok(Value::Id(self.b.emit(
            SpirvOp::LogicalNot,
            bool_ty,
            &[opaque],
        )))
    }

    /// A component of a vector of `count`.
    pub(in crate::lower) fn ray_query_component(
        &mut self,
        query: ValueId,
        state: SpirvOp,
        of: Option<Intersection>,
        (count, component): (u32, u8),
    ) -> Result<Value> {
        let component = u32::from(component);
        if component >= count {
            return Err(Error::malformed(format!(
                "component {component} of a vector of {count}"
            )));
        }
        let float = self.b.f32();
        let vector = self.b.vector(float, count);
        let value = self.ray_query_state(vector, query, state, of)?;
        Ok(Value::Id(self.b.extract(float, value, component)))
    }

    /// An element of a matrix of three rows and four columns.
    pub(in crate::lower) fn ray_query_element(
        &mut self,
        query: ValueId,
        state: SpirvOp,
        of: Intersection,
        (row, column): (u32, u8),
    ) -> Result<Value> {
        let column = u32::from(column);
        if row >= 3 || column >= 4 {
            return Err(Error::malformed(format!(
                "row {row}, column {column} of a matrix of 3 rows and 4 columns"
            )));
        }
        let float = self.b.f32();
        let vector = self.b.vector(float, 3);
        let matrix = self.b.matrix(vector, 4);
        let value = self.ray_query_state(matrix, query, state, Some(of))?;
        let column = self.b.extract(vector, value, column);
        Ok(Value::Id(self.b.extract(float, column, row)))
    }

    fn ray_query_state(
        &mut self,
        ty: Id,
        query: ValueId,
        state: SpirvOp,
        of: Option<Intersection>,
    ) -> Result<Id> {
        let query = self.ray_query(query)?;
        if self.ray_queries.known_in != self.place.label || state == SpirvOp::RayQueryProceedKHR {
            self.ray_queries.known.clear();
            self.ray_queries.known_in = self.place.label;
        }
        let asked = (query, state, of);
        let known = &self.ray_queries.known;
        if let Some(&(_, id)) = known.iter().find(|(other, _)| *other == asked) {
            return Ok(id);
        }
        let id = match of {
            Some(of) if self.ray_queries.asks_first => self.state_of_hit(ty, query, state, of),
            Some(of) => {
                let of = self.b.const_u32(of as u32);
                self.b.emit(state, ty, &[query, of])
            }
            None => self.b.emit(state, ty, &[query]),
        };
        if state != SpirvOp::RayQueryProceedKHR {
            self.ray_queries.known.push((asked, id));
        }
        Ok(id)
    }

    /// What a query says of its hit if it has one; otherwise zero.
    fn state_of_hit(&mut self, ty: Id, query: Id, state: SpirvOp, of: Intersection) -> Id {
        let (word, bool_ty) = (self.b.u32(), self.b.bool());
        let [of, nothing] = [of as u32, 0].map(|number| self.b.const_u32(number));
        let kind = SpirvOp::RayQueryGetIntersectionTypeKHR;
        let kind = self.b.emit(kind, word, &[query, of]);
        let there = self.b.emit(SpirvOp::INotEqual, bool_ty, &[kind, nothing]);
        let zero = self.b.const_null(ty);
        let part = self.begin_if(there);
        let value = self.b.emit(state, ty, &[query, of]);
        let id = self.end_if_with(part, ty, value, zero);
        // What was known before still is.
        self.ray_queries.known_in = self.place.label;
        id
    }
}

/// Lowers an operation on a ray query.
pub(in crate::lower) fn ray_query_op(l: &mut Lowering<'_>, call: &Call, op: &Op) -> Result<Value> {
    use Intersection::{Candidate, Committed};
    use SpirvOp as S;
    let here = (l.view.function.id, call.inst);
    l.ray_queries.asks_first = l.ray_queries.unasked.contains(&here);
    match op {
        Op::AllocateRayQuery(_) => l.allocate_ray_query(call, 0),
        Op::AllocateRayQuery2(op) => l.allocate_ray_query(call, op.query_flags),
        Op::RayQueryTraceRayInline(op) => l.trace_ray_inline(op),
        Op::RayQueryProceed(op) => l.ray_query_scalar(call, op.query, S::RayQueryProceedKHR, None),
        Op::RayQueryAbort(op) => l.ray_query_step(op.query, S::RayQueryTerminateKHR, None),
        Op::RayQueryCommitNonOpaqueTriangleHit(op) => {
            l.ray_query_step(op.query, S::RayQueryConfirmIntersectionKHR, None)
        }
        Op::RayQueryCommitProceduralPrimitiveHit(op) => {
            l.ray_query_step(op.query, S::RayQueryGenerateIntersectionKHR, Some(op.t))
        }
        // What the query was asked.
        Op::RayQueryRayFlags(op) => {
            l.ray_query_scalar(call, op.query, S::RayQueryGetRayFlagsKHR, None)
        }
        Op::RayQueryRayTMin(op) => {
            l.ray_query_scalar(call, op.query, S::RayQueryGetRayTMinKHR, None)
        }
        Op::RayQueryWorldRayOrigin(op) => {
            let at = (3, op.component);
            l.ray_query_component(op.query, S::RayQueryGetWorldRayOriginKHR, None, at)
        }
        Op::RayQueryWorldRayDirection(op) => {
            let at = (3, op.component);
            l.ray_query_component(op.query, S::RayQueryGetWorldRayDirectionKHR, None, at)
        }
        // Kinds of intersections.
        Op::RayQueryCandidateType(op) => {
            let state = S::RayQueryGetIntersectionTypeKHR;
            l.ray_query_scalar(call, op.query, state, Some(Candidate))
        }
        Op::RayQueryCommittedStatus(op) => {
            let state = S::RayQueryGetIntersectionTypeKHR;
            l.ray_query_scalar(call, op.query, state, Some(Committed))
        }
        Op::RayQueryCandidateProceduralPrimitiveNonOpaque(op) => {
            l.candidate_is_not_opaque(op.query)
        }
        // Triangles.
        Op::RayQueryCandidateTriangleFrontFace(op) => {
            let state = S::RayQueryGetIntersectionFrontFaceKHR;
            l.ray_query_scalar(call, op.query, state, Some(Candidate))
        }
        Op::RayQueryCommittedTriangleFrontFace(op) => {
            let state = S::RayQueryGetIntersectionFrontFaceKHR;
            l.ray_query_scalar(call, op.query, state, Some(Committed))
        }
        Op::RayQueryCandidateTriangleBarycentrics(op) => {
            let (state, at) = (S::RayQueryGetIntersectionBarycentricsKHR, (2, op.component));
            l.ray_query_component(op.query, state, Some(Candidate), at)
        }
        Op::RayQueryCommittedTriangleBarycentrics(op) => {
            let (state, at) = (S::RayQueryGetIntersectionBarycentricsKHR, (2, op.component));
            l.ray_query_component(op.query, state, Some(Committed), at)
        }
        Op::RayQueryCandidateTriangleRayT(op) => {
            let state = S::RayQueryGetIntersectionTKHR;
            l.ray_query_scalar(call, op.query, state, Some(Candidate))
        }
        Op::RayQueryCommittedRayT(op) => {
            let state = S::RayQueryGetIntersectionTKHR;
            l.ray_query_scalar(call, op.query, state, Some(Committed))
        }
        // What was hit.
        Op::RayQueryCandidateInstanceIndex(op) => {
            let state = S::RayQueryGetIntersectionInstanceIdKHR;
            l.ray_query_scalar(call, op.query, state, Some(Candidate))
        }
        Op::RayQueryCommittedInstanceIndex(op) => {
            let state = S::RayQueryGetIntersectionInstanceIdKHR;
            l.ray_query_scalar(call, op.query, state, Some(Committed))
        }
        Op::RayQueryCandidateInstanceID(op) => {
            let state = S::RayQueryGetIntersectionInstanceCustomIndexKHR;
            l.ray_query_scalar(call, op.query, state, Some(Candidate))
        }
        Op::RayQueryCommittedInstanceID(op) => {
            let state = S::RayQueryGetIntersectionInstanceCustomIndexKHR;
            l.ray_query_scalar(call, op.query, state, Some(Committed))
        }
        Op::RayQueryCandidateInstanceContributionToHitGroupIndex(op) => {
            let state = S::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR;
            l.ray_query_scalar(call, op.query, state, Some(Candidate))
        }
        Op::RayQueryCommittedInstanceContributionToHitGroupIndex(op) => {
            let state = S::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR;
            l.ray_query_scalar(call, op.query, state, Some(Committed))
        }
        Op::RayQueryCandidateGeometryIndex(op) => {
            let state = S::RayQueryGetIntersectionGeometryIndexKHR;
            l.ray_query_scalar(call, op.query, state, Some(Candidate))
        }
        Op::RayQueryCommittedGeometryIndex(op) => {
            let state = S::RayQueryGetIntersectionGeometryIndexKHR;
            l.ray_query_scalar(call, op.query, state, Some(Committed))
        }
        Op::RayQueryCandidatePrimitiveIndex(op) => {
            let state = S::RayQueryGetIntersectionPrimitiveIndexKHR;
            l.ray_query_scalar(call, op.query, state, Some(Candidate))
        }
        Op::RayQueryCommittedPrimitiveIndex(op) => {
            let state = S::RayQueryGetIntersectionPrimitiveIndexKHR;
            l.ray_query_scalar(call, op.query, state, Some(Committed))
        }
        // The ray and the instance in each other's space.
        Op::RayQueryCandidateObjectRayOrigin(op) => {
            let (state, at) = (
                S::RayQueryGetIntersectionObjectRayOriginKHR,
                (3, op.component),
            );
            l.ray_query_component(op.query, state, Some(Candidate), at)
        }
        Op::RayQueryCommittedObjectRayOrigin(op) => {
            let (state, at) = (
                S::RayQueryGetIntersectionObjectRayOriginKHR,
                (3, op.component),
            );
            l.ray_query_component(op.query, state, Some(Committed), at)
        }
        Op::RayQueryCandidateObjectRayDirection(op) => {
            let state = S::RayQueryGetIntersectionObjectRayDirectionKHR;
            l.ray_query_component(op.query, state, Some(Candidate), (3, op.component))
        }
        Op::RayQueryCommittedObjectRayDirection(op) => {
            let state = S::RayQueryGetIntersectionObjectRayDirectionKHR;
            l.ray_query_component(op.query, state, Some(Committed), (3, op.component))
        }
        Op::RayQueryCandidateObjectToWorld3x4(op) => {
            let (state, at) = (
                S::RayQueryGetIntersectionObjectToWorldKHR,
                (op.row, op.column),
            );
            l.ray_query_element(op.query, state, Candidate, at)
        }
        Op::RayQueryCommittedObjectToWorld3x4(op) => {
            let (state, at) = (
                S::RayQueryGetIntersectionObjectToWorldKHR,
                (op.row, op.column),
            );
            l.ray_query_element(op.query, state, Committed, at)
        }
        Op::RayQueryCandidateWorldToObject3x4(op) => {
            let (state, at) = (
                S::RayQueryGetIntersectionWorldToObjectKHR,
                (op.row, op.column),
            );
            l.ray_query_element(op.query, state, Candidate, at)
        }
        Op::RayQueryCommittedWorldToObject3x4(op) => {
            let (state, at) = (
                S::RayQueryGetIntersectionWorldToObjectKHR,
                (op.row, op.column),
            );
            l.ray_query_element(op.query, state, Committed, at)
        }
        other => Err(Error::internal(format!(
            "{} is no operation on ray queries",
            other.opcode().name()
        ))),
    }
}
