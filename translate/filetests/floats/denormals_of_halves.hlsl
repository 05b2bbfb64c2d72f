// dxc: -T cs_6_2 -E main -enable-16bit-types -denorm ftz
// 16-bit denormals count, whatever is asked of 32-bit ones.
// check: OpExecutionMode $main DenormPreserve 16
// check: OpExecutionMode $main DenormFlushToZero 32
// not:   DenormPreserve 64
#include "no_float_controls.hlsl"
