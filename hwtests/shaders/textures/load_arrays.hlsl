// dxc: -T cs_6_0 -E main
// Loads from array textures; every layer differs.
Texture1DArray<uint> A : register(t0);
Texture2DArray<int2> B : register(t1);
RWStructuredBuffer<int> Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id * 2] = A[uint2(id & 3, id >> 2)];
  int2 v = B.Load(int4(id & 1, (id >> 1) & 1, id >> 2, 0));
  Out[id * 2 + 1] = v.x * 1000 + v.y;
}
