// dxc: -T cs_6_0 -E main
RWTexture2D<float2> pixels : register(u0);
[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID) { pixels[id] = pixels[id] + 1; }
