// dxc: -T cs_6_0 -E main
// Arrays in the elements of structured buffers, at computed indices.
struct Curve { float4 points[8]; };
struct Weights { float values[12]; uint first; };
StructuredBuffer<Curve> curves : register(t0);
StructuredBuffer<Weights> weights : register(t1);
RWStructuredBuffer<Curve> moved : register(u0);
[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 local : SV_GroupThreadID) {
  uint first = weights[id.y].first;
  float weight = weights[id.y].values[local.x];
  float4 a = curves[id.y].points[local.x], b = curves[first].points[7 - local.x];
  moved[id.y].points[local.x] = lerp(a, b, weight);
}
