// dxc: -T cs_6_0 -E main
// Loads of texels by coordinates from 1D, 2D and 3D textures, with constant offsets.
Texture1D<float> A : register(t0);
Texture2D<float4> B : register(t1);
Texture3D<uint4> C : register(t2);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id * 4 + 0] = A.Load(int2(id, 0));
  Out[id * 4 + 1] = B.Load(int3(id & 3, id >> 2, 0));
  Out[id * 4 + 2] = B.Load(int3(id & 3, 1, 0), int2(0, 1));
  Out[id * 4 + 3] = C.Load(int4(id & 1, (id >> 1) & 1, id >> 2, 0));
}
