// dxc: -T cs_6_0 -E main
// Null descriptors of every kind: reads are zero, writes are dropped.
cbuffer Nothing : register(b0) { uint4 rows[4]; }
ByteAddressBuffer Raw : register(t0);
StructuredBuffer<uint4> Structured : register(t1);
Buffer<float4> Typed : register(t2);
Texture1D<float4> Line : register(t3);
Texture2D<uint4> Flat : register(t4);
Texture2DArray<int4> Layers : register(t5);
Texture3D<float4> Solid : register(t6);
TextureCube<float4> Cube : register(t7);
Texture2DMS<float4> Samples : register(t8);
SamplerState S : register(s0);
RWByteAddressBuffer RawOut : register(u1);
RWStructuredBuffer<uint4> StructuredOut : register(u2);
RWBuffer<uint> TypedOut : register(u3);
RWTexture2D<uint> FlatOut : register(u4);
RWTexture3D<float> SolidOut : register(u5);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(4, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  RawOut.Store4(id * 16, 7);
  StructuredOut[id] = 7;
  TypedOut[id + 1] = 7;
  FlatOut[uint2(id + 1, 2)] = 7;
  SolidOut[uint3(1, id, 2)] = 7;
  uint old[4];
  RawOut.InterlockedAdd(id * 4, 3, old[0]);
  InterlockedOr(StructuredOut[id].y, 3, old[1]);
  InterlockedMax(TypedOut[id + 1], 3, old[2]);
  InterlockedAdd(FlatOut[uint2(id + 1, 1)], 3, old[3]);
  AllMemoryBarrierWithGroupSync();
  uint4 sum = rows[id] + Raw.Load4(id * 16) + Structured[id] + asuint(Typed[id]);
  sum += asuint(Line.Load(int2(id, 0))) + Flat.Load(int3(id, 1, 0));
  sum += asuint(Layers.Load(int4(id, 0, 1, 0))) + asuint(Solid.Load(int4(0, id, 0, 0)));
  sum += asuint(Cube.SampleLevel(S, float3(1, id, 0.5), 0)) + asuint(Samples.Load(int2(id, 0), 1));
  sum += RawOut.Load4(id * 16) + StructuredOut[id];
  sum += TypedOut[id + 1] + FlatOut[uint2(id + 1, 2)] + asuint(SolidOut[uint3(1, id, 2)]);
  sum += uint4(old[0], old[1], old[2], old[3]);
  // Where a missing component would be one, it is not looked at.
  Out[id] = sum.x + sum.y + sum.z;
}
