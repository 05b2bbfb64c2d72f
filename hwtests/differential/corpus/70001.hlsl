// dxc: -T cs_6_6 -E main -HV 2021
// groups: 1 2 1; seed 70001
struct S1 {
  bool m0;
  bool4 m1[1];
  uint m2[4];
  bool2 m3;
  uint m4;
};
static uint thread;
static uint local;
RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<S1> T2 : register(t0);
RWStructuredBuffer<uint4> U3 : register(u1);
StructuredBuffer<S1> T4 : register(t1);
RWStructuredBuffer<S1> U5 : register(u2);
ByteAddressBuffer B6 : register(t2);
RWByteAddressBuffer UB7 : register(u3);
[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint3 at : SV_DispatchThreadID, uint3 inside : SV_GroupThreadID, uint index : SV_GroupIndex) {
  local = index;
  thread = index + 64u * (group.x + 1u * (group.y + 2u * group.z));
  uint2 v8 = uint2(uint2((7u ^ 0u), clamp(inside.z, min(((uint)(T4[(index) & 63u].m0)), group.z), max(((uint)(T4[(index) & 63u].m0)), group.z))));
  uint v9 = (((((uint)(T2[(3u) % 64u].m3.y)) - U5[thread].m2[(T4[9].m2[0]) % 4u]) + v8.y) | dot(at.xx, at.yy));
  int v10 = (max((U5[thread].m3.y ? int(5) : int(255)), ((int)(T2[(2147483648u) % 64u].m1[0].w))) << (((int)(((uint)(int(7))) * ((uint)(int(0))))) & int(31)));
  int4 v11 = ((int4)(((uint4)(((((uint)(U5[thread].m1[0].x)) >= v9) ? ((int4)(((uint4)(v10.xxxx)) * ((uint4)(v10.xxxx)))) : v10.xxxx))) * ((uint4)((U5[thread].m3.x ? ((int4)(thread.xxxx)) : int4(int(0), int(5), int(0), int(3)))))));
  for (uint i12 = 0u; i12 < 4u; ++i12) {
    uint i13 = 0u;
    do {
      int v14[2];
      for (uint i15 = 0u; i15 < 2u; ++i15) {
        v14[i15] = ((v10 << (v10 & int(31))) ^ v10);
      }
      bool v16 = (((((uint)(v11.w)) * 2u) - thread) <= (U5[thread].m3.x ? i13 : 3971959099u));
      Out[thread * 32u + 0u] = i13;
      uint i17 = 0u;
      do {
        S1 v18 = U5[thread];
        uint3 v19 = UB7.Load3(thread * 256u + (12) * 4u);
        for (uint i20 = 0u; i20 < ((T2[10].m3.x ? v18.m4 : inside.z)) % 6u; ++i20) {
          [branch] if ((!(!(v19.x <= U3[thread].z)))) {
            v18.m4 = (((((uint)(v18.m1[0].z)) <= i17) ? (T4[(7u) % 64u].m1[0].y ? 1u : ((uint)(T4[(v18.m2[(v18.m2[(((uint)(T4[(local) % 64u].m3.y))) & 3u]) % 4u]) % 64u].m1[0].x))) : v18.m2[0]) | (((uint)(v18.m3.y)) % (i20 | uint(1))));
          } else {
            U5[thread].m0 = (sign(((int)(((uint)(v10)) - ((uint)(v11.x))))) > ((int)(((uint)(int(31))) - ((uint)(int(5))))));
            uint4 v21 = UB7.Load4(thread * 256u + (4) * 4u);
            U3[thread] *= (((v18.m0 ? v14[(((uint)(U5[thread].m3.x))) & 1u] : v11.x) > v11.y) ? ((v19.z <= 3702399147u) ? (U3[thread] ^ i17.xxxx) : thread.xxxx) : uint4(T4[31].m4.xxx, inside.x));
            if (((true ? v19.z : ((uint)(v14[(2147483648u) % 2u]))) <= v19.z)) {
              continue;
            }
          }
          for (uint i22 = 0u; i22 < ((v18.m2[(v18.m4) % 4u] / (v19.z | uint(1)))) % 6u; ++i22) {
            v18.m3 = (uint2((((uint2)(v16.xx)) - v18.m2[3].xx)) > (((uint2)0u) - i22.xx));
            v9 = (((!v16) ? (1449259137u + i22) : i20) - (T4[24].m2[1] / (i20 | uint(1))));
            U3[thread] = ((~uint4(v18.m4.xx, T2[(((uint)(U5[thread].m1[0].x))) & 63u].m2[3].xx)) & (((uint4)255u) - uint4(255u, 31u, 7u, 2u)));
            Out[thread * 32u + 1u] = Out[thread * 32u + 1u] * 33u ^ i20;
            uint3 v23[4] = { (i20.xxx + ((uint3)(v18.m1[0].xzw))), (false ? v19 : v8.xxy), (uint3(255u, 31u, 3u) + ((uint3)5u)), (((uint3)0) - ((uint3)(T4[(5u) & 63u].m1[0].xxx))) };
            v18.m2[(895674975u) & 3u] = ((dot(((uint4)(v18.m0.xxxx)), uint4(31u, 5u, 3u, 2u)) - 5u) % (min(v23[(v23[2].y) % 4u].y, ((uint)(T2[(v23[2].y) & 63u].m1[0].z))) | uint(1)));
          }
        }
      } while (++i17 < 3u && ((v16 ? v14[(((uint)(T2[(v8.y) & 63u].m1[0].x))) & 1u] : v11.z) <= v10));
    } while (++i13 < 2u && T4[(i12) % 64u].m1[0].x);
    bool3 v24 = bool3((uint3(local.xx, 3u) > index.xxx));
    [flatten] if ((i12 & 7u) > 2u) {
      int v25 = B6.Load<int>(((T4[(v8.y) & 63u].m2[(31u) % 4u]) % 16u) * 4u);
    } else if (((31u & thread) != ((uint)(v24.x)))) {
      if (all(((bool4)true))) {
        uint v26 = ((index | U3[thread].w) << (v9 & uint(31)));
        switch (v26 % 5u) {
        case 2u:
        {
          uint i27 = 0u;
          do {
            uint v28 = (((true ? ((int)(i27)) : ((int)(i12))) > ((int)(v9))) ? ((index << (((uint)(U5[thread].m3.y)) & uint(31))) * v9) : (i12 + 3u));
            UB7.Store<int3>(thread * 256u + (2) * 4u, int3(((int3)(((uint3)(((int3)0))) - ((uint3)(v11.wzy))))));
            UB7.Store<int2>(thread * 256u + ((((uint)(U5[thread].m0))) % 16u) * 4u, ((((bool)(i12)) && v24.z) ? abs(v11.zz >> int(1)) : v10.xx));
            if ((dot(v8, v28.xx) > i12)) {
              if ((((v11.z >> int(1)) / (((int)(v8.x)) | int(1))) <= v11.w)) {
                Out[thread * 32u + 2u] = i27;
                bool v29 = UB7.Load<bool>(thread * 256u + ((v26) % 16u) * 4u);
                break;
              }
              continue;
            }
            Out[thread * 32u + 3u] = i27;
            v28 -= ((((v11.z >> int(1)) / (v11.w | int(1))) >= v11.w) ? ((v28 == ((uint)(v11.y))) ? (inside.z >> (v9 & uint(31))) : ((uint)(v11.z))) : (v26 & v26));
          } while (++i27 < 5u && all(bool2(false, false)));
          int v30 = (((int)(((uint)(v11.z)) - ((uint)(v11.z)))) | v10);
          switch (v30 & 1) {
          case 2:
          case 0:
          {
            uint2 v31 = (((uint2(31u, 31u) - v8) / (v26.xx | uint(1))) + (uint2(7u, 0u) - group.zx));
            Out[thread * 32u + 4u] = (((uint(v11.x) * 31u + uint(v11.y)) * 31u + uint(v11.z)) * 31u + uint(v11.w));
            U5[thread] = U5[thread];
            break;
          }
          default:
          {
            break;
          }
          break;
          }
        }
        case 5u:
        {
          break;
        }
        case 3u:
        {
          break;
        }
        case 1u:
        {
          break;
        }
        case 0u:
        {
          break;
        }
        default:
        {
          break;
        }
        break;
        }
      } else {
      }
    }
  }
  Out[thread * 32u + 5u] = Out[thread * 32u + 5u] * 33u ^ (((U3[thread].x * 31u + U3[thread].y) * 31u + U3[thread].z) * 31u + U3[thread].w);
  Out[thread * 32u + 6u] = Out[thread * 32u + 6u] * 33u ^ (U5[thread].m0 ? 1u : 0u);
  Out[thread * 32u + 7u] = ((((U5[thread].m1[0].x ? 1u : 0u) * 31u + (U5[thread].m1[0].y ? 1u : 0u)) * 31u + (U5[thread].m1[0].z ? 1u : 0u)) * 31u + (U5[thread].m1[0].w ? 1u : 0u));
  Out[thread * 32u + 8u] = Out[thread * 32u + 8u] * 33u ^ U5[thread].m2[(2u) % 4u];
  Out[thread * 32u + 9u] = ((U5[thread].m3.x ? 1u : 0u) * 31u + (U5[thread].m3.y ? 1u : 0u));
  Out[thread * 32u + 10u] = Out[thread * 32u + 10u] * 33u ^ U5[thread].m4;
  Out[thread * 32u + 11u] = (v8.x * 31u + v8.y);
  Out[thread * 32u + 12u] = v9;
  Out[thread * 32u + 13u] = Out[thread * 32u + 13u] * 33u ^ uint(v10);
  Out[thread * 32u + 14u] = Out[thread * 32u + 14u] * 33u ^ (((uint(v11.x) * 31u + uint(v11.y)) * 31u + uint(v11.z)) * 31u + uint(v11.w));
}
