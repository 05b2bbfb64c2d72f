// dxc: -T cs_6_0 -E main
// Copies 16 bytes per thread: the device's memory bandwidth.
StructuredBuffer<uint4> source : register(t0);
RWStructuredBuffer<uint4> target : register(u0);

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    target[id.x] = source[id.x];
}
