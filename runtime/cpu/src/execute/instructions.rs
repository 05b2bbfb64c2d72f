//! Instructions that do more than compute: which function executes each of them.

use super::context::{Context, lanes_of};
use crate::check::Site;
use crate::decode::code::{Complex, ComplexOp, Fence, FunctionCode, RayCall, ThreadInput};
use crate::error::Result;

/// What a wave does after an instruction.
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

    /// Place of a lane's thread in its group.
    fn thread(&self, lane: usize) -> [u32; 3] {
        self.shared.kernel.thread(self.first_thread + lane as u32)
    }

    fn input(&self, input: ThreadInput, lane: usize) -> u64 {
        let [width, height, depth] = self.shared.kernel.num_threads();
        let component = |all: [u32; 3], index: u32| all.get(index as usize).copied().unwrap_or(0);
        u64::from(match input {
            ThreadInput::ThreadId(index) => {
                let size = component([width, height, depth], index);
                component(self.group.id, index)
                    .wrapping_mul(size)
                    .wrapping_add(component(self.thread(lane), index))
            }
            ThreadInput::GroupId(index) => component(self.group.id, index),
            ThreadInput::ThreadIdInGroup(index) => component(self.thread(lane), index),
            ThreadInput::FlattenedThreadIdInGroup => {
                let [x, y, z] = self.thread(lane);
                (z * height + y) * width + x
            }
            ThreadInput::LaneIndex => lane as u32,
            ThreadInput::LaneCount => self.lanes as u32,
            // Of the lanes that are active the one with the lowest number.
            ThreadInput::IsFirstLane => u32::from(self.mask.trailing_zeros() as usize == lane),
            // Steps stand for cycles: they only grow, and are the same in every run.
            ThreadInput::Cycles => return self.steps,
        })
    }

    /// Executes an instruction that does more than compute.
    pub(super) fn complex(&self, code: &FunctionCode, function: u32, index: u32) -> Result<After> {
        self.site.set(Site { function, index });
        let complex @ Complex { op, dst, .. } = &code.complex[index as usize];
        let r = &self.registers;
        match op {
            ComplexOp::GroupSync(fence) => return Ok(After::Wait(*fence)),
            ComplexOp::Call(_) => return Ok(After::Call),
            ComplexOp::RayCall(call) => return Ok(After::TableCall(*call)),
            ComplexOp::EndHit { accepts } => return Ok(After::EndHit { accepts: *accepts }),
            ComplexOp::RayValue(value) => self.ray_value(*value, complex),
            ComplexOp::Node(call) => self.node(*call, complex),
            ComplexOp::RecordLoad(scalars) => self.record_load(scalars, complex),
            ComplexOp::RecordStore(scalars) => self.record_store(scalars, complex),
            ComplexOp::ThreadInput(input) => {
                for lane in self.on() {
                    let value = self.input(*input, lane);
                    for (part, &dst) in dst.iter().enumerate() {
                        r.set(dst, lane, (value >> (32 * part)) & 0xffff_ffff);
                    }
                }
            }
            ComplexOp::Alloca(offset) => {
                let address = self.frame_private + offset;
                for lane in self.on() {
                    r.set(dst[0], lane, u64::from(address));
                }
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
            ComplexOp::RayQuery(op) => self.ray_query(*op, complex),
            ComplexOp::Probe(probe) => self.probe(probe, complex),
            ComplexOp::Shadow(shadow) => self.shadow(shadow, complex),
        }
        Ok(After::Next)
    }
}
