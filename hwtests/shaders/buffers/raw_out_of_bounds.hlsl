// dxc: -T cs_6_0 -E main
// Raw reads beyond the end give zero, writes beyond the end are dropped.
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint far = id < 8 ? id * 4 : 0x10000 * id;
  Out.Store(id * 4, In.Load(far) + 1);
  if (id >= 8) Out.Store(far, 77);
}
