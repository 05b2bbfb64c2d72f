// dxc: -T cs_6_0 -E main
// Loads with status: memory that is there is fully mapped.
StructuredBuffer<uint> In : register(t0);
ByteAddressBuffer Raw : register(t1);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint status, status2;
  uint v = In.Load(id, status);
  uint w = Raw.Load(id * 4, status2);
  Out[id] = v + w + (CheckAccessFullyMapped(status) ? 1000 : 0) + (CheckAccessFullyMapped(status2) ? 2000 : 0);
}
