// dxc: -T cs_6_0 -E main
// A hyperbolic tangent does not divide infinities.
// check: FAbs
// check: OpFOrdGreaterThan
// check: FSign
// check: Tanh
// check: OpSelect
RWStructuredBuffer<float> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Data[id] = tanh(Data[id]);
}
