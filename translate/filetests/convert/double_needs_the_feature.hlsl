// dxc: -T cs_6_0 -E main
//! without = FLOAT64
// error: shaderFloat64
groupshared double sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  sink[id] = (double)id * 0.25;
}
