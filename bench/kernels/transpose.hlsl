// dxc: -T cs_6_0 -E main
// Transposes a square matrix through tiles of 16 by 16, padded against bank conflicts.
cbuffer Parameters : register(b0) {
    uint width;
};
StructuredBuffer<float> source : register(t0);
RWStructuredBuffer<float> target : register(u0);
groupshared float tile[16 * 17];

[numthreads(16, 16, 1)]
void main(uint3 group : SV_GroupID, uint3 lane : SV_GroupThreadID) {
    uint2 from = group.xy * 16 + lane.xy;
    tile[lane.y * 17 + lane.x] = source[from.y * width + from.x];
    GroupMemoryBarrierWithGroupSync();
    uint2 to = group.yx * 16 + lane.xy;
    target[to.y * width + to.x] = tile[lane.x * 17 + lane.y];
}
