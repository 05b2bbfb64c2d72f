// dxc-newer: -T lib_6_10
// A cluster's number needs the extension.
//! entry = hit
//! targets = vulkan1.3
//! options = preview
//! without = CLUSTER_ACCELERATION_STRUCTURE
// error: clusterAccelerationStructure
#include "../../../frontend/tests/data/container/sm610_lib.hlsl"
