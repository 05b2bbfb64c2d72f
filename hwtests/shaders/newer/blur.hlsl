// dxc-newer: -T cs_6_8 -E main
// separable blur with groupshared tiles, heap-indexed images, wave-uniform weights
cbuffer R : register(b0) { uint srcSlot; uint dstSlot; uint radius; float sigma; };
groupshared float3 line_[64 + 32];

[numthreads(64, 1, 1)]
void main(uint2 g : SV_GroupID, uint t : SV_GroupIndex) {
  Texture2D<float4> src = ResourceDescriptorHeap[srcSlot];
  RWTexture2D<float4> dst = ResourceDescriptorHeap[dstSlot];
  uint w, h;
  src.GetDimensions(w, h);
  int x0 = int(g.x * 64) - 16;
  line_[t] = src[uint2(clamp(x0 + int(t), 0, int(w) - 1), g.y)].rgb;
  if (t < 32) line_[64 + t] = src[uint2(clamp(x0 + 64 + int(t), 0, int(w) - 1), g.y)].rgb;
  GroupMemoryBarrierWithGroupSync();
  float3 sum = 0; float norm = 0;
  int r = min(int(radius), 16);
  [loop] for (int i = -r; i <= r; ++i) {
    float k = exp(-i * i / (2 * sigma * sigma));
    sum += line_[int(t) + 16 + i] * k;
    norm += k;
  }
  uint2 at = uint2(g.x * 64 + t, g.y);
  if (at.x < w) dst[at] = float4(sum / norm, 1);
}
