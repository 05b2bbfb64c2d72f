//! System values that shaders read with an operation instead of a signature element.

use dxil_frontend::dxil::{InterpolationMode, SemanticKind, ShaderKind, SignatureElement};
use dxil_frontend::ir::ValueId;

use crate::lower::context::{Context, Input};
use crate::lower::images::sample_positions;
use crate::lower::numbers::integers;
use crate::lower::signatures::inputs;
use crate::lower::values::LoweredValue;
use crate::options::Features;
use crate::pseudo::{BarycentricLocation, BarycentricMode};
use crate::spirv::{Builder, BuiltIn, Capability, Decoration, GLOp, Id, StorageClass};
use crate::{Error, ErrorKind, RasterSamples, Result};

/// Lowers `gsInstanceID`.
pub(super) fn geometry_instance_id(cx: &mut Context<'_>) -> LoweredValue {
    LoweredValue::Id(load_input(cx, BuiltIn::InvocationId, Capability::Geometry))
}

/// Lowers `primitiveID`.
pub(super) fn load_primitive_id(cx: &mut Context<'_>) -> Result<LoweredValue> {
    let capability = primitive_id_capability(&cx.input)?;
    declare_mesh_extension(&mut cx.b, capability);
    Ok(LoweredValue::Id(load_input(
        cx,
        BuiltIn::PrimitiveId,
        capability,
    )))
}

/// Returns the capability for primitive numbers. Geometry, tessellation and mesh shaders each have
/// one that includes them. The stage's own comes first, because the target must have it.
pub(in crate::lower) fn primitive_id_capability(input: &Input<'_>) -> Result<Capability> {
    let features = input.options.target.features;
    let choices = [
        (Features::GEOMETRY, Capability::Geometry),
        (Features::TESSELLATION, Capability::Tessellation),
        (Features::MESH_SHADER, Capability::MeshShadingEXT),
    ];
    match input.entry.kind {
        ShaderKind::Geometry => return Ok(Capability::Geometry),
        ShaderKind::Mesh => return Ok(Capability::MeshShadingEXT),
        ShaderKind::Hull | ShaderKind::Domain => return Ok(Capability::Tessellation),
        _ => {}
    }
    choices
        .into_iter()
        .find(|&(feature, _)| features.contains(feature))
        .map(|(_, capability)| capability)
        .ok_or_else(|| {
            Error::new(ErrorKind::TargetLacks {
                feature: "geometryShader",
                user: "SV_PrimitiveID".to_owned(),
            })
        })
}

/// Declares the extension of mesh shading, if the capability is that of mesh shading.
pub(super) fn declare_mesh_extension(b: &mut Builder, capability: Capability) {
    if capability == Capability::MeshShadingEXT {
        b.extension("SPV_EXT_mesh_shader");
    }
}

/// Lowers `sampleIndex`.
pub(super) fn sample_index(cx: &mut Context<'_>) -> Result<LoweredValue> {
    require_sample_rate(&cx.input, "SV_SampleIndex")?;
    cx.module.stage_io.per_sample = true;
    Ok(LoweredValue::Id(load_input(
        cx,
        BuiltIn::SampleId,
        Capability::SampleRateShading,
    )))
}

/// Lowers `renderTargetGetSampleCount`: Vulkan has no built-in for it, so the caller provides it.
pub(super) fn raster_samples(b: &mut Builder, input: &Input<'_>) -> Id {
    match input.options.signature.raster_samples {
        // A count of 0 would make the tables of sample positions fail.
        RasterSamples::Constant(samples) => b.const_u32(samples.max(1)),
        RasterSamples::Specialized { spec_id } => {
            let ty = b.u32();
            let samples = b.spec_u32(spec_id);
            let one = b.const_u32(1);
            b.glsl(GLOp::UMax, ty, &[samples, one])
        }
    }
}

/// Lowers `renderTargetGetSamplePosition`: D3D's standard positions.
pub(super) fn raster_sample_position(cx: &mut Context<'_>, index: ValueId) -> Result<LoweredValue> {
    let samples = raster_samples(&mut cx.b, &cx.input);
    let index = cx.id(index)?;
    Ok(sample_positions::standard_sample_position(
        cx, samples, index,
    ))
}

/// Refuses sample-rate shading where the target does not have it.
pub(super) fn require_sample_rate(input: &Input<'_>, user: &str) -> Result<()> {
    inputs::require(
        input,
        Features::SAMPLE_RATE_SHADING,
        "sampleRateShading",
        user,
    )
}

/// Keeps a pixel shader running per sample, even if it reads nothing that differs between samples:
/// the signature alone decides (D3D11.3 functional specification, "Sample-Frequency
/// Execution and Rasterization"; like PSV0's
/// `SampleFrequency`). In SPIR-V the entry point's interface has to list such an input (Vulkan,
/// "Sample Shading").
pub(in crate::lower) fn keep_sample_frequency(cx: &mut Context<'_>) -> Result<()> {
    if !cx.input.is_pixel() || !runs_per_sample(&cx.input.entry.inputs) {
        return Ok(());
    }
    require_sample_rate(&cx.input, "a pixel shader that runs per sample")?;
    // An input of this kind that was declared before has the same effect.
    if !cx.module.stage_io.per_sample {
        cx.b.capability(Capability::SampleRateShading);
        let word = cx.b.u32();
        let variable = inputs::built_in_input(cx, BuiltIn::SampleId, word);
        cx.b.decorate_once(variable, Decoration::Flat);
    }
    Ok(())
}

