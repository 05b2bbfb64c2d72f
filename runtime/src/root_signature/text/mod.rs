//! Root signatures as HLSL writes them: `"RootFlags(0), CBV(b0), DescriptorTable(SRV(t0,
//! numDescriptors = 4))"`.
//!
//! The grammar and its defaults are those of "Specifying Root Signatures in HLSL". Words are not
//! case sensitive; arguments stand in any order. Quotes and backslashes count as blanks, so that
//! the text of a macro can be pasted with them.
//!
//! First the text becomes a tree of calls, whatever their names; then the calls get their meaning,
//! each argument taken at most once and none left over.

mod arguments;
mod error;
mod grammar;
mod names;
#[cfg(test)]
mod tests;

use dxil_frontend::container::root_signature::{
    ComparisonFunction, DescriptorFlags, DescriptorRange, DescriptorRangeType, Filter,
    RootConstants, RootDescriptor, RootParameterKind, RootSignature, RootSignatureFlags,
    RootSignatureVersion, StaticBorderColor, StaticSampler, StaticSamplerFlags, TextureAddressMode,
};
use winnow::prelude::*;
use winnow::stream::LocatingSlice;

use arguments::Arguments;
pub use error::TextError;
use error::{Result, error, fail};
use grammar::{Call, root};
use names::{
    ADDRESS_MODES, BORDER_COLORS, COMPARISONS, DESCRIPTOR_FLAGS, ROOT_FLAGS, SAMPLER_FLAGS,
};

/// Reads the text of a root signature, as HLSL's attribute `[RootSignature]` has it. The result has
/// version 1.1, or 1.2 if a static sampler has flags.
///
/// # Errors
///
/// The first mistake in the text, with line and column.
pub fn parse_text(text: &str) -> Result<RootSignature> {
    read(text).map_err(|error| error.located(text))
}

/// Maximum nesting of parentheses. Ranges in a table are the deepest valid level; the parser calls
/// itself for each level, so the stack must be bounded.
const MAX_DEPTH: usize = 16;

