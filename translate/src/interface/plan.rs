//! Scans the shader once, before anything is emitted: which resources it uses, how, and which
//! resource each handle refers to.
//!
//! A handle is an SSA value that may pass through `annotateHandle`, phis and selects. Each handle
//! value belongs to exactly one [`View`]; what remains at run time is an index into the view's
//! descriptors. So the lowering knows the variable from the plan and a handle's SPIR-V value is
//! that index, a plain 32-bit integer, for which phis and selects need nothing special.
//!
//! A handle that is one of several differently declared resources has several views to choose from.
//! In a function with such handles the integers that flow into them name the view too
//! ([`FunctionPlan::tag`]), and each use branches on that.

use cranelift_entity::SecondaryMap;
use dxil_frontend::dxil::ops::{
    Callee, HandleOperand, Op, OpFlags, Opcode, ResourceProperties, decode_known, decode_opcode,
};
use dxil_frontend::dxil::{
    Resource, ResourceClass, ResourceIndex, Shader, ShaderFlags, plain_name,
};
use dxil_frontend::ir::{
    CallGraph, FuncId, FuncView, Function, Inst, InstId, Type, TypeId, ValueId,
};
use dxil_frontend::tables::HashMap;

use super::access::{HandleAccess, access_of, barrier_of, is_planned};
use super::bindings::{self, BindingTable};
use super::handle_table::{HandlePlan, HandleTable};
use super::resource_calls::{ResourceCall, ResourceCalls, ScannedFunction};
use super::view::{DescriptorOrigin, ScalarCounts, Usage, View, ViewId};
use crate::interface::sources;
use crate::interface::sources::{HandleCreation, LibIndex, Root};
use crate::pseudo::{PseudoCall, PseudoOp};
use crate::{
    BindingMap, DescriptorSlot, Error, ErrorKind, FeedbackTexel, Location, Options, Quirks, Result,
};

/// Maximum number of views that a handle's integer can name. It keeps 20 bits for the index, enough
/// for the 1,000,000 descriptors that a heap has on every device of D3D12 (Resource Binding
/// specification, "Levels of Hardware Support"; on tier 3 an application may try more).
pub(crate) const MAX_CHOICES: u32 = 1 << (32 - CHOICE_SHIFT);

/// First bit of the view in a handle's integer, where it names one.
pub(crate) const CHOICE_SHIFT: u32 = 20;

/// Operations that depend on which threads form a quad.
const QUAD_OPS: OpFlags = OpFlags::GRADIENT.union(OpFlags::QUAD);

/// The results of scanning the shader for resources.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    /// Resources in use.
    pub(crate) views: Vec<View>,
    /// Functions to translate, the entry point first.
    functions: Vec<FunctionPlan>,
    /// Index of a function in `functions`.
    indices: SecondaryMap<FuncId, Option<u32>>,
    /// Slots that several views are in. Sorted.
    shared_slots: Vec<DescriptorSlot>,
    /// Descriptors in use and the push-constant size.
    pub(crate) table: BindingTable,
    /// Barriers that wait for the thread group order UAV memory, whatever their flags are.
    pub(crate) orders_uavs: bool,
    /// Lanes may be discarded.
    pub(crate) discards: bool,
    /// There are cross-lane operations: waves, quads, derivatives.
    pub(crate) lanes: bool,
    /// There are operations of quads: derivatives, implicit levels of detail, reads of neighbours.
    pub(crate) quads: bool,
}

/// Facts about one function.
#[derive(Debug, Clone)]
pub(crate) struct FunctionPlan {
    first_value: u32,
    /// Bit per member that is taken from an aggregate value; by function-local value.
    used: Vec<u8>,
    handles: HandleTable,
    /// The indices that calls of `createHandleForLib` hide in addresses.
    lib_indices: HashMap<ValueId, LibIndex>,
    /// Views of the handles that are one of several.
    choices: HashMap<ValueId, Box<[ViewId]>>,
    /// Created handles that flow into one of several.
    tags: HashMap<ValueId, ViewId>,
    /// Loads and addresses of the global variables that represent a library's resources: they only
    /// name a resource. Sorted.
    names: Vec<ValueId>,
    /// Calls of resource operations.
    calls: ResourceCalls,
}

