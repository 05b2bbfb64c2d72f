// dxc: -T cs_6_0 -E main
// A fraction is below 1, though x - floor(x) rounds to 1 for x = -1e-10.
// check: $fraction = OpExtInst $float $set Fract
// check: $one = OpFOrdGreaterThanEqual $bool $fraction
// check: OpSelect $float $one $below $fraction
RWStructuredBuffer<float> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Data[id] = frac(Data[id]);
}
