// dxc: -T cs_6_0 -E main
struct S { float4 a; int b; };
cbuffer CB : register(b0) { float4x4 m; float3 v; uint n; };
StructuredBuffer<S> src : register(t0);
RWStructuredBuffer<S> dst : register(u0);
Texture2D<float4> tex : register(t1); SamplerState smp : register(s0);
groupshared float gs[64];
static const float table[4] = {1.5, 2.25, 0.1, 4};
[numthreads(64,1,1)] void main(uint3 id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
    S s = src[id.x];
    gs[gi] = s.a.x;
    GroupMemoryBarrierWithGroupSync();
    [loop] for (uint i = 0; i < n; ++i) { [branch] if (gs[i] > table[i & 3]) s.a += mul(m, float4(v, 1)); else s.b ^= i; if (s.b == 77) break; }
    switch (s.b) { case 1: s.a *= 2; break; case 2: s.a.y = 3; case 5: s.a.z = tex.SampleLevel(smp, s.a.xy, 0).x; break; default: s.a.w = asfloat(s.b); }
    uint o; InterlockedAdd(dst[0].b, 1, o); s.b += o;
    dst[id.x] = s;
}
