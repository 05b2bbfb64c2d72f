// dxc: -T cs_6_0 -E main
// Positions of a multisampled texture's samples: D3D's standard patterns.
Texture2DMS<float> T : register(t0);
RWStructuredBuffer<float2> Out : register(u0);

[numthreads(4, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = T.GetSamplePosition(id);
}
