// dxc: -T cs_6_2 -E main -enable-16bit-types
// Bit counts, scans and reversals of 16 and 64 bits.
StructuredBuffer<uint16_t> Narrow : register(t0);
StructuredBuffer<uint64_t> Wide : register(t1);
RWStructuredBuffer<uint4> Out : register(u0);
RWStructuredBuffer<uint2> Low : register(u1);
RWStructuredBuffer<uint16_t> Turned16 : register(u2);
RWStructuredBuffer<uint64_t> Turned64 : register(u3);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint16_t n = Narrow[id];
  uint64_t w = Wide[id];
  Out[id * 2] = uint4(countbits(n), firstbithigh(n), firstbithigh((int16_t)n), countbits(w));
  Out[id * 2 + 1] = uint4(firstbithigh(w), firstbithigh((int64_t)w), 0, 0);
  Low[id] = uint2(firstbitlow(n), firstbitlow(w));
  Turned16[id] = reversebits(n);
  Turned64[id] = reversebits(w);
}
