// dxc: -T cs_6_0 -E main -Od
// Constants on the left of a sum or a product are found, too.
// count: 1 ArrayStride 16
// not: OpShiftRightLogical
ByteAddressBuffer source : register(t0);
RWByteAddressBuffer target : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  target.Store4(32 + 48 * id, source.Load4(16 + id * 16));
}
