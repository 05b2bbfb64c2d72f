// dxc: -T cs_6_6 -E main
//! options = heaps
// A handle is an index; which of two it is comes from a phi.
// check: OpPhi $u
// check: OpAccessChain
// check: OpImageFetch
RWStructuredBuffer<float4> o : register(u0);
cbuffer C : register(b0) { uint k; };
[numthreads(64, 1, 1)]
void main(uint i : SV_DispatchThreadID) {
  Texture2D<float4> t = ResourceDescriptorHeap[k];
  if (i & 1) {
    o[i + 64] = 1;
    t = ResourceDescriptorHeap[k + 7];
  }
  o[i] = t.Load(int3(i, 0, 0));
}
