// dxc: -T cs_6_0 -E main
// Every group says that it ran.
RWStructuredBuffer<uint> Groups : register(u0);
[numthreads(1, 1, 1)]
void main(uint3 group : SV_GroupID) { Groups[group.x + 4 * group.y] = 1 + group.x + 10 * group.y; }
