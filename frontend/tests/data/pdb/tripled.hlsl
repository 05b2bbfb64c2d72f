// dxc: -T cs_6_0 -E main -Zi -Fd tripled.pdb; tripled_slim.pdb is that of -Zs. Without these two lines.
// The shader names its PDB file b90604cefc4bb7770e2fff88558fa805.pdb.
RWBuffer<uint> o : register(u0);
[numthreads(8,1,1)] void main(uint i : SV_DispatchThreadID) { o[i] = i * 3; }
