// dxc-newer: -T cs_6_7 -E main -enable-16bit-types
// GatherRaw of a uint16_t texture reinterpreted as half
Texture2D<uint16_t> plane : register(t0);
SamplerState pointClamp : register(s0);
RWByteAddressBuffer dst : register(u0);

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID) {
  float2 uv = (float2(id) + 0.5f) / 64.0f;
  uint16_t4 raw = plane.GatherRaw(pointClamp, uv);
  float16_t4 h = asfloat16(raw);
  float16_t m = max(max(h.x, h.y), max(h.z, h.w));
  uint at = (id.y * 64 + id.x) * 8;
  dst.Store<uint16_t4>(at, raw);
  dst.Store<float16_t>(32768 + at, m);
}
