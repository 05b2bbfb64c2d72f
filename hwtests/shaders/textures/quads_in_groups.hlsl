// dxc: -T cs_6_6 -E main
// Quads of two by two threads in a group with three sides: derivatives, levels of detail and the
// numbers of the threads.
Texture2D<float> Levels : register(t0);
StructuredBuffer<float> Random : register(t1);
TextureCube<float> Cube : register(t2);
SamplerState Smooth : register(s0);
struct Row {
  float4 Derivatives;
  float4 Sampled;
  float4 Queried;
  uint4 Thread;
};
RWStructuredBuffer<Row> Out : register(u0);

[numthreads(8, 4, 2)]
void main(uint3 at : SV_DispatchThreadID, uint3 thread : SV_GroupThreadID, uint index : SV_GroupIndex) {
  uint place = (at.z * 8 + at.y) * 8 + at.x;
  float v = Random[place];
  // One thread is 2 texels in x and 4 in y.
  float2 uv = float2(thread.xy) * float2(2, 4) / 64;
  // One thread is 2 texels of a face.
  float2 side = (float2(thread.xy) - float2(3.5, 1.5)) / 4;
  Row row;
  row.Derivatives = float4(ddx_coarse(v), ddy_coarse(v), ddx_fine(v), ddy_fine(v));
  row.Sampled = float4(Levels.Sample(Smooth, uv), Levels.SampleBias(Smooth, uv, 1),
                       Levels.Sample(Smooth, uv, int2(1, 0)), Levels.SampleBias(Smooth, uv, -1.5));
  row.Queried = float4(Levels.CalculateLevelOfDetail(Smooth, uv * 1024),
                       Levels.CalculateLevelOfDetailUnclamped(Smooth, uv / 64),
                       Cube.CalculateLevelOfDetail(Smooth, 2 * float3(1, side.yx)),
                       Cube.CalculateLevelOfDetail(Smooth, 3 * float3(side.x, -1, side.y)));
  row.Thread = uint4(thread, index);
  Out[place] = row;
}
