// dxc: -T cs_6_2 -E main -denorm preserve
// The function's attribute becomes an execution mode.
// check: OpCapability DenormPreserve
// check: OpExecutionMode $main DenormPreserve 32
// not:   DenormFlushToZero
#include "denormals_any.hlsl"
