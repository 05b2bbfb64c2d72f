// dxc: -T cs_6_6 -E main
// error: no location for ResourceDescriptorHeap
RWStructuredBuffer<float4> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { Texture2D<float4> t = ResourceDescriptorHeap[i]; o[i] = t.Load(0); }
