//! Section of a root signature (RTS0, or a subobject).

use dxil_frontend::container::RootSignature;
use dxil_frontend::container::root_signature::{
    DescriptorRange, DescriptorRangeType, RootDescriptor, RootParameter, RootParameterKind,
    RootSignatureVersion, StaticSampler,
};
use serde_json::{Value, json};

use crate::describe::{Fields, flags, list, name, number, registers};

pub(crate) fn section(root: &RootSignature) -> Value {
    json!({
        "version": match root.version {
            RootSignatureVersion::V1_0 => "1.0",
            RootSignatureVersion::V1_1 => "1.1",
            RootSignatureVersion::V1_2 => "1.2",
        },
        "flags": flags(root.flags),
        "parameters": list(root.parameters.iter().enumerate(), |(index, p)| parameter(index, p)),
        "static_samplers": list(&root.static_samplers, sampler),
    })
}

fn parameter(index: usize, parameter: &RootParameter) -> Value {
    let mut fields = Fields::default();
    fields.set("index", index);
    match &parameter.kind {
        RootParameterKind::Table(ranges) => {
            fields
                .set("kind", "DescriptorTable")
                .set("visibility", name(parameter.visibility))
                .set("ranges", list(ranges, range));
        }
        RootParameterKind::Constants(constants) => {
            fields
                .set("kind", "Constants")
                .set("visibility", name(parameter.visibility))
                .set(
                    "registers",
                    registers('b', constants.register, Some(1), constants.space),
                )
                .set("values", constants.count);
        }
        RootParameterKind::Cbv(d) => descriptor(&mut fields, "Cbv", 'b', d, parameter),
        RootParameterKind::Srv(d) => descriptor(&mut fields, "Srv", 't', d, parameter),
        RootParameterKind::Uav(d) => descriptor(&mut fields, "Uav", 'u', d, parameter),
    }
    fields.finish()
}

fn descriptor(
    fields: &mut Fields,
    kind: &str,
    letter: char,
    descriptor: &RootDescriptor,
    parameter: &RootParameter,
) {
    fields
        .set("kind", kind)
        .set("visibility", name(parameter.visibility))
        .set(
            "registers",
            registers(letter, descriptor.register, Some(1), descriptor.space),
        )
        .set("flags", flags(descriptor.flags));
}

fn range(range: &DescriptorRange) -> Value {
    let letter = match range.ty {
        DescriptorRangeType::Srv => 't',
        DescriptorRangeType::Uav => 'u',
        DescriptorRangeType::Cbv => 'b',
        DescriptorRangeType::Sampler => 's',
        DescriptorRangeType::Other(_) => '?',
    };
    json!({
        "type": name(range.ty),
        "registers": registers(letter, range.base_register, range.count, range.space),
        "offset": range.offset.map_or_else(|| json!("append"), Value::from),
        "flags": flags(range.flags),
    })
}

fn sampler(sampler: &StaticSampler) -> Value {
    let filter = sampler.filter;
    let linear = |linear: bool| if linear { "linear" } else { "point" };
    json!({
        "registers": registers('s', sampler.register, Some(1), sampler.space),
        "visibility": name(sampler.visibility),
        "filter": if filter.is_anisotropic() {
            json!("anisotropic")
        } else {
            json!(format!(
                "min {}, mag {}, mip {}",
                linear(filter.is_min_linear()),
                linear(filter.is_mag_linear()),
                linear(filter.is_mip_linear()),
            ))
        },
        "reduction": name(filter.reduction()),
        "address": [
            name(sampler.address_u),
            name(sampler.address_v),
            name(sampler.address_w),
        ],
        "mip_lod_bias": number(sampler.mip_lod_bias),
        "max_anisotropy": sampler.max_anisotropy,
        "comparison": name(sampler.comparison),
        "border_color": name(sampler.border_color),
        "min_lod": number(sampler.min_lod),
        "max_lod": number(sampler.max_lod),
        "flags": flags(sampler.flags),
    })
}
