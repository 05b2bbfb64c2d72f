// dxc-newer: -T cs_6_7 -E main
// writable MSAA: RWTexture2DMS load/store by sample, dimensions, in-place tonemap
// check: OpCapability StorageImageMultisample
// check: OpImageRead $vec $image $at Sample
// check: OpImageWrite $target $texel_at $texel Sample
RWTexture2DMS<float4, 4> target : register(u0);

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID) {
  uint w, h, n;
  target.GetDimensions(w, h, n);
  if (id.x >= w || id.y >= h) return;
  float4 first = target[id];
  for (uint s = 0; s < n; ++s) {
    float4 c = target.Load(id, s);
    c.rgb = c.rgb / (1.0f + c.rgb);
    c.a = s == 0 ? first.a : c.a;
    target.sample[s][id] = c;
  }
}
