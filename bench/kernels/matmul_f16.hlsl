// dxc: -T cs_6_2 -E main -enable-16bit-types
// A product of square matrices of half floats in tiles of 16 by 16, summed in f32.
cbuffer Parameters : register(b0) {
    uint width;
};
StructuredBuffer<float16_t> a : register(t0);
StructuredBuffer<float16_t> b : register(t1);
RWStructuredBuffer<float16_t> product : register(u0);
groupshared float16_t tile_a[16][16];
groupshared float16_t tile_b[16][16];

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 lane : SV_GroupThreadID) {
    float sum = 0;
    for (uint step = 0; step < width; step += 16) {
        tile_a[lane.y][lane.x] = a[id.y * width + step + lane.x];
        tile_b[lane.y][lane.x] = b[(step + lane.y) * width + id.x];
        GroupMemoryBarrierWithGroupSync();
        float16_t part = 0;
        for (uint k = 0; k < 16; ++k)
            part += tile_a[lane.y][k] * tile_b[k][lane.x];
        sum += part;
        GroupMemoryBarrierWithGroupSync();
    }
    product[id.y * width + id.x] = (float16_t)sum;
}
