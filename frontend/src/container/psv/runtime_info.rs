//! The runtime info of PSV0: 16 bytes that each stage uses in its own way, then what each version
//! added.

use crate::dxil::{
    DomainShape, InputPrimitive, MeshTopology, OutputTopology, ShaderKind, TessellatorOutput,
};
use crate::error::{Error, ErrorKind, Result};
use crate::reader::Reader;

/// Sizes of the runtime info by version.
const SIZES: [(u8, usize); 5] = [(4, 56), (3, 52), (2, 48), (1, 36), (0, 24)];

/// The fixed-size part of PSV0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuntimeInfo {
    /// Stage; `None` in version 0 without a program header.
    pub kind: Option<ShaderKind>,
    /// Properties of this stage.
    pub stage: PsvStage,
    /// Minimum number of lanes per wave; 0 where any will do.
    pub min_wave_lanes: u32,
    /// Maximum number of lanes per wave; `u32::MAX` where any will do.
    pub max_wave_lanes: u32,
    /// The shader reads the view id (version 1).
    pub uses_view_id: bool,
    /// Input, output and patch-constant (or primitive) elements (version 1).
    pub element_counts: [u8; 3],
    /// Packed rows of the input signature (version 1).
    pub input_vectors: u8,
    /// Packed rows of each output stream (version 1); only geometry shaders have more than one.
    pub output_vectors: [u8; 4],
    /// Packed rows of the patch-constant or primitive signature (version 1).
    pub patch_constant_vectors: u8,
    /// Thread group size (version 2); zeros for stages without groups.
    pub num_threads: Option<[u32; 3]>,
    /// Offset of the entry function's name in the string table (version 3).
    pub entry_name_offset: Option<u32>,
    /// Bytes of groupshared memory (version 4).
    pub group_shared_bytes: Option<u32>,
}

/// Properties of one stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PsvStage {
    /// Nothing: compute, libraries, or an unknown stage.
    None,
    /// Vertex shader.
    Vertex {
        /// Writes a position.
        output_position: bool,
    },
    /// Hull shader.
    Hull {
        /// Control points in.
        input_control_points: u32,
        /// Control points out.
        output_control_points: u32,
        /// Domain.
        domain: DomainShape,
        /// Output primitive of the tessellator.
        output: TessellatorOutput,
    },
    /// Domain shader.
    Domain {
        /// Control points in.
        input_control_points: u32,
        /// Writes a position.
        output_position: bool,
        /// Domain.
        domain: DomainShape,
    },
    /// Geometry shader.
    Geometry {
        /// Input primitive.
        input: InputPrimitive,
        /// Output topology.
        topology: OutputTopology,
        /// Bit per stream in use.
        stream_mask: u32,
        /// Writes a position.
        output_position: bool,
        /// Maximum number of vertices per invocation (version 1).
        max_vertices: Option<u16>,
    },
    /// Pixel shader.
    Pixel {
        /// Writes depth.
        depth_output: bool,
        /// Runs once per sample.
        sample_frequency: bool,
    },
    /// Mesh shader.
    Mesh {
        /// Bytes of groupshared memory.
        group_shared_bytes: u32,
        /// Bytes of groupshared memory that depend on the view id.
        group_shared_bytes_by_view: u32,
        /// Bytes of the payload.
        payload_bytes: u32,
        /// Maximum number of vertices per group.
        max_vertices: u16,
        /// Maximum number of primitives per group.
        max_primitives: u16,
        /// Topology (version 1).
        topology: Option<MeshTopology>,
    },
    /// Amplification shader.
    Amplification {
        /// Bytes of the payload.
        payload_bytes: u32,
    },
}

pub(super) fn parse(mut reader: Reader<'_>, hint: Option<ShaderKind>) -> Result<(u8, RuntimeInfo)> {
    const WHAT: &str = "runtime info";
    let size = reader.remaining();
    // DirectX Container document, "PSV0 Part": the size tells the version, and a structure that is
    // larger than any known one is read as the largest known one.
    let Some((version, _)) = SIZES.iter().find(|(_, minimum)| size >= *minimum).copied() else {
        return Err(reader.err(ErrorKind::Truncated {
            what: WHAT,
            need: 24,
            have: size as u64,
        }));
    };
    let union = reader.sub(16, WHAT)?;
    let mut info = RuntimeInfo {
        kind: hint,
        stage: PsvStage::None,
        min_wave_lanes: reader.u32(WHAT)?,
        max_wave_lanes: reader.u32(WHAT)?,
        uses_view_id: false,
        element_counts: [0; 3],
        input_vectors: 0,
        output_vectors: [0; 4],
        patch_constant_vectors: 0,
        num_threads: None,
        entry_name_offset: None,
        group_shared_bytes: None,
    };
    let mut second_union = None;
    if version >= 1 {
        let offset = reader.offset();
        let kind = reader.u8(WHAT)?;
        info.kind = Some(ShaderKind::from_number(u64::from(kind)).ok_or_else(|| {
            Error::new(ErrorKind::BadValue {
                what: "stage of the runtime info",
                value: u64::from(kind),
                rule: "kinds are 0 to 15",
            })
            .at_offset(offset)
        })?);
        info.uses_view_id = reader.u8(WHAT)? != 0;
        second_union = Some(reader.sub(2, WHAT)?);
        info.element_counts = reader.array(WHAT)?;
        info.input_vectors = reader.u8(WHAT)?;
        info.output_vectors = reader.array(WHAT)?;
    }
    if version >= 2 {
        info.num_threads = Some([reader.u32(WHAT)?, reader.u32(WHAT)?, reader.u32(WHAT)?]);
    }
    if version >= 3 {
        info.entry_name_offset = Some(reader.u32(WHAT)?);
    }
    if version >= 4 {
        info.group_shared_bytes = Some(reader.u32(WHAT)?);
    }
    let has_patch_constants = matches!(
        info.kind,
        Some(ShaderKind::Hull | ShaderKind::Domain | ShaderKind::Mesh)
    );
    // Two bytes that each stage uses differently: geometry shaders keep their vertex count there.
    if let Some(mut second) = second_union.filter(|_| has_patch_constants) {
        info.patch_constant_vectors = second.u8(WHAT)?;
    }
    if let Some(kind) = info.kind {
        info.stage = parse_stage(union, second_union, kind)?;
    }
    Ok((version, info))
}

