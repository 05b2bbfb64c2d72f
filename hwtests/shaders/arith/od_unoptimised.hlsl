// dxc: -T cs_6_0 -E main -Od
// Unoptimised code: every variable lives in memory, expressions are not folded.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

struct Pair { uint2 a; float b; };

uint mix(uint x, inout Pair p) {
  p.a.x += x;
  p.a.y ^= p.a.x;
  p.b = p.b * 0.5 + float(x & 7);
  return p.a.y + uint(p.b);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Pair p;
  p.a = uint2(id, 3);
  p.b = 16;
  uint values[4] = { In[id], In[id] >> 8, 5, id };
  uint sum = 0;
  for (uint i = 0; i < 4; ++i)
    sum += mix(values[i], p);
  Out[id] = sum;
}
