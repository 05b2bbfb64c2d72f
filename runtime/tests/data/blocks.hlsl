// All texels of the mips of a texture; what lies outside of a mip reads as zero.
Texture2D<float4> Picture : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    Out[id.z * 64 + id.y * 8 + id.x] = Picture.Load(int3(id.xy, id.z));
}
