// dxc: -T cs_6_2 -E main -enable-16bit-types
// Vectors that begin inside and end outside: the part inside counts; 16- and 64-bit words too.
ByteAddressBuffer Raw : register(t0);
RWByteAddressBuffer RawOut : register(u1);
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(4, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  // Twenty bytes are bound.
  uint at = 8 + id * 4;
  uint4 v = Raw.Load4(at);
  uint16_t2 half2 = Raw.Load<uint16_t2>(16 + id * 2);
  uint64_t wide = Raw.Load<uint64_t>(8 + id * 8);
  v.w += half2.x + half2.y * 100;
  v.z += (uint)wide + (uint)(wide >> 32);
  Out[id] = v;
  if (id == 1)
    RawOut.Store4(at, uint4(1, 2, 3, 4));
  if (id == 3)
    RawOut.Store<uint16_t>(18, (uint16_t)5);
}
