// dxc: -T cs_6_0 -E main
// Reads a word: what is measured is the way of the buffer to the device.
StructuredBuffer<uint> source : register(t0);
RWStructuredBuffer<uint> result : register(u0);

[numthreads(1, 1, 1)]
void main() {
    result[0] = source[0];
}
