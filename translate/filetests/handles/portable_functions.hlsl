// dxc: -T ps_6_6 -E main
//! options = portable
// Elements of an array that is chosen at run time: each use is a switch over the eight elements. The four uses of
// each of the two operations that are the same share a function; the third operation has one use.
// count: 3 OpFunction
// count: 8 OpFunctionCall
// count: 8 OpImageSampleExplicitLod
// count: 8 OpImageFetch
// count: 8 OpImageQuerySizeLod
// count: 3 OpSwitch
cbuffer C : register(b0) { uint4 ids[4]; }
Texture2D<float4> textures[8] : register(t0);
SamplerState s : register(s0);
float4 main(float2 uv : A) : SV_Target {
  float4 sum = 0;
  [unroll] for (uint i = 0; i < 4; i++) {
    sum += textures[ids[i].x].SampleLevel(s, uv * (i + 1), ids[i].y);
    sum += textures[ids[i].z].Load(uint3(ids[i].xy, 0));
  }
  uint width, height, levels;
  textures[ids[0].w].GetDimensions(0, width, height, levels);
  return sum + width;
}
