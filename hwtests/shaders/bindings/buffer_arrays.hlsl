// dxc: -T cs_6_0 -E main
// Arrays of structured, raw and writable buffers.
StructuredBuffer<uint> A[3] : register(t0);
ByteAddressBuffer B[2] : register(t8);
RWStructuredBuffer<uint> Out[3] : register(u1);

[numthreads(12, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint which = id % 3;
  uint v = A[NonUniformResourceIndex(which)][id / 3] + B[NonUniformResourceIndex(id & 1)].Load((id & 4));
  Out[NonUniformResourceIndex(2 - which)][id / 3] = v;
}
