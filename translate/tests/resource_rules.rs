//! Relatives of shaders: each operation on resources of every class and kind.
//!
//! For each operation that accesses a resource, the smallest checked-in shaders that use it; each
//! of their resources gets every kind, and each `createHandle` every class. What DXIL does not
//! define is refused with a typed error, and every module that comes out is valid.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

use dxil_checkout::shaders;
use dxil_frontend::dxil::ops::{
    HandleOp, HandleOperand, Op, Opcode, decode, op_arguments, op_giving,
};
use dxil_frontend::dxil::{Resource, ResourceClass, ResourceKind, Shader, read_shader};
use dxil_frontend::ir::{Constant, FuncView, Inst, ValueData, ValueDef, ValueId};
use dxil_translate::{Category, Features, Options, VulkanVersion, translate};
use dxil_validator::{Environment, Rules, validate_all};

/// Shaders of each operation.
const SHADERS: usize = 3;

const CLASSES: [ResourceClass; 4] = [
    ResourceClass::Srv,
    ResourceClass::Uav,
    ResourceClass::Cbv,
    ResourceClass::Sampler,
];

/// Returns the function of the only entry point.
fn main_of(shader: &Shader) -> Option<FuncView<'_>> {
    match &*shader.entry_points {
        [entry] => shader.view(entry.function?),
        _ => None,
    }
}

/// Returns the resources of the operations, as far as `createHandle` makes their handles.
fn accesses(shader: &Shader) -> Vec<(Opcode, HandleOperand, ResourceClass, ResourceKind)> {
    let Some(view) = main_of(shader) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for data in view.function.insts.values() {
        let Some(arguments) = op_arguments(view, &shader.callees, &data.inst) else {
            continue;
        };
        let Ok(op) = decode(view, arguments) else {
            continue;
        };
        let of = op.resource_operands();
        let operands = [
            (of.resource, HandleOperand::Resource),
            (of.sampler, HandleOperand::Sampler),
            (of.feedback, HandleOperand::FeedbackMap),
        ];
        for (value, operand) in operands {
            if op.opcode().resource_rule(operand).is_some()
                && let Some(value) = value
                && let Some(Op::Handle(HandleOp::CreateHandle(create))) =
                    op_giving(view, &shader.callees, value)
                && let Some(resource) = shader.resources.find(create.class, create.range_id)
            {
                found.push((op.opcode(), operand, resource.class, resource.kind));
            }
        }
    }
    found
}

/// Returns the smallest shaders of each operation.
fn chosen() -> Vec<(String, Shader)> {
    let mut by_size = Vec::new();
    for path in shaders() {
        // Atomics on a vendor's UAV are its operations, and its resource is none.
        if path.components().any(|part| part.as_os_str() == "vendor") {
            continue;
        }
        let Ok(shader) = read_shader(&std::fs::read(&path).unwrap()) else {
            continue;
        };
        let size = main_of(&shader).map_or(usize::MAX, |view| view.function.insts.len());
        let ops: BTreeSet<Opcode> = accesses(&shader).iter().map(|access| access.0).collect();
        if !ops.is_empty() && translate(&shader, &options()).is_ok() {
            by_size.push((size, path.display().to_string(), shader, ops));
        }
    }
    by_size.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let mut counts: BTreeMap<Opcode, usize> = BTreeMap::new();
    let mut chosen = Vec::new();
    for (_, path, shader, ops) in by_size {
        if ops
            .iter()
            .any(|op| counts.get(op).is_none_or(|&n| n < SHADERS))
        {
            for op in ops {
                *counts.entry(op).or_default() += 1;
            }
            chosen.push((path, shader));
        }
    }
    assert!(counts.len() >= 20, "operations: {counts:?}");
    chosen
}

fn options() -> Options {
    let mut options = Options::default();
    options.target.vulkan = VulkanVersion::V1_3;
    options.target.features = Features::all();
    options
}

fn list_mut(shader: &mut Shader, class: ResourceClass) -> &mut Vec<Resource> {
    match class {
        ResourceClass::Srv => &mut shader.resources.srvs,
        ResourceClass::Uav => &mut shader.resources.uavs,
        ResourceClass::Cbv => &mut shader.resources.cbvs,
        ResourceClass::Sampler => &mut shader.resources.samplers,
    }
}

