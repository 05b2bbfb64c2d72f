//! What naga lacks for a language that could say it.
//!
//! Translation for a language ends with an error in Vulkan's words where the target lacks a
//! feature, or in those of the SPIR-V that naga reads. The language may have it, and the reader
//! should know that naga stands between. The table "What naga lacks" in `docs/upstream/README.md`
//! says what naga needs.

use dxil_translate::ErrorKind;

use super::Language;
use super::Language::{Glsl, Hlsl, Msl};
use crate::error::Error;

/// What naga lacks, the languages that have it, and what naga needs.
type Row = (&'static str, &'static [Language], &'static str);

/// Vulkan's features that naga's IR, its SPIR-V front end or its writer of the language lacks.
const FEATURES: &[Row] = &[
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
        "rayQuery",
        &[Hlsl, Msl, Glsl],
        "ray queries in its SPIR-V front end",
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
    (
        "shaderBufferInt64Atomics",
        &[Glsl],
        "64-bit atomics in its writer",
    ),
    (
        "shaderSharedInt64Atomics",
        &[Hlsl, Glsl],
        "64-bit atomics on groupshared memory in its writers",
    ),
];

/// Starts of what the portable form of SPIR-V cannot say, for the same reasons.
const FORMS: &[Row] = &[
    (
        "a comparison at a level of detail other than 0",
        &[Hlsl, Msl],
        "comparisons at a level or with gradients in its SPIR-V front end",
    ),
    (
        "an implicit level of detail in a thread group with derivatives",
        &[Hlsl, Glsl],
        "derivatives of compute shaders in its IR",
    ),
    (
        "an implicit level of detail of ",
        &[Hlsl, Msl, Glsl],
        "binding arrays with an index from run time in its SPIR-V front end",
    ),
    (
        "an unbounded array, or one of more than ",
        &[Hlsl, Msl, Glsl],
        "binding arrays in its SPIR-V front end",
    ),
    (
        "the result of an atomic on a texture",
        &[Hlsl, Msl, Glsl],
        "results of atomics on images in its IR",
    ),
    (
        "rasterizer-ordered views",
        &[Hlsl, Msl, Glsl],
        "the order of fragments in its IR",
    ),
    (
        "an Evaluate function",
        &[Hlsl, Msl, Glsl],
        "interpolation functions in its IR",
    ),
];

/// Returns an error of a translation for a language, which names naga where the language could say
/// what naga cannot.
pub fn explained(error: Error, language: Language) -> Error {
    let Error::Translate(translation) = &error else {
        return error;
    };
    let is_row = |row: &&Row, is_it: bool| is_it && row.1.contains(&language);
    let (found, what) = match translation.kind() {
        ErrorKind::TargetLacks { feature, user } => {
            let row = FEATURES.iter().find(|row| is_row(row, row.0 == *feature));
            (row, user.as_str())
        }
        ErrorKind::Unsupported(what) => {
            let mut rows = FORMS.iter();
            let row = rows.find(|row| is_row(row, what.starts_with(row.0)));
            (row, what.trim_end_matches(" in portable SPIR-V"))
        }
        _ => return error,
    };
    match found {
        Some((.., need)) => Error::Language {
            who: "its IR",
            reason: format!(
                "{}{} has what {what} needs, and naga lacks {need} (docs/upstream/README.md)",
                translation.location(),
                language.name()
            ),
        },
        None => error,
    }
}
