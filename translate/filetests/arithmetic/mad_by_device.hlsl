// dxc: -T cs_6_0 -E main
// One instruction where the device has one, unless the operation is precise.
//! options = numerics_radv
// check: OpDecorate $product NoContraction
// check: $product = OpFMul
// check: OpExtInst $f $glsl Fma
RWStructuredBuffer<float> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  float a = Data[id], b = Data[id + 64];
  precise float exact = mad(b, b, a);
  Data[id] = mad(a, a, b) + exact;
}
