//! Subobjects: state that a ray tracing or work graph library brings along (validator 1.4).

use super::{BytesRef, Rdat, RdatRecord, RecordReader, StringArrayRef, StringRef};
use crate::container::root_signature::RootSignature;
use crate::container::signature::numbered_enum;
use crate::error::Result;

/// A subobject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subobject {
    /// Name in the source.
    pub name: StringRef,
    /// Its kind.
    pub kind: SubobjectKind,
}

numbered_enum! {
    /// The kind of geometry of a hit group.
    #[allow(missing_docs, reason = "D3D12's own names")]
    HitGroupKind: u32 {
        Triangle = 0,
        ProceduralPrimitive = 1,
    }
}

/// The kind of a subobject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubobjectKind {
    /// State object flags (1: local depends on external, 2: external on local, 4: additions).
    StateObjectConfig {
        /// Raw flags.
        flags: u32,
    },
    /// Global root signature, serialised.
    GlobalRootSignature(BytesRef),
    /// Local root signature, serialised.
    LocalRootSignature(BytesRef),
    /// Gives a subobject to exports.
    SubobjectToExportsAssociation {
        /// Name of the subobject.
        subobject: StringRef,
        /// Names of the exports; none means all.
        exports: StringArrayRef,
    },
    /// Sizes of payload and attributes.
    RaytracingShaderConfig {
        /// Bytes.
        max_payload_bytes: u32,
        /// Bytes.
        max_attribute_bytes: u32,
    },
    /// Recursion depth.
    RaytracingPipelineConfig {
        /// Deepest recursion of `TraceRay`.
        max_recursion_depth: u32,
        /// Flags (`RaytracingPipelineConfig1` only).
        flags: Option<u32>,
    },
    /// A hit group.
    HitGroup {
        /// Triangles or procedural primitives.
        kind: HitGroupKind,
        /// Any-hit shader; may be empty.
        any_hit: StringRef,
        /// Closest-hit shader; may be empty.
        closest_hit: StringRef,
        /// Intersection shader; may be empty.
        intersection: StringRef,
    },
    /// A kind that is not known here.
    Other(u32),
}

impl RdatRecord for Subobject {
    const TABLE: u32 = 6;
    const NAME: &'static str = "subobject record";
    const MIN_BYTES: usize = 24;

    fn read(r: &mut RecordReader<'_>) -> Result<Self> {
        let kind = r.u32()?;
        let name = r.string()?;
        let kind = match kind {
            0 => SubobjectKind::StateObjectConfig { flags: r.u32()? },
            1 => SubobjectKind::GlobalRootSignature(r.bytes()?),
            2 => SubobjectKind::LocalRootSignature(r.bytes()?),
            8 => SubobjectKind::SubobjectToExportsAssociation {
                subobject: r.string()?,
                exports: r.strings()?,
            },
            9 => SubobjectKind::RaytracingShaderConfig {
                max_payload_bytes: r.u32()?,
                max_attribute_bytes: r.u32()?,
            },
            10 => SubobjectKind::RaytracingPipelineConfig {
                max_recursion_depth: r.u32()?,
                flags: None,
            },
            11 => SubobjectKind::HitGroup {
                kind: HitGroupKind::from_number(r.u32()?),
                any_hit: r.string()?,
                closest_hit: r.string()?,
                intersection: r.string()?,
            },
            12 => SubobjectKind::RaytracingPipelineConfig {
                max_recursion_depth: r.u32()?,
                flags: Some(r.u32()?),
            },
            other => SubobjectKind::Other(other),
        };
        Ok(Subobject { name, kind })
    }
}

impl Rdat<'_> {
    /// Reads the root signature that a subobject holds.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn root_signature(&self, bytes: BytesRef) -> Result<RootSignature> {
        RootSignature::parse_reader(self.bytes_reader(bytes)?).map_err(|e| e.in_part(self.part))
    }
}
