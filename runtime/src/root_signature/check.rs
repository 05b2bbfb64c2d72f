//! D3D12's rules for a root signature (`D3D12SerializeVersionedRootSignature`): its size, the
//! contents of tables, static samplers in range, and one place for a register that a stage sees.

use dxil_frontend::container::root_signature::{
    DescriptorFlags, DescriptorRange, DescriptorRangeType, RootParameterKind, RootSignature,
    ShaderVisibility,
};
use dxil_frontend::dxil::ResourceClass;

use crate::error::{Error, Result};
use crate::job::Register;

/// Maximum size of the root arguments in words ("Root Signature Limits" of the D3D12
/// documentation).
const MAX_WORDS: u64 = 64;

/// Returns the words of the root arguments: one per constant and table, two per descriptor.
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
        return bad(format!(
            "its arguments have {need} words, and D3D12 takes {MAX_WORDS}"
        ));
    }
    for (index, parameter) in root.parameters.iter().enumerate() {
        match &parameter.kind {
            RootParameterKind::Constants(constants) if constants.count == 0 => {
                return bad(format!("root parameter {index} has no constants"));
            }
            RootParameterKind::Table(ranges) => {
                table(ranges).or_else(|problem| bad(format!("table {index} {problem}")))?;
            }
            RootParameterKind::Constants(_)
            | RootParameterKind::Cbv(_)
            | RootParameterKind::Srv(_)
            | RootParameterKind::Uav(_) => {}
        }
    }
    for sampler in &root.static_samplers {
        let name = sampler.register;
        let bias = sampler.mip_lod_bias;
        if sampler.max_anisotropy > 16 {
            let maximum = sampler.max_anisotropy;
            return bad(format!(
                "static sampler s{name} has maxAnisotropy {maximum}, not 0 to 16"
            ));
        }
        // The bounds are `D3D12_MIP_LOD_BIAS_MIN` and `D3D12_MIP_LOD_BIAS_MAX`. A NaN lies in no
        // range, so it is refused as well.
        if !(-16.0..=15.99).contains(&bias) {
            return bad(format!(
                "static sampler s{name} has mipLODBias {bias}, not -16 to 15.99"
            ));
        }
        if sampler.min_lod.is_nan() || sampler.max_lod.is_nan() {
            return bad(format!(
                "static sampler s{name} has a level of detail that is no number"
            ));
        }
    }
    check_overlaps(root)
}

fn bad<T>(problem: String) -> Result<T> {
    Err(Error::RootSignature(problem))
}

/// Checks a table; the error is the problem.
fn table(ranges: &[DescriptorRange]) -> Result<(), String> {
    use DescriptorFlags as F;
    let samplers = ranges
        .iter()
        .filter(|range| range.ty == DescriptorRangeType::Sampler)
        .count();
    // Samplers live in a heap of their own, and a table points into one heap.
    if samplers != 0 && samplers != ranges.len() {
        return Err("has samplers beside other descriptors".to_owned());
    }
    let offsets = table_offsets(ranges).ok_or("continues behind an unbounded range")?;
    for (range, offset) in ranges.iter().zip(offsets) {
        let register = range.base_register;
        let Some(count) = range.count else {
            continue;
        };
        if count == 0 {
            return Err(format!(
                "has a range at register {register} of no descriptors"
            ));
        }
        // The sums are checked and not saturated: a range that wraps around would cover other
        // registers.
        if register.checked_add(count - 1).is_none() || offset.checked_add(count - 1).is_none() {
            return Err(format!(
                "has a range at register {register} that goes beyond 2^32"
            ));
        }
        // The flags about data exclude each other, descriptors that are volatile cannot point to
        // static data, and samplers have no data (`D3D12_DESCRIPTOR_RANGE_FLAGS`).
        let data =
            range.flags & (F::DATA_VOLATILE | F::DATA_STATIC | F::DATA_STATIC_WHILE_SET_AT_EXECUTE);
        let contradicts = data.bits().count_ones() > 1
            || range
                .flags
                .contains(F::DESCRIPTORS_VOLATILE | F::DATA_STATIC)
            || samplers != 0 && !data.is_empty();
        if contradicts {
            return Err(format!(
                "has a range at register {register} with flags that contradict each other"
            ));
        }
    }
    Ok(())
}

/// Registers that a parameter, range or static sampler covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Span {
    class: ResourceClass,
    space: u32,
    first: u32,
    last: u32,
    /// Stages, a bit each.
    stages: u32,
}

