//! Static samplers of a root signature as a job's samplers.

use dxil_frontend::container::root_signature::{
    ComparisonFunction, FilterReduction, StaticBorderColor, StaticSampler, StaticSamplerFlags,
    TextureAddressMode,
};

use crate::error::{Error, Result};
use crate::job::{AddressMode, Comparison, Filter, Reduction, Sampler};

/// Converts a static sampler to that of a job. Values that D3D12 does not define are errors.
pub(super) fn convert(sampler: &StaticSampler) -> Result<Sampler> {
    let filter = sampler.filter;
    use StaticSamplerFlags as F;
    if sampler.flags.contains(F::NON_NORMALIZED_COORDINATES) {
        return Err(Error::Unsupported(format!(
            "coordinates in texels (the flags of the static sampler s{})",
            sampler.register
        )));
    }
    let linear = |linear| {
        if linear {
            Filter::Linear
        } else {
            Filter::Point
        }
    };
    let reduction = filter.reduction();
    let modes = [sampler.address_u, sampler.address_v, sampler.address_w];
    let mut modes = modes.into_iter().map(address);
    let mut next = || modes.next().unwrap_or(Ok(AddressMode::Clamp));
    Ok(Sampler {
        min_filter: linear(filter.is_min_linear()),
        mag_filter: linear(filter.is_mag_linear()),
        mip_filter: linear(filter.is_mip_linear()),
        // The field has a value with other filters too, which means nothing there.
        anisotropy: if filter.is_anisotropic() {
            sampler.max_anisotropy
        } else {
            0
        },
        address: [next()?, next()?, next()?],
        lod_bias: sampler.mip_lod_bias,
        min_lod: sampler.min_lod,
        max_lod: sampler.max_lod,
        comparison: (reduction == FilterReduction::Comparison)
            .then(|| comparison(sampler.comparison))
            .transpose()?,
        reduction: match reduction {
            FilterReduction::Standard | FilterReduction::Comparison => Reduction::Average,
            FilterReduction::Minimum => Reduction::Minimum,
            FilterReduction::Maximum => Reduction::Maximum,
        },
        border: match sampler.border_color {
            StaticBorderColor::TransparentBlack => [0.0; 4],
            StaticBorderColor::OpaqueBlack | StaticBorderColor::OpaqueBlackUint => {
                [0.0, 0.0, 0.0, 1.0]
            }
            StaticBorderColor::OpaqueWhite | StaticBorderColor::OpaqueWhiteUint => [1.0; 4],
            StaticBorderColor::Other(number) => return Err(unknown("border colour", number)),
        },
        integer_border: sampler.flags.contains(F::UINT_BORDER_COLOR)
            || matches!(
                sampler.border_color,
                StaticBorderColor::OpaqueBlackUint | StaticBorderColor::OpaqueWhiteUint
            ),
    })
}

fn unknown(what: &str, number: u32) -> Error {
    Error::RootSignature(format!("a static sampler has the unknown {what} {number}"))
}

fn address(mode: TextureAddressMode) -> Result<AddressMode> {
    Ok(match mode {
        TextureAddressMode::Wrap => AddressMode::Wrap,
        TextureAddressMode::Mirror => AddressMode::Mirror,
        TextureAddressMode::Clamp => AddressMode::Clamp,
        TextureAddressMode::Border => AddressMode::Border,
        TextureAddressMode::MirrorOnce => AddressMode::MirrorOnce,
        TextureAddressMode::Other(number) => return Err(unknown("address mode", number)),
    })
}

