// dxc: -T cs_6_0 -E main
// ConstantBuffer<T> objects, one of them in another register space.
struct Light { float3 colour; float power; int2 cell[2]; };
ConstantBuffer<Light> First : register(b1);
ConstantBuffer<Light> Second : register(b0, space2);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(2, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id * 2] = float4(First.colour * First.power, First.cell[id].y);
  Out[id * 2 + 1] = float4(Second.colour.zyx, Second.power) + Second.cell[1 - id].x;
}
