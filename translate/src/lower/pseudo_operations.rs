//! Pseudo-operations: operations that DXIL does not have, most of them of vendors' shader
//! extensions.

use dxil_frontend::dxil::ops::{Sign, WaveOp};
use dxil_frontend::ir::ValueId;

use super::context::Context;
use super::llvm;
use super::rays::hit_object_places::{self, Slot};
use super::rays::state::Intersection;
use super::rays::{clusters, hit_geometry, hit_objects};
use super::resources::{device_addresses, float_atomics};
use super::signatures::{inputs, system_inputs};
use super::types;
use super::values::{Call, LoweredValue};
use super::waves::matrices::types::Wanted;
use super::waves::matrices::{self, Memory};
use super::waves::wave;
use crate::options::Features;
use crate::pseudo::{BarycentricMode, PseudoCall};
use crate::spirv::{BuiltIn, Capability, GroupOperation};
use crate::{Error, Result};

/// Lowers a call of a pseudo-operation.
pub(super) fn lower(cx: &mut Context<'_>, op: PseudoCall<'_>, call: &Call) -> Result<LoweredValue> {
    match op {
        PseudoCall::DrawIndex {} => draw_index(cx),
        PseudoCall::WaveScan {
            value,
            op,
            sign,
            inclusive,
        } => wave_scan(cx, value, op, sign, inclusive),
        PseudoCall::MatrixLoad {
            buffer,
            offset,
            stride,
            ty,
        } => {
            let words = words_of(cx, call)?;
            matrices::load(cx, Memory::Buffer(buffer), [offset, stride], ty, words)
        }
        PseudoCall::MatrixStore {
            buffer,
            offset,
            stride,
            ty,
            words,
        } => matrices::store(cx, Memory::Buffer(buffer), [offset, stride], ty, words),
        PseudoCall::MatrixSharedLoad {
            array,
            index,
            stride,
            ty,
        } => {
            let words = words_of(cx, call)?;
            matrices::load(cx, Memory::Array(array), [index, stride], ty, words)
        }
        PseudoCall::MatrixSharedStore {
            array,
            index,
            stride,
            ty,
            words,
        } => matrices::store(cx, Memory::Array(array), [index, stride], ty, words),
        PseudoCall::MatrixGlobalLoad {
            low,
            high,
            offset,
            stride,
            ty,
        } => {
            let words = words_of(cx, call)?;
            let memory = Memory::Address([low, high]);
            matrices::load(cx, memory, [offset, stride], ty, words)
        }
        PseudoCall::MatrixGlobalStore {
            low,
            high,
            offset,
            stride,
            ty,
            words,
        } => {
            let memory = Memory::Address([low, high]);
            matrices::store(cx, memory, [offset, stride], ty, words)
        }
        PseudoCall::MatrixMultiply { formats, a, b, c } => {
            let words = words_of(cx, call)?;
            matrices::multiply(cx, formats, [a, b, c], words)
        }
        PseudoCall::MatrixConvert {
            old,
            new,
            saturate,
            words,
        } => {
            let results = words_of(cx, call)?;
            matrices::convert(cx, [old, new], saturate, words, results)
        }
        PseudoCall::MatrixFill { ty, value } => {
            let words = words_of(cx, call)?;
            matrices::fill(cx, ty, value, words)
        }
        PseudoCall::MatrixLength { ty } => matrices::length(cx, ty),
        PseudoCall::MatrixElementwise { op, ty, a, b } => {
            let words = words_of(cx, call)?;
            matrices::elementwise(cx, op, ty, [a, b], words)
        }
        PseudoCall::RealtimeClock {} => wave::realtime_clock(cx),
        PseudoCall::Barycentric { mode, vertex } => barycentric(cx, mode, vertex),
        PseudoCall::ClusterId {} => clusters::of_hit(cx),
        PseudoCall::QueryClusterId { query, committed } => {
            clusters::of_query(cx, query, intersection(committed))
        }
        PseudoCall::FloatAtomic {
            resource,
            coords,
            value,
            op,
        } => float_atomics::update(cx, resource, coords, value, op),
        PseudoCall::HitObjectSlot {
            array,
            slots,
            may_lack_record,
            slot,
        } => {
            let slot = Slot {
                array,
                slots,
                may_lack_record,
                slot,
            };
            hit_object_places::slot(cx, call.result, slot)
        }
        PseudoCall::HitObjectPlace {
            array,
            slots,
            may_lack_record,
            slot,
        } => {
            let slot = Slot {
                array,
                slots,
                may_lack_record,
                slot,
            };
            hit_object_places::place(cx, slot)
        }
        PseudoCall::HitObjectRecord {
            instance,
            geometry,
            primitive,
            kind,
            index,
            factor,
            is_record,
            attributes,
        } => {
            let words = [instance, geometry, primitive, kind, index, factor];
            hit_objects::record(cx, words, is_record, attributes)
        }
        PseudoCall::HitObjectClusterId { hit } => hit_objects::cluster_id(cx, hit),
        PseudoCall::HitGeometry { property } => hit_geometry::of_hit(cx, property),
        PseudoCall::QueryGeometry {
            query,
            committed,
            property,
        } => hit_geometry::of_query(cx, query, intersection(committed), property),
        PseudoCall::HitObjectGeometry { hit, property } => {
            hit_geometry::of_object(cx, hit, property)
        }
        PseudoCall::LoadAtAddress { low, high, offset } => {
            device_addresses::load_word(cx, [low, high], offset)
        }
        PseudoCall::Vector { elements } => {
            llvm::vector_of(cx, elements, call.ty).map(LoweredValue::Id)
        }
    }
}

/// Returns the words that a call returns.
fn words_of(cx: &mut Context<'_>, call: &Call) -> Result<Wanted> {
    Ok(Wanted {
        count: types::fields(&cx.input, call.ty)?.len() as u32,
        stay_whole: matrices::whole_matrices::stays_whole(cx, call),
    })
}

fn intersection(committed: bool) -> Intersection {
    if committed {
        Intersection::Committed
    } else {
        Intersection::Candidate
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
fn barycentric(cx: &mut Context<'_>, mode: BarycentricMode, vertex: u32) -> Result<LoweredValue> {
    if vertex > 2 {
        return Err(Error::malformed(
            "a barycentric of a vertex beyond the third",
        ));
    }
    let weights = system_inputs::barycentrics(cx, mode)?;
    let (float, word) = (cx.b.f32(), cx.b.u32());
    let weight = cx.b.extract(float, weights, vertex);
    Ok(LoweredValue::Id(cx.b.bitcast(word, weight)))
}

fn wave_scan(
    cx: &mut Context<'_>,
    value: ValueId,
    op: WaveOp,
    sign: Sign,
    inclusive: bool,
) -> Result<LoweredValue> {
    let operation = if inclusive {
        GroupOperation::InclusiveScan
    } else {
        GroupOperation::ExclusiveScan
    };
    wave::reduce(cx, operation, value, op, sign)
}
