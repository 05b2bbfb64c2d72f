//! Names of types, constants and values in listings, and the resources of handles.

use std::fmt::Write;

use dxil_frontend::dxil::ops::{HandleOp, Op, op_giving};
use dxil_frontend::dxil::{Resource, ResourceIndex, Shader};
use dxil_frontend::ir::print::type_text;
use dxil_frontend::ir::{
    Constant, ConstantExpr, FuncView, GlobalId, Inst, List, Module, Type, TypeId, TypeTable,
    ValueDef, ValueId,
};
use dxil_frontend::tables::HashMap;

use crate::describe::registers;

/// Maximum nesting that is written; deeper values become `...`.
const MAX_DEPTH: u32 = 16;

/// Returns a value as an operand: a number with `%`, a global with `@`, or the constant itself.
pub(crate) fn value_name(view: FuncView<'_>, id: ValueId) -> String {
    let mut out = String::new();
    write_value(&mut out, view, id, 0);
    out
}

fn write_value(out: &mut String, view: FuncView<'_>, id: ValueId, depth: u32) {
    let Some(value) = view.value(id) else {
        let _ = write!(out, "{id}");
        return;
    };
    match value.def {
        ValueDef::Global(global) => out.push_str(&global_name(view.module, global)),
        ValueDef::Function(function) => match view.module.functions.get(function) {
            Some(decl) => {
                let _ = write!(out, "@{}", symbol(&decl.name));
            }
            None => {
                let _ = write!(out, "{function}");
            }
        },
        ValueDef::Constant(constant) => {
            write_constant(out, view, id, constant, value.ty, depth);
        }
        ValueDef::Argument(_) | ValueDef::Inst(_) => {
            let _ = write!(out, "{id}");
        }
        ValueDef::Metadata(node) => {
            let _ = write!(out, "{node}");
        }
    }
}

/// Returns a symbol without the byte 1 in front of mangled names, which tells LLVM not to mangle
/// again.
pub(crate) fn symbol(name: &str) -> String {
    name.trim_start_matches('\u{1}').escape_debug().to_string()
}

/// Returns the name of a global variable, or `@12` for one without name.
pub(crate) fn global_name(module: &Module, id: GlobalId) -> String {
    match module.globals.get(id) {
        Some(global) if !global.name.is_empty() => format!("@{}", symbol(&global.name)),
        _ => id.to_string(),
    }
}

fn write_constant(
    out: &mut String,
    view: FuncView<'_>,
    id: ValueId,
    constant: Constant,
    ty: TypeId,
    depth: u32,
) {
    let types = &view.module.types;
    match constant {
        // Constants of a malformed module may contain each other.
        _ if depth > MAX_DEPTH => out.push_str("..."),
        Constant::Null => out.push_str(match types.get(ty) {
            Type::Int(1) => "false",
            Type::Int(_) => "0",
            Type::Half | Type::Float | Type::Double => "0.0",
            Type::Pointer { .. } => "null",
            _ => "zero",
        }),
        Constant::Undef => out.push_str("undef"),
        Constant::Int(bits) => write_int(out, types, ty, bits),
        Constant::Float(bits) => write_float(out, types, ty, bits),
        Constant::Aggregate(list) => {
            let elements = view.constant_elements(id, list);
            write_list(out, types.get(ty), elements, |out, element| {
                write_value(out, view, *element, depth + 1);
            });
        }
        Constant::Data(list) => {
            let element = match *types.get(ty) {
                Type::Array { element, .. } | Type::Vector { element, .. } => element,
                _ => ty,
            };
            let elements = view.constant_data(id, list);
            write_list(out, types.get(ty), elements, |out, bits| {
                if types.is_float(element) {
                    write_float(out, types, element, *bits);
                } else {
                    write_int(out, types, element, *bits);
                }
            });
        }
        Constant::Expr(expr) => write_expr(out, view, id, expr, ty, depth),
    }
}

