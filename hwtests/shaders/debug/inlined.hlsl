// dxc: -T cs_6_0 -E main -Zi -Qembed_debug
// Functions of two files, inlined into each other; structures, arrays, a matrix, groupshared memory.
#include "inlined.hlsli"
StructuredBuffer<Item> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);
cbuffer Settings : register(b0)
{
    uint limit;
    float4x4 transform;
};
groupshared float tile[64];
static const float table[4] = { 1, 2, 3, 4 };

float sum_of(Item item, uint count)
{
    float total = 0;
    for (uint i = 0; i < count; ++i)
    {
        float3 scaled = item.position * i;
        total += square(scaled.x) + scaled.y;
    }
    return total;
}

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    Item item = In[id.x];
    tile[lane] = item.weights[0];
    GroupMemoryBarrierWithGroupSync();
    float result = sum_of(item, limit);
    float4 moved = mul(transform, float4(item.position, 1));
    if (result > 3)
        result += tile[lane ^ 1] * table[lane & 3];
    Out[id.x] = result + moved.w;
}
