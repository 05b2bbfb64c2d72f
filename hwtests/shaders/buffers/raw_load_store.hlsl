// dxc: -T cs_6_0 -E main
// Raw buffers: loads and stores of one to four words.
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = id * 40;
  Out.Store(a, In.Load(a));
  Out.Store2(a + 4, In.Load2(a + 4).yx);
  Out.Store3(a + 12, In.Load3(a + 12).zxy);
  Out.Store4(a + 24, In.Load4(a + 24).wzyx);
}
