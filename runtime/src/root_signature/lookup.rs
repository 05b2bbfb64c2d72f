//! Finds a declared resource in a root signature.

use dxil_frontend::container::root_signature::{RootParameterKind, RootSignature, StaticSampler};
use dxil_frontend::dxil::{Resource, ResourceClass, ShaderKind};

use super::check::class_of;

/// The parameter of a root signature for a resource.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum RootLocation {
    /// Root constants.
    Constants {
        /// Number of words.
        words: u32,
    },
    /// A root descriptor.
    Descriptor,
    /// A range of a descriptor table.
    Table {
        /// Registers from the resource's first one to the end of the range; `None` is unbounded.
        count: Option<u32>,
    },
    /// A static sampler.
    StaticSampler(StaticSampler),
}

/// Finds the place of a resource; `None` where the root signature has none for this stage.
pub(super) fn find(
    root: &RootSignature,
    resource: &Resource,
    stage: ShaderKind,
) -> Option<RootLocation> {
    let (register, space) = (resource.lower_bound, resource.space);
    // Root constants and root descriptors cannot be arrays.
    let single = |r: u32, s: u32| r == register && s == space && resource.count == Some(1);
    if root.flags.denies(stage) {
        return None;
    }
    for parameter in &root.parameters {
        if !parameter.visibility.includes(stage) {
            continue;
        }
        let class = resource.class;
        match &parameter.kind {
            RootParameterKind::Constants(c)
                if class == ResourceClass::Cbv && single(c.register, c.space) =>
            {
                return Some(RootLocation::Constants { words: c.count });
            }
            RootParameterKind::Cbv(d)
                if class == ResourceClass::Cbv && single(d.register, d.space) =>
            {
                return Some(RootLocation::Descriptor);
            }
            RootParameterKind::Srv(d)
                if class == ResourceClass::Srv && single(d.register, d.space) =>
            {
                return Some(RootLocation::Descriptor);
            }
            RootParameterKind::Uav(d)
                if class == ResourceClass::Uav && single(d.register, d.space) =>
            {
                return Some(RootLocation::Descriptor);
            }
            RootParameterKind::Table(ranges) => {
                for range in ranges {
                    if class_of(range.ty) != Some(class) || range.space != space {
                        continue;
                    }
                    let Some(skipped) = register.checked_sub(range.base_register) else {
                        continue;
                    };
                    let left = range.count.map(|count| count.saturating_sub(skipped));
                    // An unbounded declaration takes what the range has.
                    let covered = match (resource.count, left) {
                        (_, None) => true,
                        (Some(needed), Some(left)) => needed <= left,
                        (None, Some(left)) => left > 0,
                    };
                    if covered {
                        return Some(RootLocation::Table { count: left });
                    }
                }
            }
            RootParameterKind::Constants(_)
            | RootParameterKind::Cbv(_)
            | RootParameterKind::Srv(_)
            | RootParameterKind::Uav(_) => {}
        }
    }
    root.static_samplers
        .iter()
        .filter(|_| resource.class == ResourceClass::Sampler)
        .find(|s| s.visibility.includes(stage) && single(s.register, s.space))
        .map(|sampler| RootLocation::StaticSampler(*sampler))
}
