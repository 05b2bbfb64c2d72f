//! Rasterizer-ordered views: pixel shaders that use one run their whole body as a critical section
//! in the order of the primitives (fragment shader interlock).

use crate::lower::context::Context;
use crate::options::Features;
use crate::spirv::{Builder, Capability, ExecutionMode, Id, Op};
use crate::{Error, PortableForm, Result};

const EXTENSION: &str = "SPV_EXT_fragment_shader_interlock";

/// Returns whether the function being lowered is an ordered section.
fn is_needed(cx: &Context<'_>) -> bool {
    cx.input.is_pixel()
        // Only the entry point's own function: an interlock may be begun once per invocation.
        && cx.input.entry.function == Some(cx.function.view.function.id)
        && cx
            .input
            .plan
            .views
            .iter()
            .any(|view| view.rasterizer_ordered)
}

/// Begins the ordered section of the entry point, if it has one.
pub(in crate::lower) fn begin(cx: &mut Context<'_>) -> Result<()> {
    if !is_needed(cx) {
        return Ok(());
    }
    if !cx.input.consumer().ordered_views {
        return Err(Error::portable(
            PortableForm::OrderedViews,
            "rasterizer-ordered views",
        ));
    }
    cx.input.need_feature(
        Features::FRAGMENT_INTERLOCK,
        "fragmentShaderPixelInterlock",
        || "a rasterizer-ordered view".to_owned(),
    )?;
    cx.b.extension(EXTENSION);
    cx.b.emit_void::<u32>(Op::BeginInvocationInterlockEXT, &[]);
    Ok(())
}

/// Ends it, before a return.
pub(in crate::lower) fn end(cx: &mut Context<'_>) {
    if is_needed(cx) {
        cx.b.emit_void::<u32>(Op::EndInvocationInterlockEXT, &[]);
    }
}

/// Declares the execution mode: shaders that run per sample are ordered per sample.
pub(in crate::lower) fn declare_mode(b: &mut Builder, function: Id) {
    if !b.extensions().contains(&EXTENSION) {
        return;
    }
    let per_sample = b.capabilities().contains(&Capability::SampleRateShading);
    let (capability, mode) = if per_sample {
        (
            Capability::FragmentShaderSampleInterlockEXT,
            ExecutionMode::SampleInterlockOrderedEXT,
        )
    } else {
        (
            Capability::FragmentShaderPixelInterlockEXT,
            ExecutionMode::PixelInterlockOrderedEXT,
        )
    };
    b.capability(capability);
    b.execution_mode(function, mode, &[]);
}
