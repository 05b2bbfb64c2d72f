//! `dx.entryPoints`: entry points and their properties.

use super::interpretation::{Direction, Interpretation, interpretation};
use super::metadata::{Meta, operand};
use super::shader::{
    DomainShape, EntryPoint, InputPrimitive, OutputTopology, Stage, TessellatorOutput,
    TessellatorPartitioning, WaveSize,
};
use super::shader_kind::ShaderKind;
use super::{MeshOutputs, MeshTopology, Node, SemanticKind, ShaderFlags, nodes, signature};
use crate::error::{Error, Result};
use crate::ir::MdId;

/// Tags of the properties' list.
pub(super) mod tag {
    pub(in crate::dxil) const SHADER_FLAGS: u64 = 0;
    pub(in crate::dxil) const GEOMETRY: u64 = 1;
    pub(in crate::dxil) const DOMAIN: u64 = 2;
    pub(in crate::dxil) const HULL: u64 = 3;
    pub(in crate::dxil) const NUM_THREADS: u64 = 4;
    pub(in crate::dxil) const AUTO_BINDING_SPACE: u64 = 5;
    pub(in crate::dxil) const PAYLOAD_SIZE: u64 = 6;
    pub(in crate::dxil) const ATTRIBUTE_SIZE: u64 = 7;
    pub(in crate::dxil) const SHADER_KIND: u64 = 8;
    pub(in crate::dxil) const MESH: u64 = 9;
    pub(in crate::dxil) const AMPLIFICATION: u64 = 10;
    pub(in crate::dxil) const WAVE_SIZE: u64 = 11;
    pub(in crate::dxil) const ROOT_SIGNATURE: u64 = 12;
    pub(in crate::dxil) const WAVE_SIZE_RANGE: u64 = 23;
}

/// Reads `dx.entryPoints`; `kind` is the module's shader kind. Leaves out what `handle` accepts the
/// error of.
pub(super) fn decode(
    meta: &Meta<'_>,
    kind: ShaderKind,
    handle: &mut dyn FnMut(Error) -> Result<()>,
) -> Result<Vec<EntryPoint>> {
    let mut entries = Vec::new();
    for node in meta.module.metadata.named("dx.entryPoints") {
        match decode_entry_point(meta, node, kind) {
            Ok(entry) => entries.push(entry),
            Err(error) => handle(error)?,
        }
    }
    Ok(entries)
}

/// Returns the resources that the first entry point names, for modules without `dx.resources`.
pub(super) fn resources_of_first(meta: &Meta<'_>) -> Option<MdId> {
    let entry = meta.module.metadata.named("dx.entryPoints").next()?;
    operand(meta.module.metadata.tuple(entry)?, 3)
}

fn decode_entry_point(meta: &Meta<'_>, node: MdId, kind: ShaderKind) -> Result<EntryPoint> {
    let operands = meta.tuple(Some(node), "entry point")?;
    let mut entry = EntryPoint {
        function: meta.function(operand(operands, 0), "entry point's function")?,
        name: meta.text(operand(operands, 1), "entry point's name")?,
        kind,
        inputs: Vec::new(),
        outputs: Vec::new(),
        patch_constants: Vec::new(),
        flags: ShaderFlags::empty(),
        num_threads: None,
        wave_size: None,
        payload_bytes: None,
        attribute_bytes: None,
        auto_binding_space: None,
        root_signature: None,
        other_properties: Vec::new(),
        stage: Stage::Other,
        unknown_number: None,
    };
    let signatures = meta.tuple_or_null(operand(operands, 2), "entry point's signatures")?;
    entry.inputs = signature::decode(meta, operand(signatures, 0))?;
    entry.outputs = signature::decode(meta, operand(signatures, 1))?;
    entry.patch_constants = signature::decode(meta, operand(signatures, 2))?;
    for (tag, value) in meta.pairs(operand(operands, 4), "entry point's properties")? {
        let tag = meta.int(tag, "tag of an entry point's property")?;
        decode_property(meta, tag, value, &mut entry)?;
    }
    // The metadata counts mesh nodes among the nodes.
    if entry.kind == ShaderKind::Node && entry.stage.kind() == Some(ShaderKind::Mesh) {
        entry.kind = ShaderKind::Mesh;
    }
    forget_arbitrary_system_values(&mut entry);
    // A hull shader without control-point function passes its control points through.
    let passes_through = matches!(
        entry.stage,
        Stage::Hull {
            patch_constant_function: Some(_),
            ..
        }
    );
    // A library lists one entry without function that holds what concerns the whole module.
    if kind != ShaderKind::Library && entry.function.is_none() && !passes_through {
        return Err(Error::malformed(
            "metadata: the entry point has no function",
        ));
    }
    Ok(entry)
}

