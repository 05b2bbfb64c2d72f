// dxc-newer: -T lib_6_9
// dx::HitObject::FromRayQuery with and without attributes, shader table index and local root constants
//! entry = gen
//! targets = vulkan1.3
// What comes from a query is not invoked before it was given a record.
// check: OpHitObjectRecordEmptyEXT $object
// check: OpHitObjectRecordFromQueryEXT $object $query $zero $attributes $kind
// check: OpHitObjectSetShaderBindingTableRecordIndexEXT $object $index
// check: OpHitObjectGetShaderRecordBufferHandleEXT $pair $object
// check: OpReorderThreadWithHitObjectEXT $object
// check: $has = OpLoad $bool $record
// check: OpSelectionMerge
// check: OpHitObjectExecuteShaderEXT $object $payload
// not:   MaximallyReconvergesKHR
RaytracingAccelerationStructure tlas : register(t0);
RWStructuredBuffer<float4> dst : register(u0);
struct [raypayload] Payload { float4 c : read(caller) : write(closesthit, caller); };
struct Sphere { float3 n; };

[shader("raygeneration")]
void gen() {
  uint at = DispatchRaysIndex().x;
  RayDesc r; r.Origin = float3(at, 0, -1); r.Direction = float3(0, 0, 1); r.TMin = 0; r.TMax = 50;
  RayQuery<RAY_FLAG_NONE> q;
  q.TraceRayInline(tlas, RAY_FLAG_NONE, 0xff, r);
  Sphere s; s.n = 0;
  while (q.Proceed()) {
    if (q.CandidateType() == CANDIDATE_PROCEDURAL_PRIMITIVE) {
      s.n = q.CandidateObjectRayOrigin() + q.CandidateObjectRayDirection() * 2;
      q.CommitProceduralPrimitiveHit(2);
    }
  }
  dx::HitObject h;
  if (q.CommittedStatus() == COMMITTED_PROCEDURAL_PRIMITIVE_HIT)
    h = dx::HitObject::FromRayQuery(q, 7, s);
  else
    h = dx::HitObject::FromRayQuery(q);
  h.SetShaderTableIndex(at & 3);
  Payload p; p.c = float4(h.LoadLocalRootTableConstant(16), 0, 0, 1);
  dx::MaybeReorderThread(h);
  dx::HitObject::Invoke(h, p);
  dst[at] = p.c;
}
[shader("closesthit")]
void hit(inout Payload p, Sphere s) { p.c = float4(s.n, HitKind()); }