impl Plan {
    /// Returns the view with that id.
    pub(crate) fn view(&self, id: ViewId) -> Result<&View> {
        self.views
            .get(id.0 as usize)
            .ok_or_else(|| Error::internal(format!("no view {}", id.0)))
    }

    /// Returns the plan of a function.
    pub(crate) fn function(&self, id: FuncId) -> Option<&FunctionPlan> {
        let index = self.indices[id]?;
        self.functions.get(index as usize)
    }

    /// Returns whether several views are in the slot.
    pub(crate) fn is_shared(&self, slot: DescriptorSlot) -> bool {
        self.shared_slots.binary_search(&slot).is_ok()
    }
}

impl FunctionPlan {
    /// Returns the bit per member of an aggregate that is ever taken; all ones where the whole is
    /// used.
    pub(crate) fn used_members(&self, value: ValueId) -> u8 {
        let local = value.as_u32().wrapping_sub(self.first_value) as usize;
        self.used.get(local).copied().unwrap_or(0)
    }

    /// Returns whether the value only names a resource and needs no code.
    pub(crate) fn is_resource_name(&self, value: ValueId) -> bool {
        !self.names.is_empty() && self.names.binary_search(&value).is_ok()
    }

    /// Returns whether any handle is one of several differently declared resources.
    pub(crate) fn has_choices(&self) -> bool {
        !self.choices.is_empty()
    }

    /// Returns the views that a handle may be one of, where there are several.
    pub(crate) fn choices(&self, value: ValueId) -> Option<&[ViewId]> {
        self.choices.get(&value).map(|views| &**views)
    }

    /// Returns the view that a created handle's integer has to name.
    pub(crate) fn tag(&self, value: ValueId) -> Option<ViewId> {
        self.tags.get(&value).copied()
    }

    /// Returns the index of a handle that `createHandleForLib` gives; empty for a single resource.
    pub(crate) fn lib_index(&self, value: ValueId) -> &[(ValueId, u32)] {
        self.lib_indices.get(&value).map_or(&[], |index| index)
    }

    /// Returns the operation that a call is, as the scan decoded it; `None` if it did not need to.
    pub(crate) fn operation(&self, inst: InstId) -> Option<&Op> {
        self.calls.operation(inst)
    }

    /// Returns the operations that the scan decoded, in the order of the instructions.
    pub(crate) fn operations(&self) -> impl Iterator<Item = (InstId, &Op)> {
        self.calls.iter().map(|call| (call.inst, &call.op))
    }

    /// Returns the plan for a handle.
    pub(crate) fn handle(&self, value: ValueId) -> Option<&HandlePlan> {
        self.handles.get(value)
    }
}

/// Scans the functions reachable from `roots`.
pub(crate) fn plan(
    shader: &Shader,
    flags: ShaderFlags,
    roots: &[FuncId],
    options: &Options,
) -> Result<Plan> {
    let mut planner = InterfacePlanner {
        shader,
        resources: ResourceIndex::new(&shader.resources),
        variables: None,
        bindings: &options.bindings,
        needs_no_slot: options.bindings.descriptor_heaps.is_some()
            && options.consumer().descriptor_arrays,
        feedback: match options.feedback {
            FeedbackTexel::Mips => Usage::ATOMIC_32,
            FeedbackTexel::Neighbours => Usage::ATOMIC_64,
        },
        quirks: options.workarounds.quirks,
        bounds_indices: !options.consumer().descriptor_arrays,
        packed_halves: flags.has_packed_halves(),
        discards: false,
        lanes: false,
        quads: false,
        uav_fence: false,
        group_sync: false,
        calls: CallGraph::default(),
        views: Vec::new(),
        view_ids: HashMap::default(),
        names: Vec::new(),
    };
    let declared = shader.resources.iter().count();
    planner.views.reserve(declared);
    planner.view_ids.reserve(declared);
    let mut functions: Vec<FunctionPlan> = Vec::new();
    let mut indices: SecondaryMap<FuncId, Option<u32>> = SecondaryMap::new();
    let mut queue: Vec<FuncId> = roots.to_vec();
    let mut next = 0;
    while let Some(&id) = queue.get(next) {
        next += 1;
        let Some(body) = shader.module.body(id) else {
            continue;
        };
        if indices[id].is_some() {
            continue;
        }
        // Before the scan: a function that calls itself is not scanned again.
        indices[id] = u32::try_from(functions.len()).ok();
        let function = planner
            .scan_function(body, &mut queue)
            .map_err(|mut error| {
                error.location_mut().function = Some(id);
                error
            })?;
        functions.push(function);
    }
    if let Some((caller, callee)) = planner.calls.first_recursion() {
        let name = |id| {
            let decl = shader.module.functions.get(id);
            plain_name(decl.map_or("", |decl| &decl.name)).to_owned()
        };
        let mut error = Error::unsupported(format!(
            "recursion: the function {} calls {}",
            name(caller),
            name(callee)
        ));
        error.location_mut().function = Some(caller);
        return Err(error);
    }
    let contagious = planner.quirks.contains(Quirks::UAV_BARRIERS_ARE_CONTAGIOUS);
    let orders_uavs = planner.quirks.contains(Quirks::GROUP_BARRIERS_ORDER_UAVS)
        || contagious && planner.uav_fence;
    let mut views = planner.views;
    // Without the Vulkan memory model, what one thread writes is seen by another after a barrier
    // only if the variable is coherent (Vulkan, "Shader Memory Access Ordering").
    let shared = planner.uav_fence || orders_uavs && planner.group_sync;
    if shared && options.consumer().coherent_memory {
        for view in &mut views {
            view.coherent |= view.class == ResourceClass::Uav;
        }
    }
    let table = bindings::assign(&mut views, options)?;
    Ok(Plan {
        shared_slots: shared_slots(&views),
        views,
        functions,
        indices,
        table,
        orders_uavs,
        discards: planner.discards,
        lanes: planner.lanes,
        quads: planner.quads,
    })
}

