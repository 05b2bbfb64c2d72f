// dxc: -T cs_6_0 -E main
// Of an offset that is not constant, a gather takes the low six bits with their sign (D3D11.3
// functional specification, 22.4.4).
//! targets = vulkan1.3
// check: $six = OpConstant $word 6
// check: OpBitFieldSExtract $pair $offset $zero $six
// count: 1 OpBitFieldSExtract
Texture2D<float4> t : register(t0);
SamplerState s : register(s0);
RWStructuredBuffer<float4> result : register(u0);
StructuredBuffer<int2> offsets : register(t1);

[numthreads(1, 1, 1)]
void main() {
  result[0] = t.Gather(s, float2(0.5, 0.5), offsets[0]);
}
