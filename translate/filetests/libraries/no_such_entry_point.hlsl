// dxc: -T lib_6_3
//! entry = Nobody
// error: no entry point named "Nobody"
RWStructuredBuffer<uint> Out : register(u0);

[shader("compute")]
[numthreads(8, 1, 1)]
void Fill(uint id : SV_DispatchThreadID) {
    Out[id] = id;
}
