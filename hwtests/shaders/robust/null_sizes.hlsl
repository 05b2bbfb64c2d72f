// dxc: -T cs_6_0 -E main
// Null buffers have no elements.
ByteAddressBuffer Raw : register(t0);
StructuredBuffer<uint4> Structured : register(t1);
RWByteAddressBuffer RawOut : register(u1);
RWStructuredBuffer<uint2> StructuredOut : register(u2);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(1, 1, 1)]
void main() {
  uint count, stride;
  Raw.GetDimensions(count);
  Out[0] = count;
  Structured.GetDimensions(count, stride);
  Out[1] = count;
  Out[2] = stride;
  RawOut.GetDimensions(count);
  Out[3] = count;
  StructuredOut.GetDimensions(count, stride);
  Out[4] = count;
  Out[5] = stride;
}
