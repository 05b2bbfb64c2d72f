// dxc: -T lib_6_3
//! targets = vulkan1.3
//! without = RAY_TRACING
// error: the target lacks rayTracingPipeline
RWStructuredBuffer<uint> Out : register(u0);

[shader("raygeneration")]
void Generate() {
    Out[DispatchRaysIndex().x] = 1;
}
