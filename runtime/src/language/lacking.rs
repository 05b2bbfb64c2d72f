//! What naga lacks for a language that could say it.
//!
//! Translation for a language ends with an error in Vulkan's words where the target lacks a
//! feature. The language may have it, and the reader should know that naga stands between. The
//! table "What naga lacks" in `docs/upstream/README.md` says what naga needs.

use dxil_translate::ErrorKind;

use super::Language;
use super::Language::{Glsl, Hlsl, Msl};
use crate::error::Error;

/// Vulkan's features that naga's IR or its SPIR-V front end lacks, the languages that have them,
/// and what naga needs.
const LACKING: &[(&str, &[Language], &str)] = &[
    (
        "tessellationShader",
        &[Hlsl, Glsl],
        "hull and domain stages in its IR",
    ),
    (
        "meshShader and taskShader",
        &[Hlsl, Msl],
        "mesh and amplification stages in its SPIR-V front end",
    ),
    (
        "shaderResourceMinLod",
        &[Hlsl, Msl, Glsl],
        "a minimum level of detail in samples of its IR",
    ),
    (
        "shaderStencilExport",
        &[Hlsl, Msl, Glsl],
        "stencil references in its IR",
    ),
    (
        "primitiveFragmentShadingRate",
        &[Hlsl, Glsl],
        "shading rates in its IR",
    ),
    (
        "shaderOutputViewportIndex and shaderOutputLayer",
        &[Hlsl, Msl, Glsl],
        "viewport and layer indices in its IR",
    ),
];

/// Returns an error of a translation for a language, which names naga where the language could say
/// what naga cannot.
pub fn explained(error: Error, language: Language) -> Error {
    let Error::Translate(translation) = &error else {
        return error;
    };
    let ErrorKind::TargetLacks { feature, user } = translation.kind() else {
        return error;
    };
    let mut rows = LACKING.iter();
    let found = rows.find(|(name, languages, _)| name == feature && languages.contains(&language));
    match found {
        Some((_, _, need)) => Error::Language {
            who: "its IR",
            reason: format!(
                "{} has what {user} needs, and naga lacks {need} (docs/upstream/README.md)",
                language.name()
            ),
        },
        None => error,
    }
}
