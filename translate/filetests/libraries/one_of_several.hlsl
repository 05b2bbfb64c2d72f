// dxc: -T lib_6_3
// Only what the entry point reaches is translated, and only its resources are bound.
//! entry = Fill
// check: OpEntryPoint GLCompute $main "Fill"
// check: OpExecutionMode $main LocalSize 8 1 1
// check: OpDecorate $out Binding 3001
// not:   Binding 3002
// not:   OpTypeImage
// not:   OpAtomicIAdd
RWStructuredBuffer<uint> Out : register(u1);
RWStructuredBuffer<uint> Total : register(u2);
Texture2D<float4> Picture : register(t0);

[shader("compute")]
[numthreads(8, 1, 1)]
void Fill(uint id : SV_DispatchThreadID) {
    Out[id] = id;
}

[shader("compute")]
[numthreads(16, 1, 1)]
void Sum(uint id : SV_DispatchThreadID) {
    InterlockedAdd(Total[0], uint(Picture.Load(uint3(id, 0, 0)).x));
}
