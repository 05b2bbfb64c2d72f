//! Samplers as text: a filter with options after it, `linear+wrap` or `point+less+bias=0.5`.

use dxil_runtime::job::{AddressMode, Comparison, Filter, Reduction, Sampler};

/// Returns the sampler that a text describes.
///
/// # Errors
///
/// The text describes none; the message says what does.
pub fn sampler_of(text: &str) -> Result<Sampler, String> {
    parse(text).unwrap_or_else(|| {
        let word = text.split('+').next().unwrap_or_default();
        Err(format!(
            "point, linear or anisotropic, with options after + (linear+wrap); `{word}` is none of them"
        ))
    })
}

/// Returns the sampler that a text describes; `None` if it does not begin with the name of a
/// filter.
pub fn parse(text: &str) -> Option<Result<Sampler, String>> {
    let mut words = text.split('+');
    let mut sampler = Sampler::default();
    let filter = match words.next()? {
        "point" => Filter::Point,
        "linear" => Filter::Linear,
        "anisotropic" => {
            sampler.anisotropy = 16;
            Filter::Linear
        }
        _ => return None,
    };
    sampler.min_filter = filter;
    sampler.mag_filter = filter;
    sampler.mip_filter = filter;
    for word in words {
        if let Err(error) = sampler_word(&mut sampler, word) {
            return Some(Err(error));
        }
    }
    Some(Ok(sampler))
}

/// Applies a word of a sampler, like `wrap`, `less` or `bias=0.5`.
fn sampler_word(sampler: &mut Sampler, word: &str) -> Result<(), String> {
    let unknown = || format!("`{word}` says nothing of a sampler");
    let Some((key, value)) = word.split_once('=') else {
        if let Some(mode) = address_mode(word) {
            sampler.address = [mode; 3];
            return Ok(());
        }
        match word {
            "minimum" => sampler.reduction = Reduction::Minimum,
            "maximum" => sampler.reduction = Reduction::Maximum,
            _ => sampler.comparison = Some(comparison(word).ok_or_else(unknown)?),
        }
        return Ok(());
    };
    let number = || value.parse::<f32>().map_err(|_| unknown());
    let filter = || match value {
        "point" => Ok(Filter::Point),
        "linear" => Ok(Filter::Linear),
        _ => Err(unknown()),
    };
    let mode = || address_mode(value).ok_or_else(unknown);
    match key {
        "min" => sampler.min_filter = filter()?,
        "mag" => sampler.mag_filter = filter()?,
        "mip" => sampler.mip_filter = filter()?,
        "u" => sampler.address[0] = mode()?,
        "v" => sampler.address[1] = mode()?,
        "w" => sampler.address[2] = mode()?,
        "bias" => sampler.lod_bias = number()?,
        "minlod" => sampler.min_lod = number()?,
        "maxlod" => sampler.max_lod = number()?,
        "anisotropy" => {
            sampler.anisotropy = value.parse().map_err(|_| unknown())?;
        }
        "border" => {
            sampler.address = [AddressMode::Border; 3];
            sampler.border = match value {
                "transparent" => [0.0; 4],
                "black" => [0.0, 0.0, 0.0, 1.0],
                "white" => [1.0; 4],
                _ => {
                    let parts = value.split('/').map(str::parse);
                    let parts: Result<Vec<f32>, _> = parts.collect();
                    let parts = parts.map_err(|_| unknown())?;
                    *parts
                        .first_chunk()
                        .filter(|_| parts.len() == 4)
                        .ok_or_else(unknown)?
                }
            };
        }
        _ => return Err(unknown()),
    }
    Ok(())
}

fn address_mode(word: &str) -> Option<AddressMode> {
    Some(match word {
        "wrap" => AddressMode::Wrap,
        "mirror" => AddressMode::Mirror,
        "clamp" => AddressMode::Clamp,
        "border" => AddressMode::Border,
        "mirroronce" => AddressMode::MirrorOnce,
        _ => return None,
    })
}

fn comparison(word: &str) -> Option<Comparison> {
    Some(match word {
        "never" => Comparison::Never,
        "less" => Comparison::Less,
        "equal" => Comparison::Equal,
        "lessequal" => Comparison::LessEqual,
        "greater" => Comparison::Greater,
        "notequal" => Comparison::NotEqual,
        "greaterequal" => Comparison::GreaterEqual,
        "always" => Comparison::Always,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samplers_are_words_joined_by_plus() {
        let sampler = sampler_of("point+wrap+lessequal").unwrap();
        assert_eq!(sampler.min_filter, Filter::Point);
        assert_eq!(sampler.address, [AddressMode::Wrap; 3]);
        assert_eq!(sampler.comparison, Some(Comparison::LessEqual));
        let sampler = sampler_of(
            "linear+mip=point+u=wrap+bias=0.5+minlod=1+maxlod=3+anisotropy=8+minimum+border=1/0/0.5/1+v=mirror",
        )
        .unwrap();
        assert_eq!(
            sampler,
            Sampler {
                mip_filter: Filter::Point,
                // The border is for all axes that nothing follows for.
                address: [
                    AddressMode::Border,
                    AddressMode::Mirror,
                    AddressMode::Border
                ],
                lod_bias: 0.5,
                min_lod: 1.0,
                max_lod: 3.0,
                anisotropy: 8,
                reduction: Reduction::Minimum,
                border: [1.0, 0.0, 0.5, 1.0],
                ..Sampler::default()
            }
        );
        for wrong in [
            "point+sideways",
            "point+bias=x",
            "point+border=1/2",
            "linear+top=1",
            "cubic",
        ] {
            assert!(sampler_of(wrong).is_err(), "{wrong}");
        }
        assert!(parse("cubic").is_none());
    }
}