fn write_list<T>(out: &mut String, ty: &Type, items: &[T], mut write: impl FnMut(&mut String, &T)) {
    let (open, close) = match ty {
        Type::Array { .. } => ('[', ']'),
        Type::Vector { .. } => ('<', '>'),
        _ => ('{', '}'),
    };
    out.push(open);
    for (index, item) in items.iter().enumerate() {
        if index != 0 {
            out.push_str(", ");
        }
        write(out, item);
    }
    out.push(close);
}

/// Returns an integer as signed, as in LLVM.
fn write_int(out: &mut String, types: &TypeTable, ty: TypeId, bits: u64) {
    let width = types.scalar_bits(ty).unwrap_or(64).clamp(1, 64);
    if width == 1 {
        out.push_str(if bits & 1 != 0 { "true" } else { "false" });
        return;
    }
    // The shifts extend the sign.
    let unused = 64 - width;
    let signed = (bits << unused).cast_signed() >> unused;
    let _ = write!(out, "{signed}");
}

fn write_float(out: &mut String, types: &TypeTable, ty: TypeId, bits: u64) {
    let text = match types.get(ty) {
        #[allow(clippy::cast_possible_truncation, reason = "the value has 16 bits")]
        Type::Half => {
            let value = half::f16::from_bits(bits as u16);
            format!("{:?}", value.to_f32())
        }
        #[allow(clippy::cast_possible_truncation, reason = "the value has 32 bits")]
        Type::Float => format!("{:?}", f32::from_bits(bits as u32)),
        _ => format!("{:?}", f64::from_bits(bits)),
    };
    // As bits, since NaNs differ in them.
    if text == "NaN" {
        let _ = write!(out, "NaN({bits:#x})");
    } else {
        out.push_str(&text);
    }
}

fn write_expr(
    out: &mut String,
    view: FuncView<'_>,
    id: ValueId,
    expr: ConstantExpr,
    ty: TypeId,
    depth: u32,
) {
    let (name, operands): (String, Vec<ValueId>) = match expr {
        ConstantExpr::Gep { operands, .. } => (
            "gep".to_owned(),
            constant_operands(view, id, operands).to_vec(),
        ),
        ConstantExpr::Cast { op, value } => (
            format!("{op:?} {}", type_text(view.module, ty)).to_lowercase(),
            vec![value],
        ),
        ConstantExpr::Binary { op, lhs, rhs } => (format!("{op:?}").to_lowercase(), vec![lhs, rhs]),
        ConstantExpr::Cmp {
            predicate,
            lhs,
            rhs,
        } => (format!("{predicate:?}").to_lowercase(), vec![lhs, rhs]),
        ConstantExpr::Select {
            condition,
            if_true,
            if_false,
        } => ("select".to_owned(), vec![condition, if_true, if_false]),
    };
    out.push_str(&name);
    out.push('(');
    for (index, operand) in operands.iter().enumerate() {
        if index != 0 {
            out.push_str(", ");
        }
        write_value(out, view, *operand, depth + 1);
    }
    out.push(')');
}

fn constant_operands<'a>(view: FuncView<'a>, owner: ValueId, list: List<ValueId>) -> &'a [ValueId] {
    view.constant_elements(owner, list)
}

