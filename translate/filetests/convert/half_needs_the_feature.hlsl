// dxc: -T cs_6_2 -E main -enable-16bit-types
//! without = FLOAT16
// error: shaderFloat16
groupshared half sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  sink[id] = (half)id * (half)0.25;
}
