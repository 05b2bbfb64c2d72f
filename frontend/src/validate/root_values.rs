//! The numbers in a root signature (`D3D12_ROOT_PARAMETER1`, `D3D12_DESCRIPTOR_RANGE1` and
//! `D3D12_STATIC_SAMPLER_DESC`, whose rules DXC's verifier of root signatures has).

use crate::container::root_signature::{
    DescriptorFlags, DescriptorRange, DescriptorRangeType, RootParameterKind, RootSignature,
    RootSignatureFlags, RootSignatureVersion, ShaderVisibility, StaticSampler, StaticSamplerFlags,
};
use crate::dxil::ResourceClass;

/// The first register space that the system reserves; all after it are reserved, too.
const RESERVED_SPACE: u32 = 0xffff_fff0;
/// The first number that is no visibility of D3D12.
const VISIBILITIES: u32 = 8;
const MAX_ANISOTROPY: u32 = 16;
/// Range of the bias of a level of detail.
const MIN_BIAS: f32 = -16.0;
const MAX_BIAS: f32 = 15.99;

/// Registers that a parameter binds.
struct Registers {
    class: ResourceClass,
    visibility: u32,
    space: u32,
    first: u32,
    last: u32,
}

/// Calls `report` with every number that D3D12 does not define or accept.
pub(super) fn check(signature: &RootSignature, report: &mut dyn FnMut(std::fmt::Arguments<'_>)) {
    let unknown = signature.flags - RootSignatureFlags::all();
    if !unknown.is_empty() {
        report(format_args!("unknown flags {:#x}", unknown.bits()));
    }
    let mut all = Vec::new();
    for (index, parameter) in signature.parameters.iter().enumerate() {
        let visibility = parameter.visibility.number();
        check_visibility(parameter.visibility, report);
        let mut add = |class, space, first: u32, count: Option<u32>| {
            let last = count.map_or(u32::MAX, |count| {
                first.saturating_add(count.saturating_sub(1))
            });
            all.push(Registers {
                class,
                visibility,
                space,
                first,
                last,
            });
        };
        match &parameter.kind {
            RootParameterKind::Table(ranges) => {
                for range in ranges {
                    if let Some(class) = class_of(range.ty) {
                        add(class, range.space, range.base_register, range.count);
                    }
                }
                check_table(index, ranges, report);
            }
            RootParameterKind::Constants(root) => {
                add(ResourceClass::Cbv, root.space, root.register, Some(1));
            }
            RootParameterKind::Cbv(root)
            | RootParameterKind::Srv(root)
            | RootParameterKind::Uav(root) => {
                let class = match parameter.kind {
                    RootParameterKind::Srv(_) => ResourceClass::Srv,
                    RootParameterKind::Uav(_) => ResourceClass::Uav,
                    _ => ResourceClass::Cbv,
                };
                add(class, root.space, root.register, Some(1));
                let known = data_flags();
                let unknown = root.flags - known;
                if !unknown.is_empty() {
                    let bits = unknown.bits();
                    report(format_args!(
                        "root parameter {index}: unknown flags {bits:#x}"
                    ));
                }
                if (root.flags & known).bits().count_ones() > 1 {
                    report(format_args!("root parameter {index}: several DATA flags"));
                }
            }
        }
    }
    for (index, sampler) in signature.static_samplers.iter().enumerate() {
        check_visibility(sampler.visibility, report);
        check_sampler(signature.version, index, sampler, report);
        all.push(Registers {
            class: ResourceClass::Sampler,
            visibility: sampler.visibility.number(),
            space: sampler.space,
            first: sampler.register,
            last: sampler.register,
        });
    }
    check_registers(all, report);
}

fn class_of(ty: DescriptorRangeType) -> Option<ResourceClass> {
    Some(match ty {
        DescriptorRangeType::Srv => ResourceClass::Srv,
        DescriptorRangeType::Uav => ResourceClass::Uav,
        DescriptorRangeType::Cbv => ResourceClass::Cbv,
        DescriptorRangeType::Sampler => ResourceClass::Sampler,
        DescriptorRangeType::Other(_) => return None,
    })
}

/// Returns the flags about data, of which there may be one.
fn data_flags() -> DescriptorFlags {
    DescriptorFlags::DATA_VOLATILE
        | DescriptorFlags::DATA_STATIC
        | DescriptorFlags::DATA_STATIC_WHILE_SET_AT_EXECUTE
}

fn check_visibility(visibility: ShaderVisibility, report: &mut dyn FnMut(std::fmt::Arguments<'_>)) {
    let number = visibility.number();
    if number >= VISIBILITIES {
        report(format_args!("the visibility is {number}"));
    }
}

/// Checks a descriptor table: its ranges lie one after the other unless they say where.
fn check_table(
    parameter: usize,
    ranges: &[DescriptorRange],
    report: &mut dyn FnMut(std::fmt::Arguments<'_>),
) {
    let mut next = 0u64;
    let mut has_samplers = false;
    let mut has_others = false;
    for (index, range) in ranges.iter().enumerate() {
        let mut wrong = |what: std::fmt::Arguments<'_>| {
            report(format_args!(
                "root parameter {parameter}, range {index}: {what}"
            ));
        };
        match range.ty {
            DescriptorRangeType::Sampler => has_samplers = true,
            DescriptorRangeType::Other(number) => wrong(format_args!("the type is {number}")),
            _ => has_others = true,
        }
        if has_samplers && has_others {
            wrong(format_args!("samplers beside other resources"));
        }
        let start = range.offset.map_or(next, u64::from);
        if start > u64::from(u32::MAX) {
            wrong(format_args!("it follows a range without end"));
        }
        match range.count {
            Some(0) => wrong(format_args!("it has no descriptors")),
            Some(count) => {
                let last = u64::from(count) - 1;
                let registers = u64::from(range.base_register) + last;
                if registers > u64::from(u32::MAX) || start + last > u64::from(u32::MAX) {
                    wrong(format_args!("{count} descriptors are too many"));
                }
            }
            None => {}
        }
        next = match range.count {
            Some(count) => start + u64::from(count),
            None => 1 << 32,
        };
        let unknown = range.flags - DescriptorFlags::all();
        if !unknown.is_empty() {
            wrong(format_args!("unknown flags {:#x}", unknown.bits()));
        }
        let data = range.flags & data_flags();
        let of_data = data.bits().count_ones();
        if range.ty == DescriptorRangeType::Sampler && of_data > 0 {
            wrong(format_args!("samplers have no data"));
        } else if of_data > 1 {
            wrong(format_args!("several DATA flags"));
        } else if data == DescriptorFlags::DATA_STATIC
            && range.flags.contains(DescriptorFlags::DESCRIPTORS_VOLATILE)
        {
            wrong(format_args!("static data of volatile descriptors"));
        }
    }
}

fn check_sampler(
    version: RootSignatureVersion,
    index: usize,
    sampler: &StaticSampler,
    report: &mut dyn FnMut(std::fmt::Arguments<'_>),
) {
    let mut wrong = |what: std::fmt::Arguments<'_>| {
        report(format_args!("static sampler {index}: {what}"));
    };
    // Minification, magnification and mips: point or linear; or anisotropic. Above, the reduction.
    let filter = sampler.filter.0;
    let is_known = matches!(
        filter & 0x7f,
        0x00 | 0x01 | 0x04 | 0x05 | 0x10 | 0x11 | 0x14 | 0x15 | 0x55
    );
    if !is_known || filter >> 9 != 0 {
        wrong(format_args!("the filter is {filter:#x}"));
    }
    for (axis, mode) in
        ["u", "v", "w"]
            .into_iter()
            .zip([sampler.address_u, sampler.address_v, sampler.address_w])
    {
        let number = mode.number();
        if !(1..=5).contains(&number) {
            wrong(format_args!("the address mode along {axis} is {number}"));
        }
    }
    // NaN is in no range.
    let bias = sampler.mip_lod_bias;
    if !(MIN_BIAS..=MAX_BIAS).contains(&bias) {
        wrong(format_args!("the bias is {bias}"));
    }
    if sampler.max_anisotropy > MAX_ANISOTROPY {
        wrong(format_args!("the anisotropy is {}", sampler.max_anisotropy));
    }
    let comparison = sampler.comparison.number();
    let compares = filter >> 7 & 3 == 1;
    if compares && !(1..=8).contains(&comparison) {
        wrong(format_args!("the comparison is {comparison}"));
    }
    if sampler.min_lod.is_nan() || sampler.max_lod.is_nan() {
        wrong(format_args!(
            "a limit of the level of detail is not a number"
        ));
    }
    let unknown = sampler.flags - StaticSamplerFlags::all();
    if version == RootSignatureVersion::V1_2 && !unknown.is_empty() {
        wrong(format_args!("unknown flags {:#x}", unknown.bits()));
    }
}

/// Checks that no register is bound twice for a stage, and none of a reserved space.
fn check_registers(mut all: Vec<Registers>, report: &mut dyn FnMut(std::fmt::Arguments<'_>)) {
    for one in &all {
        if one.space >= RESERVED_SPACE {
            let (letter, space) = (one.class.letter(), one.space);
            report(format_args!(
                "{letter}{} is in the reserved space {space:#x}",
                one.first
            ));
        }
    }
    all.sort_by_key(|one| (one.class.letter(), one.space, one.first));
    // The last register so far that each visibility has; the first one is that of all stages.
    let mut ends = [None::<u32>; VISIBILITIES as usize];
    let mut group = None;
    for one in &all {
        if group != Some((one.class, one.space)) {
            group = Some((one.class, one.space));
            ends = [None; VISIBILITIES as usize];
        }
        let own = one.visibility as usize;
        let overlaps = ends.iter().enumerate().any(|(visibility, end)| {
            let meets = visibility == own || visibility == 0 || own == 0;
            meets && end.is_some_and(|end| end >= one.first)
        });
        if overlaps {
            let (letter, space) = (one.class.letter(), one.space);
            report(format_args!(
                "{letter}{}, space{space} is bound twice",
                one.first
            ));
        }
        if let Some(end) = ends.get_mut(own) {
            *end = (*end).max(Some(one.last));
        }
    }
}
