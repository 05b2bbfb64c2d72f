// dxc: -T ps_6_0 -E main
// Input attachments: the pixel's own texels of color, depth and stencil, and samples of them.
Texture2D<float4> Color : register(t0, space1);
Texture2D<uint4> Ids : register(t1, space1);
Texture2D<float> Depth : register(t2, space1);
Texture2DMS<float4> Samples : register(t3, space1);

float4 main(float4 position : SV_Position, uint sample_index : SV_SampleIndex) : SV_Target {
  int3 at = int3(position.xy, 0);
  return Color.Load(at) + Ids.Load(at) + Depth.Load(at) + Samples.Load(at.xy, sample_index);
}
