// dxc: -T ps_6_5 -E main
struct I {
  nointerpolation uint shade : SHADE;
  float2 uv : UV;
  nointerpolation float2 weight[2] : WEIGHT;
};
float4 main(I i) : SV_Target { return float4(i.uv, i.shade, i.weight[0].x + i.weight[1].x + i.weight[1].y); }
