// dxc: -T ps_6_0 -E main
// check: PixelInterlockOrderedEXT
// check: Coherent
// check: OpBeginInvocationInterlockEXT
// check: OpEndInvocationInterlockEXT
RasterizerOrderedTexture2D<float4> t : register(u1);
float4 main(float4 p : SV_Position, float a : A) : SV_Target {
  if (a > 0.5)
    t[uint2(p.xy)] = t[uint2(p.xy)] * 0.5 + a;
  return a;
}
