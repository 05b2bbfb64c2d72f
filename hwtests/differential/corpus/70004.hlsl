// dxc: -T cs_6_6 -E main -HV 2021
// groups: 1 1 2; seed 70004
struct S1 {
  int m0;
  uint64_t m1;
};
struct S2 {
  int m0;
  float m1;
};
struct S3 {
  float3 m0;
  uint2 m1;
};
static uint thread;
static uint local;
static uint64_t g4 = (uint64_t(0u) << 32 | uint64_t(1u));
static int g5 = int(2);
static int64_t3 g6 = ((int64_t3)(int64_t(0u) << 32 | int64_t(3u)));
static const uint table7[5] = { 3575497767u, 3763028064u, 3525596391u, 4046427152u, 1083864263u };
RWStructuredBuffer<uint> Out : register(u0);
Buffer<float> F8 : register(t0);
RWBuffer<float2> UF9 : register(u1);
Texture2D<uint2> T10 : register(t1);
Texture2D<int4> T11 : register(t2);
RWTexture2D<int4> UT12 : register(u2);
SamplerState point_sampler : register(s0);
SamplerState linear_sampler : register(s1);
[numthreads(4, 4, 2)]
void main(uint3 group : SV_GroupID, uint3 at : SV_DispatchThreadID, uint3 inside : SV_GroupThreadID, uint index : SV_GroupIndex) {
  local = index;
  thread = index + 32u * (group.x + 1u * (group.y + 1u * group.z));
  float v13 = ((!((bool)(index))) ? min(((float)(index & uint(255))), ((float)(at.x & uint(255)))) : trunc(((float)(group.y & uint(255)))));
  S3 v14 = (S3)0;
  uint64_t4 v15 = (uint64_t4((((bool)(v14.m0.z)) ? ((uint64_t)(v14.m1.x)) : g4), ((uint64_t(0u) << 32 | uint64_t(1u)) << (g4 & uint64_t(63))), (((bool)(v13)) ? g4.xx : ((uint64_t2)(inside.zz)))) + (((bool)(thread)) ? g4.xxxx : g4.xxxx));
  int64_t v16 = min(((int64_t)(((uint64_t)((((bool)(v14.m0.z)) ? g6.z : g6.y))) - ((uint64_t)(g6.x)))), ((g6.y >> int64_t(1)) / (((int64_t)(v14.m1.y)) | int64_t(1))));
  uint v17 = ((dot(((float2)(index.xx & uint(255))), v13.xx) > v13) ? ((group.x >> (at.x & uint(31))) << (((uint)(v16)) & uint(31))) : (((uint)(v15.y)) | ((uint)(g6.x))));
  if ((group.x & 7u) > 2u) {
    float v18 = clamp(max((v14.m0.x * ((float)(v14.m1.y & uint(255)))), v13), (float)-512.0, (float)512.0);
  } else {
    if ((((((bool)(v16)) ? g6.y : (int64_t(0u) << 32 | int64_t(2u))) >= (int64_t(0u) << 32 | int64_t(1u))) || all(((bool3)(v14.m0))))) {
      uint i19 = 0u;
      do {
        [flatten] if ((((-v14.m0.x) == ((float)(g5 & int(255)))) || any(bool2(false, false)))) {
          if (((((uint)0) - i19) > ((uint)(v15.y)))) {
            int4 v20 = (((v14.m1.x ^ ((uint)(g5))) <= index) ? int4(int3(g5.xx, ((int)(i19))), ((int)(((uint)(int(5))) + ((uint)(g5))))) : ((((int4)(v13.xxxx)) >> int(1)) / (((int4)(g4.xxxx)) | int(1))));
            return;
          }
          uint v21 = ((!false) ? (2893265635u << (1u & uint(31))) : thread);
          switch (v21 % 6u) {
          case 0u:
          {
            uint2 v22 = T10.Load(int3(((index) & 7u) + 4u, (5) + 4u, 0), int2(2, -4));
            float v23 = saturate(saturate((((bool)(v17)) ? v13 : (2.0f))));
            int3 v24 = WavePrefixProduct(((int3)(((uint3)((true ? g5.xxx : g5.xxx))) + ((uint3)(int3(int(31), int(-909772542), int(7)))))));
            break;
          }
          default:
          {
            uint v25 = WaveActiveCountBits(((v16 & v16) != g6.z));
            v14 = v14;
            break;
          }
          break;
          }
          if (((i19 / (((uint)(v16)) | uint(1))) <= ((uint)(abs(v14.m0.x))))) {
            UT12[uint2(thread & 15u, thread >> 4)] = (((bool)(v13)) ? (false ? g5.xxxx : g5.xxxx) : g5.xxxx);
            break;
          }
        }
        if ((((((uint)0) - thread) >> (((uint)(abs(v13))) & uint(31))) <= (v14.m1.x << (3u & uint(31))))) {
          v15[(group.z) % 4u] = (((uint64_t(0u) << 32 | uint64_t(1u)) - v15.x) ^ ((uint64_t)(thread)));
          int v26 = ((!((bool)(v15.z))) ? ((g5 >> int(1)) % (g5 | int(1))) : ((int)(v16)));
          switch (v26 & 1) {
          case 1:
          {
            int v27 = (((int(-1) == v26) ? (((int)(v17)) | v26) : ((int)(inside.z))) ^ clamp(v26, min(((int)(v17)), int(5)), max(((int)(v17)), int(5))));
            break;
          }
          case 2:
          {
            v16 |= (~((int64_t)(((uint64_t)((v16 | v16))) + ((uint64_t)((int64_t(0u) << 32 | int64_t(31u)))))));
            break;
          }
          default:
          {
            break;
          }
          break;
          }
        }
      } while (++i19 < 4u && ((((uint)0) - index) > index));
    } else if (((g5 | g5) <= ((int)(v17)))) {
    }
  }
  Out[thread * 32u + 0u] = (uint(g4) ^ uint(g4 >> 32) * 7u);
  Out[thread * 32u + 1u] = Out[thread * 32u + 1u] * 33u ^ uint(g5);
  Out[thread * 32u + 2u] = (((uint(g6.x) ^ uint(g6.x >> 32) * 7u) * 31u + (uint(g6.y) ^ uint(g6.y >> 32) * 7u)) * 31u + (uint(g6.z) ^ uint(g6.z >> 32) * 7u));
  Out[thread * 32u + 3u] = uint(int(v13 * 8.0f));
  Out[thread * 32u + 4u] = ((uint(int(v14.m0.x * 8.0f)) * 31u + uint(int(v14.m0.y * 8.0f))) * 31u + uint(int(v14.m0.z * 8.0f)));
  Out[thread * 32u + 5u] = (v14.m1.x * 31u + v14.m1.y);
  Out[thread * 32u + 6u] = ((((uint(v15.x) ^ uint(v15.x >> 32) * 7u) * 31u + (uint(v15.y) ^ uint(v15.y >> 32) * 7u)) * 31u + (uint(v15.z) ^ uint(v15.z >> 32) * 7u)) * 31u + (uint(v15.w) ^ uint(v15.w >> 32) * 7u));
  Out[thread * 32u + 7u] = (uint(v16) ^ uint(v16 >> 32) * 7u);
  Out[thread * 32u + 8u] = Out[thread * 32u + 8u] * 33u ^ v17;
}