/// Returns the slots that several views are in, sorted. Their variables may access the same memory,
/// so that they need the decoration `Aliased` (SPIR-V specification, 2.18.2 "Aliasing").
fn shared_slots(views: &[View]) -> Vec<DescriptorSlot> {
    let mut slots: Vec<DescriptorSlot> = views.iter().filter_map(View::slot).collect();
    slots.sort_unstable();
    let shared = slots
        .chunk_by(|a, b| a == b)
        .filter(|equal| equal.len() > 1);
    shared.filter_map(|equal| equal.first().copied()).collect()
}

/// The state of the scan.
pub(super) struct InterfacePlanner<'a> {
    pub(super) shader: &'a Shader,
    pub(super) resources: ResourceIndex<'a>,
    /// The resources of a library, by their variables; made at the first use of one.
    pub(super) variables: Option<HashMap<ValueId, &'a Resource>>,
    pub(super) bindings: &'a BindingMap,
    /// Whether heaps are those of VK_EXT_descriptor_heap, which have no set and binding.
    needs_no_slot: bool,
    /// The access of sampler feedback to its map.
    feedback: Usage,
    pub(super) quirks: Quirks,
    /// Whether the range of indices into arrays of descriptors matters.
    pub(super) bounds_indices: bool,
    /// Whether 16-bit values have 16 bits in memory.
    packed_halves: bool,
    /// Whether lanes may be discarded.
    discards: bool,
    /// Whether lanes look at each other.
    lanes: bool,
    /// Whether lanes look at their quad.
    quads: bool,
    /// Whether a barrier orders UAV memory.
    uav_fence: bool,
    /// Whether a barrier waits for the thread group.
    group_sync: bool,
    /// The calls of functions with a body.
    calls: CallGraph,
    pub(super) views: Vec<View>,
    view_ids: HashMap<(DescriptorOrigin, Option<ResourceProperties>), ViewId>,
    pub(super) names: Vec<ValueId>,
}

