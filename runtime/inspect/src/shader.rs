//! Sections of the module's metadata: entry points and declared resources.

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::{
    EntryPoint, Node, NodeId, NodeIo, Resource, Resources, Shader, SignatureElement, Stage,
};
use dxil_frontend::ir::{FuncId, Module};
use dxil_frontend::reader::Reader;
use dxil_frontend::reflection::Reflection;
use serde_json::{Value, json};

use crate::describe::{Fields, components, flags, list, name, number, registers};
use crate::root_signature;

/// Returns versions and entry points.
pub(crate) fn section(shader: &Shader) -> Value {
    let model = shader.shader_model;
    let version = |(major, minor): (u8, u8)| format!("{major}.{minor}");
    let mut fields = Fields::default();
    fields
        .set(
            "shader_model",
            format!("{}_{}_{}", model.kind.prefix(), model.major, model.minor),
        )
        .set("dxil_version", version(shader.dxil_version))
        .set_some("validator_version", shader.validator_version.map(version))
        .set("target", &*shader.module.triple)
        .set(
            "entry_points",
            list(&shader.entry_points, |entry| entry_point(shader, entry)),
        );
    if !shader.view_id_state.is_empty() {
        fields.set("view_id_state_words", shader.view_id_state.len());
    }
    fields.finish()
}

fn function_name(module: &Module, id: FuncId) -> Value {
    module
        .functions
        .get(id)
        .map_or(Value::Null, |decl| json!(&*decl.name))
}

fn entry_point(shader: &Shader, entry: &EntryPoint) -> Value {
    let module = &shader.module;
    let mut fields = Fields::default();
    fields
        .set("name", &*entry.name)
        .set("kind", name(entry.kind))
        .set_some(
            "function",
            entry.function.map(|id| function_name(module, id)),
        )
        .set("flags", flags(entry.flags))
        .set_some("num_threads", entry.num_threads.map(|n| json!(n)));
    if let Some(wave) = entry.wave_size {
        fields.set(
            "wave_size",
            match (wave.min == wave.max, wave.preferred) {
                (true, _) => json!(wave.min),
                (false, 0) => json!(format!("{} to {}", wave.min, wave.max)),
                (false, preferred) => {
                    json!(format!("{} to {}, best {preferred}", wave.min, wave.max))
                }
            },
        );
    }
    fields
        .set_some("payload_bytes", entry.payload_bytes)
        .set_some("attribute_bytes", entry.attribute_bytes)
        .set_some("auto_binding_space", entry.auto_binding_space);
    stage(module, &entry.stage, &mut fields);
    for (key, elements) in [
        ("inputs", &entry.inputs),
        ("outputs", &entry.outputs),
        ("patch_constants", &entry.patch_constants),
    ] {
        if !elements.is_empty() {
            fields.set(key, list(elements, element));
        }
    }
    if let Some(bytes) = &entry.root_signature {
        let root = RootSignature::parse_reader(Reader::new(bytes, 0));
        fields.set(
            "root_signature",
            match root {
                Ok(root) => root_signature::section(&root),
                Err(error) => json!(format!("{} bytes, {error}", bytes.len())),
            },
        );
    }
    if !entry.other_properties.is_empty() {
        fields.set(
            "other_property_tags",
            list(&entry.other_properties, |(tag, _)| json!(tag)),
        );
    }
    fields.finish()
}

fn stage(module: &Module, stage: &Stage, fields: &mut Fields) {
    match *stage {
        Stage::Other => {}
        Stage::Geometry {
            input,
            max_vertices,
            active_streams,
            topology,
            instances,
        } => {
            fields
                .set("input_primitive", name(input))
                .set("max_vertices", max_vertices)
                .set("active_streams", active_streams)
                .set("topology", name(topology))
                .set("instances", instances);
        }
        Stage::Hull {
            patch_constant_function,
            input_control_points,
            output_control_points,
            domain,
            partitioning,
            output,
            max_tessellation_factor,
        } => {
            fields
                .set_some(
                    "patch_constant_function",
                    patch_constant_function.map(|id| function_name(module, id)),
                )
                .set("input_control_points", input_control_points)
                .set("output_control_points", output_control_points)
                .set("domain", name(domain))
                .set("partitioning", name(partitioning))
                .set("tessellator_output", name(output))
                .set("max_tessellation_factor", number(max_tessellation_factor));
        }
        Stage::Domain {
            domain,
            input_control_points,
        } => {
            fields
                .set("domain", name(domain))
                .set("input_control_points", input_control_points);
        }
        Stage::Mesh {
            max_vertices,
            max_primitives,
            topology,
            payload_bytes,
        } => {
            fields
                .set("max_vertices", max_vertices)
                .set("max_primitives", max_primitives)
                .set("topology", name(topology))
                .set("payload_bytes", payload_bytes);
        }
        Stage::Amplification { payload_bytes } => {
            fields.set("payload_bytes", payload_bytes);
        }
        Stage::Node(ref node) => {
            if let Some(mesh) = node.mesh {
                fields
                    .set("max_vertices", mesh.max_vertices)
                    .set("max_primitives", mesh.max_primitives)
                    .set("topology", name(mesh.topology));
            }
            fields.set("node", work_graph_node(node));
        }
    }
}

