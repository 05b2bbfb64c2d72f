//! What D3D12 asks of a root signature (`D3D12SerializeVersionedRootSignature`): its size, and what may
//! stand in a table.

use dxil_frontend::container::root_signature::{
    DescriptorRange, DescriptorRangeType, RootParameterKind, RootSignature, RootSignatureFlags,
};
use dxil_frontend::dxil::ShaderKind;

use crate::error::{Error, Result};

/// Most words that root arguments may have.
const MAX_WORDS: u64 = 64;

/// Words of the root arguments: one per constant and table, two per descriptor.
pub fn root_words(root: &RootSignature) -> u64 {
    let words = root
        .parameters
        .iter()
        .map(|parameter| match &parameter.kind {
            RootParameterKind::Table(_) => 1,
            RootParameterKind::Constants(constants) => u64::from(constants.count),
            RootParameterKind::Cbv(_) | RootParameterKind::Srv(_) | RootParameterKind::Uav(_) => 2,
        });
    words.sum()
}

/// Refuses what D3D12 refuses.
pub(super) fn check(root: &RootSignature) -> Result<()> {
    let need = root_words(root);
    if need > MAX_WORDS {
        return Err(Error::Limit {
            what: "words of root arguments",
            need,
            limit: MAX_WORDS,
        });
    }
    for (index, parameter) in root.parameters.iter().enumerate() {
        if let RootParameterKind::Table(ranges) = &parameter.kind {
            let bad = |problem: &str| Err(Error::RootSignature(format!("table {index} {problem}")));
            let samplers = ranges
                .iter()
                .filter(|range| range.ty == DescriptorRangeType::Sampler);
            let samplers = samplers.count();
            if samplers != 0 && samplers != ranges.len() {
                return bad("has samplers beside other descriptors");
            }
            if table_offsets(ranges).is_none() {
                return bad("goes on behind a range without an end");
            }
        }
    }
    Ok(())
}

/// Where each range starts in its table; `None` where one is to follow a range without an end.
pub(super) fn table_offsets(ranges: &[DescriptorRange]) -> Option<Vec<u32>> {
    let mut next = Some(0u32);
    let mut offsets = Vec::with_capacity(ranges.len());
    for range in ranges {
        let start = range.offset.or(next)?;
        offsets.push(start);
        next = range.count.map(|count| start.saturating_add(count));
    }
    Some(offsets)
}

/// Whether the flags keep a stage from seeing any parameter.
pub(super) fn denies(flags: RootSignatureFlags, stage: ShaderKind) -> bool {
    use RootSignatureFlags as F;
    flags.contains(match stage {
        ShaderKind::Vertex => F::DENY_VERTEX_SHADER_ROOT_ACCESS,
        ShaderKind::Hull => F::DENY_HULL_SHADER_ROOT_ACCESS,
        ShaderKind::Domain => F::DENY_DOMAIN_SHADER_ROOT_ACCESS,
        ShaderKind::Geometry => F::DENY_GEOMETRY_SHADER_ROOT_ACCESS,
        ShaderKind::Pixel => F::DENY_PIXEL_SHADER_ROOT_ACCESS,
        ShaderKind::Amplification => F::DENY_AMPLIFICATION_SHADER_ROOT_ACCESS,
        ShaderKind::Mesh => F::DENY_MESH_SHADER_ROOT_ACCESS,
        _ => return false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root_signature::parse_text;

    #[test]
    fn limits_of_d3d12_hold() {
        for (text, problem) in [
            (
                "RootConstants(b0, num32BitConstants = 65)",
                "words of root arguments",
            ),
            (
                "DescriptorTable(SRV(t0), Sampler(s0))",
                "table 0 has samplers",
            ),
            (
                "CBV(b0), DescriptorTable(SRV(t0, numDescriptors = unbounded), UAV(u0))",
                "table 1 goes on",
            ),
        ] {
            let error = check(&parse_text(text).unwrap()).unwrap_err().to_string();
            assert!(error.contains(problem), "{text}: {error}");
        }
        for text in [
            "RootConstants(b0, num32BitConstants = 60), CBV(b1), UAV(u0)",
            "DescriptorTable(SRV(t0, numDescriptors = unbounded), UAV(u0, offset = 0))",
        ] {
            check(&parse_text(text).unwrap()).unwrap();
        }
    }

    #[test]
    fn ranges_follow_each_other_unless_they_say_where() {
        let text =
            "DescriptorTable(SRV(t0, numDescriptors = 3), CBV(b0), UAV(u0, offset = 9), UAV(u1))";
        let root = parse_text(text).unwrap();
        let RootParameterKind::Table(ranges) = &root.parameters[0].kind else {
            unreachable!("the only parameter");
        };
        assert_eq!(table_offsets(ranges), Some(vec![0, 3, 9, 10]));
    }
}
