//! NVIDIA's NVAPI.
//!
//! The UAV is a structured buffer with 256 bytes per element, and the caller says where it is. An
//! operation begins with `IncrementCounter`, whose result is the index of an element. The operands
//! and the operation's number are stored into that element. Then each further `IncrementCounter`
//! returns a result: one, unless a member says how many.
//!
//! ```text
//! offset   0 number    4 resource   8 sampler   12 second result   28, 44, 60 operands 3 to 5
//!         76, 92, 108 operands 0 to 2          124 result         140 mark    144 number of results
//! ```
//!
//! An atomic works on a resource that an earlier store names: its address is the index of a marked
//! element. The atomic's result is loaded from its element.

mod atomics;
mod hit_objects;
mod state;
pub(super) mod table;

use crate::vendor::missing;
use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{
    BufferOp, Op, Opcode, RayQueryOp, ResourceAtomicOp, decode, op_arguments,
};
use dxil_frontend::ir::{BinaryOp, CmpPredicate, FuncView, Function, InstData, ValueDef, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};

use super::writer::FunctionWriter;
use crate::pseudo::{HitGeometry, PseudoCall};
use crate::texel_format::element_count;
use crate::vendor::handles::resource_of;
use crate::vendor::missing::Missing;
use crate::vendor::operation::{Vendor, VendorOperation};
use crate::vendor::store::Store;
use crate::{Error, Features, Result};
use state::{
    Element, Marked, NUMBER, NvapiHitObjects, NvapiRewrite, OPERAND_0, OPERAND_1, RESULT,
    RESULT_COUNT,
};
use table::{NvapiMeaning, NvapiOperation, QueryHit, Shuffle};

/// Registers that `GET_SPECIAL` reads.
const LANES_BELOW: u64 = 4;
const TIMER_LOW: u64 = 9;
const TIMER_HIGH: u64 = 10;

/// `HIT_KIND_TRIANGLE_BACK_FACE` (DirectX Raytracing, "HitKind").
const HIT_KIND_TRIANGLE_BACK_FACE: u32 = 0xff;

/// Replaces a function's operations. `uavs` are the handles of the UAV.
pub(super) fn rewrite<'a>(
    shader: &Shader,
    view: FuncView<'a>,
    uavs: &HashSet<ValueId>,
    writer: FunctionWriter<'a, '_, '_>,
    missing: &mut Missing<'a>,
) -> Result<Function> {
    let mut rewrite = NvapiRewrite {
        writer,
        view,
        missing,
        element: None,
        marked: None,
        shuffled: None,
        timer: None,
        words: None,
        hit_objects: NvapiHitObjects::default(),
    };
    for block in 0..rewrite.writer.blocks() {
        for line in rewrite.writer.take_block(block) {
            let is_handle = |result: ValueId| uavs.contains(&result);
            if line.data.result.expand().is_some_and(is_handle)
                || missing::is_operation(shader, view, &line.data.inst)
                    && rewrite.operation(shader, uavs, &line.data)?
            {
                continue;
            }
            missing::uses_no_handle(view, uavs, &line.data)?;
            rewrite.writer.keep(line);
        }
        // An operation ends in the block in which it begins.
        rewrite.marked = None;
        // Values of this block need not dominate the next one.
        (rewrite.timer, rewrite.shuffled, rewrite.words) = (None, None, None);
        let element = rewrite.element.take();
        if element.is_some_and(|element| element.results != Some(0)) {
            return Err(Error::unsupported(
                "an operation of NVAPI whose steps are in several blocks",
            ));
        }
        rewrite.writer.end_block(block);
    }
    rewrite.hit_objects.settle(&mut rewrite.writer)?;
    Ok(rewrite.writer.finish())
}

