// dxc: -T vs_6_0 -E main
// A triangle over everything; its colour comes through the vertex stage's own s0.
#define RS "DescriptorTable(SRV(t0)), " \
  "StaticSampler(s0, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_CLAMP, visibility = SHADER_VISIBILITY_VERTEX), " \
  "StaticSampler(s0, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_WRAP, visibility = SHADER_VISIBILITY_PIXEL)"
Texture2D<float> T : register(t0);
SamplerState S : register(s0);

[RootSignature(RS)]
void main(uint id : SV_VertexID, out float4 position : SV_Position, out nointerpolation float value : VALUE) {
  position = float4(id == 1 ? 3 : -1, id == 2 ? 3 : -1, 0.5, 1);
  value = T.SampleLevel(S, float2(1.25, 0.5), 0);
}
