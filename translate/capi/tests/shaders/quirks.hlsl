// dxc: -T cs_6_6 -E main
// What the quirks are about, once each.
RWStructuredBuffer<float4> Out : register(u0);
StructuredBuffer<float4> In[8] : register(t0);
TextureCube<float4> Cube : register(t8);
SamplerState S : register(s0);
groupshared float Shared[32];

[numthreads(32, 1, 1)]
void main(uint i : SV_GroupIndex) {
  float4 a = In[i & 7][i];
  float x = a.x * a.y + a.z;
  precise float p = mad(a.x, a.y, a.z);
  Shared[i] = x;
  GroupMemoryBarrierWithGroupSync();
  float y = Shared[i ^ 1];
  float roots = rsqrt(a.w) + a.x / sqrt(a.y);
  float last;
  [loop] for (uint n = 0; n < uint(a.z); n++) {
    if (n & 1) last = In[n & 7][n].x;
    y += last;
  }
  float lanes = WaveGetLaneCount();
  float quads = QuadReadLaneAt(y, 2) + ddx_coarse(y);
  float cube = Cube.SampleLevel(S, a.xyz, a.w).x;
  Out[i] = float4(x + p, y + roots, lanes + quads, cube);
}
