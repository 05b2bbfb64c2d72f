// dxc-newer: -T lib_6_10
// Other hit objects do not know the cluster (SPV_NV_cluster_acceleration_structure).
//! entry = gen
//! targets = vulkan1.3
//! options = preview
// error: the cluster of a hit object
#include "../../../frontend/tests/data/container/sm610_lib.hlsl"
