//! View instancing: `SV_ViewID`, and the viewport and layer of a view instance; and other outputs
//! that the shader itself does not write.

use dxil_frontend::dxil::{SemanticKind, ShaderKind};
use dxil_frontend::ir::FuncId;

use crate::lower::blocks;
use crate::lower::context::{Context, Input};
use crate::lower::resources::layer_words;
use crate::lower::signatures::state::InterfaceVariable;
use crate::lower::signatures::{inputs, system_inputs, system_values};
use crate::lower::stages::entry;
use crate::lower::values::LoweredValue;
use crate::options::Features;
use crate::spirv::{Builder, BuiltIn, Capability, Decoration, Id, Op, StorageClass};
use crate::{Result, ViewIdSource};

/// Lowers `viewID`.
pub(super) fn load_view_id(cx: &mut Context<'_>) -> Result<LoweredValue> {
    Ok(LoweredValue::Id(view_instance(cx)?))
}

fn view_instance(cx: &mut Context<'_>) -> Result<Id> {
    match cx.input.options.signature.views.id {
        ViewIdSource::ViewIndex => view_index(cx),
        ViewIdSource::ViewIndexTable { spec_id } => {
            // Views that a mask leaves out make Vulkan's view indices differ from D3D12's. There
            // are at most 4 view instances (D3D12_MAX_VIEW_INSTANCE_COUNT), hence 2 bits each.
            let index = view_index(cx)?;
            Ok(entry_of_table(&mut cx.b, spec_id, index, 2))
        }
        ViewIdSource::Constant(view) => Ok(cx.b.const_u32(view)),
        ViewIdSource::Specialized { spec_id } => Ok(cx.b.spec_u32(spec_id)),
        ViewIdSource::UniformWord(slot) => {
            let word = layer_words::uniform_word(cx, slot);
            Ok(half_word(&mut cx.b, word, 0))
        }
    }
}

fn view_index(cx: &mut Context<'_>) -> Result<Id> {
    inputs::require(&cx.input, Features::MULTIVIEW, "multiview", "SV_ViewID")?;
    cx.b.extension_before(0x0001_0300, "SPV_KHR_multiview");
    Ok(system_inputs::load_input(
        cx,
        BuiltIn::ViewIndex,
        Capability::MultiView,
    ))
}

/// Returns the 16 bits of a word that begin at a bit.
fn half_word(b: &mut Builder, word: Id, first: u32) -> Id {
    let ty = b.u32();
    let first = b.const_u32(first);
    let count = b.const_u32(16);
    b.emit(Op::BitFieldUExtract, ty, &[word, first, count])
}

/// Returns entry `index` of a specialization constant with entries of `bits` bits.
fn entry_of_table(b: &mut Builder, spec_id: u32, index: Id, bits: u32) -> Id {
    let ty = b.u32();
    let table = b.spec_u32(spec_id);
    let offset = b.u32_mul(index, bits);
    let count = b.const_u32(bits);
    b.emit(Op::BitFieldUExtract, ty, &[table, offset, count])
}

/// Returns the amount that the view instance adds to the built-in, if any.
fn view_offset(cx: &mut Context<'_>, built_in: BuiltIn) -> Result<Option<Id>> {
    let views = cx.input.options.signature.views;
    // The last vertex stage decides viewport and layer, and a hull shader is never that.
    if cx.input.entry.kind == ShaderKind::Hull {
        return Ok(None);
    }
    let table = match built_in {
        BuiltIn::ViewportIndex => views.viewports,
        BuiltIn::Layer => views.layers,
        _ => None,
    };
    let mut sum = None;
    if let Some(spec_id) = table {
        let view = view_instance(cx)?;
        sum = Some(entry_of_table(&mut cx.b, spec_id, view, 8));
    }
    if let (BuiltIn::Layer, Some(slot)) = (built_in, views.layer_offset) {
        let word = layer_words::uniform_word(cx, slot);
        let offset = half_word(&mut cx.b, word, 16);
        sum = Some(match sum {
            Some(layer) => cx.b.u32_add(layer, offset),
            None => offset,
        });
    }
    Ok(sum)
}

