// dxc: -T lib_6_x
// Resources chosen by selections, by a loop, and in functions that are not inlined, all within one library.
StructuredBuffer<uint> First : register(t0);
StructuredBuffer<uint> Second : register(t1);
RWStructuredBuffer<uint> Result : register(u0);
cbuffer Constants : register(b0) { uint Rounds; };

StructuredBuffer<uint> chosen(bool which) { return which ? First : Second; }
[noinline] StructuredBuffer<uint> chosen_apart(uint i) {
  if (i % 3 == 1) return First;
  return Second;
}
[noinline] uint element(StructuredBuffer<uint> from, uint at) { return from[at]; }

[shader("compute")]
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  StructuredBuffer<uint> from = First;
  if (Rounds > id) from = Second;
  Result[id * 3] = from[id];
  uint sum = 0;
  from = chosen(id & 2);
  for (uint i = 0; i < Rounds; i++) {
    sum = sum * 3 + from[(id + i) & 63];
    if (sum & 1) from = chosen(sum & 2);
  }
  Result[id * 3 + 1] = sum;
  Result[id * 3 + 2] = element(chosen_apart(id), id);
}
