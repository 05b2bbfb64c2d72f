//! Sections of the parts in the runtime data format: RDAT and PDBI.

use dxil_frontend::Error;
use dxil_frontend::container::pdb_info::{PdbLibrary, PdbRecord, PdbSource};
use dxil_frontend::container::rdat::{
    BytesRef, FunctionRecord, FunctionStage, IndexArrayRef, IoNode, NodeFunctionAttribute,
    NodeIdRecord, NodeIoAttribute, NodeShader, RecordArrayRef, RecordRef, ResourceRecord,
    StringArrayRef, StringRef, Subobject, SubobjectKind,
};
use dxil_frontend::container::{PdbInfo, Rdat};
use dxil_frontend::dxil::ShaderKind;
use serde_json::{Map, Value, json};

use crate::describe::{Fields, flags, hex, letter, list, name, register_range};
use crate::root_signature;

type Result<T = Value> = std::result::Result<T, Error>;

pub(crate) fn section(rdat: &Rdat<'_>) -> Result {
    let mut fields = Fields::default();
    fields.set(
        "sub_parts",
        list(rdat.sub_parts(), |part| {
            json!({
                "type": sub_part_name(part.ty),
                "offset": part.offset,
                "bytes": part.data.len(),
            })
        }),
    );
    fields.set("functions", rows(rdat, function)?);
    fields.set("resources", rows(rdat, resource)?);
    if rdat.count::<Subobject>() != 0 {
        fields.set("subobjects", rows(rdat, subobject)?);
    }
    Ok(fields.finish())
}

fn sub_part_name(ty: u32) -> Value {
    let known = [
        (1, "strings"),
        (2, "index arrays"),
        (3, "resources"),
        (4, "functions"),
        (5, "raw bytes"),
        (6, "subobjects"),
        (7, "node ids"),
        (8, "node input/output attributes"),
        (9, "node function attributes"),
        (10, "node inputs/outputs"),
        (11, "node shaders"),
        (13, "signature elements"),
        (14, "vertex shaders"),
        (15, "pixel shaders"),
        (16, "hull shaders"),
        (17, "domain shaders"),
        (18, "geometry shaders"),
        (19, "compute shaders"),
        (20, "mesh shaders"),
        (21, "amplification shaders"),
    ];
    known
        .iter()
        .find(|(number, _)| *number == ty)
        .map_or_else(|| json!(format!("{ty:#x}")), |(_, name)| json!(name))
}

