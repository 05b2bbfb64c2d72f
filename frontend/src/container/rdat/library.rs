//! Functions and resources of a library.

use bitflags::bitflags;

use super::nodes::NodeShader;
use super::stages::{
    AmplificationInfo, ComputeInfo, DomainInfo, GeometryInfo, HullInfo, MeshInfo, PixelInfo,
    VertexInfo,
};
use super::{RdatRecord, RecordArrayRef, RecordReader, RecordRef, StringArrayRef, StringRef};
use crate::container::features::FeatureFlags;
use crate::dxil::{ResourceClass, ResourceKind, ShaderKind};
use crate::error::Result;

bitflags! {
    /// Flags of a resource. Unknown bits are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct ResourceRecordFlags: u32 {
        /// `globallycoherent`.
        const UAV_GLOBALLY_COHERENT = 1 << 0;
        /// Has a hidden counter.
        const UAV_COUNTER = 1 << 1;
        /// Rasterizer ordered.
        const UAV_RASTERIZER_ORDERED = 1 << 2;
        /// Indexed dynamically.
        const DYNAMIC_INDEXING = 1 << 3;
        /// 64-bit atomics use it.
        const ATOMICS64_USE = 1 << 4;
        /// `reordercoherent`.
        const UAV_REORDER_COHERENT = 1 << 5;
    }
}

/// A resource that functions of the library use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceRecord {
    /// SRV, UAV, constant buffer or sampler: what `id` counts in.
    pub class: ResourceClass,
    /// Shape.
    pub kind: ResourceKind,
    /// Range id within the class.
    pub id: u32,
    /// Register space.
    pub space: u32,
    /// First register.
    pub lower_bound: u32,
    /// Last register; `u32::MAX` is unbounded.
    pub upper_bound: u32,
    /// Name of the resource in the source.
    pub name: StringRef,
    /// Counter, coherence, order, dynamic indexing, 64-bit atomics.
    pub flags: ResourceRecordFlags,
}

impl RdatRecord for ResourceRecord {
    const TABLE: u32 = 3;
    const NAME: &'static str = "resource record";
    const MIN_BYTES: usize = 32;

    fn read(r: &mut RecordReader<'_>) -> Result<Self> {
        let class = r.u32()?;
        let class = ResourceClass::from_number(u64::from(class))
            .ok_or_else(|| r.bad("resource class", class))?;
        let kind = r.u32()?;
        let kind = ResourceKind::from_number(u64::from(kind))
            .ok_or_else(|| r.bad("resource kind", kind))?;
        Ok(ResourceRecord {
            class,
            kind,
            id: r.u32()?,
            space: r.u32()?,
            lower_bound: r.u32()?,
            upper_bound: r.u32()?,
            name: r.string()?,
            flags: ResourceRecordFlags::from_bits_retain(r.u32()?),
        })
    }
}

bitflags! {
    /// Flags of a function (validator 1.8). Unknown bits are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct FunctionFlags: u16 {
        /// A work graph may begin here.
        const NODE_PROGRAM_ENTRY = 1 << 0;
        /// Writes a position.
        const OUTPUT_POSITION_PRESENT = 1 << 1;
        /// Writes depth.
        const DEPTH_OUTPUT = 1 << 2;
        /// Runs once per sample.
        const SAMPLE_FREQUENCY = 1 << 3;
        /// Reads the view id.
        const USES_VIEW_ID = 1 << 4;
    }
}

/// Lanes per wave that a function requires; 0 is "any".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WaveLanes {
    /// Minimum number of lanes.
    pub min: u8,
    /// Maximum number of lanes.
    pub max: u8,
}

