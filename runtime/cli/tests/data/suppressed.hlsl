// A race that the source suppresses: dxc -T cs_6_0 -E main -Zi -Qembed_debug
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint tile[64];

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupThreadID, uint id : SV_DispatchThreadID) {
  tile[i] = id * 3;
  // dxil-jit: ignore(races)
  Out[id] = tile[63 - i];
}
