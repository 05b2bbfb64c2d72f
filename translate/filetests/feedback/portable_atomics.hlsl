// dxc: -T cs_6_5 -E main
//! options = portable
// naga's front end has no atomics on images: each is a store of two components, which the reader
// replaces by the atomic.
// not:   OpImageTexelPointer
// not:   OpAtomic
// check: OpImageQuerySize
// check: OpImageWrite
#include "portable.hlsl"
