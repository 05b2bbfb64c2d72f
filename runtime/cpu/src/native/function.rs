//! A function as WebAssembly: `(point, narrow, wide, fuel, meets, full, private) -> exit`.
//!
//! Code begins at a point, the beginning of a run of instructions, and goes from block to block as
//! long as all lanes go the same way. Each run is a loop over chunks of four lanes, with values in
//! locals: what is read is loaded once, and what others may read is stored at the end.

use dxil_frontend::tables::HashSet;
use wasm_encoder::{BlockType, Function};

use super::accesses::access_of;
use super::body::{Body, Value, at};
use super::lane_code;
use super::layout::{FUEL, MASKS, MemoryLayout, NARROW_CHUNK, PREVIOUS, SCRATCH, WIDE_CHUNK};
use super::memory_code::Memory;
use super::plan::{Constants, Plan, Run, local_results};
use crate::decode::Kernel;
use crate::decode::code::{Complex, Edge, FunctionCode, Inst, RegisterSlot, Terminator};
use crate::decode::lane_ops::{LaneOp, RegisterKind};

/// Parameters.
const POINT: u32 = 0;
const NARROW: u32 = 1;
const WIDE: u32 = 2;
const LEFT: u32 = 3;
const MEETS: u32 = 4;
const FULL: u32 = 5;
const PRIVATE: u32 = 6;
/// Other integers: the block before; the place of the chunk in masks and registers of each kind.
const BEFORE: u32 = 7;
const CHUNK: u32 = 8;
const NARROW_AT: u32 = 9;
const WIDE_AT: u32 = 10;
const INTEGERS: u32 = 4;
const FIRST_VECTOR: u32 = 11;

/// The kinds of exits, with a number in the lower bits.
pub(crate) const EXIT_BITS: u32 = 28;
/// The executor's run of that number is next.
pub(crate) const EXIT_RUN: u32 = 0;
/// The executor ends the block of that number.
pub(crate) const EXIT_LEAVE: u32 = 1;
/// All lanes have taken the edge of that number, and the target has not begun.
pub(crate) const EXIT_GO: u32 = 2;

/// Where a register's value is, among the values and the known registers.
#[derive(Debug, Clone, Copy)]
struct Place {
    value: usize,
    known: usize,
}

struct Writer<'a> {
    code: &'a FunctionCode,
    plan: &'a Plan,
    constants: &'a Constants,
    body: Body,
    lanes: u32,
    layout: &'a MemoryLayout,
    /// Values of registers in the run that is being written, by kind and index.
    narrow: Vec<Option<Place>>,
    wide: Vec<Option<Place>>,
    values: Vec<Value>,
    /// Registers that have values, and whether the run writes them.
    known: Vec<(RegisterSlot, bool)>,
    /// Labels around the code that is being written, below the loop of points.
    labels: u32,
}

/// Writes a function.
pub(super) fn write(
    code: &FunctionCode,
    plan: &Plan,
    constants: &Constants,
    kernel: &Kernel,
    layout: &MemoryLayout,
) -> Function {
    let mut writer = Writer {
        code,
        plan,
        constants,
        body: Body::new(FIRST_VECTOR),
        lanes: kernel.wave_size(),
        layout,
        narrow: vec![None; code.narrow_slots as usize],
        wide: vec![None; code.wide_slots as usize],
        values: Vec::new(),
        known: Vec::new(),
        labels: 0,
    };
    writer.write();
    let mut function = Function::new(writer.body.locals(INTEGERS));
    function.raw(writer.body.bytes);
    function
}

