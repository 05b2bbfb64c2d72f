// dxc: -T cs_6_0 -E main
// Arrays with null descriptors between others. One lane a group: lavapipe 25 takes the length of a buffer from the
// first lane's descriptor for all lanes.
StructuredBuffer<uint> Buffers[4] : register(t0);
Texture2D<uint> Textures[4] : register(t4);
RWByteAddressBuffer Outs[4] : register(u1);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(1, 1, 1)]
void main(uint id : SV_GroupID) {
  uint i = id;
  Outs[i].Store(0, id + 50);
  Out[id] = Buffers[i][1] + Textures[i].Load(int3(1, 0, 0));
}
