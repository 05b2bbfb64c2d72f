//! Static samplers of a root signature as a job's samplers.

use dxil_frontend::container::root_signature::{
    ComparisonFunction, FilterReduction, StaticBorderColor, StaticSampler, TextureAddressMode,
};

use crate::error::{Error, Result};
use crate::job::{AddressMode, Comparison, Filter, Reduction, Sampler};

/// The same sampler in a job's words; an error where D3D12 has no such number.
pub(super) fn convert(sampler: &StaticSampler) -> Result<Sampler> {
    let filter = sampler.filter;
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