/// Makes system values arbitrary where the signature has them like any value of the user ("Arb" in
/// the DXIL document, "HLSL signatures and semantics"). DXC writes them so; other metadata may keep
/// the kind, of which DXC's reader takes no notice.
fn forget_arbitrary_system_values(entry: &mut EntryPoint) {
    let kind = entry.kind;
    for (direction, elements) in [
        (Direction::Input, &mut entry.inputs),
        (Direction::Output, &mut entry.outputs),
        (Direction::Third, &mut entry.patch_constants),
    ] {
        for element in elements {
            let how = interpretation(element.semantic, kind, direction, u8::MAX);
            if how == Interpretation::Arbitrary {
                element.semantic = SemanticKind::Arbitrary;
            }
        }
    }
}

fn decode_property(
    meta: &Meta<'_>,
    tag: u64,
    value: Option<MdId>,
    entry: &mut EntryPoint,
) -> Result<()> {
    match tag {
        tag::SHADER_FLAGS => {
            let bits = meta.int(value, "shader flags")?;
            entry.flags = ShaderFlags::from_bits_retain(bits);
        }
        tag::GEOMETRY => entry.stage = decode_geometry(meta, value, entry)?,
        tag::DOMAIN => {
            let state = meta.tuple(value, "domain shader state")?;
            let mut numbers = StateNumbers { meta, state, entry };
            let domain = numbers.get(0, "tessellator domain", DomainShape::from_number)?;
            entry.stage = Stage::Domain {
                domain: domain.unwrap_or(DomainShape::Undefined),
                input_control_points: meta.u32(operand(state, 1), "input control points")?,
            };
        }
        tag::HULL => entry.stage = decode_hull(meta, value, entry)?,
        tag::NUM_THREADS => entry.num_threads = Some(decode_threads(meta, value)?),
        tag::AUTO_BINDING_SPACE => {
            // A list of one number; older compilers wrote the number itself.
            let space = if meta.is_value(value) {
                value
            } else {
                operand(meta.tuple(value, "space of automatic bindings")?, 0)
            };
            entry.auto_binding_space = Some(meta.u32(space, "space of automatic bindings")?);
        }
        tag::PAYLOAD_SIZE => entry.payload_bytes = Some(meta.u32(value, "payload size")?),
        tag::ATTRIBUTE_SIZE => entry.attribute_bytes = Some(meta.u32(value, "attribute size")?),
        tag::SHADER_KIND => {
            // A library has entry points of several stages, so the module's kind does not tell.
            entry.kind = meta.enumerator(value, "shader kind", ShaderKind::from_number)?;
        }
        tag::MESH => decode_mesh(meta, value, entry)?,
        tag::AMPLIFICATION => {
            let state = meta.tuple(value, "amplification shader state")?;
            entry.num_threads = Some(decode_threads(meta, operand(state, 0))?);
            entry.stage = Stage::Amplification {
                payload_bytes: meta.u32(operand(state, 1), "payload size")?,
            };
        }
        tag::WAVE_SIZE => {
            let size = meta.tuple(value, "wave size")?;
            let lanes = meta.u32(operand(size, 0), "wave size")?;
            entry.wave_size = Some(WaveSize {
                min: lanes,
                max: lanes,
                preferred: 0,
            });
        }
        tag::WAVE_SIZE_RANGE => {
            let size = meta.tuple(value, "wave size")?;
            let min = meta.u32(operand(size, 0), "least wave size")?;
            let max = meta.u32(operand(size, 1), "largest wave size")?;
            entry.wave_size = Some(WaveSize {
                min,
                // One size is written as a range whose end is 0.
                max: if max == 0 { min } else { max },
                preferred: meta.u32(operand(size, 2), "preferred wave size")?,
            });
        }
        tag::ROOT_SIGNATURE => {
            let list = meta.tuple(value, "root signature")?;
            let bytes = meta.numbers(operand(list, 0), "root signature")?;
            // An array of `i8`, so the mask loses nothing.
            let bytes = bytes.iter().map(|byte| (byte & 0xff) as u8).collect();
            entry.root_signature = Some(bytes);
        }
        nodes::tag::FIRST..=nodes::tag::LAST => {
            // Properties may come in any order, so the first one of a node makes its state.
            if !matches!(entry.stage, Stage::Node(_)) {
                let mut node = Node::new();
                node.mesh = entry.stage.mesh_outputs();
                entry.stage = Stage::Node(Box::new(node));
            }
            if let Stage::Node(node) = &mut entry.stage {
                node.decode_property(meta, tag, value)?;
            }
        }
        _ => {
            let tag = u32::try_from(tag).unwrap_or(u32::MAX);
            entry.other_properties.push((tag, value));
        }
    }
    Ok(())
}

