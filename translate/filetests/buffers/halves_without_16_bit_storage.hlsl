// dxc: -T cs_6_2 -E main -enable-16bit-types
//! without = STORAGE_16BIT
// Halves of words: shifts for loads, an atomic pair for stores.
// check: OpAtomicAnd
// check: OpAtomicOr
// not: OpCapability StorageBuffer16BitAccess
// not: ArrayStride 2
struct S { half3 a; uint16_t b; };
StructuredBuffer<S> s : register(t0);
RWStructuredBuffer<S> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { S v = s[i]; v.a *= v.a.x; v.b += 3; o[i] = v; }