impl NvapiRewrite<'_, '_, '_, '_> {
    /// Takes a DXIL operation if it belongs to one of NVAPI's, and returns whether it does.
    fn operation(
        &mut self,
        shader: &Shader,
        uavs: &HashSet<ValueId>,
        data: &InstData,
    ) -> Result<bool> {
        let result = data.result.expand();
        let Some(args) = op_arguments(self.view, &shader.callees, &data.inst) else {
            return Ok(false);
        };
        let Ok(op) = decode(self.view, args) else {
            // The lowering decodes every operation and reports malformed ones.
            return Ok(false);
        };
        match &op {
            Op::ResourceAtomic(ResourceAtomicOp::BufferUpdateCounter(op))
                if uavs.contains(&op.buffer) =>
            {
                self.doorbell(shader, result)?;
                Ok(true)
            }
            Op::Buffer(BufferOp::BufferStore(op)) if uavs.contains(&op.buffer) => {
                self.store(op.index, op.element_offset.expand(), &op.values, op.mask)?;
                Ok(true)
            }
            Op::Buffer(BufferOp::RawBufferStore(op)) if uavs.contains(&op.buffer) => {
                self.store(op.index, op.element_offset.expand(), &op.values, op.mask)?;
                Ok(true)
            }
            Op::Buffer(BufferOp::BufferLoad(op)) if uavs.contains(&op.buffer) => {
                self.loaded(data, op.element_offset.expand())?;
                Ok(true)
            }
            Op::Buffer(BufferOp::RawBufferLoad(op)) if uavs.contains(&op.buffer) => {
                self.loaded(data, op.element_offset.expand())?;
                Ok(true)
            }
            Op::RayTracing(op) => self.finishes_hit_object(op),
            op => Ok(Store::of(op).is_some_and(|store| self.marks(shader, &store))),
        }
    }

    /// Returns whether a store to another UAV only names the resource of an operation: its address
    /// is the element's index.
    fn marks(&mut self, shader: &Shader, store: &Store<'_>) -> bool {
        let element = self.element.as_ref();
        let marks = element.is_some_and(|element| element.index == Some(store.at()));
        if marks {
            self.marked = Some(Marked {
                resource: store.resource,
                is_buffer: store.is_buffer,
                dimensions: store.dimensions(self.view),
                components: components_of(shader, self.view, store.resource),
            });
        }
        marks
    }

    /// Takes the load of a result from the element.
    fn loaded(&mut self, data: &InstData, offset: Option<ValueId>) -> Result<()> {
        let old = self.element.as_ref().and_then(|element| element.old);
        let offset = offset.and_then(|offset| self.view.constant_int(offset));
        if let (Some(old), Some(result)) = (old, data.result.expand()) {
            if offset != Some(u64::from(RESULT)) {
                return Err(Error::unsupported("another result of an atomic of NVAPI"));
            }
            let loaded = old.as_loaded(&mut self.writer, data.ty)?;
            self.writer.replace(result, loaded);
            return Ok(());
        }
        let number = self.element.as_mut().and_then(|element| {
            // The next counter begins another operation.
            element.results = Some(0);
            element.words.get(&NUMBER)
        });
        let number = number.and_then(|&number| self.view.constant_int(number));
        let operation = VendorOperation {
            vendor: Vendor::Nvapi,
            number: number.unwrap_or(0) as u32,
        };
        self.missing.zero(operation, false)?;
        if let Some(result) = data.result.expand() {
            let zero = self.writer.zero(data.ty);
            self.writer.replace(result, zero);
        }
        Ok(())
    }

    /// Takes the store of an operand, the number, or another member.
    fn store(
        &mut self,
        index: ValueId,
        offset: Option<ValueId>,
        values: &[ValueId; 4],
        mask: u8,
    ) -> Result<()> {
        let offset = offset.and_then(|offset| self.view.constant_int(offset));
        let (Some(offset), Some(element)) = (offset, &mut self.element) else {
            return Err(Error::unsupported(
                "a store to the UAV of NVAPI at a dynamic offset",
            ));
        };
        if element.index != Some(index) {
            return Err(Error::unsupported("overlapping operations of NVAPI"));
        }
        for (at, &value) in (0_u32..).zip(values) {
            if mask >> at & 1 == 1 {
                element.words.insert(offset as u32 + 4 * at, value);
            }
        }
        self.atomic()
    }

