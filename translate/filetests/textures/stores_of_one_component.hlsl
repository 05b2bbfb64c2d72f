// dxc: -T cs_6_0 -E main
// A store writes all four components (INSTR.WRITEMASKFORTYPEDUAVSTORE), although the source has
// one: the view's format may have more than the shader declares.
// check: OpCompositeConstruct $v4float $x $x $x $x
// check: OpImageWrite
RWTexture2D<float> Out : register(u0);
[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) { Out[id.xy] = float(id.x) * 0.5; }