impl<'a> InterfacePlanner<'a> {
    fn scan_function(
        &mut self,
        body: &'a Function,
        queue: &mut Vec<FuncId>,
    ) -> Result<FunctionPlan> {
        let view = FuncView {
            module: &self.shader.module,
            function: body,
        };
        let mut plan = FunctionPlan {
            first_value: body.first_value,
            used: std::iter::repeat_n(0, body.values.len()).collect(),
            handles: HandleTable::new(body.first_value, body.values.len()),
            lib_indices: HashMap::default(),
            choices: HashMap::default(),
            tags: HashMap::default(),
            names: Vec::new(),
            calls: ResourceCalls::default(),
        };
        // As many as most shaders have.
        let mut calls = Vec::with_capacity(body.insts.len() / 8);
        let mut handles = 0;
        for (inst, data) in body.insts.iter() {
            match data.inst {
                Inst::ExtractValue { aggregate, indices } => {
                    // Results of operations have eight members at most: a constant buffer's row of
                    // halves. A member beyond belongs to another aggregate, which counts as used as
                    // a whole.
                    let bit = match body.indices_of(indices).first() {
                        Some(&index @ 0..8) => 1 << index,
                        _ => u8::MAX,
                    };
                    plan.mark(aggregate, bit);
                }
                // An aggregate that is passed as a whole: every member counts as used.
                Inst::Phi { incoming } if self.is_struct(data.ty) => {
                    for &(value, _) in body.edges_of(incoming) {
                        plan.mark(value, u8::MAX);
                    }
                }
                Inst::Select {
                    if_true, if_false, ..
                } if self.is_struct(data.ty) => {
                    plan.mark(if_true, u8::MAX);
                    plan.mark(if_false, u8::MAX);
                }
                Inst::InsertValue { aggregate, .. } => plan.mark(aggregate, u8::MAX),
                Inst::Store { value, .. } => plan.mark(value, u8::MAX),
                Inst::Ret { value } => {
                    if let Some(value) = value.expand() {
                        plan.mark(value, u8::MAX);
                    }
                }
                Inst::Call { callee, args, .. } => {
                    let Some(function) = view.as_function(callee) else {
                        continue;
                    };
                    match self.shader.callees[function] {
                        Callee::Function => {
                            let decl = self.shader.module.functions.get(function);
                            let pseudo = decl.and_then(|decl| PseudoOp::named(&decl.name));
                            self.lanes |= pseudo.is_some_and(PseudoOp::is_of_lanes);
                            let args = body.values_of(args);
                            if let Some(pseudo) = pseudo
                                && let Some(op) = PseudoCall::decode(view, pseudo, args)?.access()
                            {
                                let result = data.result.expand();
                                calls.push(ResourceCall { inst, result, op });
                            }
                            for &arg in args {
                                plan.mark(arg, u8::MAX);
                            }
                            if self.shader.module.body(function).is_some() {
                                self.calls.add(body.id, function);
                            }
                            queue.push(function);
                        }
                        Callee::Ignored => {}
                        Callee::DxOp(_) => {
                            let args = body.values_of(args);
                            let opcode = decode_opcode(view, args)?;
                            self.lanes |= opcode.flags().intersects(OpFlags::CROSS_LANE);
                            self.quads |= opcode.flags().intersects(QUAD_OPS);
                            self.discards |= opcode.flags().contains(OpFlags::DISCARD);
                            if !is_planned(opcode) {
                                continue;
                            }
                            let op = decode_known(view, opcode, args)?;
                            let (fence, sync) = barrier_of(&op);
                            self.uav_fence |= fence;
                            self.group_sync |= sync;
                            let result = data.result.expand();
                            handles += usize::from(matches!(op, Op::Handle(_)));
                            calls.push(ResourceCall { inst, result, op });
                        }
                    }
                }
                _ => {}
            }
        }
        plan.handles.reserve(handles);
        let calls = ResourceCalls::of(calls, body.insts.len());
        let scanned = ScannedFunction {
            view,
            calls: &calls,
        };
        // Only now, as the usage of an operation depends on which members of its result are used,
        // and those uses come after it.
        for call in calls.iter() {
            self.scan_call(scanned, &mut plan, call)
                .map_err(|mut error| {
                    error.location_mut().inst = Some(call.inst);
                    error
                })?;
        }
        plan.names = std::mem::take(&mut self.names);
        plan.names.sort_unstable();
        plan.names.dedup();
        plan.calls = calls;
        Ok(plan)
    }

    fn is_struct(&self, ty: TypeId) -> bool {
        matches!(self.shader.module.types.get(ty), Type::Struct { .. })
    }

