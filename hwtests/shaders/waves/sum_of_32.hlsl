// dxc: -T cs_6_0 -E main
// A group of 32 threads that adds up what depends on their numbers: it is meant to be one wave.
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_GroupIndex) { Out[id] = WaveActiveSum(id * id + 1); }
