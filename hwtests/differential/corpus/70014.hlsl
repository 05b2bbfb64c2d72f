// dxc: -T cs_6_2 -E main
// groups: 1 1 2; seed 70014
struct S1 {
  bool m0;
  bool m1;
};
static uint thread;
static uint local;
cbuffer C2 : register(b0) {
  int64_t3 c3;
};
cbuffer C4 : register(b1) {
  int2 c5;
  uint c6;
  uint3 c7[4];
};
RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<float> T8 : register(t0);
RWStructuredBuffer<float> U9 : register(u1);
StructuredBuffer<float4> T10 : register(t1);
RWStructuredBuffer<S1> U11 : register(u2);
Buffer<float4> F12 : register(t2);
RWBuffer<float> UF13 : register(u3);
Texture2D<uint2> T14 : register(t3);
Texture2D<int4> T15 : register(t4);
RWTexture2D<int> UT16 : register(u4);
SamplerState point_sampler : register(s0);
SamplerState linear_sampler : register(s1);
[numthreads(8, 1, 1)]
void main(uint3 group : SV_GroupID, uint3 at : SV_DispatchThreadID, uint3 inside : SV_GroupThreadID, uint index : SV_GroupIndex) {
  local = index;
  thread = index + 8u * (group.x + 1u * (group.y + 1u * group.z));
  float v17[2];
  for (uint i18 = 0u; i18 < 2u; ++i18) {
    v17[i18] = clamp(ceil(ceil(((float4)(asuint(T10[(1u) & 63u]) & 255u)).z)), (float)-512.0, (float)512.0);
  }
  float v19 = clamp(max((step(((float)(asuint(T8[(((uint)(abs(((float4)(asuint(T10[(inside.y) & 63u]) & 255u)).z)))) & 63u]) & 255u)), v17[(at.y) & 1u]) - U9[thread]), ceil((3.0f))), (float)-512.0, (float)512.0);
  S1 v20 = U11[thread];
  S1 v21 = (S1)0;
  v21 = U11[thread];
  if ((c6 & 5u) > 3u) {
    for (uint i22 = 0u; i22 < 1u; ++i22) {
      uint i23 = 0u;
      do {
        v21.m1 = (abs(frac((259.75f))) != (U11[thread].m1 ? ((float4)(asuint(T10[(((uint)(v21.m1))) & 63u]) & 255u)).x : (4.0f)));
        v21.m0 = ((v20.m1 ? (U9[thread] + v19) : ((float4)(asuint(T10[42]) & 255u)).z) == (v17[(7u) & 1u] * ((float)(asuint(T8[(i22) & 63u]) & 255u))));
        v20 = v20;
      } while (++i23 < 5u && ((inside.x + 1u) == c7[(3u) & 3u].z));
      for (uint i24 = 0u; i24 < ((0u << (group.z & uint(31)))) % 3u; ++i24) {
        if ((((~thread) * index) == min(i24, inside.z))) {
          v20 = v21;
          uint4 v25 = WaveActiveBallot(((U11[thread].m1 ? ((float)(i24 & uint(255))) : ((float)(v21.m0))) < (356.25f)));
          float v26 = clamp(WaveActiveMin(clamp(ceil((U9[thread] * ((float)(v21.m0)))), (float)-512.0, (float)512.0)), (float)-512.0, (float)512.0);
        } else {
          uint i27 = 0u;
          do {
            int64_t v28 = clamp(((int64_t)(((uint64_t)((v20.m1 ? c3.x : c3.y))) * ((uint64_t)((int64_t(0u) << 32 | int64_t(2u)))))), min(((int64_t)(((uint64_t)(c3.y)) - ((uint64_t)(c3.z)))), (int64_t(0u) << 32 | int64_t(2u))), max(((int64_t)(((uint64_t)(c3.y)) - ((uint64_t)(c3.z)))), (int64_t(0u) << 32 | int64_t(2u))));
            int64_t v29 = ((int64_t)(((uint64_t)(((c3.z ^ (int64_t(0u) << 32 | int64_t(2u))) & ((int64_t)(v20.m0))))) * ((uint64_t)((v20.m1 ? (int64_t(0u) << 32 | int64_t(2147483647u)) : (int64_t(0u) << 32 | int64_t(5u)))))));
          } while (++i27 < 4u && v21.m1);
        }
        v21.m1 = (!((c6 <= 1u) && v21.m0));
        if (((clamp(round(U9[thread]), (float)-512.0, (float)512.0) + (4.0f)) != step(v19, (-299.25f)))) {
          v20 = v20;
          uint2 v30 = T14.Load(int3(((c7[(i24) & 3u].y) & 7u) + 4u, ((i24) & 7u) + 4u, 0), int2(0, -4));
          uint i31 = 0u;
          do {
            bool v32 = WaveActiveAllEqual(((int64_t)(((uint64_t)((c3.y ^ c3.z))) - ((uint64_t)(c3.x)))));
            float3 v33 = (((true ? ((float)(local & uint(255))) : ((float)(index & uint(255)))) > U9[thread]) ? abs((v20.m1.xxx ? ((float3)(v21.m0.xxx)) : ((float3)(v32.xxx)))) : float3(((float4)(asuint(T10[(v30.y) % 64u]) & 255u)).x, v17[(i22) & 1u].xx));
            v30.y = ((uint)(countbits((i24 * ((uint)(U11[thread].m1))))));
            uint4 v34 = WaveActiveBallot((mad(v17[(((uint)(abs(U9[thread])))) % 2u], v33.y, (0.0f)) > (76.75f)));
          } while (++i31 < 2u && (((int64_t)(((uint64_t)(((int64_t)0))) - ((uint64_t)((int64_t(0u) << 32 | int64_t(5u)))))) != c3.y));
        }
      }
    }
  } else if (((v21.m1 ? 7u : ((uint)(abs(((float4)(asuint(T10[(c6) & 63u]) & 255u)).x)))) == 3u)) {
    return;
  }
  Out[thread * 32u + 0u] = Out[thread * 32u + 0u] * 33u ^ uint(int(U9[thread] * 8.0f));
  Out[thread * 32u + 1u] = Out[thread * 32u + 1u] * 33u ^ (U11[thread].m0 ? 1u : 0u);
  Out[thread * 32u + 2u] = (U11[thread].m1 ? 1u : 0u);
  Out[thread * 32u + 3u] = Out[thread * 32u + 3u] * 33u ^ uint(int(v17[(at.y) % 2u] * 8.0f));
  Out[thread * 32u + 4u] = uint(int(v19 * 8.0f));
  Out[thread * 32u + 5u] = Out[thread * 32u + 5u] * 33u ^ (v20.m0 ? 1u : 0u);
  Out[thread * 32u + 6u] = Out[thread * 32u + 6u] * 33u ^ (v20.m1 ? 1u : 0u);
  Out[thread * 32u + 7u] = (v21.m0 ? 1u : 0u);
  Out[thread * 32u + 8u] = (v21.m1 ? 1u : 0u);
}
