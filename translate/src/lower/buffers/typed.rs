//! `bufferLoad` and `bufferStore`: typed buffers, and in early shader models raw and structured
//! ones.

use dxil_frontend::dxil::ops::calls;
use dxil_frontend::ir::ValueId;

use crate::interface::Representation;
use crate::lower::buffers::{raw, texel_codec, words};
use crate::lower::context::Context;
use crate::lower::images::{texel_buffers, texels};
use crate::lower::numbers::word_pairs;
use crate::lower::resources::handle_values;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::type_map::Scalar;
use crate::lower::types;
use crate::lower::values::{Call, LoweredValue, StructMember};
use crate::spirv::{Builder, Id, Op};
use crate::{Error, Numeric, Result, TexelFormat};

/// Lowers `bufferLoad`.
pub(super) fn load(
    cx: &mut Context<'_>,
    call: &Call,
    op: &calls::BufferLoad,
) -> Result<LoweredValue> {
    let handle = handle_values::handle_of(cx, op.buffer)?;
    // Before shader model 6.2 raw and structured buffers use `bufferLoad`, too.
    match handle.view.representation {
        _ if handle.view.is_memory() => {
            let address = raw::buffer_address(cx, &handle, op.index, op.element_offset.expand())?;
            raw::load_struct(cx, call, &handle, address)
        }
        Representation::ConvertedTexels(format) => {
            load_converted(cx, call, &handle, format, op.index)
        }
        Representation::TexelBuffer => texel_buffers::load(cx, call, &handle, op.index),
        _ => Err(Error::malformed(format!(
            "bufferLoad of {}",
            handle.view.describe()
        ))),
    }
}

fn load_converted<'a>(
    cx: &mut Context<'a>,
    call: &Call,
    handle: &ResourceHandle<'a>,
    format: TexelFormat,
    index: ValueId,
) -> Result<LoweredValue> {
    let Some(result) = call.result else {
        return Ok(LoweredValue::Unset);
    };
    let index = cx.id(index)?;
    let fields = types::fields(&cx.input, call.ty)?;
    let Some(&first) = fields.first() else {
        return Err(Error::malformed("a buffer load gives nothing"));
    };
    let scalar = types::scalar(cx, first)?;
    let used = u32::from(cx.function.used_members(result)) & 0xf;
    let mut parts = [StructMember::Id(Id::NONE); 5];
    if scalar.bits() == 64 {
        // One 64-bit component; the other members are zero.
        let bits = load_wide_texel(cx, handle, format, index, scalar)?;
        let ty = types::scalar_ty(cx, scalar)?;
        let zero = cx.b.const_null(ty);
        parts = [StructMember::Id(zero); 5];
        parts[0] = StructMember::Id(bits);
    } else {
        let texel = texel_codec::load_texel(cx, handle, format, index, used)?;
        for (part, id) in parts.iter_mut().zip(texel) {
            if !id.is_none() {
                *part = StructMember::Id(from_texel_component(&mut cx.b, format, id, scalar)?);
            }
        }
    }
    // Vulkan has no residency feedback for storage buffers, so the status says "mapped".
    parts[4] = StructMember::Id(cx.b.const_u32(1));
    raw::fill_unused(cx, &mut parts, fields)?;
    Ok(cx
        .function
        .values
        .parts(parts.iter().copied().take(fields.len())))
}

fn load_wide_texel<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    format: TexelFormat,
    index: Id,
    scalar: Scalar,
) -> Result<Id> {
    if format.bytes() != 8 {
        return Err(Error::unsupported(format!(
            "64-bit components in texels of format {format:?}"
        )));
    }
    let base = cx.b.u32_mul(index, 2);
    let leaf = crate::lower::resources::state::Leaf::U32;
    let low = words::load_word(cx, handle, leaf, base, 0)?;
    let high = words::load_word(cx, handle, leaf, base, 1)?;
    word_pairs::join_words(cx, low, high, scalar)
}