/// A function of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionRecord {
    /// Full name, mangled for library functions.
    pub name: StringRef,
    /// Name in the source.
    pub unmangled_name: StringRef,
    /// Resources that it uses.
    pub resources: RecordArrayRef<ResourceRecord>,
    /// External functions that it calls.
    pub dependencies: StringArrayRef,
    /// Stage; `Library` for a plain function.
    pub kind: ShaderKind,
    /// Bytes of a ray payload, or of a callable's parameter.
    pub payload_bytes: u32,
    /// Bytes of hit attributes.
    pub attribute_bytes: u32,
    /// Device features that it needs.
    pub features: FeatureFlags,
    /// Bit per stage ([`ShaderKind`]'s number) that may call it.
    pub stage_mask: u32,
    /// Minimum shader target: stage in the upper 16 bits, then major and minor in four bits each.
    pub min_shader_target: u32,
    /// Wave lanes (validator 1.8).
    pub wave_lanes: Option<WaveLanes>,
    /// Flags (validator 1.8).
    pub flags: FunctionFlags,
    /// Record of the stage (validator 1.8).
    pub stage: FunctionStage,
}

/// The record with what only one stage has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionStage {
    /// None.
    None,
    /// Work graph node.
    Node(RecordRef<NodeShader>),
    /// Vertex shader.
    Vertex(RecordRef<VertexInfo>),
    /// Pixel shader.
    Pixel(RecordRef<PixelInfo>),
    /// Hull shader.
    Hull(RecordRef<HullInfo>),
    /// Domain shader.
    Domain(RecordRef<DomainInfo>),
    /// Geometry shader.
    Geometry(RecordRef<GeometryInfo>),
    /// Compute shader.
    Compute(RecordRef<ComputeInfo>),
    /// Mesh shader.
    Mesh(RecordRef<MeshInfo>),
    /// Amplification shader.
    Amplification(RecordRef<AmplificationInfo>),
}

impl RdatRecord for FunctionRecord {
    const TABLE: u32 = 4;
    const NAME: &'static str = "function record";
    const MIN_BYTES: usize = 44;

    fn read(r: &mut RecordReader<'_>) -> Result<Self> {
        let name = r.string()?;
        let unmangled_name = r.string()?;
        let resources = r.records()?;
        let dependencies = r.strings()?;
        let kind = r.u32()?;
        let kind =
            ShaderKind::from_number(u64::from(kind)).ok_or_else(|| r.bad("shader kind", kind))?;
        let payload_bytes = r.u32()?;
        let attribute_bytes = r.u32()?;
        let features = u64::from(r.u32()?) | u64::from(r.u32()?) << 32;
        let mut function = FunctionRecord {
            name,
            unmangled_name,
            resources,
            dependencies,
            kind,
            payload_bytes,
            attribute_bytes,
            features: FeatureFlags::from_bits_retain(features),
            stage_mask: r.u32()?,
            min_shader_target: r.u32()?,
            wave_lanes: None,
            flags: FunctionFlags::default(),
            stage: FunctionStage::None,
        };
        // Validators before 1.8 end the record here.
        if r.remaining() >= 8 {
            function.wave_lanes = Some(WaveLanes {
                min: r.u8()?,
                max: r.u8()?,
            });
            function.flags = FunctionFlags::from_bits_retain(r.u16()?);
            // A union of references: the stage selects the table.
            function.stage = read_stage(r, kind)?;
        }
        Ok(function)
    }
}

fn read_stage(r: &mut RecordReader<'_>, kind: ShaderKind) -> Result<FunctionStage> {
    Ok(match kind {
        ShaderKind::Node => FunctionStage::Node(r.record()?),
        ShaderKind::Vertex => FunctionStage::Vertex(r.record()?),
        ShaderKind::Pixel => FunctionStage::Pixel(r.record()?),
        ShaderKind::Hull => FunctionStage::Hull(r.record()?),
        ShaderKind::Domain => FunctionStage::Domain(r.record()?),
        ShaderKind::Geometry => FunctionStage::Geometry(r.record()?),
        ShaderKind::Compute => FunctionStage::Compute(r.record()?),
        ShaderKind::Mesh => FunctionStage::Mesh(r.record()?),
        ShaderKind::Amplification => FunctionStage::Amplification(r.record()?),
        ShaderKind::Library
        | ShaderKind::RayGeneration
        | ShaderKind::Intersection
        | ShaderKind::AnyHit
        | ShaderKind::ClosestHit
        | ShaderKind::Miss
        | ShaderKind::Callable => FunctionStage::None,
    })
}