    /// Takes an `IncrementCounter`: the beginning of an operation, or one of its results.
    fn doorbell(&mut self, shader: &Shader, result: Option<ValueId>) -> Result<()> {
        let is_filled = self.element.as_ref().is_some_and(|element| {
            element.words.contains_key(&NUMBER) && element.results != Some(0)
        });
        if !is_filled {
            self.shuffled = None;
            self.words = None;
            self.element = Some(Element {
                index: result,
                words: HashMap::default(),
                results: None,
                old: None,
            });
            return Ok(());
        }
        let Some(mut element) = self.element.take() else {
            return Ok(());
        };
        let constant = |offset: u32| {
            let word = element.words.get(&offset);
            word.and_then(|&word| self.view.constant_int(word))
        };
        let number = constant(NUMBER).ok_or_else(|| {
            Error::unsupported("an operation of NVAPI whose number is not constant")
        })? as u32;
        let row = table::operation(number);
        // The member is read with each result, which count down from it.
        let count =
            constant(RESULT_COUNT).unwrap_or_else(|| row.map_or(1, |row| row.meaning.results()));
        let left = element.results.unwrap_or(count);
        element.results = Some(left.saturating_sub(1));
        let index = count.saturating_sub(left);
        let needs = row.map_or(Features::empty(), |row| row.needs);
        let reorders = needs == Features::INVOCATION_REORDER;
        let is_of_nv = self.missing.has(Features::INVOCATION_REORDER_NV);
        let known = row.filter(|row| {
            let here = match row.meaning {
                NvapiMeaning::HitObject(meaning) => !is_of_nv || meaning.is_of_nv(),
                _ => true,
            };
            // Either extension has the others.
            here && self.missing.has(needs) || reorders && is_of_nv
        });
        let value = match known {
            Some(row) => self.meaning(shader, row, &element, index, result)?,
            None => None,
        };
        let value = match value {
            Some(value) => value,
            None => {
                let operation = VendorOperation {
                    vendor: Vendor::Nvapi,
                    number,
                };
                self.missing
                    .zero(operation, row.is_some() && known.is_none())?;
                if row.is_some_and(|row| matches!(row.meaning, NvapiMeaning::HitObject(_))) {
                    self.missing_hit_object(known, result)?
                } else {
                    self.writer.word(0)
                }
            }
        };
        if let Some(result) = result.filter(|&result| result != value) {
            self.writer.replace(result, value);
        }
        self.element = Some(element);
        Ok(())
    }

