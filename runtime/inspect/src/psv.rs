//! Section of the PSV0 part.

use dxil_frontend::container::Psv;
use dxil_frontend::container::psv::{
    ComponentMask, DependencyTable, PsvElement, PsvResource, PsvStage,
};
use dxil_frontend::dxil::{InterpolationMode, SemanticKind};
use serde_json::{Value, json};

use crate::describe::{Fields, components, flags, letter, list, name, register_range};

pub(crate) fn section(psv: &Psv<'_>) -> Value {
    let info = &psv.info;
    let mut fields = Fields::default();
    fields
        .set("version", psv.version)
        .set_some("entry", psv.entry_name)
        .set_some("stage", info.kind.map(name));
    stage(&info.stage, &mut fields);
    fields.set_some(
        "num_threads",
        // Stages without thread groups have zeros here.
        info.num_threads.filter(|n| *n != [0; 3]).map(|n| json!(n)),
    );
    fields.set("min_wave_lanes", info.min_wave_lanes);
    if info.max_wave_lanes == u32::MAX {
        fields.set("max_wave_lanes", "any");
    } else {
        fields.set("max_wave_lanes", info.max_wave_lanes);
    }
    if psv.version >= 1 {
        fields
            .set("uses_view_id", info.uses_view_id)
            .set("input_vectors", info.input_vectors)
            .set("output_vectors", json!(info.output_vectors))
            .set("patch_constant_vectors", info.patch_constant_vectors);
    }
    fields.set_some("group_shared_bytes", info.group_shared_bytes);
    fields.set("resources", list(&psv.resources, resource));
    if psv.version >= 1 {
        fields
            .set("inputs", list(&psv.inputs, element))
            .set("outputs", list(&psv.outputs, element))
            .set("patch_constants", list(&psv.patch_constants, element));
        dependencies(psv, &mut fields);
    }
    fields.finish()
}

fn stage(stage: &PsvStage, fields: &mut Fields) {
    match *stage {
        PsvStage::None => {}
        PsvStage::Vertex { output_position } => {
            fields.set("output_position", output_position);
        }
        PsvStage::Hull {
            input_control_points,
            output_control_points,
            domain,
            output,
        } => {
            fields
                .set("input_control_points", input_control_points)
                .set("output_control_points", output_control_points)
                .set("domain", name(domain))
                .set("tessellator_output", name(output));
        }
        PsvStage::Domain {
            input_control_points,
            output_position,
            domain,
        } => {
            fields
                .set("input_control_points", input_control_points)
                .set("output_position", output_position)
                .set("domain", name(domain));
        }
        PsvStage::Geometry {
            input,
            topology,
            stream_mask,
            output_position,
            max_vertices,
        } => {
            fields
                .set("input_primitive", name(input))
                .set("output_topology", name(topology))
                .set("stream_mask", stream_mask)
                .set("output_position", output_position)
                .set_some("max_vertices", max_vertices);
        }
        PsvStage::Pixel {
            depth_output,
            sample_frequency,
        } => {
            fields
                .set("depth_output", depth_output)
                .set("sample_frequency", sample_frequency);
        }
        PsvStage::Mesh {
            group_shared_bytes,
            group_shared_bytes_by_view,
            payload_bytes,
            max_vertices,
            max_primitives,
            topology,
        } => {
            fields
                .set("mesh_group_shared_bytes", group_shared_bytes)
                .set("group_shared_bytes_by_view", group_shared_bytes_by_view)
                .set("payload_bytes", payload_bytes)
                .set("max_vertices", max_vertices)
                .set("max_primitives", max_primitives)
                .set_some("topology", topology.map(name));
        }
        PsvStage::Amplification { payload_bytes } => {
            fields.set("payload_bytes", payload_bytes);
        }
    }
}

fn resource(resource: &PsvResource) -> Value {
    let mut fields = Fields::default();
    fields.set("type", name(resource.ty)).set(
        "registers",
        register_range(
            letter(resource.ty.class()),
            resource.lower_bound,
            resource.upper_bound,
            resource.space,
        ),
    );
    if let Some(extra) = resource.extra {
        fields
            .set("kind", name(extra.kind))
            .set("flags", flags(extra.flags));
    }
    fields.finish()
}

fn element(element: &PsvElement<'_>) -> Value {
    let kind = SemanticKind::from_number(u64::from(element.semantic_kind));
    let mode = InterpolationMode::from_number(u64::from(element.interpolation_mode));
    let mut fields = Fields::default();
    fields
        .set("semantic", element.semantic_name)
        .set(
            "indices",
            list(element.semantic_indices.iter(), Value::from),
        )
        .set(
            "kind",
            kind.map_or_else(|| json!(element.semantic_kind), name),
        )
        .set("type", name(element.component_type))
        .set("rows", element.rows)
        .set("columns", element.columns)
        .set(
            "start",
            element.start.map(|(row, column)| json!([row, column])),
        )
        .set(
            "interpolation",
            mode.map_or_else(|| json!(element.interpolation_mode), name),
        )
        .set("dynamic", components(element.dynamic_index_mask))
        .set("stream", element.stream)
        .finish()
}

fn dependencies(psv: &Psv<'_>, fields: &mut Fields) {
    let found = &psv.dependencies;
    for (stream, mask) in found.view_id_outputs.iter().enumerate() {
        fields.set_some(
            &stream_key("outputs_by_view_id", stream),
            mask.map(mask_list),
        );
    }
    fields.set_some(
        "patch_constants_by_view_id",
        found.view_id_patch_constants.map(mask_list),
    );
    for (stream, table) in found.inputs_to_outputs.iter().enumerate() {
        fields.set_some(
            &stream_key("outputs_by_input", stream),
            table.map(table_list),
        );
    }
    fields.set_some(
        "patch_constants_by_input",
        found.inputs_to_patch_constants.map(table_list),
    );
    fields.set_some(
        "outputs_by_patch_constant",
        found.patch_constants_to_outputs.map(table_list),
    );
}

fn stream_key(key: &str, stream: usize) -> String {
    match stream {
        0 => key.to_owned(),
        _ => format!("{key}_stream{stream}"),
    }
}

/// Returns `1.y` for component 5: row and column.
fn component_name(component: usize) -> String {
    let column = ["x", "y", "z", "w"][component % 4];
    format!("{}.{column}", component / 4)
}

fn mask_list(mask: ComponentMask<'_>) -> Value {
    list(mask.iter(), |component| json!(component_name(component)))
}

fn table_list(table: DependencyTable<'_>) -> Value {
    let rows = (0..table.input_components()).filter_map(|input| {
        let outputs = table.outputs_of(input)?;
        // Inputs without dependent outputs are left out.
        outputs.iter().next()?;
        Some(json!({ "from": component_name(input), "to": mask_list(outputs) }))
    });
    Value::Array(rows.collect())
}
