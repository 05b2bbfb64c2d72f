// dxc: -T cs_6_0 -E main
// Sampling 1D, 3D, cube and array textures.
Texture1D<float> A : register(t0);
Texture3D<float> B : register(t1);
TextureCube<float> C : register(t2);
Texture2DArray<float> D : register(t3);
TextureCubeArray<float> E : register(t4);
Texture1DArray<float> F : register(t5);
SamplerState S : register(s0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(6, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float3 axes[6] = { float3(1, 0, 0), float3(-1, 0, 0), float3(0, 1, 0), float3(0, -1, 0), float3(0, 0, 1), float3(0, 0, -1) };
  uint o = id * 6;
  Out[o + 0] = A.SampleLevel(S, (id + 0.5) / 8, 0);
  Out[o + 1] = B.SampleLevel(S, float3(0.25, 0.75, id < 3 ? 0.25 : 0.75), 0);
  Out[o + 2] = C.SampleLevel(S, axes[id], 0);
  Out[o + 3] = D.SampleLevel(S, float3(0.25, 0.25, id), 0);
  Out[o + 4] = E.SampleLevel(S, float4(axes[id], 1), 0);
  Out[o + 5] = F.SampleLevel(S, float2(0.75, id % 3), 0);
}
