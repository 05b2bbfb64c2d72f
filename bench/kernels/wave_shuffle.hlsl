// dxc: -T cs_6_0 -E main
// Butterfly sums of quads of lanes, by reading neighbours' registers, sixteen times over.
StructuredBuffer<uint> values : register(t0);
RWStructuredBuffer<uint> result : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    uint lane = WaveGetLaneIndex();
    uint value = values[id.x];
    for (uint i = 0; i < 16; ++i) {
        value += WaveReadLaneAt(value, lane ^ 1);
        value += WaveReadLaneAt(value, lane ^ 2) * 3 + i;
    }
    result[id.x] = value;
}
