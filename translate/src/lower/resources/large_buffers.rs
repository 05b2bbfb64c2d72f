//! Storage buffers of 4 GiB and more (SPV_EXT_shader_64bit_indexing).
//!
//! The code counts elements of a buffer's runtime array, of 2 to 16 bytes each, in 32 bits. With
//! the execution mode the product of such an index and the stride has 64 bits (Vulkan, "64-Bit
//! Indexing"). Indices of access chains are signed, so they are widened as unsigned numbers.

use crate::interface::{Representation, View};
use crate::lower::context::{Context, Input};
use crate::lower::resources::state::Leaf;
use crate::options::Features;
use crate::spirv::{Builder, Capability, ExecutionMode, Id, Op};
use crate::{Error, ErrorKind, Result};

/// Declares the execution mode, if the options ask for it.
pub(in crate::lower) fn declare_mode(
    b: &mut Builder,
    input: &Input<'_>,
    function: Id,
) -> Result<()> {
    if !input.options.large_buffers {
        return Ok(());
    }
    for (feature, name) in [
        (Features::SHADER_64BIT_INDEXING, "shader64BitIndexing"),
        (Features::INT64, "shaderInt64"),
    ] {
        if !input.has(feature) {
            return Err(Error::new(ErrorKind::TargetLacks {
                feature: name,
                user: "buffers of 4 GiB and more".into(),
            }));
        }
    }
    b.capability(Capability::Shader64BitIndexingEXT);
    b.extension("SPV_EXT_shader_64bit_indexing");
    b.execution_mode(function, ExecutionMode::Shader64BitIndexingEXT, &[]);
    Ok(())
}

/// Returns the index of an element of a buffer as access chains take it.
pub(super) fn element_index(cx: &mut Context<'_>, view: &View, leaf: Leaf, element: Id) -> Id {
    let is_large = cx.input.options.large_buffers
        && leaf != Leaf::Counter
        && view.representation != Representation::Constants
        // A small constant has no sign.
        && cx.b.literal(element).is_none_or(|index| index > i32::MAX as u32);
    if !is_large {
        return element;
    }
    let wide = cx.b.uint(64);
    cx.b.emit_once(Op::UConvert, wide, &[element])
}
