//! Leaves out what nothing needs: functions, variables and constants of the module, metadata that
//! is written anew, and constants and operand lists of bodies.

use cranelift_entity::{EntityRef, PrimaryMap};

use crate::dxil::{Shader, Stage, WRITTEN_LISTS};
use crate::ir::{
    Constant, ConstantExpr, FuncId, Function, GlobalId, Inst, Linkage, List, MdId, MdNode,
    Metadata, ValueData, ValueDef, ValueId,
};

/// Leaves out what neither entry points nor exported functions need.
pub(super) fn run(shader: &mut Shader) {
    for body in &mut shader.module.bodies {
        compact(body);
    }
    let nodes = needed_nodes(shader);
    let needed = Needed::find(shader, &nodes);
    needed.rewrite(shader, &nodes);
}

/// Returns the metadata nodes that stay: all of a module with debug information, whose records name
/// nodes by numbers.
fn needed_nodes(shader: &Shader) -> Vec<bool> {
    let metadata = &shader.module.metadata;
    let has_debug = metadata
        .nodes
        .values()
        .any(|node| matches!(node, MdNode::Debug { .. }));
    let mut needed = vec![has_debug; metadata.nodes.len()];
    let mut pending: Vec<MdId> = Vec::new();
    for named in &metadata.named {
        if !WRITTEN_LISTS.contains(&&*metadata.name_of(named)) {
            pending.extend(metadata.nodes_of(named));
        }
    }
    for body in &shader.module.bodies {
        pending.extend(body.attachments.iter().map(|(.., node)| *node));
        pending.extend(body.function_attachments.iter().map(|(_, node)| *node));
        for data in &body.values {
            if let ValueDef::Metadata(node) = data.def {
                pending.push(node);
            }
        }
    }
    for entry in &shader.entry_points {
        let other = entry.other_properties.iter();
        pending.extend(other.filter_map(|(_, node)| *node));
    }
    while let Some(node) = pending.pop() {
        match needed.get_mut(node.index()) {
            Some(slot) if !*slot => *slot = true,
            _ => continue,
        }
        pending.extend(metadata.tuple(node).into_iter().flatten().flatten());
    }
    needed
}

/// What stays of a module.
struct Needed {
    values: Vec<bool>,
    functions: Vec<bool>,
}

impl Needed {
    fn find(shader: &Shader, nodes: &[bool]) -> Needed {
        let module = &shader.module;
        let mut needed = Needed {
            values: vec![false; module.values.len()],
            functions: vec![false; module.functions.len()],
        };
        let mut functions: Vec<FuncId> = Vec::new();
        for entry in &shader.entry_points {
            functions.extend(entry.function);
            if let Stage::Hull {
                patch_constant_function,
                ..
            } = entry.stage
            {
                functions.extend(patch_constant_function);
            }
        }
        for (id, decl) in &module.functions {
            if decl.body.is_some() && decl.linkage != Linkage::Internal {
                functions.push(id);
            }
        }
        let mut pending: Vec<ValueId> = Vec::new();
        let decls = functions.iter().filter_map(|id| module.functions.get(*id));
        pending.extend(decls.map(|decl| decl.value));
        for (node, is_needed) in module.metadata.nodes.values().zip(nodes) {
            if let (MdNode::Value(value), true) = (node, is_needed) {
                pending.push(*value);
            }
        }
        pending.extend(shader.resources.iter().filter_map(|it| it.variable));
        // What LLVM itself reads.
        let globals = module.globals.values();
        let own = globals.filter(|global| global.name.starts_with("llvm."));
        pending.extend(own.map(|global| global.value));
        while let Some(value) = pending.pop() {
            match needed.values.get_mut(value.index()) {
                Some(slot) if !*slot => *slot = true,
                _ => continue,
            }
            match module.values.get(value.index()).map(|data| data.def) {
                Some(ValueDef::Global(id)) => {
                    pending.extend(module.globals.get(id).and_then(|it| it.initializer));
                }
                Some(ValueDef::Function(id)) => {
                    if let Some(slot) = needed.functions.get_mut(id.index()) {
                        *slot = true;
                    }
                    if let Some(body) = module.body(id) {
                        of_body(body, &mut pending);
                    }
                }
                Some(ValueDef::Constant(constant)) => {
                    constant.for_each_operand(&module.value_pool, |value| pending.push(value));
                }
                _ => {}
            }
        }
        needed
    }

