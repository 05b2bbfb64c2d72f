// dxc: -T cs_6_0 -E main
//! options = bounds_checks
//! without = ROBUSTNESS2
// check: OpImageQueryLevels
// check: OpImageQuerySizeLod
// check: OpULessThan
// check: OpAll
// check: OpImageFetch
// check: OpSelect
// check: OpImageQuerySamples
// check: OpImageFetch
// check: OpImageQuerySize
// check: OpULessThan
// check: OpSelectionMerge
// check: OpImageTexelPointer
// check: OpAtomicIAdd
// check: OpPhi
// check: OpSelectionMerge
// check: OpImageWrite
Texture2DArray<float4> a : register(t0);
Texture2DMS<float4> m : register(t1);
RWBuffer<uint> counts : register(u0);
RWTexture2D<float4> o : register(u1);
[numthreads(1, 1, 1)]
void main(uint3 i : SV_GroupID) {
  float4 v = a.Load(int4(i, i.x)) + m.Load(i.xy, i.z);
  uint old;
  InterlockedAdd(counts[i.x], 1, old);
  o[i.xy] = v + old;
}