fn work_graph_node(node: &Node) -> Value {
    let mut fields = Fields::default();
    fields
        .set("id", node_id(&node.id))
        .set("launch", name(node.launch))
        .set("program_entry", node.is_program_entry)
        .set_some(
            "local_root_arguments_table_index",
            node.local_root_arguments_table_index,
        )
        .set_some(
            "shares_input_of",
            node.shares_input_of.as_ref().map(node_id),
        )
        .set_some("dispatch_grid", node.dispatch_grid.map(|grid| json!(grid)))
        .set_some(
            "max_dispatch_grid",
            node.max_dispatch_grid.map(|grid| json!(grid)),
        );
    if node.max_recursion_depth != 0 {
        fields.set("max_recursion_depth", node.max_recursion_depth);
    }
    for (key, all) in [("inputs", &node.inputs), ("outputs", &node.outputs)] {
        if !all.is_empty() {
            fields.set(key, list(all, node_io));
        }
    }
    fields.finish()
}

fn node_id(id: &NodeId) -> Value {
    json!(format!("{}[{}]", id.name, id.index))
}

fn node_io(io: &NodeIo) -> Value {
    let mut fields = Fields::default();
    fields
        .set_some("target", io.target.as_ref().map(node_id))
        .set("flags", flags(io.flags))
        .set("record_size", io.record_size)
        .set_some("record_alignment", io.record_alignment)
        .set("max_records", io.max_records)
        .set_some("shares_max_records_with", io.shares_max_records_with);
    if let Some(grid) = io.grid {
        let shown = format!(
            "{} {:?} at {}",
            grid.components, grid.component, grid.offset
        );
        fields.set("dispatch_grid", json!(shown));
    }
    if io.array_size != 0 {
        fields.set("array_size", io.array_size);
    }
    if io.array_size != 0 || io.allows_sparse {
        fields.set("sparse", io.allows_sparse);
    }
    fields.finish()
}

fn element(element: &SignatureElement) -> Value {
    let place = element
        .start_row
        .map(|row| json!([row, element.start_column]));
    let mut fields = Fields::default();
    fields
        .set("id", element.id)
        .set("semantic", &*element.name)
        .set("indices", json!(element.semantic_indices))
        .set("kind", name(element.semantic))
        .set("type", name(element.component))
        .set("rows", element.rows)
        .set("columns", element.columns)
        .set("start", place)
        .set("interpolation", name(element.interpolation))
        .set("usage", element.usage_mask.map(components))
        .set("dynamic", components(element.dynamic_index_mask))
        .set("stream", element.stream)
        .finish()
}

/// Returns the declared resources.
pub(crate) fn resources(resources: &Resources, reflection: &Reflection) -> Value {
    list(resources.iter(), |declared| {
        let found = reflection.at(declared.class, declared.space, declared.lower_bound);
        resource(declared, found.map_or(&declared.name, |found| &found.name))
    })
}

fn resource(resource: &Resource, name_in_source: &str) -> Value {
    let detail = &resource.detail;
    let mut facts = Vec::new();
    if let Some(component) = detail.component {
        facts.push(format!("{component:?}"));
    }
    if let Some(stride) = detail.stride {
        facts.push(format!("stride {stride}"));
    }
    if detail.cbuffer_size != 0 {
        facts.push(format!("{} bytes", detail.cbuffer_size));
    }
    if detail.sample_count != 0 {
        facts.push(format!("{} samples", detail.sample_count));
    }
    if let Some(kind) = detail.sampler {
        facts.push(format!("{kind:?}"));
    }
    if let Some(feedback) = detail.feedback {
        facts.push(format!("{feedback:?}"));
    }
    for (is_set, fact) in [
        (detail.globally_coherent, "globallycoherent"),
        (detail.has_counter, "counter"),
        (detail.rasterizer_ordered, "rasterizer ordered"),
        (detail.atomic64, "64-bit atomics"),
        (detail.reorder_coherent, "reordercoherent"),
    ] {
        if is_set {
            facts.push(fact.to_owned());
        }
    }
    json!({
        "class": name(resource.class),
        "id": resource.id,
        "name": name_in_source,
        "registers": registers(
            resource.class.letter(),
            resource.lower_bound,
            resource.count,
            resource.space,
        ),
        "kind": name(resource.kind),
        "detail": facts.join(", "),
    })
}
