//! The origins of handles: from a use back through annotations, phis and selects to the calls that
//! create them, and from those to the declared resource or the heap.

use dxil_frontend::dxil::Resource;
use dxil_frontend::dxil::ops::{HandleOp, Op, ResourceProperties};
use dxil_frontend::ir::{
    BlockId, Constant, ConstantExpr, FuncView, Inst, List, Type, TypeId, TypeTable, ValueDef,
    ValueId,
};
use dxil_frontend::tables::HashMap;
use smallvec::{SmallVec, smallvec};

use super::plan::InterfacePlanner;
use super::resource_calls::ScannedFunction;
use super::view::Usage;
use crate::interface::sources::{HandleCreation, HandleCreations, LibIndex, Root};
use crate::interface::{index_bounds, sources};
use crate::{Error, Location, Quirks, ResourceKey, Result};

/// Maximum number of steps from the address of a library's resource to its variable.
const MAX_ADDRESS_STEPS: usize = 16;

/// A resource of a library, as an address names it.
struct NamedResource<'a> {
    resource: &'a Resource,
    /// Index into an array of them, or of arrays.
    index: LibIndex,
    /// Whether the source says that the index may differ between lanes.
    non_uniform: bool,
}

/// The source of a handle value, one step towards its creation.
enum HandleSource {
    Annotated {
        inner: ValueId,
        properties: ResourceProperties,
    },
    Merged(List<(ValueId, BlockId)>),
    Either(ValueId, ValueId),
    Undef,
    Created {
        root: Root,
        non_uniform: bool,
        lib_index: LibIndex,
        last: u32,
    },
}

impl<'a> InterfacePlanner<'a> {
    /// Returns the calls that may have created a handle.
    pub(super) fn sources(
        &mut self,
        scanned: ScannedFunction<'a, '_>,
        handle: ValueId,
    ) -> Result<HandleCreations> {
        if let Some(only) = self.only_source(scanned, handle)? {
            return Ok(smallvec![only]);
        }
        // Every value that the handle may come from is visited once, so this ends even though phis
        // of loops refer to each other.
        let mut pending: SmallVec<[_; 4]> = smallvec![(handle, None)];
        let mut seen: HashMap<ValueId, ()> = HashMap::default();
        let mut sources = HandleCreations::new();
        while let Some((value, outer)) = pending.pop() {
            if seen.insert(value, ()).is_some() {
                continue;
            }
            match self.step(scanned, value)? {
                HandleSource::Annotated { inner, properties } => {
                    pending.push((inner, outer.or(Some(properties))));
                }
                HandleSource::Merged(list) => {
                    for &(value, _) in scanned.view.function.edges_of(list) {
                        pending.push((value, outer));
                    }
                }
                HandleSource::Either(a, b) => pending.extend([(a, outer), (b, outer)]),
                HandleSource::Undef => {}
                HandleSource::Created {
                    root,
                    non_uniform,
                    lib_index,
                    last,
                } => sources.push(HandleCreation {
                    created: value,
                    root,
                    annotation: outer,
                    non_uniform,
                    lib_index,
                    last,
                }),
            }
        }
        Ok(sources)
    }

    /// Returns the call that creates a handle, if no phi or select lies between: as nearly always.
    fn only_source(
        &mut self,
        scanned: ScannedFunction<'a, '_>,
        handle: ValueId,
    ) -> Result<Option<HandleCreation>> {
        let (mut value, mut annotation) = (handle, None);
        // Definitions precede uses, so this ends.
        loop {
            match self.step(scanned, value)? {
                HandleSource::Annotated { inner, properties } => {
                    annotation = annotation.or(Some(properties));
                    value = inner;
                }
                HandleSource::Created {
                    root,
                    non_uniform,
                    lib_index,
                    last,
                } => {
                    return Ok(Some(HandleCreation {
                        created: value,
                        root,
                        annotation,
                        non_uniform,
                        lib_index,
                        last,
                    }));
                }
                HandleSource::Merged(_) | HandleSource::Either(..) | HandleSource::Undef => {
                    return Ok(None);
                }
            }
        }
    }

