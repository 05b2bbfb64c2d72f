// dxc: -T cs_6_0 -E main
// check: Binding 4294967295
StructuredBuffer<uint> s : register(t4294967290, space4000000000);
StructuredBuffer<uint> a[] : register(t3000000000, space5);
RWStructuredBuffer<uint> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = s[i] + a[i][1]; }
