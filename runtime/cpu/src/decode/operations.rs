//! DXIL operations: one arm each, which names the function that decodes it.

use dxil_frontend::dxil::ops::{
    BitsOp, BufferOp, CrossLaneOp, DerivativeOp, FloatOp, IntegerOp, Op, RegisterOp,
    ResourceAtomicOp, Sign, TextureOp, ThreadIdOp, VectorOp, calls,
};
use dxil_frontend::ir::TypeId;

use super::arithmetic_operations::Bits;
use super::code::{ComplexOp, RegisterSlot, Space, ThreadInput};
use super::function::Decoder;
use super::lane_ops::LaneOp as L;
use super::resource_operations::operands;
use super::scalar_type::ScalarType;
use crate::error::Result;

impl Decoder<'_, '_> {
    /// Decodes an operation and returns the registers of its result of type `ty`.
    pub(super) fn operation(&mut self, op: &Op, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        match op {
            // Arithmetic.
            Op::Float(FloatOp::FAbs(op)) => self.sign_op(op.value),
            Op::Float(FloatOp::Saturate(op)) => {
                self.unary(op.value, L::Saturate, Some(L::DSaturate))
            }
            Op::Float(FloatOp::IsNaN(op)) => self.classify(op.value, L::IsNan),
            Op::Float(FloatOp::IsInf(op)) => self.classify(op.value, L::IsInf),
            Op::Float(FloatOp::IsFinite(op)) => self.classify(op.value, L::IsFinite),
            Op::Float(FloatOp::IsNormal(op)) => self.classify(op.value, L::IsNormal),
            Op::Float(FloatOp::Cos(op)) => self.unary(op.value, L::Cos, None),
            Op::Float(FloatOp::Sin(op)) => self.unary(op.value, L::Sin, None),
            Op::Float(FloatOp::Tan(op)) => self.unary(op.value, L::Tan, None),
            Op::Float(FloatOp::Acos(op)) => self.unary(op.value, L::Acos, None),
            Op::Float(FloatOp::Asin(op)) => self.unary(op.value, L::Asin, None),
            Op::Float(FloatOp::Atan(op)) => self.unary(op.value, L::Atan, None),
            Op::Float(FloatOp::Hcos(op)) => self.unary(op.value, L::Hcos, None),
            Op::Float(FloatOp::Hsin(op)) => self.unary(op.value, L::Hsin, None),
            Op::Float(FloatOp::Htan(op)) => self.unary(op.value, L::Htan, None),
            Op::Float(FloatOp::Exp(op)) => self.unary(op.value, L::Exp, None),
            Op::Float(FloatOp::Frc(op)) => self.fraction(op.value),
            Op::Float(FloatOp::Log(op)) => self.unary(op.value, L::Log, None),
            Op::Float(FloatOp::Sqrt(op)) => self.unary(op.value, L::Sqrt, None),
            Op::Float(FloatOp::Rsqrt(op)) => self.unary(op.value, L::Rsqrt, None),
            Op::Float(FloatOp::RoundNe(op)) => self.unary(op.value, L::RoundNe, None),
            Op::Float(FloatOp::RoundNi(op)) => self.unary(op.value, L::RoundNi, None),
            Op::Float(FloatOp::RoundPi(op)) => self.unary(op.value, L::RoundPi, None),
            Op::Float(FloatOp::RoundZ(op)) => self.unary(op.value, L::RoundZ, None),
            Op::Bits(BitsOp::Bfrev(op)) => self.bits(op.value, Bits::Reverse),
            Op::Bits(BitsOp::Countbits(op)) => self.bits(op.value, Bits::Count),
            Op::Bits(BitsOp::FirstbitLo(op)) => self.bits(op.value, Bits::FirstLow),
            Op::Bits(BitsOp::FirstbitHi(op)) => self.bits(op.value, Bits::FirstHigh),
            Op::Bits(BitsOp::FirstbitSHi(op)) => self.bits(op.value, Bits::FirstSignedHigh),
            Op::Float(FloatOp::FMax(op)) => self.binary_float(op.a, op.b, L::FMax, L::DMax),
            Op::Float(FloatOp::FMin(op)) => self.binary_float(op.a, op.b, L::FMin, L::DMin),
            Op::Integer(IntegerOp::IMax(op)) => {
                self.binary_int(op.a, op.b, L::SMax32, L::SMax64, true)
            }
            Op::Integer(IntegerOp::IMin(op)) => {
                self.binary_int(op.a, op.b, L::SMin32, L::SMin64, true)
            }
            Op::Integer(IntegerOp::UMax(op)) => {
                self.binary_int(op.a, op.b, L::UMax32, L::UMax64, false)
            }
            Op::Integer(IntegerOp::UMin(op)) => {
                self.binary_int(op.a, op.b, L::UMin32, L::UMin64, false)
            }
            Op::Integer(IntegerOp::IMul(op)) => self.two_results(op.a, op.b, L::SMulHi32, L::Mul32),
            Op::Integer(IntegerOp::UMul(op)) => self.two_results(op.a, op.b, L::UMulHi32, L::Mul32),
            Op::Integer(IntegerOp::UDiv(op)) => self.two_results(op.a, op.b, L::UDiv32, L::URem32),
            Op::Integer(IntegerOp::UAddc(op)) => {
                let [a, b] = self.ones([op.a, op.b])?;
                let sum = self.lane(L::Add32, &[a, b])?;
                // An unsigned sum that is less than one of its terms has wrapped around.
                let carry = self.lane(L::ULt32, &[sum, a])?;
                Ok(vec![sum, carry])
            }
            Op::Integer(IntegerOp::USubb(op)) => {
                let [a, b] = self.ones([op.a, op.b])?;
                let difference = self.lane(L::Sub32, &[a, b])?;
                let borrow = self.lane(L::ULt32, &[a, b])?;
                Ok(vec![difference, borrow])
            }
            Op::Float(FloatOp::FMad(op)) => self.mad_float(op.a, op.b, op.c),
            Op::Float(FloatOp::Fma(op)) => {
                let (a, b, c) = (self.all(op.a)?, self.all(op.b)?, self.all(op.c)?);
                let triples = a.into_iter().zip(b).zip(c);
                triples
                    .map(|((a, b), c)| self.lane(L::DFma, &[a, b, c]))
                    .collect()
            }
            Op::Integer(IntegerOp::IMad(op)) => self.mad_int(op.a, op.b, op.c),
            Op::Integer(IntegerOp::UMad(op)) => self.mad_int(op.a, op.b, op.c),
            Op::Integer(IntegerOp::Msad(op)) => self.ternary(L::Msad, [op.a, op.b, op.c]),
            Op::Bits(BitsOp::Ibfe(op)) => self.ternary(L::Ibfe, [op.a, op.b, op.c]),
            Op::Bits(BitsOp::Ubfe(op)) => self.ternary(L::Ubfe, [op.a, op.b, op.c]),
            Op::Bits(BitsOp::Bfi(op)) => {
                let [width, offset, value, base] =
                    self.ones([op.width, op.offset, op.value, op.base])?;
                let mask = self.lane(L::FieldMask, &[width, offset])?;
                let value = self.lane(L::Shl32, &[value, offset])?;
                Ok(vec![self.lane(L::Merge, &[mask, value, base])?])
            }
            Op::Float(FloatOp::Dot2(op)) => self.dot(&op.a, &op.b),
            Op::Float(FloatOp::Dot3(op)) => self.dot(&op.a, &op.b),
            Op::Float(FloatOp::Dot4(op)) => self.dot(&op.a, &op.b),
            Op::Vector(VectorOp::FDot(op)) => {
                let ty = self.scalar_of(op.a)?;
                let (a, b) = (self.all(op.a)?, self.all(op.b)?);
                self.dot_of(ty, &a, &b)
            }
            Op::Float(FloatOp::Dot2AddHalf(op)) => {
                let mut sum = self.one(op.acc)?;
                for (a, b) in op.a.into_iter().zip(op.b) {
                    let factors = self.ones([a, b])?;
                    let wide = self.widened(&factors)?;
                    let product = self.float_lane(L::FMul, &wide)?;
                    sum = self.float_lane(L::FAdd, &[sum, product])?;
                }
                Ok(vec![sum])
            }
            Op::Integer(IntegerOp::Dot4AddI8Packed(op)) => {
                self.ternary(L::DotBytesSigned, [op.acc, op.a, op.b])
            }
            Op::Integer(IntegerOp::Dot4AddU8Packed(op)) => {
                self.ternary(L::DotBytesUnsigned, [op.acc, op.a, op.b])
            }
            Op::Bits(BitsOp::MakeDouble(op)) => {
                let words = self.ones([op.lo, op.hi])?;
                Ok(vec![self.lane(L::Join, &words)?])
            }
            Op::Bits(BitsOp::SplitDouble(op)) => {
                let value = self.one(op.value)?;
                Ok(vec![
                    self.lane(L::Low, &[value])?,
                    self.lane(L::High, &[value])?,
                ])
            }
            Op::Bits(
                BitsOp::BitcastI16toF16(calls::BitcastI16toF16 { value })
                | BitsOp::BitcastF16toI16(calls::BitcastF16toI16 { value })
                | BitsOp::BitcastI32toF32(calls::BitcastI32toF32 { value })
                | BitsOp::BitcastF32toI32(calls::BitcastF32toI32 { value })
                | BitsOp::BitcastI64toF64(calls::BitcastI64toF64 { value })
                | BitsOp::BitcastF64toI64(calls::BitcastF64toI64 { value }),
            ) => self.all(*value),
            Op::Bits(BitsOp::LegacyF32ToF16(op)) => self.unary_lane(L::LegacyToHalf, op.value),
            Op::Bits(BitsOp::LegacyF16ToF32(op)) => self.unary_lane(L::HalfToFloat, op.value),
            Op::Bits(BitsOp::LegacyDoubleToFloat(op)) => {
                self.unary_lane(L::DoubleToFloat, op.value)
            }
            Op::Bits(BitsOp::LegacyDoubleToSInt32(op)) => self.unary_lane(L::DoubleToS32, op.value),
            Op::Bits(BitsOp::LegacyDoubleToUInt32(op)) => self.unary_lane(L::DoubleToU32, op.value),
            Op::Bits(BitsOp::Unpack4x8(op)) => {
                let bits = match self.scalars(ty)?.first() {
                    Some(ScalarType::Int(bits)) => *bits,
                    _ => 32,
                };
                let packed = self.one(op.packed)?;
                self.complex_of(ComplexOp::Unpack(op.mode, bits), ty, &[packed])
            }
            Op::Bits(BitsOp::Pack4x8(op)) => {
                let bits = match self.scalar_of(op.values[0])? {
                    ScalarType::Int(bits) => bits,
                    _ => 32,
                };
                let values = self.ones(op.values)?;
                self.complex_of(ComplexOp::Pack(op.mode, bits), ty, &values)
            }
            Op::Vector(VectorOp::VectorReduceAnd(op)) => self.fold(op.a, L::And32, L::And64),
            Op::Vector(VectorOp::VectorReduceOr(op)) => self.fold(op.a, L::Or32, L::Or64),

            // Threads.
            Op::ThreadId(ThreadIdOp::ThreadId(op)) => {
                self.input(ThreadInput::ThreadId(op.component), ty)
            }
            Op::ThreadId(ThreadIdOp::GroupId(op)) => {
                self.input(ThreadInput::GroupId(op.component), ty)
            }
            Op::ThreadId(ThreadIdOp::ThreadIdInGroup(op)) => {
                self.input(ThreadInput::ThreadIdInGroup(op.component), ty)
            }
            Op::ThreadId(ThreadIdOp::FlattenedThreadIdInGroup(_)) => {
                self.input(ThreadInput::FlattenedThreadIdInGroup, ty)
            }
            Op::CrossLane(CrossLaneOp::CycleCounterLegacy(_)) => {
                self.input(ThreadInput::Cycles, ty)
            }
            Op::Barrier(op) => self.barrier(op),

            // Handles.
            Op::Handle(op) => self.handle(op, ty),

            // Buffers.
            Op::Buffer(BufferOp::CBufferLoad(op)) => {
                let scalar = self.memory_scalar(ty)?;
                let src = [self.one(op.buffer)?, self.index_slot(op.byte_offset)?];
                self.complex_of(ComplexOp::ConstantValue(scalar), ty, &src)
            }
            Op::Buffer(BufferOp::CBufferLoadLegacy(op)) => {
                let scalar = self.memory_scalar(ty)?;
                let src = [self.one(op.buffer)?, self.index_slot(op.register)?];
                // Min-precision values take 32 bits each in a row, four to a row; native 16-bit
                // values take 16, eight to a row. The number of results tells them apart.
                let min_precision = scalar.bytes() == 2 && self.scalars(ty)?.len() <= 4;
                let op = ComplexOp::ConstantRow {
                    scalar,
                    min_precision,
                };
                self.complex_of(op, ty, &src)
            }
            Op::Buffer(BufferOp::BufferLoad(op)) => {
                self.buffer_load(op.buffer, op.index, op.element_offset.expand(), ty)
            }
            Op::Buffer(BufferOp::RawBufferLoad(op)) => {
                self.buffer_load(op.buffer, op.index, op.element_offset.expand(), ty)
            }
            Op::Vector(VectorOp::RawBufferVectorLoad(op)) => {
                self.buffer_load(op.buffer, op.index, op.element_offset.expand(), ty)
            }
            Op::Buffer(BufferOp::BufferStore(op)) => {
                let offset = op.element_offset.expand();
                self.buffer_store(op.buffer, op.index, offset, &op.values, u32::from(op.mask))
            }
            Op::Buffer(BufferOp::RawBufferStore(op)) => {
                let offset = op.element_offset.expand();
                self.buffer_store(op.buffer, op.index, offset, &op.values, u32::from(op.mask))
            }
            Op::Vector(VectorOp::RawBufferVectorStore(op)) => {
                let offset = op.element_offset.expand();
                self.buffer_store(op.buffer, op.index, offset, &[op.value], u32::MAX)
            }
            Op::ResourceAtomic(ResourceAtomicOp::BufferUpdateCounter(op)) => {
                self.module.uses_counters = true;
                let buffer = self.one(op.buffer)?;
                self.complex_of(ComplexOp::UpdateCounter(op.increment), ty, &[buffer])
            }
            Op::Texture(TextureOp::CheckAccessFullyMapped(op)) => {
                let status = self.one(op.status)?;
                let zero = self.word(0);
                // The status of a load is 0 where a reserved resource lacks memory, or else 1.
                Ok(vec![self.lane(L::Ne32, &[status, zero])?])
            }
            Op::ResourceAtomic(ResourceAtomicOp::AtomicBinOp(op)) => {
                let mut src = vec![self.one(op.resource)?];
                src.extend(self.coordinates(&op.coords)?);
                src.push(self.one(op.value)?);
                let shape = self.shape(op.resource);
                self.complex_of(ComplexOp::ResourceAtomic { shape, op: op.op }, ty, &src)
            }
            Op::ResourceAtomic(ResourceAtomicOp::AtomicCompareExchange(op)) => {
                let mut src = vec![self.one(op.resource)?];
                src.extend(self.coordinates(&op.coords)?);
                src.extend(self.ones([op.compare, op.value])?);
                let shape = self.shape(op.resource);
                self.complex_of(ComplexOp::ResourceCompareExchange { shape }, ty, &src)
            }
            Op::Texture(TextureOp::GetDimensions(op)) => {
                let mip = self.optional(op.mip.expand())?;
                let src = [self.one(op.resource)?, mip];
                let shape = self.shape(op.resource);
                self.complex_of(ComplexOp::Dimensions { shape }, ty, &src)
            }

            // Textures.
            Op::Texture(TextureOp::TextureLoad(op)) => {
                let mut src = vec![self.one(op.texture)?];
                src.push(self.optional(op.mip_or_sample.expand())?);
                src.extend(self.coordinates(&op.coords)?);
                for offset in op.offsets {
                    src.push(self.optional(offset.expand())?);
                }
                let op = ComplexOp::TextureLoad {
                    shape: self.shape(op.texture),
                    scalar: self.memory_scalar(ty)?,
                };
                self.complex_of(op, ty, &src)
            }
            Op::Texture(TextureOp::TextureStore(op)) => {
                self.texture_store(op.texture, &op.coords, &op.values, op.mask, None)
            }
            Op::Texture(TextureOp::TextureStoreSample(op)) => {
                let sample = Some(op.sample);
                self.texture_store(op.texture, &op.coords, &op.values, op.mask, sample)
            }
            Op::Sampling(op) => self.sampling(op, ty),
            Op::Texture(TextureOp::TextureGather(op)) => {
                let head = operands!(op);
                self.gather(head, op.channel, None, ty)
            }
            Op::Texture(TextureOp::TextureGatherCmp(op)) => {
                let head = operands!(op);
                self.gather(head, op.channel, Some(op.reference), ty)
            }
            Op::Texture(TextureOp::TextureGatherRaw(op)) => {
                // A raw gather is one of formats with a single component, whose texel is that
                // component.
                let head = operands!(op);
                self.gather(head, 0, None, ty)
            }
            Op::Texture(TextureOp::CalculateLOD(op)) => {
                let mut src = self.ones([op.resource, op.sampler])?.to_vec();
                src.extend(self.coordinates(&op.coords)?);
                let op = ComplexOp::LevelOfDetail {
                    shape: self.shape(op.resource),
                    clamped: op.clamped,
                };
                self.complex_of(op, ty, &src)
            }
            Op::Texture(TextureOp::Texture2DMSGetSamplePosition(op)) => {
                let src = [self.one(op.texture)?, self.index_slot(op.index)?];
                self.complex_of(ComplexOp::SamplePosition, ty, &src)
            }

            // Waves and quads.
            Op::CrossLane(CrossLaneOp::WaveIsFirstLane(_)) => {
                self.input(ThreadInput::IsFirstLane, ty)
            }
            Op::CrossLane(CrossLaneOp::WaveGetLaneIndex(_)) => {
                self.input(ThreadInput::LaneIndex, ty)
            }
            Op::CrossLane(CrossLaneOp::WaveGetLaneCount(_)) => {
                self.input(ThreadInput::LaneCount, ty)
            }
            Op::CrossLane(CrossLaneOp::WaveAnyTrue(op)) => self.vote(op.condition, false, ty),
            Op::CrossLane(CrossLaneOp::WaveAllTrue(op)) => self.vote(op.condition, true, ty),
            Op::CrossLane(CrossLaneOp::WaveActiveAllEqual(op)) => self.all_equal(op.value, ty),
            Op::CrossLane(CrossLaneOp::WaveActiveBallot(op)) => {
                let condition = self.one(op.condition)?;
                self.complex_of(ComplexOp::Ballot, ty, &[condition])
            }
            Op::CrossLane(CrossLaneOp::WaveReadLaneAt(op)) => {
                self.read_lane(ComplexOp::ReadLaneAt, op.lane, op.value, ty)
            }
            Op::CrossLane(CrossLaneOp::WaveReadLaneFirst(op)) => {
                let values = self.all(op.value)?;
                self.complex_of(ComplexOp::ReadFirstLane, ty, &values)
            }
            Op::CrossLane(CrossLaneOp::WaveActiveOp(op)) => {
                self.reduce(op.value, op.op, op.sign, false, ty)
            }
            Op::CrossLane(CrossLaneOp::WavePrefixOp(op)) => {
                self.reduce(op.value, op.op, op.sign, true, ty)
            }
            Op::CrossLane(CrossLaneOp::WaveActiveBit(op)) => self.reduce_bits(op.value, op.op, ty),
            Op::CrossLane(CrossLaneOp::WaveAllBitCount(op)) => self.bit_count(op.value, false, ty),
            Op::CrossLane(CrossLaneOp::WavePrefixBitCount(op)) => {
                self.bit_count(op.value, true, ty)
            }
            Op::CrossLane(CrossLaneOp::WaveMatch(op)) => {
                let values = self.all(op.value)?;
                self.complex_of(ComplexOp::Match, ty, &values)
            }
            Op::CrossLane(CrossLaneOp::WaveMultiPrefixOp(op)) => {
                let mut src = self.ones(op.mask)?.to_vec();
                src.extend(self.all(op.value)?);
                let number = self.number(op.value, op.sign == Sign::Signed)?;
                self.complex_of(ComplexOp::MultiScan(op.op.into(), number), ty, &src)
            }
            Op::CrossLane(CrossLaneOp::WaveMultiPrefixBitCount(op)) => {
                let mut src = self.ones(op.mask)?.to_vec();
                src.push(self.one(op.value)?);
                self.complex_of(ComplexOp::MultiBitCount, ty, &src)
            }
            Op::CrossLane(CrossLaneOp::QuadReadLaneAt(op)) => {
                self.read_lane(ComplexOp::QuadReadLaneAt, op.lane, op.value, ty)
            }
            Op::CrossLane(CrossLaneOp::QuadOp(op)) => {
                let values = self.all(op.value)?;
                self.complex_of(ComplexOp::QuadSwap(op.op), ty, &values)
            }
            Op::CrossLane(CrossLaneOp::QuadVote(op)) => {
                let condition = self.one(op.condition)?;
                self.complex_of(ComplexOp::QuadVote(op.op), ty, &[condition])
            }
            Op::Derivative(DerivativeOp::DerivCoarseX(op)) => {
                self.derivative(op.value, false, false, ty)
            }
            Op::Derivative(DerivativeOp::DerivCoarseY(op)) => {
                self.derivative(op.value, true, false, ty)
            }
            Op::Derivative(DerivativeOp::DerivFineX(op)) => {
                self.derivative(op.value, false, true, ty)
            }
            Op::Derivative(DerivativeOp::DerivFineY(op)) => {
                self.derivative(op.value, true, true, ty)
            }

            // Stages of draws.
            Op::Derivative(DerivativeOp::IsHelperLane(_)) => self.is_helper(ty),
            Op::Derivative(DerivativeOp::Discard(op)) => self.discard(op.condition),
            Op::Stream(op) => self.stream(op),
            Op::Mesh(op) => self.mesh(op, ty),

            // Ray queries.
            Op::RayQuery(op) => self.ray_query(op, ty),

            Op::RayTracing(op) => self.ray_pipeline(op, ty),

            // Shader model 6.10.
            Op::Preview(op) => self.preview(op, ty),
            Op::LinAlg(op) => self.matrix(op, ty),

            // Nodes of work graphs.
            Op::Node(op) => self.node(op, ty),

            // Inputs and outputs of invocations.
            Op::Signature(op) => self.signature(op, ty),
            Op::SystemValue(op) => self.system_value(op, ty),

            // Registers of converters from older bytecode.
            Op::Register(RegisterOp::TempRegLoad(op)) => {
                let is_narrow = matches!(
                    self.scalars(ty)?.first(),
                    Some(ScalarType::Half | ScalarType::Int(16))
                );
                let address = self.temporary_register(op.index, is_narrow)?;
                self.complex_of(ComplexOp::Load(Space::Private), ty, &[address])
            }
            Op::Register(RegisterOp::TempRegStore(op)) => {
                let is_narrow = matches!(
                    self.scalar_of(op.value)?,
                    ScalarType::Half | ScalarType::Int(16)
                );
                let address = self.temporary_register(op.index, is_narrow)?;
                let value = self.one(op.value)?;
                self.complex(ComplexOp::Store(Space::Private), &[], &[address, value]);
                Ok(Vec::new())
            }

            Op::Register(RegisterOp::MinPrecXRegLoad(op)) => {
                self.indexable_load(op.register, (op.index, op.component), ty)
            }
            Op::Register(RegisterOp::MinPrecXRegStore(op)) => {
                self.indexable_store(op.register, (op.index, op.component), op.value)
            }
            Op::Feedback(op) => self.feedback(op),

            Op::HitObject(op) => self.hit_object(op, ty),
        }
    }

    pub(super) fn input(&mut self, input: ThreadInput, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        self.complex_of(ComplexOp::ThreadInput(input), ty, &[])
    }
}