fn decode_threads(meta: &Meta<'_>, value: Option<MdId>) -> Result<[u32; 3]> {
    let list = meta.tuple(value, "thread group size")?;
    let size = |index| meta.u32(operand(list, index), "thread group size");
    Ok([size(0)?, size(1)?, size(2)?])
}

/// The subject of [`EntryPoint::unknown_number`] for a geometry shader's input primitive.
pub(crate) const INPUT_PRIMITIVE: &str = "input primitive";

fn decode_geometry(meta: &Meta<'_>, value: Option<MdId>, entry: &mut EntryPoint) -> Result<Stage> {
    let state = meta.tuple(value, "geometry shader state")?;
    let mut numbers = StateNumbers { meta, state, entry };
    Ok(Stage::Geometry {
        input: numbers
            .get(0, INPUT_PRIMITIVE, InputPrimitive::from_number)?
            .unwrap_or(InputPrimitive::Undefined),
        max_vertices: meta.u32(operand(state, 1), "vertices of a geometry shader")?,
        active_streams: meta.u32(operand(state, 2), "streams of a geometry shader")?,
        topology: numbers
            .get(3, "output topology", OutputTopology::from_number)?
            .unwrap_or(OutputTopology::Undefined),
        instances: meta.u32(operand(state, 4), "instances of a geometry shader")?,
    })
}

fn decode_hull(meta: &Meta<'_>, value: Option<MdId>, entry: &mut EntryPoint) -> Result<Stage> {
    let state = meta.tuple(value, "hull shader state")?;
    let mut numbers = StateNumbers { meta, state, entry };
    Ok(Stage::Hull {
        patch_constant_function: meta.function(operand(state, 0), "patch-constant function")?,
        input_control_points: meta.u32(operand(state, 1), "input control points")?,
        output_control_points: meta.u32(operand(state, 2), "output control points")?,
        domain: numbers
            .get(3, "tessellator domain", DomainShape::from_number)?
            .unwrap_or(DomainShape::Undefined),
        partitioning: numbers
            .get(
                4,
                "tessellator partitioning",
                TessellatorPartitioning::from_number,
            )?
            .unwrap_or(TessellatorPartitioning::Undefined),
        output: numbers
            .get(5, "tessellator output", TessellatorOutput::from_number)?
            .unwrap_or(TessellatorOutput::Undefined),
        max_tessellation_factor: meta.f32(operand(state, 6), "largest tessellation factor")?,
    })
}

fn decode_mesh(meta: &Meta<'_>, value: Option<MdId>, entry: &mut EntryPoint) -> Result<()> {
    let state = meta.tuple(value, "mesh shader state")?;
    entry.num_threads = Some(decode_threads(meta, operand(state, 0))?);
    let outputs = MeshOutputs {
        max_vertices: meta.u32(operand(state, 1), "vertices of a mesh shader")?,
        max_primitives: meta.u32(operand(state, 2), "primitives of a mesh shader")?,
        topology: meta.enumerator(
            operand(state, 3),
            "mesh topology",
            MeshTopology::from_number,
        )?,
    };
    let payload_bytes = meta.u32(operand(state, 4), "payload size")?;
    // A mesh node has the properties of both, in any order.
    if let Stage::Node(node) = &mut entry.stage {
        node.mesh = Some(outputs);
        return Ok(());
    }
    entry.stage = Stage::Mesh {
        max_vertices: outputs.max_vertices,
        max_primitives: outputs.max_primitives,
        topology: outputs.topology,
        payload_bytes,
    };
    Ok(())
}

/// The numbers in a stage's state that stand for enumerators.
struct StateNumbers<'a> {
    meta: &'a Meta<'a>,
    state: &'a [Option<MdId>],
    entry: &'a mut EntryPoint,
}

impl StateNumbers<'_> {
    /// Returns an enumerator, or `None` for a number that DXIL does not define. Such a number is
    /// kept in the entry point, so that the validator goes on to report everything else;
    /// [`EntryPoint::check_state`] refuses it before translation.
    fn get<T>(
        &mut self,
        index: usize,
        what: &'static str,
        from_number: impl FnOnce(u64) -> Option<T>,
    ) -> Result<Option<T>> {
        let number = self.meta.int(operand(self.state, index), what)?;
        let value = from_number(number);
        if value.is_none() {
            self.entry.unknown_number.get_or_insert((what, number));
        }
        Ok(value)
    }
}
