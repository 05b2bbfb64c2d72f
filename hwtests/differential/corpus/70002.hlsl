// dxc: -T cs_6_4 -E main
// groups: 1 1 2; seed 70002
struct S1 {
  float2 m0;
  bool m1;
  float m2;
  uint4 m3;
  uint2 m4;
};
static uint thread;
static uint local;
RWStructuredBuffer<uint> Out : register(u0);
ByteAddressBuffer B2 : register(t0);
RWByteAddressBuffer UB3 : register(u1);
RWStructuredBuffer<uint> A4 : register(u8);
[numthreads(13, 1, 1)]
void main(uint3 group : SV_GroupID, uint3 at : SV_DispatchThreadID, uint3 inside : SV_GroupThreadID, uint index : SV_GroupIndex) {
  local = index;
  thread = index + 13u * (group.x + 1u * (group.y + 1u * group.z));
  uint v5 = (((index ^ thread) - at.y) << ((inside.z + inside.x) & uint(31)));
  float2 v6 = clamp(max((all(((bool3)(inside.yyy))) ? (((float2)(at.zz & uint(255))) * ((float2)(local.xx & uint(255)))) : ((float2)(thread.xx & uint(255)))), float2(((float)(at.y & uint(255))), (0.0f))), (float2)-512.0, (float2)512.0);
  bool v7 = (!((((bool)(index)) ? thread : at.x) == at.z));
  uint4 v8 = (((mad(((uint4)(v7.xxxx)), ((uint4)255u), uint4(5u, 7u, 5u, 0u))) - v5.xxxx) + uint4(((uint)(abs(v6.x))), at.x, uint2(255u, 5u)));
  int v9 = ((~((int)(((uint)(((int)0))) - ((uint)(((int)(v5))))))) >> ((false ? int(3) : ((int)(at.y))) & int(31)));
  int v10 = ((int)(((uint)((~int(2)))) + ((uint)(v9))));
  switch (v10 & 3) {
  case 3:
  default:
  case 2:
  {
    uint v11 = WaveActiveCountBits(true);
    break;
  }
  break;
  }
  uint2 v12 = (uint2((1u >> (group.x & uint(31))), (inside.y - thread)) >> ((((uint2)(abs(v6))) >> (((uint2)(v9.xx)) & uint(31))) & uint(31)));
  Out[thread * 32u + 0u] = local;
  int v13 = (~((int)(((uint)(v10)) + ((uint)(((int)(index)))))));
  switch (v13 & 1) {
  case 2:
  {
    InterlockedMin(A4[4u + 8u * (13)], (((uint)0) - (((uint)(v9)) / (thread | uint(1)))));
    v13 &= ((int)(((uint)(((int)(((uint)(min(v13, v9))) + ((uint)(((int)(v8.z)))))))) - ((uint)(abs(int(-896400038) >> int(1))))));
    if ((min(((int64_t)(((uint64_t)(((int64_t)(v7)))) - ((uint64_t)(((int64_t)(v10)))))), ((int64_t)(v6.y))) == (v7 ? (int64_t(0u) << 32 | int64_t(3u)) : ((int64_t)(v10))))) {
      if (((v6.y - ((float)((v13 & int(255)) - int(127)))) != v6.y)) {
        if (((1u - ((uint)(v10))) != group.z)) {
          return;
        }
        v5 -= (((31u % (0u | uint(1))) + 0u) + (4294967295u & 31u));
        return;
      }
      v6 = saturate(frac(min(v6.yy, ((float2)(v8.xy & uint(255))))));
      [fastopt] for (uint i14 = 0u; i14 < ((index % (group.y | uint(1)))) % 5u; ++i14) {
        InterlockedMin(A4[4u + 8u * ((v5) & 15u)], min((2u << (local & uint(31))), local));
        uint i15 = 0u;
        while (i15++ < 3u && ((((bool)(v5)) && v7) && v7)) {
          Out[thread * 32u + 1u] = (v12.x * 31u + v12.y);
          S1 v16 = (S1)0;
          int2 v17 = WaveReadLaneFirst(((i14 != v5) ? ((int2)(((uint2)(v13.xx)) - ((uint2)(v13.xx)))) : ((int2)(v16.m3.xx))));
          v7 = (((int64_t)(mad(((uint64_t)((v16.m1 ? ((int64_t)(v16.m3.x)) : ((int64_t)(v13))))), ((uint64_t)(((int64_t)(v16.m3.x)))), ((uint64_t)((int64_t(0u) << 32 | int64_t(7u))))))) < (false ? ((int64_t)(v16.m2)) : ((int64_t)(v16.m2))));
          float v18 = UB3.Load<float>(thread * 256u + ((v16.m4.y) & 15u) * 4u);
        }
        for (uint i19 = 0u; i19 < ((7u * local)) % 3u; ++i19) {
          bool v20 = ((v7 ? (((bool)(at.z)) ? ((int64_t)(v12.x)) : (int64_t(0u) << 32 | int64_t(255u))) : (int64_t(0u) << 32 | int64_t(5u))) <= ((int64_t)(((uint64_t)(((int64_t)(index)))) + ((uint64_t)(((int64_t)(i14)))))));
          if ((abs(int(2) >> int(1)) <= v9)) {
            return;
          }
          InterlockedMax(A4[5u + 8u * ((at.y) % 16u)], ((!v20) ? (((uint)0) - v12.y) : thread));
          if ((dot((i14.xx / (group.yz | uint(1))), group.xx) == (v7 ? ((uint)(abs(v6.y))) : ((uint)(v20))))) {
            InterlockedMax(A4[5u + 8u * ((v12.y) & 15u)], ((((bool)(i14)) ? 1u : index) - thread));
            v13 ^= ((int)(((uint)(((int)(((uint)(min(int(0), v10))) * ((uint)(v10)))))) - ((uint)(((int)(((uint)(v9)) + ((uint)(v10))))))));
          } else if (((v6.y * ((float)(local & uint(255)))) >= ((float)(i19 & uint(255))))) {
            float3 v21 = clamp(trunc(((!v20.xxx) ? float3(v6, v6.y) : v6.xxx)), (float3)-512.0, (float3)512.0);
            S1 v22 = (S1)0;
          }
          v20 = ((((uint64_t(0u) << 32 | uint64_t(3u)) != ((uint64_t)(v13))) && v20) || (i19 >= ((uint)(v20))));
        }
        Out[thread * 32u + 2u] = i14;
        int2 v23 = B2.Load<int2>(((local) & 15u) * 4u);
      }
    } else if (((((uint64_t)(local)) > ((uint64_t)(v7))) && ((bool)(v13)))) {
      [flatten] if ((!((31u << (((uint)(v13)) & uint(31))) < ((uint)(v7))))) {
        Out[thread * 32u + 3u] = uint(v10);
        int v24 = UB3.Load<int>(thread * 256u + ((v8.x) & 15u) * 4u);
        v12[0] = ((index - 7u) ^ 2u);
      }
      uint v25 = WaveActiveCountBits((min(v6.x, v6.x) == (388.25f)));
      return;
    }
    break;
  }
  default:
  {
    uint4 v26 = WaveActiveBallot((saturate((-76.75f)) != v6.y));
    uint v27 = WaveActiveBitXor(((at.z * v8.x) ^ v5));
    v26 |= (((v8.x - 31u) <= v5) ? min((at.xxxz * v8.xxxz), group.xzyy) : min(v12.yxyx, v26));
    break;
  }
  break;
  }
  v12[0] = ((v6.y >= v6.y) ? (((uint)(v10)) | v12.x) : index);
  v13 = ((int)(((uint)(((v12.y <= v12.x) ? ((int)(((uint)(((int)(v6.x)))) - ((uint)(int(3))))) : v13))) + ((uint)((v13 >> (v9 & int(31)))))));
  v7 = ((clamp(v9, min(((int)(index)), v13), max(((int)(index)), v13)) >> (int(83956174) & int(31))) > (v7 ? v9 : v9));
  int v28 = ((((int64_t)(inside.y)) < ((int64_t)(local))) ? (v7 ? v10 : int(0)) : int(5));
  switch (v28 & 3) {
  case 2:
  {
    v9 = ((((uint64_t(0u) << 32 | uint64_t(3u)) > ((uint64_t)(v13))) && v7) ? (((int)(mad(((uint)(v28)), ((uint)(v28)), ((uint)(v10))))) | int(255)) : (v10 ^ v9));
    uint v29 = ((v7 ? ((uint)(v13)) : local) ^ 1u);
    switch (v29 % 3u) {
    case 3u:
    {
      Out[thread * 32u + 4u] = Out[thread * 32u + 4u] * 33u ^ ((group.x * 31u + group.y) * 31u + group.z);
      Out[thread * 32u + 5u] = v29;
      InterlockedXor(A4[3u + 8u * ((0u) % 16u)], (min(group.z, v5) ^ 255u));
      break;
    }
    case 2u:
    {
      uint2 v30 = B2.Load2((3) * 4u);
      break;
    }
    default:
    {
      if (((!true) && v7)) {
        return;
      }
      return;
    }
    break;
    }
    break;
  }
  case 3:
  {
    break;
  }
  break;
  }
  Out[thread * 32u + 6u] = v5;
  Out[thread * 32u + 7u] = (uint(int(v6.x * 8.0f)) * 31u + uint(int(v6.y * 8.0f)));
  Out[thread * 32u + 8u] = (v7 ? 1u : 0u);
  Out[thread * 32u + 9u] = (((v8.x * 31u + v8.y) * 31u + v8.z) * 31u + v8.w);
  Out[thread * 32u + 10u] = uint(v9);
  Out[thread * 32u + 11u] = Out[thread * 32u + 11u] * 33u ^ uint(v10);
  Out[thread * 32u + 12u] = (v12.x * 31u + v12.y);
  Out[thread * 32u + 13u] = Out[thread * 32u + 13u] * 33u ^ uint(v13);
  Out[thread * 32u + 14u] = uint(v28);
}
