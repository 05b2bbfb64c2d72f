// dxc: -T cs_6_0 -E main
// Samples of a multisampled texture, their count and their positions.
Texture2DMS<float4> T : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(4, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint w, h, n;
  T.GetDimensions(w, h, n);
  float4 v = T.Load(int2(1, 0), id);
  Out[id] = (w * 100 + h) * 100 + n + (v.x == 0 && v.w == 0 ? 10000000 : 0);
}
