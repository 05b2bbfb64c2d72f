// dxc: -T cs_6_0 -E main
// Only ray tracing shaders have a shader record.
//! bind = b0 local push 0 1
// error: in a local root signature of a cs shader
cbuffer Words : register(b0) {
    uint Word;
};
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    Out[id] = Word;
}