    fn scan_call(
        &mut self,
        scanned: ScannedFunction<'a, '_>,
        plan: &mut FunctionPlan,
        call: &ResourceCall,
    ) -> Result<()> {
        let used = call.result.map_or(0, |value| plan.used_members(value));
        if let Some(result) = call.result
            && matches!(call.op, Op::Handle(_))
        {
            self.resolve(scanned, plan, result)?;
        }
        let HandleAccess {
            handle,
            sampler,
            feedback,
            usage,
            scalars,
        } = access_of(
            &call.op,
            scanned.view,
            call.result,
            used,
            self.packed_halves,
        );
        // A sampler is only filtered with; the other usages are the texture's.
        let uses = [
            (handle, usage, HandleOperand::Resource),
            (sampler, usage & Usage::FILTERED, HandleOperand::Sampler),
            (feedback, self.feedback, HandleOperand::FeedbackMap),
        ];
        for (handle, usage, operand) in uses {
            let Some(handle) = handle else { continue };
            let resolved = self.resolve(scanned, plan, handle)?;
            if let Some(choices) = plan.choices(handle) {
                for &id in choices {
                    self.check_use(id, call.op.opcode(), operand)?;
                    self.use_view(id, usage);
                    self.count_scalars(id, scalars);
                }
                continue;
            }
            let id = resolved.view.ok_or_else(|| {
                Error::malformed(format!("handle {handle} is used without annotateHandle"))
            })?;
            self.check_use(id, call.op.opcode(), operand)?;
            self.use_view(id, usage);
            self.count_scalars(id, scalars);
        }
        Ok(())
    }

    /// Refuses an operation on a resource of a class or kind that it does not work on.
    fn check_use(&self, id: ViewId, op: Opcode, operand: HandleOperand) -> Result<()> {
        let Some(view) = self.views.get(id.0 as usize) else {
            return Ok(());
        };
        let Some(rule) = op.resource_rule(operand) else {
            return Ok(());
        };
        if rule.allows(view.class, view.declared_kind()) {
            return Ok(());
        }
        let what = format!(
            "{op} of {}, a resource that it does not work on",
            view.describe()
        );
        // The validator of DXIL has no rule for some kinds, so a module with these is not
        // malformed.
        Err(if rule.classes.has(view.class) {
            Error::unsupported(what)
        } else {
            Error::malformed(what)
        })
    }

    fn use_view(&mut self, id: ViewId, usage: Usage) {
        if let Some(view) = self.views.get_mut(id.0 as usize) {
            view.usage |= usage;
        }
    }

    fn count_scalars(&mut self, id: ViewId, ScalarCounts { floats, others }: ScalarCounts) {
        if let Some(view) = self.views.get_mut(id.0 as usize) {
            view.scalars.floats = view.scalars.floats.saturating_add(floats);
            view.scalars.others = view.scalars.others.saturating_add(others);
        }
    }

    /// Finds a handle's view; follows annotations, phis and selects to the creating call.
    fn resolve(
        &mut self,
        scanned: ScannedFunction<'a, '_>,
        plan: &mut FunctionPlan,
        handle: ValueId,
    ) -> Result<HandlePlan> {
        if let Some(&known) = plan.handles.get(handle) {
            return Ok(known);
        }
        let sources = self.sources(scanned, handle)?;
        let Some(first) = sources.first() else {
            return Err(Error::malformed(format!(
                "handle {handle} comes from no resource"
            )));
        };
        let view = self.view_of(first.root, first.annotation)?;
        let mut one = true;
        for source in &sources {
            let id = self.view_of(source.root, source.annotation)?;
            one &= id == view;
            if let Some(view) = id.and_then(|id| self.views.get_mut(id.0 as usize)) {
                view.last = view.last.max(source.last);
            }
        }
        let resolved = HandlePlan {
            view: view.filter(|_| one),
            // Lanes may have come along different edges.
            non_uniform: sources.len() > 1 || first.non_uniform,
        };
        plan.handles.insert(handle, resolved);
        for source in sources.iter().filter(|source| !source.lib_index.is_empty()) {
            let index = source.lib_index.clone();
            plan.lib_indices.insert(source.created, index);
        }
        if !one {
            self.choose(plan, handle, &sources)?;
            return Ok(resolved);
        }
        if let Some(id) = resolved.view {
            if resolved.non_uniform {
                self.use_view(id, Usage::NON_UNIFORM);
            }
            if sources.len() > 1 {
                self.use_view(id, Usage::DYNAMIC_INDEX);
            }
        }
        Ok(resolved)
    }

