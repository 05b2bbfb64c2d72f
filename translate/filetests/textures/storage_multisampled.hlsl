// dxc-newer: -T cs_6_7 -E main
// writable MSAA: RWTexture2DMS load/store by sample, dimensions, in-place tonemap
// check: OpCapability StorageImageMultisample
// check: OpImageRead $vec $image $at Sample
// check: OpImageWrite $target $texel_at $texel Sample
#include "../../../hwtests/shaders/newer/rw_msaa.hlsl"
