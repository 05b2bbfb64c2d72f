// dxc: -T cs_6_5 -E main -enable-16bit-types
// groups: 1 1 1; seed 70011
struct S1 {
  bool2 m0;
  double m1;
  uint m2[3];
  double4 m3;
};
static uint thread;
static uint local;
double clean(double d) { uint low, high; asuint(d, low, high); return double(low & 1023u); }
uint bits(double d) { uint low, high; asuint(d, low, high); return low * 31u + high; }
cbuffer C2 : register(b0) {
  int c3;
  bool c4[2][4];
  S1 c5;
  uint2 c6;
};
RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<S1> T7[4] : register(t0);
RWStructuredBuffer<uint> U8 : register(u1);
ByteAddressBuffer B9 : register(t4);
RWByteAddressBuffer UB10 : register(u2);
float2 f11(uint4 p12) {
  p12.xzwy = uint4((T7[NonUniformResourceIndex((T7[NonUniformResourceIndex((((uint)(abs(clean(c5.m1))))) % 4u)][(U8[thread]) & 63u].m2[(c5.m2[(T7[NonUniformResourceIndex((5u) & 3u)][11].m2[(((uint)(abs(double4(clean(T7[NonUniformResourceIndex((c6.x) & 3u)][11].m3.x), clean(T7[NonUniformResourceIndex((c6.x) & 3u)][11].m3.y), clean(T7[NonUniformResourceIndex((c6.x) & 3u)][11].m3.z), clean(T7[NonUniformResourceIndex((c6.x) & 3u)][11].m3.w)).z)))) % 3u]) % 3u]) % 3u]) & 3u)][(((uint)(abs(clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex((thread) & 3u)][(0u) & 63u].m2[(p12.y) % 3u]) & 3u)][21].m1))))) % 64u].m0.x ? U8[thread] : T7[NonUniformResourceIndex((5u) & 3u)][48].m2[(c5.m2[2]) % 3u]), max(U8[thread].xx, U8[thread].xx), (local - ((uint)(T7[NonUniformResourceIndex((U8[thread]) & 3u)][(((uint)(abs(double4(clean(c5.m3.x), clean(c5.m3.y), clean(c5.m3.z), clean(c5.m3.w)).x)))) % 64u].m0.x))));
  [flatten] if ((((((uint)(abs(double4(clean(c5.m3.x), clean(c5.m3.y), clean(c5.m3.z), clean(c5.m3.w)).w))) ^ U8[thread]) >> (T7[NonUniformResourceIndex((local) & 3u)][(T7[NonUniformResourceIndex((c6.x) % 4u)][(p12.x) % 64u].m2[(c6.x) % 3u]) % 64u].m2[(1u) % 3u] & uint(31))) <= min(c6.x, ((uint)(abs(double4(clean(T7[NonUniformResourceIndex((p12.x) % 4u)][(p12.z) % 64u].m3.x), clean(T7[NonUniformResourceIndex((p12.x) % 4u)][(p12.z) % 64u].m3.y), clean(T7[NonUniformResourceIndex((p12.x) % 4u)][(p12.z) % 64u].m3.z), clean(T7[NonUniformResourceIndex((p12.x) % 4u)][(p12.z) % 64u].m3.w)).z)))))) {
    double2 v13 = B9.Load<double2>(((c6.y) & 15u) * 8u);
  } else if ((!((bool)(double4(clean(T7[NonUniformResourceIndex((31u) % 4u)][(((uint)(c3))) & 63u].m3.x), clean(T7[NonUniformResourceIndex((31u) % 4u)][(((uint)(c3))) & 63u].m3.y), clean(T7[NonUniformResourceIndex((31u) % 4u)][(((uint)(c3))) & 63u].m3.z), clean(T7[NonUniformResourceIndex((31u) % 4u)][(((uint)(c3))) & 63u].m3.w)).z)))) {
    if (((max(thread, U8[thread]) + c5.m2[(7u) % 3u]) == (c6.x << (c6.x & uint(31))))) {
      if ((((int)(((uint)(((int)(((uint)(((int)(double4(clean(T7[NonUniformResourceIndex((U8[thread]) % 4u)][35].m3.x), clean(T7[NonUniformResourceIndex((U8[thread]) % 4u)][35].m3.y), clean(T7[NonUniformResourceIndex((U8[thread]) % 4u)][35].m3.z), clean(T7[NonUniformResourceIndex((U8[thread]) % 4u)][35].m3.w)).x)))) + ((uint)(int(2))))))) + ((uint)(int(2147483647))))) < ((c3 >> int(1)) / (((int)(c4[(local) % 2u][(2u) % 4u])) | int(1))))) {
        p12 = (uint4((~((uint2)65535u)), max(T7[NonUniformResourceIndex((p12.y) & 3u)][(p12.w) & 63u].m2[2], c5.m2[(255u) % 3u]), (c6.y - 255u)) % ((U8[thread].xxxx | ((uint4)31u)) | uint(1)));
        p12 = uint4(((uint)(countbits((c6.y ^ c6.x)))), ((c6.y * U8[thread]) ^ c6.x), (uint2(c5.m2[(c5.m2[(((uint)(abs(double4(clean(c5.m3.x), clean(c5.m3.y), clean(c5.m3.z), clean(c5.m3.w)).w)))) % 3u]) % 3u], c6.y) + U8[thread].xx));
      } else {
        if ((true && (thread <= p12.y))) {
          float2 v14 = clamp(floor(mad(clamp((((float2)((c3.xx & int(255)) - int(127))) - ((float2)(3.0f))), (float2)-512.0, (float2)512.0), ((float2)(T7[NonUniformResourceIndex((c5.m2[0]) & 3u)][(p12.y) % 64u].m2[(U8[thread]) % 3u].xx & uint(255))), ((float2)(thread.xx & uint(255))))), (float2)-512.0, (float2)512.0);
          uint3 v15 = B9.Load3((2) * 4u);
          p12 = uint4(((T7[NonUniformResourceIndex((31u) & 3u)][(((uint)(abs(clean(T7[NonUniformResourceIndex((p12.y) & 3u)][10].m1))))) % 64u].m2[(v15.y) % 3u].xx ^ v15.yz) + c5.m2[0].xx), ((((uint)(abs(double4(clean(T7[NonUniformResourceIndex((p12.x) % 4u)][31].m3.x), clean(T7[NonUniformResourceIndex((p12.x) % 4u)][31].m3.y), clean(T7[NonUniformResourceIndex((p12.x) % 4u)][31].m3.z), clean(T7[NonUniformResourceIndex((p12.x) % 4u)][31].m3.w)).y))) * 949753504u) + thread), clamp(asuint(asfloat((c3 & 0x7fffff) | 0x3f000000)), min(p12.y, p12.z), max(p12.y, p12.z)));
          v14 = clamp(((abs(v14) <= v14) ? ceil((v14 + ((float2)(p12.yw & uint(255))))) : (v14 * clamp(trunc(((float2)(double4(clean(T7[NonUniformResourceIndex((v15.z) & 3u)][(0u) & 63u].m3.x), clean(T7[NonUniformResourceIndex((v15.z) & 3u)][(0u) & 63u].m3.y), clean(T7[NonUniformResourceIndex((v15.z) & 3u)][(0u) & 63u].m3.z), clean(T7[NonUniformResourceIndex((v15.z) & 3u)][(0u) & 63u].m3.w)).yw))), (float2)-512.0, (float2)512.0))), (float2)-512.0, (float2)512.0);
        } else if ((max((-4.0L), clean(T7[NonUniformResourceIndex((3u) & 3u)][(7u) % 64u].m1)) <= clean(c5.m1))) {
          uint3 v16 = ((any(T7[NonUniformResourceIndex((1827461010u) & 3u)][(1u) & 63u].m0.yyy) ? (uint3(1445945358u, 7u, 2u) + p12.zwy) : T7[NonUniformResourceIndex(3)][(p12.w) % 64u].m2[(U8[thread]) % 3u].xxx) ^ min(c5.m2[(3656178337u) % 3u].xxx, uint3(2u, 3u, 2692273596u)));
        }
        uint i17 = 0u;
        do {
        } while (++i17 < 6u && ((bool)(double4(clean(T7[NonUniformResourceIndex((3u) % 4u)][(7u) & 63u].m3.x), clean(T7[NonUniformResourceIndex((3u) % 4u)][(7u) & 63u].m3.y), clean(T7[NonUniformResourceIndex((3u) % 4u)][(7u) & 63u].m3.z), clean(T7[NonUniformResourceIndex((3u) % 4u)][(7u) & 63u].m3.w)).x)));
      }
    } else {
    }
  }
  return step(mad(((float2)(c3.xx & int(255))), clamp(trunc(((float2)(clean(T7[NonUniformResourceIndex(0)][(((uint)(abs(double4(clean(T7[NonUniformResourceIndex((c5.m2[0]) & 3u)][(((uint)(abs(double4(clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.x), clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.y), clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.z), clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.w)).z)))) % 64u].m3.x), clean(T7[NonUniformResourceIndex((c5.m2[0]) & 3u)][(((uint)(abs(double4(clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.x), clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.y), clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.z), clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.w)).z)))) % 64u].m3.y), clean(T7[NonUniformResourceIndex((c5.m2[0]) & 3u)][(((uint)(abs(double4(clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.x), clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.y), clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.z), clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.w)).z)))) % 64u].m3.z), clean(T7[NonUniformResourceIndex((c5.m2[0]) & 3u)][(((uint)(abs(double4(clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.x), clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.y), clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.z), clean(T7[NonUniformResourceIndex((U8[thread]) & 3u)][44].m3.w)).z)))) % 64u].m3.w)).w)))) & 63u].m1).xx))), (float2)-512.0, (float2)512.0), ((float2)(0.0f))), ((float2)(-2.0f)));
}
void f18(S1 p19, S1 p20) {
  float2 v21 = f11(((c5.m2[(((uint)(abs(p20.m1)))) % 3u].xxxx + U8[thread].xxxx) - c5.m2[0].xxxx));
  S1 v22 = T7[NonUniformResourceIndex(0)][(U8[thread]) % 64u];
  if (all(((p20.m0.y ? p19.m2[2].xx : U8[thread].xx) >= U8[thread].xx))) {
    if ((!(!(c5.m0.y && ((bool)(T7[NonUniformResourceIndex((3u) & 3u)][(v22.m2[(p20.m2[1]) % 3u]) & 63u].m2[(p20.m2[0]) % 3u])))))) {
      UB10.Store(thread * 256u + (7) * 4u, ((mad(U8[thread], U8[thread], local)) + p19.m2[(2u) % 3u]));
      double v23 = clamp(abs((clamp(((double)((int)(clamp((double4(clean(T7[NonUniformResourceIndex(1)][31].m3.x), clean(T7[NonUniformResourceIndex(1)][31].m3.y), clean(T7[NonUniformResourceIndex(1)][31].m3.z), clean(T7[NonUniformResourceIndex(1)][31].m3.w)).y * (0.0L)), -65536.0L, 65536.0L)))), (double)-65536.0, (double)65536.0) + double4(clean(v22.m3.x), clean(v22.m3.y), clean(v22.m3.z), clean(v22.m3.w)).x)), (double)-65536.0, (double)65536.0);
      UB10.Store4(thread * 256u + (7) * 4u, (min(p19.m2[(3542263366u) % 3u].xxxx, thread.xxxx) * p19.m2[(((uint)(p20.m0.y))) % 3u].xxxx));
      float2 v24 = f11((uint4(p20.m2[(c6.x) % 3u].xxx, p19.m2[0]) & ((uint4)7u)));
    }
    v21 = (-round(fmod(v21, ((float2)2.0f))));
    p20.m3 = clamp(((double4)((int4)(clamp((((((float16_t)((int)(p20.m3.y) & 7)) + ((float16_t)((int)(double4(clean(v22.m3.x), clean(v22.m3.y), clean(v22.m3.z), clean(v22.m3.w)).z) & 7))) != ((float16_t)(c5.m2[(((uint)(abs(clean(v22.m1))))) % 3u] & uint(15)))) ? ((((float16_t)((int)(p20.m3.z) & 7)) <= ((float16_t)(v22.m2[1] & uint(15)))) ? (clean(T7[NonUniformResourceIndex((p20.m2[(p20.m2[0]) % 3u]) % 4u)][59].m1).xxxx * double4(clean(T7[NonUniformResourceIndex((U8[thread]) % 4u)][(31u) & 63u].m3.x), clean(T7[NonUniformResourceIndex((U8[thread]) % 4u)][(31u) & 63u].m3.y), clean(T7[NonUniformResourceIndex((U8[thread]) % 4u)][(31u) & 63u].m3.z), clean(T7[NonUniformResourceIndex((U8[thread]) % 4u)][(31u) & 63u].m3.w))) : double4(clean(v22.m3.x), clean(v22.m3.y), clean(v22.m3.z), clean(v22.m3.w))) : (p20.m1.xxxx * clean(T7[NonUniformResourceIndex((31u) % 4u)][54].m1).xxxx)), -65536.0L, 65536.0L)))), (double4)-65536.0, (double4)65536.0);
  }
}
bool f25(out bool2 p26[3]) {
  p26[0] = bool2(T7[NonUniformResourceIndex(0)][(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(0)][31].m2[1]) & 3u)][(((uint)(T7[NonUniformResourceIndex((local) & 3u)][(c5.m2[(c6.y) % 3u]) & 63u].m0.x))) % 64u].m2[1]) & 63u].m0.x, T7[NonUniformResourceIndex((c6.x) % 4u)][21].m0.x);
  p26[1] = (((double2)(c5.m0)) < clean(c5.m1).xx);
  p26[2] = (((float16_t2)((int2)(double4(clean(T7[NonUniformResourceIndex((c5.m2[0]) % 4u)][(((uint)(abs(double4(clean(c5.m3.x), clean(c5.m3.y), clean(c5.m3.z), clean(c5.m3.w)).y)))) % 64u].m3.x), clean(T7[NonUniformResourceIndex((c5.m2[0]) % 4u)][(((uint)(abs(double4(clean(c5.m3.x), clean(c5.m3.y), clean(c5.m3.z), clean(c5.m3.w)).y)))) % 64u].m3.y), clean(T7[NonUniformResourceIndex((c5.m2[0]) % 4u)][(((uint)(abs(double4(clean(c5.m3.x), clean(c5.m3.y), clean(c5.m3.z), clean(c5.m3.w)).y)))) % 64u].m3.z), clean(T7[NonUniformResourceIndex((c5.m2[0]) % 4u)][(((uint)(abs(double4(clean(c5.m3.x), clean(c5.m3.y), clean(c5.m3.z), clean(c5.m3.w)).y)))) % 64u].m3.w)).zy) & 7)) == ((float16_t2)(c4[1][(T7[NonUniformResourceIndex(1)][(31u) % 64u].m2[(1u) % 3u]) & 3u].xx)));
  uint i27 = 0u;
  do {
    p26[(local) % 3u][(c6.x) & 1u] = (ceil(((float16_t)(c4[(T7[NonUniformResourceIndex(3)][(T7[NonUniformResourceIndex((((uint)(abs(double4(clean(T7[NonUniformResourceIndex((3u) % 4u)][(U8[thread]) & 63u].m3.x), clean(T7[NonUniformResourceIndex((3u) % 4u)][(U8[thread]) & 63u].m3.y), clean(T7[NonUniformResourceIndex((3u) % 4u)][(U8[thread]) & 63u].m3.z), clean(T7[NonUniformResourceIndex((3u) % 4u)][(U8[thread]) & 63u].m3.w)).x)))) & 3u)][39].m2[(c6.x) % 3u]) & 63u].m2[(0u) % 3u]) % 2u][(c5.m2[(c6.y) % 3u]) & 3u]))) <= float16_t(4.0f));
    [branch] if (((frac(((float)(c5.m2[0] & uint(255)))) == ((float)(i27 & uint(255)))) || (i27 != 4163044624u))) {
      uint4 v28 = B9.Load4(((T7[NonUniformResourceIndex((i27) & 3u)][(c6.y) % 64u].m2[(U8[thread]) % 3u]) % 16u) * 4u);
    }
  } while (++i27 < 1u && ((((float16_t)(p26[0].y)) * ((float16_t)((int)(double4(clean(T7[NonUniformResourceIndex(2)][(((uint)(abs(double4(clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.x), clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.y), clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.z), clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.w)).x)))) & 63u].m3.x), clean(T7[NonUniformResourceIndex(2)][(((uint)(abs(double4(clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.x), clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.y), clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.z), clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.w)).x)))) & 63u].m3.y), clean(T7[NonUniformResourceIndex(2)][(((uint)(abs(double4(clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.x), clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.y), clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.z), clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.w)).x)))) & 63u].m3.z), clean(T7[NonUniformResourceIndex(2)][(((uint)(abs(double4(clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.x), clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.y), clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.z), clean(T7[NonUniformResourceIndex((255u) & 3u)][25].m3.w)).x)))) & 63u].m3.w)).x) & 7))) > ((float16_t)(T7[NonUniformResourceIndex(3)][(T7[NonUniformResourceIndex(0)][(T7[NonUniformResourceIndex(3)][63].m2[(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex((((uint)(abs(double4(clean(T7[NonUniformResourceIndex((2094531861u) & 3u)][56].m3.x), clean(T7[NonUniformResourceIndex((2094531861u) & 3u)][56].m3.y), clean(T7[NonUniformResourceIndex((2094531861u) & 3u)][56].m3.z), clean(T7[NonUniformResourceIndex((2094531861u) & 3u)][56].m3.w)).x)))) & 3u)][(U8[thread]) & 63u].m2[(((uint)(abs(clean(T7[NonUniformResourceIndex(3)][(c6.x) & 63u].m1))))) % 3u]) & 3u)][(T7[NonUniformResourceIndex((((uint)(c4[(31u) % 2u][(c6.x) & 3u]))) & 3u)][(c5.m2[(U8[thread]) % 3u]) % 64u].m2[1]) & 63u].m2[2]) % 3u]) % 64u].m2[(U8[thread]) % 3u]) % 64u].m0.x))));
  return all((c5.m0.yyyx || c4[(1u) & 1u][(T7[NonUniformResourceIndex((c6.y) & 3u)][2].m2[2]) % 4u].xxxx));
}
void f29(inout float3 p30, S1 p31, bool2 p32, S1 p33) {
  Out[thread * 32u + 0u] = Out[thread * 32u + 0u] * 33u ^ p33.m2[(p31.m2[2]) % 3u];
  f18(p33, p31);
  float v34 = clamp((max(fmod(p30.z, ((float)2.0f)), p30.x) - clamp(floor((0.0f)), (float)-512.0, (float)512.0)), (float)-512.0, (float)512.0);
}
[numthreads(32, 1, 1)]
void main(uint3 group : SV_GroupID, uint3 at : SV_DispatchThreadID, uint3 inside : SV_GroupThreadID, uint index : SV_GroupIndex) {
  local = index;
  thread = index + 32u * (group.x + 1u * (group.y + 1u * group.z));
  uint4 v35[6];
  for (uint i36 = 0u; i36 < 6u; ++i36) {
    v35[i36] = ((((uint4)(abs(clean(c5.m1).xxxx))) + c6.yxyx) % (c6.xyyy | uint(1)));
  }
  float v37 = clamp((fmod((((bool)(double4(clean(T7[NonUniformResourceIndex((at.y) % 4u)][41].m3.x), clean(T7[NonUniformResourceIndex((at.y) % 4u)][41].m3.y), clean(T7[NonUniformResourceIndex((at.y) % 4u)][41].m3.z), clean(T7[NonUniformResourceIndex((at.y) % 4u)][41].m3.w)).z)) ? (0.0f) : ((float)(at.z & uint(255)))), ((float)2.0f)) - (T7[NonUniformResourceIndex((v35[(5u) % 6u].x) % 4u)][56].m0.x ? (3.0f) : ((float)(inside.y & uint(255))))), (float)-512.0, (float)512.0);
  double3 v38 = clamp((((inside >= at) ? double3(clean(c5.m1), double4(clean(c5.m3.x), clean(c5.m3.y), clean(c5.m3.z), clean(c5.m3.w)).zx) : ((double3)(c5.m2[(thread) % 3u].xxx & uint(255)))) + (T7[NonUniformResourceIndex(2)][(local) % 64u].m0.xyx ? ((double3)(14087.3125L)) : ((double3)(0.0L)))), (double3)-65536.0, (double3)65536.0);
  float v39 = clamp(trunc((clamp(ceil((4.0f)), (float)-512.0, (float)512.0) * v37)), (float)-512.0, (float)512.0);
  [fastopt] for (uint i40 = 0u; i40 < 1u; ++i40) {
    Out[thread * 32u + 1u] = Out[thread * 32u + 1u] * 33u ^ (((bits(c5.m3.x) * 31u + bits(c5.m3.y)) * 31u + bits(c5.m3.z)) * 31u + bits(c5.m3.w));
    double2 v41 = clamp(((double2)((int2)(clamp((clamp((clamp(((double2)((int2)(clamp(((double4(clean(T7[NonUniformResourceIndex(3)][8].m3.x), clean(T7[NonUniformResourceIndex(3)][8].m3.y), clean(T7[NonUniformResourceIndex(3)][8].m3.z), clean(T7[NonUniformResourceIndex(3)][8].m3.w)).yw * double4(clean(c5.m3.x), clean(c5.m3.y), clean(c5.m3.z), clean(c5.m3.w)).zz) + double2((-4.0L), (3.0L))), -65536.0L, 65536.0L)))), (double2)-65536.0, (double2)65536.0) + v38.zx), (double2)-65536.0, (double2)65536.0) * clamp((((double2)(i40.xx & uint(255))) - clean(T7[NonUniformResourceIndex((thread) & 3u)][(((uint)(abs(v37)))) & 63u].m1).xx), (double2)-65536.0, (double2)65536.0)), -65536.0L, 65536.0L)))), (double2)-65536.0, (double2)65536.0);
    if ((sign(c3) > c3)) {
      UB10.Store<int4>(thread * 256u + ((c6.x) % 16u) * 4u, (((int4)(((uint4)(c3.xxxx)) - ((uint4)(((int4)(c4[(local) % 2u][(((uint)(c5.m0.y))) % 4u].xxxx)))))) | ((int4)int(7))));
      uint i42 = 0u;
      do {
        for (uint i43 = 0u; i43 < ((true ? i40 : i42)) % 3u; ++i43) {
          float4 v44 = clamp((clamp(mad(trunc(((float4)(v35[(((uint)(abs(v37)))) % 6u].yxwz & uint(255)))), ((float4)(2.0f)), clamp(trunc(((float4)(clean(T7[NonUniformResourceIndex((i40) & 3u)][(((uint)(abs(v39)))) % 64u].m1).xxxx))), (float4)-512.0, (float4)512.0)), (float4)-512.0, (float4)512.0) + clamp(trunc((v39.xxxx * ((float4)(36.625f)))), (float4)-512.0, (float4)512.0)), (float4)-512.0, (float4)512.0);
          v35 = v35;
          [branch] if ((mad(abs(v37), v37, ((float)(group.z & uint(255)))) <= floor(v44.x))) {
            float v45 = clamp((trunc(frac(v39)) - clamp(ceil(v39), (float)-512.0, (float)512.0)), (float)-512.0, (float)512.0);
          } else {
            uint v46 = ((!any(((bool2)(i40.xx)))) ? (asuint(abs((2.0f)) + 1.0f) + v35[1].x) : (((bool)(i43)) ? 0u : group.y));
          }
          float4 v47 = frac(round((v37.xxxx * v44)));
          if (((all(c5.m0.xyxx) ? dot(((float16_t2)((int2)(clean(c5.m1).xx) & 7)), ((float16_t2)(c5.m0.yy))) : float16_t(15.0f)) >= (((float16_t)(U8[thread] & uint(15))) + ((float16_t)(i43 & uint(15)))))) {
            float16_t3 v48 = clamp((clamp(floor((T7[NonUniformResourceIndex((group.y) & 3u)][33].m0.x ? float16_t3(float16_t(4.0f), float16_t(0.0f), float16_t(1.0f)) : ((float16_t3)(i43.xxx & uint(15))))), (float16_t3)-16.0, (float16_t3)16.0) - clamp((float16_t3(float16_t(4.0f), float16_t(-4.5f), float16_t(2.0f)) * ((float16_t3)(i42.xxx & uint(15)))), (float16_t3)-16.0, (float16_t3)16.0)), (float16_t3)-16.0, (float16_t3)16.0);
            v47 = ((float4)(sign(mad(float4((-234.625f), (-238.375f), (4.0f), (-2.0f)), ((float4)(0.0f)), v37.xxxx))));
          } else {
          }
        }
      } while (++i42 < 5u && (!(v39 <= (208.5f))));
      break;
    }
  }
  Out[thread * 32u + 2u] = U8[thread];
  Out[thread * 32u + 3u] = Out[thread * 32u + 3u] * 33u ^ (((v35[(((uint)(abs(double4(clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.x), clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.y), clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.z), clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.w)).y)))) % 6u].x * 31u + v35[(((uint)(abs(double4(clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.x), clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.y), clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.z), clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.w)).y)))) % 6u].y) * 31u + v35[(((uint)(abs(double4(clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.x), clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.y), clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.z), clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.w)).y)))) % 6u].z) * 31u + v35[(((uint)(abs(double4(clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.x), clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.y), clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.z), clean(T7[NonUniformResourceIndex((T7[NonUniformResourceIndex(1)][(index) % 64u].m2[(index) % 3u]) % 4u)][50].m3.w)).y)))) % 6u].w);
  Out[thread * 32u + 4u] = Out[thread * 32u + 4u] * 33u ^ uint(int(v37 * 8.0f));
  Out[thread * 32u + 5u] = ((uint(int(v38.x * 16.0L)) * 31u + uint(int(v38.y * 16.0L))) * 31u + uint(int(v38.z * 16.0L)));
  Out[thread * 32u + 6u] = Out[thread * 32u + 6u] * 33u ^ uint(int(v39 * 8.0f));
}
