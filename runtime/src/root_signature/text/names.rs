//! Names of HLSL's constants in root signatures.

use dxil_frontend::container::root_signature::{
    ComparisonFunction, Filter, ShaderVisibility, StaticBorderColor, TextureAddressMode,
};

pub(super) type Names<T> = &'static [(&'static str, T)];

pub(super) const ROOT_FLAGS: Names<u32> = &[
    ("ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT", 1),
    ("DENY_VERTEX_SHADER_ROOT_ACCESS", 1 << 1),
    ("DENY_HULL_SHADER_ROOT_ACCESS", 1 << 2),
    ("DENY_DOMAIN_SHADER_ROOT_ACCESS", 1 << 3),
    ("DENY_GEOMETRY_SHADER_ROOT_ACCESS", 1 << 4),
    ("DENY_PIXEL_SHADER_ROOT_ACCESS", 1 << 5),
    ("ALLOW_STREAM_OUTPUT", 1 << 6),
    ("LOCAL_ROOT_SIGNATURE", 1 << 7),
    ("DENY_AMPLIFICATION_SHADER_ROOT_ACCESS", 1 << 8),
    ("DENY_MESH_SHADER_ROOT_ACCESS", 1 << 9),
    ("CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED", 1 << 10),
    ("SAMPLER_HEAP_DIRECTLY_INDEXED", 1 << 11),
    ("ALLOW_LOW_TIER_RESERVED_HW_CB_LIMIT", 1 << 31),
];

pub(super) const DESCRIPTOR_FLAGS: Names<u32> = &[
    ("DESCRIPTORS_VOLATILE", 1),
    ("DATA_VOLATILE", 1 << 1),
    ("DATA_STATIC_WHILE_SET_AT_EXECUTE", 1 << 2),
    ("DATA_STATIC", 1 << 3),
    ("DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS", 1 << 16),
];

pub(super) const SAMPLER_FLAGS: Names<u32> = &[
    ("UINT_BORDER_COLOR", 1),
    ("NON_NORMALIZED_COORDINATES", 1 << 1),
];

pub(super) const VISIBILITIES: Names<ShaderVisibility> = &[
    ("ALL", ShaderVisibility::All),
    ("VERTEX", ShaderVisibility::Vertex),
    ("HULL", ShaderVisibility::Hull),
    ("DOMAIN", ShaderVisibility::Domain),
    ("GEOMETRY", ShaderVisibility::Geometry),
    ("PIXEL", ShaderVisibility::Pixel),
    ("AMPLIFICATION", ShaderVisibility::Amplification),
    ("MESH", ShaderVisibility::Mesh),
];

pub(super) const ADDRESS_MODES: Names<TextureAddressMode> = &[
    ("WRAP", TextureAddressMode::Wrap),
    ("MIRROR", TextureAddressMode::Mirror),
    ("CLAMP", TextureAddressMode::Clamp),
    ("BORDER", TextureAddressMode::Border),
    ("MIRROR_ONCE", TextureAddressMode::MirrorOnce),
];

pub(super) const COMPARISONS: Names<ComparisonFunction> = &[
    ("NEVER", ComparisonFunction::Never),
    ("LESS", ComparisonFunction::Less),
    ("EQUAL", ComparisonFunction::Equal),
    ("LESS_EQUAL", ComparisonFunction::LessEqual),
    ("GREATER", ComparisonFunction::Greater),
    ("NOT_EQUAL", ComparisonFunction::NotEqual),
    ("GREATER_EQUAL", ComparisonFunction::GreaterEqual),
    ("ALWAYS", ComparisonFunction::Always),
];

pub(super) const BORDER_COLORS: Names<StaticBorderColor> = &[
    ("TRANSPARENT_BLACK", StaticBorderColor::TransparentBlack),
    ("OPAQUE_BLACK", StaticBorderColor::OpaqueBlack),
    ("OPAQUE_WHITE", StaticBorderColor::OpaqueWhite),
    ("OPAQUE_BLACK_UINT", StaticBorderColor::OpaqueBlackUint),
    ("OPAQUE_WHITE_UINT", StaticBorderColor::OpaqueWhiteUint),
];

/// Parses `MIN_MAG_MIP_LINEAR` and the like: the three that are linear. A word for `POINT` or
/// `LINEAR` holds for all the names before it.
pub(super) fn filter_of(name: &str) -> Option<Filter> {
    let (name, reduction) = [("COMPARISON_", 1), ("MINIMUM_", 2), ("MAXIMUM_", 3)]
        .into_iter()
        .find_map(|(prefix, reduction)| Some((name.strip_prefix(prefix)?, reduction)))
        .unwrap_or((name, 0));
    let bits = match name {
        "ANISOTROPIC" => 0x55,
        _ => {
            let (mut bits, mut open, mut seen) = (0, Vec::new(), 0);
            for word in name.split('_') {
                match word {
                    "MIN" if seen == 0 => open.push(0x10),
                    "MAG" if seen == 1 => open.push(0x04),
                    "MIP" if seen == 2 => open.push(0x01),
                    "LINEAR" if !open.is_empty() => bits |= open.drain(..).sum::<u32>(),
                    "POINT" if !open.is_empty() => open.clear(),
                    _ => return None,
                }
                seen += u32::from(word.starts_with('M'));
            }
            if seen != 3 || !open.is_empty() {
                return None;
            }
            bits
        }
    };
    Some(Filter(bits | reduction << 7))
}
