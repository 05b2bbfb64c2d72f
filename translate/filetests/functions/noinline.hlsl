// dxc: -T cs_6_0 -E main
// Functions that are not inlined stay functions; what they get by reference goes through a pointer.
// check: OpFunctionCall
groupshared float sink[64];
[noinline] float twice(float v, inout float acc) { acc += v; return v * 2; }
[noinline] void fill(inout float table[4], uint i) { table[i & 3] = i; }
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  float a = id;
  float t[4] = {1, 2, 3, 4};
  fill(t, id);
  float b = twice(a, t[id & 3]);
  sink[id] = a + b + t[1];
}
