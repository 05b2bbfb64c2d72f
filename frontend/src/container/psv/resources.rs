//! Resource bindings of PSV0.

use crate::container::signature::numbered_enum;
use crate::dxil::{ResourceClass, ResourceKind};
use crate::error::{Error, ErrorKind, Result};
use crate::reader::Reader;

/// Bytes of a record of versions 0 and 1; version 2 added kind and flags.
pub(super) const MIN_BYTES: usize = 16;

numbered_enum! {
    /// Type of a resource binding.
    #[allow(missing_docs, reason = "DXC's own names")]
    PsvResourceType: u32 {
        Invalid = 0,
        Sampler = 1,
        Cbv = 2,
        SrvTyped = 3,
        SrvRaw = 4,
        SrvStructured = 5,
        UavTyped = 6,
        UavRaw = 7,
        UavStructured = 8,
        UavStructuredWithCounter = 9,
    }
}

impl PsvResourceType {
    /// Returns the class, where the type is known.
    pub fn class(self) -> Option<ResourceClass> {
        Some(match self {
            PsvResourceType::Sampler => ResourceClass::Sampler,
            PsvResourceType::Cbv => ResourceClass::Cbv,
            PsvResourceType::SrvTyped
            | PsvResourceType::SrvRaw
            | PsvResourceType::SrvStructured => ResourceClass::Srv,
            PsvResourceType::UavTyped
            | PsvResourceType::UavRaw
            | PsvResourceType::UavStructured
            | PsvResourceType::UavStructuredWithCounter => ResourceClass::Uav,
            PsvResourceType::Invalid | PsvResourceType::Other(_) => return None,
        })
    }
}

bitflags::bitflags! {
    /// Flags of a resource binding. Unknown bits are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct PsvResourceFlags: u32 {
        /// 64-bit atomics use it.
        const USED_BY_ATOMIC64 = 1 << 0;
    }
}

/// One binding: a range of registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PsvResource {
    /// Type.
    pub ty: PsvResourceType,
    /// Register space.
    pub space: u32,
    /// First register.
    pub lower_bound: u32,
    /// Last register; `u32::MAX` is unbounded.
    pub upper_bound: u32,
    /// Kind and flags (version 2).
    pub extra: Option<PsvResourceKindInfo>,
}

/// Fields that version 2 added to a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PsvResourceKindInfo {
    /// Shape.
    pub kind: ResourceKind,
    /// Flags.
    pub flags: PsvResourceFlags,
}

pub(super) fn parse(mut record: Reader<'_>) -> Result<PsvResource> {
    const WHAT: &str = "resource record";
    let mut resource = PsvResource {
        ty: PsvResourceType::from_number(record.u32(WHAT)?),
        space: record.u32(WHAT)?,
        lower_bound: record.u32(WHAT)?,
        upper_bound: record.u32(WHAT)?,
        extra: None,
    };
    if record.remaining() >= 8 {
        let offset = record.offset();
        let kind = record.u32(WHAT)?;
        let kind = ResourceKind::from_number(u64::from(kind)).ok_or_else(|| {
            Error::new(ErrorKind::BadValue {
                what: "resource kind",
                value: u64::from(kind),
                rule: "kinds are 0 to 18",
            })
            .at_offset(offset)
        })?;
        let flags = PsvResourceFlags::from_bits_retain(record.u32(WHAT)?);
        resource.extra = Some(PsvResourceKindInfo { kind, flags });
    }
    Ok(resource)
}
