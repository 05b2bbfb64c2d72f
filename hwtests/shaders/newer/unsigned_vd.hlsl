// dxc-newer: -T cs_6_8 -E main -Vd
// validation skipped: digest left empty
RWByteAddressBuffer dst : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) { dst.Store(id * 4, reversebits(id) ^ firstbithigh(id + 1)); }
