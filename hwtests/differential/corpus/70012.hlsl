// dxc: -T cs_6_5 -E main
// groups: 1 1 2; seed 70012
struct S1 {
  uint64_t m0;
};
struct S2 {
  double m0;
  int64_t2 m1[3];
  double m2[2];
  S1 m3;
  S1 m4;
};
static uint thread;
static uint local;
double clean(double d) { uint low, high; asuint(d, low, high); return double(low & 1023u); }
uint bits(double d) { uint low, high; asuint(d, low, high); return low * 31u + high; }
cbuffer C3 : register(b0) {
  bool3 c4;
  S1 c5;
  S2 c6;
};
cbuffer C7 : register(b1) {
  S1 c8;
  double3 c9[3][2];
};
RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<float> T10 : register(t0);
RWStructuredBuffer<uint3> U11 : register(u1);
groupshared double2 x12[64];
groupshared float own13[64];
groupshared uint words[8];
RWStructuredBuffer<uint> A14 : register(u8);
float f15(inout double4 p16) {
  for (uint i17 = 0u; i17 < 1u; ++i17) {
    p16.y = clamp(max((double3(clean(c9[(thread) % 3u][(local) % 2u].x), clean(c9[(thread) % 3u][(local) % 2u].y), clean(c9[(thread) % 3u][(local) % 2u].z)).y + ((double)(((float)(asuint(T10[30]) & 255u))))), clean(c6.m2[(((uint)(c5.m0))) & 1u])), (double)-65536.0, (double)65536.0);
    p16.zywx = abs((c4.y ? double4((19703.9375L), (4.0L), (0.0L), (-1.0L)) : p16));
    [flatten] if ((((int64_t)(((uint64_t)(((int64_t)(((uint64_t)(((int64_t)0))) - ((uint64_t)(c6.m1[(((uint)(abs(clean(c6.m0))))) % 3u].x)))))) - ((uint64_t)(c6.m1[(local) % 3u].x)))) > ((int64_t)(((uint64_t)(c6.m1[(thread) % 3u].x)) + ((uint64_t)(c6.m1[(U11[thread].z) % 3u].x)))))) {
      int64_t4 v18 = (c4.z ? ((!((bool4)false)) ? (false ? ((int64_t4)(p16)) : c6.m1[(thread) % 3u].yyyy) : c6.m1[(local) % 3u].yyxy) : (c4.z ? c6.m1[(U11[thread].x) % 3u].yxyy : c6.m1[0].yyyy));
      v18[(i17) & 3u] = (((int64_t)(((uint64_t)(((int64_t)0))) - ((uint64_t)(c6.m1[(31u) % 3u].y)))) ^ c6.m1[2].y);
    } else {
      continue;
    }
  }
  return clamp(ceil((((float)(asuint(T10[38]) & 255u)) - own13[local])), (float)-512.0, (float)512.0);
}
[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint3 at : SV_DispatchThreadID, uint3 inside : SV_GroupThreadID, uint index : SV_GroupIndex) {
  local = index;
  thread = index + 64u * (group.x + 1u * (group.y + 1u * group.z));
  own13[local] = (float)0;
  uint4 v19[3];
  for (uint i20 = 0u; i20 < 3u; ++i20) {
    v19[i20] = (max(uint4(1u, 3453131822u, 3u, 0u), inside.zyxx) & group.zxzx);
  }
  bool3 v21[5] = { (c4 && c4), bool3(((bool2)(inside.yz)), false), bool3(c4.x, c4.zz), (((float3)(v19[(thread) % 3u].yxy & uint(255))) != ((float)(asuint(T10[(at.y) & 63u]) & 255u)).xxx), bool3(((bool3)true)) };
  S2 v22 = c6;
  int v23 = clamp(((int)(((uint)(((int)(firstbitlow(((int)(clean(c6.m0)))))))) + ((uint)(((int)(v22.m1[0].y)))))), min((v21[(inside.y) % 5u].z ? int(7) : ((int)(v19[(group.x) % 3u].x))), ((int)(v22.m1[(at.y) % 3u].x))), max((v21[(inside.y) % 5u].z ? int(7) : ((int)(v19[(group.x) % 3u].x))), ((int)(v22.m1[(at.y) % 3u].x))));
  [flatten] if ((group.x & 7u) > 0u) {
    x12[local] = clamp(((double2)((int2)(clamp((abs(double2((-2.0L), (-4.0L))) * clean(v22.m0).xx), -65536.0L, 65536.0L)))), (double2)-65536.0, (double2)65536.0);
    GroupMemoryBarrierWithGroupSync();
    double2 v24 = x12[(index) & 63u];
    AllMemoryBarrierWithGroupSync();
  }
  uint i25 = 0u;
  while (i25++ < 5u) {
    U11[thread].z = (false ? (v19[(i25) % 3u].y - i25) : inside.y);
    Out[thread * 32u + 0u] = ((uint(c6.m1[(local) % 3u].x) ^ uint(c6.m1[(local) % 3u].x >> 32) * 7u) * 31u + (uint(c6.m1[(local) % 3u].y) ^ uint(c6.m1[(local) % 3u].y >> 32) * 7u));
    double2 v26 = QuadReadAcrossX(clamp(max((double3(clean(c9[(U11[thread].y) % 3u][(at.y) % 2u].x), clean(c9[(U11[thread].y) % 3u][(at.y) % 2u].y), clean(c9[(U11[thread].y) % 3u][(at.y) % 2u].z)).xz - clean(v22.m2[(index) % 2u]).xx), clean(c6.m0).xx), (double2)-65536.0, (double2)65536.0));
    v19[2] *= ((abs(((double)(c4.z))) < clean(c6.m2[(index) & 1u])) ? min(max(inside.zzyy, ((uint4)7u)), v19[0].wzxw) : uint4(1u, index.xxx));
    uint i27 = 0u;
    while (i27++ < 3u && (!(clean(v22.m2[(v19[1].z) % 2u]) <= clean(v22.m2[(255u) % 2u])))) {
      v26 = clamp(double2(((false ? double3(clean(c9[(i25) % 3u][(255u) & 1u].x), clean(c9[(i25) % 3u][(255u) & 1u].y), clean(c9[(i25) % 3u][(255u) & 1u].z)).x : v26.y) + (4.0L)), max((v21[(at.z) % 5u].x ? clean(c6.m2[(v19[(index) % 3u].x) & 1u]) : ((double)(thread & uint(255)))), double3(clean(c9[(i27) % 3u][(U11[thread].y) & 1u].x), clean(c9[(i27) % 3u][(U11[thread].y) & 1u].y), clean(c9[(i27) % 3u][(U11[thread].y) & 1u].z)).x)), (double2)-65536.0, (double2)65536.0);
      double4 v28 = clamp(WavePrefixSum(clamp(((double4)((int4)(clamp((((c4.z ? double3(clean(c9[(index) % 3u][(((uint)(v22.m4.m0))) & 1u].x), clean(c9[(index) % 3u][(((uint)(v22.m4.m0))) & 1u].y), clean(c9[(index) % 3u][(((uint)(v22.m4.m0))) & 1u].z)).xyyy : ((double4)(-2.0L))) * v26.xxyy) + clean(c6.m0).xxxx), -65536.0L, 65536.0L)))), (double4)-65536.0, (double4)65536.0)), (double4)-65536.0, (double4)65536.0);
      float v29 = clamp(mad(clamp(trunc((own13[local] * own13[local])), (float)-512.0, (float)512.0), clamp(((-1.0f) + ((float)(asuint(T10[(i27) & 63u]) & 255u))), (float)-512.0, (float)512.0), ((float)(asuint(T10[12]) & 255u))), (float)-512.0, (float)512.0);
      v28 = clamp((((own13[local] * own13[local]) <= v29) ? (-(false ? ((double4)(26569.3125L)) : clean(v22.m2[1]).xxxx)) : (v26.yxxx * ((double4)(thread.xxxx & uint(255))))), (double4)-65536.0, (double4)65536.0);
    }
    double4 v30;
    v30 = clamp((((double4)(i25.xxxx & uint(255))) - v26.yxyy), (double4)-65536.0, (double4)65536.0);
    float v31 = f15(v30);
  }
  [flatten] if ((((v21[2].x ? (int64_t(2589410327u) << 32 | int64_t(569526809u)) : ((int64_t)(clean(v22.m2[0])))) & c6.m1[(at.x) % 3u].x) > (((bool)(c6.m4.m0)) ? v22.m1[(v19[(index) % 3u].x) % 3u].x : v22.m1[(3u) % 3u].x))) {
    if ((((int)(((uint)(((int)(((uint)(((int)0))) - ((uint)(v23)))))) - ((uint)(v23)))) >= asint(abs(own13[local]) + 1.0f))) {
      double v32 = clamp(((double)((int)(clamp((((clean(v22.m0) > clean(v22.m0)) || ((bool)(v22.m1[(inside.y) % 3u].x))) ? ((((float)(asuint(T10[(local) % 64u]) & 255u)) > (33.375f)) ? ((clean(v22.m2[(v19[(at.z) % 3u].x) & 1u]) * clean(v22.m0)) + double3(clean(c9[2][1].x), clean(c9[2][1].y), clean(c9[2][1].z)).z) : ((double)(v22.m1[(inside.y) % 3u].y & int64_t(255)))) : (double3(clean(c9[(U11[thread].z) % 3u][(index) % 2u].x), clean(c9[(U11[thread].z) % 3u][(index) % 2u].y), clean(c9[(U11[thread].z) % 3u][(index) % 2u].z)).y - double3(clean(c9[(5u) % 3u][(index) & 1u].x), clean(c9[(5u) % 3u][(index) & 1u].y), clean(c9[(5u) % 3u][(index) & 1u].z)).z)), -65536.0L, 65536.0L)))), (double)-65536.0, (double)65536.0);
      v21[(v19[(((uint)(v22.m3.m0))) % 3u].w) % 5u].yzx = ((c4 ? ((uint64_t3)(abs(clean(c6.m0).xxx))) : ((uint64_t3)(abs(((float)(asuint(T10[(group.x) & 63u]) & 255u)).xxx)))) > ((uint64_t3)(abs(clean(v22.m2[(group.x) % 2u]).xxx))));
      v21 = v21;
      if ((!((-((float)(asuint(T10[(at.y) % 64u]) & 255u))) != own13[local]))) {
        float v33 = trunc((frac((0.0f)) * ((float)((v23 & int(255)) - int(127)))));
      }
    }
  }
  [flatten] if ((((((bool)(index)) ? clean(v22.m2[(index) & 1u]) : clean(c6.m2[(index) & 1u])) + ((double)(v22.m4.m0 & uint64_t(255)))) > (double3(clean(c9[(index) % 3u][0].x), clean(c9[(index) % 3u][0].y), clean(c9[(index) % 3u][0].z)).x + (2.0L)))) {
    v23 = (all((thread.xx >= at.yz)) ? (c4.y ? (c4.x ? int(255) : v23) : v23) : ((v23 >> int(1)) / (v23 | int(1))));
    uint i34 = 0u;
    while (i34++ < 6u && (!(v21[4].z && c4.z))) {
      double4 v35;
      v35 = (-((double4)(v22.m3.m0.xxxx & uint64_t(255))));
      float v36 = f15(v35);
      v23 &= ((int)(reversebits((~(c4.y ? v23 : v23)))));
      int64_t2 v37 = WaveActiveMin(((int64_t2)(mad(((uint64_t2)(abs(c6.m1[(((uint)(v22.m4.m0))) % 3u] >> int64_t(1)))), ((uint64_t2)(c6.m1[(inside.y) % 3u].yy)), ((uint64_t2)(c6.m1[1]))))));
      for (uint i38 = 0u; i38 < ((((uint)(abs(v36))) + inside.y)) % 3u; ++i38) {
        uint v39 = WaveActiveCountBits(true);
        v37 = ((int64_t2((v21[4].z ? (int64_t(0u) << 32 | int64_t(0u)) : v37.y), ((int64_t(0u) << 32 | int64_t(65535u)) ^ (int64_t(0u) << 32 | int64_t(5u)))) >> int64_t(1)) % ((((bool)(v36)) ? c6.m1[(5u) % 3u] : ((int64_t2)(int64_t(0u) << 32 | int64_t(3u)))) | int64_t(1)));
      }
      uint i40 = 0u;
      do {
        float4 v41 = clamp(min(floor(trunc(own13[local].xxxx)), fmod(((float)(asuint(T10[31]) & 255u)).xxxx, ((float4)1.0f))), (float4)-512.0, (float4)512.0);
        uint64_t v42 = WaveActiveBitOr((((uint64_t(0u) << 32 | uint64_t(1u)) << (v22.m4.m0 & uint64_t(63))) ^ v22.m3.m0));
        v21 = v21;
        v37 |= ((min(v37, v37) | v22.m1[(v19[0].x) % 3u]) ^ (v37.xx & v22.m1[(inside.x) % 3u]));
        if ((((group.z - index) * i34) > (U11[thread].y + v19[(index) % 3u].w))) {
          v41 = frac(fmod((c4.yzxx ? float4((2.0f), (0.0f), (4.0f), (-211.5f)) : v36.xxxx), ((float4)2.0f)));
          v41.y = trunc(saturate(mad(v36, (486.5f), v41.z)));
        }
      } while (++i40 < 4u && ((c6.m1[(v19[2].z) % 3u].y ^ c6.m1[(v19[(v19[0].z) % 3u].x) % 3u].y) <= c6.m1[0].y));
      v23 |= (((~(v23 >> (int(3) & int(31)))) >> int(1)) / (asint(v19[(local) % 3u].x) | int(1)));
    }
    float2 v43 = frac(((((uint64_t)(v21[4].y)) != c6.m4.m0) ? float2(((float)(asuint(T10[(v19[(at.y) % 3u].y) & 63u]) & 255u)).xx) : own13[local].xx));
  } else {
  }
  Out[thread * 32u + 1u] = Out[thread * 32u + 1u] * 33u ^ ((U11[thread].x * 31u + U11[thread].y) * 31u + U11[thread].z);
  Out[thread * 32u + 2u] = Out[thread * 32u + 2u] * 33u ^ uint(int(own13[local] * 8.0f));
  Out[thread * 32u + 3u] = (((v19[2].x * 31u + v19[2].y) * 31u + v19[2].z) * 31u + v19[2].w);
  Out[thread * 32u + 4u] = (((v21[(inside.y) % 5u].x ? 1u : 0u) * 31u + (v21[(inside.y) % 5u].y ? 1u : 0u)) * 31u + (v21[(inside.y) % 5u].z ? 1u : 0u));
  Out[thread * 32u + 5u] = bits(v22.m0);
  Out[thread * 32u + 6u] = Out[thread * 32u + 6u] * 33u ^ ((uint(v22.m1[(v19[(index) % 3u].x) % 3u].x) ^ uint(v22.m1[(v19[(index) % 3u].x) % 3u].x >> 32) * 7u) * 31u + (uint(v22.m1[(v19[(index) % 3u].x) % 3u].y) ^ uint(v22.m1[(v19[(index) % 3u].x) % 3u].y >> 32) * 7u));
  Out[thread * 32u + 7u] = bits(v22.m2[(thread) % 2u]);
  Out[thread * 32u + 8u] = (uint(v22.m3.m0) ^ uint(v22.m3.m0 >> 32) * 7u);
  Out[thread * 32u + 9u] = (uint(v22.m4.m0) ^ uint(v22.m4.m0 >> 32) * 7u);
  Out[thread * 32u + 10u] = uint(v23);
}
