// dxc: -T cs_6_0 -E main
// Samples of a level of a texture that fits into caches.
#define SAMPLE source.SampleLevel(filtering, at, lod)
#include "sample.hlsli"
