// dxc: -T lib_6_3
// A library's entry points are one module each; without a name there is nothing to choose by.
// error: there are several entry points, and one of them has to be named: Fill, Sum
RWStructuredBuffer<uint> Out : register(u0);

[shader("compute")]
[numthreads(8, 1, 1)]
void Fill(uint id : SV_DispatchThreadID) {
    Out[id] = id;
}

[shader("compute")]
[numthreads(8, 1, 1)]
void Sum(uint id : SV_DispatchThreadID) {
    InterlockedAdd(Out[0], id);
}
