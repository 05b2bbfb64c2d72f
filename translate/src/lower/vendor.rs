//! Pseudo-operations: operations that DXIL does not have, most of them of vendors' shader
//! extensions.

use dxil_frontend::dxil::ops::{Sign, WaveOp};
use dxil_frontend::ir::{TypeId, ValueId};

use super::context::Context;
use super::llvm;
use super::rays::{clusters, hit_geometry, hit_object_places, hit_objects};
use super::resources::{device_addresses, float_atomics};
use super::signatures::{inputs, system_inputs};
use super::types;
use super::values::LoweredValue;
use super::waves::{matrices, wave};
use crate::options::Features;
use crate::pseudo::{BarycentricMode, PseudoOp};
use crate::spirv::{BuiltIn, Capability, GroupOperation};
use crate::{Error, Result};

/// Lowers a call of a pseudo-operation.
pub(super) fn pseudo_operation(
    cx: &mut Context<'_>,
    op: PseudoOp,
    args: &[ValueId],
    result: Option<ValueId>,
    ret: TypeId,
) -> Result<LoweredValue> {
    let words = match op {
        PseudoOp::MatrixLoad
        | PseudoOp::MatrixSharedLoad
        | PseudoOp::MatrixGlobalLoad
        | PseudoOp::MatrixMultiply
        | PseudoOp::MatrixConvert
        | PseudoOp::MatrixElementwise
        | PseudoOp::MatrixFill => types::fields(&cx.input, ret)?.len() as u32,
        _ => 0,
    };
    match (op, args) {
        (PseudoOp::MatrixLoad, &[buffer, offset, stride, ty]) => {
            matrices::load(cx, [buffer, offset, stride, ty], words)
        }
        (PseudoOp::MatrixStore, &[buffer, offset, stride, ty, ref rest @ ..]) => {
            matrices::store(cx, [buffer, offset, stride, ty], rest)
        }
        (PseudoOp::MatrixSharedLoad, &[array, index, stride, ty]) => {
            matrices::load_shared(cx, [array, index, stride, ty], words)
        }
        (PseudoOp::MatrixSharedStore, &[array, index, stride, ty, ref rest @ ..]) => {
            matrices::store_shared(cx, [array, index, stride, ty], rest)
        }
        (PseudoOp::MatrixGlobalLoad, &[low, high, offset, stride, ty]) => {
            matrices::load_global(cx, high, [low, offset, stride, ty], words)
        }
        (PseudoOp::MatrixGlobalStore, &[low, high, offset, stride, ty, ref rest @ ..]) => {
            matrices::store_global(cx, high, [low, offset, stride, ty], rest)
        }
        (PseudoOp::MatrixMultiply, args) => matrices::multiply(cx, args, words),
        (PseudoOp::MatrixConvert, &[old, new, saturate, ref rest @ ..]) => {
            matrices::convert(cx, [old, new, saturate], rest, words)
        }
        (PseudoOp::MatrixFill, &[ty, value]) => matrices::fill(cx, ty, value, words),
        (PseudoOp::MatrixLength, &[ty]) => matrices::length(cx, ty),
        (PseudoOp::MatrixElementwise, &[operation, ty, count, ref rest @ ..]) => {
            matrices::elementwise(cx, [operation, ty, count], rest, words)
        }
        (PseudoOp::RealtimeClock, []) => wave::realtime_clock(cx),
        (PseudoOp::Barycentric, &[mode, vertex]) => barycentric(cx, mode, vertex),
        (PseudoOp::ClusterId, []) => clusters::of_hit(cx),
        (PseudoOp::QueryClusterId, &[query, committed]) => clusters::of_query(cx, query, committed),
        (PseudoOp::HitGeometry, &[property]) => hit_geometry::of_hit(cx, property),
        (PseudoOp::QueryGeometry, &[query, committed, property]) => {
            hit_geometry::of_query(cx, query, committed, property)
        }
        (PseudoOp::HitObjectGeometry, &[hit, property]) => {
            hit_geometry::of_object(cx, hit, property)
        }
        (PseudoOp::DrawIndex, []) => draw_index(cx),
        (PseudoOp::FloatAtomic, &[resource, x, y, z, value, operation]) => {
            float_atomics::update(cx, resource, [x, y, z], value, operation)
        }
        (PseudoOp::HitObjectSlot, &[array, slots, flags, slot]) => {
            hit_object_places::slot(cx, result, [array, slots, flags, slot])
        }
        (
            PseudoOp::HitObjectRecord,
            &[
                instance,
                geometry,
                primitive,
                kind,
                record,
                factor,
                is_record,
                attributes,
            ],
        ) => {
            let words = [instance, geometry, primitive, kind, record, factor];
            hit_objects::record(cx, words, is_record, attributes)
        }
        (PseudoOp::HitObjectClusterId, &[hit]) => hit_objects::cluster_id(cx, hit),
        (PseudoOp::HitObjectPlace, &[array, slots, flags, slot]) => {
            hit_object_places::place(cx, [array, slots, flags, slot])
        }
        (PseudoOp::LoadAtAddress, &[low, high, offset]) => {
            device_addresses::load_word(cx, [low, high], offset)
        }
        (PseudoOp::Vector, elements) => llvm::vector_of(cx, elements, ret).map(LoweredValue::Id),
        (PseudoOp::WaveScan, &[value, kind, flags]) => wave_scan(cx, value, kind, flags),
        _ => Err(Error::internal("a pseudo-operation with other operands")),
    }
}

