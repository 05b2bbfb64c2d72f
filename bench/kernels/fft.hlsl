// dxc: -T cs_6_0 -E main
// Complex Fourier transforms of 512 points, one per group: Stockham's method, nine radix-2 passes.
StructuredBuffer<float2> signal : register(t0);
RWStructuredBuffer<float2> spectrum : register(u0);
groupshared float2 row[2 * 512];

[numthreads(256, 1, 1)]
void main(uint3 group : SV_GroupID, uint lane : SV_GroupIndex) {
    uint first = group.x * 512;
    row[lane] = signal[first + lane];
    row[lane + 256] = signal[first + lane + 256];
    uint from = 0;
    for (uint half = 1; half < 512; half <<= 1) {
        GroupMemoryBarrierWithGroupSync();
        uint place = lane & (half - 1);
        float sine, cosine;
        sincos(-3.14159265358979 * float(place) / float(half), sine, cosine);
        float2 a = row[from * 512 + lane];
        float2 b = row[from * 512 + lane + 256];
        float2 turned = float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
        uint to = 2 * lane - place;
        row[(from ^ 1) * 512 + to] = a + turned;
        row[(from ^ 1) * 512 + to + half] = a - turned;
        from ^= 1;
    }
    GroupMemoryBarrierWithGroupSync();
    spectrum[first + lane] = row[from * 512 + lane];
    spectrum[first + lane + 256] = row[from * 512 + lane + 256];
}
