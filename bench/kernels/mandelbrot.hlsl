// dxc: -T cs_6_0 -E main
// Escape times over the whole set.
cbuffer Parameters : register(b0) {
    uint width;
    uint limit;
};
RWStructuredBuffer<uint> escape : register(u0);

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    float2 c = float2(id.xy) / float(width) * 3.0 - float2(2.25, 1.5);
    float2 z = 0;
    uint i = 0;
    while (i < limit && dot(z, z) < 4) {
        z = float2(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
        ++i;
    }
    escape[id.y * width + id.x] = i;
}
