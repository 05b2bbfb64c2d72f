// A comparison uses a sampler that does not compare.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
Texture2D<float> Image : register(t1);
#ifdef DEFECT
SamplerComparisonState Compare : register(s0);
#else
SamplerComparisonState Compare : register(s1);
#endif

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    Out[id.x] = Image.SampleCmpLevelZero(Compare, float2(0.5, 0.5), 0.25);
}