/// Returns the resource of each handle of a function, where the code determines it.
pub(crate) fn handle_names(
    shader: &Shader,
    resources: &ResourceIndex<'_>,
    view: FuncView<'_>,
) -> HashMap<ValueId, String> {
    let mut names: HashMap<ValueId, String> = HashMap::default();
    let mut pointers: HashMap<ValueId, GlobalId> = HashMap::default();
    for data in view.function.insts.values() {
        let Some(result) = data.result.expand() else {
            continue;
        };
        match data.inst {
            // A library loads the resource variable and makes a handle of the value.
            Inst::Load { pointer, .. } => {
                if let Some(global) = global_behind(view, &pointers, pointer) {
                    pointers.insert(result, global);
                }
            }
            Inst::Gep { operands, .. } => {
                let base = view.function.values_of(operands).first();
                if let Some(global) = base.and_then(|b| global_behind(view, &pointers, *b)) {
                    pointers.insert(result, global);
                }
            }
            Inst::Phi { incoming } => {
                // A phi whose operands are handles of one resource (or the phi itself) is a handle
                // of that resource.
                let edges = view.function.edges_of(incoming).iter();
                let mut found = edges.filter_map(|(value, _)| names.get(value));
                if let Some(name) = found.next()
                    && found.all(|other| other == name)
                {
                    names.insert(result, name.clone());
                }
            }
            Inst::Call { .. } => {
                let op = op_giving(view, &shader.callees, result);
                let name =
                    op.and_then(|op| handle_name(shader, resources, view, &op, &names, &pointers));
                if let Some(name) = name {
                    names.insert(result, name);
                }
            }
            _ => {}
        }
    }
    names
}

fn global_behind(
    view: FuncView<'_>,
    pointers: &HashMap<ValueId, GlobalId>,
    id: ValueId,
) -> Option<GlobalId> {
    match view.value(id)?.def {
        ValueDef::Global(global) => Some(global),
        ValueDef::Inst(_) => pointers.get(&id).copied(),
        ValueDef::Constant(Constant::Expr(ConstantExpr::Gep { operands, .. })) => {
            let base = view.constant_elements(id, operands).first()?;
            match view.value(*base)?.def {
                ValueDef::Global(global) => Some(global),
                _ => None,
            }
        }
        _ => None,
    }
}

fn handle_name(
    shader: &Shader,
    resources: &ResourceIndex<'_>,
    view: FuncView<'_>,
    op: &Op,
    names: &HashMap<ValueId, String>,
    pointers: &HashMap<ValueId, GlobalId>,
) -> Option<String> {
    let Op::Handle(op) = op else {
        return None;
    };
    match op {
        HandleOp::CreateHandle(create) => {
            let resource = shader.resources.find(create.class, create.range_id)?;
            Some(resource_name(view, resource, create.index))
        }
        HandleOp::CreateHandleFromBinding(create) => {
            let binding = create.binding;
            let resource =
                resources.at_register(binding.class, binding.space, binding.lower_bound)?;
            Some(resource_name(view, resource, create.index))
        }
        HandleOp::CreateHandleFromHeap(create) => {
            let heap = if create.sampler_heap {
                "SamplerDescriptorHeap"
            } else {
                "ResourceDescriptorHeap"
            };
            Some(format!("{heap}[{}]", value_name(view, create.index)))
        }
        HandleOp::CreateHandleForLib(create) => {
            let global = pointers.get(&create.resource)?;
            let value = shader.module.globals.get(*global)?.value;
            Some(match resources.of_variable(value) {
                Some(resource) => base_name(resource),
                None => global_name(&shader.module, *global),
            })
        }
        HandleOp::AnnotateHandle(annotate) => names.get(&annotate.handle).cloned(),
    }
}

/// Returns the name in the source, or the first register if the name was stripped.
fn base_name(resource: &Resource) -> String {
    if resource.name.is_empty() {
        let letter = resource.class.letter();
        registers(letter, resource.lower_bound, Some(1), resource.space)
    } else {
        resource.name.to_string()
    }
}

/// Returns the name with the element, for arrays. `index` is the absolute register.
fn resource_name(view: FuncView<'_>, resource: &Resource, index: ValueId) -> String {
    let mut text = base_name(resource);
    if resource.count != Some(1) {
        let element = match view.constant_int(index) {
            // The index is relative to register 0, and an array in the source to its own start.
            Some(register) => register
                .wrapping_sub(u64::from(resource.lower_bound))
                .to_string(),
            None => value_name(view, index),
        };
        let _ = write!(text, "[{element}]");
    }
    text
}
