// dxc: -T cs_6_0 -E main -Zi -Qembed_debug -Od -DTRACE
// The same as steps.hlsl; it writes out what `total` is after each round.
struct Ball
{
    float3 place;
    int2 cell;
};
RWStructuredBuffer<uint> Out : register(u0);
RWStructuredBuffer<uint> Seen : register(u1);
groupshared uint totals[32];
static uint calls = 0;

uint twice(uint value)
{
    uint result = value * 2;
    calls += 1;
    return result;
}

uint sum(uint count, uint thread)
{
    uint total = 0;
    for (uint i = 0; i < count; ++i)
    {
        total += twice(i + 1);
#ifdef TRACE
        Seen[thread * 4 + i] = total;
#endif
    }
    return total;
}

[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex)
{
    Ball ball;
    ball.place = float3(id.x, 0.5, id.x * 2);
    ball.cell = int2(-(int)id.x, 7);
    uint squares[4];
    for (uint k = 0; k < 4; ++k)
        squares[k] = (id.x + k) * (id.x + k);
    float2x3 grid = float2x3(1, 2, 3, 4, 5, id.x);
    bool odd = (lane & 1) != 0;
    uint result = sum(lane & 3, id.x);
    if (odd)
        result += 100;
    else
        result += 200;
    totals[lane] = result;
    GroupMemoryBarrierWithGroupSync();
    uint other = totals[31 - lane];
    Out[id.x] = result + squares[lane & 3] + (uint)(ball.place.z + grid[lane & 1][2]) - ball.cell.x + other + calls;
}