fn rows<T: dxil_frontend::container::rdat::RdatRecord>(
    rdat: &Rdat<'_>,
    f: impl Fn(&Rdat<'_>, &T) -> Result,
) -> Result {
    let values: Result<Vec<Value>> = rdat.iter::<T>().map(|row| f(rdat, &row?)).collect();
    Ok(Value::Array(values?))
}

fn string(rdat: &Rdat<'_>, reference: StringRef) -> Result {
    Ok(json!(rdat.string(reference)?))
}

fn strings(rdat: &Rdat<'_>, reference: StringArrayRef) -> Result {
    let texts: Result<Vec<&str>> = rdat.string_array(reference)?.collect();
    Ok(json!(texts?))
}

fn numbers(rdat: &Rdat<'_>, reference: IndexArrayRef) -> Result {
    Ok(list(rdat.index_array(reference)?.iter(), Value::from))
}

fn array<T: dxil_frontend::container::rdat::RdatRecord>(
    rdat: &Rdat<'_>,
    reference: RecordArrayRef<T>,
    f: impl Fn(&T) -> Result,
) -> Result {
    let values: Result<Vec<Value>> = rdat.records(reference)?.map(|record| f(&record?)).collect();
    Ok(Value::Array(values?))
}

fn resource(rdat: &Rdat<'_>, resource: &ResourceRecord) -> Result {
    Ok(json!({
        "name": rdat.string(resource.name)?,
        "class": name(resource.class),
        "id": resource.id,
        "kind": name(resource.kind),
        "registers": register_range(
            letter(Some(resource.class)),
            resource.lower_bound,
            resource.upper_bound,
            resource.space,
        ),
        "flags": flags(resource.flags),
    }))
}

fn function(rdat: &Rdat<'_>, function: &FunctionRecord) -> Result {
    let target = function.min_shader_target;
    // The stage is in the upper half, the shader model below it.
    let target_kind = ShaderKind::from_number(u64::from(target >> 16));
    let mut fields = Fields::default();
    fields
        .set("name", string(rdat, function.unmangled_name)?)
        .set("mangled", string(rdat, function.name)?)
        .set("kind", name(function.kind))
        .set(
            "min_target",
            format!(
                "{}_{}_{}",
                target_kind.map_or("?", ShaderKind::prefix),
                target >> 4 & 0xf,
                target & 0xf
            ),
        )
        .set("stages", stages(function.stage_mask))
        .set("features", flags(function.features))
        .set("payload_bytes", function.payload_bytes)
        .set("attribute_bytes", function.attribute_bytes)
        .set(
            "resources",
            array(rdat, function.resources, |r| string(rdat, r.name))?,
        )
        .set("dependencies", strings(rdat, function.dependencies)?);
    if let Some(lanes) = function.wave_lanes {
        fields
            .set("wave_lanes", json!([lanes.min, lanes.max]))
            .set("flags", flags(function.flags));
    }
    if let FunctionStage::Node(reference) = function.stage
        && let Some(node) = rdat.record(reference)?
    {
        fields.set("node", node_shader(rdat, &node)?);
    }
    Ok(fields.finish())
}

fn stages(mask: u32) -> Value {
    let kinds = ShaderKind::ALL
        .iter()
        .filter(|kind| mask >> (**kind as u32) & 1 != 0);
    list(kinds, |kind| json!(kind.prefix()))
}

fn node_shader(rdat: &Rdat<'_>, node: &NodeShader) -> Result {
    Ok(json!({
        "launch": name(node.launch),
        "group_shared_bytes": node.group_shared_bytes,
        "attributes": array(rdat, node.attributes, |a| node_attribute(rdat, a)).map(merged)?,
        "inputs": array(rdat, node.inputs, |io| io_node(rdat, io))?,
        "outputs": array(rdat, node.outputs, |io| io_node(rdat, io))?,
    }))
}

/// Returns a list of objects as one object, if no two have a field in common.
fn merged(objects: Value) -> Value {
    let mut all = Map::new();
    for (key, value) in objects
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .flatten()
    {
        // One object cannot hold two attributes of one kind.
        if all.insert(key.clone(), value.clone()).is_some() {
            return objects;
        }
    }
    Value::Object(all)
}

fn node_id(rdat: &Rdat<'_>, reference: RecordRef<NodeIdRecord>) -> Result {
    Ok(match rdat.record(reference)? {
        Some(id) => json!(format!("{}[{}]", rdat.string(id.name)?, id.index)),
        None => Value::Null,
    })
}

fn node_attribute(rdat: &Rdat<'_>, attribute: &NodeFunctionAttribute) -> Result {
    Ok(match *attribute {
        NodeFunctionAttribute::Id(id) => json!({ "id": node_id(rdat, id)? }),
        NodeFunctionAttribute::NumThreads(n) => json!({ "num_threads": numbers(rdat, n)? }),
        NodeFunctionAttribute::ShareInputOf(id) => {
            json!({ "share_input_of": node_id(rdat, id)? })
        }
        NodeFunctionAttribute::DispatchGrid(n) => json!({ "dispatch_grid": numbers(rdat, n)? }),
        NodeFunctionAttribute::MaxRecursionDepth(n) => json!({ "max_recursion_depth": n }),
        NodeFunctionAttribute::LocalRootArgumentsTableIndex(n) => {
            json!({ "local_root_arguments_table_index": n })
        }
        NodeFunctionAttribute::MaxDispatchGrid(n) => {
            json!({ "max_dispatch_grid": numbers(rdat, n)? })
        }
        NodeFunctionAttribute::Other { kind, value } => {
            json!({ "unknown_kind": kind, "value": value })
        }
    })
}

fn io_node(rdat: &Rdat<'_>, node: &IoNode) -> Result {
    Ok(json!({
        "flags": flags(node.flags),
        "attributes": array(rdat, node.attributes, |a| io_attribute(rdat, a)).map(merged)?,
    }))
}

fn io_attribute(rdat: &Rdat<'_>, attribute: &NodeIoAttribute) -> Result {
    Ok(match *attribute {
        NodeIoAttribute::OutputId(id) => json!({ "output": node_id(rdat, id)? }),
        NodeIoAttribute::MaxRecords(n) => json!({ "max_records": n }),
        NodeIoAttribute::MaxRecordsSharedWith(n) => json!({ "max_records_shared_with": n }),
        NodeIoAttribute::RecordBytes(n) => json!({ "record_bytes": n }),
        NodeIoAttribute::RecordDispatchGrid {
            offset,
            components,
            ty,
        } => json!({ "dispatch_grid": {
            "offset": offset,
            "components": components,
            "type": name(ty),
        } }),
        NodeIoAttribute::OutputArraySize(n) => json!({ "array_size": n }),
        NodeIoAttribute::AllowSparseNodes(allow) => json!({ "allow_sparse": allow }),
        NodeIoAttribute::RecordAlignment(n) => json!({ "record_alignment": n }),
        NodeIoAttribute::Other { kind, value } => {
            json!({ "unknown_kind": kind, "value": value })
        }
    })
}

fn subobject(rdat: &Rdat<'_>, subobject: &Subobject) -> Result {
    let mut fields = Fields::default();
    fields.set("name", string(rdat, subobject.name)?);
    match subobject.kind {
        SubobjectKind::StateObjectConfig { flags } => {
            fields.set("kind", "StateObjectConfig").set("flags", flags);
        }
        SubobjectKind::GlobalRootSignature(bytes) => {
            fields
                .set("kind", "GlobalRootSignature")
                .set("root_signature", nested_root_signature(rdat, bytes)?);
        }
        SubobjectKind::LocalRootSignature(bytes) => {
            fields
                .set("kind", "LocalRootSignature")
                .set("root_signature", nested_root_signature(rdat, bytes)?);
        }
        SubobjectKind::SubobjectToExportsAssociation { subobject, exports } => {
            fields
                .set("kind", "SubobjectToExportsAssociation")
                .set("subobject", string(rdat, subobject)?)
                .set("exports", strings(rdat, exports)?);
        }
        SubobjectKind::RaytracingShaderConfig {
            max_payload_bytes,
            max_attribute_bytes,
        } => {
            fields
                .set("kind", "RaytracingShaderConfig")
                .set("max_payload_bytes", max_payload_bytes)
                .set("max_attribute_bytes", max_attribute_bytes);
        }
        SubobjectKind::RaytracingPipelineConfig {
            max_recursion_depth,
            flags,
        } => {
            fields
                .set("kind", "RaytracingPipelineConfig")
                .set("max_recursion_depth", max_recursion_depth)
                .set_some("flags", flags);
        }
        SubobjectKind::HitGroup {
            kind,
            any_hit,
            closest_hit,
            intersection,
        } => {
            fields
                .set("kind", "HitGroup")
                .set("hit_by", name(kind))
                .set("any_hit", string(rdat, any_hit)?)
                .set("closest_hit", string(rdat, closest_hit)?)
                .set("intersection", string(rdat, intersection)?);
        }
        SubobjectKind::Other(kind) => {
            fields.set("kind", kind);
        }
    }
    Ok(fields.finish())
}

fn nested_root_signature(rdat: &Rdat<'_>, bytes: BytesRef) -> Result {
    rdat.root_signature(bytes)
        .map(|root| root_signature::section(&root))
}

pub(crate) fn pdb_section(info: &PdbInfo<'_>) -> Result {
    let rdat = info.rdat()?;
    let mut fields = Fields::default();
    fields
        .set("version", info.version)
        .set("compression", name(info.compression));
    for record in rdat.iter::<PdbRecord>() {
        let record = record?;
        let arguments: Result<Vec<&str>> = rdat.string_array(record.arguments)?.collect();
        fields
            .set("name", string(&rdat, record.pdb_name)?)
            .set("hash", hex(rdat.bytes(record.hash)?))
            .set("arguments", json!(arguments?))
            .set(
                "files",
                array(&rdat, record.sources, |source: &PdbSource| {
                    Ok(json!({
                        "name": rdat.string(source.name)?,
                        "text": rdat.string(source.content)?,
                    }))
                })?,
            )
            .set(
                "libraries",
                array(&rdat, record.libraries, |library: &PdbLibrary| {
                    string(&rdat, library.name)
                })?,
            )
            .set("whole_dxil_bytes", record.whole_dxil.size);
    }
    Ok(fields.finish())
}
