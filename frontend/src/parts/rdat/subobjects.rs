//! Subobjects. The module does not have them, so they come from an existing part or from the
//! caller.

use super::tables::{Pool, RecordTable};
use crate::container::rdat::{HitGroupKind, Rdat, Subobject, SubobjectKind};
use crate::error::{Error, ErrorKind, Result};

/// `D3D12_STATE_OBJECT_FLAGS` that HLSL has, and the last of them, which allows additions.
const STATE_OBJECT_FLAGS: u32 = 7;
const ALLOW_ADDITIONS: u32 = 4;

/// A subobject with its names and bytes. [`subobjects_of`] reads those of an existing part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubobjectText<'a> {
    /// Name in the source.
    pub name: &'a str,
    /// The rest, by kind.
    pub content: SubobjectContent<'a>,
}

/// What a subobject of a kind has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubobjectContent<'a> {
    /// State object flags.
    StateObjectConfig {
        /// Raw flags.
        flags: u32,
    },
    /// Global root signature, serialised.
    GlobalRootSignature(&'a [u8]),
    /// Local root signature, serialised.
    LocalRootSignature(&'a [u8]),
    /// Gives a subobject to exports.
    SubobjectToExportsAssociation {
        /// Name of the subobject.
        subobject: &'a str,
        /// Names of the exports; none means all.
        exports: Vec<&'a str>,
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
        any_hit: &'a str,
        /// Closest-hit shader; may be empty.
        closest_hit: &'a str,
        /// Intersection shader; may be empty.
        intersection: &'a str,
    },
}

/// Returns the subobjects that a part has, in its order.
///
/// # Errors
///
/// If the part is malformed, or has a subobject of an unknown kind or with unknown flags.
pub fn subobjects_of<'a>(rdat: &Rdat<'a>) -> Result<Vec<SubobjectText<'a>>> {
    rdat.iter::<Subobject>()
        .map(|record| text_of(rdat, record?))
        .collect()
}

fn text_of<'a>(rdat: &Rdat<'a>, record: Subobject) -> Result<SubobjectText<'a>> {
    use SubobjectContent as C;
    let content = match record.kind {
        SubobjectKind::StateObjectConfig { flags } if flags & !STATE_OBJECT_FLAGS != 0 => {
            return Err(Error::new(ErrorKind::BadValue {
                what: "flags of a state object",
                value: u64::from(flags),
                rule: "there are three of them",
            }));
        }
        SubobjectKind::StateObjectConfig { flags } => C::StateObjectConfig { flags },
        SubobjectKind::GlobalRootSignature(bytes) => C::GlobalRootSignature(rdat.bytes(bytes)?),
        SubobjectKind::LocalRootSignature(bytes) => C::LocalRootSignature(rdat.bytes(bytes)?),
        SubobjectKind::SubobjectToExportsAssociation { subobject, exports } => {
            C::SubobjectToExportsAssociation {
                subobject: rdat.string(subobject)?,
                exports: rdat.string_array(exports)?.collect::<Result<_>>()?,
            }
        }
        SubobjectKind::RaytracingShaderConfig {
            max_payload_bytes,
            max_attribute_bytes,
        } => C::RaytracingShaderConfig {
            max_payload_bytes,
            max_attribute_bytes,
        },
        SubobjectKind::RaytracingPipelineConfig {
            max_recursion_depth,
            flags,
        } => C::RaytracingPipelineConfig {
            max_recursion_depth,
            flags,
        },
        SubobjectKind::HitGroup {
            kind,
            any_hit,
            closest_hit,
            intersection,
        } => C::HitGroup {
            kind,
            any_hit: rdat.string(any_hit)?,
            closest_hit: rdat.string(closest_hit)?,
            intersection: rdat.string(intersection)?,
        },
        SubobjectKind::Other(kind) => {
            return Err(Error::new(ErrorKind::BadValue {
                what: "kind of a subobject",
                value: u64::from(kind),
                rule: "the format has no such number",
            }));
        }
    };
    Ok(SubobjectText {
        name: rdat.string(record.name)?,
        content,
    })
}

/// Returns whether subobjects ask for tier 1.1 of ray tracing (D3D12 "DirectX Raytracing Functional
/// Spec", "D3D12_RAYTRACING_TIER"): additions to state objects, and flags of a pipeline.
pub(crate) fn need_tier_1_1(subobjects: &[SubobjectText<'_>]) -> bool {
    let needs = |subobject: &SubobjectText<'_>| match subobject.content {
        SubobjectContent::StateObjectConfig { flags } => flags & ALLOW_ADDITIONS != 0,
        SubobjectContent::RaytracingPipelineConfig { flags, .. } => flags.is_some(),
        _ => false,
    };
    subobjects.iter().any(needs)
}

/// Appends the record of a subobject.
pub(super) fn write(
    pool: &mut Pool,
    table: &mut RecordTable,
    subobject: &SubobjectText<'_>,
) -> Result<()> {
    use SubobjectContent as C;
    let name = pool.string(subobject.name)?;
    let (kind, rest) = match &subobject.content {
        C::StateObjectConfig { flags } => (0, [*flags, 0, 0, 0]),
        C::GlobalRootSignature(bytes) => (1, with_zeros(pool.raw_bytes(bytes)?)),
        C::LocalRootSignature(bytes) => (2, with_zeros(pool.raw_bytes(bytes)?)),
        C::SubobjectToExportsAssociation { subobject, exports } => {
            let subobject = pool.string(subobject)?;
            let exports: Vec<u32> = exports
                .iter()
                .map(|export| pool.string(export))
                .collect::<Result<_>>()?;
            (8, with_zeros([subobject, pool.list(&exports)?]))
        }
        C::RaytracingShaderConfig {
            max_payload_bytes,
            max_attribute_bytes,
        } => (9, with_zeros([*max_payload_bytes, *max_attribute_bytes])),
        C::RaytracingPipelineConfig {
            max_recursion_depth,
            flags: None,
        } => (10, [*max_recursion_depth, 0, 0, 0]),
        C::RaytracingPipelineConfig {
            max_recursion_depth,
            flags: Some(flags),
        } => (12, with_zeros([*max_recursion_depth, *flags])),
        C::HitGroup {
            kind,
            any_hit,
            closest_hit,
            intersection,
        } => (
            11,
            [
                kind.number(),
                pool.string(any_hit)?,
                pool.string(closest_hit)?,
                pool.string(intersection)?,
            ],
        ),
    };
    let [first, second, third, fourth] = rest;
    table.add(&[kind, name, first, second, third, fourth])?;
    Ok(())
}

fn with_zeros([first, second]: [u32; 2]) -> [u32; 4] {
    [first, second, 0, 0]
}