/// Returns the number of the draw in a multi-draw. Stages without the built-in in Vulkan are
/// refused.
fn draw_index(cx: &mut Context<'_>) -> Result<LoweredValue> {
    use dxil_frontend::dxil::ShaderKind::{Amplification, Mesh, Vertex};
    if !matches!(cx.input.entry.kind, Vertex | Mesh | Amplification) {
        return Err(inputs::stage_unsupported(&cx.input, "DrawIndex"));
    }
    inputs::require(
        &cx.input,
        Features::DRAW_PARAMETERS,
        "shaderDrawParameters",
        "DrawIndex",
    )?;
    Ok(LoweredValue::Id(system_inputs::load_input(
        cx,
        BuiltIn::DrawIndex,
        Capability::DrawParameters,
    )))
}

/// Returns the bits of a vertex's weight in the pixel.
fn barycentric(cx: &mut Context<'_>, mode: ValueId, vertex: ValueId) -> Result<LoweredValue> {
    let constant = |cx: &Context<'_>, value| cx.function.view.constant_int(value);
    let mode = constant(cx, mode).and_then(|mode| BarycentricMode::of_ags(mode as u32));
    let (Some(mode), Some(vertex @ 0..3)) = (mode, constant(cx, vertex)) else {
        return Err(Error::internal("a barycentric of no kind"));
    };
    let weights = system_inputs::barycentrics(cx, mode)?;
    let (float, word) = (cx.b.f32(), cx.b.u32());
    let weight = cx.b.extract(float, weights, vertex as u32);
    Ok(LoweredValue::Id(cx.b.bitcast(word, weight)))
}

fn wave_scan(
    cx: &mut Context<'_>,
    value: ValueId,
    kind: ValueId,
    flags: ValueId,
) -> Result<LoweredValue> {
    let (Some(kind), Some(flags)) = (
        cx.function.view.constant_int(kind),
        cx.function.view.constant_int(flags),
    ) else {
        return Err(Error::internal("a scan whose kind is no constant"));
    };
    let op = WaveOp::from_number(kind).ok_or_else(|| Error::internal("a scan of no kind"))?;
    let sign = match flags & 1 {
        0 => Sign::Signed,
        _ => Sign::Unsigned,
    };
    let operation = match flags & 2 {
        0 => GroupOperation::ExclusiveScan,
        _ => GroupOperation::InclusiveScan,
    };
    wave::reduce(cx, operation, value, op, sign)
}
