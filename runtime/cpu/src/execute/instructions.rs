//! Instructions that do more than compute: which function executes each of them.

use super::context::{Context, lanes_of};
use super::lanes::{WIDTH, by_lane};
use crate::check::Site;
use crate::decode::code::{
    Complex, ComplexOp, Fence, FunctionCode, RayCall, RegisterSlot, ThreadInput,
};
use crate::error::Result;

/// The next action of a wave after an instruction.
pub(super) enum After {
    Next,
    /// The lanes wait at a barrier.
    Wait(Fence),
    /// A function was called.
    Call,
    /// Shaders are called by way of shader tables.
    TableCall(RayCall),
    /// The lanes end their any-hit shader.
    EndHit {
        accepts: bool,
    },
}

impl Context<'_> {
    /// Returns the lanes that execute.
    pub(crate) fn on(&self) -> impl Iterator<Item = usize> + use<> {
        lanes_of(self.mask)
    }

    pub(super) fn is_on(&self, lane: usize) -> bool {
        lane < self.lanes && self.mask >> lane & 1 != 0
    }

    /// Returns whether two lanes of a quad have a difference: they are neighbours as pixels are,
    /// and both are active. D3D12 leaves a derivative in divergent flow undefined; here it is zero.
    pub(super) fn has_difference(&self, low: usize, high: usize) -> bool {
        self.shared.kernel.has_whole_quads() && self.is_on(low) && self.is_on(high)
    }

    /// Gives the lanes a value that they have from the start.
    fn thread_input(&self, input: ThreadInput, dst: &[RegisterSlot]) {
        let [width, height, depth] = self.shared.kernel.num_threads();
        let component = |all: [u32; 3], index: u32| all.get(index as usize).copied().unwrap_or(0);
        // Steps stand for cycles: they only grow, and are the same in every run.
        if input == ThreadInput::Cycles {
            for (part, &dst) in dst.iter().enumerate() {
                self.set_all(dst, (self.steps >> (32 * part)) & 0xffff_ffff);
            }
            return;
        }
        let Some((&dst, rest)) = dst.split_first() else {
            return;
        };
        for &dst in rest {
            self.set_all(dst, 0);
        }
        for (chunk, threads) in self.threads.iter().enumerate() {
            let in_group = |index: u32| threads.get(index as usize).copied().unwrap_or_default();
            let lane = |i: usize| (chunk * WIDTH + i) as u32;
            let values = match input {
                ThreadInput::ThreadId(index) => {
                    let size = component([width, height, depth], index);
                    let first = component(self.group.id, index).wrapping_mul(size);
                    in_group(index).map(|place| first.wrapping_add(place))
                }
                ThreadInput::GroupId(index) => [component(self.group.id, index); WIDTH],
                ThreadInput::ThreadIdInGroup(index) => in_group(index),
                ThreadInput::FlattenedThreadIdInGroup => {
                    let [x, y, z] = threads;
                    by_lane(|i| (z[i] * height + y[i]) * width + x[i])
                }
                ThreadInput::LaneIndex => by_lane(lane),
                ThreadInput::LaneCount => [self.lanes as u32; WIDTH],
                ThreadInput::WaveIndex => [self.wave_index(); WIDTH],
                ThreadInput::WaveCount => {
                    let threads = width * height * depth;
                    [threads.div_ceil((self.lanes as u32).max(1)); WIDTH]
                }
                // Of the lanes that are active the one with the lowest number.
                ThreadInput::IsFirstLane => {
                    let first = self.mask.trailing_zeros();
                    by_lane(|i| u32::from(lane(i) == first))
                }
                ThreadInput::Cycles => [0; WIDTH],
            };
            self.set_chunk(dst, chunk, values);
        }
    }

    /// Returns the number of the wave in its group.
    pub(super) fn wave_index(&self) -> u32 {
        self.first_thread / (self.lanes as u32).max(1)
    }

    /// Executes an instruction that does more than compute.
    pub(super) fn complex(&self, code: &FunctionCode, function: u32, index: u32) -> Result<After> {
        let complex = &code.complex[index as usize];
        let helpers = self.left_out(&complex.op);
        if helpers == 0 {
            return self.for_all_lanes(code, function, index);
        }
        let on = self.on_words.iter().enumerate();
        let words: Vec<[u32; WIDTH]> = on
            .map(|(chunk, on)| {
                let left_out = helpers >> (chunk * WIDTH);
                by_lane(|i| if left_out >> i & 1 == 0 { on[i] } else { 0 })
            })
            .collect();
        let mut others = self.clone();
        (others.mask, others.on_words) = (self.mask & !helpers, &words);
        let after = match others.mask {
            0 => Ok(After::Next),
            _ => others.for_all_lanes(code, function, index),
        };
        self.follow_first(complex, helpers);
        after
    }

    fn for_all_lanes(&self, code: &FunctionCode, function: u32, index: u32) -> Result<After> {
        self.site.set(Site { function, index });
        let complex @ Complex { op, dst, .. } = &code.complex[index as usize];
        match op {
            ComplexOp::GroupSync(fence) => return Ok(After::Wait(*fence)),
            ComplexOp::Call(_) => return Ok(After::Call),
            ComplexOp::RayCall(call) => return Ok(After::TableCall(*call)),
            ComplexOp::EndHit { accepts } => return Ok(After::EndHit { accepts: *accepts }),
            ComplexOp::RayValue(value) => self.ray_value(*value, complex),
            ComplexOp::HitObject(op) => self.hit_object(*op, complex),
            ComplexOp::Node(call) => self.node(*call, complex),
            ComplexOp::Raster(op) => self.raster(op, complex),
            ComplexOp::RecordLoad(scalars) => self.record_load(scalars, complex),
            ComplexOp::RecordStore(scalars) => self.record_store(scalars, complex),
            ComplexOp::ThreadInput(input) => self.thread_input(*input, dst),
            ComplexOp::Alloca(offset) => {
                self.set_all(dst[0], u64::from(self.frame_private + offset));
            }
            ComplexOp::Load(space) => self.load(*space, complex),
            ComplexOp::Store(space) => self.store(*space, complex),
            ComplexOp::Atomic(space, op) => self.atomic(*space, *op, complex),
            ComplexOp::CompareExchange(space) => self.compare_exchange(*space, complex),
            ComplexOp::Handle(range) => self.handle(*range, complex),
            ComplexOp::HeapHandle { samplers } => self.heap_handle(*samplers, complex),
            ComplexOp::ConstantRow {
                scalar,
                min_precision,
            } => self.constant_row(*scalar, *min_precision, complex),
            ComplexOp::ConstantValue(scalar) => self.constant_value(*scalar, complex),
            ComplexOp::BufferLoad { shape, scalar } => self.buffer_load(*shape, *scalar, complex),
            ComplexOp::BufferStore {
                shape,
                scalar,
                mask,
            } => self.buffer_store(*shape, *scalar, *mask, complex),
            ComplexOp::TextureLoad { shape, scalar } => self.texture_load(*shape, *scalar, complex),
            ComplexOp::TextureStore {
                shape,
                scalar,
                mask,
            } => self.texture_store(*shape, *scalar, *mask, complex),
            ComplexOp::Sample(op) => self.sample(op, complex),
            ComplexOp::Gather(op) => self.gather(op, complex),
            ComplexOp::WriteFeedback(op) => self.write_feedback(op, complex),
            ComplexOp::LevelOfDetail { shape, clamped } => {
                self.level_of_detail(*shape, *clamped, complex);
            }
            ComplexOp::ResourceAtomic { shape, op } => self.resource_atomic(*shape, *op, complex),
            ComplexOp::ResourceCompareExchange { shape } => {
                self.resource_compare_exchange(*shape, complex);
            }
            ComplexOp::UpdateCounter(increment) => self.update_counter(*increment, complex),
            ComplexOp::Dimensions { shape } => self.dimensions(*shape, complex),
            ComplexOp::SamplePosition => self.sample_position(complex),
            ComplexOp::Vote { all } => self.vote(*all, complex),
            ComplexOp::AllEqual(number) => self.all_equal(*number, complex),
            ComplexOp::Ballot => self.ballot(complex),
            ComplexOp::BitCount { prefix } => self.bit_count(*prefix, complex),
            ComplexOp::ReadLaneAt => self.read_lane_at(complex),
            ComplexOp::ReadFirstLane => self.read_first_lane(complex),
            ComplexOp::Reduce(op, number) => self.reduce(*op, *number, complex),
            ComplexOp::Scan(op, number) => self.scan(*op, *number, complex),
            ComplexOp::Match => self.matching(complex),
            ComplexOp::MultiScan(op, number) => self.multi_scan(*op, *number, complex),
            ComplexOp::MultiBitCount => self.multi_bit_count(complex),
            ComplexOp::QuadReadLaneAt => self.quad_read_lane_at(complex),
            ComplexOp::QuadSwap(direction) => self.quad_swap(*direction, complex),
            ComplexOp::QuadVote(kind) => self.quad_vote(*kind, complex),
            ComplexOp::Derivative(op) => self.derivative(*op, complex),
            ComplexOp::Unpack(mode, bits) => self.unpack(*mode, *bits, complex),
            ComplexOp::Pack(mode, bits) => self.pack(*mode, *bits, complex),
            ComplexOp::Matrix(op) => self.matrix(op, complex)?,
            ComplexOp::RayQuery(op) => self.ray_query(*op, complex)?,
            ComplexOp::Probe(probe) => self.probe(probe, complex),
            ComplexOp::Shadow(shadow) => self.shadow(shadow, complex),
        }
        Ok(After::Next)
    }
}
