// dxc: -T cs_6_0 -E main
// Min-precision values may have more bits than a half, so that a conversion may be left out.
//! options = native_min_precision
// not:   NoContraction
// check: OpFConvert
RWStructuredBuffer<float> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Data[id] = (float)((min16float)Data[id] * (min16float)Data[id + 1]);
}
