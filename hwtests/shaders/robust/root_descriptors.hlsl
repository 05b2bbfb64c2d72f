// dxc: -T cs_6_0 -E main
// Root descriptors end where the job's views end.
StructuredBuffer<uint2> In : register(t0);
ByteAddressBuffer Raw : register(t1);
RWStructuredBuffer<uint> Out : register(u0);
RWByteAddressBuffer RawOut : register(u1);
cbuffer Rows : register(b0) { uint4 rows[16]; }

[RootSignature("SRV(t0), SRV(t1), UAV(u0), UAV(u1), CBV(b0)")]
[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint far = id < 8 ? id : id * 0x1001;
  Out[id] = In[far].y + Raw.Load(far * 4) + rows[id].x + 1;
  if (id >= 8) Out[far] = 99;
  RawOut.Store2(far * 8, uint2(id, 2));
}
