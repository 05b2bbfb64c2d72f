// dxc: -T lib_6_3
//! targets = vulkan1.1
// check: OpExtension "SPV_KHR_ray_tracing"
RWStructuredBuffer<uint> Out : register(u0);

[shader("raygeneration")]
void Generate() {
    Out[DispatchRaysIndex().x] = 1;
}
