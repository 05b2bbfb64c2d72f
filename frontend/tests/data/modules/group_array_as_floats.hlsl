// dxc: -T cs_6_5 -Od -Vd
// An array is cast to one of another type: DXC's constant reads groupshared memory through a pointer
// of another address space. It does not convert the elements.
groupshared int words[8];
RWStructuredBuffer<float> result : register(u0);

[numthreads(8, 1, 1)]
void main(uint lane : SV_GroupIndex, uint3 id : SV_DispatchThreadID)
{
    words[7 - lane] = asint(id.x * 0.5);
    GroupMemoryBarrierWithGroupSync();
    result[id.x] = ((float[8])words)[lane];
}
