// dxc: -T cs_6_0 -E main
//! options = bounds_checks
// not: OpArrayLength
StructuredBuffer<float> s : register(t0);
RWStructuredBuffer<float> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = s[i + 1] * 2; }