    fn rewrite(&self, shader: &mut Shader, nodes: &[bool]) {
        let old = std::mem::take(&mut shader.module.values);
        let first_old = old.len();
        let mut values: Vec<ValueData> = Vec::new();
        let mut numbers: Vec<ValueId> = Vec::with_capacity(first_old);
        for (data, is_needed) in old.into_iter().zip(&self.values) {
            numbers.push(ValueId::new(values.len()));
            if *is_needed {
                values.push(data);
            }
        }
        let first_new = values.len();
        let value_of = |value: ValueId| match value.index().checked_sub(first_old) {
            Some(local) => ValueId::new(first_new + local),
            None => numbers.get(value.index()).copied().unwrap_or(value),
        };
        let module = &mut shader.module;
        let mut functions: Vec<Option<FuncId>> = Vec::new();
        let mut kept = PrimaryMap::new();
        let mut bodies: Vec<Function> = Vec::new();
        let decls = std::mem::take(&mut module.functions);
        for ((_, mut decl), is_needed) in decls.into_iter().zip(&self.functions) {
            if !is_needed {
                functions.push(None);
                continue;
            }
            let id: FuncId = kept.next_key();
            functions.push(Some(id));
            decl.value = value_of(decl.value);
            let body = decl.body.and_then(|body| module.bodies.get(body as usize));
            if let Some(body) = body {
                let mut body = body.clone();
                body.id = id;
                decl.body = u32::try_from(bodies.len()).ok();
                bodies.push(body);
            }
            kept.push(decl);
        }
        module.functions = kept;
        module.bodies = bodies;
        for body in &mut module.bodies {
            body.first_value = u32::try_from(first_new).unwrap_or(u32::MAX);
            body.map_values(value_of);
        }
        let mut globals: Vec<GlobalId> = Vec::new();
        let mut kept = PrimaryMap::new();
        for (_, mut global) in std::mem::take(&mut module.globals) {
            globals.push(kept.next_key());
            if self.values.get(global.value.index()) == Some(&true) {
                global.value = value_of(global.value);
                global.initializer = global.initializer.map(value_of);
                kept.push(global);
            }
        }
        module.globals = kept;
        for value in &mut module.value_pool {
            *value = value_of(*value);
        }
        for data in &mut values {
            match &mut data.def {
                ValueDef::Global(id) => *id = globals.get(id.index()).copied().unwrap_or(*id),
                ValueDef::Function(id) => {
                    *id = functions.get(id.index()).copied().flatten().unwrap_or(*id);
                }
                ValueDef::Constant(Constant::Expr(expression)) => {
                    expression.for_each_own_operand(|value| *value = value_of(*value));
                }
                _ => {}
            }
        }
        module.values = values;
        let function_of = |id: FuncId| functions.get(id.index()).copied().flatten();
        for entry in &mut shader.entry_points {
            entry.function = entry.function.and_then(function_of);
            if let Stage::Hull {
                patch_constant_function,
                ..
            } = &mut entry.stage
            {
                *patch_constant_function = patch_constant_function.and_then(function_of);
            }
        }
        for resource in shader.resources.iter_mut() {
            resource.variable = resource.variable.map(value_of);
        }
        keep_nodes(shader, nodes, value_of);
    }
}

/// Leaves out metadata nodes, and gives the others their numbers.
fn keep_nodes(shader: &mut Shader, nodes: &[bool], value_of: impl Fn(ValueId) -> ValueId) {
    let metadata = &mut shader.module.metadata;
    let mut numbers: Vec<MdId> = Vec::with_capacity(nodes.len());
    let mut kept = PrimaryMap::new();
    for ((_, mut node), is_needed) in std::mem::take(&mut metadata.nodes).into_iter().zip(nodes) {
        numbers.push(kept.next_key());
        if *is_needed {
            if let MdNode::Value(value) = &mut node {
                *value = value_of(*value);
            }
            kept.push(node);
        }
    }
    metadata.nodes = kept;
    let node_of = |node: MdId| numbers.get(node.index()).copied().unwrap_or(node);
    drop_lists(metadata);
    for operand in metadata.operands.iter_mut().flatten() {
        *operand = node_of(*operand);
    }
    for body in &mut shader.module.bodies {
        for (.., node) in &mut body.attachments {
            *node = node_of(*node);
        }
        for (_, node) in &mut body.function_attachments {
            *node = node_of(*node);
        }
        for data in &mut body.values {
            if let ValueDef::Metadata(node) = &mut data.def {
                *node = node_of(*node);
            }
        }
    }
    for entry in &mut shader.entry_points {
        for (_, node) in &mut entry.other_properties {
            *node = node.map(node_of);
        }
    }
}

