// dxc: -T cs_6_0 -E main
// A filter over a tile that the threads of a group load together: at most two rounds each.
Texture2D<float4> image : register(t0);
RWTexture2D<float4> target : register(u0);
groupshared float luma[10 * 10];
[numthreads(8, 8, 1)]
void main(uint2 group : SV_GroupID, uint2 local : SV_GroupThreadID, uint index : SV_GroupIndex) {
  int2 corner = int2(group * 8) - 1;
  for (uint i = index; i < 100; i += 64) {
    float3 color = image[corner + int2(i % 10, i / 10)].rgb;
    luma[i] = log2(dot(color, float3(0.299, 0.587, 0.114)) + 1);
  }
  GroupMemoryBarrierWithGroupSync();
  uint at = (local.y + 1) * 10 + local.x + 1;
  float sum = luma[at - 10] + luma[at - 1] + luma[at + 1] + luma[at + 10];
  target[group * 8 + local] = exp2(5 * luma[at] - sum);
}
