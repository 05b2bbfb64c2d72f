cbuffer Scene : register(b0) { float4 shift; };
struct Input { float3 position : POSITION; float4 color : COLOR; };
struct Output { float4 color : COLOR; float4 position : SV_Position; };
Output main(Input i) {
  Output o;
  o.position = float4(i.position, 1) + shift;
  o.color = i.color;
  return o;
}