/// Removes the lists that are written anew.
fn drop_lists(metadata: &mut Metadata) {
    let kept = metadata.named.iter();
    let kept = kept.filter(|named| !WRITTEN_LISTS.contains(&&*metadata.name_of(named)));
    metadata.named = kept.copied().collect();
}

/// Appends the values that a body's instructions and constants use.
fn of_body(body: &Function, pending: &mut Vec<ValueId>) {
    for data in body.insts.values() {
        body.for_each_operand(&data.inst, |value| pending.push(value));
    }
    for data in &body.values {
        if let ValueDef::Constant(constant) = data.def {
            constant.for_each_operand(&body.value_pool, |value| pending.push(value));
        }
    }
}

/// Leaves out constants and lists that a body does not use. Arguments come first, then constants,
/// then results, as in bitcode.
fn compact(body: &mut Function) {
    let first = body.first_value as usize;
    let local = |value: ValueId| value.index().checked_sub(first);
    let mut is_needed = vec![false; body.values.len()];
    let mut pending: Vec<ValueId> = Vec::new();
    for data in body.insts.values() {
        body.for_each_operand(&data.inst, |value| pending.push(value));
        pending.extend(data.result.expand());
    }
    while let Some(value) = pending.pop() {
        match local(value).and_then(|index| is_needed.get_mut(index)) {
            Some(slot) if !*slot => *slot = true,
            _ => continue,
        }
        let data = local(value).and_then(|index| body.values.get(index));
        if let Some(ValueDef::Constant(constant)) = data.map(|data| data.def) {
            constant.for_each_operand(&body.value_pool, |value| pending.push(value));
        }
    }
    let mut numbers: Vec<Option<ValueId>> = vec![None; body.values.len()];
    let mut values: Vec<ValueData> = Vec::new();
    let kinds: [fn(&ValueDef) -> bool; 3] = [
        |def| matches!(def, ValueDef::Argument(_)),
        |def| matches!(def, ValueDef::Constant(_) | ValueDef::Metadata(_)),
        |def| matches!(def, ValueDef::Inst(_)),
    ];
    let arguments = body.arg_count as usize;
    for kind in kinds {
        let old = body.values.iter().zip(&is_needed).enumerate();
        for (number, (index, (data, is_needed))) in numbers.iter_mut().zip(old) {
            // Those of inlined functions have become what they were called with.
            let is_kept = match data.def {
                ValueDef::Argument(_) => index < arguments,
                _ => *is_needed,
            };
            if kind(&data.def) && is_kept {
                *number = Some(ValueId::new(first + values.len()));
                values.push(*data);
            }
        }
    }
    let value_of = |value: ValueId| match local(value) {
        None => value,
        Some(index) => numbers.get(index).copied().flatten().unwrap_or(value),
    };
    body.value_names.retain(|(value, _)| {
        local(*value).is_none_or(|at| numbers.get(at).is_some_and(Option::is_some))
    });
    let value_pool = std::mem::take(&mut body.value_pool);
    let edge_pool = std::mem::take(&mut body.edge_pool);
    let copy = |list: &mut List<ValueId>, out: &mut Vec<ValueId>| {
        let start = out.len();
        out.extend_from_slice(value_pool.get(list.range()).unwrap_or_default());
        *list = List::from_range(start..out.len());
    };
    let mut pool: Vec<ValueId> = Vec::new();
    let mut edges = Vec::new();
    for data in &mut values {
        if let ValueDef::Constant(
            Constant::Aggregate(list) | Constant::Expr(ConstantExpr::Gep { operands: list, .. }),
        ) = &mut data.def
        {
            copy(list, &mut pool);
        }
    }
    for data in body.insts.values_mut() {
        match &mut data.inst {
            Inst::Call { args: list, .. } | Inst::Gep { operands: list, .. } => {
                copy(list, &mut pool);
            }
            Inst::Phi { incoming: list } | Inst::Switch { cases: list, .. } => {
                let start = edges.len();
                edges.extend_from_slice(edge_pool.get(list.range()).unwrap_or_default());
                *list = List::from_range(start..edges.len());
            }
            _ => {}
        }
    }
    body.values = values;
    body.value_pool = pool;
    body.edge_pool = edges;
    body.map_values(value_of);
}