/// Returns a viewport or layer index as it is written, the view instance's own offset included.
pub(super) fn add_view_offset(
    cx: &mut Context<'_>,
    interface: InterfaceVariable,
    value: Id,
) -> Result<Id> {
    let views = cx.input.options.signature.views;
    if views.viewports.is_none() && views.layers.is_none() && views.layer_offset.is_none() {
        return Ok(value);
    }
    for built_in in [BuiltIn::ViewportIndex, BuiltIn::Layer] {
        // The element is recognized by its variable, since user data never shares one with a
        // built-in.
        if cx.module.stage_io.variable(interface.class, built_in) == Some(interface.variable)
            && let Some(offset) = view_offset(cx, built_in)?
        {
            return Ok(cx.b.u32_add(value, offset));
        }
    }
    Ok(value)
}

/// Writes code at the start of a function.
pub(in crate::lower) fn begin(cx: &mut Context<'_>, function: FuncId) -> Result<()> {
    let is_entry = cx.input.entry.function == Some(function);
    match cx.input.entry.kind {
        ShaderKind::Vertex | ShaderKind::Domain if is_entry => {
            write_point_size(cx);
            write_view_indices(cx)
        }
        _ => Ok(()),
    }
}

/// Returns an entry point that runs another only for a view instance whose bit is set in a mask, if
/// there is one. Vertices of others lie outside of every view volume; geometry and mesh shaders
/// emit none.
pub(in crate::lower) fn masked_entry(cx: &mut Context<'_>, inner: Id) -> Result<Id> {
    let mask = match cx.input.entry.kind {
        ShaderKind::Vertex | ShaderKind::Domain | ShaderKind::Geometry | ShaderKind::Mesh => {
            cx.input.options.signature.views.mask
        }
        _ => None,
    };
    let Some(mask) = mask else {
        return Ok(inner);
    };
    // Wrapping the entry point keeps the shader's own control flow as it is.
    entry::wrap(cx, |cx| {
        let word = cx.b.u32();
        let bool_ty = cx.b.bool();
        let mask = layer_words::uniform_word(cx, mask);
        let view = view_instance(cx)?;
        let one = cx.b.const_u32(1);
        let bit = cx.b.emit(Op::BitFieldUExtract, word, &[mask, view, one]);
        let zero = cx.b.const_u32(0);
        let drawn = cx.b.emit(Op::INotEqual, bool_ty, &[bit, zero]);
        let [then, otherwise, merge] = [(); 3].map(|()| cx.b.fresh());
        cx.b.emit_void(Op::SelectionMerge, &[merge.0, 0]);
        cx.b.emit_void(Op::BranchConditional, &[drawn, then, otherwise]);
        cx.b.label(then);
        let void = cx.b.void();
        cx.b.emit(Op::FunctionCall, void, &[inner]);
        cx.b.emit_void(Op::Branch, &[merge]);
        cx.b.label(otherwise);
        emit_nothing(cx);
        cx.b.emit_void(Op::Branch, &[merge]);
        cx.b.label(merge);
        cx.b.emit_void::<u32>(Op::Return, &[]);
        Ok(())
    })
}

fn emit_nothing(cx: &mut Context<'_>) {
    match cx.input.entry.kind {
        ShaderKind::Mesh => {
            let zero = cx.b.const_u32(0);
            cx.b.emit_void(Op::SetMeshOutputsEXT, &[zero, zero]);
        }
        ShaderKind::Vertex | ShaderKind::Domain => {
            // A view whose bit is not set is skipped (DirectX specs, View Instancing, "View
            // Instance Masking").
            let float = cx.b.f32();
            let vector = cx.b.vector(float, 4);
            let variable = cx
                .module
                .stage_io
                .variable(StorageClass::Output, BuiltIn::Position);
            if let Some(position) = variable {
                // A negative w leaves no visible range between -w and w.
                let outside = cx.b.const_f32(-1.0);
                let outside = cx.b.const_composite(vector, &[outside; 4]);
                cx.b.store(position, outside);
            }
        }
        _ => {}
    }
}

