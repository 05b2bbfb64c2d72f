//! The resource of a handle, by the operation that creates it.

use super::context::ValidationContext;
use super::handle_facts::HandleFacts;
use crate::dxil::ops::{HandleOp, Op, op_giving};
use crate::dxil::{ComponentType, Resource, ResourceClass, ResourceKind, SamplerKind};
use crate::ir::{
    Constant, ConstantExpr, FuncView, GlobalId, Inst, Module, Type, TypeId, ValueDef, ValueId,
};

/// Maximum number of casts and address computations between a pointer and its variable.
const MAX_STEPS: usize = 64;

/// Returns the resource that a handle is of; `None` where no operation that creates or annotates a
/// handle gives the value.
pub(super) fn handle_of(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    value: ValueId,
) -> Option<HandleFacts> {
    let mut known = cx.known_handles.borrow_mut();
    if known.function != Some(view.function.id) {
        known.function = Some(view.function.id);
        known.handles.clear();
    }
    let slot = known.handles.entry(value);
    *slot.or_insert_with(|| look_up(cx, view, value))
}

fn look_up(cx: &ValidationContext<'_>, view: FuncView<'_>, value: ValueId) -> Option<HandleFacts> {
    let op = match op_giving(view, &cx.shader.callees, value)? {
        Op::Handle(op) => op,
        _ => return None,
    };
    match op {
        HandleOp::AnnotateHandle(call) => {
            let properties = call.properties;
            let kind = properties.kind()?;
            // Where the annotation contradicts the binding, the binding tells what is accessed.
            let class = bound_class(cx, view, call.handle).or_else(|| properties.class())?;
            let second = properties.is_comparison_or_has_counter();
            let typed = kind.is_texture() || kind == ResourceKind::TypedBuffer;
            let component = u64::from(properties.component_type());
            Some(HandleFacts {
                class,
                kind,
                component: ComponentType::from_number(component).filter(|_| typed),
                components: properties.component_count(),
                cbuffer_bytes: properties.cbuffer_size(),
                has_counter: second && class == ResourceClass::Uav,
                sampler: (class == ResourceClass::Sampler).then_some(if second {
                    SamplerKind::Comparison
                } else {
                    SamplerKind::Default
                }),
                is_reorder_coherent: properties.is_reorder_coherent(),
                id: None,
            })
        }
        HandleOp::CreateHandle(_) | HandleOp::CreateHandleForLib(_) => {
            declared(cx, view, value).map(|resource| of_resource(cx.module(), resource))
        }
        // Only annotated they say what they are of.
        HandleOp::CreateHandleFromBinding(_) | HandleOp::CreateHandleFromHeap(_) => None,
    }
}

/// Returns the operation that creates a handle, after those that annotate it.
fn created(cx: &ValidationContext<'_>, view: FuncView<'_>, mut value: ValueId) -> Option<Op> {
    for _ in 0..MAX_STEPS {
        match op_giving(view, &cx.shader.callees, value)? {
            Op::Handle(HandleOp::AnnotateHandle(call)) => value = call.handle,
            op => return Some(op),
        }
    }
    None
}

/// Returns the class of the registers that an operation binds.
fn bound_class(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    value: ValueId,
) -> Option<ResourceClass> {
    match created(cx, view, value)? {
        Op::Handle(HandleOp::CreateHandleFromBinding(call)) => Some(call.binding.class),
        _ => None,
    }
}

/// Returns the declared resource that an operation creates a handle of.
pub(super) fn declared<'a>(
    cx: &ValidationContext<'a>,
    view: FuncView<'_>,
    value: ValueId,
) -> Option<&'a Resource> {
    let resources = &cx.shader.resources;
    match created(cx, view, value)? {
        Op::Handle(HandleOp::CreateHandle(call)) => resources.find(call.class, call.range_id),
        Op::Handle(HandleOp::CreateHandleForLib(call)) => {
            let ValueDef::Inst(load) = view.value(call.resource)?.def else {
                return None;
            };
            let Inst::Load { pointer, .. } = view.function.insts.get(load)?.inst else {
                return None;
            };
            let variable = view.global_of(pointer)?;
            cx.of_variable(variable, |own| global_in_module(cx.module(), own))
        }
        Op::Handle(HandleOp::CreateHandleFromBinding(call)) => {
            let binding = call.binding;
            cx.resources
                .at_register(binding.class, binding.space, binding.lower_bound)
        }
        _ => None,
    }
}

fn of_resource(module: &Module, resource: &Resource) -> HandleFacts {
    let detail = &resource.detail;
    HandleFacts {
        class: resource.class,
        kind: resource.kind,
        component: detail.component,
        components: components(module, resource).unwrap_or(4),
        cbuffer_bytes: detail.cbuffer_size,
        has_counter: detail.has_counter,
        sampler: detail.sampler,
        is_reorder_coherent: detail.reorder_coherent,
        id: Some(resource.id),
    }
}

/// Returns the IR type of an element of a typed resource: the first member of its class.
pub(super) fn element_type(module: &Module, resource: &Resource) -> Option<TypeId> {
    let types = &module.types;
    let mut ty = resource.ty?;
    for _ in 0..MAX_STEPS {
        match types.get(ty) {
            Type::Array { element, .. } => ty = *element,
            Type::Pointer { pointee, .. } => ty = *pointee,
            Type::Struct { fields, .. } => return fields.first().copied(),
            _ => return None,
        }
    }
    None
}

fn components(module: &Module, resource: &Resource) -> Option<u32> {
    let element = element_type(module, resource)?;
    Some(match module.types.get(element) {
        Type::Vector { count, .. } => *count,
        _ => 1,
    })
}

/// Returns whether a handle without annotation is loaded from an array of resources. DXC's flags
/// leave out what is done with those, as it looks for the variable itself.
pub(super) fn is_loaded_from_an_array(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    value: ValueId,
) -> bool {
    let Some(Op::Handle(HandleOp::CreateHandleForLib(call))) =
        op_giving(view, &cx.shader.callees, value)
    else {
        return false;
    };
    let pointer = match view.value(call.resource).map(|value| value.def) {
        Some(ValueDef::Inst(load)) => match view.function.insts.get(load).map(|data| data.inst) {
            Some(Inst::Load { pointer, .. }) => pointer,
            _ => return false,
        },
        _ => return false,
    };
    !matches!(
        view.value(pointer).map(|value| value.def),
        Some(ValueDef::Global(_))
    )
}

/// Returns the variable that a constant of the module leads into.
pub(super) fn global_in_module(module: &Module, mut value: ValueId) -> Option<GlobalId> {
    for _ in 0..MAX_STEPS {
        value = match module.values.get(value.as_u32() as usize)?.def {
            ValueDef::Global(global) => return Some(global),
            ValueDef::Constant(Constant::Expr(expr)) => match expr {
                ConstantExpr::Gep { operands, .. } => {
                    *module.value_pool.get(operands.range())?.first()?
                }
                ConstantExpr::Cast { value, .. } => value,
                _ => return None,
            },
            _ => return None,
        };
    }
    None
}
