// dxc: -T cs_6_0 -E main
// The sum of each block of 1024 numbers, by halving in groupshared memory.
StructuredBuffer<float> values : register(t0);
RWStructuredBuffer<float> sums : register(u0);
groupshared float partial[256];

[numthreads(256, 1, 1)]
void main(uint3 group : SV_GroupID, uint lane : SV_GroupIndex) {
    uint first = group.x * 1024 + lane;
    partial[lane] = values[first] + values[first + 256] + values[first + 512] + values[first + 768];
    GroupMemoryBarrierWithGroupSync();
    for (uint width = 128; width > 0; width >>= 1) {
        if (lane < width)
            partial[lane] += partial[lane + width];
        GroupMemoryBarrierWithGroupSync();
    }
    if (lane == 0)
        sums[group.x] = partial[0];
}
