// dxc: -T cs_6_6 -E main
// Handles from the heaps that come along different edges, the same ones for all of a group.
cbuffer C : register(b0) { uint k; };
RWStructuredBuffer<float> Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint lane : SV_GroupIndex, uint group : SV_GroupID) {
  Texture2D<float> t = ResourceDescriptorHeap[k];
  SamplerState s = SamplerDescriptorHeap[0];
  if (group & 1) {
    Out[32 + lane] = id;
    t = ResourceDescriptorHeap[k + 1];
    s = SamplerDescriptorHeap[1];
  }
  RWByteAddressBuffer o = ResourceDescriptorHeap[k + 3];
  [loop] for (uint i = 0; i < group + 1; ++i) o = ResourceDescriptorHeap[k + 2 + (i & 1)];
  o.Store(lane * 4, id + 1);
  Out[id] = t.SampleLevel(s, float2(1.25, 0.25), 0);
}
