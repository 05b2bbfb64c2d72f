// dxc: -T lib_6_x
// A compute shader whose functions are in another library: resources are arguments, results and members of arrays.
Texture2D<float4> Pictures[3] : register(t1);
SamplerState Nearest : register(s0);
StructuredBuffer<uint> First : register(t4);
StructuredBuffer<uint> Second : register(t5);
RWStructuredBuffer<uint> Result : register(u0);
RWStructuredBuffer<uint> Other : register(u1);

float4 looked_up(Texture2D<float4> picture, SamplerState how, float2 at);
StructuredBuffer<uint> chosen(StructuredBuffer<uint> a, StructuredBuffer<uint> b, uint which);
void put(RWStructuredBuffer<uint> into, uint at, uint value);
uint sum(StructuredBuffer<uint> from[2], uint at);
void swap(inout StructuredBuffer<uint> a, inout StructuredBuffer<uint> b);

[shader("compute")]
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  float4 color = looked_up(Pictures[1], Nearest, float2(id % 4 + 0.5, id / 4 % 4 + 0.5) / 4);
  put(Result, id * 4, uint(color.x));
  put(Result, id * 4 + 1, chosen(First, Second, id % 3)[id]);
  StructuredBuffer<uint> both[2] = { First, Second };
  put(Result, id * 4 + 2, sum(both, id));
  StructuredBuffer<uint> a = First;
  StructuredBuffer<uint> b = Second;
  for (uint i = 0; i < id % 4; i++) swap(a, b);
  put(Result, id * 4 + 3, a[id] * 2 + b[id]);
  if (id & 1) put(Other, id, id);
  else put(Other, id, both[id / 2 % 2][id]);
}
