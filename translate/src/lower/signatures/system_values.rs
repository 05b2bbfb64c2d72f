//! System values: the built-in that represents each one, by stage.

use dxil_frontend::dxil::{InterpolationMode, SemanticKind, ShaderKind, SignatureElement};

use crate::lower::context::{Context, Input};
use crate::lower::signatures::state::{Adjust, Direction};
use crate::lower::signatures::{inputs, system_inputs, tessellation_factors};
use crate::lower::type_map::Scalar;
use crate::options::Features;
use crate::spirv::{Builder, BuiltIn, Capability};
use crate::{Error, Result};

/// The SPIR-V form of a system value.
pub(super) struct SystemValue {
    pub(super) built_in: BuiltIn,
    pub(super) scalar: Scalar,
    pub(super) form: SystemForm,
    pub(super) adjust: Adjust,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SystemForm {
    Scalar,
    Vector(u32),
    Distances,
    Factors(u32),
    Mask,
}

/// Returns the form of the element's system value in this stage; `None` if it is passed on as data.
pub(super) fn system_value(
    cx: &mut Context<'_>,
    direction: Direction,
    element: &SignatureElement,
) -> Result<Option<SystemValue>> {
    use SemanticKind as Semantic;
    let pixel = cx.input.entry.kind == ShaderKind::Pixel;
    let input = direction == Direction::Input;
    let vertex_input = input && cx.input.entry.kind == ShaderKind::Vertex;
    let tessellates = matches!(cx.input.entry.kind, ShaderKind::Hull | ShaderKind::Domain);
    // Layer, viewport and shading rate are for the rasterizer only.
    let rasterizes = (pixel && input)
        || (!input
            && matches!(
                cx.input.entry.kind,
                ShaderKind::Vertex | ShaderKind::Domain | ShaderKind::Geometry
            ))
        || (direction == Direction::Patch && cx.input.entry.kind == ShaderKind::Mesh);
    let scalar = |built_in, scalar| SystemValue {
        built_in,
        scalar,
        form: SystemForm::Scalar,
        adjust: Adjust::None,
    };
    let value = match element.semantic {
        Semantic::Arbitrary | Semantic::Target => return Ok(None),
        // Among patch constants only the tessellation factors are more than data (DXIL
        // document, table of SemanticKind and SigPointKind).
        other
            if direction == Direction::Patch
                && tessellates
                && !tessellation_factors::is_tessellation_factor(other) =>
        {
            return Ok(None);
        }
        // An output of a stream that is not rasterized is streamed out as data.
        _ if cx.input.entry.kind == ShaderKind::Geometry
            && direction == Direction::Output
            && element.stream != cx.input.options.signature.stream_output.rasterized_stream =>
        {
            return Ok(None);
        }
        Semantic::VertexId => SystemValue {
            adjust: draw_base(cx, BuiltIn::BaseVertex),
            ..scalar(BuiltIn::VertexIndex, Scalar::U32)
        },
        Semantic::InstanceId if vertex_input => SystemValue {
            adjust: draw_base(cx, BuiltIn::BaseInstance),
            ..scalar(BuiltIn::InstanceIndex, Scalar::U32)
        },
        // Elsewhere it is data that the vertex shader passed on.
        Semantic::InstanceId => return Ok(None),
        // The input assembler reads `SV_Position` like any other vertex attribute.
        Semantic::Position if vertex_input => return Ok(None),
        Semantic::Position => SystemValue {
            built_in: if pixel && input {
                BuiltIn::FragCoord
            } else {
                BuiltIn::Position
            },
            scalar: Scalar::F32,
            form: SystemForm::Vector(4),
            adjust: if pixel && input {
                Adjust::ReciprocalW
            } else {
                Adjust::None
            },
        },
        Semantic::ClipDistance | Semantic::CullDistance if !vertex_input => {
            let (built_in, capability) = if element.semantic == Semantic::ClipDistance {
                (BuiltIn::ClipDistance, Capability::ClipDistance)
            } else {
                (BuiltIn::CullDistance, Capability::CullDistance)
            };
            inputs::require(
                &cx.input,
                Features::CLIP_CULL_DISTANCE,
                "shaderClipDistance and shaderCullDistance",
                "a clip or cull distance",
            )?;
            cx.b.capability(capability);
            SystemValue {
                form: SystemForm::Distances,
                ..scalar(built_in, Scalar::F32)
            }
        }
        Semantic::ClipDistance | Semantic::CullDistance => return Ok(None),
        Semantic::RenderTargetArrayIndex | Semantic::ViewPortArrayIndex | Semantic::ShadingRate
            if !rasterizes =>
        {
            return Ok(None);
        }
        Semantic::RenderTargetArrayIndex | Semantic::ViewPortArrayIndex => {
            let layer = element.semantic == Semantic::RenderTargetArrayIndex;
            layer_capability(&mut cx.b, &cx.input, layer, input)?;
            // Layer and viewport of a fragment shader's input come from the last vertex stage.
            let built_in = if layer {
                BuiltIn::Layer
            } else {
                BuiltIn::ViewportIndex
            };
            scalar(built_in, Scalar::U32)
        }
        Semantic::PrimitiveId => {
            let capability = system_inputs::primitive_id_capability(&cx.input)?;
            cx.b.capability(capability);
            system_inputs::declare_mesh_extension(&mut cx.b, capability);
            scalar(BuiltIn::PrimitiveId, Scalar::U32)
        }
        Semantic::CullPrimitive if cx.input.entry.kind == ShaderKind::Mesh => {
            scalar(BuiltIn::CullPrimitiveEXT, Scalar::Bool)
        }
        Semantic::SampleIndex => {
            system_inputs::require_sample_rate(&cx.input, "SV_SampleIndex")?;
            cx.module.stage_io.per_sample = true;
            cx.b.capability(Capability::SampleRateShading);
            scalar(BuiltIn::SampleId, Scalar::U32)
        }
        // A geometry shader's output is data for the pixel shader; Vulkan's rasterizer makes its
        // own.
        Semantic::IsFrontFace if !input || cx.input.options.signature.front_face_is_data => {
            return Ok(None);
        }
        Semantic::IsFrontFace => SystemValue {
            adjust: Adjust::Bool,
            ..scalar(BuiltIn::FrontFacing, Scalar::Bool)
        },
        Semantic::Coverage => SystemValue {
            form: SystemForm::Mask,
            ..scalar(BuiltIn::SampleMask, Scalar::U32)
        },
        Semantic::Depth | Semantic::DepthLessEqual | Semantic::DepthGreaterEqual => {
            // The execution mode of the depth test depends on it; entry points declare that mode at
            // the end.
            cx.module.stage_io.depth_output = Some(element.semantic);
            scalar(BuiltIn::FragDepth, Scalar::F32)
        }
        Semantic::StencilRef => {
            inputs::require(
                &cx.input,
                Features::STENCIL_EXPORT,
                "shaderStencilExport",
                "SV_StencilRef",
            )?;
            cx.b.capability(Capability::StencilExportEXT);
            cx.b.extension("SPV_EXT_shader_stencil_export");
            cx.module.stage_io.stencil_output = true;
            scalar(BuiltIn::FragStencilRefEXT, Scalar::U32)
        }
        Semantic::Barycentrics => {
            system_inputs::declare_barycentrics(cx, "SV_Barycentrics")?;
            // The interpolation mode decides which barycentrics they are.
            let linear = !is_no_perspective(element.interpolation);
            SystemValue {
                form: SystemForm::Vector(3),
                ..scalar(
                    if linear {
                        BuiltIn::BaryCoordKHR
                    } else {
                        BuiltIn::BaryCoordNoPerspKHR
                    },
                    Scalar::F32,
                )
            }
        }
        Semantic::ShadingRate if cx.input.entry.kind == ShaderKind::Domain => {
            return Err(Error::unsupported(
                "SV_ShadingRate as a domain shader's output, which Vulkan has no built-in for",
            ));
        }
        Semantic::ShadingRate => {
            inputs::require(
                &cx.input,
                Features::SHADING_RATE,
                "primitiveFragmentShadingRate",
                "SV_ShadingRate",
            )?;
            cx.b.capability(Capability::FragmentShadingRateKHR);
            cx.b.extension("SPV_KHR_fragment_shading_rate");
            scalar(
                if input {
                    BuiltIn::ShadingRateKHR
                } else {
                    BuiltIn::PrimitiveShadingRateKHR
                },
                Scalar::U32,
            )
        }
        Semantic::TessFactor | Semantic::InsideTessFactor => {
            let outer = element.semantic == Semantic::TessFactor;
            SystemValue {
                // Vulkan's arrays always have 4 and 2 factors, whatever the domain.
                form: SystemForm::Factors(if outer { 4 } else { 2 }),
                ..scalar(
                    if outer {
                        BuiltIn::TessLevelOuter
                    } else {
                        BuiltIn::TessLevelInner
                    },
                    Scalar::F32,
                )
            }
        }
        other => {
            return Err(Error::unsupported(format!(
                "the system value {other:?} in a {} shader",
                cx.input.entry.kind.prefix()
            )));
        }
    };
    Ok(Some(value))
}

/// Returns the adjustment for the draw's base: D3D's vertex and instance numbers count from 0 in
/// every draw, Vulkan's from the base.
fn draw_base(cx: &mut Context<'_>, built_in: BuiltIn) -> Adjust {
    let has_base = cx
        .input
        .options
        .target
        .features
        .contains(Features::DRAW_PARAMETERS);
    // Without the feature the caller cannot have draws with a base either, or accepts the
    // difference.
    if !has_base || cx.input.options.signature.raw_vertex_and_instance_ids {
        return Adjust::None;
    }
    cx.b.capability(Capability::DrawParameters);
    let ty = cx.b.u32();
    Adjust::Minus(inputs::built_in_input(cx, built_in, ty))
}

/// Declares the capability for writing a layer or viewport index, or for reading it in a pixel
/// shader.
pub(super) fn layer_capability(
    b: &mut Builder,
    input: &Input<'_>,
    layer: bool,
    is_input: bool,
) -> Result<()> {
    let features = input.options.target.features;
    let geometry = features.contains(Features::GEOMETRY);
    if input.entry.kind == ShaderKind::Mesh {
        // Part of mesh shading itself.
        return Ok(());
    }
    if input.entry.kind == ShaderKind::Geometry || (is_input && geometry) {
        // Reading it in a pixel shader needs the capability of geometry shaders.
        b.capability(if layer {
            Capability::Geometry
        } else {
            Capability::MultiViewport
        });
        return Ok(());
    }
    inputs::require(
        input,
        Features::VIEWPORT_INDEX_LAYER,
        "shaderOutputViewportIndex and shaderOutputLayer",
        "a viewport or render target array index",
    )?;
    // The capabilities came with SPIR-V 1.5, in place of the extension's single one.
    if b.version() >= 0x0001_0500 {
        b.capability(if layer {
            Capability::ShaderLayer
        } else {
            Capability::ShaderViewportIndex
        });
    } else {
        b.capability(Capability::ShaderViewportIndexLayerEXT);
        b.extension("SPV_EXT_shader_viewport_index_layer");
    }
    Ok(())
}

/// Returns whether a mode is linear in screen space.
pub(super) fn is_no_perspective(mode: InterpolationMode) -> bool {
    matches!(
        mode,
        InterpolationMode::LinearNoPerspective
            | InterpolationMode::LinearNoPerspectiveCentroid
            | InterpolationMode::LinearNoPerspectiveSample
    )
}
