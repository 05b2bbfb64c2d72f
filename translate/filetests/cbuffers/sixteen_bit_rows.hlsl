// dxc: -T cs_6_2 -E main -enable-16bit-types
// Eight to a row.
// check: OpBitcast $halves $word
// not: OpShiftRightLogical
cbuffer C : register(b0) { half a, b, c, d, e, f; int16_t g; uint16_t h; double w; int64_t q; };
RWStructuredBuffer<float> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = a + f + g + h + (float)w + (float)q; }
