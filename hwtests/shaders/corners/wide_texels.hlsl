// dxc: -T cs_6_0 -E main
// Textures and typed buffers of 64-bit integers: texels are pairs of words.
Texture2D<uint64_t> Read : register(t0);
Buffer<int64_t> Row : register(t1);
RWStructuredBuffer<uint64_t> Out : register(u0);
RWTexture2D<int64_t> Changed : register(u1);
RWBuffer<uint64_t> Written : register(u2);

[numthreads(4, 4, 1)]
void main(uint2 id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
  uint64_t v = Read.Load(int3(id, 0));
  int64_t w = Changed[id];
  Changed[id] = w - (int64_t)v;
  Written[gi] = v * 3;
  Out[gi] = v + (uint64_t)Row[gi];
}
