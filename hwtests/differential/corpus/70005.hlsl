// dxc: -T cs_6_6 -E main -enable-16bit-types
// groups: 2 1 1; seed 70005
struct S1 {
  float m0;
};
struct S2 {
  row_major float3x3 m0[3];
  column_major float4x4 m1[2];
};
static uint thread;
static uint local;
static float4 g3 = float4((161.375f), (-1.0f), (396.625f), (473.25f));
static const uint table4[4] = { 3868029292u, 594188412u, 822858747u, 3668269819u };
cbuffer C5 : register(b0) {
  S2 c6;
  uint64_t2 c7;
  uint3 c8[2];
  float c9;
};
RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<S2> T10 : register(t0);
RWStructuredBuffer<S1> U11 : register(u1);
StructuredBuffer<int16_t> T12 : register(t1);
RWStructuredBuffer<S2> U13 : register(u2);
StructuredBuffer<S1> T14 : register(t2);
RWStructuredBuffer<uint16_t> U15 : register(u3);
[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint3 at : SV_DispatchThreadID, uint3 inside : SV_GroupThreadID, uint index : SV_GroupIndex) {
  local = index;
  thread = index + 64u * (group.x + 2u * (group.y + 1u * group.z));
  uint2 v16 = uint2(uint2(uint2(1897711534u, inside.x)));
  int64_t v17 = ((int64_t)(((uint64_t)(((int64_t)(((uint64_t)((((bool)(v16.y)) ? ((int64_t)(inside.x)) : ((int64_t)(c7.x))))) + ((uint64_t)((int64_t(0u) << 32 | int64_t(2u)))))))) - ((uint64_t)(abs((int64_t(0u) << 32 | int64_t(255u)) >> int64_t(1))))));
  int64_t v18 = ((int64_t)(((uint64_t)((~abs(v17 >> int64_t(1))))) + ((uint64_t)(abs(((int64_t)(at.y)) >> int64_t(1))))));
  float v19 = clamp((-(clamp(dot(((float2)((v18.xx & int64_t(255)) - int64_t(127))), U13[thread].m1[0][(index) % 4u][(thread) % 4u].xx), (float)-512.0, (float)512.0) - (-2.0f))), (float)-512.0, (float)512.0);
  v19 = clamp(((!(c7.y <= (uint64_t(0u) << 32 | uint64_t(31u)))) ? abs((((bool)(v16.y)) ? U13[thread].m0[(7u) % 3u][(group.z) % 3u][2] : U13[thread].m0[(at.x) % 3u][(255u) % 3u].y)) : ((2.0f) + U13[thread].m0[(at.x) % 3u][(7u) % 3u].y)), (float)-512.0, (float)512.0);
  v19 = clamp(trunc((((float)(asuint(c6.m1[1][0][(31u) % 4u]) & 255u)) * U13[thread].m1[(((uint)(abs(v19)))) & 1u][3].w)), (float)-512.0, (float)512.0);
  uint64_t3 v20 = QuadReadLaneAt((((int64_t(0u) << 32 | int64_t(31u)) <= (int64_t(0u) << 32 | int64_t(0u))) ? (uint64_t3((uint64_t(0u) << 32 | uint64_t(7u)), (uint64_t(0u) << 32 | uint64_t(1u)), (uint64_t(0u) << 32 | uint64_t(31u))) + ((uint64_t3)(abs(v19.xxx)))) : c7.yxy), 3u);
  if ((group.x & 3u) > 0u) {
    v17 = ((int64_t)(((uint64_t)((~((int64_t)(((uint64_t)(v18)) - ((uint64_t)(v18))))))) - ((uint64_t)(((int64_t)(((uint64_t)(v18)) - ((uint64_t)(v17))))))));
    if ((group.x & 5u) > 3u) {
      uint16_t v21 = (((uint16_t)0) - ((((bool)(v17)) ? U15[thread] : U15[thread]) / (U15[thread] | uint16_t(1))));
      uint v22 = WaveActiveCountBits(true);
      U13[thread].m0 = U13[thread].m0;
    }
    for (uint i23 = 0u; i23 < 6u; ++i23) {
      v16 = (((((bool)(((float)(asuint(T14[(2u) & 63u].m0) & 255u)))) ? uint2(31u, 5u) : index.xx) + inside.xz) / ((uint2(255u, 255u) - inside.xz) | uint(1)));
      uint64_t4 v24 = WavePrefixSum(((v20.zyyx - ((uint64_t4)(abs(v19.xxxx)))) - c7.yxyx));
      v16 = (((uint2)0) - (uint2(thread, local) << (uint2(0u, 3u) & uint(31))));
      [loop] for (uint i25 = 0u; i25 < ((thread ^ ((uint)(v18)))) % 2u; ++i25) {
        if ((clamp((~((int)(i25))), min(int(255), ((int)(v24.y))), max(int(255), ((int)(v24.y)))) > (((bool)(i23)) ? int(7) : ((int)(v16.y))))) {
          float4 v26 = clamp(trunc(mad((-abs(((float)(asuint(T14[5].m0) & 255u)).xxxx)), (true ? U13[thread].m0[1][(3751415270u) % 3u][0].xxxx : ((float4)(v18.xxxx & int64_t(255)))), ((float)(asuint(c6.m1[(255u) % 2u][(i23) & 3u][(((uint)(abs(g3.z)))) & 3u]) & 255u)).xxxx)), (float4)-512.0, (float4)512.0);
        } else {
          uint64_t4 v27 = (((((int64_t)(v20.x)) >= (int64_t(0u) << 32 | int64_t(0u))) ? uint64_t4(v24.yz, c7.x, c7.y) : uint64_t4((uint64_t(0u) << 32 | uint64_t(7u)), (uint64_t(0u) << 32 | uint64_t(2u)), (uint64_t(0u) << 32 | uint64_t(3u)), (uint64_t(0u) << 32 | uint64_t(0u)))) ^ (((uint64_t4)(uint64_t(0u) << 32 | uint64_t(5u))) ^ c7.yxyy));
          for (uint i28 = 0u; i28 < 2u; ++i28) {
            v18 = ((int64_t)(((uint64_t)(((int64_t)(((uint64_t)((((int64_t(0u) << 32 | int64_t(5u)) >> int64_t(1)) / (v18 | int64_t(1))))) + ((uint64_t)(v17)))))) + ((uint64_t)((((bool)(v27.w)) ? (int64_t(0u) << 32 | int64_t(2147483648u)) : v17)))));
            bool v29 = WaveIsFirstLane();
            uint v30 = WaveActiveCountBits(((uint16_t(1) > ((uint16_t)(i28))) || v29));
            Out[thread * 32u + 0u] = Out[thread * 32u + 0u] * 33u ^ ((inside.x * 31u + inside.y) * 31u + inside.z);
            v27 = (((-v19) == (-334.375f)) ? ((v24 >> (uint64_t4((uint64_t(0u) << 32 | uint64_t(31u)), (uint64_t(0u) << 32 | uint64_t(2u)), (uint64_t(0u) << 32 | uint64_t(65535u)), (uint64_t(0u) << 32 | uint64_t(2u))) & uint64_t(63))) << (v27.yyzz & uint64_t(63))) : (v24 | v27));
            Out[thread * 32u + 1u] = (v29 ? 1u : 0u);
          }
        }
        v18 = (((U15[thread] ^ U15[thread]) <= U15[thread]) ? clamp((((bool)(i25)) ? ((int64_t)(i23)) : v18), min(v17, ((int64_t)(i25))), max(v17, ((int64_t)(i25)))) : (((int64_t)(i23)) | v18));
        [flatten] if ((!(((int64_t)(((uint64_t)(v18)) * ((uint64_t)((int64_t(0u) << 32 | int64_t(0u)))))) != v17))) {
          uint i31 = 0u;
          while (i31++ < 4u && (((int)(((uint)(((int)(thread)))) * ((uint)(((int)(i25)))))) <= ((int)(v20.z)))) {
            int v32[2] = { ((int)(((uint)(((int)(at.z)))) + ((uint)(int(7))))), ((int)(((uint)(((int)(i25)))) - ((uint)(((int)(i25)))))) };
            v20.yz = ((U15[thread] >= U15[thread]) ? (false ? v24.yy : v24.yx) : ((uint64_t2)(uint64_t(0u) << 32 | uint64_t(0u))));
            U11[thread].m0 = step(saturate(((float)(sign(((float)(v24.w & uint64_t(255))))))), ((float)(i25 & uint(255))));
          }
          [loop] for (uint i33 = 0u; i33 < 6u; ++i33) {
            Out[thread * 32u + 2u] = ((inside.x * 31u + inside.y) * 31u + inside.z);
            v20 = (((uint64_t3)0) - ((table4[(at.z) % 4u] != i33) ? uint64_t3(v24.ywx) : v24.zwx));
            if ((!(!((bool)(i33))))) {
              continue;
            }
          }
        } else {
          break;
        }
      }
    }
  }
  Out[thread * 32u + 3u] = (((uint(int(g3.x * 8.0f)) * 31u + uint(int(g3.y * 8.0f))) * 31u + uint(int(g3.z * 8.0f))) * 31u + uint(int(g3.w * 8.0f)));
  Out[thread * 32u + 4u] = uint(int(U11[thread].m0 * 8.0f));
  Out[thread * 32u + 5u] = ((uint(int(U13[thread].m0[2][0].x * 8.0f)) * 31u + uint(int(U13[thread].m0[2][0].y * 8.0f))) * 31u + uint(int(U13[thread].m0[2][0].z * 8.0f)));
  Out[thread * 32u + 6u] = Out[thread * 32u + 6u] * 33u ^ (((uint(int(U13[thread].m1[(0u) & 1u][1].x * 8.0f)) * 31u + uint(int(U13[thread].m1[(0u) & 1u][1].y * 8.0f))) * 31u + uint(int(U13[thread].m1[(0u) & 1u][1].z * 8.0f))) * 31u + uint(int(U13[thread].m1[(0u) & 1u][1].w * 8.0f)));
  Out[thread * 32u + 7u] = uint(U15[thread]);
  Out[thread * 32u + 8u] = (v16.x * 31u + v16.y);
  Out[thread * 32u + 9u] = Out[thread * 32u + 9u] * 33u ^ (uint(v17) ^ uint(v17 >> 32) * 7u);
  Out[thread * 32u + 10u] = Out[thread * 32u + 10u] * 33u ^ (uint(v18) ^ uint(v18 >> 32) * 7u);
  Out[thread * 32u + 11u] = Out[thread * 32u + 11u] * 33u ^ uint(int(v19 * 8.0f));
  Out[thread * 32u + 12u] = Out[thread * 32u + 12u] * 33u ^ (((uint(v20.x) ^ uint(v20.x >> 32) * 7u) * 31u + (uint(v20.y) ^ uint(v20.y >> 32) * 7u)) * 31u + (uint(v20.z) ^ uint(v20.z >> 32) * 7u));
}
