// dxc: -T cs_6_0 -E main
// Arrays in a constant buffer, indexed by the thread: each element starts a row.
cbuffer Constants : register(b0) {
  float scale[8];
  uint4 table[16];
  float3 tail[4];
};
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = scale[id & 7] * table[id >> 2][id & 3] + tail[id & 3].z;
}