    /// Returns the source of one handle value.
    fn step(&mut self, scanned: ScannedFunction<'a, '_>, value: ValueId) -> Result<HandleSource> {
        let view = scanned.view;
        let data = view
            .value(value)
            .ok_or_else(|| Error::internal(format!("{value} has no definition")))?;
        let inst = match data.def {
            ValueDef::Inst(inst) => inst,
            ValueDef::Constant(Constant::Undef | Constant::Null) => return Ok(HandleSource::Undef),
            // Functions that take handles have been inlined (`inline`); an entry point has none.
            ValueDef::Argument(_) => {
                return Err(Error::unsupported("a resource handle as function argument"));
            }
            _ => return Err(not_a_handle(value)),
        };
        let Some(data) = view.function.insts.get(inst) else {
            return Err(not_a_handle(value));
        };
        match data.inst {
            Inst::Phi { incoming } => Ok(HandleSource::Merged(incoming)),
            Inst::Select {
                if_true, if_false, ..
            } => Ok(HandleSource::Either(if_true, if_false)),
            Inst::Call { .. } => match scanned.calls.operation(inst) {
                Some(Op::Handle(op)) => self.creation(view, op),
                _ => Err(not_a_handle(value)),
            },
            _ => Err(not_a_handle(value)),
        }
    }

    /// Returns whether an index may differ between lanes although the shader does not mark it.
    fn may_differ(&self, view: FuncView<'a>, index: ValueId) -> bool {
        self.quirks.contains(Quirks::NON_UNIFORM_INDICES) && view.constant(index).is_none()
    }

    /// Returns a handle operation as a step.
    fn creation(&mut self, view: FuncView<'a>, op: &HandleOp) -> Result<HandleSource> {
        match op {
            HandleOp::CreateHandle(op) => {
                let resource = self.shader.resources.find(op.class, op.range_id);
                let resource =
                    resource.ok_or_else(|| sources::undeclared(op.class, op.range_id))?;
                self.declared(view, resource, [op.index], op.non_uniform)
            }
            HandleOp::CreateHandleFromBinding(op) => {
                let range = op.binding;
                let resource = self
                    .resources
                    .at_register(range.class, range.space, range.lower_bound)
                    .ok_or_else(|| sources::undeclared(range.class, range.lower_bound))?;
                self.declared(view, resource, [op.index], op.non_uniform)
            }
            HandleOp::CreateHandleFromHeap(op) => Ok(HandleSource::Created {
                root: Root::Heap {
                    sampler: op.sampler_heap,
                },
                non_uniform: op.non_uniform || self.may_differ(view, op.index),
                lib_index: LibIndex::new(),
                last: self.largest(view, op.index),
            }),
            HandleOp::AnnotateHandle(op) => Ok(HandleSource::Annotated {
                inner: op.handle,
                properties: op.properties,
            }),
            HandleOp::CreateHandleForLib(op) => {
                let named = self.lib_resource(view, op.resource)?;
                let key = key_of(named.resource);
                // Shader records may differ between lanes, and with them what a table of theirs
                // begins with.
                let in_record = self.bindings.is_local(key)
                    && matches!(
                        self.bindings.get(key),
                        Some(Location::Heap { .. } | Location::AddressTable { .. })
                    );
                let mut step = HandleSource::Created {
                    root: Root::Declared(key),
                    non_uniform: false,
                    lib_index: LibIndex::new(),
                    last: 0,
                };
                if !named.index.is_empty() {
                    let indices = named.index.iter().map(|&(value, _)| value);
                    step = self.declared(view, named.resource, indices, named.non_uniform)?;
                }
                if let HandleSource::Created {
                    lib_index,
                    non_uniform,
                    last,
                    ..
                } = &mut step
                {
                    *last = named.index.iter().fold(0, |last: u32, &(value, elements)| {
                        let part = self.largest(view, value).saturating_mul(elements);
                        last.saturating_add(part)
                    });
                    *lib_index = named.index;
                    *non_uniform |= in_record;
                }
                Ok(step)
            }
        }
    }

    /// Returns an element of a declared resource; `non_uniform` is what the source says of the
    /// index.
    fn declared(
        &mut self,
        view: FuncView<'a>,
        resource: &Resource,
        indices: impl IntoIterator<Item = ValueId>,
        non_uniform: bool,
    ) -> Result<HandleSource> {
        let root = Root::Declared(key_of(resource));
        let (mut non_uniform, mut is_dynamic) = (non_uniform, false);
        // Those of a library are elements, and there may be several; their sum is known later.
        let mut last = 0;
        for index in indices {
            last = self
                .largest(view, index)
                .saturating_sub(resource.lower_bound);
            non_uniform |= self.may_differ(view, index);
            is_dynamic |= view.constant_int(index).is_none();
        }
        if resource.count != Some(1) && is_dynamic {
            let id = self.view_of(root, None)?;
            if let Some(view) = id.and_then(|id| self.views.get_mut(id.0 as usize)) {
                view.usage |= Usage::DYNAMIC_INDEX;
            }
        }
        Ok(HandleSource::Created {
            root,
            non_uniform: non_uniform && resource.count != Some(1),
            lib_index: LibIndex::new(),
            last,
        })
    }

