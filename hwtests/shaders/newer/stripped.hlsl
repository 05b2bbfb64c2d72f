// dxc-newer: -T cs_6_7 -E main -Qstrip_reflect -Qstrip_rootsignature -Qstrip_priv
// container with optional parts stripped
#define RS "UAV(u0)"
RWStructuredBuffer<uint> dst : register(u0);
[RootSignature(RS)] [numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) { dst[id] = WaveGetLaneIndex() + WavePrefixCountBits(id & 1) * 256; }