/// Refuses a root signature in which one stage finds two places for a register.
fn check_overlaps(root: &RootSignature) -> Result<()> {
    use ResourceClass as C;
    let mut spans = Vec::new();
    for parameter in &root.parameters {
        let mut add = |class, space, first: u32, count: Option<u32>| {
            spans.push(Span {
                class,
                space,
                first,
                last: count.map_or(u32::MAX, |count| first.saturating_add(count.max(1) - 1)),
                stages: stages(parameter.visibility),
            });
        };
        match &parameter.kind {
            RootParameterKind::Constants(c) => add(C::Cbv, c.space, c.register, Some(1)),
            RootParameterKind::Cbv(d) => add(C::Cbv, d.space, d.register, Some(1)),
            RootParameterKind::Srv(d) => add(C::Srv, d.space, d.register, Some(1)),
            RootParameterKind::Uav(d) => add(C::Uav, d.space, d.register, Some(1)),
            RootParameterKind::Table(ranges) => {
                for range in ranges {
                    if let Some(class) = class_of(range.ty) {
                        add(class, range.space, range.base_register, range.count);
                    }
                }
            }
        }
    }
    spans.extend(root.static_samplers.iter().map(|sampler| Span {
        class: C::Sampler,
        space: sampler.space,
        first: sampler.register,
        last: sampler.register,
        stages: stages(sampler.visibility),
    }));
    // Sorted by class, space and first register, a span can only overlap those that begin before it
    // ends: the search stops there, and stays fast for signatures of thousands of ranges.
    spans.sort_unstable();
    for (index, span) in spans.iter().enumerate() {
        let same = |other: &&Span| (other.class, other.space) == (span.class, span.space);
        let behind = spans.iter().skip(index + 1).take_while(same);
        let mut behind = behind.take_while(|other| other.first <= span.last);
        if let Some(other) = behind.find(|other| other.stages & span.stages != 0) {
            let register = Register::new(span.class, other.first).in_space(span.space);
            return bad(format!("it has two places for {register}"));
        }
    }
    Ok(())
}

/// Returns a bit per stage that sees a parameter.
fn stages(visibility: ShaderVisibility) -> u32 {
    match visibility {
        ShaderVisibility::All => u32::MAX,
        ShaderVisibility::Vertex => 1,
        ShaderVisibility::Hull => 1 << 1,
        ShaderVisibility::Domain => 1 << 2,
        ShaderVisibility::Geometry => 1 << 3,
        ShaderVisibility::Pixel => 1 << 4,
        ShaderVisibility::Amplification => 1 << 5,
        ShaderVisibility::Mesh => 1 << 6,
        ShaderVisibility::Other(_) => 0,
    }
}

/// Returns the class of the registers that a range covers.
pub(super) fn class_of(ty: DescriptorRangeType) -> Option<ResourceClass> {
    Some(match ty {
        DescriptorRangeType::Srv => ResourceClass::Srv,
        DescriptorRangeType::Uav => ResourceClass::Uav,
        DescriptorRangeType::Cbv => ResourceClass::Cbv,
        DescriptorRangeType::Sampler => ResourceClass::Sampler,
        DescriptorRangeType::Other(_) => return None,
    })
}

/// Returns the offset of each range in its table; `None` if a range is appended after an unbounded
/// one.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root_signature::parse_text;

    #[test]
    fn limits_of_d3d12_hold() {
        for (text, problem) in [
            (
                "RootConstants(b0, num32BitConstants = 65)",
                "its arguments have 65 words",
            ),
            (
                "RootConstants(b0, num32BitConstants = 0)",
                "has no constants",
            ),
            (
                "DescriptorTable(SRV(t0, numDescriptors = 0))",
                "of no descriptors",
            ),
            (
                "DescriptorTable(SRV(t4294967295, numDescriptors = 2))",
                "beyond 2^32",
            ),
            (
                "DescriptorTable(UAV(u0, flags = DATA_STATIC | DATA_VOLATILE))",
                "contradict",
            ),
            (
                "DescriptorTable(Sampler(s0, flags = DATA_STATIC))",
                "contradict",
            ),
            ("StaticSampler(s0, maxAnisotropy = 17)", "maxAnisotropy 17"),
            ("StaticSampler(s2, mipLODBias = 16)", "s2 has mipLODBias 16"),
            (
                "CBV(b0), RootConstants(b0, num32BitConstants = 1)",
                "two places for b0",
            ),
            (
                "SRV(t7, space = 2), DescriptorTable(SRV(t0, space = 2, numDescriptors = unbounded))",
                "two places for t7,space2",
            ),
            (
                "DescriptorTable(Sampler(s0, numDescriptors = 4), visibility = SHADER_VISIBILITY_PIXEL), \
                 StaticSampler(s3)",
                "two places for s3",
            ),
            (
                "DescriptorTable(SRV(t0), Sampler(s0))",
                "table 0 has samplers",
            ),
            (
                "CBV(b0), DescriptorTable(SRV(t0, numDescriptors = unbounded), UAV(u0))",
                "table 1 continues",
            ),
        ] {
            let error = check(&parse_text(text).unwrap()).unwrap_err().to_string();
            assert!(error.contains(problem), "{text}: {error}");
        }
        for text in [
            "RootConstants(b0, num32BitConstants = 60), CBV(b1), UAV(u0)",
            "DescriptorTable(SRV(t0, numDescriptors = unbounded), UAV(u0, offset = 0))",
            "CBV(b0, visibility = SHADER_VISIBILITY_VERTEX), CBV(b0, visibility = SHADER_VISIBILITY_PIXEL)",
            "CBV(b0), SRV(t0), UAV(u0), CBV(b0, space = 1)",
            "DescriptorTable(SRV(t0, numDescriptors = 4)), SRV(t4), StaticSampler(s0, maxAnisotropy = 16)",
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
