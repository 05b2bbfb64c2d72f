//! From IR to SPIR-V: every instruction of every function, in the order that the structurizer gave.
//!
//! One file per family of operations; this one holds the order of the module and the one match
//! over all DXIL operations. An operation that is not lowered is a typed error.

mod cells;
mod constants;
mod context;
mod control_flow;
mod convert;
mod inputs;
mod instruction;
mod integers;
mod layout;
mod llvm;
mod memory;
mod resources;
mod types;

use dxil_frontend::dxil::ops::Op;
use dxil_frontend::dxil::{EntryPoint, Shader, ShaderKind};
use dxil_frontend::ir::{FuncId, FuncView};
use rustc_hash::FxHashMap;

use crate::spirv::{Builder, BuiltIn, Capability, ExecutionMode, ExecutionModel};
use crate::structurize::StructuredCfg;
use crate::{Error, Options, Result};

pub(crate) use context::Lowering;
use context::{Call, Value};

/// What lowering gives.
pub(crate) struct Lowered {
    /// The module.
    pub(crate) words: Vec<u32>,
    /// Built-ins in use.
    pub(crate) built_ins: Vec<BuiltIn>,
    /// Capabilities declared.
    pub(crate) capabilities: Vec<Capability>,
    /// Extensions declared.
    pub(crate) extensions: Vec<&'static str>,
}

/// Lowers an entry point and the functions it calls; the entry point's function comes first.
pub(crate) fn run(
    shader: &Shader,
    entry: &EntryPoint,
    functions: &[(FuncId, StructuredCfg)],
    options: &Options,
) -> Result<Lowered> {
    let module = &shader.module;
    let Some(&(main, _)) = functions.first() else {
        return Err(Error::malformed("the entry point has no function"));
    };
    let Some(body) = module.body(main) else {
        return Err(Error::malformed("the entry point's function has no body"));
    };
    let view = FuncView {
        module,
        function: body,
    };
    let mut l = Lowering {
        shader,
        entry,
        options,
        view,
        b: Builder::new(options.target.vulkan.spirv_version()),
        types: types::TypeMap::new(entry.flags, options, module.types.len()),
        values: context::Values::default(),
        memory: memory::Memory::of(module),
        inputs: inputs::Inputs::default(),
        resources: resources::ResourceState::default(),
        functions: FxHashMap::default(),
    };
    l.b.capability(Capability::Shader);
    let mut bodies = Vec::with_capacity(functions.len());
    for (id, cfg) in functions {
        let Some(body) = module.body(*id) else {
            return Err(Error::internal("a function without body was structured"));
        };
        bodies.push((*id, body, cfg));
        let spirv_id = l.b.fresh();
        l.functions.insert(*id, spirv_id);
        l.view.function = body;
        l.find_reinterpreted_memory();
    }
    for (id, body, cfg) in bodies {
        l.view.function = body;
        l.function(id, cfg)?;
    }
    l.finish(main)
}

impl Lowering<'_> {
    /// Entry point, execution modes, and the words.
    fn finish(mut self, main: FuncId) -> Result<Lowered> {
        let function = self.functions.get(&main).copied().unwrap_or_default();
        let model = match self.entry.kind {
            ShaderKind::Compute => ExecutionModel::GLCompute,
            ShaderKind::Vertex => ExecutionModel::Vertex,
            ShaderKind::Pixel => ExecutionModel::Fragment,
            _ => return Err(self.stage_unsupported("the entry point")),
        };
        self.b.entry_point(model, function, &self.entry.name);
        if model == ExecutionModel::GLCompute {
            let threads = self.entry.num_threads.unwrap_or([1; 3]);
            self.b
                .execution_mode(function, ExecutionMode::LocalSize, &threads);
        }
        if model == ExecutionModel::Fragment {
            self.b
                .execution_mode(function, ExecutionMode::OriginUpperLeft, &[]);
        }
        let built_ins = self.inputs.built_ins().collect();
        let capabilities = self.b.capabilities().to_vec();
        let extensions = self.b.extensions().to_vec();
        let words = self
            .b
            .assemble()
            .map_err(|op| Error::unsupported(format!("an Op{op:?} of more than 65,535 words")))?;
        Ok(Lowered {
            words,
            built_ins,
            capabilities,
            extensions,
        })
    }
}