fn comparison(function: ComparisonFunction) -> Result<Comparison> {
    Ok(match function {
        // A filter that does not compare may have no comparison function at all.
        ComparisonFunction::None | ComparisonFunction::Never => Comparison::Never,
        ComparisonFunction::Less => Comparison::Less,
        ComparisonFunction::Equal => Comparison::Equal,
        ComparisonFunction::LessEqual => Comparison::LessEqual,
        ComparisonFunction::Greater => Comparison::Greater,
        ComparisonFunction::NotEqual => Comparison::NotEqual,
        ComparisonFunction::GreaterEqual => Comparison::GreaterEqual,
        ComparisonFunction::Always => Comparison::Always,
        ComparisonFunction::Other(number) => return Err(unknown("comparison", number)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root_signature::parse_text;

    /// Returns the sampler of a root signature's text.
    fn sampler(arguments: &str) -> Result<Sampler> {
        let root = parse_text(&format!("StaticSampler(s0{arguments})")).unwrap();
        convert(&root.static_samplers[0])
    }

    #[test]
    fn every_filter_of_d3d12_has_its_parts() {
        use Filter::{Linear, Point};
        // Minified, magnified, between mips.
        let parts = [
            ("MIN_MAG_MIP_POINT", [Point, Point, Point]),
            ("MIN_MAG_POINT_MIP_LINEAR", [Point, Point, Linear]),
            ("MIN_POINT_MAG_LINEAR_MIP_POINT", [Point, Linear, Point]),
            ("MIN_POINT_MAG_MIP_LINEAR", [Point, Linear, Linear]),
            ("MIN_LINEAR_MAG_MIP_POINT", [Linear, Point, Point]),
            ("MIN_LINEAR_MAG_POINT_MIP_LINEAR", [Linear, Point, Linear]),
            ("MIN_MAG_LINEAR_MIP_POINT", [Linear, Linear, Point]),
            ("MIN_MAG_MIP_LINEAR", [Linear, Linear, Linear]),
            ("ANISOTROPIC", [Linear, Linear, Linear]),
        ];
        let kinds = [
            ("", None, Reduction::Average),
            (
                "COMPARISON_",
                Some(Comparison::LessEqual),
                Reduction::Average,
            ),
            ("MINIMUM_", None, Reduction::Minimum),
            ("MAXIMUM_", None, Reduction::Maximum),
        ];
        for (prefix, compares, reduction) in kinds {
            for (name, filters) in parts {
                let text = format!(", filter = FILTER_{prefix}{name}, maxAnisotropy = 7");
                let sampler = sampler(&text).unwrap();
                let got = [sampler.min_filter, sampler.mag_filter, sampler.mip_filter];
                assert_eq!(got, filters, "{text}");
                assert_eq!(sampler.reduction, reduction, "{text}");
                assert_eq!(sampler.comparison, compares, "{text}");
                let maximum = if name == "ANISOTROPIC" { 7 } else { 0 };
                assert_eq!(sampler.anisotropy, maximum, "{text}");
            }
        }
    }

    #[test]
    fn addresses_comparisons_and_borders_keep_their_names() {
        use AddressMode as A;
        for (name, mode) in [
            ("WRAP", A::Wrap),
            ("MIRROR", A::Mirror),
            ("CLAMP", A::Clamp),
            ("BORDER", A::Border),
            ("MIRROR_ONCE", A::MirrorOnce),
        ] {
            for (axis, place) in [("U", 0), ("V", 1), ("W", 2)] {
                let text = format!(", address{axis} = TEXTURE_ADDRESS_{name}");
                let mut expected = [A::Wrap; 3];
                expected[place] = mode;
                assert_eq!(sampler(&text).unwrap().address, expected, "{text}");
            }
        }
        use Comparison as C;
        for (name, function) in [
            ("NEVER", C::Never),
            ("LESS", C::Less),
            ("EQUAL", C::Equal),
            ("LESS_EQUAL", C::LessEqual),
            ("GREATER", C::Greater),
            ("NOT_EQUAL", C::NotEqual),
            ("GREATER_EQUAL", C::GreaterEqual),
            ("ALWAYS", C::Always),
        ] {
            let filter = "filter = FILTER_COMPARISON_MIN_MAG_MIP_POINT";
            let text = format!(", {filter}, comparisonFunc = COMPARISON_{name}");
            assert_eq!(sampler(&text).unwrap().comparison, Some(function), "{text}");
        }
        let (black, white) = ([0.0, 0.0, 0.0, 1.0], [1.0; 4]);
        for (name, border, integer) in [
            ("TRANSPARENT_BLACK", [0.0; 4], false),
            ("OPAQUE_BLACK", black, false),
            ("OPAQUE_WHITE", white, false),
            ("OPAQUE_BLACK_UINT", black, true),
            ("OPAQUE_WHITE_UINT", white, true),
        ] {
            let text = format!(", borderColor = STATIC_BORDER_COLOR_{name}");
            let sampler = sampler(&text).unwrap();
            assert_eq!(
                (sampler.border, sampler.integer_border),
                (border, integer),
                "{text}"
            );
        }
    }

    #[test]
    fn levels_are_taken_over_and_texel_coordinates_refused() {
        let lod = sampler(", mipLODBias = -1.5, minLOD = 2, maxLOD = 3.25").unwrap();
        assert_eq!((lod.lod_bias, lod.min_lod, lod.max_lod), (-1.5, 2.0, 3.25));
        let error = sampler(", flags = NON_NORMALIZED_COORDINATES").unwrap_err();
        assert!(matches!(error, Error::Unsupported(_)), "{error}");
        let integers = sampler(", flags = UINT_BORDER_COLOR").unwrap();
        assert!(integers.integer_border);
    }
}
