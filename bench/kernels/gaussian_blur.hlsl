// dxc: -T cs_6_0 -E main
// A 5 by 5 binomial blur of a picture, clamped at the edge.
Texture2D<float4> source : register(t0);
RWTexture2D<float4> target : register(u0);

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    static const float weights[5] = { 1.0 / 16, 4.0 / 16, 6.0 / 16, 4.0 / 16, 1.0 / 16 };
    uint width, height;
    source.GetDimensions(width, height);
    int2 last = int2(width, height) - 1;
    float4 sum = 0;
    for (int y = 0; y < 5; ++y) {
        for (int x = 0; x < 5; ++x) {
            int2 at = clamp(int2(id.xy) + int2(x - 2, y - 2), 0, last);
            sum += source.Load(int3(at, 0)) * (weights[x] * weights[y]);
        }
    }
    target[id.xy] = sum;
}