    /// Writes the operations that replace one of NVAPI's, and returns the result with that index;
    /// `None` if there are none.
    fn meaning(
        &mut self,
        shader: &Shader,
        row: &NvapiOperation,
        element: &Element,
        index: u64,
        result: Option<ValueId>,
    ) -> Result<Option<ValueId>> {
        let operand = |offset: u32| element.words.get(&offset).copied();
        if let NvapiMeaning::HitObject(meaning) = row.meaning {
            return self.hit_object(meaning, &element.words, index, result);
        }
        let w = &mut self.writer;
        let ty = w.int_ty(32);
        if let Some(words) = self.words.filter(|_| index > 0) {
            return w.member(words, index as u32).map(Some);
        }
        let Some(first) = operand(OPERAND_0) else {
            return match row.meaning {
                NvapiMeaning::Geometry(property) => {
                    let words = geometry(w, &PseudoCall::HitGeometry { property }, property)?;
                    first_word(w, &mut self.words, words, property).map(Some)
                }
                NvapiMeaning::BackFacing => {
                    let kind = w.operation(Opcode::HitKind, Some(ty), ty, &[])?;
                    let back = w.word(HIT_KIND_TRIANGLE_BACK_FACE);
                    let is_back = w.compare(CmpPredicate::IEq, kind, back)?;
                    let [one, zero] = [w.word(1), w.word(0)];
                    w.select(is_back, one, zero).map(Some)
                }
                NvapiMeaning::LaneId => w
                    .operation(Opcode::WaveGetLaneIndex, None, ty, &[])
                    .map(Some),
                NvapiMeaning::ClusterId => w.pseudo(&PseudoCall::ClusterId {}, ty).map(Some),
                _ => Ok(None),
            };
        };
        // Lane and range of a shuffle.
        let view = self.view;
        let lane_and_range = || {
            let range = operand(OPERAND_0 + 8).and_then(|range| view.constant_int(range));
            operand(OPERAND_0 + 4).zip(range)
        };
        let vote = |w: &mut FunctionWriter<'_, '_, '_>, opcode| {
            let zero = w.word(0);
            let condition = w.compare(CmpPredicate::INe, first, zero)?;
            let bit = w.int_ty(1);
            let holds = w.operation(opcode, None, bit, &[condition])?;
            let one = w.word(1);
            w.select(holds, one, zero)
        };
        Ok(Some(match row.meaning {
            NvapiMeaning::Shuffle(how) => {
                let Some((lane, range)) = lane_and_range() else {
                    return Ok(None);
                };
                shuffle(w, how, first, lane, range as u32)?
            }
            NvapiMeaning::ShuffleAndValidity => {
                if let Some(value) = self.shuffled.take() {
                    return Ok(Some(value));
                }
                let Some((lane, range)) = lane_and_range() else {
                    return Ok(None);
                };
                let source = source_lane(w, Shuffle::Index, lane, range as u32)?;
                let value =
                    w.operation(Opcode::WaveReadLaneAt, Some(ty), ty, &[first, source.lane])?;
                self.shuffled = Some(value);
                let one = w.word(1);
                match source.is_inside {
                    Some(inside) => {
                        let zero = w.word(0);
                        w.select(inside, one, zero)?
                    }
                    None => one,
                }
            }
            NvapiMeaning::VoteAll => vote(w, Opcode::WaveAllTrue)?,
            NvapiMeaning::VoteAny => vote(w, Opcode::WaveAnyTrue)?,
            NvapiMeaning::Ballot => {
                let zero = w.word(0);
                let condition = w.compare(CmpPredicate::INe, first, zero)?;
                let words = w.words_ty(4);
                let ballot = w.operation(Opcode::WaveActiveBallot, None, words, &[condition])?;
                of_own_half(w, ballot)?
            }
            NvapiMeaning::MatchAny => {
                // With several words, the lanes that match in all of them.
                let count = operand(OPERAND_1).and_then(|count| self.view.constant_int(count));
                let words = w.words_ty(4);
                let mut all = None;
                for at in 0..count.unwrap_or(1).min(4) as u32 {
                    let Some(word) = operand(OPERAND_0 + 4 * at) else {
                        return Ok(None);
                    };
                    let same = w.operation(Opcode::WaveMatch, Some(ty), words, &[word])?;
                    let same = of_own_half(w, same)?;
                    all = Some(match all {
                        Some(all) => w.binary(BinaryOp::And, 32, all, same)?,
                        None => same,
                    });
                }
                return Ok(all);
            }
            NvapiMeaning::Special => match self.view.constant_int(first) {
                Some(LANES_BELOW) if self.missing.has(Features::SUBGROUP) => {
                    let lane = w.operation(Opcode::WaveGetLaneIndex, None, ty, &[])?;
                    let one = w.word(1);
                    let bit = w.binary(BinaryOp::Shl, 32, one, lane)?;
                    w.binary(BinaryOp::Sub, 32, bit, one)?
                }
                Some(which @ (TIMER_LOW | TIMER_HIGH))
                    if self.missing.has(Features::DEVICE_CLOCK)
                        || self.missing.has(Features::SHADER_CLOCK) =>
                {
                    if which == TIMER_HIGH
                        && let Some(high) = self.timer.take()
                    {
                        return Ok(Some(high));
                    }
                    let words = w.words_ty(2);
                    // The timer is the device's; that of the wave has to do where there is none.
                    let timer = if self.missing.has(Features::DEVICE_CLOCK) {
                        w.pseudo(&PseudoCall::RealtimeClock {}, words)?
                    } else {
                        w.operation(Opcode::CycleCounterLegacy, None, words, &[])?
                    };
                    if which == TIMER_HIGH {
                        w.member(timer, 1)?
                    } else {
                        self.timer = Some(w.member(timer, 1)?);
                        w.member(timer, 0)?
                    }
                }
                _ => return Ok(None),
            },
            NvapiMeaning::LaneId => w.operation(Opcode::WaveGetLaneIndex, None, ty, &[])?,
            NvapiMeaning::ClusterId => w.pseudo(&PseudoCall::ClusterId {}, ty)?,
            NvapiMeaning::QueryClusterId(of) => {
                let Some(query) = query_of_flags(shader, view, first) else {
                    return Ok(None);
                };
                let committed = of == QueryHit::Committed;
                w.pseudo(&PseudoCall::QueryClusterId { query, committed }, ty)?
            }
            NvapiMeaning::QueryGeometry(of, property) => {
                let Some(query) = query_of_flags(shader, view, first) else {
                    return Ok(None);
                };
                let call = PseudoCall::QueryGeometry {
                    query,
                    committed: of == QueryHit::Committed,
                    property,
                };
                let words = geometry(w, &call, property)?;
                first_word(w, &mut self.words, words, property)?
            }
            NvapiMeaning::Commit => {
                let Some(query) = query_of_flags(shader, view, first) else {
                    return Ok(None);
                };
                let void = w.void_ty();
                let commit = Opcode::RayQueryCommitNonOpaqueTriangleHit;
                w.operation(commit, None, void, &[query])?;
                w.word(0)
            }
            // These have no operand.
            NvapiMeaning::Geometry(_) | NvapiMeaning::BackFacing => return Ok(None),
            NvapiMeaning::HitObject(_) | NvapiMeaning::Atomic(_) | NvapiMeaning::Missing(_) => {
                return Ok(None);
            }
        }))
    }
}

/// Returns the query whose flags a value is.
fn query_of_flags(shader: &Shader, view: FuncView<'_>, flags: ValueId) -> Option<ValueId> {
    let ValueDef::Inst(inst) = view.value(flags)?.def else {
        return None;
    };
    let inst = &view.function.insts.get(inst)?.inst;
    let args = op_arguments(view, &shader.callees, inst)?;
    match decode(view, args).ok()? {
        Op::RayQuery(RayQueryOp::RayQueryRayFlags(op)) => Some(op.query),
        _ => None,
    }
}