/// Lowers a call of a DXIL operation. The result is what the call's value becomes.
fn lower_op(l: &mut Lowering<'_>, call: &Call, op: &Op) -> Result<Value> {
    match op {
        // Compute.
        Op::ThreadId(op) => l.load_uvec3_component(BuiltIn::GlobalInvocationId, op.component),
        Op::GroupId(op) => l.load_uvec3_component(BuiltIn::WorkgroupId, op.component),
        Op::ThreadIdInGroup(op) => l.load_uvec3_component(BuiltIn::LocalInvocationId, op.component),
        Op::FlattenedThreadIdInGroup(_) => l.flattened_thread_id(),
        Op::IsHelperLane(_) => l.is_helper_lane(),

        Op::TempRegLoad(_)
        | Op::TempRegStore(_)
        | Op::MinPrecXRegLoad(_)
        | Op::MinPrecXRegStore(_)
        | Op::LoadInput(_)
        | Op::StoreOutput(_)
        | Op::FAbs(_)
        | Op::Saturate(_)
        | Op::IsNaN(_)
        | Op::IsInf(_)
        | Op::IsFinite(_)
        | Op::IsNormal(_)
        | Op::Cos(_)
        | Op::Sin(_)
        | Op::Tan(_)
        | Op::Acos(_)
        | Op::Asin(_)
        | Op::Atan(_)
        | Op::Hcos(_)
        | Op::Hsin(_)
        | Op::Htan(_)
        | Op::Exp(_)
        | Op::Frc(_)
        | Op::Log(_)
        | Op::Sqrt(_)
        | Op::Rsqrt(_)
        | Op::RoundNe(_)
        | Op::RoundNi(_)
        | Op::RoundPi(_)
        | Op::RoundZ(_)
        | Op::Bfrev(_)
        | Op::Countbits(_)
        | Op::FirstbitLo(_)
        | Op::FirstbitHi(_)
        | Op::FirstbitSHi(_)
        | Op::FMax(_)
        | Op::FMin(_)
        | Op::IMax(_)
        | Op::IMin(_)
        | Op::UMax(_)
        | Op::UMin(_)
        | Op::IMul(_)
        | Op::UMul(_)
        | Op::UDiv(_)
        | Op::UAddc(_)
        | Op::USubb(_)
        | Op::FMad(_)
        | Op::Fma(_)
        | Op::IMad(_)
        | Op::UMad(_)
        | Op::Msad(_)
        | Op::Ibfe(_)
        | Op::Ubfe(_)
        | Op::Bfi(_)
        | Op::Dot2(_)
        | Op::Dot3(_)
        | Op::Dot4(_)
        | Op::CreateHandle(_)
        | Op::CBufferLoad(_)
        | Op::CBufferLoadLegacy(_)
        | Op::Sample(_)
        | Op::SampleBias(_)
        | Op::SampleLevel(_)
        | Op::SampleGrad(_)
        | Op::SampleCmp(_)
        | Op::SampleCmpLevelZero(_)
        | Op::TextureLoad(_)
        | Op::TextureStore(_)
        | Op::BufferLoad(_)
        | Op::BufferStore(_)
        | Op::BufferUpdateCounter(_)
        | Op::CheckAccessFullyMapped(_)
        | Op::GetDimensions(_)
        | Op::TextureGather(_)
        | Op::TextureGatherCmp(_)
        | Op::Texture2DMSGetSamplePosition(_)
        | Op::RenderTargetGetSamplePosition(_)
        | Op::RenderTargetGetSampleCount(_)
        | Op::AtomicBinOp(_)
        | Op::AtomicCompareExchange(_)
        | Op::Barrier(_)
        | Op::CalculateLOD(_)
        | Op::Discard(_)
        | Op::DerivCoarseX(_)
        | Op::DerivCoarseY(_)
        | Op::DerivFineX(_)
        | Op::DerivFineY(_)
        | Op::EvalSnapped(_)
        | Op::EvalSampleIndex(_)
        | Op::EvalCentroid(_)
        | Op::SampleIndex(_)
        | Op::Coverage(_)
        | Op::InnerCoverage(_)
        | Op::EmitStream(_)
        | Op::CutStream(_)
        | Op::EmitThenCutStream(_)
        | Op::GSInstanceID(_)
        | Op::MakeDouble(_)
        | Op::SplitDouble(_)
        | Op::LoadOutputControlPoint(_)
        | Op::LoadPatchConstant(_)
        | Op::DomainLocation(_)
        | Op::StorePatchConstant(_)
        | Op::OutputControlPointID(_)
        | Op::PrimitiveID(_)
        | Op::CycleCounterLegacy(_)
        | Op::WaveIsFirstLane(_)
        | Op::WaveGetLaneIndex(_)
        | Op::WaveGetLaneCount(_)
        | Op::WaveAnyTrue(_)
        | Op::WaveAllTrue(_)
        | Op::WaveActiveAllEqual(_)
        | Op::WaveActiveBallot(_)
        | Op::WaveReadLaneAt(_)
        | Op::WaveReadLaneFirst(_)
        | Op::WaveActiveOp(_)
        | Op::WaveActiveBit(_)
        | Op::WavePrefixOp(_)
        | Op::QuadReadLaneAt(_)
        | Op::QuadOp(_)
        | Op::BitcastI16toF16(_)
        | Op::BitcastF16toI16(_)
        | Op::BitcastI32toF32(_)
        | Op::BitcastF32toI32(_)
        | Op::BitcastI64toF64(_)
        | Op::BitcastF64toI64(_)
        | Op::LegacyF32ToF16(_)
        | Op::LegacyF16ToF32(_)
        | Op::LegacyDoubleToFloat(_)
        | Op::LegacyDoubleToSInt32(_)
        | Op::LegacyDoubleToUInt32(_)
        | Op::WaveAllBitCount(_)
        | Op::WavePrefixBitCount(_)
        | Op::AttributeAtVertex(_)
        | Op::ViewID(_)
        | Op::RawBufferLoad(_)
        | Op::RawBufferStore(_)
        | Op::InstanceID(_)
        | Op::InstanceIndex(_)
        | Op::HitKind(_)
        | Op::RayFlags(_)
        | Op::DispatchRaysIndex(_)
        | Op::DispatchRaysDimensions(_)
        | Op::WorldRayOrigin(_)
        | Op::WorldRayDirection(_)
        | Op::ObjectRayOrigin(_)
        | Op::ObjectRayDirection(_)
        | Op::ObjectToWorld(_)
        | Op::WorldToObject(_)
        | Op::RayTMin(_)
        | Op::RayTCurrent(_)
        | Op::IgnoreHit(_)
        | Op::AcceptHitAndEndSearch(_)
        | Op::TraceRay(_)
        | Op::ReportHit(_)
        | Op::CallShader(_)
        | Op::CreateHandleForLib(_)
        | Op::PrimitiveIndex(_)
        | Op::Dot2AddHalf(_)
        | Op::Dot4AddI8Packed(_)
        | Op::Dot4AddU8Packed(_)
        | Op::WaveMatch(_)
        | Op::WaveMultiPrefixOp(_)
        | Op::WaveMultiPrefixBitCount(_)
        | Op::SetMeshOutputCounts(_)
        | Op::EmitIndices(_)
        | Op::GetMeshPayload(_)
        | Op::StoreVertexOutput(_)
        | Op::StorePrimitiveOutput(_)
        | Op::DispatchMesh(_)
        | Op::WriteSamplerFeedback(_)
        | Op::WriteSamplerFeedbackBias(_)
        | Op::WriteSamplerFeedbackLevel(_)
        | Op::WriteSamplerFeedbackGrad(_)
        | Op::AllocateRayQuery(_)
        | Op::RayQueryTraceRayInline(_)
        | Op::RayQueryProceed(_)
        | Op::RayQueryAbort(_)
        | Op::RayQueryCommitNonOpaqueTriangleHit(_)
        | Op::RayQueryCommitProceduralPrimitiveHit(_)
        | Op::RayQueryCommittedStatus(_)
        | Op::RayQueryCandidateType(_)
        | Op::RayQueryCandidateObjectToWorld3x4(_)
        | Op::RayQueryCandidateWorldToObject3x4(_)
        | Op::RayQueryCommittedObjectToWorld3x4(_)
        | Op::RayQueryCommittedWorldToObject3x4(_)
        | Op::RayQueryCandidateProceduralPrimitiveNonOpaque(_)
        | Op::RayQueryCandidateTriangleFrontFace(_)
        | Op::RayQueryCommittedTriangleFrontFace(_)
        | Op::RayQueryCandidateTriangleBarycentrics(_)
        | Op::RayQueryCommittedTriangleBarycentrics(_)
        | Op::RayQueryRayFlags(_)
        | Op::RayQueryWorldRayOrigin(_)
        | Op::RayQueryWorldRayDirection(_)
        | Op::RayQueryRayTMin(_)
        | Op::RayQueryCandidateTriangleRayT(_)
        | Op::RayQueryCommittedRayT(_)
        | Op::RayQueryCandidateInstanceIndex(_)
        | Op::RayQueryCandidateInstanceID(_)
        | Op::RayQueryCandidateGeometryIndex(_)
        | Op::RayQueryCandidatePrimitiveIndex(_)
        | Op::RayQueryCandidateObjectRayOrigin(_)
        | Op::RayQueryCandidateObjectRayDirection(_)
        | Op::RayQueryCommittedInstanceIndex(_)
        | Op::RayQueryCommittedInstanceID(_)
        | Op::RayQueryCommittedGeometryIndex(_)
        | Op::RayQueryCommittedPrimitiveIndex(_)
        | Op::RayQueryCommittedObjectRayOrigin(_)
        | Op::RayQueryCommittedObjectRayDirection(_)
        | Op::GeometryIndex(_)
        | Op::RayQueryCandidateInstanceContributionToHitGroupIndex(_)
        | Op::RayQueryCommittedInstanceContributionToHitGroupIndex(_)
        | Op::AnnotateHandle(_)
        | Op::CreateHandleFromBinding(_)
        | Op::CreateHandleFromHeap(_)
        | Op::Unpack4x8(_)
        | Op::Pack4x8(_)
        | Op::QuadVote(_)
        | Op::TextureGatherRaw(_)
        | Op::SampleCmpLevel(_)
        | Op::TextureStoreSample(_)
        | Op::AllocateNodeOutputRecords(_)
        | Op::GetNodeRecordPtr(_)
        | Op::IncrementOutputCount(_)
        | Op::OutputComplete(_)
        | Op::GetInputRecordCount(_)
        | Op::FinishedCrossGroupSharing(_)
        | Op::BarrierByMemoryType(_)
        | Op::BarrierByMemoryHandle(_)
        | Op::BarrierByNodeRecordHandle(_)
        | Op::CreateNodeOutputHandle(_)
        | Op::IndexNodeHandle(_)
        | Op::AnnotateNodeHandle(_)
        | Op::CreateNodeInputRecordHandle(_)
        | Op::AnnotateNodeRecordHandle(_)
        | Op::NodeOutputIsValid(_)
        | Op::GetRemainingRecursionLevels(_)
        | Op::SampleCmpGrad(_)
        | Op::SampleCmpBias(_)
        | Op::StartVertexLocation(_)
        | Op::StartInstanceLocation(_)
        | Op::AllocateRayQuery2(_)
        | Op::HitObjectTraceRay(_)
        | Op::HitObjectFromRayQuery(_)
        | Op::HitObjectFromRayQueryWithAttrs(_)
        | Op::HitObjectMakeMiss(_)
        | Op::HitObjectMakeNop(_)
        | Op::HitObjectInvoke(_)
        | Op::MaybeReorderThread(_)
        | Op::HitObjectIsMiss(_)
        | Op::HitObjectIsHit(_)
        | Op::HitObjectIsNop(_)
        | Op::HitObjectRayFlags(_)
        | Op::HitObjectRayTMin(_)
        | Op::HitObjectRayTCurrent(_)
        | Op::HitObjectWorldRayOrigin(_)
        | Op::HitObjectWorldRayDirection(_)
        | Op::HitObjectObjectRayOrigin(_)
        | Op::HitObjectObjectRayDirection(_)
        | Op::HitObjectObjectToWorld3x4(_)
        | Op::HitObjectWorldToObject3x4(_)
        | Op::HitObjectGeometryIndex(_)
        | Op::HitObjectInstanceIndex(_)
        | Op::HitObjectInstanceID(_)
        | Op::HitObjectPrimitiveIndex(_)
        | Op::HitObjectHitKind(_)
        | Op::HitObjectShaderTableIndex(_)
        | Op::HitObjectSetShaderTableIndex(_)
        | Op::HitObjectLoadLocalRootTableConstant(_)
        | Op::HitObjectAttributes(_)
        | Op::RawBufferVectorLoad(_)
        | Op::RawBufferVectorStore(_)
        | Op::VectorReduceAnd(_)
        | Op::VectorReduceOr(_)
        | Op::FDot(_) => Err(unsupported(op)),
    }
}

/// An operation that is not lowered.
fn unsupported(op: &Op) -> Error {
    Error::unsupported(op.opcode().name())
}
