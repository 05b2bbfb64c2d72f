// dxc: -T cs_6_2 -E main -enable-16bit-types
// check: OpCapability StorageBuffer16BitAccess
// check: ArrayStride 2
// not: OpAtomicAnd
struct S { half3 a; uint16_t b; };
StructuredBuffer<S> s : register(t0);
RWStructuredBuffer<S> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { S v = s[i]; v.a *= v.a.x; v.b += 3; o[i] = v; }
