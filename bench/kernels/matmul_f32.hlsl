// dxc: -T cs_6_0 -E main
// A product of square matrices in tiles of 16 by 16.
cbuffer Parameters : register(b0) {
    uint width;
};
StructuredBuffer<float> a : register(t0);
StructuredBuffer<float> b : register(t1);
RWStructuredBuffer<float> product : register(u0);
groupshared float tile_a[16 * 16];
groupshared float tile_b[16 * 16];

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 lane : SV_GroupThreadID) {
    float sum = 0;
    for (uint step = 0; step < width; step += 16) {
        tile_a[lane.y * 16 + lane.x] = a[id.y * width + step + lane.x];
        tile_b[lane.y * 16 + lane.x] = b[(step + lane.y) * width + id.x];
        GroupMemoryBarrierWithGroupSync();
        for (uint k = 0; k < 16; ++k)
            sum = mad(tile_a[lane.y * 16 + k], tile_b[k * 16 + lane.x], sum);
        GroupMemoryBarrierWithGroupSync();
    }
    product[id.y * width + id.x] = sum;
}
