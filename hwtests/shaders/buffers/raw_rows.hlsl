// dxc: -T cs_6_2 -E main -Od
// Vectors of raw buffers whose offsets have their constant on the left, at a stride that the shader
// does not know.
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);
cbuffer C : register(b0) { uint stride; }

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint at = id * stride;
  uint3 a = In.Load3(at);
  uint b = In.Load(12 + at);
  uint2 c = In.Load2(16 + at);
  uint4 d = In.Load4(32 + id * 16);
  Out.Store4(id * 48, uint4(a, b));
  Out.Store2(16 + id * 48, c.yx);
  Out.Store2(id * 48 + 24, uint2(b, a.x));
  Out.Store4(id * 48 + 32, d.wzyx);
}
