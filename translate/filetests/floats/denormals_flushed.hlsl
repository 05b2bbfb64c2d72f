// dxc: -T cs_6_2 -E main -denorm ftz
// So does the wish to flush them.
// check: OpCapability DenormFlushToZero
// check: OpExecutionMode $main DenormFlushToZero 32
// not:   SignedZeroInfNanPreserve
// not:   DenormPreserve 32
#include "denormals_any.hlsl"