/// Refuses text that is nested too deeply, before it is parsed.
fn check_depth(text: &str) -> Result<()> {
    let mut depth = 0usize;
    for (offset, byte) in text.bytes().enumerate() {
        match byte {
            b'(' if depth == MAX_DEPTH => {
                let problem = format!("more than {MAX_DEPTH} parentheses inside of each other");
                return fail(offset, &problem);
            }
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

fn read(text: &str) -> Result<RootSignature> {
    check_depth(text)?;
    let calls = root.parse(LocatingSlice::new(text)).map_err(|failure| {
        let problem = failure.inner().to_string().replace('\n', ", ");
        let problem = match problem.as_str() {
            "" => "this is not part of a root signature".to_owned(),
            _ => problem,
        };
        error(failure.offset(), &problem)
    })?;
    let mut signature = RootSignature {
        version: RootSignatureVersion::V1_1,
        flags: RootSignatureFlags::empty(),
        parameters: Vec::new(),
        static_samplers: Vec::new(),
    };
    let mut has_flags = false;
    for call in calls {
        let at = call.offset;
        let mut arguments = Arguments::new(&call);
        match call.name.to_ascii_lowercase().as_str() {
            "rootflags" => {
                if std::mem::replace(&mut has_flags, true) {
                    return fail(at, "a second RootFlags");
                }
                signature.flags =
                    arguments.only_flags(ROOT_FLAGS, RootSignatureFlags::from_bits_retain)?;
            }
            "rootconstants" => {
                let (_, register) = arguments.register(&['b'])?;
                let parameter = RootParameterKind::Constants(RootConstants {
                    register,
                    space: arguments.number("space")?.unwrap_or(0),
                    count: arguments
                        .number("num32BitConstants")?
                        .ok_or_else(|| error(at, "RootConstants need num32BitConstants"))?,
                });
                signature.parameters.push(arguments.parameter(parameter)?);
            }
            "cbv" | "srv" | "uav" => {
                let letter = letter_of(call.name);
                let (_, register) = arguments.register(&[letter])?;
                let flags = arguments.flags(DESCRIPTOR_FLAGS, DescriptorFlags::from_bits_retain)?;
                let descriptor = RootDescriptor {
                    register,
                    space: arguments.number("space")?.unwrap_or(0),
                    flags: flags.unwrap_or_default(),
                };
                let parameter = match letter {
                    'b' => RootParameterKind::Cbv(descriptor),
                    't' => RootParameterKind::Srv(descriptor),
                    _ => RootParameterKind::Uav(descriptor),
                };
                signature.parameters.push(arguments.parameter(parameter)?);
            }
            "descriptortable" => {
                let ranges = arguments.calls().map(range).collect::<Result<Vec<_>>>()?;
                if ranges.is_empty() {
                    return fail(at, "a DescriptorTable needs a range");
                }
                let parameter = RootParameterKind::Table(ranges);
                signature.parameters.push(arguments.parameter(parameter)?);
            }
            "staticsampler" => {
                let sampler = static_sampler(&mut arguments)?;
                // Flags of static samplers came with version 1.2.
                if !sampler.flags.is_empty() {
                    signature.version = RootSignatureVersion::V1_2;
                }
                signature.static_samplers.push(sampler);
            }
            other => return fail(at, &format!("`{other}` is no element of a root signature")),
        }
        arguments.finish()?;
    }
    Ok(signature)
}

fn range(call: &Call<'_>) -> Result<DescriptorRange> {
    let mut arguments = Arguments::new(call);
    let (ty, letter) = match call.name.to_ascii_lowercase().as_str() {
        "cbv" => (DescriptorRangeType::Cbv, 'b'),
        "srv" => (DescriptorRangeType::Srv, 't'),
        "uav" => (DescriptorRangeType::Uav, 'u'),
        "sampler" => (DescriptorRangeType::Sampler, 's'),
        other => return fail(call.offset, &format!("`{other}` is no descriptor range")),
    };
    let (_, base_register) = arguments.register(&[letter])?;
    let flags = arguments.flags(DESCRIPTOR_FLAGS, DescriptorFlags::from_bits_retain)?;
    let range = DescriptorRange {
        ty,
        count: arguments
            .number_or("numDescriptors", "unbounded")?
            .unwrap_or(Some(1)),
        base_register,
        space: arguments.number("space")?.unwrap_or(0),
        flags: flags.unwrap_or_default(),
        offset: arguments
            .number_or("offset", "DESCRIPTOR_RANGE_OFFSET_APPEND")?
            .unwrap_or(None),
    };
    arguments.finish()?;
    Ok(range)
}

fn static_sampler(arguments: &mut Arguments<'_, '_>) -> Result<StaticSampler> {
    let (_, register) = arguments.register(&['s'])?;
    let mut address = |key: &str| {
        let mode = arguments.choice(key, "TEXTURE_ADDRESS_", ADDRESS_MODES)?;
        Ok(mode.unwrap_or(TextureAddressMode::Wrap))
    };
    let (address_u, address_v, address_w) = (
        address("addressU")?,
        address("addressV")?,
        address("addressW")?,
    );
    let border = arguments.choice("borderColor", "STATIC_BORDER_COLOR_", BORDER_COLORS)?;
    Ok(StaticSampler {
        // 0x55 is `D3D12_FILTER_ANISOTROPIC`. The defaults are those of "Specifying Root Signatures
        // in HLSL".
        filter: arguments.filter()?.unwrap_or(Filter(0x55)),
        address_u,
        address_v,
        address_w,
        mip_lod_bias: arguments.float("mipLODBias")?.unwrap_or(0.0),
        max_anisotropy: arguments.number("maxAnisotropy")?.unwrap_or(16),
        comparison: arguments
            .choice("comparisonFunc", "COMPARISON_", COMPARISONS)?
            .unwrap_or(ComparisonFunction::LessEqual),
        border_color: border.unwrap_or(StaticBorderColor::OpaqueWhite),
        min_lod: arguments.float("minLOD")?.unwrap_or(0.0),
        max_lod: arguments.float("maxLOD")?.unwrap_or(f32::MAX),
        register,
        space: arguments.number("space")?.unwrap_or(0),
        visibility: arguments.visibility()?,
        flags: arguments
            .flags(SAMPLER_FLAGS, StaticSamplerFlags::from_bits_retain)?
            .unwrap_or_default(),
    })
}

fn letter_of(name: &str) -> char {
    match name.as_bytes().first().map(u8::to_ascii_lowercase) {
        Some(b'c') => 'b',
        Some(b's') => 't',
        _ => 'u',
    }
}