/// Returns a component that the codec gave as the shader's type.
fn from_texel_component(
    b: &mut Builder,
    format: TexelFormat,
    id: Id,
    scalar: Scalar,
) -> Result<Id> {
    let float = is_float(format);
    Ok(match (float, scalar) {
        (true, Scalar::Float { width: 16, .. }) => {
            let ty = b.float(16);
            b.emit(Op::FConvert, ty, &[id])
        }
        (true, Scalar::Float { .. }) => id,
        (false, Scalar::Int { width: 16, .. }) => {
            let ty = b.uint(16);
            b.emit(Op::UConvert, ty, &[id])
        }
        (false, Scalar::Int { .. }) => id,
        // The bits of the other class: an integer view of a float resource, or the reverse.
        (false, Scalar::Float { width: 32, .. }) => {
            let ty = b.f32();
            b.bitcast(ty, id)
        }
        (true, Scalar::Int { width: 32, .. }) => {
            let ty = b.u32();
            b.bitcast(ty, id)
        }
        _ => {
            return Err(Error::unsupported(format!(
                "texels of format {format:?} as {scalar:?}"
            )));
        }
    })
}

/// Lowers `bufferStore`.
pub(super) fn store(cx: &mut Context<'_>, op: &calls::BufferStore) -> Result<LoweredValue> {
    let handle = handle_values::handle_of(cx, op.buffer)?;
    match handle.view.representation {
        _ if handle.view.is_memory() => {
            let address = raw::buffer_address(cx, &handle, op.index, op.element_offset.expand())?;
            raw::store_masked(cx, &handle, address, op.values, op.mask)?;
        }
        Representation::ConvertedTexels(format) => {
            store_converted(cx, &handle, format, op.index, op.values)?;
        }
        Representation::TexelBuffer => {
            texel_buffers::store(cx, &handle, op.index, op.values)?;
        }
        _ => {
            return Err(Error::malformed(format!(
                "bufferStore to {}",
                handle.view.describe()
            )));
        }
    }
    Ok(LoweredValue::Unset)
}

fn store_converted<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    format: TexelFormat,
    index: ValueId,
    values: [ValueId; 4],
) -> Result<()> {
    let index = cx.id(index)?;
    let scalar = types::scalar(cx, cx.function.type_of(values[0])?)?;
    if scalar.bits() == 64 {
        if format.bytes() != 8 {
            return Err(Error::unsupported(format!(
                "64-bit components in texels of format {format:?}"
            )));
        }
        let value = cx.id(values[0])?;
        let base = cx.b.u32_mul(index, 2);
        for (n, half) in (0..).zip(word_pairs::split_words(&mut cx.b, value)) {
            words::store_word(
                cx,
                handle,
                crate::lower::resources::state::Leaf::U32,
                base,
                n,
                half,
            )?;
        }
        return Ok(());
    }
    let mut components = [Id::NONE; 4];
    let count = format.components().len();
    for (component, value) in components.iter_mut().zip(values).take(count) {
        // An undefined component may be anything; 0 keeps the code free of undefined values.
        let id = if cx.function.is_undef(value) {
            match scalar {
                Scalar::Float { width, .. } => cx.b.const_float(width, 0.0),
                _ => cx.b.const_uint(scalar.width(), 0),
            }
        } else {
            cx.id(value)?
        };
        *component = to_texel_component(&mut cx.b, format, id, scalar)?;
    }
    texel_codec::store_texel(cx, handle, format, index, components)
}

fn to_texel_component(b: &mut Builder, format: TexelFormat, id: Id, scalar: Scalar) -> Result<Id> {
    let f32_ty = b.f32();
    let word = b.u32();
    Ok(match (is_float(format), scalar) {
        (true, Scalar::Float { width: 16, .. }) => b.emit(Op::FConvert, f32_ty, &[id]),
        (true, Scalar::Float { .. }) => id,
        (true, Scalar::Int { width: 32, .. }) => b.bitcast(f32_ty, id),
        (false, Scalar::Int { bits, width }) => {
            // The codec clamps in 32 bits, so narrow integers are extended by the format's sign.
            let signed = format.numeric() == Numeric::Sint;
            texels::extend_to_word(b, id, bits, width, signed)
        }
        (false, Scalar::Float { width: 32, .. }) => b.bitcast(word, id),
        _ => {
            return Err(Error::unsupported(format!(
                "{scalar:?} as texels of format {format:?}"
            )));
        }
    })
}

fn is_float(format: TexelFormat) -> bool {
    !matches!(format.numeric(), Numeric::Uint | Numeric::Sint)
}
