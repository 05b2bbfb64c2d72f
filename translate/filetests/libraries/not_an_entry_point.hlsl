// dxc: -T lib_6_3
//! entry = Helper
// error: the function "Helper" is not an entry point
RWStructuredBuffer<uint> Out : register(u0);

export uint Helper(uint a) {
    return a * 3 + 1;
}

[shader("compute")]
[numthreads(8, 1, 1)]
void Fill(uint id : SV_DispatchThreadID) {
    Out[id] = Helper(id);
}