impl Writer<'_> {
    fn write(&mut self) {
        let points = self.plan.points;
        let mut sink = self.body.sink();
        sink.i32_const(-1).local_set(BEFORE);
        sink.loop_(BlockType::Empty);
        for _ in 0..points {
            sink.block(BlockType::Empty);
        }
        let all: Vec<u32> = (0..points).collect();
        sink.local_get(POINT).br_table(all, points - 1);
        for block in 0..self.code.blocks.len() as u32 {
            let results = local_results(self.code, self.plan, block);
            for (number, results) in self.plan.runs_of(block).zip(&results) {
                let run = self.plan.runs[number];
                if let Some(point) = run.point {
                    self.body.sink().end();
                    self.labels = points - 1 - point;
                    let next = self.plan.runs_of(block).contains(&(number + 1));
                    self.run(&run, results, next.then_some(number + 1));
                }
            }
        }
        // Each point has ended with a branch.
        self.body.sink().end().unreachable().end();
    }

    /// Writes the code of a point.
    fn run(&mut self, run: &Run, results: &HashSet<RegisterSlot>, next: Option<usize>) {
        self.body.forget_vectors();
        let block = &self.code.blocks[run.block as usize];
        let insts = self.code.insts[run.first as usize..run.end as usize].iter();
        if let Some(next) = next {
            let insts: Vec<Inst> = insts.copied().collect();
            self.chunks(&insts, results, None);
            self.begin(next);
            return;
        }
        match &block.terminator {
            Terminator::Jump(edge) => {
                let at = self.code.edges[*edge as usize];
                if self.has_code(&at) {
                    let insts: Vec<Inst> = insts.chain(self.moves(&at)).copied().collect();
                    self.chunks(&insts, results, None);
                    self.go(run.block, *edge);
                    return;
                }
            }
            Terminator::Branch {
                condition,
                if_true,
                if_false,
            } => {
                let ways = [*if_true, *if_false];
                let edges = ways.map(|edge| self.code.edges[edge as usize]);
                if edges.iter().all(|edge| self.has_code(edge)) {
                    let insts: Vec<Inst> = insts.copied().collect();
                    let taken = [self.body.vector(), self.body.vector()];
                    self.chunks(&insts, results, Some((*condition, taken)));
                    // Some go this way and some that: the executor parts them.
                    self.body.get(taken[0]);
                    self.body.sink().v128_any_true();
                    self.body.get(taken[1]);
                    self.body
                        .sink()
                        .v128_any_true()
                        .i32_and()
                        .if_(BlockType::Empty);
                    self.labels += 1;
                    self.exit(EXIT_LEAVE, run.block);
                    self.labels -= 1;
                    self.body.sink().end();
                    self.body.get(taken[0]);
                    self.body.sink().v128_any_true().if_(BlockType::Empty);
                    self.labels += 1;
                    self.edge(run.block, *if_true);
                    self.labels -= 1;
                    self.body.sink().end();
                    self.edge(run.block, *if_false);
                    return;
                }
            }
            Terminator::Switch { .. } | Terminator::Return(_) | Terminator::Unreachable => {}
        }
        let insts: Vec<Inst> = insts.copied().collect();
        self.chunks(&insts, results, None);
        self.exit(EXIT_LEAVE, run.block);
    }

    fn moves(&self, edge: &Edge) -> std::slice::Iter<'_, Inst> {
        self.code.insts[edge.first as usize..edge.end as usize].iter()
    }

    fn has_code(&self, edge: &Edge) -> bool {
        self.moves(edge)
            .all(|inst| self.constants.have_code(self.code, inst))
    }

    /// Takes an edge with its moves.
    fn edge(&mut self, block: u32, edge: u32) {
        let at = self.code.edges[edge as usize];
        let insts: Vec<Inst> = self.moves(&at).copied().collect();
        self.body.forget_vectors();
        self.chunks(&insts, &HashSet::default(), None);
        self.go(block, edge);
    }

    /// Goes to the target of an edge whose moves are made.
    fn go(&mut self, block: u32, edge: u32) {
        let target = self.code.edges[edge as usize].target;
        self.body
            .sink()
            .local_get(LEFT)
            .i32_eqz()
            .local_get(MEETS)
            .i32_const(target as i32)
            .i32_eq()
            .i32_or()
            .if_(BlockType::Empty);
        self.exit(EXIT_GO, edge);
        let mut sink = self.body.sink();
        sink.end();
        sink.local_get(LEFT)
            .i32_const(1)
            .i32_sub()
            .local_set(LEFT)
            .i32_const(block as i32)
            .local_set(BEFORE);
        self.begin(self.plan.runs_of(target).start);
    }

    /// Goes on with a run.
    fn begin(&mut self, number: usize) {
        match self.plan.runs[number].point {
            Some(point) => {
                self.body
                    .sink()
                    .i32_const(point as i32)
                    .local_set(POINT)
                    .br(self.labels);
            }
            None => self.exit(EXIT_RUN, number as u32),
        }
    }

    /// Returns to the executor.
    fn exit(&mut self, kind: u32, number: u32) {
        self.body
            .sink()
            .i32_const(0)
            .local_get(BEFORE)
            .i32_store(at(PREVIOUS, 2))
            .i32_const(0)
            .local_get(LEFT)
            .i32_store(at(FUEL, 2))
            .i32_const((kind << EXIT_BITS | number) as i32)
            .return_();
    }

    /// Writes instructions for all lanes that run. The vectors of `ends` get the lanes in which a
    /// condition holds, and those in which it does not.
    fn chunks(
        &mut self,
        insts: &[Inst],
        results: &HashSet<RegisterSlot>,
        ends: Option<(RegisterSlot, [u32; 2])>,
    ) {
        if insts.is_empty() && ends.is_none() {
            return;
        }
        let mut sink = self.body.sink();
        if let Some((_, taken)) = ends {
            for vector in taken {
                sink.v128_const(0).local_set(vector);
            }
        }
        sink.i32_const(0)
            .local_set(CHUNK)
            .local_get(NARROW)
            .local_set(NARROW_AT)
            .local_get(WIDE)
            .local_set(WIDE_AT)
            .loop_(BlockType::Empty)
            .local_get(CHUNK)
            .v128_load(at(MASKS, 4));
        let mask = self.body.keep();
        self.body.get(mask);
        self.body.sink().v128_any_true().if_(BlockType::Empty);
        self.chunk(insts, results, ends, mask);
        self.body
            .sink()
            .end()
            .local_get(WIDE_AT)
            .i32_const(32)
            .i32_add()
            .local_set(WIDE_AT)
            .local_get(NARROW_AT)
            .i32_const(16)
            .i32_add()
            .local_set(NARROW_AT)
            .local_get(CHUNK)
            .i32_const(16)
            .i32_add()
            .local_tee(CHUNK)
            .i32_const(self.lanes.div_ceil(4) as i32 * 16)
            .i32_lt_u()
            .br_if(0)
            .end();
    }

    fn chunk(
        &mut self,
        insts: &[Inst],
        results: &HashSet<RegisterSlot>,
        ends: Option<(RegisterSlot, [u32; 2])>,
        mask: u32,
    ) {
        for inst in insts {
            match *inst {
                Inst::Lane { op, dst, args } => {
                    if !dst.is_none() {
                        let result = self.lane(op, args);
                        self.set(dst, result, true);
                    }
                }
                Inst::Complex(index) => {
                    let code = self.code;
                    self.access(&code.complex[index as usize], mask);
                }
            }
        }
        if let Some((condition, taken)) = ends {
            let index = self.load(condition);
            let mut value = self.values[index];
            for (way, vector) in taken.into_iter().enumerate() {
                self.body.get(vector);
                self.body.get(mask);
                self.body.mask(&mut value);
                let mut sink = self.body.sink();
                if way == 0 {
                    sink.v128_and();
                } else {
                    sink.v128_andnot();
                }
                sink.v128_or().local_set(vector);
            }
            self.values[index] = value;
        }
        self.store(results, mask);
        for (slot, _) in std::mem::take(&mut self.known) {
            *self.place(slot) = None;
        }
        self.values.clear();
    }

    fn lane(&mut self, op: LaneOp, args: [RegisterSlot; 3]) -> Value {
        let mut values = [Value::default(); 3];
        let mut indices = [0; 3];
        let count = op.signature().1.len();
        let is_commutative = matches!(
            op,
            LaneOp::FAdd
                | LaneOp::FMul
                | LaneOp::FMad
                | LaneOp::FAddFlush
                | LaneOp::FMulFlush
                | LaneOp::FMadFlush
                | LaneOp::DAdd
                | LaneOp::DMul
                | LaneOp::DMad
        );
        for number in 0..count {
            let known = self.known.len();
            indices[number] = self.load(args[number]);
            values[number] = self.values[indices[number]];
            // Cranelift takes an operand from memory where it can, and then changes the operands'
            // places if that was the first one: of two NaNs the other one would stay. A store
            // between load and use keeps the load where it is.
            if is_commutative && known != self.known.len() {
                self.body
                    .sink()
                    .i32_const(0)
                    .i32_const(0)
                    .i32_store(at(SCRATCH, 2));
            }
        }
        let result = lane_code::write(&mut self.body, op, &mut values);
        // Masks and words that were made of operands are kept.
        if op.signature().1.len() == count {
            for number in 0..count {
                let kept = &mut self.values[indices[number]];
                if kept.bits == values[number].bits || kept.bits.is_none() {
                    *kept = values[number];
                }
            }
        }
        result
    }

    /// Writes an access of private or groupshared memory.
    fn access(&mut self, complex: &Complex, mask: u32) {
        let Some(access) = access_of(complex) else {
            return;
        };
        let memory = Memory {
            space: access.space,
            lanes: self.lanes,
            layout: self.layout,
            private: PRIVATE,
            chunk: CHUNK,
            mask,
        };
        let pointer = self.word(complex.source(0));
        if access.is_store {
            let slots = complex.src[1..].iter();
            let words: Vec<u32> = slots.map(|&slot| self.word(slot)).collect();
            memory.store(&mut self.body, pointer, &words);
            return;
        }
        for (number, &dst) in (0..).zip(&complex.dst) {
            if !dst.is_none() {
                let bits = memory.load(&mut self.body, pointer, number);
                let value = Value {
                    bits: Some(bits),
                    ..Value::default()
                };
                self.set(dst, value, true);
            }
        }
    }

    /// Returns the local of the words of a register.
    fn word(&mut self, slot: RegisterSlot) -> u32 {
        let index = self.load(slot);
        let mut value = self.values[index];
        self.body.word(&mut value);
        self.values[index] = value;
        self.body.keep()
    }

    fn place(&mut self, slot: RegisterSlot) -> &mut Option<Place> {
        match slot.kind() {
            RegisterKind::W => &mut self.narrow[slot.index()],
            RegisterKind::D => &mut self.wide[slot.index()],
        }
    }

    fn set(&mut self, slot: RegisterSlot, value: Value, is_written: bool) -> usize {
        let index = self.values.len();
        self.values.push(value);
        let next = self.known.len();
        let place = self.place(slot);
        let known = place.map_or(next, |place| place.known);
        *place = Some(Place {
            value: index,
            known,
        });
        match self.known.get_mut(known) {
            Some(known) => known.1 |= is_written,
            None => self.known.push((slot, is_written)),
        }
        index
    }

    /// Returns the value of a register, loaded if it is not known.
    fn load(&mut self, slot: RegisterSlot) -> usize {
        if slot.is_none() {
            self.values.push(Value {
                constant: Some(0),
                ..Value::default()
            });
            return self.values.len() - 1;
        }
        if let Some(place) = *self.place(slot) {
            return place.value;
        }
        if let Some(bits) = self.constants.of(slot) {
            let value = Value {
                constant: Some(bits),
                ..Value::default()
            };
            return self.set(slot, value, false);
        }
        let value = match slot.kind() {
            RegisterKind::W => {
                let place = at(self.offset(slot), 4);
                self.body.sink().local_get(NARROW_AT).v128_load(place);
                Value {
                    bits: Some(self.body.keep()),
                    ..Value::default()
                }
            }
            RegisterKind::D => {
                let offset = self.offset(slot);
                let [bits, high] = [0, 16].map(|half| {
                    self.body
                        .sink()
                        .local_get(WIDE_AT)
                        .v128_load(at(offset + half, 4));
                    self.body.keep()
                });
                Value {
                    bits: Some(bits),
                    high: Some(high),
                    ..Value::default()
                }
            }
        };
        self.set(slot, value, false)
    }

    /// Returns the bytes of a frame before a register.
    fn offset(&self, slot: RegisterSlot) -> u32 {
        let bytes = match slot.kind() {
            RegisterKind::W => NARROW_CHUNK,
            RegisterKind::D => WIDE_CHUNK,
        };
        slot.index() as u32 * self.lanes.div_ceil(8) * bytes as u32
    }

    /// Stores what others may read.
    fn store(&mut self, results: &HashSet<RegisterSlot>, mask: u32) {
        let (mut local, mut others) = (Vec::new(), Vec::new());
        for (slot, is_written) in self.known.clone() {
            if !is_written {
                continue;
            }
            let Some(Place { value: index, .. }) = *self.place(slot) else {
                continue;
            };
            if slot.is_local() {
                if results.contains(&slot) {
                    local.push((slot, index));
                }
            } else {
                others.push((slot, index));
            }
            // A word is made of a mask here, before the code goes two ways.
            let mut value = self.values[index];
            if slot.kind() == RegisterKind::W && value.constant.is_none() && value.bits.is_none() {
                self.body.word(&mut value);
                self.body.sink().drop();
                self.values[index] = value;
            }
        }
        for (slot, index) in local {
            self.store_one(slot, index, None);
        }
        if others.is_empty() {
            return;
        }
        self.body.sink().local_get(FULL).if_(BlockType::Empty);
        for &(slot, index) in &others {
            self.store_one(slot, index, None);
        }
        self.body.sink().else_();
        for &(slot, index) in &others {
            self.store_one(slot, index, Some(mask));
        }
        self.body.sink().end();
    }

    fn store_one(&mut self, slot: RegisterSlot, index: usize, mask: Option<u32>) {
        let mut value = self.values[index];
        let offset = self.offset(slot);
        let (base, halves) = match slot.kind() {
            RegisterKind::W => (NARROW_AT, 1),
            RegisterKind::D => (WIDE_AT, 2),
        };
        for half in 0..halves {
            let place = at(offset + 16 * half, 4);
            self.body.sink().local_get(base);
            match slot.kind() {
                RegisterKind::W => self.body.word(&mut value),
                RegisterKind::D => self.body.wide(&value, half as usize),
            }
            if let Some(mask) = mask {
                self.body.sink().local_get(base).v128_load(place);
                self.body.get(mask);
                if slot.kind() == RegisterKind::D {
                    self.body.extend_mask(half as usize);
                }
                self.body.sink().v128_bitselect();
            }
            self.body.sink().v128_store(place);
        }
    }
}
