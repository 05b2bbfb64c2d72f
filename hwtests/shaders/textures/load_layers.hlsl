// dxc: -T cs_6_0 -E main
// Loads from the layers of a texture, in a shader without any other vector of two integers.
Texture2DArray<uint> A : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
  Out[i] = A.Load(int4(i & 1, i >> 1 & 1, i >> 2, 0));
}