/// Writes a pseudo-operation that returns the words of a property.
pub(super) fn geometry(
    w: &mut FunctionWriter<'_, '_, '_>,
    call: &PseudoCall<'_>,
    property: HitGeometry,
) -> Result<ValueId> {
    let ret = match property.words() {
        1 => w.int_ty(32),
        words => w.words_ty(words as usize),
    };
    w.pseudo(call, ret)
}

/// Returns the first word of a property, and keeps all for the results that follow.
pub(super) fn first_word(
    w: &mut FunctionWriter<'_, '_, '_>,
    kept: &mut Option<ValueId>,
    words: ValueId,
    property: HitGeometry,
) -> Result<ValueId> {
    if property.words() == 1 {
        return Ok(words);
    }
    *kept = Some(words);
    w.member(words, 0)
}

/// Returns the word of a mask of lanes that has the own lane: NVIDIA's waves have 32 lanes.
fn of_own_half(w: &mut FunctionWriter<'_, '_, '_>, mask: ValueId) -> Result<ValueId> {
    let ty = w.int_ty(32);
    let lane = w.operation(Opcode::WaveGetLaneIndex, None, ty, &[])?;
    let half = w.word(32);
    let is_low = w.compare(CmpPredicate::IUlt, lane, half)?;
    let low = w.member(mask, 0)?;
    let high = w.member(mask, 1)?;
    w.select(is_low, low, high)
}

/// Returns a shuffle: the value of the source lane.
fn shuffle(
    w: &mut FunctionWriter<'_, '_, '_>,
    how: Shuffle,
    value: ValueId,
    operand: ValueId,
    range: u32,
) -> Result<ValueId> {
    let ty = w.int_ty(32);
    let source = source_lane(w, how, operand, range)?;
    w.operation(Opcode::WaveReadLaneAt, Some(ty), ty, &[value, source.lane])
}

/// The lane that a shuffle reads.
struct SourceLane {
    lane: ValueId,
    /// Whether the operand named a lane of the range; `None` if it always does.
    is_inside: Option<ValueId>,
}

/// Returns the lane that PTX's `shfl.sync` reads (PTX ISA, "Data Movement and Conversion
/// Instructions: shfl.sync"): bits 8 to 12 of the range say which bits of a lane's number stay,
/// bits 0 to 4 where the lanes to read from end. A lane beyond reads its own value.
fn source_lane(
    w: &mut FunctionWriter<'_, '_, '_>,
    how: Shuffle,
    operand: ValueId,
    range: u32,
) -> Result<SourceLane> {
    let ty = w.int_ty(32);
    let (kept, clamp) = (range >> 8 & 0x1f, range & 0x1f);
    let lane = w.operation(Opcode::WaveGetLaneIndex, None, ty, &[])?;
    // Waves of more than 32 lanes are several of NVIDIA's.
    let first = {
        let mask = w.word(kept | !0x1f);
        w.binary(BinaryOp::And, 32, lane, mask)?
    };
    let last = {
        let rest = w.word(clamp & !kept);
        w.binary(BinaryOp::Or, 32, first, rest)?
    };
    let from = match how {
        Shuffle::Index => {
            let mask = w.word(!kept & 0x1f);
            let index = w.binary(BinaryOp::And, 32, operand, mask)?;
            w.binary(BinaryOp::Or, 32, first, index)?
        }
        Shuffle::Up => w.binary(BinaryOp::Sub, 32, lane, operand)?,
        Shuffle::Down => w.binary(BinaryOp::Add, 32, lane, operand)?,
        Shuffle::Xor => w.binary(BinaryOp::Xor, 32, lane, operand)?,
    };
    let predicate = match how {
        Shuffle::Up => CmpPredicate::ISge,
        Shuffle::Index | Shuffle::Down | Shuffle::Xor => CmpPredicate::ISle,
    };
    // Every lane of the range can be read by index or by a mask within it.
    let always = clamp == 0x1f && how == Shuffle::Index;
    if always {
        return Ok(SourceLane {
            lane: from,
            is_inside: None,
        });
    }
    let inside = w.compare(predicate, from, last)?;
    Ok(SourceLane {
        lane: w.select(inside, from, lane)?,
        is_inside: Some(inside),
    })
}

/// Returns the number of components of a typed resource's texels.
fn components_of(shader: &Shader, view: FuncView<'_>, handle: ValueId) -> Option<u32> {
    let ty = resource_of(shader, view, handle)?.ty?;
    Some(element_count(&view.module.types, ty))
}
