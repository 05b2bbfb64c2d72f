//! AMD's AGS.
//!
//! An instruction is an `InterlockedCompareExchange` on the UAV: the byte address is the
//! instruction word, compare value and new value are its operands, the value that was there is its
//! result.
//!
//! ```text
//!   31    28 27  26 25   24 23          8 7      0
//!  [ 5      | 0    | phase | immediate   | opcode ]
//! ```
//!
//! An operation with more operands or results takes several instructions, its phases. Most phases
//! are instructions in their own right; [`atomics`] describes how those of 64-bit atomics belong
//! together.

mod atomics;
mod matrices;
mod narrow_stores;
mod numbers;
mod rounding;
mod state;
pub(super) mod table;
mod waves;

use std::collections::VecDeque;

use crate::vendor::ags::state::{AgsRewrite, InstructionWord};
use crate::vendor::{missing, small_float};
use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{
    BufferOp, Op, Opcode, ResourceAtomicOp, calls, decode, op_arguments,
};
use dxil_frontend::ir::{CmpPredicate, FuncView, Function, Inst, InstData, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};
use smallvec::SmallVec;

use super::writer::FunctionWriter;
use crate::inline::DraftInst;
use crate::pseudo::{BarycentricMode, PseudoCall};
use crate::vendor::missing::Missing;
use crate::vendor::operation::{Vendor, VendorOperation};
use crate::vendor::store::Store;
use crate::{Error, Features, Result};
use narrow_stores::PendingStore;
use table::{AgsMeaning, AgsOperation};

/// Returns a readable description of an instruction word.
pub(super) fn describe(word: u32) -> Option<String> {
    let word = InstructionWord::of(word)?;
    let row = table::operation(word.opcode)?;
    Some(format!(
        "AGS {}, phase {}, immediate {:#x}",
        row.name, word.phase, word.immediate
    ))
}

/// Replaces a function's instructions. `uavs` are the handles of the UAV.
pub(super) fn rewrite<'a>(
    shader: &Shader,
    view: FuncView<'a>,
    uavs: &HashSet<ValueId>,
    writer: FunctionWriter<'a, '_, '_>,
    missing: &mut Missing<'a>,
) -> Result<Function> {
    let mut rewrite = AgsRewrite {
        writer,
        missing,
        atomic: None,
        medians: HashMap::default(),
        dropped: HashSet::default(),
        address: None,
        clock: None,
        narrow_store: None,
        matrix: None,
        result_counts: VecDeque::new(),
    };
    for block in 0..rewrite.writer.blocks() {
        let lines = rewrite.writer.take_block(block);
        // A load of a matrix becomes one call that returns all words, so that their number has to
        // be known before the first of them is read.
        rewrite.result_counts = result_counts(shader, view, uavs, &lines);
        for line in lines {
            let is_handle = |result: ValueId| uavs.contains(&result);
            if line.data.result.expand().is_some_and(is_handle)
                || missing::is_operation(shader, view, &line.data.inst)
                    && rewrite.operation(shader, view, uavs, &line.data)?
            {
                continue;
            }
            if let Some(matrix) = &mut rewrite.matrix
                && matrix.takes_shared(view, &line.data)
            {
                if let Some(result) = line.data.result.expand()
                    && matches!(line.data.inst, Inst::AtomicRmw { .. })
                {
                    let zero = rewrite.writer.zero(line.data.ty);
                    rewrite.writer.replace(result, zero);
                }
                continue;
            }
            missing::uses_no_handle(view, uavs, &line.data)?;
            if rewrite.atomic.is_some() {
                let mut operands = SmallVec::<[ValueId; 16]>::new();
                let function = view.function;
                function.for_each_operand(&line.data.inst, |operand| operands.push(operand));
                rewrite.check_operands(&operands)?;
            }
            rewrite.writer.keep(line);
        }
        rewrite.end_block()?;
        rewrite.writer.end_block(block);
    }
    Ok(rewrite.writer.finish())
}

/// Returns the word of an instruction, if the line is one.
fn word_of(
    shader: &Shader,
    view: FuncView<'_>,
    uavs: &HashSet<ValueId>,
    inst: &Inst,
) -> Option<InstructionWord> {
    let args = op_arguments(view, &shader.callees, inst)?;
    match decode(view, args).ok()? {
        Op::ResourceAtomic(ResourceAtomicOp::AtomicCompareExchange(call))
            if uavs.contains(&call.resource) =>
        {
            InstructionWord::of(view.constant_int(call.coords[0])? as u32)
        }
        _ => None,
    }
}

/// Returns the number of words that are read of each matrix that an operation of the block makes,
/// in order.
fn result_counts(
    shader: &Shader,
    view: FuncView<'_>,
    uavs: &HashSet<ValueId>,
    lines: &[DraftInst],
) -> VecDeque<usize> {
    let mut counts = VecDeque::new();
    for line in lines {
        let Some(word) = word_of(shader, view, uavs, &line.data.inst) else {
            continue;
        };
        if matrices::makes_matrix(word) {
            counts.push_back(0);
        } else if let (Some(number), Some(last)) = (matrices::result_word(word), counts.back_mut())
        {
            *last = (*last).max(number + 1);
        }
    }
    counts
}

