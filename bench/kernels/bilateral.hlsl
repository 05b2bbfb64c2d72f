// dxc: -T cs_6_0 -E main
// A bilateral filter of radius 3: near texels of like brightness count.
cbuffer Parameters : register(b0) {
    float space_falloff;
    float range_falloff;
};
Texture2D<float> source : register(t0);
RWTexture2D<float> target : register(u0);

[numthreads(16, 16, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    uint width, height;
    source.GetDimensions(width, height);
    int2 last = int2(width, height) - 1;
    float centre = source.Load(int3(id.xy, 0));
    float sum = 0;
    float total = 0;
    for (int y = -3; y <= 3; ++y) {
        for (int x = -3; x <= 3; ++x) {
            float there = source.Load(int3(clamp(int2(id.xy) + int2(x, y), 0, last), 0));
            float contrast = there - centre;
            float weight = exp(-(x * x + y * y) * space_falloff - contrast * contrast * range_falloff);
            sum += there * weight;
            total += weight;
        }
    }
    target[id.xy] = sum / total;
}
