// dxc: -T cs_6_0 -E main
// Loads of texels outside: row, column, slice, layer, level. All are zero; inside nothing changes.
Texture1D<uint> Line : register(t0);
Texture2D<uint4> Flat : register(t1);
Texture2DArray<uint> Layers : register(t2);
Texture3D<uint> Solid : register(t3);
Texture2DMS<float4> Samples : register(t4);
RWTexture2D<uint> Writable : register(u1);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  // The first half is inside, the second outside, the last ones far.
  int at = id < 4 ? 0 : id < 6 ? 4 : id == 6 ? -1 : 0x7fffffff;
  uint base = id * 10;
  Out[base + 0] = Line.Load(int2(at, 0));
  Out[base + 1] = Flat.Load(int3(at, 0, 0)).y;
  Out[base + 2] = Flat.Load(int3(0, at, 0)).z;
  Out[base + 3] = Flat.Load(int3(0, 0, at)).w;
  Out[base + 4] = Layers.Load(int4(1, 1, at, 0));
  Out[base + 5] = Layers.Load(int4(at, 1, 1, 0));
  Out[base + 6] = Solid.Load(int4(1, 1, at, 0));
  Out[base + 7] = Solid.Load(int4(1, at, 1, 0));
  Out[base + 8] = asuint(Samples.Load(int2(at, 0), 0).x);
  Out[base + 9] = Writable[int2(at, 1)];
}