impl<'a> AgsRewrite<'a, '_, '_, '_> {
    /// Rewrites a DXIL operation if it belongs to an instruction, and returns whether it does.
    fn operation(
        &mut self,
        shader: &Shader,
        view: FuncView<'a>,
        uavs: &HashSet<ValueId>,
        data: &InstData,
    ) -> Result<bool> {
        let result = data.result.expand();
        let Some(args) = op_arguments(view, &shader.callees, &data.inst) else {
            return Ok(false);
        };
        let Ok(op) = decode(view, args) else {
            // The lowering decodes every operation and reports malformed ones.
            return Ok(false);
        };
        if let Op::ResourceAtomic(ResourceAtomicOp::AtomicCompareExchange(call)) = &op
            && uavs.contains(&call.resource)
        {
            self.instruction(view, call, result)?;
            return Ok(true);
        }
        if let Some((buffer, at)) = loaded(&op)
            && let Some(matrix) = &mut self.matrix
            && matrix.takes_load(buffer, at)
        {
            if let Some(result) = result {
                let zero = self.writer.zero(data.ty);
                self.writer.replace(result, zero);
            }
            return Ok(true);
        }
        let Some(store) = Store::of(&op) else {
            return Ok(false);
        };
        if let Some(pending) = &mut self.narrow_store
            && pending.takes_store(&store)
        {
            return Ok(true);
        }
        let is_dropped = self.dropped.contains(&store.at());
        let atomic = self.atomic.as_mut();
        Ok(is_dropped || atomic.is_some_and(|pending| pending.takes_store(view, &store)))
    }

    /// Writes an instruction.
    fn instruction(
        &mut self,
        view: FuncView<'a>,
        call: &calls::AtomicCompareExchange,
        result: Option<ValueId>,
    ) -> Result<()> {
        let word = view.constant_int(call.coords[0]).map(|word| word as u32);
        let Some(word) = word.and_then(InstructionWord::of) else {
            if !self.missing.options.vendor.zero_missing {
                return Err(Error::unsupported(
                    "an AGS instruction that is not constant",
                ));
            }
            return self.zero(0, false, result);
        };
        let row = table::operation(word.opcode);
        let needs = row.map_or(Features::empty(), |row| row.needs);
        let known = row.filter(|row| row.meaning.is_of(self.missing.kind));
        let known = known.filter(|row| {
            self.missing.has(needs)
                && (row.meaning != AgsMeaning::Matrix || self.missing.has_matrices())
        });
        let operands = [call.compare, call.value];
        self.check_operands(&operands)?;
        let value = match known {
            Some(row) if row.meaning == AgsMeaning::Matrix => {
                self.matrix_phase(view, word, operands, result)?
            }
            Some(row) => self.meaning(row, word, operands, result)?,
            None => None,
        };
        let value = match value {
            Some(value) => value,
            // The result comes with a later phase.
            None if self.atomic.is_some() && word.opcode == ATOMIC_64 => return Ok(()),
            None => {
                if word.opcode == ATOMIC_64 {
                    self.dropped.extend(result);
                }
                return self.zero(word.opcode, row.is_some() && known.is_none(), result);
            }
        };
        if let Some(result) = result {
            self.writer.replace(result, value);
        }
        Ok(())
    }

    /// Replaces an instruction by zero.
    fn zero(&mut self, number: u32, lacks: bool, result: Option<ValueId>) -> Result<()> {
        let vendor = Vendor::Ags;
        self.missing
            .zero(VendorOperation { vendor, number }, lacks)?;
        if let Some(result) = result {
            let zero = self.writer.word(0);
            self.writer.replace(result, zero);
        }
        Ok(())
    }

    /// Writes the operations that replace an instruction; returns `None` if there are none.
    fn meaning(
        &mut self,
        row: &AgsOperation,
        word: InstructionWord,
        [first, second]: [ValueId; 2],
        result: Option<ValueId>,
    ) -> Result<Option<ValueId>> {
        let w = &mut self.writer;
        let word_ty = w.int_ty(32);
        Ok(Some(match row.meaning {
            AgsMeaning::ReadFirstLane => {
                w.operation(Opcode::WaveReadLaneFirst, Some(word_ty), word_ty, &[first])?
            }
            AgsMeaning::ReadLane => {
                let lane = w.word(word.immediate);
                waves::read_lane(w, first, lane)?
            }
            AgsMeaning::ReadLaneAt => waves::read_lane(w, first, second)?,
            AgsMeaning::LaneId => w.operation(Opcode::WaveGetLaneIndex, None, word_ty, &[])?,
            AgsMeaning::WaveSize => w.operation(Opcode::WaveGetLaneCount, None, word_ty, &[])?,
            AgsMeaning::Swizzle => waves::swizzle(w, first, word.immediate)?,
            AgsMeaning::Ballot => {
                let zero = w.word(0);
                let condition = w.compare(CmpPredicate::INe, first, zero)?;
                let ballot_ty = w.words_ty(4);
                let ballot =
                    w.operation(Opcode::WaveActiveBallot, None, ballot_ty, &[condition])?;
                // A wave of AMD's has 64 lanes at most.
                w.member(ballot, word.phase.min(1))?
            }
            AgsMeaning::MaskedBitCount => waves::masked_bit_count(w, first, second)?,
            AgsMeaning::Min3(sign) => {
                numbers::extreme(w, numbers::Extreme::Min, sign, first, second)?
            }
            AgsMeaning::Max3(sign) => {
                numbers::extreme(w, numbers::Extreme::Max, sign, first, second)?
            }
            AgsMeaning::Med3(_) if word.phase == 0 => {
                if let Some(result) = result {
                    self.medians.insert(result, [first, second]);
                }
                // Only the second phase looks at it.
                first
            }
            AgsMeaning::Med3(sign) => {
                let Some(&[a, b]) = self.medians.get(&second) else {
                    return Ok(None);
                };
                numbers::median(w, sign, [a, b, first])?
            }
            AgsMeaning::WaveReduce => return waves::reduce(w, first, word.immediate),
            AgsMeaning::WaveScan => return waves::scan(w, first, word.immediate),
            AgsMeaning::DrawIndex => w.pseudo(&PseudoCall::DrawIndex {}, word_ty)?,
            AgsMeaning::BaseVertex => {
                w.operation(Opcode::StartVertexLocation, Some(word_ty), word_ty, &[])?
            }
            AgsMeaning::BaseInstance => {
                w.operation(Opcode::StartInstanceLocation, Some(word_ty), word_ty, &[])?
            }
            AgsMeaning::ShaderClock | AgsMeaning::RealtimeClock if word.phase == 0 => {
                let clock_ty = w.words_ty(2);
                let clock = match row.meaning {
                    AgsMeaning::RealtimeClock => {
                        w.pseudo(&PseudoCall::RealtimeClock {}, clock_ty)?
                    }
                    _ => w.operation(Opcode::CycleCounterLegacy, None, clock_ty, &[])?,
                };
                let low = w.member(clock, 0)?;
                self.clock = Some(w.member(clock, 1)?);
                low
            }
            AgsMeaning::ShaderClock | AgsMeaning::RealtimeClock => match self.clock.take() {
                Some(high) => high,
                None => return Ok(None),
            },
            AgsMeaning::Barycentrics => {
                let Some(mode) = BarycentricMode::of_ags(word.immediate) else {
                    return Ok(None);
                };
                // Phase 0 gives the second vertex's weight, phase 1 the third's.
                if word.phase > 1 {
                    return Ok(None);
                }
                let vertex = word.phase + 1;
                w.pseudo(&PseudoCall::Barycentric { mode, vertex }, word_ty)?
            }
            AgsMeaning::LoadAtAddress if word.phase == 0 => {
                self.address = Some([first, second]);
                // Only the second phase gives the word.
                first
            }
            AgsMeaning::LoadAtAddress => {
                let Some([low, high]) = self.address.take() else {
                    return Ok(None);
                };
                let offset = first;
                w.pseudo(&PseudoCall::LoadAtAddress { low, high, offset }, word_ty)?
            }
            AgsMeaning::Float8 => return small_float::convert(w, first, word.immediate),
            AgsMeaning::FloatToHalf => return numbers::float_to_half(w, first, word.immediate),
            AgsMeaning::Atomic64 => {
                return self.atomic_phase(word, [first, second], result);
            }
            AgsMeaning::Rounded => {
                let operands = [first, second];
                return rounding::arithmetic(w, self.missing, operands, word.immediate);
            }
            AgsMeaning::NarrowStore(_) if word.phase == 0 => {
                self.narrow_store = Some(PendingStore {
                    address: first,
                    value: second,
                    buffer: None,
                });
                w.word(0)
            }
            AgsMeaning::NarrowStore(bits) => match self.narrow_store.take() {
                Some(store) if store.write(w, bits)? => w.word(0),
                _ => return Ok(None),
            },
            AgsMeaning::Marker => w.word(0),
            AgsMeaning::Matrix | AgsMeaning::Missing(_) => return Ok(None),
        }))
    }

    /// Ends the operations of a block. State that outlived the block would name values that do not
    /// dominate the next one.
    fn end_block(&mut self) -> Result<()> {
        self.address = None;
        self.clock = None;
        self.narrow_store = None;
        self.matrix = None;
        match self.atomic.take() {
            Some(_) => Err(Error::unsupported(
                "a 64-bit atomic of AGS whose phases are in several blocks",
            )),
            None => Ok(()),
        }
    }
}

/// Returns the buffer that a load reads, and where.
fn loaded(op: &Op) -> Option<(ValueId, ValueId)> {
    match op {
        Op::Buffer(BufferOp::BufferLoad(op)) => Some((op.buffer, op.index)),
        Op::Buffer(BufferOp::RawBufferLoad(op)) => Some((op.buffer, op.index)),
        _ => None,
    }
}

/// Number of the 64-bit atomics.
const ATOMIC_64: u32 = 0x18;
