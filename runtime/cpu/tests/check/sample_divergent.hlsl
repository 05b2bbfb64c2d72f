// A texture is sampled without a level where a part of the quad is.
// dxc -T cs_6_6
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
Texture2D<float> Image : register(t1);
SamplerState Linear : register(s0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    float2 at = float2(In[i] * i, i) / 64;
#ifdef DEFECT
    if ((i & 1) == 0)
#else
    if (i < 32)
#endif
        Out[id.x] = Image.Sample(Linear, at);
}
