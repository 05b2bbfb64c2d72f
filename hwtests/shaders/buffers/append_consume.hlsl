// dxc: -T cs_6_0 -E main
// Consumed elements are filtered and appended.
ConsumeStructuredBuffer<uint2> In : register(u0);
AppendStructuredBuffer<uint2> Out : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint2 v = In.Consume();
  if (v.x & 1) Out.Append(uint2(v.x, v.y * 2));
}