    /// Records that a handle is one of several views.
    fn choose(
        &mut self,
        plan: &mut FunctionPlan,
        handle: ValueId,
        sources: &[HandleCreation],
    ) -> Result<()> {
        let mut choices = Vec::with_capacity(sources.len());
        for source in sources {
            let id = self
                .view_of(source.root, source.annotation)?
                .ok_or_else(|| {
                    Error::unsupported(
                        "a phi or select of heap handles that is annotated afterwards",
                    )
                })?;
            if id.0 >= MAX_CHOICES {
                return Err(Error::unsupported(
                    "a handle that may refer to more than 4096 resources",
                ));
            }
            // The integer of a created handle names one view, so that it cannot serve two.
            if *plan.tags.entry(source.created).or_insert(id) != id {
                return Err(Error::unsupported(
                    "a heap handle with two annotations that merges with other handles",
                ));
            }
            let is_array = self.views.get(id.0 as usize).is_some_and(|view| {
                view.count != Some(1) || !matches!(view.origin, DescriptorOrigin::Declared(_))
            });
            if is_array {
                self.use_view(id, Usage::NON_UNIFORM | Usage::DYNAMIC_INDEX);
            }
            choices.push(id);
        }
        choices.sort_unstable();
        choices.dedup();
        plan.choices.insert(handle, choices.into());
        Ok(())
    }

    /// Returns the view of a root; `None` for a heap whose properties are not known.
    pub(super) fn view_of(
        &mut self,
        root: Root,
        annotation: Option<ResourceProperties>,
    ) -> Result<Option<ViewId>> {
        let (origin, properties) = match (root, annotation) {
            (Root::Declared(key), _) => (DescriptorOrigin::Declared(key), None),
            (Root::Heap { .. }, None) => return Ok(None),
            (Root::Heap { sampler }, Some(properties)) => {
                let origin = if sampler {
                    DescriptorOrigin::SamplerHeap
                } else {
                    DescriptorOrigin::ResourceHeap
                };
                (origin, Some(properties))
            }
        };
        // A descriptor of a heap has the type that its annotation gives it, and a variable has one
        // type: each set of properties is a view of its own.
        let key = (origin, properties);
        if let Some(&id) = self.view_ids.get(&key) {
            return Ok(Some(id));
        }
        let view = match (origin, properties) {
            (DescriptorOrigin::Declared(key), _) => {
                let resource = self
                    .shader
                    .resources
                    .find(key.class, key.id)
                    .ok_or_else(|| sources::undeclared(key.class, key.id))?;
                let location = match self.bindings.get(key) {
                    Some(&location) => location,
                    None => BindingMap::default_location(resource),
                };
                let mut view = View::declared(resource, location, &self.shader.module.types);
                view.local = self.bindings.is_local(key);
                if view.count.is_none() && self.bindings.is_single(key) {
                    view.count = Some(1);
                }
                view
            }
            (origin, Some(properties)) => {
                let (slot, name) = match origin {
                    DescriptorOrigin::SamplerHeap => {
                        (self.bindings.sampler_heap, "SamplerDescriptorHeap")
                    }
                    _ => (self.bindings.resource_heap, "ResourceDescriptorHeap"),
                };
                let unused = DescriptorSlot { set: 0, binding: 0 };
                let slot = slot.or(self.needs_no_slot.then_some(unused));
                let location = match (self.bindings.heap(properties), slot) {
                    (Some(location), _) => location,
                    (None, Some(slot)) => Location::Heap {
                        slot,
                        table_word: None,
                        offset: 0,
                        counter: self.bindings.resource_heap_counters,
                        ranges: None,
                    },
                    (None, None) => return Err(Error::new(ErrorKind::Unbound(name.into()))),
                };
                let mut view = View::from_heap(origin, properties, location)?;
                view.usage |= Usage::DYNAMIC_INDEX;
                view
            }
            (_, None) => return Ok(None),
        };
        let id = ViewId(self.views.len() as u32);
        self.views.push(view);
        self.view_ids.insert(key, id);
        Ok(Some(id))
    }
}

impl FunctionPlan {
    fn mark(&mut self, value: ValueId, bits: u8) {
        let local = value.as_u32().wrapping_sub(self.first_value) as usize;
        if let Some(used) = self.used.get_mut(local) {
            *used |= bits;
        }
    }
}
