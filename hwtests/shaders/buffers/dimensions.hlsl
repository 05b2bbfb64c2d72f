// dxc: -T cs_6_0 -E main
// GetDimensions of every kind of buffer.
ByteAddressBuffer Raw : register(t0);
StructuredBuffer<float3> Structured : register(t1);
Buffer<uint> Typed : register(t2);
RWByteAddressBuffer RawOut : register(u0);
RWStructuredBuffer<uint2> StructuredOut : register(u1);
RWBuffer<uint> TypedOut : register(u2);

[numthreads(1, 1, 1)]
void main() {
  uint n, stride;
  Raw.GetDimensions(n);
  RawOut.Store(0, n);
  Structured.GetDimensions(n, stride);
  RawOut.Store2(4, uint2(n, stride));
  Typed.GetDimensions(n);
  RawOut.Store(12, n);
  RawOut.GetDimensions(n);
  RawOut.Store(16, n);
  StructuredOut.GetDimensions(n, stride);
  RawOut.Store2(20, uint2(n, stride));
  TypedOut.GetDimensions(n);
  RawOut.Store(28, n);
}