/// Returns the shader with another kind for each of its resources, and what was changed.
fn with_kinds(shader: &Shader) -> Vec<(String, Shader)> {
    let mut relatives = Vec::new();
    for class in [ResourceClass::Srv, ResourceClass::Uav] {
        for place in 0..shader.resources.of(class).len() {
            for number in 1..=18 {
                let kind = ResourceKind::from_number(number).unwrap();
                let mut relative = shader.clone();
                let resource = &mut list_mut(&mut relative, class)[place];
                if resource.kind != kind {
                    resource.kind = kind;
                    relatives.push((format!("{class:?} {place} as {kind:?}"), relative));
                }
            }
        }
    }
    relatives
}

/// Returns the shader with another class for each handle, and what was changed.
fn with_classes(shader: &Shader) -> Vec<(String, Shader)> {
    let mut relatives = Vec::new();
    let Some(view) = main_of(shader) else {
        return relatives;
    };
    for (inst, data) in view.function.insts.iter() {
        let Some(result) = data.result.expand() else {
            continue;
        };
        let Some(Op::Handle(HandleOp::CreateHandle(create))) =
            op_giving(view, &shader.callees, result)
        else {
            continue;
        };
        let Inst::Call { args, .. } = data.inst else {
            continue;
        };
        for (number, class) in (0..).zip(CLASSES) {
            let Some(resource) = shader.resources.find(create.class, create.range_id) else {
                continue;
            };
            if class == create.class {
                continue;
            }
            let mut relative = shader.clone();
            if relative.resources.find(class, create.range_id).is_none() {
                let mut resource = resource.clone();
                resource.class = class;
                let list = list_mut(&mut relative, class);
                list.push(resource);
                list.sort_by_key(|resource| resource.id);
            }
            let body = relative.module.body(view.function.id).map(|body| body.id);
            let index = relative.module.functions[body.unwrap()].body.unwrap();
            let body = &mut relative.module.bodies[index as usize];
            let argument = body.values_of(args)[1];
            let ty = view.type_of(argument).unwrap();
            let constant = ValueId::from_u32(body.first_value + body.values.len() as u32);
            body.values.push(ValueData {
                ty,
                def: ValueDef::Constant(Constant::Int(number)),
            });
            body.value_pool[args.range()][1] = constant;
            relatives.push((format!("{inst} of {class:?}"), relative));
        }
    }
    relatives
}

#[test]
fn an_operation_on_a_resource_that_it_does_not_work_on_is_refused_and_no_module_is_invalid() {
    let mut modules: Vec<(String, Vec<u32>)> = Vec::new();
    let mut seen = BTreeSet::default();
    let mut faults = String::new();
    let mut refused = 0;
    for (path, shader) in chosen() {
        let relatives = with_kinds(&shader).into_iter().chain(with_classes(&shader));
        for (change, relative) in relatives {
            let broken: Vec<_> = accesses(&relative)
                .into_iter()
                .filter(|&(op, operand, class, kind)| {
                    let rule = op.resource_rule(operand);
                    rule.is_some_and(|rule| !rule.allows(class, kind))
                })
                .collect();
            match translate(&relative, &options()) {
                Ok(_) if !broken.is_empty() => {
                    let _ = writeln!(faults, "{path}, {change}: translated, {broken:?}");
                }
                Ok(translation) => {
                    let mut hasher = DefaultHasher::new();
                    translation.words.hash(&mut hasher);
                    if seen.insert(hasher.finish()) {
                        modules.push((format!("{path}, {change}"), translation.words));
                    }
                }
                Err(error) => {
                    refused += 1;
                    if error.category() == Category::Internal {
                        let _ = writeln!(faults, "{path}, {change}: {error}");
                    }
                }
            }
        }
    }
    let rules = Rules::relaxed(Environment::Vulkan1_3);
    let checked: Vec<_> = modules
        .iter()
        .map(|(_, words)| (&words[..], rules))
        .collect();
    for ((name, _), result) in modules.iter().zip(validate_all(&checked)) {
        if let Err(failure) = result {
            let _ = writeln!(faults, "{name}: {failure:?}");
        }
    }
    assert!(
        refused > 500 && modules.len() > 200,
        "{refused} {}",
        modules.len()
    );
    assert!(faults.is_empty(), "{faults}");
}
