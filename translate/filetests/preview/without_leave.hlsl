// dxc-newer: -T cs_6_10
// Operations of the preview still change, so a caller has to ask for them.
// error: GetGroupWaveIndex of the preview shader model 6.10 without leave to use it
#include "../../../frontend/tests/data/container/sm610_cs.hlsl"
