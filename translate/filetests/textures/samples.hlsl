// dxc: -T cs_6_6 -E main
// check: Lod|ConstOffset
// check: Grad
// check: OpImageSampleImplicitLod
// check: OpImageSampleDrefExplicitLod
// check: OpImageGather
// check: OpImageDrefGather
Texture2D<float4> a : register(t0);
TextureCubeArray<float4> b : register(t1);
Texture2DArray<float> c : register(t2);
SamplerState s : register(s0);
SamplerComparisonState k : register(s1);
RWStructuredBuffer<float4> o : register(u0);
[numthreads(8, 8, 1)]
void main(uint2 i : SV_DispatchThreadID) {
  float2 p = i / 64.0;
  o[0] = a.SampleLevel(s, p, 1, int2(1, -1)); o[1] = a.SampleGrad(s, p, 0.1, 0.2); o[2] = a.Sample(s, p, int2(2, 2), 0.5);
  o[3] = a.SampleBias(s, p, 1); o[4] = b.SampleLevel(s, float4(p, 1, 2), 0); o[5] = c.SampleCmpLevelZero(k, float3(p, 1), 0.5);
  o[6] = c.SampleCmp(k, float3(p, 1), 0.5); o[7] = a.GatherGreen(s, p, int2(1, 1)); o[8] = c.GatherCmp(k, float3(p, 1), 0.3, int2(-1, 0));
  o[9] = a.CalculateLevelOfDetail(s, p) + a.CalculateLevelOfDetailUnclamped(s, p);
  o[10] = a.Gather(s, p, int2(i));
}
