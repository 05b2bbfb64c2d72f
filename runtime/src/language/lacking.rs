//! What naga lacks for a language that could say it.
//!
//! Translation for a language ends with an error in Vulkan's words where the target lacks a
//! feature, or in those of the SPIR-V that naga reads. The language may have it, and the reader
//! should know that naga stands between. The table "What naga lacks" in `docs/upstream/README.md`
//! says what naga needs.

use dxil_translate::{ErrorKind, PortableForm};

use super::Language;
use super::Language::{Glsl, Hlsl, Msl};
use crate::error::Error;

/// What naga lacks, the languages that have it, and what naga needs.
type Row<K> = (K, &'static [Language], &'static str);

/// Vulkan's features that naga's IR, its SPIR-V front end or its writer of the language lacks.
const FEATURES: &[Row<&str>] = &[
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

/// Forms of code that portable SPIR-V lacks, for the same reasons.
const FORMS: &[Row<PortableForm>] = &[
    (
        PortableForm::ComparisonLevel,
        &[Hlsl, Msl],
        "comparisons at a level or with gradients in its SPIR-V front end",
    ),
    (
        PortableForm::GroupLevel,
        &[Hlsl, Glsl],
        "derivatives of compute shaders in its IR",
    ),
    (
        PortableForm::ElementLevel,
        &[Hlsl, Msl, Glsl],
        "arrays of textures that are compared or of the language in its SPIR-V front end or writer",
    ),
    (
        PortableForm::DescriptorArray,
        &[Hlsl, Msl, Glsl],
        "such arrays of descriptors in its SPIR-V front end or writer",
    ),
    (
        PortableForm::UnknownElements,
        &[Hlsl, Glsl],
        "such arrays in its writers, without the number of their elements (--elements)",
    ),
    (
        PortableForm::MultisampledArray,
        &[Hlsl, Glsl],
        "layers of multisampled storage textures in its IR",
    ),
    (
        PortableForm::AtomicResult,
        &[Hlsl, Msl, Glsl],
        "results of atomics on images in its IR",
    ),
    (
        PortableForm::TextureAtomic,
        &[Hlsl, Msl, Glsl],
        "exchanges and 64-bit atomics on images in its IR",
    ),
    (
        PortableForm::OrderedViews,
        &[Hlsl, Msl, Glsl],
        "the order of fragments in its IR",
    ),
    (
        PortableForm::CoherentTexture,
        &[Hlsl, Msl, Glsl],
        "coherent textures in its IR",
    ),
    (
        PortableForm::Interpolation,
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
    let (need, what) = match translation.kind() {
        ErrorKind::TargetLacks { feature, user } => (need(FEATURES, feature, language), user),
        ErrorKind::PortableLacks { form, what } => (need(FORMS, form, language), what),
        _ => return error,
    };
    match need {
        Some(need) => Error::Language {
            who: "its IR",
            reason: format!(
                "{}{} has what {} needs, and naga lacks {need} (docs/upstream/README.md)",
                translation.location(),
                language.name(),
                what.trim_end_matches(','),
            ),
        },
        None => error,
    }
}

/// Returns what naga needs for something that a language has.
fn need<K: PartialEq>(table: &[Row<K>], key: &K, language: Language) -> Option<&'static str> {
    let row = table.iter().find(|row| row.0 == *key)?;
    row.1.contains(&language).then_some(row.2)
}
