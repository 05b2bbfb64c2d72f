// dxc: -T cs_6_0 -E main -Od
// What is left of a random program: a case that is left early, continues, or falls through, of a switch with a target
// that is its merge block, in a case of another switch.
StructuredBuffer<uint4> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint program(inout uint v0, inout uint v1, inout uint v2, inout uint v3, out uint reached) {
  uint h = 2166136261u;
  [loop] for (uint i = 0; i < 2; ++i) {
    v3 = (v3 ^ h >> 10) * 45u + v1;
    switch (v2 >> 4 & 1) {
      case 1: {
        h = (h ^ 0x3fcd1ce4u) * 16777619u;
        switch (v3 >> 1 & 3) {
          case 2: case 3: default: {
          }
            if ((v2 >> 10) < (v3 >> 10)) {
              break;
            }
            if ((((v0 >> 0 & 1) == 0 || ((v1 >> 10) < (v0 >> 10) || (v0 >> 16 & 3) == 1)) && (v0 >> 14 & 1) == 1)) {
              continue;
            }
          case 0: {
          }
            { reached = h; return h; }
        }
      }
      case 0: default: {
      }
    }
  }
  reached = h;
  return h;
}

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint4 v = In[id.x];
  uint h;
  program(v.x, v.y, v.z, v.w, h);
  Out[id.x] = h;
}