/// Writes the size of points: one pixel, as in D3D12.
pub(in crate::lower) fn write_point_size(cx: &mut Context<'_>) {
    if !cx.input.options.signature.write_point_size {
        return;
    }
    match cx.input.entry.kind {
        ShaderKind::Domain => cx.b.capability(Capability::TessellationPointSize),
        ShaderKind::Geometry => cx.b.capability(Capability::GeometryPointSize),
        _ => {}
    }
    let ty = cx.b.f32();
    let variable = inputs::built_in_output(cx, BuiltIn::PointSize, ty);
    let one = cx.b.const_f32(1.0);
    cx.b.store(variable, one);
}

/// Writes the view instance's viewport and layer where the shader does not choose any: at the
/// start of a vertex or domain shader, with each vertex of a geometry shader.
pub(in crate::lower) fn write_view_indices(cx: &mut Context<'_>) -> Result<()> {
    for built_in in unwritten_indices(&cx.input) {
        let Some(offset) = view_offset(cx, built_in)? else {
            continue;
        };
        system_values::layer_capability(&mut cx.b, &cx.input, built_in == BuiltIn::Layer, false)?;
        let ty = cx.b.u32();
        let variable = inputs::built_in_output(cx, built_in, ty);
        cx.b.store(variable, offset);
    }
    Ok(())
}

/// Writes the view instance's viewport and layer in a mesh shader, for all of its primitives: each
/// thread writes some of them.
pub(in crate::lower) fn write_primitive_view_indices(
    cx: &mut Context<'_>,
    primitives: Id,
) -> Result<()> {
    let Some(outputs) = cx.input.entry.stage.mesh_outputs() else {
        return Ok(());
    };
    let max = outputs.max_primitives.max(1);
    for built_in in unwritten_indices(&cx.input) {
        let Some(offset) = view_offset(cx, built_in)? else {
            continue;
        };
        let word = cx.b.u32();
        let bool_ty = cx.b.bool();
        let array = cx.b.array(word, max);
        let variable = inputs::built_in_output(cx, built_in, array);
        cx.b.decorate_once(variable, Decoration::PerPrimitiveEXT);
        let thread = inputs::load_u32_built_in(cx, BuiltIn::LocalInvocationIndex);
        let threads = cx.input.entry.num_threads.unwrap_or([1; 3]);
        let threads = threads.iter().fold(1_u32, |a, &b| a.saturating_mul(b));
        // Mesh shaders may have more primitives than threads, so each thread takes every n-th.
        for first in (0..max).step_by(threads.max(1) as usize) {
            let first = cx.b.const_u32(first);
            let primitive = cx.b.u32_add(thread, first);
            // Primitives past the actual count must not be written.
            let there = cx.b.emit(Op::ULessThan, bool_ty, &[primitive, primitives]);
            let part = blocks::begin_if(cx, there);
            let pointer_ty = cx.b.pointer(StorageClass::Output, word);
            let pointer = cx.b.access_chain(pointer_ty, variable, &[primitive]);
            cx.b.store(pointer, offset);
            blocks::end_if(cx, part);
        }
    }
    Ok(())
}

/// Returns the built-ins of viewport and layer that view instances have and the shader does not
/// write.
fn unwritten_indices(input: &Input<'_>) -> impl Iterator<Item = BuiltIn> + use<> {
    let views = input.options.signature.views;
    let entry = input.entry;
    let is_chosen = |semantic| {
        let mut written = entry.outputs.iter().chain(&entry.patch_constants);
        written.any(|element| element.semantic == semantic)
    };
    let viewport = views.viewports.is_some() && !is_chosen(SemanticKind::ViewPortArrayIndex);
    let layer = (views.layers.is_some() || views.layer_offset.is_some())
        && !is_chosen(SemanticKind::RenderTargetArrayIndex);
    let viewport = viewport.then_some(BuiltIn::ViewportIndex);
    viewport.into_iter().chain(layer.then_some(BuiltIn::Layer))
}
