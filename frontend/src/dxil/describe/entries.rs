//! `dx.entryPoints` (DXIL document, "Entry points").

use super::nodes::NodeWriter;
use super::signatures;
use crate::dxil::entry_points::tag;
use crate::dxil::{EntryPoint, Shader, ShaderFlags, ShaderKind, Stage};
use crate::error::{Error, Result};
use crate::ir::{FuncId, MdId};

/// Returns the entry points.
pub(super) fn list(
    out: &mut NodeWriter,
    shader: &Shader,
    resources: Option<MdId>,
) -> Result<Vec<MdId>> {
    let mut nodes = Vec::with_capacity(shader.entry_points.len());
    for item in &shader.entry_points {
        nodes.push(entry(out, shader, item, resources)?);
    }
    Ok(nodes)
}

fn entry(
    out: &mut NodeWriter,
    shader: &Shader,
    entry: &EntryPoint,
    resources: Option<MdId>,
) -> Result<MdId> {
    let is_library = shader.shader_model.kind == ShaderKind::Library;
    let mut lists = Vec::new();
    for elements in [&entry.inputs, &entry.outputs, &entry.patch_constants] {
        lists.push(signatures::list(out, elements)?);
    }
    let signatures = if lists.iter().any(Option::is_some) {
        Some(out.tuple(&lists)?)
    } else {
        None
    };
    // A library lists its resources in the entry that stands for the whole module.
    let resources = resources.filter(|_| !is_library || entry.function.is_none());
    let operands = [
        function(out, shader, entry.function),
        Some(out.text(&entry.name)?),
        signatures,
        resources,
        properties(out, shader, entry, is_library)?,
    ];
    out.tuple(&operands)
}

fn function(out: &mut NodeWriter, shader: &Shader, id: Option<FuncId>) -> Option<MdId> {
    let decl = shader.module.functions.get(id?)?;
    Some(out.value(decl.value))
}

/// Properties under construction: tags and values.
struct Properties(Vec<Option<MdId>>);

impl Properties {
    fn add(&mut self, out: &mut NodeWriter, tag: u64, value: MdId) -> Result<()> {
        let tag = out.u32(u32::try_from(tag).unwrap_or(u32::MAX))?;
        self.0.extend([Some(tag), Some(value)]);
        Ok(())
    }
}

fn numbers(out: &mut NodeWriter, numbers: &[u32]) -> Result<MdId> {
    let mut operands = Vec::with_capacity(numbers.len());
    for number in numbers {
        operands.push(Some(out.u32(*number)?));
    }
    out.tuple(&operands)
}

fn properties(
    out: &mut NodeWriter,
    shader: &Shader,
    entry: &EntryPoint,
    is_library: bool,
) -> Result<Option<MdId>> {
    let mut list = Properties(Vec::new());
    if is_library && entry.function.is_some() {
        let kind = out.u32(entry.kind.number())?;
        list.add(out, tag::SHADER_KIND, kind)?;
    }
    if entry.flags != ShaderFlags::empty() {
        let flags = out.u64(entry.flags.bits())?;
        list.add(out, tag::SHADER_FLAGS, flags)?;
    }
    stage(out, shader, entry, &mut list)?;
    // Mesh and amplification shaders have their threads in the state of their stage.
    let has_own = matches!(
        entry.stage,
        Stage::Mesh { .. } | Stage::Amplification { .. }
    );
    if let Some(threads) = entry.num_threads.filter(|_| !has_own) {
        let threads = numbers(out, &threads)?;
        list.add(out, tag::NUM_THREADS, threads)?;
    }
    if let Some(size) = entry.wave_size {
        // Shader model 6.8 replaced the single size by a range.
        let (tag, size) =
            if size.min == size.max && size.preferred == 0 && shader.shader_model.minor < 8 {
                (tag::WAVE_SIZE, numbers(out, &[size.min])?)
            } else {
                let range = [size.min, size.max, size.preferred];
                (tag::WAVE_SIZE_RANGE, numbers(out, &range)?)
            };
        list.add(out, tag, size)?;
    }
    for (tag, bytes) in [
        (tag::PAYLOAD_SIZE, entry.payload_bytes),
        (tag::ATTRIBUTE_SIZE, entry.attribute_bytes),
    ] {
        if let Some(bytes) = bytes {
            let bytes = out.u32(bytes)?;
            list.add(out, tag, bytes)?;
        }
    }
    if let Some(space) = entry.auto_binding_space {
        let space = numbers(out, &[space])?;
        list.add(out, tag::AUTO_BINDING_SPACE, space)?;
    }
    if let Some(bytes) = &entry.root_signature {
        let bytes = out.bytes(bytes)?;
        let bytes = out.tuple(&[Some(bytes)])?;
        list.add(out, tag::ROOT_SIGNATURE, bytes)?;
    }
    for (tag, value) in &entry.other_properties {
        list.0.push(Some(out.u32(*tag)?));
        list.0.push(*value);
    }
    out.tuple_or_null(&list.0)
}

/// Adds the state of a stage.
fn stage(
    out: &mut NodeWriter,
    shader: &Shader,
    entry: &EntryPoint,
    list: &mut Properties,
) -> Result<()> {
    let threads = entry.num_threads.unwrap_or([1; 3]);
    let (tag, state) = match &entry.stage {
        Stage::Other => return Ok(()),
        Stage::Geometry {
            input,
            max_vertices,
            active_streams,
            topology,
            instances,
        } => {
            let state = [
                u32::from(input.number()),
                *max_vertices,
                *active_streams,
                u32::from(topology.number()),
                *instances,
            ];
            (tag::GEOMETRY, numbers(out, &state)?)
        }
        Stage::Domain {
            domain,
            input_control_points,
        } => {
            let state = [u32::from(domain.number()), *input_control_points];
            (tag::DOMAIN, numbers(out, &state)?)
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
            let mut state = vec![function(out, shader, *patch_constant_function)];
            for number in [
                *input_control_points,
                *output_control_points,
                u32::from(domain.number()),
                u32::from(partitioning.number()),
                u32::from(output.number()),
            ] {
                state.push(Some(out.u32(number)?));
            }
            state.push(Some(out.f32(*max_tessellation_factor)?));
            (tag::HULL, out.tuple(&state)?)
        }
        Stage::Mesh {
            max_vertices,
            max_primitives,
            topology,
            payload_bytes,
        } => {
            let threads = numbers(out, &threads)?;
            let mut state = vec![Some(threads)];
            let topology = u32::from(topology.number());
            for number in [*max_vertices, *max_primitives, topology, *payload_bytes] {
                state.push(Some(out.u32(number)?));
            }
            (tag::MESH, out.tuple(&state)?)
        }
        Stage::Amplification { payload_bytes } => {
            let threads = numbers(out, &threads)?;
            let state = [Some(threads), Some(out.u32(*payload_bytes)?)];
            (tag::AMPLIFICATION, out.tuple(&state)?)
        }
        Stage::Node(_) => {
            return Err(Error::unsupported(
                "writing the properties of work graph nodes",
            ));
        }
    };
    list.add(out, tag, state)
}