/// Returns whether the input signature makes a pixel shader run per sample.
fn runs_per_sample(inputs: &[SignatureElement]) -> bool {
    use InterpolationMode::{LinearNoPerspectiveSample, LinearSample};
    inputs.iter().any(|input| {
        input.semantic == SemanticKind::SampleIndex
            || matches!(
                input.interpolation,
                LinearSample | LinearNoPerspectiveSample
            )
    })
}

/// Lowers `startVertexLocation`, `startInstanceLocation`.
pub(super) fn draw_start(cx: &mut Context<'_>, built_in: BuiltIn) -> Result<LoweredValue> {
    inputs::require(
        &cx.input,
        Features::DRAW_PARAMETERS,
        "shaderDrawParameters",
        "the draw's first vertex or instance",
    )?;
    Ok(LoweredValue::Id(load_input(
        cx,
        built_in,
        Capability::DrawParameters,
    )))
}

/// Returns a `uint` built-in with its capability.
pub(in crate::lower) fn load_input(
    cx: &mut Context<'_>,
    built_in: BuiltIn,
    capability: Capability,
) -> Id {
    cx.b.capability(capability);
    inputs::load_u32_built_in(cx, built_in)
}

/// Returns the weights of the triangle's vertices at a point of the pixel, without a signature
/// element (`BaryCoordKHR`, SPV_KHR_fragment_shader_barycentric).
pub(in crate::lower) fn barycentrics(cx: &mut Context<'_>, mode: BarycentricMode) -> Result<Id> {
    if !cx.input.is_pixel() {
        return Err(inputs::stage_unsupported(&cx.input, "barycentrics"));
    }
    declare_barycentrics(cx, "barycentrics")?;
    let built_in = if mode.perspective {
        BuiltIn::BaryCoordKHR
    } else {
        BuiltIn::BaryCoordNoPerspKHR
    };
    let float = cx.b.f32();
    let vector = cx.b.vector(float, 3);
    let variable = inputs::built_in_input(cx, built_in, vector);
    // A decoration would hold for every use of the variable.
    match mode.location {
        BarycentricLocation::Center => Ok(cx.b.load(vector, variable)),
        BarycentricLocation::Centroid => {
            cx.b.capability(Capability::InterpolationFunction);
            require_sample_rate(&cx.input, "barycentrics at the centroid")?;
            Ok(cx.b.glsl(GLOp::InterpolateAtCentroid, vector, &[variable]))
        }
        BarycentricLocation::Sample => {
            cx.b.capability(Capability::InterpolationFunction);
            require_sample_rate(&cx.input, "barycentrics at the sample")?;
            cx.module.stage_io.per_sample = true;
            let sample = load_input(cx, BuiltIn::SampleId, Capability::SampleRateShading);
            let operands = [variable, sample];
            Ok(cx.b.glsl(GLOp::InterpolateAtSample, vector, &operands))
        }
    }
}

/// Declares what a barycentric built-in needs.
pub(super) fn declare_barycentrics(cx: &mut Context<'_>, user: &str) -> Result<()> {
    inputs::require(
        &cx.input,
        Features::BARYCENTRICS,
        "fragmentShaderBarycentric",
        user,
    )?;
    cx.b.capability(Capability::FragmentBarycentricKHR);
    cx.b.extension("SPV_KHR_fragment_shader_barycentric");
    Ok(())
}

/// Returns the mask of samples that this pixel covers.
pub(super) fn load_coverage(cx: &mut Context<'_>) -> LoweredValue {
    let word = cx.b.u32();
    let ty = cx.b.array(word, 1);
    // D3D12 has at most 32 samples: one word of the mask.
    let variable = inputs::built_in_input(cx, BuiltIn::SampleMask, ty);
    cx.b.decorate_once(variable, Decoration::Flat);
    let pointer = cx.b.pointer(StorageClass::Input, word);
    let zero = cx.b.const_u32(0);
    let address = cx.b.access_chain(pointer, variable, &[zero]);
    LoweredValue::Id(cx.b.load(word, address))
}

/// Returns whether the pixel is covered completely: 1 or 0.
pub(super) fn load_inner_coverage(cx: &mut Context<'_>) -> Result<LoweredValue> {
    // Inner coverage belongs to the highest tier of conservative rasterization in D3D12, and is an
    // optional feature in Vulkan.
    inputs::require(
        &cx.input,
        Features::FULLY_COVERED,
        "fullyCoveredFragmentShaderInputVariable",
        "SV_InnerCoverage",
    )?;
    cx.b.capability(Capability::FragmentFullyCoveredEXT);
    cx.b.extension("SPV_EXT_fragment_fully_covered");
    let ty = cx.b.bool();
    let variable = inputs::built_in_input(cx, BuiltIn::FullyCoveredEXT, ty);
    let covered = cx.b.load(ty, variable);
    Ok(LoweredValue::Id(integers::bool_to_u32(&mut cx.b, covered)))
}

/// Returns a component of the position in the patch, `SV_DomainLocation`.
pub(super) fn domain_location(cx: &mut Context<'_>, component: u8) -> LoweredValue {
    let float = cx.b.f32();
    let vector = cx.b.vector(float, 3);
    let variable = inputs::built_in_input(cx, BuiltIn::TessCoord, vector);
    let pointer = cx.b.pointer(StorageClass::Input, float);
    // TessCoord has three components in every domain; D3D's triangles use all, quads and lines two.
    let index = cx.b.const_u32(u32::from(component.min(2)));
    let address = cx.b.access_chain(pointer, variable, &[index]);
    LoweredValue::Id(cx.b.load(float, address))
}
