// dxc-newer: -T ps_6_7 -E main
// A shader may ask for its helper lanes: then nothing is masked. The one that the shader itself asks about stays.
//! targets = vulkan1.1
// check: OpGroupNonUniformBroadcastFirst
// count: 1 OpIsHelperInvocationEXT
// not:   OpGroupNonUniformBallotFindLSB
Texture2D<float4> tex : register(t0);
SamplerState samp : register(s0);

[WaveOpsIncludeHelperLanes]
float4 main(float4 pos : SV_Position, float2 uv : TEXCOORD0, nointerpolation uint mat : MATERIAL) : SV_Target {
  if (((uint(pos.x) ^ uint(pos.y)) & 3) == 3) discard;
  float4 acc = 0;
  bool todo = true;
  while (WaveActiveAnyTrue(todo)) {
    uint m = WaveReadLaneFirst(todo ? mat : 0xffffu);
    if (todo && m == mat) {
      acc = tex.SampleLevel(samp, uv + m * 0.125f, 0);
      todo = false;
    }
    if (m == 0xffffu) break;
  }
  uint lanes = WaveActiveCountBits(true);
  acc.a = IsHelperLane() ? 0 : lanes / 128.0f;
  acc.rgb += QuadReadAcrossX(acc.rgb) * 0.1f;
  return acc;
}
