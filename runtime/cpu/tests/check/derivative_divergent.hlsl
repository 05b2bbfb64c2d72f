// A derivative is computed where a part of the quad is.
// dxc -T cs_6_6
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    float value = In[i] * i;
#ifdef DEFECT
    if ((i & 1) == 0)
#else
    if (i < 32)
#endif
        Out[id.x] = ddx_coarse(value);
}
