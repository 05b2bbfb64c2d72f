// dxc-newer: -T cs_6_7 -E main
// check: OpImageSparseGather
// check: OpImageGather
// GatherRaw of 64-bit texels from a texture array, with offset and residency status
Texture2DArray<uint64_t> wide : register(t0, space1);
SamplerState pointClamp : register(s0);
RWStructuredBuffer<uint64_t> dst : register(u0);
RWBuffer<uint> misses : register(u1);

[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint status;
  float3 uvw = float3((id.x + 0.5f) / 32.0f, (id.y + 0.5f) / 32.0f, id.z);
  uint64_t4 v = wide.GatherRaw(pointClamp, uvw, int2(1, -1), status);
  if (!CheckAccessFullyMapped(status)) {
    uint prev;
    InterlockedAdd(misses[0], 1, prev);
    return;
  }
  dst[id.z * 1024 + id.y * 32 + id.x] = (v.x ^ v.y) + (v.z << 1) + (v.w >> 3);
}