/// Returns the unions, by stage. The C structures pad single bytes to the next word.
fn parse_stage(
    mut r: Reader<'_>,
    second: Option<Reader<'_>>,
    kind: ShaderKind,
) -> Result<PsvStage> {
    const WHAT: &str = "stage info";
    Ok(match kind {
        ShaderKind::Vertex => PsvStage::Vertex {
            output_position: r.u8(WHAT)? != 0,
        },
        ShaderKind::Hull => PsvStage::Hull {
            input_control_points: r.u32(WHAT)?,
            output_control_points: r.u32(WHAT)?,
            domain: enumerator(&mut r, "tessellator domain", DomainShape::from_number)?,
            output: enumerator(
                &mut r,
                "tessellator output primitive",
                TessellatorOutput::from_number,
            )?,
        },
        ShaderKind::Domain => PsvStage::Domain {
            input_control_points: r.u32(WHAT)?,
            output_position: padded_bool(&mut r)?,
            domain: enumerator(&mut r, "tessellator domain", DomainShape::from_number)?,
        },
        ShaderKind::Geometry => PsvStage::Geometry {
            input: enumerator(&mut r, "input primitive", InputPrimitive::from_number)?,
            topology: enumerator(&mut r, "output topology", OutputTopology::from_number)?,
            stream_mask: r.u32(WHAT)?,
            output_position: padded_bool(&mut r)?,
            max_vertices: second.map(|mut s| s.u16(WHAT)).transpose()?,
        },
        ShaderKind::Pixel => PsvStage::Pixel {
            depth_output: r.u8(WHAT)? != 0,
            sample_frequency: r.u8(WHAT)? != 0,
        },
        ShaderKind::Mesh => PsvStage::Mesh {
            group_shared_bytes: r.u32(WHAT)?,
            group_shared_bytes_by_view: r.u32(WHAT)?,
            payload_bytes: r.u32(WHAT)?,
            max_vertices: r.u16(WHAT)?,
            max_primitives: r.u16(WHAT)?,
            topology: second.map(mesh_topology).transpose()?,
        },
        ShaderKind::Amplification => PsvStage::Amplification {
            payload_bytes: r.u32(WHAT)?,
        },
        ShaderKind::Compute
        | ShaderKind::Library
        | ShaderKind::RayGeneration
        | ShaderKind::Intersection
        | ShaderKind::AnyHit
        | ShaderKind::ClosestHit
        | ShaderKind::Miss
        | ShaderKind::Callable
        | ShaderKind::Node => PsvStage::None,
    })
}

fn padded_bool(r: &mut Reader<'_>) -> Result<bool> {
    let [byte, ..] = r.array::<4>("stage info")?;
    Ok(byte != 0)
}

fn bad(offset: u64, what: &'static str, value: u32) -> Error {
    Error::new(ErrorKind::BadValue {
        what,
        value: u64::from(value),
        rule: "D3D12 has no such number",
    })
    .at_offset(offset)
}

/// Reads the number of an enumerator.
fn enumerator<T>(
    r: &mut Reader<'_>,
    what: &'static str,
    from_number: fn(u64) -> Option<T>,
) -> Result<T> {
    let offset = r.offset();
    let number = r.u32(what)?;
    from_number(u64::from(number)).ok_or_else(|| bad(offset, what, number))
}

/// Returns the second union of a mesh shader: primitive vectors, then topology.
fn mesh_topology(mut second: Reader<'_>) -> Result<MeshTopology> {
    second.u8("stage info")?;
    let offset = second.offset();
    let number = second.u8("mesh output topology")?;
    MeshTopology::from_number(u64::from(number))
        .ok_or_else(|| bad(offset, "mesh output topology", u32::from(number)))
}
