// dxc: -T cs_6_0 -E main
// What goes round the loop as a vector of HLSL is one phi; the components are taken out behind it and put
// together again at the end of the block that goes round.
// count: 1 OpLoopMerge
// check: $float = OpTypeFloat 32
// check: $float2 = OpTypeVector $float 2
// check: $zero = OpConstantComposite $float2
// check: $z = OpPhi $float2 $zero $entry $next
// check: $x = OpCompositeExtract $float $z 0
// check: $y = OpCompositeExtract $float $z 1
// check: OpDot
// check: $next = OpCompositeConstruct $float2
// check: OpBranch
RWStructuredBuffer<uint> escape : register(u0);
cbuffer Parameters : register(b0) { uint limit; float2 c; };
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float2 z = 0;
  uint i = 0;
  while (i < limit && dot(z, z) < 4) {
    z = float2(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
    ++i;
  }
  escape[id] = i;
}
