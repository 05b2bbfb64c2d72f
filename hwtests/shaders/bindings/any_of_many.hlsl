// dxc: -T cs_6_0 -E main
// An array of textures without an end, and indices from memory.
Texture2D<float> T[] : register(t0, space1);
StructuredBuffer<uint> Which : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = T[NonUniformResourceIndex(Which[id])].Load(int3(id & 1, (id >> 1) & 1, 0));
}
