// dxc: -T cs_6_0 -E main
// An array of constant buffers, indexed uniformly by the group and by a loop.
struct Light { float4 colour; uint4 mask; };
ConstantBuffer<Light> Lights[4] : register(b2);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(4, 1, 1)]
void main(uint gid : SV_GroupID, uint gi : SV_GroupIndex) {
  float4 sum = Lights[gid].colour;
  [loop] for (uint i = 0; i <= gid; ++i)
    sum += Lights[i].mask[gi];
  Out[gid * 4 + gi] = sum;
}
