// dxc-newer: -T lib_6_9
// MaybeReorderThread by coherence hint alone, reordercoherent UAV
//! entry = gen
//! targets = vulkan1.3
//! without = INVOCATION_REORDER
// error: the target lacks rayTracingInvocationReorder, which a hit object needs
reordercoherent RWStructuredBuffer<uint> queue : register(u0);
RWTexture2D<float4> img : register(u1);
StructuredBuffer<uint> mats : register(t0);

float4 wood(uint2 p) { return float4(frac(p.x * 0.1f), 0.3f, 0.1f, 1); }
float4 metal(uint2 p) { float s = 0; for (uint i = 0; i < 16; ++i) s += sin(p.y * 0.1f + i); return s; }

[shader("raygeneration")]
void gen() {
  uint2 at = DispatchRaysIndex().xy;
  uint m = mats[at.x & 255];
  queue[at.x] = m;
  dx::MaybeReorderThread(m, 3);
  uint n = queue[at.x];
  float4 c = 0;
  switch (n & 3) {
    case 0: c = wood(at); break;
    case 1: c = metal(at); break;
    case 2: c = wood(at.yx) * metal(at); break;
    default: break;
  }
  img[at] = c;
}
