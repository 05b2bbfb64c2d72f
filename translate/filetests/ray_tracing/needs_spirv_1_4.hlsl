// dxc: -T lib_6_3
//! targets = vulkan1.1
// error: the target lacks SPIR-V 1.4
RWStructuredBuffer<uint> Out : register(u0);

[shader("raygeneration")]
void Generate() {
    Out[DispatchRaysIndex().x] = 1;
}
