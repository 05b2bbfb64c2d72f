// dxc: -T cs_6_0 -E main
// Only what a `precise` variable depends on is kept from contraction; a precise mad is two instructions.
// count: 4 NoContraction
// check: OpDecorate $product NoContraction
// check: OpDecorate $sum NoContraction
// check: OpDecorate $mul NoContraction
// check: OpDecorate $add NoContraction
// check: $product = OpFMul
// check: $sum = OpFAdd
// check: $mul = OpFMul
// check: $add = OpFAdd
// not:   Fma
RWStructuredBuffer<float> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  float a = Data[id], b = Data[id + 1];
  precise float v = a * b + 3;
  precise float w = mad(v, a, b);
  Data[id + 2] = w;
  Data[id + 3] = a * a + b;
}
