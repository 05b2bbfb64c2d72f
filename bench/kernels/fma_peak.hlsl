// dxc: -T cs_6_0 -E main
// Eight independent chains of multiply-adds: the device's arithmetic throughput.
cbuffer Parameters : register(b0) {
    float factor;
    float addend;
    uint rounds;
};
RWStructuredBuffer<float> result : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    float4 a = float4(0, 1, 2, 3) + id.x % 7;
    float4 b = a + 4;
    for (uint i = 0; i < rounds; ++i) {
        a = mad(a, factor, addend);
        b = mad(b, factor, addend);
    }
    float4 c = a + b;
    result[id.x] = c.x + c.y + c.z + c.w;
}
