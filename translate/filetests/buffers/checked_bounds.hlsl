// dxc: -T cs_6_0 -E main
//! options = bounds_checks
//! without = ROBUSTNESS2
// check: OpArrayLength
// check: OpULessThan
// check: OpSelect
// check: OpSelectionMerge
StructuredBuffer<float> s : register(t0);
RWStructuredBuffer<float> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = s[i + 1] * 2; }