    /// Returns a number that an index does not exceed, where that matters.
    fn largest(&self, view: FuncView<'a>, index: ValueId) -> u32 {
        if self.bounds_indices {
            index_bounds::largest(view, &self.shader.callees, index)
        } else {
            u32::MAX
        }
    }

    /// Returns the resource whose global variable a `createHandleForLib` was loaded from.
    fn lib_resource(&mut self, view: FuncView<'a>, value: ValueId) -> Result<NamedResource<'a>> {
        let def = |value: ValueId| view.value(value).map(|data| data.def);
        let mut pointer = match def(value) {
            Some(ValueDef::Inst(inst)) => match view.function.insts.get(inst).map(|d| d.inst) {
                Some(Inst::Load { pointer, .. }) => pointer,
                _ => return Err(not_a_handle(value)),
            },
            _ => return Err(not_a_handle(value)),
        };
        self.names.push(value);
        let mut index = LibIndex::new();
        let mut non_uniform = false;
        // An address is a global, or a few address computations on one.
        for _ in 0..MAX_ADDRESS_STEPS {
            self.names.push(pointer);
            let operands = match def(pointer) {
                Some(ValueDef::Global(_)) => {
                    let shader = self.shader;
                    let variables = self.variables.get_or_insert_with(|| {
                        let mut variables = HashMap::default();
                        for resource in shader.resources.iter() {
                            if let Some(variable) = resource.variable {
                                let variable = behind_casts(view, variable);
                                variables.entry(variable).or_insert(resource);
                            }
                        }
                        variables
                    });
                    let resource = variables.get(&pointer).copied().ok_or_else(|| {
                        Error::unsupported(
                            "a resource of a library that is addressed by a constant expression",
                        )
                    })?;
                    return Ok(NamedResource {
                        resource,
                        index,
                        non_uniform,
                    });
                }
                Some(ValueDef::Inst(inst)) => match view.function.insts.get(inst).map(|d| d.inst) {
                    Some(Inst::Gep { operands, .. }) => {
                        let hints = &self.shader.hints;
                        non_uniform |= hints.is_non_uniform(view.module, view.function, inst);
                        view.function.values_of(operands)
                    }
                    Some(Inst::Cast { value, .. }) => {
                        pointer = value;
                        continue;
                    }
                    _ => break,
                },
                Some(ValueDef::Constant(Constant::Expr(ConstantExpr::Gep {
                    operands, ..
                }))) => view.constant_elements(pointer, operands),
                Some(ValueDef::Constant(Constant::Expr(ConstantExpr::Cast { value, .. }))) => {
                    pointer = value;
                    continue;
                }
                _ => break,
            };
            match *operands {
                [base, _] => pointer = base,
                [base, _, ref elements @ ..] => {
                    add_elements(view, base, elements, &mut index)?;
                    pointer = base;
                }
                _ => break,
            }
        }
        Err(Error::unsupported(
            "a library resource that is not loaded from its own global variable",
        ))
    }
}

/// Adds the indices of an address computation to the index of a resource. Arrays of arrays are one
/// range, in which the last index counts single resources.
fn add_elements(
    view: FuncView<'_>,
    base: ValueId,
    elements: &[ValueId],
    index: &mut LibIndex,
) -> Result<()> {
    let types = &view.module.types;
    let pointee = view.value(base).and_then(|data| types.pointee(data.ty));
    let mut ty = pointee.ok_or_else(|| not_a_handle(base))?;
    for &element in elements {
        let Type::Array { element: inner, .. } = *types.get(ty) else {
            return Err(Error::unsupported("a member of a library's resource"));
        };
        ty = inner;
        index.push((element, resources_in(types, ty)));
    }
    Ok(())
}

/// Returns the number of resources that an array type, or a single resource's, has.
fn resources_in(types: &TypeTable, mut ty: TypeId) -> u32 {
    let mut all = 1u32;
    while let Type::Array { element, count } = *types.get(ty) {
        all = all.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX));
        ty = element;
    }
    all
}

/// Returns the source of constant casts: from shader model 6.6 on the variable of a library's
/// resource is a handle, which the declaration names as a pointer to the resource's type.
fn behind_casts(view: FuncView<'_>, mut value: ValueId) -> ValueId {
    for _ in 0..4 {
        match view.constant(value) {
            Some(Constant::Expr(ConstantExpr::Cast { value: inner, .. })) => value = inner,
            _ => break,
        }
    }
    value
}

fn key_of(resource: &Resource) -> ResourceKey {
    ResourceKey {
        class: resource.class,
        id: resource.id,
    }
}

fn not_a_handle(value: ValueId) -> Error {
    Error::malformed(format!("{value} is not a resource handle"))
}
