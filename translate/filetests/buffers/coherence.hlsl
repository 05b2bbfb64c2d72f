// dxc: -T cs_6_0 -E main
// check: OpDecorate $t Coherent
// check: OpMemberDecorate $b 0 Coherent
globallycoherent RWStructuredBuffer<uint> s : register(u0);
globallycoherent RWTexture2D<uint> t : register(u1);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { s[i] = t[uint2(i, 0)]; t[uint2(i, 1)] = s[i + 1]; }
