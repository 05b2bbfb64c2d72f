// dxc: -T cs_6_0 -E main
//! without = SCALAR_BLOCK_LAYOUT
// check: OpArrayLength
// check: OpUDiv
// check: OpImageQuerySize
struct S { float3 a; };
StructuredBuffer<S> s : register(t0);
ByteAddressBuffer r : register(t1);
Buffer<uint> t : register(t2);
RWStructuredBuffer<uint> o : register(u0);
[numthreads(1, 1, 1)]
void main() {
  uint n, stride, bytes, texels;
  s.GetDimensions(n, stride); r.GetDimensions(bytes); t.GetDimensions(texels);
  o[0] = n; o[1] = stride; o[2] = bytes; o[3] = texels;
}
