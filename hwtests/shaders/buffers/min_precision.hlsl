// dxc: -T cs_6_0 -E main
// Min-precision values in raw and structured buffers, where each is a 32-bit value, on numbers
// where every allowed precision gives the same answer.
struct Item {
  min16float a;
  min16int b;
  min16uint c;
  min16float3 v;
  min16int2 w;
  min16uint2x2 m;
};
StructuredBuffer<Item> src : register(t0);
ByteAddressBuffer raw_src : register(t1);
RWStructuredBuffer<Item> dst : register(u0);
RWStructuredBuffer<min16int3> signs : register(u1);
RWStructuredBuffer<min16uint> highs : register(u2);
RWStructuredBuffer<min16float4> floats : register(u3);
RWByteAddressBuffer raw : register(u4);
RWStructuredBuffer<min16int> own : register(u5);
groupshared min16int shared_signs[16];

[numthreads(16, 1, 1)]
void main(uint i : SV_GroupIndex) {
  Item x = src[i];
  shared_signs[i] = x.b;
  GroupMemoryBarrierWithGroupSync();
  floats[i] = min16float4(x.v, x.a) * (min16float)0.5;
  signs[i] = min16int3(-x.w, (min16int)i - (min16int)2);
  highs[i] = x.c + (min16uint)40000;
  x.a = x.a * (min16float)2 + (min16float)1;
  x.b = shared_signs[15 - i] - (min16int)100;
  x.c = x.c * (min16uint)3;
  x.v = x.v.zxy;
  x.w = x.w.yx;
  x.m = x.m + (min16uint)1;
  dst[i] = x;
  dst[i].w.y = (min16int)-7;
  raw.Store<min16float>(i * 16, raw_src.Load<min16float>(i * 16) + (min16float)0.25);
  raw.Store<min16int3>(i * 16 + 4, -raw_src.Load<min16int3>(i * 16 + 4));
  own[i] = own[i] >> (min16int)1;
}
