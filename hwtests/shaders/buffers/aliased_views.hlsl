// dxc: -T cs_6_0 -E main
// One buffer behind two registers of different kinds.
ByteAddressBuffer Raw : register(t0);
StructuredBuffer<uint3> Structured : register(t1);
RWByteAddressBuffer Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint3 v = Structured[id];
  Out.Store(id * 8, v.x + v.y + v.z);
  Out.Store(id * 8 + 4, Raw.Load(id * 12) ^ Raw.Load(id * 12 + 8));
}
